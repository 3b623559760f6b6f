/** waza's results.json as it is on disk (`waza run -o`), in the parts we read; the rest is kept as it is. */
import * as z from "zod/mini";

/** Go writes absent values as null, or not at all. */
function optional<T extends z.core.SomeType>(schema: T) {
  return z.optional(z.nullable(schema));
}

const text = optional(z.string());
const toolResult = optional(
  z.union([z.string(), z.object({ content: optional(z.unknown()), detailedContent: optional(z.unknown()) })]),
);

export const transcriptEvent = z.object({
  type: z.string(),
  content: text,
  message: text,
  arguments: optional(z.unknown()),
  success: optional(z.boolean()),
  tool_call_id: text,
  tool_name: text,
  tool_result: toolResult,
});

const toolCall = z.object({
  name: text,
  arguments: optional(z.unknown()),
  result: toolResult,
  success: optional(z.boolean()),
});

const validation = z.object({
  identifier: text,
  type: text,
  score: optional(z.number()),
  weight: optional(z.number()),
  passed: optional(z.boolean()),
  feedback: text,
});

const run = z.object({
  run_number: optional(z.number()),
  prompt: text,
  status: text,
  validations: optional(z.record(z.string(), validation)),
  session_digest: optional(z.object({ tool_calls: optional(z.array(toolCall)) })),
  transcript: optional(z.array(transcriptEvent)),
  final_output: text,
  error_msg: text,
});

const task = z.object({
  test_id: z.string("expected `test_id`, the task's id"),
  display_name: text,
  runs: optional(z.array(run)),
});

export const wazaResults = z.object({
  eval_name: text,
  timestamp: text,
  config: optional(z.object({ model_id: text })),
  tasks: z.array(task, "expected `tasks`: the list that `waza run -o` writes"),
});

export type WazaResults = z.infer<typeof wazaResults>;
export type WazaRun = z.infer<typeof run>;
export type TranscriptEvent = z.infer<typeof transcriptEvent>;
export type ToolResult = z.infer<typeof toolResult>;

/** Keys waza writes, 0.12 to after 0.38; anything else is named in a notice. */
export const KNOWN_KEYS = {
  file: new Set([
    "schemaVersion",
    "eval_id",
    "skill",
    "scenario",
    "eval_name",
    "timestamp",
    "config",
    "summary",
    "metrics",
    "tasks",
    "trigger_metrics",
    "trigger_results",
    "metadata",
    "is_baseline",
    "baseline_outcome",
  ]),
  task: new Set(["test_id", "display_name", "group", "golden", "status", "runs", "stats", "skill_impact"]),
  run: new Set([
    "run_number",
    "attempts",
    "prompt",
    "status",
    "duration_ms",
    "validations",
    "session_digest",
    "transcript",
    "final_output",
    "error_msg",
    "skill_invocations",
    "usage",
    "workspace_dir",
    "failure_artifacts",
    "responder",
    "checkpoints",
    "tool_events",
    "snapshot_path",
  ]),
};
