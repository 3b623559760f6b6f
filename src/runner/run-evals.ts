/** Makes the planned runs: several at once, each in a folder of its own, and writes down what each was. */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import * as z from "zod/mini";
import { hasConversation } from "../domain/run.ts";
import type { Skill, Suite } from "../domain/suite.ts";
import { lookUp } from "../files/confine.ts";
import { textFilesReader } from "../outputs/formats/records.ts";
import { watchSkills } from "../outputs/file-formats.ts";
import { RUN_JSON, readAny, runRecord, type RunRecord } from "../outputs/run-folders.ts";
import { openFolder } from "../files/folder.ts";
import { hashOf } from "../text/hash.ts";
import type { taskDigests } from "../outputs/task-digest.ts";
import { AGENTS, type Agent, type AgentName, agentOf, environmentOf } from "./agents.ts";
import { LAST_LINES, MOST_TRIES, PAUSES_MS } from "./limits.ts";
import { jsonOf } from "../text/format.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { type Ended, type Program, startProgram } from "./start-program.ts";
import { prepareFolder } from "./workspace.ts";

/** How runs are made. */
export interface Making {
  /** An agent of the table, or a command for the shell. */
  readonly agent: AgentName | { readonly command: string };
  readonly agentVersion?: string | undefined;
  readonly model?: string | undefined;
  /** Further arguments of the agent. */
  readonly more: readonly string[];
  /** The folder of all runs, absolute. */
  readonly out: string;
  /** The folder in which agents work, outside of the checkout. */
  readonly temp: string;
  readonly sides: 1 | 2;
  readonly attempt?: number | undefined;
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** From asking an agent to end until it is killed. */
  readonly gentleMs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly skillsOf: (suite: Suite) => readonly Skill[];
  /** `task_sha256` of a run. */
  readonly digestOf: ReturnType<typeof taskDigests>;
  readonly cancelled: AbortSignal;
  /** Called as each run ends. */
  readonly onEnd: (made: MadeRun) => void;
  /** Waits between two tries; for tests. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

export interface MadeRun {
  readonly run: PlannedRun;
  readonly record: RunRecord;
  /** It was there already. */
  readonly isOld: boolean;
  /** The agent did something: a message, a tool call, an answer. */
  readonly worked: boolean;
  /** Why no other run would get further: the key was refused or the account is empty, or the program is not there. */
  readonly stops?: "refused" | "absent" | undefined;
  /** The last lines of a run that never got to work. */
  readonly last: readonly string[];
}

interface Made {
  readonly made: readonly MadeRun[];
  /** Runs that were not started: interrupted, or stopped because no agent got to work. */
  readonly left: number;
  readonly stopped: false | "hopeless" | "refused" | "absent";
}

/**
 * Makes the runs that are not there yet: which these are is found before the first agent starts, which could write what
 * looks like a run. If an agent's log says that its key was refused or its account is empty, or the first runs all end
 * without any work, the rest is not started.
 */
export async function makeRuns(planned: readonly PlannedRun[], making: Making): Promise<Made> {
  const limit = pLimit(making.concurrency);
  const made: MadeRun[] = [];
  let left = 0;
  const finished = new Map<PlannedRun, MadeRun>();
  for (const run of planned) {
    const one = await finishedRun(run, making);
    if (one) finished.set(run, one);
  }
  const why = (): Made["stopped"] => {
    const stops = made.find((one) => one.stops)?.stops;
    if (stops) return stops;
    const isHopeless =
      made.length >= Math.min(making.concurrency, planned.length) && !made.some(({ worked }) => worked);
    return isHopeless && "hopeless";
  };
  let stopped: Made["stopped"] = false;
  await Promise.all(
    planned.map((run) =>
      limit(async () => {
        stopped ||= why();
        if (stopped || making.cancelled.aborted) {
          left += 1;
          return;
        }
        const one = finished.get(run) ?? (await makeRun(run, making));
        if (one === undefined) {
          left += 1;
          return;
        }
        made.push(one);
        making.onEnd(one);
      }),
    ),
  );
  // An agent may have written over what others left.
  for (const { run, record } of made) writeRecord(join(making.out, run.folder), record);
  return { made, left, stopped };
}

/** A run that an earlier start has made. */
async function finishedRun(run: PlannedRun, making: Making): Promise<MadeRun | undefined> {
  const folder = join(making.out, run.folder);
  const file = join(folder, RUN_JSON);
  if (!existsSync(file)) return undefined;
  try {
    const record = z.decode(runRecord, JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>);
    if (!isOfRun(record, run, making) || record.log !== LOG) return undefined;
    const log = join(folder, LOG);
    if (digestOf(log) !== record.logSha256) return undefined;
    const input = await prepared(run, making, ({ inputSha256 }) => inputSha256);
    if (record.inputSha256 !== input) return undefined;
    const { worked } = await workOf(run, log, record.exit);
    return worked ? { run, record, isOld: true, worked, last: [] } : undefined;
  } catch {
    return undefined;
  }
}

