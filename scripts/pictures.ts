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
import { smallPng } from "./small-png.ts";

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
      const { width, height, rgba } = await pixelsOf(image);
      writeFileSync(image, smallPng(Buffer.from(rgba, "base64"), width, height));
    }
  }
} finally {
  await browser.close();
  removeTemporaryFolders();
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes for each pixel, in base64. */
  readonly rgba: string;
}

/** The pixels of a PNG, which the browser reads. */
async function pixelsOf(image: string): Promise<Pixels> {
  const address = `data:image/png;base64,${readFileSync(image, "base64")}`;
  const script = `(async () => {
    const image = await createImageBitmap(await (await fetch(${JSON.stringify(address)})).blob());
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const bytes = Array.from(context.getImageData(0, 0, width, height).data, (byte) => String.fromCharCode(byte));
    return { width, height, rgba: btoa(bytes.join("")) };
  })()`;
  return (await browser.evaluate(script)) as Pixels;
}
