/**
 * The files that a judge may read (the agent's workspace, the task's files, the agent's full output), and its tools to
 * list, read and search them.
 */
import { posix } from "node:path";
import * as z from "zod/mini";
import type { GradingJob } from "../domain/grade.ts";
import type { Run } from "../domain/run.ts";
import type { TaskFile } from "../domain/suite.ts";
import { digest } from "./digest.ts";
import { textField, tool } from "./api/wire.ts";
import { type FileList, fenced } from "./evidence.ts";
import { type Folder, type ReadableFile, fileAnywhere, folderOf, openFolder } from "../files/folder.ts";
import type { FileReader } from "./judge.ts";
import { count, once, sumOf } from "../text/format.ts";
import { sha256 } from "../text/hash.ts";
import { MOST_READS } from "./limits.ts";
import { lenientText } from "../text/optional.ts";

/** Maximum characters of one answer, without its notes. */
const CALL_CHARACTERS = 16_000;
/** Maximum files in one list. */
const MOST_ENTRIES = 500;
/** Maximum matching lines per search. */
const MOST_MATCHES = 100;
/** Maximum characters of a line in a search. */
const LINE_CHARACTERS = 200;
/** Maximum bytes that one search reads. */
const MOST_SEARCH_BYTES = 64 * 1024 * 1024;
/** Leading bytes to check: a zero byte among them marks a binary file. */
const PROBE_BYTES = 8_000;
/** Maximum names per folder in the evidence. */
const MOST_NAMES = 200;
/** Maximum share of the evidence for a folder's names. */
const SHARE_OF_NAMES = 1 / 16;
/** What is wrapped in `output/`, since files are read by lines. */
const LONG_LINE = /[^\n]{4000}(?=[^\n])/g;

/** Folders by the first part of the judge's paths: `given`, `workspace`, `output`. */
export type ReadableFiles = ReadonlyMap<string, Folder>;

/** The evidence's list of files; undefined without any. Names take a small share of `budget`. */
export function listedFiles(
  found: ReadableFiles,
  budget: number,
  redact: (text: string) => string,
): FileList | undefined {
  if (found.size === 0) return undefined;
  const folders = [...found];
  const total = sumOf(folders.map(([, { files }]) => files.size));
  const lines = folders.flatMap(([root, folder]) =>
    listedNames(root, folder, Math.floor(budget * SHARE_OF_NAMES)),
  );
  return {
    title: `files: ${String(total)}`,
    text: redact(lines.join("\n")),
    readable: total > 0,
  };
}

function listedNames(root: string, { files, cut }: Folder, room: number): string[] {
  if (files.size === 0) return [`(${root}/ is empty)`];
  const first = [...files.keys()].slice(0, MOST_NAMES);
  const names = linesThatFit(
    first.map((name) => `${root}/${name}`),
    room,
  );
  const gone = files.size - names.length;
  const count = `${cut ? "more than " : ""}${gone.toLocaleString("en-US")}`;
  return gone > 0 || cut ? [...names, `[... left out: ${count} files of ${root}/ ...]`] : names;
}

const line = z.catch(z.optional(z.coerce.number().check(z.int(), z.positive())), undefined);
const fileArguments = z.object({ path: lenientText, query: lenientText, start_line: line, end_line: line });

/** A call's arguments, the files, and the maximum characters of the answer without its notes (`room`). */
interface Question extends Partial<z.infer<typeof fileArguments>> {
  readonly files: ReadableFiles;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
  readonly room: number;
}

/** `list_files`: names and sizes of the files below a folder. */
function listFiles(question: Question): Promise<string> {
  const files = below(question);
  if (files.length === 0) return Promise.resolve(nothingAt(question));
  const lines = files.slice(0, MOST_ENTRIES).map(({ name, file }) => `${name} (${count(file.size, "byte")})`);
  const listed = linesThatFit(lines.map(question.redact), question.room);
  const gone = files.length - listed.length;
  const note =
    gone > 0 ? [`[... left out: ${count(gone, "file")}; name a folder below to see them ...]`] : [];
  return Promise.resolve([`${count(files.length, "file")}:`, ...listed, ...note].join("\n"));
}

