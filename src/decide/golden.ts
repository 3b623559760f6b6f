/** Golden tasks, which have to pass: those that did not, and why. Pure. */
import type { Comparison } from "./compare.ts";
import { MOST_NAMED, quoted } from "./names.ts";
import { type Row, type Scores, taskKeyOfAnyModel } from "../domain/row.ts";
import { suiteKey, taskTitle } from "../results/rows.ts";
import { listed } from "../text/format.ts";

/** A golden task that did not pass. */
interface GoldenTrouble {
  readonly id: string;
  readonly trouble: keyof typeof TROUBLES;
  /** The first grader with that trouble; absent where the task is gone. */
  readonly grader?: string | undefined;
  readonly row?: Row | undefined;
}

/** What became of it, as a part of a sentence, the worst first. */
const TROUBLES = {
  failed: "fails",
  errored: "errored without a verdict",
  capped: "was skipped, since a cap was reached",
  missing: "is missing",
  ungraded: "no longer decides",
  gone: "is gone",
};
const STATES_OF_TROUBLE = ["failed", "errored", "capped", "missing"] as const;

/**
 * The golden tasks of all suites that did not pass, each over all its models. A task that is golden in the baseline stays
 * golden, so that neither the mark nor the task can be removed. One that was left out on purpose has no trouble.
 */
export function goldenTroubles({ suites }: Scores, comparison: Comparison | undefined): GoldenTrouble[] {
  const { pairs = [], notComparable = [], removed = [] } = comparison ?? {};
  const before = new Map(
    [...pairs, ...notComparable, ...removed]
      .filter((place) => place.golden)
      .map((place) => [taskKeyOfAnyModel(place), place.task]),
  );
  const here = suites.flatMap(({ suite, tasks }) =>
    [...Map.groupBy(tasks, ({ taskId }) => taskId)].flatMap(([id, models]): GoldenTrouble[] => {
      const grades = models.flatMap(({ grades }) => grades).filter((row) => !row.hasLaterAttempt);
      const key = taskKeyOfAnyModel({ suite: suiteKey(suite), task: id });
      const wasGolden = before.delete(key);
      if (!wasGolden && !grades.some((row) => row.golden)) return [];
      for (const trouble of STATES_OF_TROUBLE) {
        const row = grades.find(({ state }) => state === trouble);
        if (row) return [{ id: taskTitle(row), trouble, grader: row.grader, row }];
      }
      // A grader that no longer decides was deleted or renamed, is of another type, or advisory.
      const graders = new Set(grades.map(({ grader }) => grader));
      const lost = removed.find(
        (place) => place.golden && taskKeyOfAnyModel(place) === key && !graders.has(place.grader),
      );
      return lost ? [{ id, trouble: "ungraded", grader: lost.grader }] : [];
    }),
  );
  return [...here, ...[...before.values()].map((id): GoldenTrouble => ({ id, trouble: "gone" }))];
}

/** `` golden tasks have to pass, and `a` (`clear`) fails ``; a list of statements has no name that says something. */
export function goldenPart(wrong: readonly GoldenTrouble[]): string {
  const named = wrong.map(({ id, trouble, grader, row }) => {
    const isNamed = grader !== undefined && trouble !== "missing" && !row?.statements.length;
    return `${quoted(id)}${isNamed ? ` (${quoted(grader)})` : ""} ${TROUBLES[trouble]}`;
  });
  return `golden tasks have to pass, and ${listed(named, MOST_NAMED)}`;
}
