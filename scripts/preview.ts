// Draws the report as a reader sees it: four reports in GitHub's style, light and dark, to docs/images/.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CHECK_SUMMARY_BYTES, JOB_SUMMARY_BYTES } from "../src/report/limits.ts";
import { renderSummary } from "../src/report/summary/summary.ts";
import { allGreen, huge, judgeDown, someRed } from "./preview-reports.ts";
import { renderPage } from "./render-markdown.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const IMAGES = join(import.meta.dirname, "../docs/images");
/** A column of 900 px with its margins. */
const WIDTH = 964;
const TALLEST = 1_400;
/** Bytes of a picture: one of more is taken less high. */
const LARGEST = 250_000;

const PAGES = [
  { name: "all-green", markdown: renderSummary(allGreen(), JOB_SUMMARY_BYTES) },
  { name: "some-red", markdown: renderSummary(someRed(), JOB_SUMMARY_BYTES) },
  { name: "judge-down", markdown: renderSummary(judgeDown(), JOB_SUMMARY_BYTES) },
  { name: "huge", markdown: renderSummary(huge(), CHECK_SUMMARY_BYTES) },
];

mkdirSync(IMAGES, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "waza-grade-preview-"));
try {
  for (const { name, markdown } of PAGES) {
    for (const theme of ["light", "dark"] as const) {
      const page = join(folder, `${name}-${theme}.html`);
      writeFileSync(page, await renderPage(`waza-grade: ${name}`, markdown, theme));
      const image = join(IMAGES, `${name}-${theme}.png`);
      let height = Math.min(heightOf(page), TALLEST);
      let size = screenshot(page, image, height);
      for (; size > LARGEST; size = screenshot(page, image, height)) height -= 100;
      console.log(
        `docs/images/${name}-${theme}.png: ${String(WIDTH)} x ${String(height)}, ${String(size)} bytes`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** How high a page is: a script that only this look at it has says so. */
function heightOf(page: string): number {
  const measuring = page.replace(/\.html$/, "-height.html");
  const script = `<script>document.documentElement.dataset.height = Math.ceil(document.querySelector("main").getBoundingClientRect().bottom)</script>`;
  writeFileSync(measuring, `${readFileSync(page, "utf8")}${script}`);
  const dom = chromium(measuring, "--dump-dom", `--window-size=${String(WIDTH)},${String(TALLEST)}`);
  const height = Number(/<html[^>]* data-height="(\d+)"/.exec(dom)?.[1]);
  if (!(height > 0)) throw new Error(`${CHROMIUM} did not say how high ${page} is.`);
  return height;
}

/** Takes the first `height` pixels of a page, and says how many bytes the picture has. */
function screenshot(page: string, image: string, height: number): number {
  chromium(page, `--screenshot=${image}`, `--window-size=${String(WIDTH)},${String(height)}`);
  return statSync(image).size;
}

function chromium(page: string, ...args: readonly string[]): string {
  const fixed = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-lcd-text",
  ];
  const { error, status, stdout, stderr } = spawnSync(
    CHROMIUM,
    [...fixed, ...args, pathToFileURL(page).href],
    {
      encoding: "utf8",
      timeout: 60_000,
    },
  );
  if (error || status !== 0) {
    const why = error ? error.message : `it ended with status ${String(status)}:\n${stderr.slice(-1_000)}`;
    console.error(`${CHROMIUM} took no picture: ${why}`);
    console.error(
      "This needs Chromium or Chrome: name its program in the environment variable CHROMIUM, as in CHROMIUM=/usr/bin/google-chrome npm run preview.",
    );
    process.exit(1);
  }
  return stdout;
}
