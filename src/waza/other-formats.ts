/** Recognises files that match an eval glob but are not waza evals. */
import { dirname, join } from "node:path";
import { isInside } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { publishedPath } from "../files/names.ts";
import type { EvalLocation } from "./eval-location.ts";
import { valueAt } from "./yaml/source.ts";

/** The format of a file that is not an eval, as the end of a sentence, and what to do. */
export interface OtherFormat {
  readonly what: string;
  readonly help: string;
}

const LEAVE_OUT = "Leave it out with a pattern that starts with `!`.";

/** Keys of other tools' evals, with file names like waza's. */
const OTHERS = [
  ["stimuli", "a vally eval"],
  ["cases", "an eval of Skill Up"],
  ["scenarios", "an eval of dotnet's skill-validator"],
  ["prompts", "a configuration of promptfoo"],
  ["tests", "an eval of AgentV or promptfoo"],
] as const;

/** The format of a file that is not an eval; undefined for an eval. Results have `tasks` too, objects instead of globs. */
export function otherFormat(data: unknown): OtherFormat | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  const has = (key: string) => key in data;
  if (valueAt(data, ["type"]) === "trial-result")
    return { what: "has results of Vally (`type: trial-result`), not an eval.", help: LEAVE_OUT };
  if (valueAt(data, ["tasks", 0, "instruction"]) !== undefined)
    return anotherTools("an eval of skillgrade", "tasks[].instruction");
  const other = OTHERS.find(([key]) => has(key) && !has("tasks") && (key === "stimuli" || !has("graders")));
  if (other) return anotherTools(other[1], other[0]);
  if (!isResults(data)) return undefined;
  const help = "Add it to `results`, and set `eval` to the eval file that was run.";
  return { what: "has results (of `waza run -o`), not an eval.", help };
}

function anotherTools(what: string, key: string): OtherFormat {
  return {
    what: `is ${what} (it has \`${key}\`), which is another tool's format; waza-grade reads waza's evals and the \`evals.json\` of skills.`,
    help: LEAVE_OUT,
  };
}

function isResults(data: object): boolean {
  if ("eval_id" in data && "summary" in data) return true;
  const { tasks } = data as { tasks?: unknown };
  const [first] = Array.isArray(tasks) ? (tasks as unknown[]) : [];
  return typeof first === "object" && first !== null && ("test_id" in first || "runs" in first);
}

/**
 * A task file, which has a name and a prompt; undefined for an eval. Read as an eval, its graders would grade every task
 * of the results.
 */
export function taskFile(data: unknown, { file, root, workspace }: EvalLocation): OtherFormat | undefined {
  if (typeof data !== "object" || data === null || !("id" in data && "inputs" in data)) return undefined;
  if ("tasks" in data || "tasks_from" in data) return undefined;
  const owner = evalAbove(file, root);
  const there = owner === undefined ? "" : ` There is \`${publishedPath(owner, workspace).path}\`.`;
  return {
    what: "is a task file (it has `id` and `inputs`), not an eval.",
    help: `Set \`eval\` to the eval that the task belongs to.${there}`,
  };
}

/** The nearest eval.yaml in a parent folder. */
function evalAbove(file: string, root: string): string | undefined {
  for (let folder = dirname(dirname(file)); isInside(folder, root); folder = dirname(folder)) {
    const found = join(folder, "eval.yaml");
    if (statsOf(found)?.isFile()) return found;
    if (folder === root) break;
  }
  return undefined;
}
