// Fuzzes the whole way from files to pages: YAML, JSON, transcripts, records and logs, 10,000 cases unless told otherwise
// (npm run fuzz -- <cases> <seed>). A case fails when something throws, takes over ten seconds, or breaks a page's limit.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { stringify } from "yaml";
import { temporaryFolder, removeTemporaryFolders } from "../__tests__/support/run-action.ts";
import { decide } from "../src/gate.ts";
import { gradeJobs } from "../src/grade.ts";
import type { Judge } from "../src/judge/judge.ts";
import { readOutputs } from "../src/outputs/read-outputs.ts";
import { planJobs } from "../src/plan.ts";
import { buildAnnotations } from "../src/report/annotations.ts";
import { gradedResults } from "../src/report/graded-results.ts";
import { renderSummary } from "../src/report/summary.ts";
import type { Report } from "../src/domain.ts";
import { scoreGrades } from "../src/score.ts";
import { loadSuites } from "../src/waza/load-suite.ts";

const [cases = "10000", seed = String(Date.now())] = process.argv.slice(2);
const LONGEST_MS = 10_000;
const PAGE_BYTES = 65_535;

process.on("unhandledRejection", (error) => {
  console.error("unhandled rejection", error);
  process.exit(1);
});

/** Words that mean something to one of the readers, and text that means nothing to any. */
const word = fc.oneof(
  fc.constantFrom(
    "prompt",
    "text",
    "g",
    "task-1",
    "true",
    "no",
    "~",
    "0",
    "-1",
    "1e308",
    "*a",
    "&a",
    "!!js/function x",
    "<<",
  ),
  fc.constantFrom(
    "::error::x",
    "</details>",
    "`",
    "|",
    "@mona",
    "\u0000",
    "\u001B[31m",
    "\uD800",
    "__proto__",
    "constructor",
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("map"),
  ),
  list: fc.array(tie("tree"), { maxLength: 4 }),
  map: fc.dictionary(word, tie("tree"), { maxKeys: 4 }),
}));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: arbitrary }, { weight: 1, arbitrary: tree });

const grader = fc.record(
  {
    type: maybe(fc.constant("prompt")),
    name: maybe(word),
    weight: maybe(fc.double()),
    config: maybe(
      fc.record(
        { prompt: maybe(word), model: maybe(word), continue_session: tree },
        { requiredKeys: ["prompt"] },
      ),
    ),
  },
  { requiredKeys: ["type"] },
);
const evalFile = fc.record(
  {
    name: maybe(word),
    graders: maybe(fc.array(maybe(grader), { maxLength: 4 })),
    tasks: maybe(fc.constant(["tasks/*.yaml"])),
    config: tree,
  },
  { requiredKeys: [] },
);
const taskFile = fc.record(
  {
    id: maybe(fc.constantFrom("task-1", "task-2")),
    name: maybe(word),
    inputs: maybe(fc.record({ prompt: maybe(word) })),
    graders: maybe(fc.array(maybe(grader), { maxLength: 3 })),
    enabled: tree,
  },
  { requiredKeys: ["id"] },
);
const event = fc.record(
  {
    type: maybe(
      fc.constantFrom(
        "user.message",
        "assistant.message",
        "tool.execution_start",
        "tool.execution_complete",
        "session.error",
        "ToolExecutionStart",
      ),
    ),
    content: maybe(word),
    message: maybe(word),
    arguments: tree,
    success: maybe(fc.boolean()),
    tool_call_id: maybe(fc.constantFrom("1", "2")),
    tool_name: maybe(word),
    tool_result: maybe(fc.record({ content: tree })),
  },
  { requiredKeys: ["type"] },
);
const run = fc.record(
  {
    run_number: maybe(fc.integer()),
    prompt: maybe(word),
    status: maybe(fc.constantFrom("passed", "failed", "error", "skipped")),
    final_output: maybe(word),
    error_msg: maybe(fc.constantFrom("", "running graders: x", "timeout")),
    transcript: maybe(fc.array(maybe(event), { maxLength: 6 })),
    validations: maybe(
      fc.dictionary(word, maybe(fc.record({ score: tree, passed: tree, weight: tree })), { maxKeys: 3 }),
    ),
    session_digest: tree,
  },
  { requiredKeys: [] },
);
const results = fc.record(
  {
    eval_name: maybe(word),
    timestamp: maybe(word),
    config: maybe(fc.record({ model_id: maybe(word), runs_per_test: tree })),
    summary: tree,
    tasks: maybe(
      fc.array(
        maybe(
          fc.record({
            test_id: maybe(fc.constantFrom("task-1", "task-2")),
            display_name: maybe(word),
            runs: maybe(fc.array(maybe(run), { maxLength: 3 })),
          }),
        ),
        { maxLength: 3 },
      ),
    ),
  },
  { requiredKeys: ["tasks"] },
);

/** A text as it is, or with a piece taken out, doubled or replaced by a word. */
const damaged = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 3, arbitrary: text },
    {
      weight: 1,
      arbitrary: fc.tuple(text, fc.nat(), fc.nat(20), word).map(([whole, at, length, put]) => {
        const start = whole.length === 0 ? 0 : at % whole.length;
        return `${whole.slice(0, start)}${put}${whole.slice(start + length)}`;
      }),
    },
  );
