/**
 * The content of a page as a small tree of blocks, which a renderer for each medium escapes and draws; and the
 * interface of its sections.
 */
import type { Row } from "../../domain/row.ts";
import type { Published, Report } from "../report.ts";
import { count, moreText, shorten } from "../../text/format.ts";

/** Characters of a name, also with its task, run and model. */
export const LONGEST_NAME = 200;
/** Characters of a reason or a statement in a list that is read at a glance. */
export const LONGEST_BRIEF = 300;
/** Lines of a list. */
export const MOST_LINES = 50;

/** A plain string is prose; text in backticks renders as code. */
export type Inline =
  | string
  | { readonly kind: "name" | "code"; readonly text: string }
  | { readonly kind: "bold" | "small"; readonly line: Line }
  | { readonly kind: "link"; readonly line: Line; readonly url: string }
  | { readonly kind: "break" };

export type Line = readonly Inline[];

/** An untrusted name: never code, and truncated to `most` characters. */
export function name(text: string, most = LONGEST_NAME): Inline {
  return { kind: "name", text: shorten(text, most) };
}

export function code(text: string): Inline {
  return { kind: "code", text };
}

export function bold(...line: Line): Inline {
  return { kind: "bold", line };
}

export type Block =
  | { readonly kind: "heading" | "title" | "line" | "note"; readonly line: Line }
  /** A text of several lines as it was written; code has no other line breaks on any page. */
  | { readonly kind: "text"; readonly text: string; readonly isCode?: true }
  | { readonly kind: "list"; readonly items: readonly Item[] }
  | { readonly kind: "fold"; readonly title: Line; readonly body: readonly Block[] }
  | Table;

/** A line of a list, and what belongs to it. */
export interface Item {
  readonly line: Line;
  readonly below?: readonly Block[] | undefined;
}

export interface Table {
  readonly kind: "table";
  /** What it shows; only the HTML file has room for it. */
  readonly caption: string;
  readonly heads: readonly Line[];
  /** How many of the last columns hold numbers, which stand at the right. */
  readonly numbers: number;
  readonly rows: readonly (readonly Line[])[];
}

/** A table; of its columns the last `numbers` hold numbers. */
export function table(
  caption: string,
  { heads, numbers = 0 }: Pick<Table, "heads"> & Partial<Pick<Table, "numbers">>,
  rows: Table["rows"],
): Table {
  return { kind: "table", caption, heads, rows, numbers };
}

/** Whether a column of a table holds numbers. */
export function isOfNumbers({ heads, numbers }: Table, column: number): boolean {
  return column >= heads.length - numbers;
}

export function small(...line: Line): Inline {
  return { kind: "small", line };
}

const blockOf =
  (kind: "heading" | "title" | "line" | "note") =>
  (...parts: Line): Block => ({ kind, line: parts });

/** The heading of a section. */
export const heading = blockOf("heading");
/** The title of a part of a section. */
export const title = blockOf("title");
export const line = blockOf("line");
/** Small print. */
export const note = blockOf("note");

/** A <details> block, collapsed; no block if the body is empty. */
export function fold(summary: Line, body: readonly Block[]): Block[] {
  return body.length === 0 ? [] : [{ kind: "fold", title: summary, body }];
}

/** The first `most` lines as a list, and how many more there are; nothing where there are none. */
export function list(lines: readonly (Line | Item)[], most = Infinity, noun = ""): Block[] {
  if (lines.length === 0) return [];
  const items = lines.slice(0, most).map((one): Item => ("line" in one ? one : { line: one }));
  const more = andMore(lines.length - items.length, noun);
  return [{ kind: "list", items: more === "" ? items : [...items, { line: [more] }] }];
}

/** `… and 3 more reasons`; empty for none. */
export function andMore(number: number, noun = ""): string {
  if (number <= 0) return "";
  return `… and ${noun === "" ? `${String(number)} more` : count(number, `more ${noun}`)}`;
}

/** The first few of several, and how many more there are: `a, b, c and 3 more`. */
export function several(lines: readonly Line[], most = 3): Line {
  return [...between(lines.slice(0, most), ", "), moreText(lines.length - most)];
}

/** Different names as code, a line each. */
export function codes(names: Iterable<string>): readonly Line[] {
  return [...new Set(names)].map((one) => [code(one)]);
}

/** The lines as one, with a sign between them, without the empty ones. */
export function between(lines: readonly Line[], sign: Inline = " · "): Line {
  return lines.filter((one) => one.length > 0).flatMap((one, index) => (index === 0 ? one : [sign, ...one]));
}

export interface Page extends Detail {
  readonly medium: Medium;
  /** Earlier publications, to link to. */
  readonly published: Published;
  /** The anchor of a grade, on pages that have anchors. */
  readonly addressOf?: ((grade: Row) => string) | undefined;
}

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

/** Output target: job summary, check run (has its own title), PR comment, HTML file, or terminal. */
export type Medium = "page" | "check" | "comment" | "file" | "terminal";

/** A line with the number of entries left out, and a link to them. */
export function moreOf(number: number, noun: string, { published: { checkRunUrl }, medium }: Page): Block[] {
  if (number <= 0) return [];
  const where =
    checkRunUrl === undefined || medium !== "comment" ? [] : [": ", ...link(["the check run"], checkRunUrl)];
  return [line(andMore(number, noun), ...where)];
}

/** The line, as a link if there is a trusted address. */
export function link(line: Line, url: string | undefined): Line {
  return url === undefined ? line : [{ kind: "link", line, url }];
}

/** The line, as a link to a page of the docs. */
export function docsLink(line: Line, page: string, { docs }: Pick<Report, "docs">): Line {
  return link(line, docs && `${docs}/${page}`);
}

export const BREAK: Inline = { kind: "break" };

/** Renders a section; no blocks if it has no content. */
export type Section = (report: Report, page: Page) => readonly Block[];
