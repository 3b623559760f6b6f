/** What a run came to, by its log: whether the agent got to work, and if not, why, in its client's own words. */
import { dirname } from "node:path";
import { isProblem } from "../domain/problem.ts";
import { type ClientFacts, brokenOff, hasEvidence } from "../domain/run.ts";
import { skillsGiven } from "../domain/suite.ts";
import { lookUp } from "../files/confine.ts";
import { oneTask } from "../outputs/layout.ts";
import { outageOf, type Outage } from "../outputs/reader.ts";
import type { RunRecord } from "../outputs/run-json.ts";
import { readWhole, recordedTrial } from "../outputs/run-log.ts";
import { isObject, jsonOf } from "../text/format.ts";
import { agentOf } from "./agents.ts";
import type { Ended } from "./start-program.ts";
import type { PlannedRun } from "../plan/runs.ts";

/** Lines of a dead run that the table at the end shows. */
const LAST_LINES = 3;
/** Bytes at the end of what a program printed in which these are looked for. */
const LAST_BYTES = 4_000;

/** Why a run never got to work. */
export interface Death {
  /** In our words, where the client says nothing. */
  readonly error?: string | undefined;
  /** What the provider, or the lack of the program, had to do with it: if it is `busy`, another try may get further, else no run. */
  readonly outage?: Outage | "absent" | undefined;
  /** How its program ended, where no more is known. */
  readonly stopped?: string | undefined;
  /** What it printed is rows of JSON in no known format. */
  readonly isUnread?: boolean | undefined;
  /** In the client's words, else the last lines of what it printed; empty for a run that worked. */
  readonly last: readonly string[];
}

/** What a run came to, by its log. */
interface Work extends Omit<Death, "error" | "last"> {
  /** The agent did something: a message, a tool call, an answer; and did not harm its own run. */
  readonly worked: boolean;
  /** Why the agent failed, by its log. */
  readonly failure?: string | undefined;
  readonly client?: ClientFacts | undefined;
  /** The agent's answer. */
  readonly answer?: string | undefined;
}

/** Reads the logs of a run, as grading will. A run that harmed itself, or whose conversation broke off, has not worked. */
export async function workOf({ task, suite }: PlannedRun, log: string, record: RunRecord): Promise<Work> {
  const { exit, error, agent } = record;
  const { prompt } = task ?? {};
  const skills = skillsGiven(suite);
  const tasks = { ...oneTask(task?.id ?? "", prompt === undefined ? [] : [prompt], skills), open: !task };
  const found = lookUp(log, suite.root ?? ".");
  const read = await readWhole(found, tasks, { record, folder: dirname(log) });
  if (isProblem(read)) return { worked: false, failure: read.message };
  if (read.waza) return { worked: error === undefined };
  const trial = recordedTrial(read.trials?.[0], record);
  const { outage, client, conversation, finalOutput } = trial;
  const [failure, stopped] = trial.isStopped ? [undefined, trial.failure] : [trial.failure];
  const isWhole = conversation === undefined || brokenOff(conversation) === undefined;
  if (hasEvidence(trial))
    return { worked: error === undefined && isWhole, outage, failure, client, answer: finalOutput };
  const unread = read.problems.find(({ code }) => code === "unknown-log")?.message;
  return {
    worked: false,
    outage: outage ?? outageOf(httpStatusOf(agent, exit)),
    failure,
    stopped: failure === undefined ? (stopped ?? unread) : undefined,
    isUnread: unread !== undefined,
    client,
  };
}

const NOTHING_LEFT = "it printed nothing, and left no file";

/** The provider's status in an exit status, of an agent that exits with it: 429 is 173 there. */
function httpStatusOf(agent = "", exit = 0): number | undefined {
  return agentOf(agent)?.exitsWithHttpStatus && exit >= 400 - 256 ? exit + 256 : undefined;
}

/** What programs of every language say of limits and the network: HTTP statuses and the names of system errors. */
const BUSY =
  /\b(?:429|502|503|504|529)\b|\b(?:ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)\b/;

/** Why a run never got to work; nothing for one that worked. */
export function deathOf(
  { worked, ...work }: Work,
  { wrong, isAbsent, exit }: Omit<Ended, "timedOut">,
  printed: readonly Buffer[],
): Death {
  if (worked) return { last: [] };
  const { failure } = work;
  // By the end of what it printed, where its log does not say it.
  const isBusy = failure === undefined && printed.some((bytes) => BUSY.test(tailOf(bytes)));
  const outage = isAbsent ? "absent" : (work.outage ?? (isBusy ? "busy" : undefined));
  const isSilent = failure === undefined && outage === "refused";
  const error = wrong ?? (isSilent ? "the provider refused its key" : undefined);
  const why = error ?? failure;
  const last = why === undefined ? lastLines(printed) : [why];
  const isEmpty = printed.every((bytes) => bytes.toString().trim() === "");
  const silent = exit === 0 && why === undefined && isEmpty ? NOTHING_LEFT : undefined;
  const stopped = isAbsent || isSilent ? undefined : (wrong ?? work.stopped ?? silent);
  return { error, outage, stopped, isUnread: work.isUnread, last };
}

/** The last lines in words: rows of JSON, and a line of which the beginning is not there, are none. */
function lastLines(printed: readonly Buffer[]): string[] {
  const lines = printed.flatMap((bytes) =>
    tailOf(bytes)
      .trim()
      .split("\n")
      .slice(bytes.length > LAST_BYTES ? 1 : 0),
  );
  return lines.filter((line) => line !== "" && !isObject(jsonOf(line))).slice(-LAST_LINES);
}

function tailOf(bytes: Buffer): string {
  return bytes.subarray(-LAST_BYTES).toString("utf8");
}
