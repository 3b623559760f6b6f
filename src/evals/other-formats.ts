/** Files that look like evals and are none: other tools' and waza's own, and those of Agent Skills without evals. */
import { basename } from "node:path";
import { type Entry, LONGEST_ID, valueAt } from "./entry.ts";
import { EVAL_FILE, FIELDS } from "./schema.ts";
import type { SkillFile } from "./skill-file.ts";
import { isObject, shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** The format of a file that is not an eval, as the end of a sentence, and what to do. */
export interface OtherFormat {
  readonly what: string;
  readonly help?: string | undefined;
  /** The key that it is about. */
  readonly key?: string | undefined;
  /** Trigger evals, which may lie where a skill's evals do. */
  readonly isTriggers?: true | undefined;
}

/** Keys of other tools' evals, in files with names like waza's. */
const OTHER_KEYS = ["stimuli", "cases", "scenarios", "prompts", "tests", "evaluators", "judges"];
/** Keys of waza's evals without which there is nothing to grade. */
const OWN = ["tasks", "tasks_from", "graders"];

/** The format of a file that is not an eval; undefined for an eval. Results have `tasks` too, objects instead of globs. */
export function otherFormat(data: unknown): OtherFormat | undefined {
  if (!isObject(data)) return undefined;
  const task = valueAt(valueAt(data, "tasks"), 0);
  const isOf = (...keys: string[]) => isObject(task) && keys.some((key) => key in task);
  if (("eval_id" in data && "summary" in data) || isOf("test_id", "runs"))
    return {
      what: "has results (of `waza run -o`), not an eval.",
      help: "Add it to `results`, and set `eval` to the eval file that was run.",
    };
  // Read as an eval, its graders would grade every task of the results.
  if ("id" in data && "inputs" in data && !("tasks" in data || "tasks_from" in data))
    return {
      what: "is a task file (it has `id` and `inputs`), not an eval.",
      help: "Set `eval` to the eval that the task belongs to.",
    };
  const isStimuli = Array.isArray(valueAt(data, "stimuli"));
  const key = isOf("instruction") ? "tasks" : isStimuli ? "stimuli" : keyOfOthers(data);
  if (key === undefined) return undefined;
  return {
    what: `is another tool's eval (by its \`${shorten(key, LONGEST_ID)}\`): waza's evals and the \`evals.json\` of skills are read.`,
    key,
  };
}

/**
 * The key by which a mapping without tasks and graders, even misspelled ones, is another tool's eval: one of theirs, or
 * its first where none is waza's.
 */
function keyOfOthers(data: object): string | undefined {
  const keys = Object.keys(data);
  const isNear = (known: readonly string[]) =>
    keys.some((key) => !OTHER_KEYS.includes(key) && closest(key, known) !== undefined);
  if (isNear(OWN)) return undefined;
  const theirs = keys.find(
    (key) => OTHER_KEYS.includes(key) || (key === "kind" && valueAt(data, key) === "Eval"),
  );
  return theirs ?? (isNear(Object.keys(EVAL_FILE.shape)) ? undefined : keys[0]);
}

/** The format of a JSON file without a skill's evals; undefined where it may be an eval of waza. */
export function notEvals(
  { value: data }: Entry,
  file: string,
  { triggers, evals, unread }: SkillFile,
): OtherFormat | undefined {
  const [first] = evals;
  if (first) {
    const entries = evals.flatMap((one) => one.evals).map(({ value }) => value);
    const isBareList = first.list.name === "";
    if (entries.length === 0 || !entries.every((entry) => isSomethingElse(entry, isBareList)))
      return undefined;
    return { what: "holds a list of something else, not a skill's evals: none has a prompt or statements." };
  }
  if (triggers.length > 0)
    return {
      what: "holds trigger evals (`should_trigger`): whether an agent loads the skill, which no judge decides.",
      help: "`waza-grade run --triggers` runs them, and grading shows what came of it.",
      isTriggers: true,
    };
  const has = (...keys: string[]) => keys.every((key) => valueAt(data, key) !== undefined);
  if (has("expectations", "summary") || has("run_summary") || has("runs", "metadata"))
    return {
      what: "holds what skill-creator writes of runs (`grading.json`, `benchmark.json`), not evals.",
      help: "What the agent produced goes into `results`.",
    };
  const mayBeEvals = basename(file) !== "evals.json" || unread.length > 0 || has("tasks") || has("graders");
  return mayBeEvals ? undefined : withoutList(data);
}

/** Whether an entry has neither a prompt nor statements; under the key `evals`, one that is no mapping is a mistake. */
function isSomethingElse(entry: unknown, isBareList: boolean): boolean {
  const keys = [...FIELDS.prompt, ...FIELDS.statements, ...FIELDS.expected];
  return (isObject(entry) || isBareList) && keys.every((key) => valueAt(entry, key) === undefined);
}

/** What an evals.json without a list of evals holds. */
function withoutList(data: unknown): OtherFormat {
  const key = isObject(data) ? closest("evals", Object.keys(data)) : undefined;
  const meant = key === undefined || key === "evals" ? "" : ` \`${key}\` should be a list called \`evals\`.`;
  return { what: `has no list of evals.${meant}`, help: "Write the evals as a list under `evals`.", key };
}
