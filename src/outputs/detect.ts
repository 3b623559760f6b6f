/** Which format a file is in, by what it holds. */
import type { Problem } from "../domain/place.ts";
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

/** Logs of agents whose rows are their own: add a format here. */
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

/** Each format whose rows are its own. A row that two of them know is the one's that stands first. */
const READERS: readonly Reader[] = [
  wazaResultsReader,
  wazaTranscriptReader,
  recordsReader,
  ...SESSIONS.map(sessionReader),
];

const messagesReader = sessionReader(messages);

/** Rows that are looked at. */
const TELLING = 1_000;

/**
 * The reader of a file; undefined when no format is recognised. The first row that any format knows decides; a list of messages
 * is one only where no other format knows a row, and each row is a message, since harnesses write one beside agents' rows. A file
 * named for a task holds that task's answer: what the answer looks like does not make it another format, or an agent
 * could write its own results. Only a log, a transcript of the very task, and waza's results among their like may be named so.
 */
export function readerOf(content: Content, tasks: KnownTasks): Reader | undefined {
  if (isProse(content.file)) return textFilesReader;
  const reader = recognised(content);
  if (!isNamedJson(content.file, tasks)) return reader;
  const named = taskOfName(stemOf(content.file), { ...tasks, open: false })?.taskId;
  const isOwnTranscript =
    reader === wazaTranscriptReader && (content.data as { task_id?: unknown }).task_id === named;
  return reader?.isLog || isOwnTranscript ? reader : textFilesReader;
}

function recognised(content: Content): Reader | undefined {
  const first = rowsOf(content).slice(0, TELLING);
  const rows = first.filter((row) => typeof row === "object" && row !== null);
  for (const row of rows) {
    const reader = READERS.find(({ detect }) => detect(row, content));
    if (reader) return reader;
  }
  const isList = rows.some((row) => messages.detect(row)) && first.every(isMessage);
  return isList ? messagesReader : undefined;
}

/** What a file named for a task holds as waza's results; undefined where it is none, or without a run. */
export async function wazaResultsIn(content: Content, tasks: KnownTasks): Promise<Reading | undefined> {
  if (!isNamedJson(content.file, tasks) || recognised(content) !== wazaResultsReader) return undefined;
  const reading = await wazaResultsReader.read(content, tasks);
  return reading.waza?.data.tasks?.some(({ runs }) => runs?.length) ? reading : undefined;
}

/** A file named for a task is its answer; one that looks like another format was perhaps not meant so. */
export function lookAlike(content: Content): Problem[] {
  const { where, text } = content;
  const alike = recognised(content.data === undefined ? { ...content, data: beginningOf(text) } : content);
  if (!alike) return [];
  const message = `\`${where.path}\` is taken for the answer to the task that it is named for, though it looks like ${alike.format}.`;
  const help = "If it is not the answer, give it another name (a log ends in `.jsonl`).";
  return [problemAt(where, 1, warning(message, { help }))];
}

/** What a text says as JSON: the whole if it is short, else its first line. */
function beginningOf(text: string): unknown {
  const [line = ""] = text.slice(0, 20_000).trimStart().split("\n");
  for (const json of text.length < 1_000_000 ? [text, line] : [line]) {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      // Text like most answers.
    }
  }
  return undefined;
}

/** The problem of a file that is JSON, but in none of the formats. */
export function unrecognised(content: Content): Problem {
  const { where } = content;
  const held = keysOf(rowsOf(content)[0]);
  const found = held === "" ? "" : `: it holds ${held}, and a record holds \`task_id\` and \`output\``;
  const help =
    "Write one JSON object a line with `task_id`, the task's id, and `output`, what the agent answered; waza's own are written by `waza run <eval.yaml> --skip-graders -o results.json`. docs/outputs.md names each format, and has a line of `jq` for the files of promptfoo, Inspect, SWE-agent, OpenHands and `{id, output}`. An answer that is JSON itself is named for its task, `<task-id>.json`.";
  return problemAt(
    where,
    1,
    error(`\`${where.path}\` is in none of the formats that are read${found}.`, { help }),
  );
}
