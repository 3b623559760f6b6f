/** The files of the input `reports`, held against the schemas of those who read them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { memoryPages, validateXML } from "xmllint-wasm";
import type { Verdict } from "../../src/domain/grade.ts";
import type { Problem } from "../../src/domain/problem.ts";
import { renderJunit } from "../../src/report/junit.ts";
import { reportFilePublisher } from "../../src/report/publishers/files.ts";
import type { Report } from "../../src/report/report.ts";
import { xmlText } from "../../src/safety/sanitize.ts";
import { GRADER_SPAN, problemOf, suiteOf, times } from "../support/factories.ts";
import {
  MISSING,
  NO_KEY,
  PASSED,
  erroredOf,
  fail,
  pass,
  reportOf,
  verdictOf,
  type Made,
} from "../support/grades.ts";

const FAILED = verdictOf([pass("is short"), fail("is right", "it is not")]);
const ERRORED = erroredOf({ class: "rate-limit", message: "Too fast.", help: "Slow down." });
const CAPPED: Verdict = { state: "skipped", cause: "cap", reason: "The cap is reached." };
const DRY: Verdict = { state: "skipped", cause: "dry-run", reason: "This is a dry run." };

const SCHEMA = readFileSync(new URL("../support/junit.xsd", import.meta.url), "utf8");

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const decode = (text: string) =>
  text.replace(/&(?:#x([0-9A-F]+)|(\w+));/g, (_, hex?: string, name = "") =>
    hex === undefined ? (ENTITIES[name as string] ?? "?") : String.fromCodePoint(parseInt(hex, 16)),
  );

/** A document that xmllint found to be well-formed and valid, read from its canonical form. */
async function read(xml: string): Promise<Element> {
  const { valid, errors, normalized } = await validateXML({
    xml: [{ fileName: "junit.xml", contents: xml }],
    schema: [SCHEMA],
    normalization: "c14n",
    maxMemoryPages: 128 * memoryPages.MiB,
  });
  expect({ valid, errors }).toEqual({ valid: true, errors: [] });
  const root: Element = { tag: "", attributes: {}, children: [], text: "" };
  const open = [root];
  for (const [, end, tag = "", attributes = "", text] of normalized.matchAll(
    /<(\/?)([\w-]+)((?: [\w-]+="[^"]*")*)>|([^<]+)/g,
  )) {
    const parent = open.at(-1)!;
    if (text !== undefined) parent.text += decode(text);
    else if (end === "/") open.pop();
    else {
      const pairs = [...attributes.matchAll(/ ([\w-]+)="([^"]*)"/g)];
      const one: Element = {
        tag,
        attributes: Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decode(value)])),
        children: [],
        text: "",
      };
      parent.children.push(one);
      open.push(one);
    }
  }
  expect(open).toHaveLength(1);
  return root.children[0]!;
}

const suitesOf = (root: Element) => root.children;
const casesOf = (suite: Element) => suite.children.filter(({ tag }) => tag === "testcase");
const figures = ({ attributes: { tests, failures, errors, skipped, time } }: Element) => ({
  ...{ tests, failures, errors, time },
  ...(skipped === undefined ? {} : { skipped }),
});
/** What a case says it is, by the elements in it. */
const outcomesOf = (one: Element) =>
  one.children
    .map(({ tag, attributes }) => ({ tag, ...attributes }))
    .filter(({ tag }) => tag !== "system-out");

const other = suiteOf({ title: "other" });
const MIXED: Made[] = [
  { verdict: PASSED, durationMs: 1_500 },
  { verdict: FAILED, grader: { name: "right" }, durationMs: 1_500 },
  { verdict: ERRORED, grader: { name: "kind" }, durationMs: 2_001 },
  { verdict: FAILED, suite: other, durationMs: 0 },
  { verdict: MISSING, suite: other, grader: { name: "kind" }, durationMs: 0 },
];
const PROBLEMS: Problem[] = [
  problemOf("error", "`timeout` is no time.", { help: "Write `5m`." }),
  problemOf("error", "The eval is no YAML.", { at: { ...GRADER_SPAN, startLine: 7 } }),
  problemOf("warning", "WARNING"),
  problemOf("notice", "NOTICE"),
];

