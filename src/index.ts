/** Composition root: the only file with effects at import, and the only one that builds real clients. */
import * as core from "@actions/core";
import { checkRunsApi, readContext } from "./github.ts";
import type { RunContext } from "./github.ts";
import { readInputs } from "./inputs.ts";
import type { Inputs } from "./inputs.ts";
import { recordedJudge } from "./judge/cache.ts";
import type { Judge } from "./judge/judge.ts";
import { openaiJudge } from "./judge/openai-judge.ts";
import { checkRunSink } from "./report/check-run.ts";
import { jobAnnotationsSink } from "./report/job-annotations.ts";
import { jobSummarySink } from "./report/job-summary.ts";
import { logLine } from "./report/neutralise.ts";
import { redactor } from "./report/redact.ts";
import { resultsFileSink } from "./report/results-file.ts";
import type { Sink } from "./report/sink.ts";
import { withFallback } from "./report/sink.ts";
import { stepOutputsSink } from "./report/step-outputs.ts";
import { run } from "./run.ts";

const warn = (message: string) => {
  core.warning(logLine(message));
};

try {
  const { inputs, problems } = readInputs(process.env);
  const context = await readContext(process.env);
  const conclusion = await run({
    inputs,
    inputProblems: problems,
    context,
    judge: makeJudge(inputs),
    sinks: (documents) => [
      resultsFileSink(inputs.outputFile, documents),
      jobSummarySink(process.env.GITHUB_STEP_SUMMARY),
      ...annotationSinks(inputs, context),
      stepOutputsSink(),
    ],
    log: (line) => {
      core.info(logLine(line));
    },
    warn,
    cancelled: cancellation(),
  });
  if (conclusion.conclusion === "failure") core.setFailed(logLine(conclusion.sentence));
  else core.info(logLine(conclusion.sentence));
} catch (error) {
  core.setFailed(
    logLine(
      `A bug of waza-grade: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    ),
  );
}

function makeJudge(inputs: Inputs): Judge {
  const redact = redactor([inputs.apiKey, inputs.token]);
  const key = inputs.apiKey === undefined ? {} : { apiKey: inputs.apiKey };
  const endpoint = { baseUrl: inputs.baseUrl, redact, ...key };
  const judge = openaiJudge(endpoint, async () => (await import("openai")).OpenAI);
  if (inputs.cacheDir === undefined) return judge;
  return recordedJudge(inputs.offline ? undefined : judge, { folder: inputs.cacheDir, redact, warn });
}

/** The check run, with the job's own annotations where it cannot be had (a fork's token may not write checks). */
function annotationSinks({ annotations, checkName, token }: Inputs, context: RunContext): Sink[] {
  const job = jobAnnotationsSink();
  if (annotations === "job") return [job];
  if (token === undefined || !context.repository || context.sha === undefined) {
    core.notice("No check run: there is no token, repository or commit to make it with.");
    return annotations === "auto" ? [job] : [];
  }
  const api = checkRunsApi(context, token);
  const checkRun = checkRunSink({ api, name: checkName, withAnnotations: annotations !== "off", warn });
  return annotations === "auto" ? [withFallback(checkRun, job, explainRefusal)] : [checkRun];
}

function explainRefusal(error: unknown): void {
  const status = (error as { status?: number }).status;
  const said = error instanceof Error ? error.message : String(error);
  if (status === 403) {
    core.notice(
      "No check run: the token may not write checks, so the annotations are the job's. Add `checks: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only, and a personal access token may never.",
    );
  } else {
    warn(
      `No check run${status === undefined ? "" : ` (HTTP ${String(status)})`}, so the annotations are the job's: ${said}`,
    );
  }
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
