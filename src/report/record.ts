/**
 * The record of a run, below `waza_grade`: the conclusion, the figures and the grades of all suites. Written for people's
 * tools and for a baseline, and read again to draw the pages without grading (`waza-grade report`).
 */
import * as z from "zod/mini";
import {
  type Comparison,
  bothSides,
  droppedTasks,
  failedBeside,
  newlyFailing,
  newlyPassing,
  stillFailing,
  verdictOf,
} from "../decide/compare.ts";
import { comparisonSentence } from "../decide/comparison-text.ts";
import { liftOf } from "../decide/lift.ts";
import type { Pair, Side } from "../decide/pairs.ts";
import { type GradeKey, type Row, hasVerdict } from "../domain/row.ts";
import { RULES } from "../domain/grade.ts";
import { DOCS_PAGES, type SourceSpan } from "../domain/problem.ts";
import type { Agreement, AgreementFigures, Labelled } from "../labels/agreement.ts";
import { rowFields, rowList, triggerShare } from "../results/row-file.ts";
import { suiteKey } from "../results/rows.ts";
import { scoreApart } from "../results/score.ts";
import { snakeKeys } from "../text/format.ts";
import { fields, optional } from "../text/optional.ts";
import type { Report } from "./report.ts";
import { type ShownGrade, allShown, shownGrades } from "./shown-grade.ts";

/** Version of the format below `waza_grade`, independent of the action's version. */
export const FORMAT_VERSION = 1;

/** The record: all of the report but what the judge saw, the estimate and verdicts of others. */
export function recordOf(report: Report): Record<string, unknown> {
  const { scores, conclusion, comparison, agreement, time, origin } = report;
  return {
    version: FORMAT_VERSION,
    graded_at: new Date(time.finished).toISOString(),
    duration_ms: time.finished - time.started,
    branch: origin?.branch,
    commit: origin?.commit,
    workflow_run: origin?.run,
    source_url: report.sourceUrl,
    docs_url: report.docs,
    ...snakeKeys(conclusion),
    score: scores.score ?? null,
    unweighted_score: scores.unweighted ?? null,
    policy: snakeKeys(report.policy),
    scope: report.scope,
    problems: report.problems.map(({ at, ...one }) => ({ ...one, at: at && placeFields(at) })),
    results: report.results.map(({ path, model, timestamp }) => ({ path, model, timestamp })),
    redactions: report.redactions,
    suites: scores.suites.map(({ suite, score, unweighted, tasks }) => ({
      name: suite.title,
      key: suite.key,
      ...placeFields(suite.at),
      score: score ?? null,
      unweighted_score: unweighted ?? null,
      tasks: tasks.map((task) => ({
        task_id: task.taskId,
        model: task.model,
        score: task.score ?? null,
        unweighted_score: task.unweighted ?? null,
      })),
    })),
    quotes: scores.counts.quotes.map(({ model, all, found, contradicted }) => ({
      judge_model: model,
      quotes: all,
      found,
      contradicted,
    })),
    ...(comparison ? { comparison: comparisonFields(comparison) } : {}),
    ...(agreement ? { agreement: agreementFields(agreement) } : {}),
    triggers: report.triggers.map((one) => snakeKeys(one)),
    grades: [...allShown(report), ...(report.without ? shownGrades({ scores: report.without }) : [])].map(
      gradeFields,
    ),
  };
}

/** The fields of a grade in the record and in the copies for waza. */
export function gradeFields({ grade, name }: ShownGrade): Record<string, unknown> {
  return { name, ...rowFields(grade) };
}

/** Only figures and names: reasons and answers are in the grades of the two files. */
export function comparisonFields(comparison: Comparison): Record<string, unknown> {
  const { test, source, pairs, notComparable, added, removed } = comparison;
  return {
    verdict: verdictOf(comparison),
    sentence: comparisonSentence(comparison),
    branch: source.branch,
    drop: test.drop,
    p_fall: test.p ?? null,
    dropped: droppedTasks(comparison),
    fallen_task: test.task ? { task_id: test.task.key.task, p_fall: test.task.p } : null,
    score: bothSides(pairs) ?? null,
    newly_failing: newlyFailing(comparison).map(pairFields),
    newly_passing: newlyPassing(comparison).map(pairFields),
    still_failing: stillFailing(comparison).map(pairFields),
    not_comparable: notComparable.map((grader) => ({ ...keyFields(grader), reason: grader.reason })),
    added: added.map(keyFields),
    removed: removed.map(keyFields),
    unexcused: failedBeside(comparison).unexcused.map((grade) => ({
      ...keyFields({ ...grade, golden: grade.golden === true }),
      run_number: grade.run,
    })),
  };
}

function pairFields(pair: Pair): Record<string, unknown> {
  const side = ({ passes, runs }: Side) => ({ passes, runs });
  return { ...keyFields(pair), baseline: side(pair.baseline), current: side(pair.current) };
}

function keyFields({ suite, task, model, grader, golden }: GradeKey): Record<string, unknown> {
  return {
    suite,
    task_id: task,
    model: model === "" ? null : model,
    grader,
    ...(golden ? { golden: true } : {}),
  };
}

export function agreementFields(agreement: Agreement): Record<string, unknown> {
  const { graders, disagreements, uncounted } = agreement;
  return {
    agreement: agreement.agreement ?? null,
    ...agreementFigures(agreement),
    graders: graders.map((one) => ({
      suite: one.suite,
      grader: one.grader,
      ...(one.advisory ? { advisory: true } : {}),
      ...agreementFigures(one),
    })),
    disagreements: disagreements.map(labelled),
    uncounted: uncounted.map(labelled),
  };
}

