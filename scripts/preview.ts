// Draws the pages as a reader sees them, in GitHub's style, light and dark, at 900 and 390 pixels: to a folder of the
// system's temporary one, and the pictures of the documents to docs/images/. `npm run preview -- some-red` draws only these.
// Run `npm run build` before: the pages are what the bundled action publishes.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CHROMIUM, startBrowser } from "../__tests__/support/browser.ts";
import type { Browser } from "../__tests__/support/browser.ts";
import { removeTemporaryFolders } from "../__tests__/support/run-action.ts";
import { SCENES } from "./preview-runs.ts";
import { renderPage } from "./render-markdown.ts";

const IMAGES = join(import.meta.dirname, "../docs/images");
const FOLDER = join(tmpdir(), "waza-grade-preview");
const WIDTHS = [900, 390];
const THEMES = ["light", "dark"] as const;
const TALLEST = 6_000;
/** Pictures of the documents: how high at most. */
const KEPT_TALLEST = 1_400;
const KEPT: readonly string[] = ["some-red"];

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
      const file = write(`${name}-${page}.html`, await renderPage(`waza-grade: ${name}`, markdown));
      write(`${name}-${page}.md`, markdown);
      await drawAll(file, `${name}-${page}`);
      if (page === "summary" && KEPT.includes(name) && asked.length === 0) await keep(file, name);
    }
    if (html !== undefined) await drawAll(write(`${name}-report.html`, html), `${name}-report`);
  }
} finally {
  await browser.close();
  removeTemporaryFolders();
}

function write(name: string, text: string): string {
  const file = join(FOLDER, name);
  writeFileSync(file, text);
  return file;
}

async function drawAll(page: string, name: string): Promise<void> {
  for (const theme of THEMES)
    for (const width of WIDTHS)
      await draw(browser, page, {
        theme,
        width,
        tallest: TALLEST,
        image: join(FOLDER, `${name}-${theme}-${String(width)}.png`),
      });
}

async function keep(page: string, name: string): Promise<void> {
  mkdirSync(IMAGES, { recursive: true });
  for (const theme of THEMES) {
    const image = join(FOLDER, `${name}-${theme}.png`);
    await draw(browser, page, { theme, width: 900, tallest: KEPT_TALLEST, image });
    copyFileSync(image, join(IMAGES, `${name}-${theme}.png`));
  }
}

interface Picture {
  readonly theme: (typeof THEMES)[number];
  readonly width: number;
  readonly tallest: number;
  readonly image: string;
}

/** Takes the picture of a whole page, or of its first pixels where it is very high. */
async function draw(
  { send, open, evaluate }: Browser,
  page: string,
  { theme, width, tallest, image }: Picture,
): Promise<void> {
  await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }] });
  const screen = { deviceScaleFactor: 1, mobile: width < 500 };
  await send("Emulation.setDeviceMetricsOverride", { ...screen, width, height: 800 });
  await open("about:blank");
  await open(pathToFileURL(page).href);
  const high = Number(await evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)"));
  const height = Math.min(high, tallest);
  await send("Emulation.setDeviceMetricsOverride", { ...screen, width, height });
  const wide = Number(await evaluate("document.documentElement.scrollWidth"));
  const { data } = await send("Page.captureScreenshot", { format: "png" });
  writeFileSync(image, Buffer.from(String(data), "base64"));
  const beyond = wide > width ? `, and ${String(wide - width)} pixels do not fit` : "";
  console.log(`${image}: ${String(width)} x ${String(height)} of ${String(high)}${beyond}`);
}

/** Without a font of emoji every sign on the pictures is an empty box. */
function warnWithoutEmoji(): void {
  const { stdout, error } = spawnSync("fc-list", [":charset=1f7e9", "family"], { encoding: "utf8" });
  if (error || stdout.trim() !== "") return;
  console.error(
    "There is no font with emoji, so signs and squares will be empty boxes: install one, fonts-noto-color-emoji say.",
  );
}
