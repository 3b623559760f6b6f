/** The tree as text for a terminal. Pure. */
import { type Drawing, wrapped } from "../../text/format.ts";
import { oneLine, plainText } from "../../safety/sanitize.ts";
import { type Block, type Inline, type Item, type Line, between } from "./tree.ts";

/** Columns of the sign that a grade or a check begins with. */
const SIGN = 3;
/** Columns before a list that belongs to no line. */
const INDENT = 2;
const STYLES = { bold: "bold", heading: "bold", title: "bold", note: "dim" } as const;
/** What has an empty line before it. */
const APART: readonly Block["kind"][] = ["heading", "title"];

/** Blocks one below the other; empty for none. */
export function terminal(blocks: readonly Block[], drawing: Drawing): string {
  const drawn = blocks.map((one, index) => {
    const isApart = APART.includes(one.kind) && blocks[index - 1]?.kind !== "heading";
    return `${index > 0 && isApart ? "\n" : ""}${renderBlock(one, 0, drawing)}`;
  });
  return drawn.join("\n");
}

function renderBlock(block: Block, indent: number, drawing: Drawing): string {
  const lines = (line: Line) => wrapped(lineText(line, drawing), { indent, columns: drawing.columns });
  switch (block.kind) {
    case "heading":
    case "title":
    case "note":
      return drawing.style(STYLES[block.kind], lines(block.line));
    case "line":
      return lines(block.line);
    case "text":
      return lines([block.text]);
    case "list":
      return block.items.map((each) => renderItem(each, indent || INDENT, drawing)).join("\n");
    case "fold":
      return lines(["… ", ...block.title]);
    case "table":
      return [block.heads, ...block.rows].map((row) => lines(between(row))).join("\n");
  }
}

/** An item; the lines below it are indented to its first word. */
function renderItem({ line, below = [] }: Item, indent: number, drawing: Drawing): string {
  const own = wrapped(lineText(line, drawing), { indent: indent + SIGN, columns: drawing.columns });
  const first = `${" ".repeat(indent)}${own.trimStart()}`;
  return [first, ...below.map((one) => renderBlock(one, indent + SIGN, drawing))].join("\n");
}

function lineText(line: Line, drawing: Drawing): string {
  return line.map((one) => renderInline(one, drawing)).join("");
}

function renderInline(inline: Inline, drawing: Drawing): string {
  if (typeof inline === "string") return plainText(inline);
  switch (inline.kind) {
    case "name":
    case "code":
      return oneLine(inline.text);
    case "link": {
      const [text, url] = [lineText(inline.line, drawing), oneLine(inline.url)];
      return text === url ? text : `${text} (${url})`;
    }
    case "break":
      return "\n";
    // Without colours only brackets separate it from the text before.
    case "small":
      return drawing.style("dim", `(${lineText(inline.line, drawing)})`);
    default:
      return drawing.style(STYLES[inline.kind], lineText(inline.line, drawing));
  }
}
