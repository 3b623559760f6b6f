/** The report as one Markdown page within a budget of bytes. Pure. */
import type { Report } from "../domain.ts";
import { byteLength } from "./limits.ts";
import {
  erroredSection,
  failedSection,
  passedSection,
  recordedSection,
  skippedSection,
} from "./summary-grades.ts";
import { factsTable, headline, sourcesLine } from "./summary-head.ts";
import { noticesSection, problemsSection } from "./summary-problems.ts";
import { suiteTables } from "./summary-tables.ts";

/** A comment begins here: without what passed. */
const COMMENT_RUNG = 1;

type Section = (report: Report) => string;

const failedWith =
  (outputs: boolean, atMost = Infinity): Section =>
  (report) =>
    failedSection(report, { outputs, atMost });

/** How much of a report a page shows; each rung leaves out what the one before it could spare. */
const RUNGS: readonly { readonly leftOut?: string; readonly sections: readonly Section[] }[] = [
  {
    sections: [
      problemsSection,
      failedWith(true),
      erroredSection,
      skippedSection,
      suiteTables,
      passedSection,
      recordedSection,
      noticesSection,
    ],
  },
  {
    leftOut: "the passed grades, recorded validations and notices",
    sections: [problemsSection, failedWith(true), erroredSection, skippedSection, suiteTables],
  },
  {
    leftOut: "the passed grades, recorded validations, notices and the agent's outputs",
    sections: [problemsSection, failedWith(false), erroredSection, skippedSection, suiteTables],
  },
  {
    leftOut: "most failed grades, the passed ones, recorded validations, notices and the agent's outputs",
    sections: [problemsSection, failedWith(false, 20), erroredSection, skippedSection, suiteTables],
  },
  {
    leftOut: "the reasons of each grade, skipped grades, recorded validations and notices",
    sections: [problemsSection, erroredSection, suiteTables],
  },
  { leftOut: "everything but the counts", sections: [] },
];

/** Where a page stands decides how much of it is worth reading: a comment has no passed grades to begin with. */
type Place = "page" | "comment";

/** Renders the fullest page that fits in `maxBytes` of UTF-8, saying what it leaves out. */
export function renderSummary(report: Report, maxBytes: number, place: Place = "page"): string {
  const head = [headline(report), factsTable(report), sourcesLine(report)];
  const first = place === "comment" ? COMMENT_RUNG : 0;
  for (const [index, { leftOut, sections }] of RUNGS.entries()) {
    if (index < first) continue;
    const short = leftOut !== undefined && index > first;
    const note = short
      ? `> Left out to fit into this ${place}: ${leftOut}. The results file holds everything.`
      : "";
    const page = joined([...head, note, ...sections.map((section) => section(report))]);
    if (byteLength(page) <= maxBytes) return page;
  }
  return "The report does not fit into this page. The results file holds everything.\n";
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
