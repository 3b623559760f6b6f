/** A results file in waza's form, made of runs that were read from another format: what the copy for waza is made of. */
import { type ResultsFile, type Run, type Step, UNKNOWN_MODEL } from "../domain/run.ts";
import { jsonOf } from "../text/format.ts";
import type { RunData, TaskData } from "./waza-figures.ts";

/** The document of these runs as they were read: `origin` says each one's place in it. */
export function wazaDocument({ evalName, model, format, runs }: ResultsFile): Record<string, unknown> {
  const tasks = [...Map.groupBy(runs, ({ origin }) => origin.task).values()].map(taskOf);
  const files = new Set(runs.flatMap(({ source }) => source ?? []));
  return {
    eval_name: evalName,
    config: {
      runs_per_test: tasks.reduce((most, { runs }) => Math.max(most, runs?.length ?? 0), 1),
      model_id: model === UNKNOWN_MODEL ? undefined : model,
    },
    summary: {},
    metrics: {},
    tasks,
    metadata: { format, files: [...files] },
  };
}

function taskOf(runs: readonly Run[]): TaskData {
  const [{ taskId, taskName, golden }] = runs as readonly [Run];
  return { test_id: taskId, display_name: taskName, golden, status: "skipped", runs: runs.map(runOf) };
}

function runOf({ number, prompt, errorMessage, ended, steps, finalOutput }: Run): RunData {
  const calls = steps.filter((step) => step.kind === "tool");
  return {
    run_number: number,
    attempts: 1,
    prompt,
    status: ended === undefined ? "skipped" : "error",
    duration_ms: 0,
    validations: {},
    session_digest: {
      tool_call_count: calls.length,
      tools_used: [...new Set(calls.map(({ name }) => name))],
      errors: [],
    },
    transcript: steps.flatMap(eventsOf),
    final_output: finalOutput,
    error_msg: errorMessage,
  };
}

/** The arguments as an object, where its JSON is word for word the input. */
function argumentsOf(input: string): unknown {
  const value = jsonOf(input);
  return typeof value === "object" && value !== null && JSON.stringify(value) === input ? value : input;
}

/** waza's events of a step; a call and its result have one id. */
function eventsOf(step: Step, index: number): readonly Record<string, unknown>[] {
  switch (step.kind) {
    case "user":
    case "assistant":
      return [{ type: `${step.kind}.message`, content: step.text }];
    case "skill":
      return [{ type: "skill.invoked", content: step.text }];
    case "error":
      return [{ type: "session.error", message: step.text }];
    case "tool": {
      const { name, input, result, success } = step;
      const id = `call-${String(index + 1)}`;
      const start = {
        type: "tool.execution_start",
        tool_call_id: id,
        tool_name: name,
        arguments: argumentsOf(input),
      };
      if (result === undefined && success === undefined) return [start];
      const content = result === undefined ? undefined : { content: result };
      return [start, { type: "tool.execution_complete", tool_call_id: id, success, tool_result: content }];
    }
  }
}
