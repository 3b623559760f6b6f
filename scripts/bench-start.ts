// From the start of the process to the first judge request, and what dist/ weighs.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { project, promptGrader } from "../__tests__/support/projects.ts";
import { runAction } from "../__tests__/support/run-action.ts";
import { ONE_VERDICT, outputOf, spread, startJudgeProcess } from "./bench-tools.ts";
import { runFixture } from "../__tests__/support/projects.ts";

const STARTS = 15;

export async function start(): Promise<void> {
  const dist = join(import.meta.dirname, "..", "dist");
  const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
  const bytes = scripts.map((name) => statSync(join(dist, name)).size);
  console.log(
    `dist/*.js: ${bytes.reduce((sum, one) => sum + one, 0).toLocaleString("en-US")} bytes, of them index.js ${statSync(join(dist, "index.js")).size.toLocaleString("en-US")}`,
  );
  const judge = await startJudgeProcess();
  const github = await startGitHub();
  const workspace = project({
    graders: [promptGrader("done", ONE_VERDICT)],
    runs: { "task-1": [runFixture({ final_output: outputOf("0001") })] },
  });
  const starts: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    await judge.set({ latencyMs: 0, answer: "tool", fails: 0 });
    const started = performance.timeOrigin + performance.now();
    const { code, log } = await runAction({
      workspace,
      githubUrl: github.url,
      inputs: { "base-url": judge.url },
    });
    if (code !== 0) throw new Error(log.slice(-2_000));
    starts.push((await judge.report()).first - started);
  }
  await Promise.all([judge.close(), github.close()]);
  console.log(
    `Start of the process to the first judge request: ${spread(starts, 0)} ms, ${String(STARTS)} runs`,
  );
}
