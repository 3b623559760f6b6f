/** Trigger evals: for each query in how many runs the skill was loaded, in the baseline and now. Pure. */
import { nameOf } from "../../decide/pairs.ts";
import { type Query, loadedIn, neverLoaded, queriesOf, worseTriggers } from "../../decide/triggers.ts";
import { heading, list, moreOf, name, table, type Line, type Section } from "../document/tree.ts";
import type { Report } from "../report.ts";
import { SIGNS } from "../../text/states.ts";

/** Trigger evals decided, and no grade did. */
export function isByTriggers({ conclusion: { rule }, triggers, scores }: Report): boolean {
  const { comparison } = triggers ?? {};
  const isWorse = comparison !== undefined && worseTriggers(comparison).length > 0;
  return rule === "regression" && scores.counts.failed === 0 && isWorse;
}

/** Skills that no run loaded, and a row for each query; empty without trigger evals. */
export const triggersSection: Section = ({ triggers, policy }, page) => {
  if (!triggers) return [];
  const { comparison } = triggers;
  const queries = queriesOf(triggers);
  const listed = queries.slice(0, page.most);
  const isAnyAbsent = queries.some(({ absent, before }) => absent !== undefined && before.runs > 0);
  const decides =
    isAnyAbsent ||
    (policy.failOn === "regression" && comparison !== undefined && comparison.pairs.length > 0);
  return [
    heading(decides ? "Triggers" : "Triggers (no effect on the result)"),
    ...list(neverLoaded(queries).map((text): Line => [`${SIGNS.doubtful} ${text}`])),
    table(
      "Queries and whether the skill was loaded",
      {
        heads: [
          ["Query"],
          ["Skill"],
          ["Should load"],
          [comparison ? `${nameOf(comparison.source)} → now` : "Loaded"],
        ],
        numbers: 1,
      },
      listed.map((query): Line[] => [
        [
          `${query.isRight === undefined ? SIGNS.skipped : query.isRight ? SIGNS.passed : SIGNS.failed} `,
          name(query.task),
          query.absent === undefined
            ? ""
            : ` (${query.absent === "missing" ? "missing" : "gone or changed"})`,
        ],
        [name(query.suite)],
        [query.wants ? "yes" : "no"],
        [
          comparison
            ? `${loadedShare(query, "before")} → ${loadedShare(query, "now")}`
            : loadedShare(query, "now"),
        ],
      ]),
    ),
    ...moreOf(queries.length - listed.length, "query", page),
  ];
};

function loadedShare(query: Query, side: "now" | "before"): string {
  const { [side]: its } = query;
  return its.runs > 0 ? `${String(loadedIn(query, its))}/${String(its.runs)}` : "–";
}
