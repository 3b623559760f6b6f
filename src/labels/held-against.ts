/** Labels and the grades they are of: before any judge is asked, and after. Pure. */
import { gradeName, gradeRecord } from "../records/make-record.ts";
import type { Grade, GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/place.ts";
import { count, formatMinimum, shorten } from "../text/format.ts";
import { error, isError, notice, warning } from "../text/problem.ts";
import { agreementOf, FEWEST_LABELS } from "./agreement.ts";
import type { Agreement } from "./agreement.ts";
import { matchLabels } from "./label-match.ts";
import type { Labelled } from "./label-match.ts";
import { rowProblem } from "./label-rows.ts";
import type { PeoplesLabels } from "./read-labels.ts";
import { seenOf } from "./seen.ts";

type LabelledJob = Labelled<ReturnType<typeof named>>;

/**
 * What is wrong with labels before anybody is asked: their file, what they are of, and too few of them for
 * `min-agreement`. Both are redacted, as the table was that people filled in.
 */
export function labelProblems(
  { labels, problems }: Pick<PeoplesLabels, "labels" | "problems">,
  jobs: readonly GradingJob[],
  minAgreement: number | undefined,
): readonly Problem[] {
  // Where nothing is planned, that is what is wrong.
  if (jobs.length === 0) return problems;
  const matched = matchLabels(labels, jobs.map(named));
  const told = [...problems, ...matched.problems, ...changedProblems(matched.labelled)];
  if (minAgreement === undefined || told.some(isError)) return told;
  return [...told, ...tooFew(matched.labelled, minAgreement)];
}

/** The grades, with what pages call them, held against their labels, both redacted. */
export function agreementWith(
  { labels }: Pick<PeoplesLabels, "labels">,
  grades: readonly { readonly grade: Grade; readonly name: string }[],
): Agreement {
  const records = grades.map(({ grade, name }) => ({ ...gradeRecord(grade), name }));
  return agreementOf(matchLabels(labels, records).labelled);
}

function named(job: GradingJob) {
  return { ...gradeName(job), job };
}

/** Labels of a task or an answer that has changed; prompts of graders that have, which is what labels are for; and labels without a hash. */
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
  const unheld = labelled.filter(({ label }) => label.sha256 === undefined);
  const [first] = unheld;
  const without = first && unhashed(unheld.length, first.label.at.path);
  const told = [...edited].map((grader) =>
    notice(
      `What the judge is asked by the grader \`${shorten(grader, 80)}\` is not what people were shown as they labelled.`,
    ),
  );
  return [...problems, ...(without ? [without] : []), ...told];
}

function changed(label: LabelledJob["label"]): Problem {
  const why = "what was labelled is another task's prompt or another answer than those of now.";
  const help =
    "Give `results` and the evals that were labelled, or label anew in a table of today's (`reports: labels=…`).";
  return { ...rowProblem(label.at, `is out of date: ${why}`, help), alike: why };
}

function unhashed(labels: number, path: string): Problem {
  const message = `${count(labels, "label")} of \`${path}\` ${labels === 1 ? "has" : "have"} no \`sha256\`: nothing tells whether the answers are those that people saw.`;
  return warning(message, { help: "Take the column from a new table (`reports: labels=…`)." });
}

/** A spreadsheet may write line ends of its own. */
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
  return [error(message, { help: "Label more; 15 of each make a rate that tells something." })];
}
