/** Every attack in every field of a report that others can fill, and what a reader, a runner or a tool makes of it. */
import { describe, expect, test } from "@jest/globals";
import { stringifyChunked } from "@discoveryjs/json-ext";
import rehypeRaw from "rehype-raw";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { validateXML } from "xmllint-wasm";
import { buildAnnotations } from "../../src/report/annotations.ts";
import { gradedCopy } from "../../src/report/waza-copy.ts";
import { recordOf } from "../../src/report/record.ts";
import { renderJunit } from "../../src/report/junit.ts";
import { logLine } from "../../src/safety/sanitize.ts";
import { redactAll, redactor } from "../../src/safety/secrets.ts";
import { renderSummary } from "../../src/report/summary.ts";
import { ATTACKS, CHARACTERS, COMMANDS, EVERYTHING, NAMES, PLAIN } from "../support/attacks.ts";
import { reportWith, SOURCE } from "../support/hostile-report.ts";

/** Texts that do nothing; a page shows more of an output that a judge quotes. */
const HARMLESS = ["harmless", 'harmless "and quoted here" once'];

/** A node of a tree of HTML or Markdown, in the parts looked at here. */
interface Node {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly Node[];
}

/** As a browser would have it that takes all HTML: nothing is left to a sanitiser. */
const unsanitised = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw);

const browserTree = async (markdown: string): Promise<Node> =>
  await unsanitised.run(unsanitised.parse(markdown));

const nodesOf = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)];
const elementsOf = (node: Node) => nodesOf(node).filter(({ type }) => type === "element");

const OURS = new Set([
  ...["h2", "h3", "p", "br", "b", "strong", "sub", "span", "code", "pre", "a", "ul", "li", "blockquote"],
  ...["table", "thead", "tbody", "tr", "th", "td", "details", "summary"],
]);
/** The attributes of ours; `align` is of a table's cell, the class that of a block's language. */
const ATTRIBUTES: Readonly<Record<string, (value: unknown) => boolean>> = {
  href: (value) => typeof value === "string" && value.startsWith(`${SOURCE}/`) && !value.includes(".."),
  open: (value) => value === "" || value === true,
  align: () => true,
  className: (value) => JSON.stringify(value) === '["language-text"]',
};

function expectNothingActive(tree: Node): void {
  const strange = elementsOf(tree).filter(({ tagName = "", properties = {} }) => {
    const wrong = Object.entries(properties).filter(([name, value]) => !ATTRIBUTES[name]?.(value));
    return !OURS.has(tagName) || wrong.length > 0;
  });
  expect(strange.map(({ tagName, properties }) => ({ tagName, properties }))).toEqual([]);
  expect(nodesOf(tree).filter(({ type }) => !/^(?:root|element|text)$/.test(type))).toEqual([]);
}

/** The elements of a page in their order and nesting, without those that show a text as it is, and its line ends. */
function skeleton(node: Node): string {
  const inner = (node.children ?? []).map(skeleton).join("");
  const { tagName } = node;
  if (tagName === undefined || /^(?:code|span|br)$/.test(tagName)) return inner;
  return `<${tagName}>${inner}</>`;
}

/** Texts that GitHub scans for mentions, references, commits and math: all outside of code. */
const scanned = (node: Node): string[] =>
  node.tagName === "code" || node.tagName === "pre"
    ? []
    : node.type === "text"
      ? [node.value ?? ""]
      : (node.children ?? []).flatMap(scanned);

/** What GitHub would make a reference of; a `$` of others is alone in a `span`, so that no two of them are of one text. */
const REFERENCES = [
  /@[a-z0-9]/i,
  /#\d/,
  /\bGH-\d/i,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/i,
  /https?:\/\/|\bwww\./i,
  /\$./,
];

function expectNoReferences(tree: Node): void {
  const texts = scanned(tree);
  expect(texts.filter((text) => REFERENCES.some((pattern) => pattern.test(text)))).toEqual([]);
}

/** Cells of each row as they are written: what renders a table fills up and cuts off. */
function expectWholeTables(written: Node): void {
  const tables = nodesOf(written).filter(({ type }) => type === "table");
  for (const { children = [] } of tables)
    expect(new Set(children.map((row) => row.children?.length)).size).toBe(1);
}

/** A comment has the page's sections, cut to its limit: what could be cut apart, or is long. */
const CUT = /everything|fence of 12|end of details|text area|half a tag|long name|half characters/;
const PLACES = [
  ["page", 1_048_576, ATTACKS.filter((attack) => !PLAIN.has(attack))],
  ["comment", 9_000, ATTACKS.filter(([name]) => CUT.test(name))],
] as const;

const leftOut = (markdown: string) => /^Left out to fit .*$/m.exec(markdown)?.[0];

