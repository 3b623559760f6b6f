/** One grade: its checks with their quotes, its location and judges, the prompt and the answer. */
import type { Check, EvidenceSize } from "../../domain/grade.ts";
import { type Row, hasVerdict } from "../../domain/row.ts";
import type { SourceSpan } from "../../domain/problem.ts";
import { inBaseline } from "../../decide/pairs.ts";
import {
  BREAK,
  MOST_LINES,
  type Block,
  type Item,
  type Line,
  type Page,
  between,
  bold,
  code,
  fold,
  line,
  link,
  list,
  name,
  note,
  small,
  title,
} from "../document/tree.ts";
import type { Report } from "../report.ts";
import { urlPath } from "../../safety/sanitize.ts";
import { type ShownGrade, failuresFirst } from "../shown-grade.ts";
import { count, excerpt, shorten } from "../../text/format.ts";
import {
  CHECK_SIGNS,
  NO_DETAIL,
  STATES,
  UNCOUNTED,
  doubtsText,
  tallyText,
  votesText,
  errorLine,
} from "../../text/states.ts";

/** Characters of an answer beside another. */
const LONGEST_ANSWER = 700;
/** Maximum characters of an excerpt. */
const GRADE_EXCERPT = 1_500;

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

/** The agent's answer; of a long one the beginning. */
function answerBlocks(grade: Row): Block[] {
  const { length } = grade.answer.trim();
  const part = length > GRADE_EXCERPT ? `, the beginning of ${count(length, "character")}` : "";
  return passages(`The agent's answer${part}`, grade.answer, GRADE_EXCERPT);
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

/** A failed grade whole: its checks, the answer with what they quote, the prompts, and main's answer where that passed. */
export function wholeFailure(
  { grade, checks, isNew, pair }: ShownGrade,
  report: Report,
  page: Page,
): readonly Block[] {
  const inMain = inBaseline(report.comparison?.source ?? {});
  const ofMain = (isNew && pair?.baseline.example.answer) || "";
  const isSame = ofMain !== "" && ofMain === grade.answer;
  return [
    ...checkList(failuresFirst(checks), page),
    ...notes(grade, page),
    ...(isSame ? [] : passages(`The answer ${inMain}, which passed`, ofMain, LONGEST_ANSWER)),
    ...answerBlocks(grade),
    ...(isSame ? [line(`The answer ${inMain}, which passed, is the same.`)] : []),
    ...passages("The agent's prompt", grade.asked, GRADE_EXCERPT),
    ...(grade.settled || grade.statements.length > 0 ? [] : graderPrompt(grade, GRADE_EXCERPT)),
    graderLine(grade, report),
  ];
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

/** A passed grade as a <details> block. */
export function foldedGrade(
  { grade, label, sign, checks }: ShownGrade,
  report: Report,
  page: Page,
): readonly Block[] {
  const about = between([
    [bold(name(grade.grader))],
    [name(label)],
    ...(grade.votes || grade.checks.length > 1 ? [[tallyText(grade)]] : []),
  ]);
  return fold(
    [`${sign} `, ...about],
    [...checkList(checks, page), ...notes(grade, page), graderLine(grade, report)],
  );
}

/** All details of a grade below its name. */
export function wholeGrade({ grade, reasons }: ShownGrade): readonly Block[] {
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
    ...(isFailed ? answerBlocks(grade) : []),
    ...passages("What the judge wrote beside its calls", response, Infinity),
    // The evidence has both, where the judge was asked.
    ...(sent ? [] : passages("The agent's prompt", asked, Infinity)),
    ...(sent || isBelow ? [] : passages("The agent's answer", grade.answer, Infinity)),
    ...fold(["The grader's prompt"], graderPrompt(grade, Infinity)),
  ];
}
