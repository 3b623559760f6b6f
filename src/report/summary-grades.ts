/** The grades themselves: failed open, passed folded, errored and skipped with what to do. */
import type {
  Check,
  EvidenceSize,
  Grade,
  Graded,
  GradingJob,
  Report,
  RunScore,
  TaskScore,
  Votes,
} from "../domain.ts";
import { count, formatNumber, formatScore, shorten } from "../format.ts";
import { failuresFirst, rubricLabel } from "./annotations.ts";
import { htmlText, markdownBlock, markdownCode, markdownProse, markdownText, urlPath } from "./neutralise.ts";

const OUTPUT_EXCERPT = 1_500;
/** Characters and lines of the passage that a failed check quotes. */
const PASSAGE = 600;
const PASSAGE_LINES = 5;
const REASON = 2_000;
/** Characters of a reason where a page has room for little. */
const BRIEF_REASON = 300;
/** Characters of a reason and of a name in the list of what failed. */
const LIST_REASON = 140;
const LIST_NAME = 80;
const LIST_LINES = 5;
/** So many failed grades are open; where there are more, each is a line with its reason, to be opened. */
const FEW = 3;
/** With more failed grades than this, a list by grader comes before them. */
const MANY = 10;
/** Characters of a quotation that are looked for. */
const QUOTE = 60;
/** Characters of a name: of a grader, a task, a suite. */
const NAME = 300;
const CHECKS_SHOWN = 50;
const NAMES_SHOWN = 10;

/** Said where the judge answered in prose: the grade stands, and the judge may be the wrong one for it. */
const NO_CALL_ADVICE =
  "**What to do:** look at what it said; if it did judge, use a model that calls tools, or let the grader's prompt name the two calls.";

interface Shown {
  readonly grade: Grade;
  readonly label: string;
}

/** Every grade with the name a reader finds it by: grader, task, and the run or model where there are several. */
function shownGrades({ scores }: Report): Shown[] {
  return scores.suites.flatMap(({ tasks, suite }) => {
    const models = new Set(tasks.flatMap(({ model }) => model || [])).size;
    const inSuite = scores.suites.length > 1 ? [suite.title] : [];
    return tasks.flatMap((task) => {
      const numbers = Map.groupBy(task.runs, ({ number }) => number);
      return task.runs.flatMap((run) => {
        const twice = (numbers.get(run.number)?.length ?? 0) > 1;
        const label = [...inSuite, ...labels(task, run, { models: models > 1, file: twice })].join(" · ");
        return run.grades.map((grade) => ({ grade, label }));
      });
    });
  });
}

function labels(
  task: TaskScore,
  run: RunScore,
  say: { readonly models: boolean; readonly file: boolean },
): string[] {
  return [
    task.taskId,
    ...(task.runs.length > 1 ? [runName(task, run)] : []),
    ...(say.models && task.model !== "" ? [task.model] : []),
    ...(say.file && run.file !== undefined ? [run.file] : []),
  ];
}

/** `run 2 of 3`, where the numbers of the runs are 1 to 3. */
function runName({ runs }: TaskScore, { number }: RunScore): string {
  const inOrder = runs.every((run, index) => run.number === index + 1);
  return `run ${String(number)}${inOrder ? ` of ${String(runs.length)}` : ""}`;
}

function failedGrades(report: Report): Shown[] {
  return shownGrades(report).filter(({ grade }) => grade.verdict.state === "graded" && !grade.verdict.passed);
}

/** Per failing grader a line: where it failed first, how often, and why. Up to ten say it in their own lines. */
export function failedList(report: Report, { details }: { readonly details: boolean }): string {
  const failed = failedGrades(report);
  if (failed.length === 0 || (details && failed.length <= MANY)) return "";
  const groups = [...Map.groupBy(failed, ({ grade: { job } }) => graderKey(job)).values()];
  const lines = groups
    .sort((a, b) => b.length - a.length)
    .slice(0, LIST_LINES)
    .map((group) => listLine(group, report));
  const more = groups.slice(LIST_LINES).reduce((sum, group) => sum + group.length, 0);
  const rest = more === 0 ? [] : [`- … and ${count(more, "failed grade")} of other graders`];
  return ["### What failed and why", [...lines, ...rest].join("\n")].join("\n\n");
}

function graderKey({ suite, grader }: GradingJob): string {
  return JSON.stringify([suite.at.path, grader.name]);
}