describe("the JUnit report", () => {
  test("says of each grade what it is and everything of it, with the time that it took", async () => {
    const failure = { tag: "failure", type: "failed-check", message: "is right: it is not" };
    const error = { tag: "error", type: "rate-limit", message: "Too fast." };
    const passed = /^Passed, score 1\.00.*\n✓ pass: is short: ten words$/;
    const failed = /^Failed, score 0\.50.*\n✗ fail: is right: it is not\n✓ pass: is short$/;
    const cases = suitesOf(await read(renderJunit(reportOf(MIXED)))).flatMap(casesOf);
    expect(
      cases.map((one) => [one.attributes.name, one.attributes.time, outcomesOf(one), one.children[0]?.text]),
    ).toEqual([
      ["concise · suite · explain", "1.500", [], expect.stringMatching(passed)],
      ["right · suite · explain", "1.500", [failure], expect.stringMatching(failed)],
      ["kind · suite · explain", "2.001", [error], "Errored, not graded: rate-limit: Too fast. Slow down."],
      ["concise · other · explain", "0.000", [failure], expect.stringMatching(failed)],
      [
        "kind · other · explain",
        "0.000",
        [{ tag: "error", type: "missing", message: "No run of it." }],
        "Skipped: No run of it.",
      ],
    ]);
  });

  test.each([
    ["no run fails the gate", MISSING, {}, ["error"]],
    ["no run only warns", MISSING, { onMissing: "warn" as const }, ["skipped"]],
    ["the cap was reached, which fails the gate", CAPPED, {}, ["error"]],
    ["the cap was reached, which only warns", CAPPED, { onError: "warn" as const }, ["skipped"]],
    ["nothing was to be judged", DRY, {}, ["skipped"]],
  ])("is red for a grade without a verdict as the gate is: %s", async (_, verdict, policy, tags) => {
    const report = reportOf([{ verdict: PASSED }, { verdict, grader: { name: "kind" } }]);
    const [suite] = suitesOf(await read(renderJunit({ ...report, policy: { ...report.policy, ...policy } })));
    expect(
      casesOf(suite!)
        .flatMap(outcomesOf)
        .map(({ tag }) => tag),
    ).toEqual(tags);
  });

  test("is not red for an advisory grade without a run", async () => {
    const report = reportOf([
      { verdict: PASSED },
      { verdict: MISSING, grader: { name: "kind" }, job: { advisory: true } },
    ]);
    const [suite] = suitesOf(await read(renderJunit(report)));
    expect(
      casesOf(suite!)
        .flatMap(outcomesOf)
        .map(({ tag }) => tag),
    ).toEqual(["skipped"]);
  });

  test("counts and times every suite and the whole, in seconds", async () => {
    const root = await read(renderJunit(reportOf(MIXED)));
    expect([root, ...suitesOf(root)].map(figures)).toEqual([
      { tests: "5", failures: "2", errors: "2", time: "5.001" },
      { tests: "3", failures: "1", errors: "1", skipped: "0", time: "5.001" },
      { tests: "2", failures: "1", errors: "1", skipped: "0", time: "0.000" },
    ]);
  });

  test("has a suite of errors for what is wrong with files and inputs, and for nothing less", async () => {
    const root = await read(renderJunit(reportOf([{ verdict: PASSED }], { problems: PROBLEMS })));
    const [configuration, ...rest] = suitesOf(root);
    expect(rest).toHaveLength(1);
    expect(configuration!.attributes.name).toBe("configuration");
    expect(figures(configuration!)).toMatchObject({ tests: "2", errors: "2", failures: "0" });
    expect(figures(root)).toMatchObject({ tests: "3", errors: "2", failures: "0" });
    expect(casesOf(configuration!).map((one) => [one.attributes.classname, ...outcomesOf(one)])).toEqual([
      ["configuration.inputs", { tag: "error", type: "configuration", message: "`timeout` is no time." }],
      [
        "configuration.evals/eval.yaml:7",
        { tag: "error", type: "configuration", message: "evals/eval.yaml:7: The eval is no YAML." },
      ],
    ]);
    expect(casesOf(configuration!)[0]!.children[0]!.text).toContain("Write `5m`.");
  });

  const scoreOf = (suite: Element) =>
    suite.children.find(({ tag }) => tag === "properties")?.children[0]?.attributes.value;

  test("gives every suite its own score, with any name", async () => {
    const long = "long ".repeat(200);
    const titles = [long, `${long}2`, "same", "same", "two\nlines", "configuration", "true", "ungraded"];
    const verdicts = [PASSED, FAILED, PASSED, FAILED, FAILED, PASSED, FAILED, ERRORED];
    const made = titles.map((title, index) => ({
      verdict: verdicts[index]!,
      suite: suiteOf({ title, key: `${title} (${String(index)})` }),
    }));
    const [configuration, ...suites] = suitesOf(
      await read(renderJunit(reportOf(made, { problems: PROBLEMS }))),
    );
    expect(scoreOf(configuration!)).toBeUndefined();
    expect(suites.map(scoreOf)).toEqual(
      verdicts.map((verdict) => (verdict.state === "graded" ? verdict.score.toFixed(4) : undefined)),
    );
  });

  const fileAt = (path: string) => ({ path, model: "agent-1", runs: [] });

  test("gives cases the same unique names in every run", async () => {
    const runs: Omit<Made, "verdict">[] = [
      { run: { origin: { file: 0, task: 0, run: 0 } }, job: { file: fileAt("a.json") } },
      { run: { number: 2, origin: { file: 0, task: 0, run: 1 } }, job: { file: fileAt("a.json") } },
      { run: { origin: { file: 1, task: 0, run: 0 } }, job: { file: fileAt("b.json") } },
      { run: { origin: { file: 2, task: 0, run: 0 }, model: "agent-2" } },
      { run: { origin: { file: 0, task: 1, run: 0 } }, task: "other" },
      { run: { origin: { file: 0, task: 1, run: 0 } }, task: "other", grader: { name: "second" } },
    ];
    const names = async (verdict: Verdict, durationMs: number) => {
      const made = runs.map((one) => ({ ...one, verdict, durationMs }));
      const cases = suitesOf(await read(renderJunit(reportOf(made)))).flatMap(casesOf);
      return cases.map(({ attributes: { classname, name } }) => `${classname!} ${name!}`);
    };
    const first = await names(PASSED, 1_000);
    expect(new Set(first).size).toBe(runs.length);
    for (const verdict of [FAILED, ERRORED, MISSING]) expect(await names(verdict, 7)).toEqual(first);
  });

  test.each<[string, Report]>([
    ["without anything", reportOf([])],
    ["with warnings alone", reportOf([], { problems: PROBLEMS.slice(2) })],
  ])("is valid %s", async (_name, report) => {
    const root = await read(renderJunit(report));
    expect(figures(root)).toEqual({ tests: "0", failures: "0", errors: "0", time: "0.000" });
    expect(suitesOf(root)).toEqual([]);
  });
});

