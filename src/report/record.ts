/**
 * The record of a run, below `waza_grade`: the conclusion, the figures and the grades of all suites, for people's tools
 * and for a baseline.
 */
import {
  type Comparison,
  bothSides,
  failedBeside,
  newlyFailing,
  newlyPassing,
  verdictOf,
} from "../decide/compare.ts";
import { comparisonSentence } from "../decide/comparison-text.ts";
import type { Pair, Side } from "../decide/pairs.ts";
import { type GradeKey, type Row, hasVerdict } from "../domain/row.ts";
import type { SourceSpan } from "../domain/problem.ts";
import type { Agreement, AgreementFigures, Labelled } from "../labels/agreement.ts";
import { rowFields } from "../results/row-file.ts";
import { snakeKeys } from "../text/format.ts";
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
    policy: snakeKeys(report.policy),
    scope: report.scope,
    problems: report.problems.map(({ at, ...one }) => ({ ...one, at: at && placeFields(at) })),
    results: report.results.map(({ path, model, timestamp }) => ({ path, model, timestamp })),
    redactions: report.redactions,
    suites: scores.suites.map(({ suite, score, tasks }) => ({
      name: suite.title,
      key: suite.key,
      ...placeFields(suite.at),
      score: score ?? null,
      tasks: tasks.map((task) => ({
        task_id: task.taskId,
        model: task.model,
        score: task.score ?? null,
      })),
    })),
    ...(comparison ? { comparison: comparisonFields(comparison) } : {}),
    ...(agreement ? { agreement: agreementFields(agreement) } : {}),
    accepted: report.accepted.map(({ suite, task, grader }) => ({ suite, task_id: task, grader })),
    grades: [
      ...[...allShown(report), ...(report.without ? shownGrades({ scores: report.without }) : [])].map(
        gradeFields,
      ),
      ...(report.triggers?.rows ?? []).map((row) => ({
        name: `${row.grader} · ${row.task}`,
        ...rowFields(row),
      })),
    ],
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
    p_fall: pairs.length > 0 ? test.p : null,
    dead: test.dead.map(({ suite, task, model }) => ({ suite, task_id: task, model: model || null })),
    score: bothSides(pairs) ?? null,
    newly_failing: newlyFailing(comparison).map(pairFields),
    newly_passing: newlyPassing(comparison).map(pairFields),
    still_failing: pairs.filter(({ change }) => change === "still-failing").map(pairFields),
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
  return { suite, task_id: task, model: model || null, grader, ...(golden ? { golden: true } : {}) };
}

export function agreementFields(agreement: Agreement): Record<string, unknown> {
  const { graders, disagreements, uncounted } = agreement;
  return {
    agreement: agreement.agreement ?? null,
    ...agreementFigures(agreement),
    graders: graders.map((judged) => ({
      suite: judged.suite,
      grader: judged.grader,
      ...(judged.advisory ? { advisory: true } : {}),
      ...agreementFigures(judged),
    })),
    disagreements: disagreements.map(labelled),
    uncounted: uncounted.map(labelled),
  };
}

function agreementFigures({ table, tpr, tnr, kappa }: AgreementFigures): Record<string, unknown> {
  return {
    ...snakeKeys(table),
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
