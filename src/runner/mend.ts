/** What is mended in the home of a run before its agent takes a further turn. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { writeBelow } from "../files/write.ts";
import { isObject, jsonOf } from "../text/format.ts";

/**
 * Takes results of tools that are rows of their own out of the chats that Gemini CLI keeps: the calls before them have them,
 * too, and a resumed session would send each twice (https://github.com/google-gemini/gemini-cli/issues/29365). In the list
 * of messages that a resumed session begins with, they stand there alone, and stay.
 */
export function mendGemini(home: string): void {
  const folder = join(home, ".gemini/tmp");
  if (!existsSync(folder)) return;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile() && /^session-.*\.jsonl$/.test(one.name))) {
    const path = join(file.parentPath, file.name);
    const rows = readFileSync(path, "utf8").split("\n");
    writeBelow(home, relative(home, path), rows.filter((row) => !isResult(jsonOf(row))).join("\n"));
  }
}

/** Whether a row is a message with nothing but results of tools. */
function isResult(message: unknown): boolean {
  const { type, content } = Object(message) as { readonly type?: unknown; readonly content?: unknown };
  const parts: unknown[] = [content ?? []].flat();
  return (
    type === "user" && parts.length > 0 && parts.every((part) => isObject(part) && "functionResponse" in part)
  );
}
