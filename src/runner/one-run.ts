/** Makes one run: the agent in a folder of its own, and what it was, written down also where the agent harmed that folder. */
import { randomUUID } from "node:crypto";
import { closeSync, lstatSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ClientFacts } from "../domain/run.ts";
import { skillsGiven } from "../domain/suite.ts";
import { bytesOfFile, bytesOfOpen, readFailure } from "../files/read.ts";
import { moveBelow, openBelow, replaceBelow, temporaryIn, writeBelow } from "../files/write.ts";
import { openRights, removeAll, removeBelow } from "../files/remove.ts";
import { WORK, hashOfWork } from "../outputs/list-of-runs.ts";
import { watchLog } from "../outputs/watch.ts";
import { LOG, RUN_JSON, SESSION, recordText, type RunRecord } from "../outputs/run-json.ts";
import { redactor, type Redactor } from "../safety/redact.ts";
import { sha256 } from "../text/hash.ts";
import { type Agent, agentOf } from "./agents.ts";
import { type Speaker, type Talk, type TurnMade, converse, sessionIn, turnLog } from "./conversation.ts";
import { environmentOf } from "./environment.ts";
import type { AgentGiven } from "./given.ts";
import { tidy, withoutSecrets } from "./leavings.ts";
import { homeOf, homeVariables, prepareHome, removeLeavings, withEmptyHome } from "./home.ts";
import { watchSession } from "./kept-session.ts";
import { noteBegun } from "./left-behind.ts";
import { MOST_LOG_BYTES } from "./limits.ts";
import { freshFolder, isOwnFolder } from "./out-folder.ts";
import type { Changes } from "../github/changes.ts";
import type { PlannedRun } from "../plan/runs.ts";
import type { PricedJudge } from "./price-line.ts";
import type { RunOptions } from "./run-options.ts";
import type { Spending } from "./spending.ts";
import { type Ended, type Program, startProgram } from "./start-program.ts";
import { deathOf, workOf, type Death } from "./work.ts";
import { prepareFolder, type SkillCopies } from "./workspace.ts";

/** What the command needs from outside. */
export interface RunSurroundings {
  readonly options: RunOptions;
  readonly env: NodeJS.ProcessEnv;
  /** The top of the checkout, or the current folder. */
  readonly workspace: string;
  readonly changes: (root: string) => Promise<Changes>;
  /** Who opened the pull request, where that gets no secrets. */
  readonly withoutSecrets: "fork" | "dependabot" | undefined;
  /** Sets an output of the step. */
  readonly output?: ((name: string, value: string) => void) | undefined;
  readonly line: (text: string) => void;
  /** Replaces the line of progress on a terminal. */
  readonly status?: ((text: string) => void) | undefined;
  readonly cancelled: AbortSignal;
  /** The judge of these runs, where it is known. */
  readonly judge?: PricedJudge | undefined;
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
  readonly gentleMs?: number | undefined;
  readonly leastBytes?: number | undefined;
}

/** How runs are made; `options.out`, the folder of all runs, has no link in its path. */
export interface Making extends RunSurroundings {
  readonly agentVersion: string | undefined;
  /** The folder in which agents work, outside of the checkout. */
  readonly temp: string;
  readonly attempt: number | undefined;
  /** Taken out of all that is written. */
  readonly secrets: readonly string[];
  readonly copies: SkillCopies;
  /** Whether a run is made although it is there. */
  readonly isAgain: (run: PlannedRun) => boolean;
  /** The folders of the runs that count; another one is no run of ours. */
  readonly listed: ReadonlyMap<string, unknown>;
  readonly spending: Spending;
  /** Who says what the user says after the first turn. */
  readonly speaker: (run: PlannedRun) => Speaker;
  /** Called as a run is started; returns what hears how many calls its log has. */
  readonly onBegin: (run: PlannedRun) => (calls: number) => void;
  /** Called as each run ends. */
  readonly onEnd: (made: MadeRun) => void;
  /** Called before a pause, after which the run is tried again. */
  readonly onWait: (made: MadeRun, milliseconds: number) => void;
}

/** A run with what its agent is given. */
export interface GivenRun extends PlannedRun {
  readonly given: AgentGiven;
}

