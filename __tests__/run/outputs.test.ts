/** Every format of agent outputs through the action: graded, and written in waza's format. */
import { readFileSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { startGitHub } from "../support/github-server.ts";
import { pass, startJudge } from "../support/judge-server.ts";
import type { JudgeServer } from "../support/judge-server.ts";
import { fixture } from "../support/outputs.ts";
import { promptGrader } from "../support/projects.ts";
import { copiesBeside, removeTemporaryFolders, writeProject } from "../support/run-action.ts";
import type { ActionResult } from "../support/run-action.ts";
import { runHere as runAction } from "../support/run-here.ts";

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
afterAll(removeTemporaryFolders);

interface GradedFile {
  readonly config: { readonly model_id?: string; readonly judge_model?: string };
  readonly tasks: readonly {
    readonly test_id: string;
    readonly status: string;
    readonly runs: readonly {
      readonly run_number: number;
      readonly status: string;
      readonly final_output: string;
      readonly transcript?: readonly { readonly type: string }[];
      readonly validations: Readonly<Record<string, { readonly passed: boolean }>>;
    }[];
  }[];
}

async function grade(
  files: Readonly<Record<string, string>>,
  results = "out/**/*",
): Promise<ActionResult & { judge: JudgeServer; graded: GradedFile[] }> {
  const workspace = writeProject({
    "evals/eval.yaml": {
      name: "suite",
      tasks: ["tasks/*.yaml"],
      graders: [promptGrader("right")],
    },
    "evals/tasks/explain.yaml": {
      id: "explain",
      name: "Explain",
      inputs: { prompt: "What does loop.py do?" },
    },
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`out/${name}`, text])),
  });
  const judge = await startJudge(({ turn }) => (turn === 1 ? { calls: [pass("Right", "it is")] } : {}));
  const github = await startGitHub();
  open.push(judge, github);
  const result = await runAction({
    workspace,
    githubUrl: github.url,
    inputs: { results, "base-url": judge.url },
  });
  expect(judge.refused).toEqual([]);
  expect(github.refused).toEqual([]);
  const graded = copiesBeside(result.outputs["results-file"] ?? "").map(
    (path) => JSON.parse(readFileSync(path, "utf8")) as GradedFile,
  );
  return { ...result, judge, graded };
}

/** Model, run, status of every run in the graded files. */
function runsOf(graded: readonly GradedFile[]) {
  return graded.flatMap(({ config, tasks }) =>
    tasks.flatMap(({ runs }) =>
      runs.map((run) => [config.model_id, run.run_number, run.status, run.final_output.trim()]),
    ),
  );
}

const { "claude-execution-output.json": execution = "", ...finished } = fixture("claude-code");

