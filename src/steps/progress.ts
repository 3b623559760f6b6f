/** What the log tells while grades are made: how far it is now and then, and a group of lines for each finished suite. */
import type { Grade, GradingJob } from "../domain/grade.ts";
import { suiteKey } from "../records/make-record.ts";
import { count, errorLine, formatScore, shorten } from "../text/format.ts";
import { shownGrades } from "../report/shown-grade.ts";
import type { Redact } from "../report/redact.ts";
import type { ShownGrade } from "../report/shown-grade.ts";
import { isWithoutSkill, scoreApart } from "../score/score.ts";
import type { Log } from "../log/log.ts";
import { countStates, votesText, WORDS } from "../text/states.ts";

/** Milliseconds between two lines that say how far it is, and between two that take the place of one another. */
const INTERVAL_MS = 15_000;
const STATUS_MS = 100;
/** Characters of a reason: what is cut is without secrets before. */
const LONGEST = 200;

/**
 * Makes the listener of `gradeJobs`. Every suite is a group once its last grade is made; in between, a line every 15
 * seconds counts and tells how long it may still take, from the pace of the grades that a judge was asked for; where the
 * log has a status, each grade renews it instead. `now` is in milliseconds.
 */
export function progressLog(
  jobs: readonly GradingJob[],
  log: Pick<Log, "line" | "group" | "status"> & { readonly redact: Redact },
  now: () => number = () => performance.now(),
): (grade: Grade) => void {
  const order = new Map(jobs.map((job, index) => [job, index]));
  const left = Map.groupBy(jobs, ({ suite }) => suite);
  const finished: Grade[] = [];
  const judged = jobs.filter(({ settled }) => !settled).length;
  const started = now();
  let last = started;
  let done = 0;
  return (grade) => {
    finished.push(grade);
    const { suite } = grade.job;
    left.get(suite)?.pop();
    if (left.get(suite)?.length === 0) {
      const mine = finished
        .filter(({ job }) => job.suite === suite)
        .sort((a, b) => (order.get(a.job) ?? 0) - (order.get(b.job) ?? 0));
      const { scores, advisory, without } = scoreApart([suite], mine);
      const finishedSuites = [scores, advisory, without].flatMap((some) =>
        some ? shownGrades({ scores: some }) : [],
      );
      log.group(
        `${suiteKey(suite)}: ${tally(mine)}`,
        finishedSuites.map((one) => gradeLine(one, log.redact)),
      );
    }
    if (!grade.job.settled) done += 1;
    const time = now();
    const isTime = time - last >= (log.status ? STATUS_MS : INTERVAL_MS);
    if (!isTime || done === 0 || done === judged) return;
    last = time;
    const remaining = ((time - started) / done) * (judged - done);
    const tell = log.status ?? log.line;
    tell(
      `${String(finished.length)} of ${count(jobs.length, "grade")}: ${tally(finished)}; about ${duration(remaining)} left`,
    );
  };
}

/** How many grades there are of each state; advisory ones are counted apart, since they are in no score. */
function tally(grades: readonly Grade[]): string {
  const without = grades.filter(({ job }) => isWithoutSkill(job)).length;
  const decisive = grades.filter(({ job }) => !job.advisory && !isWithoutSkill(job));
  const advisory = grades.length - decisive.length - without;
  return [
    ...countStates(decisive).map(([state, number]) => `${String(number)} ${WORDS[state]}`),
    ...(advisory > 0 ? [`${String(advisory)} advisory`] : []),
    ...(without > 0 ? [`${String(without)} without the skill`] : []),
  ].join(", ");
}

function duration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1_000));
  return seconds < 90 ? `${String(seconds)} s` : `${String(Math.round(seconds / 60))} min`;
}

/** One line of a suite's group: which grade, what it is, and why where that is not well. */
function gradeLine(
  { grade: { job, verdict }, name, sign, state, reasonWithCheck }: ShownGrade,
  redact: Redact,
): string {
  const line = `${sign} ${name}${job.advisory ? " · advisory" : ""}: `;
  if (state === "missing") return `${line}missing`;
  if (verdict.state === "skipped") return `${line}skipped: ${reasonWithCheck}`;
  if (verdict.state === "errored") return `${line}${errorLine(verdict.error)}`;
  const votes = verdict.votes ? `, ${votesText(verdict.votes)}` : "";
  const score = `${formatScore(verdict.score)} (${count(verdict.checks.length, "check")}${votes})`;
  const why = `${state === "doubtful" ? ", with a doubt" : ""}${reasonWithCheck === "" ? "" : `: ${shorten(redact(reasonWithCheck), LONGEST)}`}`;
  return `${line}${score}${why}`;
}
