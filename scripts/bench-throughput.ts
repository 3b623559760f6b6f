// 1,000 grades at 200 ms, 50 at once, against a bare client with the same bodies; alternating, the whole process each.
import { join } from "node:path";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { runAction, temporaryFolder } from "../__tests__/support/run-action.ts";
import {
  bareClient,
  checkVerdicts,
  indexBodies,
  manyRuns,
  median,
  peakHook,
  spread,
  startJudgeProcess,
} from "./bench-tools.ts";
import type { JudgeProcess, Use } from "./bench-tools.ts";

const GRADES = 1_000;
const LATENCY_MS = 200;
const CONCURRENCY = 50;
const ROUNDS = 5;
const LARGE_BYTES = 200_000;
const QUIET = { latencyMs: LATENCY_MS, answer: "tool", fails: 0 } as const;

export async function throughput(): Promise<void> {
  const judge = await startJudgeProcess();
  try {
    await compare(judge, { runs: 10, bytes: 0 });
    await compare(judge, { runs: 1, bytes: 0 });
    await compare(judge, { runs: 10, bytes: LARGE_BYTES });
  } finally {
    await judge.close();
  }
}

async function compare(
  judge: JudgeProcess,
  { runs, bytes }: { readonly runs: number; readonly bytes: number },
): Promise<void> {
  const workspace = manyRuns(GRADES, { bytes, runs });
  const bodies = join(temporaryFolder("bodies"), "bodies.txt");
  await judge.set({ ...QUIET, bodies });
  await action(judge, workspace);
  await judge.set(QUIET);
  if (indexBodies(bodies) !== GRADES) throw new Error("not one body a grade");
  const [ours, bare]: [Use[], Use[]] = [[], []];
  const judgeCpu: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await judge.set(QUIET);
    ours.push(await action(judge, workspace));
    judgeCpu.push((await judge.report()).cpuSeconds);
    bare.push(await bareClient(judge.url, bodies, CONCURRENCY));
  }
  await judge.set({ ...QUIET, latencyMs: 0 });
  const atOnce = await bareClient(judge.url, bodies, CONCURRENCY);
  const ratios = ours.map(({ seconds }, index) => seconds / (bare[index]?.seconds ?? NaN));
  const what = `${String(GRADES)} grades (${String(GRADES / runs)} task files, ${String(runs)} runs each) at ${String(LATENCY_MS)} ms, ${String(CONCURRENCY)} at once, outputs of ${bytes === 0 ? "a line" : `${String(bytes / 1_000)} kB`}`;
  console.log(`${what}: ratio ${spread(ratios, 3)}, ${String(ROUNDS)} rounds`);
  for (const [name, uses] of [
    ["action", ours],
    ["bare client", bare],
  ] as const) {
    const of = (key: keyof Use) => median(uses.map((use) => use[key]));
    console.log(
      `  ${name}: ${spread(
        uses.map(({ seconds }) => seconds),
        2,
      )} s, CPU ${of("cpuSeconds").toFixed(2)} s, peak ${of("megabytes").toFixed(0)} MB`,
    );
  }
  console.log(
    `  judge: CPU ${median(judgeCpu).toFixed(2)} s; without latency the bare client takes ${atOnce.seconds.toFixed(2)} s`,
  );
}

async function action(judge: JudgeProcess, workspace: string): Promise<Use> {
  const github = await startGitHub();
  const hook = peakHook();
  const { code, durationMs, outputs, log } = await runAction({
    workspace,
    githubUrl: github.url,
    inputs: { "base-url": judge.url, "max-concurrency": String(CONCURRENCY) },
    env: hook.env,
  });
  await github.close();
  const { requests } = await judge.report();
  if (code !== 0 || requests !== GRADES)
    throw new Error(`${String(requests)} requests: ${log.slice(-2_000)}`);
  const { right, wrong } = checkVerdicts(outputs["results-file"] ?? "", QUIET.fails);
  if (right !== GRADES) throw new Error(`${String(right)} right: ${wrong[0] ?? ""}`);
  return hook.read(durationMs / 1_000);
}
