/**
 * What comes before the score of a comparison, whatever that does: one task that rose must not hide another that died.
 * Pure.
 */
import { type Comparison, newlyFailing } from "./compare.ts";
import { examplesOf, inSuites, onePerTask, quoted, tasksText } from "./names.ts";
import { type NotComparable, type Pair, inBaseline, nameOf } from "./pairs.ts";
import { FURTHER_RUNS, type Sentences } from "../domain/grade.ts";
import { type GradeKey, type Row, type VerdictRow, countTasks, taskKeyOfAnyModel } from "../domain/row.ts";
import { type Tally, identityOf } from "../results/score.ts";
import { count, listed, plural } from "../text/format.ts";
import { MOST_NAMED } from "./limits.ts";

/** What fails newly, what nothing excuses, what is gone, what is new and fails, and what passed again: the worst first. */
export function newsOf(
  comparison: Comparison,
  { blamed, fresh }: { readonly blamed: readonly VerdictRow[]; readonly fresh: readonly VerdictRow[] },
): string[] {
  return [
    ...failingPart(comparison),
    ...blamedPart(comparison, blamed),
    ...gonePart(comparison),
    ...freshPart(comparison, fresh),
    ...passedAgainPart(comparison),
  ];
}

/** What always passed in the baseline and fails now: `` `task-1` fails what always passed on main: 0 of 3 now, 5 of 5 there ``. */
function failingPart(comparison: Comparison): string[] {
  const failing = newlyFailing(comparison);
  if (failing.length === 0) return [];
  const always = `what always passed ${inBaseline(comparison.source)}`;
  const tasks = examplesOf(failing);
  if (tasks.length === 1) {
    const now = runsPassed(failing, "current");
    const there = ofText(runsPassed(failing, "baseline"));
    return [
      `${tasksText(comparison, tasks)} fails ${always}: ${String(now.passes)} of ${count(now.runs, "run")} now, ${there} there`,
    ];
  }
  const all = countTasks(comparison.pairs);
  const some = tasks.length === all ? `all ${String(all)}` : `${String(tasks.length)} of ${String(all)}`;
  return [`${some} tasks fail ${always}${inSuites(tasks, [...comparison.pairs, ...comparison.added])}`];
}

/** What a first grade says of tasks that dropped and run again. */
export function againSentences(
  comparison: Comparison,
  tasks: readonly Pick<GradeKey, "suite" | "task">[],
): Sentences {
  const { pairs } = comparison;
  const keys = new Set(tasks.map(taskKeyOfAnyModel));
  const all = countTasks(pairs);
  const dropped = pairs.filter((pair) => keys.has(taskKeyOfAnyModel(pair)));
  const run = plural(keys.size, "runs", "run");
  return [
    `${all === 1 ? "the only task" : `${String(keys.size)} of ${String(all)} tasks`} dropped, and ${run} again before this is decided`,
    `One run can fail by bad luck: ${tasksText(comparison, examplesOf(dropped))} ${run} ${String(FURTHER_RUNS)} more times, and all runs decide`,
    "If these are lost, the last grade is red",
  ];
}

/** Tasks that dropped, and passed more often than not with their further runs. */
function passedAgainPart(comparison: Comparison): string[] {
  const { pairs, source } = comparison;
  const again = pairs.filter((pair) => source.again?.has(taskKeyOfAnyModel(pair)));
  const passed = [...Map.groupBy(again, taskKeyOfAnyModel).values()].filter((own) => {
    const { passes, runs } = runsPassed(own, "current");
    return passes * 2 > runs;
  });
  return passed.length === 0
    ? []
    : [`${tasksText(comparison, examplesOf(passed.flat()))} dropped and passed again`];
}

/** How many runs of these graders' task passed all of them. */
function runsPassed(pairs: readonly Pair[], side: "baseline" | "current"): Tally {
  const grades = pairs.flatMap((pair) => pair[side].grades);
  const runs = [...Map.groupBy(grades, identityOf).values()];
  return {
    passes: runs.filter((own) => own.every(({ state }) => state === "passed")).length,
    runs: runs.length,
  };
}

