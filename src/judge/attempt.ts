/** One HTTP request to a judge: within the caps, at its endpoint's pace, for all that is left of the grade's time. */
import { HalfReply } from "../network.ts";
import type { Agents, HttpReply } from "../network.ts";
import { httpError } from "./api-errors.ts";
import type { Budget, Use } from "./budget.ts";
import { readChatReply } from "./chat-reply.ts";
import { chatRequest } from "./chat-request.ts";
import { addressOf, headersOf } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { post } from "./http.ts";
import { JudgeError } from "./judge.ts";
import type { Meter } from "./judge.ts";
import type { Pace } from "./pace.ts";
import type { Price } from "./prices.ts";
import { readResponse, responsesRequest } from "./responses-api.ts";
import { limitReset, Retryable, retryAfter, retryInBody } from "./retry.ts";
import type { Reply, Shape, Tool, Turn } from "./wire.ts";

export interface SendOptions {
  readonly endpointOf: (model: string) => Endpoint;
  /** Requests in flight at once, at most, to each endpoint. */
  readonly maxConcurrency: number;
  readonly agents?: Agents;
  readonly budget?: Budget;
  readonly price?: Price;
  /** Takes secrets out of what an error quotes, before it is cut; without it, errors are quoted as they are. */
  readonly redact?: (text: string) => string;
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
}

/** A request with what is known of where it goes. */
export type Tried = Sending & {
  readonly endpoint: Endpoint;
  readonly keys: { readonly endpoint: string; readonly model: string };
  readonly pace: Pace;
};

/** Tokens that a reply may take where they are counted: reasoning models need some for themselves. */
const REPLY_TOKENS = 8_192;

/** What came of a request: an answer, or a refusal to be learned from. */
export type Sent = { readonly reply: Reply } | { readonly refused: HttpReply };

/** One HTTP request. Throws Retryable for what may pass; other errors of HTTP are returned, to be learned from. */
export async function attempt(tried: Tried, shape: Shape, options: SendOptions): Promise<Sent> {
  const { endpoint, meter, signal, pace: gate } = tried;
  if (gate.resumesAt() >= tried.deadline) throw usedUp(gate.resumesAt() - performance.now());
  const leave = await gate.enter(signal);
  try {
    const body = bodyOf(tried, shape, options);
    const most = await mostUse(tried, body, options);
    const settle = await options.budget?.reserve(most, signal);
    if (signal.aborted) settle?.({ tokens: 0, cost: 0 });
    signal.throwIfAborted();
    meter.requests += 1;
    // undefined is unknown, and then counts as the most it may have been.
    let used: Spent | undefined = { tokens: 0, cost: 0 };
    try {
      const { agents } = options;
      const reply = await post(
        { url: addressOf(endpoint, shape.api), headers: headersOf(endpoint), body, agents },
        signal,
      );
      if (isOk(reply)) used = undefined;
      const answered = receive(reply, { tried, shape, options });
      if ("reply" in answered) used = await account(answered.reply, { tried, most }, options);
      return answered;
    } catch (error) {
      if (signal.aborted || isHalfReply(error)) used = undefined;
      // Too slow is too much at once, as far as anybody can tell.
      if (isTimeout(signal)) gate.tooMany();
      throw error instanceof JudgeError && error.class === "network" ? new Retryable(error) : error;
    } finally {
      settle?.(used ? { tokens: used.tokens, cost: used.cost ?? most.cost } : most);
    }
  } finally {
    leave();
  }
}

/** The endpoint's own headers say that it goes on only when this grade's time is over: nobody need wait for that. */
function usedUp(milliseconds: number): JudgeError {
  const seconds = String(Math.ceil(milliseconds / 1_000));
  const help = "Run the job again when the limit is reset, or raise the limit with the provider.";
  return new JudgeError(
    "rate-limit",
    `The endpoint's rate limit is used up; by its headers it is reset in ${seconds} s.`,
    { help },
  );
}

function bodyOf({ model, turnsFor, tools, endpoint }: Tried, shape: Shape, { budget }: SendOptions): string {
  const asking = {
    model: endpoint.model ?? endpoint.azure?.deployment ?? model,
    turns: turnsFor(shape),
    tools,
    shape,
    ...(budget?.limitsReplies ? { maxTokens: REPLY_TOKENS } : {}),
  };
  return JSON.stringify(shape.api === "chat" ? chatRequest(asking) : responsesRequest(asking));
}

