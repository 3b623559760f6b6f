/**
 * Which evals and tasks are run and graded, why others are left out, and what is said of that and of the plan of runs: for
 * `init`, `run`, its dry run, and grading alike.
 */
import { resolve } from "node:path";
import type { ResultsFile } from "../domain/run.ts";
import { DISABLED, NARROWED, NOT_CHANGED, type RunsPlan } from "../outputs/list-of-runs.ts";
import type { Suite, Task } from "../domain/suite.ts";
import { error, notice, warning, type Problem } from "../domain/problem.ts";
import { digestOfFile } from "../files/digest.ts";
import { unchangedBy, type Changes } from "../github/changes.ts";
import { filesOf, rowsOfPlan, tasksOf, whyNotSelected } from "./planned.ts";
import { count, listedCode } from "../text/format.ts";

/** Maximum evals and tasks that a notice names. */
const MOST_NAMED = 50;

/** Why an eval, or one of its tasks, is not run or not graded; undefined for one that is. */
export type WhyLeft = (suite: Suite, task?: Task) => string | undefined;

interface Choosing {
  /** Globs over ids and names of tasks; empty for all. */
  readonly tasks: readonly string[];
  /** What is changed below a repository's root; absent where evals count that are not. */
  readonly changes?: ((root: string) => Promise<Changes>) | undefined;
  /** What `waza-grade run` planned; absent before it, and for results of other origin. */
  readonly plan?: RunsPlan | undefined;
}

/** Chooses among these evals. */
export async function choose(
  suites: readonly Suite[],
  { tasks: globs, changes, plan }: Choosing,
): Promise<
  Pick<Awaited<ReturnType<typeof unchangedBy>>, "problems" | "between"> & { readonly whyLeft: WhyLeft }
> {
  const { suites: unchanged, ...by } = changes
    ? await unchangedBy(changes, suites)
    : { suites: new Set(), problems: [] };
  return {
    whyLeft: (suite, task) => {
      if (unchanged.has(suite)) return NOT_CHANGED;
      const why = plan && whyLeftByPlan(plan, suite, task);
      if (why !== undefined || task === undefined) return why;
      return whyNotSelected(globs, suite, task);
    },
    ...by,
  };
}

/** No list plans it, and one leaves it out. */
function whyLeftByPlan(plan: RunsPlan, suite: Suite, task: Task | undefined): string | undefined {
  const isOf = (one: RunsPlan["left"][number]) => one.task === undefined || one.task === task?.id;
  const left = plan.left.find((one) => one.eval === suite.at.path && isOf(one));
  return left && rowsOfPlan(plan, suite, task).length === 0 ? left.why : undefined;
}

interface OfRuns {
  readonly suites: readonly Suite[];
  readonly whyLeft: WhyLeft;
  readonly runsPlan?: RunsPlan | undefined;
  readonly results: readonly ResultsFile[];
}

/** All that is to be said of the plan of the runs, and of what inputs leave out. */
export async function planProblems(read: OfRuns, workspace: string): Promise<Problem[]> {
  const { runsPlan: plan, suites } = read;
  const tasks = suites.flatMap((suite) =>
    tasksOf(suite, filesOf(suite, read)).map((task) => ({ suite, task })),
  );
  const left = leftOutProblems(read, plan ? "Not run" : "Left out", tasks);
  if (plan === undefined) return left;
  return [
    ...left,
    ...oldRuns(plan),
    ...plan.ended.map((why) => warning("run-ended", `The agent was not run to the end: ${why}`)),
    ...(await changedWhileRunning(plan, suites, workspace)),
  ];
}

/** What is left out: a notice for each reason on purpose, and an error for each mistake. */
export function leftOutProblems(
  { suites, whyLeft }: Pick<OfRuns, "suites" | "whyLeft">,
  how: "Not run" | "Left out",
  tasks: readonly { readonly suite: Suite; readonly task: Task }[] = [],
): Problem[] {
  const whole = suites
    .filter(({ broken }) => !broken)
    .map((suite) => ({ what: suite.at.path, at: suite.at, why: whyLeft(suite) }));
  const single = tasks
    .filter(({ suite }) => !suite.broken && whyLeft(suite) === undefined)
    .map(({ suite, task }) => ({
      what: `${suite.title}/${task.id}`,
      at: task.at ?? suite.at,
      why: task.enabled ? whyLeft(suite, task) : DISABLED,
    }));
  const byReason = Map.groupBy([...whole, ...single], ({ why }) => why);
  return [...byReason].flatMap(([why, its]) => {
    if (why === undefined) return [];
    if (!NARROWED.includes(why)) return its.map(({ at }) => error("not-run", why, { at }));
    const names = listedCode(
      its.map(({ what }) => what),
      MOST_NAMED,
    );
    return notice("not-run", `${how} (${why}), and so not graded: ${names}.`);
  });
}

/** The notice of runs of earlier calls, by other agents or of what has changed since. */
function oldRuns({ old }: RunsPlan): Problem[] {
  if (old.length === 0) return [];
  const agents = listedCode(
    new Set(old.map(({ agent, model }) => [agent, model].filter(Boolean).join(" with "))),
  );
  const message = `Made before, by another agent or of another skill, prompt or eval than now, and not graded with these: ${count(old.length, "run")} (${agents}).`;
  const help = "`waza-grade run` with that agent makes what is old anew, and keeps the rest.";
  return [notice("old-runs", message, { help })];
}

/** An error where files that say what is judged changed while agents worked, and are still as they were found then. */
async function changedWhileRunning(
  { touched }: RunsPlan,
  suites: readonly Suite[],
  workspace: string,
): Promise<Problem[]> {
  const roots = [...new Set([workspace, ...suites.flatMap(({ root }) => root ?? [])])];
  const found = await Promise.all(
    touched.map(async ({ file, sha256 }) => {
      const now = await Promise.all(roots.map((root) => digestOfFile(resolve(root, file))));
      const isSame = sha256 === "" ? now.every((one) => one === undefined) : now.includes(sha256);
      return isSame ? file : [];
    }),
  );
  const files = new Set(found.flat());
  if (files.size === 0) return [];
  return [
    error("judge-changed", `Changed while agents worked, and still so: ${listedCode(files)}.`, {
      help: "By this the runs are judged. Look at the change: `waza-grade run` once more, which keeps the runs, accepts it.",
    }),
  ];
}
