/** What `waza-grade run` left out by its plan, and what is said of that plan: why runs are not there, and what changed meanwhile. */
import { resolve } from "node:path";
import { DISABLED, NARROWED, type ResultsFile, type RunsPlan } from "../domain/run.ts";
import type { Suite, Task } from "../domain/suite.ts";
import { error, notice, warning, type Problem } from "../domain/problem.ts";
import { digestOfFile } from "../files/digest.ts";
import { count, listedCode } from "../text/format.ts";
import type { WhyLeft } from "./why-left-out.ts";
import { filesOf, tasksOf } from "./planned.ts";

/** Maximum evals and tasks that a notice names. */
const MOST_NAMED = 50;

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

/** The notice of runs of earlier calls: those of agents that none of the planned runs has, and the others. */
function oldRuns({ runs, old }: RunsPlan): Problem[] {
  if (old.length === 0) return [];
  const agents = new Set(runs.map(({ agent }) => agent));
  const parts = [
    ["by another agent", old.filter(({ agent }) => !agents.has(agent))],
    ["of another skill, prompt or eval than now", old.filter(({ agent }) => agents.has(agent))],
  ] as const;
  const said = parts.flatMap(([what, its]) => {
    const names = its.map(({ agent, model }) => [agent, model].filter(Boolean).join(" with "));
    return its.length === 0 ? [] : `${count(its.length, "run")} ${what} (${listedCode(new Set(names))})`;
  });
  return [
    notice("old-runs", `Made before, and not graded with these: ${said.join(", ")}.`, {
      help: `\`waza-grade run\` with that agent makes what is old anew, and keeps the rest.`,
    }),
  ];
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
