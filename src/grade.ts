/** Jobs to grades: concurrency, deadline, cancellation; the order of the jobs is kept. */
import pLimit from "p-limit";
import type { EvidenceSize, Grade, Graded, Grader, GradingJob, JudgeIdentity, Verdict } from "./domain.ts";
import { messageOf } from "./errors.ts";
import { count } from "./format.ts";
import { CapReached } from "./judge/budget.ts";
import { recordKey } from "./judge/cache.ts";
import { completeAt, expectedCalls } from "./judge/expected-calls.ts";
import { scoreChecks, NO_CALL } from "./judge/grade-tools.ts";
import { JudgeError, startMeter, tokensOf } from "./judge/judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest, Meter } from "./judge/judge.ts";
import {
  buildEvidence,
  buildMessages,
  buildReplay,
  EVIDENCE_BUDGET,
  instructionsOf,
} from "./judge/messages.ts";
import { fileFinder, listedFiles } from "./judge/readable-files.ts";
import { fileReader } from "./judge/workspace-tools.ts";

export interface GradeOptions {
  readonly judge: Judge;
  /** Judge requests in flight at once, at most. */
  readonly maxConcurrency: number;
  /** Milliseconds a grade may take over all its turns and retries. */
  readonly timeoutMs: number;
  /** Characters of evidence that a judge is shown; without it, EVIDENCE_BUDGET. */
  readonly maxEvidence?: number;
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
  const asked = jobs.filter(({ settled }) => !settled);
  const requestOf = requestsAhead(asked, { ...options, findFiles: fileFinder() });
  return await Promise.all(
    jobs.map(async (job) => {
      const grade = job.settled
        ? { job, verdict: job.settled, requests: 0, tokens: NO_TOKENS, cost: 0, durationMs: 0 }
        : await limit(() => gradeJob(job, { ...options, requestOf }));
      options.onGrade?.(grade);
      return grade;
    }),
  );
}

const NO_TOKENS = { input: 0, output: 0, cached: 0 };

type JobOptions = GradeOptions & { readonly requestOf: (job: GradingJob) => Promise<Asking> };

/** What the judge is asked for a grade, how much of the run it is shown, and the hash of both. */
interface Asking {
  readonly request: JudgeRequest;
  readonly size: EvidenceSize;
  readonly fingerprint: string;
}

/** Milliseconds after which replies that came together have been read, and there is time again. */
const SPARE_MS = 10;

/** Makes each job's request, and while it is waited for the one that takes its place: it is then sent at once. */
function requestsAhead(
  jobs: readonly GradingJob[],
  options: GradeOptions & Parameters<typeof requestFor>[1],
): (job: GradingJob) => Promise<Asking> {
  const made = new Map<GradingJob, Promise<Asking>>();
  const make = async (job: GradingJob) => {
    const { request, size } = await requestFor(job, options);
    return { request, size, fingerprint: recordKey(request) };
  };
  const waiting = new Set(jobs);
  const successors = new Map(jobs.map((job, index) => [job, jobs[index + options.maxConcurrency]]));
  return (job) => {
    waiting.delete(job);
    const asking = made.get(job) ?? make(job);
    made.delete(job);
    const next = successors.get(job);
    if (!next) return asking;
    const prepare = () => {
      if (!waiting.has(next) || options.cancelled?.aborted) return;
      const ahead = make(next);
      // Whoever takes it meets the error.
      ahead.catch(() => undefined);
      made.set(next, ahead);
    };
    setTimeout(prepare, SPARE_MS).unref();
    return asking;
  };
}

async function gradeJob(job: GradingJob, options: JobOptions): Promise<Grade> {
  const started = performance.now();
  const meter = startMeter();
  const verdict = await askJudge(job, meter, options).catch(erroredVerdict);
  return {
    job,
    verdict,
    requests: meter.requests,
    tokens: tokensOf(meter),
    ...(meter.cost === undefined ? {} : { cost: meter.cost }),
    durationMs: Math.round(performance.now() - started),
  };
}

async function askJudge(job: GradingJob, meter: Meter, options: JobOptions): Promise<Verdict> {
  const deadline = startDeadline(options);
  try {
    deadline.signal.throwIfAborted();
    const { request, size, fingerprint } = await options.requestOf(job);
    // Whatever a judge waits for, the grade's time limit and a cancellation end it.
    const answer = await Promise.race([options.judge.grade(request, meter, deadline.signal), deadline.over]);
    return { ...verdictOf(answer, size, job.grader), judge: identityOf(fingerprint, answer) };
  } finally {
    deadline.stop();
  }
}

/** The requests that these jobs would make first, one at a time, for what they would cost. */
export async function* plannedRequests(
  jobs: readonly GradingJob[],
  options: RequestOptions,
): AsyncGenerator<JudgeRequest> {
  const findFiles = fileFinder();
  for (const job of jobs) {
    if (!job.settled) yield (await requestFor(job, { ...options, findFiles })).request;
  }
}

