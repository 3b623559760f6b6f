/** The page of a dry run: what a run would take, and the graders of each task. */
import { type Line, type Section, heading, line, moreOf, name, table } from "../document/tree.ts";
import { suiteKey } from "../../results/rows.ts";
import { describeEstimate } from "../../text/format.ts";

/** Tasks of a suite that are listed. */
const MOST_TASKS = 200;

/** What the log says, and what its figures assume; nothing for a run that was no dry one. */
export const estimateSection: Section = ({ estimate }) =>
  estimate
    ? [
        line(
          `${describeEstimate(estimate)}. The first figure assumes one short reply per grade; a judge that reads files needs a few times as much. The maximum assumes that it reads much, needs reminders, and answers at length.`,
        ),
      ]
    : [];

/** The tasks of each suite with their graders, as a run would grade them. */
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
      return [[name(id)], names, [String(grades.length)]];
    });
    return [
      heading(name(suiteKey(suite.suite))),
      table("Planned grades", { heads: [["Task"], ["Graders"], ["Grades"]], numbers: 1 }, rows),
      ...moreOf(byTask.length - rows.length, "task", page),
    ];
  });
