/**
 * Verdicts beside something else: the baseline, people's labels; and advisory graders. Pure.
 */
import {
  type Comparison,
  droppedPairs,
  newlyFailing,
  newlyPassing,
  stillFailing,
} from "../../decide/compare.ts";
import { comparisonSentence, movedText } from "../../decide/comparison-text.ts";
import { type Pair, type Side, inBaseline, nameOf } from "../../decide/pairs.ts";
import { type GradeKey, hasVerdict, isJudged } from "../../domain/row.ts";
import {
  type AgreementFigures,
  type GraderAgreement,
  type Labelled,
  type Named,
  type Rate,
  agreementSentence,
  hasLabels,
  shownDropSentence,
} from "../../labels/agreement.ts";
import {
  BREAK,
  type Block,
  type Inline,
  type Item,
  type Line,
  type Page,
  type Section,
  andMore,
  between,
  bold,
  fold,
  heading,
  line,
  list,
  moreOf,
  name,
  note,
  title,
} from "../document/tree.ts";
import { isByComparison } from "./page-ends.ts";
import { suiteTables } from "./tables.ts";
import { type ShownGrade, shownGrades } from "../shown-grade.ts";
import { count, formatScore, shorten } from "../../text/format.ts";
import {
  LONGEST_ADVISORY_REASON,
  LONGEST_ANSWER,
  LONGEST_ANSWER_UNFOLDED,
  LONGEST_COMPARED_NAME,
  LONGEST_COMPARED_REASON,
  LONGEST_COMPARISON,
  LONGEST_REASON_BRIEF,
  MOST_DISAGREEMENTS,
  MOST_FAILURES,
  MOST_FAILURES_BRIEF,
  MOST_GRADERS,
  MOST_LINES,
  MOST_LINES_BRIEF,
} from "../limits.ts";

/** One line: which way the score moved, and what that means; nothing where the conclusion says it. */
export const comparisonLine: Section = (report) => {
  const { comparison } = report;
  if (!comparison || isByComparison(report)) return [];
  return [line(arrowOf(comparison), shorten(comparisonSentence(comparison), LONGEST_COMPARISON))];
};

/** `▼ `; empty where nothing moved. */
function arrowOf({ test: { drop } }: Comparison): string {
  if (drop === 0) return "";
  return drop > 0 ? "▼ " : "▲ ";
}

/**
 * What is newly failing, newly passing, still failing, not comparable, new and removed; where there is less room, a line
 * for each newly failing grader instead of both sides, and none for what did not change.
 */
export const comparisonSection: Section = ({ comparison }, page) => {
  if (!comparison || comparison.source.absent !== undefined) return [];
  const { notComparable, added, removed } = comparison;
  const [failing, passing] = [newlyFailing(comparison), newlyPassing(comparison)];
  const lower = droppedPairs(comparison).filter((pair) => !failing.includes(pair));
  const { each } = page;
  const before = inBaseline(comparison.source);
  const label = labels(comparison);
  const most = each ? MOST_LINES : MOST_LINES_BRIEF;
  // On small pages the reason is printed once, above.
  const changed = (pair: Pair): Line => [...label(pair), ` · ${nOfK(pair)}`, each ? whyNow(pair) : ""];
  const all = (what: string, lines: readonly Line[]) =>
    each ? fold([`${count(lines.length, "grader")} ${what}`], list(lines, MOST_LINES)) : [];
  const parts = [
    ...(failing.length > 0 ? [title("Newly failing")] : []),
    ...(each
      ? failing
          .slice(0, MOST_LINES)
          .flatMap((pair, index) =>
            sides(pair, { label: label(pair), before, open: index === 0, most: mostOf(page) }),
          )
      : list(
          failing.map((pair) => ["❌ ", ...changed(pair)]),
          most,
        )),
    ...(each ? moreOf(failing.length - MOST_LINES, "newly failing grader", page) : []),
    ...(lower.length > 0 ? [title(`Lower than ${before}`)] : []),
    ...list(
      lower.map((pair) => ["❌ ", ...changed(pair)]),
      most,
    ),
    ...(passing.length > 0 ? [title("Newly passing")] : []),
    ...list(
      passing.map((pair) => ["✅ ", ...changed(pair)]),
      most,
    ),
    ...all(
      `failing ${before}, too`,
      stillFailing(comparison)
        .filter((pair) => !lower.includes(pair))
        .map(changed),
    ),
    ...all(
      "not comparable",
      notComparable.map((one) => [...label(one), " · ", one.reason]),
    ),
    ...all(`not ${before}`, added.map(label)),
    ...all(`only ${before}`, removed.map(label)),
  ];
  return parts.length === 0 ? [] : [heading(`Compared with ${nameOf(comparison.source)}`), ...parts];
};

