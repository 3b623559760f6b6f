/** Inputs of a task: its prompt, its files, its folder. */
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Task, TaskFile } from "../domain/suite.ts";
import { error, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { type EvalLocation, confine } from "./eval-paths.ts";
import { problem } from "./problems.ts";
import { type TaskYaml, TASK_FILES } from "./schema.ts";
import { type UnknownKey, readWith } from "./read-with.ts";
import { turnsOfTask } from "./turns.ts";
import { MOST_EVAL_BYTES, type Source } from "./source.ts";
import { slashes } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { readText } from "../files/read.ts";
import { listedCode } from "../text/format.ts";

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
export async function readTaskInputs(task: TaskReading): Promise<TaskInputs> {
  const { source, location, problems } = task;
  const prompt = (await readPrompt(task)) || undefined;
  const folder = contextDir(task);
  const { context_dir: named } = task.data;
  const list = source.root.child("inputs", "files");
  const read = readWith(list, TASK_FILES, []);
  problems.push(...read.problems.map((one) => ({ ...one, level: "warning" as const })));
  const fixture = readFixture(task);
  const folders = [folder ?? join(location.folder, "fixtures"), dirname(source.file), location.folder];
  const files = (read.data ?? []).flatMap(({ path: name, content }, index): TaskFile[] => {
    const { name: label, at } = list.child(index);
    if (content) return [{ name: name || `file-${String(index + 1)}`, content }];
    if (!name) {
      const message = `\`${label}\` has neither \`path\` nor \`content\`.`;
      problems.push(warning("empty-input-file", message, { at }));
      return [];
    }
    const path = findIn(folders, { name, kind: "file", at, label: "the file" }, task);
    return [path === undefined ? { name, missing: true } : { name, path }];
  });
  return {
    files: [
      ...(named && folder === undefined ? [{ name: named, missing: true } as const] : []),
      ...(fixture.files ?? []),
      ...files,
    ],
    prompt,
    further: turnsOfTask(source.root.child("inputs"), problems),
    contextDir: fixture.folder ?? folder,
    unknown: read.unknown,
  };
}

async function readPrompt({
  source,
  data: { inputs },
  location,
  problems,
}: TaskReading): Promise<string | undefined> {
  const file = inputs?.prompt_file;
  if (!file) return inputs?.prompt;
  const at = source.root.child("inputs", "prompt_file").at;
  const named = `\`inputs.prompt_file\` is \`${file}\`, which`;
  if (inputs.prompt) {
    const message = "`inputs` has both `prompt` and `prompt_file`, which waza refuses; `prompt` is used.";
    problems.push(warning("two-prompts", message, { at }));
    return inputs.prompt;
  }
  const path = confine(resolve(dirname(source.file), file), location);
  if (path === undefined) {
    problems.push(problem("leaves-repository", at, named));
    return undefined;
  }
  const read = await readText(path, MOST_EVAL_BYTES);
  if ("failure" in read) {
    const help = "The path is relative to the task file's folder.";
    const message = `${named} cannot be read: ${read.failure}.`;
    problems.push(error("unreadable-prompt-file", message, { help, at }));
    return undefined;
  }
  if (read.text.trim() !== "") return read.text;
  const help = "Write the agent's prompt into it.";
  problems.push(error("empty-prompt-file", `${named} is empty.`, { help, at }));
  return undefined;
}

/**
 * waza resolves `context_dir` from the current folder, most often the repository's root; authors often mean the task's
 * or the eval's folder. The first of the three that exists is used.
 */
function contextDir(task: TaskReading): string | undefined {
  const { source, data, location } = task;
  const name = data.context_dir;
  if (!name) return undefined;
  const folders = [dirname(source.file), location.folder, location.root];
  const at = source.root.child("context_dir").at;
  return findIn(folders, { name, kind: "folder", at, label: "`context_dir`" }, task);
}

/** waza copies what `inputs.context.fixture` names, a folder or a file beside the eval, into the agent's workspace. */
function readFixture(task: TaskReading): {
  readonly folder?: string | undefined;
  readonly files?: readonly TaskFile[] | undefined;
} {
  const { value: name, at } = task.source.root.child("inputs", "context", "fixture");
  if (typeof name !== "string" || name === "") return {};
  const folders = [task.location.folder, dirname(task.source.file)];
  const kind = folders.some((folder) => statsOf(resolve(folder, name))?.isFile()) ? "file" : "folder";
  const path = findIn(folders, { name, kind, at, label: "`inputs.context.fixture`" }, task);
  if (path === undefined) return { files: [{ name, missing: true }] };
  return kind === "folder" ? { folder: path } : { files: [{ name: basename(name), path }] };
}

interface NamedInput {
  readonly name: string;
  readonly kind: "file" | "folder" | "any";
  readonly at: SourceSpan;
  /** Its name in messages. */
  readonly label: string;
}

/**
 * The real path of the name in the first folder that contains it. waza looks for `files[].path` in `context_dir`, which is `fixtures` beside the eval file unless the task (or waza's command line, unknown here) sets another; in real
 * repositories files also lie beside the task or the eval.
 */
export function findIn(
  folders: readonly string[],
  { name, kind, at, label }: NamedInput,
  { location, problems }: Pick<TaskReading, "location" | "problems">,
): string | undefined {
  // `confine` notes each path for `changed-only`: any of them would be used once it exists.
  const paths = folders
    .map((folder) => resolve(folder, name))
    .map((path) => ({ path, real: confine(path, location) }));
  const existing = paths.find(({ path }) => statsOf(path) !== undefined);
  const { real } = existing ?? paths.find((one) => one.real !== undefined) ?? {};
  if (real === undefined) {
    problems.push(problem("leaves-repository", at, `${label} \`${name}\``));
    return undefined;
  }
  const stat = statsOf(real);
  const fits = kind === "file" ? stat?.isFile() : kind === "folder" ? stat?.isDirectory() : stat;
  if (fits) return real;
  const fault = stat ? `is not a ${kind}` : "does not exist";
  const searched = folders.map((folder) => slashes(relative(location.top, folder)) || ".");
  const help = `Searched in ${listedCode([...new Set(searched)])}.`;
  problems.push(warning("no-input-file", `${label} \`${name}\` ${fault}.`, { help, at }));
  return undefined;
}
