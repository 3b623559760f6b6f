/** The pipeline: read, plan, check, grade, score, compare, decide, publish. */
import { rowOf, suiteKey, withFilesHash } from "./results/rows.ts";
import { seenRun } from "./labels/labels.ts";
import type { Report, Scope } from "./report/report.ts";
import { ACCEPT_LABEL } from "./domain/defaults.ts";
import { isError, notice, type Problem } from "./domain/problem.ts";
import { fallenIn } from "./decide/compare.ts";
import { liftOf } from "./decide/lift.ts";
import { askedAgain, decide } from "./decide/gate.ts";
import { scoreApart } from "./results/score.ts";
import { judgeProblems } from "./decide/judge-problems.ts";
import { agentProblems } from "./decide/run-problems.ts";
import { type RunContext, originOf, sourceUrl } from "./github/context.ts";
import { type Inputs, htmlFileOf, judgeOf } from "./inputs/inputs.ts";
import { redactAll } from "./safety/secrets.ts";
import { taskKeyOfAnyModel } from "./domain/row.ts";
import type { Graded } from "./results/read-baseline.ts";
import { secondLookOf } from "./steps/second-look.ts";
import { check, hasTriggersAlone, planAll, whyNothing } from "./steps/plan.ts";
import { compareAll, compareTriggers } from "./steps/compare.ts";
import { type Dependencies, type Ended, publish } from "./steps/publish.ts";
import { gradeAll, inTime } from "./steps/grade.ts";
import { type Read, readEverything } from "./steps/read.ts";
import { helpOf, isTimeout, messageOf } from "./text/format.ts";

/** Runs everything and publishes it; throws only for bugs. */
export async function run(given: Dependencies): Promise<Ended> {
  const [started, began] = [Date.now(), performance.now()];
  const read = await readEverything(given);
  const dependencies = { ...given, inputs: read.inputs };
  const { inputs, context, redact } = dependencies;
  const { dryRun, policy } = inputs;
  const plan = planAll(read, inputs, context);
  const { problems, unwritable, isBlocked } = await check(read, plan, dependencies);
  const jobs = isBlocked ? [] : await withFilesHash([...plan.jobs, ...plan.lift]);
  const asked = dependencies.endingJudges(jobs);
  const { grades, estimated } = await gradeAll(jobs, plan, dependencies);
  const secondLook = secondLookOf(read, redact);

  // Where a problem left nothing, nothing is gone.
  const isCompared = !isBlocked && !dryRun && (grades.length > 0 || !problems.some(isError));
  // Redact before anything is derived: sentences shorten their quotes, and half a secret would remain.
  const safe = redactAll(
    {
      suites: read.suites.filter((suite) => read.whyLeft(suite) === undefined),
      grades,
      labels: isCompared ? read.labels : undefined,
      baseline: isCompared && inputs.baseline.length > 0 ? read.baseline : undefined,
      scope: scopeOf(read, inputs),
      problems: [...problems, ...(await inTime(asked))],
      results: read.results,
      queries: isCompared ? read.queries : { ...read.queries, baseline: [], newest: [] },
      estimate: estimated,
      ...pageLinks(context, inputs),
      htmlFile: dryRun ? undefined : htmlFileOf(inputs),
    },
    redact,
  );
  const { suites, grades: made, labels, baseline, queries, ...rest } = safe;
  const seen = inputs.reports.some(({ format }) => format === "labels") ? seenRun : () => undefined;
  const rows = made.map((grade) => rowOf(grade, seen(grade.job)));
  const known = { ...rest, problems: [...rest.problems, ...agentProblems(rows), ...judgeProblems(rows)] };
  const { scores, advisory, without } = scoreApart(suites, rows);
  const sides = { ...read, baseline, labels, context, secondLook: new Set(secondLook.ran.keys()) };
  const compared = {
    ...compareAll({ scores, advisory }, sides, rest.scope),
    triggers: compareTriggers(queries, read.baselineSource, secondLook.ran),
  };
  const judged = { ...known, ...compared, scores, advisory: advisory?.counts.planned };
  const facts = { ...judged, ...whyNothing(read, context), mayRunAgain: context.pull && secondLook.mayRun };
  const { more, ...end } = await concluded(facts, dependencies, read.baselineSource.graded);
  const report: Report = {
    ...end,
    // Without a pull request no check can wait: what would be asked again.
    again: secondLook.listOf(context.pull ? end.conclusion.again : askedAgain(compared, secondLook.mayRun)),
    scores,
    ...compared,
    ...{ without, advisory: advisory && { scores: advisory } },
    lift: dryRun ? undefined : without && liftOf(scores, without),
    policy,
    // A clock that is set meanwhile changes no duration.
    time: { started, finished: started + Math.round(performance.now() - began) },
    redactions: 0,
    ...known,
    problems: [...known.problems, ...more],
  };
  return await publish(report, { ...read, mayWrite: (file) => !unwritable.has(file) }, dependencies);
}

