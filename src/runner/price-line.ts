/** The line before anything is spent: how many runs and grades there will be, and what the grades cost. */
import { OPENAI } from "../judge/api/wire.ts";
import { estimate } from "../judge/estimate.ts";
import { plannedRequests } from "../judge/grade.ts";
import { prices } from "../judge/spend.ts";
import { jobsAhead } from "../plan/plan.ts";
import { tasksOf } from "../plan/planned.ts";
import { assumeRun } from "../plan/settled.ts";
import { count, formatAbout, formatDollars, listedCode } from "../text/format.ts";
import type { RunOptions } from "./options.ts";
import type { PlannedRun } from "./plan-runs.ts";

/**
 * `40 runs of claude-code (not priced here), then 80 grades, about $0.03 (at most $0.20) with gpt-6-luna`: the judges are
 * those that the evals name, at `baseUrl`. The agent's answers are not known yet, so nothing of them is counted.
 */
export async function priceLine(
  planned: readonly PlannedRun[],
  { agent, model, withoutSkill }: Pick<RunOptions, "agent" | "model" | "withoutSkill">,
  baseUrl?: string,
): Promise<string> {
  const tasks = new Set(planned.map(({ suite, task }) => task ?? suite)).size;
  const sides = withoutSkill ? " x 2 sides" : "";
  const name = model === undefined ? agent : `${agent} with ${model}`;
  const runs = `${count(tasks, "task")}${sides}: ${count(planned.length, "run")} of ${name} (not priced here)`;
  const grades = await gradesPart(planned, baseUrl);
  return `${runs}${grades}.`;
}

/** What the grades of these runs cost with the judges that the evals name; empty where no judge is asked. */
async function gradesPart(planned: readonly PlannedRun[], url?: string): Promise<string> {
  const runs = planned.flatMap((run) => (run.task ? { ...run, task: run.task } : runsOfWaza(run)));
  const jobs = jobsAhead(runs, {}).map(assumeRun);
  if (jobs.length === 0) return "";
  const baseUrl = url || OPENAI;
  const { cost } = await estimate(plannedRequests(jobs, { redact: (text) => text, timeoutMs: 0 }), {
    votes: 1,
    confirmOnFail: 0,
    pricedAs: (model) => ({ model, baseUrl }),
    price: prices([]),
    caps: {},
    offline: false,
  });
  const grades = `, then ${count(jobs.length, "grade")}`;
  if (!cost) return `${grades}, which \`waza-grade --dry-run\` prices`;
  const models = [...new Set(jobs.map(({ judgeModel }) => judgeModel))];
  return `${grades}, ${formatAbout(cost, formatDollars)} with ${listedCode(models)}`;
}

/** waza runs a whole eval at once, every task as often as planned. */
function runsOfWaza({ suite, trials }: PlannedRun) {
  return tasksOf(suite, []).flatMap((task) =>
    Array.from({ length: trials }, (_, index) => ({ suite, task, trial: index + 1 })),
  );
}
