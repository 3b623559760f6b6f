/** Checks labels before any judge is asked, and compares grades with them afterwards. Pure. */
import { gradeName, gradeRecord } from "../records/make-record.ts";
import type { Grade, GradingJob } from "../domain/grade.ts";
import type { GradeName, GradeRecord } from "../domain/record.ts";
import type { Problem } from "../domain/location.ts";
import { count, formatMinimum, shorten } from "../text/format.ts";
import { error, isError, notice, warning } from "../text/problem.ts";
import { agreementOf, FEWEST_LABELS } from "./agreement.ts";
import type { Agreement } from "./agreement.ts";
import { matchLabels, misfitProblems } from "./label-match.ts";
import type { Labelled, Misfit } from "./label-match.ts";
import { rowProblem } from "./label-rows.ts";
import type { PeoplesLabels } from "./read-labels.ts";
import { seenOf } from "./seen.ts";

type LabelledJob = Labelled<ReturnType<typeof named>>;

/** A grader of a loaded task, planned or not. */
export type LoadedGrader = Pick<GradeRecord, "suite" | "task" | "grader">;

/** Planned grades, and the graders of all loaded tasks. */
export interface Labelable {
  readonly jobs: readonly GradingJob[];
  readonly loaded: readonly LoadedGrader[];
}

/**
 * Problems of labels before any judge is asked: of their file, of their grades, and too few for `min-agreement`. All
 * arguments are redacted, as the table was that people filled in.
 */
export function labelProblems(
  { labels, problems }: Pick<PeoplesLabels, "labels" | "problems">,
  { jobs, loaded }: Labelable,
  minAgreement: number | undefined,
): readonly Problem[] {
  // Without planned grades, their absence is the problem.
  if (jobs.length === 0) return problems;
  const planned = jobs.map(named);
  const matched = matchLabels(labels, planned);
  const isLeftOut = ofTasksLeftOut(planned, loaded);
  const messages = [
    ...problems,
    ...misfitProblems(
      matched.misfits.filter((misfit) => !isLeftOut(misfit)),
      planned,
    ),
    ...changedProblems(matched.labelled),
    ...leftAside(matched.misfits.filter(isLeftOut).length),
  ];
  if (minAgreement === undefined || messages.some(isError)) return messages;
  return [...messages, ...tooFew(matched.labelled, minAgreement)];
}

/** Compares the grades, with their names on pages, and their labels; both are redacted. */
export function agreementWith(
  { labels }: Pick<PeoplesLabels, "labels">,
  grades: readonly { readonly grade: Grade; readonly name: string }[],
): Agreement {
  const records = grades.map(({ grade, name }) => ({ ...gradeRecord(grade), name }));
  return agreementOf(matchLabels(labels, records).labelled);
}

/** Whether a label is of a loaded task that is not planned: `tasks`, `changed-only` or `enabled: false` left it out. */
function ofTasksLeftOut(
  planned: readonly GradeName[],
  loaded: readonly LoadedGrader[],
): (misfit: Misfit<GradeName>) => boolean {
  const keyOf = ({ suite, task }: Pick<GradeName, "suite" | "task">) => JSON.stringify([suite, task]);
  const tasks = new Set(planned.map(keyOf));
  const leftOut = loaded.filter((one) => !tasks.has(keyOf(one)));
  const byGrader = Map.groupBy(leftOut, ({ task, grader }) => JSON.stringify([task, grader]));
  return ({ label: { suite, task, grader }, fitting }) =>
    fitting.length === 0 &&
    (byGrader.get(JSON.stringify([task, grader])) ?? []).some(
      (one) => suite === undefined || suite === one.suite,
    );
}

function leftAside(labels: number): Problem[] {
  if (labels === 0) return [];
  const are = labels === 1 ? "is of a task" : "are of tasks";
  return [notice(`${count(labels, "label")} ${are} that this run leaves out; not compared with the judge.`)];
}

function named(job: GradingJob) {
  return { ...gradeName(job), job };
}

/** Problems with labels of a changed task or answer, and of labels without a hash; a changed grader's prompt is a notice. */
function changedProblems(labelled: readonly LabelledJob[]): Problem[] {
  const problems: Problem[] = [];
  const edited = new Set<string>();
  for (const { label, grade } of labelled) {
    if (!grade.job.run) continue;
    const seen = seenOf(grade.job);
    if (label.sha256 !== undefined && label.sha256 !== seen.sha256) problems.push(changed(label));
    if (label.question !== undefined && words(label.question) !== words(seen.question))
      edited.add(grade.grader);
  }
  const unhashed = labelled.filter(({ label }) => label.sha256 === undefined);
  const [first] = unhashed;
  const without = first && unhashedProblem(unhashed.length, first.label.at.path);
  const notices = [...edited].map((grader) =>
    notice(
      `The prompt of the grader \`${shorten(grader, 80)}\` has changed since people labelled its grades.`,
    ),
  );
  return [...problems, ...(without ? [without] : []), ...notices];
}

function changed(label: LabelledJob["label"]): Problem {
  const why = "the prompt, the conversation or the answer has changed since it was labelled.";
  const help =
    "Use the `results` and the evals that were labelled, or label a new table (`reports: labels=…`).";
  return { ...rowProblem(label.at, `is out of date: ${why}`, help), withoutLocation: why };
}

function unhashedProblem(labels: number, path: string): Problem {
  const message = `${count(labels, "label")} of \`${path}\` ${labels === 1 ? "has" : "have"} no \`sha256\`, so it cannot be checked that people saw these same answers.`;
  return warning(message, { help: "Take the column from a new table (`reports: labels=…`)." });
}

/** Spreadsheets may change line ends. */
function words(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function tooFew(labelled: readonly LabelledJob[], minimum: number): Problem[] {
  const counted = labelled.filter(({ grade: { job } }) => {
    const isDead = job.settled?.state === "graded" && job.settled.recorded !== true;
    return job.advisory !== true && !isDead;
  });
  const passed = counted.filter(({ label }) => label.passed).length;
  const failed = counted.length - passed;
  if (Math.min(passed, failed) >= FEWEST_LABELS) return [];
  const message = `\`min-agreement\` of ${formatMinimum(minimum)} cannot be reached: of the grades that decide, people passed ${String(passed)} and failed ${String(failed)}, and at least ${String(FEWEST_LABELS)} of each are needed.`;
  return [error(message, { help: "Label more grades; at least 15 of each give a usable estimate." })];
}
