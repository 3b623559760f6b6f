/** What failed and why, for the person at the command line. */
import { gradeName } from "../../records/make-record.ts";
import { placeKey } from "../../records/place.ts";
import type { Report } from "../report.ts";
import type { Check, Graded } from "../../domain/grade.ts";
import { causeText, count, errorLine, filePart } from "../../text/format.ts";
import { oneLineText } from "../neutralise.ts";
import type { Sink } from "../sink.ts";
import { isMissedCase } from "../../gate/missed-cases.ts";
import { NO_DETAIL, votesText } from "../../text/states.ts";
import { failuresFirst, shownGrades } from "../shown-grade.ts";
import type { ShownGrade } from "../shown-grade.ts";
import { block, drawingOn, NAME, nameOf } from "./drawing.ts";
import type { Drawing } from "./drawing.ts";
import { advisoryPart, agreementPart, splitVotesPart, tookPart } from "./terminal-rest.ts";

/** Grades of one cause that are named. */
const NAMED = 3;
const COLOURS = { FAILED: "red", ERRORED: "yellow" } as const;

/** Writes every failed grade with its checks, those of agents that never got to work by name, each cause that left grades without a verdict once, and what else there is to know. */
export function terminalSink(write: (text: string) => void, out: NodeJS.WriteStream): Sink {
  return {
    name: "terminal",
    publish: (report) => {
      const text = renderReport(report, drawingOn(out));
      if (text !== "") write(`\n${text}\n`);
      return Promise.resolve({});
    },
  };
}

/** The text, harmless to a terminal; empty when nothing was to be graded. Pure. */
export function renderReport(report: Report, drawing: Drawing): string {
  const parts = [
    ...failedGrades(report, drawing),
    ...erroredGrades(report, drawing),
    splitVotesPart(report, drawing),
    advisoryPart(report, drawing),
    agreementPart(report, drawing),
    tookPart(report, drawing),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Those that failed alike are one: of agents that never got to work, or of one grader for the same reasons. */
function failedGrades(report: Report, drawing: Drawing): string[] {
  const newly = new Set(report.comparison?.newlyFailing.map(placeKey));
  const told = shownGrades(report).flatMap((shown) => {
    const { job, verdict } = shown.grade;
    if (verdict.state !== "graded" || shown.state !== "failed") return [];
    if (job.run?.agent === "failed") return [{ shown, why: "", like: "" }];
    const isNew = newly.has(placeKey(gradeName(job)));
    const why = failureText({ verdict, checks: shown.checks, before: shown.before, isNew }, drawing);
    return [{ shown, why, like: `${placeOf(shown)} ${job.grader.name} ${why}` }];
  });
  const groups = [...Map.groupBy(told, ({ like }) => like).values()];
  return groups.map((alike) => {
    const grades = alike.map(({ shown }) => shown);
    return `${listOf("FAILED", grades, drawing)}${alike[0]?.why ?? ""}`;
  });
}

function erroredGrades(report: Report, drawing: Drawing): string[] {
  const errored = shownGrades(report).flatMap((shown) => {
    const { verdict } = shown.grade;
    return verdict.state === "errored" && !isMissedCase(verdict.error)
      ? [{ shown, error: verdict.error }]
      : [];
  });
  const causes = Map.groupBy(errored, ({ error }) =>
    errorLine({ ...error, message: causeText(error), file: undefined }),
  );
  return [...causes].map(([cause, grades]) => {
    const title = listOf(
      "ERRORED",
      grades.map(({ shown }) => shown),
      drawing,
    );
    return `${title}\n${block(cause, 2, drawing)}`;
  });
}

/** Why a grade failed, and whether its grader passed more often in the baseline. */
interface Failure {
  readonly verdict: Graded;
  readonly checks: readonly Check[];
  readonly before: string | undefined;
  readonly isNew: boolean;
}

/** What stands behind its name and below it. */
function failureText({ verdict, checks, before, isNew }: Failure, drawing: Drawing): string {
  const votes = verdict.votes ? `  ${votesText(verdict.votes)}` : "";
  const mark = isNew ? `  ${drawing.style("red", "newly failing")}` : "";
  const also = [
    verdict.note,
    verdict.note === undefined || !verdict.response ? undefined : `It said: ${verdict.response}`,
    verdict.warning,
    verdict.incomplete && `Incomplete, there may be more checks: ${errorLine(verdict.incomplete)}`,
  ].filter((line) => line !== undefined);
  return [
    `${votes}${mark}${before === undefined ? "" : `  ${before}`}`,
    ...failuresFirst(checks).map((check) => checkLines(check, drawing)),
    ...also.map((line) => block(line, 2, drawing)),
  ].join("\n");
}

/** What was checked, and below it why it failed. */
function checkLines({ outcome, description, reason }: Check, drawing: Drawing): string {
  const [sign, colour] = outcome === "pass" ? ["✓", "green" as const] : ["✗", "red" as const];
  const [what, why] = description === undefined ? [reason] : [description, reason];
  const said = block(what ?? NO_DETAIL, 4, drawing);
  const line = `  ${drawing.style(colour, `${sign} ${said.trimStart()}`)}`;
  return outcome === "pass" || why === undefined ? line : `${line}\n${block(why, 6, drawing)}`;
}

/** Grades that have one cause on a line: the first by name, with its file if it is about one, and where their grader stands if they have one. */
function listOf(state: keyof typeof COLOURS, grades: readonly ShownGrade[], { style }: Drawing): string {
  const first = grades.slice(0, NAMED);
  const names = first.map((shown) => {
    const { verdict } = shown.grade;
    const file = verdict.state === "errored" ? filePart(verdict.error) : "";
    return oneLineText(`${nameOf(shown)}${file}`, 2 * NAME);
  });
  const more = grades.length > NAMED ? `, and ${count(grades.length - NAMED, "more grade")}` : "";
  const [place = "", ...others] = new Set(grades.map(placeOf));
  const where = others.length === 0 ? `  ${style("dim", place)}` : "";
  return `${style(["bold", COLOURS[state]], state)} ${style("bold", names.join(", "))}${more}${where}`;
}

/** Where its grader stands. */
function placeOf({ grade: { job } }: ShownGrade): string {
  const { path, startLine } = job.grader.at;
  return oneLineText(`${path}:${String(startLine)}`, NAME);
}
