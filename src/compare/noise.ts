/** The rule of `noise`: a fall is what chance does not explain, a landslide, or one task's own fall. Pure. */
import { ROUNDING } from "../text/format.ts";
import { exactTest, isSignificant, isSignificantOfOne, leastChance } from "./exact-test.ts";
import type { Chances } from "./exact-test.ts";
import type { RunsOfTask } from "./task-runs.ts";
import type { Tally } from "./statistics.ts";

/** Percentage points. Larger drops fail regardless of significance: of few runs chance says little. */
export const LARGE_DROP = 34;
/** The level where nothing at all passes now. */
const TOTAL_LEVEL = 0.1;

/** A task that fell by itself: how many grades of all its runs passed, before and now. */
export interface FallenTask extends Pick<RunsOfTask, "place"> {
  readonly p: number;
  readonly baseline: Tally;
  readonly current: Tally;
}

export interface Fall {
  readonly tasks: readonly RunsOfTask[];
  readonly fell: boolean;
  /** Not for one task alone. */
  readonly inAll: boolean;
  /** Absent where no run can be compared. */
  readonly p?: Chances | undefined;
  readonly fallen?: FallenTask | undefined;
}

/** Whether runs of tasks are a fall, of which the pass rate fell by `drop` points (negative when it rose). */
export function fallOf(tasks: readonly RunsOfTask[], drop: number): Fall {
  const p = tasks.length > 0 ? exactTest(tasks) : undefined;
  const fallen = fallenTask(tasks);
  const level = passesNothing(tasks) ? TOTAL_LEVEL : undefined;
  const byChance = drop > 0 && p !== undefined && isSignificant(p.fall, level);
  const inAll = byChance || isLargeDrop(drop);
  return { tasks, p, fallen, inAll, fell: inAll || fallen !== undefined };
}

function passesNothing(tasks: readonly RunsOfTask[]): boolean {
  return tasks.every(({ current }) => current.every((passes) => passes === 0));
}

/** Whether the worst possible result would count as a drop: where it would not, too little passes in the baseline. */
export function canFall(tasks: readonly RunsOfTask[], baselineRate: number): boolean {
  return isSignificant(leastChance(tasks), TOTAL_LEVEL) || isLargeDrop(100 * baselineRate);
}

/** Large drops fail regardless of chance. */
export function isLargeDrop(points: number): boolean {
  return points > LARGE_DROP + ROUNDING;
}

/** The task whose own fall chance explains least, where it does not explain it. */
function fallenTask(tasks: readonly RunsOfTask[]): FallenTask | undefined {
  const [worst] = tasks
    .map((task) => ({ task, p: exactTest([task]).fall }))
    .filter(({ p }) => isSignificantOfOne(p, tasks.length))
    .sort((a, b) => a.p - b.p);
  if (!worst) return undefined;
  const { place, graders, baseline, current } = worst.task;
  const tally = (passed: readonly number[]): Tally => ({
    passes: passed.reduce((sum, one) => sum + one, 0),
    runs: passed.length * graders,
  });
  return { place, p: worst.p, baseline: tally(baseline), current: tally(current) };
}
