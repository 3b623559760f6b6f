/**
 * Verdicts beside something else: the baseline, people's labels; and advisory graders. Pure.
 */
import { comparisonSentence } from "../../decide/comparison-text.ts";
import { inBaseline, nameOf } from "../../decide/pairs.ts";
import { type GradeKey, type Row, deathText, hasVerdict, isJudged } from "../../domain/row.ts";
import {
  type AgreementFigures,
  type GraderAgreement,
  type Labelled,
  type Rate,
  agreementSentence,
  hasLabels,
  shownDropSentence,
} from "../../labels/agreement.ts";
import { runKey } from "../../results/score.ts";
import { proposal } from "../../labels/propose.ts";
import {
  BREAK,
  LONGEST_BRIEF,
  MOST_LINES,
  type Block,
  type Inline,
  type Item,
  type Line,
  type Section,
  between,
  bold,
  docsLink,
  fold,
  heading,
  line,
  list,
  moreOf,
  name,
  note,
  table,
  title,
} from "../document/tree.ts";
import type { Report } from "../report.ts";
import { isByComparison } from "./title-and-footer.ts";
import { type ShownGrade, allShown, shownGrades } from "../shown-grade.ts";
import { count, formatScore, shorten } from "../../text/format.ts";

/** Characters of a comparison's line. */
const LONGEST_COMPARISON = 3_000;
/** Maximum disagreements listed. */
const MOST_DISAGREEMENTS = 100;
/** Maximum failed grades listed per grader. */
const MOST_FAILURES = 20;
/** Failed grades listed per grader on a brief page. */
const MOST_FAILURES_BRIEF = 3;

/** One line: which way the score moved, and what that means; nothing where the conclusion says it. */
export const comparisonLine: Section = (report) => {
  const { comparison } = report;
  if (!comparison || isByComparison(report)) return [];
  const { drop } = comparison.test;
  const arrow = drop === 0 ? "" : drop > 0 ? "▼ " : "▲ ";
  return [line(arrow, shorten(comparisonSentence(comparison), LONGEST_COMPARISON))];
};

/** Graders that cannot be compared, are new, or are only in the baseline, each list folded. */
export const comparisonSection: Section = (report, page) => {
  const { comparison } = report;
  if (!comparison || comparison.source.absent !== undefined || !page.each) return [];
  const { notComparable, added, removed, source } = comparison;
  const all = (what: string, lines: readonly Line[], below: readonly Block[] = []) =>
    fold([`${count(lines.length, "grader")} ${what}`], [...list(lines, MOST_LINES), ...below]);
  const isChanged = notComparable.some(({ isChange }) => isChange);
  return [
    ...all(
      `not comparable with ${nameOf(source)}`,
      notComparable.map((one) => [...label(one), " · ", one.reason]),
      isChanged && report.docs !== undefined
        ? [line(...docsLink(["Compare all the same"], REGRADE, report))]
        : [],
    ),
    ...all(`not ${inBaseline(source)} yet`, added.map(label)),
    ...all(`only ${inBaseline(source)}`, removed.map(label)),
  ];
};

const REGRADE = "gate.md#when-the-prompt-or-the-judge-changed";

function label({ suite, task, model, grader, golden }: GradeKey): Line {
  const where = [suite, task, model, golden ? "golden" : ""].filter((part) => part !== "");
  return [bold(name(grader)), " · ", name(where.join(" · "))];
}

const HEADS: readonly Line[] = [
  ["Grader"],
  ["agrees on passed (TPR)"],
  ["agrees on failed (TNR)"],
  ["κ"],
  ["both pass"],
  ["judge pass, person fail"],
  ["judge fail, person pass"],
  ["both fail"],
];

const LEGEND =
  "Agrees on passed: of what people passed, the share that the judge passed, too (true pass rate, TPR); on failed: of what people failed, the share that it failed (true fail rate, TNR). Each has its 95 % interval (Wilson), once there are 5 labels of that verdict. κ: agreement beyond chance.";

