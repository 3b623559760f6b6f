/** Reports runs whose agent never got to work, before everything else. */
import type { ComparisonText } from "../compare/comparison-sentence.ts";
import type { RunProblem } from "../domain/location.ts";
import type { RunScore, Scores } from "../domain/scores.ts";
import { count, formatNumber, shorten } from "../text/format.ts";

/** Maximum length of a quoted error message. */
const MESSAGE = 160;
/** Maximum number of quoted errors. */
const QUOTED = 3;

function allRuns({ suites }: Scores): readonly RunScore[] {
  return suites.flatMap(({ tasks }) => tasks.flatMap(({ runs }) => runs));
}

function isDead({ grades }: RunScore): boolean {
  return grades[0]?.verdict.state === "graded" && grades[0].job.run?.agent === "failed";
}

/** The number of runs, and of runs whose agent never got to work. */
export function deadRuns(scores: Scores): { readonly dead: number; readonly runs: number } {
  const runs = allRuns(scores).filter(({ grades }) => grades[0]?.job.run !== undefined);
  return { dead: runs.filter(isDead).length, runs: runs.length };
}

/** The errors with their number of runs, the most frequent first. */
function errorsOf(scores: Scores): (readonly [string, number])[] {
  const messages = allRuns(scores)
    .filter(isDead)
    .map(({ grades }) => grades[0]?.job.run?.errorMessage?.replace(/\s+/g, " ").trim() ?? "");
  return [...Map.groupBy(messages, (message) => message)]
    .map(([message, runs]) => [message, runs.length] as const)
    .sort(([, a], [, b]) => b - a);
}

/** The text on agents that never got to work, with the most frequent error; undefined if all did. */
export function deadText(scores: Scores): ComparisonText | undefined {
  const { dead, runs } = deadRuns(scores);
  if (dead === 0) return undefined;
  const errors = errorsOf(scores);
  const first = errors[0]?.[0] ?? "";
  const more = errors.length > 1 ? `, and ${count(errors.length - 1, "other error")}` : "";
  const reason = first === "" ? "" : ` (${shorten(first, MESSAGE)}${more})`;
  const title = `the agent never got to work in ${formatNumber(dead)} of ${count(runs, "run")}${reason}`;
  return { title, details: dead === runs ? ["These runs were not judged"] : [] };
}

/** One problem for all dead runs, with their errors and the remedy. */
export function deadRunProblems(scores: Scores): RunProblem[] {
  const { dead, runs } = deadRuns(scores);
  if (dead === 0) return [];
  const errors = errorsOf(scores);
  const quoted = errors
    .slice(0, QUOTED)
    .map(
      ([message, runs]) =>
        `${message === "" ? "without an error message" : shorten(message, 4 * MESSAGE)} (${count(runs, "run")})`,
    );
  const more = errors.length > QUOTED ? [`and ${count(errors.length - QUOTED, "other error")}`] : [];
  return [
    {
      level: "error",
      title: "The agent never got to work",
      message: `The agent never got to work in ${formatNumber(dead)} of ${count(runs, "run")}: ${[...quoted, ...more].join("; ")}.`,
      help: "Check the step that runs the agent, and its log: usually the agent is not installed or not signed in there, or its token lacks a permission. These runs were not judged and count 0, as in waza.",
    },
  ];
}
