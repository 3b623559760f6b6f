/** Whether this change is to blame for what failed, by what is recorded of both sides: the first screen says it. Pure. */
import type { VerdictRow } from "../domain/row.ts";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import { count, plural } from "../text/format.ts";
import { type Comparison, runsPassed, taskGroups } from "./compare.ts";
import { named } from "./names.ts";
import { inBaseline, nameOf } from "./pairs.ts";
import { ruleOf } from "./rules.ts";
import type { Advice, Decided } from "./what-now.ts";

/** What main did with what fails here, and what differs from it beside this change; empty where the page does not ask it. */
export function blame(decided: Decided): readonly Advice[] {
  const { comparison, conclusion, scores, origin } = decided;
  if (!ruleOf(conclusion.rule).asksForBlame || scores.counts.failed === 0) return [];
  // What a push brings is on its branch already.
  if (origin?.branch !== undefined || comparison?.source.isOwn === true) return [];
  if (comparison === undefined) {
    const how = {
      text: "With a `baseline`",
      page: "gate.md#keep-a-baseline",
      more: " this page says how main did.",
    };
    return origin?.run === undefined ? [] : [{ text: "Not known: nothing is compared." }, how];
  }
  const { absent } = comparison.source;
  if (absent === "not-found")
    return [
      { text: "Not known: the default branch has no results yet." },
      { text: "A push to it that is graded leaves some", page: "gate.md#keep-a-baseline", more: "." },
    ];
  if (absent === "nothing-passes")
    return [{ text: `Nothing passes ${inBaseline(comparison.source)} either.` }];
  return blameOf(comparison).map((text) => ({ text }));
}

/** Empty where no task that fails is compared: the sentences of the conclusion say why. */
export function blameOf(comparison: Comparison): readonly string[] {
  const { dead, newly, before } = taskGroups(comparison);
  const all = dead.length + newly.length + before.length;
  if (all === 0) return [];
  const main = nameOf(comparison.source);
  if (before.length === all) {
    const isNever = before.every((own) => runsPassed(own, "baseline").passes === 0);
    const them = plural(all, "it", "them");
    return [isNever ? `No: ${main} fails ${them}, too.` : `Not known: ${main} fails ${them} at times, too.`];
  }
  const changes = agentChanges(comparison);
  const what =
    changes.length > 0
      ? `Not known: ${changes.join("; ")}.`
      : `Nothing else that is recorded has changed: ${sameBesides(comparison)}.`;
  const also = `${count(before.length, "other task")} failed ${inBaseline(comparison.source)}, too.`;
  return before.length === 0 ? [what] : [what, also];
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
    return named([...names].sort());
  };
  return [namesOf("baseline"), namesOf("current")];
}