function listLine(group: readonly Shown[], report: Report): string {
  const [{ grade, label }] = group as readonly [Shown];
  const { verdict, job } = grade;
  const why = verdict.state === "graded" ? reasonOf(verdict) : "";
  const name = markdownText(shorten(job.grader.name, LIST_NAME));
  const more = group.length === 1 ? "" : ` and ${formatNumber(group.length - 1)} more`;
  return `- ❌ **${linked(name, grade, report)}** · ${markdownText(shorten(label, LIST_NAME))}${more} — ${markdownProse(shorten(why, LIST_REASON))}`;
}

/** Why a grade failed: the reason of its first failed check, or what stands for one. */
function reasonOf({ checks, note }: Graded): string {
  const [check] = failuresFirst(checks);
  return check?.reason ?? check?.description ?? note ?? "the judge gave no detail";
}

/** Failed grades with every check and reason, and on request what the agent answered; open where they are few. */
export function failedSection(
  report: Report,
  show: { readonly outputs: boolean; readonly atMost: number; readonly brief?: boolean },
): string {
  const failed = failedGrades(report);
  if (failed.length === 0) return "";
  const shown = failed.slice(0, show.atMost);
  const blocks = shown.map((one) =>
    gradeBlock(one, report, {
      ...show,
      open: failed.length <= FEW,
      why: failed.length > FEW && failed.length <= MANY,
    }),
  );
  const more =
    failed.length > shown.length ? [`… and ${count(failed.length - shown.length, "more failed grade")}`] : [];
  return ["### Failed", ...blocks, ...more].join("\n\n");
}

/** Passed grades that leave a doubt, a line each: what it is stands in the grade's own block too, which is folded. */
export function doubtsSection(report: Report): string {
  const lines = shownGrades(report).flatMap(({ grade, label }) => {
    const { verdict, job } = grade;
    if (verdict.state !== "graded" || !verdict.passed) return [];
    const doubts = [
      ...(verdict.incomplete
        ? [
            `the judge broke off after ${count(verdict.checks.length, "check")}, there may be more (**${verdict.incomplete.class}**: ${markdownProse(shorten(verdict.incomplete.message, BRIEF_REASON))})`,
          ]
        : []),
      ...(verdict.warning === undefined ? [] : [markdownProse(shorten(verdict.warning, BRIEF_REASON))]),
    ];
    if (doubts.length === 0) return [];
    const name = linked(markdownText(shorten(job.grader.name, LIST_NAME)), grade, report);
    return [`- ⚠️ **${name}** · ${markdownText(shorten(label, NAME))} — ${doubts.join("; ")}`];
  });
  if (lines.length === 0) return "";
  const more = lines.length > NAMES_SHOWN ? [`- … and ${String(lines.length - NAMES_SHOWN)} more`] : [];
  return ["### Passed, with a doubt", [...lines.slice(0, NAMES_SHOWN), ...more].join("\n")].join("\n\n");
}

/** Passed grades, folded twice: the list, and each grade in it. */
export function passedSection(report: Report): string {
  const passed = shownGrades(report).filter(
    ({ grade }) => grade.verdict.state === "graded" && grade.verdict.passed,
  );
  if (passed.length === 0) return "";
  const blocks = passed.map((shown) => gradeBlock(shown, report, { open: false, outputs: false }));
  return details(count(passed.length, "passed grade"), blocks.join("\n\n"), false);
}

