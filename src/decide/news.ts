/** What comes beside the score of a comparison: one task that rose must not hide another that died. Pure. */
import { type Comparison, addedModels, goneSuites, runsPassed, taskGroups } from "./compare.ts";
import { examplesOf, named, ofSome, onePerTask, quoted, tasksText } from "./names.ts";
import { type NotComparable, type Pair, inBaseline, nameOf } from "./pairs.ts";
import { FURTHER_RUNS } from "./second-look.ts";
import type { AskedAgain, Sentences } from "../domain/grade.ts";
import { type GradeKey, type Row, type VerdictRow, countTasks, taskKeyOfAnyModel } from "../domain/row.ts";
import { count, plural } from "../text/format.ts";

/** What failed and no pair holds: what nothing excuses, and what the baseline does not have yet. */
export type Beside = Readonly<Record<"blamed" | "fresh", readonly VerdictRow[]>>;

/** What died, fails newly, is not excused, is gone, and is new and fails: the worst first. */
export function newsOf(comparison: Comparison, { blamed, fresh }: Beside): string[] {
  const { dead, newly } = taskGroups(comparison);
  const parts = [
    dead.length > 0 && deadPart(comparison, dead),
    newly.length > 0 && newlyPart(comparison, newly),
    ...blamedPart(comparison, blamed),
    ...gonePart(comparison),
    fresh.length > 0 && freshPart(comparison, fresh),
  ];
  return parts.filter((part) => part !== false);
}

/** What dropped, and passed more often than not when it ran again. */
export function passedAgainPart(comparison: Comparison): string[] {
  const { passedAgain } = taskGroups(comparison);
  if (passedAgain.length === 0) return [];
  const tasks = examplesOf(passedAgain.flat());
  const which = tasks.length === 1 ? tasksText(comparison, tasks) : count(tasks.length, "task");
  return [`${which} dropped and passed again`];
}

type Tasks = readonly (readonly Pair[])[];

/** `` `task-1` passes no check any more, and passed on main ``; of several tasks how many, and the first. */
function deadPart(comparison: Comparison, tasks: Tasks): string {
  const pass = plural(tasks.length, "passes", "pass");
  return `${someOfAll(comparison, tasks)} ${pass} no check any more, and passed ${namedAfter(comparison, tasks)}`;
}

/**
 * `` `task-1` fails what always passed on main ``: of whole runs where all of main's passed, else of the graders that always
 * passed. Of several tasks how many, and those that fell most, or the one grader of all.
 */
function newlyPart(comparison: Comparison, tasks: Tasks): string {
  const all = tasks.flat();
  const failing = all.filter(({ change }) => change === "newly-failing");
  const failsIn = (task: readonly Pair[]) =>
    new Set(task.filter(({ change }) => change === "newly-failing").map(({ grader }) => grader));
  // Beside one that broke everywhere, chance may fail another.
  const [broken, ...more] = [...failsIn(all)].filter((grader) =>
    tasks.every((task) => failsIn(task).has(grader)),
  );
  const isWhole = tasks.every((pairs) => {
    const { passes, runs } = runsPassed(pairs, "baseline");
    return passes === runs;
  });
  const which = someOfAll(comparison, tasks);
  const isAtTimes = runsPassed(isWhole ? all : failing, "current").passes > 0;
  const fail = isAtTimes ? "failed in some runs" : plural(tasks.length, "fails", "fail");
  if (broken !== undefined && more.length === 0 && failing.length < all.length)
    return `${quoted(broken)} ${isAtTimes ? fail : "fails"} in ${which}, and never failed there ${inBaseline(comparison.source)}`;
  const always = isAtTimes ? `${fail}, and always passed` : `${fail} what always passed`;
  const what = isWhole ? always : `${fail} by graders that never failed there`;
  return `${which} ${what} ${namedAfter(comparison, tasks)}`;
}

/** `5 of 12 tasks`; the only one by its name. */
function someOfAll(comparison: Comparison, tasks: Tasks): string {
  const pairs = tasks.flat();
  if (tasks.length === 1)
    return `${tasksText(comparison, examplesOf(pairs))}${ofSome("model", pairs, comparison.pairs)}`;
  const [all, length] = [countTasks(comparison.pairs), countTasks(pairs)];
  return length === all ? `all ${String(all)} tasks` : `${String(length)} of ${String(all)} tasks`;
}

/** `` on main: `task-1`, `task-2` ``, where it is not all of them. */
function namedAfter(comparison: Comparison, tasks: Tasks): string {
  const where = inBaseline(comparison.source);
  if (tasks.length === 1 || tasks.length === countTasks(comparison.pairs)) return where;
  return `${where}: ${tasksText(comparison, examplesOf(tasks.flat()))}`;
}