/** What the baseline has graded, and now nothing grades. */
export function gonePart({ removed, pairs, notComparable, added, source }: Comparison): string[] {
  const kept = [...pairs, ...notComparable, ...added];
  const suites = new Set(kept.map(({ suite }) => suite));
  const here = new Set(kept.map(taskKeyOfAnyModel));
  const {
    whole = [],
    task = [],
    grader = [],
  } = Object.groupBy(removed, (one) =>
    !suites.has(one.suite) ? "whole" : here.has(taskKeyOfAnyModel(one)) ? "grader" : "task",
  );
  const nameIn = ({ suite, task }: GradeKey) => (suites.size > 1 ? `${suite}/${task}` : task);
  const names = { task: new Set(task.map(nameIn)), grader: new Set(grader.map((one) => one.grader)) };
  const parts = (["task", "grader"] as const).flatMap((noun) => {
    const { size } = names[noun];
    const gone = `${count(size, noun)} of ${nameOf(source)} ${plural(size, "is", "are")} gone`;
    return size === 0 ? [] : [`${gone} (${listed([...names[noun]].map(quoted), MOST_NAMED)})`];
  });
  const bySuite = [...Map.groupBy(whole, ({ suite }) => suite)];
  const orphans = bySuite.flatMap(([suite]) => (source.orphaned?.has(suite) ? quoted(suite) : []));
  const retired = bySuite.flatMap(([suite, its]) => {
    if (source.orphaned?.has(suite)) return [];
    const number = countTasks(its);
    const all = number === 1 ? "the only task" : `all ${String(number)} tasks`;
    return `${all} of ${quoted(suite)} ${plural(number, "is", "are")} gone`;
  });
  const lost = `the evals of ${listed(orphans, MOST_NAMED)} are no longer graded, and ${plural(orphans.length, "its", "their")} skill or folder is still here`;
  return [
    ...parts,
    ...(retired.length === 0 ? [] : [listed(retired, MOST_NAMED)]),
    ...(orphans.length === 0 ? [] : [lost]),
  ];
}

/** Whether evals are gone of a skill that is still here: what nothing asks, nothing passes. */
export function hasOrphans({ removed, source }: Pick<Comparison, "removed" | "source">): boolean {
  return removed.some(({ suite }) => source.orphaned?.has(suite));
}

/** What fails that the baseline does not have yet. */
function freshPart(comparison: Comparison, fresh: readonly VerdictRow[]): string[] {
  if (fresh.length === 0) return [];
  const where = inBaseline(comparison.source);
  return [`${failing(comparison, fresh)}, which decides nothing: not ${where} yet in this form`];
}

/** What failed and cannot be compared, by no one else's doing. */
function blamedPart(comparison: Comparison, blamed: readonly VerdictRow[]): string[] {
  const { pairs, notComparable, source } = comparison;
  const known = new Set([...pairs, ...notComparable].map(taskKeyOfAnyModel));
  const reasons = reasonsOf(notComparable);
  const others = blamed.filter((row) => reasons.has(row));
  const added = blamed.filter((row) => !reasons.has(row));
  const tasks = added.filter((row) => !known.has(taskKeyOfAnyModel(row)));
  const graders = added.filter((row) => known.has(taskKeyOfAnyModel(row)));
  const names = [...new Set(graders.map(({ grader }) => quoted(grader)))];
  const why = new Set(others.map((row) => reasons.get(row)));
  const main = nameOf(source);
  const one = onePerTask(tasks).length === 1;
  const texts = [
    [
      tasks,
      `${main} has no result of ${one ? "task" : "the tasks"} ${tasksText(comparison, tasks)} yet (new, renamed or moved), and ${one ? "it" : "they"} failed`,
    ],
    [
      graders,
      `${main} has no result of ${listed(names, MOST_NAMED)} in ${tasksText(comparison, graders)} yet, and ${plural(names.length, "it", "they")} failed`,
    ],
    [
      others,
      `${failing(comparison, others)} and cannot be compared with ${main}${why.size === 1 ? ` (${[...why].join()})` : ""}`,
    ],
  ] as const;
  return texts.flatMap(([rows, text]) => (rows.length > 0 ? [text] : []));
}

/** `` `a`, `b` fail ``. */
function failing(comparison: Comparison, rows: readonly VerdictRow[]): string {
  return `${tasksText(comparison, rows)} ${plural(onePerTask(rows).length, "fails", "fail")}`;
}

/** Why grades cannot be compared. */
export function reasonsOf(notComparable: readonly NotComparable[]): ReadonlyMap<Row, string> {
  return new Map(
    notComparable.flatMap(({ current, reason }) => current.map((row) => [row, reason] as const)),
  );
}

/** `3 of 5`. */
export function ofText({ passes, runs }: Tally): string {
  return `${String(passes)} of ${String(runs)}`;
}
