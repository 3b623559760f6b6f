/** Counts the judges' quotes, and those found in the evidence. */
import type { Grade } from "../domain/grade.ts";
import type { ModelQuotes } from "../domain/scores.ts";

/** Counts by judge model, in the order of the grades; without models that quoted nothing. */
export function countQuotes(grades: readonly Grade[]): ModelQuotes[] {
  const quotes = grades.flatMap(({ job, verdict }) =>
    verdict.state === "skipped"
      ? []
      : (verdict.checks ?? []).flatMap((check) =>
          check.quotes ? [{ model: check.judge ?? job.judgeModel, ...check.quotes }] : [],
        ),
  );
  return [...Map.groupBy(quotes, ({ model }) => model)].map(([model, own]) => {
    const all = own.reduce((sum, one) => sum + one.all, 0);
    return { model, all, found: all - own.reduce((sum, { missing }) => sum + missing.length, 0) };
  });
}
