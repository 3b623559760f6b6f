// Draws every kind of page as a reader sees it, in GitHub's style, light and dark, at 900 and 390 pixels, to a folder of
// the system's temporary one. `npm run preview -- some-red` draws only these. Run `npm run build` before: the pages are
// what the bundled action publishes.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, startBrowser } from "../__tests__/support/browser.ts";
import { removeTemporaryFolders } from "../__tests__/support/run-action.ts";
import { drawPage } from "./draw-page.ts";
import { SCENES } from "./preview-runs.ts";
import { renderPage } from "./render-markdown.ts";

const FOLDER = join(tmpdir(), "waza-grade-preview");
const TALLEST = 6_000;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in SCENES));
if (unknown.length > 0)
  throw new Error(`No page is called ${unknown.join(", ")}: there are ${Object.keys(SCENES).join(", ")}`);
if (CHROMIUM === undefined)
  throw new Error("This needs Chromium or Chrome: name its program in the environment variable CHROMIUM.");
warnWithoutEmoji();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const browser = await startBrowser(CHROMIUM);
try {
  for (const [name, play] of Object.entries(SCENES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const { html, graded: _, ...pages } = await play();
    for (const [page, markdown] of Object.entries(pages)) {
      if (markdown === "") continue;
      writeFileSync(join(FOLDER, `${name}-${page}.md`), markdown);
      await drawAll(`${name}-${page}`, await renderPage(`waza-grade: ${name}`, markdown));
    }
    if (html !== undefined) await drawAll(`${name}-report`, html);
  }
} finally {
  await browser.close();
  removeTemporaryFolders();
}

async function drawAll(name: string, html: string): Promise<void> {
  const file = join(FOLDER, `${name}.html`);
  writeFileSync(file, html);
  for (const theme of ["light", "dark"] as const) {
    for (const width of [900, 390]) {
      const image = join(FOLDER, `${name}-${theme}-${String(width)}.png`);
      await drawPage(browser, file, { theme, width, tallest: TALLEST, image });
    }
  }
}

/** Without a font of emoji every sign on the pictures is an empty box. */
function warnWithoutEmoji(): void {
  const { stdout, error } = spawnSync("fc-list", [":charset=1f7e9", "family"], { encoding: "utf8" });
  if (error || stdout.trim() !== "") return;
  console.error(
    "There is no font with emoji, so signs and squares will be empty boxes: install one, fonts-noto-color-emoji say.",
  );
}
