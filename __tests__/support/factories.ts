/** Graders, runs, their steps and suites for tests, with the parts that matter overridden. */
import type { Problem, SourceSpan } from "../../src/domain/problem.ts";
import type { Run, Step } from "../../src/domain/run.ts";
import type { Grader, Suite } from "../../src/domain/suite.ts";

export const GRADER_SPAN: SourceSpan = {
  path: "evals/eval.yaml",
  startLine: 4,
  endLine: 9,
  inRepository: true,
};

export function graderOf(changes: Partial<Grader> = {}): Grader {
  return { name: "concise", weight: 1, prompt: "Is it concise?", at: GRADER_SPAN, ...changes };
}

export function runOf(changes: Partial<Run> = {}): Run {
  return {
    origin: { file: 0, task: 0, run: 0 },
    taskId: "explain",
    number: 1,
    model: "agent-1",
    finalOutput: "The answer.",
    steps: [],
    agent: "finished",
    recorded: [],
    ...changes,
  };
}

export const user = (text: string): Step => ({ kind: "user", text });
export const agent = (text: string): Step => ({ kind: "assistant", text });
export const tool = (changes: Partial<Extract<Step, { kind: "tool" }>> = {}): Step => ({
  kind: "tool",
  name: "bash",
  input: '{"command":"ls"}',
  result: "README.md",
  success: true,
  ...changes,
});

export function suiteOf(changes: Partial<Suite> = {}): Suite {
  return {
    title: "suite",
    at: GRADER_SPAN,
    graders: [],
    otherGraders: [],
    tasks: "every",
    broken: false,
    ...changes,
  };
}

export const problemOf = (
  level: Problem["level"],
  message: string,
  more: Partial<Problem> = {},
): Problem => ({ level, code: "odd", message, ...more });

/** As many as that, made of their indices. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
