/** What advisory graders say: in a section of their own, since they are in no other figure. Pure. */
import { allGrades } from "../../all-grades.ts";
import type { Comparison } from "../../compare/compare.ts";
import { comparisonSentence } from "../../compare/comparison-sentence.ts";
import type { Grade, Graded, Report } from "../../domain.ts";
import { shorten } from "../../format.ts";
import { stateOf } from "../../states.ts";
import { markdownProse, markdownText } from "../neutralise.ts";
import { reasonOf } from "./grade.ts";
import { joined } from "./section.ts";
import type { Page } from "./section.ts";

const NAME = 300;
const REASON = 300;
/** Failed grades of a grader that are told. */
const FAILURES = 20;
const BRIEF_FAILURES = 3;

/** A line for each grader, its trend where the baseline has it, and why grades failed; empty without advisory graders. */
export function advisorySection(
  { advisory }: Pick<Report, "advisory">,
  { each }: Pick<Page, "each">,
): string {
  if (!advisory) return "";
  const grades = allGrades(advisory.scores);
  const graders = [...Map.groupBy(grades, ({ job }) => job.grader.name)];
  const most = each ? FAILURES : BRIEF_FAILURES;
  const lines = graders.map(([name, own]) => {
    const failed = own.filter((grade) => stateOf(grade) === "failed");
    const more = failed.length > most ? [`  - … and ${String(failed.length - most)} more`] : [];
    return [
      graderLine(name, own, advisory.comparison),
      ...failed.slice(0, most).map(failureLine),
      ...more,
    ].join("\n");
  });
  const trend = advisory.comparison ? markdownProse(comparisonSentence(advisory.comparison)) : "";
  return joined(["### Advisory: shown, and never decides", lines.join("\n"), trend]);
}

function graderLine(name: string, grades: readonly Grade[], comparison: Comparison | undefined): string {
  const graded = grades.flatMap(({ verdict }) => (verdict.state === "graded" ? [verdict] : []));
  const passed = graded.filter((verdict) => verdict.passed).length;
  const without = grades.length - graded.length;
  const parts = [
    `**${markdownText(shorten(name, NAME))}**`,
    `${String(passed)} of ${String(graded.length)} passed${before(name, comparison)}`,
    ...(without > 0 ? [`⚠️ ${String(without)} without a verdict`] : []),
  ];
  return `- ${parts.join(" · ")}`;
}

/** What the comparable part of a grader was in the baseline. */
function before(name: string, comparison: Comparison | undefined): string {
  const pairs = (comparison?.pairs ?? []).filter(({ grader }) => grader === name);
  if (pairs.length === 0) return "";
  const sum = (figure: (pair: (typeof pairs)[number]) => number) =>
    pairs.reduce((total, pair) => total + figure(pair), 0);
  const passes = sum(({ baseline }) => baseline.passes);
  return `, ${String(passes)} of ${String(sum(({ baseline }) => baseline.runs))} in the baseline`;
}

function failureLine({ job, verdict }: Grade): string {
  const run = job.run && job.run.number > 1 ? ` · run ${String(job.run.number)}` : "";
  return `  - ❌ ${markdownText(shorten(job.task.id, NAME))}${run} — ${markdownProse(shorten(reasonOf(verdict as Graded), REASON))}`;
}
