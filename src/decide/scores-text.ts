/** The state of all grades in words: how many tasks pass and fail, and what has no verdict. Names are untrusted. Pure. */
import { named, ofSome } from "./names.ts";
import {
  type Counts,
  type RowState,
  type Scores,
  hasVerdict,
  isDead,
  isWithoutCheck,
  countTasks,
  taskKeyOfAnyModel,
} from "../domain/row.ts";
import { runKey, shareOf, unitOf } from "../results/score.ts";
import {
  count,
  formatAgainst,
  formatMinimum,
  formatNumber,
  formatScore,
  outOf,
  plural,
  upperFirst,
} from "../text/format.ts";

const CAUSES: Partial<Record<RowState, string>> = { "no-key": "no key", capped: "a cap was reached" };
/** `Score 0.50 (6 of 12 checks passed)`; ` of all grades` where a page has another one. */
export function scoreSentence(scores: Scores, of = ""): string {
  const { score } = scores;
  return score === undefined
    ? upperFirst(coverage(scores))
    : `Score${of} ${formatScore(score)} (${coverage(scores)})`;
}

/** How many checks passed; where not all is judged, the number of graded grades, and the state of the others. */
export function coverage({ counts, grades }: Scores): string {
  const dead = grades.filter((row) => isWithoutCheck(row) && isDead(row)).length;
  const parts: [number, string][] = [
    [dead, "not judged"],
    [counts.errored, "errored"],
    [counts.missing, "missing"],
    [counts.skipped - counts.missing, "skipped"],
  ];
  const rest = parts.flatMap(([number, word]) => (number === 0 ? [] : `, ${formatNumber(number)} ${word}`));
  const graded = counts.passed + counts.failed - dead;
  const { passed, all } = shareOf(grades);
  return graded > 0 && rest.length === 0
    ? `${outOf(passed, all, unitOf(grades))} passed`
    : `${formatNumber(graded)} of ${formatNumber(counts.planned)} graded${rest.join("")}`;
}

/** `score 0.78, needs 0.80`. */
export function scoreNeeded(score: number | undefined, least: number): string {
  const minimum = `needs ${formatMinimum(least)}`;
  return score === undefined ? `no score, ${minimum}` : `score ${formatAgainst(score, least)}, ${minimum}`;
}

/** `all 9 tasks pass, with 2 doubts`. */
export function passedCount({ grades }: Scores): string {
  const passed = grades.filter(({ state }) => state === "passed");
  const doubts = passed.filter(({ doubt }) => doubt !== undefined).length;
  const failing = countTasks(grades.filter(({ state }) => state !== "passed"));
  const tasks = countTasks(grades);
  const what =
    failing === 0 && tasks > 1
      ? `all ${formatNumber(tasks)} tasks pass`
      : tasksPart(tasks - failing, tasks, "pass");
  return `${what}${doubts > 0 ? `, with ${count(doubts, "doubt")}` : ""}`;
}

/** `1 of 4 tasks fails`. */
function tasksPart(some: number, all: number, verb: "fail" | "pass"): string {
  const ending = some === 1 ? { fail: "fails", pass: "passes" }[verb] : verb;
  return `${outOf(some, all, "task")} ${ending}`;
}

/** `1 of 4 tasks fails`, where it is not all suites in which, and where a judge is silent. */
export function failedPart(scores: Scores): string {
  const { counts } = scores;
  const silent = withoutCall(scores);
  const judge = silent === counts.failed ? "the judge" : `of ${formatNumber(silent)} the judge`;
  const why = silent > 0 ? ` (${judge} reported no check)` : "";
  const failed = scores.grades.filter(({ state }) => state === "failed");
  const where = ofSome("suite", failed, scores.grades);
  const tasks = new Set(failed.map(taskKeyOfAnyModel));
  const all = scores.grades.filter((row) => tasks.has(taskKeyOfAnyModel(row)));
  // Of several runs, one that passed whole makes "fails" untrue.
  const runs = [...Map.groupBy(all, runKey).values()];
  const isAtTimes = runs.some((own) => own.every(({ state }) => state === "passed"));
  const text = isAtTimes
    ? `${outOf(tasks.size, countTasks(scores.grades), "task")} failed in some of ${plural(tasks.size, "its", "their")} runs`
    : tasksPart(tasks.size, countTasks(scores.grades), "fail");
  return `${text}${where}${why}`;
}

/** How many grades of runs that are there have no verdict. */
export function withoutVerdictOf({ errored, skipped, missing }: Counts): number {
  return errored + skipped - missing;
}

/** The grades without a verdict, by kind; `incomplete` ones where they count as such. */
export function withoutVerdictPart(scores: Scores, incomplete: number): string {
  const { counts } = scores;
  const withoutVerdict = withoutVerdictOf(counts) + incomplete;
  const errorClass = counts.errorClasses.length === 1 ? ` (${counts.errorClasses.join()})` : "";
  const skipped = withoutVerdict - counts.errored - incomplete;
  const causes = new Set(
    scores.grades.flatMap(({ state, reason }) => (state === "capped" && reason) || (CAUSES[state] ?? [])),
  );
  const why = causes.size === 0 ? "" : ` (${[...causes].join(", ")})`;
  const kinds = [
    { number: counts.errored, text: `errored${errorClass}` },
    { number: incomplete, text: "incomplete (the judge was interrupted)" },
    { number: skipped, text: `skipped${why}` },
  ].filter(({ number }) => number > 0);
  const several = `without a verdict: ${kinds.map(({ number, text }) => `${formatNumber(number)} ${text}`).join(", ")}`;
  const alone = counts.errored > 0 ? `errored without a verdict${errorClass}` : (kinds[0]?.text ?? "");
  const kind = kinds.length === 1 ? alone : several;
  return `${outOf(withoutVerdict, counts.planned, "grade")} ${kind}`;
}

/** Remedy for a silent judge; a warning has more where it is silent throughout. */
export const ASK_FOR_VERDICT = "Use another `judge-model`, or let the prompt ask for a verdict";

/** What to say of silent judges; empty if there is no such grade. */
export function silentSentences(scores: Scores): string[] {
  const silent = withoutCall(scores);
  const grades = outOf(silent, scores.counts.planned, "grade");
  return silent > 0 ? [`the judge reported no check in ${grades}`, ASK_FOR_VERDICT] : [];
}

/** The number of failed grades whose judge finished without a call: the judge may be at fault. */
export function withoutCall(scores: Scores): number {
  return scores.grades.filter((row) => isWithoutCheck(row) && !isDead(row)).length;
}

/** Suites in which no check passes are red also without a baseline. */
export function nothingPasses({ suites }: Scores): string[] {
  const dead = suites.filter(({ grades }) => {
    const graded = grades.filter(hasVerdict);
    return graded.length > 0 && graded.every(({ score }) => score === 0);
  });
  if (dead.length === 0) return [];
  const titles = dead.map(({ suite }) => suite.title);
  return [suites.length === 1 ? "nothing passes" : `nothing passes in ${named(titles)}`];
}
