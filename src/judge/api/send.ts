/** Sends requests to judges, with retries and with the profile that the model accepts. */
import { isDeepStrictEqual } from "node:util";
import { httpError } from "./errors.ts";
import { attempt } from "./attempt.ts";
import type { SendOptions, OutgoingRequest, RoutedRequest } from "./attempt.ts";
import { isHttpError, poster } from "./client.ts";
import type { HttpError } from "./client.ts";
import { judgeFetch } from "./fetch.ts";
import { JudgeError } from "../judge.ts";
import { guardOutages } from "./outage.ts";
import type { OutageGuard } from "./outage.ts";
import { concurrencyLimiter } from "./concurrency-limiter.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import { once } from "../../text/once.ts";
import {
  defaultProfile,
  fallbackProfile,
  isRefusal,
  refusesTurns,
  withoutReplyLimit,
  withoutCacheMarks,
} from "./request-profile.ts";
import { withRetries } from "./retry.ts";
import type { Reply, RequestProfile } from "./wire.ts";

/** A reply, and the profile of its request. */
export interface SendResult {
  readonly reply: Reply;
  readonly profile: RequestProfile;
}

export type Sender = (outgoing: OutgoingRequest) => Promise<SendResult>;

/** State of one endpoint and key: a refused key says nothing about another. */
interface Account {
  readonly models: Map<string, Model>;
  /** The error after which further requests are pointless. */
  stopped?: JudgeError | undefined;
}

/** State of one model there. */
interface Model {
  /** The profile that has worked, by kind of request. */
  readonly profiles: Map<string, RequestProfile>;
  /** Whether a refused follow-up was accepted with a flattened history. */
  flattened: boolean;
  stopped?: JudgeError | undefined;
  readonly outageGuard: OutageGuard;
}

/** Makes the sender of a run: its grades share the state of endpoints and models. */
export function sender(options: SendOptions): Sender {
  const post = poster(judgeFetch(options.maxConcurrency), options.tokens);
  const accounts = new Map<string, Account>();
  const limiters = new Map<string, ConcurrencyLimiter>();
  return async (outgoing) => {
    const endpoint = options.endpointOf(outgoing.model);
    const { baseUrl, apiKey, headers } = endpoint;
    const key = JSON.stringify([baseUrl, apiKey, headers]);
    const account = once(accounts, key, (): Account => ({ models: new Map() }));
    const model = once(account.models, outgoing.model, (): Model => {
      return { profiles: new Map(), flattened: false, outageGuard: guardOutages(options.maxConcurrency) };
    });
    const routed = {
      ...outgoing,
      endpoint,
      limiter: once(limiters, baseUrl, () => concurrencyLimiter(options.maxConcurrency)),
      post,
    };
    const send = async () => {
      const stop = account.stopped ?? model.stopped;
      if (stop) {
        const { help, keyRequired } = stop;
        throw new JudgeError(stop.class, `Not sent: ${stop.message}`, { help, keyRequired });
      }
      return await sendWithFallbacks(routed, model, options);
    };
    try {
      return await model.outageGuard(send, outgoing.signal);
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      if (error.class === "credentials" || error.class === "quota") account.stopped ??= error;
      // A model that has answered exists, even if this error says otherwise.
      if (error.class === "unknown-model" && model.profiles.size === 0) model.stopped ??= error;
      throw error;
    }
  };
}

/**
 * Sends with the model's known profile. A refusal that names a field leads to a fallback, which all grades use once it has
 * worked; if none works, the refusal may be specific to this grade, and the next starts anew. Any refusal of a follow-up
 * leads to a flattened history.
 */
async function sendWithFallbacks(
  routed: RoutedRequest,
  model: Model,
  options: SendOptions,
): Promise<SendResult> {
  const { profiles } = model;
  const { currentProfile } = routed;
  const { kind, plain } = kindOf(routed);
  const known =
    profiles.get(kind) ??
    profiles.get(plain) ??
    defaultProfile(routed, options.budget?.limitsReplies ?? false);
  const usesKnown = currentProfile === undefined || isSameProtocol(currentProfile, known);
  let profile = { ...(usesKnown ? known : currentProfile), flattened: model.flattened };
  for (;;) {
    try {
      const reply = await withRetries(() => attempt(routed, profile, options), routed);
      if (usesKnown) for (const accepted of [kind, plain]) profiles.set(accepted, profile);
      if (profile.flattened) model.flattened = true;
      return { reply, profile };
    } catch (error) {
      if (!isHttpError(error)) throw error;
      const judgeError = httpError(error, { ...options, ...routed });
      const next = nextProfile({ profile, error, judgeError }, routed, model);
      if (!next) throw judgeError;
      profile = next;
    }
  }
}

interface Refused {
  readonly profile: RequestProfile;
  readonly error: HttpError;
  readonly judgeError: JudgeError;
}

/** The profile to try after a refusal; undefined if there is none. */
function nextProfile(
  { profile, error, judgeError }: Refused,
  routed: RoutedRequest,
  model: Model,
): RequestProfile | undefined {
  const { effort, currentProfile } = routed;
  // A profile that has worked is not the reason for the refusal; another grade may have found one meanwhile.
  const worked = model.profiles.get(kindOf(routed).kind);
  const mayFallBack = !worked && isRefusal(error, judgeError);
  const fallback = mayFallBack
    ? (fallbackProfile(profile, error, effort) ?? withoutCacheMarks(profile, routed, error))
    : worked;
  // Some servers add the reply limit to the length of the conversation, which grows.
  const mayBeLimit = mayFallBack || judgeError.class === "too-long";
  for (const candidate of [fallback, mayBeLimit ? withoutReplyLimit(profile) : undefined]) {
    const next = candidate && { ...candidate, flattened: profile.flattened || model.flattened };
    const isNew = next !== undefined && !isDeepStrictEqual(next, profile);
    if (isNew && (!currentProfile || isSameProtocol(currentProfile, next))) return next;
  }
  const mayFlatten = currentProfile && !profile.flattened && refusesTurns(error, judgeError);
  return mayFlatten ? { ...profile, flattened: true } : undefined;
}

/**
 * The kind of a request: its effort, and whether it has prompt cache markers. A profile that works with markers also works
 * without them (`plain`), but not the other way round.
 */
function kindOf({ effort = "", cacheKey }: OutgoingRequest): {
  readonly kind: string;
  readonly plain: string;
} {
  return { kind: cacheKey === undefined ? effort : `${effort} marked`, plain: effort };
}

/** Whether a conversation can continue with the other profile: turns of one API, or tool calls, mean nothing in another. */
function isSameProtocol(one: RequestProfile, other: RequestProfile): boolean {
  return one.api === other.api && one.tools === other.tools;
}
