/** Files that look like evals and are none: those of other tools, and of Agent Skills that a judge cannot grade. Trigger evals, which say whether the skill should load. */
import { basename, dirname, join, relative } from "node:path";
import type { Suite, Task } from "../domain/suite.ts";
import { LONGEST_ID, MOST_EVAL_BYTES, TRIGGER_TRIALS } from "./limits.ts";
import type { EvalLocation } from "./eval-paths.ts";
import { withTested } from "./skills.ts";
import { valueAt } from "./yaml.ts";
import { isInside, publishedPath, repositoryRoot, slashes, wholeFile } from "../files/confine.ts";
import { findFiles, statsOf } from "../files/find.ts";
import { readText } from "../files/read.ts";
import { jsonOf, shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

const LEAVE_OUT = "Leave it out with a pattern that starts with `!`.";

/** Keys of other tools' evals, with file names like waza's. */
const OTHERS = [
  ["stimuli", "a vally eval"],
  ["cases", "an eval of Skill Up"],
  ["scenarios", "an eval of dotnet's skill-validator"],
  ["prompts", "a configuration of promptfoo"],
  ["tests", "an eval of AgentV or promptfoo"],
] as const;

/** The format of a file that is not an eval, as the end of a sentence, and what to do. */
export interface OtherFormat {
  readonly what: string;
  readonly help: string;
  /** The key that it is about. */
  readonly key?: string | undefined;
  /** Trigger evals, which may lie where a skill's evals do. */
  readonly isTriggers?: true | undefined;
}

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

const LIST_THEM = "Write the evals as a list under `evals`.";
const NAME_THEM = "Name in `eval` the skill's `evals/evals.json`, whose evals have `assertions`.";

/** The format of a file that is not an evals.json; `evals` is its list of evals, if any. */
export function notEvals(
  data: unknown,
  file: string,
  evals: readonly unknown[] | undefined,
): OtherFormat | undefined {
  const list = evals ?? (Array.isArray(data) ? (data as unknown[]) : []);
  if (list.length > 0 && list.every(isTrigger))
    return {
      what: "holds trigger evals (`should_trigger`): whether an agent loads the skill, which no judge decides.",
      help: "`waza-grade run --triggers` runs them, and grading shows what came of it.",
      isTriggers: true,
    };
  if (evals?.length && evals.every((entry) => isSomethingElse(entry, Array.isArray(data))))
    return { what: "holds a list of something else, not a skill's evals.", help: NAME_THEM };
  if (evals) return undefined;
  const has = (...keys: string[]) => keys.every((key) => valueAt(data, [key]) !== undefined);
  const written = (what: string) => ({
    what: `holds ${what} (what skill-creator writes), not evals.`,
    help: `${NAME_THEM} What the agent produced goes into \`results\`.`,
  });
  if (has("expectations", "summary")) return written("grades, as `grading.json`");
  if (has("run_summary") || has("runs", "metadata")) return written("a comparison, as `benchmark.json`");
  return basename(file) !== "evals.json" || has("tasks") || has("graders") ? undefined : withoutList(data);
}

/** What an evals.json without a list of evals holds. */
function withoutList(data: unknown): OtherFormat {
  if (data === null || data === undefined) return { what: "is empty.", help: LIST_THEM };
  if (typeof data !== "object")
    return { what: `holds \`${shorten(data as string, LONGEST_ID)}\`, not evals.`, help: LIST_THEM };
  if ("evals" in data) return { what: "has `evals` that are not a list.", help: LIST_THEM, key: "evals" };
  const key = closest("evals", Object.keys(data));
  const meant = key === undefined ? "" : ` Its key \`${key}\` should be \`evals\`.`;
  return { what: `has no list of evals.${meant}`, help: LIST_THEM, key };
}

/** Keys of an eval's statements; an eval may have several of them. */
const STATEMENTS = ["assertions", "expectations", "expected_behavior", "rubric"] as const;

/** The first existing key is used; of `statements`, all are. */
export const FIELDS = {
  /** Of the file: the list of evals, unless the file is the list itself. */
  evals: ["evals", "test_cases", "cases"],
  /** Of the file: the skill. */
  skill: ["skill_name", "skill"],
  id: ["id", "eval_id"],
  name: ["name", "eval_name", "title"],
  prompt: ["prompt", "question", "query", "input", "task"],
  files: ["files"],
  expected: ["expected_output", "ground_truth"],
  statements: STATEMENTS,
  golden: ["golden"],
  /** Of a statement that is a mapping: its text. */
  text: ["text", "description", "check", "pass_if"],
  /** Of such a statement: its subject, which its text leaves out. */
  about: ["dimension"],
} as const;

/** The trigger evals of a file; empty where it holds anything else. */
function triggersIn(data: unknown): readonly { readonly query: string; readonly shouldTrigger: boolean }[] {
  const list = Array.isArray(data) ? (data as unknown[]) : [];
  const triggers = list.flatMap((entry) => {
    const query = FIELDS.prompt.map((key) => valueAt(entry, [key])).find((one) => typeof one === "string");
    const shouldTrigger = valueAt(entry, ["should_trigger"]);
    return query !== undefined && typeof shouldTrigger === "boolean" ? [{ query, shouldTrigger }] : [];
  });
  return list.length > 0 && triggers.length === list.length ? triggers : [];
}

function isTrigger(entry: unknown): boolean {
  const has = (key: string) => valueAt(entry, [key]) !== undefined;
  return has("should_trigger") && ![...FIELDS.statements, ...FIELDS.expected].some(has);
}

/** Whether an entry has neither a prompt nor statements; under the key `evals`, one that is no mapping is a mistake. */
function isSomethingElse(entry: unknown, isBareList: boolean): boolean {
  const isMapping = typeof entry === "object" && entry !== null && !Array.isArray(entry);
  const keys = [...FIELDS.prompt, ...FIELDS.statements, ...FIELDS.expected];
  return (isMapping || isBareList) && keys.every((key) => valueAt(entry, [key]) === undefined);
}

/** Keys of an eval that hold no checks, whatever is in them. */
export const EVAL_LABELS: ReadonlySet<string> = new Set(["tags", "metadata"]);

/** Keys of a statement that a judge does not need: its names, and what skill-creator's grading.json says of it. */
export const STATEMENT_LABELS: ReadonlySet<string> = new Set(["id", "name", "passed", "evidence"]);

/*
 * Trigger evals of skills, `[{query, should_trigger}]` in a file of the folder `evals/`: whether an agent loads the skill
 * for a query. They are run as tasks of a suite of their own, and no judge decides them.
 */

/** The id of a trigger's task. */
function triggerId(query: string): string {
  return `trigger: ${query}`;
}

/** A suite for each file of trigger evals; files that are none, or cannot be read, are none. */
export async function loadTriggers(workspace: string): Promise<readonly Suite[]> {
  const files = await findFiles(["**/evals/*.json", "!**/.waza-grade/**"], workspace);
  const suites = await Promise.all(files.map((file) => suiteOf(file, workspace)));
  const tested = await withTested(
    suites.flatMap((suite) => suite ?? []),
    workspace,
  );
  return tested.map((suite) => ({ ...suite, skill: suite.tested?.name ?? suite.skill }));
}

async function suiteOf(file: string, workspace: string): Promise<Suite | undefined> {
  const read = await readText(file, MOST_EVAL_BYTES);
  const triggers = "text" in read ? triggersIn(jsonOf(read.text)) : [];
  if (triggers.length === 0) return undefined;
  const root = repositoryRoot(file, workspace);
  const folder = dirname(dirname(file));
  const queries = new Map(triggers.map(({ query, shouldTrigger }) => [query, shouldTrigger]));
  return {
    title: basename(folder),
    at: wholeFile(file, workspace),
    graders: [],
    otherGraders: [],
    tasks: [...queries].map(([query, shouldTrigger]) => taskOf(query, shouldTrigger)),
    trials: TRIGGER_TRIALS,
    broken: false,
    skill: basename(folder),
    root,
    parts: [file, folder].map((path) => slashes(relative(root, path))),
  };
}

function taskOf(query: string, shouldTrigger: boolean): Task {
  const id = triggerId(query);
  const none = { graders: [], otherGraders: [], files: [] };
  return { id, name: id, prompt: query, enabled: true, shouldTrigger, ...none };
}
