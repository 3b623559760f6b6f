// Measures what docs/maintainers/measurements.md states, on 127.0.0.1 only: `npm run bench`, or one part of it, as in
// `npm run bench -- faults`. It fails where a verdict is lost, wrong or asked for twice, and never for a time.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../__tests__/support/run-action.ts";
import { cache } from "./bench-cache.ts";
import { gates, gatesFew } from "./bench-gates.ts";
import { html } from "./bench-html.ts";
import { tokens } from "./bench-tokens.ts";
import {
  act,
  chance,
  checkVerdicts,
  markedSuite,
  measureClient,
  readResults,
  spread,
  startBenchJudge,
} from "./bench-tools.ts";

const PARTS: Readonly<Record<string, () => Promise<void> | void>> = {
  start,
  quick,
  throughput,
  memory,
  faults,
  kill,
  cancel,
  gates,
  "gates-few": () => {
    console.log(gatesFew());
  },
  tokens,
  cache,
  large,
  html,
  run,
};

/** Eighty runs of an agent that takes one second, eight at once: ten seconds of work. */
function run(): void {
  const tasks = Array.from({ length: 80 }, (_, at) => [
    `evals/tasks/${String(at)}.yaml`,
    `id: t${String(at)}\ninputs: {prompt: Do it}\n`,
  ]);
  const folder = writeProject({
    "evals/eval.yaml":
      "name: bench\ntasks: [tasks/*.yaml]\ngraders: [{type: prompt, name: g, config: {prompt: Is it?}}]\n",
    ...(Object.fromEntries(tasks) as Record<string, string>),
  });
  const bundle = join(import.meta.dirname, "..", "dist/index.js");
  const started = performance.now();
  execFileSync(process.execPath, [bundle, "run", "--command", "sleep 1; echo Done.", "--concurrency", "8"], {
    cwd: folder,
    stdio: "ignore",
  });
  console.log(`80 runs of 1 s, 8 at once: ${((performance.now() - started) / 1_000).toFixed(2)} s`);
}

/** From the start of the process to the first judge request, and what dist/ weighs. */
async function start(): Promise<void> {
  const dist = join(import.meta.dirname, "..", "dist");
  const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
  const bytes = scripts.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  console.log(`dist/*.js: ${bytes.toLocaleString("en-US")} bytes`);
  const judge = await startBenchJudge();
  const workspace = markedSuite(1);
  const starts: number[] = [];
  for (let round = 0; round < 15; round += 1) {
    judge.set({});
    const started = performance.now();
    await act(judge, workspace);
    starts.push(judge.first() - started);
  }
  await judge.close();
  console.log(`Start of the process to the first judge request: ${spread(starts, 0)} ms, 15 runs`);
}

/** Four suites that a user may have, each with the time beside the bare client with the same bodies that is aimed at. */
const SUITES = [
  { tasks: 1, lines: 120, most: 10, aim: 1.5 },
  { tasks: 50, lines: 120, most: 10, aim: 1.15 },
  { tasks: 500, lines: 120, most: 50, aim: 1.2 },
  { tasks: 100, lines: 12_000, most: 10, aim: 1.15 },
];

/**
 * What a user waits for, 200 ms a reply, beside two bare clients: one sends the same bodies, one the grader's prompt
 * and the output alone, as a judge without evidence would; in turns, a whole process each.
 */
async function quick(): Promise<void> {
  const judge = await startBenchJudge();
  console.log("| suite | action | same bodies | times | output alone | times | CPU a grade | peak |");
  console.log("| :---- | -----: | ----------: | ----: | -----------: | ----: | ----------: | ---: |");
  for (const { tasks, lines, most, aim } of SUITES) {
    const workspace = markedSuite(tasks, { lines, graders: 2 });
    const inputs = { "max-concurrency": String(most) };
    judge.set({ latencyMs: 200 });
    await act(judge, workspace, inputs);
    const folder = temporaryFolder("bodies");
    const files = { same: join(folder, "same.txt"), alone: join(folder, "alone.txt") };
    writeFileSync(files.same, judge.bodies().join("\n"));
    writeFileSync(files.alone, bodiesAlone(workspace, judge.prompts()).join("\n"));
    const uses = {
      ours: [] as Awaited<ReturnType<typeof act>>[],
      same: [] as Awaited<ReturnType<typeof measureClient>>[],
      alone: [] as Awaited<ReturnType<typeof measureClient>>[],
    };
    for (let round = 0; round < 5; round += 1) {
      judge.set({ latencyMs: 200 });
      uses.ours.push(await act(judge, workspace, inputs));
      for (const client of ["same", "alone"] as const)
        uses[client].push(await measureClient(judge.url, files[client], most));
    }
    const of = (client: keyof typeof uses) => uses[client].map(({ seconds }) => seconds);
    const times = (client: keyof typeof uses) =>
      of("ours").map((seconds, round) => seconds / (of(client)[round] ?? NaN));
    const cpu = uses.ours.map(({ cpuSeconds }) => (cpuSeconds * 1_000) / (2 * tasks));
    const peak = uses.ours.map(({ megabytes }) => megabytes);
    const size = lines > 120 ? " of 200 kB" : "";
    console.log(
      `| ${String(tasks)} x 2${size}, ${String(most)} at once | ${spread(of("ours"), 2)} s | ${spread(of("same"), 2)} s | ${spread(times("same"), 2)}, aim ${String(aim)} | ${spread(of("alone"), 2)} s | ${spread(times("alone"), 2)} | ${spread(cpu, 1)} ms | ${spread(peak, 0)} MB |`,
    );
  }
  await judge.close();
}

