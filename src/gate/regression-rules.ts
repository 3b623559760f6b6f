/** The gate's rules for `fail-on: regression`. */
import type { ComparisonText } from "../compare/comparison-sentence.ts";
import type { Scores } from "../domain/scores.ts";
import { count, formatNumber, listed, upperFirst } from "../text/format.ts";
import type { Facts } from "./gate-facts.ts";
import { NAMED, ofTask, quoted, scoreSentence, withoutCheckTexts } from "./gate-parts.ts";
import type { RuleText } from "./gate-parts.ts";

/** Grades without a check come first, then drops; the cause is the first unexcused grade. */
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
  return [{ head: `nothing passes in ${names}`, details: [] }];
}

/** `Failed: worse than main. Why. Score 0.50 (12 of 12 graded)`; the first text decided. */
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

/** Without a baseline, failed grades are shown and decide nothing. */
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