/** What an agent is given. */
interface Given {
  /** The folder that it works in, absolute. */
  readonly work: string;
  readonly missing: readonly string[];
  readonly inputSha256: string;
}

/** Fills a folder for the run, and removes it when `use` has ended. */
async function prepared<T>(
  run: PlannedRun,
  making: Making,
  use: (given: Given) => T | Promise<T>,
): Promise<T> {
  const { suite, task } = run;
  const work = mkdtempSync(join(making.temp, "waza-grade-work-"));
  try {
    const missing = prepareFolder({
      folder: work,
      task,
      skills: skillsOf(run, making),
      skillsFolder: skillsFolderOf(making),
    });
    const own = typeof making.agent === "string" ? "" : making.agent.command;
    const folder = task === undefined ? dirname(resolve(suite.root ?? ".", suite.at.path)) : work;
    const files = await (await openFolder(folder)).fingerprint();
    const parts = [
      task?.prompt ?? "",
      own,
      JSON.stringify(making.more),
      files ?? "",
      JSON.stringify(missing),
    ];
    return await use({ work, missing, inputSha256: hashOf(parts) });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function skillsOf({ suite, side }: PlannedRun, making: Making): readonly Skill[] {
  return side === undefined ? making.skillsOf(suite) : [];
}

/** Where the agent loads skills from, below its folder. */
function skillsFolderOf({ agent }: Making): string {
  return (typeof agent === "string" ? agentOf(agent)?.skills : undefined) ?? ".agents/skills";
}

/** Whether a record is of this run, by the same agent and model: else it is made anew. */
function isOfRun(record: RunRecord, run: PlannedRun, making: Making): boolean {
  return Object.entries(identityOf(run, making)).every(
    ([key, value]) => record[key as keyof RunRecord] === value,
  );
}

/** The part of run.json that says which run it is. */
function identityOf({ suite, task, trial, side }: PlannedRun, { attempt, agent, model }: Making) {
  const isTrigger = task?.shouldTrigger !== undefined;
  return {
    eval: suite.at.path,
    ...(isTrigger
      ? { trigger: task.prompt, skill: suite.skill, shouldTrigger: task.shouldTrigger }
      : { task: task?.id }),
    trial: task === undefined ? undefined : trial,
    side,
    attempt,
    agent: typeof agent === "string" ? agent : "command",
    model,
  } satisfies Partial<RunRecord>;
}

/** SHA-256 of a file. */
function digestOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** The run, tried again where the agent never got to work; undefined when it was interrupted. */
async function makeRun(run: PlannedRun, making: Making): Promise<MadeRun | undefined> {
  for (let tried = 1; ; tried += 1) {
    if (making.cancelled.aborted) return undefined;
    const one = await tryRun(run, making);
    if (wasInterrupted(making)) {
      rmSync(join(making.out, run.folder), { recursive: true, force: true });
      return undefined;
    }
    if (one.worked || one.stops || one.record.timedOut || tried === MOST_TRIES) return one;
    await (making.pause ?? pauseUntil(making.cancelled))(PAUSES_MS[tried - 1] ?? 0);
  }
}

/** Asked anew: the signal may have come meanwhile. */
function wasInterrupted({ cancelled }: Making): boolean {
  return cancelled.aborted;
}

function pauseUntil(cancelled: AbortSignal): (milliseconds: number) => Promise<void> {
  return (milliseconds) => sleep(milliseconds, undefined, { signal: cancelled }).catch(() => undefined);
}

/** The shell's exit status for a command that it does not find (POSIX, sh). */
const NOT_FOUND = 127;

const LOG = "log.jsonl";
const ERRORS = "errors.txt";
const WORK = "work";

async function tryRun(run: PlannedRun, making: Making): Promise<MadeRun> {
  const folder = join(making.out, run.folder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return await prepared(run, making, (given) => tryWith(given, { run, making, folder }));
}

interface Tried {
  readonly run: PlannedRun;
  readonly making: Making;
  readonly folder: string;
}

async function tryWith(
  { work, missing, inputSha256 }: Given,
  { run, making, folder }: Tried,
): Promise<MadeRun> {
  const started = new Date();
  const began = performance.now();
  const ended = await start(run, { making, work, folder });
  for (const { name } of skillsOf(run, making))
    rmSync(join(work, skillsFolderOf(making), name), { recursive: true, force: true });
  move(work, join(folder, WORK));
  const log = join(folder, LOG);
  const record: RunRecord = {
    ...identityOf(run, making),
    agentVersion: making.agentVersion,
    started: started.toISOString(),
    durationMs: Math.round(performance.now() - began),
    exit: ended.exit,
    timedOut: ended.timedOut || undefined,
    log: LOG,
    logSha256: digestOf(log),
    inputSha256,
    taskSha256: await making.digestOf(run),
    workspace: WORK,
    missingFiles: missing.length > 0 ? [...missing] : undefined,
    trials: run.trials,
    sides: making.sides,
  };
  writeRecord(folder, record);
  const { worked, isRefused } = await workOf(run, log, ended.exit);
  if (worked) return { run, record, isOld: false, worked, last: [] };
  const isAbsent = ended.isAbsent === true || ended.exit === NOT_FOUND;
  const stops = isRefused ? "refused" : isAbsent ? "absent" : undefined;
  return { run, record, isOld: false, worked, stops, last: lastLines(folder, ended) };
}

interface Place {
  readonly making: Making;
  readonly work: string;
  readonly folder: string;
}

async function start(run: PlannedRun, { making, work, folder }: Place): Promise<Ended> {
  const { agent, model, more, timeoutMs, gentleMs, cancelled } = making;
  const prompt = run.task?.prompt ?? "";
  const log = join(folder, LOG);
  const isEnough = run.task?.shouldTrigger === undefined ? undefined : loadsSkill();
  const errors = join(folder, ERRORS);
  const common = { folder: work, output: log, errors, timeoutMs, gentleMs, cancelled, isEnough };
  if (agent === "waza") return await startWaza(run.suite, making, common);
  if (typeof agent === "string") {
    const row: Agent = AGENTS[agent];
    return await startProgram({
      ...common,
      command: row.program,
      arguments: row.arguments({ prompt, model, more }),
      env: environmentOf(agent, making.env),
      input: row.prompt === "input" ? prompt : "",
    });
  }
  const own = join(folder, "own.log");
  const ended = await startProgram({
    ...common,
    command: "sh",
    arguments: ["-c", agent.command, "sh", ...more],
    env: {
      ...environmentOf(undefined, making.env),
      PROMPT: prompt,
      TASK: run.task?.id ?? "",
      EVAL: run.suite.at.path,
      WORKSPACE: work,
      LOG: own,
    },
    input: prompt,
  });
  // The log is what it wrote to `$LOG`, else its standard output.
  if (existsSync(own) && statSync(own).isFile() && statSync(own).size > 0) renameSync(own, log);
  else rmSync(own, { recursive: true, force: true });
  return ended;
}

type Common = Omit<Program, "command" | "arguments" | "env" | "input">;

/** Whether a skill was loaded, as the lines of a log come: more of the run of a trigger eval is not needed. */
function loadsSkill(): (line: string) => boolean {
  const isLoaded = watchSkills();
  return (line) => isLoaded(jsonOf(line));
}

/** waza runs all tasks of an eval, and its results are the log. */
async function startWaza(suite: Suite, making: Making, common: Common): Promise<Ended> {
  const file = resolve(suite.root ?? ".", suite.at.path);
  const results = join(common.folder, "results.json");
  const named = making.model === undefined ? [] : ["--model", making.model];
  const ended = await startProgram({
    ...common,
    command: "waza",
    arguments: ["run", file, "--skip-graders", "-o", results, ...named, ...making.more],
    env: environmentOf("waza", making.env),
    input: "",
  });
  if (existsSync(results)) renameSync(results, common.output);
  return ended;
}

/** Another disk cannot be renamed to. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}

function writeRecord(folder: string, record: RunRecord): void {
  const file = join(folder, RUN_JSON);
  const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, `${JSON.stringify(z.encode(runRecord, present as RunRecord), null, 2)}\n`);
}

/**
 * Whether the log has anything of the agent's: an answer, a message, a tool call. Text of no known format counts where
 * the program ended well: it could be the client's own.
 */
async function workOf(
  { task, suite }: PlannedRun,
  log: string,
  exit: number | undefined,
): Promise<{ readonly worked: boolean; readonly isRefused: boolean }> {
  const tasks = { prompts: new Map([[task?.id ?? "", []]]), open: task === undefined };
  const { format, reading } = await readAny(lookUp(log, suite.root ?? "."), tasks);
  if (reading.waza) return { worked: true, isRefused: false };
  const isText = format === textFilesReader.format;
  const trials = reading.trials ?? [];
  const worked = trials.some(
    ({ finalOutput, steps, failure }) =>
      (finalOutput.trim() !== "" && failure === undefined && (!isText || exit === 0)) ||
      hasConversation({ steps }),
  );
  return { worked, isRefused: !worked && trials.some(({ outage }) => outage === "refused") };
}

function lastLines(folder: string, { wrong }: Ended): string[] {
  const lines = [join(folder, LOG), join(folder, ERRORS)].flatMap((file) =>
    readFileSync(file, "utf8").slice(-4_000).trim().split("\n"),
  );
  const last = lines.filter((line) => line !== "").slice(-LAST_LINES);
  return wrong === undefined ? last : [wrong, ...last];
}
