/** The record read again: what it says stays, and what is not whole is refused. */
import { describe, expect, test } from "@jest/globals";
import { readRecord, recordOf } from "../../src/report/record.ts";
import type { Report } from "../../src/report/report.ts";
import { reportOfRows } from "../support/reports.ts";
import { graded, ungraded } from "../support/rows.ts";
import { suiteOf } from "../support/factories.ts";

const SUITE = suiteOf({ title: "demo" });
const AT = {
  path: "out/a.jsonl",
  startLine: 3,
  startColumn: 7,
  endLine: 3,
  inRepository: true,
  generated: true,
} as const;

function report(): Report {
  const rows = [graded(), graded({ task: "t2", passed: false }), ungraded("errored", { task: "t3" })];
  return reportOfRows([SUITE], rows, {
    problems: [{ level: "warning", message: "Odd.", at: AT }],
    scope: { tasks: [], advisory: [], unchanged: [] },
    sourceUrl: "https://github.com/octo/agents/blob/abc",
  });
}

type Fields = Record<string, unknown> & { readonly grades: readonly Record<string, unknown>[] };

function written(change: (record: Fields) => Record<string, unknown> = () => ({})): unknown {
  const record = JSON.parse(JSON.stringify(recordOf(report()))) as Fields;
  return { waza_grade: { ...record, ...change(record) } };
}

test("a record says what its report said", () => {
  const { conclusion, time, problems, scores } = report();
  expect(readRecord(written())?.report).toMatchObject({
    conclusion: JSON.parse(JSON.stringify(conclusion)) as object,
    time,
    problems,
    scores: { score: scores.score!, counts: { passed: 1, failed: 1, errored: 1 } },
  });
});

describe("no record is one", () => {
  test.each<[string, (record: Fields) => Record<string, unknown>]>([
    ["of another version", () => ({ version: 99 })],
    ["that is a copy for waza", () => ({ is_copy: true })],
    [
      "with a failed grade that cannot be read",
      ({ grades }) => ({ grades: grades.map((one) => ({ ...one, state: "FAILED" })) }),
    ],
    [
      "with a failed grade without its score",
      ({ grades }) => ({ grades: grades.map((one) => ({ ...one, score: null })) }),
    ],
    ["with grades that are no list", () => ({ grades: 7 })],
    ["with grades of a suite that it does not name", () => ({ suites: [] })],
    [
      "that names a suite twice",
      ({ suites }) => ({ suites: [...(suites as object[]), ...(suites as object[])] }),
    ],
    ["with an address that a page would run", () => ({ source_url: "javascript:alert(1)" })],
    [
      "with an address that ends its attribute",
      () => ({ commit: { sha: "a", url: 'https://a/"><img src=x>' } }),
    ],
  ])("%s", (_, change) => {
    expect(readRecord(written(change))).toBeUndefined();
  });
});
