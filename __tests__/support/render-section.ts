/** A section of a report as a page of GitHub's has it. */
import type { Report } from "../../src/report/report.ts";
import { markdown } from "../../src/report/document/markdown.ts";
import type { Page, Section } from "../../src/report/document/tree.ts";

const PAGE: Page = {
  most: 500,
  each: true,
  answers: true,
  passed: true,
  reason: 2_000,
  medium: "page",
  published: {},
};

/** With what the section looks at in the report and in the page. */
export function renderSection(section: Section, report: Partial<Report>, page: Partial<Page> = {}): string {
  return markdown(section(report as Report, { ...PAGE, ...page }));
}