/** What the comparable part of a grader was in the baseline. */
function before(grader: string, comparison: Comparison | undefined): string {
  const pairs = (comparison?.pairs ?? []).filter((pair) => pair.grader === grader);
  if (pairs.length === 0) return "";
  const sum = (figure: (pair: (typeof pairs)[number]) => number) =>
    pairs.reduce((total, pair) => total + figure(pair), 0);
  const passes = sum(({ baseline }) => baseline.passes);
  const runs = sum(({ baseline }) => baseline.runs);
  return `, ${String(passes)} of ${String(runs)} ${inBaseline(comparison?.source ?? {})}`;
}

/** What a comparison's graders are called: a model is named where there are several, and so is a suite. */
function labels({ pairs, notComparable, added, removed }: Comparison): (place: GradeKey) => Line {
  const all = [...pairs, ...notComparable, ...added, ...removed];
  const several = (part: "model" | "suite") => new Set(all.map((one) => one[part])).size > 1;
  const [suites, models] = [several("suite"), several("model")];
  return ({ suite, task, model, grader, golden }) => {
    const parts = [suites ? suite : "", task, models ? model : "", golden ? "golden" : ""];
    const where = parts.filter((part) => part !== "").join(" · ");
    return [bold(name(grader, LONGEST_COMPARED_NAME)), " · ", name(where, LONGEST_COMPARED_NAME)];
  };
}

/** `3 of 3 → 1 of 3`. */
function nOfK(pair: Pair): string {
  const { baseline, current } = pair;
  const less = current.passes > 0 && current.passes * baseline.runs < baseline.passes * current.runs;
  return `${movedText(pair)}${less ? " (passes less often)" : ""}`;
}

function whyNow({ current: { example } }: Pair): string {
  return example.reason === undefined ? "" : ` — ${shorten(example.reason, LONGEST_REASON_BRIEF)}`;
}

/** A text of lines in a table. */
function lines(text: string | undefined, most: number): Line {
  const all = shorten(text ?? "", most).split("\n");
  return between(
    all.filter((one) => one.trim() !== "").map((one) => [one]),
    BREAK,
  );
}

interface BothSides {
  readonly label: Line;
  /** What the column of the baseline is called. */
  readonly before: string;
  readonly open: boolean;
  /** Characters of an answer. */
  readonly most: number;
}

/** A newly failing grader with both sides. */
function sides(pair: Pair, { label, before, open, most }: BothSides): readonly Block[] {
  const row = (what: string, cell: (side: Side) => Line): Line[] => [
    [what],
    ...[pair.baseline, pair.current].map((side) => {
      const text = cell(side);
      return text.length === 0 ? ["–"] : text;
    }),
  ];
  const table: Block = {
    kind: "table",
    heads: [["What"], [before], ["now"]],
    align: ["left", "left", "left"],
    sides: true,
    rows: [
      row("passed", ({ passes, runs }) => [`${String(passes)} of ${String(runs)}`]),
      row("the judge", ({ example }) => [
        example.state === "passed" ? "✅ " : "❌ ",
        ...lines(example.reason, LONGEST_COMPARED_REASON),
      ]),
      row("the answer", (side) => answerCell(side, pair, most)),
    ],
  };
  return fold(["❌ ", ...label, ` · ${nOfK(pair)}`], [table], open);
}

/** An answer; of two that are equal one. */
function answerCell(side: Side, pair: Pair, most: number): Line {
  const { answer } = side.example;
  const isSame = side === pair.current && answer !== "" && answer === pair.baseline.example.answer;
  return isSame ? ["the same, word for word"] : lines(fromDifference(answer, pair, most), most);
}

/** An answer from a little before the point where it differs from the other side's, which may be far below. */
function fromDifference(answer: string, { baseline, current }: Pair, most: number): string {
  const [one, other] = [baseline.example.answer, current.example.answer];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const start = same < one.length || same < other.length ? Math.max(0, same - most / 4) : 0;
  return start === 0 ? answer : `…${answer.slice(start).replace(/^[\uDC00-\uDFFF]/, "")}`;
}

/** Maximum characters of an answer; a file has room for more. */
function mostOf({ medium }: Page): number {
  return medium === "file" ? LONGEST_ANSWER_UNFOLDED : LONGEST_ANSWER;
}

