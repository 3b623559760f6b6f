/** `fail-on: regression`: a baseline can only excuse failures. Pure. */
import type { Comparison } from "./compare.ts";
import type { MaxDrop } from "../domain.ts";
import { enoughPart, formatP } from "./comparison-sentence.ts";
import { isSignificant } from "./exact-test.ts";
import { count } from "../format.ts";
import { placeKey } from "./pairs.ts";

/** Sums of floating-point shares miss a round number of points by this much at the most. */
const ROUNDING = 1e-9;

export interface RegressionDecision {
  readonly red: boolean;
  /** Which part decided; a fall comes before grades that nothing excuses. */
  readonly rule: "no-baseline" | "fell" | "not-comparable" | "passed";
  /** Why, what is red first, without the gate's "Failed:" or "Passed:". */
  readonly sentence: string;
}

/**
 * Red when the pass rate fell by more than `maxDrop`, or when a failed grade has nothing comparable in the baseline.
 * Without a baseline every failed grade is red, as under `fail-on: fail`. With too few runs to tell, `noise` is 0.
 */
export function decideRegression(comparison: Comparison, maxDrop: MaxDrop): RegressionDecision {
  const { hasBaseline, failed, unexcused, verdict } = comparison;
  if (!hasBaseline) {
    const why = "no baseline was found, so `fail-on: regression` acts as `fail`";
    const found = failed.length === 0 ? "" : `${count(failed.length, "grade")} failed; `;
    return { red: failed.length > 0, rule: "no-baseline", sentence: `${found}${why}` };
  }
  const fall = verdict === "none" ? NOTHING_COMPARED : fallOf(comparison, maxDrop);
  if (unexcused.length === 0) return { ...fall, rule: fall.red ? "fell" : "passed" };
  const alone = unexcusedPart(comparison);
  if (fall.red) return { red: true, rule: "fell", sentence: `${fall.sentence}; ${alone}` };
  const sentence = verdict === "none" ? alone : `${alone}; ${fall.sentence}`;
  return { red: true, rule: "not-comparable", sentence };
}

interface Fall {
  readonly red: boolean;
  readonly sentence: string;
}

const NOTHING_COMPARED: Fall = { red: false, sentence: "nothing in the baseline can be compared" };

function fallOf(comparison: Comparison, maxDrop: MaxDrop): Fall {
  const { verdict, drop } = comparison;
  if (maxDrop !== "noise") return fallBy(comparison, maxDrop);
  const moved = movedPart(comparison);
  const chance = chanceOf(comparison);
  if (verdict === "too-few-runs" && drop > 0) {
    const why = `too few runs to tell (${chance}), so \`max-drop: noise\` acts as \`0\``;
    return { red: true, sentence: `${moved}; ${why}; ${enoughPart(comparison)}` };
  }
  if (verdict === "fell") return { red: true, sentence: `worse than the baseline (${chance}): ${moved}` };
  return { red: false, sentence: drop > 0 ? `${moved}, within noise (${chance})` : moved };
}

/** By a number of points; what is red says whether chance explains it. */
function fallBy(comparison: Comparison, maxDrop: number): Fall {
  const { drop, verdict, p } = comparison;
  const moved = movedPart(comparison, maxDrop);
  const chance = chanceOf(comparison);
  const allowed = `\`max-drop: ${String(maxDrop)}\``;
  if (drop <= maxDrop + ROUNDING) return { red: false, sentence: `${moved}, which ${allowed} lets pass` };
  const why =
    verdict === "too-few-runs"
      ? `too few runs to tell (${chance}); ${enoughPart(comparison)}`
      : p && isSignificant(p.fall)
        ? `chance does not explain it (${chance})`
        : `within noise (${chance}); \`max-drop: noise\` would pass it`;
  return { red: true, sentence: `${moved}, more than ${allowed} allows: ${why}` };
}

/** `p .25`; unknown where no run could be compared. */
function chanceOf({ p }: Comparison): string {
  return `p ${formatP(p?.fall)}`;
}

/** Beside a number that it is more than, the fall has as many decimals as it takes to look so. */
function movedPart({ drop }: Comparison, maxDrop = 0): string {
  if (drop === 0) return "the pass rate is that of the baseline";
  const points = Math.abs(drop);
  const looksRight = (text: string) => Number(text) > maxDrop || points <= maxDrop + ROUNDING;
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((few) => looksRight(points.toFixed(few))) ?? 9;
  const text = points.toFixed(digits).replace(/\.0$/, "");
  return `the pass rate ${drop > 0 ? "fell" : "rose"} by ${text} ${text === "1" ? "point" : "points"}`;
}

function unexcusedPart({ unexcused, notComparable }: Comparison): string {
  const reasonOf = new Map(notComparable.map((one) => [placeKey(one), one.reason]));
  const reasons = new Set(unexcused.map((grade) => reasonOf.get(placeKey(grade)) ?? "new"));
  const why = reasons.size === 1 ? ` (${[...reasons].join("")})` : "";
  const verb = unexcused.length === 1 ? "has" : "have";
  return `${count(unexcused.length, "failed grade")} ${verb} nothing comparable in the baseline${why}`;
}
