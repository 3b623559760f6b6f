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

/** `auto` follows the reader's system. */
export type Theme = "auto" | "light" | "dark";

/** Per theme, the style sheet and the page's background and scheme. */
const THEMES = {
  auto: { sheet: "github-markdown", background: "light-dark(#fff, #0d1117)", scheme: "light dark" },
  light: { sheet: "github-markdown-light", background: "#fff", scheme: "light" },
  dark: { sheet: "github-markdown-dark", background: "#0d1117", scheme: "dark" },
} as const;

/** A whole page around it, with a column as wide as a job summary's. */
export async function renderPage(title: string, markdown: string, theme: Theme = "auto"): Promise<string> {
  const { sheet, background, scheme } = THEMES[theme];
  const css = readFileSync(
    createRequire(import.meta.url).resolve(`github-markdown-css/${sheet}.css`),
    "utf8",
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
${css}
body { margin: 0; background: ${background}; color-scheme: ${scheme}; }
main { max-width: 900px; box-sizing: border-box; margin: 0 auto; padding: 24px clamp(12px, 4vw, 32px); }
</style>
<main class="markdown-body">
${await renderMarkdown(markdown)}
</main>
</html>
`;
}
