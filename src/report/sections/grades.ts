/** The passed: those that leave a doubt, a line each; all of them, folded. */
import { count, listed, shorten } from "../../text/format.ts";
import { bold, code, fold, heading, line, link, list, name, several } from "../document/tree.ts";
import type { Line } from "../document/tree.ts";
import { judgesDiffer, votesText } from "../../text/states.ts";
import { shownGrades } from "../shown-grade.ts";
import { graderUrl } from "./about-grade.ts";
import { foldedGrade } from "./grade.ts";
import { moreOf } from "./section.ts";
import type { Section } from "./section.ts";

/** Characters of a reason. */
const REASON = 300;
const NAMES_SHOWN = 10;

/** Passed grades with a warning, one line each; the grade's block, which is collapsed, has it too. */
export const doubtsSection: Section = (report, page) => {
  const lines = shownGrades(report).flatMap(({ grade, label, state, sign }): Line[] => {
    const { verdict, job } = grade;
    if (verdict.state !== "graded" || state !== "doubtful") return [];
    const { incomplete, warning, checks } = verdict;
    const doubts: Line = [
      ...(incomplete
        ? [
            `the judge was interrupted after ${count(checks.length, "check")}, there may be more (`,
            bold(incomplete.class),
            `: ${shorten(incomplete.message, REASON)})`,
          ]
        : []),
      incomplete && warning !== undefined ? "; " : "",
      shorten(warning ?? "", REASON),
    ];
    const grader = link([name(job.grader.name)], graderUrl(grade, report));
    return [[`${sign} `, bold(...grader), " · ", name(label), " — ", ...doubts]];
  });
  // Left out where even the reasons of failed grades are shortened.
  if (lines.length === 0 || page.reason < REASON) return [];
  return [heading("Passed, with a doubt"), ...list(lines, NAMES_SHOWN)];
};

/** Grades that passed though not all votes did. */
export const majoritySection: Section = (report) => {
  const split = shownGrades(report).flatMap(({ name: called, grade: { verdict } }) => {
    if (verdict.state !== "graded" || !verdict.passed || !verdict.votes) return [];
    const { failed, errored } = verdict.votes;
    return failed + errored > 0 ? [`${called}: ${votesText(verdict.votes)}`] : [];
  });
  return split.length === 0 ? [] : [line(`Passed by a majority: `, name(listed(split), Infinity), ".")];
};

/** How often the judge of `confirm-model` differed from the grader's own, by grader. */
export const opinionsSection: Section = (report) => {
  const confirmed = report.scores.grades.flatMap(({ job, verdict }) =>
    verdict.state === "graded" && verdict.votes?.judges
      ? [{ name: job.grader.name, votes: verdict.votes }]
      : [],
  );
  if (confirmed.length === 0) return [];
  const differing = (some: typeof confirmed) => some.filter(({ votes }) => judgesDiffer(votes)).length;
  const byGrader = [...Map.groupBy(confirmed, (one) => one.name)].map(([grader, own]): Line => [
    name(grader),
    ` ${String(differing(own))} of ${String(own.length)}`,
  ]);
  const models = new Set(
    confirmed.flatMap(({ votes }) => votes.judges?.slice(1).map(({ model }) => model) ?? []),
  );
  return [
    line(
      "Second opinion by ",
      ...several(
        [...models].map((model) => [code(model)]),
        NAMES_SHOWN,
      ),
      `: it differed on ${String(differing(confirmed))} of ${count(confirmed.length, "grade")} (`,
      ...several(byGrader, NAMES_SHOWN),
      ").",
    ),
  ];
};

/** Passed grades, folded twice: the list, and each grade in it. */
export const passedSection: Section = (report, page) => {
  // A file has each below its run.
  if (!page.passed || page.medium === "file") return [];
  const passed = shownGrades(report).filter(({ state }) => state === "passed" || state === "doubtful");
  const listedGrades = passed.slice(0, page.most);
  return fold(
    [count(passed.length, "passed grade")],
    [
      ...listedGrades.flatMap((one) => foldedGrade(one, report, page)),
      ...moreOf(passed.length - listedGrades.length, "passed grade", page),
    ],
  );
};
