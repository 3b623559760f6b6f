// The demo's suite: where it lies, and the inputs both demo scripts run it with.
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");
export const SUITE = "examples/code-explainer";

export const DEMO_INPUTS = {
  eval: `${SUITE}/eval.yaml`,
  results: `${SUITE}/results.json`,
};