function gradeBlock(
  { grade, label }: Shown,
  report: Report,
  show: {
    readonly open: boolean;
    readonly outputs: boolean;
    readonly brief?: boolean;
    readonly why?: boolean;
  },
): string {
  const { verdict, job } = grade;
  if (verdict.state !== "graded") return "";
  const sign = verdict.passed ? (verdict.incomplete || verdict.warning !== undefined ? "⚠️" : "✅") : "❌";
  const why = show.why !== true ? "" : ` — ${htmlText(shorten(reasonOf(verdict), LIST_REASON))}`;
  const title = `${sign} <b>${htmlText(shorten(job.grader.name, NAME))}</b> · ${htmlText(shorten(label, NAME))}${tally(verdict)}${why}`;
  const parts = [
    ...(verdict.note === undefined ? [] : [markdownProse(shorten(verdict.note, REASON))]),
    ...checkItems(verdict.checks, show.brief === true),
    ...(verdict.note !== undefined && verdict.response !== undefined
      ? [NO_CALL_ADVICE, `What it said instead:\n\n${markdownBlock(shorten(verdict.response, REASON))}`]
      : []),
    ...(verdict.warning === undefined ? [] : [`⚠️ ${markdownProse(verdict.warning)}`]),
    ...(verdict.incomplete
      ? [
          `⚠️ Incomplete: after these calls the judge broke off (${verdict.incomplete.class}): ${markdownProse(shorten(verdict.incomplete.message, REASON))}`,
        ]
      : []),
    ...(show.outputs ? passageBlock(grade) : []),
    `<sub>${graderLink(grade, report)}${weight(grade)}${rubric(grade)}${job.settled ? "" : ` · judge ${markdownCode(job.judgeModel)}`}${show.outputs ? "" : seen(verdict)}</sub>`,
    ...(show.outputs ? askedAndAnswered(grade, verdict) : []),
  ];
  return details(title, parts.filter((part) => part !== "").join("\n\n"), show.open);
}

/** How many of several checks passed, which is the grade's score; of a single one the sign says all. */
function tally({ checks }: { readonly checks: readonly Check[] }): string {
  if (checks.length < 2) return "";
  const passed = checks.filter(({ outcome }) => outcome === "pass").length;
  return ` · ${String(passed)} of ${count(checks.length, "check")} passed`;
}

/** Failed checks first; in brief those alone, with the beginnings of their reasons. */
function checkItems(checks: readonly Check[], brief: boolean): string[] {
  const wanted = brief ? checks.filter(({ outcome }) => outcome === "fail") : failuresFirst(checks);
  const shown = wanted.slice(0, CHECKS_SHOWN);
  const list = (wanted: readonly Check[]) =>
    wanted.map((check) => checkItem(check, brief ? BRIEF_REASON : REASON)).join("\n");
  const passes = shown.filter(({ outcome }) => outcome === "pass");
  const failures = shown.slice(0, shown.length - passes.length);
  const fold = failures.length > 0 && passes.length > FEW;
  const items = fold
    ? [list(failures), details(`✅ ${count(passes.length, "passed check")}`, list(passes), false)]
    : [list(shown)];
  const left = checks.length - shown.length;
  const passed = brief && shown.length === wanted.length ? "passed check" : "more check";
  return [...items, ...(left > 0 ? [`… and ${count(left, passed)}`] : [])];
}

function checkItem({ outcome, description, reason }: Check, longest: number): string {
  const sign = outcome === "pass" ? "✅" : "❌";
  const what = description === undefined ? "" : `**${markdownText(shorten(description, longest))}**`;
  const why = reason === undefined ? "" : markdownProse(shorten(reason, longest));
  const text = [what, why].filter((part) => part !== "").join("<br>");
  return `- ${sign} ${text || "(the judge gave no detail)"}`;
}

/** Folded into one: what was asked of whom, what the agent answered, and how much of it the judge saw. */
function askedAndAnswered(grade: Grade, verdict: Graded): string[] {
  const saw = seen(verdict).replace(/^ · /, "");
  const blocks = [...askedBlocks(grade), ...outputBlock(grade), ...(saw === "" ? [] : [`<sub>${saw}</sub>`])];
  return blocks.length === 0 ? [] : [details("What was asked and answered", blocks.join("\n\n"), false)];
}

/** What the agent and the judge were asked, so that a reader need not open the files. */
function askedBlocks({ job }: Grade): string[] {
  const asked = job.run?.prompt ?? job.task.prompt ?? "";
  const block = (title: string, text: string) =>
    text.trim() === "" ? [] : [`**${title}**`, markdownBlock(shorten(text.trim(), OUTPUT_EXCERPT))];
  return [
    ...block("What the agent was asked", asked),
    ...(job.settled
      ? []
      : [
          ...block("The rubric the judge was given", job.grader.rubric?.instructions ?? ""),
          ...block("What the judge was asked", job.grader.prompt),
        ]),
  ];
}

function outputBlock({ job, verdict }: Grade): string[] {
  const output = job.run?.finalOutput.trim() ?? "";
  if (output === "") return [];
  const checks = verdict.state === "graded" ? verdict.checks : [];
  const { text, which } = excerpt(output, checks);
  return [`**What the agent answered**${which}`, markdownBlock(text)];
}

