/** The JSON file of a skill: which of its lists are evals, which are trigger evals, and which nothing reads. */
import { basename, dirname } from "node:path";
import { FIELDS, LABELS, readBoolean } from "./schema.ts";
import { type Path, valueAt } from "./yaml.ts";

/** A list of evals: its path, and the paths of its evals. */
interface EvalList {
  readonly path: Path;
  readonly evals: readonly Path[];
}

/** A query, and whether an agent should load the skill for it. */
export interface Trigger {
  readonly query: string;
  readonly shouldTrigger: boolean;
  /** The skill, where the file says which. */
  readonly skill?: string | undefined;
  readonly path: Path;
}

/** What the lists of a file hold. */
export interface SkillFile {
  readonly evals: readonly EvalList[];
  readonly triggers: readonly Trigger[];
  /** Lists of prompts without statements, and such entries among trigger evals: nothing reads them. */
  readonly unread: readonly Path[];
}

export const NO_LISTS: SkillFile = { evals: [], triggers: [], unread: [] };

/**
 * The lists of a file, wherever they are. Entries with a prompt and a boolean that says whether the skill should load are
 * trigger evals; those with a prompt and checks are evals, and so is all that is under `evals`.
 */
export function readLists(data: unknown, file: string): SkillFile {
  const main = mainPath(data, file)?.join();
  const read = { evals: [] as EvalList[], triggers: [] as Trigger[], unread: [] as Path[] };
  for (const { path, shouldTrigger } of promptLists(data, [], main)) {
    const entries = (valueAt(data, path) as unknown[]).map((_, index): Path => [...path, index]);
    const triggers = entries.flatMap((one) => triggerOf(data, one, shouldTrigger) ?? []);
    const alone = new Set(
      triggers.flatMap((one) => (hasStatements(valueAt(data, one.path)) ? [] : [one.path])),
    );
    const others = entries.filter((one) => !alone.has(one));
    const isMain = path.join() === main && (others.length > 0 || entries.length === 0);
    read.triggers.push(...triggers);
    // The main list comes first, so that its ids stay, whatever is written above it.
    if (isMain) read.evals.unshift({ path, evals: others });
    else if (others.some((one) => isEval(valueAt(data, one)))) read.evals.push({ path, evals: others });
    else if (alone.size > 0) read.unread.push(...others);
    else if (others.some((one) => isPrompt(valueAt(data, one)))) read.unread.push(path);
  }
  return read;
}

/** The list whose entries are evals, whatever they hold. */
export function mainPath(data: unknown, file: string): Path | undefined {
  const isCalledSo = basename(file) === "evals.json";
  if (Array.isArray(data)) return isCalledSo ? [] : undefined;
  const keys = FIELDS.evals.filter((key) => key === "evals" || isCalledSo);
  const key = keys.find((one) => Array.isArray(valueAt(data, [one])));
  return key === undefined ? undefined : [key];
}

/**
 * Lists of mappings with a prompt, of queries, and the main one; not those inside of such an entry. `shouldTrigger` is
 * what the list's key says of all its entries.
 */
function* promptLists(
  value: unknown,
  path: Path,
  main: string | undefined,
): Generator<{ readonly path: Path; readonly shouldTrigger?: boolean | undefined }> {
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  if (isList && (path.join() === main || value.some((entry) => promptAt(entry) !== undefined)))
    yield { path };
  else
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, isList ? Number(key) : key];
      const shouldTrigger = isList || !Array.isArray(inner) ? undefined : QUERIES.get(onlyLetters(key));
      if (shouldTrigger !== undefined) yield { path: at, shouldTrigger };
      else if (isList || !LABELS.has(key)) yield* promptLists(inner, at, main);
    }
}

/** Keys of lists of queries, letters alone. */
const QUERIES: ReadonlyMap<string, boolean> = new Map([
  ["shouldtrigger", true],
  ["shouldnottrigger", false],
]);

function onlyLetters(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, "");
}

/** The trigger eval at a path: a query with a boolean whose key names a trigger, or in a list whose key says it. */
function triggerOf(data: unknown, path: Path, ofList: boolean | undefined): Trigger | undefined {
  const entry = valueAt(data, path);
  const query = typeof entry === "string" && ofList !== undefined ? entry.trim() : promptAt(entry);
  const shouldTrigger = ofList ?? booleanOf(entry);
  if (!query || shouldTrigger === undefined) return undefined;
  return { query, shouldTrigger, skill: skillNamedAt(data, path), path };
}

/** `should_trigger`, else the only boolean whose key holds `trigger`, without a `not` that would turn it. */
function booleanOf(entry: unknown): boolean | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const found = Object.entries(entry).flatMap(([key, value]) => {
    const letters = onlyLetters(key);
    const isSo = typeof value === "boolean" ? value : readBoolean(value);
    return isSo === undefined || !letters.includes("trigger") || letters.includes("not")
      ? []
      : [{ letters, isSo }];
  });
  const named = found.find(({ letters }) => QUERIES.has(letters));
  return (named ?? (found.length === 1 ? found[0] : undefined))?.isSo;
}

/** The skill that the nearest mapping names: the entry, those around its list (by their `name`, too), the file. */
function skillNamedAt(data: unknown, path: Path): string | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const isInner = length > 0 && length < path.length;
    const around = valueAt(data, path.slice(0, length));
    const skill = textAt(around, isInner ? [...FIELDS.skill, "name"] : FIELDS.skill);
    if (skill !== undefined) return skill;
  }
  return undefined;
}

/** The folder of SKILL.md: the parent of `evals/`. */
export function skillFolder(folder: string): string {
  return basename(folder) === "evals" ? dirname(folder) : folder;
}

function promptAt(entry: unknown): string | undefined {
  return textAt(entry, FIELDS.prompt);
}

/** In a list of another name, `input` or `task` may be anything. */
export function isPrompt(entry: unknown): boolean {
  return textAt(entry, ["prompt", "query"]) !== undefined;
}

function isEval(entry: unknown): boolean {
  return (
    promptAt(entry) !== undefined && (hasStatements(entry) || textAt(entry, FIELDS.expected) !== undefined)
  );
}

/** Whether an entry has a list of statements. */
export function hasStatements(entry: unknown): boolean {
  return FIELDS.statements.some((key) => isFilled(valueAt(entry, [key])));
}

/** Whether a value says something: no blank text, nothing empty. */
export function isFilled(value: unknown): boolean {
  if (typeof value === "object") return value !== null && Object.keys(value).length > 0;
  return typeof value === "string" ? value.trim() !== "" : value !== undefined;
}

/** The text of the first of these keys that has one. */
export function textAt(entry: unknown, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = valueAt(entry, [key]);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}
