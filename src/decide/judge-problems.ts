/** Problems with judges: silence, an effort that was refused or is not to be seen. Pure. */
import { type Row, hasVerdict } from "../domain/row.ts";
import { notice, warning, type Problem } from "../domain/problem.ts";
import { asSentence, count, listed, listedCode } from "../text/format.ts";
import { MOST_NAMED } from "./names.ts";

/** Minimum grades for a notice that no reasoning is reported: with little effort, a model does not always reason. */
const FEWEST_WITHOUT_REASONING = 5;

/** What is to be said of the judges of these grades. */
export function judgeProblems(grades: readonly Row[]): Problem[] {
  return [...silentJudges(grades), ...effortProblems(grades), ...unseenReasoning(grades)];
}

/** A warning for each judge model that finished its grades, and reported no check in any of them. */
function silentJudges(grades: readonly Row[]): Problem[] {
  const judged = grades.filter((row) => hasVerdict(row) && row.judge !== undefined);
  return [...Map.groupBy(judged, ({ judgeModel }) => judgeModel)].flatMap(([model, its]): Problem[] => {
    if (its.some(({ checks }) => checks.length > 0)) return [];
    const where = its.length === 1 ? "its only grade" : `any of its ${count(its.length, "grade")}`;
    const called = new Set(its.flatMap(({ called = [] }) => called));
    const names = [...called].map((name) => JSON.stringify(name));
    const [did, why, help] =
      called.size > 0
        ? [
            "reported no check",
            `it called only ${listed(names, MOST_NAMED)}`,
            "Use another judge model, or let the grader's prompt name the two calls.",
          ]
        : [
            "made no call",
            "most likely its server drops the `tools` of a request, or the model cannot call tools",
            "Check that the server has tool calling switched on (llama.cpp: `--jinja` and a chat template with tools), or use a judge model that accepts tools.",
          ];
    return [
      warning("silent-judge", `The judge \`${model}\` ${did} in ${where}, though it was reminded: ${why}.`, {
        help,
      }),
    ];
  });
}

/** A warning for each judge model whose API refused the reasoning effort of its grades, or any reasoning. */
function effortProblems(grades: readonly Row[]): Problem[] {
  const refused = grades.flatMap(({ judgeModel, basis, judge }) => {
    const { reasoningEffort: judgeEffort } = basis ?? {};
    const sent = judge?.sent;
    if (!sent || sent.effort === judgeEffort) return [];
    const asked = judgeEffort === undefined ? "its own" : `\`${judgeEffort}\``;
    const used =
      sent.effort === undefined ? "no reasoning effort" : `the reasoning effort \`${sent.effort}\``;
    const change = `with ${used} instead of ${asked}`;
    return [{ judge: `The judge \`${judgeModel}\``, change, refusal: sent.refusal }];
  });
  const same = Map.groupBy(refused, ({ judge, change }) => JSON.stringify([judge, change]));
  return [...same.values()].flatMap(([first, ...further]) => {
    if (!first) return [];
    const graded = `${first.judge} gave ${count(further.length + 1, "grade")} ${first.change}`;
    const words = first.refusal === undefined ? "" : `: ${first.refusal}`;
    return warning("refused-effort", asSentence(`${graded}, which its API refused${words}`), {
      help: "Use an endpoint or a judge model that takes it with tools, or another effort.",
    });
  });
}

/** A notice for each judge model that was asked for an effort, where none of its grades has a reply that reports reasoning. */
function unseenReasoning(grades: readonly Row[]): Problem[] {
  const asked = grades.filter(({ judge }) => judge?.reportsReasoning !== undefined);
  return [...Map.groupBy(asked, ({ judgeModel }) => judgeModel)].flatMap(([model, its]) => {
    const isSeen = its.some(({ judge }) => judge?.reportsReasoning);
    if (isSeen || its.length < FEWEST_WITHOUT_REASONING) return [];
    const efforts = listedCode(new Set(its.flatMap(({ basis }) => basis?.sentEffort ?? [])));
    const message = `The judge \`${model}\` was asked for the effort ${efforts}; its endpoint reports no reasoning in any of ${count(its.length, "grade")}.`;
    return notice("unseen-reasoning", message, {
      help: "Some endpoints ignore `reasoning_effort` in silence, and some do not report what they reason: see the provider's documentation.",
    });
  });
}
