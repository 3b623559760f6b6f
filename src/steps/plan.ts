/** The step that plans: which grades are to be made of what was read, and in which folder each run worked. */
import { AS_RECORDED, asRecorded, NOT_UNTRUSTED } from "../records/recorded-verdicts.ts";
import { useKeptWorkspaces } from "../plan/kept-workspaces.ts";
import { findWorkspaces } from "../plan/workspaces.ts";
import type { RunContext } from "../github/context.ts";
import { resolveModel } from "../inputs/inputs.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { keyIsMissing, withoutKeyReason } from "./preflight.ts";
import { isWithoutSkill } from "../score/score.ts";
import { planJobs } from "../plan/plan.ts";
import type { Plan } from "../plan/plan.ts";
import { laterAttempts } from "../plan/later-attempts.ts";
import { withoutSharedRuns } from "../plan/shared-runs.ts";
import { withoutSameRuns } from "../plan/same-runs.ts";
import type { GradingJob } from "../domain/grade.ts";
import type { Read } from "./read.ts";
import { isError } from "../text/problem.ts";

const NOTHING: Plan = { jobs: [], lift: [], problems: [] };

/** A job with what its verdict rests on by the inputs alone. */
function withBasis(job: GradingJob, inputs: Inputs): GradingJob {
  const { votes, confirmOnFail, confirmModel } = inputs;
  const by = confirmModel === undefined ? "" : ` by ${resolveModel(inputs, confirmModel).model}`;
  const voting =
    confirmOnFail > 0 ? `confirm-on-fail: ${String(confirmOnFail)}${by}` : `judge-votes: ${String(votes)}`;
  return { ...job, basis: { sentModel: resolveModel(inputs, job.judgeModel).model, voting } };
}

/** Plans the grades; none without results. */
export function planAll(read: Read, inputs: Inputs, context: RunContext): Plan {
  const { suites, unchanged, files } = read;
  if (read.withoutResults) return NOTHING;
  const withoutKey = withoutKeyReason(context);
  const { tasks, advisory, dryRun, lift, judgeModel, agentWorkspace: pattern, workspace: base } = inputs;
  const plan = planJobs({
    suites,
    tasks,
    advisory,
    unchanged,
    dryRun,
    lift,
    results: files.map(({ results }) => results),
    judgeModel,
    withoutKey: (model) => (keyIsMissing(inputs, model) ? withoutKey : undefined),
  });
  const apart = withoutSharedRuns([...plan.jobs, ...plan.lift]);
  const distinct = withoutSameRuns(apart.jobs);
  // The input names the folders of runs with the skill.
  const [without, own] = [
    distinct.jobs.filter(isWithoutSkill),
    distinct.jobs.filter((job) => !isWithoutSkill(job)),
  ];
  const placed =
    pattern === undefined ? useKeptWorkspaces(distinct.jobs, inputs) : findWorkspaces(own, { pattern, base });
  const { problems } = placed;
  const jobs = pattern === undefined ? placed.jobs : [...placed.jobs, ...without];
  const based = jobs.map((job) => withBasis(job, inputs));
  const planned = {
    jobs: based.filter((job) => !isWithoutSkill(job)),
    lift: based.filter(isWithoutSkill),
    problems: [
      ...plan.problems,
      ...laterAttempts(files, context.agentAttempt),
      ...apart.problems,
      ...distinct.problems,
      ...problems,
    ],
    blocked: problems.some(isError),
  };
  if (!inputs.offline) return planned;
  if (context.untrusted) return { ...planned, problems: [NOT_UNTRUSTED, ...planned.problems], blocked: true };
  if (inputs.cacheDir !== undefined) return planned;
  const documents = files.map(({ document }) => document);
  return {
    ...planned,
    jobs: asRecorded(planned.jobs, documents),
    // No results hold verdicts of runs without the skill.
    lift: [],
    problems: [AS_RECORDED, ...planned.problems],
  };
}
