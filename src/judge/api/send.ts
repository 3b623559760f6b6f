/** Sends requests to judges, with retries and with the profile that the model accepts. */
import { DEFAULT_JUDGE } from "../../domain/defaults.ts";
import type { ErrorClass } from "../../domain/grade.ts";
import { type OutgoingRequest, type RoutedRequest, type SendOptions, attempt } from "./attempt.ts";
import { endpointClients, httpOf, judgeFetch } from "./client.ts";
import { isRefusal, messageOfError } from "./errors.ts";
import { FailedAttempt, concurrencyLimiter, withRetries, type ConcurrencyLimiter } from "./retry.ts";
import { defaultProfile, fallbackProfiles, forEffort, namesField, refusesTurns } from "./request-profile.ts";
import type { Reply, RequestProfile } from "./wire.ts";
import { JudgeError, type Meter } from "../judge.ts";
import { type ModelList, lacks, listedLike } from "./models.ts";
import { unlessAborted } from "../../network/connections.ts";
import { asSentence, once } from "../../text/format.ts";
import { ruleFor } from "../../text/suggest.ts";
import { LONGEST_LEAD_MS } from "../limits.ts";

/** Consecutive grades that failed with the same class, each started after the one before: about half a minute. */
const OUTAGE_IN_A_ROW = 6;
/** Grades that are refused in the same words by a model that never answered, or for the account in a row, to end the rest. */
const REFUSED_GRADES = 3;
/** Characters of a word that may be a number: longer ones name a request. */
const LONGEST_NUMBER = 15;

/** Sends a request; returns the reply, and the profile that was accepted. */
export type Sender = (
  outgoing: OutgoingRequest,
) => Promise<{ readonly reply: Reply; readonly profile: RequestProfile }>;

/** State of one endpoint and key: a refused key says nothing about another. */
interface Account {
  readonly models: Map<string, Model>;
  /** The error after which further requests are pointless. */
  stopped?: JudgeError | undefined;
  /** Requests in a row that were refused for the account: its key, its money, its quota. */
  refused: number;
}

/** State of one model there. */
interface Model {
  /** The profile that has worked, by kind of request. */
  readonly profiles: Map<string, RequestProfile>;
  /** The last profile that has worked, of any kind. */
  latest?: RequestProfile | undefined;
  stopped?: JudgeError | undefined;
  /** Grades in a row that ended in a fault, and its class. */
  failed: number;
  failedWith?: ErrorClass | undefined;
  /** Grades that were refused, by what the refusal says: only while nothing was answered. */
  readonly refused: Map<string, Set<Meter>>;
  /** Settled when the request that was refused first has found what the API takes. */
  lesson?: Promise<undefined> | undefined;
}

/** Makes the sender of a run: its grades share the state of endpoints and models. */
export function sender(options: SendOptions): Sender {
  const { post } = endpointClients(judgeFetch(options.maxConcurrency), options.tokens);
  const accounts = new Map<string, Account>();
  const limiters = new Map<string, ConcurrencyLimiter>();
  return async (outgoing) => {
    const endpoint = options.endpointOf(outgoing.model);
    const { baseUrl, apiKey, headers } = endpoint;
    const key = JSON.stringify([baseUrl, apiKey, headers]);
    const account = once(accounts, key, (): Account => {
      return { models: new Map(), refused: 0 };
    });
    const model = once(account.models, outgoing.model, (): Model => {
      return { profiles: new Map(), failed: 0, refused: new Map() };
    });
    const routed = {
      ...options,
      ...outgoing,
      endpoint,
      limiter: once(limiters, baseUrl, () => concurrencyLimiter(options.maxConcurrency)),
      post,
    };
    const stopped = account.stopped ?? model.stopped;
    if (stopped) {
      const { help, keyRequired } = stopped;
      throw new JudgeError(stopped.class, stopped.message, { help, keyRequired, notSent: true });
    }
    const { onFaults } = outgoing;
    const failedBefore = model.failed;
    const refusedBefore = account.refused;
    try {
      const result = await sendWithFallbacks(routed, model);
      // After an answer nothing was refused for good, and no outage goes on.
      account.refused = 0;
      model.refused.clear();
      model.failed = 0;
      onFaults?.(0);
      return result;
    } catch (error) {
      if (!(error instanceof FailedAttempt)) throw error;
      const judgeError = await orUnknownModel(error.error, routed, model);
      if (OF_ACCOUNT.has(judgeError.class) && !isLongWait(error))
        noteRefusedAccount(error, account, refusedBefore);
      // A model that has answered exists, even if this error says otherwise.
      if (judgeError.class === "unknown-model" && model.profiles.size === 0) model.stopped ??= judgeError;
      if (REFUSALS.has(judgeError.class)) noteRefusal(judgeError, model, outgoing.meter);
      throw noteFault(error, { model, failedBefore }, { error: judgeError, onFaults });
    }
  };
}

