/** Success or failure of the run: the first rule that applies decides (docs/scoring.md). */
import type { Conclusion } from "../domain/conclusion.ts";
import type { Scores } from "../domain/scores.ts";
import { upperFirst } from "../text/format.ts";
import { deadRunProblems, deadText } from "./dead-runs.ts";
import { factsOf } from "./gate-facts.ts";
import type { GateInput } from "./gate-facts.ts";
import { scoreSentence } from "./gate-parts.ts";
import type { RuleText } from "./gate-parts.ts";
import { RULES } from "./gate-rules.ts";

/** Decides from the facts; the sentence is the check's title and the step's last line. */
export function decide(input: GateInput): Conclusion {
  const facts = factsOf(input);
  const isLenient = facts.policy.failOn === "never";
  const applying = RULES.flatMap(({ say, ...rule }) => {
    const text = say(facts);
    return text ? [{ ...rule, text }] : [];
  });
  // The last rule always applies.
  const [decisive] = applying.filter(({ spared }) => !(spared && isLenient)) as [(typeof applying)[number]];
  const { rule, conclusion, check, word, spared } = decisive;
  const { title, details, cause, score } = spared ? deadFirst(decisive.text, facts.scores) : decisive.text;
  const isOwnWord = word !== "Passed" && word !== "Failed";
  return {
    rule,
    conclusion,
    check: decisive === applying[0] ? check : "neutral",
    passed: facts.passed,
    title: isOwnWord ? `${word.toLowerCase()}: ${title}` : title,
    details,
    sentence: `${word}: ${[title, ...details, score ?? scoreSentence(facts.scores)].filter(Boolean).join(". ")}`,
    cause,
  };
}

/** When the agent never got to work, that comes before what the rule says. */
function deadFirst(text: RuleText, scores: Scores): RuleText {
  const dead = deadText(scores);
  if (!dead) return text;
  const details = [...dead.details, upperFirst(text.title), ...text.details];
  return { ...text, title: dead.title, details, cause: deadRunProblems(scores)[0]?.help };
}
