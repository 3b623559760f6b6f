/** Which format a file is in, by what it holds. */
import type { Problem } from "../domain.ts";
import { claudeCodeReader } from "./claude-code.ts";
import { problemAt } from "./reader.ts";
import type { Content, Reader } from "./reader.ts";
import { recordsReader } from "./records.ts";
import type { KnownTasks } from "./task-names.ts";
import { textFilesReader } from "./text-files.ts";
import { wazaResultsReader } from "./waza-results.ts";
import { wazaTranscriptReader } from "./waza-transcript.ts";

/** In the order they are asked: what tells most of itself first, what any file could be last. */
const READERS: readonly Reader[] = [
  wazaResultsReader,
  wazaTranscriptReader,
  claudeCodeReader,
  recordsReader,
  textFilesReader,
];

/** The reader of a file; undefined when no format is recognised. */
export function readerOf(content: Content, tasks: KnownTasks): Reader | undefined {
  const structured = content.data !== undefined;
  return READERS.find(
    (reader) => (structured || reader === textFilesReader) && reader.recognises(content, tasks),
  );
}

/** The problem of a file that is JSON, but in none of the formats. */
export function unrecognised({ where }: Content): Problem {
  return problemAt(where, 1, {
    level: "error",
    message: `\`${where.path}\` is in none of the formats that are read: waza's results (\`tasks\`), waza's transcripts (\`task_id\`, \`transcript\`), records (\`task_id\`, \`output\`), logs of Claude Code.`,
    help: "`waza run <eval.yaml> --skip-graders -o results.json` writes the first; docs/outputs.md has an example of each. An answer that is JSON itself is named for its task, `<task-id>.json`.",
  });
}
