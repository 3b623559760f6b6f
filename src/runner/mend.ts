/** What is mended in the home of a run before its agent takes a further turn. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, jsonOf } from "../text/format.ts";

/**
 * Takes results of tools that are rows of their own out of the chats that Gemini CLI keeps: the calls have them, too, and a
 * resumed session would send each twice (https://github.com/google-gemini/gemini-cli/issues/29365).
 */
export function mendGemini(home: string): void {
  const folder = join(home, ".gemini/tmp");
  if (!existsSync(folder)) return;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile() && /^session-.*\.jsonl$/.test(one.name))) {
    const path = join(file.parentPath, file.name);
    writeFileSync(path, readFileSync(path, "utf8").split("\n").flatMap(mendedLine).join("\n"));
  }
}

/** A line of a chat: a message, or a change that may hold several. */
function mendedLine(line: string): string[] {
  const row = jsonOf(line);
  if (!isObject(row)) return [line];
  const others = (key: string, value: unknown): unknown =>
    key === "messages" && Array.isArray(value) ? value.filter((one) => !isResult(one)) : value;
  return isResult(row) ? [] : [JSON.stringify(row, others)];
}

/** Whether a message has nothing but results of tools. */
function isResult(message: unknown): boolean {
  const { type, content } = Object(message) as { readonly type?: unknown; readonly content?: unknown };
  const parts: unknown[] = [content ?? []].flat();
  return (
    type === "user" && parts.length > 0 && parts.every((part) => isObject(part) && "functionResponse" in part)
  );
}
