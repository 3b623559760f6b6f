/** A record's fields under `waza_grade.grades[]` of a results file, written and read. Pure. */
import * as z from "zod/mini";
import { ERROR_CLASSES, type GradeRecord, type Graded, gradeKey, isWithoutCheck } from "../domain/grade.ts";
import { scoreChecks } from "../judge/grade-tools.ts";
import { answerOf, beginning, reasonOf } from "./records.ts";
import { camelKeys, shorten, snakeKeys } from "../text/format.ts";
import { lenient, optional } from "../text/optional.ts";
import { LONGEST_BRANCH } from "./limits.ts";

/** A grade's fields besides its verdict. */
export function recordFields({
  suite,
  model,
  weight,
  basis,
  evidence,
  answer,
}: GradeRecord): Record<string, unknown> {
  const fields = { suite, model: model === "" ? null : model, weight, evidence_sha256: evidence, answer };
  return basis ? { ...fields, basis: snakeKeys(basis) } : fields;
}

/** An object of the file: the file's keys are snake_case, ours camelCase. */
function fields<T extends z.core.$ZodShape>(shape: T) {
  return z.pipe(z.transform(camelKeys), z.object(shape));
}

const basisFields = fields({
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

const checkFields = z.object({
  outcome: z.enum(["pass", "fail"]),
  description: lenient(z.string()),
  reason: lenient(z.string()),
  statement: lenient(z.number()),
  quotes: lenient(z.object({ all: z.number(), missing: z.array(z.string()) })),
  judge: lenient(z.string()),
  contradicted: lenient(z.literal(true)),
});

/** Why a judge was interrupted after a failure. */
const incompleteFields = z.object({
  class: z.enum(ERROR_CLASSES),
  message: z.string(),
  help: z.optional(z.string()),
});

const evidenceFields = fields({
  characters: z.number(),
  toolCalls: z.number(),
  elided: z.boolean(),
  reconstructedSession: z.boolean(),
  reads: z.optional(z.number()),
});

// Identity and `golden` are never guessed from a wrong value.
const common = {
  suite: optional(z.string()),
  task_id: z.string(),
  // Null: no model.
  model: z.optional(z.nullable(z.string())),
  grader: z.string(),
  run_number: optional(z.number()),
  weight: lenient(z.number().check(z.positive())),
  golden: optional(z.boolean()),
  advisory: lenient(z.boolean()),
  basis: lenient(basisFields),
  evidence_sha256: lenient(z.string()),
  answer: lenient(z.string()),
  reason: lenient(z.string()),
};

const gradeFields = z.discriminatedUnion("state", [
  z.object({
    ...common,
    state: z.literal("graded"),
    passed: z.boolean(),
    score: z.number().check(z.minimum(0), z.maximum(1)),
    checks: lenient(z.array(checkFields)),
    note: lenient(z.string()),
    warning: lenient(z.string()),
    // The gate depends on these: no guessing either.
    incomplete: optional(incompleteFields),
    // Two outputs compared, by an earlier version: no verdict on one of them.
    pairs: z.optional(z.never()),
    votes: lenient(z.extend(sides, { judges: lenient(z.array(z.extend(sides, { model: z.string() }))) })),
    evidence: lenient(evidenceFields),
    // Null: no judge was asked.
    judge_model: z.optional(z.nullable(z.string())),
    judge: lenient(z.object({ served_by: lenient(z.string()) })),
  }),
  z.object({
    ...common,
    state: z.literal("errored"),
    error: lenient(z.object({ message: z.string() })),
  }),
  z.object({ ...common, state: z.literal("skipped") }),
]);

/** Other parts of the file. */
const document = z.object({
  waza_grade: z.object({
    graded_at: lenient(z.string()),
    branch: lenient(z.string()),
    is_copy: lenient(z.boolean()),
    grades: z.array(z.unknown()),
  }),
});

/** The records of a results file, and the number of grades that are incomplete or duplicates. */
export interface ReadRecords {
  readonly records: readonly GradeRecord[];
  readonly unreadable: number;
  /** Time of grading, else of the agent's runs, in milliseconds since 1970; 0 when unknown. */
  readonly time: number;
  /** The branch of the graded push; absent when unknown. */
  readonly branch?: string | undefined;
  /** The file is a copy for waza, whose grades its record holds. */
  readonly isCopy?: true | undefined;
}

export type GradeFields = z.infer<typeof gradeFields>;
type GradedFields = Extract<GradeFields, { state: "graded" }>;

/** The grades of an untrusted results file, unchecked; empty when it has none of ours. */
export function readGrades(data: unknown): readonly GradeFields[] {
  const grades = z.safeParse(document, data).data?.waza_grade.grades ?? [];
  return grades.flatMap((grade) => gradeOf(grade) ?? []);
}

function gradeOf(grade: unknown): GradeFields | undefined {
  return z.safeParse(gradeFields, grade).data;
}

/** Reads the grades of a record to records; undefined when it has none of ours. A copy for waza has none. */
export function readRecords(data: unknown, file: string): ReadRecords | undefined {
  const ours = z.safeParse(document, data).data?.waza_grade;
  if (!ours) return undefined;
  if (ours.is_copy) return { records: [], unreadable: 0, time: 0, isCopy: true };
  const time = Date.parse(ours.graded_at ?? "") || 0;
  const records = new Map<string, GradeRecord>();
  for (const grade of ours.grades) {
    const one = gradeOf(grade);
    if (!one) continue;
    const record = recordOf(one, { file, time });
    // A second grade of the same run would count as another run.
    const key = JSON.stringify([gradeKey(record), record.run]);
    if (!records.has(key)) records.set(key, record);
  }
  const unreadable = ours.grades.length - records.size;
  return { records: [...records.values()], unreadable, time, branch: branchOf(ours.branch) };
}

function branchOf(name: string | undefined): string | undefined {
  return name ? shorten(name.replace(/\s+/g, " "), LONGEST_BRANCH) : undefined;
}

function recordOf(
  grade: GradeFields,
  { file, time }: { readonly file: string; readonly time: number },
): GradeRecord {
  const record = {
    suite: grade.suite ?? "",
    task: grade.task_id,
    model: grade.model ?? "",
    grader: grade.grader,
    run: grade.run_number ?? 0,
    file,
    weight: grade.weight,
    // Advisory grades cannot be golden.
    golden: grade.golden && !grade.advisory ? true : undefined,
    basis: grade.basis,
    answer: answerOf(grade.answer),
    evidence: grade.evidence_sha256,
    time,
  };
  if (grade.state === "graded") {
    const { state, passed, score, checks = [], note } = grade;
    const settled = grade.judge_model === null ? true : undefined;
    const reason = reasonOf(checks, passed, note);
    const servedBy = grade.judge?.served_by;
    const withoutCheck = isWithoutCheck({ state, passed, score, checks }) ? true : undefined;
    return { ...record, state, passed, score, settled, withoutCheck, reason, servedBy };
  }
  const reason = grade.state === "errored" ? grade.error?.message : grade.reason;
  return { ...record, state: grade.state, reason: beginning(reason) };
}

/** A grade's verdict. Its score is computed again from the checks. */
export function verdictFrom(grade: GradedFields): Graded {
  const { checks = [], note, warning, incomplete, votes, evidence } = grade;
  const { score, passed } = scoreChecks(checks);
  // Passes of an interrupted judge are no verdict.
  const verdict = { checks, score, passed: passed && !incomplete };
  return { state: "graded", recorded: true, ...verdict, note, warning, incomplete, votes, evidence };
}
