/** What a judge's call says: the meaning of its name and of its arguments, and the check that it reports. */
import { type AnyNode, parse } from "@humanwhocodes/momoa";
import type { Check } from "../domain/grade.ts";
import { isObject, jsonOf, shorten } from "../text/format.ts";
import { Json } from "../text/json.ts";

/** Maximum characters of a description or a reason. */
const LONGEST_REASON = 20_000;
/** The letters of a text in lower case: models decorate names and words with signs. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, "");
}

/** A namespace or nothing, the tool's name in any letters and with any signs, and what models add to it. */
const NAME =
  /^(?:.*(?:[^\p{L}\p{N}_]|__))?(?:set[^\p{L}\p{N}]{0,2})?waza[^\p{L}\p{N}]{0,2}grade[^\p{L}\p{N}]{0,2}(pass|fail)(.*)$/isu;

/**
 * Meaning of a call's name: a check's outcome, the end, or undefined for any other tool. Models decorate names
 * (`functions.`, `:1`, `<|channel|>json`), but `no_set_waza_grade_pass` and a name with both outcomes are neither.
 */
export function meaningOf(name: string): Check["outcome"] | "finish" | undefined {
  const letters = lettersOf(name);
  if (letters.includes("finishgrading")) return "finish";
  const [, outcome, rest = ""] = NAME.exec(name) ?? [];
  const isOne = letters.split("wazagrade").length === 2 && !/pass|fail/i.test(rest);
  return isOne ? (outcome?.toLowerCase() as Check["outcome"] | undefined) : undefined;
}

const SIDES = {
  pass: /^(?:pass(?:ed|es|ing)?|true|yes)$/,
  fail: /^(?:fail(?:ed|s|ing)?|false|no)$/,
} as const;