describe("agent outputs", () => {
  test.each<[string, Record<string, string>, { passed: number; runs: unknown[]; evidence?: string }]>([
    [
      "waza's results of old",
      fixture("waza-legacy"),
      {
        passed: 1,
        runs: [["gpt-4o", 1, "passed", "It loops forever."]],
        evidence: "while True: pass",
      },
    ],
    [
      "waza's results of several models, and their summary",
      fixture("waza-summary"),
      {
        passed: 2,
        runs: [
          ["claude-sonnet-4.5", 1, "passed", "It loops forever, says claude-sonnet-4.5."],
          ["gpt-5", 1, "passed", "It loops forever, says gpt-5."],
        ],
      },
    ],
    [
      "waza's transcripts",
      fixture("waza-transcripts"),
      {
        passed: 2,
        runs: [
          [undefined, 1, "passed", "It loops forever.\n\nYes."],
          [undefined, 2, "passed", "It never ends."],
        ],
        evidence: "while True: pass",
      },
    ],
    [
      "records",
      fixture("records"),
      {
        passed: 3,
        runs: [
          ["agent-a", 1, "passed", "It loops forever."],
          ["agent-a", 2, "passed", "It never ends."],
          ["agent-b", 1, "passed", '{"answer":"forever"}'],
        ],
        evidence: "while True: pass",
      },
    ],
    [
      "text files",
      fixture("text-files"),
      {
        passed: 3,
        runs: [
          [undefined, 2, "passed", "It never ends."],
          [undefined, 3, "passed", '{"answer": "forever"}'],
          [undefined, 1, "passed", "It loops forever."],
        ],
      },
    ],
    [
      "logs of Claude Code",
      finished,
      {
        passed: 2,
        runs: [
          ["claude-sonnet-4-5-20250929", 1, "passed", "It loops forever."],
          ["claude-sonnet-4-5", 1, "passed", "It loops forever."],
        ],
        evidence: "while True: pass",
      },
    ],
    [
      "sessions of Claude Code",
      fixture("claude-code-sessions"),
      {
        passed: 1,
        runs: [["claude-sonnet-4-5-20250929", 1, "passed", "It loops forever."]],
        evidence: "while True: pass",
      },
    ],
    [
      "logs of several agents",
      {
        "a/explain.jsonl": fixture("copilot")["printed.jsonl"]!,
        "b/explain.jsonl": fixture("codex-exec")["explain.jsonl"]!,
        "c/explain.jsonl": fixture("gemini-cli")["explain.jsonl"]!,
      },
      {
        passed: 3,
        runs: [
          ["claude-sonnet-4.6", 1, "passed", "It loops forever."],
          [undefined, 1, "passed", "It loops forever."],
          ["gemini-3-pro", 1, "passed", "It loops forever."],
        ],
        evidence: "timeout 1 python loop.py",
      },
    ],
    [
      "waza's results with a baseline",
      fixture("waza-baseline"),
      {
        passed: 1,
        runs: [["gpt-5", 1, "passed", "It loops forever, says the skill."]],
      },
    ],
  ])("that are %s are graded and written in waza's format", async (_case, files, expected) => {
    const { code, outputs, graded, judge, log } = await grade(files);
    expect(log).not.toContain("A bug in waza-grade");
    expect(code).toBe(0);
    expect(outputs).toMatchObject({ "grades-passed": String(expected.passed), score: "1.0000" });
    expect(runsOf(graded)).toEqual(expected.runs);
    expect(graded[0]?.tasks[0]?.runs[0]?.validations.right).toMatchObject({ passed: true });
    expect(judge.asked.some(({ evidence }) => evidence.includes(expected.evidence ?? "forever"))).toBe(true);
  });

  test("of an agent that ended in an error are judged by what it did, and the judge is reported how it ended", async () => {
    const nothing = JSON.stringify({ task_id: "explain", error: "crashed at the start", trial: 2 });
    const { code, outputs, graded, judge, summary } = await grade({
      "claude-execution-output.json": execution,
      "crashed.jsonl": nothing,
    });
    expect(code).toBe(1);
    expect(outputs).toMatchObject({ "grades-passed": "1", "grades-failed": "1", score: "0.5000" });
    expect(judge.asked[0]?.evidence).toMatch(/ how the run ended>>>\nerror: error_max_turns\n<<<evidence-/);
    expect(judge.asked.map(({ turn }) => turn)).toEqual([1, 2]);
    expect(summary).toContain("The agent never got to work. Its run ended in an error: crashed at the start");
    expect(runsOf(graded)).toEqual([
      ["claude-opus-4-1", 1, "error", ""],
      [undefined, 2, "error", ""],
    ]);
    expect(graded.map(({ tasks }) => Object.keys(tasks[0]?.runs[0]?.validations ?? {}))).toEqual([
      ["right"],
      [],
    ]);
  });

  test("that are there twice are read once; different runs of one number are an error that names both files", async () => {
    const leg = (answer: string, id = "explain") =>
      JSON.stringify({
        eval_name: "suite",
        config: { model_id: "gpt-5" },
        tasks: [{ test_id: id, runs: [{ run_number: 1, status: "skipped", final_output: answer }] }],
      });
    const { code, outputs, judge, log, graded } = await grade({
      "leg-1/results.json": leg("It loops forever."),
      "leg-2/results.json": leg("It never ends."),
      "leg-3/results.json": leg("It loops forever."),
      "leg-4/results.json": leg("Other things.", "of-no-suite"),
    });
    expect(code).toBe(1);
    expect(outputs).toMatchObject({ "grades-passed": "1", "grades-failed": "0" });
    expect(judge.asked.map(({ evidence }) => /It \w+ \w+\./.exec(evidence)?.[0])).toEqual([
      "It loops forever.",
      "It loops forever.",
    ]);
    expect(graded).toHaveLength(3);
    expect(log).toContain(
      "Identical files, read once: `out/leg-3/results.json` (as `out/leg-1/results.json`).",
    );
    expect(log.trimEnd().split("\n").at(-1)).toMatch(
      /^::error::Failed: .*out\/leg-2\/results\.json:1: `out\/leg-1\/results\.json` and `out\/leg-2\/results\.json` have different runs with the same task, model and number; only the first is graded: run 1 of `explain` by `gpt-5`\. Number them\..*`trials_per_task`.*`run_number`/,
    );
  });

  test.each([
    [
      "a summary alone",
      { "results.json": fixture("waza-summary")["results.json"] ?? "" },
      "The results have no run of a planned task (`explain`).",
    ],
    [
      "names that are no task's",
      { "other.md": "x" },
      "The results have no run of a planned task (`explain`).",
    ],
    [
      "a torn line",
      { "o.jsonl": '{"task_id":"explain","output":"x"}\n{"task_id"' },
      "out/o.jsonl:2: the file is not valid JSON",
    ],
  ])("of %s are a configuration problem", async (_case, files, sentence) => {
    const { code, log, judge } = await grade(files);
    expect(code).toBe(1);
    expect(judge.asked).toEqual([]);
    expect(log).toContain(sentence);
  });
});