/** The few lines of the output around what a failed check quotes: shown without a click. */
function passageBlock({ job, verdict }: Grade): string[] {
  const output = job.run?.finalOutput.trim() ?? "";
  const at = quotedAt(output, verdict.state === "graded" ? verdict.checks : []);
  if (at === undefined) return [];
  const lines = output.slice(0, at).split("\n");
  const first = Math.max(0, lines.length - 1 - Math.floor(PASSAGE_LINES / 2));
  const whole = output
    .split("\n")
    .slice(first, first + PASSAGE_LINES)
    .join("\n");
  const start = lines.slice(0, first).join("\n").length + (first === 0 ? 0 : 1);
  const text = whole.length <= PASSAGE ? whole : around(output, at, { size: PASSAGE });
  const cutBefore = start > 0 && whole.length <= PASSAGE;
  const cutAfter = start + whole.length < output.length && whole.length <= PASSAGE;
  const block = `${cutBefore ? "…\n" : ""}${text.replace(/^\n+|\s+$/g, "")}${cutAfter ? "\n…" : ""}`;
  return ["The agent's answer, where a failed check quotes it:", markdownBlock(block)];
}

/** `size` characters of a text around a place in it, from the beginning of a line where one is near. */
function around(text: string, at: number, { size }: { readonly size: number }): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const start = Math.max(0, Math.min(Math.max(line, at - size / 2), text.length - size + 1));
  return `${start > 0 ? "…" : ""}${shorten(text.slice(start).replace(/^[\uDC00-\uDFFF]/, ""), size)}`;
}

/** A long output is shown where a failed check quotes it, else from its beginning. */
function excerpt(output: string, checks: readonly Check[]): { text: string; which: string } {
  if (output.length <= OUTPUT_EXCERPT) return { text: output, which: "" };
  const size = `${count(OUTPUT_EXCERPT, "character")} of ${count(output.length, "character")}`;
  const at = quotedAt(output, checks);
  if (at === undefined || at < OUTPUT_EXCERPT - QUOTE)
    return { text: shorten(output, OUTPUT_EXCERPT), which: `, the first ${size}` };
  const text = around(output, at, { size: OUTPUT_EXCERPT });
  return { text, which: `, ${size}, around what a failed check quotes` };
}

/** Where the first words stand that the reason of a failed check quotes from the output. */
function quotedAt(output: string, checks: readonly Check[]): number | undefined {
  for (const { outcome, reason = "" } of checks) {
    if (outcome === "pass") continue;
    for (const [, quote = ""] of reason.matchAll(/["“«`]([^"“”«»`\n]{6,300})["”»`]/g)) {
      const at = output.indexOf(quote.slice(0, QUOTE).replace(/\.{3}$|…$/, ""));
      if (at >= 0) return at;
    }
  }
  return undefined;
}

/** The grader's file and lines, as a link where there is a page for them. */
function graderLink(grade: Grade, report: Report): string {
  const { at } = grade.job.grader;
  const lines =
    at.endLine > at.startLine
      ? `lines ${String(at.startLine)}–${String(at.endLine)}`
      : `line ${String(at.startLine)}`;
  return linked(`${markdownCode(at.path)} ${lines}`, grade, report);
}

/** Markdown as a link to the grader's lines. */
function linked(text: string, { job }: Grade, { sourceUrl }: Report): string {
  const { at } = job.grader;
  if (sourceUrl === undefined || !at.inRepository) return text;
  return `<a href="${sourceUrl}/${urlPath(at.path)}#L${String(at.startLine)}-L${String(at.endLine)}">${text}</a>`;
}

function weight({ job }: Grade): string {
  return job.grader.weight === 1 ? "" : ` · weight ${String(job.grader.weight)}`;
}

function rubric({ job }: Grade): string {
  return job.grader.rubric ? ` · rubric ${markdownCode(rubricLabel(job.grader.rubric))}` : "";
}

/** What the judge was shown of the run, and where the verdict came from. */
function seen({ recorded, evidence, votes, judge }: Graded): string {
  const parts = [
    ...(evidence ? [shown(evidence)] : []),
    ...(evidence?.replayed ? ["reconstructed session"] : []),
    ...(evidence?.reads ? [`it read files ${count(evidence.reads, "time")}`] : []),
    ...(recorded ? ["from the record"] : []),
    ...(votes ? [votesOf(votes)] : []),
    ...(judge?.changes ?? []).map(markdownProse),
  ];
  return parts.map((part) => ` · ${part}`).join("");
}

