/** Grades jobs: concurrency, deadline, cancellation. The order of the jobs is kept. */
import pLimit, { type LimitFunction } from "p-limit";
import type { EvidenceSize, Grade, Graded, GradingJob, Verdict } from "../domain/grade.ts";
import type { Run, Step } from "../domain/run.ts";
import { recordKey } from "./cache.ts";
import { type Evidence, type FileList, buildEvidence, buildMessages } from "./evidence.ts";
import {
  type FileFinder,
  type ReadableFiles,
  fileFinder,
  fileReader,
  listedFiles,
  outputFolder,
} from "./files.ts";
import { unreadableDoubt } from "./unreadable-files.ts";
import { NO_CALL, scoreChecks } from "./grade-tools.ts";
import {
  type Judge,
  type JudgeAnswer,
  JudgeError,
  type JudgeRequest,
  type Meter,
  startMeter,
} from "./judge.ts";
import { type Redact, redactAll } from "../safety/secrets.ts";
import { CapReached } from "./spend.ts";
import { count, isTimeout, listedCode, messageOf } from "../text/format.ts";
import { EVIDENCE_BUDGET, LONGEST_LEAD_MS } from "./limits.ts";

/** Minimum characters of evidence to wait for a prompt cache: below, it saves nothing. */
const LEAST_CACHED_EVIDENCE = 4_096;

const NO_TOKENS = { input: 0, output: 0, cached: 0 };

export interface GradeOptions extends RequestOptions {
  readonly judge: Judge;
  /** Maximum number of concurrent judge requests. */
  readonly maxConcurrency: number;
  readonly timeoutMs: number;
  /** Called with each grade when it is finished. */
  readonly onGrade?: ((grade: Grade) => void) | undefined;
  /** Whether grades keep their evidence, for the HTML report. */
  readonly keepShown?: boolean | undefined;
  /** Why there is no key, on events without secrets: a judge that requires one is not asked, rather than at fault. */
  readonly withoutKey?: string | undefined;
  /** Aborted when the workflow is cancelled. */
  readonly cancelled?: AbortSignal | undefined;
}

interface RequestOptions {
  /** Takes out what no judge may see: the workflow's token, keys of endpoints. */
  readonly redact: Redact;
  /** Maximum characters of evidence; EVIDENCE_BUDGET by default. */
  readonly maxEvidence?: number | undefined;
}

/**
 * Grades every job. A failure is an errored grade and never stops the others. Grades that timed out are retried once,
 * after all others and one at a time: a request that hung may not hang again, and an overloaded server has recovered.
 * Two consecutive timeouts end the retries.
 */
export async function gradeJobs(jobs: readonly GradingJob[], options: GradeOptions): Promise<Grade[]> {
  const grades = new Map<GradingJob, Grade>();
  const addGrade = (grade: Grade) => {
    grades.set(grade.job, grade);
    if (!timedOut(grade)) options.onGrade?.(grade);
  };
  for (const job of jobs)
    if (job.settled)
      addGrade({ job, verdict: job.settled, requests: 0, tokens: NO_TOKENS, cost: 0, durationMs: 0 });
  const slots = pLimit(options.maxConcurrency);
  const grading = { ...options, findFiles: fileFinder(), slots, addGrade };
  const unsettled = jobs.filter(({ settled }) => !settled);
  // Grades that do not decide come last, so that a cap affects them first.
  const rankOf = ({ advisory, run }: GradingJob) => (run?.side === undefined ? (advisory ? 1 : 0) : 2);
  for (const rank of [0, 1, 2]) {
    const pending: Promise<void>[] = [];
    for (const group of groupJobs(unsettled.filter((job) => rankOf(job) === rank))) {
      // A group begins when nothing of those before waits for a slot, because prompt caches expire within minutes.
      await slots(() => undefined);
      pending.push(gradeGroup(group, grading));
    }
    await Promise.all(pending);
  }
  const made = jobs.flatMap((job) => grades.get(job) ?? []);
  return await retryTimeouts(made, grading);
}

