/** Estimate of a run before any request: requests, tokens and dollars, each usual and maximum. */
import { CHARACTERS_PER_TOKEN } from "./limits.ts";
import type { Estimate, Priced } from "../domain/grade.ts";
import { toolsOf } from "./conversation.ts";
import type { JudgeAnswer, JudgeRequest } from "./judge.ts";
import type { Caps, Price } from "./spend.ts";
import { confirmationOf, needsConfirming } from "./votes.ts";

/** Output tokens of a short verdict, and of a long one by a reasoning model. */
export const OUTPUT = { low: 120, high: 2_000 };
/** Requests per verdict: one if the judge finishes in its first reply, three if it continues or is reminded. */
const REQUESTS = { usual: 1, most: 3 };

export interface EstimateOptions {
  readonly votes: number;
  readonly confirmOnFail: number;
  /** The model that confirms; by default the request's own. */
  readonly confirmModel?: string | undefined;
  readonly pricedAs: (model: string) => Priced;
  readonly price: Price;
  readonly caps: Caps;
  /** Whether only recorded verdicts are used. */
  readonly offline: boolean;
  /** Looks up a recorded verdict; absent without records. */
  readonly recordOf?: ((request: JudgeRequest) => Promise<JudgeAnswer | undefined>) | undefined;
}

/** Sums up all requests; `unpriced` are the models without a known price. */
export async function estimate(
  requests: AsyncIterable<JudgeRequest>,
  options: EstimateOptions,
): Promise<Estimate> {
  const { votes, pricedAs, price } = options;
  let recorded = 0;
  const usual = { perToken: CHARACTERS_PER_TOKEN.most, output: OUTPUT.low, requests: 0, tokens: 0, cost: 0 };
  const most = { ...usual, perToken: CHARACTERS_PER_TOKEN.fewest, output: OUTPUT.high };
  const unpriced = new Map<string, Priced>();
  let grades = 0;
  for await (const request of requests) {
    grades += 1;
    const known = await recordedVotes(request, options);
    const missing = votes - known.votes;
    const majority = Math.max(0, Math.floor(votes / 2) + 1 - known.votes);
    if (majority + known.toConfirm === 0) recorded += 1;
    const characters = requestCharacters(request);
    const confirming = known.isRed ? Math.ceil(known.toConfirm / 2) : 0;
    const verdicts = [
      { model: request.model, times: timesOf(request, majority, majority === 0 ? 0 : missing) },
      { model: options.confirmModel ?? request.model, times: timesOf(request, confirming, known.toConfirm) },
    ];
    for (const { model, times } of options.offline ? [] : verdicts)
      for (const [index, end] of [usual, most].entries()) {
        const { perToken, output } = end;
        const input = Math.ceil(characters / perToken);
        const cost = await price(pricedAs(model), { input, output, cached: 0 });
        if (cost === undefined && times[1] > 0) unpriced.set(model, pricedAs(model));
        const requests = times[index] ?? 0;
        end.requests += requests;
        end.tokens += requests * (input + output);
        end.cost += requests * (cost ?? 0);
      }
  }
  const rangeOf = (key: "requests" | "tokens" | "cost") => [usual[key], most[key]] as const;
  return {
    grades,
    recorded,
    requests: rangeOf("requests"),
    tokens: rangeOf("tokens"),
    unpriced: [...unpriced.values()],
    beyond: beyond(options.caps, rangeOf),
    cost: unpriced.size === 0 ? rangeOf("cost") : undefined,
  };
}

/** Characters of a request, including its tools. */
function requestCharacters(request: JudgeRequest): number {
  const tools = JSON.stringify(toolsOf(request));
  return request.messages.reduce((total, { content }) => total + content.length, tools.length);
}

/** HTTP requests for a number of verdicts. */
function timesOf({ files }: JudgeRequest, low: number, high: number): readonly [number, number] {
  // A few reads of files are usual, each with a follow-up request.
  const most = REQUESTS.most + (files ? 5 : 0);
  return [REQUESTS.usual * low, most * high];
}

/** The caps that these sums exceed. */
function beyond(
  { calls, cost }: Caps,
  rangeOf: (key: "requests" | "cost") => readonly [number, number],
): Estimate["beyond"] {
  const caps = [
    ["max-judge-calls", calls, rangeOf("requests")],
    ["max-cost-usd", cost, rangeOf("cost")],
  ] as const;
  return caps.flatMap(([cap, most, [low, high]]) =>
    most === undefined || high <= most ? [] : { cap, usual: low > most },
  );
}

/** How many votes of a verdict are recorded, and how many confirmations are still needed. */
async function recordedVotes(
  request: JudgeRequest,
  { votes, confirmOnFail, confirmModel, recordOf = () => Promise.resolve(undefined) }: EstimateOptions,
): Promise<{ readonly votes: number; readonly toConfirm: number; readonly isRed: boolean }> {
  const first = await recordOf({ ...request, vote: 1 });
  const recorded = async (asked: JudgeRequest, from: number, most: number) => {
    const numbers = Array.from({ length: most }, (_, index) => from + index);
    const answers = await Promise.all(numbers.map((vote) => recordOf({ ...asked, vote })));
    return answers.filter((answer) => answer !== undefined).length;
  };
  const isRed = first && needsConfirming(first, request);
  const asked = first ? confirmationOf(request, first) : request;
  const confirming = { ...asked, model: confirmModel ?? request.model };
  return {
    votes: (first ? 1 : 0) + (await recorded(request, 2, votes - 1)),
    toConfirm: isRed === false ? 0 : confirmOnFail - (await recorded(confirming, votes + 1, confirmOnFail)),
    isRed: isRed === true,
  };
}