/** The body of each request, were a judge sent the grader's prompt and the final output alone. */
function bodiesAlone(workspace: string, prompts: readonly string[]): string[] {
  const runs = readResults(join(workspace, "results.json"));
  return prompts.map((prompt, index) => {
    const output = runs[index % runs.length]?.final_output ?? "";
    return JSON.stringify({
      model: "judge",
      messages: [{ role: "user", content: `${prompt}\n\n${output}` }],
    });
  });
}

/** 1,000 grades at 200 ms, 50 at once, against a bare client with the same bodies; alternating, the whole process each. */
async function throughput(): Promise<void> {
  const judge = await startBenchJudge();
  for (const [outputs, lines] of Object.entries({ "a line": 0, "200 kB": 12_000 })) {
    const workspace = markedSuite(1_000, { runs: 10, lines });
    judge.set({ latencyMs: 200 });
    await act(judge, workspace, { "max-concurrency": "50" });
    const sent = judge.bodies();
    const bodies = join(temporaryFolder("bodies"), "bodies.txt");
    writeFileSync(bodies, sent.join("\n"));
    const ours: Awaited<ReturnType<typeof act>>[] = [];
    const bare: Awaited<ReturnType<typeof measureClient>>[] = [];
    for (let round = 0; round < 5; round += 1) {
      judge.set({ latencyMs: 200 });
      ours.push(await act(judge, workspace, { "max-concurrency": "50" }));
      bare.push(await measureClient(judge.url, bodies, 50));
    }
    const ratios = ours.map(({ seconds }, round) => seconds / (bare[round]?.seconds ?? NaN));
    console.log(
      `1,000 grades in ${String(sent.length)} requests, outputs of ${outputs}: ${spread(ratios, 2)} times a bare client`,
    );
    for (const [name, uses] of Object.entries({ action: ours, "bare client": bare })) {
      const [seconds, cpu, megabytes] = (["seconds", "cpuSeconds", "megabytes"] as const).map((key) =>
        uses.map((use) => use[key]),
      );
      console.log(
        `  ${name}: ${spread(seconds, 2)} s, CPU ${spread(cpu, 2)} s, peak ${spread(megabytes, 0)} MB`,
      );
    }
  }
  await judge.close();
}

/** Peak memory of the action on a results file of 200 MB. */
async function memory(): Promise<void> {
  const judge = await startBenchJudge();
  for (const letter of ["x", "→"]) {
    const workspace = markedSuite(1_000, {
      runs: 20,
      lines: 2_500,
      line: `${"word ".repeat(16)}${letter}\n`,
    });
    const { megabytes, seconds } = await act(judge, workspace);
    console.log(
      `results.json of 200 MB, every line with "${letter}": peak ${megabytes.toFixed(0)} MB of memory, ${seconds.toFixed(1)} s`,
    );
  }
  await judge.close();
}

/** 1,000 grades by a judge with faults, seeded: all of them graded, none wrong, and what it costs in time. */
async function faults(): Promise<void> {
  const judge = await startBenchJudge();
  const workspace = markedSuite(1_000);
  const some = { 429: 0.05, 500: 0.02, reset: 0.01 };
  for (const [name, shares] of Object.entries({
    "without faults": {},
    "5 % 429, 2 % 500, 1 % resets": some,
    "and 1 % hangs, timeout: 15s": { ...some, hang: 0.01 },
  })) {
    const seconds: number[] = [];
    const without: number[] = [];
    for (let seed = 1; seed <= 5; seed += 1) {
      judge.set({ latencyMs: 200, fails: 0.25, shares, seed: String(seed) });
      const inputs = { "max-concurrency": "50", ...("hang" in shares ? { timeout: "15s" } : {}) };
      const run = await act(judge, workspace, inputs);
      without.push(checkVerdicts(run.outputs["results-file"], 1_000, 0.25));
      seconds.push(run.seconds);
    }
    console.log(
      `1,000 grades, ${name}: ${spread(seconds, 2)} s, none wrong, ${without.join(", ")} without a verdict`,
    );
  }
  await judge.close();
}

