/** The publish step: the redacted report goes to the log and to every publisher. */
import { asidesSentence, comparisonSentence } from "../compare/comparison-sentence.ts";
import { liftSentence } from "../compare/lift-sentence.ts";
import type { Report } from "../report/report.ts";
import type { Conclusion } from "../domain/conclusion.ts";
import { problemLine } from "../text/format.ts";
import { runProblems } from "../gate/run-problems.ts";
import type { LoadedResults } from "../outputs/read-outputs.ts";
import { redactAll } from "../report/redact.ts";
import { detectableSentence } from "../report/sections/estimate.ts";
import { isByComparison } from "../report/title.ts";
import { publishAll } from "../report/publisher.ts";
import { isError } from "../text/problem.ts";
import type { Dependencies } from "./dependencies.ts";

/** Publishes the report; a publisher's failure is a warning. Resolves with the conclusion. */
export async function publish(
  report: Report,
  written: { readonly files: readonly LoadedResults[]; readonly mayWrite: (file: string) => boolean },
  { redact, publishers, log }: Dependencies,
): Promise<Conclusion> {
  let redacted: readonly unknown[] | undefined;
  // No graded copy holds runs without the skill.
  const documents = () =>
    (redacted ??= written.files.map(({ document, results }) =>
      results.side === undefined ? redactAll(document, redact) : undefined,
    ));
  try {
    // Redacted now, so that their secrets are counted.
    documents();
  } catch {
    // The publisher meets the same error and reports it.
  }
  const safe = { ...report, redactions: redact.count() };
  // The log's last line reports the first configuration problem.
  const last = safe.conclusion.rule === "configuration" ? safe.problems.find(isError) : undefined;
  for (const problem of [...runProblems(safe), ...safe.problems])
    if (problem !== last) log.problem(problem.level, problemLine(problem));
  const compared =
    safe.comparison && (isByComparison(safe) ? asidesSentence : comparisonSentence)(safe.comparison);
  if (compared) log.line(compared);
  if (safe.lift) log.line(liftSentence(safe.lift));
  if (safe.estimate) log.line(detectableSentence(safe.scores));
  const published = await publishAll(publishers(documents, written.mayWrite), safe, log.warn);
  for (const file of published.resultsFiles ?? []) log.line(`Graded results: ${file}`);
  for (const file of published.reportFiles ?? []) log.line(`Report: ${file}`);
  if (published.checkRunUrl !== undefined) log.line(`Check run: ${published.checkRunUrl}`);
  if (published.commentUrl !== undefined) log.line(`Comment: ${published.commentUrl}`);
  return safe.conclusion;
}
