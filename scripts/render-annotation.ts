// An annotation of a check run to a page that looks as GitHub draws it below the lines of a changed file.
import { pageText } from "../src/safety/sanitize.ts";

/** The parts of an annotation that GitHub shows without a click. */
interface Shown {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: string;
  readonly title?: string | undefined;
  readonly message: string;
}

/** Lines of the file above the box. */
const LINES_ABOVE = 5;

const SANS = `-apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif`;
const MONO = `ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace`;
const STYLE = `
:root { color-scheme: light dark; --page: light-dark(#fff, #0d1117); --text: light-dark(#1f2328, #f0f6fc); --muted: light-dark(#59636e, #9198a1);
  --border: light-dark(#d1d9e0, #3d444d); --head: light-dark(#f6f8fa, #151b23); --added: light-dark(#dafbe1, #12261e);
  --number: light-dark(#aceebb, #1c4428); --failure: light-dark(#d1242f, #f85149); }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.5 ${SANS}; }
main { padding: 16px; }
.file { border: 1px solid var(--border); border-radius: 6px; overflow: hidden; }
.path { padding: 8px 16px; background: var(--head); border-bottom: 1px solid var(--border); font: 12px ${MONO}; }
.line { display: flex; font: 12px/20px ${MONO}; background: var(--added); white-space: pre; }
.line b { flex: none; width: 40px; padding-right: 10px; margin-right: 10px; background: var(--number); color: var(--muted); text-align: right; font-weight: 400; }
.box { margin: 8px; border: 1px solid var(--border); border-left: 4px solid var(--failure); border-radius: 6px; padding: 12px 16px; }
.sign { color: var(--failure); font-weight: 600; }
.sign::before { content: "×"; display: inline-block; width: 16px; margin-right: 6px; border-radius: 50%; background: var(--failure); color: var(--page); text-align: center; line-height: 16px; }
.from { color: var(--muted); font-size: 12px; margin: 0 0 8px; }
pre { margin: 4px 0 0; font: 12px/1.6 ${MONO}; white-space: pre-wrap; }
p { margin: 0; }
`;

/** The page of one annotation of the named check run, below the last of its lines of `source`. */
export function renderAnnotation(checkRun: string, shown: Shown, source: string): string {
  const { path, start_line: start, end_line: end, annotation_level: level, title = "", message } = shown;
  const where = start === end ? `line ${String(end)}` : `lines ${String(start)} to ${String(end)}`;
  const first = Math.max(0, end - LINES_ABOVE);
  const lines = source
    .split("\n")
    .slice(first, end)
    .map((text, index) => `<div class="line"><b>${String(first + index + 1)}</b>+ ${pageText(text)}</div>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>waza-grade: annotation</title>
<style>${STYLE}</style>
<main>
<div class="file">
<div class="path">${pageText(path)}</div>
${lines.join("\n")}
<div class="box">
<p><span class="sign">Check ${pageText(level)}</span> on ${where} in ${pageText(path)}</p>
<p class="from">GitHub Actions / ${pageText(checkRun)}</p>
<strong>${pageText(title)}</strong>
<pre>${pageText(message)}</pre>
</div>
</div>
</main>
</html>
`;
}
