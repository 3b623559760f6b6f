/** What is said of keys that mean nothing to us. */
import type { Problem } from "../domain.ts";
import type { UnknownKey } from "./yaml/source.ts";

const MOST_LISTED = 50;

/** Keys without which other tasks are graded, or none by anybody: misspelled, they would turn the gate green. */
const DECISIVE = new Set(["graders", "tasks", "tasks_from"]);
/** Options of a prompt grader, which people also write beside its `config`, where waza ignores them. */
const OPTIONS = new Set(["prompt", "continue_session", "mode"]);

/**
 * One notice for a whole file, listing what is ignored in it with the lines; a key that is nearly a known one is a
 * warning of its own, because what it should have done is not done.
 */
export function unknownKeyProblems(file: string, keys: readonly UnknownKey[]): Problem[] {
  const inOrder = [...keys].sort((a, b) => a.at.startLine - b.at.startLine);
  const told = inOrder.map((key) => ({ key, problem: problemOf(file, key) }));
  const misspelled = told.flatMap(({ problem }) => problem ?? []);
  const rest = told.flatMap(({ key, problem }) => (problem ? [] : [key]));
  const [first] = rest;
  if (!first) return misspelled;
  const list = rest
    .slice(0, MOST_LISTED)
    .map(({ name, at }) => `\`${name}\` (line ${String(at.startLine)})`)
    .join(", ");
  const more = rest.length > MOST_LISTED ? " and more" : "";
  const ignored = "ignored, because they mean nothing to waza-grade:";
  // Which grader or file of a list it is differs from file to file.
  const names = new Set(rest.map(({ name }) => `\`${name.replace(/\[\d+\]/g, "[]")}\``));
  const alike = `${ignored} ${[...names].slice(0, MOST_LISTED).join(", ")}${more}.`;
  const message = `\`${file}\`: ${ignored} ${list}${more}.`;
  return [...misspelled, { level: "notice", message, at: first.at, alike }];
}

/** What is said of one key on its own; undefined for one that means nothing anywhere. */
function problemOf(file: string, { name, meant, at }: UnknownKey): Problem | undefined {
  const key = name.split(".").at(-1) ?? name;
  const line = `line ${String(at.startLine)}`;
  const message = `\`${file}\`: unknown key \`${name}\`, ignored.`;
  if (OPTIONS.has(key) && /^graders\[\d+\]\.\w+$/.test(name))
    return { level: "warning", message, help: `Move \`${key}\` under the grader's \`config\`.`, at };
  if (DECISIVE.has(key) && name.includes("."))
    return {
      level: "error",
      message: `\`${file}\`: \`${name}\` in ${line} is no key of an eval.`,
      help: `\`${key}\` belongs at the top of the file, without indentation.`,
      at,
    };
  if (meant === undefined) return undefined;
  if (!DECISIVE.has(meant) || name.includes("."))
    return { level: "warning", message, help: `Did you mean \`${meant}\`?`, at };
  return {
    level: "error",
    message: `\`${file}\`: \`${name}\` in ${line} is no key of an eval; \`${meant}\` seems to be meant.`,
    help: `Write \`${meant}:\` there.`,
    at,
  };
}
