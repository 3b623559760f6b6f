/** The gate's verdicts in a few words, as the title of a page says them after the suite's name; the score follows. */
import { count } from "../format.ts";
import type { Facts } from "./gate-facts.ts";
import * as sentences from "./gate-sentences.ts";
import { missingSentence } from "./missing.ts";

export function configuration({ errors: [first, ...more] }: Facts): string {
  return `configuration problem: ${sentences.andMore(first?.message ?? "", more.length)}`;
}

export function cancelled({ scores }: Facts): string {
  return `cancelled, ${sentences.coverage(scores)}`;
}

export function dryRun({ counts }: Facts): string {
  return `dry run, ${count(counts.skipped - counts.missing, "grade")} to make`;
}

export function minAgreement({ agreement }: Facts): string {
  return agreement?.sentence ?? "";
}

export function missing({ scores }: Facts): string {
  return `${sentences.deadFirst(scores)}${missingSentence(scores)}${sentences.alsoFailed(scores)}`;
}

export function errored(facts: Facts): string {
  const { scores } = facts;
  return `${sentences.deadFirst(scores)}${sentences.withoutVerdictPart(facts)}${sentences.alsoFailed(scores)}`;
}

export function golden({ scores, golden: tasks }: Facts): string {
  const wrong = tasks.filter(({ trouble }) => trouble !== undefined);
  return `${sentences.deadFirst(scores)}${sentences.goldenPart(wrong)}`;
}

export function minScore({ scores, counts }: Facts): string {
  return counts.failed > 0 ? sentences.failedPart(scores) : sentences.gradedPart(scores);
}

export function regression({ scores, regression: decision }: Facts): string {
  return `${sentences.deadFirst(scores)}${decision?.brief ?? ""}`;
}

export function failedGrade({ scores }: Facts): string {
  return sentences.failedPart(scores);
}

export function nothingToDo(facts: Facts): string {
  return sentences.nothingPart(facts);
}

export function passed(facts: Facts): string {
  return sentences.passedPart(facts);
}
