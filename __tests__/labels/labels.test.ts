/** Files of labels: tables and JSON lines, what is wrong in them, the table to fill in, and which grade a label is of. */
import { afterAll, describe, expect, test } from "@jest/globals";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "../../src/domain/row.ts";
import { times } from "../support/factories.ts";
import { graded, runs, ungraded } from "../support/rows.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import {
  agreementOf,
  decideAgreement,
  matchLabels,
  misfitProblems,
  type Labelled,
} from "../../src/labels/agreement.ts";
import { labelsToFillIn, parseLabels, readLabels, type Label } from "../../src/labels/labels.ts";
import { mergeProblems } from "../../src/text/format.ts";

const FILE = { path: "labels.csv", inRepository: true };
const read = (...lines: string[]) => parseLabels(lines.join("\n"), FILE);
const HEADER = "task_id,grader,passed";
const JSON_LABEL = '{"task_id": "t1", "grader": "quality", "passed": true}';

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
        ...{ task: "t1", grader: "quality", run: 2, suite: "demo", model: "agent" },
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
    ["a row too short", [HEADER, "t1,quality"], 2, "a row has more or fewer columns", "Correct line 2"],
    [
      "a quote not closed, where it is opened",
      [HEADER, 't1,"quality\n",yes', '"t1,quality,yes', "", "t2,quality,no"],
      4,
      "a quote is opened and never closed",
      "Correct line 4",
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
    ["a line that is not JSON", [JSON_LABEL, "{"], 2, "is not a JSON object with one label", "on one line"],
    ["a line of another kind", [JSON_LABEL, "[1]"], 2, "is not a JSON object", "on one line"],
    [
      "a misspelled column",
      [`${HEADER},run_nubmer`],
      1,
      "has a column `run_nubmer`, which is not read",
      "Did you mean `run_number`?",
    ],
  ])("with %s is a problem at its line", (_, lines, line, message, help) => {
    const { problems, labels } = read(...lines);
    expect(problems).toMatchObject([{ at: { startLine: line } }]);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.help).toContain(help);
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
    ["no grade: the task", { task_id: "t9" }, "no grade has `task_id: t9`.", "Did you mean `t1`?"],
    ["no grade: the grader", { task_id: "t6" }, "no grade has `grader: quality`", "There is `style`."],
    [
      "no grade: the run",
      { task_id: "t1", run_number: 70 },
      "no grade has `run_number: 70`",
      "There are `1`, `2`.",
    ],
    ["several runs", { task_id: "t1" }, "fits no grade alone.", "It fits 2 grades: set `run_number` to"],
    ["several models", { task_id: "t3" }, "fits no grade alone.", "It fits 2 grades: set `model` to"],
    ["several suites", { task_id: "t4" }, "fits no grade alone.", "It fits 2 grades: set `suite` to"],
    [
      "several files",
      { task_id: "t5" },
      "fits no grade alone.",
      "set `results` to only one of the files (`a.json`, `b.json`)",
    ],
  ])("%s: a problem with file and line", (_, fields, message, help) => {
    const { labelled, problems } = match(fields);
    expect(labelled).toEqual([]);
    expect(problems).toMatchObject([{ level: "error", at: { path: "labels.csv", startLine: 1 } }]);
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.help).toContain(help);
  });

  test("a grade that has none yet", () => {
    const { labels } = read(HEADER, "t2,quality,yes", "t2,quality,no");
    const { labelled, problems } = matched(labels);
    expect(labelled).toMatchObject([{ label: { passed: true } }]);
    expect(problems).toMatchObject([
      { help: "Line 2 labels it already: keep one of them.", at: { startLine: 3 } },
    ]);
  });

  test("no grade, by one misspelled name, is reported once with its lines", () => {
    const rows = times(12, (index) => `t1,qualty,yes,${String(index)}`);
    const { labels } = read(`${HEADER},run_number`, ...rows);
    expect(mergeProblems(matched(labels).problems)).toMatchObject([
      {
        message: "no grade has `grader: qualty`. Also in lines 3, 4, 5 and 8 more.",
        help: "Did you mean `quality`?",
        at: { startLine: 2 },
      },
    ]);
  });

  test("no grade, a hundred times over, is reported fifty times", () => {
    const rows = times(100, (index) => `x${String(index)},quality,yes`);
    expect(matched(read(HEADER, ...rows).labels).problems).toHaveLength(50);
  });
});

