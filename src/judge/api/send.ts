/** Sends requests to judges, with retries and with the profile that the model accepts. */
import { DEFAULT_JUDGE, type ErrorClass } from "../../domain/grade.ts";
import { type OutgoingRequest, type RoutedRequest, type SendOptions, attempt } from "./attempt.ts";
import { type HttpError, clientsOf, isHttpError, judgeFetch, poster } from "./client.ts";
import { httpError } from "./errors.ts";
import { concurrencyLimiter, withRetries, type ConcurrencyLimiter } from "./retry.ts";
import {
  defaultProfile,
  fallbackProfile,
  forEffort,
  isRefusal,
  refusesTurns,
  withoutCacheMarks,
  withoutReplyLimit,
} from "./request-profile.ts";
import type { Reply, RequestProfile } from "./wire.ts";
import { JudgeError } from "../judge.ts";
import { type ModelList, instead, lacks, rulesInstead } from "./models.ts";
import { once } from "../../text/format.ts";
import { OUTAGE_IN_A_ROW } from "../limits.ts";

export type Sender = (outgoing: OutgoingRequest) => Promise<SendResult>;

/** A reply, and the profile of its request. */
interface SendResult {
  readonly reply: Reply;
  readonly profile: RequestProfile;
}

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
  /** The last profile that has worked, of any kind. */
  latest?: RequestProfile | undefined;
  /** Whether a refused follow-up was accepted with a flattened history. */
  flattened: boolean;
  stopped?: JudgeError | undefined;
  /** Faults in a row, each of a request that began after the one before, and their class. */
  failed: number;
  failedWith?: ErrorClass | undefined;
}

/** Makes the sender of a run: its grades share the state of endpoints and models. */
export function sender(options: SendOptions): Sender {
  const post = poster(clientsOf(judgeFetch(options.maxConcurrency), options.tokens));
  const accounts = new Map<string, Account>();
  const limiters = new Map<string, ConcurrencyLimiter>();
  return async (outgoing) => {
    const endpoint = options.endpointOf(outgoing.model);
    const { baseUrl, apiKey, headers } = endpoint;
    const key = JSON.stringify([baseUrl, apiKey, headers]);
    const account = once(accounts, key, (): Account => ({ models: new Map() }));
    const model = once(account.models, outgoing.model, (): Model => {
      return { profiles: new Map(), flattened: false, failed: 0 };
    });
    const routed = {
      ...outgoing,
      endpoint,
      limiter: once(limiters, baseUrl, () => concurrencyLimiter(options.maxConcurrency)),
      post,
    };
    const stop = account.stopped ?? model.stopped;
    if (stop) {
      const { help, keyRequired } = stop;
      throw new JudgeError(stop.class, stop.message, { help, keyRequired, notSent: true });
    }
    const failedBefore = model.failed;
    try {
      const result = await sendWithFallbacks(routed, model, options);
      model.failed = 0;
      return result;
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      if (error.class === "credentials" || error.class === "quota") account.stopped ??= error;
      // A model that has answered exists, even if this error says otherwise.
      if (error.class === "unknown-model" && model.profiles.size === 0) model.stopped ??= error;
      if (FAULTS.has(error.class)) noteFault(model, error, failedBefore);
      throw error;
    }
  };
}

/** Errors of the endpoint or the model, not of the grade. */
export const FAULTS: ReadonlySet<ErrorClass> = new Set(["server", "network", "invalid-reply"]);

/** Counts a fault of the model; after too many in a row nothing more is sent to it. */
function noteFault(model: Model, error: JudgeError, failedBefore: number): void {
  // Concurrent failures count once: a short outage fails all of them.
  if (model.failed === failedBefore) model.failed = error.class === model.failedWith ? model.failed + 1 : 1;
  model.failedWith = error.class;
  if (model.failed < OUTAGE_IN_A_ROW) return;
  const help = `${String(OUTAGE_IN_A_ROW)} grades in a row failed like this, so the rest were not sent. ${error.help ?? ""}`;
  model.stopped ??= new JudgeError(error.class, error.message, { help: help.trim() });
}

