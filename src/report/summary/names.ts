/** Grades with the names a reader finds them by. */
import type { Grade, Report, RunScore, TaskScore } from "../../domain.ts";
import { once } from "../../once.ts";

/** A grade, and the name a reader finds it by. */
export interface Shown {
  readonly grade: Grade;
  readonly label: string;
  /** The same without the run. */
  readonly place: string;
}

/** Every grade with the name a reader finds it by: task, and the run or model where there are several. */
export function shownGrades({ scores }: Report): readonly Shown[] {
  return once(SHOWN, scores, () => named(scores));
}

/** Every section of every page asks for them. */
const SHOWN = new WeakMap<Report["scores"], readonly Shown[]>();

/** What is made of the items, up to the first for which there is no room: what holds it is too long, and not shown. */
export function fitting<T>(items: readonly T[], room: number, make: (item: T) => string): string[] {
  const made: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = make(item);
    made.push(text);
    length += text.length;
    if (length > room) break;
  }
  return made;
}

function named(scores: Report["scores"]): Shown[] {
  return scores.suites.flatMap(({ tasks, suite }) => {
    const models = new Set(tasks.flatMap(({ model }) => model || [])).size;
    const inSuite = scores.suites.length > 1 ? [suite.title] : [];
    return tasks.flatMap((task) => {
      const numbers = Map.groupBy(task.runs, ({ number }) => number);
      const model = models > 1 && task.model !== "" ? [task.model] : [];
      const place = [...inSuite, task.taskId, ...model].join(" · ");
      const inOrder = task.runs.every((run, index) => run.number === index + 1);
      return task.runs.flatMap((run) => {
        const twice = (numbers.get(run.number)?.length ?? 0) > 1;
        const say = { models: models > 1, file: twice, inOrder };
        const label = [...inSuite, ...labels(task, run, say)].join(" · ");
        return run.grades.map((grade) => ({ grade, label, place }));
      });
    });
  });
}

interface Said {
  readonly models: boolean;
  readonly file: boolean;
  readonly inOrder: boolean;
}

function labels(task: TaskScore, run: RunScore, say: Said): string[] {
  return [
    task.taskId,
    ...(task.runs.length > 1 ? [runName(task, run, say.inOrder)] : []),
    ...(say.models && task.model !== "" ? [task.model] : []),
    ...(say.file && run.file !== undefined ? [run.file] : []),
  ];
}

/** `run 2 of 3`, where the numbers of the runs are 1 to 3. */
function runName({ runs }: TaskScore, { number }: RunScore, inOrder: boolean): string {
  return `run ${String(number)}${inOrder ? ` of ${String(runs.length)}` : ""}`;
}
