/** The interface of a page's sections: the report and the page's options in, blocks out. */
import type { Report } from "../report.ts";
import type { Grade } from "../../domain/grade.ts";
import { andMore, line, link } from "../document/tree.ts";
import type { Block } from "../document/tree.ts";
import type { Published } from "../publisher.ts";

/** Output target: job summary, check run (has its own title), PR comment, HTML file, or terminal. */
export type Medium = "page" | "check" | "comment" | "file" | "terminal";

/** The detail level of a page. */
export interface Detail {
  /** Maximum number of grades (or grouped reasons) to list. */
  readonly most: number;
  /** Whether to list every failed grade besides the grouped reasons. */
  readonly each: boolean;
  /** Whether to include the prompt and the agent's answer. */
  readonly answers: boolean;
  /** Whether to include passed grades, recorded validations and notices. */
  readonly passed: boolean;
  /** Maximum characters of a reason. */
  readonly reason: number;
}

export interface Page extends Detail {
  readonly medium: Medium;
  /** Earlier publications, to link to. */
  readonly published: Published;
  /** The anchor of a grade, on pages that have anchors. */
  readonly addressOf?: ((grade: Grade) => string) | undefined;
}

/** Renders a section; no blocks if it has no content. */
export type Section = (report: Report, page: Page) => readonly Block[];

/** A line with the number of entries left out, and a link to them. */
export function moreOf(number: number, noun: string, { published: { checkRunUrl }, medium }: Page): Block[] {
  if (number <= 0) return [];
  const where =
    checkRunUrl === undefined || medium !== "comment" ? [] : [": ", ...link(["the check run"], checkRunUrl)];
  return [line(andMore(number, noun), ...where)];
}
