// A simulated pull request, decided by the function that the action decides by. Seeded: the same in each run.
import { testDrop } from "../src/decide/chance.ts";
import type { RunsOfTask } from "../src/decide/chance.ts";

/** Share of the judge's verdicts that are wrong. */
const WRONG = 0.05;
/** Share of runs that are good or bad for all graders at once. */
const TOGETHER = 0.5;

/** A kind of suite and its baseline. */
export interface Cell {
  readonly tasks: number;
  readonly runs: number;
  readonly graders: number;
  /** Files of main that make the baseline, each with as many runs as now. */
  readonly files: number;
  /** The agent's mean pass rate. */
  readonly agent: number;
  /** Concentration of the beta distribution of a task's chance: at 1.2 most tasks pass nearly always or hardly ever. */
  readonly spread: number;
  /** Whether failed verdicts are confirmed, as by `confirm-on-fail: 2`. */
  readonly confirm?: boolean;
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

/** A judge's verdict on an answer that is good or bad. */
function verdict(isGood: boolean, confirm: boolean, random: Random): boolean {
  const vote = () => isGood !== random() < WRONG;
  return vote() || (confirm && vote() && vote());
}

/** The chances of each task's graders. */
type Suite = readonly (readonly number[])[];
/** Of each task's runs, how many grades passed; undefined where the agent never got to work. */
type Side = readonly (readonly (number | undefined)[])[];

/** One attempt of the agent at all tasks. */
function attempt(suite: Suite, cell: Cell, random: Random): Side {
  const { runs, confirm = false, dead = 0 } = cell;
  const day = dayOf(cell, random);
  const run = (chances: readonly number[]) => {
    if (dead > 0 && random() < dead) return undefined;
    const all = random() < TOGETHER ? random() : undefined;
    let passed = 0;
    for (const chance of chances)
      if (verdict((all ?? random()) < onDay(chance, day), confirm, random)) passed += 1;
    return passed;
  };
  return suite.map((chances) => Array.from({ length: runs }, () => run(chances)));
}

/** A pull request whose agent passes less often by `drop` points; `again` makes another attempt at it. */
export interface PullRequest {
  readonly baseline: Side;
  readonly first: Side;
  readonly again: () => Side;
}

export function pullRequest(cell: Cell, drop: number, random: Random): PullRequest {
  const { tasks, graders, files, agent, spread } = cell;
  const suite = Array.from({ length: tasks }, () =>
    Array.from({ length: graders }, () => beta(agent * spread, (1 - agent) * spread, random)),
  );
  const lower = suite.map((chances) => chances.map((chance) => chance * (1 - drop / 100 / agent)));
  // Main's dead runs are mended before they are kept.
  const main = Array.from({ length: files }, () => attempt(suite, { ...cell, dead: 0 }, random));
  return {
    baseline: joined(main),
    first: attempt(lower, cell, random),
    again: () => attempt(lower, cell, random),
  };
}

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
export function isRed({ graders }: Cell, baseline: Side, current: Side): boolean {
  if (current.some((runs) => runs.includes(undefined))) return true;
  let drop = 0;
  const tasks = baseline.map((runs, task): RunsOfTask => {
    const [before, now] = [runs, current[task] ?? []].map((side) =>
      side.filter((run) => run !== undefined),
    ) as [number[], number[]];
    drop += (100 * (mean(before) - mean(now))) / graders / baseline.length;
    return { key: { task: String(task), model: "" }, graders, most: graders, baseline: before, current: now };
  });
  return testDrop(tasks, drop).isDrop;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Whether `fail-on: fail` is red: any grade failed. */
export function hasFailed({ graders }: Cell, current: Side): boolean {
  return current.some((runs) => runs.some((passed) => passed !== graders));
}
