/** Verifies the quotes in the reasons of checks. */
import type { Check } from "../domain/grade.ts";
import { findQuotes, plainOf } from "../text/quotes.ts";
import type { PlainText } from "../text/quotes.ts";

/** Maximum quotes per grade: a hostile judge may quote endlessly. */
const MOST_QUOTES = 100;

/** Looks up the quotes of each reason in `texts`, which the judge could see. */
export function withQuotes(checks: readonly Check[], texts: () => readonly string[]): Check[] {
  let plain: PlainText | undefined;
  let left = MOST_QUOTES;
  const plainTexts = () => (plain ??= plainOf(texts().join("\n")));
  return checks.map((check) => {
    const quotes = left > 0 ? findQuotes(check.reason, plainTexts) : undefined;
    left -= quotes?.all ?? 0;
    return quotes ? { ...check, quotes } : check;
  });
}
