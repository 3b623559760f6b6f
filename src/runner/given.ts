/** What an agent is given in a run, as run.json says it: a run is kept while it is the same. */
import type { RunRecord } from "../outputs/run-json.ts";
import type { taskDigests } from "../outputs/task-digest.ts";

/** The hash of skill, prompt and files, with the command and the arguments beside it, without secrets. */
export type AgentGiven = Pick<RunRecord, "taskSha256" | "command" | "arguments">;

/** Makes the function that says what an agent is given in a run, of the checkout as it is now. */
export function givenBy(
  { command, more }: { readonly command: string; readonly more: readonly string[] },
  digestOf: ReturnType<typeof taskDigests>,
  redact: (text: string) => string,
): (run: Parameters<typeof digestOf>[0]) => Promise<AgentGiven> {
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
export function isOfThis(record: AgentGiven, given: AgentGiven): boolean {
  const textOf = ({ taskSha256, command, arguments: more }: AgentGiven) =>
    JSON.stringify([taskSha256, command, more]);
  return textOf(record) === textOf(given);
}
