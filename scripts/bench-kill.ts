// Killed at a random moment and run again with the same records, fifty times: nothing is lost, nothing recorded is asked
// for again, and what is asked twice is at most what was under way.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { runAction, temporaryFolder } from "../__tests__/support/run-action.ts";
import { chance } from "./bench-meant.ts";
import { manyRuns, median, readGraded, startJudgeProcess } from "./bench-tools.ts";
import type { JudgeProcess } from "./bench-tools.ts";

const KILLS = 50;
const GRADES = 200;
const CONCURRENCY = 20;
const LATENCY_MS = 100;
/** Beside what 200 grades take, 20 at once: the start, and the publishing. */
const LONGEST_KILL_MS = 2_000;

export async function kill(): Promise<void> {
  const judge = await startJudgeProcess();
  const workspace = manyRuns(GRADES);
  const twice: number[] = [];
  const recorded: number[] = [];
  const moments: number[] = [];
  let ended = 0;
  try {
    const undisturbed = await run(judge, workspace, temporaryFolder("undisturbed"));
    const expected = comparable(undisturbed.file);
    for (let round = 0; round < KILLS; round += 1) {
      const temp = temporaryFolder("killed");
      const moment = 50 + chance(`kill/${String(round)}`) * (LONGEST_KILL_MS - 50);
      const { asked: first, file } = await run(judge, workspace, temp, moment);
      if (file !== "") ended += 1;
      const kept = recordedTasks(join(temp, "waza-grade"));
      const { asked: second, file: result } = await run(judge, workspace, temp);
      if (comparable(result) !== expected) throw new Error(`round ${String(round)}: other results`);
      const again = Object.keys(second).filter((task) => kept.has(task));
      if (again.length > 0) throw new Error(`recorded and asked again: ${again.join(", ")}`);
      const both = Object.keys(second).filter((task) => task in first);
      const most = Math.max(0, ...Object.values(first), ...Object.values(second));
      if (both.length > CONCURRENCY || most > 1) throw new Error(`${String(both.length)} asked twice`);
      if (new Set([...Object.keys(first), ...Object.keys(second)]).size !== GRADES)
        throw new Error("not all asked");
      twice.push(both.length);
      recorded.push(kept.size);
      moments.push(moment);
    }
  } finally {
    await judge.close();
  }
  console.log(
    `${String(KILLS)} runs of ${String(GRADES)} grades, ${String(CONCURRENCY)} at once, killed after ${Math.min(...moments).toFixed(0)} to ${Math.max(...moments).toFixed(0)} ms ` +
      `(${String(ended)} had ended) with ${String(Math.min(...recorded))} to ${String(Math.max(...recorded))} verdicts recorded, and run again: all results equal an undisturbed run's, ` +
      `0 recorded verdicts asked for again, at most ${String(Math.max(...twice))} grades a kill asked twice (median ${String(median(twice))})`,
  );
}

interface Run {
  readonly asked: Readonly<Record<string, number>>;
  /** Empty when it was killed before it wrote one. */
  readonly file: string;
}

async function run(judge: JudgeProcess, workspace: string, temp: string, killAfterMs?: number): Promise<Run> {
  await judge.set({ latencyMs: LATENCY_MS, answer: "tool" });
  const github = await startGitHub();
  mkdirSync(temp, { recursive: true });
  const { outputs, code, log } = await runAction({
    workspace,
    githubUrl: github.url,
    inputs: {
      "base-url": judge.url,
      "max-concurrency": String(CONCURRENCY),
      "fail-on": "never",
      // GitHub is asked once a second at most: that pause is not what is measured here.
      annotations: "off",
      "cache-dir": join(temp, "waza-grade"),
    },
    env: { RUNNER_TEMP: temp },
    ...(killAfterMs === undefined
      ? {}
      : {
          interrupt: {
            when: new Promise((resolve) => setTimeout(resolve, killAfterMs)),
            signal: "SIGKILL" as const,
          },
        }),
  });
  await github.close();
  if (killAfterMs === undefined && code !== 0) throw new Error(log.slice(-2_000));
  return { asked: (await judge.report()).asked, file: outputs["results-file"] ?? "" };
}

/** Tasks with a whole record: the reason in it names the task. */
function recordedTasks(folder: string): Set<string> {
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    // Killed before the first record.
  }
  return new Set(
    names.map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      JSON.parse(text);
      return /What was done for (\d{4})/.exec(text)?.[1] ?? "";
    }),
  );
}

/** The graded results without what differs from run to run. */
function comparable(file: string): string {
  const varying = /duration|cost|recorded|timestamp|judge_calls|requests|tokens/i;
  return JSON.stringify(readGraded(file), (key, value: unknown) => (varying.test(key) ? undefined : value));
}
