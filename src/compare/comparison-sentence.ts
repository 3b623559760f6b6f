/** What a comparison comes to, in words. Names of models in it are untrusted, as all text of files is. Pure. */
import type { BeforeAndNow, Comparison } from "./compare.ts";
import { isSignificant } from "./exact-test.ts";
import { count } from "../format.ts";

/** The comparison in one or two sentences, with how many graders could not be compared, so that none goes in silence. */
export function comparisonSentence(comparison: Comparison): string {
  return [`${verdictPart(comparison)}.`, ...notComparedPart(comparison)].join(" ");
}

function verdictPart(comparison: Comparison): string {
  const { verdict, hasBaseline, p } = comparison;
  const rates = ratesPart(comparison);
  switch (verdict) {
    case "none":
      return hasBaseline
        ? "Nothing in the baseline can be compared"
        : "No baseline was found: nothing to compare with yet";
    case "fell":
      return `Fell (p ${formatP(p?.fall)}): ${rates}`;
    case "rose":
      return `Rose (p ${formatP(p?.rise)}): ${rates}`;
    case "within-noise":
      return `Within noise (p ${formatP(p?.fall)}): ${rates}`;
    case "unchanged":
      return `Unchanged: ${rates}`;
    case "too-few-runs":
      return `Too few runs to tell: ${rates}; ${enoughPart(comparison)}`;
  }
}

/** How many runs it takes to tell, of a comparison that has too few. */
export function enoughPart({ enoughRuns, p }: Comparison): string {
  if (p === undefined) return "on one side no run has a verdict of every grader";
  if (enoughRuns === undefined) return "no number of runs would do, since too little passes in the baseline";
  return `to tell, run each task at least ${count(enoughRuns, "time")}, here and in the baseline`;
}

/** `graders' pass rate 93 %, 100 % in the baseline; 1 newly failing`. */
function ratesPart({ passRate, newlyFailing, newlyPassing, runsLeftOut }: Comparison): string {
  const parts: readonly (readonly [number, string])[] = [
    [newlyFailing.length, `${String(newlyFailing.length)} newly failing`],
    [newlyPassing.length, `${String(newlyPassing.length)} newly passing`],
    [runsLeftOut, `${count(runsLeftOut, "run")} left out for want of a verdict`],
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
  return [`Graders not compared: ${said.join(", ")}${why}.`];
}

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

/** A p value as papers write it, `.25`; with as many digits as it takes to stay on its side of .05. */
export function formatP(p: number | undefined): string {
  if (p === undefined) return "unknown";
  if (p < 0.001) return "under .001";
  if (p > 0.99) return "over .99";
  for (let digits = 2; digits < 15; digits += 1) {
    const text = p.toPrecision(digits);
    if (isSignificant(Number(text)) === isSignificant(p)) return text.replace(/^0/, "");
  }
  return String(p);
}
