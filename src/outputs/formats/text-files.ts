/** Final outputs as files, `<task-id>[.<trial>].(md|txt|json)`: the whole file is the answer. */
import { extname } from "node:path";
import { stemOf } from "../content.ts";
import type { Reader } from "../reader.ts";
import { namesKnownTask, taskOfName } from "../task-names.ts";
import type { KnownTasks } from "../task-names.ts";

/** Whether a `.json` file is named for a task of a suite: then its JSON is the agent's answer. */
export function isNamedJson(file: string, tasks: KnownTasks): boolean {
  return extname(file).toLowerCase() === ".json" && namesKnownTask(stemOf(file), tasks);
}

export const textFilesReader: Reader = {
  format: "text files",
  detect: () => false,
  read: ({ file, text }, tasks) => {
    const stem = stemOf(file);
    const named = taskOfName(stem, tasks);
    if (!named) return { unmatchedName: stem, problems: [] };
    return { trials: [{ ...named, finalOutput: text, events: [] }], problems: [] };
  },
};
