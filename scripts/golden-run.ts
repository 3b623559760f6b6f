/** A rubric's golden as a run of an agent, so that the judge gets the same evidence as in real use. */
import type { Run, Step } from "../src/domain/run.ts";
import type { RubricGolden } from "../src/evals/rubrics.ts";

const TOOL_CALL = /^tool call (\S+)[ \t]*(.*)$/;

/**
 * The input is the task prompt, the output the final output. In the context, a line `tool call <name> <arguments>`
 * begins a tool call, and the lines up to the next are its result; text before the first belongs to the task prompt.
 */
export function goldenRun({ name, input, output, context = "" }: RubricGolden): Run {
  const { material, steps } = readContext(context);
  const prompt = [input?.trim() ?? "", material].filter((text) => text !== "").join("\n\n");
  const said = (kind: "user" | "assistant", text: string): Step[] => (text === "" ? [] : [{ kind, text }]);
  return {
    origin: { file: 0, task: 0, run: 0 },
    taskId: name,
    number: 1,
    model: "golden",
    ...(prompt === "" ? {} : { prompt }),
    finalOutput: output.trim(),
    steps: [...said("user", prompt), ...steps, ...said("assistant", output.trim())],
    agent: "finished",
    recorded: [],
  };
}

function readContext(context: string): { readonly material: string; readonly steps: readonly Step[] } {
  const before: string[] = [];
  const calls: { readonly name: string; readonly input: string; readonly result: string[] }[] = [];
  for (const line of context.trim().split("\n")) {
    const [, name, input = ""] = TOOL_CALL.exec(line) ?? [];
    if (name !== undefined) calls.push({ name, input, result: [] });
    else (calls.at(-1)?.result ?? before).push(line);
  }
  const steps = calls.map(({ name, input, result }): Step => ({
    kind: "tool",
    name,
    input,
    result: result.join("\n").trim(),
  }));
  return { material: before.join("\n").trim(), steps };
}
