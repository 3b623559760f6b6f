/** Sends requests to judges, with retries and with the profile that the model accepts. */
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import pLimit from "p-limit";
import type { ErrorClass, Priced } from "../../domain/grade.ts";
import { IncompleteReply, isHttpError, judgeFetch, poster } from "./client.ts";
import type { HttpError, Post, TokenSource } from "./client.ts";
import { httpError } from "./errors.ts";
import { chatRequest, readChatReply, readResponse, responsesRequest } from "./replies.ts";
import type { ReadOptions } from "./replies.ts";
import {
  defaultProfile,
  fallbackProfile,
  isRefusal,
  refusesTurns,
  withoutCacheMarks,
  withoutReplyLimit,
} from "./request-profile.ts";
import type { Endpoint, ModelRequest, Reply, RequestProfile, Tool, Turn } from "./wire.ts";
import { JudgeError } from "../judge.ts";
import type { Meter, Redact } from "../judge.ts";
import type { Budget, Price } from "../spend.ts";
import { LONGEST_TIMEOUT_MS, once } from "../../text/format.ts";

/* One HTTP request to a judge: within the caps, the endpoint's concurrency limit and the grade's deadline. */

export interface SendOptions {
  readonly endpointOf: (model: string) => Endpoint;
  /** For endpoints with a workload identity. */
  readonly tokens?: TokenSource | undefined;
  /** Maximum concurrent requests to each endpoint. */
  readonly maxConcurrency: number;
  readonly budget?: Budget | undefined;
  readonly price?: Price | undefined;
  /** Redacts what an error quotes, before it is shortened. */
  readonly redact: Redact;
}

export type Sender = (outgoing: OutgoingRequest) => Promise<SendResult>;

interface OutgoingRequest {
  readonly model: string;
  readonly effort: string | undefined;
  /** The conversation in the format of a profile. */
  readonly turnsFor: (profile: RequestProfile) => readonly Turn[];
  readonly tools: readonly Tool[];
  readonly meter: Meter;
  readonly signal: AbortSignal;
  readonly deadline: number;
  /** The profile of the conversation so far; absent before the first reply. */
  readonly currentProfile?: RequestProfile | undefined;
  readonly cacheKey?: string | undefined;
  /** Called at the first reply or failed attempt. */
  readonly onReply?: (() => void) | undefined;
}

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
  /** Whether a refused follow-up was accepted with a flattened history. */
  flattened: boolean;
  stopped?: JudgeError | undefined;
  /** Faults in a row, each of a request that began after the one before, and their class. */
  failed: number;
  failedWith?: ErrorClass | undefined;
}

