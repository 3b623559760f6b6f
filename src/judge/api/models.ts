/** The models that an endpoint has, and when they end: one GET of its own list, which says what no list of ours could. */
import type { EndpointClients } from "./client.ts";
import type { Endpoint } from "./wire.ts";
import { listedCode, once, textBefore } from "../../text/format.ts";
import { Json } from "../../text/json.ts";
import { globMatchesModel, withoutDate } from "../../text/suggest.ts";

/** Milliseconds for an endpoint's list of models: nothing waits for it but the report, for two seconds. */
const LONGEST_LISTING_MS = 10_000;
/** Models that a message offers instead. */
const LISTED_MODELS = 3;
/** Days before a model's end from which it is warned about. */
const ENDS_WITHIN_DAYS = 60;

/** Models, the newest first as far as the list has dates. */
export type ModelList = readonly ListedModel[];

interface ListedModel {
  readonly id: string;
  /** The day on which it is shut down: `2027-01-14`. */
  readonly end: string | undefined;
  /** Whether it chats, as far as the list says so. */
  readonly chats: boolean | undefined;
}

/** Asks an endpoint; undefined when it has no such list, or does not answer in time. Never throws. */
export type ModelLists = (endpoint: Endpoint) => Promise<ModelList | undefined>;

/** Makes the lists of a run: each endpoint is asked once. */
export function modelLists(get: EndpointClients["get"]): ModelLists {
  const asked = new Map<string, Promise<ModelList | undefined>>();
  return async (endpoint) => {
    const { baseUrl, apiKey, headers, identity } = endpoint;
    // Its token would be exchanged once more, for this alone.
    if (identity) return undefined;
    return await once(asked, JSON.stringify([baseUrl, apiKey, headers]), () =>
      get(endpoint, "/models", AbortSignal.timeout(LONGEST_LISTING_MS)).then(listOf, () => undefined),
    );
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
  const listed = new Json(reply);
  if (!listed.isList("data")) return undefined;
  return listed
    .all("data")
    .toSorted((before, after) => (after.number("created") ?? 0) - (before.number("created") ?? 0))
    .flatMap((model) => {
      const id = model.text("id");
      return id === undefined
        ? []
        : { id: id.replace(/^models\//, ""), end: endOfModel(model), chats: chatsOf(model) };
    });
}

function endOfModel(model: Json): string | undefined {
  const names = ENDS.flatMap((key) => model.keys().filter((name) => key.test(name)));
  return names.map((name) => dayOf(model.at(name))).find((day) => day !== undefined);
}

/** Whether a model chats, where lists say what it is for: Azure and Mistral, OpenRouter, Together. */
function chatsOf(model: Json): boolean | undefined {
  const type = model.text("type");
  const modalities = model.at("architecture", "output_modalities");
  return (
    model.flag("capabilities", "chat_completion") ??
    model.flag("capabilities", "completion_chat") ??
    (modalities.isList() ? modalities.list().every((modality) => modality === "text") : undefined) ??
    (type === undefined ? undefined : type === "chat")
  );
}

/** The day of a date, of a time in seconds or milliseconds, or of the `inference` of both. */
function dayOf(end: Json): string | undefined {
  if (end.isObject()) return dayOf(end.at("inference"));
  const time = end.number() ?? 0;
  if (!(time > 0 && time < 1e13)) return DAY.exec(end.text() ?? "")?.[0];
  return new Date(time < FIRST_MILLISECONDS ? time * 1_000 : time).toISOString().slice(0, 10);
}

/** The day on which a model ends, if that is within sixty days of now, in milliseconds. */
export function endDay(model: string, list: ModelList, now = Date.now()): string | undefined {
  const named = (name: string) => list.find(({ id }) => id === name);
  // A name without a date is served by the last of its dated versions.
  const versions = named(model) ? [] : list.filter(({ id }) => withoutDate(id) === model);
  const days = versions.map(({ end }) => end);
  const last = days.includes(undefined) ? undefined : days.sort().at(-1);
  const day = named(model)?.end ?? named(withoutDate(model))?.end ?? last;
  if (day === undefined) return undefined;
  return Date.parse(day) - now <= ENDS_WITHIN_DAYS * 86_400_000 ? day : undefined;
}

/** Whether the list lacks the model, also under its name without a date or a variant; a gateway may list a wildcard. */
export function lacks(list: ModelList, model: string): boolean {
  const bare = plainName(model);
  return list.length > 0 && !list.some(({ id }) => globMatchesModel(id, model) || plainName(id) === bare);
}

/** A name without its date, and its variant: `qwen3:latest`, `x/y:nitro`. */
function plainName(model: string): string {
  return withoutDate(textBefore(model, ":"));
}

/** Models that do not end, and are not said to be for something else: by how much of the name's beginning they share, then the newest first. */
function like(model: string, list: ModelList): readonly string[] {
  const shared = (id: string) => {
    let length = 0;
    while (length < id.length && id[length] === model[length]) length += 1;
    return length;
  };
  return list
    .flatMap(({ id, end, chats }) => (chats === false || id === model || end !== undefined ? [] : id))
    .toSorted((before, after) => shared(after) - shared(before))
    .slice(0, LISTED_MODELS);
}

/** `the endpoint lists …`: models in place of one that is gone, or ends. */
export function listedLike(model: string, list: ModelList): string {
  return `the endpoint lists ${listedCode(like(model, list)) || "no other"}`;
}