const HEADS = [
  "Grader",
  "agrees on passed (TPR)",
  "agrees on failed (TNR)",
  "κ",
  "both pass",
  "judge pass, person fail",
  "judge fail, person pass",
  "both fail",
];

const LEGEND =
  "Agrees on passed: of what people passed, the share that the judge passed, too (true pass rate, TPR); on failed: of what people failed, the share that it failed (true fail rate, TNR). Each has its 95 % interval (Wilson), once there are 5 labels of that verdict. κ: agreement beyond chance.";

/** A row for all and for each grader, then where judge and person differ, and labels of grades without a verdict; empty without labels. */
export const agreementSection: Section = ({ agreement }, page) => {
  if (!agreement || !hasLabels(agreement)) return [];
  const { graders, disagreements, uncounted } = agreement;
  const suites = new Set(graders.map(({ suite }) => suite)).size > 1;
  const nameOf = ({ suite, grader, advisory }: GraderAgreement): Line => [
    name(suites ? `${grader} · ${suite}` : grader, LONGEST_COMPARED_NAME),
    advisory ? " (advisory, not in all)" : "",
  ];
  const shown = shownDropSentence(agreement);
  const more = andMore(graders.length - MOST_GRADERS);
  const most = Math.min(page.most, MOST_DISAGREEMENTS);
  const listOf = (head: Line, some: readonly Labelled<Named>[]): Block[] =>
    some.length === 0
      ? []
      : [
          title(...head),
          ...list(
            some.map((one) => difference(one, page.reason)),
            most,
          ),
        ];
  return [
    heading("Is the judge right?"),
    line(agreementSentence(agreement)),
    {
      kind: "table",
      heads: HEADS.map((head) => [head]),
      align: ["left", "left", "left", "right", "right", "right", "right", "right"],
      rows: [
        [[bold("all")], ...figureCells(agreement)],
        ...graders.slice(0, MOST_GRADERS).map((one) => [nameOf(one), ...figureCells(one)]),
        ...(more === "" ? [] : [HEADS.map((_head, index): Line => (index === 0 ? [more] : []))]),
      ],
    },
    ...(shown === undefined ? [] : [line(shown)]),
    note(LEGEND),
    ...listOf([count(disagreements.length, "disagreement")], disagreements),
    ...listOf(
      [`${count(uncounted.length, "label")} of grades without a judge's verdict, not counted`],
      uncounted,
    ),
  ];
};

/** Both sides with their reasons; of a grade without a verdict what became of it. */
function difference({ label, grade }: Labelled<Named>, longest: number): Line {
  const state = hasVerdict(grade) ? "the agent never got to work" : grade.state;
  const because = (text: string | undefined): Inline[] => (text ? [": ", shorten(text, longest)] : []);
  return [
    bold(name(grade.name, LONGEST_COMPARED_NAME)),
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

/** A line for each grader, its change where the baseline has it, and why grades failed; empty without advisory graders. */
export const advisorySection: Section = (report, page) => {
  const { advisory } = report;
  if (!advisory) return [];
  const { comparison } = advisory;
  const graders = [...Map.groupBy(shownGrades(advisory), ({ grade }) => grade.grader)];
  const items = graders.map(([grader, own]): Item => {
    const failed = own.filter(({ state }) => state === "failed");
    return {
      line: graderLine(grader, own, comparison),
      below: list(failed.map(failureLine), page.each ? MOST_FAILURES : MOST_FAILURES_BRIEF),
    };
  });
  return [
    heading("Advisory graders (no effect on the result)"),
    ...list(items),
    ...(comparison ? [line(comparisonSentence(comparison))] : []),
    ...(page.medium === "file" ? suiteTables(advisory, page, false) : []),
  ];
};

function graderLine(grader: string, own: readonly ShownGrade[], comparison: Comparison | undefined): Line {
  const graded = own.filter(({ grade }) => hasVerdict(grade));
  const passed = graded.filter(({ state }) => state !== "failed").length;
  const without = own.length - graded.length;
  return between([
    [bold(name(grader, LONGEST_COMPARED_NAME))],
    [`${String(passed)} of ${String(graded.length)} passed${before(grader, comparison)}`],
    without > 0 ? [`⚠️ ${String(without)} without a verdict`] : [],
  ]);
}

function failureLine({ label, reason }: ShownGrade): Line {
  return ["❌ ", name(label, LONGEST_COMPARED_NAME), " — ", shorten(reason, LONGEST_ADVISORY_REASON)];
}
