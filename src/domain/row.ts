/**
 * A grade as the results file keeps it: one row, made once after grading and redaction. Scores, comparison, labels, lift,
 * gate and pages read rows and nothing else of a grade; those of a baseline come from its files.
 */
import * as z from "zod/mini";
import {
  type Shaped,
  fields,
  given,
  lenient,
  lenientFlag,
  lenientNumber,
  lenientText,
  mark,
  numberOrZero,
  optional,
  orElse,
} from "../text/optional.ts";
import {
  type Basis,
  type ErrorClass,
  type SentPart,
  basisShape,
  gradeErrorShape,
  verdictShape,
} from "./grade.ts";
import type { SourceSpan } from "./problem.ts";
import { AGENT_ENDS, type Run, type TokenUse, tokensShape } from "./run.ts";
import { NO_SKILL, type Statement, type Suite, rubricShape } from "./suite.ts";

/**
 * What became of a grade: judged (`passed`, `failed`), without a verdict (`errored`; `capped` by a cap, `no-key` without a
 * key), of a run that is `missing`, or `skipped` by a dry run.
 */
export const ROW_STATES = ["passed", "failed", "errored", "capped", "no-key", "missing", "skipped"] as const;

export type RowState = (typeof ROW_STATES)[number];

/** What a run's log says of its client. A field is absent where the log does not say it. */
const rowClient = fields({
  /** The tested skill was loaded. */
  loaded: lenientFlag,
  /** In which way, where that was not the client's tool for skills. */
  loadedBy: lenient(z.enum(["file", "prompt"])),
  /** Beginning of the error of a call for the skill that failed, where it was not loaded. */
  loadError: lenientText,
  /** The client offered the tested skill; false, too, where there was none to give. */
  offered: lenientFlag,
  /** Tool calls of the agent. */
  calls: numberOrZero,
  /** Those of them that were refused for want of a permission, and the first of their tools. */
  refused: lenientNumber,
  refusedTools: lenient(z.array(z.string())),
  /** The client's own word for an end that the agent did not choose. */
  endedBy: lenientText,
  tokens: lenient(tokensShape),
  costUsd: lenientNumber,
  durationMs: lenientNumber,
  version: lenientText,
  /** Tokens and cost are without those of a session that the log does not hold. */
  isAtLeast: mark,
});

export type RowClient = Shaped<typeof rowClient>;

/** What a query wants of its run, and what the run did. Of one without a skill, it is about any. */
const rowQuery = z.object({
  /** Its skill should be loaded. */
  wants: z.boolean(),
  /** It was; absent where no log says it. */
  loaded: optional(z.boolean()),
  /** How many skills the agent had to choose from; absent where it got the query's own alone. */
  skills: lenientNumber,
  /** Others of these that were loaded. */
  others: lenient(z.array(z.string())),
});

/**
 * A row's fields, as a results file has them in snake_case. Identity, `golden` and what the gate depends on are never
 * guessed from a wrong value; what is optional and wrong is absent.
 */
export const rowShape = z.object({
  /* Identity of the grade: the eval's name, else its file; both when several evals share the name. */
  suite: given(z.string(), ""),
  task: z.string(),
  /** The agent's model; empty where the results do not say. */
  model: given(z.string(), ""),
  grader: z.string(),
  /** Number of the run; 0 for a task without any. */
  run: given(z.number(), 0),
  /** The results file, for runs of the same number in several files; of a baseline's rows the baseline's file. */
  file: lenientText,

  /* The verdict. */
  state: z.enum(ROW_STATES),
  /** Passes / (passes + failures), 0 to 1; absent without a verdict. */
  score: optional(z.number().check(z.minimum(0), z.maximum(1))),
  ...verdictShape.shape,
  /** The judge's reasons, or why there is no verdict. */
  reason: lenientText,
  /** Why it errored. */
  error: lenient(gradeErrorShape),
  /** The verdict came from `cache-dir` or from the results. */
  recorded: mark,
  /** Known without asking a judge: by the agent's end, the results or the plan. */
  settled: mark,
  requests: numberOrZero,
  tokens: orElse(tokensShape, { input: 0, output: 0, cached: 0, written: undefined }),
  /** US dollars; absent when the model's price or the usage is not known. */
  cost: lenientNumber,
  durationMs: numberOrZero,

  /* The agent's run. */
  /** The agent's prompt. */
  asked: orElse(z.string(), ""),
  /** The agent's final output; in a file its beginning. */
  answer: orElse(z.string(), ""),
  /** How the agent's part ended; absent where there is no run. */
  agent: lenient(z.enum(AGENT_ENDS)),
  agentError: lenientText,
  /** Status and message of a run that ended in an error and has something to judge. */
  ended: lenientText,
  side: optional(z.literal("without-skill")),
  attempt: lenientNumber,
  numberInAttempt: lenientNumber,
  /** A later attempt repeats this run; only that one then counts for `fail-on: fail` and golden tasks. */
  hasLaterAttempt: mark,
  /** Absent where the log says nothing of its client. */
  client: lenient(rowClient),
  /** How often the agent was started until it got to work; absent for once. */
  tries: lenientNumber,
  /** Hash of all that the judge may read of the run; absent without a run, or where that is too much to hash. */
  evidenceSha256: lenientText,
  /** The same in whatever record the run is, and of no other run of its task. */
  runId: lenientText,
  /** The model that the agent was asked to use, where that is known. */
  modelAsked: lenientText,

  /* The task, the grader and its judge. */
  /** The task's name, where it is not its id. */
  title: lenientText,
  /** The task has to pass (`golden: true`). */
  golden: optional(z.boolean()),
  /** Its skill should not be loaded (`should_trigger: false`). */
  control: mark,
  /** Shown, never decides. */
  advisory: mark,
  weight: orElse(z.number().check(z.positive()), 1),
  /** The eval's file; absent in older records. */
  evalFile: lenientText,
  /** The name of the skill that the eval tests, where one is known. */
  skill: lenientText,
  /** Of a query of a trigger eval: its only check is decided by the log of the run, and no other figure includes it. */
  query: optional(rowQuery),
  /** The grader's own prompt. */
  prompt: orElse(z.string(), ""),
  rubric: lenient(rubricShape),
  /** The judge's model by the configuration; empty where no judge was asked or the results do not name it. */
  judgeModel: orElse(z.string(), ""),
  /** Absent where the file does not say how it was graded. */
  basis: lenient(basisShape),
});

