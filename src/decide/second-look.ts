/**
 * The second look: which tasks run again before a drop decides, and how often. Simulated by
 * `npm run bench -- gates`. Pure.
 */
import {
  type DropTest,
  type Drop,
  MARGIN,
  type Stratum,
  brokenRule,
  deadTasks,
  exactTest,
  testDrop,
} from "./chance.ts";
import { taskKey } from "../domain/row.ts";

/** How often a task that dropped runs again. */
export const FURTHER_RUNS = 2;
/** A task dropped if chance alone makes its own drop in at most 1 of 4 cases: it is lower than main's runs but for one. */
const DROPPED_LEVEL = 0.25;
/** Tasks that dropped run again if chance makes the drop of all, or of their suite, so many times as often as what is red: above, hardly any turns red. */
const ASKED = 7;

/**
 * The tasks that are to run again: those that dropped, where all, or their suite, dropped far enough, and those that may be dead. None
 * where no outcome of their further runs changes the result: red with all of them passing, or green with all failing.
 */
export function tasksToRunAgain(test: DropTest): readonly Stratum["key"][] {
  const { strata, suites } = test;
  const isAsked = ({ p, level }: Drop) => p <= ASKED * level + MARGIN;
  const near = new Set([test, ...suites].filter(isAsked).flatMap((one) => one.strata));
  const lower = [...near].filter((one) => exactTest([one]) <= DROPPED_LEVEL + MARGIN);
  const asked = [...lower.map(({ key }) => key), ...deadTasks(strata)];
  const again = new Map(asked.map((key) => [taskKey(key), key]));
  const isRedWith = (valueOf: (stratum: Stratum) => number) => {
    const further = (one: Stratum) => Array.from({ length: FURTHER_RUNS }, () => valueOf(one));
    const all = strata.map((one) =>
      again.has(taskKey(one.key)) ? { ...one, current: [...one.current, ...further(one)] } : one,
    );
    return brokenRule(testDrop(all, again.size)) !== undefined;
  };
  return isRedWith(() => 0) && !isRedWith(({ most }) => most) ? [...again.values()] : [];
}
