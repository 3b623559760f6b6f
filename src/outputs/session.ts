/** What reads a format; and logs of agents: one file is one session, which is one run of a task. */
import { basename, dirname } from "node:path";
import * as z from "zod/mini";
import type { ClientFacts, SkillCall, Step } from "../domain/run.ts";
import { error, notice, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { stemOf } from "./content.ts";
import type { TranscriptEvent, WazaResults } from "./formats/waza.ts";
import { onlyTask, taskOfName, taskOfPrompt, type KnownTasks, type Named } from "./layout.ts";
import { MOST_ROW_KEYS } from "./limits.ts";
import { lastMessage, promptOf, stepsOf } from "./transcript.ts";
import { jsonOf, listedCode, moreText, shorten } from "../text/format.ts";

/* The interface of a format's reader. */

/** A line that is not JSON, in a file of JSON lines. */
export interface BrokenLine {
  readonly problem: Problem;
  /** Whether it precedes the first line of JSON. */
  readonly before: boolean;
}

/** A file's content, read once for all formats. */
export interface Content {
  /** Absolute. */
  readonly file: string;
  readonly at: SourceSpan;
  /** The parsed JSON; for JSON lines, the list of values. Absent in a text file. */
  readonly data?: unknown;
  /** The file's text. */
  readonly text: string;
  readonly broken?: readonly BrokenLine[] | undefined;
  /** The lines of the values at these paths of `data`; 1 for an absent value. */
  readonly linesOf: (paths: readonly (readonly PropertyKey[])[]) => Promise<number[]>;
}

/** One trial of an agent, read from any format except waza's results. */
export interface Trial {
  /** The eval's name; absent if the format has none. */
  readonly evalName?: string | undefined;
  /** The eval's path and the side, of a record that says them. */
  readonly evalPath?: string | undefined;
  readonly side?: "without-skill" | undefined;
  readonly taskId: string;
  readonly taskName?: string | undefined;
  /** Number of the trial within its task; assigned later if absent. */
  readonly number?: number | undefined;
  readonly model?: string | undefined;
  readonly prompt?: string | undefined;
  readonly finalOutput: string;
  readonly steps: readonly Step[];
  readonly golden?: boolean | undefined;
  /** The model that the agent was asked to use, of a run.json. */
  readonly asked?: string | undefined;
  /** How many runs of its task, side and model were planned, of a run.json. */
  readonly ofTrials?: number | undefined;
  readonly ofSides?: 1 | 2 | undefined;
  /** The folder that the agent worked in, of a run.json: absolute, links resolved, in the folder of the run. */
  readonly workspaceDir?: string | undefined;
  /** Why the agent failed; absent if it did not. */
  readonly failure?: string | undefined;
  /** The agent's key was refused, or its account is empty. */
  readonly isRefused?: boolean | undefined;
  readonly client?: ClientFacts | undefined;
  /** How often the agent was started until it got to work, of a run.json. */
  readonly tries?: number | undefined;
}

/** The result of reading one file. */
export interface Reading {
  /** waza's results: `document` for the graded copy, `data` for the parts that we read. */
  readonly waza?: { readonly document: unknown; readonly data: WazaResults } | undefined;
  /** The trials of a file in any other format. */
  readonly trials?: readonly Trial[] | undefined;
  /** The file's name, if it matches no task. */
  readonly unmatchedName?: string | undefined;
  readonly problems: readonly Problem[];
}

/** Reads the files of one format. */
export interface Reader {
  /** The format's name in messages. */
  readonly format: string;
  /** Whether a row is distinctive of this format. A file that is not a list counts as one row. */
  readonly detect: (row: object, content: Content) => boolean;
  /** Never throws: faults of the file are returned as problems. */
  readonly read: (content: Content, tasks: KnownTasks) => Reading | Promise<Reading>;
  /** Set for logs of sessions: lines that are not JSON are ignored, with a warning. */
  readonly isLog?: true | undefined;
}

/** HTTP statuses with which a provider refuses a key, or an account without credit. */
export const REFUSED: ReadonlySet<number | undefined> = new Set([401, 402, 403]);

/** The rows of a file: the values of JSON lines or of a list, or the only value. */
export function rowsIn({ data }: Pick<Content, "data">): readonly unknown[] {
  return Array.isArray(data) ? data : data === undefined ? [] : [data];
}

/** The rows that fit a schema, parsed by it. */
export function rowsAs<T extends z.ZodMiniType>(schema: T, rows: readonly unknown[]): z.infer<T>[] {
  return rows.flatMap((row) => {
    const parsed = z.safeParse(schema, row);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The keys of a row for a sentence; empty if it has none. */
export function keysOf(row: unknown): string {
  const keys = typeof row === "object" && row !== null && !Array.isArray(row) ? Object.keys(row) : [];
  const more = moreText(keys.length - MOST_ROW_KEYS);
  const named = keys.slice(0, MOST_ROW_KEYS).map((key) => `\`${shorten(key, 40)}\``);
  return `${named.join(", ")}${more}`;
}

/** A problem of the file at a line. */
export function problemAt(at: SourceSpan, line: number, problem: Problem): Problem {
  return { ...problem, at: { ...at, startLine: line, endLine: line } };
}

/** Rows of agents' logs without messages or calls: by their type, and by what they hold. */
const BOOKKEEPING =
  /^(?:system|session|progress|summary|attachment|file-history-(?:snapshot|delta)|queue-operation|pr-link|custom-title|ai-title|agent-name|last-prompt|permission-mode|mode|model_change|thinking_level_change|compaction|stream_event|rate_limit_event|tool_progress|world_state)(?:\/|$)/;

/** Whether a row is known to hold no message or call. */
export function isBookkeeping(row: unknown): boolean {
  const { message, role } = Object(row) as { message?: unknown; role?: unknown };
  return message === undefined && role === undefined && BOOKKEEPING.test(kindOf(row));
}

/** A row's type (or role), with its subtype, or the type or keys of what it holds; its keys if it has no type. */
export function kindOf(row: unknown): string {
  const { type, role, subtype, payload, attachment, message } = Object(row) as Record<string, unknown>;
  const name = type ?? role;
  const held = Object(payload ?? attachment) as { type?: unknown };
  const keys = keysOf(message).replaceAll("`", "");
  const inner = subtype ?? held.type ?? (keys || undefined);
  if (typeof name !== "string") return keysOf(row).replaceAll("`", "") || "(no type)";
  return typeof inner === "string" ? `${name}/${inner}` : name;
}

/** The kinds of rows that the format does not read, or that do not fit the schema. */
export function unreadKinds<T extends z.ZodMiniType>(
  schema: T,
  rows: readonly unknown[],
  isKnown: (kind: string, row: z.infer<T>) => boolean,
): string[] {
  return rows.flatMap((row) => {
    const kind = kindOf(row);
    const parsed = z.safeParse(schema, row);
    return isBookkeeping(row) || (parsed.success && isKnown(kind, parsed.data)) ? [] : [kind];
  });
}

/** A warning about rows and parts that are not read, by kind. */
export function unreadWarning(at: SourceSpan, kinds: readonly string[]): Problem[] {
  if (kinds.length === 0) return [];
  const names = listedCode(
    kinds.map((kind) => shorten(kind, 60)),
    10,
  );
  const help = "The judge does not see them. docs/outputs.md lists what is read from each format.";
  return [problemAt(at, 1, warning(`the file has parts that are not read: ${names}.`, { help }))];
}

/** A session, as its log records it. */
export interface Session {
  /** Messages and calls, without user messages that the agent's program inserted. */
  readonly events: readonly TranscriptEvent[];
  /** The prompt; without it, the first user message of the events. */
  readonly prompt?: string | undefined;
  readonly model?: string | undefined;
  /** The answer; without it, the agent's last message. */
  readonly finalOutput?: string | undefined;
  /** Why the agent failed; absent if it succeeded. */
  readonly failure?: string | undefined;
  /** The provider refused the agent's key, or its account is empty: no other run would get further. */
  readonly isRefused?: boolean | undefined;
  /** What the rows say of the client; its calls for skills are found by `skillTool`. */
  readonly client?: Omit<ClientFacts, "skillCalls"> | undefined;
  /** What is missing at the end of an interrupted log. */
  readonly missingEnd?: string | undefined;
  /** How many sessions begin in the log, if it records that. */
  readonly sessionCount?: number | undefined;
  /** The kind of each row and part that was not read (`unreadKinds`), with repetitions. */
  readonly unread: readonly string[];
  /** The agent used sub-agents, and the log has none of their work. */
  readonly lacksSubAgents?: boolean | undefined;
  /** The session is a sub-agent's, in a separate file. */
  readonly isSubAgentLog?: boolean | undefined;
}

/** A format of logs: what to write for a new agent (CONTRIBUTING.md). */
export interface SessionFormat {
  /** The format's name in messages: `logs of Claude Code`. */
  readonly format: string;
  /** True for a row that only this format has. A log that is one JSON object is one row. */
  readonly detect: (row: object) => boolean;
  /** Never throws. */
  readonly read: (rows: readonly unknown[]) => Session;
  /** The tool that loads a skill, and the arguments that may hold its name; `step` if a row of its own says it. Absent where the log does not say which were loaded. */
  readonly skillTool?: { readonly tool: string; readonly names: readonly string[] } | "step";
}

/** The agent's calls for skills; undefined where the log's format does not say which were loaded. */
export function skillCallsOf(
  way: SessionFormat["skillTool"],
  steps: readonly Step[],
): readonly SkillCall[] | undefined {
  if (way === undefined) return undefined;
  return steps.flatMap((step): SkillCall[] => {
    if (way === "step")
      return step.kind === "skill" && step.text !== "" ? [{ name: step.text, success: true }] : [];
    if (step.kind !== "tool" || step.name !== way.tool) return [];
    const named = Object(jsonOf(step.input)) as Readonly<Record<string, unknown>>;
    const name = way.names.map((key) => named[key]).find((value) => typeof value === "string");
    return name === undefined ? [] : [{ name, success: step.success }];
  });
}

/** The reader of a format of logs. */
export function sessionReader(one: SessionFormat): Reader {
  const { format, detect } = one;
  return { format, detect, isLog: true, read: (content, tasks) => readingOf(content, one, tasks) };
}

function readingOf(content: Content, { read, skillTool }: SessionFormat, tasks: KnownTasks): Reading {
  const session = read(rowsIn(content));
  const { at } = content;
  if (session.isSubAgentLog) return { problems: [subAgents(at)] };
  const { events, model, failure, isRefused, prompt = promptOf(events) } = session;
  const named = taskOfLog(content, prompt, tasks);
  if (!named) return { unmatchedName: stemOf(content.file), problems: [] };
  // For a file named for a task, use the task's prompt: the file's may be written by the agent.
  const { isByName, ...trial } = named;
  const [first = prompt, ...others] = (isByName ? tasks.prompts.get(named.taskId) : undefined) ?? [];
  const answer = failure === undefined ? session.finalOutput : undefined;
  const finalOutput = answer?.trim() ? answer : lastMessage(events);
  const steps = stepsOf({ transcript: events });
  const client = { ...session.client, skillCalls: skillCallsOf(skillTool, steps) };
  return {
    trials: [
      {
        ...trial,
        finalOutput,
        steps,
        model,
        prompt: others.length > 0 ? undefined : first,
        failure,
        isRefused,
        client,
      },
    ],
    problems: [
      ...damage(content),
      ...unreadWarning(at, session.unread),
      ...withoutSubAgents(at, session),
      ...missingEnd(at, session),
      ...severalSessions(at, session),
    ],
  };
}

/** The task of a log; `isByName` if the file or its folder is named for it. */
type NamedLog = Named & { readonly isByName?: true };

/** Finds the task by the file's name, the folder's (an artifact's), the prompt, or because there is only one. */
function taskOfLog({ file }: Content, prompt: string | undefined, tasks: KnownTasks): NamedLog | undefined {
  const closed = { ...tasks, open: false };
  const named = taskOfName(stemOf(file), closed) ?? taskOfName(basename(dirname(file)), closed);
  if (named) return { ...named, isByName: true };
  const taskId = taskOfPrompt(prompt, tasks) ?? onlyTask(tasks);
  return taskId === undefined ? taskOfName(stemOf(file), tasks) : { taskId };
}

/** Ignores non-JSON lines before the session starts, and warns about later ones. */
function damage({ broken = [], at }: Content): Problem[] {
  const lines = broken.filter(({ before }) => !before);
  const [first] = lines;
  if (!first) return [];
  const { startLine: line = 1 } = first.problem.at ?? {};
  const more = lines.length > 1 ? `, and ${String(lines.length - 1)} more like it` : "";
  const message = `the line is not JSON${more}; it is ignored, and the rest is graded.`;
  return [problemAt(at, line, warning(message, { help: first.problem.help }))];
}

function missingEnd(at: SourceSpan, { missingEnd: missing }: Session): Problem[] {
  if (missing === undefined) return [];
  const message = `the file ends without ${missing}: the session was interrupted; what it has is graded.`;
  return [
    problemAt(
      at,
      1,
      warning(message, { help: "Check the step that runs the agent, for example its time limit." }),
    ),
  ];
}

/** A log is one run: a second session would hide the first. */
function severalSessions(at: SourceSpan, { sessionCount = 1 }: Session): Problem[] {
  if (sessionCount < 2) return [];
  const message = `the file holds ${String(sessionCount)} sessions, but a log is one run.`;
  const help = "Write each session to a separate file: `>` instead of `>>`.";
  return [problemAt(at, 1, error(message, { help }))];
}

function subAgents(at: SourceSpan): Problem {
  const message = `the file is the session of a sub-agent; it is ignored, since a run is the session of the agent itself.`;
  return problemAt(at, 1, notice(message));
}

function withoutSubAgents(at: SourceSpan, { lacksSubAgents }: Session): Problem[] {
  if (!lacksSubAgents) return [];
  const message =
    "the agent used sub-agents, and the log has none of their steps: the judge sees only their prompts and reports.";
  const help = "`claude -p --output-format stream-json --verbose` prints the calls of sub-agents, too.";
  return [problemAt(at, 1, warning(message, { help }))];
}