/**
 * Sends with the model's known profile. A refusal that names a field leads to a fallback, which all grades use once it has
 * worked; if none works, the refusal may be specific to this grade, and the next starts anew. No profile is tried twice.
 * Any refusal of a follow-up leads to a flattened history.
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
    (model.latest && forEffort(model.latest, routed.effort)) ??
    defaultProfile(routed, options.budget?.limitsReplies ?? false);
  const usesKnown = currentProfile === undefined || isSameProtocol(currentProfile, known);
  let profile = { ...(usesKnown ? known : currentProfile), flattened: model.flattened };
  const tried = new Set<string>();
  const isTried = (one: RequestProfile) => tried.has(keyOf({ ...one, flattened: profile.flattened }));
  for (;;) {
    tried.add(keyOf(profile));
    try {
      const reply = await withRetries(() => attempt(routed, profile, options), {
        ...routed,
        chance: options.chance,
      });
      if (usesKnown) {
        for (const accepted of [kind, plain]) profiles.set(accepted, profile);
        model.latest = profile;
      }
      if (profile.flattened) model.flattened = true;
      return { reply, profile };
    } catch (error) {
      // What was retried until it was given up, as "no channel for this model" is by some gateways.
      if (error instanceof JudgeError && error.cause !== undefined && isHttpError(error.cause))
        throw await orUnknownModel(error, { error: error.cause, profile }, { routed, model, options });
      if (!isHttpError(error)) throw error;
      const judgeError = httpError(error, { ...options, ...routed });
      const next = nextProfile({ profile, error, judgeError, isTried }, routed, model);
      if (!next) throw await orUnknownModel(judgeError, { error, profile }, { routed, model, options });
      profile = next;
    }
  }
}

interface Context {
  readonly routed: RoutedRequest;
  readonly model: Model;
  readonly options: SendOptions;
}

/** Statuses with which servers refuse a model that they do not have. */
const MAY_LACK: ReadonlySet<number> = new Set([400, 403, 404, 410, 503]);

/**
 * The error, or that the endpoint does not have the model: by its own list of models, which is asked only after a refusal
 * that names no field, since a gateway may list fewer models than it serves.
 */
async function orUnknownModel(
  judgeError: JudgeError,
  { error, profile }: { readonly error: HttpError; readonly profile: RequestProfile },
  { routed, model, options }: Context,
): Promise<JudgeError> {
  const isSaid = judgeError.class === "unknown-model";
  const isAbout = isSaid || /^(?:bad-request|not-found|too-long|forbidden|server)$/.test(judgeError.class);
  if (!isAbout || model.profiles.size > 0 || !MAY_LACK.has(error.status) || !options.lists) return judgeError;
  if (
    !isSaid &&
    fallbackProfile(profile, error, { effort: routed.effort, isTried: () => false, mayChat: false })
  )
    return judgeError;
  const list = await options.lists(routed.endpoint);
  const sent = routed.endpoint.model ?? routed.model;
  if (!list || (!isSaid && !lacks(list, sent))) return judgeError;
  return unknownModel(judgeError, { asked: routed.model, sent, list });
}

interface Unknown {
  readonly asked: string;
  readonly sent: string;
  readonly list: ModelList;
}

function unknownModel({ message, help }: JudgeError, { asked, sent, list }: Unknown): JudgeError {
  const isDefault = asked === DEFAULT_JUDGE.model && sent === asked;
  const [newest] = instead(sent, list);
  const who = isDefault ? "This action's default judge" : "The judge model";
  const remedy =
    isDefault && newest !== undefined ? `Set \`judge-model: ${newest}\`.` : rulesInstead(asked, list);
  return new JudgeError(
    "unknown-model",
    `${who} \`${sent}\` is not among the models of the endpoint. ${message}`,
    {
      help: remedy === "" ? help : remedy,
    },
  );
}

/** What a profile sends. */
function keyOf({ changes: _, ...sent }: RequestProfile): string {
  return JSON.stringify(
    Object.entries(sent)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );
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

interface Refused {
  readonly profile: RequestProfile;
  readonly error: HttpError;
  readonly judgeError: JudgeError;
  readonly isTried: (profile: RequestProfile) => boolean;
}

/** The profile to try after a refusal; undefined if there is none. */
function nextProfile(
  { profile, error, judgeError, isTried }: Refused,
  routed: RoutedRequest,
  model: Model,
): RequestProfile | undefined {
  const { effort, currentProfile, endpoint } = routed;
  // A profile that has worked is not the reason for the refusal; another grade may have found one meanwhile.
  const worked = model.profiles.get(kindOf(routed).kind);
  const mayFallBack = !worked && isRefusal(error, judgeError);
  const fallback = mayFallBack
    ? (fallbackProfile(profile, error, { effort, isTried, mayChat: endpoint.api === undefined }) ??
      withoutCacheMarks(profile, routed, error))
    : worked;
  // Some servers add the reply limit to the length of the conversation, which grows.
  const mayBeLimit = mayFallBack || judgeError.class === "too-long";
  for (const candidate of [fallback, mayBeLimit ? withoutReplyLimit(profile) : undefined]) {
    const next = candidate && { ...candidate, flattened: profile.flattened || model.flattened };
    if (next && !isTried(next) && (!currentProfile || isSameProtocol(currentProfile, next))) return next;
  }
  const mayFlatten = currentProfile && !profile.flattened && refusesTurns(error, judgeError);
  return mayFlatten ? { ...profile, flattened: true } : undefined;
}
