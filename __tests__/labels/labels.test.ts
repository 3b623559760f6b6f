/** Files of labels: tables and JSON lines, what is wrong in them, the table to fill in, and which grade a label is of. */
import { describe, expect, test } from "@jest/globals";
import { mergeProblems } from "../../src/text/format.ts";
import { matchLabels, misfitProblems } from "../../src/labels/agreement.ts";
import { labelsToFillIn, parseLabels } from "../../src/labels/labels.ts";
import type { Label } from "../../src/labels/labels.ts";
import { graded, runs, ungraded } from "../support/rows.ts";

const FILE = { path: "labels.csv", inRepository: true };
const read = (...lines: string[]) => parseLabels(lines.join("\n"), FILE);
const HEADER = "task_id,grader,passed";

describe("a file of labels", () => {
  test("may be a table with its columns in any order, and more of them", () => {
    const { labels, problems } = read(
      "\uFEFFnote,passed, grader ,run_number,task_id,suite,model,who",
      '"two\nlines",TRUE,quality,2,t1,demo,agent,me',
      ",no,quality,,t1,,,me",
    );
    expect(problems).toEqual([]);
    expect(labels).toMatchObject([
      {
        task: "t1",
        grader: "quality",
        run: 2,
        suite: "demo",
        model: "agent",
        passed: true,
        note: "two\nlines",
      },
      { task: "t1", grader: "quality", run: undefined, suite: undefined, passed: false, note: undefined },
    ]);
    expect(labels.map(({ at }) => at.startLine)).toEqual([2, 4]);
  });

  test("may be JSON lines", () => {
    const { labels, problems } = read(
      '{"task_id": "007", "run_number": 1, "grader": "quality", "passed": true, "note": null}',
      "",
      '{"task_id": 7, "grader": "quality", "passed": "fail"}',
    );
    expect(problems).toEqual([]);
    expect(labels).toMatchObject([
      { task: "007", run: 1, passed: true, at: { startLine: 1 } },
      { task: "7", passed: false, at: { startLine: 3 } },
    ]);
  });

  test.each([
    ...["true", "Pass", "yes", "1"].map((word) => [word, true] as const),
    ...["FALSE", "fail", "no", "0"].map((word) => [word, false] as const),
  ])("says `%s` for %p", (word, passed) => {
    expect(read(HEADER, `t1,quality, ${word} `).labels).toMatchObject([{ passed }]);
  });

  test.each([";", "\t"])("may part its columns by %p, as its header does", (delimiter) => {
    const lines = [HEADER, "t1,quality,yes"].map((line) => line.replaceAll(",", delimiter));
    expect(read(...lines, `"t,2"${delimiter}quality${delimiter}0`)).toMatchObject({
      labels: [
        { task: "t1", passed: true },
        { task: "t,2", passed: false },
      ],
      problems: [],
    });
  });

  test("may be filled in half: rows without a verdict are counted", () => {
    expect(read(HEADER, "t1,quality,", "t2,quality,yes")).toMatchObject({
      labels: [{ task: "t2" }],
      unfilled: 1,
      problems: [],
    });
  });

  test.each<[string, string[], number, string, string]>([
    ["nothing at all", [""], 1, "is not a table of labels: it is empty", "Correct line 1"],
    [
      "a column missing",
      ["task_id,grader"],
      1,
      "has no column `passed`; its first row names `task_id`, `grader`",
      "`passed`",
    ],
    ["a column twice", [`${HEADER},passed`], 1, "has more than one column `passed`", "Keep the correct one"],
    ["a row too short", [HEADER, "t1,quality"], 2, "line 2 has 2 columns", "Correct line 2"],
    [
      "a quote not closed",
      [HEADER, '"t1,quality,yes'],
      2,
      "a quote is opened and never closed",
      "Correct line 2",
    ],
    [
      "no verdict",
      [HEADER, "t1,quality,maybe"],
      2,
      "the row has `passed: maybe`.",
      "It may be `true`, `false`, `1`, `0`, `yes`, `no`, `pass`, `fail`, or empty",
    ],
    [
      "no task",
      [HEADER, ",quality,yes"],
      2,
      "does not say which grade it labels",
      "Give `task_id` and `grader`.",
    ],
    [
      "a run that is no number",
      [`${HEADER},run_number`, "t1,quality,yes,first"],
      2,
      "has `run_number: first`",
      "Write the number",
    ],
    [
      "a line that is not JSON",
      ['{"task_id": "t1", "grader": "quality", "passed": true}', "{"],
      2,
      "is not a JSON object with one label",
      "on one line",
    ],
    [
      "a line of another kind",
      ['{"task_id": "t1", "grader": "quality", "passed": true}', "[1]"],
      2,
      "is not a JSON object",
      "on one line",
    ],
    [
      "a misspelled column",
      [`${HEADER},run_nubmer`],
      1,
      "has a column `run_nubmer`, which is not read",
      "Did you mean `run_number`?",
    ],
  ])("with %s is a problem at its line", (_, lines, line, message, help) => {
    const { problems, labels } = read(...lines);
    expect(problems).toMatchObject([
      {
        message: expect.stringContaining(message),
        help: expect.stringContaining(help),
        at: { startLine: line },
      },
    ]);
    expect(labels.length).toBe(lines[0]?.startsWith("{") ? 1 : 0);
  });
});