/** A row for all and for each grader, which a terminal has no room for, then where judge and person differ, and labels of grades without a verdict; empty without labels. */
export const agreementSection: Section = (report, page) => {
  const { agreement } = report;
  if (!agreement || !hasLabels(agreement)) return [];
  const { graders, disagreements, uncounted } = agreement;
  const suites = new Set(graders.map(({ suite }) => suite)).size > 1;
  const graderName = ({ suite, grader, advisory }: GraderAgreement): Line => [
    name(suites ? `${grader} · ${suite}` : grader),
    advisory ? " (advisory, not in all)" : "",
  ];
  const shown = shownDropSentence(agreement);
  const most = Math.min(page.most, MOST_DISAGREEMENTS);
  const labelledName = labelledNames(report);
  const listOf = (head: string, some: readonly Labelled<Row>[]): Block[] => {
    const lines = some.map((one) => difference(one, labelledName(one.grade), page.reason));
    return lines.length === 0 ? [] : [title(head), ...list(lines, most)];
  };
  const rows = [
    [[bold("all")], ...figureCells(agreement)],
    ...graders.slice(0, MOST_LINES).map((one) => [graderName(one), ...figureCells(one)]),
  ];
  const figures: Block[] = [
    table("Judge and people", { heads: HEADS, numbers: 5 }, rows),
    ...moreOf(graders.length - MOST_LINES, "grader", page),
    ...(shown === undefined ? [] : [line(shown)]),
    note(LEGEND),
  ];
  const isTerminal = page.medium === "terminal";
  const text = proposal(disagreements, labelledName);
  return [
    ...(isTerminal ? [] : [heading("Is the judge right?")]),
    line(agreementSentence(agreement)),
    ...(isTerminal ? [] : figures),
    ...listOf(count(disagreements.length, "disagreement"), disagreements),
    // Where a page has room for it, and something to copy from.
    ...(text === undefined || page.medium === "comment" || isTerminal
      ? []
      : fold(["A prompt for better criteria, to copy"], [{ kind: "text", text }])),
    ...listOf(
      `${count(uncounted.length, "label")} of grades without a judge's verdict, not counted`,
      uncounted,
    ),
  ];
};

/** The names of labelled rows, as all sections have them; of a list with the statement's number. */
function labelledNames(report: Report): (row: Row) => string {
  const keyOf = (row: Row) => JSON.stringify([row.grader, runKey(row)]);
  const names = new Map(allShown(report).map(({ grade, name }) => [keyOf(grade), name]));
  return (row) => {
    const title = names.get(keyOf(row)) ?? row.grader;
    return row.statement === undefined ? title : `${title} · statement ${String(row.statement)}`;
  };
}

/** Both sides with their reasons; of a grade without a verdict what became of it. */
function difference({ label, grade }: Labelled<Row>, title: string, longest: number): Line {
  const state = hasVerdict(grade) ? deathText(grade) : grade.state;
  const because = (text: string | undefined): Inline[] => (text ? [": ", shorten(text, longest)] : []);
  return [
    bold(name(title)),
    ...(isJudged(grade) ? [BREAK, `the judge: ${verdictText(grade.state === "passed")}`] : [` · ${state}`]),
    ...because(grade.reason),
    BREAK,
    `the person: ${verdictText(label.passed)}`,
    ...because(label.note),
  ];
}

function verdictText(passed: boolean): string {
  return passed ? "✅ passed" : "❌ failed";
}

function figureCells({ table: four, tpr, tnr, kappa }: AgreementFigures): Line[] {
  return [
    rate(tpr, four.truePass + four.falseFail),
    rate(tnr, four.trueFail + four.falsePass),
    [kappa === undefined ? "–" : kappa.toFixed(2)],
    ...[four.truePass, four.falsePass, four.falseFail, four.trueFail].map((number) => [String(number)]),
  ];
}

function rate(figures: Rate | undefined, labels: number): Line {
  if (!figures) return [`– (${count(labels, "label")})`];
  const { value, agreed, lower, upper } = figures;
  return [
    bold(formatScore(value)),
    ` (${String(agreed)} of ${String(labels)}; ${lower.toFixed(2)} to ${upper.toFixed(2)})`,
  ];
}

/** A line for each grader, and why grades failed; empty without advisory graders. */
export const advisorySection: Section = (report, page) => {
  const { advisory } = report;
  if (!advisory) return [];
  const graders = [...Map.groupBy(shownGrades(advisory), ({ grade }) => grade.grader)];
  const items = graders.map(([grader, grades]): Item => {
    const failed = grades.filter(({ state }) => state === "failed");
    return {
      line: advisoryLine(grader, grades),
      below: list(failed.map(failureLine), page.each ? MOST_FAILURES : MOST_FAILURES_BRIEF),
    };
  });
  return [heading("Advisory graders (no effect on the result)"), ...list(items)];
};

function advisoryLine(grader: string, grades: readonly ShownGrade[]): Line {
  const graded = grades.filter(({ grade }) => hasVerdict(grade));
  const passed = graded.filter(({ state }) => state !== "failed").length;
  const without = grades.length - graded.length;
  return between([
    [bold(name(grader))],
    [`${String(passed)} of ${String(graded.length)} passed`],
    without > 0 ? [`⚠️ ${String(without)} without a verdict`] : [],
  ]);
}

function failureLine({ label, reason }: ShownGrade): Line {
  return ["❌ ", name(label), " — ", shorten(reason, LONGEST_BRIEF)];
}
