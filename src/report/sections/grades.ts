/** Lists of grades: what has no verdict, what passed, and verdicts that others recorded; and all that a page shows of one grade. */
import type { Check, EvidenceSize, GradeError } from "../../domain/grade.ts";
import { type Row, hasVerdict } from "../../domain/row.ts";
import type { SourceSpan } from "../../domain/problem.ts";
import { inBaseline } from "../../decide/pairs.ts";
import {
  BREAK,
  LONGEST_BRIEF,
  MOST_LINES,
  type Block,
  type Item,
  type Line,
  type Page,
  type Section,
  between,
  bold,
  code,
  docsLink,
  fold,
  heading,
  line,
  link,
  list,
  moreOf,
  name,
  note,
  small,
  table,
  title,
} from "../document/tree.ts";
import type { Report } from "../report.ts";
import { urlPath } from "../../safety/sanitize.ts";
import { type ShownGrade, allShown, failuresFirst, shownGrades } from "../shown-grade.ts";
import { count, excerpt, formatScore, listed, shorten } from "../../text/format.ts";
import {
  CHECK_SIGNS,
  NO_DETAIL,
  STATES,
  UNCOUNTED,
  doubtsText,
  errorLine,
  filePart,
  tallyText,
  votesText,
} from "../../text/states.ts";

/** Grades named in a group. */
const MOST_GROUP_NAMES = 10;
/** Up to so many grades are named without a fold. */
const FEW_GROUPS = 3;
/** Maximum characters of a validation's feedback. */
const LONGEST_FEEDBACK = 200;
/** Characters of an answer beside another. */
const LONGEST_ANSWER = 700;
/** Maximum characters of an excerpt. */
const GRADE_EXCERPT = 1_500;

/** Passed grades with a warning, one line each; the grade's block, which is collapsed, has it too. */
export const doubtsSection: Section = (report) => {
  const lines = shownGrades(report).flatMap(({ grade, label, state, sign, reason }): Line[] => {
    if (state !== "doubtful") return [];
    const grader = link([name(grade.grader)], graderUrl(grade, report));
    return [[`${sign} `, bold(...grader), " · ", name(label), " — ", shorten(reason, LONGEST_BRIEF)]];
  });
  return lines.length === 0 ? [] : [heading("Passed, with a doubt"), ...list(lines, MOST_GROUP_NAMES)];
};

/** Grades that passed though not all votes did. */
export const majoritySection: Section = (report) => {
  const split = shownGrades(report).flatMap(({ name: called, grade: { state, votes } }) => {
    if (state !== "passed" || !votes) return [];
    return votes.failed + votes.errored > 0 ? [`${called}: ${votesText(votes)}`] : [];
  });
  return split.length === 0 ? [] : [line(`Passed by a majority: `, name(listed(split), Infinity), ".")];
};

/** Passed grades, folded twice: the list, and each grade in it. */
export const passedSection: Section = (report, page) => {
  // A file has each below its run.
  if (!page.passed || page.medium === "file") return [];
  const passed = shownGrades(report).filter(({ state }) => state === "passed" || state === "doubtful");
  const folds = passed.slice(0, page.most).flatMap((shown) => {
    const { grade, label, sign } = shown;
    const tally = grade.votes || grade.checks.length > 1 ? [tallyText(grade)] : [];
    const about = between([[bold(name(grade.grader))], [name(label)], tally]);
    return fold([`${sign} `, ...about], gradeBody(shown, report, page));
  });
  const more = moreOf(passed.length - folds.length, "passed grade", page);
  return fold([count(passed.length, "passed grade")], [...folds, ...more]);
};

/** A cause, and the names of the grades that it left without a verdict. */
interface Cause {
  readonly text: Line;
  readonly name: string;
}

/** Errored grades by what went wrong, with what to do about it. */
export const erroredSection: Section = (report, page) => {
  const causes = shownGrades(report).flatMap((shown): Cause[] => {
    const { checks, error } = shown.grade;
    if (!error) return [];
    const before = checks.length === 0 ? "" : ` (after ${count(checks.length, "passed check")}, not counted)`;
    return [{ text: errorText(error, report, page), name: `${shown.name}${filePart(error)}${before}` }];
  });
  return grouped(
    { title: "Errored: no verdict, and left out of the score", sign: STATES.errored.sign },
    causes,
    page,
  );
};

