/** Schema of waza's results.json (`waza run -o`) and transcript files: the parts we read; the rest is kept unchanged. */
import * as z from "zod/mini";
import {
  givenText,
  lenient,
  lenientFlag,
  lenientNumber,
  lenientText,
  numberOrZero,
  optional,
  orElse,
} from "../../text/optional.ts";

const events = optional(z.array(z.looseObject({ type: z.string() }), "expected a list of events"));

const validation = z.object({
  identifier: lenientText,
  type: orElse(z.string(), ""),
  score: numberOrZero,
  passed: orElse(z.boolean(), false),
  feedback: orElse(z.string(), ""),
});

const wazaRun = z.object({
  run_number: lenientNumber,
  prompt: givenText,
  status: givenText,
  validations: lenient(z.record(z.string(), validation)),
  session_digest: z.optional(z.unknown()),
  duration_ms: lenientNumber,
  transcript: events,
  tool_events: z.optional(z.unknown()),
  final_output: givenText,
  error_msg: givenText,
  workspace_dir: lenientText,
  /** Of a task whose user a model played. */
  responder: lenient(
    z.object({
      followups_sent: numberOrZero,
      outcome: z.enum(["completed", "stopped", "abstained", "cap_exhausted", "error"]),
      reason: givenText,
    }),
  ),
});

/** The runs without the skill (`waza run --baseline`). */
const baselineOutcome = lenient(
  z.object({
    tasks: lenient(z.array(z.object({ test_id: lenientText, runs: lenient(z.array(wazaRun)) }))),
  }),
);

const wazaTask = z.object({
  test_id: z.string("expected `test_id`, the task's id"),
  display_name: givenText,
  golden: lenientFlag,
  runs: optional(z.array(wazaRun)),
});

export const wazaResults = z.object({
  /** As in waza: another major version may mean something else by the same keys. */
  schemaVersion: optional(
    z
      .union([z.string(), z.number()], "expected a version of waza's results")
      .check(
        z.refine(
          (version) => /^(?:v?1(?:\.|$)|$)/.test(String(version).trim()),
          "expected a version from 1.0 to 1.99",
        ),
      ),
  ),
  eval_name: givenText,
  timestamp: givenText,
  config: optional(z.object({ model_id: givenText, runs_per_test: lenientNumber })),
  baseline_outcome: baselineOutcome,
  /** Go writes an empty list as null. */
  tasks: z.nullable(z.array(wazaTask, "expected `tasks`: the list that `waza run -o` writes")),
});

/** A transcript file (`--transcript-dir`), one per task (waza, internal/transcript/transcript.go). */
export const taskTranscript = z.extend(wazaRun, {
  task_id: z.string("expected `task_id`, the task's id"),
  task_name: givenText,
});

export type TaskTranscript = z.infer<typeof taskTranscript>;
export type WazaResults = z.infer<typeof wazaResults>;
export type WazaRun = z.infer<typeof wazaRun>;
