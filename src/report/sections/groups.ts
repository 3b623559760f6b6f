/** What has no verdict, a paragraph for each cause; and verdicts that others recorded. */
import type { Verdict } from "../../domain/grade.ts";
import { causeText, count, filePart, formatScore, shorten } from "../../text/format.ts";
import { CHECK_SIGNS, SIGNS } from "../../text/states.ts";
import { bold, code, entry, fold, heading, line, link, list, name } from "../document/tree.ts";
import type { Block, Line } from "../document/tree.ts";
import { shownGrades } from "../shown-grade.ts";
import { moreOf } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Up to so many grades are named without a fold. */
const FEW = 3;
const NAMES_SHOWN = 10;
/** Maximum characters of a validation's feedback. */
const FEEDBACK = 200;

/** A cause, and the names of the grades that it left without a verdict. */
interface Cause {
  readonly text: Line;
  readonly name: string;
}

/** Errored grades by what went wrong, with what to do about it. */
export const erroredSection: Section = (report, page) => {
  const causes = shownGrades(report).flatMap((shown): Cause[] => {
    const { verdict } = shown.grade;
    if (verdict.state !== "errored") return [];
    const { checks = [], error } = verdict;
    const before = checks.length === 0 ? "" : ` (after ${count(checks.length, "passed check")}, not counted)`;
    return [{ text: errorText(verdict, page), name: `${shown.name}${filePart(error)}${before}` }];
  });
  return grouped(
    { title: "Errored: no verdict, and left out of the score", sign: SIGNS.errored },
    causes,
    page,
  );
};

function errorText({ error }: Extract<Verdict, { state: "errored" }>, { reason }: Page): Line {
  const help = error.help === undefined ? [] : [" ", bold("What to do:"), ` ${error.help}`];
  return [bold(error.class), `: ${shorten(causeText(error), reason)}`, ...help];
}

/** Skipped grades by reason; those of missing runs have a section of their own, and a dry run skips all. */
export const skippedSection: Section = (report, page) => {
  // The comment on a fork's pull request has only the reason why it is not graded.
  const isBrief = !page.passed && !page.each;
  const causes = shownGrades(report).flatMap((shown): Cause[] => {
    const { verdict } = shown.grade;
    if (verdict.state !== "skipped" || verdict.cause === "missing" || verdict.cause === "dry-run") return [];
    if (isBrief && verdict.cause !== "no-key") return [];
    const reason = shorten(verdict.reason, page.reason);
    // The words are ours alone, and so is the address in them.
    const parts = verdict.cause === "no-key" ? reason.split(/`(https?:[^`]+)`/) : [reason];
    const text = parts.flatMap((part, index) => (index % 2 === 0 ? [part] : link([code(part)], part)));
    return [{ text, name: shown.name }];
  });
  return grouped({ title: "Skipped", sign: SIGNS.skipped }, causes, page);
};

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
    ...listedGroups.flatMap((own) => {
      const names = list(
        own.map((one): Line => [name(one.name)]),
        NAMES_SHOWN,
      );
      const many =
        own.length <= FEW || page.medium === "terminal" ? names : fold([count(own.length, "grade")], names);
      return [entry([`${sign} `, ...(own[0]?.text ?? [])], many)];
    }),
    ...moreOf(groups.length - listedGroups.length, "cause", page),
  ];
}

/** Verdicts recorded in the results by other tools, which are no part of the score. */
export const recordedSection: Section = (report, page) => {
  if (!page.passed) return [];
  const byRun = Map.groupBy(shownGrades(report), ({ grade }) => grade.job.run);
  const rows = [...byRun].flatMap(([run, shown]) => {
    const ours = new Set(shown.map(({ grade }) => grade.job.grader.name));
    const others = run?.recorded.filter((validation) => !ours.has(validation.name)) ?? [];
    return others.map((validation): Line[] => [
      [name(shown[0]?.label ?? "")],
      [name(validation.name)],
      [`${CHECK_SIGNS[validation.passed ? "pass" : "fail"]} ${formatScore(validation.score)}`],
      [shorten(validation.feedback, FEEDBACK)],
      validation.type === "" ? [] : [code(validation.type)],
    ]);
  });
  if (rows.length === 0) return [];
  const heads = ["Task", "Grader", "Recorded", "Feedback", "Type"];
  return fold(
    [
      `${count(rows.length, "validation recorded by waza", "validations recorded by waza")}, not in the score`,
    ],
    [
      line("Verdicts of other types of graders, recorded in the results. They are not in the score."),
      {
        kind: "table",
        heads: heads.map((head) => [head]),
        align: heads.map(() => "left"),
        rows: rows.slice(0, page.most),
      },
      ...moreOf(rows.length - page.most, "validation", page),
    ],
  );
};
