/** One grade: its checks with their quotes, its location and judges, the prompt and the answer. */
import type { Check, EvidenceSize } from "../../domain/grade.ts";
import { type Row, hasVerdict } from "../../domain/row.ts";
import type { SourceSpan } from "../../domain/problem.ts";
import type { Pair } from "../../decide/pairs.ts";
import {
  BREAK,
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
import { count, errorLine, excerpt, shorten } from "../../text/format.ts";
import { findLongestQuote, passageOf } from "../../text/quotes.ts";
import { CHECK_SIGNS, NO_DETAIL, SIGNS, doubtsText, tallyText, votesText } from "../../text/states.ts";
import {
  FOLDED_REASON,
  GRADE_EXCERPT,
  LONGEST_ANSWER,
  LONGEST_GRADE_LABEL,
  MOST_CHECKS,
  MOST_CHECKS_SEARCHED,
} from "../limits.ts";

/** How its checks or votes came out, where there are several. */
function tally(row: Row): Line[] {
  return row.votes || row.checks.length > 1 ? [[tallyText(row)]] : [];
}

/** How it was in the baseline. */
export function earlier({ before, isNew }: ShownGrade): Line[] {
  return [...(isNew ? [["newly failing"]] : []), ...(before === undefined ? [] : [[before]])];
}

/** `eval.yaml:18` as a link; the whole path where there is no page for it. */
export function graderLink(grade: Row, report: Report): Line {
  const at = locationOf(grade);
  const url = graderUrl(grade, report);
  const file = url === undefined ? at.path : at.path.slice(at.path.lastIndexOf("/") + 1);
  return link([name(file), `:${String(at.startLine)}`], url);
}

/** The lines to look at: those of the grade's only failed statement, else the grader's. */
export function locationOf({ state, checks, statements, at: ofGrader }: Row): SourceSpan {
  const failed = state === "failed" ? checks.filter(({ outcome }) => outcome === "fail") : [];
  const [statement, ...others] = new Set(failed.map((check) => check.statement));
  const at = statement === undefined ? undefined : statements[statement - 1]?.at;
  return others.length === 0 && at !== undefined ? at : ofGrader;
}

/** The page of these lines, where there is one. */
export function graderUrl(grade: Row, { sourceUrl }: Report): string | undefined {
  const at = locationOf(grade);
  if (sourceUrl === undefined || !at.inRepository) return undefined;
  return `${sourceUrl}/${urlPath(at.path)}#L${String(at.startLine)}-L${String(at.endLine)}`;
}

/** What leaves a doubt about a check. */
export function foundIn(check: Check): Line {
  const doubts = doubtsText(check);
  return doubts === undefined ? [] : [small(doubts)];
}

/** What makes a line of Markdown an item, a heading or a quotation. */
const LINE_MARK = /^(?:[-*+>]|#{1,6}|\d{1,9}[.)]) /;

/** The line of the answer that the reason quotes, the quoted words marked. */
export function quotation(answer: string, reason: string | undefined): Block[] {
  const found = passageOf(answer, reason);
  if (!found) return [];
  const { before, quoted, after } = found;
  const start = before.trimStart().replace(LINE_MARK, "");
  return [{ kind: "quote", line: [start, { kind: "mark", line: [quoted] }, after] }];
}

/** The agent's answer, with the quotes of failed checks marked. A long answer is cut around the first quote. */
function answer(grade: Row): Block[] {
  const text = grade.answer.trim();
  if (text === "") return [];
  const checks = hasVerdict(grade) ? grade.checks : [];
  const failed = checks.filter(({ outcome }) => outcome === "fail").slice(0, MOST_CHECKS_SEARCHED);
  const quotes = failed.flatMap(({ reason = "" }) => findLongestQuote(text, reason) ?? []);
  const start = text.length > GRADE_EXCERPT ? startOf(text, quotes[0]?.at ?? 0) : 0;
  const lead = start > 0 ? "…" : "";
  const quoted = `${lead}${excerpt(text.slice(start), GRADE_EXCERPT)}`;
  const marks = quotes
    .map(({ at, length }) => ({ at: at - start + lead.length, length }))
    .filter(({ at, length }) => at >= lead.length && at + length <= quoted.length);
  return [
    title(`The agent's answer${text.length > GRADE_EXCERPT ? partOf(text, start) : ""}`),
    { kind: "text", text: quoted, marks },
  ];
}

/** Start of an excerpt around a position, at the beginning of a line if one is near. */
function startOf(text: string, at: number): number {
  if (at < GRADE_EXCERPT / 2) return 0;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const start = Math.max(
    0,
    Math.min(Math.max(lineStart, at - GRADE_EXCERPT / 2), text.length - GRADE_EXCERPT + 1),
  );
  return /[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start;
}

function partOf({ length }: string, start: number): string {
  const size = `of ${count(length, "character")}`;
  return start === 0 ? `, the beginning ${size}` : `, a part ${size}, around a failed check's quote`;
}

/** A list of checks; with a grade given, failed ones have the passages that they quote. */
function checkList(
  checks: readonly Check[],
  grade: Row | undefined,
  { reason: longest, medium }: Pick<Page, "reason" | "medium">,
): Block[] {
  const searched = new Set(checks.filter(({ outcome }) => outcome === "fail").slice(0, MOST_CHECKS_SEARCHED));
  const items = checks.map((check): Item => {
    const { outcome, description, reason } = check;
    const what = description === undefined ? [] : [bold(name(description, longest))];
    const why = reason === undefined ? [] : [shorten(reason, longest)];
    const line = between([what, why, foundIn(check)], BREAK);
    const below = grade && searched.has(check) ? quotation(grade.answer, reason) : [];
    return { line: [`${CHECK_SIGNS[outcome]} `, ...(line.length === 0 ? [NO_DETAIL] : line)], below };
  });
  return list(items, medium === "file" ? Infinity : MOST_CHECKS, "check");
}

/** The judge's text if it made no call, and warnings. */
function notes(grade: Row, { reason: longest }: Pick<Page, "reason">): Block[] {
  const { note, response, doubt, incomplete } = grade;
  return [
    ...(note === undefined ? [] : [line(shorten(note, longest))]),
    ...(note !== undefined && response !== undefined
      ? [
          line(
            bold("What to do:"),
            " look at what it said; if it did judge, use a model that calls tools, or let the grader's prompt name the two calls.",
          ),
          line("What it said instead:"),
          { kind: "text" as const, text: excerpt(response, longest) },
        ]
      : []),
    ...(doubt === undefined ? [] : [line(`${SIGNS.doubtful} `, doubt)]),
    ...(incomplete
      ? [
          line(
            `${SIGNS.doubtful} Incomplete: after these calls the judge was interrupted (${incomplete.class}): `,
            shorten(incomplete.message, longest),
          ),
        ]
      : []),
  ];
}

/** A failed grade whole: its checks, the answer with what they quote, the prompts, and main's answer where that passed. */
export function wholeFailure(
  shown: ShownGrade,
  report: Report,
  { page, pair, inMain }: { readonly page: Page; readonly pair: Pair | undefined; readonly inMain: string },
): readonly Block[] {
  const { grade, checks } = shown;
  const main = pair?.baseline.example;
  const isSame = main?.answer === grade.answer && grade.answer !== "";
  const ofMain =
    main === undefined || !shown.isNew
      ? []
      : isSame
        ? [line(`The answer ${inMain} is the same, word for word.`)]
        : passages(`The answer ${inMain}, which passed`, main.answer, LONGEST_ANSWER);
  return [
    ...checkList(failuresFirst(checks), undefined, page),
    ...notes(grade, page),
    ...answer(grade),
    ...ofMain,
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

/** The grader's location and weight, its judges, and the evidence. */
function graderLine(grade: Row, report: Report): Block {
  const at = locationOf(grade);
  const lines =
    at.endLine > at.startLine
      ? `lines ${String(at.startLine)}–${String(at.endLine)}`
      : `line ${String(at.startLine)}`;
  const location = link([code(at.path), ` ${lines}`], graderUrl(grade, report));
  const scoreNote = grade.votes ? [["its score is from the checks of the winning votes"]] : [];
  return note(...between([location, ...aboutGrade(grade), ...scoreNote]));
}

/** What the grader weighs, who judged by it, what the judge saw, and where the verdict came from. */
export function aboutGrade(grade: Row): Line[] {
  const { weight, rubric, settled, judgeModel, recorded, evidence, judge } = grade;
  return [
    ...(weight === 1 ? [] : [[`weight ${String(weight)}`]]),
    ...(rubric ? [["rubric ", code(rubric.name)]] : []),
    ...(settled ? [] : [["judge ", code(judgeModel)]]),
    ...(evidence ? [[shownText(evidence)]] : []),
    ...(evidence?.reconstructedSession ? [["reconstructed session"]] : []),
    ...(evidence?.reads ? [[`it read files ${count(evidence.reads, "time")}`]] : []),
    ...(recorded ? [["from the record"]] : []),
    ...(judge?.servedBy === undefined ? [] : [["answered by ", code(judge.servedBy)]]),
    ...(judge?.changes ?? []).map((change) => [change]),
  ];
}

/** How much of the run the judge was shown, as plain text. */
function shownText({ characters, toolCalls, elided }: EvidenceSize): string {
  const what = elided ? "a shortened run" : "the whole run";
  return `the judge saw ${what} (${count(characters, "character")}, ${count(toolCalls, "tool call")})`;
}

/** A grade as a <details> block; the summary of a failed one has its reason. */
export function foldedGrade(shown: ShownGrade, report: Report, page: Page): readonly Block[] {
  const { grade, label, sign, checks, reason, state } = shown;
  if (!hasVerdict(grade)) return [];
  const why = state === "failed" ? [` — ${shorten(reason, FOLDED_REASON)}`] : [];
  const about = between([
    [bold(name(grade.grader))],
    [name(label, LONGEST_GRADE_LABEL)],
    ...tally(grade),
    ...earlier(shown),
  ]);
  return fold(
    [`${sign} `, ...about, ...why],
    [...checkList(failuresFirst(checks), undefined, page), ...notes(grade, page), graderLine(grade, report)],
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
    ...(error && ordered.length > 0
      ? [line("Reported before the judge was interrupted, and not counted:")]
      : []),
    ...votes(grade),
    // A short answer is below, with the same words marked.
    ...checkList(ordered, isBelow ? undefined : grade, page),
    ...notes({ ...grade, response: undefined }, page),
    ...(isFailed ? answer(grade) : []),
    ...passages("What the judge wrote beside its calls", response, Infinity),
    // The evidence has both, where the judge was asked.
    ...(sent ? [] : passages("The agent's prompt", asked, Infinity)),
    ...(sent || isBelow ? [] : passages("The agent's answer", grade.answer, Infinity)),
    ...fold(["The grader's prompt"], graderPrompt(grade, Infinity)),
  ];
}

function votes({ votes: counted }: Row): Block[] {
  if (!counted) return [];
  const { passed, failed, errored } = counted;
  return [
    line(
      `Votes: ${votesText(counted)} (${String(passed)} passed, ${String(failed)} failed, ${String(errored)} without a verdict). The checks are those of all votes.`,
    ),
  ];
}
