/** A grade to its row, the state decided once; and the basis of a verdict, with the hash of the task's files. */
import type { Basis, Check, Grade, GradingJob, SentRequest, Verdict } from "../domain/grade.ts";
import type { Row, RowClient, RowName, SeenRun, TaskScore } from "../domain/row.ts";
import {
  type ClientFacts,
  type Run,
  type SkillCall,
  UNKNOWN_MODEL,
  failedLoad,
  hasLoaded,
  hasSkill,
  isSkill,
} from "../domain/run.ts";
import { type Suite, skillNames } from "../domain/suite.ts";
import { readEach } from "../files/read.ts";
import { TEMPLATE_VERSION } from "../judge/message.ts";
import { taskFileDigests } from "../files/digest.ts";
import { folderSha256 } from "../files/folder.ts";
import { hashOf } from "../text/hash.ts";
import { excerpt, once, shorten } from "../text/format.ts";
import { NO_DETAIL, checkText } from "../text/states.ts";

/** Maximum refused tools that a row names. */
const MOST_REFUSED_TOOLS = 5;
/** Maximum length of a recorded reason: as much as a page can show. */
const LONGEST_REASON = 2_000;
/** Characters of a prompt beside the number of a skill's eval: a column of a table. */
const LONGEST_TASK_PROMPT = 40;

/** The row of a grade; `seen` is what people are shown to label it, where a report asks for it. */
export function rowOf(grade: Grade, seen?: SeenRun): Row {
  const { job, verdict, requests, tokens, cost, durationMs, sent } = grade;
  const { suite, task, grader, run, missing, settled } = job;
  const wasAsked = !settled || (settled.state === "graded" && settled.recorded);
  return {
    ...rowName(job),
    title: task.name === task.id ? undefined : task.name,
    golden: task.golden === true ? true : undefined,
    control: task.isControl === true ? true : undefined,
    advisory: job.advisory,
    weight: grader.weight,
    at: grader.at,
    evalFile: suite.at.path,
    skill: suite.tested?.name ?? suite.skill,
    prompt: grader.prompt,
    rubric: grader.rubric,
    statements: grader.statements ?? [],
    judgeModel: wasAsked ? job.judgeModel : "",
    basis: basisOf(job, verdict.state === "graded" ? verdict.judge?.sent : undefined),
    settled: settled ? true : undefined,
    asked: run?.prompt ?? task.prompt ?? "",
    answer: "",
    ...(run ? ofRun(run, job) : {}),
    ...(missing ? { side: missing.side, agentError: missing.reason } : {}),
    requests,
    tokens,
    cost,
    durationMs,
    sent,
    seen,
    ...outcomeOf(verdict),
  };
}

function ofRun(run: Run, job: GradingJob): Partial<Row> {
  return {
    answer: run.finalOutput,
    agent: run.agent,
    agentError: run.errorMessage,
    ended: run.ended,
    side: run.side,
    attempt: run.attempt,
    numberInAttempt: run.numberInAttempt,
    hasLaterAttempt: run.hasLaterAttempt,
    origin: run.origin,
    evidenceSha256: evidenceHash(run, job),
    runId: runIdOf(run, job),
    modelAsked: run.asked,
    client: run.client && clientOf(run, run.client, skillNames(job.suite)),
    tries: run.tries === 1 ? undefined : run.tries,
  };
}

function clientOf({ steps }: Run, client: ClientFacts, skill: readonly string[]): RowClient {
  const { skills, skillCalls, lackedSkill, refused, endedBy, tokens, cost, durationMs, version } = client;
  const isLoad = (one: SkillCall) => one.success !== false && skill.some((name) => isSkill(one, name));
  const isKnown = skill.length > 0;
  const hasCalls = isKnown && skillCalls && !lackedSkill;
  const offered = isKnown && skills ? skill.some((name) => hasSkill(client, name)) : undefined;
  return {
    loaded: hasCalls ? anyKnown(skill.map((name) => hasLoaded(client, name))) : undefined,
    loadedBy: hasCalls ? skillCalls.find(isLoad)?.by : undefined,
    loadError: beginning(failedLoad(client, skill)?.error),
    offered: lackedSkill ? false : offered,
    calls: steps.filter(({ kind }) => kind === "tool").length,
    refused: refused?.length,
    refusedTools: refused && [...new Set(refused)].slice(0, MOST_REFUSED_TOOLS),
    endedBy,
    tokens,
    costUsd: cost,
    durationMs,
    version,
    isAtLeast: client.hasUnseenSession && (tokens ?? cost) !== undefined ? true : undefined,
  };
}

