/** What to do next, in one line under a title that is red or undecided; errored pages have their own remedies. Pure. */
import { failedBeside } from "../../decide/compare.ts";
import { isOfSameWork } from "../../decide/comparison-text.ts";
import { nameOf } from "../../decide/pairs.ts";
import type { Conclusion } from "../../domain/grade.ts";
import { isDead } from "../../domain/row.ts";
import { type Line, type Section, bold, line, link } from "../document/tree.ts";
import type { Report } from "../report.ts";

/** Empty where the page says what to do at its problems or errors. */
export const whatNowSection: Section = (report) => {
  // Where no agent got to work the remedy is in the section of that.
  const isDeadAll = report.scores.grades.filter(({ state }) => state === "failed").every(isDead);
  const advise = isDeadAll && report.scores.counts.failed > 0 ? undefined : ADVICE[report.conclusion.rule];
  const parts = advise?.(report) ?? [];
  return parts.length === 0 ? [] : [line(bold("What now:"), ...parts.flatMap((part) => [" ", ...part]))];
};

type Advice = (report: Report) => readonly Line[];

/** On GitHub a push starts it again. */
function fix({ comparison, origin }: Report): Line {
  if (comparison && isOfSameWork(comparison)) return ["Ask the judge twice more, by `confirm-on-fail: 2`."];
  return [origin?.run === undefined ? "Fix it." : "Fix it and push."];
}

const ADVICE: Partial<Record<Conclusion["rule"], Advice>> = {
  regression: (report) => [fix(report), judgeWrong(report), isMeant(report)],
  golden: (report) => [
    fix(report),
    judgeWrong(report),
    ["Is it meant? Change the golden task in a pull request of its own."],
  ],
  "failed-grade": (report) => [fix(report), judgeWrong(report), ...fromNextPush(report)],
  "min-score": (report) => [fix(report), judgeWrong(report)],
  "min-agreement": (report) => [
    ["Where people and judge disagree, below, settle it in the criterion, or choose another judge."],
    page(report, "labels.md", "How"),
  ],
  "second-look": () => [["Nothing: the result of all runs takes the place of this page."]],
  "not-compared": notCompared,
  passed: undecided,
};

function judgeWrong(report: Report): Line {
  return page(report, "labels.md", "Is the judge wrong? Label it");
}

function isMeant(report: Report): Line {
  const main = nameOf(report.comparison?.source ?? {});
  return page(report, "baseline.md", `Is it meant? Then ${main} follows once it is merged`);
}

/** A first red page cannot say whether the change is to blame. */
function fromNextPush({ comparison }: Report): readonly Line[] {
  return comparison?.source.absent === undefined
    ? []
    : [["From the next push to the default branch on, pages like this one compare with it."]];
}

function notCompared(report: Report): readonly Line[] {
  const { comparison, scores } = report;
  if (comparison?.source.absent === "not-found")
    return [
      ["The next push to the default branch is graded, and later pull requests are compared with that."],
      ...(scores.counts.failed > 0 ? [["What fails here fails there too, if it is merged."]] : []),
    ];
  if (comparison?.notComparable.some(({ excused }) => excused !== undefined))
    return [
      page(report, "baseline.md", "Have this judge judge the kept answers, too"),
      [`Or merge: after the next push to ${nameOf(comparison.source)} pages compare again.`],
    ];
  return [];
}

/** A green page on which something failed, or passed with a doubt. */
function undecided(report: Report): readonly Line[] {
  const { comparison, scores, policy } = report;
  if (scores.counts.failed === 0) {
    const doubts = scores.grades.filter(
      ({ state, incomplete, doubt }) => state === "passed" && (incomplete ?? doubt) !== undefined,
    );
    return doubts.length === 0 ? [] : [["Read the passes with a doubt, below."]];
  }
  if (policy.failOn !== "regression" || !comparison) return [judgeWrong(report)];
  const main = nameOf(comparison.source);
  const isNew = comparison.pairs.some(({ change }) => change === "newly-failing");
  const isFresh = failedBeside(comparison).fresh.length > 0;
  if (isNew || isFresh) {
    const why = isNew ? "chance may explain it" : `what fails is new, or fails on ${main} as well`;
    return [[`Nothing has to be done: ${why}. Read the reasons all the same.`], judgeWrong(report)];
  }
  return [[`Nothing has to be done here: ${main} fails as well.`]];
}

/** A sentence that leads to a page of the docs. */
function page({ docs }: Pick<Report, "docs">, file: string, text: string): Line {
  return [...link([text], docs && `${docs}/${file}`), "."];
}
