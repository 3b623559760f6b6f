/** One grade: its checks, what they quote, what was asked and answered. */
import type { Check, EvidenceSize, Grade, Graded, Report } from "../../domain.ts";
import { count, excerpt, shorten } from "../../format.ts";
import { CHECK_SIGNS, NO_DETAIL, SIGNS, stateOf, votesText } from "../../states.ts";
import { checksOnce, failuresFirst, rubricLabel } from "../annotations.ts";
import {
  htmlText,
  markdownBlock,
  markdownCode,
  markdownProse,
  markdownText,
  urlPath,
} from "../neutralise.ts";
import type { Shown } from "./names.ts";
import { passageOf, quotedAt } from "./passage.ts";
import { details, joined } from "./section.ts";
import type { Page } from "./section.ts";

const OUTPUT_EXCERPT = 1_500;
/** Characters of a reason in the line of a folded grade. */
const LINE_REASON = 140;
/** Characters of a name, and of one with its task, run and model. */
const NAME = 100;
const LABEL = 200;
const CHECKS_SHOWN = 50;
/** What makes a line of Markdown an item, a heading or a quotation. */
const LINE_MARK = /^(?:[-*+>]|#{1,6}|\d{1,9}[.)]) /;
/** Said where the judge answered in prose: the grade stands, and the judge may be the wrong one for it. */
const NO_CALL_ADVICE =
  "**What to do:** look at what it said; if it did judge, use a model that calls tools, or let the grader's prompt name the two calls.";

/** A failed grade: which check, why, the passage it quotes and the grader's line; the rest folded. */
export function failedGrade(shown: Shown, report: Report, page: Page): string {
  const { grade, label } = shown;
  const { verdict, job } = grade;
  if (verdict.state !== "graded") return "";
  const failed = checksOnce(verdict).filter(({ outcome }) => outcome === "fail");
  const [only] = failed.length === 1 ? failed : [];
  const name = `${markdownText(shorten(job.grader.name, NAME))} · ${markdownText(shorten(label, LABEL))}`;
  const what = only?.description === undefined ? [] : [markdownText(shorten(only.description, page.reason))];
  const checks = verdict.checks.length < 2 || verdict.votes ? [] : [tallyText(verdict)];
  const about = [...what, ...checks, ...votesOf(verdict), graderLink(grade, report)].join(" · ");
  return joined([
    `${SIGNS.failed} **${name}** — ${about}`,
    ...(only ? failedCheck(only, grade, page) : [failedChecks(failed, grade, page)]),
    ...notes(verdict, page),
    page.answers ? rest(grade, verdict, report) : "",
  ]);
}

/** A grade as a fold of its own, with its reason in its line where it failed. */
export function foldedGrade({ grade, label }: Shown, report: Report, page: Page): string {
  const { verdict, job } = grade;
  if (verdict.state !== "graded") return "";
  const why = verdict.passed ? "" : ` — ${htmlText(shorten(reasonOf(verdict), LINE_REASON))}`;
  const tally = [
    ...(verdict.checks.length < 2 || verdict.votes ? [] : [tallyText(verdict)]),
    ...votesOf(verdict),
  ];
  const about = tally.map((part) => ` · ${part}`).join("");
  const title = `${SIGNS[stateOf(grade)]} <b>${htmlText(shorten(job.grader.name, NAME))}</b> · ${htmlText(shorten(label, LABEL))}${about}${why}`;
  const checks = failuresFirst(checksOnce(verdict)).slice(0, CHECKS_SHOWN);
  const more = checksOnce(verdict).length - checks.length;
  const body = [
    checks.map((check) => checkItem(check, page.reason)).join("\n"),
    more > 0 ? `… and ${count(more, "more check")}` : "",
    ...notes(verdict, page),
    graderLine(grade, verdict, report),
  ];
  return details(title, joined(body));
}

/** `2 of 3 checks passed`. */
function tallyText({ checks }: Graded): string {
  const passed = checks.filter(({ outcome }) => outcome === "pass").length;
  return `${String(passed)} of ${count(checks.length, "check")} passed`;
}

function votesOf({ votes }: Graded): string[] {
  return votes ? [votesText(votes)] : [];
}

/** The one failed check, whose description stands in the title. */
function failedCheck(check: Check, { job }: Grade, { reason: longest }: Page): string[] {
  const { description, reason } = check;
  if (reason === undefined) return description === undefined ? [NO_DETAIL] : [];
  return [markdownProse(shorten(reason, longest)), passage(job.run?.finalOutput, reason)];
}

function failedChecks(failed: readonly Check[], { job }: Grade, { reason: longest }: Page): string {
  const items = failed.slice(0, CHECKS_SHOWN).map((check) => {
    const quote = passage(job.run?.finalOutput, check.reason);
    return `${checkItem(check, longest)}${quote === "" ? "" : `\n  ${quote}`}`;
  });
  const more = failed.length - items.length;
  return [...items, ...(more > 0 ? [`- … and ${count(more, "more failed check")}`] : [])].join("\n");
}

/** The line of the answer that the reason quotes, the quoted words bold. */
function passage(answer: string | undefined, reason: string | undefined): string {
  const found = passageOf(answer ?? "", reason);
  if (!found) return "";
  const { before, quoted, after } = found;
  const start = before.trimStart().replace(LINE_MARK, "");
  return `> ${markdownProse(start)}<b>${markdownProse(quoted)}</b>${markdownProse(after)}`;
}

function checkItem({ outcome, description, reason }: Check, longest: number): string {
  const what = description === undefined ? "" : `**${markdownText(shorten(description, longest))}**`;
  const why = reason === undefined ? "" : markdownProse(shorten(reason, longest));
  const text = [what, why].filter((part) => part !== "").join("<br>");
  return `- ${CHECK_SIGNS[outcome]} ${text || NO_DETAIL}`;
}

/** What was said instead of a call, and what leaves a doubt. */
function notes(verdict: Graded, { reason: longest }: Page): string[] {
  const { note, response, warning, incomplete } = verdict;
  return [
    ...(note === undefined ? [] : [markdownProse(shorten(note, longest))]),
    ...(note !== undefined && response !== undefined
      ? [NO_CALL_ADVICE, `What it said instead:\n\n${markdownBlock(excerpt(response, longest))}`]
      : []),
    ...(warning === undefined ? [] : [`${SIGNS.doubtful} ${markdownProse(warning)}`]),
    ...(incomplete
      ? [
          `${SIGNS.doubtful} Incomplete: after these calls the judge broke off (${incomplete.class}): ${markdownProse(shorten(incomplete.message, longest))}`,
        ]
      : []),
  ];
}

/** Folded into one: the passed checks, what was asked of whom, what the agent answered, and what the judge saw of it. */
function rest(grade: Grade, verdict: Graded, report: Report): string {
  const passed = checksOnce(verdict).filter(({ outcome }) => outcome === "pass");
  const list = passed.slice(0, CHECKS_SHOWN).map((check) => checkItem(check, OUTPUT_EXCERPT));
  const blocks = [list.join("\n"), ...askedBlocks(grade), ...outputBlock(grade)];
  const title = `${passed.length > 0 ? `${count(passed.length, "passed check")}, what` : "What"} was asked and answered`;
  return details(title, joined([...blocks, graderLine(grade, verdict, report)]));
}

/** What the agent and the judge were asked, so that a reader need not open the files. */
function askedBlocks({ job }: Grade): string[] {
  const asked = job.run?.prompt ?? job.task.prompt ?? "";
  const block = (title: string, text: string) =>
    text.trim() === "" ? [] : [`**${title}**`, markdownBlock(excerpt(text.trim(), OUTPUT_EXCERPT))];
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

/** A long answer is shown where a failed check quotes it, else from its beginning. */
function outputBlock({ job, verdict }: Grade): string[] {
  const output = job.run?.finalOutput.trim() ?? "";
  if (output === "") return [];
  const checks = verdict.state === "graded" ? failuresFirst(verdict.checks) : [];
  const size = `of ${count(output.length, "character")}`;
  const title = "What the agent answered";
  if (output.length <= OUTPUT_EXCERPT) return [`**${title}**`, markdownBlock(output)];
  const failed = checks.filter(({ outcome }) => outcome === "fail").slice(0, CHECKS_SHOWN);
  const at = failed
    .map(({ reason = "" }) => quotedAt(output, reason)?.at)
    .find((place) => place !== undefined);
  if (at === undefined || at < OUTPUT_EXCERPT / 2)
    return [`**${title}**, the beginning ${size}`, markdownBlock(excerpt(output, OUTPUT_EXCERPT))];
  return [
    `**${title}**, a part ${size}, around what a failed check quotes`,
    markdownBlock(around(output, at)),
  ];
}

/** A text around a place in it, from the beginning of a line where one is near. */
function around(text: string, at: number): string {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const start = Math.max(
    0,
    Math.min(Math.max(line, at - OUTPUT_EXCERPT / 2), text.length - OUTPUT_EXCERPT + 1),
  );
  return `${start > 0 ? "…" : ""}${excerpt(text.slice(start).replace(/^[\uDC00-\uDFFF]/, ""), OUTPUT_EXCERPT)}`;
}

/** Where the grader stands, what it weighs, who judged by it, and what the judge saw. */
function graderLine(grade: Grade, verdict: Graded, report: Report): string {
  const { job } = grade;
  const { at, weight, rubric } = job.grader;
  const lines =
    at.endLine > at.startLine
      ? `lines ${String(at.startLine)}–${String(at.endLine)}`
      : `line ${String(at.startLine)}`;
  const parts = [
    linked(`${markdownCode(at.path)} ${lines}`, grade, report),
    ...(weight === 1 ? [] : [`weight ${String(weight)}`]),
    ...(rubric ? [`rubric ${markdownCode(rubricLabel(rubric))}`] : []),
    ...(job.settled ? [] : [`judge ${markdownCode(job.judgeModel)}`]),
    ...seen(verdict),
  ];
  return `<sub>${parts.join(" · ")}</sub>`;
}

/** `eval.yaml:18`, as a link where there is a page for it. */
export function graderLink(grade: Grade, report: Report): string {
  const { at } = grade.job.grader;
  const file = at.path.slice(at.path.lastIndexOf("/") + 1);
  return linked(markdownText(`${shorten(file, NAME)}:${String(at.startLine)}`), grade, report);
}

/** Markdown as a link to the grader's lines. */
export function linked(text: string, { job }: Grade, { sourceUrl }: Report): string {
  const { at } = job.grader;
  if (sourceUrl === undefined || !at.inRepository) return text;
  return `<a href="${sourceUrl}/${urlPath(at.path)}#L${String(at.startLine)}-L${String(at.endLine)}">${text}</a>`;
}

/** What the judge was shown of the run, and where the verdict came from. */
function seen({ recorded, evidence, votes, judge }: Graded): string[] {
  return [
    ...(evidence ? [shownText(evidence)] : []),
    ...(evidence?.replayed ? ["reconstructed session"] : []),
    ...(evidence?.reads ? [`it read files ${count(evidence.reads, "time")}`] : []),
    ...(recorded ? ["from the record"] : []),
    ...(judge?.servedBy === undefined ? [] : [`answered by ${markdownCode(judge.servedBy)}`]),
    ...(votes ? ["its score is that of the winning votes' checks"] : []),
    ...(judge?.changes ?? []).map(markdownProse),
  ];
}

/** How much of the run the judge was shown, as plain text. */
export function shownText({ characters, toolCalls, elided }: EvidenceSize): string {
  const what = elided ? "a shortened run" : "the whole run";
  return `the judge saw ${what} (${count(characters, "character")}, ${count(toolCalls, "tool call")})`;
}

/** Why a grade failed: the reason of its first failed check, or what stands for one. */
export function reasonOf({ checks, note }: Graded): string {
  const [check] = failuresFirst(checks);
  return check?.reason ?? check?.description ?? note ?? NO_DETAIL;
}