/** What a first grade says of tasks and trigger queries that dropped and run again. */
export function againSentences(
  asked: readonly AskedAgain[],
  comparison: Comparison | undefined,
  triggers: Comparison | undefined,
): Sentences {
  const isAsked = (pair: Pair) =>
    asked.some(
      (one) =>
        taskKeyOfAnyModel(one) === taskKeyOfAnyModel(pair) &&
        (one.model ?? pair.current.example.modelAsked) === pair.current.example.modelAsked,
    );
  const dropped = comparison?.pairs.filter(isAsked) ?? [];
  const queries = new Set(triggers?.pairs.filter(isAsked).map(({ task }) => task));
  const query = plural(queries.size, "the trigger query", "the trigger queries");
  const names = [
    ...(comparison && dropped.length > 0
      ? [`${tasksText(comparison, examplesOf(dropped))}${ofSome("model", dropped, comparison.pairs)}`]
      : []),
    ...(queries.size > 0 ? [`${query} ${named(queries)}`] : []),
  ];
  return [
    `${names.join(" and ")} dropped, and ${plural(asked.length, "runs", "run")} ${String(FURTHER_RUNS)} more times before this is decided`,
    "One run can fail by bad luck: all runs decide",
    "If these are lost, the last grade is red",
  ];
}

/** What the baseline has graded, and now nothing grades: suites of which too much is gone first. */
export function gonePart(comparison: Comparison): string[] {
  const { removed, pairs, notComparable, added, source } = comparison;
  const lost = new Set(goneSuites(comparison));
  const kept = [...pairs, ...notComparable, ...added];
  const here = new Set(kept.map(taskKeyOfAnyModel));
  const before = new Set([...pairs, ...notComparable, ...removed].map(taskKeyOfAnyModel));
  const suites = new Set(kept.map(({ suite }) => suite));
  const several = new Set([...kept, ...removed].map(({ suite }) => suite)).size > 1;
  return [...Map.groupBy(removed, ({ suite }) => suite)]
    .sort(([one], [other]) => Number(lost.has(other)) - Number(lost.has(one)))
    .map(([suite, its]) => {
      const { tasks = [], graders = [] } = Object.groupBy(its, (key) =>
        here.has(taskKeyOfAnyModel(key)) ? "graders" : "tasks",
      );
      const where = several ? `, in ${quoted(suite)},` : "";
      const number = countTasks(its);
      const whole = `${number === 1 ? "the only task" : `all ${String(number)} tasks`} of ${quoted(suite)} ${plural(number, "is", "are")} gone`;
      const part = (what: "task" | "grader", names: ReadonlySet<string>) =>
        names.size === 0
          ? []
          : [
              `${count(names.size, what)} of ${nameOf(source)}${where} ${plural(names.size, "is", "are")} gone (${named(names)})`,
            ];
      const parts = suites.has(suite)
        ? [
            ...part("task", new Set(tasks.map(({ task }) => task))),
            ...part("grader", new Set(graders.map(({ grader }) => grader))),
          ]
        : [whole];
      const isNew = (one: GradeKey) => one.suite === suite && !before.has(taskKeyOfAnyModel(one));
      const fresh = countTasks(added.filter(isNew));
      const came = tasks.length > 0 && fresh > 0 ? ` (${count(fresh, "new task")} came)` : "";
      const why = `${suites.has(suite) ? "half of its evals or more, and" : "and"} its skill or folder is still here${came}`;
      return [...parts, ...(lost.has(suite) ? [why] : [])].join(", ");
    });
}

/** What fails that the baseline does not have yet. */
function freshPart(comparison: Comparison, fresh: readonly VerdictRow[]): string {
  const where = inBaseline(comparison.source);
  const models = addedModels(comparison);
  const isOfModels = fresh.every(({ model }) => models.has(model));
  const why = isOfModels
    ? `the model ${named(new Set(fresh.map(({ model }) => model)))} is not ${where} yet`
    : `not ${where} yet in this form`;
  return `${failing(comparison, fresh)}, which decides nothing: ${why}`;
}

/** What failed and cannot be compared, by no one else's doing. */
function blamedPart(comparison: Comparison, blamed: readonly VerdictRow[]): string[] {
  const { pairs, notComparable, source } = comparison;
  const known = new Set([...pairs, ...notComparable].map(taskKeyOfAnyModel));
  const reasons = reasonsOf(notComparable);
  const withReason = blamed.filter((row) => reasons.has(row));
  const added = blamed.filter((row) => !reasons.has(row));
  const tasks = added.filter((row) => !known.has(taskKeyOfAnyModel(row)));
  const graders = added.filter((row) => known.has(taskKeyOfAnyModel(row)));
  const names = new Set(graders.map(({ grader }) => grader));
  const why = new Set(withReason.map((row) => reasons.get(row)));
  const main = nameOf(source);
  const isSingle = onePerTask(tasks).length === 1;
  const models = addedModels(comparison);
  const by = new Set(graders.flatMap(({ model }) => (models.has(model) ? model : [])));
  const texts = [
    [
      tasks,
      `${main} has no result of ${isSingle ? "task" : "the tasks"} ${tasksText(comparison, tasks)} yet (new, renamed or moved), and ${isSingle ? "it" : "they"} failed`,
    ],
    [
      graders,
      by.size > 0
        ? `${main} has no result of the model ${named(by)} yet, and ${failing(comparison, graders)} with it`
        : `${main} has no result of ${named(names)} in ${tasksText(comparison, graders)} yet, and ${plural(names.size, "it", "they")} failed`,
    ],
    [
      withReason,
      `${failing(comparison, withReason)} and cannot be compared with ${main}${why.size === 1 ? ` (${[...why].join()})` : ""}`,
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
