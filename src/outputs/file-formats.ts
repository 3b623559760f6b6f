/** Reads files of agent outputs, each once, in the format that its content has. */
import type { Suite } from "../domain/suite.ts";
import { error, type Problem } from "../domain/problem.ts";
import { PLUGIN_EVAL } from "../domain/row.ts";
import type { FoundFile } from "../files/confine.ts";
import { contentKeys } from "../files/digest.ts";
import { isPlainText, isProse, readContent, stemOf } from "./content.ts";
import { claudeCode } from "./formats/claude-code.ts";
import { cline } from "./formats/cline.ts";
import { codexExec, codexSession } from "./formats/codex.ts";
import { copilot } from "./formats/copilot.ts";
import { cursor } from "./formats/cursor.ts";
import { geminiSession, geminiStream } from "./formats/gemini.ts";
import { isEnvelope, isMessageRow, messages } from "./formats/messages.ts";
import { openCode } from "./formats/opencode.ts";
import { isNamedJson, recordsReader, textFilesReader } from "./formats/records.ts";
import { wazaResultsReader, wazaTranscriptReader } from "./formats/waza.ts";
import type { OutputsRequest } from "./find-outputs.ts";
import {
  groupOf,
  knownTaskOfName,
  knownTasks,
  strayFolders,
  tasksOfSuite,
  type KnownTasks,
  type Layout,
} from "./layout.ts";
import { Json } from "../text/json.ts";
import { copiesNotice } from "./runs.ts";
import { isPluginEval } from "./plugin-evals.ts";
import { keysText, rowsOfContent, type Content, type FileRead, type Reader } from "./reader.ts";
import { sessionOf, sessionReader, type Session, type SessionFormat } from "./session.ts";
import { isObject, listedCode, once } from "../text/format.ts";

/** Maximum rows to look at. */
const MOST_ROWS_LOOKED_AT = 1_000;

/** A workspace of Anthropic's skill-creator, which graded it already. */
const SKILL_WORKSPACE = /^.*?-workspace\/(?=iteration-\d{1,9}\/)/s;

/** Reads the files; of copies only the first. `otherEvals` has, for each file of an eval that is not graded here, that eval. */
export async function readFoundFiles(
  files: readonly FoundFile[],
  layouts: ReadonlyMap<string, Layout>,
  { workspace, suites }: Pick<OutputsRequest, "workspace" | "suites">,
) {
  const tasks = knownTasks(suites);
  const problems: Problem[] = [];
  const otherEvals: string[] = [];
  const strays: string[] = [];
  const contentKey = contentKeys(files);
  const reads = new Map<string, FileRead>();
  const copies: [FileRead, FileRead][] = [];
  for (const found of files) {
    const layout = layouts.get(found.file) ?? { suites: [] };
    const [suite, ...equal] = layout.suites;
    if (suite && equal.length > 0) problems.push(severalEvals(found, layout.suites));
    const known = suite ? tasksOfSuite(suite) : tasks;
    const read = await readFoundFile(found, known, layout);
    const ofSkillCreator = SKILL_WORKSPACE.exec(found.at.path)?.[0];
    const { otherEval = ofSkillCreator, strayFolder } = namesEval(read) ? {} : layout;
    if (otherEval !== undefined) otherEvals.push(otherEval);
    else if (strayFolder !== undefined) strays.push(strayFolder);
    else {
      // Equal bytes under another name may be another task's answer, or another trial's.
      const named = read.trials?.map(({ taskId, number }) => [taskId, number]);
      const key = JSON.stringify([await contentKey(found), groupOf(layout), named]);
      const original = once(reads, key, () => read);
      if (original === read) problems.push(...read.problems);
      else copies.push([read, original]);
    }
  }
  return {
    reads: [...reads.values()],
    otherEvals,
    problems: [...problems, ...copiesNotice(copies), ...strayFolders(strays, workspace)],
  };
}

/** Whether the file says its eval itself. */
function namesEval({ waza, trials = [] }: FileRead): boolean {
  return Boolean(waza?.text("eval_name")) || trials.some(({ evalPath }) => evalPath !== undefined);
}

/** The folder fits the names of several evals, and no path decides. */
function severalEvals({ at }: FoundFile, suites: readonly Suite[]): Problem {
  const message = `the name of the file's folder fits several evals: ${listedCode(suites.map(({ at }) => at.path))}.`;
  const help = "Put the files of each eval into a folder named like its path.";
  return error("folder-of-several-evals", message, { help, at: { ...at, generated: true } });
}

/** The file's runs, of the tasks that it may be of; of one that cannot be read the problem alone. */
async function readFoundFile(found: FoundFile, tasks: KnownTasks, layout: Layout): Promise<FileRead> {
  const { file, at } = found;
  const content = await readContent(found, isNamedJson(file, tasks));
  const unread = (problem: Problem) => ({ file, layout, at, format: "", problems: [problem] });
  if (!("file" in content)) return unread(content);
  const reader = readerOf(content, tasks);
  const [broken] = content.broken ?? [];
  if (broken && reader !== textFilesReader && !reader?.isLog) return unread(broken.problem);
  if (!reader) return unread(unknownFormatProblem(content));
  const as = async ({ format, read }: Reader): Promise<FileRead> => ({
    ...(await read(content, tasks)),
    ...{ file, layout, at: content.at, format },
  });
  const read = await as(reader);
  // A file named for a task always counts, or an agent could write an answer that is left out.
  const isLeftOut = read.trials === undefined && isNamedJson(file, tasks);
  return isLeftOut ? await as(textFilesReader) : read;
}

