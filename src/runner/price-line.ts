/** The line that says which runs are to be made, with the price of what judges will do. */
import { OPENAI } from "../judge/api/wire.ts";
import { estimate } from "../judge/estimate.ts";
import { plannedRequests } from "../judge/grade.ts";
import { prices } from "../judge/spend.ts";
import { jobsAhead } from "../plan/plan.ts";
import { runsOf, type PlannedRun, type RunsRequest } from "../plan/runs.ts";
import { assumeRun } from "../plan/settled.ts";
import { count, formatAbout, formatDollars, listedCode, plural } from "../text/format.ts";

/**
 * `40 runs of claude-code (not priced here), then 80 grades, about $0.03 (at most $0.20) if the judge is gpt-6-luna`: the
 * judges are those that the evals name, at `baseUrl`. The agent's answers are not known yet, so nothing of them is
 * counted; nor are the grades of runs that are kept.
 */
export async function priceLine<T extends PlannedRun>(
  { planned, kept }: { readonly planned: readonly T[]; readonly kept: ReadonlyMap<T, unknown> },
  { agent, model }: Pick<RunsRequest, "agent" | "model">,
  baseUrl?: string,
): Promise<string> {
  const tasks = new Set(planned.map(({ suite, task }) => task ?? suite)).size;
  const sides = planned.some((run) => run.sides === 2) ? " x 2 sides" : "";
  const name = model === undefined ? agent : `${agent} with ${model}`;
  const before = kept.size === 0 ? "" : `, ${String(kept.size)} of them kept`;
  const runs = `${count(tasks, "task")}${sides}: ${count(planned.length, "run")} of ${name}${before} (not priced here)`;
  const fresh = planned.filter((run) => !kept.has(run));
  const grades = await gradesPart(fresh, kept.size > 0 ? "new grade" : "grade", baseUrl);
  return `${runs}${grades}.`;
}

/** What the grades of these runs cost with the judges that the evals name; empty where no judge is asked. */
async function gradesPart(planned: readonly PlannedRun[], what: string, url?: string): Promise<string> {
  const runs = planned.flatMap(runsOf);
  const jobs = jobsAhead(runs, {}).map(assumeRun);
  if (jobs.length === 0) return "";
  const baseUrl = url || OPENAI;
  const { cost } = await estimate(plannedRequests(jobs, { redact: (text) => text }), {
    votes: 1,
    confirmOnFail: 0,
    pricedAs: (model) => ({ model, baseUrl }),
    price: prices([]),
    caps: {},
    offline: false,
  });
  const grades = `, then ${count(jobs.length, what)}`;
  if (!cost) return `${grades}, which \`waza-grade --dry-run\` prices`;
  const models = [...new Set(jobs.map(({ judgeModel }) => judgeModel))];
  return `${grades}, ${formatAbout(cost, formatDollars)} if the ${plural(models.length, "judge is", "judges are")} ${listedCode(models)}`;
}
