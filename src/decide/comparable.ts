/**
 * Whether verdicts of two sides can be compared: by what they were judged by, as far as both say, and by the models that
 * answered. Pure.
 */
import type { Basis } from "../domain/grade.ts";
import { type Row, type VerdictRow, deathText, hasVerdict, isChecked, isJudged } from "../domain/row.ts";
import { listed, shorten } from "../text/format.ts";
import { STATES, stateOf } from "../text/states.ts";
import { withoutDate } from "../text/suggest.ts";

/** A part of a basis. */
interface Part {
  readonly part: keyof Basis;
  /** Its name in sentences. */
  readonly word: string;
  /** It makes a judge. */
  readonly isOfJudge?: true;
  /** Only a verdict has it for which a judge was asked: absent counts as equal. */
  readonly isOfAsked?: true;
  /** It follows from another one, and is not named beside it. */
  readonly follows?: keyof Basis;
}

const PARTS: readonly Part[] = [
  { part: "promptSha256", word: "the grader's prompt" },
  { part: "rubricSha256", word: "the rubric" },
  { part: "continueSession", word: "`continue_session`" },
  { part: "inputsSha256", word: "the task's inputs" },
  { part: "judgeModel", word: "the judge model", isOfJudge: true },
  { part: "reasoningEffort", word: "the reasoning effort", isOfJudge: true },
  { part: "sentModel", word: "the model name in requests", isOfJudge: true, follows: "judgeModel" },
  { part: "sentApi", word: "the API", isOfJudge: true, isOfAsked: true },
  {
    part: "sentEffort",
    word: "the reasoning effort that was sent",
    isOfJudge: true,
    isOfAsked: true,
    follows: "reasoningEffort",
  },
  { part: "voting", word: "the voting", isOfJudge: true },
  { part: "templateVersion", word: "the action's template", isOfJudge: true },
];

/** The distinct bases of a grader's grades; undefined for a grade without one. */
export function basesOf(grades: readonly VerdictRow[]): (Basis | undefined)[] {
  const key = ({ basis }: VerdictRow) =>
    JSON.stringify(basis && PARTS.map(({ part }) => basis[part] ?? null));
  return [...new Map(grades.map((grade) => [key(grade), grade.basis])).values()];
}

/** The differing parts of two bases; undefined when one is unknown. */
export function differing(old: Basis | undefined, fresh: Basis | undefined): readonly Part[] | undefined {
  if (!old || !fresh) return undefined;
  return PARTS.filter(({ part, isOfAsked }) => {
    const isKnown = old[part] !== undefined && fresh[part] !== undefined;
    return old[part] !== fresh[part] && (isKnown || !isOfAsked);
  }).filter(({ follows }, _, all) => !all.some(({ part }) => part === follows));
}

/**
 * Why two sides that were asked alike were answered by different models; undefined where their names meet, where a side
 * names none, and where the files of the baseline disagree among themselves. Providers answer for a model that is gone
 * by another one.
 */
export function otherAnswers(before: readonly Row[], now: readonly Row[], there: string): string | undefined {
  const files = [...Map.groupBy(before, ({ file }) => file).values()].map(answeredBy);
  const [first, ...others] = files.filter(({ size }) => size > 0);
  const fresh = answeredBy(now);
  if (!first || fresh.size === 0 || !others.every((names) => meet(names, first))) return undefined;
  const old = answeredBy(before);
  if (meet(old, fresh)) return undefined;
  const named = (names: ReadonlySet<string>) => listed([...names].map((name) => shorten(name, 60)));
  return `the judge was answered by ${named(old)} ${there} and is by ${named(fresh)} now`;
}

/** The models that answered for these grades, without dates: versions of one model are one. */
function answeredBy(grades: readonly Row[]): ReadonlySet<string> {
  return new Set(
    grades.flatMap((grade) =>
      isChecked(grade) && grade.judge?.servedBy ? withoutDate(grade.judge.servedBy) : [],
    ),
  );
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((name) => others.has(name));
}

/** The template of verdicts by waza's own judge. */
const WAZA = "waza";

/** How two sides with verdicts were graded in another way. */
export function whyOther(
  before: readonly Row[],
  fresh: readonly (Basis | undefined)[],
  there: string,
): { readonly reason: string; readonly excused?: string } {
  if (fresh.length > 1) return { reason: "the runs were not all graded in the same way" };
  const [old, basis] = [before.findLast(isChecked)?.basis, fresh[0]];
  const parts = differing(old, basis);
  if (!old || !parts) return { reason: "the baseline does not say how it was graded" };
  if (!basis) return { reason: "the grade does not say how it was made" };
  if (old.templateVersion === WAZA) return { reason: `waza's own judge gave the verdicts ${there}` };
  const value = (one: Basis, part: keyof Basis) => shorten(String(one[part] ?? "none"), 60);
  const [changed] = parts.filter(({ part }) => part !== "templateVersion");
  if (!changed) {
    const versions = `template ${value(old, "templateVersion")} ${there}, ${value(basis, "templateVersion")} now`;
    return { excused: "this action was updated", reason: `this action was updated: ${versions}` };
  }
  const differences = parts.map(({ part, word }) =>
    part.endsWith("Sha256") ? word : `${word} (${value(old, part)} ${there}, ${value(basis, part)} now)`,
  );
  const reason = `not equal: ${differences.join(", ")}`;
  const isTheirs = parts.every(({ part, isOfJudge }) => isOfJudge && isNotTheAuthors(part, old, basis));
  if (!isTheirs) return { reason };
  const what = changed.part === "judgeModel" ? "the judge" : changed.word;
  return {
    reason,
    excused: `${what} was ${value(old, changed.part)} ${there} and is ${value(basis, changed.part)} now`,
  };
}

/**
 * Whether a part of the judge was changed by an input, by our default or by the provider. What a file of the repository
 * says, or said until this pull request, is its author's, and could soften a gate.
 */
function isNotTheAuthors(part: keyof Basis, old: Basis, basis: Basis): boolean {
  if (part !== "judgeModel" && part !== "reasoningEffort") return true;
  const by = part === "judgeModel" ? "modelBy" : "effortBy";
  const [before, now] = [old[by], basis[by]];
  if (now === "input") return before === "input" || before === "default" || before === "eval";
  return now === "default" && (before === "input" || before === "default");
}

/** Why a side has nothing to compare; undefined when it has. */
export function withoutVerdict(grades: readonly Row[], where: string): string | undefined {
  if (grades.some(isChecked)) return undefined;
  const states = grades.map((grade) => {
    if (!hasVerdict(grade)) return STATES[stateOf(grade)].word;
    return isJudged(grade) ? "the judge reported no check" : deathText(grade);
  });
  return `no verdict ${where}: ${[...new Set(states)].join(", ")}`;
}