/** The first word of a text, in no quotation marks. */
const FIRST_WORD = /^[^\p{L}\p{N}\p{Pi}\p{Pf}"'`]*(\p{L}+)/u;
/** What follows a word that a sentence explains: a colon, a full stop, a dash between spaces, a line's end. */
const EXPLAINED = /^[^\p{L}\p{N}\s:.?]*(?:[:.](?=\s|$)|\s\p{Pd}\s|\n)/u;

/** The side that a value takes: a boolean, or one word, alone or before what explains it; `yes` and `no` only alone. */
export function sideOf(value: unknown): Check["outcome"] | undefined {
  if (typeof value !== "boolean" && typeof value !== "string") return undefined;
  const text = String(value).toLowerCase();
  const [start = "", word = ""] = FIRST_WORD.exec(text) ?? [];
  const rest = text.slice(start.length);
  const isAlone = !/[\p{L}\p{N}?]/u.test(rest);
  if (!isAlone && (/^(?:yes|no)$/.test(word) || !EXPLAINED.test(rest))) return undefined;
  return (["pass", "fail"] as const).find((side) => SIDES[side].test(word));
}

/** Arguments in a judge's own words. */
const WORDED: ReadonlySet<string> = new Set(["description", "reason", "statement"]);
/** Keys that name failure, and keys of which 0 is one. */
const [OF_FAILURE, OF_SUCCESS] = [/fail|error|violat|missing/, /pass|score/];
/** What is no failure under a key that names it. */
const NOTHING: ReadonlySet<string> = new Set(["", "0", "false", "null", "none", "no"]);

/**
 * What arguments say by their keys, besides a judge's own words. Under a key that names failure, what is there fails, unless
 * it is empty, 0, false, null, "none" or "no"; under any other a side of failure fails, 0 of a success, and the name of our
 * tool. A word of passing passes. Of a text that cannot be read, the pieces between its signs are looked at.
 */
export function saidBy(args: unknown, name = ""): Check["outcome"] | undefined {
  return sideUnder(name.toLowerCase(), typeof args === "string" ? args.split(/[^\p{L}\p{N} ]+/u) : args);
}

function sideUnder(key: string, value: unknown): Check["outcome"] | undefined {
  const isOfFailure = OF_FAILURE.test(key);
  if (typeof value === "object" && value !== null) {
    const isKeyed = !Array.isArray(value) && !isOfFailure;
    const sides = Object.entries(value).map(([name, inner]) => {
      if (!isKeyed) return sideUnder(key, inner);
      return WORDED.has(name) ? undefined : sideUnder(name, inner);
    });
    return sides.includes("fail") ? "fail" : sides.find((side) => side !== undefined);
  }
  const text = String(value).toLowerCase();
  if (isOfFailure) return NOTHING.has(text.replace(/[^\p{L}\p{N}]/gu, "")) ? undefined : "fail";
  const side = sideOf(value);
  if (side === "fail" || (value === 0 && OF_SUCCESS.test(key)) || meaningOf(text) === "fail") return "fail";
  return side && text.includes("pass") ? side : undefined;
}

/** A check, and why it is not recorded at once, as a predicate. */
interface ReadCheck {
  readonly check: Check;
  readonly fault?: keyof typeof FAULTS | undefined;
}

/** Faults of a call: whether it counts when it is called so again, and whether the call that settles it is marked. */
export const FAULTS = {
  "contradicts itself": { countsAgain: false, marks: true },
  "is not clear": { countsAgain: true, marks: true },
  "has arguments that cannot be read": { countsAgain: true, marks: false },
} as const;

/**
 * The check that a call reports, by its arguments as `readArguments` reads them. They never change the outcome. Its
 * `verdict` of the other side contradicts it, and so does in a pass anything that says fail. A pass is not clear if its
 * `verdict` takes no side, and any call with a reason that begins with the other one. Secrets are redacted whole, before a text
 * is shortened.
 */
export function toCheck(
  outcome: Check["outcome"],
  args: unknown,
  {
    redact,
    statements,
  }: { readonly redact: (text: string) => string; readonly statements?: readonly string[] | undefined },
): ReadCheck {
  const clean = (key: string) => {
    const text = new Json(args).text(key)?.trim();
    return text ? shorten(redact(text), LONGEST_REASON) : undefined;
  };
  const details = { description: clean("description"), reason: clean("reason") };
  const fault = faultOf(outcome, args);
  if (!statements) return { check: { outcome, ...details }, fault };
  const number = statementIn(args, statements) ?? (statements.length === 1 ? 1 : undefined);
  return { check: { outcome, statement: number, ...details }, fault };
}

function faultOf(outcome: Check["outcome"], args: unknown): ReadCheck["fault"] {
  const given = new Json(args);
  const verdict = given.at("verdict").value;
  const isOther = (side: Check["outcome"] | undefined) => side !== undefined && side !== outcome;
  const side = sideOf(verdict);
  if (isOther(side)) return "contradicts itself";
  if (outcome === "pass") {
    const words = side === undefined && typeof verdict === "string" ? verdict.split(/\P{L}+/u) : [];
    const namesFailure = words.some((word) => sideOf(word) === "fail");
    if (namesFailure || saidBy(args) === "fail") return "contradicts itself";
    if (!isObject(args)) return "has arguments that cannot be read";
    const isGiven = typeof verdict === "string" ? verdict.trim() !== "" : verdict !== undefined;
    if (isGiven && side === undefined) return "is not clear";
  }
  return isOther(sideOf(given.at("reason").value)) ? "is not clear" : undefined;
}

/** The number of a statement that a call names; undefined without one. */
export function statementIn(args: unknown, statements: readonly string[]): number | undefined {
  const named = new Json(args);
  const { value } =
    ["statement", "number", "statement_number"]
      .map((key) => named.at(key))
      .find((label) => label.value !== undefined) ?? {};
  return numberFromLabel(value, statements);
}

/** A number alone, with signs around it or a word before it: `2`, `#2`, `(2)`, `**2**`, `Statement 2`. */
const ALONE = /^[^\p{L}\p{N}\p{Pd}\p{Sm}.,]*(?:\p{L}+[^\p{L}\d]{0,3})?(\d+)(?:\.0+)?[^\p{L}\p{N}]*$/u;
/** A number of all: `2 of 3`, `2/3`. */
const OF_ALL = /^(\d+) ?(?:of|\/) ?(\d+)$/;
/** A number and a sign before other words: `2. It is short.`, `Statement 2: It is short.` */
const LABEL = /^(?:\p{L}+[^\p{L}\d]{0,3}|#)?(\d+)[^\p{L}\d\s]\s/u;

/**
 * The number of the statement that a value names: by its own text, if no other has the same; else by its number, also as a
 * label, and 0, for a judge that counts from there. A number within a statement's own text is not its number.
 */
function numberFromLabel(value: unknown, statements: readonly string[]): number | undefined {
  const text = typeof value === "string" ? spaced(value) : "";
  const isSame = (statement: string) => text !== "" && spaced(statement).toLowerCase() === text.toLowerCase();
  const named = statements.flatMap((statement, index) => (isSame(statement) ? index + 1 : []));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const ofAll = OF_ALL.exec(text);
  const match = Number(ofAll?.[2]) === statements.length ? ofAll : (ALONE.exec(text) ?? LABEL.exec(text));
  const [, digits = NaN] = match ?? [];
  const number = typeof value === "number" ? value : Number(digits);
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** A text with one space in place of all white space. */
function spaced(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** What the arguments of `finish_grading` hold: how many checks the instructions ask for, and whether there is more. */
export function finishIn(args: unknown): { readonly announced: number; readonly holdsMore: boolean } {
  const { checks, ...rest } = isObject(args) ? args : { args };
  const announced = typeof checks === "string" || typeof checks === "number" ? Number(checks) : 0;
  const isNumber = typeof checks !== "object" || checks === null;
  return {
    announced: Number.isSafeInteger(announced) ? announced : 0,
    holdsMore: !isNumber || Object.keys(rest).length > 0,
  };
}

/**
 * A call's arguments, the names in lower case; some servers encode them twice. The text where it cannot be read or is
 * nested too deeply, an empty object where there are none.
 */
export function readArguments(args: unknown): unknown {
  const read = (text: string) => (text.trim() === "" ? {} : keyedOnce(text));
  try {
    const value = typeof args === "string" ? read(args) : withLowerCaseKeys(args);
    const inner = typeof value === "string" ? (read(value) ?? value) : value;
    return inner === null || args === undefined ? {} : (inner ?? args);
  } catch {
    return String(args);
  }
}

/** The value of a JSON text, names in lower case; undefined where it is none, or repeats a key: only the last would count. */
export function keyedOnce(text: string): unknown {
  const value = jsonOf(text);
  const isRepeated = typeof value === "object" && value !== null && hasDuplicateKey(parse(text).body);
  return isRepeated ? undefined : withLowerCaseKeys(value);
}

function hasDuplicateKey(node: AnyNode): boolean {
  if (node.type === "Array") return node.elements.some(({ value }) => hasDuplicateKey(value));
  if (node.type !== "Object") return false;
  const names = node.members.map(({ name }) => ("value" in name ? name.value : name.name).toLowerCase());
  return new Set(names).size < names.length || node.members.some(({ value }) => hasDuplicateKey(value));
}

/** The same value with all names in lower case. */
function withLowerCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerCaseKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key.toLowerCase(), withLowerCaseKeys(field)]),
  );
}
