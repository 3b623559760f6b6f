/** What was wrong with the files and inputs, with what to change. */
import type { Report } from "../report.ts";
import type { Problem } from "../../domain/location.ts";
import { count, shorten } from "../../text/format.ts";
import { runProblems } from "../../gate/run-problems.ts";
import { SIGNS as STATES } from "../../text/states.ts";
import { BREAK, fold, heading, link, list, name } from "../document/tree.ts";
import type { Block, Inline, Line } from "../document/tree.ts";
import { urlPath } from "../sanitize.ts";
import { moreOf } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Errors, each with its place and its remedy: they decide, so they come before any grade. */
export const problemsSection = section("Problems to solve first", "error");

/** Warnings, in the same way. */
export const warningsSection = section("Warnings", "warning");

/** Problems of the runs, with a heading. */
export const runProblemsSection: Section = (report, page) =>
  [...Map.groupBy(runProblems(report), ({ title }) => title)].flatMap(([title, problems]) =>
    withTitle(title, items(problems, report, page)),
  );

/** Notices, folded: worth knowing, nothing to do. */
export const noticesSection: Section = (report, page) => {
  const notices = report.problems.filter(({ level }) => level === "notice");
  return page.passed ? fold([count(notices.length, "notice")], items(notices, report, page)) : [];
};

function section(title: string, level: Problem["level"]): Section {
  return (report, page) => {
    const problems = report.problems.filter((problem) => problem.level === level);
    return withTitle(title, items(problems, report, page));
  };
}

function withTitle(title: string, blocks: readonly Block[]): readonly Block[] {
  return blocks.length === 0 ? [] : [heading(title), ...blocks];
}

function items(problems: readonly Problem[], report: Report, page: Page): Block[] {
  const items = problems.slice(0, page.most).map((problem) => item(problem, report));
  return [...list(items), ...moreOf(problems.length - items.length, "problem", page)];
}

/** Maximum length of a message, and of a path. */
const LONGEST = 2_000;

const SIGNS = { error: STATES.failed, warning: STATES.doubtful, notice: "ℹ️" };

function item(problem: Problem, report: Report): Line {
  const help: Inline[] = problem.help === undefined ? [] : [BREAK, shorten(problem.help, LONGEST)];
  const where = place(problem, report);
  // Most messages begin with their file's path: the location replaces it.
  const path = `\`${problem.at?.path ?? ""}\`: `;
  const hasPath = where.length > 0 && problem.message.startsWith(path);
  const message = shorten(problem.message.slice(hasPath ? path.length : 0), LONGEST);
  const text: Line = hasPath
    ? [...where, ": ", message]
    : [message, ...(where.length === 0 ? [] : [" (", ...where, ")"])];
  return [`${SIGNS[problem.level]} `, ...text, ...help];
}

function place({ at }: Problem, { sourceUrl }: Report): Line {
  if (!at?.inRepository) return [];
  const column = at.startColumn === undefined ? "" : `:${String(at.startColumn)}`;
  const linked = sourceUrl !== undefined && !at.generated;
  return link(
    [name(at.path, LONGEST), `:${String(at.startLine)}${column}`],
    linked ? `${sourceUrl}/${urlPath(at.path)}#L${String(at.startLine)}` : undefined,
  );
}