interface ConcurrencyLimiter {
  /** Sends once there is a free slot. Throws the signal's reason if that is aborted first. */
  readonly run: <T>(send: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Reports a reply other than 429. */
  readonly succeeded: () => void;
  /** Reports that the endpoint was sent too much at once. */
  readonly overloaded: () => void;
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
      throw new JudgeError(stop.class, `Not sent: ${stop.message}`, { help, keyRequired });
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

interface Accounted {
  readonly routed: RoutedRequest;
  readonly most: number;
}

/** A request with its endpoint. */
interface RoutedRequest extends OutgoingRequest {
  readonly endpoint: Endpoint;
  readonly limiter: ConcurrencyLimiter;
  readonly post: Post;
}

/** Counts a reply's tokens and dollars. Usage that the API does not report is charged at the reserved maximum. */
async function account(
  { usage }: Reply,
  { routed, most }: Accounted,
  { price }: SendOptions,
): Promise<number> {
  const { meter } = routed;
  meter.input += usage.input;
  meter.output += usage.output;
  meter.cached += usage.cached;
  meter.written += usage.written ?? 0;
  const isReported = usage.input > 0 && usage.output > 0;
  const cost = isReported ? await price?.(pricedAs(routed), usage) : undefined;
  meter.cost = cost === undefined || meter.cost === undefined ? undefined : meter.cost + cost;
  return cost ?? most;
}

function pricedAs({ model, endpoint }: RoutedRequest): Priced {
  return { model: endpoint.model ?? model, baseUrl: endpoint.baseUrl };
}

/** Consecutive grades that failed with the same class, each started after the one before: about half a minute. */
const IN_A_ROW = 6;

/** Errors of the endpoint or the model, not of the grade. */
export const FAULTS: ReadonlySet<ErrorClass> = new Set(["server", "network", "invalid-reply"]);

/** Counts a fault of the model; after too many in a row nothing more is sent to it. */
function noteFault(model: Model, error: JudgeError, failedBefore: number): void {
  // Concurrent failures count once: a short outage fails all of them.
  if (model.failed === failedBefore) model.failed = error.class === model.failedWith ? model.failed + 1 : 1;
  model.failedWith = error.class;
  if (model.failed < IN_A_ROW) return;
  const help = `${String(IN_A_ROW)} grades in a row failed like this, so the rest were not sent. ${error.help ?? ""}`;
  model.stopped ??= new JudgeError(error.class, error.message, { help: help.trim() });
}

/* Concurrency limit of one endpoint: lowered by "too many requests", raised again by other replies. */

/** Factor at each 429, and increment at each other reply (additive increase, multiplicative decrease). */
const DECREASE = 0.8;

const INCREASE = 0.5;

/**
 * A limiter between one and `most` concurrent requests. With these two constants an endpoint that accepts C requests at
 * once is sent little more than C, and random 429s (one in twenty) hardly slow it down.
 */
function concurrencyLimiter(most: number): ConcurrencyLimiter {
  const limit = pLimit(most);
  let allowed = most;
  const allow = (requests: number) => {
    allowed = Math.min(most, Math.max(1, requests));
    limit.concurrency = Math.floor(allowed);
  };
  return {
    run: (send, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => {
          reject(signal.reason as Error);
        };
        if (signal.aborted) abort();
        signal.addEventListener("abort", abort, { once: true });
        void limit(async () => {
          signal.removeEventListener("abort", abort);
          if (!signal.aborted) await send().then(resolve, reject);
        });
      }),
    succeeded: () => {
      allow(allowed + INCREASE);
    },
    overloaded: () => {
      allow(allowed * DECREASE);
    },
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

/* Retries: full jitter, the endpoint's own `retry-after`, never beyond the grade's deadline. */

/** Attempts at one request that fails temporarily; rate limits are retried until the deadline. */
const ATTEMPTS = 6;

/** Milliseconds: the upper bound of the wait doubles with each attempt, and the wait is random below it (full jitter). */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 20_000;

/** A failed attempt that can be retried. */
class Retryable extends Error {
  readonly error: JudgeError;
  /** The wait requested by the endpoint, in milliseconds. */
  readonly afterMs: number | undefined;

  constructor(error: JudgeError, afterMs?: number) {
    super(error.message, { cause: error });
    this.error = error;
    this.afterMs = afterMs;
  }
}

interface RetryOptions {
  readonly signal: AbortSignal;
  readonly deadline: number;
  /** Called after each failed attempt. */
  readonly onReply?: (() => void) | undefined;
}

/**
 * Runs `attempt` until it succeeds, throws anything other than Retryable, or runs out of attempts; then throws the last
 * error. It does not start a wait that would end after `deadline` (in terms of `performance.now()`).
 */
async function withRetries<T>(
  attempt: () => Promise<T>,
  { signal, deadline, onReply }: RetryOptions,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Retryable)) throw error;
      onReply?.();
      const own = Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1));
      // Honour `Retry-After: 0` only for the first attempts.
      const wait = attempts < ATTEMPTS ? (error.afterMs ?? own) : Math.max(error.afterMs ?? 0, own);
      if (attempts >= attemptsFor(error.error) || performance.now() + wait >= deadline) throw error.error;
      await sleep(Math.min(wait, LONGEST_TIMEOUT_MS), undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }
}

/** Sends one HTTP request. Throws Retryable for temporary errors, and HttpError for those that another profile may avoid. */
async function attempt(routed: RoutedRequest, profile: RequestProfile, options: SendOptions): Promise<Reply> {
  return await routed.limiter.run(() => sendWithinCaps(routed, profile, options), routed.signal);
}

async function sendWithinCaps(
  routed: RoutedRequest,
  profile: RequestProfile,
  options: SendOptions,
): Promise<Reply> {
  const { endpoint, meter, signal, limiter, turnsFor } = routed;
  const turns = turnsFor(profile);
  const body = bodyOf(routed, { turns, profile }, options);
  const most = await mostCost(routed, body, options);
  const settle = await options.budget?.reserve(most, signal);
  if (signal.aborted) settle?.(0);
  signal.throwIfAborted();
  let used = 0;
  try {
    meter.requests += 1;
    const { headers, text } = await routed.post(endpoint, { api: profile.api, body }, signal);
    // Any 2xx reply is paid for.
    used = most;
    limiter.succeeded();
    if (isUsedUp(headers)) limiter.overloaded();
    const reply = read(text, { api: profile.api, turn: turns.length, redact: options.redact, headers });
    routed.onReply?.();
    used = await account(reply, { routed, most }, options);
    return { ...reply, seemsCut: seemsCut(reply, turns) };
  } catch (error) {
    // Unknown usage is charged at the reserved maximum.
    if (signal.aborted || isIncompleteReply(error)) used = most;
    // Treat a timeout as backpressure.
    if (isTimeout(signal)) limiter.overloaded();
    throw retryable(error, routed, options);
  } finally {
    settle?.(used);
  }
}

/** Maximum tokens of a reply with a cost cap: reasoning models need some for their thoughts. */
const REPLY_TOKENS = 8_192;

function bodyOf(
  { model, tools, endpoint, cacheKey }: RoutedRequest,
  { turns, profile }: Pick<ModelRequest, "turns" | "profile">,
  { budget }: SendOptions,
): object {
  const request = {
    turns,
    profile,
    model: endpoint.model ?? endpoint.azure?.deployment ?? model,
    tools,
    cacheKey,
    maxTokens: budget?.limitsReplies ? REPLY_TOKENS : undefined,
  };
  return profile.api === "chat" ? chatRequest(request) : responsesRequest(request);
}

