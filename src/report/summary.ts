/** The report as one Markdown page within a budget of bytes. Pure. */
import type { Report } from "../domain.ts";
import { byteLength, cutBytes } from "./limits.ts";
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

/** How much of a report a page shows; each rung leaves out what the one before it could spare. */
interface Rung {
  readonly leftOut?: string;
  readonly sections: (report: Report) => readonly string[];
}

const RUNGS: readonly Rung[] = [
  {
    sections: (report) => [
      problemsSection(report),
      failedSection(report, { outputs: true }),
      erroredSection(report),
      skippedSection(report),
      suiteTables(report),
      passedSection(report),
      recordedSection(report),
      noticesSection(report),
    ],
  },
  {
    leftOut: "the passed grades, recorded validations and notices",
    sections: (report) => [
      problemsSection(report),
      failedSection(report, { outputs: true }),
      erroredSection(report),
      skippedSection(report),
      suiteTables(report),
    ],
  },
  {
    leftOut: "the passed grades, recorded validations, notices and the agent's outputs",
    sections: (report) => [
      problemsSection(report),
      failedSection(report, { outputs: false }),
      erroredSection(report),
      skippedSection(report),
      suiteTables(report),
    ],
  },
  {
    leftOut: "the reasons of each grade, skipped grades, recorded validations and notices",
    sections: (report) => [problemsSection(report), erroredSection(report), suiteTables(report)],
  },
  { leftOut: "everything but the counts", sections: () => [] },
];

/** Renders the fullest page that fits in `maxBytes` of UTF-8, saying what it leaves out. */
export function renderSummary(report: Report, maxBytes: number): string {
  const head = [headline(report), factsTable(report), sourcesLine(report)];
  for (const { leftOut, sections } of RUNGS) {
    const note =
      leftOut === undefined
        ? ""
        : `> Left out to fit into this page: ${leftOut}. The results file holds everything.`;
    const page = joined([...head, note, ...sections(report)]);
    if (byteLength(page) <= maxBytes) return page;
  }
  return cutBytes(joined(head), maxBytes);
}

function joined(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