interface NamedFile {
  readonly name: string;
  readonly file: ReadableFile;
}

/** All files, or those at or below `path`. */
function below({ files, path }: Question): NamedFile[] {
  const all = (root: string, name: string): NamedFile[] =>
    [...(files.get(root)?.files ?? [])]
      .filter(([key]) => name === "" || key === name || key.startsWith(`${name}/`))
      .map(([key, file]) => ({ name: `${root}/${key}`, file }));
  const { root, name } = splitPath(path ?? "");
  return root === "" ? [...files.keys()].flatMap((folder) => all(folder, "")) : all(root, name);
}

/** Splits a path into its root folder and the name below it. */
function splitPath(path: string): { root: string; name: string } {
  const parts = path
    .trim()
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  return { root: parts[0] ?? "", name: parts.slice(1).join("/") };
}

function nothingAt({ files, path = "" }: Question): string {
  const roots = [...files.keys()].map((root) => `${root}/`).join(" and ");
  return `There is no file \`${path.slice(0, 200)}\` that you may read. Paths begin with ${roots}; list_files shows them.`;
}

/** The first lines that fit. */
function linesThatFit(lines: readonly string[], room: number): string[] {
  let left = room;
  const end = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return end < 0 ? [...lines] : lines.slice(0, end);
}

/** `search_files`: lines that contain a text, in all files or those below a folder. */
async function searchFiles(question: Question): Promise<string> {
  const { query = "", room } = question;
  if (query === "" || query.includes("\n"))
    return "`query` is empty or has more than one line: search for one line of text.";
  const files = below(question);
  const linked = files.length === 0 && (await fileNamed(question));
  const searched = linked ? [{ name: question.path ?? "", file: linked }] : files;
  if (searched.length === 0) return nothingAt(question);
  const { matches, stopped } = await searchIn(searched, query, question);
  const fitted = linesThatFit(matches.slice(0, MOST_MATCHES), room);
  const more = stopped || fitted.length < matches.length;
  if (matches.length === 0 && !more) return `No line of ${count(searched.length, "file")} contains it.`;
  const note = more
    ? ["[... left out: the search stopped here; name a folder or search for more of the line ...]"]
    : [];
  return [`${count(fitted.length, "line")}:`, ...fitted, ...note].join("\n");
}

/** The file at `path`, or the one it links to within its folder. */
async function fileNamed({ files, path = "" }: Question): Promise<ReadableFile | undefined> {
  const { root, name } = splitPath(path);
  const folder = files.get(root);
  const key = folder?.files.has(name) ? name : await folder?.follow(name);
  return key === undefined ? undefined : folder?.files.get(key);
}

/** Searches files until there are enough matches, too many bytes were read, or the grade is aborted. */
async function searchIn(
  files: readonly NamedFile[],
  query: string,
  { redact, signal }: Question,
): Promise<{ readonly matches: readonly string[]; readonly stopped: boolean }> {
  const matches: string[] = [];
  let bytes = 0;
  for (const { name, file } of files) {
    if (signal.aborted || matches.length > MOST_MATCHES || bytes > MOST_SEARCH_BYTES)
      return { matches, stopped: true };
    const content = await file.read().catch(() => undefined);
    bytes += content?.length ?? 0;
    const text = content && decodedText(content);
    if (text?.includes(query)) matches.push(...matchesIn(redact(name), redact(text), query));
  }
  return { matches, stopped: false };
}

/** Decodes UTF-8, or UTF-16 with a byte order mark; undefined for a binary file. */
export function decodedText(content: Buffer): string | undefined {
  if (content.length >= 2 && content[0] === 0xff && content[1] === 0xfe) {
    return new TextDecoder("utf-16le").decode(content);
  }
  if (content.subarray(0, PROBE_BYTES).includes(0)) return undefined;
  return new TextDecoder("utf-8").decode(content);
}

