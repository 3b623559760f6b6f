/** What the parts of the HTML report are made of; everything that others wrote goes through `pageText`. */
import { createHash } from "node:crypto";
import type { Grade, Report } from "../../domain.ts";
import { attributeText, pageText, urlPath } from "../neutralise.ts";

/** Characters of the readable part of an address. */
const SLUG = 60;

/** An element of one text. */
export function element(tag: "p" | "h4" | "b" | "span" | "small", text: string, name = ""): string {
  return `<${tag}${name === "" ? "" : ` class="${name}"`}>${prose(text)}</${tag}>`;
}

/** A text in which pairs of backticks are shown as code. */
export function prose(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part) =>
      /^`[^`\n]+`$/.test(part) ? `<code>${pageText(part.slice(1, -1))}</code>` : pageText(part),
    )
    .join("");
}

/** A text as it stands, in lines; its first line end would be lost otherwise. */
export function block(text: string): string {
  return `<pre>\n${pageText(text)}</pre>`;
}

/** A link within the page or to a page of GitHub. */
export function link(text: string, address: string): string {
  return `<a href="${attributeText(address)}">${pageText(text)}</a>`;
}

/** The addresses of grades within the page: the same in every run, and no two alike. */
export function addresses(grades: readonly Grade[]): ReadonlyMap<Grade, string> {
  const taken = new Map<string, number>();
  return new Map(
    grades.map((grade) => {
      const address = addressOf(grade);
      const times = (taken.get(address) ?? 0) + 1;
      taken.set(address, times);
      return [grade, times === 1 ? address : `${address}-${String(times)}`];
    }),
  );
}

function addressOf({ job }: Grade): string {
  const { suite, task, grader, run, missing } = job;
  const { number = 1, model = "" } = run ?? missing ?? {};
  const parts = [task.id, grader.name, String(number)];
  const hash = createHash("sha256").update(JSON.stringify([suite.at.path, model, ...parts]));
  const slug = parts.join("-").toLowerCase().slice(0, SLUG);
  return `grade-${slug.replace(/[^a-z0-9]+/g, "-")}-${hash.digest("hex").slice(0, 6)}`;
}

/** `eval.yaml:18`, as a link to the grader's lines where there is a page for them. */
export function graderLink({ job }: Grade, { sourceUrl }: Report): string {
  const { at } = job.grader;
  const text = `${at.path}:${String(at.startLine)}`;
  if (sourceUrl === undefined || !at.inRepository) return pageText(text);
  return link(text, `${sourceUrl}/${urlPath(at.path)}#L${String(at.startLine)}-L${String(at.endLine)}`);
}
