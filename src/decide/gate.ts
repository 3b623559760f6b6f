/**
 * Success or failure of the run: the first rule that applies decides (docs/gate.md), by the facts; and whether graded results may be a
 * baseline. Pure.
 */
import { failedBeside, goneSuites, isWorse } from "./compare.ts";
import { decideRegression } from "./comparison-text.ts";
import { type Facts, type GateInput, type Said, RULES, ruleOf } from "./rules.ts";
import { deadRunProblems, deadSentences } from "./run-problems.ts";
import { silentSentences, withoutVerdictOf } from "./scores-text.ts";
import { tasksToRunAgain } from "./second-look.ts";
import { queriesOf, triggersPart } from "./triggers.ts";
import type { Decided } from "./what-now.ts";
import type { AskedAgain, Conclusion } from "../domain/grade.ts";
import { isError } from "../domain/problem.ts";
import { type Scores, isWithoutCheck, taskKey, taskKeyOfAnyModel } from "../domain/row.ts";
import { upperFirst, withoutEnd } from "../text/format.ts";

/** Decides from the facts. */
export function decide(input: GateInput): Conclusion {
  const facts = factsOf(input);
  const isLenient = facts.policy.failOn === "never";
  const applying = RULES.flatMap(({ say, ...rule }) => {
    const said = say(facts);
    return said ? [{ ...rule, ...said }] : [];
  });
  // The last rule always applies.
  const [decisive] = applying.filter(({ isSpared }) => !(isSpared && isLenient)) as [
    (typeof applying)[number],
  ];
  const { rule, conclusion, check, word, isSpared, isUnfinished } = decisive;
  const said = isSpared ? deadFirst(decisive, facts.scores) : decisive;
  const { sentences, cause } = isUnfinished ? said : withTriggers(said, facts);
  const [first, ...further] = sentences;
  const more = further.map(upperFirst);
  const start = word === undefined ? upperFirst(first) : `${word}: ${first}`;
  return {
    rule,
    conclusion,
    check: decisive === applying[0] ? check : "neutral",
    isOfTriggers: said.isOfTriggers,
    passed: isAllPassed(input),
    again: rule === "second-look" ? facts.toRunAgain : [],
    sentences: [first, ...more],
    sentence: [start, ...more].reduce((before, next) => `${withoutEnd(before, ".")}. ${next}`),
    cause,
  };
}

function factsOf(input: GateInput): Facts {
  const { scores, policy, comparison } = input;
  const { counts } = scores;
  const incomplete = policy.failOn === "score" ? counts.incomplete : 0;
  return {
    ...input,
    counts,
    incomplete,
    withoutVerdict: withoutVerdictOf(counts) + incomplete,
    failedEarlier: scores.grades.filter((row) => row.hasLaterAttempt && row.state === "failed").length,
    toRunAgain: waitsFor(input),
    regression: comparison && policy.failOn === "regression" ? decideRegression(comparison) : undefined,
  };
}

/** Whether every planned grade is graded and passed. */
function isAllPassed({ scores: { counts }, problems, narrowed }: GateInput): boolean {
  const isThere = counts.planned > 0 || narrowed === true;
  return !problems.some(isError) && counts.passed === counts.planned && isThere;
}

/** What dropped, on a pull request that has a second look, unless it is red in any case. */
function waitsFor(input: GateInput): readonly AskedAgain[] {
  const { comparison, policy, mayRunAgain, scores, triggers } = input;
  if (!policy.secondLook || policy.failOn !== "regression" || mayRunAgain === undefined) return [];
  const isRed =
    silentSentences(scores).length > 0 ||
    deadSentences(scores) !== undefined ||
    [comparison, triggers?.comparison].some((one) => one && goneSuites(one).length > 0) ||
    (comparison && failedBeside(comparison).unexcused.length > 0);
  return isRed ? [] : askedAgain(input, mayRunAgain);
}

/** What dropped in grades or triggers and is to run again, where it may; nothing where one of both is red for sure. */
export function askedAgain(
  { comparison, triggers }: Pick<GateInput, "comparison" | "triggers">,
  mayRunAgain: ReadonlySet<string>,
): readonly AskedAgain[] {
  const compared = [comparison, triggers?.comparison].flatMap((one) => one ?? []);
  const again = compared.map(({ test }) => tasksToRunAgain(test));
  if (compared.some((one, index) => again[index]?.length === 0 && isWorse(one))) return [];
  const pairs = compared.flatMap((one) => one.pairs);
  const asked = again.flat().map((key): AskedAgain => {
    const { suite, task } = key;
    const ofTask = pairs.filter((pair) => taskKeyOfAnyModel(pair) === taskKeyOfAnyModel(key));
    const ofModel = ofTask.find((pair) => taskKey(pair) === taskKey(key));
    const isOnly = new Set(ofTask.map(taskKey)).size === 1;
    return { suite, task, model: isOnly ? undefined : ofModel?.current.example.modelAsked };
  });
  return asked.every((one) => mayRunAgain.has(taskKeyOfAnyModel(one))) ? asked : [];
}

/** When the agent never got to work, that comes before what the rule says. */
function deadFirst(said: Said, scores: Scores): Said {
  const dead = deadSentences(scores);
  if (!dead) return said;
  const cause = deadRunProblems(scores)[0]?.help;
  return { ...said, sentences: [...dead, ...said.sentences], cause };
}

/** With the state of trigger evals in the first sentence, or in the last where it is of them. */
function withTriggers(said: Said, { triggers }: Facts): Said {
  if (!triggers) return said;
  const part = triggersPart(triggers);
  const [first, ...more] = said.sentences;
  const isLast = said.isOfTriggers === true;
  return { ...said, sentences: isLast ? [first, ...more, part] : [`${first}; ${part}`, ...more] };
}

/**
 * Whether every planned grade has checks of a judge, no trigger eval is missing, and some check passed, or without any
 * grade some query; the conclusion may be failure.
 */
export function isBaselineWorthy({
  scores: { counts, grades },
  conclusion: { rule },
  triggers,
}: Pick<Decided, "scores" | "conclusion" | "triggers">): boolean {
  const queries = queriesOf(triggers);
  if (ruleOf(rule).isUnfinished || queries.some(({ absent }) => absent === "missing")) return false;
  const passes =
    counts.planned === 0 ? queries.some(({ isRight }) => isRight) : grades.some(({ score = 0 }) => score > 0);
  const isComplete = passes && counts.passed + counts.failed === counts.planned;
  return isComplete && !grades.some(isWithoutCheck);
}
