/** What is said of keys that the schema of a file does not know: by their name, their place, and what seems to be meant. */
import { error, notice, warning, type Problem } from "../domain/problem.ts";
import type { Entry } from "./entry.ts";
import { problem } from "./problems.ts";
import { FIELDS, LABELS, type UnknownKey } from "./schema.ts";
import { listedCode, plural } from "../text/format.ts";
import { closest, didYouMean } from "../text/suggest.ts";

/** Unread keys that one notice names. */
const MOST_UNREAD_KEYS = 50;

/** Kinds of files, as messages name them. */
type FileKind = "eval" | "task" | "configuration";

/**
 * Keys that decide what is graded or how strictly, with the files that have them at the top level. Misspelled or
 * misplaced, they would silently turn the gate green, so they are errors.
 */
const DECISIVE: ReadonlyMap<string, readonly FileKind[]> = new Map([
  ["graders", ["eval", "task"]],
  ["tasks", ["eval"]],
  ["tasks_from", ["eval"]],
  ["golden", ["task"]],
]);

/**
 * One notice per file that lists the ignored keys; a key that is nearly a known one is a separate
 * warning, because its intended effect is missing.
 */
export function unknownKeyProblems(kind: FileKind, keys: readonly UnknownKey[]): Problem[] {
  const inOrder = [...keys].sort((a, b) => a.at.startLine - b.at.startLine);
  const problems = inOrder.map((key) => keyProblem(kind, key));
  const misspelled = problems.flatMap((one) => one ?? []);
  const rest = inOrder.filter((_, index) => !problems[index]);
  const [first] = rest;
  if (!first) return misspelled;
  const names = listedCode(
    rest.map(({ name }) => name.replace(/\[\d+\]/g, "[]")),
    MOST_UNREAD_KEYS,
  );
  const message = `unknown ${plural(rest.length, "key is", "keys are")} ignored: ${names}.`;
  return [...misspelled, notice("unknown-keys", message, { at: first.at })];
}

/** Keys by which the guide of skills knows checks. */
const CHECKS: ReadonlySet<string> = new Set([...FIELDS.statements, ...FIELDS.expected, ...FIELDS.text]);

/** An error for each unknown key of a file without graders that may hold its checks: a list, or a key of skills' evals. */
export function ungraded(kind: "eval" | "task", file: Entry, keys: readonly UnknownKey[]): Problem[] {
  const mayBe = keys.filter(
    ({ name, meant = "" }) =>
      !LABELS.has(name) && !DECISIVE.has(meant) && (CHECKS.has(name) || holdsList(file.child(name).value)),
  );
  return mayBe.map(({ name, at }) => problem("ungraded", at, name, kind));
}

/** Whether a value is a list with something in it, or a mapping with one. */
function holdsList(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some(holdsList);
}

/** The problem of a field whose key is nearly one of these: an error for those that decide what is checked. */
export function misspelling(
  { key, keyAt }: Entry,
  decisive: readonly string[],
  others: readonly string[] = [],
): Problem | undefined {
  const name = String(key);
  const meant = closest(name, decisive);
  const other = closest(name, others);
  if (meant !== undefined && meant !== name) return problem("misspelled-key", keyAt, name, meant);
  return other === undefined ? undefined : problem("unread-key", keyAt, name, other);
}

/**
 * The error of something that is missing, by the misspelled or misplaced key that is meant for it, which is then not listed
 * as unknown. `message` says what is missing, without a full stop.
 */
export function meantFor(
  message: string,
  unknown: UnknownKey[],
  isMeant: (key: UnknownKey) => boolean,
): Problem | undefined {
  const index = unknown.findIndex(isMeant);
  const [wrong] = index < 0 ? [] : unknown.splice(index, 1);
  if (!wrong) return undefined;
  const { name, meant = "", at } = wrong;
  const key = name.split(".").at(-1) ?? name;
  const [outer = "", inner] = meant.split(".");
  const line = `line ${String(at.startLine)}`;
  const help =
    inner === undefined
      ? `Write \`${outer}:\` in ${line}.`
      : `Move \`${inner}:\` of ${line} under \`${outer}:\`, indented.`;
  return error("misspelled-key", `${message}; \`${key}\` seems to be meant for \`${meant}\`.`, { help, at });
}

/** The message for one key; undefined when the key is not close to any known one. */
function keyProblem(kind: FileKind, { name, meant, at }: UnknownKey): Problem | undefined {
  // A grader that is meant to be off would still decide.
  if (/^graders\[\d+\]\.enabled$/.test(name)) {
    const help = "Remove the grader; `enabled` is a key of tasks.";
    const still = `\`${name}\` is not a key of a grader, and it is still run.`;
    return error("grader-not-off", still, { help, at });
  }
  const key = name.split(".").at(-1) ?? name;
  const wrong = `\`${name}\` is not a key of ${kind === "eval" ? "an" : "a"} ${kind}`;
  const homes = DECISIVE.get(key);
  if (homes) {
    const isHere = homes.includes(kind);
    const there = isHere ? "the file, without indentation" : `${kind === "eval" ? "a task" : "an eval"} file`;
    return error("misplaced-key", `${wrong}.`, { help: `\`${key}\` belongs at the top of ${there}.`, at });
  }
  if (meant === undefined) return undefined;
  if (!DECISIVE.has(meant))
    return warning("misspelled-key", `unknown key \`${name}\` is ignored.`, { help: didYouMean(meant), at });
  const help = `Write \`${meant}:\` there.`;
  return error("misspelled-key", `${wrong}; \`${meant}\` seems to be meant.`, { help, at });
}
