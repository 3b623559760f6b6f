/** Trigger evals: for each query in how many runs the skill was loaded, in the baseline and now. Pure. */
import { nameOf } from "../../decide/pairs.ts";
import { neverLoaded, triggerTest, worseTriggers } from "../../decide/triggers.ts";
import type { TriggerCount } from "../../domain/run.ts";
import { heading, list, moreOf, name, table, type Line, type Section } from "../document/tree.ts";
import type { Report } from "../report.ts";
import { SIGNS } from "../../text/states.ts";

/** Trigger evals decided, and no grade did. */
export function isByTriggers({ conclusion: { rule }, triggers, scores }: Report): boolean {
  return rule === "regression" && scores.counts.failed === 0 && worseTriggers(triggers, "").length > 0;
}

/** Skills that no run loaded, and a row for each query; empty without trigger evals. */
export const triggersSection: Section = ({ triggers: shares, comparison, policy }, page) => {
  if (shares.length === 0) return [];
  const listed = shares.slice(0, page.most);
  const isCompared = shares.some(({ before }) => before !== undefined);
  const isAnyAbsent = shares.some(({ absent, before }) => absent !== undefined && before !== undefined);
  const decides = isAnyAbsent || (policy.failOn === "regression" && triggerTest(shares) !== undefined);
  const main = comparison ? nameOf(comparison.source) : "baseline";
  const loaded = isCompared ? `${main} → now` : "Loaded";
  return [
    heading(decides ? "Triggers" : "Triggers (no effect on the result)"),
    ...list(neverLoaded(shares).map((text): Line => [`${SIGNS.doubtful} ${text}`])),
    table(
      "Queries and whether the skill was loaded",
      { heads: [["Query"], ["Skill"], ["Should load"], [loaded]], numbers: 1 },
      listed.map(({ query, skill, shouldTrigger, before, isRight, absent, ...now }): Line[] => [
        [
          `${isRight === undefined ? SIGNS.skipped : isRight ? SIGNS.passed : SIGNS.failed} `,
          name(query),
          absent === undefined ? "" : ` (${absent === "missing" ? "missing" : "gone or changed"})`,
        ],
        [name(skill)],
        [shouldTrigger ? "yes" : "no"],
        [isCompared ? `${loadedShare(before)} → ${loadedShare(now)}` : loadedShare(now)],
      ]),
    ),
    ...moreOf(shares.length - listed.length, "query", page),
  ];
};

function loadedShare(share: TriggerCount | undefined): string {
  return share && share.runs > 0 ? `${String(share.loaded)}/${String(share.runs)}` : "–";
}