/** Refusals of an account. */
const OF_ACCOUNT: ReadonlySet<ErrorClass> = new Set(["credentials", "quota"]);

/**
 * Stops an account that never answered, or that was refused so many times in a row: a gateway may err once. Refusals at
 * the same time count once.
 */
function noteRefusedAccount({ error }: FailedAttempt, account: Account, refusedBefore: number): void {
  if (account.refused === refusedBefore) account.refused += 1;
  const hasAnswered = [...account.models.values()].some(({ profiles }) => profiles.size > 0);
  if (!hasAnswered || account.refused >= REFUSED_GRADES) account.stopped ??= error;
}

/** A quota, perhaps of one model alone. */
function isLongWait({ error, retry }: FailedAttempt): boolean {
  return error.class === "quota" && retry.kind !== "no";
}

/** Errors of the endpoint or the model, not of the grade. */
const FAULTS: ReadonlySet<ErrorClass> = new Set(["server", "network", "invalid-reply"]);

/**
 * Counts a fault of the model and returns the error; after too many in a row nothing more is sent to it. Faults at the
 * same time count once, since a short outage fails all of them; a grade that waited for its whole time, refused for the
 * rate of requests, or that was asked to wait longer, counts each time.
 */
function noteFault(
  failed: FailedAttempt,
  { model, failedBefore }: { readonly model: Model; readonly failedBefore: number },
  { error, onFaults }: { readonly error: JudgeError; readonly onFaults: OutgoingRequest["onFaults"] },
): JudgeError {
  const { retry, attempts } = failed;
  const http = httpOf(failed.error);
  const isLong = isLongWait(failed);
  const isQuota = retry.kind === "rate-limit" && attempts > 1 && !isLong;
  // A call of the model that its own server cannot read is no outage.
  const isFault = FAULTS.has(error.class) && !(http && error.class === "invalid-reply");
  if (!isQuota && !isLong && !isFault) return error;
  const isNew = !isFault || model.failed === failedBefore;
  if (isNew) model.failed = error.class === model.failedWith ? model.failed + 1 : 1;
  model.failedWith = error.class;
  if (isFault) onFaults?.(model.failed);
  const fault = isQuota ? new JudgeError(error.class, error.message, { help: NO_QUOTA, cause: http }) : error;
  const most = isLong ? REFUSED_GRADES : OUTAGE_IN_A_ROW;
  if (model.failed < most) return fault;
  stop(model, fault, `${String(most)} grades in a row failed like this`);
  return fault;
}

function stop(model: Model, { class: errorClass, message, help = "" }: JudgeError, why: string): void {
  const rest = `${why}, so the rest were not sent. ${help}`.trim();
  model.stopped ??= new JudgeError(errorClass, message, { help: rest });
}

const NO_QUOTA =
  "It did not answer for the whole time of the grade. If others were answered meanwhile, raise `timeout` or lower `max-concurrency`; if none was, a quota of the day or month seems to be used up: look at the account's limits.";

/** Refusals that may be of every request: its key, its model, its money. A filter or a length is of one request. */
const REFUSALS: ReadonlySet<ErrorClass> = new Set(["bad-request", "not-found", "forbidden"]);

