import { expect, test } from "@jest/globals";
import { jsonPieces } from "../../src/report/results/json-pieces.ts";

test.each<[string, unknown]>([
  [
    "a results file",
    {
      tasks: [{ test_id: "a", runs: [{ validations: {}, list: [1, [2]], deep: { a: { b: [] } } }] }],
      summary: { n: 1 },
    },
  ],
  ["nothing", null],
  ["text", 'a\n"b"\u2028'],
  ["empty ones", { a: [], b: {}, c: "" }],
  ["absent values", { a: undefined, b: [undefined, 1], c: null }],
  ["only absent values", { a: undefined }],
  ["strange keys", { 'a"\n': { "": 1 } }],
  ["a list of lists", [[], [[1], {}], "x"]],
])("the pieces of %s together are what JSON.stringify writes", (_case, value) => {
  expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value, null, 2));
});

test("no piece of a large file holds more than a part of a run", () => {
  const text = "x".repeat(100_000);
  const run = { final_output: text, transcript: [text] };
  const document = { tasks: Array.from({ length: 10 }, () => ({ runs: [run, run] })) };
  expect(Math.max(...[...jsonPieces(document)].map((piece) => piece.length))).toBeLessThan(300_000);
});
