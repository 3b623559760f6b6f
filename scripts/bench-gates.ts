// How often `noise` is red on pull requests that change nothing, how many true falls it finds, and how small a fall it
// sees: the figures of docs/simulation.md and of src/compare/detectable-drop.ts. Seeded, so that it comes out the same each
// time; it asks nobody, and decides by the function that the action decides by.
import { fallOf } from "../src/compare/noise.ts";
import type { RunsOfTask } from "../src/compare/task-runs.ts";

const PULL_REQUESTS = 500;
const TASKS = [3, 5, 8, 12, 20, 40];
const AGENTS = [0.5, 0.7, 0.8, 0.9, 0.95];
/** Concentrations of the beta distribution of a task's chance: at 1.2 most tasks pass nearly always or hardly ever. */
const SPREADS = [1.2, 4];
const FALLS = [0, 20, 50];
/** Share of the judge's verdicts that are wrong. */
const FLIPS = 0.05;
/** Share of runs that are good or bad for all graders at once. */
const TOGETHER = 0.5;
/** Sizes and falls of the table of how small a fall shows. */
const SEEN_TASKS = [1, 2, 3, 5, 8, 12, 20, 40, 100];
const SEEN_RUNS = [1, 3, 5];

/** What one kind of suite is; `files` of the baseline, each with as many runs as now. */
interface Cell {
  readonly tasks: number;
  readonly runs: number;
  readonly graders: number;
  readonly files: number;
  readonly agent: number;
  readonly spread: number;
}

type Random = () => number;

/** mulberry32: a small seeded generator, 0 to 1. */
function seeded(seed: number): Random {
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
  for (;;) {
    const [x, y] = [Math.log(random()) / a, Math.log(random()) / b];
    const largest = Math.max(x, y);
    const sum = largest + Math.log(Math.exp(x - largest) + Math.exp(y - largest));
    if (sum <= 0) return Math.exp(x - sum);
  }
}

/** How many of a run's grades passed, by each grader's chance. */
function passedOf(chances: readonly number[], random: Random): number {
  const all = random() < TOGETHER ? random() : undefined;
  return chances.filter((chance) => (all ?? random()) < chance !== random() < FLIPS).length;
}

/** One pull request whose agent passes less often by `fall` points: is it red? */
function isRed({ tasks, runs, graders, files, agent, spread }: Cell, fall: number, random: Random): boolean {
  let drop = 0;
  const made = Array.from({ length: tasks }, (_, task): RunsOfTask => {
    const chances = Array.from({ length: graders }, () => beta(agent * spread, (1 - agent) * spread, random));
    const lower = chances.map((chance) => chance * (1 - fall / 100 / agent));
    const baseline = Array.from({ length: runs * files }, () => passedOf(chances, random));
    const current = Array.from({ length: runs }, () => passedOf(lower, random));
    drop += (100 * (mean(baseline) - mean(current))) / graders / tasks;
    return { place: { task: String(task), model: "" }, graders, baseline, current };
  });
  return fallOf(made, drop).fell;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function shareOfRed(cell: Cell, fall: number, seed: number): number {
  const random = seeded(seed);
  let red = 0;
  for (let made = 0; made < PULL_REQUESTS; made += 1) if (isRed(cell, fall, random)) red += 1;
  return red / PULL_REQUESTS;
}

/** The fewest points, in steps of 1, that are found in 4 of 5. */
function smallestSeen(cell: Cell, seed: number): number {
  let [low, high] = [0, 100 * cell.agent];
  while (high - low > 1) {
    const middle = Math.round((low + high) / 2);
    if (shareOfRed(cell, middle, seed) >= 0.8) high = middle;
    else low = middle;
  }
  return Math.round(high);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  console.log(["", line(head), line(head.map(() => "--:")), ...rows.map(line), ""].join("\n"));
}

const percent = (share: number) => (100 * share).toFixed(1);
/** 95 % of such shares lie within so many points of the truth. */
const error = (share: number) => (196 * Math.sqrt((share * (1 - share)) / PULL_REQUESTS)).toFixed(1);

/** Prints the figures. */
export function gates(): void {
  const sizes = TASKS.flatMap((tasks) =>
    [1, 3].flatMap((runs) =>
      [1, 3].flatMap((graders) => [1, 3].map((files) => ({ tasks, runs, graders, files }))),
    ),
  );
  const agents = SPREADS.flatMap((spread) => AGENTS.map((agent) => ({ agent, spread })));
  const head = ["tasks", "runs", "graders", "files"];
  const named = agents.map(({ agent, spread }) => `${String(100 * agent)} %, ${String(spread)}`);
  for (const fall of FALLS) {
    // Streams of their own, so that one unlucky draw is not every cell's.
    let seed = 1_000 * fall;
    console.log(fall === 0 ? "Red where nothing changed, %:" : `Falls of ${String(fall)} points found, %:`);
    const rows = sizes.map((size) => {
      const shares = agents.map((agent) => shareOfRed({ ...size, ...agent }, fall, (seed += 1)));
      return { size, shares };
    });
    table(
      [...head, ...named],
      rows.map(({ size, shares }) => [...Object.values(size).map(String), ...shares.map(percent)]),
    );
    if (fall > 0) continue;
    const worst = (from: number, graders: readonly number[]) =>
      Math.max(
        ...rows
          .filter(({ size }) => size.tasks >= from && graders.includes(size.graders))
          .flatMap(({ shares }) => shares.filter((_, at) => (agents[at]?.agent ?? 0) >= 0.8)),
      );
    console.log(
      `Agents at 80 % and more: at most ${percent(worst(3, [1, 3]))} (aim 11 ± ${error(0.11)}); from 8 tasks on ` +
        `${percent(worst(8, [1]))} (aim 6 ± ${error(0.06)}), with 3 graders ${percent(worst(8, [3]))} (aim 7 ± ${error(0.07)}).\n`,
    );
  }
  let seed = 100_000;
  console.log("Points of a fall that is found in 4 of 5, the larger of agents at 80 and 95 %:");
  table(
    ["tasks", ...SEEN_RUNS.map((runs) => `${String(runs)} runs`)],
    SEEN_TASKS.map((tasks) => [
      String(tasks),
      ...SEEN_RUNS.map((runs) => {
        const cell = { tasks, runs, graders: 1, files: 1, spread: 4 };
        return String(Math.max(...[0.8, 0.95].map((agent) => smallestSeen({ ...cell, agent }, (seed += 1)))));
      }),
    ]),
  );
}
