/** Tasks and suites that were renamed: by their prompt, and by their file. Pure. */
import { type Row, taskKeyOfAnyModel } from "../domain/row.ts";

/** Characters of a prompt that are compared: a results file keeps its beginning. */
const COMPARED = 20_000;

/**
 * The baseline's rows by the names of now: a task that is gone and one that is new are the same, where no other of both has
 * their prompt, also in another suite, and a grader asks the same of both. A copy beside its original inherits nothing. A
 * suite that is gone is the new one that its file or its tasks lead to, with all its tasks, so that none is lost by the name.
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
  const suites = suitesOfNow(baseline, current, (row) => renamed.get(taskKeyOfAnyModel(row))?.suite);
  return baseline.map((row) => {
    const { suite, task } = renamed.get(taskKeyOfAnyModel(row)) ?? row;
    return { ...row, suite: suites.get(suite) ?? suite, task };
  });
}

/** The suites of the baseline that have another name now. */
function suitesOfNow(
  baseline: readonly Row[],
  current: readonly Row[],
  nowOf: (row: Row) => string | undefined,
): ReadonlyMap<string, string> {
  const before = Map.groupBy(baseline, ({ suite }) => suite);
  const now = Map.groupBy(current, ({ suite }) => suite);
  const added = [...now].filter(([suite]) => !before.has(suite));
  const ofFile = new Map(added.flatMap(([suite, [row]]) => (row?.evalFile ? [[row.evalFile, suite]] : [])));
  const led = [...before].flatMap(([suite, rows]) => {
    const names = new Set(rows.flatMap((row) => nowOf(row) ?? ofFile.get(row.evalFile ?? "") ?? []));
    const [name = ""] = names;
    return !now.has(suite) && names.size === 1 && !before.has(name) ? [{ suite, name }] : [];
  });
  const alone = [...Map.groupBy(led, ({ name }) => name).values()].filter((its) => its.length === 1);
  return new Map(alone.flat().map(({ suite, name }) => [suite, name]));
}

/** The keys of the tasks, by their prompts. */
function byPrompt(tasks: ReadonlyMap<string, readonly Row[]>): ReadonlyMap<string, readonly string[]> {
  const prompts = [...tasks].flatMap(([key, rows]) => {
    const prompt = rows.at(-1)?.asked.slice(0, COMPARED) ?? "";
    return prompt === "" ? [] : [{ key, prompt }];
  });
  const keys = Map.groupBy(prompts, ({ prompt }) => prompt);
  return new Map([...keys].map(([prompt, its]) => [prompt, its.map(({ key }) => key)]));
}