export interface Row extends Shaped<typeof rowShape> {
  /** Place of the grader in its file. */
  readonly at: SourceSpan;
  /** Number of one statement of its list, where a person labels that alone; absent for the whole grade. */
  readonly statement?: number | undefined;
  /** Statements that are judged by themselves; empty without a list. */
  readonly statements: readonly Statement[];
  /** Time of grading in milliseconds since 1970; only in a baseline. */
  readonly time?: number | undefined;
  /** Place of the run in the results as they were read; in no results file. */
  readonly origin?: Run["origin"] | undefined;
  /** What the judge was sent; kept for an HTML report, in no results file. */
  readonly sent?: readonly SentPart[] | undefined;
  /** What people are shown to label it; kept for a table of labels, in no results file. */
  readonly seen?: SeenRun | undefined;
}

/** Identity of a grade, or of one statement of its list. */
export type RowName = Pick<Row, "suite" | "task" | "model" | "grader" | "statement" | "run" | "file">;

/** The parts of a run that people label by, as they are shown. */
export interface SeenRun {
  /** The agent's messages and tool calls with their results. */
  readonly conversation: string;
  /** Hash of the whole task prompt, conversation and answer, which a label belongs to. */
  readonly sha256: string;
}

/** The planned run of a query, which is missing until there is one: its log decides, and no judge is asked. */
export function rowOfQuery(planned: {
  /** Absent for none of all. */
  readonly skill?: string | undefined;
  readonly query: string;
  readonly wants: boolean;
  readonly skills?: number | undefined;
  readonly at: SourceSpan;
}): Row {
  const { skill, query, wants, skills, at } = planned;
  // A skill alone is loaded more readily: what is compared was chosen from all, or was not, on both sides.
  const what = `${wants ? "loads" : "does not load"} ${skill ?? "any skill"}`;
  const grader = skills === undefined ? what : `${what}, of all`;
  return {
    ...{ suite: skill ?? NO_SKILL, task: query, model: "", grader, run: 0 },
    ...{
      skill,
      query: { wants, skills },
      at,
      asked: query,
      answer: "",
      prompt: "",
      statements: [],
      weight: 1,
    },
    ...{ state: "missing", checks: [], judgeModel: "", basis: BY_LOG, settled: true },
    ...{ requests: 0, tokens: { input: 0, output: 0, cached: 0 }, durationMs: 0 },
  };
}

/** What a log decides is comparable with what any other does. */
const BY_LOG: Basis = {
  promptSha256: "",
  inputsSha256: "",
  continueSession: false,
  judgeModel: "",
  templateVersion: "",
};

/** A row with a verdict. */
export type VerdictRow = Row & { readonly state: "passed" | "failed"; readonly score: number };

export function hasVerdict(row: Row): row is VerdictRow {
  return row.state === "passed" || row.state === "failed";
}

/** True of a verdict without any check: the agent never got to work, or the judge reported nothing. */
export function isWithoutCheck(row: Row): boolean {
  // A verdict of waza's own judge may pass without a list of checks.
  return hasVerdict(row) && row.checks.length === 0 && row.score === 0;
}