/** The matching lines of a file, at most one more than is shown. */
function matchesIn(name: string, text: string, query: string): string[] {
  const matches: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const at = line.indexOf(query);
    if (at < 0) continue;
    const from = line.length > LINE_CHARACTERS ? Math.max(0, at - LINE_CHARACTERS / 4) : 0;
    matches.push(`${name}:${String(index + 1)}: ${line.slice(from, from + LINE_CHARACTERS).trimEnd()}`);
    if (matches.length > MOST_MATCHES) break;
  }
  return matches;
}

export type FileFinder = (job: Pick<GradingJob, "task" | "workspace">) => Promise<ReadableFiles>;

/** Makes the function that finds a job's files. Each folder and each task is listed once. */
export function fileFinder(): FileFinder {
  const folders = new Map<string, Promise<Folder>>();
  const given = new Map<object, Promise<Folder>>();
  const folderAt = (path: string) => once(folders, path, () => openFolder(path));
  return async ({ task, workspace }) => {
    const found = new Map<string, Folder>();
    if (task.contextDir !== undefined || (task.files?.length ?? 0) > 0) {
      const folder = await once(given, task, () => givenFolder(task, folderAt));
      if (folder.files.size > 0) found.set("given", folder);
    }
    if (workspace !== undefined) found.set("workspace", await folderAt(workspace));
    return found;
  };
}

/** A task's files on top of those of its context folder, as waza copies them. */
async function givenFolder(
  { files = [], contextDir }: GradingJob["task"],
  folderAt: (path: string) => Promise<Folder>,
): Promise<Folder> {
  const beneath = contextDir === undefined ? undefined : await folderAt(contextDir);
  const found = new Map<string, ReadableFile>();
  for (const [index, file] of files.entries()) {
    const name = safeName(file.name) || `file-${String(index + 1)}`;
    for (const [below, content] of await readable(file)) found.set(posix.join(name, below), content);
  }
  return folderOf(found, beneath);
}

/** The file, under an empty name, or those of a folder. */
async function readable(file: TaskFile): Promise<ReadonlyMap<string, ReadableFile>> {
  if ("missing" in file) return new Map();
  if ("content" in file) return new Map([["", inMemory(file.content)]]);
  const found = await fileAnywhere(file.path);
  return found ? new Map([["", found]]) : (await openFolder(file.path)).files;
}

function inMemory(text: string): ReadableFile {
  const content = Buffer.from(text);
  return { size: content.length, read: () => Promise.resolve(content) };
}

/** A relative name without `.`, `..` and control characters. */
function safeName(name: string): string {
  const parts = name.replace(/\p{Cc}/gu, " ").split(/[\\/]+/);
  return parts.filter((part) => part !== "" && part !== "." && part !== "..").join("/");
}

/** The agent's full conversation, fenced like the evidence, and its output, for evidence that had to be shortened. */
export function outputFolder(run: Pick<Run, "finalOutput" | "steps" | "prompt">, code: string): Folder {
  const { sections } = digest(run.steps, Infinity);
  const conversation = sections.length === 0 ? "" : fenced(code, sections);
  const texts = [
    ["conversation.md", conversation],
    ["final_output.md", run.finalOutput],
    ["task_prompt.md", run.prompt ?? ""],
  ] as const;
  return folderOf(
    new Map(
      texts
        .filter(([, text]) => text.trim() !== "")
        .map(([name, text]) => [name, inMemory(text.replace(LONG_LINE, "$&\n"))]),
    ),
  );
}

