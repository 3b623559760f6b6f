/** What advisory graders say: in a section of their own, since they are in no other figure. Pure. */
import type { Comparison } from "../../compare/compare.ts";
import { inBaseline } from "../../compare/baseline-source.ts";
import { comparisonSentence } from "../../compare/comparison-sentence.ts";
import { shorten } from "../../text/format.ts";
import { between, bold, heading, line, list, name } from "../document/tree.ts";
import type { Item, Line } from "../document/tree.ts";
import { shownGrades } from "../shown-grade.ts";
import type { ShownGrade } from "../shown-grade.ts";
import type { Section } from "./section.ts";
import { suiteTables } from "./tables.ts";

const NAME = 300;
const REASON = 300;
/** Maximum failed grades listed per grader. */
const FAILURES = 20;
const BRIEF_FAILURES = 3;

/** A line for each grader, its change where the baseline has it, and why grades failed; empty without advisory graders. */
export const advisorySection: Section = (report, page) => {
  const { advisory } = report;
  if (!advisory) return [];
  const { comparison } = advisory;
  const graders = [...Map.groupBy(shownGrades(advisory), ({ grade }) => grade.job.grader.name)];
  const items = graders.map(([grader, own]): Item => {
    const failed = own.filter(({ state }) => state === "failed");
    return {
      line: graderLine(grader, own, comparison),
      below: list(failed.map(failureLine), page.each ? FAILURES : BRIEF_FAILURES),
    };
  });
  return [
    heading("Advisory graders (no effect on the result)"),
    ...list(items),
    ...(comparison ? [line(comparisonSentence(comparison))] : []),
    ...(page.medium === "file" ? suiteTables(advisory, page, false) : []),
  ];
};

function graderLine(grader: string, own: readonly ShownGrade[], comparison: Comparison | undefined): Line {
  const graded = own.filter(({ grade }) => grade.verdict.state === "graded");
  const passed = graded.filter(({ state }) => state !== "failed").length;
  const without = own.length - graded.length;
  return between([
    [bold(name(grader, NAME))],
    [`${String(passed)} of ${String(graded.length)} passed${before(grader, comparison)}`],
    without > 0 ? [`⚠️ ${String(without)} without a verdict`] : [],
  ]);
}

/** What the comparable part of a grader was in the baseline. */
function before(grader: string, comparison: Comparison | undefined): string {
  const pairs = (comparison?.pairs ?? []).filter((pair) => pair.grader === grader);
  if (pairs.length === 0) return "";
  const sum = (figure: (pair: (typeof pairs)[number]) => number) =>
    pairs.reduce((total, pair) => total + figure(pair), 0);
  const passes = sum(({ baseline }) => baseline.passes);
  const runs = sum(({ baseline }) => baseline.runs);
  return `, ${String(passes)} of ${String(runs)} ${inBaseline(comparison?.source ?? {})}`;
}

function failureLine({ label, reason }: ShownGrade): Line {
  return ["❌ ", name(label, NAME), " — ", shorten(reason, REASON)];
}
