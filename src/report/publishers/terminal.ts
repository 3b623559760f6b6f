/** What failed and why, for the person at the command line. */
import { triggersSection } from "../sections/triggers.ts";
import { terminal } from "../document/terminal.ts";
import { type Drawing, drawingOn } from "../../text/format.ts";
import { BREAK, type Page, type Section, bold, line, name, note } from "../document/tree.ts";
import type { Report, Publisher } from "../report.ts";
import { advisorySection, agreementSection } from "../sections/comparison.ts";
import { liftSection } from "../sections/lift.ts";
import { doubtsSection, erroredSection, majoritySection, recordedSection } from "../sections/grades.ts";
import { agentParts, tookParts, whatNowSection } from "../sections/title-and-footer.ts";
import { checkList } from "../sections/grades.ts";
import { shownGrades } from "../shown-grade.ts";
import { whySection } from "../sections/why.ts";
import { allGrades } from "../../results/score.ts";

const PAGE: Page = {
  most: Infinity,
  each: false,
  answers: false,
  passed: false,
  reason: 4_000,
  medium: "terminal",
  published: {},
};

/** Grades of a first green that are shown with their reasons. */
const MOST_SHOWN = 5;

/** With nothing to compare with, what a judge found is new also where all passed. */
const firstGreen: Section = (report, page) => {
  const grades = allGrades(report);
  const isGreen = grades.every(({ state }) => state === "passed");
  if (report.comparison || !isGreen || grades.length > MOST_SHOWN) return [];
  return shownGrades(report).flatMap(({ label, checks }) => [
    line(bold(name(label))),
    ...checkList(checks, page),
  ]);
};

/** The log already has the problems and the number of passed grades. */
const SECTIONS: readonly Section[] = [
  firstGreen,
  whySection,
  erroredSection,
  whatNowSection,
  liftSection,
  doubtsSection,
  majoritySection,
  advisorySection,
  triggersSection,
  agreementSection,
  recordedSection,
  (report) => {
    if (allGrades(report).length === 0) return [];
    const byAgent = agentParts(report).join(" · ");
    return [note(tookParts(report).join(" · "), ...(byAgent === "" ? [] : [BREAK, `agent: ${byAgent}`]))];
  },
];

/** Writes why what failed did, and what else there is to know. */
export function terminalPublisher(write: (text: string) => void, out: NodeJS.WriteStream): Publisher {
  return {
    name: "terminal",
    publish: (report) => {
      const text = renderReport(report, drawingOn(out));
      if (text !== "") write(`\n${text}\n`);
      return Promise.resolve({});
    },
  };
}

/** The text, harmless to a terminal; empty when nothing was to be graded. Pure. */
export function renderReport(report: Report, drawing: Drawing): string {
  const parts = SECTIONS.map((section) => terminal(section(report, PAGE), drawing));
  return parts.filter((part) => part !== "").join("\n\n");
}
