/** Which evals and tasks are run and graded, and why others are not: for `init`, `run`, its dry run, and grading alike. */
import { NOT_CHANGED, type RunsPlan } from "../domain/run.ts";
import type { Suite, Task } from "../domain/suite.ts";
import { unchangedBy, type Changes } from "../github/changes.ts";
import { rowsOfPlan, whyNotSelected } from "./planned.ts";

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
