/** Inputs of a task: its prompt, its files, its folder. */
import { basename, dirname, join, resolve } from "node:path";
import type { Task, TaskFile } from "../domain/suite.ts";
import { error, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { valueAt } from "./entry.ts";
import { type EvalLocation, confine } from "./eval-paths.ts";
import { problem } from "./problems.ts";
import { type TaskYaml, TASK_FILES } from "./schema.ts";
import { type UnknownKey, readWith } from "./read-with.ts";
import { turnsOfTask } from "./turns.ts";
import type { Source } from "./source.ts";
import { statsOf } from "../files/find.ts";
import { readText } from "../files/read.ts";
import { MOST_EVAL_BYTES } from "./limits.ts";

/** A task's inputs, and their problems. */
interface TaskInputs {
  readonly inputs: Pick<Task, "prompt" | "further" | "files" | "contextDir">;
  readonly problems: readonly Problem[];
  readonly unknown: readonly UnknownKey[];
}

/**
 * Reads a task's `prompt` or `prompt_file`, its further turns, `files`, `context.fixture` and `context_dir`. A path that leaves the
 * repository is an error at its line, and so is a missing prompt file; other missing files are warnings, as in waza.
 */
export async function readTaskInputs(
  source: Source,
  data: TaskYaml,
  location: EvalLocation,
): Promise<TaskInputs> {
  const problems: Problem[] = [];
  const prompt = await readPrompt(source, data, { location, problems });
  const folder = contextDir(source, data.context_dir, { location, problems });
  const read = readWith(source.root.child("inputs", "files"), TASK_FILES, []);
  problems.push(...read.problems.map((problem) => ({ ...problem, level: "warning" as const })));
  const base = folder ?? join(location.folder, "fixtures");
  const fixture = readFixture(source, data.inputs?.context, { location, problems });
  const files = (read.data ?? []).flatMap((entry, index): TaskFile[] => {
    const at = source.root.child("inputs", "files", index).at;
    if (entry.content) return [{ name: entry.path || `file-${String(index + 1)}`, content: entry.content }];
    if (!entry.path) {
      problems.push(
        warningAt(
          at,
          "empty-input-file",
          `\`inputs.files[${String(index)}]\` has neither \`path\` nor \`content\``,
        ),
      );
      return [];
    }
    const folders = [base, dirname(source.file), location.folder];
    const input = { name: entry.path, kind: "file", at, label: "the file" } as const;
    const path = findIn(folders, input, { location, problems });
    return [path === undefined ? { name: entry.path, missing: true } : { name: entry.path, path }];
  });
  return {
    inputs: {
      files: [...(fixture.files ?? []), ...files],
      prompt: prompt || undefined,
      further: turnsOfTask(source.root.child("inputs"), problems),
      contextDir: fixture.folder ?? folder,
    },
    problems,
    unknown: read.unknown,
  };
}

interface InputContext {
  readonly location: EvalLocation;
  readonly problems: Problem[];
}

async function readPrompt(
  source: Source,
  { inputs }: TaskYaml,
  { location, problems }: InputContext,
): Promise<string | undefined> {
  const file = inputs?.prompt_file;
  if (!file) return inputs?.prompt;
  const at = source.root.child("inputs", "prompt_file").at;
  if (inputs.prompt) {
    problems.push(
      warningAt(
        at,
        "two-prompts",
        "`inputs` has both `prompt` and `prompt_file`, which waza refuses; `prompt` is used",
      ),
    );
    return inputs.prompt;
  }
  const path = confine(resolve(dirname(source.file), file), location);
  if (path === undefined) {
    problems.push(problem("leaves-repository", at, `\`inputs.prompt_file\` is \`${file}\`, which`));
    return undefined;
  }
  const read = await readText(path, MOST_EVAL_BYTES);
  if ("text" in read && read.text.trim() !== "") return read.text;
  if ("text" in read) {
    const message = `\`inputs.prompt_file\` is \`${file}\`, which is empty.`;
    problems.push(error("empty-prompt-file", message, { help: "Write the agent's prompt into it.", at }));
    return undefined;
  }
  const message = `\`inputs.prompt_file\` is \`${file}\`, which cannot be read: ${read.failure}.`;
  problems.push(
    error("unreadable-prompt-file", message, { help: "The path is relative to the task file's folder.", at }),
  );
  return undefined;
}

/**
 * waza resolves `context_dir` from the current folder, most often the repository's root; authors often mean the task's
 * or the eval's folder. The first of the three that exists is used.
 */
function contextDir(source: Source, name: string | undefined, context: InputContext): string | undefined {
  if (!name) return undefined;
  const folders = [dirname(source.file), context.location.folder, context.location.root];
  const at = source.root.child("context_dir").at;
  return findIn(folders, { name, kind: "folder", at, label: "`context_dir`" }, context);
}

/** waza copies what `inputs.context.fixture` names, a folder or a file beside the eval, into the agent's workspace. */
function readFixture(
  source: Source,
  context: unknown,
  { location, problems }: InputContext,
): { readonly folder?: string | undefined; readonly files?: readonly TaskFile[] | undefined } {
  const name = valueAt(context, "fixture");
  if (typeof name !== "string" || name === "") return {};
  const folders = [location.folder, dirname(source.file)];
  const kind = folders.some((folder) => statsOf(resolve(folder, name))?.isFile()) ? "file" : "folder";
  const at = source.root.child("inputs", "context", "fixture").at;
  const path = findIn(folders, { name, kind, at, label: "`inputs.context.fixture`" }, { location, problems });
  if (path === undefined) return {};
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
  { location, problems }: InputContext,
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
  problems.push(
    warningAt(at, "no-input-file", `${label} \`${name}\` ${fault}, so the judge does not see it`),
  );
  return undefined;
}

function warningAt(at: SourceSpan, code: string, what: string): Problem {
  return warning(code, `${what}.`, { at });
}
