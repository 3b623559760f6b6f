/** Warns about judge models that reported no check in any grade: the server may drop tools. */
import type { Grade } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import { count, listed } from "../text/format.ts";
import { warning } from "../text/problem.ts";

/** Maximum number of named tools. */
const MAX_NAMES = 3;

/** A warning for each judge model that finished its grades, and reported no check in any of them. */
export function silentJudges(grades: readonly Grade[]): Problem[] {
  const judged = grades.filter(({ verdict }) => verdict.state === "graded" && verdict.judge !== undefined);
  const byModel = Map.groupBy(judged, ({ job }) => job.judgeModel);
  return [...byModel].flatMap(([model, its]): Problem[] => {
    const spoke = its.some(({ verdict }) => verdict.state === "graded" && verdict.checks.length > 0);
    if (spoke) return [];
    const called = its.flatMap(({ verdict }) => (verdict.state === "graded" ? (verdict.called ?? []) : []));
    const where = its.length === 1 ? "its only grade" : `any of its ${count(its.length, "grade")}`;
    if (called.length > 0) {
      const names = listed(
        [...new Set(called)].map((name) => JSON.stringify(name)),
        MAX_NAMES,
      );
      const message = `The judge \`${model}\` reported no check in ${where}, though it was reminded: it called only ${names}.`;
      return [
        warning(message, { help: "Use another judge model, or let the grader's prompt name the two calls." }),
      ];
    }
    return [
      warning(
        `The judge \`${model}\` made no call in ${where}, though it was reminded: most likely its server drops the \`tools\` of a request, or the model cannot call tools.`,
        {
          help: "Check that the server has tool calling switched on (llama.cpp: `--jinja` and a chat template with tools), or use a judge model that accepts tools.",
        },
      ),
    ];
  });
}
