// What the parts of the bench share: a judge that knows each run by a mark, suites of many runs, and measured processes.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { fail, finish, pass, startJudge } from "../__tests__/support/judge-server.ts";
import type { Reply } from "../__tests__/support/judge-server.ts";
import { project, promptGrader, runFixture } from "../__tests__/support/projects.ts";
import { copiesBeside, runAction, temporaryFolder } from "../__tests__/support/run-action.ts";
import type { ActionRun } from "../__tests__/support/run-action.ts";

/** `1.02 (1.01 to 1.03)`: median, least and most. */
export function spread(values: readonly number[] = [], digits: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  const [middle = NaN, low = NaN, high = NaN] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)];
  return `${middle.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** A number from 0 to 1 that depends on the text alone. */
export function chance(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}

const MARK = /MARK-\d{4,5}/;
const isMeantToFail = (mark: string, fails: number) => chance(`meant/${mark}`) < fails;

interface Settings {
  readonly latencyMs?: number;
  /** Share of the runs that fail. */
  readonly fails?: number;
  /** Shares of requests by what they get instead of an answer: `429`, `500`, `reset`, `hang`. */
  readonly shares?: Readonly<Record<string, number>>;
  readonly seed?: string;
}

const FAULTS: Readonly<Record<string, Reply>> = {
  429: { status: 429, error: { message: "Rate limit reached", type: "rate_limit_exceeded" } },
  500: { status: 500 },
  reset: { connection: "reset" },
  hang: { connection: "hang" },
};

/** A judge that answers by the mark in the evidence, and by the number of requests with that mark. */
export async function startBenchJudge() {
  let settings: Settings = {};
  let first = 0;
  let last = 0;
  let times = new Map<string, number>();
  let waiting: { readonly requests: number; readonly resolve: (value?: unknown) => void } | undefined;
  const judge = await startJudge(({ evidence }) => {
    last = performance.now();
    first ||= last;
    const mark = MARK.exec(evidence)?.[0] ?? "";
    const time = (times.get(mark) ?? 0) + 1;
    times.set(mark, time);
    if (judge.asked.length === waiting?.requests) waiting.resolve();
    const { latencyMs = 0, fails = 0, shares = {}, seed = "" } = settings;
    let at = chance(`${seed}/${mark}/${String(time)}`);
    const fault = Object.entries(shares).find(([, share]) => (at -= share) < 0)?.[0];
    const report = isMeantToFail(mark, fails) ? fail : pass;
    const answer = { calls: [report(mark, `What was done for ${mark} is why`), finish] };
    return { ...(fault === undefined ? answer : FAULTS[fault]), delayMs: latencyMs };
  });
  return {
    url: judge.url,
    close: judge.close,
    first: () => first,
    last: () => last,
    asked: () => new Set(times.keys()),
    bodies: () => judge.asked.map(({ request }) => JSON.stringify(request)),
    prompts: () => judge.asked.map(({ prompt }) => prompt),
    /** Resolves when that many requests have come. */
    after: (requests: number) => new Promise((resolve) => (waiting = { requests, resolve })),
    /** Sets the answers from now on, and forgets earlier requests. */
    set: (next: Settings) => {
      settings = next;
      first = 0;
      times = new Map();
      judge.asked.length = 0;
    },
  };
}

type Reported = NodeJS.ResourceUsage & { readonly at: readonly [number, NodeJS.CpuUsage][] };

/** Environment that makes a Node process report its use as it ends, and what reads the report; the memory is the peak. */
function peakHook() {
  const file = join(temporaryFolder("peak"), "peak.json");
  const script = `import{writeFileSync}from"node:fs";const at=[],used=()=>at.push([Date.now(),process.cpuUsage()]);setInterval(used,20).unref();process.on("exit",()=>{used();writeFileSync(${JSON.stringify(file)},JSON.stringify({...process.resourceUsage(),at}))})`;
  const read = (seconds: number) => {
    const { maxRSS, userCPUTime, systemCPUTime, at } = JSON.parse(readFileSync(file, "utf8")) as Reported;
    // The kernel counts in KiB and microseconds.
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    /** Seconds of CPU until a moment of `performance.now()` here. */
    const cpuUntil = (moment: number) => {
      const when = performance.timeOrigin + moment;
      const { user, system } = at.find(([time]) => time >= when)?.[1] ?? { user: NaN, system: NaN };
      return (user + system) / 1e6;
    };
    return { seconds, cpuSeconds, cpuUntil, megabytes: (maxRSS * 1_024) / 1e6 };
  };
  return { env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` }, read };
}

