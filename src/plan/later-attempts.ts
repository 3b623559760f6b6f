/** Folders of attempts later than the current one, which the workflow cannot have made. */
import type { Problem } from "../domain/location.ts";
import type { ResultsFile } from "../domain/run.ts";
import { listedCode } from "../text/format.ts";
import { error } from "../text/problem.ts";
import { spanOfFile } from "../files/names.ts";

/** A problem if files belong to a later attempt than the event's; unknown outside GitHub. */
export function laterAttempts(files: readonly { readonly results: ResultsFile }[], newest = 0): Problem[] {
  const invented = files.filter(({ results: { attempt = 0 } }) => newest > 0 && attempt > newest);
  const [first] = invented;
  if (!first) return [];
  const message = `Results of attempts that this workflow has not made (its newest is ${String(newest)}): ${listedCode(invented.map(({ results }) => results.path))}.`;
  const help =
    "Below the fixed part of `results` only artifacts may be called `…attempt-<n>`, with `github.run_attempt` of the run that made them; the agent may not choose the folders there.";
  return [error(message, { help, at: spanOfFile(first.results.path) })];
}
