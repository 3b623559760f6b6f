/** The logs of a run's turns as one conversation, with what the user said between them. */
import type { ClientFacts, Step, TokenUse } from "../domain/run.ts";
import type { Trial } from "./reader.ts";

/** A turn after the first. */
export interface FurtherTurn {
  readonly prompt: string;
  readonly by: "script" | "model";
  /** What its log says; absent where that says nothing. */
  readonly trial: Trial | undefined;
}

/** The trial of all turns: the answer and the failure are the last one's. */
export function joinedTurns(first: Trial, turns: readonly FurtherTurn[]): Trial {
  return turns.reduce(withTurn, first);
}

function withTurn(before: Trial, { prompt, by, trial }: FurtherTurn): Trial {
  const said: Step = { kind: "user", text: prompt, by: by === "model" ? by : undefined };
  return {
    ...before,
    steps: [...answered(before), said, ...ownSteps(trial?.steps ?? [], prompt)],
    finalOutput: trial?.finalOutput ?? "",
    failure: trial?.failure,
    outage: trial?.outage,
    client: joinedFacts(before.client, trial?.client),
  };
}

/** The steps up to the answer, which some logs have beside them alone. */
function answered({ steps, finalOutput }: Trial): readonly Step[] {
  const isThere = finalOutput.trim() === "" || steps.at(-1)?.kind === "assistant";
  return isThere ? steps : [...steps, { kind: "assistant", text: finalOutput }];
}

/** Some clients repeat what the user said. */
function ownSteps(steps: readonly Step[], prompt: string): readonly Step[] {
  const [first, ...rest] = steps;
  return first?.kind === "user" && first.text.trim() === prompt.trim() ? rest : steps;
}

/** What two turns say of the client. Figures of the whole session stand for those before them; others are added. */
function joinedFacts(one: ClientFacts = {}, next: ClientFacts = {}): ClientFacts {
  const isAll = next.isOfSession === true;
  return {
    ...one,
    ...next,
    skills: one.skills ?? next.skills,
    skillCalls: bothLists(one.skillCalls, next.skillCalls),
    refused: bothLists(one.refused, next.refused),
    tokens: isAll && next.tokens ? next.tokens : addedTokens(one.tokens, next.tokens),
    cost: isAll && next.cost !== undefined ? next.cost : added(one.cost, next.cost),
  };
}

function bothLists<T>(
  one: readonly T[] | undefined,
  next: readonly T[] | undefined,
): readonly T[] | undefined {
  return one && next ? [...one, ...next] : (one ?? next);
}

function added(one: number | undefined, next: number | undefined): number | undefined {
  return one === undefined ? next : one + (next ?? 0);
}

function addedTokens(one: TokenUse | undefined, next: TokenUse | undefined): TokenUse | undefined {
  if (!one || !next) return one ?? next;
  return {
    input: one.input + next.input,
    output: one.output + next.output,
    cached: one.cached + next.cached,
    written: added(one.written, next.written),
  };
}
