/** Session logs of waza (`--session-log`): how a run went on, and nothing that the agent said (internal/session). */
import { notice } from "../../text/problem.ts";
import { problemAt } from "../reader.ts";
import type { Reader } from "../reader.ts";

const TYPES: ReadonlySet<unknown> = new Set([
  "session_start",
  "session_complete",
  "task_start",
  "task_complete",
  "run_complete",
  "grader_result",
]);

export const wazaSessionLogReader: Reader = {
  format: "waza's session logs",
  detect: (row) => "data" in row && "timestamp" in row && TYPES.has((row as { type?: unknown }).type),
  isLog: true,
  read: ({ where }) => {
    const message = `\`${where.path}\` is a session log of waza, left out: it says how the run went on, and nothing of what the agent answered.`;
    const help =
      "Name the results in `results`: `waza run -o results.json` writes them, beside any session log.";
    return { problems: [problemAt(where, 1, notice(message, { help }))] };
  },
};
