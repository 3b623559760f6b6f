/**
 * waza's eval and task files as they are on disk: snake_case, every scalar still text (waza reads YAML as Go does:
 * the field's type decides what a scalar means, so `id: 007` is the text "007" and `enabled: off` is false).
 */
import * as z from "zod/mini";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import { type Entry, describe, fieldsOf, itemsOf, nameIn } from "./entry.ts";
import { shorten } from "../text/format.ts";
import { optional } from "../text/optional.ts";
import { closest } from "../text/suggest.ts";

/** A boolean in the words of YAML 1.1, as Go reads one where a boolean is expected. */
const BOOLEAN = z.stringbool({
  truthy: ["true", "yes", "on", "y"],
  falsy: ["false", "no", "off", "n"],
  error: "expected true or false",
});

/** The boolean that a value is in these words; undefined if it is none. */
export function readBoolean(value: unknown): boolean | undefined {
  return z.safeParse(BOOLEAN, value).data;
}

/* Field types of the schemas of waza's files. Each reads text, which the parser keeps. */

/** Any scalar, as written. */
export const TEXT = z.string("expected text");

/** A number for which this holds. */
function number(expected: string, isOne: (value: number) => boolean) {
  const isNumber = (value: string) => value.trim() !== "" && isOne(Number(value));
  return z.pipe(z.string(expected).check(z.refine(isNumber, expected)), z.transform(Number));
}

const NUMBER = number("expected a number", Number.isFinite);

const ANYTHING = optional(z.unknown());

/** Fields that are known to waza, read by the cursor where they are read at all. */
function untyped(...keys: readonly string[]) {
  return Object.fromEntries(keys.map((key) => [key, ANYTHING]));
}

const NO_GRADER = "expected a grader: a mapping with `type`, `name` and `config`";
const NO_OPTIONS = "expected a mapping of the grader's options";

const OF_GRADERS = {
  type: optional(TEXT),
  name: optional(TEXT),
  weight: optional(NUMBER),
  ref: ANYTHING,
  ...untyped("rubric", "script", "assertions"),
};

export const OTHER_GRADER = z.object(
  { ...OF_GRADERS, ...untyped("model"), config: optional(z.record(z.string(), z.unknown(), NO_OPTIONS)) },
  NO_GRADER,
);

export const PROMPT_GRADER = z.object({
  ...OF_GRADERS,
  config: optional(
    z.object(
      {
        prompt: optional(TEXT),
        model: optional(TEXT),
        continue_session: optional(BOOLEAN),
        mode: optional(TEXT),
        rubric: optional(TEXT),
        reasoning_effort: optional(TEXT),
      },
      NO_OPTIONS,
    ),
  ),
});

/** Each is read by its type. */
const GRADERS = optional(z.array(z.unknown(), "expected a list of graders"));

const taskGlob = z.string(
  "expected a glob of task files (a task is a file of its own, such as `tasks/first.yaml`)",
);

export const EVAL_FILE = z.object(
  {
    name: optional(TEXT),
    skill: ANYTHING,
    schemaVersion: optional(TEXT),
    config: optional(
      z.object(
        {
          judge_model: optional(TEXT),
          judge_reasoning_effort: optional(TEXT),
          trials_per_task: optional(NUMBER),
          ...untyped("checkpoints", "timeout_seconds", "first_event_timeout_seconds", "parallel", "workers"),
          ...untyped("max_workers", "fail_fast", "executor", "model", "reasoning_effort"),
          ...untyped("skill_directories", "instruction_files", "inject_skill_body"),
          ...untyped("trigger_skill_routing", "disabled_skills", "required_skills"),
          ...untyped("mcp_servers", "max_attempts", "group_by"),
        },
        "expected a mapping",
      ),
    ),
    tasks: optional(z.array(taskGlob, "expected a list of globs of task files")),
    tasks_from: optional(TEXT),
    range: optional(z.array(NUMBER, "expected `[first, last]`: the numbers of two rows")),
    graders: GRADERS,
    ...untyped("description", "scenario", "version", "hooks", "inputs", "mcp_mocks"),
    ...untyped("adversarial", "metrics", "baseline", "stimuli"),
  },
  "expected an eval: a mapping with `tasks` and `graders`",
);

const NO_ID = "expected the task's id, the same as in the results";

