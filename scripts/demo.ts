// Grades examples/code-explainer by the bundled command and the bundled action, without key or network, and shows what a
// person at a terminal and a pull request get. `--log` adds the runner's log and the annotations.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTemporaryFolders } from "../__tests__/support/run-action.ts";
import { ROOT, SUITE, runDemo } from "./demo-suite.ts";
import { renderPage } from "./render-markdown.ts";

console.log(`An agent explained three pieces of code (${SUITE}). A judge model was asked 11 questions about its answers.
The judge's verdicts are recorded, so nothing is sent anywhere. One of them is a failure, on purpose.
`);
const folder = mkdtempSync(join(tmpdir(), "waza-grade-demo-"));
const report = join(folder, "report.html");
const flags = ["--cache-dir", "verdicts", "--offline", "--reports", `html=${report}`];
const terminal = spawnSync(process.execPath, [join(ROOT, "dist/index.js"), ...flags], {
  cwd: join(ROOT, SUITE),
  stdio: "inherit",
  // As outside of a workflow, also where CI runs this.
  env: { ...process.env, GITHUB_ACTIONS: "", GITHUB_EVENT_NAME: "" },
});
try {
  const { result, checkRun } = await runDemo();
  const summary = join(folder, "summary.html");
  writeFileSync(summary, await renderPage("waza-grade demo", result.summary));
  const results = join(folder, "waza-grade-results.json");
  cpSync(result.outputs["results-file"] ?? "", results);
  if (process.argv.includes("--log")) {
    heading("The step's log, as a runner shows it");
    console.log(asShown(result.log));
    heading("The check run's annotations");
    for (const { path, start_line, end_line, annotation_level, title, message } of checkRun?.annotations ??
      []) {
      console.log(
        `${annotation_level}  ${path}, lines ${String(start_line)}-${String(end_line)}\n  ${title ?? ""}`,
      );
      console.log(`${message.replace(/^/gm, "    ")}\n`);
    }
  }
  console.log(`
Open in a browser:
  ${report}  everything the judge saw and answered
  ${summary}  the job summary and comment
The record of the graded results:
  ${results}

The pull request gets the check \`waza-grade\`: ${checkRun?.conclusion ?? "none"} · ${checkRun?.output?.title ?? ""}`);
  process.exitCode = terminal.status === 1 && result.code === 1 && checkRun !== undefined ? 0 : 1;
} finally {
  removeTemporaryFolders();
}

/** Workflow commands as the runner shows them: a masked secret not at all, an error as `Error: …`. */
function asShown(log: string): string {
  return log
    .split("\n")
    .filter((line) => !line.startsWith("::add-mask::") && !line.startsWith("Graded results:"))
    .map((line) => line.replace(/^::error[^:]*::/, "Error: "))
    .join("\n")
    .trimEnd();
}

function heading(text: string): void {
  console.log(`\n${text}\n${"=".repeat(text.length)}`);
}