/**
 * The reader of a file; undefined for an unknown format. The first row that any format knows decides; messages come
 * last, since harnesses write them beside agents' rows. A file named for a task is that task's answer, regardless of its
 * content, unless it is a log or that task's transcript: else an agent that writes its own answer could write other tasks'
 * runs.
 */
function readerOf(content: Content, tasks: KnownTasks): Reader | undefined {
  const reader = readerByContent(content);
  if (isProse(content.file)) {
    const isLog =
      isPlainText(content.file) && reader?.isLog && reader.format !== messages.format && isRowsAlone(content);
    return isLog ? reader : textFilesReader;
  }
  if (!isNamedJson(content.file, tasks)) return reader;
  const named = knownTaskOfName(stemOf(content.file), tasks)?.taskId;
  const isOwnTranscript =
    reader === wazaTranscriptReader && (content.data as { task_id?: unknown }).task_id === named;
  return reader?.isLog || isOwnTranscript ? reader : textFilesReader;
}

/** Formats of agents' logs; add a format here: the first that knows a row counts, so one whose rows are like another's comes before that. */
export const SESSIONS: readonly SessionFormat[] = [
  cursor,
  claudeCode,
  copilot,
  codexExec,
  codexSession,
  geminiStream,
  geminiSession,
  openCode,
  cline,
];

/** Programs whose logs are not read, by a row that only theirs have. */
const NOT_READ: readonly (readonly [program: string, isRow: (row: Json) => boolean])[] = [
  ["an agent of the Agent Client Protocol", (row) => row.text("jsonrpc") !== undefined],
  ["OpenHands", (row) => row.text("source") !== undefined && (row.text("kind") ?? "").endsWith("Event")],
  ["OpenHands", (row) => row.text("action") !== undefined && row.isObject("args")],
  ["Zed", (row) => row.all("messages").some((one) => one.isObject("User") || one.isObject("Agent"))],
  ["Amp", (row) => (row.text("id") ?? "").startsWith("T-") && row.all("messages").length > 0],
  [
    "Claude Managed Agents",
    (row) => !row.isObject("data") && /^(?:user|agent)\.\w/.test(row.text("type") ?? ""),
  ],
  [PLUGIN_EVAL, isPluginEval],
];

const notReadReader: Reader = {
  format: "logs that are not read",
  detect: (row) => programOf(row) !== undefined,
  read: (content) => {
    const program = rowsOfContent(content).map(programOf).find(Boolean) ?? "";
    const help =
      program === PLUGIN_EVAL
        ? "Set `offline: true` for results of a job that you trust: their verdicts count, and no judge is asked."
        : "Convert it to a list of messages or to ATIF, or write a record of each run.";
    return {
      problems: [
        error("unknown-format", `what ${program} wrote is not read here.`, { help, at: content.at }),
      ],
    };
  },
};

function programOf(row: unknown): string | undefined {
  return NOT_READ.find(([, isRow]) => isRow(new Json(row)))?.[0];
}

/** Formats with distinctive rows that are no logs of agents. */
const READERS: readonly Reader[] = [wazaResultsReader, wazaTranscriptReader, recordsReader, notReadReader];

/**
 * The reader of the first row that any format knows; of several formats of clients, the first of the table. Lists of
 * messages are read where no client's rows are found: a client adds kinds of rows with each version.
 */
export function readerByContent(content: Content): Reader | undefined {
  const first = rowsOfContent(content).slice(0, MOST_ROWS_LOOKED_AT);
  const rows = first.filter((row) => typeof row === "object" && row !== null);
  const isList =
    rows.some((row) => messages.detect(row)) && (first.every(isMessageRow) || rows.some(isEnvelope));
  const formats = SESSIONS.filter(({ detect }) => rows.some((row) => detect(row)));
  for (const row of rows) {
    const reader = READERS.find(({ detect }) => detect(row, content));
    if (reader) return reader;
    if (formats.some(({ detect }) => detect(row))) break;
  }
  // Of another client a row that begins its session may be the same (droid).
  const isEmpty = ({ events, isSubAgentLog }: Session) => events.length === 0 && !isSubAgentLog;
  const [own] = formats;
  const format = isList && (own === undefined || isEmpty(sessionOf(own, content))) ? messages : own;
  return format && sessionReader(format);
}

/** Whether a text is rows of JSON and nothing else, of which the last may be torn: a reader drops no words of it. */
export function isRowsAlone({ data, text, broken }: Content): boolean {
  if (!broken) return true;
  const last = text.trimEnd().split("\n").length;
  const isTorn = broken.every(({ isRow, problem }) => isRow && problem.at?.startLine === last);
  return isTorn && rowsOfContent({ data }).every(isObject);
}

/** The problem of a JSON file in an unknown format. */
function unknownFormatProblem(content: Content): Problem {
  const { at } = content;
  if (isObject(content.data) && "waza_grade" in content.data) {
    const help = "Name what the agent wrote in `results`, and another file in `output-file`.";
    return error("own-record", "the file is a record that waza-grade wrote.", { help, at });
  }
  const keys = keysText(rowsOfContent(content)[0]);
  const detail = keys === "" ? "" : `: it has ${keys}, and a record needs \`task_id\` and \`output\``;
  const help =
    "Write one JSON object per line with `task_id`, the task's id, and `output`, the agent's answer; waza's results are written by `waza run <eval.yaml> --skip-graders -o results.json`. Files of promptfoo, Inspect and OpenHands' benchmarks need a line of `jq`. Name an answer that is itself JSON `<task-id>.json`.";
  return error("unknown-format", `the file is not in a known format${detail}.`, { help, at });
}
