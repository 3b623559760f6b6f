// A simulated pull request, decided by the function that the action decides by. Seeded: the same in each run.
import { brokenRule, fallenTasks, testDrop, type Stratum } from "../src/decide/chance.ts";
import { FURTHER_RUNS, tasksToRunAgain } from "../src/decide/second-look.ts";

/** Share of the judge's verdicts that are wrong, where a cell has no other. */
export const WRONG = 0.05;
/** Share of runs that are good or bad for all checks at once. */
const TOGETHER = 0.5;
/** Value of a grade in which every check passes: the action counts in hundredths. */
const WHOLE = 100;

/** A kind of suite and its baseline. */
export interface Cell {
  readonly tasks: number;
  readonly runs: number;
  readonly graders: number;
  /** Suites of equal size; 1 where it is absent. */
  readonly suites?: number;
  /** Checks of a grade, as a skill's list has statements; 1 where it is absent. */
  readonly statements?: number;
  /** Share of runs that are good or bad for all checks at once; a half where it is absent. */
  readonly together?: number;
  /** Files of main that make the baseline, each with as many runs as now. */
  readonly files: number;
  /** The agent's mean pass rate. */
  readonly agent: number;
  /** Concentration of the beta distribution of a task's chance: at 1.2 most tasks pass nearly always or hardly ever. */
  readonly spread: number;
  /** Share of the judge's verdicts that are wrong. */
  readonly wrong?: number;
  /** Whether failed verdicts are confirmed, as by `confirm-on-fail: 2`. */
  readonly confirm?: boolean;
  /** Whether three verdicts are asked for, as by `judge-votes: 3`. */
  readonly votes?: boolean;
  /** Standard deviation, in logits, by which the agent is better or worse on one day: of each file, and now. */
  readonly day?: number;
  /** Share of runs in which the agent never gets to work. */
  readonly dead?: number;
}

export type Random = () => number;

/** mulberry32: a small seeded generator, 0 to 1. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Beta distributed, by Jöhnk's method in logarithms: for small parameters the powers themselves are 0. */
function beta(a: number, b: number, random: Random): number {
  if (b === 0) return 1;
  for (;;) {
    const [x, y] = [Math.log(random()) / a, Math.log(random()) / b];
    const largest = Math.max(x, y);
    const sum = largest + Math.log(Math.exp(x - largest) + Math.exp(y - largest));
    if (sum <= 0) return Math.exp(x - sum);
  }
}