/** Runs the action between the judge and a GitHub; one that is killed has no use. */
export async function act(
  judge: { readonly url: string },
  workspace: string,
  inputs: Readonly<Record<string, string>> = {},
  more: Pick<ActionRun, "env" | "interrupt"> = {},
) {
  const github = await startGitHub();
  const hook = peakHook();
  const { durationMs, code, outputs, log } = await runAction({
    workspace,
    githubUrl: github.url,
    ...more,
    inputs: { "base-url": judge.url, "fail-on": "never", "output-file": "graded/record.json", ...inputs },
    env: { ...hook.env, ...more.env },
  });
  await github.close();
  if (code !== 0 && !more.interrupt) throw new Error(log.slice(-2_000));
  const use = more.interrupt
    ? { seconds: NaN, cpuSeconds: NaN, cpuUntil: () => NaN, megabytes: NaN }
    : hook.read(durationMs / 1_000);
  return { ...use, outputs, conclusion: github.checkRuns[0]?.conclusion };
}

/** Runs the bare client on the bodies in a file; it fails loudly when any reply is not 200. */
export async function measureClient(url: string, bodies: string, connections: number) {
  const hook = peakHook();
  const started = performance.now();
  const script = join(import.meta.dirname, "bench-client.ts");
  const child = spawn(process.execPath, [script, url, bodies, String(connections)], {
    env: { ...process.env, ...hook.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`the bare client ended with ${String(code)}`);
  return hook.read((performance.now() - started) / 1_000);
}

/** A suite of `count` runs, `runs` of each task; each output has a unique mark, and so many lines. */
export function markedSuite(
  count: number,
  { runs = 1, lines = 0, line = "What came of it.\n", graders = 1 } = {},
): string {
  const tasks = Array.from({ length: count / runs }, (_, index) => ({ id: `task-${String(index)}` }));
  const outputOf = (index: number) => `I did MARK-${String(index).padStart(4, "0")}.\n${line.repeat(lines)}`;
  const runsOf = (task: number) =>
    Array.from({ length: runs }, (_, run) =>
      runFixture({ run_number: run + 1, final_output: outputOf(task * runs + run) }),
    );
  const prompt =
    "Call set_waza_grade_pass if the agent did what it was asked, otherwise set_waza_grade_fail.";
  return project({
    graders: Array.from({ length: graders }, (_, index) =>
      promptGrader(`done${index === 0 ? "" : String(index + 1)}`, prompt),
    ),
    tasks,
    runs: Object.fromEntries(tasks.map(({ id }, task) => [id, runsOf(task)])),
  });
}

interface GradedRun {
  readonly final_output: string;
  readonly validations: Readonly<Record<string, { readonly passed: boolean; readonly details: unknown }>>;
}

/** The runs of a graded results file. */
export function readResults(file = ""): readonly GradedRun[] {
  return copiesBeside(file).flatMap((copy) => {
    const { tasks } = JSON.parse(readFileSync(copy, "utf8")) as { tasks: { readonly runs: GradedRun[] }[] };
    return tasks.flatMap(({ runs }) => runs);
  });
}

/** How many of so many runs have no verdict; throws where one is lost or is not what the judge meant. */
export function checkVerdicts(file: string | undefined, count: number, fails: number): number {
  const runs = readResults(file);
  const graded = runs.filter(({ validations: { done } }) => done !== undefined);
  const wrong = graded.filter(({ final_output: output, validations: { done } }) => {
    const mark = MARK.exec(output)?.[0] ?? "";
    return done?.passed === isMeantToFail(mark, fails) || !JSON.stringify(done?.details).includes(mark);
  });
  if (runs.length !== count || wrong.length > 0)
    throw new Error(`${String(wrong.length)} of ${String(runs.length)} wrong: ${JSON.stringify(wrong[0])}`);
  return count - graded.length;
}
