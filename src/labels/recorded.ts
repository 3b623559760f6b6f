/** Labels beside the rows of a record, which keeps each answer, but no conversation. Pure. */
import type { Row } from "../domain/row.ts";
import { warning, type Problem } from "../domain/problem.ts";
import { count } from "../text/format.ts";
import { changedAnswer, matchLabels, misfitProblems, words } from "./agreement.ts";
import { type PeoplesLabels, shownText, toLabel } from "./labels.ts";

/** Problems of labels: of their file, of their grades, and where the answer is another than people saw. */
export function recordedLabelProblems(
  { labels, problems }: Pick<PeoplesLabels, "labels" | "problems">,
  rows: readonly Row[],
): readonly Problem[] {
  const grades = rows.flatMap(toLabel);
  const { labelled, misfits } = matchLabels(labels, grades);
  const changed = labelled.filter(
    ({ label, grade }) =>
      label.answer !== undefined && words(label.answer) !== words(shownText(grade.answer)),
  );
  const unseen = labelled.filter(({ label }) => label.answer === undefined);
  const [first] = unseen;
  const message = `${count(unseen.length, "label")} ${unseen.length === 1 ? "has" : "have"} no \`answer\`, so it cannot be checked that people saw these same answers.`;
  const help = "Take the column from a new table (`reports: labels=…`).";
  return [
    ...problems,
    ...misfitProblems(misfits, grades),
    ...changed.map(({ label }) => changedAnswer(label)),
    ...(first ? [warning("unchecked-labels", message, { help, at: first.label.at })] : []),
  ];
}
