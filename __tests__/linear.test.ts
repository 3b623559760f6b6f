/**
 * Functions that read untrusted text take linear time: on the worst texts, eight times the length takes eight times the
 * steps. Patterns are one step here: the linter has rules for them, which repository.test.ts tries.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

/** What does not grow with the text makes the factor smaller; a sort, or a list that doubles, a little larger. */
const AT_MOST = 1.1;

test("what reads untrusted text takes linear time, and a loop in a loop is found", async () => {
  const program = join(import.meta.dirname, "support", "linear-cases.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-opt", "--no-maglev", program]);
  const measured = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly name: string; readonly factor: number });
  expect(measured.length).toBeGreaterThan(300);
  // Less than nothing: a count that went beyond what V8 counts to.
  const slow = measured.filter(({ factor }) => !(factor > 0 && factor <= AT_MOST));
  expect(slow.map(({ name }) => name)).toEqual(["a loop in a loop"]);
});
