/** A notice for judge models that often quote what is not in the evidence. It never decides. */
import type { Grade } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import { countQuotes } from "../score/quotes.ts";
import { notice } from "../text/problem.ts";

/** Minimum quotes of a model for a notice, and the share of them that has to be found. */
const FEWEST = 10;
const SHARE = 0.9;

/** One notice for each model with too many quotes that were not found. */
export function quoteProblems(grades: readonly Grade[]): Problem[] {
  return countQuotes(grades)
    .filter(({ all, found }) => all >= FEWEST && found < SHARE * all)
    .map(({ model, all, found }) => {
      const message = `Of ${String(all)} quotes by the judge \`${model}\`, ${String(all - found)} are not in the evidence (a judge may also quote words to say that they are missing).`;
      return notice(message, {
        help: "They are marked at their checks. Look at a few, or try another judge.",
      });
    });
}
