/** The statements of an eval: texts, mappings with a text, and files of text that one of them names. */
import type { Statement } from "../domain/suite.ts";
import { isProblem, type Problem, type SourceSpan } from "../domain/problem.ts";
import { type Entry, LONGEST_ID, eachOf, fieldsOf } from "./entry.ts";
import { type EvalLocation, namedText } from "./eval-paths.ts";
import { problem } from "./problems.ts";
import { FIELDS, readBoolean } from "./schema.ts";
import { isFilled, textAt } from "./skill-file.ts";
import { listedCode, shorten } from "../text/format.ts";

/** Where the files of an eval are looked for, and what becomes of its statements. */
export interface StatementList {
  readonly location: EvalLocation;
  readonly folders: readonly string[];
  readonly problems: Problem[];
  /** Statements without a sentence, which a judge cannot decide. */
  readonly machineChecks: Entry[];
}

/** The statements of a list; an entry that is neither text nor a mapping with text is an error at its line. */
export function readStatements(from: Entry, list: StatementList): Statement[] {
  return eachOf(from).flatMap((entry): Statement[] => {
    const { value, name, at } = entry;
    const text = typeof value === "string" ? value.trim() : statementText(entry);
    const file = FILE.exec(text ?? "")?.[1];
    if (file !== undefined) return fileStatement(file, at, list);
    if (text !== undefined && !isNoSentence(text)) return [{ text, at }];
    if (typeof value !== "object" || value === null) {
      const what = text ? `\`${shorten(text, LONGEST_ID)}\`` : "it is empty";
      list.problems.push(problem("no-sentence", at, name, what));
    } else if (textAt(value, ["type"]) === undefined) {
      const keys = Array.isArray(value) ? [] : Object.keys(value).filter((key) => !OF_STATEMENTS.has(key));
      list.problems.push(problem("no-statement", at, name, listedCode(keys)));
    } else list.machineChecks.push(entry);
    return [];
  });
}

/** A statement that is nothing but a file's name: `file://rubrics/tone.md`, `@tone.md`. */
const FILE = /^(?:file:\/\/|@(?=\S+\.\w+$))(\S+)$/;

/** The text of a file as one statement. */
function fileStatement(
  name: string,
  at: SourceSpan,
  { folders, location, problems }: StatementList,
): Statement[] {
  const read = namedText(folders, { name, at, label: "the statement" }, { location });
  if (!isProblem(read)) return [{ text: read.text.trim(), at }];
  problems.push(read);
  return [];
}

/** An empty text, a number, or true or false. */
function isNoSentence(text: string): boolean {
  return Number.isFinite(Number(text)) || readBoolean(text) !== undefined;
}

/** Keys of a statement that a judge does not need: its names, and what skill-creator's grading.json says of it. */
const OF_STATEMENTS: ReadonlySet<string> = new Set(["id", "name", "passed", "evidence"]);

/**
 * The text of a statement that is a mapping: its subject and all its texts, `dimension: pass_if`, and in parentheses what
 * else it says, since any key may turn the sentence: `a password (type: not_contains)`.
 */
function statementText(entry: Entry): string | undefined {
  if (textAt(entry.value, FIELDS.text) === undefined) return undefined;
  const keys: readonly string[] = [...FIELDS.about, ...FIELDS.text];
  const texts = keys.flatMap((key) => textAt(entry.value, [key]) ?? []);
  const fields = fieldsOf(entry).filter(
    ({ key, value }) =>
      isFilled(value) &&
      !OF_STATEMENTS.has(String(key)) &&
      !(keys.includes(String(key)) && textAt(entry.value, [String(key)]) !== undefined),
  );
  const more = fields.length > 0 ? [`(${fields.map(fieldText).join(", ")})`] : [];
  return [[...new Set(texts)].join(": "), ...more].join(" ");
}

/** What a field says, as `key: value`. */
export function fieldText({ key, value }: Entry): string {
  return `${String(key)}: ${typeof value === "string" ? value.trim() : JSON.stringify(value)}`;
}

/** Statements numbered from 1, then the expected output, and what else the eval says. */
export function numberedText(
  statements: readonly Pick<Statement, "text">[],
  { expected, more = [] }: { readonly expected?: string | undefined; readonly more?: readonly string[] } = {},
): string {
  const indented = (text: string) => text.replaceAll("\n", "\n   ");
  return [
    ...statements.map(({ text }, index) => `${String(index + 1)}. ${indented(text)}`),
    ...(expected === undefined ? [] : ["", "The expected output, for reference:", expected]),
    ...(more.length === 0 ? [] : ["", "What else the eval says, for reference:", ...more.map(indented)]),
  ].join("\n");
}
