/** The grade step; a dry run asks no judge. */
import type { Estimate } from "../domain/estimate.ts";
import type { Grade, GradingJob } from "../domain/grade.ts";
import { count, formatNumber, listedCode } from "../text/format.ts";
import type { RunContext } from "../github/context.ts";
import { gradeJobs, plannedRequests } from "../judge/grade.ts";
import type { GradeOptions } from "../judge/grade.ts";
import { resolveModel, htmlFileOf, secretsOf } from "../inputs/inputs.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { CHARACTERS_PER_TOKEN } from "../judge/evidence/messages.ts";
import { describeEstimate, estimate } from "../judge/spend/estimate.ts";
import { assumeRun, unasked } from "../plan/dry-run.ts";
import type { Plan } from "../plan/plan.ts";
import { withoutKeyReason } from "./preflight.ts";
import { progressLog } from "./progress.ts";
import { redactor } from "../report/redact.ts";
import type { Dependencies } from "./dependencies.ts";

export interface Made {
  readonly grades: readonly Grade[];
  readonly estimated?: Estimate | undefined;
}

/** Grades the jobs; a dry run only estimates them. */
export async function gradeAll(
  jobs: readonly GradingJob[],
  plan: Plan,
  options: Dependencies,
): Promise<Made> {
  const { inputs, context, judge, log, cancelled } = options;
  const { timeoutMs, maxConcurrency } = inputs;
  const asking: GradeOptions = {
    timeoutMs,
    maxConcurrency,
    maxEvidence: inputs.maxEvidence * CHARACTERS_PER_TOKEN,
    // What no judge may see: the workflow's token, and the keys of endpoints.
    redact: redactor([inputs.token, ...inputs.providerSecrets]),
    judge,
    cancelled,
    withoutKey: withoutKeyReason(context),
    keepShown: htmlFileOf(inputs) !== undefined,
  };
  if (inputs.dryRun) return await countOnly(jobs, plan, { ...options, asking });
  if (jobs.length > 0) log.line(announcement(jobs, inputs, context));
  const grades = await gradeJobs(jobs, {
    ...asking,
    onGrade: progressLog(jobs, { ...log, redact: redactor(secretsOf(inputs), { shapes: true }) }),
  });
  return { grades };
}

/** Every grade as skipped, and the estimate; missing runs are assumed. */
async function countOnly(
  jobs: readonly GradingJob[],
  plan: Plan,
  { inputs, price, recordOf, log, asking }: Dependencies & { readonly asking: GradeOptions },
): Promise<Made> {
  const { votes, confirmOnFail, confirmModel, caps, offline } = inputs;
  const planned = [...plan.jobs, ...plan.lift].map(assumeRun);
  const estimated = await estimate(plannedRequests(planned, asking), {
    votes,
    confirmOnFail,
    confirmModel,
    caps,
    offline,
    pricedAs: (model) => resolveModel(inputs, model),
    price,
    recordOf,
  });
  if (planned.length > 0) log.line(`A dry run: ${describeEstimate(estimated)}.`);
  return { grades: await gradeJobs(jobs.map(unasked), asking), estimated };
}

/** The log's first line: the number of grades, the judges and the reported commit. */
function announcement(jobs: readonly GradingJob[], inputs: Inputs, { base, sha }: RunContext): string {
  const judged = jobs.filter(({ settled }) => !settled);
  const judges = [...Map.groupBy(judged, ({ judgeModel }) => resolveModel(inputs, judgeModel).baseUrl)].map(
    ([at, own]) => {
      const models = own.map(({ judgeModel }) => judgeModel);
      return `${listedCode(models, 3)} at ${at}`;
    },
  );
  const { confirmModel } = inputs;
  const second =
    confirmModel === undefined
      ? ""
      : `, failures by \`${confirmModel}\` at ${resolveModel(inputs, confirmModel).baseUrl}`;
  const most = count(inputs.maxConcurrency, "request");
  const judge = inputs.offline
    ? "recorded verdicts only"
    : judges.length === 0
      ? "no judge to ask"
      : `judge ${judges.join(", ")}${second}, at most ${most} at once`;
  const into = base === undefined ? "" : `, a change to ${base}`;
  const on = sha === undefined ? "" : `; reported on ${sha.slice(0, 7)}${into}`;
  const withRun = jobs.filter(({ run }) => run);
  const runs = new Set(withRun.map(({ run }) => run)).size;
  const missing = jobs.length - withRun.length;
  const without = missing === 0 ? "" : `, ${formatNumber(missing)} without a run`;
  const advisoryCount = jobs.filter(({ advisory }) => advisory).length;
  const apart = advisoryCount === 0 ? "" : ` (${formatNumber(advisoryCount)} advisory)`;
  return `${count(withRun.length, "grade")}${apart} of ${count(runs, "run")}${without}; ${judge}${on}`;
}