type RequestOptions = Pick<GradeOptions, "conceal" | "timeoutMs" | "maxEvidence">;

/** What the judge is sent. What it reads beside the evidence is bounded by what the evidence leaves, or a quarter. */
async function requestFor(
  job: GradingJob,
  {
    conceal,
    findFiles,
    timeoutMs,
    maxEvidence: budget = EVIDENCE_BUDGET,
  }: RequestOptions & { readonly findFiles: ReturnType<typeof fileFinder> },
): Promise<{ request: JudgeRequest; size: EvidenceSize }> {
  const { run, task, grader, judgeModel: model } = job;
  if (!run) throw new Error(`job without a run: ${grader.name}`);
  const found = await findFiles(job);
  const files = listedFiles(found, budget, conceal);
  const build = grader.continueSession ? buildReplay : buildEvidence;
  const evidence = build(concealed(run, conceal), task.prompt && conceal(task.prompt), {
    budget,
    ...(files ? { files } : {}),
  });
  const { size } = evidence;
  const expected = callsToExpect(grader);
  const effort = grader.effort ?? job.suite.judgeEffort;
  const request = {
    model,
    messages: buildMessages(evidence, grader),
    timeoutMs,
    instructions: instructionsOf(grader).join("\n"),
    ...(expected === undefined ? {} : { expected }),
    ...(effort === undefined ? {} : { effort }),
  };
  if (!files?.readable) return { request, size };
  const characters = Math.max(budget - size.characters, Math.floor(budget / 4));
  return { request: { ...request, files: fileReader(found, { characters, conceal }) }, size };
}

function identityOf(fingerprint: string, { servedBy, changes = [] }: JudgeAnswer): JudgeIdentity {
  return { fingerprint, changes, ...(servedBy === undefined ? {} : { servedBy }) };
}

/** How many calls are all there will be. A built-in rubric makes one check; a rubric and a prompt together may make any number. */
function callsToExpect({ rubric, prompt }: Grader): number | undefined {
  if (!rubric) return completeAt(prompt);
  if (prompt.trim() !== "") return undefined;
  return rubric.source === "built-in" ? 1 : completeAt(rubric.instructions);
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

function verdictOf(answer: JudgeAnswer, size: EvidenceSize, grader: Grader): Graded {
  // The calls of several votes are not the calls of one verdict.
  const warning = answer.votes
    ? undefined
    : callWarning(
        answer.checks.length,
        expectedCalls(grader.prompt.trim() || (grader.rubric?.instructions ?? "")),
      );
  return {
    state: "graded",
    checks: answer.checks,
    ...scoreChecks(answer.checks),
    evidence: { ...size, ...(answer.reads === undefined ? {} : { reads: answer.reads }) },
    ...(answer.checks.length === 0 ? { note: `${NO_CALL}.` } : {}),
    ...(warning === undefined ? {} : { warning }),
    ...(answer.text === "" ? {} : { response: answer.text }),
    ...(answer.incomplete ? { incomplete: answer.incomplete } : {}),
    ...(answer.recorded ? { recorded: true } : {}),
    ...(answer.votes ? { votes: answer.votes } : {}),
  };
}

/** All calls count whatever their number; a number other than the one asked for is worth a second look. */
function callWarning(made: number, expected: number | undefined): string | undefined {
  if (expected === undefined || made === expected || made === 0) return undefined;
  return `The grader's prompt asks for ${count(expected, "call")}, and the judge made ${String(made)}.`;
}

function erroredVerdict(error: unknown): Verdict {
  if (error instanceof CapReached) return { state: "skipped", cause: "cap", reason: `${error.message}.` };
  if (error instanceof JudgeError) return { state: "errored", error: error.toGradeError() };
  const help = "This is a bug of waza-grade: please report it with the step's log.";
  return { state: "errored", error: { class: "internal", message: messageOf(error), help } };
}

/** Milliseconds a judge has, after its time, to give what it has. */
const LAST_WORD_MS = 250;

/** One signal for the grade's time limit and the workflow's cancellation, each with its own reason. */
function startDeadline({ timeoutMs, cancelled }: GradeOptions): {
  signal: AbortSignal;
  over: Promise<never>;
  stop: () => void;
} {
  const controller = new AbortController();
  let lastWord: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => {
      // A judge that is told at once gives what it has: calls that were made stand.
      lastWord = setTimeout(() => {
        reject(controller.signal.reason as JudgeError);
      }, LAST_WORD_MS);
    });
  });
  over.catch(() => undefined);
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
    over,
    stop: () => {
      clearTimeout(timer);
      clearTimeout(lastWord);
      cancelled?.removeEventListener("abort", cancel);
    },
  };
}
