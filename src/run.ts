/** The pipeline: read, plan, check, grade, score, compare, decide, publish. */
import { withFilesHash } from "./records/files-hash.ts";
import type { Report } from "./report/report.ts";
import type { Conclusion } from "./domain/conclusion.ts";
import type { Problem } from "./domain/place.ts";
import { decide } from "./gate/gate.ts";
import { scoreApart } from "./score/score.ts";
import { silentJudges } from "./gate/silent-judges.ts";
import type { Changes } from "./github/changes.ts";
import type { RunContext } from "./github/context.ts";
import { originOf, sourceUrl } from "./github/links.ts";
import { htmlFileOf } from "./inputs/inputs.ts";
import type { Inputs } from "./inputs/inputs.ts";
import type { Judge } from "./judge/judge.ts";
import type { EstimateOptions } from "./judge/spend/estimate.ts";
import type { Price } from "./judge/spend/prices.ts";
import type { Log } from "./log/log.ts";
import { redactAll } from "./report/redact.ts";
import type { Redactor } from "./report/redact.ts";
import { check } from "./steps/check.ts";
import { compareAll } from "./steps/compare.ts";
import { gradeAll } from "./steps/grade.ts";
import { planAll } from "./steps/plan.ts";
import { publish } from "./steps/publish.ts";
import type { MakeSinks } from "./steps/publish.ts";
import { readAll } from "./steps/read.ts";

export interface Dependencies {
  readonly inputs: Inputs;
  readonly inputProblems: readonly Problem[];
  readonly context: RunContext;
  readonly judge: Judge;
  readonly price: Price;
  /** Finds what the pull request changes in the repository at a root. */
  readonly changes: (root: string) => Promise<Changes>;
  readonly redact: Redactor;
  /** Finds a recorded verdict, for a dry run; absent without records. */
  readonly recordOf: EstimateOptions["recordOf"];
  readonly sinks: MakeSinks;
  /** Redacts what it is told. */
  readonly log: Log;
  readonly cancelled: AbortSignal;
}

/** Runs everything and publishes it; throws only for bugs. */
export async function run(dependencies: Dependencies): Promise<Conclusion> {
  const { inputs, context, redact, cancelled } = dependencies;
  const { dryRun, policy } = inputs;
  const started = Date.now();

  const read = await readAll(inputs, dependencies.changes);
  const plan = planAll(read, inputs, context);
  const { told: problems, unwritten, isBlocked } = await check(read, plan, dependencies);
  const jobs = isBlocked ? [] : await withFilesHash(plan.jobs);

  const { grades, cases, estimated } = await gradeAll(jobs, plan, dependencies);

  const isCompared = !isBlocked && !dryRun;
  // Before anything is derived: sentences shorten what they quote, and half a secret would stay.
  const safe = redactAll(
    {
      suites: read.suites.filter((suite) => !read.unchanged.has(suite)),
      grades,
      cases,
      labels: read.labels,
      baseline: read.baseline,
      problems: [...problems, ...silentJudges(grades)],
      results: read.files.map(({ results }) => results),
      estimate: estimated,
      sourceUrl: sourceUrl(context),
      origin: originOf(context),
      htmlFile: dryRun ? undefined : htmlFileOf(inputs),
    },
    redact,
  );
  const { suites, grades: judged, cases: asked, labels, baseline, ...told } = safe;
  const { scores, advisory } = scoreApart(suites, judged, asked);
  const of = { read: { ...read, baseline }, inputs, labels };
  const { advisory: trend, ...compared } = isCompared ? compareAll({ scores, advisory }, of) : {};
  const conclusion = decide({
    scores,
    problems: told.problems,
    policy,
    cancelled: cancelled.aborted,
    dryRun,
    narrowed: read.unchanged.size > 0,
    ...compared,
    advisory: advisory?.counts.planned,
  });
  const report: Report = {
    conclusion,
    scores,
    advisory: advisory && { scores: advisory, comparison: trend },
    ...compared,
    policy,
    time: { started, finished: Date.now() },
    redactions: 0,
    ...told,
  };
  return await publish(report, {
    ...dependencies,
    files: read.files,
    mayWrite: (file) => !unwritten.has(file),
  });
}