/* The file of `labels` as it lies on disk. */

afterAll(removeTemporaryFolders);

const TABLE = "task_id,grader,passed\nt1,quality,true\nt2,quality,\n";

test.each<[string, string | Buffer]>([
  ["as it is", TABLE],
  ["with a byte order mark", `\uFEFF${TABLE}`],
  ["with a spreadsheet's ends of lines", TABLE.replaceAll("\n", "\r\n")],
  [
    "as JSON lines",
    '\uFEFF{"task_id": "t1", "grader": "quality", "passed": true}\r\n{"task_id": "t2", "grader": "quality"}\r\n',
  ],
])("a file is read %s; rows without a verdict are counted", async (_case, text) => {
  const folder = temporaryFolder("labels");
  const file = join(folder, "labels.csv");
  writeFileSync(file, text);
  const { labels, problems, paths } = await readLabels(file, folder);
  expect(labels).toMatchObject([{ task: "t1", grader: "quality", passed: true }]);
  expect(problems).toMatchObject([
    { level: "notice", message: "1 row has no label yet: `passed` is empty." },
  ]);
  expect(paths).toEqual([file]);
});

test.each<[string, (file: string) => void]>([
  ["is not there", () => undefined],
  [
    "is a folder",
    (file) => {
      mkdirSync(file);
    },
  ],
  [
    "is not UTF-8",
    (file) => {
      writeFileSync(file, Buffer.from([0xff, 0xfe, 0x74, 0x00]));
    },
  ],
  [
    "is a link that leads out of the workspace",
    (file) => {
      const outside = join(temporaryFolder("outside"), "labels.csv");
      writeFileSync(outside, TABLE);
      symlinkSync(outside, file);
    },
  ],
])("a file that %s is an error, and no label", async (_case, make) => {
  const folder = temporaryFolder("labels");
  const file = join(folder, "labels.csv");
  make(file);
  const { labels, problems } = await readLabels(file, folder);
  expect(labels).toEqual([]);
  expect(problems).toMatchObject([{ level: "error", at: { path: "labels.csv" } }]);
});

/* The judge's verdicts against people's: the table of four, the rates, and `min-agreement`. */

const AT = { path: "labels.csv", startLine: 2, endLine: 2, inRepository: true };

function labelled(passed: boolean, grade: Row): Labelled<Row> {
  return { label: { task: grade.task, grader: grade.grader, passed, note: "why", at: AT }, grade };
}

