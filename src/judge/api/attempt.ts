/** One HTTP request to a judge: within the caps and the grade's deadline. */
import type { Priced } from "../../domain/grade.ts";
import {
  type EndpointClients,
  IncompleteReply,
  type JudgeReply,
  type TokenSource,
  isHttpError,
} from "./client.ts";
import { httpError } from "./errors.ts";
import { FailedAttempt, retryOf, type ConcurrencyLimiter } from "./retry.ts";
import { chatRequest, readChatReply } from "./chat.ts";
import { readResponse, responsesRequest } from "./responses.ts";
import type { ModelLists } from "./models.ts";
import type { Endpoint, ModelRequest, Reply, RequestProfile, Turn } from "./wire.ts";
import { JudgeError, type JudgeRequest, type Meter } from "../judge.ts";
import type { Redact } from "../../safety/secrets.ts";
import type { Budget, Price } from "../spend.ts";
import { sumOf } from "../../text/format.ts";

/** Tokens of a reply under a cost cap: reasoning models need some for their thoughts, and a list of statements for each. */
const REPLY_TOKENS = { least: 1_000, most: 8_192, perStatement: 150 };
/** Words that fit into any server's context. */
const SHORTEST_CONTEXT = 2_000;

export interface SendOptions {
  readonly endpointOf: (model: string) => Endpoint;
  /** For endpoints with a workload identity. */
  readonly tokens?: TokenSource | undefined;
  /** Maximum concurrent requests to each endpoint. */
  readonly maxConcurrency: number;
  /** The models that endpoints list; absent in tests of other things. */
  readonly lists?: ModelLists | undefined;
  readonly budget?: Budget | undefined;
  readonly price?: Price | undefined;
  /** Redacts what an error quotes, before it is shortened. */
  readonly redact: Redact;
  /** The share of each wait before a retry (`withRetries`). */
  readonly chance?: (() => number) | undefined;
}

export interface OutgoingRequest
  extends
    Pick<JudgeRequest, "effort" | "deadline" | "onReply" | "onFaults">,
    Pick<ModelRequest, "model" | "tools" | "schema" | "cacheKey"> {
  /** The conversation in the format of a profile. */
  readonly turnsFor: (profile: RequestProfile) => readonly Turn[];
  /** Number of statements that are judged. */
  readonly judged: number;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  /** The profile of the conversation so far; absent before the first reply. */
  readonly currentProfile?: RequestProfile | undefined;
}

/** A request with its endpoint, and the options of the run. */
export interface RoutedRequest extends OutgoingRequest, SendOptions {
  readonly endpoint: Endpoint;
  readonly limiter: ConcurrencyLimiter;
  readonly post: EndpointClients["post"];
}

/** Sends one HTTP request, within the caps. Throws FailedAttempt, which says what to do about it. */
export async function attempt(
  routed: RoutedRequest,
  { profile, isFirst }: { readonly profile: RequestProfile; readonly isFirst: boolean },
): Promise<Reply> {
  const { endpoint, meter, signal, limiter, redact } = routed;
  const turns = routed.turnsFor(profile);
  const { body, most, isTight, settle } = await withinBudget(routed, { turns, profile });
  if (signal.aborted) settle?.(0);
  signal.throwIfAborted();
  let used = 0;
  let received: JudgeReply | undefined;
  try {
    meter.requests += 1;
    received = await routed.post(endpoint, { api: profile.api, body }, signal);
    const { headers, text } = received;
    // Any 2xx reply is paid for.
    used = most;
    if (isFirst) limiter.succeeded();
    const readReply = profile.api === "chat" ? readChatReply : readResponse;
    const reply = readReply(text, { turn: turns.length, redact, headers });
    routed.onReply?.();
    used = await account(reply, routed, most);
    const unfinished = endOfReply(reply, isTight);
    return { ...reply, unfinished, seemsCut: seemsCut(reply, turns) };
  } catch (error) {
    // Unknown usage is charged at the reserved maximum; an error in place of a reply costs nothing.
    if (signal.aborted || isIncompleteReply(error)) used = most;
    else if (isHttpError(error)) used = 0;
    const failed = failureOf(error, received, routed);
    // Treat a timeout as backpressure.
    const isLimited = failed instanceof FailedAttempt && failed.retry.kind === "rate-limit";
    if (isLimited || isTimeout(signal)) limiter.overloaded();
    throw failed;
  } finally {
    settle?.(used);
  }
}

