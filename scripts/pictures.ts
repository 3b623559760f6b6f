// Draws the README's pictures, docs/images/: the comment and the worst annotation of the demo's run, as the bundled action
// sent them to the loopback GitHub. Run `npm run build` before.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, startBrowser } from "../__tests__/support/browser.ts";
import { removeTemporaryFolders } from "../__tests__/support/run-action.ts";
import { ROOT, runDemo } from "./demo-suite.ts";
import { drawPage } from "./draw-page.ts";
import { renderAnnotation } from "./render-annotation.ts";
import { renderPage } from "./render-markdown.ts";

const IMAGES = join(ROOT, "docs/images");
const SIZE = { width: 820, tallest: 800 };

if (CHROMIUM === undefined)
  throw new Error("This needs Chromium or Chrome: name its program in the environment variable CHROMIUM.");
const { checkRun, comment } = await runDemo();
const [worst] = checkRun?.annotations ?? [];
if (checkRun === undefined || worst === undefined || comment === undefined)
  throw new Error("The demo's run wrote no comment or no annotation.");
const pages = {
  comment: await renderPage("waza-grade: comment", comment),
  annotation: renderAnnotation(checkRun.name, worst, readFileSync(join(ROOT, worst.path), "utf8")),
};
const folder = mkdtempSync(join(tmpdir(), "waza-grade-pictures-"));
mkdirSync(IMAGES, { recursive: true });
const browser = await startBrowser(CHROMIUM);
try {
  for (const [name, html] of Object.entries(pages)) {
    const page = join(folder, `${name}.html`);
    writeFileSync(page, html);
    for (const theme of ["light", "dark"] as const) {
      const image = join(IMAGES, `${name}-${theme}.png`);
      await drawPage(browser, page, { ...SIZE, theme, image });
    }
  }
} finally {
  await browser.close();
  removeTemporaryFolders();
}