export interface MadeRun extends Omit<Death, "error"> {
  readonly run: PlannedRun;
  readonly record: RunRecord;
  /** Hash of what it left; absent where there is too much. */
  readonly workSha256?: string | undefined;
  /** It was there already. */
  readonly isOld: boolean;
  /** The agent did something: a message, a tool call, an answer; and did not harm its own run. */
  readonly worked: boolean;
  /** What it left is gone, by its own doing or by another agent's. */
  readonly isLost?: true | undefined;
  /** What its log says of the client. */
  readonly client?: ClientFacts | undefined;
}

/** The shell's exit status for a command that it does not find (POSIX, sh). */
const NOT_FOUND = 127;

/** The longest that the run of a trigger eval may take: a skill is loaded at its beginning. */
const TRIGGER_MS = 60_000;

/** Milliseconds between asking a program to end and killing it: agents write their last rows. */
const GENTLE_MS = 10_000;

/** Bytes of a variable that a program may be started with, its name included: 128 KiB on Linux. */
const MOST_VARIABLE = 131_000;

const ERRORS = "errors.txt";

/**
 * Starts the agent once; what an older start made stays until it has ended. What goes wrong with the run's own files is the
 * run's: it is recorded as failed. Undefined when it was interrupted; never throws.
 */
export async function tryRun(run: GivenRun, making: Making, tried: number): Promise<MadeRun | undefined> {
  const begun: RunRecord = {
    ...identityOfRun(run, making.options),
    attempt: making.attempt,
    state: "started",
    agentVersion: making.agentVersion,
    started: new Date().toISOString(),
    log: LOG,
    tries: tried === 1 ? undefined : tried,
    trials: run.trials,
    sides: run.sides,
  };
  const temporary: string[] = [];
  // Without a name of ours, by which another agent could clear the temporary folder of such folders.
  const make = () => {
    const folder = temporaryIn(making.temp);
    temporary.push(folder);
    return folder;
  };
  try {
    const [work, home, session, { agent }] = [make(), make(), randomUUID(), making.options];
    const kept = watchSession(agent, home, session);
    const logs = make();
    noteBegun(making.options.out, session, temporary);
    const hear = making.onBegin(run);
    const { suite, task } = run;
    const skills = task?.shouldTrigger === undefined ? undefined : skillsGiven(suite);
    const watch = watchLog(skills && { skills, wanted: suite.among && suite.tested?.name });
    return await tryWith({ run, making, work, logs, home, hear, watch, session, kept }, begun);
  } catch (thrown) {
    const reason = `the run's files cannot be written: ${readFailure(thrown)}`;
    const { state: _, ...record } = { ...begun, error: reason };
    try {
      writeRunJson(freshFolder(making.options.out, run.folder), record);
    } catch {
      // A full disk, or a folder of runs that is gone: the line at the end says it.
    }
    return { run, record, isOld: false, worked: false, last: [reason] };
  } finally {
    for (const folder of temporary) {
      removeLeavings(agentOf(making.options.agent), folder, making.env);
      removeAll(folder);
    }
  }
}

interface Trying {
  readonly run: GivenRun;
  readonly making: Making;
  /** The folder that the agent works in. */
  readonly work: string;
  /** A folder for what it prints. */
  readonly logs: string;
  /** A folder for its home. */
  readonly home: string;
  /** Hears how many calls its log has. */
  readonly hear: (calls: number) => void;
  /** What the rows say, and whether no more is needed. */
  readonly watch: ReturnType<typeof watchLog>;
  /** The session's id for a command, which may hand it to its client, and for a client that takes one. */
  readonly session: string;
  /** What the client keeps of its session. */
  readonly kept: ReturnType<typeof watchSession>;
}

