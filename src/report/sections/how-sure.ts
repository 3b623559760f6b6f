/** How sure the figures are: the rate of tasks with its interval, pass^k, and tasks that pass only sometimes. Pure. */
import { suitePassHatK, wilson } from "../../compare/statistics.ts";
import type { Tally } from "../../compare/statistics.ts";
import type { TaskScore } from "../../domain/scores.ts";
import { count, formatNumber, formatScore } from "../../text/format.ts";
import { plainState } from "../../text/states.ts";
import { between, code, line, name, several } from "../document/tree.ts";
import type { Line } from "../document/tree.ts";
import type { Section } from "./section.ts";

/** Characters of a model's name. */
const NAME = 300;
/** Maximum values of pass^k to list; of more, only the first and the last. */
const MOST_K = 5;
/** Flaky tasks that are named. */
const FLAKY = 10;

/** How many runs of a task passed, by all graders, of those with a verdict of every grader. */
function runsPassed({ runs }: TaskScore): Tally {
  const whole = runs.filter(({ grades }) => grades.every(({ verdict }) => verdict.state === "graded"));
  const passed = whole.filter(({ grades }) => grades.every((grade) => plainState(grade) === "passed"));
  return { passes: passed.length, runs: whole.length };
}

/** `4/5`; a dash where no run has all its verdicts. */
export function runsCell(task: TaskScore): string {
  const { passes, runs } = runsPassed(task);
  return runs === 0 ? "–" : `${String(passes)}/${String(runs)}`;
}

/** The tasks that passed, every run of them by each model, with Wilson's interval; with several runs also pass^k and the flaky tasks. */
export const howSureSection: Section = ({ scores }) => {
  // Runs of one task by several models are correlated, so they count as one task.
  const byTask = scores.suites.flatMap(({ tasks: its }) => {
    const tallies = its
      .map((task) => ({ task, tally: runsPassed(task) }))
      .filter(({ tally }) => tally.runs > 0);
    return [...Map.groupBy(tallies, ({ task }) => task.taskId).values()];
  });
  const tasks = byTask.flat();
  // One run of one task is its own figure.
  if (tasks.reduce((sum, { tally }) => sum + tally.runs, 0) < 2) return [];
  const passed = byTask.filter((its) => its.every(({ tally }) => tally.passes === tally.runs)).length;
  const { lower, upper } = wilson({ passes: passed, runs: byTask.length });
  const whole = (share: number) => String(Math.round(100 * share));
  const isRepeated = tasks.length > byTask.length || tasks.some(({ tally }) => tally.runs > 1);
  const everyRun = isRepeated ? " in every run" : "";
  const rate = `${formatNumber(passed)} of ${count(byTask.length, "task")} passed${everyRun} (95 % interval: ${whole(lower)} to ${whole(upper)} %)`;
  const flaky = tasks.filter(({ tally: { passes, runs } }) => passes > 0 && passes < runs);
  const models = new Set(tasks.map(({ task }) => task.model)).size;
  const names = flaky.map(({ task }): Line => [...nameOf(task, models > 1), ` ${runsCell(task)}`]);
  return [
    line(
      ...between([
        [rate],
        passHatKPart(tasks.map(({ tally }) => tally)),
        names.length > 0 ? ["flaky: ", ...several(names, FLAKY)] : [],
      ]),
    ),
  ];
};

/** `pass^1 0.73, pass^2 0.57` and what that is; nothing where a task has one run alone. */
function passHatKPart(tallies: readonly Tally[]): Line {
  const chances = suitePassHatK(tallies);
  if (chances.length < 2) return [];
  const values = chances.map((chance, index) => `pass^${String(index + 1)} ${formatScore(chance)}`);
  const list = (values.length > MOST_K ? [values[0], values.at(-1)] : values).join(", ");
  return [`${list} (pass^k: the chance that k runs of a task all pass)`];
}

function nameOf({ taskId, model }: TaskScore, several: boolean): Line {
  return [code(taskId), ...(several && model !== "" ? [" (", name(model, NAME), ")"] : [])];
}
