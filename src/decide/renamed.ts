/** Tasks that were renamed: by their prompt. Pure. */
import { type Row, taskKeyOfAnyModel } from "../domain/row.ts";

/** Characters of a prompt that are compared: a results file keeps its beginning. */
const COMPARED = 20_000;

/**
 * The baseline's rows by the names of now: a task that is gone and one that is new are the same, where no other of both has
 * their prompt, also in another suite, and a grader asks the same of both. A copy beside its original inherits nothing.
 */
export function byNamesOfNow(baseline: readonly Row[], current: readonly Row[]): readonly Row[] {
  const before = Map.groupBy(baseline, taskKeyOfAnyModel);
  const now = Map.groupBy(current, taskKeyOfAnyModel);
  const asked = byPrompt(now);
  const renamed = new Map(
    [...byPrompt(before)].flatMap(([prompt, [gone = "", ...others]]) => {
      const [added = "", ...copies] = asked.get(prompt) ?? [];
      if (others.length + copies.length > 0 || now.has(gone) || before.has(added)) return [];
      const graders = new Set(before.get(gone)?.map((row) => row.prompt));
      const same = now.get(added)?.find((row) => graders.has(row.prompt));
      return same ? [[gone, same] as const] : [];
    }),
  );
  return baseline.map((row) => {
    const { suite, task } = renamed.get(taskKeyOfAnyModel(row)) ?? row;
    return { ...row, suite, task };
  });
}

/** The rows of each task, by its key. */
type Tasks = ReadonlyMap<string, readonly Row[]>;

/** The keys of the tasks, by their prompts. */
function byPrompt(tasks: Tasks): ReadonlyMap<string, readonly string[]> {
  const prompts = [...tasks].flatMap(([key, rows]) => {
    const prompt = rows.at(-1)?.asked.slice(0, COMPARED) ?? "";
    return prompt === "" ? [] : [{ key, prompt }];
  });
  const keys = Map.groupBy(prompts, ({ prompt }) => prompt);
  return new Map([...keys].map(([prompt, its]) => [prompt, its.map(({ key }) => key)]));
}
