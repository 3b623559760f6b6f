/** Rows as a results file holds them, under `waza_grade.grades[]`. Pure. */
import * as z from "zod/mini";
import { type Retired, type Row, gradeKey, hasVerdict, rowShape } from "../domain/row.ts";
import { runKey } from "./score.ts";
import { camelKeys, isObject, once, shorten, snakeKeys } from "../text/format.ts";
import { fields, lenient, lenientNumber, optional, orElse } from "../text/optional.ts";

/** Maximum length of a text that a results file keeps, as an answer: pages show the part where two differ. */
const LONGEST_KEPT_TEXT = 30_000;

/** First and last line. */
const lines = { line: orElse(z.number(), 1), endLine: lenientNumber };

/** A row's fields, with those that say where its grader and its statements are. */
const fileShape = z.extend(rowShape, {
  path: orElse(z.string(), ""),
  ...lines,
  inRepository: orElse(z.boolean(), true),
  statements: orElse(z.array(fields({ text: z.string(), ...lines })), []),
});

/** Fields that a file has by another name than ours in snake_case. */
const IN_FILE: Readonly<Record<string, string>> = {
  task: "task_id",
  run: "run_number",
  file: "results_file",
  path: "file",
  doubt: "warning",
  cost: "cost_usd",
  changes: "changed_parameters",
};
const OURS = new Map(Object.entries(IN_FILE).map(([ours, inFile]) => [inFile, ours]));

function ofFile(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      const ours = OURS.get(key) ?? (key in IN_FILE ? undefined : key);
      return ours === undefined ? [] : [[ours, one]];
    }),
  );
}

function inFile(value: object): Record<string, unknown> {
  return snakeKeys(Object.fromEntries(Object.entries(value).map(([key, one]) => [IN_FILE[key] ?? key, one])));
}

/** A row as its file has it; undefined for anything else. Drops what is optional and wrong. */
function rowFrom(written: unknown): Row | undefined {
  if (!isObject(written)) return undefined;
  const its = Object(written.judge) === written.judge ? ofFile(written.judge as object) : undefined;
  const read = z.safeParse(fileShape, camelKeys({ ...ofFile(written), judge: its && camelKeys(its) }));
  return read.success ? rowOfFields(read.data) : undefined;
}

/** The fields of a row as its file has them, made once for the record and for the copy for waza. */
export function rowFields(row: Row): Record<string, unknown> {
  return once(WRITTEN, row, () => fileFieldsOf(row));
}

const WRITTEN = new WeakMap<Row, Record<string, unknown>>();

/** All but those of the run itself; what is undefined is not written. */
function fileFieldsOf(row: Row): Record<string, unknown> {
  const { at, origin: _, sent: _sent, seen: _seen, time: _time, ...own } = row;
  return inFile({
    ...own,
    path: at.path,
    ...lineFields(at),
    inRepository: at.inRepository ? undefined : false,
    model: row.model || null,
    judgeModel: row.judgeModel || null,
    ...Object.fromEntries(TEXTS.map((name) => [name, keptText(row[name])])),
    statements:
      row.statements.length === 0
        ? undefined
        : row.statements.map(({ text, at: place }) => inFile({ text, ...lineFields(place) })),
    checks: hasVerdict(row) || row.checks.length > 0 ? row.checks : undefined,
    recorded: hasVerdict(row) ? row.recorded === true : undefined,
    judge: row.judge && judgeFields(row.judge),
    ...Object.fromEntries(OBJECTS.map((name) => [name, row[name] && snakeKeys(row[name])])),
  });
}

const OBJECTS = ["basis", "evidence", "incomplete", "error", "client"] as const;
const TEXTS = ["prompt", "response", "asked", "answer", "agentError", "ended"] as const;

function keptText(text: string | undefined): string | undefined {
  return text ? shorten(text, LONGEST_KEPT_TEXT) : undefined;
}

function lineFields({ startLine: line, endLine }: Row["at"]) {
  return { line, endLine };
}

function judgeFields(judge: NonNullable<Row["judge"]>): object {
  const { servedBy = null, fingerprint, changes, reportsReasoning } = judge;
  return inFile({
    servedBy,
    fingerprint,
    changes: changes.length > 0 ? changes : undefined,
    reportsReasoning,
  });
}

