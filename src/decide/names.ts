/** What sentences call tasks and graders. Names are untrusted. Pure. */
import type { Comparison } from "./compare.ts";
import type { Pair } from "./pairs.ts";
import { type Row, type VerdictRow, countTasks, taskKeyOfAnyModel } from "../domain/row.ts";
import { taskTitle } from "../results/rows.ts";
import { codeName, listed } from "../text/format.ts";

/** Maximum length of a name in a message. */
export const LONGEST_ID = 100;
/** Maximum tasks, graders, skills or tools named in a sentence. */
export const MOST_NAMED = 3;

/** The tasks of these grades, each once, as people know them; with their suite where there are several. */
export function tasksText({ pairs, notComparable, added }: Comparison, rows: readonly Row[]): string {
  const suites = new Set([...pairs, ...notComparable, ...added].map(({ suite }) => suite));
  const nameOfTask = (row: Row) => (suites.size > 1 ? `${row.suite} · ${taskTitle(row)}` : taskTitle(row));
  return named(onePerTask(rows).map(nameOfTask));
}

/** `` with `opus` ``, or `` , in `pdf-merge` ``, where these are of some of all models, or suites. */
export function ofSome<Key extends "model" | "suite">(
  key: Key,
  some: readonly Pick<Row, Key>[],
  all: readonly Pick<Row, Key>[],
): string {
  const namesOf = (those: typeof some) => new Set(those.map((one) => one[key]));
  const where = key === "model" ? " with" : ", in";
  return namesOf(some).size < namesOf(all).size ? `${where} ${named(namesOf(some))}` : "";
}

/**
 * Graders by name, with how many tasks where others of theirs are compared; a list of statements has no name that says
 * something, and is named by its task.
 */
export function gradersText(comparison: Comparison, rows: readonly Row[]): string {
  const { lists = [], single = [] } = Object.groupBy(rows, ({ statements }) =>
    statements.length > 0 ? "lists" : "single",
  );
  const names = [...Map.groupBy(single, ({ grader }) => grader)].map(([grader, grades]) => {
    const pairs = comparison.pairs.filter((pair) => pair.grader === grader);
    const all = countTasks([...pairs, ...grades]);
    return `${quoted(grader)}${pairs.length > 0 ? ` in ${String(countTasks(grades))} of ${String(all)} tasks` : ""}`;
  });
  const ofLists = lists.length === 0 ? [] : [`the statements of ${tasksText(comparison, lists)}`];
  return listed([...names, ...ofLists], MOST_NAMED);
}

/** The first of these names, as code, and how many more. */
export function named(names: Iterable<string>): string {
  return listed(Array.from(names, quoted), MOST_NAMED);
}

/** A name as code. */
export function quoted(name: string): string {
  return codeName(name, LONGEST_ID);
}

/** A grade of each task. */
export function onePerTask<R extends Row>(rows: readonly R[]): readonly R[] {
  return [...new Map(rows.map((row) => [taskKeyOfAnyModel(row), row])).values()];
}

/** A grade of now for each task. */
export function examplesOf(pairs: readonly Pair[]): readonly VerdictRow[] {
  return onePerTask(pairs.map(({ current }) => current.example));
}
