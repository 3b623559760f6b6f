/** Details of a grade besides its checks: the grader's location, its judges, the evidence. */
import type { Report } from "../report.ts";
import type { EvidenceSize, Grade, Graded } from "../../domain/grade.ts";
import type { SourceSpan } from "../../domain/location.ts";
import { count } from "../../text/format.ts";
import { rubricLabel } from "../annotations.ts";
import { between, code, link, name, note } from "../document/tree.ts";
import type { Block, Line } from "../document/tree.ts";
import { urlPath } from "../sanitize.ts";

/** The lines to look at: those of the grade's only failed statement, else the grader's. */
export function locationOf({ job: { grader }, verdict }: Grade): SourceSpan {
  const failed = verdict.state === "graded" ? verdict.checks.filter(({ outcome }) => outcome === "fail") : [];
  const [statement, ...others] = new Set(failed.map((check) => check.statement));
  const at = statement === undefined ? undefined : grader.statements?.[statement - 1]?.at;
  return others.length === 0 && at !== undefined ? at : grader.at;
}

/** The grader's location and weight, its judges, and the evidence. */
export function graderLine(grade: Grade, verdict: Graded, report: Report): Block {
  const at = locationOf(grade);
  const lines =
    at.endLine > at.startLine
      ? `lines ${String(at.startLine)}–${String(at.endLine)}`
      : `line ${String(at.startLine)}`;
  const location = link([code(at.path), ` ${lines}`], graderUrl(grade, report));
  const scoreNote = verdict.votes ? [["its score is from the checks of the winning votes"]] : [];
  return note(...between([location, ...aboutGrade(grade), ...scoreNote]));
}

/** What the grader weighs, who judged by it, what the judge saw, and where the verdict came from. */
export function aboutGrade({ job, verdict }: Grade): Line[] {
  const { weight, rubric } = job.grader;
  const { recorded, evidence, judge } = verdict.state === "graded" ? verdict : {};
  return [
    ...(weight === 1 ? [] : [[`weight ${String(weight)}`]]),
    ...(rubric ? [["rubric ", code(rubricLabel(rubric))]] : []),
    ...(job.settled ? [] : [["judge ", code(job.judgeModel)]]),
    ...(evidence ? [[shownText(evidence)]] : []),
    ...(evidence?.reconstructedSession ? [["reconstructed session"]] : []),
    ...(evidence?.reads ? [[`it read files ${count(evidence.reads, "time")}`]] : []),
    ...(recorded ? [["from the record"]] : []),
    ...(judge?.servedBy === undefined ? [] : [["answered by ", code(judge.servedBy)]]),
    ...(judge?.changes ?? []).map((change) => [change]),
  ];
}

/** `eval.yaml:18` as a link; the whole path where there is no page for it. */
export function graderLink(grade: Grade, report: Report): Line {
  const at = locationOf(grade);
  const url = graderUrl(grade, report);
  const file = url === undefined ? at.path : at.path.slice(at.path.lastIndexOf("/") + 1);
  return link([name(file), `:${String(at.startLine)}`], url);
}

/** The page of these lines, where there is one. */
export function graderUrl(grade: Grade, { sourceUrl }: Report): string | undefined {
  const at = locationOf(grade);
  if (sourceUrl === undefined || !at.inRepository) return undefined;
  return `${sourceUrl}/${urlPath(at.path)}#L${String(at.startLine)}-L${String(at.endLine)}`;
}

/** How much of the run the judge was shown, as plain text. */
function shownText({ characters, toolCalls, elided }: EvidenceSize): string {
  const what = elided ? "a shortened run" : "the whole run";
  return `the judge saw ${what} (${count(characters, "character")}, ${count(toolCalls, "tool call")})`;
}