export const TASK_FILE = z.object(
  {
    id: z.string(NO_ID).check(z.minLength(1, NO_ID)),
    name: optional(TEXT),
    enabled: optional(BOOLEAN),
    inputs: optional(
      z.object(
        {
          prompt: optional(TEXT),
          prompt_file: optional(TEXT),
          ...untyped("context", "files", "follow_ups", "follow_up_prompts", "responder"),
          ...untyped("environment", "repos", "work_dir", "workdir"),
        },
        "expected a mapping with `prompt`",
      ),
    ),
    graders: GRADERS,
    golden: optional(BOOLEAN),
    context_dir: optional(TEXT),
    ...untyped(
      "checkpoints",
      "description",
      "tags",
      "expected",
      "timeout_seconds",
      "first_event_timeout_seconds",
    ),
    ...untyped("instruction_files", "skill_directories", "agent"),
  },
  "expected a task: a mapping with `id` and `inputs`",
);

export const TASK_FILES = z.array(
  z.object(
    { path: optional(TEXT), content: optional(TEXT) },
    "expected a file: a mapping with `path` or `content`",
  ),
  "expected a list of files",
);

const TURN_TEXT = "expected what the user says next: a text, or a mapping with `prompt`";

/** A turn of the user, sent always, or if the agent's answer asks (`deliver_when` of eval-magic's evals.json). */
export const TURN = z.object(
  {
    prompt: z.string(TURN_TEXT).check(z.trim(), z.minLength(1, TURN_TEXT)),
    deliver_when: optional(z.enum(["always", "agent_asks"], "expected `always` or `agent_asks`")),
  },
  TURN_TEXT,
);

const INSTRUCTIONS = "expected what the user wants and knows, for the model that plays the user";

export const RESPONDER = z.object(
  {
    instructions: z.string(INSTRUCTIONS).check(z.trim(), z.minLength(1, INSTRUCTIONS)),
    max_followups: number(
      "expected a whole number of at least 1, the most turns of the model that plays the user",
      (value) => Number.isSafeInteger(value) && value >= 1,
    ),
    model: optional(TEXT),
  },
  "expected a mapping with `instructions` and `max_followups`",
);

export type EvalFile = z.infer<typeof EVAL_FILE>;

export type TaskYaml = z.infer<typeof TASK_FILE>;

/** waza's other grader types. */
export const OTHER_TYPES = new Set([
  ...["code", "text", "file", "json_schema", "program", "behavior", "action_sequence", "skill_invocation"],
  ...["diff", "tool_constraint", "tool_calls", "trigger"],
]);

/** The built-in rubrics, with waza's names. */
export const BUILT_IN_RUBRICS = [
  "groundedness",
  "helpfulness",
  "instruction-following",
  "refusal-correctness",
  "tool-use-appropriateness",
] as const;

/* Keys of the evals.json of a skill. */

/** Of an eval. The first existing key is used; of `statements`, all are. */
const OF_EVALS = {
  id: ["id", "eval_id"],
  name: ["name", "eval_name", "title"],
  prompt: ["prompt", "question", "query", "input", "task"],
  /** What the user says after the agent's turns. */
  turns: ["turns", "user_turns", "follow_ups", "follow_up"],
  /** What the agent is told beside the prompt. */
  given: ["context", "system_prompt"],
  files: ["files"],
  expected: ["expected_output", "ground_truth"],
  statements: ["assertions", "expectations", "expected_behavior", "rubric"],
  golden: ["golden"],
} as const;

export const FIELDS = {
  ...OF_EVALS,
  /** Of the file: the list of evals, unless the file is the list itself. */
  evals: ["evals", "test_cases", "cases"],
  /** Of the file: the skill. */
  skill: ["skill_name", "skill"],
  /** Of a statement that is a mapping: its text. */
  text: ["text", "description", "check", "pass_if"],
  /** Of such a statement: its subject, which its text leaves out. */
  about: ["dimension"],
} as const;

/** An eval, but for the fields that have several names. */
export const SKILL_EVAL = z.object(
  { golden: optional(BOOLEAN) },
  "expected an eval: a mapping with `id`, `prompt` and `assertions`",
);

/** Keys of a file and of an eval that hold no evals and no checks, whatever is in them. */
export const LABELS: ReadonlySet<string> = new Set(["tags", "metadata", "references", "history"]);

