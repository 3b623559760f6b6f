/**
 * Outputs of any agent: records, JSON lines or a JSON array of `{task_id, output, messages?, model?, trial?}`; and final
 * outputs as files, `<task-id>[.<trial>].(md|txt|json)`, of which the whole is the answer.
 */
import { extname } from "node:path";
import * as z from "zod/mini";
import { error, warning, onLine, type Problem } from "../../domain/problem.ts";
import { stemOf } from "../content.ts";
import { failureOf, lastWords, readRow, type RowRead } from "./messages.ts";
import { textOf } from "./parts.ts";
import { type KnownTasks, knownTaskOfName, taskOfName } from "../layout.ts";
import { type Content, type Reader, type Trial, keysText, rowsOfContent, unreadWarning } from "../reader.ts";
import { promptOf, stepsOf } from "../transcript.ts";
import { listed, shorten } from "../../text/format.ts";
import { givenText, optional } from "../../text/optional.ts";
import { didYouMean, misspelled } from "../../text/suggest.ts";

/** Whether a `.json` file is named for a task of a suite: then its JSON is the agent's answer. */
export function isNamedJson(file: string, tasks: KnownTasks): boolean {
  return extname(file).toLowerCase() === ".json" && knownTaskOfName(stemOf(file), tasks) !== undefined;
}

const recordRow = z.object(
  {
    task_id: z.union([z.string(), z.number()], "expected `task_id`, the task's id"),
    /** Text; other JSON is shown as JSON. */
    output: z.optional(z.unknown()),
    messages: optional(z.array(z.looseObject({}), "expected a list of messages")),
    model: givenText,
    trial: optional(
      z
        .int("expected a whole number")
        .check(z.gte(0, "expected a number from 0"), z.lte(999_999_999, "expected at most nine digits")),
    ),
    prompt: givenText,
    /** The eval file's path from the repository's root, where the file's name or folder does not say it. */
    eval: givenText,
    side: optional(
      z.literal("without-skill", "expected `without-skill`, or no `side` for a run with the skill"),
    ),
    /** The failure: text or `true`. Absent, null, `false`, 0 and empty values mean none. */
    error: z.optional(z.unknown()),
  },
  "expected an object",
);

const KEYS = Object.keys(recordRow.shape);

/** A list of records, or a single one. Recognized by the first record's keys. */
export const recordsReader: Reader = {
  format: "records",
  detect: (row) =>
    "task_id" in row || ("output" in row && ("messages" in row || "model" in row || "trial" in row)),
  read: async (content) => {
    const records: RecordRow[] = [];
    const wrong: RecordFault[] = [];
    const keys = new Map<string, string>();
    for (const [index, row] of rowsOfContent(content).entries()) {
      const parsed = z.safeParse(recordRow, row);
      const issue = parsed.success ? faultIn(row as object, parsed.data) : parsed.error.issues[0];
      if (parsed.success && !issue) {
        records.push(parsed.data);
        for (const [key, meant] of keys.size < 10 ? misspelled(row as object, KEYS) : [])
          keys.set(key, meant);
        continue;
      }
      const { path = [] } = issue ?? {};
      wrong.push({
        path: Array.isArray(content.data) ? [index, ...path] : path,
        message: describeIssue(issue, row),
      });
    }
    const { at } = content;
    const unreadKeys = [...keys].map(([key, meant]) => {
      const message = `records have a key \`${shorten(key, 60)}\`, which is not read.`;
      return warning("unread-key", message, { help: didYouMean(meant), at });
    });
    const reads = records.map(({ messages = [] }) => messages.map(readRow));
    const unread = new Set(reads.flat().flatMap((read) => read.unread));
    return {
      trials: records.map((record, index) => trialOf(record, reads[index] ?? [])),
      problems: [...(await recordProblems(content, wrong)), ...unreadKeys, ...unreadWarning(at, [...unread])],
    };
  },
};

export const textFilesReader: Reader = {
  format: "text files",
  detect: () => false,
  read: ({ file, text }, tasks) => {
    const stem = stemOf(file);
    const named = taskOfName(stem, tasks);
    if (!named) return { unmatchedName: stem, problems: [] };
    return { trials: [{ ...named, finalOutput: text, steps: [] }], problems: [] };
  },
};

type RecordRow = z.infer<typeof recordRow>;

/** A mistake in a record, with its path. */
interface RecordFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Describes a schema error; for a missing key, with the keys that the record has. */
function describeIssue(issue: RecordFault | undefined, row: unknown): string {
  const [field] = issue?.path ?? [];
  const named = typeof field === "string" && !issue?.message.includes(`\`${field}\``);
  const held = keysText(row);
  const isMissing = held !== "" && (field === undefined || !Object.hasOwn(Object(row) as object, field));
  return `${issue?.message ?? "unreadable"}${named ? ` for \`${field}\`` : ""}${isMissing ? ` (it holds ${held})` : ""}`;
}

function faultIn(row: object, { output, messages = [], error, side }: RecordRow): RecordFault | undefined {
  if (output === undefined && failureOf(error) === undefined && messages.length === 0)
    return { path: [], message: "expected `output`, the agent's answer" };
  // A run that says by another key that it is without the skill would count as one with it.
  const unknown = side === undefined ? Object.entries(row).filter(([key]) => !KEYS.includes(key)) : [];
  const isWithout = (value: unknown) => typeof value === "string" && /^without[-_ ]?skill$/i.test(value);
  const [key] = unknown.find(([, value]) => isWithout(value)) ?? [];
  return key === undefined
    ? undefined
    : { path: [key], message: "expected `side` as the key of `without-skill`" };
}

/** One error with the lines of the records that cannot be read. */
async function recordProblems({ at, linesOf }: Content, wrong: readonly RecordFault[]): Promise<Problem[]> {
  const [first] = wrong;
  if (!first) return [];
  const [line = 1, ...more] = await linesOf(wrong.map(({ path }) => path));
  const moreLines =
    more.length > 0
      ? ` ${String(more.length)} more cannot be read: ${listed(
          more.map((one) => `line ${String(one)}`),
          5,
        )}.`
      : "";
  return [
    error("wrong-record", `the record cannot be read: ${first.message}.${moreLines}`, {
      help: 'A record is `{"task_id": "…", "output": "…"}`, with `messages`, `model`, `trial`, `prompt` and `error` if you have them. For files with other keys there is a line of `jq`.',
      at: onLine(at, line),
    }),
  ];
}

function trialOf({ task_id: id, output, prompt, ...record }: RecordRow, reads: readonly RowRead[]): Trial {
  const events = reads.flatMap((read) => read.events);
  return {
    taskId: String(id),
    finalOutput: output === undefined || output === null ? lastWords(reads) : textOf(output),
    steps: stepsOf(events),
    number: record.trial,
    model: record.model || undefined,
    prompt: prompt || promptOf(events),
    failure: failureOf(record.error),
    evalPath: record.eval || undefined,
    side: record.side,
  };
}
