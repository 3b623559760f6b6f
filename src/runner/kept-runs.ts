/** What an agent is given in a run, as run.json says it, and the runs that are kept: made before, of the same. */
import { join } from "node:path";
import { digestOfFile } from "../files/digest.ts";
import { LOG, RUN_JSON, readRunJson, type RunRecord } from "../outputs/run-json.ts";
import type { taskDigests } from "../outputs/task-digest.ts";
import { whyNotSelected } from "../plan/planned.ts";
import type { PlannedRun } from "../plan/runs.ts";
import type { AgentGiven, Call, GivenRun, MadeRun } from "./making.ts";
import { identityOfRun } from "./one-run.ts";
import { takeList } from "./out-folder.ts";
import type { RunOptions } from "./run-options.ts";
import { workOf } from "./work.ts";

/** Makes the function that says what an agent is given in a run, of the checkout as it is now. */
export function givenBy(
  { command, more }: RunOptions,
  digestOf: ReturnType<typeof taskDigests>,
  redact: (text: string) => string,
): Call["givenIn"] {
  const same = {
    command: command === "" ? undefined : redact(command),
    arguments: more.length === 0 ? undefined : more.map((one) => redact(one)),
  };
  return async (run) => ({ taskSha256: await digestOf(run), ...same });
}

/** Whether a run is known to be made of something else; one without a hash is not. */
export function isOfOther(record: AgentGiven | undefined, given: AgentGiven): boolean {
  return record?.taskSha256 !== undefined && !isOfThis(record, given);
}

/** Whether a run was made of this. */
function isOfThis(record: AgentGiven, given: AgentGiven): boolean {
  const textOf = ({ taskSha256, command, arguments: more }: AgentGiven) =>
    JSON.stringify([taskSha256, command, more]);
  return textOf(record) === textOf(given);
}

/**
 * The runs of a call, and those of them that are there already: found before the first agent starts, which could write what
 * looks like a run. With `failed-in` these are the runs of tasks that did not pass, which are made again, and those that
 * were made of something else.
 */
export async function takeUp(
  all: readonly PlannedRun[],
  options: RunOptions,
  givenIn: Call["givenIn"],
): Promise<Pick<Call, "planned" | "kept">> {
  const { failedIn, out } = options;
  const listed = await takeList(out);
  const planned: GivenRun[] = [];
  const kept = new Map<PlannedRun, MadeRun>();
  for (const plain of all) {
    const run = { ...plain, given: await givenIn(plain) };
    const { suite, task, folder } = run;
    const hasFailed = failedIn?.[0] !== undefined && task && !whyNotSelected(failedIn, suite, task);
    const isAgain = options.again || hasFailed;
    const record = readRunJson(join(out, folder, RUN_JSON));
    if (failedIn && !isAgain && !isOfOther(record, run.given)) continue;
    planned.push(run);
    const isFinished = record && !isAgain && listed.has(folder) && isOfThis(record, run.given);
    const made = isFinished ? await finishedRun(run, record, options) : undefined;
    if (made) kept.set(run, made);
  }
  return { planned, kept };
}

/** The run of a record, unless it came to nothing, is of another attempt, or its log was changed. */
async function finishedRun(
  run: PlannedRun,
  record: RunRecord,
  options: RunOptions,
): Promise<MadeRun | undefined> {
  const whole = { ...identityOfRun(run, options), state: undefined, error: undefined, log: LOG };
  if (Object.entries(whole).some(([key, value]) => record[key as keyof RunRecord] !== value))
    return undefined;
  const log = join(options.out, run.folder, LOG);
  if ((await digestOfFile(log)) !== record.logSha256) return undefined;
  const { worked, client } = await workOf(run, log, record);
  return worked ? { run, record, isOld: true, worked, client, last: [] } : undefined;
}
