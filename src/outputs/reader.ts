/** The one interface behind which each format of agent outputs is read. */
import * as z from "zod/mini";
import type { Problem, SourceSpan } from "../domain/place.ts";
import { listed, shorten, moreText } from "../text/format.ts";
import { warning } from "../text/problem.ts";
import type { ToolEvent, TranscriptEvent, Validation, WazaResults } from "./schema.ts";
import type { KnownTasks } from "./task-names.ts";

/** How a page names the file, without a line. */
export type Where = Pick<SourceSpan, "path" | "inRepository" | "generated">;

/** A line that is no JSON, among others that are. */
export interface BrokenLine {
  readonly problem: Problem;
  /** It stands before the first line that is JSON. */
  readonly before: boolean;
}

/** A file as it was read: once, whatever its format. */
export interface Content {
  /** Absolute. */
  readonly file: string;
  readonly where: Where;
  /** What the JSON says; of JSON lines the list of their values. Absent in a file that is text. */
  readonly data?: unknown;
  /** The text itself, where it is the agent's output. */
  readonly text: string;
  /** Lines that are no JSON, in a file whose other lines are. */
  readonly broken?: readonly BrokenLine[] | undefined;
  /** Lines of the values at the given paths of `data`; 1 for one that is not there. */
  readonly linesOf: (paths: readonly (readonly PropertyKey[])[]) => Promise<number[]>;
}

/** One trial of an agent as another format than waza's results tells it. */
export interface Trial {
  /** The eval it is of, where the format says so. */
  readonly evalName?: string | undefined;
  readonly taskId: string;
  readonly taskName?: string | undefined;
  /** Which trial of its task; counted when the format does not say. */
  readonly number?: number | undefined;
  readonly model?: string | undefined;
  readonly prompt?: string | undefined;
  readonly finalOutput: string;
  /** In waza's own events, which the graded results keep. */
  readonly events: readonly TranscriptEvent[];
  /** Calls that are told apart from the events (`transcript/tool-events.ts`). */
  readonly toolEvents?: readonly ToolEvent[] | undefined;
  readonly golden?: boolean | undefined;
  /** The folder that the agent worked in, absolute. */
  readonly workspaceDir?: string | undefined;
  /** Verdicts that stand in the file, by grader. */
  readonly validations?: Readonly<Record<string, Validation>> | undefined;
  /** Why the agent failed; absent when it did not. */
  readonly failure?: string | undefined;
}

export interface Reading {
  /** waza's own results: as they were, for the graded copy, and in the parts we read. */
  readonly waza?: { readonly document: unknown; readonly data: WazaResults } | undefined;
  /** What any other format holds; it is given a document in waza's format. */
  readonly trials?: readonly Trial[] | undefined;
  /** What the file is called where no task could be found for it. */
  readonly unplaced?: string | undefined;
  readonly problems: readonly Problem[];
}

export interface Reader {
  /** What people call the format. */
  readonly format: string;
  /** True for a row that only this format has. A file that is no list is one row. */
  readonly detect: (row: object, content: Content) => boolean;
  /** Never throws for what the file says: what is wrong with it comes back as problems. */
  readonly read: (content: Content, tasks: KnownTasks) => Reading | Promise<Reading>;
  /** It is the log of a session: lines between that are no JSON are left out, and told. */
  readonly isLog?: true | undefined;
}

/** The rows of a file: JSON lines or a list as they are, anything else as one row. */
export function rowsOf({ data }: Pick<Content, "data">): readonly unknown[] {
  return Array.isArray(data) ? data : data === undefined ? [] : [data];
}

/** Rows as a schema reads them, those that do not fit left out. */
export function rowsAs<T extends z.ZodMiniType>(schema: T, rows: readonly unknown[]): z.infer<T>[] {
  return rows.flatMap((row) => {
    const parsed = z.safeParse(schema, row);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Keys that are named of a row. */
const MOST_KEYS = 10;

/** The keys of a row, as a sentence names them; empty when it has none. */
export function keysOf(row: unknown): string {
  const keys = typeof row === "object" && row !== null && !Array.isArray(row) ? Object.keys(row) : [];
  const more = moreText(keys.length - MOST_KEYS);
  const named = keys.slice(0, MOST_KEYS).map((key) => `\`${shorten(key, 40)}\``);
  return `${named.join(", ")}${more}`;
}

/** A problem of the file at a line. */
export function problemAt(where: Where, line: number, problem: Problem): Problem {
  return { ...problem, at: { ...where, startLine: line, endLine: line } };
}

/** What a row is: its type, with its subtype or its payload's; its keys where it has no type. */
export function kindOf(row: unknown): string {
  const { type, subtype, payload } = Object(row) as Record<string, unknown>;
  const inner = subtype ?? (Object(payload) as { type?: unknown }).type;
  if (typeof type !== "string") return keysOf(row).replaceAll("`", "") || "(no type)";
  return typeof inner === "string" ? `${type}/${inner}` : type;
}

/** The kinds of the rows that do not fit the schema, or that the format neither reads nor knows to hold no work of the agent. */
export function unreadKinds<T extends z.ZodMiniType>(
  schema: T,
  rows: readonly unknown[],
  isKnown: (kind: string, row: z.infer<T>) => boolean,
): string[] {
  return rows.flatMap((row) => {
    const kind = kindOf(row);
    const parsed = z.safeParse(schema, row);
    return parsed.success && isKnown(kind, parsed.data) ? [] : [kind];
  });
}

/** A warning that names the kinds of rows and parts which were not read, with how many there are of each. */
export function partsLeftOut(where: Where, kinds: readonly string[]): Problem[] {
  if (kinds.length === 0) return [];
  const counts = [...Map.groupBy(kinds, (kind) => `\`${shorten(kind, 60)}\``)];
  const named = (names: string[]) => `holds parts of kinds that are not read, left out: ${listed(names)}.`;
  const alike = named(counts.map(([name]) => name));
  const counted = named(counts.map(([name, all]) => `${name} (${String(all.length)})`));
  const help = "The judge does not see them. docs/outputs.md names what is read of each format.";
  return [problemAt(where, 1, warning(`\`${where.path}\` ${counted}`, { alike, help }))];
}
