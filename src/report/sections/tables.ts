/** Per suite, a table of tasks and graders with marks one can scan, and how sure its figures are. Pure. */
import type { TriggerRun, TriggerShare } from "../../domain/run.ts";
import { heading, line, moreOf, name, type Line, type Section } from "../document/tree.ts";
import { count } from "../../text/format.ts";
import { SIGNS } from "../../text/states.ts";

/* Trigger evals: whether the skill was loaded for a query, by the logs alone. They decide nothing. Pure. */

/** The runs by skill and query, wrong ones first. */
export function triggerShares(runs: readonly TriggerRun[]): readonly TriggerShare[] {
  const groups = Map.groupBy(runs, ({ skill, query }) => JSON.stringify([skill, query])).values();
  const shares = [...groups].flatMap((own): TriggerShare[] => {
    const [first] = own;
    if (!first) return [];
    const known = own.filter(({ loaded }) => loaded !== undefined);
    const loaded = known.filter((one) => one.loaded).length;
    const right = first.shouldTrigger ? loaded : known.length - loaded;
    const isRight = known.length === 0 ? undefined : right * 2 > known.length;
    return [{ ...first, loaded, runs: known.length, isRight }];
  });
  return shares.sort((one, other) => Number(one.isRight ?? true) - Number(other.isRight ?? true));
}

/** `Triggers: 7 of 8 queries load the skill where they should, and only there.` */
function triggersSentence(shares: readonly TriggerShare[]): string {
  const known = shares.filter(({ isRight }) => isRight !== undefined);
  const right = known.filter(({ isRight }) => isRight).length;
  const unknown = shares.length - known.length;
  const rest = unknown > 0 ? ` The logs of ${count(unknown, "query", "queries")} do not say it.` : "";
  return `Triggers: ${String(right)} of ${count(known.length, "query", "queries")} load the skill where they should, and only there.${rest}`;
}

/** The sentence, and a row for each query; empty without trigger evals. */
export const triggersSection: Section = ({ triggers: shares }, page) => {
  if (shares.length === 0) return [];
  const listed = shares.slice(0, page.most);
  return [
    heading("Triggers (no effect on the result)"),
    line(triggersSentence(shares)),
    {
      kind: "table",
      heads: [["Query"], ["Skill"], ["Should load"], ["Loaded"]],
      align: ["left", "left", "left", "right"],
      rows: listed.map(({ query, skill, shouldTrigger, loaded, runs, isRight }): Line[] => [
        [`${isRight === undefined ? SIGNS.skipped : isRight ? SIGNS.passed : SIGNS.failed} `, name(query)],
        [name(skill)],
        [shouldTrigger ? "yes" : "no"],
        [runs === 0 ? "–" : `${String(loaded)}/${String(runs)}`],
      ]),
    },
    ...moreOf(shares.length - listed.length, "query", page),
  ];
};