/** A day's deviation in logits, normally distributed by Box and Muller's method. */
function dayOf({ day = 0 }: Cell, random: Random): number {
  return day === 0 ? 0 : day * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function onDay(chance: number, day: number): number {
  return day === 0 || chance === 0 || chance === 1
    ? chance
    : 1 / (1 + ((1 - chance) / chance) * Math.exp(-day));
}

/** The requests to the judge so far. */
export const asked = { requests: 0 };

/** A judge's verdict on checks that are good or bad, as hundredths; a vote is a verdict on all of them. */
function verdict(
  isGood: readonly boolean[],
  { confirm = false, votes = false, wrong = WRONG }: Cell,
  random: Random,
): number {
  const vote = () => {
    asked.requests += 1;
    return isGood.map((good) => good !== random() < wrong);
  };
  const passes = (checks: readonly boolean[]) => checks.every(Boolean);
  const first = vote();
  if (votes) {
    const second = vote();
    if (passes(first) === passes(second)) return valueOf(first);
    return valueOf(passes(vote()) === passes(first) ? first : second);
  }
  // The second confirmation is asked for only if the first one passes.
  const isMended = confirm && !passes(first) && passes(vote()) && passes(vote());
  return isMended ? WHOLE : valueOf(first);
}

function valueOf(checks: readonly boolean[]): number {
  return Math.round((WHOLE * checks.filter(Boolean).length) / checks.length);
}

/** The chances of each task's graders, one for each check. */
type Suite = readonly (readonly (readonly number[])[])[];
/** The values of each task's runs; undefined where the agent never got to work. */
type Side = readonly (readonly (number | undefined)[])[];

/** One attempt of the agent at all tasks. */
function attempt(suite: Suite, cell: Cell, random: Random): Side {
  const { runs, dead = 0, together = TOGETHER } = cell;
  const day = dayOf(cell, random);
  const run = (graders: readonly (readonly number[])[]) => {
    if (dead > 0 && random() < dead) return undefined;
    const all = random() < together ? random() : undefined;
    let value = 0;
    for (const chances of graders) {
      const isGood = chances.map((chance) => (all ?? random()) < onDay(chance, day));
      value += verdict(isGood, cell, random);
    }
    return value;
  };
  return suite.map((graders) => Array.from({ length: runs }, () => run(graders)));
}

/** How an agent is worse: all its chances by so many points, or this share of its tasks dead, or of their last graders. */
export interface Change {
  readonly points?: number;
  /** The same for the first suite alone. */
  readonly first?: number;
  readonly dead?: number;
  readonly deadGraders?: number;
}

/** A pull request whose agent is worse; `again` makes another attempt at it. */
export interface PullRequest {
  readonly baseline: Side;
  readonly first: Side;
  readonly again: () => Side;
}

export function pullRequest(cell: Cell, change: Change, random: Random): PullRequest {
  const suite = suiteOf(cell, random);
  const lower = worse(suite, cell, change);
  const main = mainOf(suite, cell, random);
  return {
    baseline: joined(main),
    first: attempt(lower, cell, random),
    again: () => attempt(lower, cell, random),
  };
}

function suiteOf({ tasks, graders, statements = 1, agent, spread }: Cell, random: Random): Suite {
  const list = <T>(length: number, one: () => T) => Array.from({ length }, one);
  const chance = () => beta(agent * spread, (1 - agent) * spread, random);
  return list(tasks, () => list(graders, () => list(statements, chance)));
}

function worse(suite: Suite, cell: Cell, change: Change): Suite {
  const { points = 0, first = 0, dead = 0, deadGraders = 0 } = change;
  const number = (share: number) => (share === 0 ? 0 : Math.max(1, Math.round(share * suite.length)));
  const [tasks, last] = [number(dead), number(deadGraders)];
  return suite.map((graders, task) =>
    graders.map((chances, grader) => {
      const isDead = task < tasks || (task < last && grader === graders.length - 1);
      const lost = suiteOfTask(cell, task) === 0 ? points + first : points;
      return chances.map((chance) => (isDead ? 0 : chance * (1 - lost / 100 / cell.agent)));
    }),
  );
}

function suiteOfTask({ suites = 1, tasks }: Cell, task: number): number {
  return Math.floor((task * suites) / tasks);
}

/** Main's files. Its dead runs are mended before they are kept. */
function mainOf(suite: Suite, cell: Cell, random: Random): Side[] {
  return Array.from({ length: cell.files }, () => attempt(suite, { ...cell, dead: 0 }, random));
}

/** A baseline of a main that gets worse: its last files, its first ones (a release's), or both. */
export type Kept = "last" | "release" | "both";

/** Whether each push to a main is red that loses so many points from one push to the next. */
export function decay(cell: Cell, points: number, random: Random): Readonly<Record<Kept, boolean[]>> {
  const suite = suiteOf(cell, random);
  const release = mainOf(suite, cell, random);
  const pushes = [...release];
  const red: Record<Kept, boolean[]> = { last: [], release: [], both: [] };
  for (let push = 1; push <= PUSHES; push += 1) {
    const now = attempt(worse(suite, cell, { points: push * points }), cell, random);
    const last = pushes.slice(-cell.files);
    red.last.push(isRed(cell, joined(last), now));
    red.release.push(isRed(cell, joined(release), now));
    red.both.push(isRed(cell, joined([...last, ...release.slice(0, 1)]), now));
    pushes.push(now);
  }
  return red;
}

/** Pushes of a year, one a week. */
export const PUSHES = 52;

/** The runs of several attempts, task by task. */
export function joined(sides: readonly Side[]): Side {
  return (sides[0] ?? []).map((_, task) => sides.flatMap((side) => side[task] ?? []));
}

/** Two attempts that both count: a run without work gives way to the same run of the other. */
export function bothCount(first: Side, second: Side): Side {
  return first.map((runs, task) =>
    runs.flatMap((run, number) => {
      const other = second[task]?.[number];
      const made = [run, other].filter((passed) => passed !== undefined);
      return made.length > 0 ? made : [undefined];
    }),
  );
}

/** Whether `fail-on: regression` is red: a dead run, or a drop that `noise` does not explain. */
export function isRed(cell: Cell, baseline: Side, current: Side): boolean {
  const isDead = current.some((runs) => runs.includes(undefined));
  return isDead || brokenRule(testDrop(strata(cell, baseline, current))) !== undefined;
}

/** The same where what dropped runs twice more first; and how many further runs that takes. */
export function isRedAtLast(
  cell: Cell,
  { baseline, first, again }: PullRequest,
): { readonly red: boolean; readonly runs: number } {
  const lower = tasksToRunAgain(testDrop(strata(cell, baseline, first)));
  if (lower.length === 0) return { red: isRed(cell, baseline, first), runs: 0 };
  const dropped = new Set(lower.map(({ task }) => Number(task)));
  const further = joined(Array.from({ length: FURTHER_RUNS }, again));
  const all = first.map((runs, task) => (dropped.has(task) ? [...runs, ...(further[task] ?? [])] : runs));
  const red = brokenRule(testDrop(strata(cell, baseline, all), dropped.size)) !== undefined;
  return { red, runs: FURTHER_RUNS * dropped.size };
}

/** Main's runs that count once a drop of it is accepted, so many pushes ago, which were graded since; at most as many files. */
export function sinceAccepted({ files, ...cell }: Cell, main: Side, pushes: readonly Side[]): Side {
  const [push] = pushes as [Side];
  const fallen = new Set(
    fallenTasks(testDrop(strata({ files, ...cell }, main, push))).map(({ task }) => task),
  );
  return main.map((runs, task) => [
    ...(fallen.has(String(task)) ? [] : runs.slice(pushes.length * cell.runs)),
    ...pushes.slice(-files).flatMap((side) => side[task] ?? []),
  ]);
}

/** The runs that got to work, task by task. */
function strata(cell: Cell, baseline: Side, current: Side): Stratum[] {
  const worked = (runs: Side[number] = []) => runs.filter((value) => value !== undefined);
  return baseline.map((runs, task) => ({
    key: { suite: String(suiteOfTask(cell, task)), task: String(task), model: "" },
    most: WHOLE * cell.graders,
    baseline: worked(runs),
    current: worked(current[task]),
  }));
}

/** Whether `fail-on: fail` is red: any grade failed. */
export function hasFailed({ graders }: Cell, current: Side): boolean {
  return current.some((runs) => runs.some((value) => value !== WHOLE * graders));
}