/**
 * The conclusion, and what the record says is accepted. Where a comparison makes it red, GitHub is asked whether a label
 * accepts that; on the baseline's own branch wherever something fell, since later pull requests are compared with it.
 */
async function concluded(
  known: Omit<Parameters<typeof decide>[0], "policy">,
  {
    inputs: { policy, dryRun, stepMinutes },
    context,
    cancelled,
    labels,
    accepted: byFlag,
    redact,
  }: Dependencies,
  graded: readonly Graded[] = [],
): Promise<Pick<Report, "conclusion" | "accepted"> & { readonly more: readonly Problem[] }> {
  const problems = known.problems.map((one) => ({ ...one, help: helpOf(one, context.docs) }));
  const isByLimit = cancelled.aborted && isTimeout(cancelled.reason);
  const ended = { cancelled: cancelled.aborted, reachedMinutes: isByLimit ? stepMinutes : undefined };
  const facts = { ...known, problems, policy, dryRun, ...ended };
  const first = decide(facts);
  const compared = [known.comparison, known.triggers?.comparison].filter((one) => one !== undefined);
  const isMain = known.comparison?.source.isOwn === true || byFlag === true;
  const fallen = isMain ? compared.flatMap(fallenIn) : [];
  // A job that is run again asks as it did at first.
  const since = graded.find(({ run = 0 }) => context.attempt.run === 0 || run < context.attempt.run);
  const asks = !byFlag && (first.rule === "regression" || fallen.length > 0);
  const byLabel = asks && (await isAccepted(labels, since?.commit));
  if (typeof byLabel !== "boolean")
    return { conclusion: first, accepted: [], more: redactAll([byLabel], redact) };
  if (!byFlag && !byLabel) return { conclusion: first, accepted: [], more: [] };
  const accepted = byFlag ? "`--accepted`" : `the label \`${ACCEPT_LABEL}\``;
  return { conclusion: decide({ ...facts, accepted }), accepted: fallen, more: [] };
}

/** Whether the label `evals-accept` is there, by which people with write access accept; or why that is not known. */
async function isAccepted(
  labels: Dependencies["labels"],
  since: string | undefined,
): Promise<boolean | Problem> {
  try {
    // The labels of the event are those of its time; GitHub tells names apart without their case.
    return ((await labels?.(since)) ?? []).some((name) => name.toLowerCase() === ACCEPT_LABEL);
  } catch (error) {
    const message = `GitHub did not list the labels of pull requests, so \`${ACCEPT_LABEL}\` is not looked for: ${messageOf(error)}`;
    return notice("labels-unknown", message, {
      help: "If the request was refused, add `pull-requests: read` and `contents: read` to the job's `permissions`.",
    });
  }
}

/** The pages that a report links to, and the judge that its lines to paste ask. */
function pageLinks(
  context: RunContext,
  inputs: Inputs,
): Pick<Report, "sourceUrl" | "origin" | "docs" | "judge"> {
  const judge = judgeOf(inputs);
  return { sourceUrl: sourceUrl(context), origin: originOf(context), docs: context.docs, judge };
}

/** What was graded, and what was left out: by `changed-only`, by a problem of its files, or by a run of triggers alone. */
function scopeOf(read: Read, { tasks, advisory }: Inputs): Scope {
  const all = hasTriggersAlone(read);
  const out = read.suites.filter((suite) => all || suite.broken || read.whyLeft(suite) !== undefined);
  // A file that cannot be read does not say its eval's name.
  const broken = new Set(out.flatMap((suite) => (suite.broken ? suite.at.path : [])));
  const before = read.baseline.flatMap(({ suite, at }) => (broken.has(at.path) ? suite : []));
  // By the input `tasks`, a changed name must not take a golden task out.
  const left = (read.runsPlan ? read.suites : []).flatMap((suite) =>
    (suite.tasks === "every" ? [] : suite.tasks)
      .filter((task) => read.whyLeft(suite, task) !== undefined)
      .map((task) => taskKeyOfAnyModel({ suite: suiteKey(suite), task: task.id })),
  );
  return { tasks, advisory, unchanged: [...new Set([...out.map(suiteKey), ...before])], left };
}
