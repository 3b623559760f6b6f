/** The gate's rules for `fail-on: regression`. */
import type { ComparisonText } from "../compare/comparison-sentence.ts";
import type { Scores } from "../domain/scores.ts";
import { count, formatNumber, listed, upperFirst } from "../text/format.ts";
import type { Facts } from "./gate-facts.ts";
import { NAMED, ofTask, quoted, scoreSentence, withoutCheckTexts } from "./gate-parts.ts";
import type { RuleText } from "./gate-parts.ts";

/** What has no check comes first, then what is worse; the cause is the first grade that no baseline excuses. */
export function regression({
  regression: decision,
  comparison,
  scores,
  policy,
}: Facts): RuleText | undefined {
  if (policy.failOn !== "regression") return undefined;
  const unchecked = withoutCheckTexts(scores);
  const isCompared = decision?.state !== "not-compared";
  const texts = [
    ...unchecked,
    ...(decision?.state === "red" ? [decision] : []),
    ...(isCompared || unchecked.length > 0 ? [] : nothingPasses(scores)),
  ];
  const [first] = texts;
  if (!first) return undefined;
  const isRest = decision !== undefined && decision.state !== "red";
  const more = [...texts.slice(1), ...(isRest ? [decision] : [])];
  const place = first === decision && decision.rule !== "fell" ? comparison?.unexcused[0] : undefined;
  return {
    sentence: sentenceOf("Failed", [first, ...more], scores),
    verdict: first.head,
    cause: place && `The first failed grade ${ofTask(place.task, place.grader)}.`,
  };
}

/** Suites in which nothing passes are red without a baseline, too. */
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
  return [{ head: `nothing passes in ${names}`, details: [] }];
}

/** `Failed: the pass rate fell. Why. Score 0.50 (12 of 12 graded)`, of texts of which the first decided. */
export function sentenceOf(
  word: string,
  [first, ...more]: readonly ComparisonText[],
  scores: Scores,
): string {
  const others = more.flatMap((one) => [upperFirst(one.head), ...one.details]);
  return [`${word}: ${first?.head ?? ""}`, ...(first?.details ?? []), ...others, scoreSentence(scores)].join(
    ". ",
  );
}

/** Nothing to compare with: failed grades are shown and decide nothing. */
export function notCompared({ regression: decision, scores, counts }: Facts): RuleText | undefined {
  if (decision?.state !== "not-compared" || counts.passed + counts.failed === 0) return undefined;
  const grades =
    counts.failed > 0
      ? `${formatNumber(counts.failed)} of ${count(counts.planned, "grade")} failed, which decides nothing`
      : `${formatNumber(counts.passed)} of ${count(counts.planned, "grade")} passed`;
  const head = decision.head.replace(/^not compared: /, "");
  const text = { head, details: [grades, ...decision.details] };
  return { sentence: sentenceOf("Not compared", [text], scores), verdict: decision.head };
}
