/** One HTTP request to a judge: within the caps, at its endpoint's pace, for all that is left of the grade's time. */
import { httpError } from "./errors.ts";
import type { Budget } from "../spend/budget.ts";
import { readChatReply } from "./chat-reply.ts";
import type { ReadOptions } from "./chat-reply.ts";
import { chatRequest } from "./chat-request.ts";
import { isHttpError } from "./client.ts";
import type { Post, TokenSource } from "./client.ts";
import type { Endpoint } from "./endpoint.ts";
import { HalfReply } from "./body.ts";
import { JudgeError } from "../judge.ts";
import type { Meter, Redact } from "../judge.ts";
import type { Pace } from "./pace.ts";
import type { Price } from "../spend/prices.ts";
import type { Priced } from "../../domain/estimate.ts";
import { readResponse, responsesRequest } from "./responses.ts";
import { isRefusal } from "./refusals.ts";
import { isUsedUp, Retryable, retryAfter, retryInBody } from "./retry.ts";
import type { Asking, Reply, Shape, Tool, Turn } from "./wire.ts";

export interface SendOptions {
  readonly endpointOf: (model: string) => Endpoint;
  /** For endpoints with a workload identity. */
  readonly tokens?: TokenSource | undefined;
  /** Requests in flight at once, at most, to each endpoint. */
  readonly maxConcurrency: number;
  readonly budget?: Budget | undefined;
  readonly price?: Price | undefined;
  /** Takes secrets out of what an error quotes, before it is cut. */
  readonly redact: Redact;
}

export interface Sending {
  readonly model: string;
  readonly effort: string | undefined;
  /** The conversation, in the way the shape needs it. */
  readonly turnsFor: (shape: Shape) => readonly Turn[];
  readonly tools: readonly Tool[];
  readonly meter: Meter;
  readonly signal: AbortSignal;
  readonly deadline: number;
  /** The shape of the replies so far; absent before the first. */
  readonly begun?: Shape | undefined;
  readonly cacheKey?: string | undefined;
  /** Called when there is a reply, or the first attempt has failed. */
  readonly replied?: (() => void) | undefined;
}

/** A request with what is known of where it goes. */
export interface Tried extends Sending {
  readonly endpoint: Endpoint;
  readonly pace: Pace;
  readonly post: Post;
}

/** Tokens that a reply may take where its cost is counted: reasoning models need some for themselves. */
const REPLY_TOKENS = 8_192;

/** One HTTP request. Throws Retryable for what may pass, and HttpError for a refusal that may be learned from. */
export async function attempt(tried: Tried, shape: Shape, options: SendOptions): Promise<Reply> {
  return await tried.pace.run(() => sendWithinCaps(tried, shape, options), tried.signal);
}

async function sendWithinCaps(tried: Tried, shape: Shape, options: SendOptions): Promise<Reply> {
  const { endpoint, meter, signal, pace, turnsFor } = tried;
  const turns = turnsFor(shape);
  const body = bodyOf(tried, { turns, shape }, options);
  const most = await mostCost(tried, body, options);
  const settle = await options.budget?.reserve(most, signal);
  if (signal.aborted) settle?.(0);
  signal.throwIfAborted();
  let used = 0;
  try {
    meter.requests += 1;
    const { headers, text } = await tried.post(endpoint, { api: shape.api, body }, signal);
    // It was paid for, whatever it holds.
    used = most;
    pace.ok();
    if (isUsedUp(headers)) pace.tooMany();
    const reply = read(text, { api: shape.api, turn: turns.length, redact: options.redact, headers });
    tried.replied?.();
    used = await account(reply, { tried, most }, options);
    return { ...reply, seemsCut: seemsCut(reply, turns) };
  } catch (error) {
    // What it has used is not known, and then counts as the most it may have been.
    if (signal.aborted || isHalfReply(error)) used = most;
    // Too slow is too much at once, as far as anybody can tell.
    if (isTimeout(signal)) pace.tooMany();
    throw retryable(error, tried, options);
  } finally {
    settle?.(used);
  }
}

/**
 * True where a server counts less than half as many tokens as there are words, each of which is one or more: some cut a
 * long prompt without a word, Ollama by its own context length.
 */
