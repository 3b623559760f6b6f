/** The judge's verdicts compared with people's labels, and the gate `min-agreement`. Pure. */
import { count, formatAgainst, formatMinimum, formatScore } from "../text/format.ts";
import type { GradedRecord, GradeRecord } from "../domain/record.ts";
import { isJudged } from "../domain/record.ts";
import type { Labelled } from "./label-match.ts";
import { kappa, wilson } from "../compare/statistics.ts";
import type { Interval, TableOfFour } from "../compare/statistics.ts";

/** Minimum labels of one verdict for a rate. */
export const FEWEST_LABELS = 5;

/** A record with its grade's name on pages. */
export type Named<Of extends GradeRecord = GradeRecord> = Of & { readonly name: string };

/** The share of people's passes, or failures, on which the judge agrees. */
export interface Rate extends Interval {
  /** 0 to 1. */
  readonly value: number;
  readonly agreed: number;
  readonly labels: number;
}

export interface AgreementFigures {
  readonly table: TableOfFour;
  /** True pass rate: share of people's passes that the judge passed. Absent below five such labels. */
  readonly tpr?: Rate | undefined;
  /** True fail rate: share of people's failures that the judge failed. Absent below five such labels. */
  readonly tnr?: Rate | undefined;
  /** Cohen's kappa; absent unless both rates are there. */
  readonly kappa?: number | undefined;
}

export interface GraderAgreement extends AgreementFigures {
  readonly suite: string;
  readonly grader: string;
  /** Left out of the figures over all graders. */
  readonly advisory: boolean;
}

/** Figures over all graders but advisory ones. */
export interface Agreement extends AgreementFigures {
  /** Each grader of each suite, in the order of the labels. */
  readonly graders: readonly GraderAgreement[];
  /** Where judge and person differ. */
  readonly disagreements: readonly Labelled<Named<GradedRecord>>[];
  /** Labels of grades without a judge's verdict: shown, not counted. */
  readonly uncounted: readonly Labelled<Named>[];
  /** The lower of the two rates; absent unless both are there. */
  readonly agreement?: number | undefined;
}

/** Compares grades with their labels. */
export function agreementOf(labelled: readonly Labelled<Named>[]): Agreement {
  const judged = labelled.filter((one): one is Labelled<Named<GradedRecord>> => isJudged(one.grade));
  const all = figuresOf(judged.filter(({ grade }) => grade.advisory !== true));
  const byGrader = Map.groupBy(judged, ({ grade }) => JSON.stringify([grade.suite, grade.grader]));
  return {
    ...all,
    graders: [...byGrader.values()].map((some) => {
      const [{ grade }] = some as [(typeof some)[number]];
      const { suite, grader, advisory } = grade;
      return { suite, grader, advisory: advisory === true, ...figuresOf(some) };
    }),
    disagreements: judged.filter(({ label, grade }) => label.passed !== grade.passed),
    uncounted: labelled.filter(({ grade }) => !isJudged(grade)),
    agreement: all.tpr && all.tnr && Math.min(all.tpr.value, all.tnr.value),
  };
}

/** True when at least one row is filled in. */
export function hasLabels({ graders, uncounted }: Agreement): boolean {
  return graders.length + uncounted.length > 0;
}

/** The agreement in one sentence, with the number of disagreements; a rate needs five labels. */
export function agreementSentence(agreement: Agreement): string {
  if (!hasLabels(agreement)) return "Against people's labels: there are none yet.";
  const { table, tpr, tnr, disagreements, uncounted } = agreement;
  const sides = [
    ...sidePart(
      [table.truePass, table.falseFail],
      "passed",
      tpr && `true pass rate ${formatScore(tpr.value)}`,
    ),
    ...sidePart(
      [table.trueFail, table.falsePass],
      "failed",
      tnr && `true fail rate ${formatScore(tnr.value)}`,
    ),
  ];
  const found =
    sides.length === 0
      ? "no labelled grade that decides has a judge's verdict"
      : `the judge agrees ${sides.join(" and ")}`;
  const apart = disagreements.filter(({ grade }) => grade.advisory === true).length;
  const more = [
    `${count(disagreements.length, "disagreement")}${apart > 0 ? ` (${String(apart)} of advisory graders)` : ""}`,
    ...(uncounted.length > 0
      ? [`${count(uncounted.length, "label")} of grades without a judge's verdict`]
      : []),
  ];
  return `Against people's labels: ${found}; ${more.join("; ")}.`;
}

/** One side of the sentence: people's passes, or failures, and how the judge decided on them. */
function sidePart(
  [agreed, not]: readonly [number, number],
  name: string,
  rate: string | undefined,
): string[] {
  if (agreed + not === 0) return [];
  const beside = rate === undefined ? "" : ` (${rate})`;
  return [`on ${String(agreed)} of ${count(agreed + not, "grade")} that they ${name}${beside}`];
}

export interface AgreementDecision {
  readonly red: boolean;
  /** Labelled grades lack a verdict. */
  readonly isShort?: boolean | undefined;
  /** Without the gate's "Failed:" or "Passed:". */
  readonly sentence: string;
}

/** The gate `min-agreement` (0 to 1): the lower rate has to reach it; without a rate it fails. */
export function decideAgreement(
  { tpr, tnr, table, agreement, uncounted }: Agreement,
  minimum: number,
): AgreementDecision {
  if (agreement === undefined || !tpr || !tnr) {
    const passes = table.truePass + table.falseFail;
    const fails = table.trueFail + table.falsePass;
    return {
      red: true,
      isShort: uncounted.length > 0 || undefined,
      sentence: `${uncounted.length > 0 ? `${count(uncounted.length, "labelled grade")} without a judge's verdict` : "too few labels"}: people passed ${String(passes)} and failed ${String(fails)} of the judged grades; at least ${String(FEWEST_LABELS)} of each are needed, so the minimum of ${formatMinimum(minimum)} is not reached`,
    };
  }
  const [name, rate] = tpr.value <= tnr.value ? ["passed", tpr] : ["failed", tnr];
  const red = agreement < minimum;
  const found = `the judge agrees on ${red ? "only " : ""}${String(rate.agreed)} of the ${count(rate.labels, "grade")} that people ${name}`;
  const interval = `95 % interval ${rate.lower.toFixed(2)} to ${rate.upper.toFixed(2)}`;
  return {
    red,
    sentence: `${found} (${formatAgainst(agreement, minimum)}; ${interval}; minimum ${formatMinimum(minimum)})`,
  };
}

function figuresOf(judged: readonly Labelled<GradedRecord>[]): AgreementFigures {
  const having = (judge: boolean, person: boolean) =>
    judged.filter(({ label, grade }) => grade.passed === judge && label.passed === person).length;
  const table: TableOfFour = {
    truePass: having(true, true),
    falsePass: having(true, false),
    falseFail: having(false, true),
    trueFail: having(false, false),
  };
  const tpr = rateOf(table.truePass, table.truePass + table.falseFail);
  const tnr = rateOf(table.trueFail, table.trueFail + table.falsePass);
  return { table, tpr, tnr, kappa: tpr && tnr && kappa(table) };
}

function rateOf(agreed: number, labels: number): Rate | undefined {
  if (labels < FEWEST_LABELS) return undefined;
  return { value: agreed / labels, agreed, labels, ...wilson({ passes: agreed, runs: labels }) };
}
