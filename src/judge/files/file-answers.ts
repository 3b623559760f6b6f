/** Answers to the judge's file calls. Errors are answers, too; only the file system throws. */
import { count } from "../../text/format.ts";
import type { ReadableFile } from "./folder.ts";
import { MOST_ENTRIES, LINE_CHARACTERS, MOST_MATCHES, PROBE_BYTES, MOST_SEARCH_BYTES } from "./limits.ts";
import type { ReadableFiles } from "./readable-files.ts";

/** A call's arguments, and the files and limits that apply. */
export interface Question {
  readonly files: ReadableFiles;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
  /** Maximum characters of the answer, without its notes. */
  readonly room: number;
  readonly path: string | undefined;
  readonly query: string | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
}

interface Named {
  readonly name: string;
  readonly file: ReadableFile;
}

/** `list_files`: names and sizes of the files below a folder. */
export function listFiles(question: Question): Promise<string> {
  const files = below(question);
  if (files.length === 0) return Promise.resolve(nothingAt(question));
  const lines = files.slice(0, MOST_ENTRIES).map(({ name, file }) => `${name} (${count(file.size, "byte")})`);
  const listed = fitting(lines.map(question.redact), question.room);
  const gone = files.length - listed.length;
  const note =
    gone > 0 ? [`[... left out: ${count(gone, "file")}; name a folder below to see them ...]`] : [];
  return Promise.resolve([`${count(files.length, "file")}:`, ...listed, ...note].join("\n"));
}

/** `read_file`: lines of a text file, with a note of what is left out. */
export async function readFile(question: Question): Promise<string> {
  const { path, redact, room, start = 1, end = Infinity } = question;
  if (path === undefined) return "Say which file to read: read_file takes a `path`.";
  const file = (await fileNamed(question))?.file;
  if (!file) return nothingAt(question);
  const content = await file.read();
  const decoded = decode(content);
  if (decoded === undefined) return `\`${path}\` is a binary file of ${count(file.size, "byte")}.`;
  const lines = redact(decoded).split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) return `\`${path}\` is empty.`;
  if (start > lines.length) return `\`${path}\` has ${count(lines.length, "line")}.`;
  const range = lines.slice(start - 1, Math.max(start, end));
  const fitted = fitting(range, room);
  const first = range[0] ?? "";
  if (fitted.length === 0) fitted.push(`${first.slice(0, room)} [... the rest of this line is left out ...]`);
  const last = start + fitted.length - 1;
  const notes = [
    ...(fitted.length < range.length
      ? [
          `[... left out: lines ${String(last + 1)} to ${String(start + range.length - 1)}; ask for them by start_line ...]`,
        ]
      : []),
    ...(file.size > content.length
      ? [
          `[... left out: all after the first ${count(content.length, "byte")} of ${count(file.size, "byte")} ...]`,
        ]
      : []),
  ];
  const header = `${redact(path)}, lines ${String(start)} to ${String(last)} of ${String(lines.length)}:`;
  return [header, ...fitted, ...notes].join("\n");
}

/** `search_files`: lines that contain a text, in all files or those below a folder. */
export async function searchFiles(question: Question): Promise<string> {
  const { query = "", room } = question;
  if (query === "" || query.includes("\n"))
    return "`query` is empty or has more than one line: search for one line of text.";
  const files = below(question);
  const named = files.length === 0 ? await fileNamed(question) : undefined;
  if (files.length === 0 && !named) return nothingAt(question);
  const searched = named ? [{ ...named, name: question.path ?? named.name }] : files;
  const { matches, stopped } = await searchIn(searched, query, question);
  const fitted = fitting(matches.slice(0, MOST_MATCHES), room);
  const more = stopped || fitted.length < matches.length;
  if (matches.length === 0 && !more) return `No line of ${count(searched.length, "file")} contains it.`;
  const note = more
    ? ["[... left out: the search stopped here; name a folder or search for more of the line ...]"]
    : [];
  return [`${count(fitted.length, "line")}:`, ...fitted, ...note].join("\n");
}

/** Searches files until there are enough matches, too many bytes were read, or the grade is aborted. */
async function searchIn(
  files: readonly Named[],
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
    const text = content && decode(content);
    if (!text?.includes(query)) continue;
    for (const match of matchesIn(redact(name), redact(text), query)) matches.push(match);
  }
  return { matches, stopped: false };
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

/** The first lines that fit. */
function fitting(lines: readonly string[], room: number): string[] {
  let left = room;
  const end = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return end < 0 ? [...lines] : lines.slice(0, end);
}

/** Decodes UTF-8, or UTF-16 with a byte order mark; undefined for a binary file. */
function decode(content: Buffer): string | undefined {
  if (content.length >= 2 && content[0] === 0xff && content[1] === 0xfe) {
    return new TextDecoder("utf-16le").decode(content);
  }
  if (content.subarray(0, PROBE_BYTES).includes(0)) return undefined;
  return new TextDecoder("utf-8").decode(content);
}

/** Splits a path into its root folder and the name below it. */
function partsOf(path: string): { root: string; name: string } {
  const parts = path
    .trim()
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  return { root: parts[0] ?? "", name: parts.slice(1).join("/") };
}

/** All files, or those at or below `path`. */
function below({ files, path }: Question): Named[] {
  const all = (root: string, name: string): Named[] =>
    [...(files.get(root)?.files ?? [])]
      .filter(([key]) => name === "" || key === name || key.startsWith(`${name}/`))
      .map(([key, file]) => ({ name: `${root}/${key}`, file }));
  const { root, name } = partsOf(path ?? "");
  return root === "" ? [...files.keys()].flatMap((one) => all(one, "")) : all(root, name);
}

/** The file at `path`, or the one it links to within its folder. */
async function fileNamed({ files, path = "" }: Question): Promise<Named | undefined> {
  const { root, name } = partsOf(path);
  const folder = files.get(root);
  const key = folder?.files.has(name) ? name : await folder?.follow(name);
  const file = key === undefined ? undefined : folder?.files.get(key);
  return file && key !== undefined ? { name: `${root}/${key}`, file } : undefined;
}

function nothingAt({ files, path = "" }: Question): string {
  const roots = [...files.keys()].map((root) => `${root}/`).join(" and ");
  return `There is no file \`${path.slice(0, 200)}\` that you may read. Paths begin with ${roots}; list_files shows them.`;
}
