/**
 * waza's eval and task files as they are on disk: snake_case, every scalar still text (waza reads YAML as Go does:
 * the field's type decides what a scalar means, so `id: 007` is the text "007" and `enabled: off` is false).
 */
import * as z from "zod/mini";
import { optional } from "../text/optional.ts";

const TRUE = ["true", "yes", "on", "y"];
const FALSE = ["false", "no", "off", "n"];

/** A boolean in the words of YAML 1.1, as Go reads one where a boolean is expected. */
const boolean = z.pipe(
  z
    .string("expected true or false")
    .check(z.refine((value) => [...TRUE, ...FALSE].includes(value.toLowerCase()), "expected true or false")),
  z.transform((value) => TRUE.includes(value.toLowerCase())),
);

/** The boolean that a value is in these words; undefined if it is none. */
export function readBoolean(value: unknown): boolean | undefined {
  return z.safeParse(boolean, value).data;
}

/* Field types of the schemas of waza's files. Each reads text, which the parser keeps. */

/** Makes the schema of a mapping that either drops unknown keys or reports them. */
export type MakeObject = typeof z.object;

/** Builds a schema twice: to read known keys, and to report unknown ones. */
export function twice<T extends z.core.$ZodType>(build: (object: MakeObject) => T, keys: readonly string[]) {
  const known = build(z.object);
  const nested = nestedKeys(known);
  const all = [...new Set([...keys, ...nested.keys()])];
  return { known, strict: build(z.strictObject as MakeObject), keys: all, nested };
}

function nestedKeys(schema: z.core.$ZodType): ReadonlyMap<string, string> {
  const inner = Object.entries(shapeOf(schema)).flatMap(([outer, field]) =>
    Object.keys(shapeOf(field)).map((key) => [key, `${outer}.${key}`] as const),
  );
  return new Map(inner);
}

/** The fields of a mapping, which may be optional; none of anything else. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "nullable") return shapeOf(def.innerType);
  if (def.type === "pipe") return shapeOf(def.in);
  return def.type === "object" ? def.shape : {};
}

/** Any scalar, as written. */
export const text = z.string("expected text");

/** A finite number. */
const number = z.pipe(
  z
    .string("expected a number")
    .check(z.refine((value) => value.trim() !== "" && Number.isFinite(Number(value)), "expected a number")),
  z.transform(Number),
);

/** Known to waza, not used here. */
const ignored = z.unknown();

/** A schema built twice. */
export interface TwoReadings<T> {
  readonly known: z.ZodMiniType<T>;
  readonly strict: z.ZodMiniType;
  /** All keys, for suggestions. */
  readonly keys: readonly string[];
  /** Keys of nested mappings by their last part: `prompt` is `inputs.prompt`. */
  readonly nested: ReadonlyMap<string, string>;
}

const grader = (object: MakeObject) =>
  object(
    {
      type: optional(text),
      name: optional(text),
      weight: optional(number),
      config: optional(z.record(z.string(), ignored, "expected a mapping of the grader's options")),
      rubric: optional(ignored),
      script: optional(ignored),
      model: optional(ignored),
      ref: optional(ignored),
      assertions: optional(ignored),
    },
    "expected a grader: a mapping with `type`, `name` and `config`",
  );

const taskGlob = z.string(
  "expected a glob of task files (a task is a file of its own, such as `tasks/first.yaml`)",
);

const evalFile = (object: MakeObject) =>
  object(
    {
      name: optional(text),
      description: optional(ignored),
      skill: optional(ignored),
      scenario: optional(ignored),
      version: optional(ignored),
      schemaVersion: optional(text),
      config: optional(
        object(
          {
            judge_model: optional(text),
            judge_reasoning_effort: optional(text),
            checkpoints: optional(ignored),
            trials_per_task: optional(ignored),
            ...Object.fromEntries(OTHER_CONFIG_KEYS.map((key) => [key, optional(ignored)])),
          },
          "expected a mapping",
        ),
      ),
      hooks: optional(ignored),
      inputs: optional(ignored),
      mcp_mocks: optional(ignored),
      adversarial: optional(ignored),
      metrics: optional(ignored),
      baseline: optional(ignored),
      tasks: optional(z.array(taskGlob, "expected a list of globs of task files")),
      tasks_from: optional(text),
      range: optional(z.array(number, "expected `[first, last]`: the numbers of two rows")),
      graders: optional(z.array(grader(object), "expected a list of graders")),
      stimuli: optional(ignored),
    },
    "expected an eval: a mapping with `tasks` and `graders`",
  );

