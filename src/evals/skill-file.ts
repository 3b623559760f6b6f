/** The JSON file of a skill: which of its lists are evals, which are trigger evals, and which nothing reads. */
import { basename, dirname } from "node:path";
import { type Entry, fieldsOf, itemsOf, valueAt } from "./entry.ts";
import { FIELDS, LABELS, readBoolean } from "./schema.ts";

/** A list of evals. */
interface EvalList {
  readonly list: Entry;
  readonly evals: readonly Entry[];
}

/** A query, and what an agent should load for it. */
export interface Trigger {
  readonly query: string;
  /** Its skill, or not. */
  readonly shouldTrigger?: boolean | undefined;
  /** Its skill, where the file says which. */
  readonly skill?: string | undefined;
  /** What counts in its place: of all skills the one of this name, or none. */
  readonly named?: string | null | undefined;
  readonly entry: Entry;
}

/** What the lists of a file hold. */
export interface SkillFile {
  readonly evals: readonly EvalList[];
  readonly triggers: readonly Trigger[];
  /** What nothing reads: lists of prompts without statements, and such entries among trigger evals. */
  readonly unread: readonly Entry[];
}

export const NO_LISTS: SkillFile = { evals: [], triggers: [], unread: [] };

/**
 * The lists of a file, wherever they are. Entries with a prompt that say whether the skill should load, or which, are
 * trigger evals; those with a prompt and checks are evals, and so is all that is under `evals`.
 */
export function readLists(root: Entry, file: string): SkillFile {
  const main = mainList(root, file)?.name;
  const read: { readonly [Key in keyof SkillFile]: SkillFile[Key][number][] } = {
    evals: [],
    triggers: [],
    unread: [],
  };
  for (const { list, shouldTrigger, skill } of promptLists(root, main)) {
    const entries = itemsOf(list).map((entry) => ({
      entry,
      trigger: triggerOf(entry, shouldTrigger, skill),
    }));
    const triggers = entries.flatMap(({ trigger }) => trigger ?? []);
    const candidates = entries.flatMap(({ entry, trigger }) =>
      trigger && !hasStatements(entry.value) ? [] : entry,
    );
    const isMain = list.name === main && (candidates.length > 0 || entries.length === 0);
    read.triggers.push(...triggers);
    // The main list comes first, so that its ids stay, whatever is written above it.
    if (isMain) read.evals.unshift({ list, evals: candidates });
    else if (candidates.some(({ value }) => isEval(value))) read.evals.push({ list, evals: candidates });
    else if (candidates.length < entries.length) read.unread.push(...candidates);
    else if (candidates.some(({ value }) => isPrompt(value))) read.unread.push(list);
  }
  return read;
}

/** The list whose entries are evals, whatever they hold. */
export function mainList(root: Entry, file: string): Entry | undefined {
  const isCalledSo = basename(file) === "evals.json";
  if (Array.isArray(root.value)) return isCalledSo ? root : undefined;
  const keys = FIELDS.evals.filter((key) => key === "evals" || isCalledSo);
  return keys.map((key) => root.child(key)).find(({ value }) => Array.isArray(value));
}

/** A list of prompts; what its key says of all its entries, and the skill that the nearest mapping around it names. */
interface PromptList {
  readonly list: Entry;
  readonly shouldTrigger?: boolean | undefined;
  readonly skill: string | undefined;
}

/** Lists of mappings with a prompt, of queries, and the main one; not those inside of such an entry. */
function* promptLists(entry: Entry, main: string | undefined, around?: string): Generator<PromptList> {
  const { value, name } = entry;
  if (Array.isArray(value)) {
    if (name === main || value.some((one) => promptAt(one) !== undefined))
      yield { list: entry, skill: around };
    else for (const item of itemsOf(entry)) yield* promptLists(item, main, around);
    return;
  }
  const skill = textAt(value, name === "" ? FIELDS.skill : [...FIELDS.skill, "name"]) ?? around;
  for (const inner of fieldsOf(entry)) {
    const key = String(inner.key);
    const shouldTrigger = Array.isArray(inner.value) ? QUERIES.get(onlyLetters(key)) : undefined;
    if (shouldTrigger !== undefined) yield { list: inner, shouldTrigger, skill };
    else if (!LABELS.has(key)) yield* promptLists(inner, main, skill);
  }
}

