/** What was wrong with the files and inputs, with what to change. */
import type { Problem, Report } from "../../domain.ts";
import { count, shorten } from "../../format.ts";
import { runProblems } from "../../gate/run-problems.ts";
import { SIGNS as STATES } from "../../states.ts";
import { markdownProse, markdownText, urlPath } from "../neutralise.ts";
import { details, joined, moreText } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Errors, each with its place and its remedy: they decide, so they come before any grade. */
export const problemsSection = section("Problems to solve first", "error");

/** Warnings, in the same way. */
export const warningsSection = section("Warnings", "warning");

/** What is wrong with the runs, under a title of its own. */
export const runProblemsSection: Section = (report, page) => {
  const groups = Map.groupBy(runProblems(report), ({ title }) => title);
  return joined(
    [...groups].map(([title, problems]) => joined([`### ${title}`, list(problems, report, page)])),
  );
};

function section(title: string, level: Problem["level"]): Section {
  return (report, page) => {
    const problems = report.problems.filter((problem) => problem.level === level);
    return problems.length === 0 ? "" : joined([`### ${title}`, list(problems, report, page)]);
  };
}

/** Notices, folded: worth knowing, nothing to do. */
export const noticesSection: Section = (report, page) => {
  const notices = report.problems.filter(({ level }) => level === "notice");
  if (!page.passed || notices.length === 0) return "";
  return details(count(notices.length, "notice"), list(notices, report, page));
};

function list(problems: readonly Problem[], report: Report, page: Page): string {
  const shown = problems.slice(0, page.most).map((problem) => item(problem, report));
  return joined([shown.join("\n"), moreText(problems.length - shown.length, "more problem", page)]);
}

/** Characters of a message. */
const LONGEST = 2_000;

const SIGNS = { error: STATES.failed, warning: STATES.doubtful, notice: "ℹ️" };

function item(problem: Problem, report: Report): string {
  const help = problem.help === undefined ? "" : `<br>${markdownProse(shorten(problem.help, LONGEST))}`;
  const where = place(problem, report);
  // Most messages begin with their file: its place stands there instead, and is not told twice.
  const own = `\`${problem.at?.path ?? ""}\`: `;
  const isOwn = where !== "" && problem.message.startsWith(own);
  const message = markdownProse(shorten(problem.message.slice(isOwn ? own.length : 0), LONGEST));
  const said = isOwn ? `${where}: ${message}` : `${message}${where === "" ? "" : ` (${where})`}`;
  return `- ${SIGNS[problem.level]} ${said}${help}`;
}

function place({ at }: Problem, { sourceUrl }: Report): string {
  if (!at?.inRepository) return "";
  const text = `${markdownText(at.path)}:${String(at.startLine)}${at.startColumn === undefined ? "" : `:${String(at.startColumn)}`}`;
  return sourceUrl === undefined || at.generated
    ? text
    : `<a href="${sourceUrl}/${urlPath(at.path)}#L${String(at.startLine)}">${text}</a>`;
}