/** Whether a grade timed out before the judge reported any check. */
function timedOut({ verdict }: Grade): boolean {
  return verdict.state === "errored" && verdict.error.class === "timeout" && verdict.checks === undefined;
}

/** Groups jobs with the same first messages: same run, same judge model. */
function groupJobs(jobs: readonly GradingJob[]): GradingJob[][] {
  const keys = [
    // Advisory graders come last.
    ({ advisory }: GradingJob) => advisory,
    ({ run }: GradingJob) => run,
    ({ task }: GradingJob) => task,
    ({ judgeModel, workspace, grader }: GradingJob) =>
      JSON.stringify([judgeModel, workspace, grader.continueSession === true]),
  ];
  return keys.reduce<GradingJob[][]>(
    (groups, key) => groups.flatMap((group) => [...Map.groupBy<unknown, GradingJob>(group, key).values()]),
    [[...jobs]],
  );
}

interface GroupOptions extends GradeOptions {
  readonly findFiles: FileFinder;
  readonly slots: LimitFunction;
  readonly addGrade: (grade: Grade) => void;
}

/** The evidence of a run, shared by its graders. */
interface RunEvidence extends Evidence {
  readonly found: ReadableFiles;
  readonly files: FileList | undefined;
}

/**
 * Grades the jobs of one run and judge. With enough evidence, one job goes first and the others follow its first reply,
 * when the shared messages are in the provider's prompt cache. A recorded verdict is not a reply; a request that fails or
 * takes long does not delay the others.
 */
async function gradeGroup(jobs: readonly GradingJob[], options: GroupOptions): Promise<void> {
  const [first] = jobs;
  if (!first) return;
  let shared: Promise<RunEvidence> | undefined;
  const evidence = () => (shared ??= evidenceFor(first, options.findFiles, options));
  const pending: Promise<void>[] = [];
  let isWarm = jobs.length === 1;
  for (const job of jobs) {
    const { promise: reply, resolve } = Promise.withResolvers<undefined>();
    const onReply = () => {
      isWarm = true;
      resolve(undefined);
    };
    const grade = options.slots(async () => {
      const { characters = 0 } = (await builtEvidence({ evidence }))?.size ?? {};
      const reused = jobs.length > 1 && characters >= LEAST_CACHED_EVIDENCE;
      if (!reused) onReply();
      const timer = setTimeout(onReply, LONGEST_LEAD_MS);
      // After a fault of a judge one grade at a time is sent, until one is answered.
      const onFaults = (inARow: number) => {
        options.slots.concurrency = inARow > 0 ? 1 : options.maxConcurrency;
      };
      const grading = { meter: startMeter(), evidence, onReply, onFaults, reused };
      const graded = await gradeJob(job, grading, options);
      clearTimeout(timer);
      options.addGrade(graded);
    });
    pending.push(grade);
    if (!isWarm) await Promise.race([reply, grade]);
  }
  await Promise.all(pending);
}

/** The evidence of a job's group. If it had to be shortened, the full texts are among the readable files. */
async function evidenceFor(job: GradingJob, find: FileFinder, options: RequestOptions): Promise<RunEvidence> {
  const { redact, maxEvidence: budget = EVIDENCE_BUDGET } = options;
  const { grader } = job;
  if (!job.run) throw new Error(`job without a run: ${grader.name}`);
  const run = redactRun(job.run, redact);
  const isReplay = grader.continueSession === true;
  const evidenceWith = (found: ReadableFiles) => {
    const files = listedFiles(found, budget, redact);
    return { found, files, ...buildEvidence(run, { budget, files, isReplay }) };
  };
  const evidence = evidenceWith(await find(job));
  if (!evidence.size.elided) return evidence;
  return evidenceWith(new Map([...evidence.found, ["output", outputFolder(run, evidence.code)]]));
}

function redactRun(run: Run, redact: Redact): Run {
  // The kind of a step is no text of the run.
  const steps = run.steps.map((step) => ({ ...redactAll(step, redact), kind: step.kind }) as Step);
  const texts = [run.finalOutput, run.prompt, run.ended] as const;
  const [finalOutput, prompt, ended] = redactAll(texts, redact);
  return { ...run, steps, finalOutput, prompt, ended };
}

