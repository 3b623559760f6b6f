/**
 * waza's eval and task files as they are on disk: snake_case, every scalar still text (waza reads YAML as Go does:
 * the field's type decides what a scalar means, so `id: 007` is the text "007" and `enabled: off` is false).
 */
import * as z from "zod/mini";
import { optional } from "../text/optional.ts";

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
function others(...keys: readonly string[]) {
  return Object.fromEntries(keys.map((key) => [key, ANYTHING]));
}

const NO_GRADER = "expected a grader: a mapping with `type`, `name` and `config`";
const NO_OPTIONS = "expected a mapping of the grader's options";

const OF_GRADERS = {
  type: optional(TEXT),
  name: optional(TEXT),
  weight: optional(NUMBER),
  ref: ANYTHING,
  ...others("rubric", "script", "assertions"),
};

export const OTHER_GRADER = z.object(
  { ...OF_GRADERS, ...others("model"), config: optional(z.record(z.string(), z.unknown(), NO_OPTIONS)) },
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
          ...others("checkpoints", "timeout_seconds", "first_event_timeout_seconds", "parallel", "workers"),
          ...others("max_workers", "fail_fast", "executor", "model", "reasoning_effort"),
          ...others("skill_directories", "instruction_files", "inject_skill_body"),
          ...others("trigger_skill_routing", "disabled_skills", "required_skills"),
          ...others("mcp_servers", "max_attempts", "group_by"),
        },
        "expected a mapping",
      ),
    ),
    tasks: optional(z.array(taskGlob, "expected a list of globs of task files")),
    tasks_from: optional(TEXT),
    range: optional(z.array(NUMBER, "expected `[first, last]`: the numbers of two rows")),
    graders: GRADERS,
    ...others("description", "scenario", "version", "hooks", "inputs", "mcp_mocks"),
    ...others("adversarial", "metrics", "baseline", "stimuli"),
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
          ...others("context", "files", "follow_ups", "follow_up_prompts", "responder"),
          ...others("environment", "repos", "work_dir", "workdir"),
        },
        "expected a mapping with `prompt`",
      ),
    ),
    graders: GRADERS,
    golden: optional(BOOLEAN),
    context_dir: optional(TEXT),
    ...others(
      "checkpoints",
      "description",
      "tags",
      "expected",
      "timeout_seconds",
      "first_event_timeout_seconds",
    ),
    ...others("instruction_files", "skill_directories", "agent"),
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
