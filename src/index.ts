/** Composition root: the only file with effects at import, and the only one that builds real clients. */
import * as core from "@actions/core";
import { changedFiles } from "./github/changes.ts";
import type { ChangesRequest } from "./github/changes.ts";
import { loadContext, readContext } from "./github/context.ts";
import type { RunContext } from "./github/context.ts";
import { githubApi } from "./github/api.ts";
import { readInputs, secretsOf } from "./inputs/inputs.ts";
import type { Inputs } from "./inputs/inputs.ts";
import { budget } from "./judge/spend/budget.ts";
import { recordedJudge, recordFinder } from "./judge/cache.ts";
import type { RecordOptions } from "./judge/cache.ts";
import type { Judge } from "./judge/judge.ts";
import { openaiJudge } from "./judge/conversation.ts";
import { prices } from "./judge/spend/prices.ts";
import type { Price } from "./judge/spend/prices.ts";
import { routeModel } from "./inputs/providers.ts";
import { votingJudge } from "./judge/votes.ts";
import { checkRunSink } from "./report/sinks/check-run.ts";
import { commentSink } from "./report/sinks/comment.ts";
import { jobAnnotationsSink } from "./report/sinks/job-annotations.ts";
import { jobSummarySink } from "./report/sinks/job-summary.ts";
import { logLine } from "./report/neutralise.ts";
import { redactor } from "./report/redact.ts";
import type { Redact } from "./report/redact.ts";
import { reportFileSink } from "./report/sinks/report-file.ts";
import { resultsFileSink } from "./report/sinks/results-file.ts";
import type { Sink } from "./report/sink.ts";
import { atOnce, withFallback } from "./report/sink.ts";
import { stepOutputsSink } from "./report/sinks/step-outputs.ts";
import { useOf } from "./report/use.ts";
import { run } from "./run.ts";

/** What a refused token is told, once. Above all calls: these are no functions, which would be hoisted. */
const REFUSED = {
  "check run":
    "No check run: the token may not write checks, so the annotations are the job's. Add `checks: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only, and a personal access token may never.",
  comment:
    "No comment: the token may not write on the pull request. Add `pull-requests: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only.",
};

const NOTHING: Sink = { name: "nothing", publish: () => Promise.resolve({}) };

/** Takes secrets out of what the log is told; none are known before the inputs are read. */
let redacted: Redact = (text) => text;

const said = (text: string) => logLine(redacted(text));
const warn = (message: string) => {
  core.warning(said(message));
};

