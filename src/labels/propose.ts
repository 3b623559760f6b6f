/** What a better criterion has to settle: people's disagreements with the judge as one prompt to copy. No model is asked. */
import type { Row, VerdictRow } from "../domain/row.ts";
import { shorten } from "../text/format.ts";
import type { Labelled } from "./agreement.ts";
import { questionOf } from "./labels.ts";

/** Criteria of a prompt: more are not rewritten well at once. */
const MOST_CRITERIA = 20;
/** Cases of one criterion. */
const MOST_CASES = 10;
/** Characters of a criterion. */
const LONGEST_CRITERION = 4_000;
/** Characters of a reason, and of a person's note. */
const LONGEST_CASE_TEXT = 500;

const ASK = `An AI judge and people read the criteria below in different ways. Rewrite each criterion so that it settles its cases as the people did:
- by what can be seen in a run of the agent: its answer, its calls and their results, its files
- without naming the cases, and as short as it can be
- leaving as it is what they agree on; say where the people contradict each other`;

/** The prompt, by criterion, with the names that the page gives the rows; undefined where all agree. */
export function proposal(
  disagreements: readonly Labelled<VerdictRow>[],
  nameOf: (row: Row) => string,
): string | undefined {
  const byQuestion = [...Map.groupBy(disagreements, ({ grade }) => questionOf(grade).trim())];
  if (byQuestion.length === 0) return undefined;
  const parts = byQuestion.slice(0, MOST_CRITERIA).map(([question, cases], at) => {
    const lines = cases
      .slice(0, MOST_CASES)
      .map((one, index) => caseText(one, `Case ${String(index + 1)}: ${nameOf(one.grade)}`));
    return [`Criterion ${String(at + 1)}:`, shorten(question, LONGEST_CRITERION), "", ...lines].join("\n");
  });
  return [ASK, ...parts].join("\n\n");
}

function caseText({ label, grade }: Labelled<VerdictRow>, head: string): string {
  const because = (text: string | undefined) =>
    text ? `: ${shorten(text.replace(/\s+/g, " "), LONGEST_CASE_TEXT)}` : "";
  const verdict = (passed: boolean) => (passed ? "passed" : "failed");
  return [
    head,
    `  the judge ${verdict(grade.state === "passed")} it${because(grade.reason)}`,
    `  a person ${verdict(label.passed)} it${because(label.note)}`,
  ].join("\n");
}