const HOSTILE: [string, string][] = [
  ["the end of CDATA", "a ]]> b <![CDATA[ c"],
  ["comments", "<!-- a --> -- <!-- b"],
  [
    "processing instructions",
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
  ],
  ["the ends of our own elements", '</failure></testcase></testsuite></testsuites>"/><x y="'],
  ["quotation marks", `"double" 'single' \`back\` & <less> "`],
  ["entities that XML has not", "&#0; &#x0; &nbsp; &amp;amp; &undefined; &"],
  ["control characters", Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`).join("")],
  ["control characters of one byte more", "a\u007F\u0080\u0085\u009Fb"],
  ["NUL", "\0a\0\0b\0"],
  ["half characters", "\uDE00a\uD83Db\uD83D"],
  ["no characters at all", "a\uFFFE\uFFFFb\u{1FFFE}\u{10FFFF}c"],
  ["terminal codes", "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007"],
  ["bidi marks", "a\u202Eb\u2066c\u2069d\uFEFFe\u200Ff"],
  ["line separators", "a\u2028b\u2029c\r\nd\re\tf"],
  ["emoji", "👩‍👩‍👧‍👦 😀 漢字 é עברית"],
  ["the prototype", "__proto__"],
  ["the constructor", "constructor"],
  ["what attributes may be without", "true"],
  ["what looks like an attribute of the writer's", "@name #text ?xml"],
  ["100 kB", "😀x<".repeat(25_000)],
  ["white space within and before", " \n\t a  b\n\n  c"],
];

/** A report with the text in every place that a file, an agent or a judge can fill. */
function everywhere(text: string): Made[] {
  const suite = suiteOf({ title: text });
  const at = { ...GRADER_SPAN, path: text };
  const rubric = { name: text, instructions: text };
  const verdicts: Verdict[] = [
    verdictOf([fail(text, text), pass(text)], { doubt: text, response: text }),
    verdictOf([], { note: text, response: text }),
    verdictOf([pass(text)]),
    erroredOf({ message: text, help: text }),
    { ...NO_KEY, reason: text },
  ];
  return verdicts.map((verdict, index) => ({
    verdict,
    suite,
    task: text,
    grader: { name: text, at, rubric },
    run: { number: index, model: `${text}${String(index)}`, origin: { file: index, task: 0, run: 0 } },
  }));
}

/** What is seen of a text on one line. */
const LINE = (text: string) =>
  xmlText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

const squeezed = (text: string) => text.replace(/\s+/g, " ");
const beginning = (text: string) => squeezed(text).slice(0, 290);

describe("hostile text", () => {
  test.each(HOSTILE)("in a JUnit report is read back as it is seen: %s", async (_name, text) => {
    const root = await read(
      renderJunit(
        reportOf(everywhere(text), {
          problems: [problemOf("error", text, { help: text, at: { ...GRADER_SPAN, path: text } })],
        }),
      ),
    );
    expect(figures(root)).toMatchObject({ tests: "6", failures: "2", errors: "3" });
    const [configuration, suite] = suitesOf(root);
    expect(beginning(suite!.attributes.name!)).toBe(beginning(LINE(text)));
    for (const [index, one] of casesOf(suite!).entries()) {
      const model = LINE(`${text}${String(index)}`);
      expect(beginning(one.attributes.name!)).toBe(beginning([LINE(text), LINE(text), model].join(" · ")));
      expect(beginning(one.attributes.classname!)).toBe(beginning(`${LINE(text)}.${LINE(text)}`));
    }
    const [failed, noted, passed, errored, skipped] = casesOf(suite!).map(({ children }) => children[0]!);
    expect(beginning(failed!.attributes.message!)).toBe(beginning(`${LINE(text)}: ${LINE(text)}`));
    for (const one of [noted, errored, skipped])
      expect(beginning(one!.attributes.message!)).toBe(beginning(LINE(text)));
    for (const one of [failed, passed, errored, skipped]) expect(one!.text).toContain(xmlText(text));
    const [problem] = casesOf(configuration!);
    expect(beginning(problem!.attributes.name!)).toBe(beginning(LINE(text)));
    expect(problem!.children[0]!.text).toBe(`${xmlText(text)}:4: ${xmlText(text)}\n${xmlText(text)}`);
  });
});

describe("a file of the report", () => {
  const folder = mkdtempSync(join(tmpdir(), "waza-grade-reports-"));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test.each([
    ["junit", /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /],
    ["markdown", /^## \S+ suite, other: /],
    ["html", /^<!doctype html>/],
  ] as const)(
    "is written whole into a new folder as %s, in place of what was there",
    async (format, begins) => {
      const path = join(folder, format, "deep", "report");
      const { name, publish } = reportFilePublisher({ format, path });
      expect(name).toBe(`${format} report`);
      for (const made of [[...MIXED, ...MIXED], MIXED])
        expect(await publish(reportOf(made), {})).toEqual({ reportFiles: [path] });
      const once = readFileSync(path, "utf8");
      expect(once).toMatch(begins);
      expect(once.endsWith("\n")).toBe(true);
      await publish(reportOf(MIXED), {});
      expect(readFileSync(path, "utf8")).toBe(once);
      expect(readdirSync(join(folder, format, "deep"))).toEqual(["report"]);
    },
  );

  test("holds each grade in full as Markdown, however many there are", async () => {
    const made = times(300, (index) => ({
      verdict: FAILED,
      task: `task-${String(index)}`,
      run: { finalOutput: "x".repeat(5_000) },
    }));
    const path = join(folder, "whole.md");
    await reportFilePublisher({ format: "markdown", path }).publish(reportOf(made), {});
    const page = readFileSync(path, "utf8");
    expect(page.match(/\*\*is right\*\*/g)).toHaveLength(300);
    expect(page).not.toMatch(/left out/i);
  });

  test.each([
    ["terminal codes", "\u001B]0;owned\u0007\u001B[31mred", "red"],
    ["marks that turn the text around", "not \u202Ebad", "not bad"],
    ["a formula behind a control character", "\u0000=1+1", "\uFFFD=1+1"],
    ["a formula behind white space and a mark", " \u202A=1+1", "'=1+1"],
  ])("shows people who label no %s", async (_case, finalOutput, shown) => {
    const path = join(folder, "labels.csv");
    await reportFilePublisher({ format: "labels", path }).publish(
      reportOf([{ verdict: FAILED, run: { finalOutput } }]),
      {},
    );
    expect(readFileSync(path, "utf8").trimEnd().split(",").at(-2)).toBe(shown);
  });

  test("is refused where it cannot be written, with the file system's error", async () => {
    const publisher = reportFilePublisher({
      format: "junit",
      path: join(folder, "junit", "deep", "report", "x.xml"),
    });
    await expect(publisher.publish(reportOf([]), {})).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});
