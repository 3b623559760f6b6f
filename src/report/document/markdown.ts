/** The tree as GitHub's Markdown. Pure. */
import {
  htmlText,
  keepingEnds,
  markdownBlock,
  markdownCode,
  markdownProse,
  markdownText,
} from "../sanitize.ts";
import type { Align, Block, Inline, Item, Line, Table } from "./tree.ts";

const RULERS: Readonly<Record<Align, string>> = { left: ":--", center: ":-:", right: "--:" };

/** Blocks with an empty line between them; empty for none. Breaks off beyond `room` characters, which are then too many. */
export function markdown(blocks: readonly Block[], room = Infinity): string {
  return fitting(blocks, room, block).join("\n\n");
}

/** What is made of the items, up to the first for which there is no room. */
function fitting<T>(items: readonly T[], room: number, make: (item: T, left: number) => string): string[] {
  const lines: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = make(item, room - length);
    lines.push(text);
    length += text.length;
    if (length > room) break;
  }
  return lines;
}

/** One line. */
export function markdownLine(line: Line): string {
  return line.map(inline).join("");
}

function block(one: Block, room: number): string {
  switch (one.kind) {
    case "heading":
      return `### ${markdownLine(one.line)}`;
    case "title":
      return `**${markdownLine(one.line)}**`;
    case "line":
      return markdownLine(one.line);
    case "note":
      return `<sub>${markdownLine(one.line)}</sub>`;
    case "quote":
      return `> ${markdownLine(one.line)}`;
    case "entry":
      return [markdownLine(one.line), ...fitting(one.below, room, block)].join("\n\n");
    case "text":
      return markdownBlock(one.text);
    case "list":
      return fitting(one.items, room, item).join("\n");
    case "fold":
      return `<details${one.open ? " open" : ""}><summary>${one.title.map(inTitle).join("")}</summary>\n\n${markdown(one.body, room)}\n\n</details>`;
    case "table":
      return table(one, room);
  }
}

function item({ line, below = [] }: Item, room: number): string {
  const more = below.map((one) => `\n${block(one, room).replace(/^/gm, "  ")}`);
  return `- ${markdownLine(line)}${more.join("")}`;
}

function table({ heads, align, rows }: Table, room: number): string {
  const row = (cells: readonly Line[]) => `| ${cells.map(markdownLine).join(" | ")} |`;
  return [row(heads), `|${align.map((one) => `${RULERS[one]}|`).join("")}`, ...fitting(rows, room, row)].join(
    "\n",
  );
}

function inline(one: Inline): string {
  if (typeof one === "string") return markdownProse(one);
  switch (one.kind) {
    case "name":
      return markdownText(one.text);
    case "code":
      return markdownCode(one.text);
    case "bold":
      return `**${markdownLine(one.line)}**`;
    // Between letters and signs, where two stars would be no mark.
    case "mark":
      return `<b>${markdownLine(one.line)}</b>`;
    case "small":
      return `<sub>${markdownLine(one.line)}</sub>`;
    case "link":
      return `<a href="${one.url}">${markdownLine(one.line)}</a>`;
    case "break":
      return "<br>";
  }
}

/** In a fold's title GitHub reads no Markdown. */
function inTitle(one: Inline): string {
  if (typeof one === "string") return keepingEnds(one, htmlText);
  if (one.kind === "bold") return `<b>${one.line.map(inTitle).join("")}</b>`;
  return "text" in one ? htmlText(one.text) : inline(one);
}
