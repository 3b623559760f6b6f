/** Messages about unknown keys. */
import { listed, listedCode } from "../text/format.ts";
import type { Problem } from "../domain/location.ts";
import type { UnknownKey } from "./yaml/read-with.ts";
import { error, notice, warning } from "../text/problem.ts";

const MOST_LISTED = 50;

/** What messages call each kind of file. */
type FileKind = "eval" | "task" | "configuration";

/**
 * Keys that decide what is graded or how strictly, with the files they belong at the top of. Misspelled or misplaced,
 * they would silently turn the gate green, so they are errors.
 */
const DECISIVE: ReadonlyMap<string, readonly FileKind[]> = new Map([
  ["graders", ["eval", "task"]],
  ["tasks", ["eval"]],
  ["tasks_from", ["eval"]],
  ["golden", ["task"]],
]);
const OF: Readonly<Record<FileKind, string>> = {
  eval: "an eval",
  task: "a task",
  configuration: "a configuration",
};
/** Options of a prompt grader, which people also write beside its `config`, where waza ignores them. */
const OPTIONS = new Set(["prompt", "continue_session", "mode"]);

/** The file whose keys they are: its published path, and what it is. */
interface KeyedFile {
  readonly path: string;
  readonly kind: FileKind;
}

/**
 * One notice for a whole file, listing what is ignored in it with the lines; a key that is nearly a known one is a
 * warning of its own, because what it should have done is not done.
 */
export function unknownKeyProblems(file: KeyedFile, keys: readonly UnknownKey[]): Problem[] {
  const inOrder = [...keys].sort((a, b) => a.at.startLine - b.at.startLine);
  const all = inOrder.map((key) => ({ key, problem: problemOf(file, key) }));
  const misspelled = all.flatMap(({ problem }) => problem ?? []);
  const rest = all.flatMap(({ key, problem }) => (problem ? [] : [key]));
  const [first] = rest;
  if (!first) return misspelled;
  const told = rest.map(({ name, at }) => `\`${name}\` (line ${String(at.startLine)})`);
  const ignored = "ignored, because they mean nothing to waza-grade:";
  // The index in a list differs from file to file.
  const names = rest.map(({ name }) => name.replace(/\[\d+\]/g, "[]"));
  const withoutLocation = `${ignored} ${listedCode(names, MOST_LISTED)}.`;
  const message = `\`${file.path}\`: ${ignored} ${listed(told, MOST_LISTED)}.`;
  return [...misspelled, notice(message, { at: first.at, withoutLocation })];
}

/** Why something is not there: a key that seems to be meant for it. `message` says what is not there, without a full stop. */
export function meantFor(message: string, { name, meant = "", at }: UnknownKey): Problem {
  const key = name.split(".").at(-1) ?? name;
  const [outer = "", inner] = meant.split(".");
  const line = `line ${String(at.startLine)}`;
  const help =
    inner === undefined
      ? `Write \`${outer}:\` in ${line}.`
      : `Move \`${inner}:\` of ${line} under \`${outer}:\`, indented.`;
  return error(`${message}; \`${key}\` seems to be meant for \`${meant}\`.`, { help, at });
}

/** The message for one key; undefined when the key is not close to any known one. */
function problemOf({ path, kind }: KeyedFile, { name, meant, at }: UnknownKey): Problem | undefined {
  const key = name.split(".").at(-1) ?? name;
  const message = `\`${path}\`: unknown key \`${name}\`, ignored.`;
  if (OPTIONS.has(key) && /^graders\[\d+\]\.\w+$/.test(name))
    return warning(message, { help: `Move \`${key}\` under the grader's \`config\`.`, at });
  const wrong = `\`${path}\`: \`${name}\` in line ${String(at.startLine)} is no key of ${OF[kind]}`;
  if (DECISIVE.has(key)) return error(`${wrong}.`, { help: belongs(key, kind), at });
  if (meant === undefined) return undefined;
  if (!DECISIVE.has(meant) || name.includes("."))
    return warning(message, { help: `Did you mean \`${meant}\`?`, at });
  const help = DECISIVE.get(meant)?.includes(kind) ? `Write \`${meant}:\` there.` : belongs(meant, kind);
  return error(`${wrong}; \`${meant}\` seems to be meant.`, { help, at });
}

/** Where a misplaced decisive key belongs. */
function belongs(key: string, kind: FileKind): string {
  const homes = DECISIVE.get(key) ?? [];
  if (homes.includes(kind)) return `\`${key}\` belongs at the top of the file, without indentation.`;
  return `\`${key}\` belongs at the top of ${homes.map((home) => `${OF[home]} file`).join(" or ")}.`;
}