/** A reply that was limited to what is left of the cap. */
const CUT_BY_CAP = new JudgeError("cut-off", "The judge's answer was cut off: `max-cost-usd` left no more.", {
  help: "Raise `max-cost-usd`, or use a judge model with shorter answers.",
});

/** Why a reply is not complete. Throws if its provider ended it before any call: it is asked for again. */
function endOfReply({ unfinished, calls }: Reply, isTight: boolean): JudgeError | undefined {
  if (unfinished?.class === "invalid-reply" && calls.length === 0) throw unfinished;
  return isTight && unfinished?.class === "cut-off" ? CUT_BY_CAP : unfinished;
}

/** A judge's or an endpoint's error as a FailedAttempt; anything else, as a reached cap, unchanged. */
function failureOf(error: unknown, received: JudgeReply | undefined, routed: RoutedRequest): unknown {
  const judgeError = isHttpError(error) ? httpError(error, routed) : error;
  return judgeError instanceof JudgeError
    ? new FailedAttempt(judgeError, retryOf(judgeError, received))
    : error;
}

/**
 * The body of a request, what it costs at most, and how to settle that. Under a cost cap the reply is limited, also to what
 * is left of the cap (`isTight`). The most is at least 2.5 ASCII characters per token, and one byte of other characters.
 */
async function withinBudget(routed: RoutedRequest, shown: Pick<ModelRequest, "turns" | "profile">) {
  const { budget, price } = routed;
  const wished = REPLY_TOKENS.most + REPLY_TOKENS.perStatement * routed.judged;
  const bodyWith = (maxTokens?: number) => bodyOf(routed, { ...shown, maxTokens });
  if (!budget?.limitsReplies) {
    const reserved = await budget?.reserve({ most: 0, least: 0 }, routed.signal);
    return { body: bodyWith(), most: 0, isTight: false, settle: reserved?.settle };
  }
  const json = JSON.stringify(bodyWith(wished));
  const input = Math.ceil(json.length / 2.5) + (Buffer.byteLength(json) - json.length);
  const costOf = async (output: number) =>
    (await price?.(pricedAs(routed), { input, output, cached: 0, written: input })) ?? 0;
  const [most, least] = [await costOf(wished), await costOf(REPLY_TOKENS.least)];
  const { dollars, settle } = await budget.reserve({ most, least }, routed.signal);
  const perToken = (most - least) / (wished - REPLY_TOKENS.least);
  const affordable = dollars < most ? REPLY_TOKENS.least + Math.floor((dollars - least) / perToken) : wished;
  return { body: bodyWith(affordable), most: dollars, isTight: affordable < wished, settle };
}

function bodyOf(routed: RoutedRequest, shown: Pick<ModelRequest, "turns" | "profile" | "maxTokens">): object {
  const { endpoint, model, schema } = routed;
  const request = {
    ...routed,
    ...shown,
    model: endpoint.model ?? endpoint.azure?.deployment ?? model,
    schema: shown.profile.schema ? schema : undefined,
  };
  return shown.profile.api === "chat" ? chatRequest(request) : responsesRequest(request);
}

/** Counts a reply's tokens and dollars. Usage that the API does not report is charged at the reserved maximum. */
async function account({ usage }: Reply, routed: RoutedRequest, most: number): Promise<number> {
  const { meter } = routed;
  const { tokens } = meter;
  tokens.input += usage.input;
  tokens.output += usage.output;
  tokens.cached += usage.cached;
  tokens.written += usage.written ?? 0;
  const isReported = usage.input > 0 && usage.output > 0;
  const cost = isReported ? await routed.price?.(pricedAs(routed), usage) : undefined;
  meter.cost = cost === undefined || meter.cost === undefined ? undefined : meter.cost + cost;
  return cost ?? most;
}

function pricedAs({ model, endpoint }: RoutedRequest): Priced {
  return { model: endpoint.model ?? model, baseUrl: endpoint.baseUrl };
}

/**
 * Whether a server counted less than half as many tokens as there are words, each of which is at least one token: some
 * silently cut a long prompt (Ollama, to its context length).
 */
function seemsCut({ usage }: Reply, turns: readonly Turn[]): boolean {
  if (usage.input === 0) return false;
  const words = turns.map((turn) =>
    turn.kind === "message" ? turn.message.content.split(/ (?! )/).length : 0,
  );
  return sumOf(words) > Math.max(SHORTEST_CONTEXT, usage.input * 2);
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
