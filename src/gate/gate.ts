/** Success or failure of the whole: one rule after the other, the first that applies decides (docs/scoring.md). */
import type { Conclusion } from "../domain/conclusion.ts";
import { factsOf } from "./gate-facts.ts";
import type { GateInput } from "./gate-facts.ts";
import { deadRemedy, RULES } from "./gate-rules.ts";

/** Decides from the data alone; the sentence is the check's title and the step's last line. */
export function decide(input: GateInput): Conclusion {
  const facts = factsOf(input);
  const isLenient = facts.policy.failOn === "never";
  const applying = RULES.flatMap(({ say, ...rule }) => {
    const said = say(facts);
    return said ? [{ ...rule, said }] : [];
  });
  // The last rule applies to everything.
  const [decisive] = applying.filter(({ spared }) => !(spared && isLenient)) as [(typeof applying)[number]];
  const { rule, conclusion, check, said, spared } = decisive;
  const remedy = spared && deadRemedy(facts);
  return {
    rule,
    conclusion,
    check: decisive === applying[0] ? check : "neutral",
    passed: facts.passed,
    sentence: said.sentence,
    verdict: said.verdict,
    cause: remedy || said.cause,
    hint: remedy ? undefined : said.hint,
  };
}
