/** Matches labels to grades, before any request is made. Pure. */
import type { Problem } from "../domain/location.ts";
import { count, listed, listedCode, shorten } from "../text/format.ts";
import type { GradeName } from "../domain/record.ts";
import { rowProblem } from "./label-rows.ts";
import type { Label } from "./labels.ts";
import { closest } from "../text/suggest.ts";

/** A label with its grade. */
export interface Labelled<Grade extends GradeName> {
  readonly label: Label;
  readonly grade: Grade;
}

/** A label without a grade: it fits several grades or none, or its grade has a label already. */
export interface Misfit<Grade extends GradeName> {
  readonly label: Label;
  readonly fitting: readonly Grade[];
  readonly before?: Label | undefined;
}

export function matchLabels<Grade extends GradeName>(
  labels: readonly Label[],
  grades: readonly Grade[],
): { readonly labelled: readonly Labelled<Grade>[]; readonly misfits: readonly Misfit<Grade>[] } {
  const byGrader = Map.groupBy(grades, ({ task, grader }) => JSON.stringify([task, grader]));
  const byRun = Map.groupBy(grades, ({ task, grader, run }) => JSON.stringify([task, grader, run]));
  const labelByGrade = new Map<Grade, Label>();
  const labelled: Labelled<Grade>[] = [];
  const misfits: Misfit<Grade>[] = [];
  for (const label of labels) {
    const { task, grader, run } = label;
    const near =
      run === undefined
        ? byGrader.get(JSON.stringify([task, grader]))
        : byRun.get(JSON.stringify([task, grader, run]));
    const fitting = (near ?? []).filter((grade) => FIELDS.every((field) => fits(label, grade, field)));
    const [grade] = fitting;
    const before = grade && labelByGrade.get(grade);
    if (!grade || fitting.length > 1 || before) misfits.push({ label, fitting, before });
    else {
      labelByGrade.set(grade, label);
      labelled.push({ label, grade });
    }
  }
  return { labelled, misfits };
}

/** A problem for each label without a grade. */
export function misfitProblems<Grade extends GradeName>(
  misfits: readonly Misfit<Grade>[],
  grades: readonly Grade[],
): Problem[] {
  return misfits.slice(0, MOST_PROBLEMS).map(({ label, fitting, before }) => {
    if (fitting.length === 0) return noGradeProblem(label, grades);
    return before && fitting.length === 1
      ? takenGradeProblem(label, before)
      : severalGradesProblem(label, fitting);
  });
}

/** Maximum number of problems: more mean that the file labels other grades. */
const MOST_PROBLEMS = 50;

/** The fields that identify a label's grade, in the order of the search for a misfit. */
const FIELDS = ["task", "grader", "suite", "model", "run"] as const;
type Field = (typeof FIELDS)[number];
const COLUMNS = { task: "task_id", grader: "grader", suite: "suite", model: "model", run: "run_number" };

function fits(label: Label, grade: GradeName, field: Field): boolean {
  return label[field] === undefined || label[field] === grade[field];
}

/** Names the first field after which no grade is left. */
function noGradeProblem(label: Label, grades: readonly GradeName[]): Problem {
  let left = grades;
  for (const field of FIELDS) {
    const fitting = left.filter((grade) => fits(label, grade, field));
    if (fitting.length === 0) {
      const names = [...new Set(left.map((grade) => String(grade[field])))];
      const cell = `\`${COLUMNS[field]}: ${shorten(String(label[field]), 80)}\``;
      const meant = closest(String(label[field]), names);
      const there = listed(names.map((name) => `\`${shorten(name, 80)}\``));
      const help =
        meant !== undefined
          ? `Did you mean \`${meant}\`?`
          : there === ""
            ? "No grade is planned."
            : `Planned: ${there}.`;
      const why = `no planned grade matches ${cell}.`;
      return { ...rowProblem(label.at, `labels no grade: ${why}`, help), withoutLocation: why };
    }
    left = fitting;
  }
  return rowProblem(label.at, "labels no grade.", "Correct the row.");
}

function severalGradesProblem(label: Label, fitting: readonly GradeName[]): Problem {
  const telling = FIELDS.filter(
    (field) => label[field] === undefined && new Set(fitting.map((grade) => grade[field])).size > 1,
  );
  const files = listedCode(fitting.flatMap(({ file }) => file ?? []));
  const help =
    telling.length > 0
      ? `Set ${listedCode(telling.map((field) => COLUMNS[field]))} to choose one.`
      : `No column distinguishes them: set \`results\` to only one of the files (${files}).`;
  return rowProblem(label.at, `fits ${count(fitting.length, "grade")}.`, help);
}

function takenGradeProblem(label: Label, before: Label): Problem {
  const where = `line ${String(before.at.startLine)} of \`${before.at.path}\``;
  return rowProblem(label.at, `labels the same grade as ${where}.`, "Keep one of them.");
}
