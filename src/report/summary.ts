/** The report as one Markdown page within a budget of bytes. Pure. */
import type { Report } from "./report.ts";
import type { Published } from "./sink.ts";
import { advisorySection } from "./sections/advisory.ts";
import { agreementSection } from "./sections/agreement.ts";
import { comparisonLine, comparisonSection } from "./sections/comparison.ts";
import { estimateSection, plannedSection } from "./sections/estimate.ts";
import { failedSection } from "./sections/failures.ts";
import { foot } from "./sections/foot.ts";
import { doubtsSection, majoritySection, opinionsSection, passedSection } from "./sections/grades.ts";
import { liftSection } from "./sections/lift.ts";
import { erroredSection, recordedSection, skippedSection } from "./sections/groups.ts";
import { barSection, headline, verdictLine } from "./sections/head.ts";
import { howSureSection } from "./sections/how-sure.ts";
import { noticesSection, problemsSection, runProblemsSection, warningsSection } from "./sections/problems.ts";
import { markdown, markdownLine } from "./document/markdown.ts";
import type { Block } from "./document/tree.ts";
import type { Detail, Page, Medium, Section } from "./sections/section.ts";
import { areLong, suiteTables } from "./sections/tables.ts";

/** A section where something holds of the report. */
const where =
  (holds: (report: Report) => boolean, section: Section): Section =>
  (report, page) =>
    holds(report) ? section(report, page) : [];

/** What kept the judge from judging comes before the tables where it decided: then it is why it is red. */
const isErrored = ({ conclusion }: Report) => conclusion.rule === "errored";

/** Where the judge is being checked, its disagreements with people come before what it failed. */
const isJudgeChecked = ({ policy }: Report) => policy.minAgreement !== undefined;

/** Without a key nothing was graded: a table would hold dashes alone. */
const isWithoutKey = ({ scores: { grades } }: Report) =>
  grades.length > 0 &&
  grades.every(({ verdict }) => verdict.state === "skipped" && verdict.cause === "no-key");

/** The tables, and how sure they are; a dry run has neither. */
const figures: Section = (report, page) =>
  report.estimate || isWithoutKey(report)
    ? []
    : [...suiteTables(report, page), ...howSureSection(report, page)];

/** The head of every page, however little room there is. */
const HEAD: readonly Section[] = [barSection, comparisonLine, estimateSection];

/** The sections of a page in their order; one that has nothing to say is empty, and a dry run has no verdicts to tell. */
const SECTIONS: readonly Section[] = [
  verdictLine,
  problemsSection,
  runProblemsSection,
  plannedSection,
  where(isErrored, erroredSection),
  where(isJudgeChecked, agreementSection),
  where((report) => !areLong(report), figures),
  failedSection,
  where(areLong, figures),
  where((report) => !isErrored(report), erroredSection),
  comparisonSection,
  liftSection,
  where((report) => !isJudgeChecked(report), agreementSection),
  advisorySection,
  skippedSection,
  doubtsSection,
  majoritySection,
  opinionsSection,
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

/** The least that a page tells of a report. */
const BRIEFEST: Rung = {
  most: 10,
  each: false,
  answers: false,
  passed: false,
  reason: 200,
  leftOut:
    "most of what failed, the ends of long reasons, doubts, the passed and skipped grades, recorded validations, notices and the agent's outputs",
};

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
  BRIEFEST,
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
  BRIEFEST,
];

export interface SummaryOptions {
  readonly place?: Medium | undefined;
  /** What was published before, to be linked. */
  readonly published?: Published | undefined;
}

/** Renders the fullest page that fits in `maxBytes` of UTF-8, saying what it leaves out. */
export function renderSummary(report: Report, maxBytes: number, options: SummaryOptions = {}): string {
  const { place = "page", published = {} } = options;
  const title = place === "check" ? "" : `## ${markdownLine(headline(report))}\n\n`;
  const render = (rung: Rung, sections: readonly Section[]) => {
    const texts: string[] = [];
    // The first has no empty line before it.
    let left = maxBytes - Buffer.byteLength(title) - 1 + 2;
    for (const section of [...HEAD, noteOf(rung), ...sections, foot]) {
      const text = markdown(section(report, { ...rung, place, published }), left);
      if (text === "") continue;
      texts.push(text);
      left -= Buffer.byteLength(text) + 2;
      if (left < 0) return undefined;
    }
    return `${title}${texts.join("\n\n")}\n`;
  };
  for (const rung of place === "comment" ? COMMENT : RUNGS) {
    const text = render(rung, SECTIONS);
    if (text !== undefined) return text;
  }
  const bare = { ...BRIEFEST, leftOut: "everything but the counts" };
  return render(bare, []) ?? `The report does not fit into this page. ${wholeIn(report)}\n`;
}

/** A page of its own, with all there is to tell. */
export function wholePage(published: Published, addressOf: Page["addressOf"]): Page {
  return { ...WHOLE, most: Infinity, reason: Infinity, place: "file", published, addressOf };
}

/** What such a page says before its grades. */
export function fileSections(report: Report, page: Page): Record<"head" | "sections", readonly Block[]> {
  const of = (sections: readonly Section[]) => sections.flatMap((section) => section(report, page));
  return { head: of(HEAD), sections: of(SECTIONS) };
}

const noteOf =
  ({ leftOut }: Rung): Section =>
  (report, { place }) =>
    leftOut === undefined
      ? []
      : [
          {
            kind: "quote",
            line: [
              `Left out to fit into this ${place === "comment" ? "comment" : "page"}: ${leftOut}. ${wholeIn(report)}`,
            ],
          },
        ];

function wholeIn({ htmlFile }: Report): string {
  return htmlFile === undefined
    ? "The results file holds everything."
    : "The HTML report and the results file hold everything.";
}
