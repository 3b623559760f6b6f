// Markdown to a page as GitHub shows it: GitHub's flavour, its sanitiser's rules, its style sheet.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import rehypeRaw from "rehype-raw";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize, { ...defaultSchema, attributes: { ...defaultSchema.attributes, details: ["open"] } })
  .use(rehypeStringify);

/** The sanitised HTML of a Markdown text. */
export async function renderMarkdown(markdown: string): Promise<string> {
  return String(await pipeline.process(markdown));
}

/** A whole page around it, light or dark as the reader's system is. */
export async function renderPage(title: string, markdown: string): Promise<string> {
  const css = readFileSync(
    createRequire(import.meta.url).resolve("github-markdown-css/github-markdown.css"),
    "utf8",
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
${css}
body { margin: 0; background: light-dark(#fff, #0d1117); color-scheme: light dark; }
main { max-width: 980px; margin: 0 auto; padding: 24px 32px; }
</style>
<main class="markdown-body">
${await renderMarkdown(markdown)}
</main>
</html>
`;
}
