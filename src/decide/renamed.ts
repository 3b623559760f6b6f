/** Tasks that were renamed: by their prompt. Pure. */
import { type Row, taskKeyOfAnyModel } from "../domain/row.ts";

/** Characters of a prompt that are compared: a results file keeps its beginning. */
const COMPARED = 20_000;

/**
 * The baseline's rows by the names of now: a task that is gone and one that is new are the same, where no other of both has
 * their prompt, also in another suite, and a grader asks the same of both. A copy beside its original inherits nothing.
 */
export function byNamesOfNow(baseline: readonly Row[], current: readonly Row[]): readonly Row[] {
  const [old, now] = [tasksByPrompt(baseline), tasksByPrompt(current)];
  const kept = new Set(current.map(taskKeyOfAnyModel));
  const known = new Set(baseline.map(taskKeyOfAnyModel));
  const renamed = new Map(
    [...old].flatMap(([prompt, [before, ...others]]) => {
      const [after, ...copies] = now.get(prompt) ?? [];
      if (!before || !after || others.length + copies.length > 0) return [];
      const isOne = !kept.has(taskKeyOfAnyModel(before)) && !known.has(taskKeyOfAnyModel(after));
      const asks = ({ suite, task }: Row, rows: readonly Row[]) =>
        rows.filter((row) => row.suite === suite && row.task === task).map(({ prompt }) => prompt);
      const graders = new Set(asks(before, baseline));
      const isSame = isOne && asks(after, current).some((prompt) => graders.has(prompt));
      return isSame ? [[taskKeyOfAnyModel(before), after] as const] : [];
    }),
  );
  return baseline.map((row) => {
    const { suite, task } = renamed.get(taskKeyOfAnyModel(row)) ?? row;
    return { ...row, suite, task };
  });
}

/** A row of each task, by the prompts. */
function tasksByPrompt(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const tasks = new Map(rows.map((row) => [taskKeyOfAnyModel(row), row]));
  const asked = [...tasks.values()].filter((row) => row.asked !== "");
  return Map.groupBy(asked, (row) => row.asked.slice(0, COMPARED));
}