describe("the table to fill in", () => {
  const seen = { seen: { conversation: "", sha256: "0a" } };
  const output = {
    asked: "Say it.",
    prompt: "Is it said?",
    seen: { conversation: "[1] tool call", sha256: "0a" },
    answer: 'Says "hello", twice\nor so',
  };
  const grades = [
    { ...graded({}), ...seen, ...output },
    { ...graded({ task: "'=odd" }), ...seen, answer: '=HYPERLINK("https://example.com")' },
    { ...graded({ task: "@scope/x", run: 2, model: "" }), ...seen },
    { ...ungraded("errored", { run: 3 }), ...seen },
    { ...graded({ run: 4, settled: true, passed: false }), ...seen },
  ];

  test("has a row for each grade of a judge, does not tell its verdict, and runs in no spreadsheet", () => {
    expect(labelsToFillIn(grades, (text) => text)).toBe(
      [
        "suite,model,task_id,run_number,grader,statement,passed,note,asked,question,conversation,answer,sha256",
        'demo,agent,t1,1,quality,,,,Say it.,Is it said?,[1] tool call,"Says ""hello"", twice\nor so",0a',
        'demo,agent,\'\'=odd,1,quality,,,,,,,"\'=HYPERLINK(""https://example.com"")",0a',
        "demo,,'@scope/x,2,quality,,,,,,,,0a",
        "",
      ].join("\n"),
    );
  });

  test("comes back as labels of those grades", () => {
    const filled = labelsToFillIn(grades, (text) => text).replaceAll("quality,,,,", "quality,,yes,,");
    const { labels, problems } = parseLabels(filled, FILE);
    const matched = matchLabels(labels, grades);
    expect([...problems, ...matched.misfits]).toEqual([]);
    expect(matched.labelled.map(({ grade }) => grade)).toEqual(grades.slice(0, 3));
  });
});

describe("a label is of", () => {
  const GRADES = [
    ...runs("PP"),
    graded({ task: "t2" }),
    graded({ task: "t3", model: "a" }),
    graded({ task: "t3", model: "b" }),
    graded({ task: "t4", suite: "one" }),
    graded({ task: "t4", suite: "two" }),
    graded({ task: "t5", file: "a.json" }),
    graded({ task: "t5", file: "b.json" }),
    graded({ task: "t6", grader: "style" }),
  ];
  const matched = (labels: readonly Label[]) => {
    const { labelled, misfits } = matchLabels(labels, GRADES);
    return { labelled, problems: misfitProblems(misfits, GRADES) };
  };
  const match = (fields: object) => {
    const { labels } = parseLabels(JSON.stringify({ grader: "quality", passed: true, ...fields }), FILE);
    return matched(labels);
  };

  test.each<[string, object, number]>([
    ["the only grade of its task and grader", { task_id: "t2" }, 2],
    ["the run that it names", { task_id: "t1", run_number: 2 }, 1],
    ["the model that it names", { task_id: "t3", model: "b" }, 4],
    ["the suite that it names", { task_id: "t4", suite: "two" }, 6],
  ])("%s", (_, fields, index) => {
    expect(match(fields)).toEqual({
      labelled: [{ label: expect.anything(), grade: GRADES[index] }],
      problems: [],
    });
  });

  test.each<[string, object, string, string]>([
    [
      "no grade: the task",
      { task_id: "t9" },
      "no planned grade matches `task_id: t9`.",
      "Did you mean `t1`?",
    ],
    ["no grade: the grader", { task_id: "t6" }, "matches `grader: quality`", "Planned: `style`."],
    [
      "no grade: the run",
      { task_id: "t1", run_number: 70 },
      "matches `run_number: 70`",
      "Planned: `1`, `2`.",
    ],
    ["several runs", { task_id: "t1" }, "fits 2 grades.", "Set `run_number` to choose one."],
    ["several models", { task_id: "t3" }, "fits 2 grades.", "Set `model` to choose one."],
    ["several suites", { task_id: "t4" }, "fits 2 grades.", "Set `suite` to choose one."],
    [
      "several files",
      { task_id: "t5" },
      "fits 2 grades.",
      "set `results` to only one of the files (`a.json`, `b.json`)",
    ],
  ])("%s: a problem with file and line", (_, fields, message, help) => {
    expect(match(fields)).toMatchObject({
      labelled: [],
      problems: [
        {
          level: "error",
          message: expect.stringContaining(message),
          help: expect.stringContaining(help),
          at: { path: "labels.csv", startLine: 1 },
        },
      ],
    });
  });

  test("a grade that has none yet", () => {
    const { labels } = read(HEADER, "t2,quality,yes", "t2,quality,no");
    expect(matched(labels)).toMatchObject({
      labelled: [{ label: { passed: true } }],
      problems: [
        { message: "the row labels the same grade as line 2 of `labels.csv`.", at: { startLine: 3 } },
      ],
    });
  });

  test("no grade, by one misspelled name, is reported once with its lines", () => {
    const rows = Array.from({ length: 12 }, (_, index) => `t1,qualty,yes,${String(index)}`);
    const { labels } = read(`${HEADER},run_number`, ...rows);
    expect(mergeProblems(matched(labels).problems)).toMatchObject([
      {
        message: "no planned grade matches `grader: qualty`. Also in lines 3, 4, 5 and 8 more.",
        help: "Did you mean `quality`?",
        at: { startLine: 2 },
      },
    ]);
  });

  test("no grade, a hundred times over, is reported fifty times", () => {
    const rows = Array.from({ length: 100 }, (_, index) => `x${String(index)},quality,yes`);
    expect(matched(read(HEADER, ...rows).labels).problems).toHaveLength(50);
  });
});
