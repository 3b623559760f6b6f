/** Judges that missed a golden of a rubric: one problem for all grades that have no verdict because of it. */
import type { Policy } from "../domain/conclusion.ts";
import type { Scores } from "../domain/scores.ts";
import type { GradeError } from "../domain/grade.ts";
import type { RunProblem } from "../domain/place.ts";
import { count } from "../text/format.ts";
import { allGrades } from "../score/score.ts";

/** What was made of all grades, and the policy that it is held to. */
export interface Outcome {
  readonly scores: Scores;
  readonly advisory?: { readonly scores: Scores } | undefined;
  readonly policy: Policy;
}

/** True of the error that such a problem tells of. */
export function isMissedCase({ class: errorClass }: GradeError): boolean {
  return errorClass === "judge-missed-golden";
}

/**
 * A problem for each judge and rubric, with how many grades it errored; `on-error` decides, not this. A warning where
 * all of them are advisory.
 */
export function missedCaseProblems(outcome: Outcome): RunProblem[] {
  const missed = allGrades(outcome).flatMap(({ job, verdict }) =>
    verdict.state === "errored" && isMissedCase(verdict.error)
      ? [{ error: verdict.error, at: job.grader.at, decides: job.advisory !== true }]
      : [],
  );
  return [...Map.groupBy(missed, ({ error }) => error.message).values()].map((its) => {
    const [{ error, at }] = its as [(typeof missed)[number]];
    const without = `${count(its.length, "grade")} ${its.length === 1 ? "has" : "have"} no verdict because of it.`;
    return {
      level: outcome.policy.onError === "fail" && its.some(({ decides }) => decides) ? "error" : "warning",
      title: "The judge is wrong about a rubric",
      message: `${error.message} ${without}`,
      help: error.help,
      at,
    };
  });
}
