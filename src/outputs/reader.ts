/** What reads a file of outputs, whichever format it has: the interfaces, and what all readers say of rows. */
import type { ResultsFile, Run } from "../domain/run.ts";
import type { Row } from "../domain/row.ts";
import { warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { Json } from "../text/json.ts";
import type { KnownTasks, Layout } from "./layout.ts";
import { isObject, listed, shorten } from "../text/format.ts";

/** A line that is not JSON, in a file of JSON lines. */
export interface BrokenLine {
  readonly problem: Problem;
  /** Whether it precedes the first line of JSON. */
  readonly before: boolean;
  /** Whether it begins like an object: a row that was torn. */
  readonly isRow: boolean;
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

/** One trial of an agent, read from any format except waza's results: what its run has, and what decides about it. */
export interface Trial extends Pick<
  Run,
  | ("side" | "taskId" | "taskName" | "prompt" | "finalOutput" | "steps" | "client" | "conversation")
  | ("askedAgent" | "asked" | "ofTrials" | "ofSides" | "isOlder")
  | ("started" | "tries" | "workspaceDir" | "leftFiles")
> {
  /** The eval's path, of a record that says it. */
  readonly evalPath?: string | undefined;
  /** Number of the trial within its task; assigned later if absent. */
  readonly number?: number | undefined;
  readonly model?: string | undefined;
  /** Why the agent failed; absent if it did not. */
  readonly failure?: string | undefined;
  /** All that is known of its failure is how its program ended. */
  readonly isStopped?: true | undefined;
  /** Why the provider did not answer the agent, where its log says that. */
  readonly outage?: Outage | undefined;
}

/** The result of reading one file. */
export interface Reading {
  /** The document of waza's results. */
  readonly waza?: Json | undefined;
  /** The trials of a file in any other format. */
  readonly trials?: readonly Trial[] | undefined;
  /** The file's name, if it matches no task. */
  readonly unmatchedName?: string | undefined;
  readonly problems: readonly Problem[];
}

/** A file with its runs. */
export interface FileRead extends Reading {
  readonly file: string;
  readonly layout: Layout;
  readonly at: SourceSpan;
  readonly format: string;
}

/** Results as the steps see them. */
export interface LoadedResults {
  readonly results: ResultsFile;
  /** What waza wrote, of its own results with the skill: a graded copy is made of it. */
  readonly document?: unknown;
  /** Verdicts of another program, in the form of waza's results; no copy is made of them. */
  readonly verdicts?: unknown;
}

/** What an agent produced, as it was read. */
export interface Outputs {
  /** waza's own results first, then those of other formats, then waza's runs without the skill. */
  readonly files: LoadedResults[];
  /** Runs of trigger evals, which no judge decides. */
  readonly triggers: readonly Row[];
  /** The real paths of all files that were read. */
  readonly paths: string[];
  readonly problems: Problem[];
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

/**
 * Why a provider did not answer: it refused the key, or an account without credit, or that has used up its limit until an
 * hour that the client knows, so that no other run gets further; or it was busy or out of reach (limits, load, the
 * network), so that another try may.
 */
export type Outage = "refused" | "used-up" | "busy";

/** What an HTTP status says of the provider. */
export function outageOf(status: number | undefined): Outage | undefined {
  if (status === undefined) return undefined;
  if ([401, 402, 403].includes(status)) return "refused";
  return status === 408 || status === 429 || status >= 500 ? "busy" : undefined;
}

/** The rows of a file: the values of JSON lines or of a list, or the only value. */
export function rowsOfContent({ data }: Pick<Content, "data">): readonly unknown[] {
  return Array.isArray(data) ? data : data === undefined ? [] : [data];
}

/** The keys of a row for a sentence; empty if it has none. */
export function keysText(row: unknown): string {
  const keys = isObject(row) ? Object.keys(row) : [];
  return listed(keys.map((key) => `\`${shorten(key, 40)}\``));
}

/** Rows of agents' logs without messages or calls: by their type, and by what they hold. */
const BOOKKEEPING =
  /^(?:system|session|progress|summary|attachment|file-history-(?:snapshot|delta)|queue-operation|pr-link|custom-title|ai-title|agent-name|last-prompt|permission-mode|mode|model_change|thinking_level_change|compaction|complete|completion|span|stream_event|rate_limit_event|tool_progress|world_state)(?:[./]|$)/;

/** Whether a row is known to hold no message or call. */
export function isBookkeeping(row: unknown): boolean {
  const { message, role } = Object(row) as { message?: unknown; role?: unknown };
  const kind = kindOfRow(row);
  return message === undefined && role === undefined && BOOKKEEPING.test(kind) && !/\berror$/.test(kind);
}

/** A row's type (or role), with its subtype, or the type or keys of what it holds; its keys if it has no type. */
export function kindOfRow(row: unknown): string {
  const { type, kind, role, subtype, payload, attachment, message } = Object(row) as Record<string, unknown>;
  const name = type ?? kind ?? role;
  const held = Object(payload ?? attachment) as { type?: unknown };
  const keys = keysText(message).replaceAll("`", "");
  const inner = subtype ?? held.type ?? (keys || undefined);
  if (typeof name !== "string") return keysText(row).replaceAll("`", "") || "(no type)";
  return typeof inner === "string" ? `${name}/${inner}` : name;
}

/** The kinds of the rows that are not known to a format, and are no bookkeeping. */
export function unreadOf(rows: readonly unknown[], isKnown: (row: Json) => boolean): string[] {
  return rows.flatMap((row) => (isBookkeeping(row) || isKnown(new Json(row)) ? [] : kindOfRow(row)));
}

/** A warning about rows and parts that are not read, by kind. */
export function unreadWarning(at: SourceSpan, kinds: readonly string[]): Problem[] {
  if (kinds.length === 0) return [];
  const counts = [...Map.groupBy(kinds, (kind) => shorten(kind, 60))];
  const names = listed(
    counts.map(([kind, { length }]) => `\`${kind}\`${length > 1 ? ` (${String(length)} times)` : ""}`),
    10,
  );
  const help = "The judge does not see them.";
  return [warning("unread-parts", `the file has parts that are not read: ${names}.`, { help, at })];
}