/** Stops a model that has never answered, and refused so many grades in the same words. */
function noteRefusal(error: JudgeError, model: Model, grade: Meter): void {
  if (model.profiles.size > 0) return;
  // What names the request, a long word with a digit, differs each time.
  const isId = (word: string) => word.length > LONGEST_NUMBER && /\d/.test(word);
  const words = JSON.stringify(error.message.split(" ").filter((word) => !isId(word)));
  const grades = once(model.refused, words, () => new Set<Meter>());
  grades.add(grade);
  if (grades.size < REFUSED_GRADES) return;
  stop(model, error, `${String(REFUSED_GRADES)} grades were refused like this and none was answered`);
}

/**
 * Sends with the model's known profile. A refusal that names a field leads to a fallback, which all grades use once it has
 * worked; if none works, the refusal may be specific to this grade, and the next starts anew. No profile is tried twice.
 * Any refusal of a follow-up leads to a flattened history. What was refused at the same time waits for the first of them.
 */
async function sendWithFallbacks(routed: RoutedRequest, model: Model): ReturnType<Sender> {
  const { currentProfile } = routed;
  if (!currentProfile) await heard(model.lesson, routed.signal);
  let start = firstProfile(routed, model);
  const usesKnown = currentProfile === undefined || isSameProtocol(currentProfile, start);
  let profile = usesKnown ? start : currentProfile;
  const tried = new Set<string>();
  const isTried = (next: RequestProfile) => tried.has(profileKey({ ...next, flattened: profile.flattened }));
  const { promise: ownLesson, resolve: learned } = Promise.withResolvers<undefined>();
  try {
    for (;;) {
      tried.add(profileKey(profile));
      try {
        const send = (isFirst: boolean) =>
          routed.limiter.run(() => attempt(routed, { profile, isFirst }), routed.signal);
        const reply = await withRetries(send, routed);
        if (usesKnown) remember(routed, model, profile);
        return { reply, profile };
      } catch (error) {
        if (!(error instanceof FailedAttempt) || error.retry.kind !== "no") throw error;
        if (!currentProfile && model.lesson !== ownLesson) await heard(model.lesson, routed.signal);
        start = firstProfile(routed, model);
        const known = currentProfile || isTried(start) ? undefined : start;
        const next = known ?? nextProfile({ profile, error: error.error, isTried }, routed, model);
        if (!next) throw error;
        if (!currentProfile && !known) model.lesson ??= ownLesson;
        profile = next;
      }
    }
  } finally {
    learned(undefined);
    if (model.lesson === ownLesson) model.lesson = undefined;
  }
}

/** The next request of this kind, and one without more, begin as this one. */
function remember(routed: RoutedRequest, model: Model, profile: RequestProfile): void {
  for (const accepted of [kindOf(routed), routed.effort ?? ""]) model.profiles.set(accepted, profile);
  model.latest = profile;
}

/** The profile to begin with: one that has worked, of this kind if there is one, else the default. */
function firstProfile(routed: RoutedRequest, { profiles, latest }: Model): RequestProfile {
  return (
    profiles.get(kindOf(routed)) ??
    profiles.get(routed.effort ?? "") ??
    (latest && forEffort(latest, routed.effort)) ??
    defaultProfile(routed)
  );
}

/** Waits for what another request learns; at the grade's end no longer. */
async function heard(lesson: Promise<undefined> | undefined, signal: AbortSignal): Promise<void> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_LEAD_MS)]);
  if (lesson) await unlessAborted(lesson, over).catch(() => undefined);
}

/**
 * The error, or that the endpoint does not have the model: by its own list of models, which is asked only after a refusal
 * that speaks of the model and names no field. A deployment of Azure is not among Azure's models.
 */
