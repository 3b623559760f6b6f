/** `fail-on: regression`: a baseline can only excuse failures. Pure. */
import { inBaseline, nameOf } from "./baseline-source.ts";
import type { Comparison } from "./compare.ts";
import { comparisonText, exceeds } from "./comparison-sentence.ts";
import type { ComparisonText } from "./comparison-sentence.ts";
import type { MaxDrop } from "../domain/conclusion.ts";
import { isChecked } from "../domain/record.ts";
import { count } from "../text/format.ts";
import { gradeKey } from "../records/grade-key.ts";

export interface RegressionDecision extends ComparisonText {
  /** `not-compared`: there is nothing to compare with, and failed grades decide nothing. */
  readonly state: "red" | "passed" | "not-compared";
  /** The deciding part; a drop comes before unexcused grades. */
  readonly rule: "no-baseline" | "fell" | "not-comparable" | "updated" | "passed";
}

/**
 * Red when the pass rate dropped by more than `maxDrop`, or when a failed grade cannot be compared with the baseline.
 * Grades without a check have another rule.
 */
export function decideRegression(comparison: Comparison, maxDrop: MaxDrop): RegressionDecision {
  const text = comparisonText(comparison, maxDrop);
  if (comparison.source.absent !== undefined) return withoutBaseline(comparison, text);
  const isWorse = maxDrop === "noise" ? comparison.verdict === "fell" : exceeds(comparison.drop, maxDrop);
  const unexcused = comparison.unexcused.filter(isChecked);
  const unexcusedText = unexcused.length === 0 ? [] : [unexcusedPart(comparison, unexcused)];
  if (isWorse) return { state: "red", rule: "fell", ...text, details: [...text.details, ...unexcusedText] };
  const [reason] = unexcusedText;
  if (reason !== undefined) {
    // A drop comes first, even if chance may explain it.
    const [title, details] =
      comparison.drop > 0 ? [`${text.title}; ${reason}`, text.details] : [reason, restOf(comparison, text)];
    return { state: "red", rule: "not-comparable", title, details };
  }
  const { outdated, pairs, notComparable } = comparison;
  const isUpdate = outdated.length > 0 || (pairs.length === 0 && notComparable.some((one) => one.isUpdate));
  return isUpdate ? updated(comparison, text) : { state: "passed", rule: "passed", ...text };
}

/** Not compared; but with a baseline path in the checkout, `regression` acts as `fail`. */
function withoutBaseline({ source, failed }: Comparison, text: ComparisonText): RegressionDecision {
  if (!source.inCheckout) return { state: "not-compared", rule: "no-baseline", ...text };
  const why = source.absent === "not-found" ? "there is no baseline" : `nothing passes ${inBaseline(source)}`;
  const title = failed.length === 0 ? why : `${count(failed.length, "grade")} failed, and ${why}`;
  const details = [
    "The path in `baseline` is inside the checkout, where a pull request could delete it, so `fail-on: regression` acts as `fail`",
  ];
  return { state: failed.length > 0 ? "red" : "passed", rule: "no-baseline", title, details };
}

function updated(comparison: Comparison, text: ComparisonText): RegressionDecision {
  const { source, outdated } = comparison;
  const title = `not compared: this action was updated since ${nameOf(source)} was graded`;
  const some =
    outdated.length > 0
      ? [`${count(outdated.length, "failed grade")} can be compared once it is graded again`]
      : [];
  return { state: "not-compared", rule: "updated", title, details: [...some, ...restOf(comparison, text)] };
}

/** The comparison's own title, as a detail; empty if nothing was compared. */
function restOf({ verdict }: Comparison, { title }: ComparisonText): string[] {
  return verdict === "none" ? [] : [`Of what can be compared: ${title}`];
}

function unexcusedPart(comparison: Comparison, unexcused: Comparison["unexcused"]): string {
  const { notComparable, source } = comparison;
  const reasonOf = new Map(notComparable.map((one) => [gradeKey(one), one.reason]));
  const added = `not ${inBaseline(source)}`;
  const reasons = new Set(unexcused.map((grade) => reasonOf.get(gradeKey(grade)) ?? added));
  const failed = count(unexcused.length, "failed grade");
  const [reason] = reasons;
  if (reasons.size === 1 && reason === added)
    return `${failed} ${unexcused.length === 1 ? "is" : "are"} ${added}`;
  return `${failed} cannot be compared with ${nameOf(source)}${reasons.size === 1 ? ` (${reason ?? ""})` : ""}`;
}
