/** The passed: those that leave a doubt, a line each; all of them, folded. */
import { count, shorten } from "../../format.ts";
import { SIGNS } from "../../states.ts";
import { markdownProse, markdownText } from "../neutralise.ts";
import { foldedGrade, linked } from "./grade.ts";
import { fitting, shownGrades } from "./names.ts";
import { details, joined, moreText } from "./section.ts";
import type { Section } from "./section.ts";

/** Characters of a reason, and of a name. */
const REASON = 300;
const NAME = 100;
const NAMES_SHOWN = 10;

/** Passed grades that leave a doubt, a line each: what it is stands in the grade's own block too, which is folded. */
export const doubtsSection: Section = (report, page) => {
  const lines = shownGrades(report).flatMap(({ grade, label }) => {
    const { verdict, job } = grade;
    if (verdict.state !== "graded" || !verdict.passed) return [];
    const doubts = [
      ...(verdict.incomplete
        ? [
            `the judge broke off after ${count(verdict.checks.length, "check")}, there may be more (**${verdict.incomplete.class}**: ${markdownProse(shorten(verdict.incomplete.message, REASON))})`,
          ]
        : []),
      ...(verdict.warning === undefined ? [] : [markdownProse(shorten(verdict.warning, REASON))]),
    ];
    if (doubts.length === 0) return [];
    const name = linked(markdownText(shorten(job.grader.name, NAME)), grade, report);
    return [`- ${SIGNS.doubtful} **${name}** · ${markdownText(shorten(label, NAME))} — ${doubts.join("; ")}`];
  });
  // Where reasons of what failed are not told in full, these are not told at all.
  if (lines.length === 0 || page.reason < REASON) return "";
  const more = lines.length > NAMES_SHOWN ? [`- … and ${String(lines.length - NAMES_SHOWN)} more`] : [];
  return joined(["### Passed, with a doubt", [...lines.slice(0, NAMES_SHOWN), ...more].join("\n")]);
};

/** Passed grades, folded twice: the list, and each grade in it. Breaks off where it has filled the room it has. */
export const passedSection: Section = (report, page) => {
  if (!page.passed) return "";
  const passed = shownGrades(report).filter(
    ({ grade }) => grade.verdict.state === "graded" && grade.verdict.passed,
  );
  if (passed.length === 0) return "";
  const shown = passed.slice(0, page.most);
  const blocks = fitting(shown, page.room, (one) => foldedGrade(one, report, page));
  const more = moreText(passed.length - shown.length, "more passed grade", page);
  return details(count(passed.length, "passed grade"), joined([...blocks, more]));
};
