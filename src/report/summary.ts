/** The report as one Markdown page within a budget of bytes. Pure. */
import { isByTriggers } from "../decide/triggers.ts";
import type { Report, Published } from "./report.ts";
import {
  advisorySection,
  agreementSection,
  comparisonLine,
  comparisonSection,
} from "./sections/comparison.ts";
import { blameSection, whatNowSection } from "./sections/advice.ts";
import { liftSection } from "./sections/lift.ts";
import { estimateSection, plannedSection } from "./sections/estimate.ts";
import {
  doubtsSection,
  majoritySection,
  opinionsSection,
  passedSection,
  erroredSection,
  recordedSection,
  skippedSection,
} from "./sections/grades.ts";
import {
  footer,
  verdictSection,
  headline,
  noticesSection,
  problemsSection,
  runProblemsSection,
  warningsSection,
} from "./sections/page-ends.ts";
import { triggersSection } from "./sections/triggers.ts";
import { taskTable } from "./sections/tasks.ts";
import { whySection } from "./sections/why.ts";
import { reproduceSection } from "./sections/reproduce.ts";
import { markdown, markdownLine } from "./document/markdown.ts";
import type { Block, Detail, Page, Section } from "./document/tree.ts";

/** Maximum entries per section. */
const MOST_ENTRIES = 500;

/** The section, if the report meets a condition. */
const onlyIf =
  (holds: (report: Report) => boolean, section: Section): Section =>
  (report, page) =>
    holds(report) ? section(report, page) : [];

/** Errored grades come before the tables if they decided the conclusion. */
const isErrored = ({ conclusion }: Report) => conclusion.rule === "errored";

/** Disagreements of judge and people come before the failed grades if `min-agreement` is set. */
const isJudgeChecked = ({ policy }: Report) => policy.minAgreement !== undefined;

/** Without a key every cell of the tables would be a dash. */
const isWithoutKey = ({ scores: { grades } }: Report) =>
  grades.length > 0 && grades.every(({ state }) => state === "no-key");

/** Nothing was judged that a table or a bar could show. */
const isJudgeAsked = (report: Report) => report.estimate === undefined && !isWithoutKey(report);

/** The header of every page, at every detail level. */
const HEADER: readonly Section[] = [
  verdictSection,
  blameSection,
  whatNowSection,
  comparisonLine,
  estimateSection,
];

/** The sections of a page in order. Those without content are left out. */
const SECTIONS: readonly Section[] = [
  problemsSection,
  runProblemsSection,
  plannedSection,
  onlyIf(isErrored, erroredSection),
  onlyIf(isJudgeChecked, agreementSection),
  onlyIf(isByTriggers, triggersSection),
  onlyIf(isJudgeAsked, taskTable),
  whySection,
  reproduceSection,
  onlyIf((report) => !isErrored(report), erroredSection),
  comparisonSection,
  liftSection,
  onlyIf((report) => !isJudgeChecked(report), agreementSection),
  advisorySection,
  onlyIf((report) => !isByTriggers(report), triggersSection),
  skippedSection,
  doubtsSection,
  majoritySection,
  opinionsSection,
  warningsSection,
  passedSection,
  recordedSection,
  noticesSection,
];

interface DetailLevel extends Detail {
  /** What it leaves out. */
  readonly leftOut?: string | undefined;
}

const WHOLE: DetailLevel = { most: MOST_ENTRIES, each: true, answers: true, passed: true, reason: 2_000 };

/** The lowest detail level. */
const BRIEFEST: DetailLevel = {
  most: 10,
  each: false,
  answers: false,
  passed: false,
  reason: 200,
  leftOut:
    "most of what failed, the ends of long reasons, doubts, the passed and skipped grades, recorded validations, notices and the agent's outputs",
};

/** Detail levels, most detailed first. The first one that fits the size limit is used. */
const LEVELS: readonly DetailLevel[] = [
  WHOLE,
  { ...WHOLE, passed: false, leftOut: "the passed grades, recorded validations and notices" },
  {
    ...WHOLE,
    passed: false,
    answers: false,
    leftOut: "the passed grades, recorded validations, notices and the agent's outputs",
  },
  {
    ...BRIEFEST,
    most: 100,
    reason: 600,
    leftOut:
      "the failed grades one by one, the ends of long reasons, the passed and skipped grades, recorded validations, notices and the agent's outputs",
  },
  BRIEFEST,
];

/** The highest detail level of a comment: short, since a pull request has other comments, too. */
const WHOLE_COMMENT: DetailLevel = { ...WHOLE, most: 10, each: false, passed: false, reason: 1_000 };
const COMMENT_LEVELS: readonly DetailLevel[] = [
  WHOLE_COMMENT,
  { ...WHOLE_COMMENT, answers: false, leftOut: "prompts and answers" },
  BRIEFEST,
];

/** Renders the most detailed page that fits in `maxBytes` of UTF-8, with a note of what is left out. */
export function renderSummary(
  report: Report,
  maxBytes: number,
  { medium = "page", published = {} }: Partial<Pick<Page, "medium" | "published">> = {},
): string {
  const title = medium === "check" ? "" : `## ${markdownLine(headline(report))}\n\n`;
  const render = (level: DetailLevel, sections: readonly Section[]) => {
    const texts: string[] = [];
    // Bytes left: less one line feed at the end; plus two, since none precede the first section.
    let left = maxBytes - Buffer.byteLength(title) - 1 + 2;
    for (const section of [...HEADER, noteOf(level), ...sections, footer]) {
      const text = markdown(section(report, { ...level, medium, published }), left);
      if (text === "") continue;
      texts.push(text);
      left -= Buffer.byteLength(text) + 2;
      if (left < 0) return undefined;
    }
    return `${title}${texts.join("\n\n")}\n`;
  };
  for (const level of medium === "comment" ? COMMENT_LEVELS : LEVELS) {
    const text = render(level, SECTIONS);
    if (text !== undefined) return text;
  }
  const lowest = { ...BRIEFEST, leftOut: "everything but the counts" };
  return render(lowest, []) ?? `The report does not fit into this page. ${wholeIn(report)}\n`;
}

/** The detail of the HTML file: no limits. */
export function wholePage(published: Published, addressOf: Page["addressOf"]): Page {
  return { ...WHOLE, most: Infinity, reason: Infinity, medium: "file", published, addressOf };
}

/** The blocks of the HTML file before its grades. */
export function fileSections(report: Report, page: Page): Record<"head" | "sections", readonly Block[]> {
  const of = (sections: readonly Section[]) => sections.flatMap((section) => section(report, page));
  return { head: of(HEADER), sections: of(SECTIONS) };
}

function noteOf({ leftOut }: DetailLevel): Section {
  return (report, { medium }) => {
    if (leftOut === undefined) return [];
    const here = medium === "comment" ? "comment" : "page";
    const text = `Left out to fit into this ${here}: ${leftOut}. ${wholeIn(report)}`;
    return [{ kind: "quote", line: [text] }];
  };
}

function wholeIn({ htmlFile }: Report): string {
  return htmlFile === undefined
    ? "The record has everything."
    : "The HTML report and the record have everything.";
}