function votesOf({ passed, failed, errored }: Votes): string {
  const errors = errored > 0 ? `, ${String(errored)} errored` : "";
  return `votes: ${String(passed)} passed, ${String(failed)} failed${errors}`;
}

function shown({ characters, toolCalls, elided }: EvidenceSize): string {
  const what = elided ? "a shortened run" : "the whole run";
  return `the judge saw ${what} (${count(characters, "character")}, ${count(toolCalls, "tool call")})`;
}

/** Errored grades, grouped by what went wrong, with what to do about it. */
export function erroredSection(report: Report): string {
  const groups = new Map<string, { text: string; names: string[] }>();
  for (const { grade, label } of shownGrades(report)) {
    if (grade.verdict.state !== "errored") continue;
    const { error } = grade.verdict;
    const help = error.help === undefined ? "" : `<br>**What to do:** ${markdownProse(error.help)}`;
    const message = shorten(error.message, REASON).replace(/^Not asked: /, "");
    const text = `**${error.class}**: ${markdownProse(message)}${help}`;
    addTo(groups, text, `${grade.job.grader.name} · ${label}`);
  }
  if (groups.size === 0) return "";
  const intro =
    "An errored grade is not a failed grade: the judge gave no verdict. It is left out of the score.";
  return ["### Errored", intro, ...[...groups.values()].map((group) => groupBlock("⚠️", group))].join("\n\n");
}

/** Skipped grades, grouped by reason. */
export function skippedSection(report: Report): string {
  const groups = new Map<string, { text: string; names: string[] }>();
  for (const { grade, label } of shownGrades(report)) {
    if (grade.verdict.state !== "skipped") continue;
    addTo(
      groups,
      markdownProse(shorten(grade.verdict.reason, REASON)),
      `${grade.job.grader.name} · ${label}`,
    );
  }
  if (groups.size === 0) return "";
  return ["### Skipped", ...[...groups.values()].map((group) => groupBlock("➖", group))].join("\n\n");
}

function addTo(groups: Map<string, { text: string; names: string[] }>, text: string, name: string): void {
  const group = groups.get(text) ?? { text, names: [] };
  group.names.push(name);
  groups.set(text, group);
}

function groupBlock(sign: string, { text, names }: { text: string; names: readonly string[] }): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `- ${markdownText(shorten(name, NAME))}`);
  if (names.length > NAMES_SHOWN) shown.push(`- … and ${String(names.length - NAMES_SHOWN)} more`);
  const list = shown.join("\n");
  const body = names.length <= FEW ? list : `\n${details(count(names.length, "grade"), list, false)}`;
  return [`- ${sign} ${text}`, ...body.split("\n").map((line) => (line === "" ? "" : `  ${line}`))].join(
    "\n",
  );
}

/** Verdicts that stood in the results before us, for what they are: recorded, and no part of the score. */
export function recordedSection({ scores }: Report): string {
  const rows = scores.suites.flatMap(({ tasks }) =>
    tasks.flatMap(({ taskId, runs }) =>
      runs.flatMap((run) => {
        const ours = new Set(run.grades.map(({ job }) => job.grader.name));
        return run.recorded
          .filter(({ name }) => !ours.has(name))
          .map(({ name, type, passed, score, feedback }) =>
            [
              `${markdownCode(taskId)}${runs.length > 1 ? ` run ${String(run.number)}` : ""}`,
              markdownText(shorten(name, NAME)),
              type === "" ? "" : markdownCode(type),
              `${passed ? "✅" : "❌"} ${formatScore(score)}`,
              markdownProse(shorten(feedback, 200)),
            ].join(" | "),
          );
      }),
    ),
  );
  if (rows.length === 0) return "";
  const table = [
    "| Task | Grader | Type | Recorded | Feedback |",
    "|:--|:--|:--|:--|:--|",
    ...rows.map((row) => `| ${row} |`),
  ];
  const intro =
    "These stood in the results already, from graders of other types. They are shown as recorded and take no part in the score.";
  return details(
    `${count(rows.length, "validation recorded by waza", "validations recorded by waza")}, no part of the score`,
    `${intro}\n\n${table.join("\n")}`,
    false,
  );
}

function details(summary: string, body: string, open: boolean): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
