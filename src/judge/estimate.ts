/** What a run would ask for, before anything is asked: requests, tokens and dollars, each as a range. */
import type { Estimate } from "../domain.ts";
import type { JudgeRequest } from "./judge.ts";
import type { Price } from "./prices.ts";

/** Characters of English, and of what makes more tokens of them (code, other scripts), that make one token. */
const CHARACTERS_PER_TOKEN = { most: 4.5, fewest: 2.5 };
/** Tokens of a short verdict, and of a long one by a model that reasons. */
const OUTPUT = { low: 80, high: 2_000 };
/** Requests of one verdict: one where a reply holds all calls, three where the judge is asked on or reminded. */
const REQUESTS = { auto: [1, 3], "until-done": [2, 3], single: [1, 2] } as const;

export interface EstimateOptions {
  readonly turns: keyof typeof REQUESTS;
  readonly votes: number;
  readonly confirmOnFail: number;
  /** The name a model is asked by, and where. */
  readonly placeOf: (model: string) => { readonly model: string; readonly baseUrl: string };
  readonly price: Price;
}

/** Adds up what all requests would take; `unpriced` are the models whose price nobody knows. */
export async function estimate(
  requests: readonly JudgeRequest[],
  { turns, votes, confirmOnFail, placeOf, price }: EstimateOptions,
): Promise<Estimate> {
  const [fewest, most] = REQUESTS[turns];
  const sum = { requests: [0, 0], tokens: [0, 0], cost: [0, 0] };
  const unpriced = new Set<string>();
  for (const { model, messages, files } of requests) {
    const characters = messages.reduce((total, { content }) => total + content.length, 0);
    const low = { input: Math.ceil(characters / CHARACTERS_PER_TOKEN.most), output: OUTPUT.low, cached: 0 };
    const high = {
      input: Math.ceil(characters / CHARACTERS_PER_TOKEN.fewest),
      output: OUTPUT.high,
      cached: 0,
    };
    // What a judge reads comes back with every later request; a few reads are usual.
    const times = [fewest * votes, (most + (files ? 5 : 0)) * (votes + confirmOnFail)] as const;
    for (const [end, use] of [low, high].entries()) {
      const cost = await price(placeOf(model), use);
      if (cost === undefined) unpriced.add(model);
      sum.requests[end] = (sum.requests[end] ?? 0) + (times[end] ?? 0);
      sum.tokens[end] = (sum.tokens[end] ?? 0) + (times[end] ?? 0) * (use.input + use.output);
      sum.cost[end] = (sum.cost[end] ?? 0) + (times[end] ?? 0) * (cost ?? 0);
    }
  }
  const range = ([low = 0, high = 0]: readonly number[]) => [low, high] as const;
  return {
    grades: requests.length,
    requests: range(sum.requests),
    tokens: range(sum.tokens),
    unpriced: [...unpriced],
    ...(unpriced.size === 0 ? { cost: range(sum.cost) } : {}),
  };
}