/** Tool definitions; only in requests with readable files. */
export const FILE_TOOLS = [
  tool("list_files", `List files, at most ${String(MOST_ENTRIES)} a call, with their sizes.`, {
    type: "object",
    properties: { path: textField("A folder, such as workspace/src. Without it, all files are listed.") },
  }),
  tool(
    "read_file",
    `Read a text file, at most ${String(CALL_CHARACTERS)} characters a call. Lines are counted from 1.`,
    {
      type: "object",
      properties: {
        path: textField("The file, as the evidence or list_files names it, such as workspace/src/app.ts."),
        start_line: {
          type: "integer",
          description: "The first line to show. Without it, the first of the file.",
        },
        end_line: {
          type: "integer",
          description: "The last line to show. Without it, the last of the file.",
        },
      },
      required: ["path"],
    },
  ),
  tool(
    "search_files",
    `Find the lines that hold a text, at most ${String(MOST_MATCHES)} a call, each cut to ${String(LINE_CHARACTERS)} characters.`,
    {
      type: "object",
      properties: {
        query: textField("The text as it stands, upper and lower case told apart. No pattern."),
        path: textField("A folder or a file to search. Without it, all files are searched."),
      },
      required: ["query"],
    },
  ),
];

const ANSWERS: Readonly<Record<string, (question: Question) => Promise<string>>> = {
  list_files: listFiles,
  read_file: readLines,
  search_files: searchFiles,
};

/**
 * Makes the reader of one grade, limited to MOST_READS calls and `characters` of answers in total. Answers never throw,
 * and are redacted.
 */
export function fileReader(
  files: ReadableFiles,
  caps: { readonly characters: number; readonly redact: (text: string) => string },
): FileReader {
  const { characters, redact } = caps;
  let reads = 0;
  let left = characters;
  return {
    tools: FILE_TOOLS,
    reads: () => reads,
    again: () => fileReader(files, caps),
    fingerprint: async () => {
      const hashes = await Promise.all([...files.values()].map((folder) => folder.fingerprint()));
      if (hashes.includes(undefined)) return undefined;
      const all = [...files.keys()].map((root, index) => `${root} ${hashes[index] ?? ""}\n`);
      return `${sha256(all.join(""))} ${String(characters)}`;
    },
    answer: async ({ name, arguments: args }, signal) => {
      const answer = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
      if (!answer) return undefined;
      if (reads >= MOST_READS) return `No more: ${count(MOST_READS, "read")} are all there are. Report now.`;
      if (left < 1) return `No more: ${count(characters, "character")} are all there are. Report now.`;
      reads += 1;
      const asked = z.safeParse(fileArguments, args).data;
      const room = Math.min(left, CALL_CHARACTERS);
      const content = await answer({ ...asked, files, redact, signal, room }).catch(cannot);
      left -= content.length;
      return content.toWellFormed();
    },
  };
}

/** The answer for an error, without the file system's message, which contains absolute paths. */
function cannot(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return `That cannot be read${typeof code === "string" ? ` (${code})` : ""}.`;
}

/** `read_file`: lines of a text file, with a note of what is left out. */
async function readLines(question: Question): Promise<string> {
  const { path, redact, room, start_line: start = 1, end_line: end = Infinity } = question;
  if (path === undefined) return "Say which file to read: read_file takes a `path`.";
  const file = await fileNamed(question);
  if (!file) return nothingAt(question);
  const content = await file.read();
  const decoded = decodedText(content);
  if (decoded === undefined) return `\`${path}\` is a binary file of ${count(file.size, "byte")}.`;
  const lines = redact(decoded).split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) return `\`${path}\` is empty.`;
  if (start > lines.length) return `\`${path}\` has ${count(lines.length, "line")}.`;
  const range = lines.slice(start - 1, Math.max(start, end));
  const fitted = linesThatFit(range, room);
  const first = range[0] ?? "";
  if (fitted.length === 0) fitted.push(`${first.slice(0, room)} [... the rest of this line is left out ...]`);
  const last = start + fitted.length - 1;
  const notes = [
    fitted.length < range.length &&
      `[... left out: lines ${String(last + 1)} to ${String(start + range.length - 1)}; ask for them by start_line ...]`,
    file.size > content.length &&
      `[... left out: all after the first ${count(content.length, "byte")} of ${count(file.size, "byte")} ...]`,
  ];
  const header = `${redact(path)}, lines ${String(start)} to ${String(last)} of ${String(lines.length)}:`;
  return [header, ...fitted, ...notes.filter(Boolean)].join("\n");
}
