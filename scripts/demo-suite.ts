// The demo's suite: where it lies, the inputs that the demo's scripts run it with, and a run from its recorded verdicts.
import { startGitHub } from "../__tests__/support/github-server.ts";
import { runAction } from "../__tests__/support/run-action.ts";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");
export const SUITE = "examples/code-explainer";

export const DEMO_INPUTS = {
  eval: `${SUITE}/eval.yaml`,
  results: `${SUITE}/results.json`,
};

/** A skill with its evals, and runs with it and without it. In a workflow, runs lie outside of the checkout. */
export const SKILL = "examples/skill";
export const SKILL_INPUTS = {
  eval: "skills/*/evals/evals.json",
  lift: "true",
};

/** Runs the bundled action on the suite as a runner would; returns what it sent to the loopback GitHub. */
export async function runDemo() {
  const github = await startGitHub();
  try {
    const result = await runAction({
      workspace: ROOT,
      githubUrl: github.url,
      inputs: { ...DEMO_INPUTS, "cache-dir": `${SUITE}/verdicts`, offline: "true", comment: "failures" },
    });
    return { result, checkRun: github.checkRuns[0], comment: github.comments[0]?.body };
  } finally {
    await github.close();
  }
}
