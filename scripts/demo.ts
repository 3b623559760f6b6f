// Runs the bundled action on examples/code-explainer as a runner would, without key or network, and shows what a pull
// request would be told.
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTemporaryFolders } from "../__tests__/support/run-action.ts";
import { runDemo } from "./demo-suite.ts";
import { renderPage } from "./render-markdown.ts";

try {
  const { result, checkRun } = await runDemo();
  const folder = mkdtempSync(join(tmpdir(), "waza-grade-demo-"));
  const page = join(folder, "summary.html");
  writeFileSync(page, await renderPage("waza-grade demo", result.summary));
  cpSync(result.outputs["results-file"] ?? "", join(folder, "waza-grade-results.json"));

  console.log("The demo's suite has one failing check on purpose, so the action's verdict is red.");
  heading("The step's log, as a runner shows it");
  console.log(asShown(result.log));
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
  console.log(`Open ${page}\nThe graded results, in waza's format, lie beside it.\n`);
  console.log(
    `The action's own exit status was ${String(result.code)}${result.code === 1 ? ", as it should be for a failed grade." : ", and 1 was expected."}`,
  );
  process.exitCode = result.code === 1 && checkRun !== undefined ? 0 : 1;
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