async function tryWith(trying: Trying, begun: RunRecord): Promise<MadeRun | undefined> {
  const { run, making, work, logs } = trying;
  const began = performance.now();
  const skillsFolder = skillsFolderOf(making.options.agent);
  const skills = run.side === undefined ? skillsGiven(run.suite) : [];
  const { missing, givenSha256 } = await prepareFolder({
    folder: work,
    task: run.task,
    skills,
    skillsFolder,
    copies: making.copies,
  });
  const errors = openBelow(logs, ERRORS);
  try {
    const first = await startTurn(trying, errors, { prompt: run.task?.prompt ?? "", number: 1, session: "" });
    const talk = await talkOn(first, trying, errors);
    const { ended } = first;
    if (ended.isCut || (talk?.ended === "failed" && making.cancelled.aborted)) return undefined;
    const redact = redactor(making.secrets, { shapes: true });
    const log = await withoutSecrets(first.log, redact);
    const said = await withoutSecrets(bytesOfOpen(errors), redact);
    const given = skills.map(({ name }) => join(skillsFolder, name));
    const session = trying.kept.came([first.log, ...(talk?.turns ?? []).map((turn) => turn.log)]);
    const kept = await keepWork(trying, { given, begun, redact });
    writeBelow(kept.folder, LOG, log);
    writeBelow(kept.folder, ERRORS, said);
    const wrong = kept.wrong ?? ended.wrong;
    const ran: RunRecord = {
      ...begun,
      state: undefined,
      durationMs: Math.round(performance.now() - began),
      exit: ended.exit,
      timedOut: ended.timedOut || undefined,
      error: wrong,
      logSha256: sha256(log),
      ...(await keepSession(kept.folder, session, redact)),
      ...(talk && (await keepTurns(kept.folder, talk, redact))),
      ...run.given,
      workspace: kept.wrong === undefined ? WORK : undefined,
      workedIn: work,
      renamed: kept.renamed.length > 0 ? kept.renamed : undefined,
      skillFound: lacksSkill(run, making) ? false : undefined,
      missingFiles: missing.length > 0 ? [...missing] : undefined,
    };
    const isAbsent = ended.isAbsent === true || ended.exit === NOT_FOUND;
    return await whatCame(trying, { kept, givenSha256, isAbsent, talk, printed: [log, said] }, ran);
  } finally {
    closeSync(errors);
  }
}

/** What a run came to, by what it left. Where that cannot be read, its log and its folder are kept all the same. */
async function whatCame(
  trying: Trying,
  came: {
    readonly kept: Awaited<ReturnType<typeof keepWork>>;
    readonly givenSha256: string | undefined;
    readonly isAbsent: boolean;
    readonly talk: Talk | undefined;
    readonly printed: readonly Buffer[];
  },
  ran: RunRecord,
): Promise<MadeRun> {
  const { run, making } = trying;
  const { kept, givenSha256, talk, ...how } = came;
  const wrong = ran.error;
  try {
    const workSha256 = await hashOfWork(kept.folder);
    // An agent of the table says what it did; a command may have left other files than it was given.
    const isOwn =
      making.options.agent === "command" && givenSha256 !== undefined && workSha256 !== givenSha256;
    const leftFiles = isOwn || undefined;
    const whole = { ...ran, leftFiles };
    const { client, ...work } = await workOf(run, join(kept.folder, LOG), whole);
    const { error = wrong, ...dead } = talk?.death ?? deathOf(work, { wrong, exit: ran.exit, ...how });
    making.spending.note(trying, client?.cost);
    const record = { ...whole, error, tokens: client?.tokens, costUsd: client?.cost };
    writeRunJson(kept.folder, record);
    const { worked } = work;
    return { run, record, workSha256, isOld: false, isLost: kept.isLost, client, worked, ...dead };
  } catch (thrown) {
    const error = wrong ?? `what it came to cannot be read: ${readFailure(thrown)}`;
    const record = { ...ran, error };
    writeRunJson(kept.folder, record);
    return { run, record, isOld: false, isLost: kept.isLost, worked: false, last: [error] };
  }
}

/** Whether a run should have a skill, by its eval or since it is compared with one without, and none was found. */
function lacksSkill({ suite, side, sides }: PlannedRun, { options: { agent } }: Making): boolean {
  const isMeant = agent !== "waza" && side === undefined && (suite.skill !== undefined || sides === 2);
  return isMeant && suite.tested === undefined;
}