/** The evidence; undefined where it cannot be built: the verdicts report the error. */
async function builtEvidence({ evidence }: Pick<Grading, "evidence">): Promise<RunEvidence | undefined> {
  return await evidence().catch(() => undefined);
}

interface Grading extends Pick<JudgeRequest, "reused" | "onReply" | "onFaults"> {
  readonly meter: Meter;
  readonly evidence: () => Promise<RunEvidence>;
}

async function gradeJob(job: GradingJob, grading: Grading, options: GradeOptions): Promise<Grade> {
  const started = performance.now();
  const { meter } = grading;
  const verdict = await judgeJob(job, grading, options).catch((error: unknown) =>
    verdictOfError(error, options),
  );
  return {
    job,
    verdict,
    sent: options.keepShown ? (await builtEvidence(grading))?.parts : undefined,
    ...meter,
    durationMs: Math.round(performance.now() - started),
  };
}

async function judgeJob(job: GradingJob, grading: Grading, options: GradeOptions): Promise<Verdict> {
  const deadline = startDeadline(options);
  try {
    deadline.signal.throwIfAborted();
    const { meter, evidence, onReply, onFaults, reused } = grading;
    const shown = await evidence();
    const request = {
      ...requestFor(job, shown, options),
      deadline: deadline.at,
      onReply,
      onFaults,
      // Each read of a file is followed by a request with the same messages.
      reused: reused === true || shown.files?.readable === true,
    };
    // Not raced with the signal, at which the judge stops by itself: writing a record may take longer.
    const answer = await options.judge.grade(request, meter, deadline.signal);
    const { servedBy, sent, changes, reportsReasoning } = answer;
    const judge = { fingerprint: recordKey(request), changes, servedBy, sent, reportsReasoning };
    const unread = await unreadableDoubt(shown.found, job.grader.prompt, options.redact);
    return { ...gradedVerdict(answer, { size: shown.size, unread }, job), judge };
  } finally {
    deadline.stop();
  }
}

/**
 * Milliseconds that replies under way get after a cancellation, to be recorded: 7.5 s after SIGINT a runner sends SIGTERM,
 * and 2.5 s later it kills (https://docs.github.com/actions/reference/workflows-and-actions/workflow-cancellation).
 */
const CANCELLED_MS = 3_000;

/** The grade's end, and a signal for it and for the workflow's cancellation, each with its own reason. */
function startDeadline({ timeoutMs, cancelled }: GradeOptions) {
  const controller = new AbortController();
  const abort = () => {
    const why = isTimeout(cancelled?.reason) ? "The step reached its time limit." : "The run was cancelled.";
    controller.abort(new JudgeError("cancelled", why));
  };
  let grace: NodeJS.Timeout | undefined;
  const cancel = () => {
    grace = setTimeout(abort, CANCELLED_MS);
  };
  const timer = setTimeout(() => {
    const help = "Raise `timeout`, or use a faster judge.";
    controller.abort(
      new JudgeError("timeout", `The judge gave no verdict within ${String(timeoutMs / 1000)} s.`, { help }),
    );
  }, timeoutMs);
  if (cancelled?.aborted) abort();
  cancelled?.addEventListener("abort", cancel, { once: true });
  return {
    at: performance.now() + timeoutMs,
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      clearTimeout(grace);
      cancelled?.removeEventListener("abort", cancel);
    },
  };
}

/** The request. File reads are limited to the characters that the evidence leaves, but at least half of its budget. */
function requestFor(
  job: GradingJob,
  evidence: RunEvidence,
  { redact, maxEvidence: budget = EVIDENCE_BUDGET }: RequestOptions,
): JudgeRequest {
  const { size, files, found } = evidence;
  const characters = Math.max(budget - size.characters, Math.floor(budget / 2));
  return {
    model: job.judgeModel,
    messages: buildMessages(evidence, job.grader),
    effort: job.judgeEffort,
    statements: job.grader.statements?.map(({ text }) => text),
    files: files?.readable ? fileReader(found, { characters, redact }) : undefined,
    shared: { messages: evidence.messages.length, key: evidence.code },
    isShortened: size.elided,
  };
}

