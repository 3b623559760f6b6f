/** Lists of grades: what failed and why, what has no verdict, what passed, and verdicts that others recorded. */
import type { GradeError } from "../../domain/grade.ts";
import {
  LONGEST_BRIEF,
  type Block,
  type Line,
  type Page,
  type Section,
  bold,
  code,
  docsLink,
  fold,
  heading,
  line,
  link,
  list,
  moreOf,
  name,
  table,
} from "../document/tree.ts";
import type { Report } from "../report.ts";
import { foldedGrade, graderUrl } from "./grade.ts";
import { allShown, shownGrades } from "../shown-grade.ts";
import type { Row } from "../../domain/row.ts";
import { count, formatScore, listed, shorten } from "../../text/format.ts";
import { CHECK_SIGNS, STATES, votesText, filePart } from "../../text/states.ts";

/** Grades named in a group. */
const MOST_GROUP_NAMES = 10;
/** Up to so many grades are named without a fold. */
const FEW_GROUPS = 3;
/** Maximum characters of a validation's feedback. */
const LONGEST_FEEDBACK = 200;

/** Passed grades with a warning, one line each; the grade's block, which is collapsed, has it too. */
export const doubtsSection: Section = (report) => {
  const lines = shownGrades(report).flatMap(({ grade, label, state, sign, reason }): Line[] => {
    if (state !== "doubtful") return [];
    const grader = link([name(grade.grader)], graderUrl(grade, report));
    return [[`${sign} `, bold(...grader), " · ", name(label), " — ", shorten(reason, LONGEST_BRIEF)]];
  });
  return lines.length === 0 ? [] : [heading("Passed, with a doubt"), ...list(lines, MOST_GROUP_NAMES)];
};

/** Grades that passed though not all votes did. */
export const majoritySection: Section = (report) => {
  const split = shownGrades(report).flatMap(({ name: called, grade: { state, votes } }) => {
    if (state !== "passed" || !votes) return [];
    return votes.failed + votes.errored > 0 ? [`${called}: ${votesText(votes)}`] : [];
  });
  return split.length === 0 ? [] : [line(`Passed by a majority: `, name(listed(split), Infinity), ".")];
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

/** A cause, and the names of the grades that it left without a verdict. */
interface Cause {
  readonly text: Line;
  readonly name: string;
}

/** Errored grades by what went wrong, with what to do about it. */
export const erroredSection: Section = (report, page) => {
  const causes = shownGrades(report).flatMap((shown): Cause[] => {
    const { checks, error } = shown.grade;
    if (!error) return [];
    const before = checks.length === 0 ? "" : ` (after ${count(checks.length, "passed check")}, not counted)`;
    return [{ text: errorText(error, report, page), name: `${shown.name}${filePart(error)}${before}` }];
  });
  return grouped(
    { title: "Errored: no verdict, and left out of the score", sign: STATES.errored.sign },
    causes,
    page,
  );
};

function errorText(error: GradeError, report: Report, { reason, medium }: Page): Line {
  const help = error.help === undefined ? [] : [" ", bold("What to do:"), ` ${error.help}`];
  // On a terminal the whole address would part the class from what it says.
  const name = [bold(error.class)];
  const linked = medium === "terminal" ? name : docsLink(name, "troubleshooting.md#error-classes", report);
  return [...linked, `: ${shorten(error.message, reason)}`, ...help];
}

/** The causes that most grades share first. */
function grouped(
  { title, sign }: { readonly title: string; readonly sign: string },
  causes: readonly Cause[],
  page: Page,
): readonly Block[] {
  if (causes.length === 0) return [];
  const groups = [...Map.groupBy(causes, ({ text }) => JSON.stringify(text)).values()];
  const listedGroups = groups.sort((one, other) => other.length - one.length).slice(0, page.most);
  return [
    heading(title),
    ...listedGroups.flatMap((alike) => {
      const names = list(
        alike.map((one): Line => [name(one.name)]),
        MOST_GROUP_NAMES,
      );
      const many =
        alike.length <= FEW_GROUPS || page.medium === "terminal"
          ? names
          : fold([count(alike.length, "grade")], names);
      return [line(`${sign} `, ...(alike[0]?.text ?? [])), ...many];
    }),
    ...moreOf(groups.length - listedGroups.length, "cause", page),
  ];
}

/** Skipped grades by reason; those of missing runs have a section of their own, and a dry run skips all. */
export const skippedSection: Section = (report, page) => {
  // The comment on a fork's pull request has only the reason why it is not graded.
  const isBrief = !page.passed && !page.each;
  const causes = shownGrades(report).flatMap((shown): Cause[] => {
    const { state } = shown.grade;
    if (state !== "no-key" && (state !== "capped" || isBrief)) return [];
    const reason = shorten(shown.reason, page.reason);
    // The words are ours alone, and so is the address in them.
    const parts = state === "no-key" ? reason.split(/`(https?:[^`]+)`/) : [reason];
    const text = parts.flatMap((part, index) => (index % 2 === 0 ? [part] : link(["how"], part)));
    return [{ text, name: shown.name }];
  });
  return grouped({ title: "Skipped", sign: STATES.skipped.sign }, causes, page);
};

/** Verdicts recorded in the results by other tools, which are no part of the score; folded where there is one. */
export const recordedSection: Section = (report, page) => {
  const isAlone = report.scores.grades.length === 0;
  if (!page.passed && !isAlone) return [];
  const keyOf = (origin: Row["origin"]) => JSON.stringify(origin);
  const byRun = Map.groupBy(allShown(report), ({ grade }) => keyOf(grade.origin));
  const rows = report.results
    .flatMap(({ runs = [] }) => runs)
    .flatMap((run) => {
      const shown = byRun.get(keyOf(run.origin)) ?? [];
      const ours = new Set(shown.map(({ grade }) => grade.grader));
      const others = run.recorded.filter((validation) => !ours.has(validation.name));
      return others.map((validation): Line[] => [
        [name(shown[0]?.label ?? run.taskId)],
        [name(validation.name)],
        [`${CHECK_SIGNS[validation.passed ? "pass" : "fail"]} ${formatScore(validation.score)}`],
        [shorten(validation.feedback, LONGEST_FEEDBACK)],
        validation.type === "" ? [] : [code(validation.type)],
      ]);
    });
  if (rows.length === 0) return [];
  const heads = [["Task"], ["Grader"], ["Recorded"], ["Feedback"], ["Type"]];
  const title = `${count(rows.length, "validation recorded by waza", "validations recorded by waza")}, not in the score`;
  const body = [
    table("Validations recorded by waza", { heads }, rows.slice(0, page.most)),
    ...moreOf(rows.length - page.most, "validation", page),
  ];
  return isAlone ? [heading(title), ...body] : fold([title], body);
};
