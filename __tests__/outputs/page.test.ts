/** What docs/outputs.md shows is what is read, and what the workflows of examples/ run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { read } from "../support/outputs.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const DOCS = join(import.meta.dirname, "../../docs");
const page = readFileSync(join(DOCS, "outputs.md"), "utf8");

/** The first block of JSON below a heading. */
function exampleOf(heading: string): string {
  const section = page.slice(page.indexOf(`# ${heading}\n`));
  return /```json\n([^`]+)```/.exec(section)?.[1] ?? "";
}

test("its example of waza's results is read", async () => {
  const { results, runs, problems } = await read({ "results.json": exampleOf("waza's results") });
  expect(problems).toEqual([]);
  expect(results).toMatchObject([{ evalName: "code-explainer", model: "gpt-6.1-terra" }]);
  expect(runs).toMatchObject([
    { taskId: "explain-recursion", finalOutput: "It multiplies n by every number below it." },
  ]);
});

test("its example of records is read", async () => {
  const { runs, problems } = await read({ "outputs.jsonl": exampleOf("Records") });
  expect(problems).toEqual([]);
  expect(runs).toMatchObject([
    { taskId: "explain", number: 1, model: "my-agent", finalOutput: "It loops forever." },
    { taskId: "explain", number: 2, steps: [{ kind: "user" }, { kind: "assistant" }] },
  ]);
});
