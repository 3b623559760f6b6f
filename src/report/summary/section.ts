/** What a section of a page is given: the report, and how much of it the page tells. */
import type { Report } from "../../domain.ts";
import { count } from "../../format.ts";
import type { Published } from "../sink.ts";

/** Where a page stands: on the run's own page, on that of the check run, which has a title already, or on the pull request. */
export type Place = "page" | "check" | "comment";

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
  readonly place: Place;
  /** Bytes there are: a section that would be longer may break off beyond them. */
  readonly room: number;
  /** What was published before this page, to be linked. */
  readonly published: Published;
}

/** A section as Markdown; empty where it has nothing to say. */
export type Section = (report: Report, page: Page) => string;

/** Parts of a page with an empty line between them, without the empty ones. */
export function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A fold, closed unless told. */
export function details(summary: string, body: string, open = false): string {
  return `<details${open ? " open" : ""}><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** How many are not told, and where they are. */
export function moreText(number: number, noun: string, { published: { checkRunUrl }, place }: Page): string {
  if (number === 0) return "";
  const where =
    checkRunUrl === undefined || place !== "comment" ? "" : `: <a href="${checkRunUrl}">the check run</a>`;
  return `… and ${count(number, noun)}${where}`;
}
