// Runs the bundled action on examples/code-explainer as a runner would, without key or network, and shows what a pull
// request would be told.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGitHub } from "../__tests__/support/github-server.ts";
import { removeTemporaryFolders, runAction } from "../__tests__/support/run-action.ts";
import { DEMO_INPUTS, ROOT, SUITE } from "./demo-suite.ts";
import { renderPage } from "./render-markdown.ts";

const github = await startGitHub();
try {
  const result = await runAction({
    workspace: ROOT,
    githubUrl: github.url,
    inputs: { ...DEMO_INPUTS, "cache-dir": `${SUITE}/verdicts`, offline: "true" },
  });
  const [checkRun] = github.checkRuns;
  const page = join(tmpdir(), "waza-grade-demo.html");
  writeFileSync(page, await renderPage("waza-grade demo", result.summary));

  heading("The step's log");
  console.log(result.log.trimEnd());
  heading("The check run on the pull request");
  console.log(`${checkRun?.conclusion ?? "none"} · ${checkRun?.output?.title ?? ""}\n`);
  for (const { path, start_line, end_line, annotation_level, title, message } of checkRun?.annotations ??
    []) {
    console.log(
      `${annotation_level}  ${path}, lines ${String(start_line)}-${String(end_line)}\n  ${title ?? ""}`,
    );
    console.log(`${message.replace(/^/gm, "    ")}\n`);
  }
  heading("The job summary");
  console.log(`Open ${page}\n`);
  console.log(
    `The action's own exit status was ${String(result.code)}: ${result.code === 1 ? "the demo's suite has one failing check, and the gate did its work." : "unexpected, the demo's suite has one failing check."}`,
  );
  process.exitCode = result.code === 1 && checkRun !== undefined ? 0 : 1;
} finally {
  await github.close();
  removeTemporaryFolders();
}

function heading(text: string): void {
  console.log(`\n${text}\n${"=".repeat(text.length)}`);
}
