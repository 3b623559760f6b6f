/** The tree as GitHub's Markdown. Pure. */
import {
  attributeText,
  htmlText,
  keepingEnds,
  markdownBlock,
  markdownCode,
  markdownProse,
  markdownText,
} from "../../safety/sanitize.ts";
import { type Block, type Inline, type Item, type Line, type Table, isOfNumbers } from "./tree.ts";

/** Blocks, with an empty line between them. Stops beyond `room` characters: the caller drops a longer text. */
export function markdown(blocks: readonly Block[], room = Infinity): string {
  return fitting(blocks, room, renderBlock).join("\n\n");
}

/** Rendered items, up to the first that exceeds the room. */
function fitting<T>(items: readonly T[], room: number, render: (item: T, left: number) => string): string[] {
  const lines: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = render(item, room - length);
    lines.push(text);
    length += text.length;
    if (length > room) break;
  }
  return lines;
}

export function markdownLine(line: Line): string {
  return line.map(renderInline).join("");
}

function renderBlock(one: Block, room: number): string {
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
      return [markdownLine(one.line), ...fitting(one.below, room, renderBlock)].join("\n\n");
    case "text":
      return markdownBlock(one.text, one.isCode);
    case "list":
      return fitting(one.items, room, renderItem).join("\n");
    case "fold":
      return `<details><summary>${one.title.map(renderInSummary).join("")}</summary>\n\n${markdown(one.body, room)}\n\n</details>`;
    case "table":
      return renderTable(one, room);
  }
}

function renderItem({ line, below = [] }: Item, room: number): string {
  const more = below.map((one) => `\n${renderBlock(one, room).replace(/^/gm, "  ")}`);
  return `- ${markdownLine(line)}${more.join("")}`;
}

function renderTable(table: Table, room: number): string {
  const row = (cells: readonly Line[]) => `| ${cells.map(markdownLine).join(" | ")} |`;
  const rulers = table.heads.map((_, column) => (isOfNumbers(table, column) ? "--:" : ":--"));
  return [row(table.heads), `|${rulers.join("|")}|`, ...fitting(table.rows, room, row)].join("\n");
}

function renderInline(one: Inline): string {
  if (typeof one === "string") return markdownProse(one);
  switch (one.kind) {
    case "name":
      return markdownText(one.text);
    case "code":
      return markdownCode(one.text);
    case "bold":
      return `**${markdownLine(one.line)}**`;
    case "small":
      return `<sub>${markdownLine(one.line)}</sub>`;
    case "link":
      return `<a href="${attributeText(one.url)}">${markdownLine(one.line)}</a>`;
    case "break":
      return "<br>";
  }
}

/** HTML for <summary>, where GitHub does not read Markdown. */
function renderInSummary(one: Inline): string {
  if (typeof one === "string") return keepingEnds(one, htmlText);
  if (one.kind === "bold") return `<b>${one.line.map(renderInSummary).join("")}</b>`;
  return "text" in one ? htmlText(one.text) : renderInline(one);
}
