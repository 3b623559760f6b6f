/**
 * People's labels beside the judge's verdicts: matched and checked before any request, then compared, and the gate
 * `min-agreement`. Pure.
 */
import type { GradingJob } from "../domain/grade.ts";
import { type Row, type RowName, type VerdictRow, isJudged, taskKeyOfAnyModel } from "../domain/row.ts";
import { error, isError, notice, warning, type Problem } from "../domain/problem.ts";
import { type Label, type PeoplesLabels, labelHash, numbersOf, questionOf, toLabel } from "./labels.ts";
import { rowName } from "../results/rows.ts";
import { type TableOfFour, kappa, wilson } from "../results/score.ts";
import {
  count,
  formatAgainst,
  formatMinimum,
  formatScore,
  listedCode,
  outOf,
  plural,
  shorten,
} from "../text/format.ts";
import { closest, didYouMean } from "../text/suggest.ts";

/** Minimum labels of one verdict for a rate. */
const FEWEST_LABELS = 5;
/** Maximum number of problems: more mean that the file labels other grades. */
const MOST_LABEL_PROBLEMS = 50;

/** A label with its grade. */
export interface Labelled<Grade extends RowName> {
  readonly label: Label;
  readonly grade: Grade;
}

/** The agreement in one sentence, with the number of disagreements; a rate needs five labels. */
export function agreementSentence(agreement: Agreement): string {
  if (!hasLabels(agreement)) return "Against people's labels: there are none yet.";
  const { table, tpr, tnr, disagreements, uncounted, unit } = agreement;
  const sides = (
    [
      ["pass", tpr, table.truePass, table.falseFail],
      ["fail", tnr, table.trueFail, table.falsePass],
    ] as const
  ).flatMap(([verdict, rate, agreed, not]) => {
    const beside = rate === undefined ? "" : ` (true ${verdict} rate ${formatScore(rate.value)})`;
    return agreed + not === 0
      ? []
      : [`on ${outOf(agreed, agreed + not, unit)} that they ${verdict}ed${beside}`];
  });
  const found =
    sides.length === 0
      ? "no labelled grade that decides has a judge's verdict"
      : `the judge agrees ${sides.join(" and ")}`;
  const apart = disagreements.filter(({ grade }) => grade.advisory === true).length;
  const more = [
    `${count(disagreements.length, "disagreement")}${apart > 0 ? ` (${String(apart)} of advisory graders)` : ""}`,
    ...(uncounted.length > 0
      ? [`${count(uncounted.length, "label")} of grades without a judge's verdict`]
      : []),
  ];
  return `Against people's labels: ${found}; ${more.join("; ")}.`;
}

/** True when at least one row is filled in. */
export function hasLabels({ graders, uncounted }: Agreement): boolean {
  return graders.length + uncounted.length > 0;
}

/**
 * The gate `min-agreement` (0 to 1): the lower rate has to reach it, and no grader's own interval may lie wholly below;
 * without a rate it fails. The sentence is without the gate's "Failed:" or "Passed:".
 */
export function decideAgreement(found: Agreement, minimum: number) {
  const { tpr, tnr, table, uncounted, unit } = found;
  if (!tpr || !tnr) {
    const passes = table.truePass + table.falseFail;
    const fails = table.trueFail + table.falsePass;
    return {
      red: true,
      sentence: `${uncounted.length > 0 ? `${count(uncounted.length, `labelled ${unit}`)} without a judge's verdict` : "too few labels"}: people passed ${String(passes)} and failed ${String(fails)} of the judged ${unit}s; at least ${String(FEWEST_LABELS)} of each are needed, so the minimum of ${formatMinimum(minimum)} is not reached`,
    };
  }
  const deciding = found.graders.filter(({ advisory }) => !advisory);
  const wrong = deciding.find((one) => lowerRate(one).some(({ rate }) => rate.upper < minimum));
  const grader = deciding.length > 1 ? wrong : undefined;
  const red = Math.min(tpr.value, tnr.value) < minimum || wrong !== undefined;
  const by = grader ? `by the grader \`${shorten(grader.grader, 80)}\` ` : "";
  const [{ rate, name } = { rate: tpr, name: "passed" }] = lowerRate(grader ?? found);
  const text = `${by}the judge agrees on ${red ? "only " : ""}${String(rate.agreed)} of the ${count(rate.labels, unit)} that people ${name}`;
  const interval = `95 % interval ${rate.lower.toFixed(2)} to ${rate.upper.toFixed(2)}`;
  return {
    red,
    sentence: `${text} (${formatAgainst(rate.value, minimum)}; ${interval}; minimum ${formatMinimum(minimum)})`,
  };
}

