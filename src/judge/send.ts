/** A request to a judge, answered: tried again where that may help, in the shape that the model takes. */
import { httpError } from "./api-errors.ts";
import { attempt } from "./attempt.ts";
import type { SendOptions, Sending, Tried } from "./attempt.ts";
import { headersOf } from "./endpoint.ts";
import { JudgeError } from "./judge.ts";
import { pace } from "./pace.ts";
import type { Pace } from "./pace.ts";
import { firstShape, learn } from "./refusals.ts";
import { withRetries } from "./retry.ts";
import type { Reply, Shape } from "./wire.ts";

export type Sender = (sending: Sending) => Promise<{ reply: Reply; shape: Shape }>;

/** Refusals that one request may learn from: more than there are lessons. */
const MOST_LESSONS = 8;

/** Errors after which asking again is useless: for the whole endpoint, or for one model. */
const STOPS = new Map<JudgeError["class"], "endpoint" | "model">([
  ["credentials", "endpoint"],
  ["quota", "endpoint"],
  ["unknown-model", "model"],
]);

interface Known {
  readonly paces: Map<string, Pace>;
  readonly shapes: Map<string, Shape>;
  readonly stopped: Map<string, JudgeError>;
}

/** Makes the sender of a run: what it learns of an endpoint or a model holds for all its grades. */
export function sender(options: SendOptions): Sender {
  const known: Known = { paces: new Map(), shapes: new Map(), stopped: new Map() };
  return async (sending) => {
    const endpoint = options.endpointOf(sending.model);
    // One refused key does not speak for another at the same address.
    const account = JSON.stringify([endpoint.baseUrl, headersOf(endpoint)]);
    const keys = { endpoint: account, model: JSON.stringify([account, sending.model]) };
    const stop = known.stopped.get(keys.endpoint) ?? known.stopped.get(keys.model);
    if (stop) throw notAsked(stop);
    const tried = {
      ...sending,
      endpoint,
      keys,
      pace: paceOf(known, endpoint.baseUrl, options.maxConcurrency),
    };
    try {
      return await withLessons(tried, known, options);
    } catch (error) {
      const scope = error instanceof JudgeError && STOPS.get(error.class);
      if (scope) known.stopped.set(keys[scope], error);
      throw error;
    }
  };
}

function notAsked({ class: errorClass, message, help }: JudgeError): JudgeError {
  return new JudgeError(errorClass, `Not asked: ${message}`, help === undefined ? {} : { help });
}

function paceOf({ paces }: Known, endpoint: string, most: number): Pace {
  const made = paces.get(endpoint) ?? pace(most);
  paces.set(endpoint, made);
  return made;
}

/** Sends in the shape that is known of the model; a refusal that is understood makes a better one for all. */
async function withLessons(
  tried: Tried,
  { shapes }: Known,
  options: SendOptions,
): Promise<{ reply: Reply; shape: Shape }> {
  const key = JSON.stringify([tried.keys.model, tried.effort]);
  const limited = options.budget?.limitsReplies ?? false;
  for (let lesson = 0; ; lesson += 1) {
    const known =
      shapes.get(key) ?? firstShape(tried.endpoint.api ?? "chat", { effort: tried.effort, limited });
    const shape = tried.begun && !isSameWay(tried.begun, known) ? tried.begun : known;
    const sent = await withRetries(() => attempt(tried, shape, options), tried);
    if ("reply" in sent) return { reply: sent.reply, shape };
    // Another grade may have learned from the same refusal while this one was waiting for it.
    const other = shape === known && shapes.get(key) !== undefined && shapes.get(key) !== shape;
    if (other && lesson < MOST_LESSONS) continue;
    const better =
      shape === known && lesson < MOST_LESSONS ? learn(shape, sent.refused, tried.effort) : undefined;
    if (!better || (tried.begun && !isSameWay(tried.begun, better)))
      throw httpError(sent.refused, tried.model, { redact: options.redact, endpoint: tried.endpoint });
    shapes.set(key, better);
  }
}

/** A conversation goes on as it began: what was said in one API, or by tools, means nothing in another. */
function isSameWay(one: Shape, other: Shape): boolean {
  return one.api === other.api && one.tools === other.tools;
}
