/** A judge that missed a golden of a rubric, told once, also where nobody but advisory graders use the rubric. */
import { expect, test } from "@jest/globals";
import type { Policy } from "../../src/domain/conclusion.ts";
import type { Grade } from "../../src/domain/grade.ts";
import { runProblems } from "../../src/gate/run-problems.ts";
import { scoreApart } from "../../src/score/score.ts";
import { graderOf, runOf, suiteOf } from "../support/factories.ts";

const suite = suiteOf();

function missed(advisory?: true): Grade {
  return {
    job: {
      suite,
      task: { id: "explain", name: "Explain" },
      grader: graderOf(),
      judgeModel: "judge",
      run: runOf(),
      advisory,
    },
    verdict: {
      state: "errored",
      error: {
        class: "judge-missed-golden",
        message: "The judge `judge` missed `a shout`.",
        help: "Another.",
      },
    },
    requests: 0,
    tokens: { input: 0, output: 0, cached: 0 },
    durationMs: 0,
  };
}

test.each<[string, Grade[], Policy["onError"], "error" | "warning", string]>([
  ["of graders that decide", [missed(), missed()], "fail", "error", "2 grades have"],
  ["under `on-error: warn`", [missed()], "warn", "warning", "1 grade has"],
  ["of both kinds", [missed(true), missed()], "fail", "error", "2 grades have"],
  ["of advisory graders alone", [missed(true)], "fail", "warning", "1 grade has"],
])("the rubric %s", (_case, grades, onError, level, said) => {
  const { scores, advisory } = scoreApart([suite], grades);
  const policy = { failOn: "fail", onError, onMissing: "fail" } as const;
  const problems = runProblems({ scores, advisory: advisory && { scores: advisory }, policy });
  expect(problems).toMatchObject([
    {
      level,
      message: `The judge \`judge\` missed \`a shout\`. ${said} no verdict because of it.`,
      help: "Another.",
    },
  ]);
});
