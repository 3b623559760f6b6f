/**
 * Outputs of any agent: records, JSON lines or a JSON array of `{task_id, output, messages?, model?, trial?}`; and final
 * outputs as files, `<task-id>[.<trial>].(md|txt|json)`, of which the whole is the answer.
 */
import { extname } from "node:path";
import * as z from "zod/mini";
import { error, warning, onLine, type Problem } from "../../domain/problem.ts";
import { stemOf } from "../content.ts";
import { chatMessage, eventsOfMessages, isKnownRole, lastAnswer, unreadParts } from "./messages.ts";
import { textOf } from "./parts.ts";
import { type KnownTasks, knownTaskOfName, taskOfName } from "../layout.ts";
import { type Content, type Reader, type Trial, keysText, rowsOfContent, unreadWarning } from "../reader.ts";
import { promptOf, stepsOf } from "../transcript.ts";
import { shorten } from "../../text/format.ts";
import { givenText, optional } from "../../text/optional.ts";
import { closest, didYouMean } from "../../text/suggest.ts";

/** Whether a `.json` file is named for a task of a suite: then its JSON is the agent's answer. */
export function isNamedJson(file: string, tasks: KnownTasks): boolean {
  return extname(file).toLowerCase() === ".json" && knownTaskOfName(stemOf(file), tasks) !== undefined;
}

const record = z.object(
  {
    task_id: z.union([z.string(), z.number()], "expected `task_id`, the task's id"),
    /** Text; other JSON is shown as JSON. */
    output: z.optional(z.unknown()),
    messages: optional(z.array(chatMessage, "expected a list of messages")),
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

const KEYS = ["task_id", "output", "messages", "model", "trial", "prompt", "eval", "side", "error"];

/** A list of records, or a single one. Recognized by the first record's keys. */
export const recordsReader: Reader = {
  format: "records",
  detect: (row) => "task_id" in row || isRecordRow(row),
  read: async (content) => {
    const trials: Trial[] = [];
    const wrong: RecordFault[] = [];
    const odd = oddities();
    for (const [index, row] of rowsOfContent(content).entries()) {
      const parsed = z.safeParse(record, row);
      const issue = parsed.success
        ? (missingOutput(parsed.data) ?? otherSide(row, parsed.data))
        : parsed.error.issues[0];
      if (parsed.success && !issue) {
        trials.push(trialOf(parsed.data));
        odd.note(row, parsed.data);
      } else wrong.push({ path: rowPath(content, index, issue?.path), message: describeIssue(issue, row) });
    }
    return { trials, problems: [...(await recordProblems(content, wrong)), ...odd.problems(content)] };
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

type RecordRow = z.infer<typeof record>;

/** A mistake in a record, with its path. */
interface RecordFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Collects keys similar to known ones, and messages of unknown roles and parts of them that are not read. */
function oddities() {
  const keys = new Map<string, string>();
  const unread = new Set<string>();
  return {
    note: (row: unknown, { messages }: RecordRow) => {
      for (const key of Object.keys(row as object).slice(0, 50)) {
        const free = KEYS.filter((known) => !Object.hasOwn(row as object, known));
        const meant = KEYS.includes(key) ? undefined : closest(key, free);
        if (meant !== undefined && keys.size < 10) keys.set(key, meant);
      }
      for (const message of messages ?? []) {
        if (!isKnownRole(message)) unread.add(message.role ?? message.type ?? "(none)");
        for (const kind of unreadParts(message)) unread.add(kind);
      }
    },
    problems: ({ at }: Content): Problem[] => [
      ...[...keys].map(([key, meant]) =>
        warning("unread-key", `records have a key \`${shorten(key, 60)}\`, which is not read.`, {
          help: didYouMean(meant),
          at,
        }),
      ),
      ...unreadWarning(at, [...unread]),
    ],
  };
}

/** Describes a schema error; for a missing key, with the keys that the record has. */
function describeIssue(issue: RecordFault | undefined, row: unknown): string {
  const [field] = issue?.path ?? [];
  const named = typeof field === "string" && !issue?.message.includes(`\`${field}\``);
  const held = keysText(row);
  const isMissing = held !== "" && (field === undefined || !Object.hasOwn(Object(row) as object, field));
  return `${issue?.message ?? "unreadable"}${named ? ` for \`${field}\`` : ""}${isMissing ? ` (it holds ${held})` : ""}`;
}

function isRecordRow(row: object): boolean {
  return "output" in row && ("messages" in row || "model" in row || "trial" in row);
}

function rowPath({ data }: Content, index: number, path: readonly PropertyKey[] = []): PropertyKey[] {
  return Array.isArray(data) ? [index, ...path] : [...path];
}

function missingOutput({ output, messages, error }: RecordRow): RecordFault | undefined {
  if (output !== undefined || failureOfRecord(error) !== undefined || (messages ?? []).length > 0)
    return undefined;
  return { path: [], message: "expected `output`, the agent's answer" };
}

/** A run that says by another key that it is without the skill would count as one with it. */
function otherSide(row: unknown, { side }: RecordRow): RecordFault | undefined {
  if (side !== undefined) return undefined;
  const others = Object.entries(row as object).filter(([key]) => !KEYS.includes(key));
  const [key] = others.find(([, value]) => saysWithoutSkill(value)) ?? [];
  return key === undefined
    ? undefined
    : { path: [key], message: "expected `side` as the key of `without-skill`" };
}

function saysWithoutSkill(value: unknown): boolean {
  return typeof value === "string" && /^without[-_ ]?skill$/i.test(value);
}

function failureOfRecord(error: unknown): string | undefined {
  const none = [undefined, null, false, "", 0].includes(error as never);
  if (none || (typeof error === "object" && Object.keys(error ?? {}).length === 0)) return undefined;
  return error === true ? "its record says `error: true`" : textOf(error);
}

/** One error with the lines of the records that cannot be read. */
async function recordProblems({ at, linesOf }: Content, wrong: readonly RecordFault[]): Promise<Problem[]> {
  const [first] = wrong;
  if (!first) return [];
  const lines = await linesOf(wrong.map(({ path }) => path));
  const more = lines.slice(1, 6).map((line) => `line ${String(line)}`);
  const others =
    wrong.length > 1
      ? ` ${String(wrong.length - 1)} more cannot be read: ${more.join(", ")}${wrong.length > 6 ? ", …" : ""}.`
      : "";
  return [
    error("wrong-record", `the record cannot be read: ${first.message}.${others}`, {
      help: 'A record is `{"task_id": "…", "output": "…"}`, with `messages`, `model`, `trial`, `prompt` and `error` if you have them. For files with other keys there is a line of `jq`.',
      at: onLine(at, lines[0] ?? 1),
    }),
  ];
}

function trialOf({
  task_id: id,
  output,
  messages,
  model,
  trial,
  prompt,
  eval: evalPath,
  side,
  error,
}: RecordRow): Trial {
  const all = messages ?? [];
  const events = eventsOfMessages(all);
  const failure = failureOfRecord(error);
  return {
    taskId: String(id),
    finalOutput: output === undefined || output === null ? lastAnswer(all) : textOf(output),
    steps: stepsOf(events),
    number: trial,
    model: model || undefined,
    prompt: prompt || promptOf(events),
    failure,
    evalPath: evalPath || undefined,
    side: side ?? undefined,
  };
}
