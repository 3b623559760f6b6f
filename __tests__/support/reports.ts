/** A report of rows, with the rest as is usual. */
import { decide } from "../../src/decide/gate.ts";
import type { Row } from "../../src/domain/row.ts";
import type { Suite } from "../../src/domain/suite.ts";
import type { Report } from "../../src/report/report.ts";
import { scoreGrades } from "../../src/results/score.ts";

export function reportOfRows(
  suites: readonly Suite[],
  rows: readonly Row[],
  more: Partial<Omit<Report, "conclusion" | "scores" | "policy">> = {},
): Report {
  const scores = scoreGrades(suites, rows);
  const policy = { failOn: "fail", onError: "fail", onMissing: "fail" } as const;
  const { problems = [] } = more;
  return {
    conclusion: decide({ scores, problems, policy }),
    scores,
    problems,
    results: [],
    policy,
    time: { started: 1_000, finished: 3_500 },
    triggers: [],
    redactions: 0,
    ...more,
  };
}