const asYaml = (value: unknown): string => {
  try {
    return stringify(value);
  } catch {
    return JSON.stringify(value);
  }
};
const message = fc.record(
  {
    role: maybe(fc.constantFrom("user", "assistant", "tool", "system")),
    content: maybe(word),
    tool_calls: maybe(
      fc.array(maybe(fc.record({ id: word, function: maybe(fc.record({ name: word, arguments: tree })) })), {
        maxLength: 2,
      }),
    ),
    tool_call_id: maybe(word),
  },
  { requiredKeys: ["role"] },
);
const recordLine = fc.record(
  {
    task_id: maybe(fc.constantFrom("task-1", "task-2", 7)),
    output: maybe(word),
    messages: maybe(fc.array(maybe(message), { maxLength: 4 })),
    model: maybe(word),
    trial: tree,
    error: tree,
  },
  { requiredKeys: ["task_id"] },
);
const logLine = fc.record(
  {
    type: maybe(fc.constantFrom("system", "user", "assistant", "result")),
    message: maybe(
      fc.record({
        role: word,
        content: maybe(
          fc.array(
            maybe(
              fc.record(
                {
                  type: fc.constantFrom("text", "tool_use", "tool_result", "thinking"),
                  text: maybe(word),
                  id: maybe(word),
                  name: maybe(word),
                  input: tree,
                  tool_use_id: maybe(word),
                  content: tree,
                },
                { requiredKeys: ["type"] },
              ),
            ),
            { maxLength: 3 },
          ),
        ),
      }),
    ),
    result: maybe(word),
    is_error: tree,
    session_id: maybe(word),
    subtype: maybe(fc.constantFrom("init", "success", "error_max_turns")),
  },
  { requiredKeys: ["type"] },
);
const transcriptFile = fc.record(
  {
    task_id: maybe(fc.constantFrom("task-1", "task-2")),
    status: maybe(word),
    prompt: maybe(word),
    final_output: maybe(word),
    transcript: maybe(fc.array(maybe(event), { maxLength: 6 })),
  },
  { requiredKeys: ["task_id", "transcript"] },
);
const asLines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
/** Another file of outputs, named for a task or not. */
const otherOutputs = fc.tuple(
  fc.constantFrom("task-1.jsonl", "task-1.json", "task-1.2.txt", "log.json", "task-1.md"),
  damaged(
    fc.oneof(
      fc.array(maybe(recordLine), { maxLength: 4 }).map(asLines),
      fc.array(maybe(logLine), { maxLength: 5 }).map(asLines),
      fc.array(maybe(logLine), { maxLength: 5 }).map((value) => JSON.stringify(value)),
      transcriptFile.map((value) => JSON.stringify(value)),
    ),
  ),
);
const project = fc.record({
  otherOutputs,
  evalText: damaged(maybe(evalFile).map(asYaml)),
  taskText: damaged(maybe(taskFile).map(asYaml)),
  resultsText: damaged(maybe(results).map((value) => JSON.stringify(value))),
});

const judge: Judge = {
  grade: (request) =>
    Promise.resolve({
      checks:
        request.messages.length % 2 === 0
          ? []
          : [{ outcome: "fail", description: request.model, reason: request.messages[1]?.content ?? "" }],
      text: request.messages[2]?.content ?? "",
    }),
};

async function whole(folder: string): Promise<void> {
  const { suites, problems } = await loadSuites(["evals/eval.yaml"], folder);
  const read = await readOutputs({ patterns: ["results.json", "out/*"], workspace: folder, suites });
  const plan = planJobs({ suites, results: read.files.map((file) => file.results) });
  const grades = await gradeJobs(plan.jobs, {
    judge,
    maxConcurrency: 4,
    timeoutMs: LONGEST_MS,
    conceal: (text) => text,
  });
  const broken = grades.find(
    ({ verdict }) => verdict.state === "errored" && verdict.error.class === "internal",
  );
  if (broken) throw new Error(`an internal error: ${JSON.stringify(broken.verdict)}`);
  const scores = scoreGrades(suites, grades);
  if (scores.score !== undefined && !(scores.score >= 0 && scores.score <= 1))
    throw new Error(`score ${String(scores.score)}`);
  const all = [...problems, ...read.problems, ...plan.problems];
  const policy = { failOn: "fail", onError: "fail" } as const;
  const report: Report = {
    scores,
    problems: all,
    time: { started: 1_000, finished: 3_500 },
    redactions: 0,
    policy,
    results: read.files.map((file) => file.results),
    conclusion: decide({ scores, problems: all, policy }),
  };
  const page = renderSummary(report, PAGE_BYTES);
  if (Buffer.byteLength(page) > PAGE_BYTES)
    throw new Error(`a page of ${String(Buffer.byteLength(page))} bytes`);
  buildAnnotations(report);
  for (const [index, file] of read.files.entries())
    JSON.stringify(gradedResults(file.document, index, report));
}

const folder = temporaryFolder("fuzz");
mkdirSync(join(folder, "evals", "tasks"), { recursive: true });
let slowest = 0;
try {
  await fc.assert(
    fc.asyncProperty(project, async ({ evalText, taskText, resultsText, otherOutputs: [name, text] }) => {
      rmSync(join(folder, "out"), { recursive: true, force: true });
      mkdirSync(join(folder, "out"));
      writeFileSync(join(folder, "out", name), text);
      writeFileSync(join(folder, "evals", "eval.yaml"), evalText);
      writeFileSync(join(folder, "evals", "tasks", "task.yaml"), taskText);
      writeFileSync(join(folder, "results.json"), resultsText);
      const started = performance.now();
      await whole(folder);
      slowest = Math.max(slowest, performance.now() - started);
    }),
    {
      numRuns: Number(cases),
      seed: Number(seed),
      timeout: LONGEST_MS,
      interruptAfterTimeLimit: 20 * 60_000,
      markInterruptAsFailure: true,
    },
  );
  console.log(`${cases} cases held (seed ${seed}); the slowest took ${slowest.toFixed(0)} ms.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
  removeTemporaryFolders();
}
