// Fuzzes the whole way from files to pages: YAML, JSON, transcripts, records, logs, files of other tools and links, 10,000
// cases unless told otherwise (npm run fuzz -- <cases> <seed>). A case fails when something throws, takes over ten seconds,
// breaks a page's limit, or shows what lies outside the repository.
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { CANARY, project } from "./fuzz-project.ts";
import type { FuzzProject } from "./fuzz-project.ts";
import { temporaryFolder, removeTemporaryFolders } from "../__tests__/support/run-action.ts";
import { mergeProblems } from "../src/text/format.ts";
import { decide } from "../src/decide/gate.ts";
import { gradeJobs } from "../src/judge/grade.ts";
import type { Judge } from "../src/judge/judge.ts";
import { readOutputs } from "../src/outputs/read-outputs.ts";
import { planJobs } from "../src/plan/plan.ts";
import { buildAnnotations } from "../src/report/annotations.ts";
import { gradedCopy } from "../src/report/waza-copy.ts";
import { renderSummary } from "../src/report/summary.ts";
import type { Report } from "../src/report/report.ts";
import { withoutSameRuns } from "../src/plan/problems.ts";
import { rowOf } from "../src/results/rows.ts";
import { scoreGrades } from "../src/results/score.ts";
import { loadSuites } from "../src/evals/load-suites.ts";

const [cases = "10000", seed = String(Date.now())] = process.argv.slice(2);
const LONGEST_MS = 10_000;
const PAGE_BYTES = 65_535;

process.on("unhandledRejection", (error) => {
  console.error("unhandled rejection", error);
  process.exit(1);
});

/** A judge that reads every file, so that the test sees what is readable. */
const judge: Judge = {
  grade: async (request, _meter, signal) => {
    const asked = { arguments: { query: CANARY } };
    const listed = await request.files?.answer({ name: "list_files", ...asked }, signal);
    const read = `${listed ?? ""}\n${(await request.files?.answer({ name: "search_files", ...asked }, signal)) ?? ""}`;
    const outcome = request.messages.length % 2 === 0 ? "pass" : "fail";
    const reason = request.messages.map(({ content }) => content).join("\n");
    const text = request.messages[2]?.content ?? "";
    return {
      checks: text === "" ? [] : [{ outcome, description: request.model, reason }],
      text: `${text}${read}`,
      changes: [],
    };
  },
};

/** The folders of a case: the repository, what lies outside of it, and the runner's temporary folder. */
interface Folders {
  readonly repository: string;
  readonly outside: string;
  readonly temp: string;
}

async function whole({ repository }: Folders): Promise<void> {
  const { suites, problems } = await loadSuites(["evals/eval.yaml", "evals/*.yaml"], repository);
  const read = await readOutputs({ patterns: ["results.json", "out/*"], workspace: repository, suites });
  const plan = planJobs({ suites, results: read.files.map((file) => file.results) });
  const told = withoutSameRuns(plan.jobs);
  const grades = await gradeJobs(told.jobs, {
    judge,
    maxConcurrency: 4,
    timeoutMs: LONGEST_MS,
    redact: (text) => text,
  });
  const broken = grades.find(
    ({ verdict }) => verdict.state === "errored" && verdict.error.class === "internal",
  );
  if (broken) throw new Error(`an internal error: ${JSON.stringify(broken.verdict)}`);
  const scores = scoreGrades(
    suites,
    grades.map((one) => rowOf(one)),
  );
  if (scores.score !== undefined && !(scores.score >= 0 && scores.score <= 1))
    throw new Error(`score ${String(scores.score)}`);
  const all = mergeProblems([...problems, ...read.problems, ...plan.problems, ...told.problems]);
  const policy = { failOn: "fail", onError: "fail", onMissing: "fail" } as const;
  const report: Report = {
    accepted: [],
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
  const copies = read.files.flatMap(({ document }, index) =>
    document === undefined ? [] : JSON.stringify(gradedCopy(document, index, report)),
  );
  const shown = [page, JSON.stringify(buildAnnotations(report)), JSON.stringify([suites, grades]), ...copies];
  if (shown.some((text) => text.includes(CANARY)))
    throw new Error("what lies outside the repository is shown");
}

const TASK = `id: task-1\ninputs:\n  prompt: ${CANARY}\n`;
const GRADERS = `graders:\n  - {type: prompt, name: g, config: {prompt: ${CANARY}}}\n`;
const RESULTS = { tasks: [{ test_id: "task-1", runs: [{ final_output: CANARY }] }] };

/** Valid files of every kind, so that one which is read does show. */
const OUTSIDE: Readonly<Record<string, string>> = {
  "task.yaml": `${TASK}${GRADERS}`,
  "eval.yaml": GRADERS,
  "results.json": JSON.stringify(RESULTS),
  "rubric.md": `---\nname: r\nversion: 1.0.0\nscale: pass-fail\n---\n\n${CANARY}\n`,
  "cases.csv": `id,prompt\ntask-1,${CANARY}\n`,
  "secret.txt": CANARY,
  ".waza.yaml": `defaults: {judgeModel: ${CANARY}}\n`,
  "log.jsonl": JSON.stringify({ type: "assistant", message: { role: "assistant", content: CANARY } }),
};

function writeCase(root: string, made: FuzzProject): Folders {
  rmSync(root, { recursive: true, force: true });
  const folders = {
    repository: join(root, "repository"),
    outside: join(root, "outside"),
    temp: join(root, "temp"),
  };
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  for (const [name, text] of Object.entries(OUTSIDE)) write(join(folders.outside, name), text);
  write(join(folders.repository, ".git", "config"), CANARY);
  write(join(folders.temp, "waza-1", "a.txt"), "kept");
  write(join(folders.temp, "token"), CANARY);
  write(join(folders.repository, "kept", "a.txt"), "kept");
  write(join(folders.repository, "evals", "fixture", "a.txt"), "given");
  write(join(folders.repository, "evals", "cases.csv"), "id,prompt\ntask-1,Do it.\ntask-2,Do that.\n");
  write(join(folders.repository, "evals", "eval.yaml"), made.evalText);
  write(join(folders.repository, "evals", "tasks", "task.yaml"), made.taskText);
  const results = made.resultsText.toString("latin1").replaceAll("<root>", root);
  write(join(folders.repository, "results.json"), Buffer.from(results, "latin1"));
  const [name, text] = made.otherOutputs;
  write(join(folders.repository, "out", name), text);
  for (const { at, to } of made.links) link(root, join(folders.repository, at), to);
  return folders;
}

/** A link in place of what is there; none below another link, which would lie elsewhere. */
function link(root: string, at: string, to: string): void {
  if (!existsSync(dirname(at)) || realpathSync(dirname(at)) !== dirname(at)) return;
  rmSync(at, { recursive: true, force: true });
  symlinkSync(to === "itself" ? at : join(root, to), at);
}

const root = join(temporaryFolder("fuzz"), "case");
let slowest = 0;
try {
  await fc.assert(
    fc.asyncProperty(project, async (made) => {
      const folders = writeCase(root, made);
      const started = performance.now();
      await whole(folders);
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
  removeTemporaryFolders();
}