/** What gave the verdicts of `claude plugin eval`, as a basis names it. */
export const PLUGIN_EVAL = "claude plugin eval";

/** True of a check that a program of the client's own evals decided, or its judge. */
export function isOfPluginEval({ basis }: Pick<Row, "basis">): boolean {
  return basis?.templateVersion === PLUGIN_EVAL;
}

/** True of the verdict on an agent that never got to work, or ended without an answer. */
export function isDead(row: Row): row is VerdictRow {
  return hasVerdict(row) && isWithoutWork(row);
}

/** Whether a run has nothing to judge by the agent's own doing. */
export function isWithoutWork({ agent }: Pick<Row, "agent">): boolean {
  return agent === "failed" || agent === "stopped";
}

/** What became of such an agent, as a part of a sentence. */
export function deathText({ agent }: Pick<Row, "agent">): string {
  return agent === "stopped" ? "the agent ended without an answer" : "the agent never got to work";
}

/** True of a verdict with a judge's checks: no other is compared. */
export function isChecked(row: Row): row is VerdictRow {
  return hasVerdict(row) && !isWithoutCheck(row);
}

/** True of a verdict that a judge gave, now or earlier. */
export function isJudged(row: Row): row is VerdictRow {
  return hasVerdict(row) && (row.settled !== true || row.recorded === true);
}

/** How a run of a query ended that had all its time, and did not load the skill. */
export const USED_ITS_TIME = "used all its time";

/** True of a run that is there and counts as missing: it was made before the skill, the prompt or the files were changed. */
export function isOlder({ state, agent }: Pick<Row, "state" | "agent">): boolean {
  return state === "missing" && agent !== undefined;
}

/** Key of a grader of a task and agent model, on both sides of a comparison. */
export interface GradeKey {
  readonly suite: string;
  readonly task: string;
  readonly model: string;
  readonly grader: string;
  /** The task is marked golden on either side. */
  readonly golden: boolean;
}

/** What older results count no more for, once its drop is accepted: a task, or one grader of it. */
export interface Retired extends Pick<GradeKey, "suite" | "task"> {
  readonly grader?: string | undefined;
}

export function gradeKey({ suite, task, model, grader }: Omit<GradeKey, "golden">): string {
  return JSON.stringify([suite, task, model, grader]);
}

/** Key of the task and agent model of a grade or pair. */
export function taskKey({ suite, task, model }: Pick<GradeKey, "suite" | "task" | "model">): string {
  return JSON.stringify([suite, task, model]);
}

/** Key of a task, for all models together. */
export function taskKeyOfAnyModel({ suite, task }: Pick<GradeKey, "suite" | "task">): string {
  return JSON.stringify([suite, task]);
}

/** The number of tasks of these grades or graders. */
export function countTasks(some: readonly Pick<GradeKey, "suite" | "task">[]): number {
  return new Set(some.map(taskKeyOfAnyModel)).size;
}

/** A suite as pages show it. */
export type ShownSuite = Pick<Suite, "title" | "key" | "at">;

/** The mean of graded parts, by the weights of graders; absent where nothing was graded. */
export interface Means {
  readonly score?: number | undefined;
}

/** Scores of one task of one model within a suite. */
export interface TaskScore extends Means {
  readonly taskId: string;
  readonly model: string;
  readonly runs: readonly RunScore[];
  /** Grades of all runs, in the order of the runs. */
  readonly grades: readonly Row[];
}

export interface RunScore extends Means {
  readonly number: number;
  readonly file?: string | undefined;
  readonly grades: readonly Row[];
}

export interface SuiteScore extends Means {
  readonly suite: ShownSuite;
  readonly tasks: readonly TaskScore[];
  readonly grades: readonly Row[];
}

export interface Counts {
  readonly planned: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** Error classes of the errored grades, each once. */
  readonly errorClasses: readonly ErrorClass[];
  readonly skipped: number;
  /** Skipped grades of missing runs, which decide by `on-missing`. */
  readonly missing: number;
  /** Failed grades of an interrupted judge: checks may be missing. */
  readonly incomplete: number;
  readonly checksPassed: number;
  readonly checksFailed: number;
  readonly recorded: number;
  readonly judgeCalls: number;
  readonly tokens: TokenUse;
  /** US dollars; absent when a request went to a model without a known price. */
  readonly cost?: number | undefined;
}

/** All scores and counts, from which the gate decides and every page is rendered; the means are of the tasks of all suites. */
export interface Scores extends Means {
  readonly suites: readonly SuiteScore[];
  /** All grades, in the order of suites, tasks and runs. */
  readonly grades: readonly Row[];
  readonly counts: Counts;
}