describe.each(PLACES)("a %s of at most %d bytes", (medium, limit, attacks) => {
  const inert = HARMLESS.map((text) => {
    const markdown = renderSummary(reportWith(text), limit, { medium });
    return { note: leftOut(markdown), shape: browserTree(markdown).then(skeleton) };
  });

  test.each(attacks)("shows %s and nothing else happens", async (_name, text) => {
    const markdown = renderSummary(reportWith(text), limit, { medium });
    expect(markdown).toMatch(/^## /);
    const alike = inert.filter(({ note }) => note === leftOut(markdown));
    const shapes = await Promise.all(alike.map(({ shape }) => shape));
    // Without a sanitiser, which could only take away.
    const written = unsanitised.parse(markdown);
    expectWholeTables(written);
    const tree: Node = await unsanitised.run(written);
    expectNothingActive(tree);
    expectNoReferences(tree);
    if (shapes.length > 0) expect(shapes).toContain(skeleton(tree));
    expect(markdown.isWellFormed()).toBe(true);
    // eslint-disable-next-line no-control-regex -- their absence is what is tested
    expect(markdown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFEFF]/);
  });
});

// eslint-disable-next-line no-control-regex -- their absence is what is tested
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

describe("annotations", () => {
  test.each([...COMMANDS, ...CHARACTERS, EVERYTHING])("hold no control characters of %s", (_name, text) => {
    const annotations = buildAnnotations(reportWith(text));
    expect(annotations).toHaveLength(buildAnnotations(reportWith("harmless")).length);
    for (const { title, message, details = "" } of annotations) {
      expect(title).not.toMatch(/[\n\t]/);
      for (const part of [title, message, details]) {
        expect(part).not.toMatch(CONTROL);
        expect(part.isWellFormed()).toBe(true);
      }
    }
  });
});

describe("reports for dashboards", () => {
  test("are well-formed XML with any content", async () => {
    const xml = ATTACKS.map(([, text], index) => ({
      fileName: `${String(index)}.xml`,
      contents: renderJunit(reportWith(text.slice(0, 2_000))),
    }));
    for (const { contents } of xml) expect(contents).not.toMatch(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/); // eslint-disable-line no-control-regex
    const { errors } = await validateXML({ xml, normalization: "c14n" });
    expect(errors).toEqual([]);
  });
});

describe("a line of the log", () => {
  test.each(ATTACKS)("is one line and no command: %s", (_name, text) => {
    for (const line of [
      logLine(text),
      logLine(` ${text}`),
      `  ${logLine(text)}`,
      logLine(`✅ ${text}: 0.50`),
    ]) {
      expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
      expect(line).not.toMatch(CONTROL);
      expect(line.trimStart()).not.toMatch(/^::/);
      expect(line).not.toContain("##[");
    }
  });
});

describe("graded results", () => {
  const validation = (name: string) => ({
    identifier: name,
    type: "code",
    score: 1,
    passed: true,
    feedback: "f",
  });

  /** A results file as JSON, since a literal in code would set the prototype. */
  function documentOf(text: string): string {
    const key = JSON.stringify(text);
    const kept = JSON.stringify(validation(text));
    const run = (run: number) =>
      `{"run_number": ${String(run)}, "status": "passed", ${key}: {"polluted": true}, "validations": {${key}: ${kept}, "kept": ${kept}}}`;
    const task = `{"test_id": ${key}, ${key}: {"polluted": true}, "runs": [${run(1)}, ${run(2)}, ${run(3)}]}`;
    return `{"eval_name": ${key}, ${key}: {"polluted": true}, "config": {${key}: 1}, "tasks": [${task}, ${task}]}`;
  }

  const own = (data: unknown, ...path: (string | number)[]): unknown =>
    path.reduce<unknown>(
      (value, key) => (Object.getOwnPropertyDescriptor(value, key) as { value: unknown } | undefined)?.value,
      data,
    );

  test.each([...NAMES, ...CHARACTERS, EVERYTHING])(
    "lose nothing and are nothing but data with %s",
    (_name, text) => {
      const document = JSON.parse(documentOf(text)) as unknown;
      const safe = redactAll(document, redactor(["a secret of ours"], { shapes: true }));
      const graded = JSON.parse(
        [
          ...stringifyChunked({
            ...gradedCopy(safe, 0, reportWith(text)),
            waza_grade: recordOf(reportWith(text)),
          }),
        ].join(""),
      ) as unknown;
      for (const path of [[text], ["tasks", 0, text], ["tasks", 0, "runs", 0, text]])
        expect(own(graded, ...path)).toEqual({ polluted: true });
      expect(own(graded, "config", text)).toBe(1);
      expect(own(graded, "tasks", 0, "runs", 2)).toEqual(own(document, "tasks", 0, "runs", 2));
      const validations = own(graded, "tasks", 0, "runs", 0, "validations");
      expect(Object.getPrototypeOf(validations)).toBe(Object.prototype);
      expect(own(validations, text)).toMatchObject({ identifier: text, type: "prompt" });
      expect(own(graded, "waza_grade", "grades")).toHaveLength(11);
      for (const key of ["polluted", "identifier", "passed"]) expect(key in {}).toBe(false);
    },
  );
});
