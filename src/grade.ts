/** Jobs to grades: concurrency, deadline, cancellation; the order of the jobs is kept. */
import pLimit from "p-limit";
import type { Grade, Grader, GradingJob, Verdict } from "./domain.ts";
import { messageOf } from "./errors.ts";
import { count } from "./format.ts";
import { expectedCalls } from "./judge/expected-calls.ts";
import { scoreChecks, NO_CALL } from "./judge/grade-tools.ts";
import { JudgeError, startMeter, tokensOf } from "./judge/judge.ts";
import type { Judge, JudgeAnswer, Meter } from "./judge/judge.ts";
import { buildEvidence, buildMessages } from "./judge/messages.ts";
import type { Evidence } from "./judge/messages.ts";

export interface GradeOptions {
  readonly judge: Judge;
  /** Judge requests in flight at once, at most. */
  readonly maxConcurrency: number;
  /** Milliseconds a grade may take over all its turns and retries. */
  readonly timeoutMs: number;
  /** Takes what no judge may see (the workflow's token) out of the evidence. */
  readonly conceal: (text: string) => string;
  /** Told of each grade as it is made. */
  readonly onGrade?: (grade: Grade) => void;
  /** Aborted when the workflow is cancelled. */
  readonly cancelled?: AbortSignal;
}

/** Grades every job; one that goes wrong is an errored grade and never stops the others. */
export async function gradeJobs(jobs: readonly GradingJob[], options: GradeOptions): Promise<Grade[]> {
  const limit = pLimit(options.maxConcurrency);
  return await Promise.all(
    jobs.map(async (job) => {
      const grade = job.settled
        ? { job, verdict: job.settled, requests: 0, tokens: { input: 0, output: 0 }, durationMs: 0 }
        : await limit(() => gradeJob(job, options));
      options.onGrade?.(grade);
      return grade;
    }),
  );
}

async function gradeJob(job: GradingJob, options: GradeOptions): Promise<Grade> {
  const started = performance.now();
  const meter = startMeter();
  const verdict = await askJudge(job, meter, options).catch(erroredVerdict);
  return {
    job,
    verdict,
    requests: meter.requests,
    tokens: tokensOf(meter),
    durationMs: Math.round(performance.now() - started),
  };
}

async function askJudge(job: GradingJob, meter: Meter, options: GradeOptions): Promise<Verdict> {
  const { run, task, grader, judgeModel } = job;
  if (!run) throw new Error(`job without a run: ${grader.name}`);
  const evidence = buildEvidence(
    concealed(run, options.conceal),
    task.prompt && options.conceal(task.prompt),
  );
  const request = { model: judgeModel, messages: buildMessages(evidence, grader) };
  const deadline = startDeadline(options);
  try {
    return verdictOf(await options.judge.grade(request, meter, deadline.signal), evidence, grader);
  } finally {
    deadline.stop();
  }
}

function concealed<T extends NonNullable<GradingJob["run"]>>(run: T, conceal: (text: string) => string): T {
  const steps = run.steps.map((step) =>
    step.kind === "tool"
      ? {
          ...step,
          name: conceal(step.name),
          input: conceal(step.input),
          ...(step.result === undefined ? {} : { result: conceal(step.result) }),
        }
      : { ...step, text: conceal(step.text) },
  );
  return {
    ...run,
    steps,
    finalOutput: conceal(run.finalOutput),
    ...(run.prompt === undefined ? {} : { prompt: conceal(run.prompt) }),
  };
}

function verdictOf(answer: JudgeAnswer, evidence: Evidence, grader: Grader): Verdict {
  const warning = callWarning(
    answer.checks.length,
    expectedCalls(grader.prompt.trim() || (grader.rubric?.instructions ?? "")),
  );
  return {
    state: "graded",
    checks: answer.checks,
    ...scoreChecks(answer.checks),
    evidence: evidence.size,
    ...(answer.checks.length === 0 ? { note: `${NO_CALL}.` } : {}),
    ...(warning === undefined ? {} : { warning }),
    ...(answer.text === "" ? {} : { response: answer.text }),
    ...(answer.incomplete ? { incomplete: answer.incomplete } : {}),
    ...(answer.recorded ? { recorded: true } : {}),
  };
}

/** All calls count whatever their number; a number other than the one asked for is worth a second look. */
function callWarning(made: number, expected: number | undefined): string | undefined {
  if (expected === undefined || made === expected || made === 0) return undefined;
  return `The grader's prompt asks for ${count(expected, "call")}, and the judge made ${String(made)}.`;
}

function erroredVerdict(error: unknown): Verdict {
  if (error instanceof JudgeError) return { state: "errored", error: error.toGradeError() };
  const help = "This is a bug of waza-grade: please report it with the step's log.";
  return { state: "errored", error: { class: "internal", message: messageOf(error), help } };
}

/** One signal for the grade's time limit and the workflow's cancellation, each with its own reason. */
function startDeadline({ timeoutMs, cancelled }: GradeOptions): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const cancel = () => {
    controller.abort(new JudgeError("cancelled", "The workflow was cancelled."));
  };
  const timer = setTimeout(() => {
    const help = "Raise `timeout`, or use a faster judge.";
    controller.abort(
      new JudgeError("timeout", `The judge gave no verdict within ${String(timeoutMs / 1000)} s.`, { help }),
    );
  }, timeoutMs);
  if (cancelled?.aborted) cancel();
  cancelled?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      cancelled?.removeEventListener("abort", cancel);
    },
  };
}
