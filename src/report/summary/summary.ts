/** The report as one Markdown page within a budget of bytes. Pure. */
import type { Report } from "../../domain.ts";
import { byteLength } from "../limits.ts";
import type { Published } from "../sink.ts";
import { advisorySection } from "./advisory.ts";
import { agreementSection } from "./agreement.ts";
import { comparisonLine, comparisonSection } from "./comparison.ts";
import { estimateSection, plannedSection } from "./estimate.ts";
import { failedSection } from "./failures.ts";
import { foot } from "./foot.ts";
import { doubtsSection, passedSection } from "./grades.ts";
import { erroredSection, recordedSection, skippedSection } from "./groups.ts";
import { barLine, headline } from "./head.ts";
import { howSureLine } from "./how-sure.ts";
import { noticesSection, problemsSection, runProblemsSection, warningsSection } from "./problems.ts";
import { joined } from "./section.ts";
import type { Detail, Page, Place, Section } from "./section.ts";
import { suiteTables } from "./tables.ts";

/** What kept the judge from judging comes before the tables where it decided: then it is why it is red. */
const firstErrored: Section = (report, page) =>
  report.conclusion.rule === "errored" ? erroredSection(report, page) : "";
const thenErrored: Section = (report, page) =>
  report.conclusion.rule === "errored" ? "" : erroredSection(report, page);

/** The head of every page, however little room there is. */
const HEAD: readonly Section[] = [headline, barLine, howSureLine, comparisonLine, estimateSection];

/** The sections of a page in their order; one that has nothing to say is empty, and a dry run has no verdicts to tell. */
const SECTIONS: readonly Section[] = [
  problemsSection,
  runProblemsSection,
  plannedSection,
  firstErrored,
  (report, page) => (report.estimate ? "" : suiteTables(report, page)),
  failedSection,
  thenErrored,
  comparisonSection,
  agreementSection,
  advisorySection,
  skippedSection,
  doubtsSection,
  warningsSection,
  passedSection,
  recordedSection,
  noticesSection,
];

interface Rung extends Detail {
  /** What it leaves out. */
  readonly leftOut?: string | undefined;
}

/** More of a kind than this nobody reads on one page. */
const MOST = 500;

const WHOLE: Rung = { most: MOST, each: true, answers: true, passed: true, reason: 2_000 };

/** How much of a report a page tells; each rung leaves out what the one before it could spare. */
const RUNGS: readonly Rung[] = [
  WHOLE,
  { ...WHOLE, passed: false, leftOut: "the passed grades, recorded validations and notices" },
  {
    ...WHOLE,
    passed: false,
    answers: false,
    leftOut: "the passed grades, recorded validations, notices and the agent's outputs",
  },
  {
    most: 100,
    each: false,
    answers: false,
    passed: false,
    reason: 600,
    leftOut:
      "the failed grades one by one, the ends of long reasons, the passed and skipped grades, recorded validations, notices and the agent's outputs",
  },
  {
    most: 10,
    each: false,
    answers: false,
    passed: false,
    reason: 200,
    leftOut:
      "most of what failed, the ends of long reasons, doubts, the passed and skipped grades, recorded validations, notices and the agent's outputs",
  },
];

/** A comment is read among others: ten failures at most, and nothing that passed. */
const COMMENTED: Rung = { ...WHOLE, most: 10, each: false, passed: false, reason: 1_000 };
const COMMENT: readonly Rung[] = [
  COMMENTED,
  {
    ...COMMENTED,
    answers: false,
    leftOut: "what was asked and answered",
  },
  ...RUNGS.slice(-1),
];

export interface SummaryOptions {
  readonly place?: Place | undefined;
  /** What was published before, to be linked. */
  readonly published?: Published | undefined;
}

/** Renders the fullest page that fits in `maxBytes` of UTF-8, saying what it leaves out. */
export function renderSummary(report: Report, maxBytes: number, options: SummaryOptions = {}): string {
  const { place = "page", published = {} } = options;
  const pageOf = (rung: Rung): Page => ({ ...rung, place, published, room: maxBytes });
  const head = joined(HEAD.map((section) => section(report, pageOf(WHOLE))));
  const render = (rung: Rung, sections: readonly Section[]) => {
    const page = pageOf(rung);
    const all = [() => head, () => noteOf(rung, report, place), ...sections, foot];
    return within(maxBytes, all, (section) => section(report, page));
  };
  for (const rung of place === "comment" ? COMMENT : RUNGS) {
    const text = render(rung, SECTIONS);
    if (text !== undefined) return text;
  }
  const bare = { ...(RUNGS.at(-1) ?? WHOLE), leftOut: "everything but the counts" };
  return render(bare, []) ?? `The report does not fit into this page. ${wholeIn(report)}\n`;
}

/** The sections as one text; nothing where they are too long, and then no more of them are made than show it. */
function within(
  maxBytes: number,
  sections: readonly Section[],
  make: (section: Section) => string,
): string | undefined {
  let text = "";
  for (const section of sections) {
    text = joined([text, make(section)]);
    if (byteLength(text) >= maxBytes) return undefined;
  }
  return `${text}\n`;
}

function noteOf({ leftOut }: Rung, report: Report, place: Place): string {
  if (leftOut === undefined) return "";
  return `> Left out to fit into this ${place === "comment" ? "comment" : "page"}: ${leftOut}. ${wholeIn(report)}`;
}

function wholeIn({ htmlFile }: Report): string {
  return htmlFile === undefined
    ? "The results file holds everything."
    : "The HTML report and the results file hold everything.";
}