function errorText(error: GradeError, report: Report, { reason, medium }: Page): Line {
  const help = error.help === undefined ? [] : [" ", bold("What to do:"), ` ${error.help}`];
  // On a terminal the whole address would part the class from what it says.
  const name = [bold(error.class)];
  const linked = medium === "terminal" ? name : docsLink(name, "troubleshooting.md#error-classes", report);
  return [...linked, `: ${shorten(error.message, reason)}`, ...help];
}

/** The causes that most grades share first. */
function grouped(
  { title, sign }: { readonly title: string; readonly sign: string },
  causes: readonly Cause[],
  page: Page,
): readonly Block[] {
  if (causes.length === 0) return [];
  const groups = [...Map.groupBy(causes, ({ text }) => JSON.stringify(text)).values()];
  const listedGroups = groups.sort((one, other) => other.length - one.length).slice(0, page.most);
  return [
    heading(title),
    ...listedGroups.flatMap((alike) => {
      const names = list(
        alike.map((one): Line => [name(one.name)]),
        MOST_GROUP_NAMES,
      );
      const many =
        alike.length <= FEW_GROUPS || page.medium === "terminal"
          ? names
          : fold([count(alike.length, "grade")], names);
      return [line(`${sign} `, ...(alike[0]?.text ?? [])), ...many];
    }),
    ...moreOf(groups.length - listedGroups.length, "cause", page),
  ];
}

