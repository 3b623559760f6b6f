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

function renderBlock(block: Block, room: number): string {
  switch (block.kind) {
    case "heading":
      return `### ${markdownLine(block.line)}`;
    case "title":
      return `**${markdownLine(block.line)}**`;
    case "line":
      return markdownLine(block.line);
    case "note":
      return `<sub>${markdownLine(block.line)}</sub>`;
    case "text":
      return markdownBlock(block.text, block.isCode);
    case "list":
      return fitting(block.items, room, renderItem).join("\n");
    case "fold":
      return `<details><summary>${block.title.map(renderInSummary).join("")}</summary>\n\n${markdown(block.body, room)}\n\n</details>`;
    case "table":
      return renderTable(block, room);
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

function renderInline(inline: Inline): string {
  if (typeof inline === "string") return markdownProse(inline);
  switch (inline.kind) {
    case "name":
      return markdownText(inline.text);
    case "code":
      return markdownCode(inline.text);
    case "bold":
      return `**${markdownLine(inline.line)}**`;
    case "small":
      return `<sub>${markdownLine(inline.line)}</sub>`;
    case "link":
      return `<a href="${attributeText(inline.url)}">${markdownLine(inline.line)}</a>`;
    case "break":
      return "<br>";
  }
}

/** HTML for <summary>, where GitHub does not read Markdown. */
function renderInSummary(inline: Inline): string {
  if (typeof inline === "string") return keepingEnds(inline, htmlText);
  if (inline.kind === "bold") return `<b>${inline.line.map(renderInSummary).join("")}</b>`;
  return "text" in inline ? htmlText(inline.text) : renderInline(inline);
}