/** Keys that decide what is checked: with one misspelled, an eval would be green without its statements. */
export const DECISIVE = [...FIELDS.statements, ...FIELDS.expected, ...FIELDS.golden];

/** Every key of an eval that has a meaning here. */
export const KNOWN: ReadonlySet<string> = new Set([...Object.values(OF_EVALS).flat(), ...LABELS]);

/* Reading by a schema. */

/** Maximum unknown keys to report per mapping: a hostile file could have any number. */
const MOST_UNKNOWN = 50;

/** The data, or its problems; and the keys that the schema does not know. */
interface ReadData<T> {
  readonly data?: T | undefined;
  readonly problems: Problem[];
  readonly unknown: UnknownKey[];
}

/** A key that the format does not have. */
export interface UnknownKey {
  readonly name: string;
  /** The known key it may be a misspelling of; dotted if that belongs to a mapping beside it. */
  readonly meant?: string | undefined;
  readonly at: SourceSpan;
}

/** Applies a schema to an entry; `absent` is read in place of a missing one. */
export function readWith<T>(entry: Entry, schema: z.ZodMiniType<T>, absent?: unknown): ReadData<T> {
  const { data, error: wrong } = z.safeParse(schema, entry.value ?? absent);
  const unknown = unknownIn(entry, schema);
  const problems = (wrong?.issues ?? []).map(({ path, message }) =>
    wrongValue(entry.child(...path), message, unknown),
  );
  return { data, problems, unknown };
}

function unknownIn(entry: Entry, schema: z.core.$ZodType): UnknownKey[] {
  const def = innerOf(schema);
  if (def.type === "array") return itemsOf(entry).flatMap((item) => unknownIn(item, def.element));
  if (def.type !== "object") return [];
  const fields = Object.entries(def.shape);
  // Keys of nested mappings by their last part: `prompt` is `inputs.prompt`.
  const nested = fields.flatMap(([outer, field]) => {
    const inner = innerOf(field);
    return Object.keys(inner.type === "object" ? inner.shape : {}).map((key) => [outer, key]);
  });
  const free = [...nested, ...fields.map(([key]) => [key])].filter(
    (path) => entry.child(...path).value === undefined,
  );
  const meant = new Map(free.map((path) => [path.at(-1) ?? "", path.join(".")]));
  const unknown = fieldsOf(entry).filter(({ key }) => !Object.hasOwn(def.shape, key));
  return [
    ...fields.flatMap(([key, field]) => unknownIn(entry.child(key), field)),
    ...unknown.slice(0, MOST_UNKNOWN).map(({ key, keyAt }) => ({
      name: nameIn(entry.name, shorten(String(key), 100)),
      at: keyAt,
      meant: meant.get(closest(String(key), meant.keys()) ?? ""),
    })),
  ];
}

/** What a schema is of, which may be optional. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "nullable") return innerOf(def.innerType);
  return def.type === "pipe" ? innerOf(def.in) : def;
}

/** The problem of a wrong or missing value; for a misspelled key, at that key. */
function wrongValue(entry: Entry, message: string, unknown: readonly UnknownKey[]): Problem {
  const { value, name, key, at } = entry;
  const what = name === "" ? message : `\`${name}\`: ${message}`;
  const misspelled = value === undefined ? unknown.find(({ meant }) => meant === name) : undefined;
  if (misspelled === undefined) {
    const file = `and the file ${value === null ? "is empty" : "holds something else"}`;
    const actual = name === "" ? file : describe(value);
    return error("wrong-value", `${what}, ${actual}.`, { help: remedy(entry), at });
  }
  const actual = `${describe(undefined)}; \`${misspelled.name}\` seems to be meant for \`${String(key)}\``;
  const help = `Write \`${String(key)}:\` in line ${String(misspelled.at.startLine)}.`;
  return error("wrong-value", `${what}, ${actual}.`, { help, at: misspelled.at });
}

function remedy({ value, name, key, at: { startLine, startColumn = 1 } }: Entry): string {
  if ((value ?? null) === null && name !== "" && typeof key === "string") return `Add \`${key}:\` there.`;
  if (typeof value === "string" && /^\w+:\w/.test(value))
    return `Write a space after the colon in line ${String(startLine)}.`;
  if (value === null) return "Write it, or remove the file.";
  return `Correct line ${String(startLine)}, column ${String(startColumn)}.`;
}
