/** Jobs to grades: concurrency, deadline, cancellation; the order of the jobs is kept. */
import pLimit from "p-limit";
import type { LimitFunction } from "p-limit";
import type { EvidenceSize, Grade, Graded, GradingJob, JudgeIdentity, Verdict } from "../domain/grade.ts";
import { messageOf } from "../text/errors.ts";
import { CapReached } from "./spend/budget.ts";
import { recordKey } from "./cache.ts";
import { NO_CALL, scoreOf } from "./grade-tools.ts";
import { Interrupted, JudgeError, startMeter, tokensOf } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest, Meter, ShortReport } from "./judge.ts";
import { fileFinder } from "./files/readable-files.ts";
import type { FileFinder } from "./files/readable-files.ts";
import { jobsAlike, requestFor, shownParts, showRun } from "./request.ts";
import type { RequestOptions, Shown } from "./request.ts";

export interface GradeOptions extends RequestOptions {
  readonly judge: Judge;
  /** Judge requests in flight at once, at most. */
  readonly maxConcurrency: number;
  /** Told of each grade as it is made. */
  readonly onGrade?: ((grade: Grade) => void) | undefined;
  /** Whether grades keep what the judge was shown, for a report that tells it. */
  readonly keepShown?: boolean | undefined;
  /** Aborted when the workflow is cancelled. */
  readonly cancelled?: AbortSignal | undefined;
}

/**
 * Grades every job; one that goes wrong is an errored grade and never stops the others. Grades that timed out are asked
 * for once more when all others are done, one at a time: a request that hung may not hang again, and a small server
 * that was sent too much at once has caught up. Two in a row that time out again end that.
 */
export async function gradeJobs(jobs: readonly GradingJob[], options: GradeOptions): Promise<Grade[]> {
  const findFiles = fileFinder();
  const grades = new Map<GradingJob, Grade>();
  const made = (grade: Grade) => {
    grades.set(grade.job, grade);
    if (!timedOut(grade)) options.onGrade?.(grade);
  };
  for (const job of jobs)
    if (job.settled)
      made({ job, verdict: job.settled, requests: 0, tokens: NO_TOKENS, cost: 0, durationMs: 0 });
  const slots = pLimit(options.maxConcurrency);
  // Twice as many as there are slots, so that none is idle while groups wait for their first reply; and not all, since a
  // provider keeps what it was sent for some minutes only.
  const open = pLimit(2 * options.maxConcurrency);
  const asked = jobs.filter(({ settled }) => !settled);
  // What decides nothing when all others are made, so that a cap hits it first.
  const rankOf = ({ advisory, run }: GradingJob) => (run?.side === undefined ? (advisory ? 1 : 0) : 2);
  for (const rank of [0, 1, 2])
    await open.map(jobsAlike(asked.filter((job) => rankOf(job) === rank)), (group) =>
      gradeGroup(group, { ...options, findFiles, slots, made }),
    );
  return await askAgain(
    jobs.flatMap((job) => grades.get(job) ?? []),
    { ...options, findFiles },
  );
}

interface GroupOptions extends JobOptions {
  readonly slots: LimitFunction;
  readonly made: (grade: Grade) => void;
}

/**
 * Grades the jobs of one run by one judge. Where there is much to show, one goes first, and the others after its first
 * reply, when the provider has all that they share in its prompt cache. A verdict that is recorded is no reply; a
 * request that fails, or takes long, holds up nobody.
 */
async function gradeGroup(jobs: readonly GradingJob[], options: GroupOptions): Promise<void> {
  const [first] = jobs;
  if (!first) return;
  let shown: Promise<Shown> | undefined;
  const show = () => (shown ??= showRun(first, options.findFiles, options));
  const under: Promise<void>[] = [];
  const reused = jobs.length > 1 && (await charactersOf(show)) >= LEAST_CACHED;
  let isWarm = !reused;
  for (const job of jobs) {
    const { promise: reply, resolve } = Promise.withResolvers<undefined>();
    const onReply = () => {
      isWarm = true;
      resolve(undefined);
    };
    const asking = { meter: startMeter(), show, onReply, reused };
    const grade = options.slots(async () => {
      const timer = setTimeout(onReply, LONGEST_LEAD_MS);
      options.made(await gradeJob(job, asking, options));
      clearTimeout(timer);
    });
    under.push(grade);
    if (!isWarm) await Promise.race([reply, grade]);
  }
  await Promise.all(under);
}

/** Characters of evidence below which a prompt cache saves nothing: a small run would only wait twice. */
const LEAST_CACHED = 4_096;

async function charactersOf(show: () => Promise<Shown>): Promise<number> {
  return await show().then(
    ({ size }) => size.characters,
    // The grades say what went wrong.
    () => 0,
  );
}

/** Milliseconds that the first request of a run goes alone, at most. */
const LONGEST_LEAD_MS = 30_000;

