/** `fail-on: regression`: a baseline can only excuse failures. Pure. */
import type { Comparison } from "./compare.ts";
import type { MaxDrop } from "../domain/conclusion.ts";
import { chancePart, movedText, sightPart, whyPart } from "./comparison-sentence.ts";
import { count, ROUNDING, shorten } from "../text/format.ts";
import { placeKey } from "../records/place.ts";

export interface RegressionDecision {
  readonly red: boolean;
  /** Which part decided; a fall comes before grades that nothing excuses. */
  readonly rule: "no-baseline" | "fell" | "not-comparable" | "passed";
  /** Why, what is red first, without the gate's "Failed:" or "Passed:". */
  readonly sentence: string;
  /** What is red, or how it moved, in a few words. */
  readonly brief: string;
}

/** Characters of a task's name in a few words. */
const BRIEF = 30;

/**
 * Red when the pass rate fell by more than `maxDrop`, or when a failed grade cannot be compared with the baseline.
 * Without a baseline every failed grade is red, as under `fail-on: fail`.
 */
export function decideRegression(comparison: Comparison, maxDrop: MaxDrop): RegressionDecision {
  const { hasBaseline, failed, unexcused, verdict } = comparison;
  if (!hasBaseline) {
    const why = "no baseline was found, so `fail-on: regression` acts as `fail`";
    const found = failed.length === 0 ? "" : `${count(failed.length, "grade")} failed; `;
    const brief = `${count(failed.length, "grade")} failed, no baseline`;
    return { red: failed.length > 0, rule: "no-baseline", sentence: `${found}${why}`, brief };
  }
  const fall = verdict === "none" ? NOTHING_COMPARED : fallOf(comparison, maxDrop);
  if (unexcused.length === 0) return { ...fall, rule: fall.red ? "fell" : "passed" };
  const alone = unexcusedPart(comparison);
  if (fall.red) return { ...fall, rule: "fell", sentence: `${fall.sentence}; ${alone}` };
  const sentence = verdict === "none" ? alone : `${alone}; ${fall.brief}`;
  const brief = `${count(unexcused.length, "failed grade")} not in the baseline`;
  return { red: true, rule: "not-comparable", sentence, brief };
}

type Fall = Omit<RegressionDecision, "rule">;

const NOTHING_COMPARED: Fall = {
  red: false,
  sentence: "nothing in the baseline can be compared",
  brief: "nothing in the baseline can be compared",
};

function fallOf(comparison: Comparison, maxDrop: MaxDrop): Fall {
  if (maxDrop !== "noise") return fallBy(comparison, maxDrop);
  const { verdict, drop, fallen } = comparison;
  const moved = movedText(comparison);
  if (verdict === "fell") {
    const brief = fallen ? `\`${shorten(fallen.place.task, BRIEF)}\` fell` : moved;
    const why = whyPart(comparison);
    return {
      red: true,
      sentence: drop > 0 ? `${moved}: ${why}` : `${why}; in all, ${drop === 0 ? "" : "it "}${moved}`,
      brief,
    };
  }
  if (drop <= 0) return { red: false, sentence: moved, brief: moved };
  const chance = `${moved}; ${chancePart(comparison)}, so this does not fail`;
  return { red: false, sentence: `${chance}. ${sightPart(comparison)}`, brief: moved };
}

/** By a number of points; what is red says whether chance explains it. */
function fallBy(comparison: Comparison, maxDrop: number): Fall {
  const { drop, verdict } = comparison;
  const moved = movedText(comparison, maxDrop);
  const allowed = `\`max-drop: ${String(maxDrop)}\``;
  if (drop <= maxDrop + ROUNDING)
    return { red: false, sentence: `${moved}, which ${allowed} lets pass`, brief: moved };
  const why =
    verdict === "fell" ? whyPart(comparison) : `${chancePart(comparison)}; \`max-drop: noise\` would pass it`;
  return { red: true, sentence: `${moved}, more than ${allowed} allows: ${why}`, brief: moved };
}

function unexcusedPart({ unexcused, notComparable }: Comparison): string {
  const reasonOf = new Map(notComparable.map((one) => [placeKey(one), one.reason]));
  const reasons = new Set(unexcused.map((grade) => reasonOf.get(placeKey(grade)) ?? "new"));
  const why = reasons.size === 1 ? ` (${[...reasons].join("")})` : "";
  return `${count(unexcused.length, "failed grade")} cannot be compared with the baseline${why}`;
}
