/** What has no verdict, a paragraph for each cause; and verdicts that others recorded. */
import type { Grade, Verdict } from "../../domain.ts";
import { causeText, count, filePart, formatScore, shorten } from "../../format.ts";
import { isMissedGolden } from "../../gate/missed-goldens.ts";
import { CHECK_SIGNS, SIGNS } from "../../states.ts";
import { markdownCode, markdownProse, markdownText } from "../neutralise.ts";
import { shownGrades } from "./names.ts";
import { details, joined, moreText } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Up to so many grades are named without a fold. */
const FEW = 3;
/** Characters of a name: of a grader, a task, a suite. */
const NAME = 100;
const NAMES_SHOWN = 10;
/** Characters of what a validation says. */
const FEEDBACK = 200;

/** Errored grades by what went wrong, with what to do about it; a judge that missed a golden is told of above. */
export const erroredSection: Section = (report, page) => {
  const groups = new Map<string, string[]>();
  for (const { grade, label } of shownGrades(report)) {
    if (grade.verdict.state !== "errored" || isMissedGolden(grade.verdict.error)) continue;
    const { checks = [], error } = grade.verdict;
    const before = checks.length === 0 ? "" : ` (after ${count(checks.length, "passed check")}, not counted)`;
    addTo(groups, errorText(grade.verdict, page), `${nameOf(grade)} · ${label}${filePart(error)}${before}`);
  }
  if (groups.size === 0) return "";
  return joined([
    "### Errored: no verdict, and left out of the score",
    ...blocks(SIGNS.errored, groups, page),
  ]);
};

function errorText({ error }: Extract<Verdict, { state: "errored" }>, { reason }: Page): string {
  const help = error.help === undefined ? "" : ` **What to do:** ${markdownProse(error.help)}`;
  const message = shorten(causeText(error), reason);
  return `**${error.class}**: ${markdownProse(message)}${help}`;
}

/** Skipped grades by reason; those of missing runs have a section of their own, and a dry run skips all. */
export const skippedSection: Section = (report, page) => {
  if (!page.passed && !page.each) return "";
  const groups = new Map<string, string[]>();
  for (const { grade, label } of shownGrades(report)) {
    const { verdict } = grade;
    if (verdict.state !== "skipped" || verdict.cause === "missing" || verdict.cause === "dry-run") continue;
    const reason = markdownProse(shorten(verdict.reason, page.reason));
    // The words are ours alone, and so is the address in them.
    const text = verdict.cause === "no-key" ? reason.replace(/`(https?:[^`]+)`/, "<$1>") : reason;
    addTo(groups, text, `${nameOf(grade)} · ${label}`);
  }
  if (groups.size === 0) return "";
  return joined(["### Skipped", ...blocks(SIGNS.skipped, groups, page)]);
};

function nameOf({ job }: Grade): string {
  return job.grader.name;
}

function addTo(groups: Map<string, string[]>, text: string, name: string): void {
  const names = groups.get(text);
  if (names) names.push(name);
  else groups.set(text, [name]);
}

/** The causes that most grades share first. */
function blocks(sign: string, groups: ReadonlyMap<string, readonly string[]>, page: Page): string[] {
  const causes = [...groups].sort(([, one], [, other]) => other.length - one.length);
  const shown = causes.slice(0, page.most).map((cause) => groupBlock(sign, cause));
  return [...shown, moreText(causes.length - shown.length, "more cause", page)];
}

function groupBlock(sign: string, [text, names]: readonly [string, readonly string[]]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `- ${markdownText(shorten(name, NAME))}`);
  if (names.length > NAMES_SHOWN) shown.push(`- … and ${String(names.length - NAMES_SHOWN)} more`);
  const list = shown.join("\n");
  return joined([
    `${sign} ${text}`,
    names.length <= FEW ? list : details(count(names.length, "grade"), list),
  ]);
}

/** Verdicts that stood in the results before us, for what they are: recorded, and no part of the score. */
export const recordedSection: Section = ({ scores }, page) => {
  if (!page.passed) return "";
  const rows = scores.suites.flatMap(({ tasks }) =>
    tasks.flatMap(({ taskId, runs }) =>
      runs.flatMap((run) => {
        const ours = new Set(run.grades.map(({ job }) => job.grader.name));
        return run.recorded
          .filter(({ name }) => !ours.has(name))
          .map(({ name, type, passed, score, feedback }) =>
            [
              `${markdownCode(taskId)}${runs.length > 1 ? ` run ${String(run.number)}` : ""}`,
              markdownText(shorten(name, NAME)),
              type === "" ? "" : markdownCode(type),
              `${CHECK_SIGNS[passed ? "pass" : "fail"]} ${formatScore(score)}`,
              markdownProse(shorten(feedback, FEEDBACK)),
            ].join(" | "),
          );
      }),
    ),
  );
  if (rows.length === 0) return "";
  const table = [
    "| Task | Grader | Type | Recorded | Feedback |",
    "|:--|:--|:--|:--|:--|",
    ...rows.slice(0, page.most).map((row) => `| ${row} |`),
  ];
  const more = moreText(Math.max(0, rows.length - page.most), "more validation", page);
  const intro =
    "These stood in the results already, from graders of other types. They are shown as recorded and take no part in the score.";
  return details(
    `${count(rows.length, "validation recorded by waza", "validations recorded by waza")}, no part of the score`,
    joined([intro, table.join("\n"), more]),
  );
};
