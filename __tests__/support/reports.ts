/** A report of rows, with the rest as is usual. */
import { decide } from "../../src/decide/gate.ts";
import type { Policy } from "../../src/domain/grade.ts";
import type { Row } from "../../src/domain/row.ts";
import type { Suite } from "../../src/domain/suite.ts";
import type { Report } from "../../src/report/report.ts";
import { scoreGrades } from "../../src/results/score.ts";

/** What every report has and most tests do not look at. */
export type MoreOfReport = Partial<Omit<Report, "conclusion" | "scores" | "policy">> & {
  readonly policy?: Partial<Policy>;
  readonly cancelled?: boolean;
};

export function reportOfRows(
  suites: readonly Suite[],
  rows: readonly Row[],
  { policy: stricter, cancelled, ...more }: MoreOfReport = {},
): Report {
  const scores = scoreGrades(suites, rows);
  const policy: Policy = { failOn: "fail", onError: "fail", onMissing: "fail", ...stricter };
  const { problems = [] } = more;
  return {
    conclusion: decide({ scores, problems, policy, cancelled }),
    accepted: [],
    scores,
    problems,
    results: [],
    policy,
    time: { started: 1_000, finished: 3_500 },
    redactions: 0,
    ...more,
  };
}