/** So many of each: judge and person pass, only the judge, only the person, neither. */
function four(numbers: readonly [number, number, number, number], grader = "quality"): Labelled<Row>[] {
  const kinds = [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const;
  return kinds.flatMap(([judge, person], index) =>
    times(numbers[index] ?? 0, () => labelled(person, graded({ grader, passed: judge }))),
  );
}

describe("the agreement", () => {
  test("has both rates with their counts and Wilson's intervals, and kappa", () => {
    const interval = (lower: number, upper: number) => ({
      lower: expect.closeTo(lower, 4) as unknown,
      upper: expect.closeTo(upper, 4) as unknown,
    });
    const found = agreementOf(four([45, 6, 3, 26]));
    expect(found).toMatchObject({
      table: { truePass: 45, falsePass: 6, falseFail: 3, trueFail: 26 },
      tpr: { value: 0.9375, agreed: 45, labels: 48, ...interval(0.8316, 0.9785) },
      tnr: { value: 0.8125, agreed: 26, labels: 32, ...interval(0.6469, 0.9111) },
      kappa: expect.closeTo(0.762, 3),
      agreement: 0.8125,
    });
    expect(found.disagreements).toHaveLength(9);
    expect(found.disagreements[0]).toMatchObject({
      label: { passed: false, note: "why" },
      grade: { state: "passed" },
    });
  });

  test("is reported for each grader of each suite and for all", () => {
    const other = [labelled(false, graded({ suite: "other" }))];
    const found = agreementOf([...four([5, 0, 0, 5]), ...four([5, 1, 0, 4], "style"), ...other]);
    expect(found.graders).toMatchObject([
      { suite: "demo", grader: "quality", tnr: { value: 1 }, kappa: 1 },
      { suite: "demo", grader: "style", tnr: { value: 0.8 } },
      { suite: "other", grader: "quality", table: { falsePass: 1 }, tnr: undefined },
    ]);
    expect(found).toMatchObject({ table: { truePass: 10, falsePass: 2, falseFail: 0, trueFail: 9 } });
  });

  test("of an advisory grader is reported, and is in no figure over all", () => {
    const advisory = Array.from({ length: 6 }, () =>
      labelled(false, graded({ grader: "new", advisory: true })),
    );
    const found = agreementOf([...four([5, 0, 0, 5]), ...advisory]);
    expect(found).toMatchObject({ agreement: 1, table: { falsePass: 0 } });
    expect(found.graders).toMatchObject([
      { grader: "quality", advisory: false },
      { grader: "new", advisory: true, table: { falsePass: 6 }, tnr: { value: 0 } },
    ]);
    expect(found.disagreements).toHaveLength(6);
  });

  test("shows labels of grades that no judge gave a verdict on, and does not count them", () => {
    const errored = labelled(true, ungraded("errored"));
    const settled = labelled(true, graded({ settled: true, passed: false }));
    const found = agreementOf([...four([5, 0, 0, 5]), errored, settled]);
    expect(found).toMatchObject({ agreement: 1, disagreements: [], uncounted: [errored, settled] });
  });

  test.each([
    ["people failed fewer than 5", [20, 2, 1, 2], true],
    ["people passed fewer than 5", [3, 2, 1, 8], false],
  ] as const)("has no rate of a verdict, and no kappa, where %s", (_, numbers, tpr) => {
    const found = agreementOf(four(numbers));
    expect([found.tpr !== undefined, found.tnr !== undefined]).toEqual([tpr, !tpr]);
    expect(found).toMatchObject({ kappa: undefined, agreement: undefined });
    expect(found.disagreements).toHaveLength(3);
  });
});

describe("min-agreement", () => {
  test.each([
    [
      [9, 1, 1, 9],
      0.9,
      false,
      "the judge agrees on 9 of the 10 grades that people passed (0.90; 95 % interval 0.60 to 0.98; minimum 0.90)",
    ],
    [
      [45, 6, 3, 26],
      0.9,
      true,
      "the judge agrees on only 26 of the 32 grades that people failed (0.81; 95 % interval 0.65 to 0.91; minimum 0.90)",
    ],
    [
      [8, 0, 2, 10],
      0.9,
      true,
      "the judge agrees on only 8 of the 10 grades that people passed (0.80; 95 % interval 0.49 to 0.94; minimum 0.90)",
    ],
    [
      [90, 1, 1, 3],
      0.5,
      true,
      "too few labels: people passed 91 and failed 4 of the judged grades; at least 5 of each are needed, so the minimum of 0.50 is not reached",
    ],
  ] as const)("%p at %d is red: %p", (numbers, minimum, red, sentence) => {
    expect(decideAgreement(agreementOf(four(numbers)), minimum)).toEqual({ red, sentence });
  });

  const WRONG = four([20, 12, 0, 2], "tone");
  test.each([
    [
      "one grader's interval lies wholly below it",
      [...four([60, 0, 0, 60]), ...WRONG],
      true,
      "by the grader `tone` the judge agrees on only 2 of the 14 grades that people failed (0.14; 95 % interval 0.04 to 0.40; minimum 0.80)",
    ],
    [
      "one grader's rate lies below it, and its interval does not",
      [...four([60, 0, 0, 60]), ...four([20, 2, 0, 4], "tone")],
      false,
      "the judge agrees on 64 of the 66 grades that people failed (0.97; 95 % interval 0.90 to 0.99; minimum 0.80)",
    ],
    [
      "that grader is advisory",
      [
        ...four([60, 0, 0, 60]),
        ...WRONG.map(({ label, grade }) => ({ label, grade: { ...grade, advisory: true as const } })),
      ],
      false,
      "the judge agrees on 60 of the 60 grades that people passed (1.00; 95 % interval 0.94 to 1.00; minimum 0.80)",
    ],
  ])("where %s", (_, found, red, sentence) => {
    expect(decideAgreement(agreementOf(found), 0.8)).toEqual({ red, sentence });
  });
});
