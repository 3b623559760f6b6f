/** The header of a page: its title, the bar of grades, and the conclusion. */
import type { Report } from "../report.ts";
import type { Grade } from "../../domain/grade.ts";
import { asSentence, count, formatDollars, formatNumber, shorten } from "../../text/format.ts";
import { countStates, SQUARES, stateOf, WORDS } from "../../text/states.ts";
import { between, code, line, several } from "../document/tree.ts";
import type { Line } from "../document/tree.ts";
import { isByComparison, isWhole, titleOf } from "../title.ts";
import type { Section } from "./section.ts";

/** Maximum squares in a bar: one line on a phone. */
const MOST_SQUARES = 16;
/** Maximum judges to name. */
const JUDGES = 3;
/** Maximum characters of a title. */
const TITLE = 500;
/** Maximum characters of the verdict's sentence. */
const SENTENCE = 2_000;

const SIGNS = { success: "✅", failure: "❌", neutral: "⚪", cancelled: "🚫" };

/** The title with its sign. */
export function headline(report: Report): Line {
  return [`${signOf(report)} ${shorten(titleOf(report), TITLE)}`];
}

/** The sign of the conclusion; errored judges have their own, since the agent did not fail. */
function signOf({ conclusion, scores: { counts } }: Report): string {
  const noVerdict = counts.planned > 0 && counts.passed + counts.failed === 0;
  const judgeDown = conclusion.rule === "errored" || (noVerdict && conclusion.rule === "passed");
  return judgeDown ? "⚠️" : SIGNS[conclusion.check];
}

/** The bar of squares with its counts, the judges and their cost; empty without grades. */
export const barSection: Section = (report) =>
  report.scores.counts.planned === 0 || report.estimate
    ? []
    : [line(`${bar(report)} `, ...between([[tally(report)], judges(report)]))];

/** The part of the conclusion that is not in the title. Configuration problems are listed below it. */
export const verdictLine: Section = (report) => {
  const { sentence, details, rule } = report.conclusion;
  if (rule === "configuration" || isByComparison(report)) return [];
  const texts = isWhole(report) ? details : [sentence];
  return texts.length === 0 ? [] : [line(shorten(texts.map(asSentence).join(" "), SENTENCE))];
};

/** One square per grade; if they do not fit, squares in proportion, at least one per state. */
function bar({ scores }: Report): string {
  const states = countStates(scores.grades);
  const all = scores.grades.length;
  const scale = Math.min(1, MOST_SQUARES / all);
  const sizes = states.map(([state, number]) => ({ state, size: Math.max(1, Math.round(number * scale)) }));
  const excess = sizes.reduce((sum, { size }) => sum + size, 0) - Math.min(all, MOST_SQUARES);
  const largest = sizes.reduce((a, b) => (b.size > a.size ? b : a));
  return sizes
    .map((one) => SQUARES[one.state].repeat(one === largest ? Math.max(1, one.size - excess) : one.size))
    .join("");
}

function tally({ scores: { grades, counts } }: Report): string {
  const { pairs } = counts;
  const doubts = grades.filter((grade) => stateOf(grade) === "doubtful").length;
  return [
    ...countStates(grades).map(([state, number]) => `${formatNumber(number)} ${WORDS[state]}`),
    ...(doubts > 0 ? [`${formatNumber(doubts)} with a doubt`] : []),
    ...(pairs
      ? [`same winner in both orders: ${formatNumber(pairs.consistent)} of ${count(pairs.all, "pair")}`]
      : []),
  ].join(" · ");
}

/** The judge models, and their cost if known. */
function judges({ scores }: Report): Line {
  const judged = scores.grades.filter(({ job }) => !job.settled);
  const names = [...new Set(judged.map(({ job }) => job.judgeModel))];
  const isRecorded = ({ job, verdict }: Grade) =>
    job.settled !== undefined && verdict.state === "graded" && verdict.recorded === true;
  if (names.length === 0) return scores.grades.some(isRecorded) ? ["verdicts recorded in the results"] : [];
  const cost = scores.counts.cost ?? 0;
  const models = names.map((model) => [code(model)]);
  return ["judge ", ...several(models, JUDGES), cost > 0 ? ` ${formatDollars(cost)}` : ""];
}
