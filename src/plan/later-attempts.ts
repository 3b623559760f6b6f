/** Results in folders of attempts later than the current one: the workflow cannot have made them. */
import type { Problem } from "../domain/location.ts";
import type { ResultsFile } from "../domain/run.ts";
import { listedCode } from "../text/format.ts";
import { error } from "../text/problem.ts";
import { spanOfFile } from "../files/names.ts";

/** The problem of files of an attempt after `newest`, the event's; 0 outside GitHub, where it is unknown. */
export function laterAttempts(files: readonly { readonly results: ResultsFile }[], newest = 0): Problem[] {
  const later = files.filter(({ results: { attempt = 0 } }) => newest > 0 && attempt > newest);
  const [first] = later;
  if (!first) return [];
  const message = `Results of later attempts than this workflow has had (the latest is ${String(newest)}): ${listedCode(later.map(({ results }) => results.path))}.`;
  const help =
    "Below the fixed part of `results`, name only artifacts `…attempt-<n>`, where n is the `github.run_attempt` that made them, and let the agent write no folders there.";
  return [error(message, { help, at: spanOfFile(first.results.path) })];
}
