/** Which grade each label is of. Pure; needs no verdict, so that a label that fits nothing is told before any request. */
import type { Problem } from "../domain/place.ts";
import { count, listed, listedCode, shorten } from "../text/format.ts";
import type { GradeName } from "../domain/record.ts";
import { rowProblem } from "./label-rows.ts";
import type { Label } from "./labels.ts";
import { closest } from "../text/suggest.ts";

/** A label with the one grade that it is of. */
export interface Labelled<Grade extends GradeName> {
  readonly label: Label;
  readonly grade: Grade;
}

/** So many problems stop the matching: the file is of other grades, and looking for what was meant takes long. */
const MOST_PROBLEMS = 50;

/**
 * Labels with their grades; one that fits no grade, or several, or whose grade has a label, is a problem. After fifty
 * of these no more labels are looked at.
 */
export function matchLabels<Grade extends GradeName>(
  labels: readonly Label[],
  grades: readonly Grade[],
): { readonly labelled: readonly Labelled<Grade>[]; readonly problems: readonly Problem[] } {
  const byGrader = Map.groupBy(grades, ({ task, grader }) => JSON.stringify([task, grader]));
  const byRun = Map.groupBy(grades, ({ task, grader, run }) => JSON.stringify([task, grader, run]));
  const taken = new Map<Grade, Label>();
  const labelled: Labelled<Grade>[] = [];
  const problems: Problem[] = [];
  for (const label of labels) {
    if (problems.length === MOST_PROBLEMS) break;
    const { task, grader, run } = label;
    const near =
      run === undefined
        ? byGrader.get(JSON.stringify([task, grader]))
        : byRun.get(JSON.stringify([task, grader, run]));
    const fitting = (near ?? []).filter((grade) => FIELDS.every((field) => fits(label, grade, field)));
    const [grade] = fitting;
    const before = grade && taken.get(grade);
    if (!grade) problems.push(fitsNone(label, grades));
    else if (fitting.length > 1) problems.push(fitsSeveral(label, fitting));
    else if (before) problems.push(fitsTaken(label, before));
    else {
      taken.set(grade, label);
      labelled.push({ label, grade });
    }
  }
  return { labelled, problems };
}

/** What a label can say of its grade, in the order in which a misfit is looked for. */
const FIELDS = ["task", "grader", "suite", "model", "run"] as const;
type Field = (typeof FIELDS)[number];
const COLUMNS = { task: "task_id", grader: "grader", suite: "suite", model: "model", run: "run_number" };

function fits(label: Label, grade: GradeName, field: Field): boolean {
  return label[field] === undefined || label[field] === grade[field];
}

/** Names the first thing said of the grade that no grade is left with. */
function fitsNone(label: Label, grades: readonly GradeName[]): Problem {
  let left = grades;
  for (const field of FIELDS) {
    const fitting = left.filter((grade) => fits(label, grade, field));
    if (fitting.length === 0) {
      const names = [...new Set(left.map((grade) => String(grade[field])))];
      const said = `\`${COLUMNS[field]}: ${shorten(String(label[field]), 80)}\``;
      const meant = closest(String(label[field]), names);
      const there = listed(names.map((name) => `\`${shorten(name, 80)}\``));
      const help =
        meant === undefined ? `There is ${there || "no grade at all"}.` : `Did you mean \`${meant}\`?`;
      const why = `nothing that is to be graded fits ${said}.`;
      return { ...rowProblem(label.at, `labels no grade: ${why}`, help), alike: why };
    }
    left = fitting;
  }
  return rowProblem(label.at, "labels no grade.", "Correct the row.");
}

function fitsSeveral(label: Label, fitting: readonly GradeName[]): Problem {
  const telling = FIELDS.filter(
    (field) => label[field] === undefined && new Set(fitting.map((grade) => grade[field])).size > 1,
  );
  const files = listedCode(fitting.flatMap(({ file }) => file ?? []));
  const help =
    telling.length > 0
      ? `Say which by ${listedCode(telling.map((field) => COLUMNS[field]))}.`
      : `No column tells them apart: give \`results\` one of the files alone (${files}).`;
  return rowProblem(label.at, `fits ${count(fitting.length, "grade")}.`, help);
}

function fitsTaken(label: Label, before: Label): Problem {
  const where = `line ${String(before.at.startLine)} of \`${before.at.path}\``;
  return rowProblem(label.at, `labels a grade that ${where} has labelled.`, "Keep one of them.");
}