/** What a request can use at most: two and a half ASCII characters make a token, of others every byte may. */
async function mostUse(tried: Tried, body: string, { budget, price }: SendOptions): Promise<Use> {
  const input = Math.ceil(body.length / 2.5) + (Buffer.byteLength(body) - body.length);
  const cost = budget?.limitsReplies
    ? await price?.(placeOf(tried), { input, output: REPLY_TOKENS, cached: 0 })
    : 0;
  return { tokens: input + REPLY_TOKENS, cost: cost ?? 0 };
}

function placeOf({ model, endpoint }: Tried): { model: string; baseUrl: string } {
  return { model: endpoint.model ?? model, baseUrl: endpoint.baseUrl };
}

/** What a request has used; without a cost where it has no price. */
type Spent = Pick<Use, "tokens"> & Partial<Use>;

/** Tokens and dollars of a reply; undefined where the API tells none that can be believed, as is a cost without a price. */
async function account(
  { usage }: Reply,
  { tried, most }: { readonly tried: Tried; readonly most: Use },
  { price }: SendOptions,
): Promise<Spent | undefined> {
  const { meter } = tried;
  meter.input += usage.input;
  meter.output += usage.output;
  meter.cached += usage.cached;
  const cost = await price?.(placeOf(tried), usage);
  meter.cost = cost === undefined || meter.cost === undefined ? undefined : meter.cost + cost;
  if (usage.input === 0 && usage.output === 0) return undefined;
  // One of the two is not believed: then it counts as the most it may have been.
  const missing = usage.input === 0 ? most.tokens - REPLY_TOKENS : usage.output === 0 ? REPLY_TOKENS : 0;
  const isWhole = cost !== undefined && missing === 0;
  return { tokens: usage.input + usage.output + missing, ...(isWhole ? { cost } : {}) };
}

/** A reply that began, and was paid for, but could not be read to its end. */
function isHalfReply(error: unknown): boolean {
  return error instanceof JudgeError && (error.class === "invalid-reply" || error.cause instanceof HalfReply);
}

function isOk({ status }: HttpReply): boolean {
  return status >= 200 && status < 300;
}

/** True when the grade's own time is over, and it was not cancelled. */
function isTimeout({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof JudgeError && reason.class === "timeout";
}

/** A reply of HTTP as an answer of the judge, or as a refusal; Retryable when it may be another one next time. */
function receive(
  reply: HttpReply,
  { tried, shape, options }: { readonly tried: Tried; readonly shape: Shape; readonly options: SendOptions },
): Sent {
  const { status, headers, body } = reply;
  const { redact = (text: string) => text } = options;
  const reset = limitReset(headers);
  if (reset !== undefined) tried.pace.pauseUntil(performance.now() + reset);
  if (isOk(reply)) {
    tried.pace.ok();
    const read = shape.api === "chat" ? readChatReply : readResponse;
    try {
      return { reply: read(body, { turn: tried.turnsFor(shape).length, redact }) };
    } catch (error) {
      // A body that is no JSON may have been cut off; a web page is the wrong address, and will be again.
      if (!(error instanceof JudgeError) || headers["x-should-retry"] === "false") throw error;
      const cut = error.class === "invalid-reply" && !/^\s*</.test(body);
      throw cut || error.class === "server" ? new Retryable(error) : error;
    }
  }
  const error = httpError(reply, tried.model, { redact, endpoint: tried.endpoint });
  if (status === 429 && error.class === "rate-limit") tried.pace.tooMany();
  // llama.cpp: a server started without what tools need.
  const lacks = body.includes("requires --jinja");
  const passing =
    status === 408 || status === 409 || (status >= 500 && !lacks) || error.class === "rate-limit";
  const wanted = headers["x-should-retry"];
  if (wanted === "true" || (passing && wanted !== "false" && error.class !== "quota"))
    throw new Retryable(error, retryAfter(headers) ?? (status === 429 ? retryInBody(body) : undefined));
  return { refused: reply };
}