async function orUnknownModel(error: JudgeError, routed: RoutedRequest, model: Model): Promise<JudgeError> {
  const { endpoint, lists } = routed;
  const http = httpOf(error);
  if (!http || !lists || model.profiles.size > 0 || endpoint.azure) return error;
  const sent = endpoint.model ?? routed.model;
  const text = messageOfError(http).toLowerCase();
  const isSaid = error.class === "unknown-model";
  if (!isSaid && (!REFUSALS.has(error.class) || namesField(http, routed))) return error;
  const list = await lists(endpoint);
  const isNamed = [sent, "model", ...(list ?? []).map(({ id }) => id)].some((name) =>
    text.includes(name.toLowerCase()),
  );
  return list && (isSaid || isNamed) && lacks(list, sent) ? unknownModel(error, routed, list) : error;
}

function unknownModel(
  { said }: JudgeError,
  { model: asked, endpoint }: RoutedRequest,
  list: ModelList,
): JudgeError {
  const sent = endpoint.model ?? asked;
  const isDefault = asked === DEFAULT_JUDGE.model && sent === asked;
  const who = isDefault ? "This action's default judge" : "The judge model";
  const remedy = isDefault
    ? "Set `judge-model` (at the command line `--judge-model`)"
    : `Correct the name where it is given, or add a line to \`providers\`: \`${ruleFor(asked, "A-MODEL-YOU-HAVE")}\``;
  const message = asSentence(`${who} \`${sent}\` is not among the models of the endpoint: ${said ?? ""}`);
  return new JudgeError("unknown-model", message, { help: `${remedy}: ${listedLike(sent, list)}.` });
}

/** What a profile sends. */
function profileKey({ changes: _, effortRefusal: _said, ...sent }: RequestProfile): string {
  return JSON.stringify(
    Object.entries(sent)
      .filter(([, value]) => value !== undefined)
      .sort(),
  );
}

/**
 * The kind of a request: its effort, whether it has prompt cache markers, and whether its reply is held to a schema. A
 * profile that works with these also works without them, but not the other way round.
 */
function kindOf({ effort = "", cacheKey, schema }: OutgoingRequest): string {
  const marked = cacheKey === undefined ? effort : `${effort} marked`;
  return schema ? `${marked} schema` : marked;
}

/** Whether a conversation can continue with the other profile: turns of one API, or tool calls, mean nothing in another. */
function isSameProtocol(current: RequestProfile, next: RequestProfile): boolean {
  return current.api === next.api && current.tools === next.tools;
}

/** A profile that has worked for this kind of request; once its schema is left out, for those without one. */
function workedFor(
  routed: RoutedRequest,
  { schema }: RequestProfile,
  { profiles }: Model,
): RequestProfile | undefined {
  const plain = schema ? undefined : profiles.get(kindOf({ ...routed, schema: undefined }));
  return profiles.get(kindOf(routed)) ?? plain;
}

/** The profile to try after a refusal; undefined if there is none. */
function nextProfile(
  {
    profile,
    error,
    isTried,
  }: {
    readonly profile: RequestProfile;
    readonly error: JudgeError;
    readonly isTried: (profile: RequestProfile) => boolean;
  },
  routed: RoutedRequest,
  model: Model,
): RequestProfile | undefined {
  const { effort, currentProfile } = routed;
  // A profile that has worked is not the reason for the refusal; another grade may have found one meanwhile.
  const worked = workedFor(routed, profile, model);
  const fallbacks = worked && isRefusal(error) ? [] : fallbackProfiles(profile, error, routed);
  const next = [...(worked && httpOf(error) ? [worked] : []), ...fallbacks]
    .map((candidate) => ({
      ...candidate,
      ...(refusesEffort(profile, candidate, effort) && { effortRefusal: error.said }),
      flattened: profile.flattened,
    }))
    .find(
      (candidate) => !isTried(candidate) && (!currentProfile || isSameProtocol(currentProfile, candidate)),
    );
  const mayFlatten = currentProfile && !profile.flattened && refusesTurns(error);
  return next ?? (mayFlatten ? { ...profile, flattened: true } : undefined);
}

/** Whether the next profile is the one after the effort that was asked for, since that was refused. */
function refusesEffort({ effort, api }: RequestProfile, next: RequestProfile, asked?: string): boolean {
  return effort === asked && next.effort !== effort && next.api === api;
}