function seemsCut({ usage }: Reply, turns: readonly Turn[]): boolean {
  if (usage.input === 0) return false;
  let words = 0;
  for (const turn of turns) if (turn.kind === "message") words += wordsOf(turn.message.content);
  return words > SHORTEST_CONTEXT && usage.input * 2 < words;
}

/** Words that every server takes. */
const SHORTEST_CONTEXT = 2_000;

function wordsOf(text: string): number {
  let words = 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1))
    if (text[at + 1] !== " ") words += 1;
  return words;
}

interface Received extends ReadOptions {
  readonly api: Shape["api"];
  readonly headers: Headers;
}

/** A reply as an answer of the judge. A body that is no JSON may have been cut off; a web page will come again. */
function read(text: string, { api, headers, ...how }: Received): Reply {
  const readReply = api === "chat" ? readChatReply : readResponse;
  try {
    return readReply(text, how);
  } catch (error) {
    if (!(error instanceof JudgeError) || headers.get("x-should-retry") === "false") throw error;
    const isCut = error.class === "invalid-reply" && !text.trimStart().startsWith("<");
    throw isCut || error.class === "server" ? new Retryable(error) : error;
  }
}

/** The error, as Retryable when the next attempt may go well. */
function retryable(error: unknown, { model, endpoint, pace }: Tried, { redact }: SendOptions): unknown {
  if (error instanceof JudgeError && error.class === "network") return new Retryable(error);
  if (!isHttpError(error)) return error;
  const { status, headers } = error;
  const judgeError = httpError(error, { model, redact, endpoint });
  if (judgeError.class === "rate-limit") pace.tooMany();
  const wanted = headers.get("x-should-retry");
  const passes = [408, 409].includes(status) || ["rate-limit", "invalid-reply"].includes(judgeError.class);
  const isFault = status >= 500 && judgeError.class === "server" && !isRefusal(error, judgeError);
  if (wanted !== "true" && (wanted === "false" || !(passes || isFault))) return error;
  const inBody = status === 429 ? retryInBody(JSON.stringify(error.error ?? "")) : undefined;
  return new Retryable(judgeError, retryAfter(headers) ?? inBody);
}

function bodyOf(
  { model, tools, endpoint, cacheKey }: Tried,
  asked: Pick<Asking, "turns" | "shape">,
  { budget }: SendOptions,
): object {
  const asking = {
    ...asked,
    model: endpoint.model ?? endpoint.azure?.deployment ?? model,
    tools,
    cacheKey,
    maxTokens: budget?.limitsReplies ? REPLY_TOKENS : undefined,
  };
  return asked.shape.api === "chat" ? chatRequest(asking) : responsesRequest(asking);
}

/**
 * US dollars that a request can cost at most, where they are counted: two and a half ASCII characters make a token, of
 * others every byte may.
 */
async function mostCost(tried: Tried, body: object, { budget, price }: SendOptions): Promise<number> {
  if (!budget?.limitsReplies) return 0;
  const json = JSON.stringify(body);
  const input = Math.ceil(json.length / 2.5) + (Buffer.byteLength(json) - json.length);
  return (await price?.(pricedAs(tried), { input, output: REPLY_TOKENS, cached: 0, written: input })) ?? 0;
}

function pricedAs({ model, endpoint }: Tried): Priced {
  return { model: endpoint.model ?? model, baseUrl: endpoint.baseUrl };
}

interface Accounted {
  readonly tried: Tried;
  readonly most: number;
}

/** Counts a reply's tokens and dollars. Usage that the API does not report is charged at the reserved maximum. */
async function account(
  { usage }: Reply,
  { tried, most }: Accounted,
  { price }: SendOptions,
): Promise<number> {
  const { meter } = tried;
  meter.input += usage.input;
  meter.output += usage.output;
  meter.cached += usage.cached;
  meter.written += usage.written ?? 0;
  const isTold = usage.input > 0 && usage.output > 0;
  const cost = isTold ? await price?.(pricedAs(tried), usage) : undefined;
  meter.cost = cost === undefined || meter.cost === undefined ? undefined : meter.cost + cost;
  return cost ?? most;
}

/** A reply that began, and was paid for, but could not be read to its end. */
function isHalfReply(error: unknown): boolean {
  return error instanceof JudgeError && (error.class === "invalid-reply" || error.cause instanceof HalfReply);
}

/** True when the grade's own time is over, and it was not cancelled. */
function isTimeout({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof JudgeError && reason.class === "timeout";
}
