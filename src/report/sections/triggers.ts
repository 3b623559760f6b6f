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

/** Runs in which an agent chose from all skills: what the query wants, and what was loaded. */
interface Choice {
  readonly wanted: string;
  readonly loaded: string;
  readonly isRight: boolean;
  /** The queries of these runs, with the number of runs of each. */
  readonly queries: ReadonlyMap<string, number>;
}

/** What agents chose from all skills; empty without such queries. */
function choicesOf({ rows = [] }: Partial<Triggers>): readonly Choice[] {
  const chosen = rows.flatMap((row) => {
    const { skill, suite, task, query, state } = row;
    if (!query?.skills || !hasVerdict(row)) return [];
    const loaded = [...(query.loaded && skill !== undefined ? [skill] : []), ...(query.others ?? [])];
    const wanted = query.wants || skill === undefined ? suite : `not ${suite}`;
    return [{ wanted, loaded: loaded.sort().join(", ") || NO_SKILL, isRight: state === "passed", task }];
  });
  const cells = Map.groupBy(chosen, ({ wanted, loaded }) => JSON.stringify([wanted, loaded]));
  return [...cells.values()].flatMap((own) =>
    own.slice(0, 1).map(({ task: _, ...cell }) => ({
      ...cell,
      queries: new Map([...Map.groupBy(own, ({ task }) => task)].map(([task, { length }]) => [task, length])),
    })),
  );
}

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

/** Right in every run, in most, or not; a query without a run has none. */
function signOfQuery({ isRight, now }: Query): string {
  if (isRight === undefined) return SIGNS.skipped;
  if (!isRight) return SIGNS.failed;
  return now.passes < now.runs ? SIGNS.doubtful : SIGNS.passed;
}

function loadedShare(query: Query, side: "now" | "before"): string {
  const { wants, [side]: its } = query;
  const loaded = wants ? its.passes : its.runs - its.passes;
  return its.runs > 0 ? `${String(loaded)}/${String(its.runs)}` : "–";
}
