/** What to do next, in one line under a title that is red or undecided; errored pages have their own remedies. Pure. */
import { failedBeside, goneSuites, newlyFailing, stillFailing } from "../../decide/compare.ts";
import { nameOf, newBaseline } from "../../decide/pairs.ts";
import { queriesOf } from "../../decide/triggers.ts";
import { ACCEPT_LABEL, type Conclusion } from "../../domain/grade.ts";
import { isChecked } from "../../domain/row.ts";
import { AGAIN_LIST } from "../../domain/run.ts";
import { type Line, type Section, bold, docsLink, line, name, several } from "../document/tree.ts";
import type { Report } from "../report.ts";
import { isByTriggers } from "./triggers.ts";

/** Empty where the page says what to do at its problems or errors. */
export const whatNowSection: Section = (report) => {
  const failed = failedOf(report);
  // Where no agent got to work, or no judge said a thing, the remedy is in the section of that.
  const isSaid = failed.length > 0 && !failed.some(isChecked);
  const parts = isSaid ? [] : (ADVICE[report.conclusion.rule]?.(report) ?? []);
  return parts.length === 0 ? [] : [line(bold("What now:"), ...parts.flatMap((part) => [" ", ...part]))];
};

function failedOf({ scores: { grades } }: Report): Report["scores"]["grades"] {
  return grades.filter(({ state }) => state === "failed");
}

const ADVICE: Partial<Record<Conclusion["rule"], (report: Report) => readonly Line[]>> = {
  regression: afterRegression,
  golden: (report) =>
    failedOf(report).length > 0
      ? [
          fix(report),
          judgeWrong(report),
          ["Is it meant? Change the golden task in a pull request of its own."],
        ]
      : [["Put it back, or retire it in a pull request of its own."]],
  "failed-grade": (report) => [fix(report), judgeWrong(report)],
  "min-score": (report) => [fix(report), judgeWrong(report)],
  "min-agreement": (report) => [
    ["Where people and judge disagree, below, settle it in the criterion, or choose another judge."],
    page(report, "labels.md", "How"),
  ],
  "second-look": () => [["Nothing: the result of all runs takes the place of this page."]],
  accepted: ({ comparison, accepted }) => [
    [
      `Nothing: ${accepted.length > 0 ? "" : "once it is merged, "}older results of ${nameOf(comparison?.source ?? {})} count no more for what fell.`,
    ],
  ],
  "not-compared": afterNotCompared,
  passed: undecided,
};

function afterRegression(report: Report): readonly Line[] {
  const { comparison } = report;
  const failed = failedOf(report);
  if (!comparison || comparison.source.absent !== undefined) return [fix(report), judgeWrong(report)];
  const isGone = goneSuites(comparison).length > 0 || report.scores.counts.planned === 0;
  const back: Line[] = isGone
    ? [
        [
          `Put the evals back. Are they retired? Then remove their skill, too, or ${newBaseline(comparison.source)}.`,
        ],
      ]
    : [];
  const mend = isByTriggers(report) ? describeTriggers(report) : fix(report);
  if (failed.length === 0) return [...(back.length > 0 ? back : [mend]), isMeant(report)];
  return [fix(report), ...back, judgeWrong(report), isMeant(report)];
}

/** On GitHub a push starts it again. */
function fix({ origin }: Report): Line {
  return [origin?.run === undefined ? "Fix it." : "Fix it and push."];
}

/** Where skills are loaded or not by their description. */
function describeTriggers({ triggers }: Report): Line {
  const wrong = queriesOf(triggers).filter(({ isRight }) => isRight === false);
  const skills = [...new Set(wrong.map(({ suite }) => suite))].map((skill): Line => [bold(name(skill))]);
  return [
    "Let the `description` in SKILL.md of ",
    ...several(skills),
    " say when to load it and when not, and push.",
  ];
}

/** Characters of a check in the line on the judge. */
const LONGEST_CHECK = 120;

