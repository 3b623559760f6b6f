/** Builds the judge's request for a job. */
import type { EvidenceSize, GradingJob, SentPart } from "../domain/grade.ts";
import type { Run } from "../domain/run.ts";
import type { Redact, JudgeRequest } from "./judge.ts";
import { buildEvidence, buildMessages, buildReplay, EVIDENCE_BUDGET } from "./evidence/messages.ts";
import type { Evidence, FileList } from "./evidence/messages.ts";
import { buildPair } from "./evidence/pair.ts";
import type { PairMessages } from "./evidence/pair.ts";
import { listedFiles, outputFolder } from "./files/readable-files.ts";
import type { FileFinder, ReadableFiles } from "./files/readable-files.ts";
import { fileReader } from "./files/workspace-tools.ts";
import { comparedOutput } from "./evidence/compared-output.ts";

export interface RequestOptions {
  /** Takes out what no judge may see: the workflow's token, keys of endpoints. */
  readonly redact: Redact;
  readonly timeoutMs: number;
  /** Maximum characters of evidence; EVIDENCE_BUDGET by default. */
  readonly maxEvidence?: number | undefined;
}

/** The evidence of a run, shared by its graders. */
export interface RunEvidence extends Evidence {
  readonly found: ReadableFiles;
  readonly files: FileList | undefined;
}

/** A request, and the size of its evidence. */
export interface PlannedRequest {
  readonly request: JudgeRequest;
  readonly size: EvidenceSize;
}

/** Groups jobs with the same first messages: same run, same judge model. */
export function groupJobs(jobs: readonly GradingJob[]): GradingJob[][] {
  const keys = [
    // Advisory graders come last.
    ({ advisory }: GradingJob) => advisory,
    ({ run }: GradingJob) => run,
    ({ task }: GradingJob) => task,
    ({ judgeModel, workspace, grader }: GradingJob) =>
      JSON.stringify([judgeModel, workspace, grader.continueSession === true, grader.pairwise === true]),
  ];
  return keys.reduce<GradingJob[][]>(
    (groups, key) => groups.flatMap((group) => [...Map.groupBy<unknown, GradingJob>(group, key).values()]),
    [[...jobs]],
  );
}

/** The evidence of a job's group. If it had to be shortened, the full texts are among the readable files. */
export async function evidenceFor(
  job: GradingJob,
  find: FileFinder,
  options: RequestOptions,
): Promise<RunEvidence> {
  const { redact, maxEvidence: budget = EVIDENCE_BUDGET } = options;
  const { grader } = job;
  if (!job.run) throw new Error(`job without a run: ${grader.name}`);
  const run = redactRun(job.run, redact);
  const build = grader.continueSession ? buildReplay : buildEvidence;
  const evidenceWith = (found: ReadableFiles) => {
    const files = listedFiles(found, budget, redact);
    return { found, files, ...build(run, { budget, files }) };
  };
  const evidence = evidenceWith(await find(job));
  if (!evidence.size.elided) return evidence;
  return evidenceWith(new Map([...evidence.found, ["output", outputFolder(run, run.prompt ?? "")]]));
}

/** The request. File reads are limited to the characters that the evidence leaves, but at least half of its budget. */
export function requestFor(job: GradingJob, evidence: RunEvidence, options: RequestOptions): PlannedRequest {
  const { redact, timeoutMs, maxEvidence: budget = EVIDENCE_BUDGET } = options;
  const { size, files, found } = evidence;
  const baseline = comparedOutput(job);
  if (baseline !== undefined) return pairFor(job, baseline, options);
  const characters = Math.max(budget - size.characters, Math.floor(budget / 2));
  const request = {
    model: job.judgeModel,
    messages: buildMessages(evidence, job.grader),
    timeoutMs,
    effort: job.grader.effort ?? job.suite.judgeEffort,
    statements: job.grader.statements?.map(({ text }) => text),
    files: files?.readable ? fileReader(found, { characters, redact }) : undefined,
    shared: { messages: evidence.messages.length, key: evidence.code },
    // Each read of a file is followed by a request with the same messages.
    reused: files?.readable,
  };
  return { request, size };
}

/** The messages before the grader's instructions, part by part, for the report. */
export function evidenceParts(
  job: GradingJob,
  evidence: RunEvidence,
  options: RequestOptions,
): readonly SentPart[] {
  const baseline = comparedOutput(job);
  return baseline === undefined ? evidence.parts : pairFor(job, baseline, options).parts;
}

function pairFor(
  job: GradingJob,
  baseline: string,
  options: RequestOptions,
): PlannedRequest & Pick<PairMessages, "parts"> {
  const { redact, timeoutMs, maxEvidence: budget } = options;
  const { run, grader } = job;
  if (!run) throw new Error(`job without a run: ${grader.name}`);
  const { messages, swapped, parts, size } = buildPair(redactRun(run, redact), {
    grader,
    baseline: redact(baseline),
    budget,
  });
  const effort = grader.effort ?? job.suite.judgeEffort;
  const request = { model: job.judgeModel, messages, swapped, timeoutMs, effort };
  return { request, size, parts };
}

function redactRun(run: Run, redact: Redact): Run {
  const steps = run.steps.map((step) =>
    step.kind === "tool"
      ? {
          ...step,
          name: redact(step.name),
          input: redact(step.input),
          result: step.result === undefined ? undefined : redact(step.result),
        }
      : { ...step, text: redact(step.text) },
  );
  return {
    ...run,
    steps,
    finalOutput: redact(run.finalOutput),
    prompt: run.prompt === undefined ? undefined : redact(run.prompt),
    ended: run.ended === undefined ? undefined : redact(run.ended),
  };
}
