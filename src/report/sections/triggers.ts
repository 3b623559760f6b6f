/** Trigger evals: for each query in how many runs the skill was loaded, in the baseline and now; and which of all. Pure. */
import { nameOf } from "../../decide/pairs.ts";
import { type Query, type Triggers, otherNumber, queriesOf } from "../../decide/triggers.ts";
import { hasVerdict } from "../../domain/row.ts";
import { NO_SKILL } from "../../domain/suite.ts";
import {
  type Block,
  type Line,
  type Page,
  type Section,
  between,
  heading,
  list,
  moreOf,
  name,
  table,
} from "../document/tree.ts";
import { count, sumOf } from "../../text/format.ts";
import { STATES } from "../../text/states.ts";

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
        `${STATES.doubtful.sign} ${text}`,
      ]),
    ),
    ...choiceBlocks(triggers, page),
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
          `${signOfQuery(query)} `,
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

/** A warning for each skill that no run loaded of those that should: probably it is not there. */
function neverLoaded(queries: readonly Query[]): readonly string[] {
  const should = queries.filter(({ wants, now }) => wants && now.runs > 0);
  return [...Map.groupBy(should, ({ suite }) => suite)].flatMap(([skill, its]) =>
    its.every(({ now }) => now.passes === 0)
      ? [
          `\`${skill}\` was loaded in 0 of ${count(sumOf(its.map(({ now }) => now.runs)), "run")} that should load it: is it installed, and does its \`description\` say when?`,
        ]
      : [],
  );
}

/** What agents chose from all skills: wanted and loaded skills with their runs, and the queries of each wrong cell. */
function choiceBlocks({ rows }: Triggers, page: Page): Block[] {
  const { most } = page;
  const runs = rows.flatMap((row) => {
    const { skill, suite, task, query, state } = row;
    if (!query?.skills || !hasVerdict(row)) return [];
    const loaded = [...(query.loaded && skill !== undefined ? [skill] : []), ...(query.others ?? [])];
    const wanted = query.wants || skill === undefined ? suite : `not ${suite}`;
    return { wanted, loaded: loaded.sort().join(", ") || NO_SKILL, isRight: state === "passed", task };
  });
  if (runs.length === 0) return [];
  const [rowNames, columnNames] = (["wanted", "loaded"] as const).map((side) =>
    [...new Set(runs.map((run) => run[side]))].sort().slice(0, most),
  ) as [string[], string[]];
  const cells = Map.groupBy(runs, ({ wanted, loaded }) => JSON.stringify([wanted, loaded]));
  const cellOf = (wanted: string, loaded: string): Line => {
    const cell = cells.get(JSON.stringify([wanted, loaded])) ?? [];
    const sign = STATES[cell[0]?.isRight ? "passed" : "failed"].sign;
    return [cell.length > 0 ? `${sign} ${String(cell.length)}` : ""];
  };
  const wrong = [...cells.values()].filter(([first]) => first?.isRight === false);
  return [
    table(
      "Runs by the skill that is wanted and those that were loaded",
      {
        heads: [["Wanted"], ...columnNames.map((loaded): Line => ["Loaded: ", name(loaded)])],
        numbers: columnNames.length,
      },
      rowNames.map((wanted) => [[name(wanted)], ...columnNames.map((loaded) => cellOf(wanted, loaded))]),
    ),
    ...list(
      wrong.slice(0, most).map((cell): Line => [
        `${STATES.failed.sign} `,
        ...cell.slice(0, 1).flatMap(({ wanted, loaded }) => [name(wanted), " wanted, ", name(loaded)]),
        " loaded: ",
        ...between(
          [...Map.groupBy(cell, ({ task }) => task)]
            .slice(0, most)
            .map(([query, { length }]) => [name(query), ` (${count(length, "run")})`]),
          ", ",
        ),
      ]),
    ),
    ...moreOf(wrong.length - most, "wrong choice", page),
  ];
}

/** Right in every run, in most, or not; a query without a run has none. */
function signOfQuery({ isRight, now }: Query): string {
  if (isRight === undefined) return STATES.skipped.sign;
  if (!isRight) return STATES.failed.sign;
  return now.passes < now.runs ? STATES.doubtful.sign : STATES.passed.sign;
}

function loadedShare(query: Query, side: "now" | "before"): string {
  const { wants, [side]: its } = query;
  const loaded = wants ? its.passes : its.runs - its.passes;
  return its.runs > 0 ? `${String(loaded)}/${String(its.runs)}` : "–";
}