/** What overrules a judge that is wrong, the lasting remedy first; how to measure it is behind the question. */
function judgeWrong(report: Report): Line {
  const first = failedOf(report).find(isChecked);
  const check = first?.checks.find(({ outcome }) => outcome === "fail");
  const words = check?.description ?? check?.reason;
  const question = docsLink(["Is the judge wrong?"], "labels.md", report);
  if (first === undefined) return question;
  const { statement } = check ?? {};
  const where = statement === undefined ? "the prompt of " : `statement ${String(statement)} of `;
  return [
    ...question,
    ` Say in ${where}`,
    bold(name(first.grader)),
    " what decides",
    ...(words === undefined ? [] : [" about “", name(words, LONGEST_CHECK), "”"]),
    ", make that grader `advisory`, or let a second judge confirm (`confirm-model`).",
  ];
}

/** How a drop that is meant gets past a required check. */
function isMeant(report: Report): Line {
  const { source } = report.comparison ?? {};
  const main = nameOf(source ?? {});
  if (report.origin?.run === undefined)
    return page(
      report,
      "baseline.md",
      `Is it meant? Then grade ${main} with \`--accepted\` once it is merged`,
    );
  const isMerged = source?.isOwn === true || report.origin.branch !== undefined;
  const label = `Someone with write access gives ${isMerged ? "its pull request " : ""}the label \`${ACCEPT_LABEL}\` and re-runs the failed jobs`;
  return page(report, "gate.md#a-drop-that-is-meant", `Is it meant? ${label}`);
}

function afterNotCompared(report: Report): readonly Line[] {
  const { comparison, scores, origin } = report;
  if (comparison?.source.absent === "not-found") {
    if (origin?.branch !== undefined) return [["Nothing: what comes after this push is compared with it."]];
    return [
      ["The next push to the default branch is graded, and later pull requests are compared with that."],
      ...(scores.counts.failed > 0 ? [["What fails here fails there too, if it is merged."]] : []),
    ];
  }
  if (comparison === undefined || comparison.source.absent !== undefined) return [];
  if (comparison.source.isOwn === true) return [["Nothing: what comes after this push is compared with it."]];
  const after = `after the next push to ${nameOf(comparison.source)}`;
  return comparison.notComparable.some(({ excused }) => excused !== undefined)
    ? [
        page(
          report,
          "baseline.md",
          `Have the kept answers of ${nameOf(comparison.source)} judged in this way, too`,
        ),
        [`Or merge: ${after} pages compare again.`],
      ]
    : [[`Nothing has to be done: it is compared ${after}.`]];
}

/** A green page on which something failed, or passed with a doubt. */
function undecided(report: Report): readonly Line[] {
  const { comparison, scores, policy } = report;
  const failed = failedOf(report);
  if (failed.length === 0) {
    const doubts = scores.grades.filter(
      ({ state, incomplete, doubt }) => state === "passed" && (incomplete ?? doubt) !== undefined,
    );
    return doubts.length === 0 ? [] : [["Read the passes with a doubt, below."]];
  }
  const isRepeated = failed.every(({ hasLaterAttempt }) => hasLaterAttempt);
  if (policy.failOn === "fail" && isRepeated) return [];
  if (policy.failOn !== "regression" || !comparison) return [judgeWrong(report)];
  const main = nameOf(comparison.source);
  if (newlyFailing(comparison).length > 0)
    return [
      ["Read the reasons: chance may explain it, or this change."],
      ...againAtDesk(report),
      judgeWrong(report),
    ];
  if (failedBeside(comparison).fresh.length > 0)
    return [
      [`Nothing has to be done: what ${main} does not have yet counts once it does.`],
      judgeWrong(report),
    ];
  if (comparison.source.again?.size)
    return [["Nothing has to be done. A task that drops often is worth a look."]];
  const always = stillFailing(comparison).every(({ baseline }) => baseline.passes === 0);
  return [[`Nothing has to be done here: ${main} fails ${always ? "as well" : "at times, too"}.`]];
}

/** At the command line, where no check can wait: how what dropped runs again. */
function againAtDesk({ again, origin }: Report): readonly Line[] {
  if (origin?.run !== undefined || again === undefined) return [];
  return [
    [
      `More runs tell: grade with \`--output-file record.json\`, then run what \`${AGAIN_LIST}\` beside it asks for, by \`waza-grade run --plan ${AGAIN_LIST}\`, and grade again.`,
    ],
  ];
}

/** A sentence that leads to a page of the docs. */
function page(report: Report, file: string, text: string): Line {
  return [...docsLink([text], file, report), "."];
}
