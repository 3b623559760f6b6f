/** The gate's rules for `fail-on: regression`. */
import type { ComparisonText } from "../compare/comparison-sentence.ts";
import type { Scores } from "../domain/scores.ts";
import { count, formatNumber, listed, upperFirst } from "../text/format.ts";
import type { Facts } from "./gate-facts.ts";
import { deadText } from "./dead-runs.ts";
import { failedPart, NAMED, ofTask, quoted, silentTexts } from "./gate-parts.ts";
import type { RuleText } from "./gate-parts.ts";

/** Grades without a check come first, then drops; a detail names the first unexcused grade. */
export function regression({
  regression: decision,
  comparison,
  scores,
  policy,
}: Facts): RuleText | undefined {
  if (policy.failOn !== "regression") return undefined;
  const isRed = decision?.state === "red";
  const texts = [
    ...silentTexts(scores),
    ...(isRed ? [decision] : []),
    ...(decision?.state === "not-compared" ? nothingPasses(scores) : []),
  ];
  if (texts.length === 0 && !deadText(scores)) return undefined;
  const rest = decision && !isRed ? [decision] : [];
  const place =
    isRed && texts[0] === decision && decision.rule !== "fell" ? comparison?.unexcused[0] : undefined;
  const text = joined([...texts, ...rest]) ?? { title: failedPart(scores), details: [] };
  return place
    ? { ...text, details: [...text.details, `The first failed grade ${ofTask(place.task, place.grader)}`] }
    : text;
}

/** The first text, with the others as its details. */
export function joined([first, ...more]: readonly ComparisonText[]): ComparisonText | undefined {
  const others = more.flatMap(({ title, details }) => [upperFirst(title), ...details]);
  return first && { title: first.title, details: [...first.details, ...others] };
}

/** Suites in which nothing passes are red also without a baseline. */
function nothingPasses({ suites }: Scores): ComparisonText[] {
  const dead = suites.filter(({ grades }) => {
    const graded = grades.filter(({ verdict }) => verdict.state === "graded");
    return graded.length > 0 && graded.every(({ verdict }) => verdict.state === "graded" && !verdict.passed);
  });
  if (dead.length === 0) return [];
  const names = listed(
    dead.map(({ suite }) => quoted(suite.title)),
    NAMED,
  );
  return [{ title: `nothing passes in ${names}`, details: [] }];
}

/** Without a baseline, failed grades are shown and decide nothing. */
export function notCompared({ regression: decision, counts }: Facts): RuleText | undefined {
  if (decision?.state !== "not-compared" || counts.passed + counts.failed === 0) return undefined;
  const grades =
    counts.failed > 0
      ? `${formatNumber(counts.failed)} of ${count(counts.planned, "grade")} failed, which decides nothing`
      : `${formatNumber(counts.passed)} of ${count(counts.planned, "grade")} passed`;
  return { title: decision.title.replace(/^not compared: /, ""), details: [grades, ...decision.details] };
}
