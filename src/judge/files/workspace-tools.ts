/** The judge's read-only tools: list, read and search files. Errors are answers. */
import * as z from "zod/mini";
import { count } from "../../text/format.ts";
import { listFiles, readFile, searchFiles } from "./file-answers.ts";
import type { Question } from "./file-answers.ts";
import type { FileReader } from "../judge.ts";
import { CALL_CHARACTERS, MOST_ENTRIES, LINE_CHARACTERS, MOST_MATCHES, MOST_READS } from "./limits.ts";
import { fingerprintOf } from "./readable-files.ts";
import type { ReadableFiles } from "./readable-files.ts";

/** Tool definitions; only in requests with readable files. */
export const FILE_TOOLS = [
  tool("list_files", `List files, at most ${String(MOST_ENTRIES)} a call, with their sizes.`, {
    properties: { path: text("A folder, such as workspace/src. Without it, all files are listed.") },
  }),
  tool(
    "read_file",
    `Read a text file, at most ${String(CALL_CHARACTERS)} characters a call. Lines are counted from 1.`,
    {
      properties: {
        path: text("The file, as the evidence or list_files names it, such as workspace/src/app.ts."),
        start_line: lineNumber("The first line to show. Without it, the first of the file."),
        end_line: lineNumber("The last line to show. Without it, the last of the file."),
      },
      required: ["path"],
    },
  ),
  tool(
    "search_files",
    `Find the lines that hold a text, at most ${String(MOST_MATCHES)} a call, each cut to ${String(LINE_CHARACTERS)} characters.`,
    {
      properties: {
        query: text("The text as it stands, upper and lower case told apart. No pattern."),
        path: text("A folder or a file to search. Without it, all files are searched."),
      },
      required: ["query"],
    },
  ),
];

function text(description: string) {
  return { type: "string", description };
}

function lineNumber(description: string) {
  return { type: "integer", description };
}

function tool(name: string, description: string, parameters: object) {
  return {
    type: "function" as const,
    function: { name, description, parameters: { type: "object", ...parameters } },
  };
}

const ANSWERS: Readonly<Record<string, (question: Question) => Promise<string>>> = {
  list_files: listFiles,
  read_file: readFile,
  search_files: searchFiles,
};

const line = z.catch(z.optional(z.coerce.number().check(z.int(), z.positive())), undefined);
const word = z.catch(z.optional(z.string()), undefined);
const argumentsSchema = z.object({ path: word, query: word, start_line: line, end_line: line });

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
      const fingerprint = await fingerprintOf(files);
      return fingerprint && `${fingerprint} ${String(characters)}`;
    },
    answer: async ({ name, arguments: args }, signal) => {
      const answer = Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;
      if (!answer) return undefined;
      if (reads >= MOST_READS) return `No more: ${count(MOST_READS, "read")} are all there are. Report now.`;
      if (left < 1) return `No more: ${count(characters, "character")} are all there are. Report now.`;
      reads += 1;
      const { path, query, start_line: start, end_line: end } = readArguments(args);
      const room = Math.min(left, CALL_CHARACTERS);
      const content = await answer({ files, redact, signal, room, path, query, start, end }).catch(cannot);
      left -= content.length;
      return content.toWellFormed();
    },
  };
}

function readArguments(args: unknown): Partial<z.infer<typeof argumentsSchema>> {
  try {
    const value: unknown = typeof args === "string" ? JSON.parse(args) : args;
    return z.safeParse(argumentsSchema, value).data ?? {};
  } catch {
    return {};
  }
}

/** The answer for an error, without the file system's message, which contains absolute paths. */
function cannot(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return `That cannot be read${typeof code === "string" ? ` (${code})` : ""}.`;
}
