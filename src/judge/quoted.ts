/** Checks with what became of the quotes in their reasons. */
import type { Check } from "../domain/grade.ts";
import { findQuotes, plainOf } from "../text/quotes.ts";
import type { PlainText } from "../text/quotes.ts";

/** Quotes of one grade that are looked for: a hostile judge may quote without end. */
const MOST_QUOTES = 100;

/** Looks up the quotes of each reason in the texts that the judge was shown. */
export function withQuotes(checks: readonly Check[], shown: () => readonly string[]): Check[] {
  let plain: PlainText | undefined;
  let left = MOST_QUOTES;
  const look = () => (plain ??= plainOf(shown().join("\n")));
  return checks.map((check) => {
    const quotes = left > 0 ? findQuotes(check.reason, look) : undefined;
    left -= quotes?.all ?? 0;
    return quotes ? { ...check, quotes } : check;
  });
}
