/**
 * waza's eval and task files as they are on disk: snake_case, every scalar still text (waza reads YAML as Go does:
 * the field's type decides what a scalar means, so `id: 007` is the text "007" and `enabled: off` is false).
 */
import * as z from "zod/mini";
import { boolean, ignored, number, text, twice } from "./schema-fields.ts";
import type { MakeObject } from "./schema-fields.ts";
import { optional } from "../text/optional.ts";

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
      tasks: optional(z.array(text, "expected a list of globs of task files")),
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

const taskFiles = (object: MakeObject) =>
  z.array(
    object(
      { path: optional(text), content: optional(text) },
      "expected a file: a mapping with `path` or `content`",
    ),
    "expected a list of files",
  );

const NO_ID = "expected the task's id, the same as in the results";

const taskFile = (object: MakeObject) =>
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
export const taskFileSchema = twice(taskFile, KEYS);
export const promptConfigSchema = twice(promptConfig, KEYS);
export const taskFilesSchema = twice(taskFiles, ["path", "content"]);

export type EvalFile = z.infer<typeof evalFileSchema.known>;
export type TaskFile = z.infer<typeof taskFileSchema.known>;
export type GraderEntry = NonNullable<NonNullable<EvalFile["graders"]>[number]>;
/** waza's other grader types, including those it no longer has. */
export const OTHER_TYPES = new Set([
  ...["code", "text", "file", "json_schema", "program", "behavior", "action_sequence", "skill_invocation"],
  ...["diff", "tool_constraint", "tool_calls", "trigger"],
]);
export const REMOVED_TYPES = new Set(["keyword", "regex"]);