try {
  const { inputs, problems } = readInputs(process.env);
  redacted = redactor(secretsOf(inputs), { shapes: true });
  const context = readContext(await loadContext(process.env, warn), process.env);
  const cancelled = cancellation();
  const price = prices(inputs.ownPrices);
  const redact = redactor(secretsOf(inputs), { shapes: true });
  for (const missing of missingVariables(process.env)) core.notice(missing);
  const conclusion = await run({
    inputs,
    inputProblems: problems,
    context,
    judge: makeJudge(inputs, price, redact),
    price,
    changes: (root) => changedFiles({ context, root, list: pullFilesOf(inputs, context, cancelled) }),
    recordOf: inputs.cacheDir === undefined ? undefined : recordFinder(recordsOf(inputs, inputs.cacheDir)),
    redact,
    sinks: (documents, mayWrite) => {
      const summary = jobSummary(process.env.GITHUB_STEP_SUMMARY);
      // A dry run leaves nothing that could be taken for a verdict.
      if (inputs.dryRun) return [...summary, stepOutputsSink()];
      const here = [
        ...summary,
        ...(mayWrite(inputs.outputFile) ? [resultsFileSink(inputs.outputFile, documents)] : []),
        ...inputs.reports.filter(({ path }) => mayWrite(path)).map(reportFileSink),
        // Also before GitHub has answered, which may take long or be cut short: the later value counts.
        stepOutputsSink(),
      ];
      const beyond = githubSinks(inputs, context, cancelled);
      // GitHub first, since it is waited for; but what is here is safe first when there are seconds left.
      return [atOnce(cancelled.aborted ? [here, beyond] : [beyond, here], warn), stepOutputsSink()];
    },
    log: {
      line: (text) => {
        core.info(said(text));
      },
      group: (title, lines) => {
        core.startGroup(said(title));
        // In one write, since each is waited for.
        core.info(lines.map(said).join("\n"));
        core.endGroup();
      },
    },
    warn,
    cancelled,
    whileWaiting: () => {
      // Loads the list of prices.
      void price({ model: "", baseUrl: inputs.baseUrl }, { input: 0, output: 0, cached: 0 });
    },
  });
  const { sentence, cause } = conclusion;
  if (conclusion.conclusion === "failure")
    core.setFailed(said(cause === undefined ? sentence : `${sentence}. ${cause}`));
  else core.info(said(sentence));
  // Nothing that still waits for GitHub may hold up a cancelled job.
  if (cancelled.aborted) process.exit();
  endSoon();
} catch (error) {
  core.setFailed(
    said(`A bug of waza-grade: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  );
  endSoon();
}

/** Everything is said: a connection that a proxy never finished does not keep the job. */
function endSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

function makeJudge(inputs: Inputs, price: Price, redact: Redact): Judge {
  const { providers, maxConcurrency, caps, votes, confirmOnFail } = inputs;
  const standard = {
    baseUrl: inputs.baseUrl,
    ...(inputs.apiKey === undefined ? {} : { apiKey: inputs.apiKey }),
  };
  const asked = openaiJudge({
    endpointOf: (model) => routeModel(providers, model) ?? standard,
    budget: budget(caps),
    price,
    maxConcurrency,
    redact,
  });
  const { cacheDir: folder, offline } = inputs;
  const judge =
    folder === undefined
      ? asked
      : recordedJudge(offline ? undefined : asked, {
          ...recordsOf(inputs, folder),
          redact: redacted,
          warn,
          tell: (message) => {
            core.info(said(message));
          },
        });
  return votingJudge(judge, { votes, confirmOnFail });
}

/** Where verdicts are recorded, and what else they depend on. */
function recordsOf(inputs: Inputs, folder: string): Pick<RecordOptions, "folder" | "variant"> {
  return { folder, variant: (model) => variantOf(inputs, model) };
}

/** Nothing where a model is asked by its own name and as usual, so that most records are found by everybody. */
function variantOf({ providers }: Inputs, model: string): string | undefined {
  const { model: name, azure } = routeModel(providers, model) ?? {};
  const parts = [name, azure?.deployment].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : JSON.stringify(parts);
}

/** What a runner always sets: where one does not, something is published elsewhere or not at all. */
function missingVariables(env: NodeJS.ProcessEnv): string[] {
  return [
    ...(env.GITHUB_STEP_SUMMARY ? [] : ["No job summary: GITHUB_STEP_SUMMARY is not set."]),
    ...(env.RUNNER_TEMP
      ? []
      : ["RUNNER_TEMP is not set: files without a path of their own go to the system's temporary folder."]),
  ];
}

function jobSummary(path: string | undefined): Sink[] {
  return path ? [jobSummarySink(path)] : [];
}

/** Asks GitHub for the files of the pull request; absent without a token. */
function pullFilesOf({ token }: Inputs, context: RunContext, cancelled: AbortSignal): ChangesRequest["list"] {
  return token === undefined || !context.repository
    ? undefined
    : githubApi(context, { token, cancelled }).pullFiles;
}

/** What is published through GitHub's API, with the job's own annotations where a check run cannot be had. */
function githubSinks(inputs: Inputs, context: RunContext, cancelled: AbortSignal): Sink[] {
  const { annotations, checkName, comment, matrix, maxAnnotations, token } = inputs;
  const job = jobAnnotationsSink();
  if (token === undefined || !context.repository) {
    if (annotations !== "job" || comment !== "off")
      core.notice(
        `Nothing is published through GitHub's API: ${token === undefined ? "the input `token` is empty" : "GITHUB_REPOSITORY is not set"}.`,
      );
    return annotations === "auto" || annotations === "job" ? [job] : [];
  }
  const api = githubApi(context, { token, cancelled });
  const { attempt, job: ofJob } = context;
  const use = useOf({ job: ofJob, checkName, matrix });
  const checkRun = checkRunSink({
    api: api.checkRuns,
    use,
    attempt,
    maxAnnotations: annotations === "off" ? 0 : maxAnnotations,
    warn,
  });
  const onCheck =
    annotations === "auto" ? withFallback(checkRun, job, explainRefusal("check run")) : checkRun;
  const notice = (message: string) => {
    core.notice(said(message));
  };
  const onPull = commentSink({
    api: api.comments,
    when: comment === "always" ? "always" : "failures",
    use,
    attempt,
    notice,
  });
  return [
    annotations === "job" ? job : onCheck,
    ...(comment === "off" ? [] : [withFallback(onPull, NOTHING, explainRefusal("comment"))]),
  ];
}

/** A refusal is one notice that names the permission; anything else is a warning. */
function explainRefusal(what: keyof typeof REFUSED) {
  return (error: unknown): void => {
    const { status, response } = error as { status?: number; response?: unknown };
    const reason = error instanceof Error ? error.message : String(error);
    // A 403 may also be a rate limit, or an address that is not allowed.
    if (status === 403 && /Resource not accessible|must have|permission/i.test(reason)) {
      core.notice(REFUSED[what]);
      return;
    }
    const instead = what === "comment" ? "" : ", so the annotations are the job's";
    warn(`No ${what}${response === undefined ? "" : ` (HTTP ${String(status)})`}${instead}: ${reason}`);
  };
}

/** The runner sends SIGINT, then SIGTERM, when a workflow is cancelled: what was graded is still published. */
function cancellation(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      controller.abort();
    });
  }
  return controller.signal;
}
