/** The models that an endpoint has, and when they end: one GET of its own list, which says what no list of ours could. */
import type { Endpoint } from "./wire.ts";
import { listedCode } from "../../text/format.ts";
import { ruleFor, withoutDate } from "../../text/suggest.ts";
import { ENDS_WITHIN_DAYS, LISTED_MODELS, LONGEST_LISTING_MS } from "../limits.ts";

export interface ModelList {
  /** Ids, the newest first as far as the list has dates. */
  readonly ids: readonly string[];
  /** The day on which a model is shut down, `2027-01-14`, by id. */
  readonly ends: ReadonlyMap<string, string>;
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

/** A key under which providers date a model's end: `shutdown_date`, `expiration_date`, `deprecation`, `retirement`. */
const ENDS = /shutdown|expir|deprecat|retire/;
const DAY = /^\d{4}-\d\d-\d\d/;

function listOf(reply: unknown): ModelList | undefined {
  const { data } = Object(reply) as { readonly data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const models = data
    .filter((one): one is Record<string, unknown> => typeof (one as { id?: unknown } | null)?.id === "string")
    .toSorted((one, other) => Number(other.created ?? 0) - Number(one.created ?? 0));
  const ends = models.flatMap((one): [string, string][] => {
    const days = Object.entries(one).flatMap(([key, value]) =>
      ENDS.test(key) && typeof value === "string" && DAY.test(value) ? value.slice(0, 10) : [],
    );
    const [first] = days.sort();
    return first === undefined ? [] : [[idOf(one), first]];
  });
  return { ids: models.map(idOf), ends: new Map(ends) };
}

function idOf({ id }: Record<string, unknown>): string {
  return String(id).replace(/^models\//, "");
}

/** The day on which a model ends, if that is within sixty days of now, in milliseconds. */
export function endOf(model: string, { ends }: ModelList, now = Date.now()): string | undefined {
  const day = ends.get(model) ?? ends.get(withoutDate(model));
  if (day === undefined) return undefined;
  return Date.parse(day) - now <= ENDS_WITHIN_DAYS * 86_400_000 ? day : undefined;
}

/** Whether the list lacks the model, also under its name without a date. */
export function lacks({ ids }: ModelList, model: string): boolean {
  const bare = withoutDate(model);
  return ids.length > 0 && !ids.some((id) => id === model || withoutDate(id) === bare);
}

/** The newest models with ids that begin with the same letters and that do not end; the newest of all where none does. */
export function instead(model: string, { ids, ends }: ModelList): readonly string[] {
  const [letters = ""] = /^[^\d-]+/.exec(model) ?? [];
  const others = ids.filter((id) => id !== model && !ends.has(id));
  const family = others.filter((id) => id.startsWith(letters));
  return (family.length > 0 ? family : others).slice(0, LISTED_MODELS);
}

/** `Correct the name: …; or add a line to `providers`: …`, with the lines to paste. */
export function rulesInstead(model: string, list: ModelList): string {
  const others = instead(model, list);
  const rules = others.map((other) => `\`${ruleFor(model, other)}\``);
  return rules.length === 0
    ? ""
    : `Correct the name where it is given (${listedCode(others)}), or add a line to \`providers\`: ${rules.join(" or ")}.`;
}