async function askAgain(grades: Grade[], options: JobOptions): Promise<Grade[]> {
  let failures = 0;
  for (const [index, grade] of grades.entries()) {
    if (!timedOut(grade)) continue;
    const again = failures < 2 && !options.cancelled?.aborted;
    const show = () => showRun(grade.job, options.findFiles, options);
    const last = again ? await gradeJob(grade.job, { meter: meterOf(grade), show }, options) : grade;
    failures = timedOut(last) ? failures + 1 : 0;
    grades[index] = { ...last, durationMs: grade.durationMs + (again ? last.durationMs : 0) };
    options.onGrade?.(grades[index]);
  }
  return grades;
}

const NO_TOKENS = { input: 0, output: 0, cached: 0 };

/** True for a grade that ran out of time before the judge had reported anything. */
function timedOut({ verdict }: Grade): boolean {
  return verdict.state === "errored" && verdict.error.class === "timeout" && verdict.checks === undefined;
}

/** A meter that goes on from what a grade has cost already. */
function meterOf({ requests, tokens, cost }: Grade): Meter {
  return { requests, ...tokens, written: tokens.written ?? 0, cost };
}

interface JobOptions extends GradeOptions {
  readonly findFiles: FileFinder;
}

/** How one job is graded. */
interface Grading {
  readonly meter: Meter;
  readonly show: () => Promise<Shown>;
  /** True where other requests begin with the same messages. */
  readonly reused?: boolean | undefined;
  /** Called at the first reply. */
  readonly onReply?: (() => void) | undefined;
}

async function gradeJob(job: GradingJob, asking: Grading, options: JobOptions): Promise<Grade> {
  const started = performance.now();
  const { meter } = asking;
  const verdict = await askJudge(job, asking, options).catch(erroredVerdict);
  return {
    job,
    verdict,
    shown: options.keepShown ? await shownBy(job, asking, options) : undefined,
    requests: meter.requests,
    tokens: tokensOf(meter),
    cost: meter.cost,
    durationMs: Math.round(performance.now() - started),
  };
}

async function shownBy(job: GradingJob, { show }: Grading, options: JobOptions): Promise<Grade["shown"]> {
  return await show().then(
    (shown) => shownParts(job, shown, options),
    // The verdict says what went wrong.
    () => undefined,
  );
}

async function askJudge(job: GradingJob, asking: Grading, options: JobOptions): Promise<Verdict> {
  const deadline = startDeadline(options);
  try {
    deadline.signal.throwIfAborted();
    const { meter, show, onReply, reused } = asking;
    const { request: plain, size } = requestFor(job, await show(), options);
    const request = { ...plain, onReply, reused: reused === true || plain.reused };
    // No race with the signal, at which the judge stops by itself: writing a record may take longer.
    const answer = await options.judge.grade(request, meter, deadline.signal);
    return { ...verdictOf(answer, size), judge: identityOf(recordKey(request), answer) };
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
  for (const job of jobs)
    if (!job.settled) yield requestFor(job, await showRun(job, findFiles, options), options).request;
}

function identityOf(fingerprint: string, { servedBy, changes = [] }: JudgeAnswer): JudgeIdentity {
  return { fingerprint, changes, servedBy };
}

function verdictOf(answer: JudgeAnswer, size: EvidenceSize): Graded {
  const doubts = [
    ...(answer.withoutTools && (size.elided || answer.reads !== undefined) ? [UNREAD] : []),
    ...(answer.seemsCut ? [SEEMS_CUT] : []),
    ...(answer.short ? [shortText(answer.short)] : []),
  ];
  return {
    state: "graded",
    checks: answer.checks,
    ...scoreOf(answer),
    pairs: answer.pairs,
    evidence: { ...size, reads: answer.reads },
    note: answer.checks.length === 0 ? `${NO_CALL}.` : undefined,
    called: answer.called,
    warning: doubts.join(" ") || undefined,
    response: answer.text || undefined,
    incomplete: answer.incomplete,
    recorded: answer.recorded,
    votes: answer.votes,
  };
}

function shortText({ reported, announced }: ShortReport): string {
  return `The judge reported ${String(reported)} of ${String(announced)} checks by its own count, also after it was reminded.`;
}

const UNREAD =
  "The judge could not read the files, nor the rest of evidence that had to be shortened: it does not use tools. Use a judge model that takes them.";

const SEEMS_CUT =
  "The judge's server counted less than half of the tokens that it was sent: it seems to have cut the evidence. Give it a longer context (Ollama: `OLLAMA_CONTEXT_LENGTH`), or lower `max-evidence`.";

function erroredVerdict(error: unknown): Verdict {
  if (error instanceof CapReached) return { state: "skipped", cause: "cap", reason: `${error.message}.` };
  if (error instanceof Interrupted) {
    const { checks, text } = error;
    return { state: "errored", error: error.toGradeError(), checks, response: text || undefined };
  }
  if (error instanceof JudgeError) return { state: "errored", error: error.toGradeError() };
  const help = "This is a bug of waza-grade: please report it with the log.";
  return { state: "errored", error: { class: "internal", message: messageOf(error), help } };
}

/** One signal for the grade's time limit and the workflow's cancellation, each with its own reason. */
function startDeadline({ timeoutMs, cancelled }: GradeOptions): {
  signal: AbortSignal;
  stop: () => void;
} {
  const controller = new AbortController();
  const cancel = () => {
    controller.abort(new JudgeError("cancelled", "It was cancelled."));
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
