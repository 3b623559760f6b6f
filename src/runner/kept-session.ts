/**
 * The session that a client keeps of a run, beside what it prints. An agent can write to that file: so it is read while it
 * grows, and must be as it was read, and as the printed rows say, which no agent can reach.
 */
import { closeSync, existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../files/confine.ts";
import { bytesOfFile, bytesOfOpen, openToRead } from "../files/read.ts";
import { rowWatch } from "../outputs/watch.ts";
import type { LogEvent } from "../outputs/transcript.ts";
import { jsonOf } from "../text/format.ts";
import { Json } from "../text/json.ts";
import { type KeptSession, agentOf } from "./agents.ts";
import { MOST_LOG_BYTES } from "./start-program.ts";

/** Milliseconds between two readings while nothing is printed. */
const READ_MS = 100;

const CHANGED = "its file was changed otherwise than by rows that its client added";

/** Watches the session of one run; its id is `given` where the client takes one, else the one that it prints. */
export function watchSession(agent: string, home: string, given: string) {
  const row = agentOf(agent);
  const rows = row?.session;
  let id = row?.sessionFlag === undefined ? undefined : given;
  let path: string | undefined;
  let file: number | undefined;
  let [pieces, length]: [Buffer[], number] = [[], 0];
  let why: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const grow = () => {
    if (!rows || why !== undefined) return;
    try {
      path ??= id === undefined ? undefined : sessionFile(home, rows, id);
      if (path === undefined) return;
      file ??= openToRead(path);
      const more = bytesOfOpen(file, length);
      if (more.length > 0) pieces.push(more);
      length += more.length;
      if (length > MOST_LOG_BYTES) why = "it is too long";
    } catch {
      why = CHANGED;
    }
  };
  const check = () => {
    grow();
    const now = path === undefined ? undefined : bytesOfFile(path, MOST_LOG_BYTES);
    if (path !== undefined && now?.equals(Buffer.concat(pieces)) !== true) why ??= CHANGED;
  };
  return {
    /** Before a turn: what `mend` does to the session, between two turns, is no agent's doing. */
    begin: (mend: () => void) => {
      check();
      mend();
      [pieces, length] = [[], 0];
      grow();
      timer = setInterval(grow, READ_MS);
    },
    /** Reads what was added, as a row was printed. */
    hear: (line: string) => {
      id ??= row?.resume && sessionIn(Buffer.from(line), row.resume.key);
      grow();
    },
    /** After a turn, when nothing of it runs any more. */
    end: () => {
      clearInterval(timer);
      check();
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
    /** The bytes of all turns, or why they are not believed; neither where there is no session. */
    came: (printed: readonly Buffer[]): { readonly bytes?: Buffer; readonly why?: string } => {
      if (!rows || path === undefined) return {};
      const bytes = Buffer.concat(pieces);
      why ??= differenceOf(bytes, printed, rows);
      return why === undefined ? { bytes } : { why };
    },
  };
}

/** The session of this id in a run's home; undefined where it is not there yet, or no file of that home. */
function sessionFile(home: string, { folder, path }: KeptSession, id: string): string | undefined {
  const all = join(home, folder);
  if (!existsSync(all)) return undefined;
  const names = readdirSync(all, { recursive: true, encoding: "utf8" });
  const [found, other] = names.filter((name) => path(id).test(`/${name}`));
  if (other !== undefined) throw new Error("two sessions of one id");
  const file = found === undefined ? undefined : realpathSync(join(all, found));
  return file !== undefined && isInside(file, realpathSync(home)) ? file : undefined;
}

/** Why a session is not the run's, by what was printed; undefined where nothing speaks against it. */
export function differenceOf(
  kept: Buffer,
  printed: readonly Buffer[],
  { isNumbered }: Partial<KeptSession>,
): string | undefined {
  const [keptLines, said] = [linesOf(kept), printed.flatMap(linesOf)];
  const isWhole = keptLines.every((line, index) => new Json(jsonOf(line)).number("ordinal") === index);
  if (isNumbered && !isWhole) return CHANGED;
  const [ownEvents, saidEvents] = [eventsOf(keptLines), eventsOf(said)];
  const callsOf = (events: readonly LogEvent[]) =>
    events.flatMap((one) => (one.kind === "call" ? JSON.stringify([one.id, one.name, one.input]) : []));
  const [calls, commands] = [new Set(callsOf(saidEvents)), said.flatMap(commandOf)];
  const isOther = isNumbered
    ? keptLines.flatMap(commandOf).some((one) => !commands.some((printed) => isKeptOf(one, printed)))
    : callsOf(ownEvents).some((call) => !calls.has(call));
  if (isOther) return "it has a call that is another one, or none, in the printed rows";
  const wordsOf = (events: readonly LogEvent[]) =>
    events.flatMap((one) => (one.kind === "assistant" ? one.text.replaceAll(/\s/g, "") : []));
  const words = wordsOf(saidEvents).join("");
  if (wordsOf(ownEvents).some((text) => !words.includes(text)))
    return "it has words of the agent that were not printed";
  const results = ownEvents.filter((one) => one.kind === "result" && one.result !== undefined);
  const ofCalls = Map.groupBy(results, (one) => ("id" in one ? one.id : undefined));
  const isTwice = [...ofCalls.values()].some(
    (same) => new Set(same.map((one) => "result" in one && one.result)).size > 1,
  );
  return isTwice ? "it has two results of one call" : undefined;
}

function linesOf(log: Buffer): string[] {
  return log.toString().trimEnd().split("\n");
}

/** What each row says by itself: a later one may take the place of an earlier one where all are read together. */
function eventsOf(lines: readonly string[]): LogEvent[] {
  const read = rowWatch();
  return lines.flatMap((line) => read(line)?.session.events ?? []);
}

/** A command of Codex. */
interface PrintedCommand {
  /** Which Codex prints as the shell is given it, quoted, and keeps as a list; and how it ended. */
  readonly command: string;
  readonly output: string;
}

function commandOf(line: string): PrintedCommand[] {
  const row = new Json(jsonOf(line));
  const item = row.isObject("item") ? row.at("item") : row.at("payload", "item");
  if (!/^(?:command_execution|CommandExecution)$/.test(item.type)) return [];
  const words = [item.at("command").value]
    .flat()
    .join(" ")
    .replaceAll(/['"\\]/g, "");
  const command = JSON.stringify([words, item.number("exit_code")]);
  return [{ command, output: item.text("aggregated_output") ?? "" }];
}

/** In place of the middle of an output of which Codex keeps no more than 64 KiB. */
const CUT = "... command output truncated for persistence ...";
const LEAST_CUT_BYTES = 60_000;

/** Whether a kept command is a printed one, also if Codex kept the beginning and the end of its output. */
function isKeptOf(kept: PrintedCommand, printed: PrintedCommand): boolean {
  if (kept.command !== printed.command) return false;
  const [start = "", end] = kept.output.split(CUT);
  if (end === undefined || Buffer.byteLength(kept.output) < LEAST_CUT_BYTES)
    return kept.output === printed.output;
  return printed.output.startsWith(start.trimEnd()) && printed.output.endsWith(end.trimStart());
}

/** The session's id, in the first row of a log that says it. */
export function sessionIn(log: Buffer, key: string): string | undefined {
  for (const line of log.toString().split("\n")) {
    const id = new Json(jsonOf(line)).text(key);
    if (id !== undefined && /^\w[\w-]*$/.test(id)) return id;
  }
  return undefined;
}
