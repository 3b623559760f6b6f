// SIGINT and SIGTERM in the middle of 200 slow grades: what was graded is published as cancelled, within seconds.
import { readFileSync } from "node:fs";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { runAction } from "../__tests__/support/run-action.ts";
import { manyRuns, spread, startJudgeProcess } from "./bench-tools.ts";

const GRADES = 200;
const LATENCY_MS = 2_000;
const AFTER_MS = 5_000;
const ROUNDS = 5;

export async function cancel(): Promise<void> {
  const judge = await startJudgeProcess();
  const workspace = manyRuns(GRADES);
  try {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const seconds: number[] = [];
      const graded: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await judge.set({ latencyMs: LATENCY_MS, answer: "tool" });
        const github = await startGitHub();
        let sent = 0;
        const when = new Promise<void>((resolve) =>
          setTimeout(() => {
            sent = performance.now();
            resolve();
          }, AFTER_MS),
        );
        const { code, outputs, summary, log } = await runAction({
          workspace,
          githubUrl: github.url,
          inputs: { "base-url": judge.url, "max-concurrency": "20", "fail-on": "never" },
          interrupt: { when, signal },
        });
        seconds.push((performance.now() - sent) / 1_000);
        await github.close();
        const file = JSON.parse(readFileSync(outputs["results-file"] ?? "", "utf8")) as { tasks: unknown[] };
        const done = Number(outputs["grades-passed"]) + Number(outputs["grades-failed"]);
        graded.push(done);
        const [checkRun] = github.checkRuns;
        if (
          code !== 1 ||
          checkRun?.conclusion !== "cancelled" ||
          !/cancelled/i.test(summary) ||
          file.tasks.length !== GRADES ||
          done === 0 ||
          done === GRADES
        )
          throw new Error(
            `${signal}: status ${String(code)}, check run ${String(checkRun?.conclusion)}, ${String(done)} graded\n${summary.slice(0, 500)}\n${log.slice(-1_000)}`,
          );
      }
      console.log(
        `${signal} in the middle of ${String(GRADES)} grades (${graded.join(", ")} graded): published as cancelled (check run, summary, results file) and ended with 1 after ${spread(seconds, 2)} s, ${String(ROUNDS)} runs`,
      );
    }
  } finally {
    await judge.close();
  }
}
