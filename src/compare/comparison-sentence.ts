/** What a comparison comes to, in words. Names of models in it are untrusted, as all text of files is. Pure. */
import { LANDSLIDE } from "./noise.ts";
import type { BeforeAndNow, Comparison } from "./compare.ts";
import { COUNTED, isSignificant } from "./exact-test.ts";
import type { Pair } from "./pairs.ts";
import { count, formatNumber, listed, ROUNDING, shorten, upperFirst } from "../text/format.ts";

/** Characters of a name. */
const NAME = 100;

/** The comparison in a few sentences, with how many graders could not be compared, so that none goes in silence. */
export function comparisonSentence(comparison: Comparison): string {
  const { servedBy, agents, p } = comparison;
  const others = [
    p?.exact === false &&
      `Chance is a normal approximation: more than ${String(COUNTED)} runs differ from their task's most frequent result`,
    agents && `Done by ${names(agents.baseline)} in the baseline, by ${names(agents.current)} now`,
    servedBy &&
      `Judged by ${names(servedBy.baseline)} in the baseline, by ${names(servedBy.current)} now, as the API says`,
  ].filter((part) => typeof part === "string");
  const parts = [...verdictParts(comparison), ...others].map((part) => `${part}.`);
  return [...parts, ...notComparedPart(comparison)].join(" ");
}

function names(models: readonly string[]): string {
  return listed(
    models.map((model) => `\`${shorten(model.replace(/\s+/g, " "), NAME)}\``),
    3,
  );
}

function verdictParts(comparison: Comparison): string[] {
  const { verdict, hasBaseline } = comparison;
  const moved = `${upperFirst(movedText(comparison))}: ${ratesPart(comparison)}`;
  switch (verdict) {
    case "none":
      return [
        hasBaseline
          ? "Nothing in the baseline can be compared"
          : "No baseline was found: nothing to compare with yet",
      ];
    case "unchanged":
      return [`Unchanged: ${ratesPart(comparison)}`];
    case "fell":
    case "rose":
      return [moved, upperFirst(whyPart(comparison))];
    case "within-noise":
      return [
        moved,
        ...(comparison.drop === 0 ? [] : [upperFirst(chancePart(comparison))]),
        sightPart(comparison),
      ];
    case "too-few-runs":
      return [
        `Too few runs to tell: ${ratesPart(comparison)}`,
        "Not even a fall to nothing would show: too little passes in the baseline",
        sightPart(comparison),
      ];
  }
}

/** Why it counts as a fall or a rise: the task that fell by itself, a landslide, or what chance makes of it. */
export function whyPart(comparison: Comparison): string {
  const { fallen, verdict, drop, p } = comparison;
  if (verdict === "fell" && fallen) {
    const { place, baseline, current } = fallen;
    const of = ({ passes, runs }: typeof baseline) => `${String(passes)} of ${String(runs)}`;
    const model = place.model === "" ? "" : ` (${shorten(place.model, NAME)})`;
    return `the task \`${shorten(place.task, NAME)}\`${model} fell from ${of(baseline)} to ${of(current)}, as an unchanged one does in ${oneOf(fallen.p)} comparisons`;
  }
  if (verdict === "fell" && !(drop > 0 && p && isSignificant(p.fall)))
    return `${chancePart(comparison)}, but more than ${String(LANDSLIDE)} points are a fall`;
  return chancePart(comparison);
}

/** `an unchanged agent falls this far in about 1 of 4 comparisons`. */
export function chancePart({ p, drop }: Comparison): string {
  if (!p) return "on one side no run has a verdict of every grader";
  const moves = drop < 0 ? "rises" : "falls";
  return `an unchanged agent ${moves} this far in ${oneOf(drop < 0 ? p.rise : p.fall)} comparisons`;
}

/** `about 1 of 4`; rounded so that it stays on its side of .05. */
function oneOf(p: number): string {
  if (p < 0.001) return "fewer than 1 of 1,000";
  if (p > 0.5) return "more than half of all";
  return `about 1 of ${formatNumber(isSignificant(p) ? Math.round(1 / p) : Math.min(19, Math.round(1 / p)))}`;
}

