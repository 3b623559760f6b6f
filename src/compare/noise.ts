/** The rule of `noise`: a drop counts when chance does not explain it, when it is large, or when one task dropped by itself. Pure. */
import { ROUNDING } from "../text/format.ts";
import { exactTest, isSignificant, isTaskSignificant, leastChance } from "./exact-test.ts";
import type { Chances } from "./exact-test.ts";
import type { RunsOfTask } from "./task-runs.ts";
import type { Tally } from "./statistics.ts";

/** Percentage points. Larger drops fail regardless of significance, which few runs hardly reach. */
export const LARGE_DROP = 34;
/** Level when nothing passes now. */
const TOTAL_LEVEL = 0.1;

/** A task with a significant drop, with its passed grades before and now. */
export interface DroppedTask extends Pick<RunsOfTask, "key"> {
  readonly p: number;
  readonly baseline: Tally;
  readonly current: Tally;
}

export interface DropTest {
  readonly tasks: readonly RunsOfTask[];
  readonly isDrop: boolean;
  /** The drop is in all tasks together, not only in one. */
  readonly inAll: boolean;
  /** Absent where no run can be compared. */
  readonly p?: Chances | undefined;
  readonly task?: DroppedTask | undefined;
}

/** Whether the pass rate dropped by more than noise; `drop` in percentage points (negative when it rose). */
export function testDrop(tasks: readonly RunsOfTask[], drop: number): DropTest {
  const p = tasks.length > 0 ? exactTest(tasks) : undefined;
  const task = droppedTask(tasks);
  const level = passesNothing(tasks) ? TOTAL_LEVEL : undefined;
  const isSignificantDrop = drop > 0 && p !== undefined && isSignificant(p.drop, level);
  const inAll = isSignificantDrop || isLargeDrop(drop);
  return { tasks, p, task, inAll, isDrop: inAll || task !== undefined };
}

function passesNothing(tasks: readonly RunsOfTask[]): boolean {
  return tasks.every(({ current }) => current.every((passes) => passes === 0));
}

/** Whether the worst possible result would count as a drop. */
export function canDrop(tasks: readonly RunsOfTask[], baselineRate: number): boolean {
  return isSignificant(leastChance(tasks), TOTAL_LEVEL) || isLargeDrop(100 * baselineRate);
}

export function isLargeDrop(points: number): boolean {
  return points > LARGE_DROP + ROUNDING;
}

/** The task with the smallest p of its own drop, where that is significant. */
function droppedTask(tasks: readonly RunsOfTask[]): DroppedTask | undefined {
  const [worst] = tasks
    .map((task) => ({ task, p: exactTest([task]).drop }))
    .filter(({ p }) => isTaskSignificant(p, tasks.length))
    .sort((a, b) => a.p - b.p);
  if (!worst) return undefined;
  const { key, graders, baseline, current } = worst.task;
  const tally = (passed: readonly number[]): Tally => ({
    passes: passed.reduce((sum, one) => sum + one, 0),
    runs: passed.length * graders,
  });
  return { key, p: worst.p, baseline: tally(baseline), current: tally(current) };
}
