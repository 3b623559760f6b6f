// How long Chromium takes to open the HTML report of 1,000 grades, each with 20 kB of evidence.
import { join } from "node:path";
import { CHROMIUM, startBrowser } from "../__tests__/support/browser.ts";
import { act, markedSuite, spread, startBenchJudge } from "./bench-tools.ts";

const ROUNDS = 7;

/** Prints the time to the first text and to the end of loading, with a new browser each time. */
export async function html(): Promise<void> {
  if (CHROMIUM === undefined) throw new Error("This needs Chromium or Chrome.");
  const judge = await startBenchJudge();
  const workspace = markedSuite(1_000, { lines: 200, line: `${"word and text ".repeat(7)}\n` });
  judge.set({ fails: 0.25 });
  await act(judge, workspace, { "max-concurrency": "50", reports: "html=report.html" });
  await judge.close();
  const shown: number[] = [];
  const loaded: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const browser = await startBrowser(CHROMIUM);
    await browser.open(`file://${join(workspace, "report.html")}`);
    const [first, end] = (await browser.evaluate(
      `[performance.getEntriesByName("first-contentful-paint")[0].startTime, performance.getEntriesByType("navigation")[0].loadEventEnd]`,
    )) as [number, number];
    await browser.close();
    shown.push(first);
    loaded.push(end);
  }
  console.log(
    `HTML report of 1,000 grades: first shown after ${spread(shown, 0)} ms, loaded after ${spread(loaded, 0)} ms, ${String(ROUNDS)} times`,
  );
}
