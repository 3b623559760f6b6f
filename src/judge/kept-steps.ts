/**
 * The steps of a run that are shortened and left out last: what the user said, the last result of a test, the last edit of
 * each file, and what failed. They are known by the names of arguments, not by those of tools.
 */
import type { Step } from "../domain/run.ts";
import { jsonOf } from "../text/format.ts";

/** The places of these steps, what is worth most first. */
export function stepsKeptLast(steps: readonly Step[]): readonly number[] {
  const backwards = [...steps.entries()].reverse();
  const users = [...steps.entries()].flatMap(([index, { kind }]) => (kind === "user" ? index : []));
  const test = backwards.find(([, step]) => isTest(step));
  const edited = new Set<string>();
  const edits = backwards.flatMap(([index, step]) => {
    const files = filesEditedBy(step).filter((file) => !edited.has(file));
    for (const file of files) edited.add(file);
    return files.length > 0 ? index : [];
  });
  const failed = backwards.flatMap(([index, step]) =>
    isFailedCall(step) || step.kind === "error" ? index : [],
  );
  return [...new Set([...users, ...(test ? [test[0]] : []), ...edits, ...failed])];
}

/** Whether a step is a call that failed. */
export function isFailedCall(step: Step | undefined): boolean {
  return step?.kind === "tool" && step.success === false;
}

type Arguments = Readonly<Record<string, unknown>>;

function argumentsOf(step: Step): Arguments {
  return step.kind === "tool" ? (Object(jsonOf(step.input)) as Arguments) : {};
}

/** A command that runs tests, and came back. */
function isTest(step: Step): boolean {
  if (step.kind !== "tool" || step.result === undefined) return false;
  const commands = Object.entries(argumentsOf(step)).filter(([key]) =>
    /^(?:command|cmd|script|code)/i.test(key),
  );
  return commands.some(([, value]) => /(?<!la)test|\bspecs?\b|\bjest\b/i.test([value].flat().join(" ")));
}

const PATH = /^(?:\w+_)?(?:path|file|filename|filepath)$/i;
const WRITTEN =
  /^(?:new_?)?(?:content|contents|text|file_?text|string|str|source|code_?edit|diff|patch|edits|insert_?text)$|^new_/i;

/** The files that a call writes to: a path beside a text, a list of changes, or a patch. */
function filesEditedBy(step: Step): readonly string[] {
  if (step.kind !== "tool" || step.success === false) return [];
  const given = argumentsOf(step);
  const path = Object.entries(given).find(([key, value]) => PATH.test(key) && typeof value === "string")?.[1];
  const isWritten = Object.entries(given).some(([key, value]) => WRITTEN.test(key) && (value ?? "") !== "");
  if (typeof path === "string" && isWritten) return [path];
  const changes = Array.isArray(given.changes) ? (given.changes as readonly unknown[]) : [];
  const changed = changes.flatMap((one) => {
    const { path: file } = Object(one) as { path?: unknown };
    return typeof file === "string" ? file : [];
  });
  const texts = [...Object.values(given).flat(), step.input].filter((value) => typeof value === "string");
  const patched = texts.flatMap((text) =>
    [...text.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.{1,500})$/gm)].map(([, file = ""]) => file),
  );
  return [...changed, ...patched];
}
