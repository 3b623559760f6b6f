/** Builds the judge from the inputs: endpoints, caps, records, votes. */
import { endpointFor } from "../inputs/inputs.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { recordedJudge, recordFinder } from "../judge/cache.ts";
import { pairingJudge } from "../judge/pairwise.ts";
import type { TokenSource } from "../judge/api/client.ts";
import { openaiJudge } from "../judge/conversation.ts";
import type { Judge } from "../judge/judge.ts";
import { budget } from "../judge/spend/budget.ts";
import type { EstimateOptions } from "../judge/spend/estimate.ts";
import type { Log } from "../log/log.ts";
import type { Price } from "../judge/spend/prices.ts";
import { votingJudge } from "../judge/votes.ts";

export interface JudgeParts {
  readonly tokens: TokenSource;
  readonly price: Price;
  /** Redacts quotes in errors, and counts them. */
  readonly redact: (text: string) => string;
  /** The same for records, which are not published. */
  readonly redactRecords: (text: string) => string;
  readonly log: Pick<Log, "line" | "warn">;
}

/** Makes the judge: records are looked up for each sample, and votes are taken over all of them. */
export function makeJudge(inputs: Inputs, { price, redact, redactRecords, log, tokens }: JudgeParts): Judge {
  const { maxConcurrency, caps, votes, confirmOnFail, confirmModel, cacheDir, offline } = inputs;
  const endpointOf = (model: string) => endpointFor(inputs, model);
  const direct = openaiJudge({ endpointOf, budget: budget(caps), price, maxConcurrency, redact, tokens });
  const records = cacheDir === undefined ? undefined : { folder: cacheDir, variant: variantOf(inputs) };
  const judge = records
    ? recordedJudge(offline ? undefined : direct, {
        ...records,
        addressOf: (model) => endpointOf(model).baseUrl,
        redact: redactRecords,
        warn: log.warn,
        notice: log.line,
      })
    : direct;
  return votingJudge(pairingJudge(judge), { votes, confirmOnFail, confirmModel });
}

/** Finds recorded verdicts, for a dry run; undefined without records. */
export function recordOf(inputs: Inputs): EstimateOptions["recordOf"] {
  const { cacheDir: folder } = inputs;
  return folder === undefined ? undefined : recordFinder({ folder, variant: variantOf(inputs) });
}

/** What else a verdict depends on: a model of the same name elsewhere is another judge. */
function variantOf(inputs: Inputs): (model: string) => string {
  return (name) => {
    const { baseUrl, model, azure } = endpointFor(inputs, name);
    return JSON.stringify([baseUrl, model, azure?.deployment]);
  };
}