/** Moves what the agent left, without what it was given, to the run's folder; or says what became of its folder. */
async function keepWork(
  { run, making, work }: Trying,
  {
    given,
    begun,
    redact,
  }: { readonly given: readonly string[]; readonly begun: RunRecord; readonly redact: Redactor },
): Promise<{
  readonly folder: string;
  readonly renamed: string[];
  readonly wrong?: string;
  readonly isLost?: true;
}> {
  const folder = emptiedFolder(making.options.out, run.folder, begun);
  if (lstatSync(work, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { folder, renamed: [], wrong: LOST, isLost: true };
  try {
    openRights(work);
    for (const path of given) removeBelow(work, path);
    const renamed = await tidy(work, redact);
    moveBelow(work, folder, WORK);
    return { folder, renamed };
  } catch (thrown) {
    removeBelow(folder, WORK);
    return { folder, renamed: [], wrong: `what the agent left cannot be kept: ${readFailure(thrown)}` };
  }
}

const LOST = "the folder that it worked in was removed or replaced";

/** The run's folder with the run.json of its start alone, which is there at every moment: after a kill nothing else is the run's. */
function emptiedFolder(out: string, folder: string, begun: RunRecord): string {
  const path = isOwnFolder(join(out, folder)) ? join(out, folder) : freshFolder(out, folder);
  writeRunJson(path, begun);
  for (const name of readdirSync(path)) if (name !== RUN_JSON) removeBelow(path, name);
  return path;
}

/** Where the agent loads skills from, below its folder. */
export function skillsFolderOf(agent: RunOptions["agent"]): string {
  return agentOf(agent)?.skills ?? ".agents/skills";
}

/** The part of run.json that says which run it is, in any attempt. */
export function identityOfRun(
  { suite, task, trial, side }: PlannedRun,
  { agent, model }: Pick<RunOptions, "agent" | "model">,
) {
  const isTrigger = task?.shouldTrigger !== undefined;
  return {
    eval: suite.at.path,
    ...(isTrigger
      ? {
          trigger: task.prompt,
          skill: suite.skill,
          shouldTrigger: task.shouldTrigger,
          skills: suite.among?.length,
        }
      : { task: task?.id }),
    trial: task === undefined ? undefined : trial,
    side,
    agent,
    model,
  } satisfies Partial<RunRecord>;
}

/** What one start of the agent is told. */
interface TurnStart {
  readonly prompt: string;
  /** From 1. */
  readonly number: number;
  /** The session to go on with. */
  readonly session: string;
}

/** The turns after the first one, where the eval has any. */
async function talkOn(first: TurnMade, trying: Trying, errors: number): Promise<Talk | undefined> {
  const { run, making, logs, session: own } = trying;
  const { further } = run.task ?? {};
  if (!further) return undefined;
  const row: Agent | undefined = agentOf(making.options.agent);
  const isPrinted = row?.resume && row.sessionFlag === undefined;
  const session = isPrinted ? sessionIn(first.log, row.resume.key) : own;
  return await converse(first, {
    run,
    agent: making.options.agent,
    folder: logs,
    speak: making.speaker(run),
    errors: () => bytesOfOpen(errors),
    start: async (prompt, number) =>
      session === undefined
        ? {
            log: Buffer.alloc(0),
            ended: { timedOut: false, wrong: "its log names no session to go on with" },
          }
        : await startTurn(trying, errors, { prompt, number, session }),
  });
}

/** Writes the logs of the further turns; returns what run.json says of them. */
async function keepTurns(
  folder: string,
  { turns, ended, reason }: Talk,
  redact: Redactor,
): Promise<Partial<RunRecord>> {
  const kept: NonNullable<RunRecord["turns"]> = [];
  for (const [index, { prompt, by, log: printed }] of turns.entries()) {
    const bytes = await withoutSecrets(printed, redact);
    const log = turnLog(index + 2);
    writeBelow(folder, log, bytes);
    kept.push({ prompt: redact(prompt), by, log, sha256: sha256(bytes) });
  }
  return { turns: kept, turnsEnded: ended, turnsReason: reason && redact(reason) };
}

/** Writes the session that the client kept; returns what run.json says of it. */
async function keepSession(
  folder: string,
  { bytes: own, why }: ReturnType<Trying["kept"]["came"]>,
  redact: Redactor,
): Promise<Partial<RunRecord>> {
  if (own === undefined) return { sessionUnused: why };
  const bytes = await withoutSecrets(own, redact);
  writeBelow(folder, SESSION, bytes);
  return { session: SESSION, sessionSha256: sha256(bytes) };
}

/** Starts the agent on a turn, and reads its log: what it wrote itself, else what it printed. */
async function startTurn(trying: Trying, errors: number, turn: TurnStart): Promise<TurnMade> {
  const output = openBelow(trying.logs, `output-${String(turn.number)}`);
  try {
    const { own, ...ended } = await startAgent(trying, { output, errors }, turn);
    return { log: own ?? bytesOfOpen(output), ended };
  } finally {
    closeSync(output);
  }
}

/** How the program ended, and the log that it wrote itself. */
interface EndedRun extends Ended {
  readonly own?: Buffer | undefined;
}

async function startAgent(
  trying: Trying,
  opened: Pick<Program, "output" | "errors">,
  turn: TurnStart,
): Promise<EndedRun> {
  const { run, making, work: folder, hear, watch, kept, session } = trying;
  const { options, gentleMs = GENTLE_MS, cancelled } = making;
  if (cancelled.aborted) return { timedOut: false, isCut: true };
  const isTrigger = run.task?.shouldTrigger !== undefined;
  const timeoutMs = isTrigger ? Math.min(options.timeoutMs, TRIGGER_MS) : options.timeoutMs;
  let all = 0;
  const isEnough = (line: string) => {
    kept.hear(line);
    const heard = watch(line);
    hear(heard.calls);
    making.spending.note(trying, heard.cost.rows);
    ({ all } = heard.cost);
    return heard.isEnough;
  };
  const { file, ...start } = startOf(trying, turn);
  const ended = await startProgram({
    id: session,
    ...start,
    ...opened,
    folder,
    timeoutMs,
    gentleMs,
    cancelled,
    isEnough,
  });
  kept.end();
  making.spending.note(trying, all);
  return { ...ended, own: file === undefined ? undefined : bytesOfFile(file, MOST_LOG_BYTES) };
}

/** What is started, and the file that it writes its log to, where it does not print it. */
type Start = Pick<Program, "command" | "arguments" | "env" | "input"> & { readonly file?: string };

function startOf(
  { run, making, work, logs, home, session: own, kept }: Trying,
  { prompt, number, session }: TurnStart,
): Start {
  const { options, env } = making;
  const { agent, model, more } = options;
  const { suite, task } = run;
  if (agent === "waza") {
    // It runs all tasks of an eval, and its results are the log.
    const file = join(logs, "results.json");
    const named = model === undefined ? [] : ["--model", model];
    const path = resolve(suite.root ?? ".", suite.at.path);
    const args = ["run", path, "--skip-graders", "-o", file, ...named, ...more];
    return { command: "waza", arguments: args, env: environmentOf(agent, env), input: "", file };
  }
  const row: Agent | undefined = agentOf(agent);
  if (row) {
    const asked = row.arguments({ model, more, home: homeOf(env), own: home });
    const { sessionFlag: flag } = row;
    const first = flag === undefined || number > 1 ? asked : [...asked, flag, own];
    if (number === 1) prepareHome(home, row, env);
    kept.begin(() => number > 1 && row.resume?.mend?.(home));
    return {
      command: row.program,
      arguments: number === 1 ? first : (row.resume?.arguments(first, session) ?? first),
      env: { ...environmentOf(agent, env), ...homeVariables(home, row, env) },
      input: prompt,
    };
  }
  const file = join(logs, `own-${String(number)}.log`);
  const shared = environmentOf(agent, env);
  return {
    command: "sh",
    arguments: ["-c", options.command, "sh", ...more],
    env: {
      ...(options.ownHome ? withEmptyHome(shared, home) : shared),
      // A longer variable is none (execve(2)); the prompt is on standard input as well.
      PROMPT: Buffer.byteLength(prompt) < MOST_VARIABLE ? prompt : undefined,
      TURN: String(number),
      SESSION: own,
      TASK: task?.id ?? "",
      EVAL: suite.at.path,
      WORKSPACE: work,
      LOG: file,
    },
    input: prompt,
    file,
  };
}

/** Writes run.json, in place of what is there, at once. */
function writeRunJson(folder: string, record: RunRecord): void {
  replaceBelow(folder, RUN_JSON, recordText(record));
}
