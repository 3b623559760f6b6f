/** Files that checks are about and that no judge can read: docx, png, zip. */
import { posix } from "node:path";
import { type ReadableFiles, decodedText } from "./files.ts";
import type { Redact } from "../safety/secrets.ts";
import { listedCode, namesIn } from "../text/format.ts";

/** Maximum files that a text names to look into. */
const MOST_NAMED = 50;

/** The doubt about a verdict on files that a text names and that hold no text; none where all can be read. */
export async function unreadableDoubt(
  found: ReadableFiles,
  text: string,
  redact: Redact,
): Promise<string | undefined> {
  const words = namesIn(text);
  const named = [...found].flatMap(([root, { files }]) =>
    [...files].flatMap(([name, file]) =>
      words.has(posix.basename(name)) ? [{ name: `${root}/${name}`, file }] : [],
    ),
  );
  const read = named.slice(0, MOST_NAMED).map(async ({ name, file }) => {
    const content = await file.read().catch(() => undefined);
    return content && decodedText(content) !== undefined ? [] : [redact(name)];
  });
  const unreadable = (await Promise.all(read)).flat();
  if (unreadable.length === 0) return undefined;
  return `The judge could not read files that the checks name, which hold no text: ${listedCode(unreadable)}.`;
}
