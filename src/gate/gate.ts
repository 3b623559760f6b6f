/** Success or failure of the run: the first rule that applies decides (docs/scoring.md). */
import type { Conclusion } from "../domain/conclusion.ts";
import { deadRunProblems } from "./dead-runs.ts";
import { factsOf } from "./gate-facts.ts";
import type { GateInput } from "./gate-facts.ts";
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
  const { rule, conclusion, check, text, spared } = decisive;
  // When the agent never got to work, that comes first.
  const remedy = spared && deadRunProblems(facts.scores)[0]?.help;
  return {
    rule,
    conclusion,
    check: decisive === applying[0] ? check : "neutral",
    passed: facts.passed,
    ...text,
    cause: remedy || text.cause,
    hint: remedy ? undefined : text.hint,
  };
}