/** `With 12 tasks x 3 runs, a fall of less than about 27 points may go unnoticed`, as the first or a later part of a sentence. */
export function sightPart({ detectable: { tasks, runs, points } }: Pick<Comparison, "detectable">): string {
  const size = `With ${count(tasks, "task")} x ${count(runs, "run")}`;
  return points === undefined
    ? `${size} a fall of any size may go unnoticed`
    : `${size}, a fall of less than about ${String(points)} points may go unnoticed`;
}

/** `it passed 9 of 9 in the baseline`. */
export function passedBefore({ baseline: { passes, runs } }: Pick<Pair, "baseline">): string {
  return `it passed ${String(passes)} of ${String(runs)} in the baseline`;
}

/** `fell by 8 points`; beside a number that it is more than, with as many decimals as it takes to look so. */
export function movedText({ drop }: Pick<Comparison, "drop">, maxDrop = 0): string {
  if (drop === 0) return "the pass rate is that of the baseline";
  const points = Math.abs(drop);
  const looksRight = (text: string) => Number(text) > maxDrop || points <= maxDrop + ROUNDING;
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((few) => looksRight(points.toFixed(few))) ?? 9;
  const text = points.toFixed(digits).replace(/\.0$/, "");
  return `${drop > 0 ? "fell" : "rose"} by ${text} ${text === "1" ? "point" : "points"}`;
}

/** `graders' pass rate 93 %, 100 % in the baseline; 1 newly failing`. */
function ratesPart({ passRate, pairs, newlyFailing, newlyPassing, runsLeftOut }: Comparison): string {
  const others = pairs.reduce((sum, { leftOut }) => sum + leftOut, 0);
  const total = newlyFailing.filter(({ current }) => current.passes === 0).length;
  const less = newlyFailing.length - total;
  const parts: readonly (readonly [number, string])[] = [
    [total, `${String(total)} newly failing`],
    [less, less === 1 ? "1 passes less often" : `${String(less)} pass less often`],
    [newlyPassing.length, `${String(newlyPassing.length)} newly passing`],
    [runsLeftOut, `${count(runsLeftOut, "run")} left out: no verdict`],
    [others, `${count(others, "grade")} of the baseline left out, graded in another way`],
  ];
  const said = parts.flatMap(([number, text]) => (number > 0 ? [`; ${text}`] : []));
  return `graders' pass rate ${passRate ? ratesText(passRate) : "unknown"}${said.join("")}`;
}

function notComparedPart({ hasBaseline, removed, added, notComparable }: Comparison): string[] {
  if (!hasBaseline) return [];
  const parts: readonly (readonly [number, string])[] = [
    [removed.length, "removed"],
    [added.length, "added"],
    [notComparable.length, "not comparable"],
  ];
  const said = parts.flatMap(([number, word]) => (number > 0 ? [`${String(number)} ${word}`] : []));
  if (said.length === 0) return [];
  const reasons = new Set(notComparable.map(({ reason }) => reason));
  const why = reasons.size === 1 ? ` (${[...reasons].join("")})` : "";
  const way = notComparable.length > 0 ? ` ${REGRADE}` : "";
  return [`Graders not compared: ${said.join(", ")}${why}.${way}`];
}

/** The way out where what judges was changed. */
const REGRADE =
  "To compare all the same, grade main's last results with these evals: recipe `regrade-baseline.yml` (docs/trust.md#when-the-prompt-or-the-judge-changed).";

/** Two rates as percentages, with as many decimals, up to two, as it takes to see that they differ. */
function ratesText({ baseline, current }: BeforeAndNow): string {
  const at = (rate: number, digits: number) => `${(100 * rate).toFixed(digits)} %`;
  const digits =
    [0, 1].find((few) => at(baseline, few) !== at(current, few)) ?? (baseline === current ? 0 : 2);
  const now = at(current, digits);
  return now === at(baseline, digits)
    ? `${now}, as in the baseline`
    : `${now}, ${at(baseline, digits)} in the baseline`;
}
