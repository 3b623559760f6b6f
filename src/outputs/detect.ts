/** Detects a file's format from its content. */
import type { Problem } from "../domain/location.ts";
import { claudeCode } from "./formats/claude-code.ts";
import { codexExec } from "./formats/codex-exec.ts";
import { codexSession } from "./formats/codex-session.ts";
import { cursor } from "./formats/cursor.ts";
import { copilot } from "./formats/copilot.ts";
import { geminiSession } from "./formats/gemini-session.ts";
import { geminiStream } from "./formats/gemini-stream.ts";
import { isMessage, messages } from "./formats/messages.ts";
import { openCode } from "./formats/opencode.ts";
import { isProse, stemOf } from "./content.ts";
import { keysOf, problemAt, rowsOf } from "./reader.ts";
import type { Content, Reader, Reading } from "./reader.ts";
import { recordsReader } from "./formats/records.ts";
import { taskOfName } from "./task-names.ts";
import type { KnownTasks } from "./task-names.ts";
import { isNamedJson, textFilesReader } from "./formats/text-files.ts";
import { wazaResultsReader } from "./formats/waza-results.ts";
import { wazaTranscriptReader } from "./formats/waza-transcript.ts";
import { sessionReader } from "./session.ts";
import type { SessionFormat } from "./session.ts";
import { error, warning } from "../text/problem.ts";

/** Formats of agents' logs; add a format here. */
export const SESSIONS: readonly SessionFormat[] = [
  cursor,
  claudeCode,
  copilot,
  codexExec,
  codexSession,
  geminiStream,
  geminiSession,
  openCode,
];

/** Formats with distinctive rows. The first one that knows a row wins. */
const READERS: readonly Reader[] = [
  wazaResultsReader,
  wazaTranscriptReader,
  recordsReader,
  ...SESSIONS.map(sessionReader),
];

const messagesReader = sessionReader(messages);

/** Maximum rows to look at. */
const MOST_ROWS = 1_000;

/**
 * The reader of a file; undefined for an unknown format. The first row that any format knows decides; messages come
 * last, since harnesses write them beside agents' rows. A file named for a task is that task's answer, regardless of its
 * content (`withAnswers` says why), unless it is a log or that task's transcript.
 */
export function readerOf(content: Content, tasks: KnownTasks): Reader | undefined {
  if (isProse(content.file)) return textFilesReader;
  const reader = readerByContent(content);
  if (!isNamedJson(content.file, tasks)) return reader;
  const named = taskOfName(stemOf(content.file), { ...tasks, open: false })?.taskId;
  const isOwnTranscript =
    reader === wazaTranscriptReader && (content.data as { task_id?: unknown }).task_id === named;
  return reader?.isLog || isOwnTranscript ? reader : textFilesReader;
}

function readerByContent(content: Content): Reader | undefined {
  const first = rowsOf(content).slice(0, MOST_ROWS);
  const rows = first.filter((row) => typeof row === "object" && row !== null);
  for (const row of rows) {
    const reader = READERS.find(({ detect }) => detect(row, content));
    if (reader) return reader;
  }
  const isList = rows.some((row) => messages.detect(row)) && first.every(isMessage);
  return isList ? messagesReader : undefined;
}

/** The results in a file that is named for a task; undefined if they are not waza's or have no run. */
export async function wazaResultsIn(content: Content, tasks: KnownTasks): Promise<Reading | undefined> {
  if (!isNamedJson(content.file, tasks) || readerByContent(content) !== wazaResultsReader) return undefined;
  const reading = await wazaResultsReader.read(content, tasks);
  return reading.waza?.data.tasks?.some(({ runs }) => runs?.length) ? reading : undefined;
}

/** A warning for a file that is read as a task's answer but looks like another format. */
export function otherFormatWarning(content: Content): Problem[] {
  const { where, text } = content;
  const other = readerByContent(
    content.data === undefined ? { ...content, data: beginningOf(text) } : content,
  );
  if (!other) return [];
  const message = `\`${where.path}\` is read as the answer to the task in its name, but it looks like ${other.format}.`;
  const help = "If it is not the answer, give it another name (a log ends in `.jsonl`).";
  return [problemAt(where, 1, warning(message, { help }))];
}

/** The JSON of a text if it is short, else of its first line. */
function beginningOf(text: string): unknown {
  const [line = ""] = text.slice(0, 20_000).trimStart().split("\n");
  for (const json of text.length < 1_000_000 ? [text, line] : [line]) {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      // Not JSON.
    }
  }
  return undefined;
}

/** The problem of a JSON file in an unknown format. */
export function unknownFormatProblem(content: Content): Problem {
  const { where } = content;
  const keys = keysOf(rowsOf(content)[0]);
  const detail = keys === "" ? "" : `: it has ${keys}, and a record needs \`task_id\` and \`output\``;
  const help =
    "Write one JSON object per line with `task_id`, the task's id, and `output`, the agent's answer; waza's results are written by `waza run <eval.yaml> --skip-graders -o results.json`. docs/outputs.md names each format, and has a line of `jq` for the files of promptfoo, Inspect, SWE-agent, OpenHands and `{id, output}`. Name an answer that is itself JSON `<task-id>.json`.";
  return problemAt(where, 1, error(`\`${where.path}\` is not in a known format${detail}.`, { help }));
}