/** Keys of lists of queries, letters alone. */
const QUERIES: ReadonlyMap<string, boolean> = new Map([
  ["shouldtrigger", true],
  ["shouldnottrigger", false],
]);

/** Letters alone, in lower case: `should_trigger` and `shouldTrigger` are one key. */
export function onlyLetters(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, "");
}

/** Whether a key says if the skill should be loaded. */
export function isShouldTrigger(key: string): boolean {
  return QUERIES.has(onlyLetters(key));
}

/** The trigger eval in an entry: a query that says what should be loaded, or in a list whose key says it. */
function triggerOf(
  entry: Entry,
  ofList: boolean | undefined,
  around: string | undefined,
): Trigger | undefined {
  const { value } = entry;
  const query = typeof value === "string" && ofList !== undefined ? value.trim() : promptAt(value);
  const shouldTrigger = ofList ?? booleanOf(value);
  // A judged eval may say so of its own prompt.
  const named = shouldTrigger === undefined && isEval(value) ? undefined : namedSkill(entry, shouldTrigger);
  if (!query || (shouldTrigger === undefined && named === undefined)) return undefined;
  return { query, shouldTrigger, skill: textAt(value, FIELDS.skill) ?? around, named, entry };
}

/**
 * Keys of a query for the skill that should be loaded; where its own should not, for the one in its place. In evals.json
 * `expect` may be what is expected of an answer.
 */
const EXPECTED = ["expected_skill", "expect_skill"];
const EXPECTED_ELSEWHERE = [...EXPECTED, "expect"];
/** What files write for no skill, beside null. */
const NO_SKILL = "none";

/** The field of an entry that says which skill should be loaded. */
export function whichSkill(entry: Entry): Entry | undefined {
  const fields = fieldsOf(entry);
  const keys = basename(entry.at.path) === "evals.json" ? EXPECTED : EXPECTED_ELSEWHERE;
  return (
    fields.find(({ key }) => keys.includes(String(key))) ??
    fields.find(({ key }) => isShouldTrigger(String(key)))
  );
}

/** The skill that an entry names, null where it names none; undefined where it only says true or false. */
function namedSkill(entry: Entry, shouldTrigger: boolean | undefined): string | null | undefined {
  const { key, value } = whichSkill(entry) ?? {};
  if (value === null || value === NO_SKILL) return shouldTrigger ? undefined : null;
  const isName = typeof value === "string" && /^\S+$/.test(value) && readBoolean(value) === undefined;
  return isName && QUERIES.get(onlyLetters(String(key))) !== false ? value : undefined;
}

/** `should_trigger`, else the only boolean whose key holds `trigger`, without a `not` that would turn it. */
function booleanOf(entry: unknown): boolean | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const found = Object.entries(entry).flatMap(([key, value]) => {
    const letters = onlyLetters(key);
    const isSo = typeof value === "boolean" ? value : readBoolean(value);
    return isSo === undefined || !letters.includes("trigger") || letters.includes("not")
      ? []
      : [{ key, isSo }];
  });
  const named = found.find(({ key }) => isShouldTrigger(key));
  return (named ?? (found.length === 1 ? found[0] : undefined))?.isSo;
}

/** The folder of SKILL.md: the parent of `evals/`. */
export function skillFolder(folder: string): string {
  return basename(folder) === "evals" ? dirname(folder) : folder;
}

function promptAt(entry: unknown): string | undefined {
  return textAt(entry, FIELDS.prompt);
}

/** In a list of another name, `input` or `task` may be anything. */
function isPrompt(entry: unknown): boolean {
  return textAt(entry, ["prompt", "query"]) !== undefined;
}

function isEval(entry: unknown): boolean {
  return (
    promptAt(entry) !== undefined && (hasStatements(entry) || textAt(entry, FIELDS.expected) !== undefined)
  );
}

/** Whether an entry has a list of statements. */
export function hasStatements(entry: unknown): boolean {
  return FIELDS.statements.some((key) => isFilled(valueAt(entry, key)));
}

/** Whether a value says something: no blank text, nothing empty. */
export function isFilled(value: unknown): boolean {
  if (typeof value === "object") return value !== null && Object.keys(value).length > 0;
  return typeof value === "string" ? value.trim() !== "" : value !== undefined;
}

/** The text of the first of these keys that has one. */
export function textAt(entry: unknown, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = valueAt(entry, key);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}
