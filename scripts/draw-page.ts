// Takes the picture of a page as a reader with a light or a dark screen sees it.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Browser } from "../__tests__/support/browser.ts";

export interface Picture {
  readonly theme: "light" | "dark";
  readonly width: number;
  /** A page that is higher is cut off there. */
  readonly tallest: number;
  /** The PNG to write. */
  readonly image: string;
}

/** Draws an HTML file, and prints the picture's name. */
export async function drawPage(
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
  // What had no place on the screen before is drawn with the second frame.
  await evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  const { data } = await send("Page.captureScreenshot", { format: "png" });
  const bytes = Buffer.from(String(data), "base64");
  writeFileSync(image, bytes);
  const beyond = wide > width ? `, and ${String(wide - width)} pixels do not fit` : "";
  console.log(
    `${image}: ${String(width)} x ${String(height)} of ${String(high)}, ${String(bytes.length)} bytes${beyond}`,
  );
}
