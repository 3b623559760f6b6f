/** One grade of the HTML report: its checks, what was asked, what the judge wrote. */
import type { Check, Grade, Graded, Report } from "../../domain.ts";
import { count, errorLine, formatDollars, formatScore, shorten } from "../../format.ts";
import { CHECK_SIGNS, NO_DETAIL, SIGNS, stateOf, votesText, WORDS } from "../../states.ts";
import { checksOnce, failuresFirst, rubricLabel } from "../annotations.ts";
import { pageText } from "../neutralise.ts";
import { reasonOf, shownText } from "../summary/grade.ts";
import type { Shown } from "../summary/names.ts";
import { passageOf } from "../summary/passage.ts";
import { block, element, graderLink, link, prose } from "./elements.ts";

/** Characters of the reason in a grade's line. */
const LINE_REASON = 200;

/** Where a grade stands on the page, and what it refers to. */
export interface Placed extends Shown {
  readonly address: string;
  /** Address of what the judge was shown; absent where none was asked. */
  readonly evidence?: string | undefined;
  readonly open: boolean;
}

/** A grade as a fold; what is addressed is inside of it, so that a link to it opens it. */
export function gradeElement({ grade, address, evidence, open }: Placed, report: Report): string {
  const { job, verdict } = grade;
  const state = stateOf(grade);
  const score = verdict.state === "graded" ? formatScore(verdict.score) : "";
  const why = whyOf(grade);
  const summary = [
    SIGNS[state],
    element("b", job.grader.name),
    element("small", `${score}${job.advisory ? " · advisory" : ""}`),
    why === "" ? "" : element("span", shorten(why, LINE_REASON), "why"),
  ];
  const links = [
    ...(evidence === undefined ? [] : [link("what the judge saw", `#${evidence}`)]),
    link("link to this grade", `#${address}`),
  ];
  const meta = `<p class="meta">${[...about(grade, report), ...links].join(" · ")}</p>`;
  const body = [...verdictParts(grade), ...asked(grade), meta];
  return `<details class="grade ${state}"${open ? " open" : ""}><summary title="${WORDS[state]}">${summary.join(" ")}</summary>
<div id="${address}" class="body">${body.join("\n")}</div></details>`;
}

function whyOf(grade: Grade): string {
  const { verdict } = grade;
  if (verdict.state === "skipped") return verdict.reason;
  if (verdict.state === "errored") return verdict.error.message;
  return verdict.passed ? (verdict.warning ?? "") : reasonOf(verdict);
}

function verdictParts({ job, verdict }: Grade): string[] {
  if (verdict.state === "skipped") return [element("p", verdict.reason)];
  if (verdict.state === "errored") {
    const { error, checks = [], response } = verdict;
    return [
      element("p", errorLine(error)),
      ...(checks.length === 0
        ? []
        : [element("p", "Reported before the judge broke off, and not counted:"), checkList(checks, "")]),
      ...written(response),
    ];
  }
  const { note, warning, incomplete, votes } = verdict;
  return [
    ...(note === undefined ? [] : [element("p", note)]),
    ...(votes ? [element("p", votesLine(verdict))] : []),
    ...(verdict.checks.length === 0
      ? []
      : [checkList(failuresFirst(checksOnce(verdict)), job.run?.finalOutput ?? "")]),
    ...(warning === undefined ? [] : [element("p", `${SIGNS.doubtful} ${warning}`)]),
    ...(incomplete ? [element("p", `${SIGNS.doubtful} Incomplete: ${errorLine(incomplete)}`)] : []),
    ...written(verdict.response),
  ];
}

function votesLine({ votes }: Graded): string {
  if (!votes) return "";
  const { passed, failed, errored } = votes;
  return `Votes: ${votesText(votes)} (${String(passed)} passed, ${String(failed)} failed, ${String(errored)} without a verdict). The calls are those of all of them.`;
}

function checkList(checks: readonly Check[], answer: string): string {
  return `<ul class="checks">${checks.map((check) => checkItem(check, answer)).join("\n")}</ul>`;
}

function checkItem({ outcome, description, reason }: Check, answer: string): string {
  const parts = [
    ...(description === undefined ? [] : [element("b", description)]),
    ...(reason === undefined ? [] : [description === undefined ? prose(reason) : element("span", reason)]),
  ];
  const found = outcome === "fail" ? passageOf(answer, reason) : undefined;
  const quote = found
    ? `<blockquote>${pageText(found.before)}<mark>${pageText(found.quoted)}</mark>${pageText(found.after)}</blockquote>`
    : "";
  return `<li>${CHECK_SIGNS[outcome]} ${parts.join("") || NO_DETAIL}${quote}</li>`;
}

function written(response: string | undefined): string[] {
  return response === undefined
    ? []
    : [element("h4", "What the judge wrote beside its calls"), block(response)];
}

/** What the agent was asked, where the evidence does not say it, and what the judge was. */
function asked({ job, shown }: Grade): string[] {
  const prompt = job.run?.prompt ?? job.task.prompt ?? "";
  const { grader } = job;
  const told = (title: string, text: string) =>
    text.trim() === "" ? [] : [element("h4", title), block(text.trim())];
  return [
    ...(shown ? [] : told("What the agent was asked", prompt)),
    ...(shown ? [] : told("What the agent answered", job.run?.finalOutput ?? "")),
    ...told("The rubric the judge was given", grader.rubric?.instructions ?? ""),
    ...told("What the judge was asked", grader.prompt),
  ];
}

function about(grade: Grade, report: Report): string[] {
  const { job, verdict, requests, tokens, cost = 0, durationMs } = grade;
  const { evidence, judge, recorded } = verdict.state === "graded" ? verdict : {};
  return [
    graderLink(grade, report),
    ...(job.grader.weight === 1 ? [] : [`weight ${String(job.grader.weight)}`]),
    ...(job.grader.rubric ? [`rubric ${pageText(rubricLabel(job.grader.rubric))}`] : []),
    ...(job.settled ? [] : [`judge ${pageText(job.judgeModel)}`]),
    ...(judge?.servedBy === undefined ? [] : [`answered by ${pageText(judge.servedBy)}`]),
    ...(judge?.changes ?? []).map(pageText),
    ...(evidence ? [shownText(evidence)] : []),
    ...(evidence?.reads ? [`it read files ${count(evidence.reads, "time")}`] : []),
    ...(recorded ? ["from the record"] : []),
    ...(requests > 0 ? [`${count(requests, "request")} in ${(durationMs / 1_000).toFixed(1)} s`] : []),
    ...(tokens.input > 0 ? [`${count(tokens.input, "token")} in, ${count(tokens.output, "token")} out`] : []),
    ...(cost > 0 ? [formatDollars(cost)] : []),
  ];
}
