/** What a judge is sent for a job. */
import type { EvidenceSize, GradingJob, ShownPart } from "../domain/grade.ts";
import type { Run } from "../domain/run.ts";
import type { Conceal, JudgeRequest } from "./judge.ts";
import { buildEvidence, buildMessages, buildReplay, EVIDENCE_BUDGET } from "./evidence/messages.ts";
import type { Evidence, FileList } from "./evidence/messages.ts";
import { buildPair } from "./evidence/pair.ts";
import type { PairMessages } from "./evidence/pair.ts";
import { listedFiles, outputFolder } from "./files/readable-files.ts";
import type { FileFinder, ReadableFiles } from "./files/readable-files.ts";
import { fileReader } from "./files/workspace-tools.ts";
import { comparedOutput } from "./evidence/compared-output.ts";

export interface RequestOptions {
  readonly conceal: Conceal;
  readonly timeoutMs: number;
  /** Characters of evidence that a judge is shown; without it, EVIDENCE_BUDGET. */
  readonly maxEvidence?: number | undefined;
}

/** What a judge is shown of a run, the same for each of its graders. */
export interface Shown extends Evidence {
  readonly found: ReadableFiles;
  readonly files: FileList | undefined;
}

/** A request, and how much of the run it shows. */
export interface PlannedRequest {
  readonly request: JudgeRequest;
  readonly size: EvidenceSize;
}

/**
 * Divides jobs into those whose requests begin with the same messages: of one run, by one judge model.
 */
export function jobsAlike(jobs: readonly GradingJob[]): GradingJob[][] {
  const keys = [
    // Advisory graders are asked last of all.
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

/** The evidence for a job, and for all that are like it. What had to be shortened is whole among the files. */
export async function showRun(job: GradingJob, find: FileFinder, options: RequestOptions): Promise<Shown> {
  const { conceal, maxEvidence: budget = EVIDENCE_BUDGET } = options;
  const { grader } = job;
  if (!job.run) throw new Error(`job without a run: ${grader.name}`);
  const run = concealed(job.run, conceal);
  const build = grader.continueSession ? buildReplay : buildEvidence;
  const show = (found: ReadableFiles) => {
    const files = listedFiles(found, budget, conceal);
    return { found, files, ...build(run, { budget, files }) };
  };
  const given = show(await find(job));
  if (!given.size.elided) return given;
  return show(new Map([...given.found, ["output", outputFolder(run, run.prompt ?? "")]]));
}

/** What the judge is sent. The files that it may read are bounded by what the evidence leaves, or by half of its budget. */
export function requestFor(job: GradingJob, shown: Shown, options: RequestOptions): PlannedRequest {
  const { conceal, timeoutMs, maxEvidence: budget = EVIDENCE_BUDGET } = options;
  const { size, files, found } = shown;
  const baseline = comparedOutput(job);
  if (baseline !== undefined) return pairFor(job, baseline, options);
  const characters = Math.max(budget - size.characters, Math.floor(budget / 2));
  const request = {
    model: job.judgeModel,
    messages: buildMessages(shown, job.grader),
    timeoutMs,
    effort: job.grader.effort ?? job.suite.judgeEffort,
    statements: job.grader.statements?.map(({ text }) => text),
    files: files?.readable ? fileReader(found, { characters, conceal }) : undefined,
    shared: { messages: shown.messages.length, key: shown.code },
    // The reply to a read comes back with all that was said before.
    reused: files?.readable,
  };
  return { request, size };
}

/** What a judge is sent before the grader's instructions, part by part. */
export function shownParts(job: GradingJob, shown: Shown, options: RequestOptions): readonly ShownPart[] {
  const baseline = comparedOutput(job);
  return baseline === undefined ? shown.parts : pairFor(job, baseline, options).parts;
}

function pairFor(
  job: GradingJob,
  baseline: string,
  options: RequestOptions,
): PlannedRequest & Pick<PairMessages, "parts"> {
  const { conceal, timeoutMs, maxEvidence: budget } = options;
  const { run, grader } = job;
  if (!run) throw new Error(`job without a run: ${grader.name}`);
  const { messages, swapped, parts, size } = buildPair(concealed(run, conceal), {
    grader,
    baseline: conceal(baseline),
    budget,
  });
  const effort = grader.effort ?? job.suite.judgeEffort;
  const request = {
    model: job.judgeModel,
    messages,
    swapped,
    timeoutMs,
    effort,
  };
  return { request, size, parts };
}

function concealed(run: Run, conceal: Conceal): Run {
  const steps = run.steps.map((step) =>
    step.kind === "tool"
      ? {
          ...step,
          name: conceal(step.name),
          input: conceal(step.input),
          result: step.result === undefined ? undefined : conceal(step.result),
        }
      : { ...step, text: conceal(step.text) },
  );
  return {
    ...run,
    steps,
    finalOutput: conceal(run.finalOutput),
    prompt: run.prompt === undefined ? undefined : conceal(run.prompt),
    ended: run.ended === undefined ? undefined : conceal(run.ended),
  };
}
