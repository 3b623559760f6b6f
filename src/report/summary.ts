/** The report as one Markdown page within a budget of bytes. Pure. */
import type { Report, Published } from "./report.ts";
import {
  advisorySection,
  agreementSection,
  comparisonLine,
  comparisonSection,
} from "./sections/comparison.ts";
import { liftSection } from "./sections/lift.ts";
import {
  doubtsSection,
  majoritySection,
  passedSection,
  erroredSection,
  recordedSection,
  skippedSection,
} from "./sections/grades.ts";
import {
  blameSection,
  estimateSection,
  footer,
  verdictSection,
  whatNowSection,
  headline,
  noticesSection,
  problemsSection,
  runProblemsSection,
  warningsSection,
} from "./sections/title-and-footer.ts";
import { triggersSection } from "./sections/triggers.ts";
import { taskTable } from "./sections/tasks.ts";
import { whySection } from "./sections/why.ts";
import { reproduceSection } from "./sections/reproduce.ts";
import { markdown, markdownLine } from "./document/markdown.ts";
import { type Block, type Detail, type Page, type Section, line } from "./document/tree.ts";

/** Maximum entries per section. */
const MOST_ENTRIES = 500;

/** The header of every page, at every detail level. */
const HEADER: readonly Section[] = [
  verdictSection,
  blameSection,
  whatNowSection,
  comparisonLine,
  estimateSection,
];

/** The sections of a page in order, those that decided before the table. Those without content are left out. */
function sectionsOf({ conclusion, policy, estimate, scores: { grades } }: Report): readonly Section[] {
  // Nothing was judged that a table could show; without a key every cell would be a dash.
  const isWithoutKey = grades.length > 0 && grades.every(({ state }) => state === "no-key");
  return [
    ...new Set([
      problemsSection,
      runProblemsSection,
      ...(conclusion.rule === "errored" ? [erroredSection] : []),
      ...(policy.minAgreement === undefined ? [] : [agreementSection]),
      ...(conclusion.isOfTriggers ? [triggersSection] : []),
      ...(estimate || isWithoutKey ? [] : [taskTable]),
      whySection,
      reproduceSection,
      erroredSection,
      comparisonSection,
      liftSection,
      agreementSection,
      advisorySection,
      triggersSection,
      skippedSection,
      doubtsSection,
      majoritySection,
      warningsSection,
      passedSection,
      recordedSection,
      noticesSection,
    ]),
  ];
}

const WHOLE: Detail = { most: MOST_ENTRIES, each: true, answers: true, passed: true, reason: 2_000 };

/** The lowest detail level. */
const BRIEFEST: Detail = { most: 10, each: false, answers: false, passed: false, reason: 200 };

/** Detail levels, most detailed first. The first one that fits the size limit is used. */
const LEVELS: readonly Detail[] = [
  WHOLE,
  { ...WHOLE, passed: false },
  { ...WHOLE, passed: false, answers: false },
  { ...BRIEFEST, most: 100, reason: 600 },
  BRIEFEST,
];

/** The highest detail level of a comment: short, since a pull request has other comments, too. */
const WHOLE_COMMENT: Detail = { ...WHOLE, most: 10, each: false, passed: false, reason: 1_000 };
const COMMENT_LEVELS: readonly Detail[] = [WHOLE_COMMENT, { ...WHOLE_COMMENT, answers: false }, BRIEFEST];

/** Renders the most detailed page that fits in `maxBytes` of UTF-8, with a note of what is left out. */
export function renderSummary(
  report: Report,
  maxBytes: number,
  { medium = "page", published = {} }: Partial<Pick<Page, "medium" | "published">> = {},
): string {
  const title = medium === "check" ? "" : `## ${markdownLine(headline(report))}\n\n`;
  const levels = medium === "comment" ? COMMENT_LEVELS : LEVELS;
  const render = (level: Detail, sections: readonly Section[]) => {
    const texts: string[] = [];
    // Bytes left: less one line feed at the end; plus two, since none precede the first section.
    let room = maxBytes - Buffer.byteLength(title) - 1 + 2;
    const left = sections.length === 0 ? "everything but the counts" : "details";
    const here = medium === "comment" ? "comment" : "page";
    const note = line(`Left out to fit into this ${here}: ${left}. ${wholeIn(report)}`);
    const noted: Section = () => (level === levels[0] ? [] : [note]);
    for (const section of [...HEADER, noted, ...sections, footer]) {
      const text = markdown(section(report, { ...level, medium, published }), room);
      if (text === "") continue;
      texts.push(text);
      room -= Buffer.byteLength(text) + 2;
      if (room < 0) return undefined;
    }
    return `${title}${texts.join("\n\n")}\n`;
  };
  for (const level of levels) {
    const text = render(level, sectionsOf(report));
    if (text !== undefined) return text;
  }
  return render(BRIEFEST, []) ?? `The report does not fit into this page. ${wholeIn(report)}\n`;
}

/** The detail of the HTML file: no limits. */
export function wholePage(published: Published, addressOf: Page["addressOf"]): Page {
  return { ...WHOLE, most: Infinity, reason: Infinity, medium: "file", published, addressOf };
}

/** The blocks of the HTML file before its grades. */
export function fileSections(report: Report, page: Page): Record<"head" | "sections", readonly Block[]> {
  const blocksOf = (sections: readonly Section[]) => sections.flatMap((section) => section(report, page));
  return { head: blocksOf(HEADER), sections: blocksOf(sectionsOf(report)) };
}

function wholeIn({ htmlFile }: Report): string {
  return htmlFile === undefined
    ? "The record has everything."
    : "The HTML report and the record have everything.";
}
