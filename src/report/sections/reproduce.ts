/** Lines to paste into a shell: what failed, graded again from the runs of CI, and run anew. Pure. */
import { isOfPluginEval } from "../../domain/row.ts";
import { globsOf, shellWord } from "../../text/suggest.ts";
import { type Section, fold, line } from "../document/tree.ts";

/** Tasks that are named; where more failed, the lines are for all. */
const MOST_TASKS = 5;

/** Where the runs of CI are put: below the folder that `.gitignore` has already. */
export const CI_RUNS = ".waza-grade/ci";

/** Folded below what failed; errored grades have their own remedies. */
export const reproduceSection: Section = ({ scores: { grades }, origin, judge }, { medium }) => {
  const failed = grades.filter((row) => row.state === "failed" && !isOfPluginEval(row));
  const globs = globsOf(failed);
  if (globs.length === 0 || medium === "terminal") return [];
  const isListed = globs.length <= MOST_TASKS && globs.every(isPrintable);
  const tasks = isListed ? globs.map((glob) => shellWord(glob)) : [];
  const { baseUrl, model, key } = judge ?? {};
  const flags = [
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)}`]),
    ...(model === undefined ? [] : [`--judge-model ${shellWord(model)}`]),
  ];
  const start = key === undefined ? "waza-grade" : `OPENAI_API_KEY="$${key}" waza-grade`;
  const lines = [
    ...(origin?.run
      ? [
          // GitHub's own command brings the artifacts of a run.
          `gh run download ${String(origin.run.id)} -R ${origin.run.repository} -p '*-runs-*' -D ${CI_RUNS}`,
          [start, `--results ${CI_RUNS}`, ...tasks.map((task) => `--tasks ${task}`), ...flags].join(" "),
        ]
      : []),
    [start, "try", ...tasks, ...flags].join(" "),
  ];
  const what = origin?.run
    ? "The first two judge again what the agent did in this run, the last has your own agent do it anew: the one of the last `run`, or name it by `--agent` or `--command`."
    : "Has your own agent do it anew: the one of the last `run`, or name it by `--agent` or `--command`.";
  const asked = key === undefined ? " The judge's key is taken from OPENAI_API_KEY." : "";
  return fold(
    ["Reproduce it locally"],
    [line(`${what}${asked}`), { kind: "text", isCode: true, text: lines.join("\n") }],
  );
};

/** A name that a terminal shows as it is: no control or format character can hide in it. */
function isPrintable(name: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}
