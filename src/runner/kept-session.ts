/**
 * The session that a client keeps of a run, beside what it prints. An agent can write to that file: so it is read while it
 * grows, and must be as it was read, and as the printed rows say, which no agent can reach.
 */
import { closeSync, existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../files/confine.ts";
import { bytesOfFile, bytesOfOpen, openToRead } from "../files/read.ts";
import { jsonOf } from "../text/format.ts";
import { type Agent, agentOf } from "./agents.ts";
import { sessionIn } from "./conversation.ts";
import { MOST_LOG_BYTES } from "./limits.ts";
import { SESSION_ROWS, resultsIn, type SessionRows } from "./session-rows.ts";

interface SessionWatch {
  /** Before a turn: what `mend` does to the session, between two turns, is no agent's doing. */
  readonly begin: (mend: () => void) => void;
  /** Reads what was added, as a row was printed. */
  readonly hear: (row: string) => void;
  /** After a turn, when nothing of it runs any more. */
  readonly end: () => void;
  /** The bytes of all turns, or why they are not believed; neither where there is no session. */
  readonly came: (printed: readonly Buffer[]) => { readonly bytes?: Buffer; readonly why?: string };
}

/** Milliseconds between two readings while nothing is printed. */
const READ_MS = 100;

const CHANGED = "its file was changed otherwise than by rows that its client added";

/** Watches the session of one run; its id is `own` where the client takes one, else the one that it prints. */
export function watchSession(agent: string, home: string, own: string): SessionWatch {
  const row: Agent | undefined = agentOf(agent);
  const rows = SESSION_ROWS.get(agent);
  let id = row?.sessionFlag === undefined ? undefined : own;
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
    begin: (mend) => {
      check();
      mend();
      [pieces, length] = [[], 0];
      grow();
      timer = setInterval(grow, READ_MS);
    },
    hear: (line) => {
      id ??= row?.resume && sessionIn(Buffer.from(line), row.resume.key);
      grow();
    },
    end: () => {
      clearInterval(timer);
      check();
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
    came: (printed) => {
      if (!rows || path === undefined) return {};
      const bytes = Buffer.concat(pieces);
      why ??= differenceOf(rowsOf([bytes]), rowsOf(printed), rows);
      return why === undefined ? { bytes } : { why };
    },
  };
}

/** The session of this id in a run's home; undefined where it is not there yet, or no file of that home. */
function sessionFile(home: string, { folder, path }: SessionRows, id: string): string | undefined {
  const all = join(home, folder);
  if (!existsSync(all)) return undefined;
  const names = readdirSync(all, { recursive: true, encoding: "utf8" });
  const [found, other] = names.filter((name) => path(id).test(`/${name}`));
  if (other !== undefined) throw new Error("two sessions of one id");
  const file = found === undefined ? undefined : realpathSync(join(all, found));
  return file !== undefined && isInside(file, realpathSync(home)) ? file : undefined;
}

function rowsOf(logs: readonly Buffer[]): unknown[] {
  return logs.flatMap((log) => log.toString().trimEnd().split("\n")).map((line) => jsonOf(line));
}

/** Why a session is not the run's, by what was printed; undefined where nothing speaks against it. */
export function differenceOf(
  kept: readonly unknown[],
  printed: readonly unknown[],
  rows: SessionRows,
): string | undefined {
  if (rows.isWhole?.(kept) === false) return CHANGED;
  const calls = new Set(printed.flatMap(rows.printedCalls));
  if (kept.flatMap(rows.keptCalls).some((call) => !calls.has(call)))
    return "it has a call that is another one, or none, in the printed rows";
  const bare = (text: string) => text.replaceAll(/\s/g, "");
  const words = bare(printed.flatMap(rows.printedWords).join(""));
  if (kept.flatMap(rows.keptWords).some((text) => !words.includes(bare(text))))
    return "it has words of the agent that were not printed";
  const results = new Map<string, string>();
  for (const [call, result] of kept.flatMap((row) => resultsIn(row)))
    if ((results.get(call) ?? result) === result) results.set(call, result);
    else return "it has two results of one call";
  return undefined;
}
