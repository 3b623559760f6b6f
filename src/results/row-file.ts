/** Rows as a results file holds them, under `waza_grade.grades[]`. Pure. */
import * as z from "zod/mini";
import { ERROR_CLASSES } from "../domain/grade.ts";
import { ROW_STATES, type Retired, type Row, gradeKey, hasVerdict } from "../domain/row.ts";
import { runKey } from "./score.ts";
import { camelKeys, isObject, once, shorten, snakeKeys } from "../text/format.ts";
import { fields, given, lenient, optional, orElse } from "../text/optional.ts";

/** Maximum length of a text that a results file keeps, as an answer: pages show the part where two differ. */
const LONGEST_KEPT_TEXT = 30_000;

const basis = fields({
  promptSha256: z.string(),
  rubricSha256: optional(z.string()),
  continueSession: z.boolean(),
  inputsSha256: z.string(),
  judgeModel: z.string(),
  reasoningEffort: optional(z.string()),
  modelBy: lenient(z.enum(["grader", "input", "eval", "default"])),
  effortBy: lenient(z.enum(["grader", "input", "eval", "default"])),
  sentModel: optional(z.string()),
  sentApi: optional(z.enum(["chat", "responses"])),
  sentEffort: optional(z.string()),
  voting: optional(z.string()),
  templateVersion: z.string(),
});

const sides = z.object({ passed: z.number(), failed: z.number(), errored: z.number() });

const check = z.object({
  outcome: z.enum(["pass", "fail"]),
  description: lenient(z.string()),
  reason: lenient(z.string()),
  statement: lenient(z.number()),
  quotes: lenient(z.object({ all: z.number(), missing: z.array(z.string()) })),
  judge: lenient(z.string()),
  contradicted: lenient(z.literal(true)),
});

/** Why there is no verdict, or why a judge was interrupted after a failure. */
const problem = fields({
  class: z.enum(ERROR_CLASSES),
  message: z.string(),
  file: lenient(z.string()),
  help: lenient(z.string()),
  notSent: lenient(z.literal(true)),
});

const evidence = fields({
  characters: z.number(),
  toolCalls: z.number(),
  elided: z.boolean(),
  reconstructedSession: z.boolean(),
  reads: z.optional(z.number()),
});

const judge = z.object({
  servedBy: lenient(z.string()),
  fingerprint: orElse(z.string(), ""),
  changes: orElse(z.array(z.string()), []),
  reportsReasoning: lenient(z.boolean()),
});

const rubric = z.object({ name: z.string(), instructions: z.string() });

const tokens = z.object({
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  written: lenient(z.number()),
});

const client = fields({
  loaded: lenient(z.boolean()),
  loadedBy: lenient(z.enum(["file", "prompt"])),
  loadError: lenient(z.string()),
  offered: lenient(z.boolean()),
  calls: orElse(z.number(), 0),
  refused: lenient(z.number()),
  refusedTools: lenient(z.array(z.string())),
  endedBy: lenient(z.string()),
  tokens: lenient(tokens),
  costUsd: lenient(z.number()),
  durationMs: lenient(z.number()),
  version: lenient(z.string()),
  isAtLeast: lenient(z.literal(true)),
});

/** First and last line. */
const lines = { line: orElse(z.number(), 1), endLine: lenient(z.number()) };

/** A text of which a file keeps as much as a page can show. */
const kept = z.pipe(
  z.string(),
  z.transform((text) => shorten(text, LONGEST_KEPT_TEXT)),
);

/** True, or absent. */
const mark = lenient(z.literal(true));

const rowShape = z.object({
  // Identity, `golden` and what the gate depends on are never guessed from a wrong value.
  suite: given(z.string(), ""),
  task: z.string(),
  model: given(z.string(), ""),
  grader: z.string(),
  run: given(z.number(), 0),
  golden: optional(z.boolean()),
  control: mark,
  state: z.enum(ROW_STATES),
  score: optional(z.number().check(z.minimum(0), z.maximum(1))),
  incomplete: optional(problem),
  side: optional(z.literal("without-skill")),
  // A check that cannot be read is not left out: the verdict would be another.
  checks: given(z.array(check), []),
  title: lenient(z.string()),
  file: lenient(z.string()),
  path: orElse(z.string(), ""),
  ...lines,
  inRepository: orElse(z.boolean(), true),
  evalFile: lenient(z.string()),
  skill: lenient(z.string()),
  query: optional(
    z.object({
      wants: z.boolean(),
      loaded: optional(z.boolean()),
      skills: lenient(z.number()),
      others: lenient(z.array(z.string())),
    }),
  ),
  weight: orElse(z.number().check(z.positive()), 1),
  advisory: mark,
  prompt: orElse(kept, ""),
  rubric: lenient(rubric),
  statements: orElse(z.array(fields({ text: z.string(), ...lines })), []),
  judgeModel: orElse(z.string(), ""),
  basis: lenient(basis),
  asked: orElse(kept, ""),
  answer: orElse(kept, ""),
  evidenceSha256: lenient(z.string()),
  runId: lenient(z.string()),
  modelAsked: lenient(z.string()),
  agent: lenient(z.enum(["finished", "failed", "stopped", "grader-failed"])),
  agentError: lenient(z.string()),
  ended: lenient(z.string()),
  attempt: lenient(z.number()),
  numberInAttempt: lenient(z.number()),
  hasLaterAttempt: mark,
  client: lenient(client),
  tries: lenient(z.number()),
  reason: lenient(z.string()),
  note: lenient(z.string()),
  called: lenient(z.array(z.string())),
  doubt: lenient(z.string()),
  error: lenient(problem),
  response: lenient(z.string()),
  recorded: mark,
  settled: mark,
  judge: lenient(judge),
  votes: lenient(z.extend(sides, { judges: lenient(z.array(z.extend(sides, { model: z.string() }))) })),
  evidence: lenient(evidence),
  requests: orElse(z.number(), 0),
  tokens: orElse(tokens, { input: 0, output: 0, cached: 0, written: undefined }),
  cost: lenient(z.number()),
  durationMs: orElse(z.number(), 0),
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
  const read = z.safeParse(rowShape, camelKeys({ ...ofFile(written), judge: its && camelKeys(its) }));
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
}: z.infer<typeof rowShape>): Row | undefined {
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

/** The rows of a baseline's file, and the number of those that are incomplete or duplicates. */
export interface ReadRows {
  readonly rows: readonly Row[];
  /** Those of trigger evals. */
  readonly triggers: readonly Row[];
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
  if (ours.is_copy) return { rows: [], triggers: [], unreadable: 0, time: 0, accepted: [], isCopy: true };
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
    rows: rows.filter(({ query }) => query === undefined),
    triggers: rows.filter(({ query }) => query !== undefined),
    ...{ unreadable, time, accepted, isUngraded },
    ...{ branch: ours.branch, commit: ours.commit?.sha, run: ours.workflow_run?.id },
  };
}
