/** Known secrets taken out of everything that is published or written. */
import { plainText } from "./neutralise.ts";

const SHOWN = "[redacted]";
/** A shorter secret is only masked in the log: blanking it everywhere would blank ordinary words. */
const SHORTEST = 8;

/** Characters that a page does not show, and that would keep the two halves of a secret apart until they are gone. */
const HIDING_CHARACTERS = String.raw`\p{Cf}|\p{Variation_Selector}|\u{34F}|\u{17B4}|\u{17B5}|[\u{0}\u{1B}\u{9B}\r\u{115F}\u{1160}\u{3164}\u{FFA0}]`;
const HIDING = new RegExp(HIDING_CHARACTERS, "u");
const HIDING_ALL = new RegExp(HIDING_CHARACTERS, "gu");

export type Redact = (text: string) => string;

/** Redacts, and counts the different texts that held a secret. */
export type Redactor = Redact & { readonly count: () => number };

/** Where a token begins: not within a word, but after an escape of JSON, an encoded character of a URL or a colour. */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,12}m))`;
/** Between the name of a secret and its value, in shells, INI files, YAML and JSON, also escaped in a string. */
const IS = String.raw`(?:[\\"'\s]{0,6}[=:][\\"'\s=>]{0,6}|\s{1,4})`;
/** Between two pieces of a private key's text, in whatever it is quoted. */
const BETWEEN = String.raw`(?:[\s"'+,>|]|\\{1,4}[nrt]){0,40}`;
const HEADER = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n\\]{0,200}`;
const PRIVATE_KEY = String.raw`[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`;

/**
 * What tokens of well-known services look like, each as their issuers document it or as secret scanners look for it.
 * Every alternative begins with letters of its own and reads on, so far and no farther, without going back far: no
 * text makes it slow, or fills the stack that V8 goes back by.
 */
const SHAPES = new RegExp(
  [
    String.raw`gh[pousr]_(?<=${START}.{4})[A-Za-z0-9_.-]{30,4096}`,
    String.raw`github_pat_[A-Za-z0-9_]{22,4096}`,
    // OpenAI, Anthropic (sk-ant-), OpenRouter (sk-or-) and those who follow them: never words of small letters alone.
    String.raw`sk-(?<=${START}.{3})(?=[a-z_-]{0,40}[A-Z0-9])[A-Za-z0-9_-]{20,4096}`,
    String.raw`A[KS]IA(?<=${START}.{4})[A-Z0-9]{16}(?![A-Za-z0-9])`,
    String.raw`(?:(?:[Aa][Ww][Ss]_?)?(?:[Ss]ecret_?[Aa]ccess_?[Kk]ey|[Ss]ession_?[Tt]oken)|AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN))${IS}[A-Za-z0-9/+=]{40,4096}`,
    String.raw`xox[abeoprs]-(?<=${START}.{5})(?=[A-Za-z-]{0,40}\d)[A-Za-z0-9-]{10,4096}`,
    String.raw`xapp-(?<=${START}.{5})\d-[A-Za-z0-9-]{10,4096}`,
    String.raw`hooks\.slack(?:-gov)?\.com\\?/(?:services|workflows|triggers)\\?/[A-Za-z0-9/\\]{20,4096}`,
    String.raw`AIza(?<=${START}.{4})[A-Za-z0-9_-]{35}`,
    // Up to its end; one that is cut off, as far as it looks like a key.
    String.raw`-----BEGIN ${PRIVATE_KEY}(?:(?:[^-]|-(?!----)){0,100000}-----END ${PRIVATE_KEY}|(?:${BETWEEN}(?:${HEADER}|[A-Za-z0-9+/=]{16,100})){0,2000}(?:${BETWEEN}[A-Za-z0-9+/=]{1,15}(?=[\s"'\\…]*$))?)`,
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
  // Keys come again and again, and the report holds the texts that the documents do. Long texts of one length have one
  // hash in V8: these are kept by what they begin with.
  const short = new Map<string, string>();
  const long = new Map<string, { readonly text: string; readonly redacted: string }>();
  const counted = (text: string) => {
    const isShort = text.length <= 200;
    const key = isShort ? text : `${String(text.length)} ${text.slice(0, 200)}`;
    const before = isShort ? short.get(key) : long.get(key);
    if (typeof before === "string") return before;
    if (before?.text === text) return before.redacted;
    const redacted = redact(text);
    if (isShort) short.set(key, redacted);
    else long.set(key, { text, redacted });
    if (redacted !== text) texts.add(text);
    return redacted;
  };
  return Object.assign(counted, { count: () => texts.size });
}

/**
 * A secret as it is written: plain, in JSON and in JSON within JSON, in a URL, and in base64, wherever in the encoded
 * text it stands (basic authentication and git's headers have a name before it).
 */
function formsOf(secret: string): string[] {
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
  const once = escaped(secret);
  const base64 = [0, 1, 2].flatMap((before) => base64Within(secret, before));
  return [secret, once, escaped(once), encodeURIComponent(secret.toWellFormed()), ...base64];
}

/** Those characters of a base64 text that a secret alone decides, `before` bytes after a group of three begins. */
function base64Within(secret: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor((bytes.length * 8) / 6);
  return [bytes.toString("base64"), bytes.toString("base64url")].map((text) => text.slice(from, to));
}

/**
 * The same data with every string, keys included, redacted. What holds no secret is not copied, so that a large
 * results file costs no second one. The data must not contain itself. `done` keeps what was redacted before by the
 * same function, for data that shares objects with earlier data.
 */
export function redactAll<T>(data: T, redact: Redact, done = new Map<object, unknown>()): T {
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
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index += 1) {
    const value = visit(array[index]);
    if (value !== array[index]) (copy ??= [...array])[index] = value;
  }
  return copy ?? array;
}

function visitObject(object: object, visit: (value: unknown) => unknown, redact: Redact): object {
  const values = object as Record<string, unknown>;
  let changed = false;
  for (const key of Object.keys(values)) {
    if (redact(key) === key && visit(values[key]) === values[key]) continue;
    changed = true;
    break;
  }
  if (!changed) return object;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [redact(key), visit(value)]));
}