/** What became of the grade, and what there is to say of it. */
function outcomeOf(verdict: Verdict): Pick<Row, "state" | "checks"> & Partial<Row> {
  if (verdict.state === "skipped")
    return { state: SKIPPED[verdict.cause], checks: [], reason: beginning(verdict.reason) };
  if (verdict.state === "errored") {
    const { error, checks = [], response } = verdict;
    return { state: "errored", error, checks, response, reason: beginning(error.message) };
  }
  const { state: _, checks, passed, note, recorded, ...rest } = verdict;
  return {
    ...rest,
    state: passed ? "passed" : "failed",
    checks,
    reason: reasonOf(checks, passed, note),
    note,
    recorded: recorded ? true : undefined,
  };
}

const SKIPPED = { missing: "missing", "no-key": "no-key", cap: "capped", "dry-run": "skipped" } as const;

/** Identity of a job's grade. */
export function rowName({ suite, task, grader, run, missing, file }: GradingJob): RowName {
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

/** A UUID, as agents' clients name the logs of their sessions (RFC 9562). */
const UUID = /([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;

/**
 * A task's id; of a skill's eval, which often is a mere number, with its name or the beginning of its prompt; of a session
 * that is named by a UUID the beginning of its prompt, with the UUID's first digits.
 */
export function taskTitle({ task, title, statements, asked }: Row): string {
  const words = (title ?? asked).replace(/\s+/g, " ").trim().replace(/\.$/, "");
  const [, session] = UUID.exec(task) ?? [];
  if (session !== undefined && words !== "") return `${excerpt(words, LONGEST_TASK_PROMPT)} · ${session}`;
  // A name goes with an id that is a mere number.
  const isNamed = statements.length === 0 || words === "" || (title !== undefined && !/^\d+$/.test(task));
  return isNamed ? task : `${task} · ${excerpt(words, LONGEST_TASK_PROMPT)}`;
}

/** The same of a task's score. */
export function titleOfTask({ taskId, grades: [grade] }: Pick<TaskScore, "taskId" | "grades">): string {
  return grade ? taskTitle(grade) : taskId;
}

/** Identity of a suite in rows. */
export function suiteKey({ key, title }: Pick<Suite, "key" | "title">): string {
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

/** Every grader of a run needs it, twice. */
const EVIDENCE = new WeakMap<Run, string>();

type JobFiles = Pick<GradingJob, "workspace" | "workspaceHash" | "file">;

/** Equal for runs of which a judge may read the same: task, conversation, answer, and every file of the workspace. */
function evidenceHash(run: Run, { workspace, workspaceHash }: JobFiles): string | undefined {
  if (workspace !== undefined && workspaceHash === undefined) return undefined;
  return once(EVIDENCE, run, () => {
    const { prompt = "", finalOutput, steps, ended = "" } = run;
    return hashOf([prompt, finalOutput, JSON.stringify(steps), ended, workspaceHash ?? ""]);
  });
}

/**
 * What a run is known by in every record: when it started, its session and its number, beside what a judge may read of
 * it. Equal answers of several pushes are several runs. Undefined where nothing is known that would tell.
 */
function runIdOf(run: Run, job: JobFiles): string | undefined {
  const { started = job.file?.timestamp, client, model, number, numberInAttempt = number } = run;
  const parts = [started, client?.session, evidenceHash(run, job)];
  if (parts.every((part) => part === undefined)) return undefined;
  return hashOf([...parts.map((part) => part ?? ""), model, String(numberInAttempt)]);
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

function beginning(text: string | undefined): string | undefined {
  return text ? shorten(text, LONGEST_REASON) : undefined;
}

/** The jobs with the hashes of their files; each task's files, and each folder, are read once. */
export async function withFilesHash(jobs: readonly GradingJob[]): Promise<GradingJob[]> {
  const digestsOf = taskFileDigests();
  const hashOfTask = async ({ files = [], contextDir }: GradingJob["task"]) =>
    files.length === 0 && contextDir === undefined
      ? undefined
      : hashOf(await digestsOf({ files, contextDir }));
  const tasks = new Set(jobs.map(({ task }) => task));
  const workspaces = new Set(jobs.flatMap(({ workspace }) => workspace ?? []));
  const workspaceHashes = new Map(
    await readEach(workspaces, async (path) => [path, await folderSha256(path)] as const),
  );
  const hashes = new Map(await readEach(tasks, async (task) => [task, await hashOfTask(task)] as const));
  return jobs.map((job) => {
    const filesHash = hashes.get(job.task);
    const workspaceHash = workspaceHashes.get(job.workspace ?? "");
    return { ...job, filesHash, workspaceHash };
  });
}

/** True if any is, false if all are known and none is, else not known. */
function anyKnown(values: readonly (boolean | undefined)[]): boolean | undefined {
  return values.includes(true) || (values.includes(undefined) ? undefined : false);
}