/**
 * Maximum cost of a request in US dollars, if there is a cost cap: at least 2.5 ASCII characters per token, and one byte
 * of other characters.
 */
async function mostCost(
  routed: RoutedRequest,
  body: object,
  { budget, price }: SendOptions,
): Promise<number> {
  if (!budget?.limitsReplies) return 0;
  const json = JSON.stringify(body);
  const input = Math.ceil(json.length / 2.5) + (Buffer.byteLength(json) - json.length);
  return (await price?.(pricedAs(routed), { input, output: REPLY_TOKENS, cached: 0, written: input })) ?? 0;
}

/**
 * Whether a rate limit is used up, by the headers that OpenAI documents (`x-ratelimit-remaining-requests: 0`). Its
 * `x-ratelimit-reset-requests` is the time until the limit is fully restored, not until the next request is accepted.
 */
export function isUsedUp(headers: Headers): boolean {
  return ["requests", "tokens"].some((kind) => headers.get(`x-ratelimit-remaining-${kind}`) === "0");
}

interface Received extends ReadOptions {
  readonly api: RequestProfile["api"];
  readonly headers: Headers;
}

/** Parses a reply. A body that is not JSON may be truncated and is retried; a web page is not. */
function read(text: string, { api, headers, ...options }: Received): Reply {
  const readReply = api === "chat" ? readChatReply : readResponse;
  try {
    return readReply(text, options);
  } catch (error) {
    if (!(error instanceof JudgeError) || headers.get("x-should-retry") === "false") throw error;
    const isCut = error.class === "invalid-reply" && !text.trimStart().startsWith("<");
    throw isCut || error.class === "server" ? new Retryable(error) : error;
  }
}

/** Words that fit into any server's context. */
const SHORTEST_CONTEXT = 2_000;

/**
 * Whether a server counted less than half as many tokens as there are words, each of which is at least one token: some
 * silently cut a long prompt (Ollama, to its context length).
 */
function seemsCut({ usage }: Reply, turns: readonly Turn[]): boolean {
  if (usage.input === 0) return false;
  let words = 0;
  for (const turn of turns) if (turn.kind === "message") words += wordsOf(turn.message.content);
  return words > SHORTEST_CONTEXT && usage.input * 2 < words;
}

function wordsOf(text: string): number {
  let words = 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1))
    if (text[at + 1] !== " ") words += 1;
  return words;
}

/** Whether the reply began, and so was paid for, but could not be read. */
function isIncompleteReply(error: unknown): boolean {
  return (
    error instanceof JudgeError && (error.class === "invalid-reply" || error.cause instanceof IncompleteReply)
  );
}

/** Whether the grade timed out, rather than being cancelled. */
function isTimeout({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof JudgeError && reason.class === "timeout";
}

/** The error, as Retryable if it may be temporary. */
function retryable(
  error: unknown,
  { model, endpoint, limiter }: RoutedRequest,
  { redact }: SendOptions,
): unknown {
  if (error instanceof JudgeError && error.class === "network") return new Retryable(error);
  if (!isHttpError(error)) return error;
  const { status, headers } = error;
  const judgeError = httpError(error, { model, redact, endpoint });
  if (judgeError.class === "rate-limit") limiter.overloaded();
  const advice = headers.get("x-should-retry");
  const isTemporary =
    [408, 409].includes(status) || ["rate-limit", "invalid-reply"].includes(judgeError.class);
  const isFault = status >= 500 && judgeError.class === "server" && !isRefusal(error, judgeError);
  if (advice !== "true" && (advice === "false" || !(isTemporary || isFault))) return error;
  const inBody = status === 429 ? retryInBody(JSON.stringify(error.error ?? "")) : undefined;
  return new Retryable(judgeError, retryAfter(headers) ?? inBody);
}

/** Milliseconds to wait by an error's body: Google's `retryDelay`, or "retry in 1.07s". */
function retryInBody(body: string): number | undefined {
  const [, wait, unit] =
    /(?:"retryDelay":\s*"|\b(?:retry|try again) in )(\d{1,6}(?:\.\d{1,9})?)(ms|s(?:ec(?:ond)?s?)?)\b/i.exec(
      body,
    ) ?? [];
  return wait === undefined ? undefined : Number(wait) * (unit?.toLowerCase() === "ms" ? 1 : 1_000);
}

/**
 * Milliseconds to wait by a reply's headers: `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110,
 * 10.2.3), or the provider's header as LiteLLM passes it on.
 */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const milliseconds = headers.get("retry-after-ms") ?? "";
  if (/^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  const value = headers.get("retry-after") ?? headers.get("llm_provider-retry-after");
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const ATTEMPTS_AT_LIMIT = 100;
/** Attempts for replies that cannot be read: the first may have been truncated in transit. */
const UNREADABLE_ATTEMPTS = 2;

function attemptsFor(error: JudgeError): number {
  if (error.class === "rate-limit") return ATTEMPTS_AT_LIMIT;
  return error.class === "invalid-reply" ? UNREADABLE_ATTEMPTS : ATTEMPTS;
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
