/** Makes one run: the agent in a folder of its own, and what it was, written down also where the agent harmed that folder. */
import { randomUUID } from "node:crypto";
import { closeSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { skillsGiven } from "../domain/suite.ts";
import { folderSha256 } from "../files/folder.ts";
import { bytesOfOpen, readFailure } from "../files/read.ts";
import { folderBelow, moveBelow, openBelow, replaceBelow, writeBelow } from "../files/write.ts";
import { openRights, removeBelow } from "../files/remove.ts";
import { WORK } from "../outputs/list-of-runs.ts";
import { watchLog } from "../outputs/watch.ts";
import { LOG, RUN_JSON, SESSION, recordText, type RunRecord } from "../outputs/run-json.ts";
import type { PlannedRun } from "../plan/runs.ts";
import type { Redactor } from "../safety/secrets.ts";
import { sha256 } from "../text/hash.ts";
import { skillsFolderOf } from "./agents.ts";
import { watchSession } from "./kept-session.ts";
import { tidy, withoutSecrets } from "./clean-work.ts";
import type { GivenRun, MadeRun, Making } from "./making.ts";
import { freshFolder, isOwnFolder } from "./out-folder.ts";
import type { RunOptions } from "./run-options.ts";
import type { Ended } from "./start-program.ts";
import { type Talk, type Trying, type TurnMade, converse, startTurn, turnLog } from "./turns.ts";
import { temporaryFolder } from "./temporary-folders.ts";
import { deathOf, workOf } from "./work.ts";
import { lacksSkill, prepareFolder, skillsOf } from "./workspace.ts";

/** The shell's exit status for a command that it does not find (POSIX, sh). */
const NOT_FOUND = 127;

const ERRORS = "errors.txt";

/**
 * Starts the agent once; what an older start made stays until it has ended. What goes wrong with the run's own files is the
 * run's: it is recorded as failed. Undefined when it was interrupted; never throws.
 */
export async function tryRun(run: GivenRun, making: Making, tried: number): Promise<MadeRun | undefined> {
  const begun: RunRecord = {
    ...identityOfRun(run, making.options),
    state: "started",
    agentVersion: making.agentVersion,
    started: new Date().toISOString(),
    log: LOG,
    tries: tried === 1 ? undefined : tried,
    trials: run.trials,
    sides: run.sides,
  };
  try {
    using folder = temporaryFolder(making);
    return await tryIn(folder.path, { run, making }, begun);
  } catch (thrown) {
    const reason = `the run's files cannot be written: ${readFailure(thrown)}`;
    const { state: _, ...record } = { ...begun, error: reason };
    try {
      writeRunJson(freshFolder(making.options.out, run.folder), record);
    } catch {
      // A full disk, or a folder of runs that is gone: the line at the end says it.
    }
    return { run, record, worked: false, last: [reason] };
  }
}

async function tryIn(
  folder: string,
  { run, making }: Pick<Trying, "run" | "making">,
  begun: RunRecord,
): Promise<MadeRun | undefined> {
  const [session, began] = [randomUUID(), performance.now()];
  const { options, redact, chosen } = making;
  const within = (name: string) => folderBelow(folder, name);
  const [work, home, logs] = [within(WORK), within("home"), within("logs")];
  const [{ agent }, { copies }] = [options, chosen];
  const { missing, givenSha256 } = await prepareFolder(work, run, { agent, copies });
  const trying: Trying = {
    run,
    making,
    folder,
    work,
    home,
    logs,
    session,
    errors: openBelow(logs, ERRORS),
    hear: making.progress.begin(run),
    watch: watchOf(run),
    kept: watchSession(agent, home, session),
  };
  try {
    const first = await startTurn(trying, { prompt: run.task?.prompt ?? "", number: 1, session: "" });
    const talk = await converse(first, trying);
    const { ended } = first;
    if (ended.isCut || (talk?.ended === "failed" && making.cancelled.aborted)) return undefined;
    const log = await withoutSecrets(first.log, redact);
    const said = await withoutSecrets(bytesOfOpen(trying.errors), redact);
    const kept = await keepWork(trying, begun);
    writeBelow(kept.folder, LOG, log);
    writeBelow(kept.folder, ERRORS, said);
    const ran: RunRecord = {
      ...begun,
      state: undefined,
      durationMs: Math.round(performance.now() - began),
      exit: ended.exit,
      timedOut: ended.timedOut || undefined,
      error: kept.wrong ?? ended.wrong,
      logSha256: sha256(log),
      ...(await keepSession(kept.folder, trying, [first, ...(talk?.turns ?? [])])),
      ...(talk && (await keepTurns(kept.folder, talk, redact))),
      ...run.given,
      workspace: kept.wrong === undefined ? WORK : undefined,
      workedIn: trying.work,
      renamed: someOf(kept.renamed),
      skillFound: lacksSkill(run, agent) ? false : undefined,
      missingFiles: someOf(missing),
    };
    return await whatCame(
      trying,
      { folder: kept.folder, givenSha256, ended, talk, printed: [log, said] },
      ran,
    );
  } finally {
    closeSync(trying.errors);
  }
}

function someOf(names: readonly string[]): string[] | undefined {
  return names.length > 0 ? [...names] : undefined;
}

/** What is waited for in the log of a run: of a trigger eval, that its skill is loaded. */
function watchOf({ suite, task }: PlannedRun): Trying["watch"] {
  if (task?.shouldTrigger === undefined) return watchLog();
  return watchLog({ skills: skillsGiven(suite), wanted: suite.among && suite.tested?.name });
}

/** What a run came to, by what it left. Where that cannot be read, its log and its folder are kept all the same. */
async function whatCame(
  trying: Trying,
  came: {
    readonly folder: string;
    readonly givenSha256: string | undefined;
    readonly ended: Ended;
    readonly talk: Talk | undefined;
    readonly printed: readonly Buffer[];
  },
  ran: RunRecord,
): Promise<MadeRun> {
  const { run, making } = trying;
  const { folder, givenSha256, ended, talk, printed } = came;
  const wrong = ran.error;
  try {
    const workSha256 = await folderSha256(join(folder, WORK));
    // An agent of the table says what it did; a command may have left other files than it was given.
    const isOwn =
      making.options.agent === "command" && givenSha256 !== undefined && workSha256 !== givenSha256;
    const leftFiles = isOwn || undefined;
    const whole = { ...ran, leftFiles };
    const isAbsent = ended.isAbsent === true || ended.exit === NOT_FOUND;
    const { client, ...work } = await workOf(run, join(folder, LOG), whole);
    const { error = wrong, ...dead } = talk?.death ?? deathOf(work, { ...ended, wrong, isAbsent }, printed);
    making.spending.note(trying, client?.cost);
    const record = { ...whole, error, tokens: client?.tokens, costUsd: client?.cost };
    writeRunJson(folder, record);
    const { worked } = work;
    return { run, record, workSha256, client, worked, ...dead };
  } catch (thrown) {
    const error = wrong ?? `what it came to cannot be read: ${readFailure(thrown)}`;
    const record = { ...ran, error };
    writeRunJson(folder, record);
    return { run, record, worked: false, last: [error] };
  }
}

/** Moves what the agent left, without its skills, to the run's folder; or says what became of its folder. */
async function keepWork({ run, making: { options, redact }, work }: Trying, begun: RunRecord) {
  const folder = emptiedFolder(options.out, run.folder, begun);
  if (lstatSync(work, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { folder, renamed: [], wrong: LOST };
  try {
    openRights(work);
    for (const { name } of skillsOf(run)) removeBelow(work, join(skillsFolderOf(options.agent), name));
    const renamed = await tidy(work, redact);
    moveBelow(work, folder, WORK);
    return { folder, renamed, wrong: undefined };
  } catch (thrown) {
    removeBelow(folder, WORK);
    return { folder, renamed: [], wrong: `what the agent left cannot be kept: ${readFailure(thrown)}` };
  }
}

/** What it left is gone, by its own doing or by another agent's. */
export const LOST = "the folder that it worked in was removed or replaced";

/** The run's folder with the run.json of its start alone, which is there at every moment: after a kill nothing else is the run's. */
function emptiedFolder(out: string, folder: string, begun: RunRecord): string {
  const path = isOwnFolder(join(out, folder)) ? join(out, folder) : freshFolder(out, folder);
  writeRunJson(path, begun);
  for (const name of readdirSync(path)) if (name !== RUN_JSON) removeBelow(path, name);
  return path;
}

/** The part of run.json that says which run it is. */
export function identityOfRun(
  { suite, task, trial, side }: PlannedRun,
  { agent, model, attempt }: RunOptions,
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
    attempt,
  } satisfies Partial<RunRecord>;
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
  { kept, making }: Trying,
  turns: readonly TurnMade[],
): Promise<Partial<RunRecord>> {
  const { bytes: session, why } = kept.came(turns.map(({ log }) => log));
  if (session === undefined) return { sessionUnused: why };
  const bytes = await withoutSecrets(session, making.redact);
  writeBelow(folder, SESSION, bytes);
  return { session: SESSION, sessionSha256: sha256(bytes) };
}

/** Writes run.json, in place of what is there, at once. */
function writeRunJson(folder: string, record: RunRecord): void {
  replaceBelow(folder, RUN_JSON, recordText(record));
}