/** The rates that are known, the lower one first. */
function lowerRate({ tpr, tnr }: AgreementFigures) {
  return [
    { name: "passed", rate: tpr },
    { name: "failed", rate: tnr },
  ]
    .flatMap(({ name, rate }) => (rate ? [{ name, rate }] : []))
    .sort((a, b) => a.rate.value - b.rate.value);
}

/** How a real drop of 20 points shows with this judge; undefined unless both rates are known. */
export function shownDropSentence({ tpr, tnr }: AgreementFigures): string | undefined {
  if (!tpr || !tnr) return undefined;
  const shown = Math.max(0, Math.round(REAL_DROP * (tpr.value + tnr.value - 1)));
  return `With this judge a real drop of ${String(REAL_DROP)} points shows as about ${String(shown)}.`;
}

/** Points of the drop in that sentence. */
const REAL_DROP = 20;

/** Compares rows with their labels; both are redacted. */
export function agreementWith({ labels }: Pick<PeoplesLabels, "labels">, rows: readonly Row[]): Agreement {
  return agreementOf(matchLabels(labels, rows.flatMap(toLabel)).labelled);
}

/** Compares grades with their labels: the figures are over all graders but advisory ones. */
export function agreementOf(labelled: readonly Labelled<Row>[]) {
  const judged = labelled.filter((one): one is Labelled<VerdictRow> => isJudged(one.grade));
  const all = figuresOf(judged.filter(({ grade }) => grade.advisory !== true));
  const byGrader = Map.groupBy(judged, ({ grade }) => JSON.stringify([grade.suite, grade.grader]));
  return {
    ...all,
    /** Each grader of each suite, in the order of the labels; an advisory one is in no figure of all. */
    graders: [...byGrader.values()].map((some) => {
      const [{ grade }] = some as [(typeof some)[number]];
      const { suite, grader, advisory } = grade;
      return { suite, grader, advisory: advisory === true, ...figuresOf(some) };
    }),
    /** Where judge and person differ. */
    disagreements: judged.filter(({ label, grade }) => label.passed !== passes(grade)),
    /** Labels of grades without a judge's verdict: shown, not counted. */
    uncounted: labelled.filter(({ grade }) => !isJudged(grade)),
    unit: labelledUnit(labelled),
    /** The lower of the two rates; absent unless both are there. */
    agreement: all.tpr && all.tnr && Math.min(all.tpr.value, all.tnr.value),
  };
}

export type Agreement = ReturnType<typeof agreementOf>;
export type GraderAgreement = Agreement["graders"][number];

function passes({ state }: VerdictRow): boolean {
  return state === "passed";
}

/** What people labelled: grades, statements of their lists, or both. */
function labelledUnit(labelled: readonly Labelled<Row>[]): "grade" | "statement" | "verdict" {
  const statements = labelled.filter(({ grade }) => grade.statement !== undefined).length;
  if (statements === 0) return "grade";
  return statements === labelled.length ? "statement" : "verdict";
}

/** How judge and people agree; the rates and Cohen's kappa are absent where a verdict has too few labels. */
function figuresOf(judged: readonly Labelled<VerdictRow>[]) {
  const having = (judge: boolean, person: boolean) =>
    judged.filter(({ label, grade }) => passes(grade) === judge && label.passed === person).length;
  const table: TableOfFour = {
    truePass: having(true, true),
    falsePass: having(true, false),
    falseFail: having(false, true),
    trueFail: having(false, false),
  };
  const tpr = rateOf(table.truePass, table.truePass + table.falseFail);
  const tnr = rateOf(table.trueFail, table.trueFail + table.falsePass);
  return { table, tpr, tnr, kappa: tpr && tnr && kappa(table) };
}

