/** What all runs of a call cost: the agents as far as their logs say it, and the model that plays the user. */
import { budget } from "../judge/spend.ts";
import { agentOf } from "./agents.ts";
import type { RunOptions } from "./run-options.ts";

/** The spending of a call, up to its cap. */
export type Spending = ReturnType<typeof startSpending>;

/** Begins to count; without a cap it is never reached. */
export function startSpending(most: number | undefined) {
  const caps = budget({ cost: most });
  const costs = new Map<object, number>();
  const controller = new AbortController();
  /** Nothing more may be spent. */
  const end = () => {
    controller.abort();
  };
  /** Says what the agent of a run has cost up to now. */
  const note = (run: object, dollars = 0) => {
    const before = costs.get(run) ?? 0;
    if (dollars > before) costs.set(run, dollars);
    if (caps.add(Math.max(0, dollars - before)) >= (most ?? Infinity)) end();
  };
  // `caps` is for requests, which reserve what they may cost; `reached` is aborted where the cap is.
  return { caps, note, end, reached: controller.signal };
}

/** What is said of the cap before the first run, where the agent's log may not say what it costs. */
export function spendingLine({ agent, maxCost }: Pick<RunOptions, "agent" | "maxCost">): string[] {
  if (maxCost === undefined || agentOf(agent)?.saysCost) return [];
  const what =
    agent === "command" ? "A command counts as far as its log says" : `The log of ${agent} does not say`;
  return [`warning: ${what} what it costs: \`max-cost-usd\` limits the rest, the model that plays the user.`];
}