const OTHER_CONFIG_KEYS = [
  "timeout_seconds",
  "first_event_timeout_seconds",
  "parallel",
  "workers",
  "max_workers",
  "fail_fast",
  "executor",
  "model",
  "reasoning_effort",
  "skill_directories",
  "instruction_files",
  "inject_skill_body",
  "trigger_skill_routing",
  "disabled_skills",
  "required_skills",
  "mcp_servers",
  "max_attempts",
  "group_by",
];

/** All keys, for suggestions. */
const KEYS = [
  ...[
    "name",
    "description",
    "skill",
    "scenario",
    "version",
    "config",
    "hooks",
    "inputs",
    "metrics",
    "baseline",
  ],
  ...["tasks", "tasks_from", "range", "graders", "judge_model", "type", "weight", "prompt", "model"],
  ...[
    "continue_session",
    "mode",
    "rubric",
    "enabled",
    "prompt_file",
    "context",
    "files",
    "expected",
    "golden",
  ],
];

export const evalFileSchema = twice(evalFile, KEYS);
const NO_ID = "expected the task's id, the same as in the results";

const taskShape = (object: MakeObject) =>
  object(
    {
      id: z.string(NO_ID).check(z.minLength(1, NO_ID)),
      name: optional(text),
      description: optional(ignored),
      enabled: optional(boolean),
      tags: optional(ignored),
      inputs: optional(
        object(
          {
            prompt: optional(text),
            prompt_file: optional(text),
            context: optional(ignored),
            files: optional(ignored),
            environment: optional(ignored),
            follow_ups: optional(ignored),
            follow_up_prompts: optional(ignored),
            responder: optional(ignored),
            repos: optional(ignored),
            work_dir: optional(ignored),
            workdir: optional(ignored),
          },
          "expected a mapping with `prompt`",
        ),
      ),
      expected: optional(ignored),
      graders: optional(z.array(grader(object), "expected a list of graders")),
      golden: optional(boolean),
      context_dir: optional(text),
      timeout_seconds: optional(ignored),
      first_event_timeout_seconds: optional(ignored),
      instruction_files: optional(ignored),
      skill_directories: optional(ignored),
      checkpoints: optional(ignored),
      agent: optional(ignored),
    },
    "expected a task: a mapping with `id` and `inputs`",
  );

export const taskFileSchema = twice(taskShape, KEYS);

const promptConfig = (object: MakeObject) =>
  object(
    {
      prompt: optional(text),
      model: optional(text),
      continue_session: optional(boolean),
      mode: optional(text),
      rubric: optional(text),
      reasoning_effort: optional(text),
    },
    "expected a mapping of the grader's options",
  );

export const promptConfigSchema = twice(promptConfig, KEYS);

const taskFiles = (object: MakeObject) =>
  z.array(
    object(
      { path: optional(text), content: optional(text) },
      "expected a file: a mapping with `path` or `content`",
    ),
    "expected a list of files",
  );

export const taskFilesSchema = twice(taskFiles, ["path", "content"]);

export type EvalFile = z.infer<typeof evalFileSchema.known>;

export type TaskYaml = z.infer<typeof taskFileSchema.known>;

export type GraderEntry = NonNullable<NonNullable<EvalFile["graders"]>[number]>;

/** waza's other grader types, including those it no longer has. */
export const OTHER_TYPES = new Set([
  ...["code", "text", "file", "json_schema", "program", "behavior", "action_sequence", "skill_invocation"],
  ...["diff", "tool_constraint", "tool_calls", "trigger"],
]);

export const REMOVED_TYPES = new Set(["keyword", "regex"]);

/* Keys of the evals.json of a skill. */

/** The first existing key is used; of `statements`, all are. */
export const FIELDS = {
  /** Of the file: the list of evals, unless the file is the list itself. */
  evals: ["evals", "test_cases", "cases"],
  /** Of the file: the skill. */
  skill: ["skill_name", "skill"],
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
  /** Of a statement that is a mapping: its text. */
  text: ["text", "description", "check", "pass_if"],
  /** Of such a statement: its subject, which its text leaves out. */
  about: ["dimension"],
} as const;

/** Keys of a file and of an eval that hold no evals and no checks, whatever is in them. */
export const LABELS: ReadonlySet<string> = new Set(["tags", "metadata", "references", "history"]);

/** Keys that decide what is checked: with one misspelled, an eval would be green without its statements. */
export const DECISIVE = [...FIELDS.statements, ...FIELDS.expected, ...FIELDS.golden];
