/** What a dry run tells: how much would be asked, what it may cost, and which tasks would be graded by whom. */
import { allGrades } from "../../all-grades.ts";
import type { Estimate, SuiteScore } from "../../domain.ts";
import { formatAbout, formatDollars, formatNumber, shorten, unpricedPart } from "../../format.ts";
import { SIGNS } from "../../states.ts";
import { markdownCode, markdownText } from "../neutralise.ts";
import { joined } from "./section.ts";
import type { Section } from "./section.ts";

/** Characters of a name; tasks of a suite that are listed. */
const NAME = 100;
const TASKS = 200;

/** A table of figures; nothing for a run that was no dry one. */
export const estimateSection: Section = ({ estimate }) => {
  if (!estimate) return "";
  const rows: (readonly [string, string])[] = [
    ["Grades", formatNumber(estimate.grades)],
    ["Goldens of rubrics", estimate.goldens === 0 ? "" : formatNumber(estimate.goldens)],
    ["Of them recorded", estimate.recorded === 0 ? "" : formatNumber(estimate.recorded)],
    ["Requests to judges", formatAbout(estimate.requests, formatNumber)],
    ["Tokens", formatAbout(estimate.tokens, formatNumber)],
    ["Cost", costOf(estimate)],
  ];
  const caps = estimate.beyond.map(
    ({ cap, usual }) =>
      `${SIGNS.doubtful} ${markdownCode(cap)} ${usual ? "would be reached: not all of these grades would be made." : "may be reached before all of these grades are made."}`,
  );
  return joined([
    "### What a run would take",
    "No judge was asked. The first figure is one short reply for each verdict; a judge that reads files takes a few times as much. The most is one that reads much, is asked on and writes much.",
    [
      "| What | How much |",
      "|:--|--:|",
      ...rows.filter(([, value]) => value !== "").map(([name, value]) => `| ${name} | ${value} |`),
    ].join("\n"),
    ...caps,
  ]);
};

/** The tasks of each suite with their graders and judges, as a run would grade them. */
export const plannedSection: Section = ({ estimate, scores }) =>
  estimate ? joined(scores.suites.filter(({ tasks }) => tasks.length > 0).map(plannedTable)) : "";

function plannedTable(suite: SuiteScore): string {
  const byTask = [...Map.groupBy(allGrades(suite), ({ job }) => job.task.id)];
  const rows = byTask.slice(0, TASKS).map(([id, grades]) => {
    const graders = new Map(grades.map(({ job }) => [job.grader.name, job.grader.weight]));
    const names = [...graders].map(
      ([name, weight]) => `${markdownText(shorten(name, NAME))}${weight === 1 ? "" : ` ×${String(weight)}`}`,
    );
    const judges = new Set(grades.map(({ job }) => job.judgeModel));
    return `| ${markdownText(shorten(id, NAME))} | ${names.join(", ")} | ${markdownText([...judges].join(", "))} | ${String(grades.length)} |`;
  });
  const more = byTask.length - rows.length;
  return joined([
    `### ${markdownText(shorten(suite.suite.title, NAME))}`,
    ["| Task | Graders | Judge | Grades |", "|:--|:--|:--|--:|", ...rows].join("\n"),
    more > 0 ? `… and ${formatNumber(more)} more tasks` : "",
  ]);
}

function costOf({ cost, unpriced }: Estimate): string {
  if (cost) return formatAbout(cost, formatDollars);
  return `not known for ${unpricedPart(unpriced, markdownCode)}`;
}
