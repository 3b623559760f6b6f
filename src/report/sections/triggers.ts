/** Trigger evals: for each query in how many runs the skill was loaded, in the baseline and now. Pure. */
import { nameOf } from "../../decide/pairs.ts";
import { neverLoaded, triggerTest } from "../../decide/triggers.ts";
import type { TriggerCount, TriggerShare } from "../../domain/run.ts";
import { heading, line, list, moreOf, name, type Line, type Section } from "../document/tree.ts";
import { count } from "../../text/format.ts";
import { SIGNS } from "../../text/states.ts";

/** The sentence, skills that no run loaded, and a row for each query; empty without trigger evals. */
export const triggersSection: Section = ({ triggers: shares, comparison, policy }, page) => {
  if (shares.length === 0) return [];
  const listed = shares.slice(0, page.most);
  const isCompared = shares.some(({ before }) => before !== undefined);
  const decides = policy.failOn === "regression" && triggerTest(shares) !== undefined;
  const loaded = isCompared ? `${comparison ? nameOf(comparison.source) : "baseline"} → now` : "Loaded";
  return [
    heading(decides ? "Triggers" : "Triggers (no effect on the result)"),
    ...list(neverLoaded(shares).map((text): Line => [`${SIGNS.doubtful} ${text}`])),
    line(triggersSentence(shares)),
    {
      kind: "table",
      heads: [["Query"], ["Skill"], ["Should load"], [loaded]],
      align: ["left", "left", "left", "right"],
      rows: listed.map(({ query, skill, shouldTrigger, before, isRight, ...now }): Line[] => [
        [`${isRight === undefined ? SIGNS.skipped : isRight ? SIGNS.passed : SIGNS.failed} `, name(query)],
        [name(skill)],
        [shouldTrigger ? "yes" : "no"],
        [isCompared ? `${loadedShare(before)} → ${loadedShare(now)}` : loadedShare(now)],
      ]),
    },
    ...moreOf(shares.length - listed.length, "query", page),
  ];
};

function loadedShare(share: TriggerCount | undefined): string {
  return share && share.runs > 0 ? `${String(share.loaded)}/${String(share.runs)}` : "–";
}

/** `Triggers: 7 of 8 queries load the skill where they should, and only there.` */
function triggersSentence(shares: readonly TriggerShare[]): string {
  const known = shares.filter(({ isRight }) => isRight !== undefined);
  const right = known.filter(({ isRight }) => isRight).length;
  const unknown = shares.length - known.length;
  const rest = unknown > 0 ? ` The logs of ${count(unknown, "query", "queries")} do not say it.` : "";
  return `Triggers: ${String(right)} of ${count(known.length, "query", "queries")} load the skill where they should, and only there.${rest}`;
}
