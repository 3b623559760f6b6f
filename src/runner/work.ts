/** What a run came to, by its log: whether the agent got to work, and if not, why, in its client's own words. */
import { type ClientFacts, hasConversation } from "../domain/run.ts";
import { lookUp } from "../files/confine.ts";
import { textFilesReader } from "../outputs/formats/records.ts";
import { outageOf, type Outage } from "../outputs/reader.ts";
import { clientOf, readAny, type RunRecord } from "../outputs/run-folders.ts";
import { type AgentName, agentOf } from "./agents.ts";
import { LAST_BYTES, LAST_LINES } from "./limits.ts";
import type { PlannedRun } from "./plan-runs.ts";

/** What a run came to. */
export interface Work {
  /** The agent did something: a message, a tool call, an answer; and did not harm its own run. */
  readonly worked: boolean;
  /** Why the provider did not answer, of a run that never got to work. */
  readonly outage?: Outage | undefined;
  /** Why the agent failed, by its log. */
  readonly failure?: string | undefined;
  readonly client?: ClientFacts | undefined;
}

/**
 * Reads the log of a run. Text of no known format counts as work where the program ended well: it could be the client's
 * own. A run that harmed itself has not worked.
 */
export async function workOf({ task, suite }: PlannedRun, log: string, record: RunRecord): Promise<Work> {
  const { exit, error, agent } = record;
  const tasks = { prompts: new Map([[task?.id ?? "", []]]), open: task === undefined };
  const { format, reading } = await readAny(lookUp(log, suite.root ?? "."), tasks);
  if (reading.waza) return { worked: error === undefined };
  const isText = format === textFilesReader.format;
  const [trial] = reading.trials ?? [];
  const { finalOutput = "", steps = [], failure } = trial ?? {};
  const client = clientOf(trial?.client, record);
  const isAnswer = finalOutput.trim() !== "" && failure === undefined && (!isText || exit === 0);
  if (isAnswer || hasConversation({ steps })) return { worked: error === undefined, failure, client };
  return {
    worked: false,
    outage: trial?.outage ?? outageOf(httpStatusOf(agent, exit)),
    failure,
    client,
  };
}

/** The provider's status in an exit status, of an agent that exits with it: 429 is 173 there. */
function httpStatusOf(agent: string | undefined, exit = 0): number | undefined {
  const row = agent === undefined || agent === "command" ? undefined : agentOf(agent as AgentName);
  return row?.exitsWithHttpStatus && exit >= 400 - 256 ? exit + 256 : undefined;
}

/** What programs of every language say of limits and the network: HTTP statuses and the names of system errors. */
const BUSY =
  /\b(?:429|502|503|504|529)\b|\b(?:ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)\b/;

/** Why a program did not get an answer, by the end of what it printed, where its log does not say it. */
export function outageIn(texts: readonly Buffer[]): Outage | undefined {
  return texts.some((bytes) => BUSY.test(endOf(bytes))) ? "busy" : undefined;
}

/** The last lines that a program printed. */
export function lastLines(texts: readonly Buffer[]): string[] {
  const lines = texts.flatMap((bytes) => endOf(bytes).trim().split("\n"));
  return lines.filter((line) => line !== "").slice(-LAST_LINES);
}

function endOf(bytes: Buffer): string {
  return bytes.subarray(-LAST_BYTES).toString("utf8");
}
