/** The page of a dry run: number of requests, possible cost, and the graders of each task. */
import type { Estimate } from "../../domain/grade.ts";
import { type Line, type Section, code, heading, line, moreOf, name, table } from "../document/tree.ts";
import { suiteKey } from "../../results/rows.ts";
import { formatAbout, formatDollars, formatNumber, unpricedPart } from "../../text/format.ts";
import { SIGNS } from "../../text/states.ts";

/** Tasks of a suite that are listed. */
const MOST_TASKS = 200;

/** A table of figures; nothing for a run that was no dry one. */
export const estimateSection: Section = ({ estimate }) => {
  if (!estimate) return [];
  const { grades, recorded, requests, tokens, beyond } = estimate;
  const rows = [
    ["Grades", formatNumber(grades)],
    ...(recorded === 0 ? [] : [["Of them recorded", formatNumber(recorded)]]),
    ["Requests to judges", formatAbout(requests, formatNumber)],
    ["Tokens", formatAbout(tokens, formatNumber)],
    ["Cost", costText(estimate)],
  ];
  return [
    heading("What a run would take"),
    line(
      "No judge was asked. The first figure assumes one short reply per grade; a judge that reads files needs a few times as much. The maximum assumes that it reads much, needs reminders, and answers at length.",
    ),
    table(
      "What a run would take",
      { heads: [["What"], ["How much"]], numbers: 1 },
      rows.map((cells) => cells.map((cell) => [cell])),
    ),
    ...beyond.map(({ cap, usual }) =>
      line(
        `${SIGNS.doubtful} `,
        code(cap),
        usual
          ? " would be reached: not all of these grades would be made."
          : " may be reached before all of these grades are made.",
      ),
    ),
  ];
};

function costText({ cost, unpriced }: Estimate): string {
  if (cost) return formatAbout(cost, formatDollars);
  return `not known for ${unpricedPart(unpriced, (text) => `\`${text}\``)}`;
}

/** The tasks of each suite with their graders and judges, as a run would grade them. */
export const plannedSection: Section = ({ estimate, scores }, page) =>
  (estimate ? scores.suites : []).flatMap((suite) => {
    const byTask = [...Map.groupBy(suite.grades, ({ task }) => task)];
    if (byTask.length === 0) return [];
    const rows = byTask.slice(0, MOST_TASKS).map(([id, grades]): Line[] => {
      const graders = new Map(grades.map(({ grader, weight }) => [grader, weight]));
      const names = [...graders].flatMap(([grader, weight], index): Line => [
        index === 0 ? "" : ", ",
        name(grader),
        weight === 1 ? "" : ` ×${String(weight)}`,
      ]);
      const judges = [...new Set(grades.map(({ judgeModel }) => judgeModel))].join(", ");
      return [[name(id)], names, [name(judges, judges.length)], [String(grades.length)]];
    });
    return [
      heading(name(suiteKey(suite.suite))),
      table("Planned grades", { heads: [["Task"], ["Graders"], ["Judge"], ["Grades"]], numbers: 1 }, rows),
      ...moreOf(byTask.length - rows.length, "task", page),
    ];
  });
