// What the parts of the bench share: medians, the judge's process, a measured process, and suites of many tasks.
import { fork, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { project, promptGrader, runFixture } from "../__tests__/support/projects.ts";
import { temporaryFolder } from "../__tests__/support/run-action.ts";
import type { JudgeOrder, JudgeReport, JudgeSettings } from "./bench-meant.ts";
import { described, meant } from "./bench-meant.ts";

/** A prompt that plainly asks for one verdict, so that one request makes one grade. */
export const ONE_VERDICT =
  "Did the agent do what it was asked? Call set_waza_grade_pass if it did, otherwise set_waza_grade_fail.";

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** `1.02 (1.01 to 1.03)` */
export function spread(values: readonly number[], digits: number): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

export interface JudgeProcess {
  readonly url: string;
  /** Sets what it does from now on, and forgets what it has counted. */
  readonly set: (settings: JudgeSettings) => Promise<void>;
  readonly report: () => Promise<JudgeReport>;
  readonly close: () => Promise<void>;
}

/** Starts the judge in a process of its own, so that it takes no time of whoever is measured in this one. */
export async function startJudgeProcess(): Promise<JudgeProcess> {
  const child = fork(join(import.meta.dirname, "bench-judge.ts"), { execArgv: [] });
  const ended = new Promise<never>((_, reject) => {
    child.once("exit", (code) => {
      reject(new Error(`the judge ended with ${String(code)}`));
    });
  });
  ended.catch(() => undefined);
  const said = () =>
    Promise.race([
      ended,
      new Promise<unknown>((resolve) => {
        child.once("message", resolve);
      }),
    ]);
  const order = async (given: JudgeOrder) => {
    const answer = said();
    child.send(given);
    return await answer;
  };
  const { url } = (await said()) as { url: string };
  return {
    url,
    set: async (settings) => {
      await order({ order: "settings", settings });
    },
    report: async () => (await order({ order: "report" })) as JudgeReport,
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => {
          resolve();
        });
        child.disconnect();
      }),
  };
}

export interface Use {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak memory, in millions of bytes. */
  readonly megabytes: number;
}

/** Environment that makes a Node process report its use as it ends, and what reads the report. */
export function peakHook(): {
  readonly env: Record<string, string>;
  readonly read: (seconds: number) => Use;
} {
  const file = join(temporaryFolder("peak"), "peak.jsonl");
  const hook = join(import.meta.dirname, "report-peak.mjs");
  return {
    env: { NODE_OPTIONS: `--import ${hook}`, PEAK_FILE: file },
    read: (seconds) => {
      const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
      const uses = lines.map((line) => JSON.parse(line) as { maxRSS: number; cpu: number });
      return {
        seconds,
        cpuSeconds: uses.reduce((sum, { cpu }) => sum + cpu, 0) / 1e6,
        // The kernel counts in KiB. A parent that waits for the child that works is not added to it.
        megabytes: (Math.max(0, ...uses.map(({ maxRSS }) => maxRSS)) * 1_024) / 1e6,
      };
    },
  };
}

/** Runs a script of Node to its end and tells what it used; killed by its pid after `longestMs`. */
export async function measured(
  args: readonly string[],
  {
    cwd,
    env = {},
    longestMs = 120_000,
  }: { readonly cwd?: string; readonly env?: Record<string, string>; readonly longestMs?: number } = {},
): Promise<Use & { readonly log: string; readonly code: number | null }> {
  const hook = peakHook();
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...hook.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      log += chunk.toString("utf8");
    });
  const timer = setTimeout(() => child.kill("SIGKILL"), longestMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  clearTimeout(timer);
  return { ...hook.read((performance.now() - started) / 1_000), log, code };
}

/** The bare client on the bodies in a file; it fails loudly when any reply is not 200. */
export async function bareClient(url: string, bodies: string, connections: number): Promise<Use> {
  const script = join(import.meta.dirname, "bench-bare-client.ts");
  const use = await measured([script, url, bodies, String(connections)]);
  if (use.code !== 0) throw new Error(`the bare client ended with ${String(use.code)}: ${use.log}`);
  return use;
}

/** Writes where each body in the file ends, which the bare client reads. */
export function indexBodies(file: string): number {
  const bytes = readFileSync(file);
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at);
  writeFileSync(`${file}.ends`, JSON.stringify(ends));
  return ends.length;
}

/** What a run's output is marked with, and what the judge knows it by. */
export function markName(index: number): string {
  return String(index).padStart(4, "0");
}

/** A suite of `count` runs, `runs` of each task; each output is marked with a name of its own, and is about `bytes` long. */
export function manyRuns(
  count: number,
  { bytes = 0, runs = 1 }: { readonly bytes?: number; readonly runs?: number } = {},
): string {
  const tasks = Array.from({ length: count / runs }, (_, index) => ({ id: `task-${markName(index)}` }));
  const runOf = (task: number, run: number) =>
    runFixture({ run_number: run + 1, final_output: outputOf(markName(task * runs + run), bytes) });
  return project({
    graders: [promptGrader("done", ONE_VERDICT)],
    tasks,
    runs: Object.fromEntries(
      tasks.map(({ id }, task) => [id, Array.from({ length: runs }, (_, run) => runOf(task, run))]),
    ),
  });
}

const LINE = "The agent went on, looked at what it had, and wrote down what came of it.\n";

/** What the agent wrote, marked with a name. */
export function outputOf(name: string, bytes = 0): string {
  return `I did MARK-${name}.\n${LINE.repeat(Math.ceil(bytes / LINE.length))}`;
}

interface GradedFile {
  readonly tasks: readonly {
    readonly test_id: string;
    readonly runs: readonly {
      readonly final_output: string;
      readonly validations: Readonly<
        Record<string, { readonly passed: boolean; readonly details: Readonly<Record<string, string>> }>
      >;
    }[];
  }[];
}

export function readGraded(file: string): GradedFile {
  return JSON.parse(readFileSync(file, "utf8")) as GradedFile;
}

/** How many runs have exactly the verdict that the judge meant for them, and which do not. */
export function checkVerdicts(
  file: string,
  fails?: number,
): { readonly right: number; readonly wrong: string[] } {
  const wrong: string[] = [];
  let right = 0;
  for (const { test_id: id, runs } of readGraded(file).tasks) {
    for (const run of runs) {
      const name = /MARK-(\d{4})/.exec(run.final_output)?.[1] ?? "";
      const { outcome, reason } = meant(name, fails);
      const { passed, details } = run.validations.done ?? {};
      const said = `${details?.passes ?? ""}${details?.failures ?? ""}`;
      const line = `${outcome}: ${described(name)}: ${reason}`;
      if (passed === (outcome === "pass") && said === line) right += 1;
      else wrong.push(`${id}: ${JSON.stringify(run.validations)}`);
    }
  }
  return { right, wrong };
}
