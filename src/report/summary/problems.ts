/** What was wrong with the files and inputs, with what to change. */
import type { Problem, Report } from "../../domain.ts";
import { count, shorten } from "../../format.ts";
import { runProblems } from "../../gate/run-problems.ts";
import { SIGNS as STATES } from "../../states.ts";
import { markdownProse, markdownText, urlPath } from "../neutralise.ts";
import { details } from "./section.ts";
import type { Page } from "./section.ts";

/** Errors, each with its place and its remedy: they decide, so they come before any grade. */
export function problemsSection(report: Report): string {
  return section("Problems to solve first", "error", report);
}

/** What is wrong with the runs, under a title of its own. */
export function runProblemsSection(report: Report): string {
  const groups = Map.groupBy(runProblems(report), ({ title }) => title);
  return [...groups]
    .map(
      ([title, problems]) => `### ${title}\n\n${problems.map((problem) => item(problem, report)).join("\n")}`,
    )
    .join("\n\n");
}

/** Warnings, in the same way. */
export function warningsSection(report: Report): string {
  return section("Warnings", "warning", report);
}

function section(title: string, level: Problem["level"], report: Report): string {
  const problems = report.problems.filter((problem) => problem.level === level);
  if (problems.length === 0) return "";
  return [`### ${title}`, problems.map((problem) => item(problem, report)).join("\n")].join("\n\n");
}

/** Notices, folded: worth knowing, nothing to do. */
export function noticesSection(report: Report, { passed }: Pick<Page, "passed">): string {
  if (!passed) return "";
  const notices = report.problems.filter(({ level }) => level === "notice");
  if (notices.length === 0) return "";
  const list = notices.map((notice) => item(notice, report)).join("\n");
  return details(count(notices.length, "notice"), list);
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
