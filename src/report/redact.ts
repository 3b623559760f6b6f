/** Known secrets taken out of everything that is published or written. */
import { plainText } from "./neutralise.ts";

const SHOWN = "[redacted]";
/** A shorter secret is only masked in the log: blanking it everywhere would blank ordinary words. */
const SHORTEST = 8;

/** Characters that a page does not show, and that would keep the two halves of a secret apart until they are gone. */
// eslint-disable-next-line no-control-regex -- terminal codes are among them
const HIDING = /[\u001B\u009B\r\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/;
const HIDING_ALL = new RegExp(HIDING.source, "g");

export type Redact = (text: string) => string;

/** Redacts, and counts the different texts that held a secret. */
export type Redactor = Redact & { readonly count: () => number };

/**
 * What tokens of well-known services look like, each as their issuers document it or as secret scanners look for it.
 * Every alternative begins with letters of its own and reads on without going back: no text makes it slow.
 */
const SHAPES = new RegExp(
  [
    String.raw`\b(?:gh[pousr]_[A-Za-z0-9_.-]{30,}|github_pat_[A-Za-z0-9_]{22,})`,
    // OpenAI, Anthropic (sk-ant-), OpenRouter (sk-or-) and those who follow them.
    String.raw`\bsk-[A-Za-z0-9_-]{20,}`,
    String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
    String.raw`\baws_(?:secret_access_key|session_token)["'\s]{0,4}[=:]["'\s]{0,4}[A-Za-z0-9/+=]{40,}`,
    String.raw`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`,
    String.raw`\bxapp-\d-[A-Za-z0-9-]{10,}`,
    String.raw`\bhooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/]{20,}`,
    String.raw`\bAIza[A-Za-z0-9_-]{35}`,
    String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?`,
  ].join("|"),
  "g",
);

/**
 * Makes the function that replaces every known secret, longest first, also where JSON has escaped it; with `shapes`
 * also whatever looks like a token of a well-known service.
 */
export function redactor(
  secrets: readonly (string | undefined)[],
  { shapes = false }: { readonly shapes?: boolean } = {},
): Redactor {
  const known = secrets.flatMap((secret) =>
    secret !== undefined && secret.length >= SHORTEST ? [secret] : [],
  );
  const forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const replace = (text: string) => {
    const bare = forms.reduce((result, secret) => result.replaceAll(secret, SHOWN), text);
    return shapes ? bare.replace(SHAPES, SHOWN) : bare;
  };
  const redact = (text: string) => {
    const redacted = replace(text);
    if (!HIDING.test(redacted)) return redacted;
    const bare = plainText(redacted).replace(HIDING_ALL, "");
    const hidden = replace(bare);
    return hidden === bare ? redacted : hidden;
  };
  const texts = new Set<string>();
  const counted = (text: string) => {
    const redacted = redact(text);
    if (redacted !== text) texts.add(text);
    return redacted;
  };
  return Object.assign(counted, { count: () => texts.size });
}

/** A secret as it is written: plain, in JSON, and in the base64 that basic authentication and git's headers use. */
function formsOf(secret: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString("base64").replace(/=+$/, "");
  return [secret, JSON.stringify(secret).slice(1, -1), base64(secret), base64(`x-access-token:${secret}`)];
}

/**
 * The same data with every string, keys included, redacted. What holds no secret is not copied, so that a large
 * results file costs no second one. The data must not contain itself.
 */
export function redactAll<T>(data: T, redact: Redact): T {
  const done = new Map<object, unknown>();
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return redact(value);
    if (typeof value !== "object" || value === null) return value;
    if (!done.has(value))
      done.set(value, Array.isArray(value) ? visitArray(value, visit) : visitObject(value, visit, redact));
    return done.get(value);
  };
  return visit(data) as T;
}

function visitArray(array: readonly unknown[], visit: (value: unknown) => unknown): readonly unknown[] {
  const copy = array.map(visit);
  return copy.some((item, index) => item !== array[index]) ? copy : array;
}

function visitObject(object: object, visit: (value: unknown) => unknown, redact: Redact): object {
  const entries = Object.entries(object);
  const copy = entries.map(([key, value]): [string, unknown] => [redact(key), visit(value)]);
  const changed = copy.some(
    ([key, value], index) => key !== entries[index]?.[0] || value !== entries[index][1],
  );
  return changed ? Object.fromEntries(copy) : object;
}
