/** Grades and jobs to records, and the basis of a verdict, with the hash of the task's files. */
import {
  type Basis,
  type Check,
  type Grade,
  type GradeName,
  type GradeRecord,
  type GradingJob,
  type SentRequest,
  isWithoutCheck,
} from "../domain/grade.ts";
import { type Run, UNKNOWN_MODEL } from "../domain/run.ts";
import type { Suite, TaskFile } from "../domain/suite.ts";
import { readEach } from "../files/read.ts";
import { TEMPLATE_VERSION } from "../judge/evidence.ts";
import { fileAnywhere, openFolder } from "../judge/folder.ts";
import { hashOf } from "../judge/judge.ts";
import { once, shorten } from "../text/format.ts";
import { NO_DETAIL, checkText } from "../text/states.ts";
import { LONGEST_ANSWER, LONGEST_REASON } from "./limits.ts";

export function gradeRecord(grade: Grade): GradeRecord {
  const { job, verdict } = grade;
  const common = {
    ...gradeName(job),
    weight: job.grader.weight,
    golden: job.task.golden === true ? true : undefined,
    advisory: job.advisory,
    basis: basisOf(job, verdict.state === "graded" ? verdict.judge?.sent : undefined),
    answer: answerOf(job.run?.finalOutput),
    evidence: job.run && evidenceHash(job.run),
  };
  if (verdict.state === "graded") {
    const { state, passed, score, checks, note } = verdict;
    const reason = reasonOf(checks, passed, note);
    const { servedBy } = verdict.judge ?? {};
    const settled = isWithoutJudge(grade) ? true : undefined;
    const withoutCheck = isWithoutCheck(verdict) ? true : undefined;
    const number = checks.length;
    return { ...common, state, passed, score, checks: number, settled, withoutCheck, reason, servedBy };
  }
  if (verdict.state === "errored")
    return { ...common, state: "errored", reason: beginning(verdict.error.message) };
  const { cause, reason } = verdict;
  return { ...common, state: cause === "missing" ? cause : "skipped", reason: beginning(reason) };
}

/** Identity of a job's grade. */
export function gradeName({ suite, task, grader, run, missing, file }: GradingJob): GradeName {
  const model = run?.model ?? missing?.model ?? "";
  return {
    suite: suiteKey(suite),
    task: task.id,
    model: model === UNKNOWN_MODEL ? "" : model,
    grader: grader.name,
    run: run?.number ?? missing?.number ?? 0,
    file: file?.path,
  };
}

/** Identity of a suite in records. */
export function suiteKey({ key, title }: Suite): string {
  return key ?? title;
}

/** The basis of a job's verdict, and what its judge was sent. */
export function basisOf(job: GradingJob, sent?: SentRequest): Basis {
  const { task, grader, judgeModel, judgeEffort, modelBy, effortBy, run, filesHash } = job;
  return {
    promptSha256: hashOf([grader.prompt]),
    rubricSha256: grader.rubric && hashOf([grader.rubric.instructions]),
    continueSession: grader.continueSession === true,
    inputsSha256: hashOf([run?.prompt ?? task.prompt ?? "", filesHash ?? ""]),
    judgeModel,
    reasoningEffort: judgeEffort,
    modelBy,
    effortBy,
    templateVersion: String(TEMPLATE_VERSION),
    ...(sent ? { sentApi: sent.api, sentEffort: sent.effort ?? "default" } : {}),
    ...job.basis,
  };
}

export function answerOf(text: string | undefined): string | undefined {
  return text ? shorten(text, LONGEST_ANSWER) : undefined;
}

/** Every grader of a run needs it, twice. */
const EVIDENCE = new WeakMap<Run, string>();

/** Equal for runs with equal evidence. */
function evidenceHash(run: Run): string {
  const { prompt, finalOutput, steps, ended } = run;
  return once(EVIDENCE, run, () => hashOf([prompt ?? "", finalOutput, JSON.stringify(steps), ended ?? ""]));
}

/** The judge's reasons for a verdict, or its note without checks. */
export function reasonOf(
  checks: readonly Check[],
  passed: boolean,
  note: string | undefined,
): string | undefined {
  const wanted = passed ? "pass" : "fail";
  const texts = checks.filter(({ outcome }) => outcome === wanted).map(checkText);
  return beginning(texts.filter((text) => text !== NO_DETAIL).join("\n") || note || undefined);
}

export function beginning(text: string | undefined): string | undefined {
  return text ? shorten(text, LONGEST_REASON) : undefined;
}

/** True when no judge was asked, since the agent never got to work; recorded verdicts have a judge. */
export function isWithoutJudge({ job, verdict }: Pick<Grade, "job" | "verdict">): boolean {
  return job.settled !== undefined && !(verdict.state === "graded" && verdict.recorded === true);
}

/** The jobs with `filesHash`; each task's files, and each folder, are read once. */
export async function withFilesHash(jobs: readonly GradingJob[]): Promise<GradingJob[]> {
  const folders = new Map<string, Promise<string>>();
  const tasks = new Set(jobs.map(({ task }) => task));
  const hashes = new Map(
    await readEach(tasks, async (task) => [task, await hashOfTask(task, folders)] as const),
  );
  return jobs.map((job) => {
    const filesHash = hashes.get(job.task);
    return filesHash === undefined ? job : { ...job, filesHash };
  });
}

async function hashOfTask(
  { files = [], contextDir }: GradingJob["task"],
  folders: Map<string, Promise<string>>,
): Promise<string | undefined> {
  if (files.length === 0 && contextDir === undefined) return undefined;
  const own = await Promise.all(files.map(async (file) => hashOf([file.name, await contentHash(file)])));
  if (contextDir === undefined) return hashOf(own);
  return hashOf([...own, await once(folders, contextDir, () => hashOfFolder(contextDir))]);
}

async function contentHash(file: TaskFile): Promise<string> {
  if ("content" in file) return hashOf([file.content]);
  if ("missing" in file) return "unreadable";
  const found = await fileAnywhere(file.path);
  if (!found) return hashOfFolder(file.path);
  const bytes = await found.read().catch(() => undefined);
  return bytes ? hashOf([String(found.size), bytes.toString("latin1")]) : "unreadable";
}

/** The hash of a folder; of one with too many files to read, of names and sizes. */
async function hashOfFolder(path: string): Promise<string> {
  const folder = await openFolder(path);
  const names = () => hashOf([...folder.files].flatMap(([name, { size }]) => [name, String(size)]));
  return (await folder.fingerprint()) ?? names();
}
