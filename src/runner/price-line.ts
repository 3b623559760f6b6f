/** The line that says which runs are to be made, with the price of what judges will do. */
import { OPENAI } from "../judge/api/wire.ts";
import { estimate } from "../judge/estimate.ts";
import { plannedRequests } from "../judge/grade.ts";
import { prices } from "../judge/spend.ts";
import { runFilesBelow } from "../outputs/find-outputs.ts";
import { readRunJson } from "../outputs/run-json.ts";
import { jobsAhead } from "../plan/plan.ts";
import { runsOf, type PlannedRun } from "../plan/runs.ts";
import { assumeRun } from "../plan/settled.ts";
import { count, formatAbout, formatDollars, listedCode, plural, sumOf } from "../text/format.ts";
import type { Call, PricedJudge } from "./making.ts";
import type { RunOptions } from "./run-options.ts";

/**
 * `40 runs of claude-code (9 runs cost $0.42 so far), then 80 grades, about $0.03 (at most $0.20) if the judge is
 * gpt-6-luna`: the agent by its own runs in `out`, the judges as given, else those that the evals name. The agent's answers
 * are not known yet, so nothing of them is counted; nor are the grades of runs that are kept.
 */
export async function priceLine({ planned, kept, options, env, judge }: Call): Promise<string> {
  const { agent, model } = options;
  const tasks = new Set(planned.map(({ suite, task }) => task ?? suite)).size;
  const sides = planned.some((run) => run.sides === 2) ? " x 2 sides" : "";
  const name = model === undefined ? agent : `${agent} with ${model}`;
  const before = kept.size === 0 ? "" : `, ${String(kept.size)} of them kept`;
  const runs = `${count(tasks, "task")}${sides}: ${count(planned.length, "run")} of ${name}${before} (${costSoFar(options)})`;
  const fresh = planned.filter((run) => !kept.has(run));
  const grades = await gradesPart(fresh, kept.size > 0 ? "new grade" : "grade", {
    baseUrl: env.OPENAI_BASE_URL,
    ...judge,
  });
  return `${runs}${grades}.`;
}

/** What runs of the agent have cost, by their logs. */
function costSoFar({ agent, model, out }: RunOptions): string {
  const records = runFilesBelow(out)
    .flatMap((file) => readRunJson(file) ?? [])
    .filter((record) => record.agent === agent && record.model === model);
  const costs = records.flatMap(({ costUsd }) => costUsd ?? []);
  if (costs.length > 0) return `${count(costs.length, "run")} cost ${formatDollars(sumOf(costs))} so far`;
  return records.length > 0 ? "their logs say no cost" : "the cost is not known before the first run";
}

/** What the grades of these runs cost with the judges that the evals name; empty where no judge is asked. */
async function gradesPart(
  planned: readonly PlannedRun[],
  what: string,
  { judgeModel, baseUrl: url }: PricedJudge,
): Promise<string> {
  const jobs = jobsAhead(planned.flatMap(runsOf), { judgeModel }).map(assumeRun);
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