export type AgreementFigures = ReturnType<typeof figuresOf>;

/** The share of people's passes, or failures, on which the judge agrees, with its interval; none below five labels. */
function rateOf(agreed: number, labels: number) {
  if (labels < FEWEST_LABELS) return undefined;
  return { value: agreed / labels, agreed, labels, ...wilson({ passes: agreed, runs: labels }) };
}

export type Rate = NonNullable<ReturnType<typeof rateOf>>;

/** The fields that identify a label's grade, with their columns, in the order of the search for a misfit. */
const COLUMNS = {
  task: "task_id",
  grader: "grader",
  suite: "suite",
  model: "model",
  run: "run_number",
  statement: "statement",
} as const;

type Field = keyof typeof COLUMNS;
const FIELDS = Object.keys(COLUMNS) as Field[];

/** A label without a grade: it fits several grades or none, or its grade has a label already. */
interface Misfit<Grade extends RowName> {
  readonly label: Label;
  readonly fitting: readonly Grade[];
  readonly before?: Label | undefined;
}

export function matchLabels<Grade extends RowName>(
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

function fits(label: Label, grade: RowName, field: Field): boolean {
  return label[field] === undefined || label[field] === grade[field];
}

/** A grader of a loaded task, planned or not. */
export type LoadedGrader = Pick<Row, "suite" | "task" | "grader">;

/**
 * Problems of labels before any judge is asked: of their file, of their grades, and too few for `min-agreement`. All
 * arguments are redacted, as the table was that people filled in.
 */
export function labelProblems(
  { labels, problems }: Pick<PeoplesLabels, "labels" | "problems">,
  { jobs, loaded }: { readonly jobs: readonly GradingJob[]; readonly loaded: readonly LoadedGrader[] },
  minAgreement: number | undefined,
): readonly Problem[] {
  // Without planned grades, their absence is the problem.
  if (jobs.length === 0) return problems;
  const planned = jobs.flatMap(plannedGrades);
  const matched = matchLabels(labels, planned);
  const isLeftOut = ofTasksLeftOut(planned, loaded);
  const aside = matched.misfits.filter(isLeftOut).length;
  const are = plural(aside, "is of a task", "are of tasks");
  const text = `${count(aside, "label")} ${are} that this run leaves out; not compared with the judge.`;
  const left = aside > 0 ? [notice("labels-left-out", text)] : [];
  const messages = [
    ...problems,
    ...misfitProblems(
      matched.misfits.filter((misfit) => !isLeftOut(misfit)),
      planned,
    ),
    ...changedProblems(matched.labelled),
    ...left,
  ];
  if (minAgreement === undefined || messages.some(isError)) return messages;
  return [...messages, ...tooFew(matched.labelled, minAgreement)];
}

/** A planned grade, or each statement of it. */
function plannedGrades(job: GradingJob) {
  return numbersOf(job.grader).map((statement) => ({ ...rowName(job), statement, job }));
}

/** Whether a label is of a loaded task that is not planned: `tasks`, `changed-only` or `enabled: false` left it out. */
function ofTasksLeftOut(
  planned: readonly RowName[],
  loaded: readonly LoadedGrader[],
): (misfit: Misfit<RowName>) => boolean {
  const tasks = new Set(planned.map(taskKeyOfAnyModel));
  const leftOut = loaded.filter((one) => !tasks.has(taskKeyOfAnyModel(one)));
  const byGrader = Map.groupBy(leftOut, ({ task, grader }) => JSON.stringify([task, grader]));
  return ({ label: { suite, task, grader }, fitting }) =>
    fitting.length === 0 &&
    (byGrader.get(JSON.stringify([task, grader])) ?? []).some(
      (one) => suite === undefined || suite === one.suite,
    );
}

/** A problem for each label without a grade. */
export function misfitProblems(misfits: readonly Misfit<RowName>[], grades: readonly RowName[]): Problem[] {
  return misfits
    .slice(0, MOST_LABEL_PROBLEMS)
    .map((misfit) => (misfit.fitting.length === 0 ? noGrade(misfit.label, grades) : severalGrades(misfit)));
}

/** Names the first field after which no grade is left, and what it may be. */
function noGrade(label: Label, grades: readonly RowName[]): Problem {
  let left = grades;
  const field =
    FIELDS.find((one) => {
      const fitting = left.filter((grade) => fits(label, grade, one));
      if (fitting.length > 0) left = fitting;
      return fitting.length === 0;
    }) ?? "task";
  const names = [...new Set(left.map((grade) => String(grade[field])))];
  const there = listedCode(names.map((name) => shorten(name, 80)));
  const help =
    didYouMean(closest(String(label[field]), names)) ??
    `There ${plural(names.length, "is", "are")} ${there || "none"}.`;
  return error(
    "label-without-grade",
    `no grade has \`${COLUMNS[field]}: ${shorten(String(label[field]), 80)}\`.`,
    {
      help,
      at: label.at,
    },
  );
}

/** Names the columns that would leave one grade, or the row that labels it already. */
function severalGrades({ label, fitting, before }: Misfit<RowName>): Problem {
  const telling = FIELDS.filter(
    (field) => label[field] === undefined && new Set(fitting.map((grade) => grade[field])).size > 1,
  );
  const help =
    before && fitting.length === 1
      ? `Line ${String(before.at.startLine)} labels it already: keep one of them.`
      : telling.length > 0
        ? `It fits ${count(fitting.length, "grade")}: set ${listedCode(telling.map((field) => COLUMNS[field]))} to choose one.`
        : `No column distinguishes them: set \`results\` to only one of the files (${listedCode(fitting.flatMap(({ file }) => file ?? []))}).`;
  return error("label-of-several", "the row fits no grade alone.", { help, at: label.at });
}

type LabelledJob = Labelled<ReturnType<typeof plannedGrades>[number]>;

/** Problems with labels of a changed task or answer, and of labels without a hash; a changed grader's prompt is a notice. */
function changedProblems(labelled: readonly LabelledJob[]): Problem[] {
  const problems: Problem[] = [];
  const edited = new Set<string>();
  for (const { label, grade } of labelled) {
    if (!grade.job.run) continue;
    const { at, statement } = label;
    const question = questionOf({ ...grade.job.grader, statement: grade.statement });
    if (label.sha256 !== undefined && label.sha256 !== labelHash(grade.job)) {
      const message = "the prompt, the conversation or the answer has changed since it was labelled.";
      const help =
        "Use the `results` and the evals that were labelled, or label a new table (`reports: labels=…`).";
      problems.push(error("changed-since-labelled", message, { help, at }));
    }
    if (label.question === undefined || words(label.question) === words(question)) continue;
    const now = statementNumber(grade.job, label.question);
    if (now === undefined) {
      edited.add(grade.grader);
      continue;
    }
    const message = `the text of its statement is that of statement ${String(now)} now, not of ${String(statement)}.`;
    problems.push(error("renumbered-statement", message, { help: "Correct its `statement`.", at }));
  }
  const unhashed = labelled.filter(({ label }) => label.sha256 === undefined);
  if (unhashed.length > 0) {
    const message = `${count(unhashed.length, "label")} ${plural(unhashed.length, "has", "have")} no \`sha256\`, so it cannot be checked that people saw these same answers.`;
    const help = "Take the column from a new table (`reports: labels=…`).";
    problems.push(warning("label-without-hash", message, { help, at: unhashed[0]?.label.at }));
  }
  const notices = Array.from(edited, (grader) =>
    notice(
      "edited-prompt",
      `The prompt of the grader \`${shorten(grader, 80)}\` has changed since people labelled its grades.`,
    ),
  );
  return [...problems, ...notices];
}

/** The number of the statement with this text. */
function statementNumber({ grader }: GradingJob, text: string): number | undefined {
  const at = grader.statements?.findIndex((statement) => words(statement.text) === words(text)) ?? -1;
  return at < 0 ? undefined : at + 1;
}

/** A text as it is compared: spreadsheets may change line ends. */
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
  return [
    error("too-few-labels", message, {
      help: "Label more grades; at least 15 of each give a usable estimate.",
    }),
  ];
}
