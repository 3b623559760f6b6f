/** Trigger evals: for each query in how many runs the skill was loaded, in the baseline and now; and which of all. Pure. */
import { nameOf } from "../../decide/pairs.ts";
import {
  type Choice,
  type Query,
  choicesOf,
  loadedIn,
  neverLoaded,
  otherNumber,
  queriesOf,
} from "../../decide/triggers.ts";
import {
  type Block,
  type Line,
  type Page,
  type Section,
  heading,
  list,
  moreOf,
  name,
  table,
} from "../document/tree.ts";
import { count, sumOf } from "../../text/format.ts";
import { SIGNS } from "../../text/states.ts";

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
    ...list(
      [...neverLoaded(queries), ...(comparison ? otherNumber(comparison) : [])].map((text): Line => [
        `${SIGNS.doubtful} ${text}`,
      ]),
    ),
    ...choiceBlocks(choicesOf(triggers), page),
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

/** Wanted and loaded skills with their runs, and the queries of each wrong cell. */
function choiceBlocks(choices: readonly Choice[], page: Page): Block[] {
  const { most } = page;
  if (choices.length === 0) return [];
  const [wanted, loaded] = [choices.map((one) => one.wanted), choices.map((one) => one.loaded)].map((names) =>
    [...new Set(names)].sort().slice(0, most),
  ) as [string[], string[]];
  const runsOf = ({ queries }: Choice) => sumOf([...queries.values()]);
  const cellOf = (row: string, column: string): Line => {
    const choice = choices.find((one) => one.wanted === row && one.loaded === column);
    return [choice ? `${choice.isRight ? SIGNS.passed : SIGNS.failed} ${String(runsOf(choice))}` : ""];
  };
  const wrong = choices.filter(({ isRight }) => !isRight);
  return [
    table(
      "Runs by the skill that is wanted and those that were loaded",
      { heads: [["Wanted"], ...loaded.map((one): Line => ["Loaded: ", name(one)])], numbers: loaded.length },
      wanted.map((row) => [[name(row)], ...loaded.map((column) => cellOf(row, column))]),
    ),
    ...list(
      wrong
        .slice(0, most)
        .map((choice): Line => [
          `${SIGNS.failed} `,
          name(choice.wanted),
          " wanted, ",
          name(choice.loaded),
          " loaded: ",
          ...[...choice.queries]
            .slice(0, most)
            .flatMap(([query, runs], index) => [
              index === 0 ? "" : ", ",
              name(query),
              ` (${count(runs, "run")})`,
            ]),
        ]),
    ),
    ...moreOf(wrong.length - most, "wrong choice", page),
  ];
}

function loadedShare(query: Query, side: "now" | "before"): string {
  const { [side]: its } = query;
  return its.runs > 0 ? `${String(loadedIn(query, its))}/${String(its.runs)}` : "–";
}
