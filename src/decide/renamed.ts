/** Tasks that were renamed: by their prompt. Pure. */
import { type Row, taskKeyOfAnyModel } from "../domain/row.ts";

/** Characters of a prompt that are compared: a results file keeps its beginning. */
const COMPARED = 20_000;

/**
 * The baseline's rows by the names of now: a task that is gone and one that is new are the same, where no other of both has
 * their prompt, also in another suite. A copy beside its original inherits nothing.
 */
export function byNamesOfNow(baseline: readonly Row[], current: readonly Row[]): readonly Row[] {
  const [old, now] = [Map.groupBy(baseline, taskKeyOfAnyModel), Map.groupBy(current, taskKeyOfAnyModel)];
  const gone = byPrompt([...old].flatMap(([key, rows]) => (now.has(key) ? [] : rows.slice(-1))));
  const added = byPrompt([...now].flatMap(([key, rows]) => (old.has(key) ? [] : rows.slice(0, 1))));
  const renamed = new Map(
    [...gone].flatMap(([prompt, tasks]) => {
      const [[before, ...others], [after, ...copies]] = [tasks, added.get(prompt) ?? []];
      const isOne = before && after && others.length + copies.length === 0;
      return isOne ? [[taskKeyOfAnyModel(before), after] as const] : [];
    }),
  );
  return baseline.map((row) => {
    const { suite, task } = renamed.get(taskKeyOfAnyModel(row)) ?? row;
    return { ...row, suite, task };
  });
}

function byPrompt(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const known = rows.filter(({ asked }) => asked !== "");
  return Map.groupBy(known, ({ asked }) => asked.slice(0, COMPARED));
}