/** Undefined for a verdict without its score. */
function rowOfFields({
  path,
  line,
  endLine,
  inRepository,
  ...read
}: z.infer<typeof fileShape>): Row | undefined {
  const isVerdict = read.state === "passed" || read.state === "failed";
  if (isVerdict && read.score === undefined) return undefined;
  const span = (start: number, end = start) => ({
    path,
    startLine: start,
    endLine: end,
    inRepository: path !== "" && inRepository,
  });
  return {
    ...read,
    prompt: shorten(read.prompt, LONGEST_KEPT_TEXT),
    asked: shorten(read.asked, LONGEST_KEPT_TEXT),
    answer: shorten(read.answer, LONGEST_KEPT_TEXT),
    at: span(line, endLine),
    statements: read.statements.map((one) => ({ text: one.text, at: span(one.line, one.endLine) })),
    score: isVerdict ? read.score : undefined,
    // Advisory grades cannot be golden.
    golden: read.golden && !read.advisory ? true : undefined,
  };
}

/** What a record says older results count no more for. */
const retired = fields({ suite: z.string(), taskId: z.string(), grader: optional(z.string()) });

/** What of a results file is ours. */
const document = z.object({
  waza_grade: z.object({
    graded_at: lenient(z.string()),
    branch: lenient(z.string()),
    commit: lenient(z.object({ sha: z.string() })),
    is_copy: lenient(z.boolean()),
    rule: lenient(z.string()),
    grades: z.array(z.unknown()),
    workflow_run: lenient(z.object({ id: z.number() })),
    accepted: orElse(z.array(z.unknown()), []),
  }),
});

/** The rows of graders in an untrusted results file, unchecked; empty when it has none of ours. */
export function rowsIn(data: unknown): readonly Row[] {
  const rows = rowList(z.safeParse(document, data).data?.waza_grade.grades ?? []);
  return rows.filter(({ query }) => query === undefined);
}

/** Whether an untrusted file is a record of ours, with or without grades. */
export function isRecord(data: unknown): boolean {
  return z.safeParse(document, data).success;
}

/** The rows of an untrusted list, without what is none. */
function rowList(grades: readonly unknown[]): readonly Row[] {
  return grades.flatMap((one) => rowFrom(one) ?? []);
}

/** The rows of a baseline's file, those of trigger evals too, and the number of those that are incomplete or duplicates. */
export interface ReadRows {
  readonly rows: readonly Row[];
  readonly unreadable: number;
  /** Time of grading, in milliseconds since 1970; 0 when unknown. */
  readonly time: number;
  /** The branch of the graded push; absent when unknown. */
  readonly branch?: string | undefined;
  /** The commit that was graded; absent when unknown. */
  readonly commit?: string | undefined;
  /** The run of the workflow that graded it; absent when unknown. */
  readonly run?: number | undefined;
  /** What fell in it, and was accepted: older files count no more for that. */
  readonly accepted: readonly Retired[];
  /** The run ended in a configuration problem, and graded nothing. */
  readonly isUngraded?: true | undefined;
  /** The file is a copy for waza: its grades are in the record. */
  readonly isCopy?: true | undefined;
}

/**
 * Reads the rows of a record that a comparison is made with: not those of missing runs, nor of runs without the skill.
 * Undefined when it has none of ours; a copy for waza has none.
 */
export function readRows(data: unknown, file: string): ReadRows | undefined {
  const ours = z.safeParse(document, data).data?.waza_grade;
  if (!ours) return undefined;
  if (ours.is_copy) return { rows: [], unreadable: 0, time: 0, accepted: [], isCopy: true };
  const time = Date.parse(ours.graded_at ?? "") || 0;
  const read = rowList(ours.grades);
  // A second grade of the same run would count as another run.
  const keyOf = (one: Row) => JSON.stringify([gradeKey(one), runKey({ ...one, origin: undefined })]);
  const once = [...Map.groupBy(read, keyOf).values()].flatMap(([first]) => first ?? []);
  const unreadable = ours.grades.length - once.length;
  const rows = once
    // A golden task stays golden, also where its run was missing.
    .filter(({ state, golden, side }) => (state !== "missing" || golden) && side === undefined)
    .map((one) => ({ ...one, file, time }));
  const isUngraded = ours.rule === "configuration" && rows.length === 0 ? true : undefined;
  const accepted = ours.accepted.flatMap((one): Retired[] => {
    const { data } = z.safeParse(retired, isObject(one) ? camelKeys(one) : one);
    return data ? [{ suite: data.suite, task: data.taskId, grader: data.grader }] : [];
  });
  return {
    ...{ rows, unreadable, time, accepted, isUngraded },
    ...{ branch: ours.branch, commit: ours.commit?.sha, run: ours.workflow_run?.id },
  };
}