/** Skipped grades by reason; those of missing runs have a section of their own, and a dry run skips all. */
export const skippedSection: Section = (report, page) => {
  // The comment on a fork's pull request has only the reason why it is not graded.
  const isBrief = !page.passed && !page.each;
  const causes = shownGrades(report).flatMap((shown): Cause[] => {
    const { state } = shown.grade;
    if (state !== "no-key" && (state !== "capped" || isBrief)) return [];
    const reason = shorten(shown.reason, page.reason);
    // The words are ours alone, and so is the address in them.
    const parts = state === "no-key" ? reason.split(/`(https?:[^`]+)`/) : [reason];
    const text = parts.flatMap((part, index) => (index % 2 === 0 ? [part] : link(["how"], part)));
    return [{ text, name: shown.name }];
  });
  return grouped({ title: "Skipped", sign: STATES.skipped.sign }, causes, page);
};

/** Verdicts recorded in the results by other tools, which are no part of the score; folded where there is one. */
export const recordedSection: Section = (report, page) => {
  const isAlone = report.scores.grades.length === 0;
  if (!page.passed && !isAlone) return [];
  const keyOf = (origin: Row["origin"]) => JSON.stringify(origin);
  const byRun = Map.groupBy(allShown(report), ({ grade }) => keyOf(grade.origin));
  const rows = report.results
    .flatMap(({ runs = [] }) => runs)
    .flatMap((run) => {
      const shown = byRun.get(keyOf(run.origin)) ?? [];
      const ours = new Set(shown.map(({ grade }) => grade.grader));
      const recorded = run.recorded.filter((validation) => !ours.has(validation.name));
      return recorded.map((validation): Line[] => [
        [name(shown[0]?.label ?? run.taskId)],
        [name(validation.name)],
        [`${CHECK_SIGNS[validation.passed ? "pass" : "fail"]} ${formatScore(validation.score)}`],
        [shorten(validation.feedback, LONGEST_FEEDBACK)],
        validation.type === "" ? [] : [code(validation.type)],
      ]);
    });
  if (rows.length === 0) return [];
  const heads = [["Task"], ["Grader"], ["Recorded"], ["Feedback"], ["Type"]];
  const title = `${count(rows.length, "validation recorded by waza", "validations recorded by waza")}, not in the score`;
  const body = [
    table("Validations recorded by waza", { heads }, rows.slice(0, page.most)),
    ...moreOf(rows.length - page.most, "validation", page),
  ];
  return isAlone ? [heading(title), ...body] : fold([title], body);
};

/* One grade. */

/** `eval.yaml:18` as a link; the whole path where there is no page for it. */
export function graderLink(grade: Row, report: Report): Line {
  const at = locationOf(grade);
  const url = graderUrl(grade, report);
  const file = url === undefined ? at.path : at.path.slice(at.path.lastIndexOf("/") + 1);
  return link([name(file), `:${String(at.startLine)}`], url);
}

/** The lines to look at: those of the grade's only failed statement, else the grader's. */
function locationOf({ state, checks, statements, at: ofGrader }: Row): SourceSpan {
  const failed = state === "failed" ? checks.filter(({ outcome }) => outcome === "fail") : [];
  const [statement, ...others] = new Set(failed.map((check) => check.statement));
  const at = statement === undefined ? undefined : statements[statement - 1]?.at;
  return others.length === 0 && at !== undefined ? at : ofGrader;
}

/** The page of these lines, where there is one. */
export function graderUrl(grade: Row, report: Report): string | undefined {
  const at = locationOf(grade);
  const url = lineUrl(at, report);
  return url && `${url}-L${String(at.endLine)}`;
}

/** The page of the first of these lines, where there is one. */
export function lineUrl(at: SourceSpan, { sourceUrl }: Report): string | undefined {
  if (sourceUrl === undefined || !at.inRepository || at.generated) return undefined;
  return `${sourceUrl}/${urlPath(at.path)}#L${String(at.startLine)}`;
}

/** What leaves a doubt about a check. */
export function foundIn(check: Check): Line {
  const doubts = doubtsText(check);
  return doubts === undefined ? [] : [small(doubts)];
}

/** A list of checks. */
export function checkList(
  checks: readonly Check[],
  { reason: longest, medium }: Pick<Page, "reason" | "medium">,
): Block[] {
  const items = checks.map((check): Item => {
    const { outcome, description, reason } = check;
    const what = description === undefined ? [] : [bold(name(description, longest))];
    const why = reason === undefined ? [] : [shorten(reason, longest)];
    const line = between([what, why, foundIn(check)], BREAK);
    return { line: [`${CHECK_SIGNS[outcome]} `, ...(line.length === 0 ? [NO_DETAIL] : line)] };
  });
  return list(items, medium === "file" ? Infinity : MOST_LINES, "check");
}

/** The judge's text if it made no call, and warnings. */
function notes(grade: Row, { reason: longest }: Pick<Page, "reason">): Block[] {
  const { note, response, doubt, incomplete } = grade;
  return [
    ...(note === undefined ? [] : [line(shorten(note, longest))]),
    ...(note !== undefined && response !== undefined
      ? [line("What it said instead:"), { kind: "text" as const, text: excerpt(response, longest) }]
      : []),
    ...(doubt === undefined ? [] : [line(`${STATES.doubtful.sign} `, doubt)]),
    ...(incomplete
      ? [
          line(
            `${STATES.doubtful.sign} Incomplete: after these calls the judge was interrupted (${incomplete.class}): `,
            shorten(incomplete.message, longest),
          ),
        ]
      : []),
  ];
}

/** A grade with a verdict: its checks; of a failed one the answers and the prompts, too. */
export function gradeBody(shown: ShownGrade, report: Report, page: Page): Block[] {
  const { grade, checks } = shown;
  const failure = () => [
    ...answers(shown, report),
    ...passages("The agent's prompt", grade.asked, GRADE_EXCERPT),
    ...(grade.settled || grade.statements.length > 0 ? [] : graderPrompt(grade, GRADE_EXCERPT)),
  ];
  return [
    ...checkList(failuresFirst(checks), page),
    ...notes(grade, page),
    ...(grade.state === "failed" ? failure() : []),
    graderLine(grade, report),
  ];
}

/** The agent's answer, of a long one the beginning, and main's, where that passed. */
function answers({ grade, isNew, pair }: ShownGrade, { comparison }: Report): Block[] {
  const { length } = grade.answer.trim();
  const part = length > GRADE_EXCERPT ? `, the beginning of ${count(length, "character")}` : "";
  const answer = passages(`The agent's answer${part}`, grade.answer, GRADE_EXCERPT);
  const ofMain = (isNew && pair?.baseline.example.answer) || "";
  const head = `The answer ${inBaseline(comparison?.source ?? {})}, which passed`;
  return ofMain !== "" && ofMain === grade.answer
    ? [...answer, line(`${head}, is the same.`)]
    : [...passages(head, ofMain, LONGEST_ANSWER), ...answer];
}

/** A text under a title; empty without text. */
function passages(head: string, text: string, most: number): Block[] {
  const trimmed = text.trim();
  return trimmed === "" ? [] : [title(head), { kind: "text", text: excerpt(trimmed, most) }];
}

/** The grader's instructions and its rubric. */
function graderPrompt({ rubric, prompt }: Row, most: number): Block[] {
  return [
    ...passages("The rubric", rubric?.instructions ?? "", most),
    ...passages("The grader's prompt", prompt, most),
  ];
}

/** The grader's location and weight, its judges, and the evidence; then what a page has beside. */
export function graderLine(grade: Row, report: Report, more: readonly Line[] = []): Block {
  const at = locationOf(grade);
  const lines =
    at.endLine > at.startLine
      ? `lines ${String(at.startLine)}–${String(at.endLine)}`
      : `line ${String(at.startLine)}`;
  const location = link([code(at.path), ` ${lines}`], graderUrl(grade, report));
  return note(...between([location, ...aboutGrade(grade), ...more]));
}

/** What the grader weighs, who judged by it, what the judge saw, and where the verdict came from. */
function aboutGrade(grade: Row): Line[] {
  const { weight, rubric, settled, judgeModel, recorded, evidence, judge, client, votes } = grade;
  return [
    ...(weight === 1 ? [] : [[`weight ${String(weight)}`]]),
    ...(rubric ? [["rubric ", code(rubric.name)]] : []),
    ...(settled ? [] : [["judge ", code(judgeModel)]]),
    ...(evidence ? [[evidenceText(evidence)]] : []),
    ...(evidence?.reconstructedSession ? [["reconstructed session"]] : []),
    ...(evidence?.reads ? [[`it read files ${count(evidence.reads, "time")}`]] : []),
    ...(client?.loadedBy ? [[LOADED[client.loadedBy]]] : []),
    ...(recorded ? [["from the record"]] : []),
    ...(judge?.servedBy === undefined ? [] : [["answered by ", code(judge.servedBy)]]),
    ...(judge?.changes ?? []).map((change) => [change]),
    ...(votes ? [["its checks are those of the votes that decided"]] : []),
  ];
}

/** The ways in which a skill was loaded without the client's tool. */
const LOADED = {
  file: "the agent read the skill's file",
  prompt: "the prompt names the skill",
} as const;

/** How much of the run the judge was shown, as plain text. */
export function evidenceText({ characters, toolCalls, elided }: EvidenceSize): string {
  const what = elided ? "a shortened run" : "the whole run";
  return `the judge saw ${what} (${count(characters, "character")}, ${count(toolCalls, "tool call")})`;
}

/** All details of a grade below its name. */
export function wholeGrade(shown: ShownGrade, report: Report): readonly Block[] {
  const { grade, reasons } = shown;
  const page = { reason: Infinity, medium: "file" } as const;
  const { state, error, reason = "", response = "", asked, sent } = grade;
  const ordered = failuresFirst(reasons);
  const isFailed = state === "failed";
  const isBelow = isFailed && grade.answer.length <= GRADE_EXCERPT;
  return [
    ...(error ? [line(errorLine(error))] : hasVerdict(grade) ? [] : [line(reason)]),
    ...(error && ordered.length > 0 ? [line(UNCOUNTED)] : []),
    ...(grade.votes ? [line(`Votes: ${votesText(grade.votes)}.`)] : []),
    ...checkList(ordered, page),
    ...notes({ ...grade, response: undefined }, page),
    ...(isFailed ? answers(shown, report) : []),
    ...passages("What the judge wrote beside its calls", response, Infinity),
    // The evidence has both, where the judge was asked.
    ...(sent ? [] : passages("The agent's prompt", asked, Infinity)),
    ...(sent || isBelow ? [] : passages("The agent's answer", grade.answer, Infinity)),
    ...fold(["The grader's prompt"], graderPrompt(grade, Infinity)),
  ];
}