/** Kills runs at random moments and repeats them with the same records: nothing is lost, no recorded grade is judged again. */
async function kill(): Promise<void> {
  const judge = await startBenchJudge();
  const workspace = markedSuite(200);
  const twice: number[] = [];
  const rounds = 25;
  for (let round = 0; round < rounds; round += 1) {
    const RUNNER_TEMP = temporaryFolder("killed");
    const records = join(RUNNER_TEMP, "records");
    const inputs = { "max-concurrency": "20", "cache-dir": records };
    judge.set({ latencyMs: 100, fails: 0.25 });
    const when = new Promise((resolve) => setTimeout(resolve, 100 + chance(`kill/${String(round)}`) * 1_500));
    await act(judge, workspace, inputs, { env: { RUNNER_TEMP }, interrupt: { when, signal: "SIGKILL" } });
    const first = judge.asked();
    const recorded = recordedMarks(records);
    judge.set({ latencyMs: 100, fails: 0.25 });
    const { outputs } = await act(judge, workspace, inputs, { env: { RUNNER_TEMP } });
    const without = checkVerdicts(outputs["results-file"], 200, 0.25);
    if (without > 0) throw new Error(`${String(without)} without a verdict`);
    const again = [...judge.asked()].filter((mark) => recorded.has(mark));
    if (again.length > 0) throw new Error(`recorded, and asked again: ${again.join(", ")}`);
    twice.push([...judge.asked()].filter((mark) => first.has(mark)).length);
  }
  await judge.close();
  console.log(
    `Killed ${String(rounds)} times in 200 grades, 20 at once, and run again: all right, nothing recorded asked again, ${spread(twice, 0)} grades a kill asked twice`,
  );
}

/** The tasks of the records in a folder, each of which is whole. */
function recordedMarks(folder: string): Set<string> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  return new Set(
    names.map((name) => {
      const record = JSON.stringify(JSON.parse(readFileSync(join(folder, name), "utf8")));
      return /MARK-\d{4,5}/.exec(record)?.[0] ?? "";
    }),
  );
}

/** Signals in the middle of 200 slow grades: what was graded is published as cancelled, and how soon. */
async function cancel(): Promise<void> {
  const judge = await startBenchJudge();
  const workspace = markedSuite(200);
  const seconds: number[] = [];
  for (const signal of ["SIGINT", "SIGTERM", "SIGINT", "SIGTERM"] as const) {
    judge.set({ latencyMs: 2_000, fails: 0.25 });
    let sent = 0;
    const when = judge.after(60).then(() => (sent = performance.now()));
    const run = await act(judge, workspace, { "max-concurrency": "20" }, { interrupt: { when, signal } });
    seconds.push((performance.now() - sent) / 1_000);
    const { length } = readResults(run.outputs["results-file"]);
    if (run.conclusion !== "cancelled" || length !== 200)
      throw new Error(`${signal}: ${String(run.conclusion)}, ${String(length)} runs in the results`);
  }
  console.log(
    `Cancelled in the middle of 200 grades: published as such, ended after ${spread(seconds, 2)} s`,
  );
  await judge.close();
}

/** Two runs of each task, outputs of 2 kB: what it takes before the first request and after the last reply. */
async function large(): Promise<void> {
  console.log(`Load of the machine before: ${loadavg()[0]?.toFixed(1) ?? ""}`);
  console.log("| grades | start to first request (CPU) | last reply to end (CPU) | whole (CPU) | peak |");
  console.log("| -----: | ---------------------------: | ----------------------: | ----------: | ---: |");
  for (const grades of [200, 2_000, 20_000]) {
    const judge = await startBenchJudge();
    const workspace = markedSuite(grades, { runs: 2, lines: 120 });
    judge.set({ fails: 0.25 });
    const started = performance.now();
    const run = await act(judge, workspace, { "max-concurrency": "50" });
    const ended = started + run.seconds * 1_000;
    const without = checkVerdicts(run.outputs["results-file"], grades, 0.25);
    if (without > 0) throw new Error(`${String(without)} without a verdict`);
    const [before, after] = [run.cpuUntil(judge.first()), run.cpuSeconds - run.cpuUntil(judge.last())];
    const seconds = (wall: number, cpu: number) => `${(wall / 1_000).toFixed(2)} s (${cpu.toFixed(2)} s)`;
    console.log(
      `| ${String(grades)} | ${seconds(judge.first() - started, before)} | ${seconds(ended - judge.last(), after)} | ${seconds(run.seconds * 1_000, run.cpuSeconds)} | ${run.megabytes.toFixed(0)} MB |`,
    );
    await judge.close();
  }
}

const asked = process.argv.slice(2);
// Beside what a part prints, which may be kept in a file.
console.error(
  `${cpus()[0]?.model ?? "unknown CPU"}, ${String(cpus().length)} cores, Node ${process.versions.node}`,
);
try {
  for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
    const part = PARTS[name];
    if (!part) throw new Error(`No part ${name}; there is ${Object.keys(PARTS).join(", ")}.`);
    console.error(`\n## ${name}`);
    await part();
  }
} finally {
  removeTemporaryFolders();
}
