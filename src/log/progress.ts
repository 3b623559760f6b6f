/** What the log tells while grades are made: how far it is now and then, and a group of lines for each finished suite. */
import type { Grade, GradingJob } from "../domain/grade.ts";
import type { Suite } from "../domain/suite.ts";
import { count, errorLine, formatScore, shorten } from "../text/format.ts";
import type { Log } from "./log.ts";
import { checkText, SIGNS, stateOf, votesText, WORDS } from "../text/states.ts";

/** Milliseconds between two lines that say how far it is. */
const INTERVAL_MS = 15_000;

/**
 * Makes the listener of `gradeJobs`. Every suite is a group once its last grade is made; in between, a line every 15
 * seconds counts and tells how long it may still take, from the pace of the grades that a judge was asked for; where the
 * log has a status, each grade renews it instead. `now` is in milliseconds.
 */
export function progressLog(
  jobs: readonly GradingJob[],
  log: Pick<Log, "line" | "group" | "status">,
  now: () => number = () => performance.now(),
): (grade: Grade) => void {
  const left = new Map<Suite, number>();
  for (const { suite } of jobs) left.set(suite, (left.get(suite) ?? 0) + 1);
  const made: Grade[] = [];
  const asked = jobs.filter(({ settled }) => !settled).length;
  const several = new Set(jobs.flatMap(({ run }) => run?.model ?? [])).size > 1;
  const started = now();
  let last = started;
  let done = 0;
  return (grade) => {
    made.push(grade);
    const { suite } = grade.job;
    const open = (left.get(suite) ?? 0) - 1;
    left.set(suite, open);
    if (open === 0) {
      const mine = made.filter(({ job }) => job.suite === suite);
      const order = new Map(jobs.map((job, index) => [job, index]));
      mine.sort((a, b) => (order.get(a.job) ?? 0) - (order.get(b.job) ?? 0));
      log.group(
        `${suite.title}: ${tally(mine)}`,
        mine.map((one) => gradeLine(one, several)),
      );
    }
    if (!grade.job.settled) done += 1;
    const time = now();
    const isTime = log.status !== undefined || time - last >= INTERVAL_MS;
    if (!isTime || done === 0 || done === asked) return;
    last = time;
    const remaining = ((time - started) / done) * (asked - done);
    const tell = log.status ?? log.line;
    tell(
      `${String(made.length)} of ${count(jobs.length, "grade")}: ${tally(made)}; about ${duration(remaining)} left`,
    );
  };
}

/** How many grades there are of each state; advisory ones are counted apart, since they are in no score. */
function tally(grades: readonly Grade[]): string {
  const decisive = grades.filter(({ job }) => !job.advisory);
  const states = decisive.map(stateOf).map((state) => (state === "doubtful" ? "passed" : state));
  return (["passed", "failed", "errored", "missing", "skipped"] as const)
    .map((state) => [states.filter((one) => one === state).length, WORDS[state]] as const)
    .concat([[grades.length - decisive.length, "advisory"]])
    .flatMap(([number, word]) => (number === 0 ? [] : `${String(number)} ${word}`))
    .join(", ");
}

function duration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1_000));
  return seconds < 90 ? `${String(seconds)} s` : `${String(Math.round(seconds / 60))} min`;
}

/** One line of a suite's group: which grade, what it is, and why where that is not well. */
function gradeLine({ job, verdict }: Grade, several: boolean): string {
  const of = job.run ?? job.missing;
  const run = of ? [`run ${String(of.number)}`, ...(several && of.model !== "" ? [of.model] : [])] : [];
  const name = [job.grader.name, job.task.id, ...run, ...(job.advisory ? ["advisory"] : [])].join(" · ");
  const state = stateOf({ verdict });
  const line = `${SIGNS[state]} ${name}: `;
  if (state === "missing") return `${line}missing`;
  if (verdict.state === "skipped") return `${line}skipped: ${verdict.reason}`;
  if (verdict.state === "errored") return `${line}${errorLine(verdict.error)}`;
  const checks = verdict.note ?? count(verdict.checks.length, "check");
  const votes = verdict.votes ? `, ${votesText(verdict.votes)}` : "";
  const said = `${line}${formatScore(verdict.score)} (${checks}${votes})`;
  const failed = verdict.checks.find(({ outcome }) => outcome === "fail");
  if (state === "failed") return failed ? `${said}: ${shorten(checkText(failed), 200)}` : said;
  const doubt = verdict.incomplete?.message ?? verdict.warning;
  return doubt === undefined ? said : `${said}, with a doubt: ${shorten(doubt, 200)}`;
}