const UNREAD =
  "The judge could not read the files, nor the rest of shortened evidence: it does not use tools. Use a judge model that does.";
const SEEMS_CUT =
  "The judge's server counted less than half of the tokens in the request: it seems to have cut the evidence. Give it a longer context (Ollama: `OLLAMA_CONTEXT_LENGTH`), or lower `max-evidence`.";

function shortenedText({ failedUnseen = 0 }: EvidenceSize): string {
  const without =
    failedUnseen === 0 ? "" : `, without ${count(failedUnseen, "tool call")} of the agent that failed`;
  return `The judge saw a shortened run${without}: what was cut may speak against it. A higher \`max-evidence\` shows more.`;
}

function gradedVerdict(
  answer: JudgeAnswer,
  { size, unread }: { readonly size: EvidenceSize; readonly unread: string | undefined },
  { grader, task }: GradingJob,
): Graded {
  const score = scoreChecks(answer.checks);
  const missing = (task.files ?? []).flatMap((file) => ("missing" in file ? file.name : []));
  const doubts = [
    grader.unjudged,
    missing.length > 0 && `The judge did not have files that the task names: ${listedCode(missing)}.`,
    unread,
    size.elided && score.passed && shortenedText(size),
    answer.withoutTools && (size.elided || answer.reads !== undefined) && UNREAD,
    answer.seemsCut && SEEMS_CUT,
    answer.doubt,
  ];
  return {
    state: "graded",
    checks: answer.checks,
    ...score,
    evidence: { ...size, reads: answer.reads },
    note: answer.checks.length === 0 ? `${NO_CALL}.` : undefined,
    called: answer.called,
    doubt: doubts.filter(Boolean).join(" ") || undefined,
    response: answer.text || undefined,
    incomplete: answer.incomplete,
    recorded: answer.recorded,
    votes: answer.votes,
  };
}

function verdictOfError(error: unknown, { withoutKey }: GradeOptions): Verdict {
  if (error instanceof JudgeError && error.keyRequired && withoutKey !== undefined)
    return { state: "skipped", cause: "no-key", reason: withoutKey };
  if (error instanceof CapReached) return { state: "skipped", cause: "cap", reason: error.message };
  if (error instanceof JudgeError) {
    const { checks, text } = error.reported ?? {};
    return { state: "errored", error: error.toGradeError(), checks, response: text || undefined };
  }
  const help = "This is a bug in waza-grade: please report it with the log.";
  return { state: "errored", error: { class: "internal", message: messageOf(error), help } };
}

async function retryTimeouts(grades: Grade[], options: GroupOptions): Promise<Grade[]> {
  let failures = 0;
  for (const [index, grade] of grades.entries()) {
    if (!timedOut(grade)) continue;
    const again = failures < 2 && !options.cancelled?.aborted;
    const evidence = () => evidenceFor(grade.job, options.findFiles, options);
    const last = again ? await gradeJob(grade.job, { meter: meterOf(grade), evidence }, options) : grade;
    failures = timedOut(last) ? failures + 1 : 0;
    grades[index] = { ...last, durationMs: grade.durationMs + (again ? last.durationMs : 0) };
    options.onGrade?.(grades[index]);
  }
  return grades;
}

/** A meter that continues from a grade's usage. */
function meterOf({ requests, tokens, cost }: Grade): Meter {
  return { requests, tokens: { ...tokens, written: tokens.written ?? 0 }, cost };
}

/** The first request of each job, for the cost estimate. */
export async function* plannedRequests(
  jobs: readonly GradingJob[],
  options: RequestOptions,
): AsyncGenerator<JudgeRequest> {
  const findFiles = fileFinder();
  for (const job of jobs)
    if (!job.settled) yield requestFor(job, await evidenceFor(job, findFiles, options), options);
}
