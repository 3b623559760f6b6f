/** Inputs of a task: its prompt, its files, its folder, and what the user says after the agent's first turn. */
import { basename, dirname, join } from "node:path";
import type { FollowUp, FurtherTurns, Task, TaskFile } from "../domain/suite.ts";
import { type Entry, eachOf } from "./entry.ts";
import { isProblem, warning, type Problem } from "../domain/problem.ts";
import { type EvalLocation, findIn, namedText } from "./eval-paths.ts";
import { problem } from "./problems.ts";
import { type TaskYaml, FIELDS, RESPONDER, TASK_FILES, TURN, readWith, type UnknownKey } from "./schema.ts";
import { isFilled, textAt } from "./skill-file.ts";
import { listedCode } from "../text/format.ts";
import { MOST_EVAL_BYTES, type Source } from "./source.ts";
import { statsOf } from "../files/find.ts";

/** A task file that is read: its data, where it lies, and what of it is wrong. */
interface TaskReading {
  readonly source: Source;
  readonly data: TaskYaml;
  readonly location: EvalLocation;
  readonly problems: Problem[];
}

/** A task's inputs. */
interface TaskInputs extends Pick<Task, "prompt" | "further" | "files" | "contextDir"> {
  readonly unknown: readonly UnknownKey[];
}

/**
 * Reads a task's `prompt` or `prompt_file`, its further turns, `files`, `context.fixture` and `context_dir`. A path that leaves the
 * repository is an error at its line, and so is a missing prompt file; other missing files are warnings, as in waza, and `run`
 * makes no run without them.
 */
export function readTaskInputs(task: TaskReading): TaskInputs {
  const { source, location, problems } = task;
  const { root, file } = source;
  const prompt = readPrompt(task) || undefined;
  const givenBy = (
    { value: name, name: field, at }: Entry,
    kind: "folder" | "any",
    places: readonly string[],
  ) => {
    if (typeof name !== "string" || name === "") return undefined;
    const found = findIn(places, { name, kind, at, label: `\`${field}\`` }, task);
    return "missing" in found ? found : { ...found, name: basename(name) };
  };
  // waza resolves it from the current folder, most often the repository's root; authors often mean another.
  const context = givenBy(root.child("context_dir"), "folder", [
    dirname(file),
    location.folder,
    location.root,
  ]);
  const list = root.child("inputs", "files");
  const read = readWith(list, TASK_FILES, []);
  problems.push(...read.problems.map((one) => ({ ...one, level: "warning" as const })));
  // waza copies what it names, a folder or a file beside the eval, into the agent's workspace.
  const fixture = givenBy(root.child("inputs", "context", "fixture"), "any", [
    location.folder,
    dirname(file),
  ]);
  const folders = [folderGiven(context) ?? join(location.folder, "fixtures"), dirname(file), location.folder];
  const files = (read.data ?? []).flatMap(({ path: name, content }, index): TaskFile[] => {
    const { name: label, at } = list.child(index);
    if (content) return [{ name: name || `file-${String(index + 1)}`, content }];
    if (name) return [findIn(folders, { name, kind: "file", at, label: "the file" }, task)];
    problems.push(warning("empty-input-file", `\`${label}\` has neither \`path\` nor \`content\`.`, { at }));
    return [];
  });
  const given = [context, fixture].flatMap((one) => (one && folderGiven(one) === undefined ? one : []));
  return {
    files: [...given, ...files],
    prompt,
    further: turnsOfTask(root.child("inputs"), problems),
    contextDir: folderGiven(fixture) ?? folderGiven(context),
    unknown: read.unknown,
  };
}

function folderGiven(file: TaskFile | undefined): string | undefined {
  return file && "path" in file && statsOf(file.path)?.isDirectory() ? file.path : undefined;
}

function readPrompt({ source, data: { inputs }, location, problems }: TaskReading): string | undefined {
  const name = inputs?.prompt_file;
  if (!name) return inputs?.prompt;
  const at = source.root.child("inputs", "prompt_file").at;
  if (inputs.prompt) {
    const message = "`inputs` has both `prompt` and `prompt_file`, which waza refuses; `prompt` is used.";
    problems.push(warning("two-prompts", message, { at }));
    return inputs.prompt;
  }
  const named = { name, at, label: "`inputs.prompt_file`" };
  const read = namedText([dirname(source.file)], named, { location, most: MOST_EVAL_BYTES });
  if (!isProblem(read)) return read.text;
  problems.push(read);
  return undefined;
}

/** The keys of waza's `inputs` with texts for further turns; the first that is filled is used. */
const FOLLOW_UPS = ["follow_up_prompts", "follow_ups"];

/** Those of a task of waza: `follow_up_prompts`, or a `responder`, which excludes them. */
function turnsOfTask(inputs: Entry, problems: Problem[]): FurtherTurns | undefined {
  const texts = scriptOf(inputs, FOLLOW_UPS, problems);
  const responder = inputs.child("responder");
  if (!isFilled(responder.value)) return texts;
  if (texts) problems.push(problem("responder-beside", responder.keyAt));
  const read = readWith(responder, RESPONDER);
  problems.push(...read.problems);
  const { instructions = "", max_followups: most = 0, model } = read.data ?? {};
  return { by: "model", instructions, most, model: model || undefined };
}

/** Those of a skill's eval. */
export function turnsOfEval(entry: Entry, problems: Problem[]): FurtherTurns | undefined {
  return scriptOf(entry, FIELDS.turns, problems);
}

function scriptOf(entry: Entry, keys: readonly string[], problems: Problem[]): FurtherTurns | undefined {
  const list = turnsIn(entry, keys);
  if (!list) return undefined;
  return { by: "script", turns: eachOf(list).flatMap((one) => followUpOf(one, problems)) };
}

/** The first of these keys that holds what a user says; other things are called so, too: records of conversations, numbers. */
export function turnsIn(entry: Entry, keys: readonly string[] = FIELDS.turns): Entry | undefined {
  const lists = keys.map((key) => entry.child(key));
  return lists.find((list) => eachOf(list).some(({ value }) => promptIn(value) !== undefined));
}

function promptIn(value: unknown): string | undefined {
  return textAt({ prompt: value }, ["prompt"]) ?? textAt(value, ["prompt"]);
}

function followUpOf(entry: Entry, problems: Problem[]): FollowUp[] {
  const prompt = textAt({ prompt: entry.value }, ["prompt"]);
  if (prompt !== undefined) return [{ prompt }];
  const read = readWith(entry, TURN);
  problems.push(...read.problems);
  const [other] = read.unknown;
  if (other)
    problems.push(problem("unread-turn", other.at, listedCode(read.unknown.map(({ name }) => name))));
  return read.data
    ? [{ prompt: read.data.prompt, ifAsked: read.data.deliver_when === "agent_asks" || undefined }]
    : [];
}
