/** Tasks without a prompt: the judge would not see what the agent was asked. */
import { expect, test } from "@jest/globals";
import type { GradingJob } from "../../src/domain/grade.ts";
import type { SourceSpan } from "../../src/domain/problem.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Suite, Task } from "../../src/domain/suite.ts";
import { otherPrompts, withoutPrompt, withPrompt } from "../../src/plan/settled.ts";
import { agent, graderOf, runOf, suiteOf } from "../support/factories.ts";

const SUITE = suiteOf({ tasks: [] });
const fileOf = (id: string): SourceSpan => ({
  path: `tasks/${id}.yaml`,
  startLine: 1,
  endLine: 1,
  inRepository: true,
});

function taskOf(id: string, more: Partial<Task> = {}): GradingJob["task"] {
  return { id, name: id, at: fileOf(id), ...more };
}

function jobOf(task: GradingJob["task"], run: Partial<Run> = {}, more: Partial<GradingJob> = {}): GradingJob {
  return { suite: SUITE, task, grader: graderOf(), judgeModel: "judge", run: runOf(run), ...more };
}

const SKIPPED = { state: "skipped", cause: "no-key", reason: "No key." } as const;

test.each<[string, GradingJob]>([
  ["the run has a prompt", jobOf(taskOf("a"), { prompt: "Do it." })],
  ["no judge is asked", jobOf(taskOf("a"), {}, { settled: SKIPPED })],
  ["the run is missing", jobOf(taskOf("a"), {}, { run: undefined })],
  [
    "the task is a row of a table, which is reported where that is read",
    jobOf(taskOf("a", { at: undefined })),
  ],
])("nothing is said where %s", (_, job) => {
  expect(withoutPrompt([job])).toEqual([]);
});

test.each<[string, readonly GradingJob[], string, string]>([
  [
    "of one task, for any number of runs and graders",
    [jobOf(taskOf("a"), { steps: [agent("Done.")] }), jobOf(taskOf("a"), { prompt: " " })],
    "the task `a` has no prompt, and the results record none.",
    "tasks/a.yaml",
  ],
  [
    "of several tasks, at the first",
    [jobOf(taskOf("z"), { prompt: "Do it." }), jobOf(taskOf("b")), jobOf(taskOf("a", { prompt: "" }))],
    "2 tasks have no prompt, and the results record none.",
    "tasks/b.yaml",
  ],
])("one warning %s", (_, jobs, lack, path) => {
  const message = `The judge does not know the agent's prompt: ${lack}`;
  expect(withoutPrompt(jobs)).toMatchObject([{ level: "warning", message, at: { path } }]);
});

test("tasks that only the results name have a notice, at the eval", () => {
  const job = jobOf(taskOf("a", { at: undefined }), {}, { suite: suiteOf({ tasks: "every" }) });
  const message = "The judge does not know the agent's prompt: the results record no prompt of 1 task.";
  expect(withoutPrompt([job])).toMatchObject([{ level: "notice", message, at: { path: "evals/eval.yaml" } }]);
});

test("each suite has its own", () => {
  const other: Suite = suiteOf({ tasks: [], title: "other" });
  const problems = withoutPrompt([jobOf(taskOf("a")), jobOf(taskOf("b"), {}, { suite: other })]);
  expect(problems.map(({ at }) => at?.path)).toEqual(["tasks/a.yaml", "tasks/b.yaml"]);
});

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ["what the results say, before the task's own prompt", "said", "ours", "said"],
  ["the task's own where the results say nothing", undefined, "ours", "ours"],
  ["nothing where nothing names it", undefined, undefined, undefined],
])("a run was asked %s", (_, prompt, ours, asked) => {
  expect(withPrompt(runOf({ prompt }), { prompt: ours }).prompt).toBe(asked);
});

test.each<[string, string | undefined, string | undefined, number]>([
  ["differ", "Do it.", "Do that.", 1],
  ["differ in white space at the ends", "Do it.", "Do it.\n", 0],
  ["cannot be compared, since waza fills one in", "Do it.", "Do {{.Vars.x}}.", 0],
  ["are one alone", "Do it.", undefined, 0],
])(
  "results and task file that %s have a warning for their suite: last column",
  (_, prompt, ours, warnings) => {
    const jobs = ["a", "b"].map((id) => jobOf(taskOf(id, { prompt: ours }), { prompt }));
    expect(otherPrompts(jobs).map(({ level }) => level)).toEqual(Array<string>(warnings).fill("warning"));
  },
);
