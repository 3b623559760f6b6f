/** Snapshots of waza (`waza run --snapshot`): one file per run, for `waza replay` (internal/snapshot/types.go). */
import * as z from "zod/mini";
import { lenient, optional } from "../../text/optional.ts";
import type { Reader, Trial } from "../reader.ts";
import { toolEvent, validation } from "../schema.ts";
import { shapeProblem } from "./waza-results.ts";

const text = lenient(z.string());

const snapshot = z.object({
  evalName: text,
  task: z.object({
    testId: z.string("expected `testId`, the task's id"),
    displayName: text,
    golden: lenient(z.boolean()),
    runNumber: lenient(z.number()),
  }),
  engine: lenient(z.object({ modelId: text })),
  prompt: lenient(z.object({ message: text })),
  toolEvents: lenient(z.array(toolEvent)),
  result: optional(
    z.object({
      status: text,
      finalOutput: text,
      errorMsg: text,
      validations: lenient(z.record(z.string(), validation)),
    }),
  ),
});

export const wazaSnapshotReader: Reader = {
  format: "waza's snapshots",
  detect: (row) => (row as { kind?: unknown }).kind === "task-snapshot",
  read: async (content) => {
    const parsed = z.safeParse(snapshot, content.data);
    if (!parsed.success)
      return { problems: [await shapeProblem(parsed.error, content, "a snapshot of waza")] };
    return { trials: [trialOf(parsed.data)], problems: [] };
  },
};

function trialOf({ evalName, task, engine, prompt, toolEvents, result }: z.infer<typeof snapshot>): Trial {
  return {
    evalName: evalName || undefined,
    taskId: task.testId,
    taskName: task.displayName || undefined,
    golden: task.golden ?? undefined,
    number: task.runNumber ?? undefined,
    model: engine?.modelId || undefined,
    prompt: prompt?.message || undefined,
    finalOutput: result?.finalOutput ?? "",
    events: [],
    toolEvents: toolEvents ?? [],
    validations: result?.validations ?? undefined,
    failure: failureOf(result),
  };
}

function failureOf(result: z.infer<typeof snapshot>["result"]): string | undefined {
  return result?.errorMsg || (result?.status === "error" ? "" : undefined);
}
