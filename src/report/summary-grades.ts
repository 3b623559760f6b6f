/** The grades themselves: failed open, passed folded, errored and skipped with what to do. */
import type { Check, EvidenceSize, Grade, Graded, Report, RunScore, TaskScore } from "../domain.ts";
import { count, formatScore, shorten } from "../format.ts";
import { failuresFirst, rubricLabel } from "./annotations.ts";
import { htmlText, markdownBlock, markdownCode, markdownProse, markdownText, urlPath } from "./neutralise.ts";

const OUTPUT_EXCERPT = 1_500;
const REASON = 2_000;
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
    ...(task.runs.length > 1 ? [`run ${String(run.number)}`] : []),
    ...(say.models && task.model !== "" ? [task.model] : []),
    ...(say.file && run.file !== undefined ? [run.file] : []),
  ];
}

/** Failed grades, open, with every check and reason, and on request what the agent answered. */
export function failedSection(
  report: Report,
  show: { readonly outputs: boolean; readonly atMost: number },
): string {
  const failed = shownGrades(report).filter(
    ({ grade }) => grade.verdict.state === "graded" && !grade.verdict.passed,
  );
  if (failed.length === 0) return "";
  const shown = failed.slice(0, show.atMost);
  const blocks = shown.map((one) => gradeBlock(one, report, { open: true, outputs: show.outputs }));
  const more =
    failed.length > shown.length ? [`… and ${count(failed.length - shown.length, "more failed grade")}`] : [];
  return ["### Failed", ...blocks, ...more].join("\n\n");
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
  show: { open: boolean; outputs: boolean },
): string {
  const { verdict, job } = grade;
  if (verdict.state !== "graded") return "";
  const sign = verdict.passed ? (verdict.incomplete || verdict.warning !== undefined ? "⚠️" : "✅") : "❌";
  const title = `${sign} <b>${htmlText(shorten(job.grader.name, NAME))}</b> · ${htmlText(shorten(label, NAME))} · ${tally(verdict)}`;
  const checks = failuresFirst(verdict.checks);
  const parts = [
    ...(verdict.note === undefined ? [] : [markdownProse(shorten(verdict.note, REASON))]),
    checks.slice(0, CHECKS_SHOWN).map(checkItem).join("\n"),
    ...(checks.length > CHECKS_SHOWN ? [`… and ${count(checks.length - CHECKS_SHOWN, "more check")}`] : []),
    ...(verdict.note !== undefined && verdict.response !== undefined
      ? [NO_CALL_ADVICE, `What it said instead:\n\n${markdownBlock(shorten(verdict.response, REASON))}`]
      : []),
    ...(verdict.warning === undefined ? [] : [`⚠️ ${markdownProse(verdict.warning)}`]),
    ...(verdict.incomplete
      ? [
          `⚠️ Incomplete: after these calls the judge broke off (${verdict.incomplete.class}): ${markdownProse(shorten(verdict.incomplete.message, REASON))}`,
        ]
      : []),
    ...(show.outputs ? [...askedBlocks(grade), ...outputBlock(grade)] : []),
    `<sub>${graderLink(grade, report)}${weight(grade)}${rubric(grade)}${job.settled ? "" : ` · judge ${markdownCode(job.judgeModel)}`}${seen(verdict)}</sub>`,
  ];
  return details(title, parts.filter((part) => part !== "").join("\n\n"), show.open);
}

function tally({ score, checks }: { readonly score: number; readonly checks: readonly Check[] }): string {
  if (checks.length < 2) return formatScore(score);
  const passed = checks.filter(({ outcome }) => outcome === "pass").length;
  return `${formatScore(score)} (${String(passed)} of ${count(checks.length, "check")} passed)`;
}

function checkItem({ outcome, description, reason }: Check): string {
  const sign = outcome === "pass" ? "✅" : "❌";
  const what = description === undefined ? "" : `**${markdownText(shorten(description, REASON))}**`;
  const why = reason === undefined ? "" : markdownProse(shorten(reason, REASON));
  const text = [what, why].filter((part) => part !== "").join("<br>");
  return `- ${sign} ${text || "(the judge gave no detail)"}`;
}

/** What the agent and the judge were asked, so that a reader need not open the files. */
function askedBlocks({ job }: Grade): string[] {
  const asked = job.run?.prompt ?? job.task.prompt ?? "";
  const block = (title: string, text: string) =>
    text.trim() === "" ? [] : [details(title, markdownBlock(shorten(text.trim(), OUTPUT_EXCERPT)), false)];
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
  return [details(`What the agent answered${which}`, markdownBlock(text), false)];
}

/** A long output is shown where a failed check quotes it, else from its beginning. */
function excerpt(output: string, checks: readonly Check[]): { text: string; which: string } {
  if (output.length <= OUTPUT_EXCERPT) return { text: output, which: "" };
  const size = `${count(OUTPUT_EXCERPT, "character")} of ${count(output.length, "character")}`;
  const at = quotedAt(output, checks);
  if (at === undefined || at < OUTPUT_EXCERPT - QUOTE)
    return { text: shorten(output, OUTPUT_EXCERPT), which: `, the first ${size}` };
  const line = output.lastIndexOf("\n", at - 1) + 1;
  const start = Math.min(Math.max(line, at - OUTPUT_EXCERPT / 2), output.length - OUTPUT_EXCERPT + 1);
  const text = output.slice(start).replace(/^[\uDC00-\uDFFF]/, "");
  return { text: `…${shorten(text, OUTPUT_EXCERPT)}`, which: `, ${size}, around what a failed check quotes` };
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
function graderLink({ job }: Grade, { sourceUrl }: Report): string {
  const { at } = job.grader;
  const lines =
    at.endLine > at.startLine
      ? `lines ${String(at.startLine)}–${String(at.endLine)}`
      : `line ${String(at.startLine)}`;
  const text = `${markdownCode(at.path)} ${lines}`;
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
function seen({ recorded, evidence }: Pick<Graded, "recorded" | "evidence">): string {
  const parts = [
    ...(evidence ? [shown(evidence)] : []),
    ...(evidence?.replayed ? ["reconstructed session"] : []),
    ...(evidence?.reads ? [`it read files ${count(evidence.reads, "time")}`] : []),
    ...(recorded ? ["from the record"] : []),
  ];
  return parts.map((part) => ` · ${part}`).join("");
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
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `  - ${markdownText(shorten(name, NAME))}`);
  if (names.length > NAMES_SHOWN) shown.push(`  - … and ${String(names.length - NAMES_SHOWN)} more`);
  return [`- ${sign} ${text}`, ...shown].join("\n");
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
    count(rows.length, "validation recorded by waza", "validations recorded by waza"),
    `${intro}\n\n${table.join("\n")}`,
    false,
  );
}

function details(summary: string, body: string, open: boolean): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}
