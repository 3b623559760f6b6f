/** Rows as a results file holds them, under `waza_grade.grades[]`: one codec writes and reads them. Pure. */
import * as z from "zod/mini";
import { ERROR_CLASSES } from "../domain/grade.ts";
import { ROW_STATES, type Row, gradeKey, hasVerdict } from "../domain/row.ts";
import { runKey } from "./score.ts";
import { shorten, snakeKeys } from "../text/format.ts";
import { fields, lenient, optional, orElse } from "../text/optional.ts";
import { LONGEST_KEPT_TEXT } from "./limits.ts";

const basis = fields({
  promptSha256: z.string(),
  rubricSha256: optional(z.string()),
  continueSession: z.boolean(),
  inputsSha256: z.string(),
  judgeModel: z.string(),
  reasoningEffort: optional(z.string()),
  modelBy: lenient(z.enum(["grader", "input", "eval", "default"])),
  effortBy: lenient(z.enum(["eval", "default"])),
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

/** First and last line. */
const lines = { line: orElse(z.number(), 1), end_line: lenient(z.number()) };

const row = z.object({
  // Identity, `golden` and what the gate depends on are never guessed from a wrong value.
  suite: optional(z.string()),
  task_id: z.string(),
  model: z.optional(z.nullable(z.string())),
  grader: z.string(),
  run_number: optional(z.number()),
  golden: optional(z.boolean()),
  state: z.enum(ROW_STATES),
  score: optional(z.number().check(z.minimum(0), z.maximum(1))),
  incomplete: optional(problem),
  side: optional(z.literal("without-skill")),
  title: lenient(z.string()),
  results_file: lenient(z.string()),
  file: orElse(z.string(), ""),
  ...lines,
  in_repository: orElse(z.boolean(), true),
  weight: orElse(z.number().check(z.positive()), 1),
  advisory: lenient(z.boolean()),
  prompt: orElse(z.string(), ""),
  rubric: lenient(
    z.object({
      name: z.string(),
      scale: z.enum(["pass-fail", "1-5"]),
      source: z.string(),
      instructions: z.string(),
    }),
  ),
  statements: orElse(z.array(z.object({ text: z.string(), ...lines })), []),
  judge_model: orElse(z.string(), ""),
  basis: lenient(basis),
  asked: orElse(z.string(), ""),
  answer: orElse(z.string(), ""),
  evidence_sha256: lenient(z.string()),
  agent: lenient(z.enum(["finished", "failed", "grader-failed"])),
  agent_error: lenient(z.string()),
  ended: lenient(z.string()),
  attempt: lenient(z.number()),
  number_in_attempt: lenient(z.number()),
  has_later_attempt: lenient(z.literal(true)),
  meant: lenient(z.string()),
  // A check that cannot be read is not left out: the verdict would be another.
  checks: optional(z.array(check)),
  reason: lenient(z.string()),
  note: lenient(z.string()),
  called: lenient(z.array(z.string())),
  warning: lenient(z.string()),
  error: lenient(problem),
  response: lenient(z.string()),
  recorded: lenient(z.boolean()),
  settled: lenient(z.literal(true)),
  judge: lenient(
    z.object({
      served_by: lenient(z.string()),
      fingerprint: orElse(z.string(), ""),
      changed_parameters: orElse(z.array(z.string()), []),
    }),
  ),
  votes: lenient(z.extend(sides, { judges: lenient(z.array(z.extend(sides, { model: z.string() }))) })),
  evidence: lenient(evidence),
  requests: orElse(z.number(), 0),
  tokens: orElse(
    z.object({ input: z.number(), output: z.number(), cached: z.number(), written: lenient(z.number()) }),
    { input: 0, output: 0, cached: 0, written: undefined },
  ),
  cost_usd: lenient(z.number()),
  duration_ms: orElse(z.number(), 0),
});

type RowFields = z.infer<typeof row>;

/** A row in its file: written with `z.encode`, read with `z.safeDecode`. Reading drops what is optional and wrong. */
const rowInFile = z.codec(z.record(z.string(), z.unknown()), z.custom<Row>(), {
  decode: (written, context) => {
    const read = z.safeParse(row, written);
    const found = read.success ? readRow(read.data) : undefined;
    if (found) return found;
    context.issues.push({ code: "custom", input: written, message: "expected a grade" });
    return z.NEVER;
  },
  encode: fieldsOf,
});

/** Every field of a row; what is undefined is not written. */
function fieldsOf(one: Row): Record<string, unknown> {
  const { at, basis: its, judge, checks, evidence: size, recorded } = one;
  return {
    suite: one.suite,
    task_id: one.task,
    title: one.title,
    golden: one.golden,
    advisory: one.advisory,
    model: one.model === "" ? null : one.model,
    run_number: one.run,
    results_file: one.file,
    side: one.side,
    grader: one.grader,
    file: at.path,
    line: at.startLine,
    end_line: at.endLine,
    in_repository: at.inRepository ? undefined : false,
    weight: one.weight,
    prompt: kept(one.prompt),
    rubric: one.rubric,
    statements: one.statements.length === 0 ? undefined : one.statements.map(statementFields),
    state: one.state,
    score: one.score,
    checks: hasVerdict(one) || checks.length > 0 ? checks : undefined,
    reason: one.reason,
    note: one.note,
    called: one.called,
    warning: one.doubt,
    incomplete: one.incomplete && snakeKeys(one.incomplete),
    error: one.error && snakeKeys(one.error),
    response: kept(one.response),
    judge_model: one.judgeModel || null,
    judge: judge && {
      served_by: judge.servedBy ?? null,
      fingerprint: judge.fingerprint,
      changed_parameters: judge.changes.length > 0 ? judge.changes : undefined,
    },
    votes: one.votes,
    recorded: hasVerdict(one) ? recorded === true : undefined,
    settled: one.settled,
    basis: its && snakeKeys(its),
    evidence: size && snakeKeys(size),
    evidence_sha256: one.evidenceSha256,
    asked: kept(one.asked),
    answer: kept(one.answer),
    agent: one.agent,
    agent_error: kept(one.agentError),
    ended: kept(one.ended),
    attempt: one.attempt,
    number_in_attempt: one.numberInAttempt,
    has_later_attempt: one.hasLaterAttempt,
    meant: one.meant,
    requests: one.requests,
    tokens: one.tokens,
    cost_usd: one.cost,
    duration_ms: one.durationMs,
  };
}

function statementFields({ text, at }: Row["statements"][number]): Record<string, unknown> {
  return { text, line: at.startLine, end_line: at.endLine };
}

/** As much of a text as a page can show. */
function kept(text: string | undefined): string | undefined {
  return text ? shorten(text, LONGEST_KEPT_TEXT) : undefined;
}

/** Undefined for a verdict without its score. */
function readRow(read: RowFields): Row | undefined {
  const { state, score } = read;
  const isVerdict = state === "passed" || state === "failed";
  if (isVerdict && score === undefined) return undefined;
  return {
    ...ofGrader(read),
    ...ofRun(read),
    state,
    score: isVerdict ? score : undefined,
    checks: read.checks ?? [],
    reason: read.reason,
    note: read.note,
    called: read.called,
    doubt: read.warning,
    incomplete: read.incomplete,
    error: read.error,
    response: read.response,
    judge: read.judge && {
      servedBy: read.judge.served_by,
      fingerprint: read.judge.fingerprint,
      changes: read.judge.changed_parameters,
    },
    votes: read.votes,
    recorded: read.recorded ? true : undefined,
    settled: read.settled,
    requests: read.requests,
    tokens: read.tokens,
    cost: read.cost_usd,
    durationMs: read.duration_ms,
  };
}

function ofGrader(read: RowFields) {
  const { file: path, advisory } = read;
  const inRepository = path !== "" && read.in_repository;
  const span = ({ line, end_line: end = line }: { line: number; end_line?: number | undefined }) => ({
    path,
    startLine: line,
    endLine: end,
    inRepository,
  });
  return {
    suite: read.suite ?? "",
    task: read.task_id,
    title: read.title,
    // Advisory grades cannot be golden.
    golden: read.golden && !advisory ? (true as const) : undefined,
    advisory: advisory ? (true as const) : undefined,
    grader: read.grader,
    at: span(read),
    weight: read.weight,
    prompt: shorten(read.prompt, LONGEST_KEPT_TEXT),
    rubric: read.rubric,
    statements: read.statements.map((one) => ({ text: one.text, at: span(one) })),
    judgeModel: read.judge_model,
    basis: read.basis,
  };
}

function ofRun(read: RowFields) {
  return {
    model: read.model ?? "",
    run: read.run_number ?? 0,
    file: read.results_file,
    side: read.side,
    asked: shorten(read.asked, LONGEST_KEPT_TEXT),
    answer: shorten(read.answer, LONGEST_KEPT_TEXT),
    evidence: read.evidence,
    evidenceSha256: read.evidence_sha256,
    agent: read.agent,
    agentError: read.agent_error,
    ended: read.ended,
    attempt: read.attempt,
    numberInAttempt: read.number_in_attempt,
    hasLaterAttempt: read.has_later_attempt,
    meant: read.meant,
  };
}

/** What of a results file is ours. */
const document = z.object({
  waza_grade: z.object({
    graded_at: lenient(z.string()),
    branch: lenient(z.string()),
    is_copy: lenient(z.boolean()),
    grades: z.array(z.unknown()),
  }),
});

/** The fields of a row, as its file has them. */
export function rowFields(one: Row): Record<string, unknown> {
  return z.encode(rowInFile, one);
}

/** The rows of an untrusted results file, unchecked; empty when it has none of ours. */
export function rowsIn(data: unknown): readonly Row[] {
  return rowList(z.safeParse(document, data).data?.waza_grade.grades ?? []);
}

/** The rows of an untrusted list, without what is none. */
export function rowList(grades: readonly unknown[]): readonly Row[] {
  return grades.flatMap((one) => z.safeDecode(rowInFile, one as never).data ?? []);
}

/** The rows of a baseline's file, and the number of those that are incomplete or duplicates. */
export interface ReadRows {
  readonly rows: readonly Row[];
  readonly unreadable: number;
  /** Time of grading, in milliseconds since 1970; 0 when unknown. */
  readonly time: number;
  /** The branch of the graded push; absent when unknown. */
  readonly branch?: string | undefined;
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
  if (ours.is_copy) return { rows: [], unreadable: 0, time: 0, isCopy: true };
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
  return { rows, unreadable, time, branch: ours.branch };
}
