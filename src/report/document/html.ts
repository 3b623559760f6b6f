/** Renders the document tree as HTML, for the report file. Pure. */
import { attributeText, pageText } from "../../safety/sanitize.ts";
import { type Block, type Inline, type Item, type Line, type Table, isOfNumbers } from "./tree.ts";

/** Titles of a section's parts are no headings: a page of a thousand grades has thousands of them. */
const TAGS = { heading: "h2", line: "p" } as const;
const MARKS = { bold: "b", small: "small" } as const;

/** Blocks one below the other. */
export function html(blocks: readonly Block[]): string {
  return blocks.map(renderBlock).join("\n");
}

export function htmlLine(line: Line): string {
  return line.map(renderInline).join("");
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case "title":
      return `<p class="title">${htmlLine(block.line)}</p>`;
    case "note":
      return `<p class="meta">${htmlLine(block.line)}</p>`;
    // Browsers drop the first line end in <pre>; `tabindex` lets the keyboard scroll it.
    case "text":
      return `<pre tabindex="0">\n${pageText(block.text)}</pre>`;
    case "list":
      return `<ul>${block.items.map(renderItem).join("\n")}</ul>`;
    case "fold":
      return `<details><summary>${htmlLine(block.title)}</summary><div class="body">${html(block.body)}</div></details>`;
    case "table":
      return tableElement(block);
    default:
      return `<${TAGS[block.kind]}>${htmlLine(block.line)}</${TAGS[block.kind]}>`;
  }
}

function renderItem({ line, below = [] }: Item): string {
  return `<li>${htmlLine(line)}${html(below)}</li>`;
}

function tableElement(table: Table): string {
  const { caption, heads, rows } = table;
  const head = heads.map((one) => `<th scope="col">${htmlLine(one)}</th>`).join("");
  const row = ([first = [], ...cells]: readonly Line[]) =>
    `<tr><th scope="row">${htmlLine(first)}</th>${cells.map((cell, index) => `<td class="${isOfNumbers(table, index + 1) ? "right" : "left"}">${htmlLine(cell)}</td>`).join("")}</tr>`;
  return `<div class="table" role="group" aria-label="${attributeText(caption)}" tabindex="0"><table><caption>${pageText(caption)}</caption><thead><tr>${head}</tr></thead>
<tbody>${rows.map(row).join("\n")}</tbody></table></div>`;
}

function renderInline(inline: Inline): string {
  if (typeof inline === "string") return prose(inline);
  switch (inline.kind) {
    case "name":
      return `<bdi>${pageText(inline.text)}</bdi>`;
    case "code":
      return `<code>${pageText(inline.text)}</code>`;
    case "link":
      return `<a href="${attributeText(inline.url)}">${htmlLine(inline.line)}</a>`;
    case "break":
      return "<br>";
    default:
      return `<${MARKS[inline.kind]}>${htmlLine(inline.line)}</${MARKS[inline.kind]}>`;
  }
}

/** Prose; text in backticks renders as code. */
function prose(text: string): string {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${pageText(part)}</code>` : pageText(part)))
    .join("");
}
