/** Results in folders of later attempts than the current one, which the workflow cannot have made. */
import type { Problem } from "../domain/location.ts";
import type { ResultsFile } from "../domain/run.ts";
import { listedCode } from "../text/format.ts";
import { error } from "../text/problem.ts";
import { spanOfFile } from "../files/names.ts";

/** An error if files are of attempts after `newest`, the current one; 0 outside GitHub, where it is unknown. */
export function laterAttempts(files: readonly { readonly results: ResultsFile }[], newest = 0): Problem[] {
  const later = files.filter(({ results: { attempt = 0 } }) => newest > 0 && attempt > newest);
  const [first] = later;
  if (!first) return [];
  const message = `Results of later attempts than this workflow has had (the latest is ${String(newest)}): ${listedCode(later.map(({ results }) => results.path))}.`;
  const help =
    "Below the fixed part of `results`, use names `…attempt-<n>` only for artifacts, with the `github.run_attempt` that made them as n, and keep the agent from creating folders there.";
  return [error(message, { help, at: spanOfFile(first.results.path) })];
}