function agreementFigures({ table, tpr, tnr, kappa }: AgreementFigures): Record<string, unknown> {
  return {
    true_pass: table.truePass,
    false_pass: table.falsePass,
    false_fail: table.falseFail,
    true_fail: table.trueFail,
    tpr: tpr ?? null,
    tnr: tnr ?? null,
    kappa: kappa ?? null,
  };
}

function labelled({ label, grade }: Labelled<Row>): Record<string, unknown> {
  const { suite, model, task, run, grader, state, reason } = grade;
  return {
    suite,
    model: model === "" ? null : model,
    task_id: task,
    run_number: run,
    grader,
    state,
    passed: hasVerdict(grade) ? state === "passed" : null,
    reason,
    label: { passed: label.passed, note: label.note },
  };
}

/* A place: its fields, written and read. */

const place = z.object({
  file: z.string(),
  line: z.number(),
  column: optional(z.number()),
  end_line: z.number(),
  in_repository: optional(z.boolean()),
  generated: optional(z.literal(true)),
});

function placeFields(at: SourceSpan): Record<string, unknown> {
  return {
    file: at.path,
    line: at.startLine,
    column: at.startColumn,
    end_line: at.endLine,
    in_repository: at.inRepository ? undefined : false,
    generated: at.generated,
  };
}

function spanOf(at: z.infer<typeof place>): SourceSpan {
  const { file: path, in_repository: inRepository = true, generated } = at;
  return { path, startLine: at.line, startColumn: at.column, endLine: at.end_line, inRepository, generated };
}

/* The record, read again. */

const address = z.string().check(z.regex(/^https?:\/\/[^\s"<>]+$/));

const page = z.object({ url: address });

const level = z.enum(["fail", "warn"]);

const conclusion = z.object({
  conclusion: z.enum(["success", "failure", "pending"]),
  check: z.enum(["success", "failure", "neutral", "cancelled", "pending"]),
  rule: z.enum(RULES),
  passed: z.boolean(),
  dropped: z.array(z.string()),
  sentences: z.tuple([z.string()], z.string()),
  sentence: z.string(),
  cause: optional(z.string()),
});

const recorded = z.extend(conclusion, {
  version: z.literal(FORMAT_VERSION),
  is_copy: z.optional(z.never()),
  graded_at: z.iso.datetime(),
  duration_ms: z.number(),
  branch: optional(z.string()),
  commit: optional(z.extend(page, { sha: z.string() })),
  workflow_run: optional(z.extend(page, { number: z.string() })),
  source_url: optional(address),
  docs_url: optional(address),
  policy: fields({
    minAgreement: optional(z.number()),
    minScore: optional(z.number()),
    failOn: z.enum(["fail", "regression", "score", "never"]),
    maxDrop: optional(z.union([z.literal("noise"), z.number()])),
    secondLook: optional(z.enum(["first", "last"])),
    onError: level,
    onMissing: level,
  }),
  scope: z.object({
    tasks: z.array(z.string()),
    advisory: z.array(z.string()),
    dropped: z.array(z.string()),
    unchanged: z.array(z.string()),
  }),
  problems: z.array(
    z.object({
      level: z.enum(["error", "warning", "notice"]),
      code: z.string(),
      message: z.string(),
      help: optional(z.string()),
      docs: optional(z.enum(DOCS_PAGES)),
      at: optional(place),
    }),
  ),
  results: z.array(z.object({ path: z.string(), model: z.string(), timestamp: optional(z.string()) })),
  redactions: z.number(),
  grades: z.array(z.unknown()),
  suites: z.array(z.extend(place, { name: z.string(), key: optional(z.string()) })),
  comparison: optional(z.record(z.string(), z.unknown())),
  triggers: z.array(triggerShare),
});

/** A report as its record has it, without what it was compared with. */
export interface Recorded {
  readonly report: Report;
  /** The figures and names of the comparison with the baseline, as recorded; absent without one. */
  readonly comparison?: Readonly<Record<string, unknown>> | undefined;
}

/** The report of an untrusted record, or undefined where the data is none. The texts of the evidence are in no record. */
export function readRecord(data: unknown): Recorded | undefined {
  const { data: read } = z.safeParse(z.object({ waza_grade: recorded }), data);
  if (!read) return undefined;
  const its = read.waza_grade;
  const suites = its.suites.map(({ name, key, ...at }) => ({ title: name, key, at: spanOf(at) }));
  const rows = rowList(its.grades);
  // A row that is not read, or belongs to no suite, would be a failure that no page has.
  const keys = new Set(suites.map(suiteKey));
  const isWhole =
    rows.length === its.grades.length &&
    keys.size === suites.length &&
    rows.every(({ suite }) => keys.has(suite));
  if (!isWhole) return undefined;
  const { scores, advisory, without } = scoreApart(suites, rows);
  const finished = Date.parse(its.graded_at);
  return {
    comparison: its.comparison,
    report: {
      conclusion: z.parse(conclusion, its),
      scores,
      advisory: advisory && { scores: advisory },
      without,
      lift: without && liftOf(scores, without),
      problems: its.problems.map(({ at, ...one }) => ({ ...one, at: at && spanOf(at) })),
      results: its.results,
      triggers: its.triggers,
      policy: its.policy,
      scope: its.scope,
      time: { started: finished - its.duration_ms, finished },
      redactions: its.redactions,
      sourceUrl: its.source_url,
      docs: its.docs_url,
      origin: { branch: its.branch, commit: its.commit, run: its.workflow_run },
    },
  };
}
