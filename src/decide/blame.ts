/** Whether this change is to blame for what failed, by what is recorded of both sides: the first screen says it. Pure. */
import type { Conclusion } from "../domain/grade.ts";
import type { VerdictRow } from "../domain/row.ts";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import { count, listed, plural } from "../text/format.ts";
import { type Comparison, runsPassed, taskGroups } from "./compare.ts";
import { MOST_NAMED } from "./limits.ts";
import { quoted } from "./names.ts";
import { inBaseline, nameOf } from "./pairs.ts";

/** Rules that say themselves why nothing is compared, or that no grade failed by. */
const ASKED: readonly Conclusion["rule"][] = ["regression", "failed-grade", "min-score", "golden"];

/** Whether a page of this rule asks it. */
export function asksForBlame(rule: Conclusion["rule"]): boolean {
  return ASKED.includes(rule);
}

/**
 * What main did with the tasks that fail here, and what differs from it beside this change. Undefined where none of them is
 * compared: the sentences of the conclusion say why.
 */
export function blameOf(comparison: Comparison): string | undefined {
  const { dead, newly, before } = taskGroups(comparison);
  const all = dead.length + newly.length + before.length;
  if (all === 0) return undefined;
  const main = nameOf(comparison.source);
  if (before.length === all) {
    const isNever = before.every((own) => runsPassed(own, "baseline").passes === 0);
    const them = plural(all, "it", "them");
    return isNever ? `No: ${main} fails ${them}, too.` : `Not known: ${main} fails ${them} at times, too.`;
  }
  const others =
    before.length === 0
      ? ""
      : ` ${count(before.length, "other task")} failed ${inBaseline(comparison.source)}, too.`;
  const changes = agentChanges(comparison);
  return changes.length > 0
    ? `Not known: ${changes.join("; ")}.${others}`
    : `Nothing else that is recorded has changed: ${sameBesides(comparison)}.${others}`;
}

/** `the agent's client was 2.1.190 on main and is 2.1.197 now`, for each name that differs. */
export function agentChanges(comparison: Comparison): readonly string[] {
  return NAMES.flatMap(({ what, of }) => {
    const [before, now] = bothNames(comparison, of);
    if (before === "" || now === "" || before === now) return [];
    return [`the agent's ${what} was ${before} ${inBaseline(comparison.source)} and is ${now} now`];
  });
}

/** `judge, evals and the agent's model and client are those of main`; of evals that differ, those that are compared. */
function sameBesides(comparison: Comparison): string {
  const isKnown = ({ of }: AgentFact) => bothNames(comparison, of).every((names) => names !== "");
  const [known, unknown] = [true, false].map((is) =>
    NAMES.filter((one) => isKnown(one) === is).map(({ what }) => what),
  ) as [string[], string[]];
  const those = `are those of ${nameOf(comparison.source)}`;
  const isOther = [...comparison.added, ...comparison.removed, ...comparison.notComparable].length > 0;
  const evals = isOther ? "the evals that are compared" : "evals";
  const same =
    known.length === 0
      ? `judge and ${evals} ${those}`
      : `judge, ${evals} and the agent's ${known.join(" and ")} ${those}`;
  const rest = plural(unknown.length, "is", "are");
  return unknown.length === 0 ? same : `${same}; the agent's ${unknown.join(" and ")} ${rest} not recorded`;
}

interface AgentFact {
  readonly what: string;
  readonly of: (row: VerdictRow) => string | undefined;
}

const NAMES: readonly AgentFact[] = [
  { what: "model", of: ({ model }) => (model === UNKNOWN_MODEL ? undefined : model || undefined) },
  { what: "client", of: ({ client }) => client?.version },
];

/** The names of both sides; empty where no grade of a side has one. */
function bothNames({ pairs }: Comparison, of: AgentFact["of"]): readonly [string, string] {
  const namesOf = (side: "baseline" | "current") => {
    const names = new Set(pairs.flatMap((pair) => pair[side].grades.flatMap((row) => of(row) ?? [])));
    return listed([...names].sort().map(quoted), MOST_NAMED);
  };
  return [namesOf("baseline"), namesOf("current")];
}
