/** What a section of a page is given: the report, and how much of it the page tells. */
import type { Report } from "../report.ts";
import type { Grade } from "../../domain/grade.ts";
import { andMore, line, link } from "../document/tree.ts";
import type { Block } from "../document/tree.ts";
import type { Published } from "../sink.ts";

/** Where a page stands: on the run's own page, on that of the check run, which has a title already, on the pull request, alone, or on a terminal. */
export type Medium = "page" | "check" | "comment" | "file" | "terminal";

/** How much a page tells; less where there is less room. */
export interface Detail {
  /** Failed grades, or reasons of many, that are told; and passed ones. */
  readonly most: number;
  /** Whether each of many failed grades is told beside the reasons that they share. */
  readonly each: boolean;
  /** Whether it is told what was asked and answered. */
  readonly answers: boolean;
  /** Whether passed grades, recorded validations and notices are told. */
  readonly passed: boolean;
  /** Characters of a reason. */
  readonly reason: number;
}

export interface Page extends Detail {
  readonly place: Medium;
  /** What was published before this page, to be linked. */
  readonly published: Published;
  /** Where a grade stands on the page, for pages that can be linked into. */
  readonly addressOf?: ((grade: Grade) => string) | undefined;
}

/** A section; without blocks where it has nothing to say. */
export type Section = (report: Report, page: Page) => readonly Block[];

/** How many are not told, and where they are. */
export function moreOf(number: number, noun: string, { published: { checkRunUrl }, place }: Page): Block[] {
  if (number <= 0) return [];
  const where =
    checkRunUrl === undefined || place !== "comment" ? [] : [": ", ...link(["the check run"], checkRunUrl)];
  return [line(andMore(number, noun), ...where)];
}
