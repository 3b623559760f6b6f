import { expect, test } from "@jest/globals";
import { whatNow } from "../../src/decide/rules.ts";
import { type Row, rowOfQuery } from "../../src/domain/row.ts";
import { scoreGrades } from "../../src/results/score.ts";

const AT = { path: "skills/pdf/evals/triggers.json", startLine: 1, endLine: 1, inRepository: true };

/** The runs of a query that should load its skill, each with whether it did. */
function runsOf(...loaded: readonly boolean[]): readonly Row[] {
  const planned = rowOfQuery({ skill: "pdf", query: "Merge these.", wants: true, at: AT });
  return loaded.map((isLoaded, index) => ({
    ...planned,
    run: index + 1,
    state: isLoaded ? "passed" : "failed",
    score: isLoaded ? 1 : 0,
  }));
}

test.each([
  [
    "are wrong, it is the description",
    runsOf(false, false, true),
    "Let the `description` in SKILL.md of `pdf`",
  ],
  ["are gone, they are put back", [], "Put the queries back."],
  ["are right in most runs, and fell, it is the agent", runsOf(true, true, false), "Fix it."],
])("where trigger queries are red that %s", (_name, rows, advice) => {
  const [first] = whatNow({
    conclusion: { rule: "regression", isOfTriggers: true },
    scores: scoreGrades([], []),
    policy: { failOn: "regression", onError: "fail", onMissing: "fail" },
    triggers: { rows, before: runsOf(true, true, true) },
    accepted: [],
  });
  expect(first?.text).toContain(advice);
});
