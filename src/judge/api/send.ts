/** A request to a judge, answered: tried again where that may help, in the shape that the model takes. */
import { isDeepStrictEqual } from "node:util";
import { httpError } from "./errors.ts";
import { attempt } from "./attempt.ts";
import type { SendOptions, Sending, Tried } from "./attempt.ts";
import { isHttpError, poster } from "./client.ts";
import type { HttpError } from "./client.ts";
import { judgeFetch } from "./fetch.ts";
import { JudgeError } from "../judge.ts";
import { outageWatch } from "./outage.ts";
import type { DuringOutage } from "./outage.ts";
import { pace } from "./pace.ts";
import type { Pace } from "./pace.ts";
import { once } from "../../text/once.ts";
import { firstShape, isRefusal, learn, refusesTurns, unlimited, unmarked } from "./refusals.ts";
import { withRetries } from "./retry.ts";
import type { Reply, Shape } from "./wire.ts";

/** A reply, and how it was asked for. */
export interface Sent {
  readonly reply: Reply;
  readonly shape: Shape;
}

export type Sender = (sending: Sending) => Promise<Sent>;

/** What a run has learned of one endpoint, with one key: a key that is refused does not speak for another. */
interface Account {
  readonly models: Map<string, Model>;
  /** The error after which asking anything there is useless. */
  stopped?: JudgeError | undefined;
}

/** What a run has learned of one model there. */
interface Model {
  /** The shape that has worked, for each kind of request. */
  readonly shapes: Map<string, Shape>;
  /** True once a refused follow-up was taken when it told what was said. */
  retold: boolean;
  stopped?: JudgeError | undefined;
  readonly duringOutage: DuringOutage;
}

/** Makes the sender of a run: what it learns of an endpoint or a model holds for all its grades. */
export function sender(options: SendOptions): Sender {
  const post = poster(judgeFetch(options.maxConcurrency), options.tokens);
  const accounts = new Map<string, Account>();
  const paces = new Map<string, Pace>();
  return async (sending) => {
    const endpoint = options.endpointOf(sending.model);
    const { baseUrl, apiKey, headers } = endpoint;
    const key = JSON.stringify([baseUrl, apiKey, headers]);
    const account = once(accounts, key, (): Account => ({ models: new Map() }));
    const model = once(account.models, sending.model, () => newModel(options));
    const tried = {
      ...sending,
      endpoint,
      pace: once(paces, baseUrl, () => pace(options.maxConcurrency)),
      post,
    };
    const send = async () => {
      const stop = account.stopped ?? model.stopped;
      if (stop) throw new JudgeError(stop.class, `Not asked: ${stop.message}`, { help: stop.help });
      return await withLessons(tried, model, options);
    };
    try {
      return await model.duringOutage(send, sending.signal);
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      if (error.class === "credentials" || error.class === "quota") account.stopped ??= error;
      // A model that has answered is known, whatever this error reads like.
      if (error.class === "unknown-model" && model.shapes.size === 0) model.stopped ??= error;
      throw error;
    }
  };
}

function newModel({ maxConcurrency }: SendOptions): Model {
  return { shapes: new Map(), retold: false, duringOutage: outageWatch(maxConcurrency) };
}

/**
 * Sends in the shape that is known of the model. A refusal that names a field leads to another shape, which is kept for
 * all grades once it has worked; where it leads nowhere it may have been this grade's own, and the next begins anew.
 * A refusal of a follow-up, whatever it says, leads to one that tells what the judge said instead of sending it back.
 */
async function withLessons(tried: Tried, model: Model, options: SendOptions): Promise<Sent> {
  const { shapes } = model;
  const { begun } = tried;
  const { kind, plain } = kindOf(tried);
  const known =
    shapes.get(kind) ?? shapes.get(plain) ?? firstShape(tried, options.budget?.limitsReplies ?? false);
  const isOpen = begun === undefined || isSameWay(begun, known);
  let shape = { ...(isOpen ? known : begun), retold: model.retold };
  for (;;) {
    try {
      const reply = await withRetries(() => attempt(tried, shape, options), tried);
      if (isOpen) for (const taken of [kind, plain]) shapes.set(taken, shape);
      if (shape.retold) model.retold = true;
      return { reply, shape };
    } catch (error) {
      if (!isHttpError(error)) throw error;
      const judgeError = httpError(error, { ...options, ...tried });
      const next = nextShape({ shape, error, judgeError }, tried, model);
      if (!next) throw judgeError;
      shape = next;
    }
  }
}

interface Refused {
  readonly shape: Shape;
  readonly error: HttpError;
  readonly judgeError: JudgeError;
}

/** The shape to try after a refusal; undefined where it leads nowhere. */
function nextShape({ shape, error, judgeError }: Refused, tried: Tried, model: Model): Shape | undefined {
  const { effort, begun } = tried;
  // What has worked once is not what is refused; and another grade may have learned meanwhile.
  const worked = model.shapes.get(kindOf(tried).kind);
  const mayLearn = !worked && isRefusal(error, judgeError);
  const learned = mayLearn ? (learn(shape, error, effort) ?? unmarked(shape, tried, error)) : worked;
  // Some servers add the limit of a reply to the length of the text, which grows.
  const mayBeLimit = mayLearn || judgeError.class === "too-long";
  for (const better of [learned, mayBeLimit ? unlimited(shape) : undefined]) {
    const next = better && { ...better, retold: shape.retold || model.retold };
    const isBetter = next !== undefined && !isDeepStrictEqual(next, shape);
    if (isBetter && (!begun || isSameWay(begun, next))) return next;
  }
  const mayTell = begun && !shape.retold && refusesTurns(error, judgeError);
  return mayTell ? { ...shape, retold: true } : undefined;
}

/**
 * What is sent besides the conversation: the effort, and marks for a prompt cache. What is taken with marks is taken
 * without them (`plain`), and not the other way round.
 */
function kindOf({ effort = "", cacheKey }: Sending): { readonly kind: string; readonly plain: string } {
  return { kind: cacheKey === undefined ? effort : `${effort} marked`, plain: effort };
}

/** A conversation goes on as it began: what was said in one API, or by tools, means nothing in another. */
function isSameWay(one: Shape, other: Shape): boolean {
  return one.api === other.api && one.tools === other.tools;
}
