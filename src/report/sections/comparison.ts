/** What became worse and better than the baseline: a line for the first screen, and a section. Pure. */
import type { Comparison } from "../../compare/compare.ts";
import { inBaseline, nameOf } from "../../compare/baseline-source.ts";
import { asidesSentence, comparisonSentence, movedText } from "../../compare/comparison-sentence.ts";
import type { Pair, Side } from "../../compare/pairs.ts";
import type { GradeKey } from "../../records/grade-key.ts";
import { asSentence, count, shorten } from "../../text/format.ts";
import { between, bold, BREAK, fold, heading, line, list, name, title } from "../document/tree.ts";
import type { Block, Line } from "../document/tree.ts";
import { isByComparison } from "../title.ts";
import { moreOf } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Characters of a name, of a reason, and of an answer. */
const NAME = 300;
const REASON = 600;
const BRIEF_REASON = 140;
const ANSWER = 400;
const LONG_ANSWER = 2_000;
/** Characters of the line. */
const SENTENCE = 3_000;
/** Lines of a list. */
const LINES = 50;
const BRIEF_LINES = 5;

/** One line: which way the pass rate moved, and what that means; nothing where nothing was to be compared. */
export const comparisonLine: Section = (report) => {
  const { comparison, conclusion } = report;
  if (!comparison) return [];
  const text = isByComparison(report)
    ? `${asSentence(conclusion.sentence)} ${asidesSentence(comparison)}`.trimEnd()
    : comparisonSentence(comparison);
  return [line(arrowOf(comparison), shorten(text, SENTENCE))];
};

/** `▼ `; empty where nothing moved. */
function arrowOf({ verdict, drop }: Comparison): string {
  if (verdict === "none" || drop === 0) return "";
  return drop > 0 ? "▼ " : "▲ ";
}

/**
 * What is newly failing, newly passing, still failing, not comparable, new and removed; where there is less room, a line
 * for each newly failing grader instead of both sides, and none for what did not change.
 */
export const comparisonSection: Section = ({ comparison }, page) => {
  if (!comparison || comparison.source.absent !== undefined) return [];
  const { newlyFailing, newlyPassing, stillFailing, notComparable, added, removed } = comparison;
  const { each } = page;
  const before = inBaseline(comparison.source);
  const label = labels(comparison);
  const most = each ? LINES : BRIEF_LINES;
  // On small pages the reason is printed once, above.
  const changed = (pair: Pair): Line => [...label(pair), ` · ${nOfK(pair)}`, each ? whyNow(pair) : ""];
  const all = (what: string, lines: readonly Line[]) =>
    each ? fold([`${count(lines.length, "grader")} ${what}`], list(lines, LINES)) : [];
  const parts = [
    ...(newlyFailing.length > 0 ? [title("Newly failing")] : []),
    ...(each
      ? newlyFailing
          .slice(0, LINES)
          .flatMap((pair, index) =>
            sides(pair, { label: label(pair), before, open: index === 0, most: mostOf(page) }),
          )
      : list(
          newlyFailing.map((pair) => ["❌ ", ...changed(pair)]),
          most,
        )),
    ...(each ? moreOf(newlyFailing.length - LINES, "newly failing grader", page) : []),
    ...(newlyPassing.length > 0 ? [title("Newly passing")] : []),
    ...list(
      newlyPassing.map((pair) => ["✅ ", ...changed(pair)]),
      most,
    ),
    ...all(`failing ${before}, too`, stillFailing.map(changed)),
    ...all(
      "not comparable",
      notComparable.map((one) => [...label(one), " · ", one.reason]),
    ),
    ...all(`not ${before}`, added.map(label)),
    ...all(`only ${before}`, removed.map(label)),
  ];
  return parts.length === 0 ? [] : [heading(`Compared with ${nameOf(comparison.source)}`), ...parts];
};

/** What a comparison's graders are called: a model is named where there are several, and so is a suite. */
function labels({ pairs, notComparable, added, removed }: Comparison): (place: GradeKey) => Line {
  const all = [...pairs, ...notComparable, ...added, ...removed];
  const several = (part: "model" | "suite") => new Set(all.map((one) => one[part])).size > 1;
  const [suites, models] = [several("suite"), several("model")];
  return ({ suite, task, model, grader, golden }) => {
    const parts = [suites ? suite : "", task, models ? model : "", golden ? "golden" : ""];
    const where = parts.filter((part) => part !== "").join(" · ");
    return [bold(name(grader, NAME)), " · ", name(where, NAME)];
  };
}

/** Maximum characters of an answer; a file has room for more. */
function mostOf({ medium }: Page): number {
  return medium === "file" ? LONG_ANSWER : ANSWER;
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
      row("the judge", ({ example }) => [example.passed ? "✅ " : "❌ ", ...lines(example.reason, REASON)]),
      row("the answer", (side) => answerCell(side, pair, most)),
    ],
  };
  return fold(["❌ ", ...label, ` · ${nOfK(pair)}`], [table], open);
}

/** An answer; of two that are equal one. */
function answerCell(side: Side, pair: Pair, most: number): Line {
  const { answer = "" } = side.example;
  const isSame = side === pair.current && answer !== "" && answer === pair.baseline.example.answer;
  return isSame ? ["the same, word for word"] : lines(fromDifference(answer, pair, most), most);
}

/** An answer from a little before the point where it differs from the other side's, which may be far below. */
function fromDifference(answer: string, { baseline, current }: Pair, most: number): string {
  const [one, other] = [baseline.example.answer ?? "", current.example.answer ?? ""];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const start = same < one.length || same < other.length ? Math.max(0, same - most / 4) : 0;
  return start === 0 ? answer : `…${answer.slice(start).replace(/^[\uDC00-\uDFFF]/, "")}`;
}

/** A text of lines in a table. */
function lines(text: string | undefined, most: number): Line {
  const all = shorten(text ?? "", most).split("\n");
  return between(
    all.filter((one) => one.trim() !== "").map((one) => [one]),
    BREAK,
  );
}

/** `3 of 3 → 1 of 3`. */
function nOfK({ baseline, current }: Pair): string {
  const less = current.passes > 0 && current.passes * baseline.runs < baseline.passes * current.runs;
  return `${movedText(baseline, current)} passed${less ? " (passes less often)" : ""}`;
}

function whyNow({ current: { example } }: Pair): string {
  return example.reason === undefined ? "" : ` — ${shorten(example.reason, BRIEF_REASON)}`;
}
