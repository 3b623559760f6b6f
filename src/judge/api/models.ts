/** The models that an endpoint has, and when they end: one GET of its own list, which says what no list of ours could. */
import * as z from "zod/mini";
import type { Endpoint } from "./wire.ts";
import { listedCode, textBefore } from "../../text/format.ts";
import { lenient } from "../../text/optional.ts";
import { globMatchesModel, withoutDate } from "../../text/suggest.ts";

/** Milliseconds for an endpoint's list of models: nothing waits for it but the report, for two seconds. */
const LONGEST_LISTING_MS = 10_000;
/** Models that a message offers instead. */
const LISTED_MODELS = 3;
/** Days before a model's end from which it is warned about. */
const ENDS_WITHIN_DAYS = 60;

export interface ModelList {
  /** Ids, the newest first as far as the list has dates. */
  readonly ids: readonly string[];
  /** The day on which a model is shut down, `2027-01-14`, by id. */
  readonly ends: ReadonlyMap<string, string>;
  /** Whether a model chats, as far as the list says so. */
  readonly chats: ReadonlyMap<string, boolean>;
}

/** Asks an endpoint; undefined when it has no such list, or does not answer in time. Never throws. */
export type ModelLists = (endpoint: Endpoint) => Promise<ModelList | undefined>;

/** Makes the lists of a run: each endpoint is asked once. */
export function modelLists(
  get: (endpoint: Endpoint, path: string, signal: AbortSignal) => Promise<unknown>,
): ModelLists {
  const asked = new Map<string, Promise<ModelList | undefined>>();
  return async (endpoint) => {
    const { baseUrl, apiKey, headers, identity } = endpoint;
    // Its token would be exchanged once more, for this alone.
    if (identity) return undefined;
    const key = JSON.stringify([baseUrl, apiKey, headers]);
    const known =
      asked.get(key) ??
      get(endpoint, "/models", AbortSignal.timeout(LONGEST_LISTING_MS)).then(listOf, () => undefined);
    asked.set(key, known);
    return await known;
  };
}

/**
 * Keys under which providers date a model's end, those of its shutdown first: OpenAI's `shutdown_date`, OpenRouter's
 * `expiration_date`, Mistral's `deprecation`, Azure's `deprecation.inference`.
 */
const ENDS = [/shutdown|retire/, /expir/, /deprecat/];
const DAY = /^\d{4}-\d\d-\d\d/;
/** From here on a number is a time in milliseconds; below, in seconds. */
const FIRST_MILLISECONDS = 1e11;

function listOf(reply: unknown): ModelList | undefined {
  const { data } = Object(reply) as { readonly data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const models = data
    .filter((one): one is Record<string, unknown> => typeof (one as { id?: unknown } | null)?.id === "string")
    .toSorted((one, other) => Number(other.created ?? 0) - Number(one.created ?? 0));
  const ends = models.flatMap((model): [string, string][] => {
    const days = ENDS.flatMap((key) =>
      Object.keys(model).flatMap((name) => (key.test(name) ? (dayOf(model[name]) ?? []) : [])),
    );
    const [end] = days;
    return end === undefined ? [] : [[modelId(model), end]];
  });
  const chats = models.flatMap((one): [string, boolean][] => {
    const isChat = chatsOf(one);
    return isChat === undefined ? [] : [[modelId(one), isChat]];
  });
  return { ids: models.map(modelId), ends: new Map(ends), chats: new Map(chats) };
}

const flag = z.optional(z.boolean());
/** Where lists say what a model is for: Azure and Mistral, OpenRouter, Together. */
const purpose = z.looseObject({
  capabilities: lenient(z.looseObject({ chat_completion: flag, completion_chat: flag })),
  architecture: lenient(z.looseObject({ output_modalities: lenient(z.array(z.string())) })),
  type: lenient(z.string()),
});

function chatsOf(model: object): boolean | undefined {
  const { capabilities, architecture, type } = z.safeParse(purpose, model).data ?? {};
  const modalities = architecture?.output_modalities;
  return (
    capabilities?.chat_completion ??
    capabilities?.completion_chat ??
    modalities?.every((one) => one === "text") ??
    (type === undefined ? undefined : type === "chat")
  );
}

/** The day of a date, of a time in seconds or milliseconds, or of the `inference` of both. */
function dayOf(value: unknown): string | undefined {
  if (typeof value === "string") return DAY.exec(value)?.[0];
  if (typeof value === "object")
    return value ? dayOf((value as { inference?: unknown }).inference) : undefined;
  if (typeof value !== "number" || !(value > 0 && value < 1e13)) return undefined;
  return new Date(value < FIRST_MILLISECONDS ? value * 1_000 : value).toISOString().slice(0, 10);
}

function modelId({ id }: Record<string, unknown>): string {
  return String(id).replace(/^models\//, "");
}

/** The day on which a model ends, if that is within sixty days of now, in milliseconds. */
export function endDay(model: string, { ids, ends }: ModelList, now = Date.now()): string | undefined {
  // A name without a date is served by the last of its dated versions.
  const versions = ids.includes(model) ? [] : ids.filter((id) => withoutDate(id) === model);
  const days = versions.map((id) => ends.get(id));
  const last = days.includes(undefined) ? undefined : days.sort().at(-1);
  const day = ends.get(model) ?? ends.get(withoutDate(model)) ?? last;
  if (day === undefined) return undefined;
  return Date.parse(day) - now <= ENDS_WITHIN_DAYS * 86_400_000 ? day : undefined;
}

/** Whether the list lacks the model, also under its name without a date or a variant; a gateway may list a wildcard. */
export function lacks({ ids }: ModelList, model: string): boolean {
  const bare = plainName(model);
  return ids.length > 0 && !ids.some((id) => globMatchesModel(id, model) || plainName(id) === bare);
}

/** A name without its date, and its variant: `qwen3:latest`, `x/y:nitro`. */
function plainName(model: string): string {
  return withoutDate(textBefore(model, ":"));
}

/** Models that do not end, and are not said to be for something else: by how much of the name's beginning they share, then the newest first. */
function like(model: string, { ids, ends, chats }: ModelList): readonly string[] {
  const shared = (id: string) => {
    let length = 0;
    while (length < id.length && id[length] === model[length]) length += 1;
    return length;
  };
  return ids
    .filter((id) => chats.get(id) !== false && id !== model && !ends.has(id))
    .toSorted((one, other) => shared(other) - shared(one))
    .slice(0, LISTED_MODELS);
}

/** `the endpoint lists …`: models in place of one that is gone, or ends. */
export function listedLike(model: string, list: ModelList): string {
  return `the endpoint lists ${listedCode(like(model, list)) || "no other"}`;
}
