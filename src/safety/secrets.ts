/** Takes secrets out of texts, of everything that is published or written: those given, of an environment, and what looks like a token. */
import { setImmediate as others } from "node:timers/promises";
import { hashOf } from "../text/hash.ts";
import { REDACTED } from "../text/states.ts";
import { withoutTerminalCodes } from "../text/terminal-codes.ts";

/** A shorter secret is only masked in the log: blanking it everywhere would blank ordinary words. */
const SHORTEST_SECRET = 8;
/** Characters of the shortest token that SHAPES knows, Slack's: most texts are keys and words of a results file. */
const SHORTEST_TOKEN = 15;
/** Maximum characters of a text that is its own key: V8 hashes longer ones by their length alone, and then compares all. */
const LONGEST_KEY = 16_000;
/** Times that characters are encoded over each other: an address in an address in an address. */
const MOST_DECODED = 3;
/** Encoded characters of one part, some 30 ms. */
const CODES_OF_PART = 100_000;

/** Characters that a page does not show, and that would keep the parts of a secret apart until they are gone. */
const HIDING_CHARACTERS = String.raw`[\p{Cf}\p{Variation_Selector}\u{34F}\u{17B4}\u{17B5}\0-\x08\v-\x1F\x7F-\x9F\u{115F}\u{1160}\u{3164}\u{FFA0}]`;
const HIDING = new RegExp(HIDING_CHARACTERS, "u");
/** What HIDING may match, and more: looked for first, since that takes a fifth of the time. */
const RANGES = String.raw`\0-\x08\v-\x1F\x7F-\x9F\xAD\u0300-\u1FFF\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uD800-\uFFFF`;
// eslint-disable-next-line no-misleading-character-class -- ranges, each of single characters
const MAY_HIDE = new RegExp(`[${RANGES}]`);
const HIDING_ALL = new RegExp(HIDING_CHARACTERS, "gu");

export type Redact = (text: string) => string;

/** Redacts, and counts the different texts that held a secret. */
export type Redactor = Redact & {
  readonly count: () => number;
  /** The same for what is no text: only as it is written, without what hides or encodes characters, in a tenth of the time. */
  readonly bytes: Redact;
  /** The same in parts, between which others are let in: signals, time limits, other agents' output. */
  readonly inParts: (text: string) => Promise<string>;
  /** Adds a secret that is known only now, and stood in nothing that was redacted before. */
  readonly add: (secret: string) => void;
};

/** Where a token begins: not within a word, but after an escape of JSON, an encoded character of a URL or a colour. */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,12}m))`;
/** Between the name of a secret and its value, in shells, INI files, YAML and JSON, also escaped in a string. */
const IS = String.raw`(?:[\\"'\s]{0,6}[=:][\\"'\s=>]{0,6}|\s{1,4})`;
/** Characters between two lines of a private key, quoted in code, JSON or a shell. */
const BETWEEN = String.raw`(?:[\s"'+,>|]|\\{1,4}[nrt]){0,40}`;
const HEADER = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n\\]{0,200}`;
const PRIVATE_KEY = String.raw`[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`;

const LETTERS = "[A-Za-z0-9]";
const WORD = "[A-Za-z0-9_-]";

/** Tokens that begin with letters of their own: the service, these letters, what follows, and how many of it at least. */
export const PREFIXED = [
  ["Groq", "gsk_", LETTERS, 40],
  ["xAI", "xai-", LETTERS, 60],
  ["Hugging Face", "hf_", LETTERS, 30],
  ["Perplexity", "pplx-", LETTERS, 40],
  ["Replicate", "r8_", LETTERS, 37],
  ["NVIDIA", "nvapi-", WORD, 60],
  ["Cerebras", "csk-", LETTERS, 40],
  ["Vercel's AI gateway", "vck_", LETTERS, 24],
  ["Amazon Bedrock", "ABSK", "[A-Za-z0-9+/=]", 100],
  ["Databricks", "dapi", "[0-9a-f]", 32],
  ["Google's OAuth", "ya29.", WORD, 40],
  ["LangSmith", "lsv2_", "[A-Za-z0-9_]", 40],
  ["Tavily", "tvly-", WORD, 20],
  ["GitLab", "glpat-", WORD, 20],
  ["npm", "npm_", LETTERS, 36],
  ["PyPI", "pypi-", WORD, 80],
  ["Stripe", "sk_live_", LETTERS, 24],
  ["Stripe, restricted", "rk_live_", LETTERS, 24],
  ["SendGrid", "SG.", "[A-Za-z0-9_.-]", 60],
  ["Linear", "lin_api_", LETTERS, 32],
  ["Notion", "ntn_", LETTERS, 40],
  ["Shopify", "shpat_", "[0-9a-f]", 32],
  ["DigitalOcean", "dop_v1_", "[0-9a-f]", 64],
] as const;

/**
 * What tokens of well-known services look like, each as their issuers document it or as secret scanners look for it.
 * Every alternative begins with letters of its own and reads on, so far and no farther, without going back far: no
 * text makes it slow, or fills the stack that V8 goes back by.
 */
const TOKENS = [
  ...PREFIXED.map(
    ([, start, rest, least]) =>
      `${start.replace(".", String.raw`\.`)}(?<=${START}.{${String(start.length)}})${rest}{${String(least)},4096}`,
  ),
  String.raw`gh[pousr]_(?<=${START}.{4})[A-Za-z0-9_.-]{30,4096}`,
  String.raw`github_pat_[A-Za-z0-9_]{22,4096}`,
  // OpenAI, Anthropic (sk-ant-), OpenRouter (sk-or-) and similar; not lower-case words alone.
  String.raw`sk-(?<=${START}.{3})(?=[a-z_-]{0,40}[A-Z0-9])[A-Za-z0-9_-]{20,4096}`,
  String.raw`A[KS]IA(?<=${START}.{4})[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`(?:(?:[Aa][Ww][Ss]_?)?(?:[Ss]ecret_?[Aa]ccess_?[Kk]ey|[Ss]ession_?[Tt]oken)|AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN))${IS}[A-Za-z0-9/+=]{40,4096}`,
  String.raw`xox[abeoprs]-(?<=${START}.{5})(?=[A-Za-z-]{0,40}\d)[A-Za-z0-9-]{10,4096}`,
  String.raw`xapp-(?<=${START}.{5})\d-[A-Za-z0-9-]{10,4096}`,
  String.raw`hooks\.slack(?:-gov)?\.com\\?/(?:services|workflows|triggers)\\?/[A-Za-z0-9/\\]{20,4096}`,
  // A JWT: its header and its content begin with `{"`.
  String.raw`eyJ(?<=${START}.{3})[A-Za-z0-9_-]{10,4096}\.eyJ[A-Za-z0-9_-]{10,8192}\.[A-Za-z0-9_-]{10,4096}`,
  // The user and the password of a database's or a proxy's URL.
  String.raw`:\/\/[^\s:/?#@"'<>\\]{0,256}:[^\s/?#@"'<>\\]{3,512}(?=@)`,
  String.raw`[Aa]uthorization${IS}(?:[Bb]earer|[Bb]asic|[Tt]oken) {1,4}[A-Za-z0-9._~+/=-]{16,4096}`,
  String.raw`AIza(?<=${START}.{4})[A-Za-z0-9_-]{35}`,
  // Up to its end; one that is cut off, as far as it looks like a key.
  String.raw`-----BEGIN ${PRIVATE_KEY}(?:(?:[^-]|-(?!----)){0,100000}-----END ${PRIVATE_KEY}|(?:${BETWEEN}(?:${HEADER}|[A-Za-z0-9+/=]{16,100})){0,2000}(?:${BETWEEN}[A-Za-z0-9+/=]{1,15}(?=[\s"'\\…]*$))?)`,
];

const letterOf = (token: string) => /^\w/.exec(token)?.[0] ?? "";

/**
 * All of them; those that begin with the same letter in one group, which takes half the time. Made at import, where a Node
 * that is too old to have `Map.groupBy` is not refused yet.
 */
const SHAPES = new RegExp(
  [...new Set(TOKENS.map(letterOf))]
    .map((letter) => {
      const same = TOKENS.filter((token) => letterOf(token) === letter);
      return `${letter}(?:${same.map((token) => token.slice(letter.length)).join("|")})`;
    })
    .join("|"),
  "g",
);

/**
 * Makes the function that replaces every known secret, in any case and also where its characters are encoded one by one;
 * with `shapes` also what looks like a token of a well-known service.
 */
export function redactor(
  secrets: readonly (string | undefined)[],
  { shapes = false }: { readonly shapes?: boolean | undefined } = {},
): Redactor {
  let forms: readonly string[] = [];
  // Most texts come again: names 26 times each in the files and pages of 1,000 grades, long ones in the results as read
  // and in their grades. Undefined is a text that stays as it is.
  const read = new Map<string, string | undefined>();
  const add = (...more: readonly (string | undefined)[]) => {
    const known = more.flatMap((secret) => (secret && secret.length >= SHORTEST_SECRET ? [secret] : []));
    forms = [...new Set([...forms, ...known.flatMap(formsOf).map(inSmall)])];
    read.clear();
  };
  add(...secrets);
  const found = (text: string) => [
    ...placesOfForms(text, forms),
    ...(shapes && text.length >= SHORTEST_TOKEN
      ? Array.from(text.matchAll(SHAPES), ({ 0: { length }, index }): Stretch => [index, index + length])
      : []),
  ];
  const replace = function* (text: string): Parts<string> {
    return withoutPlaces(text, [...found(text), ...(yield* decodedPlaces(text, found))]);
  };
  const texts = new Set<string>();
  const redacting = function* (text: string): Parts<string> {
    const key = keyOfText(text);
    if (read.has(key)) return read.get(key) ?? text;
    const redacted = yield* replace(text);
    const mayHide = MAY_HIDE.test(redacted) && HIDING.test(redacted);
    const safe = mayHide ? yield* withoutHidden(redacted, replace) : redacted;
    if (safe !== text) texts.add(key);
    read.set(key, safe === text ? undefined : safe);
    return safe;
  };
  const redact = (text: string) => {
    for (const parts = redacting(text); ;) {
      const part = parts.next();
      if (part.done) return part.value;
    }
  };
  const inParts = async (text: string) => {
    for (const parts = redacting(text); ;) {
      const part = parts.next();
      if (part.done) return part.value;
      await others();
    }
  };
  const bytes = (text: string) => withoutPlaces(text, found(text));
  return Object.assign(redact, { count: () => texts.size, bytes, inParts, add });
}

/** A work that may pause after each part. */
type Parts<T> = Generator<undefined, T>;

/** What a text is kept by. */
function keyOfText(text: string): string {
  return text.length > LONGEST_KEY ? hashOf([text]) : text;
}

/** The text as it is, unless a secret shows once terminal codes and what is not seen are gone: then without these. */
function* withoutHidden(text: string, replace: (text: string) => Parts<string>): Parts<string> {
  const bare = withoutTerminalCodes(text).replace(HIDING_ALL, "");
  const redacted = yield* replace(bare);
  return redacted === bare ? text : redacted;
}

/** Where a stretch of a text begins and ends. */
type Stretch = readonly [start: number, end: number];

/** Where the forms stand, in any case. */
function placesOfForms(text: string, forms: readonly string[]): Stretch[] {
  if (forms.length === 0) return [];
  const searched = inSmall(text);
  return forms.flatMap((form) => {
    const places: Stretch[] = [];
    for (let at = searched.indexOf(form); at >= 0; at = searched.indexOf(form, at + form.length))
      places.push([at, at + form.length]);
    return places;
  });
}

/** In small letters, each at its place: one that is longer in small (`İ`) stays as it is. */
function inSmall(text: string): string {
  const small = text.toLowerCase();
  if (small.length === text.length) return small;
  return text.replace(/./gsu, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one));
}

/** The text with one mark in place of places that overlap. */
function withoutPlaces(text: string, places: readonly Stretch[]): string {
  let [safe, from] = ["", 0];
  for (const [start, end] of places.toSorted(([a], [b]) => a - b)) {
    if (start >= from) safe += text.slice(from, start) + REDACTED;
    from = Math.max(from, end);
  }
  return safe + text.slice(from);
}

/** A character as URLs, programs and HTML encode it, with the backslashes of strings in strings. */
const CODE = String.raw`%([0-9a-f]{2})|\\{1,4}x([0-9a-f]{2})|\\{1,4}u([0-9a-f]{4})|&#x([0-9a-f]{2,6});?|&#(\d{2,7});?`;
const CODES = new RegExp(CODE, "gi");

/** Where something is once encoded characters are themselves, which may encode others. */
function* decodedPlaces(
  text: string,
  found: (text: string) => Stretch[],
  times = MOST_DECODED,
): Parts<Stretch[]> {
  const decoded = times === 0 ? text : yield* decodedOf(text);
  if (decoded === text) return [];
  const places = [...found(decoded), ...(yield* decodedPlaces(decoded, found, times - 1))];
  return places.length === 0 ? [] : yield* placesInCoded(places, text);
}

/** The text with each encoded character as itself. */
function* decodedOf(coded: string): Parts<string> {
  let [text, from, parts] = ["", 0, [] as string[]];
  for (const { 0: code, 1: byte, 2: x, 3: u, 4: html, 5: decimal, index } of coded.matchAll(CODES)) {
    const number =
      decimal === undefined ? Number.parseInt(byte ?? x ?? u ?? html ?? "", 16) : Number(decimal);
    parts.push(coded.slice(from, index), number <= 0xffff ? String.fromCharCode(number) : "\uFFFD");
    from = index + code.length;
    if (parts.length < 2 * CODES_OF_PART) continue;
    text += parts.join("");
    parts = [];
    yield;
  }
  return text + parts.join("") + coded.slice(from);
}

/** Where places of the decoded text are in the encoded one. */
function* placesInCoded(places: readonly Stretch[], coded: string): Parts<Stretch[]> {
  const wanted = [...new Set(places.flat())].sort((one, other) => one - other);
  const known = new Map<number, number>();
  /** Where the last code ends, in both. */
  let [length, from] = [0, 0];
  const know = (upTo: number) => {
    for (let place = wanted[known.size]; place !== undefined && place <= upTo; place = wanted[known.size])
      known.set(place, from + place - length);
  };
  let codes = 0;
  for (const { 0: code, index } of coded.matchAll(CODES)) {
    const at = length + index - from;
    know(at);
    [length, from] = [at + 1, index + code.length];
    codes += 1;
    if (codes % CODES_OF_PART === 0) yield;
  }
  know(Infinity);
  return places.map(([start, end]) => [known.get(start) ?? 0, known.get(end) ?? 0]);
}

/** How a secret is written down, as texts to look for: what encodes it, each in up to two layers of JSON. */
function formsOf(secret: string): string[] {
  const written = ENCODERS.flatMap((encode) => encode(secret));
  return written.flatMap(inJson).flatMap(inJson);
}

const ENCODERS: readonly ((secret: string) => readonly string[])[] = [
  // In a form, a blank is `+`; a program that reads bytes one by one sees other characters.
  (secret) => [secret, secret.replaceAll(" ", "+"), Buffer.from(secret).toString("latin1")],
  (secret) => [asEntities(secret), asEntities(secret).replaceAll("'", "&apos;")],
  (secret) => [0, 1, 2].flatMap((before) => base64Within(secret, before)),
  (secret) => {
    const hex = Buffer.from(secret).toString("hex");
    return [hex, hex.toUpperCase()];
  },
  // So a text of two bytes a character looks that is read byte by byte.
  (secret) => {
    const bytes = Buffer.from(secret, "utf16le");
    const little = bytes.toString("latin1");
    return [Array.from(secret).join("\0"), little, bytes.swap16().toString("latin1")].map(withoutOuterNuls);
  },
];

/** As in HTML and XML, where these have names. */
function asEntities(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** At the ends, where the neighbours of a text of two bytes a character may have none. */
function withoutOuterNuls(text: string): string {
  return text.replace(/^\0|\0$/g, "");
}

/** As in a string of JSON, where `/` and what is not ASCII may be escaped or not. */
function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const ascii = (one: string) => one.replace(/[^\0-\u007F]/g, code);
  const slashed = json.replaceAll("/", "\\/");
  return [text, json, slashed, ascii(json), ascii(slashed)];
}

/**
 * Those characters of a base64 text that a secret alone decides, `before` bytes after a group of three begins: basic
 * authentication and git's headers have a name before it.
 */
function base64Within(secret: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor((bytes.length * 8) / 6);
  return [bytes.toString("base64"), bytes.toString("base64url")].map((text) => text.slice(from, to));
}

/**
 * The same data with every string, keys included, redacted. What holds no secret is not copied, so that a large
 * results file costs no second one. The data must not contain itself.
 */
export function redactAll<T>(data: T, redact: Redact): T {
  // An object that is referenced several times stays one object, and is read once.
  const done = new WeakMap<object, unknown>();
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return redact(value);
    if (typeof value !== "object" || value === null) return value;
    const known = done.get(value);
    if (known !== undefined) return known;
    const redacted = Array.isArray(value) ? visitArray(value, visit) : visitObject(value, visit, redact);
    done.set(value, redacted);
    return redacted;
  };
  return visit(data) as T;
}

function visitArray(array: readonly unknown[], visit: (value: unknown) => unknown): readonly unknown[] {
  const copy = array.map(visit);
  return copy.some((value, index) => value !== array[index]) ? copy : array;
}

function visitObject(object: object, visit: (value: unknown) => unknown, redact: Redact): object {
  const values = object as Record<string, unknown>;
  const isClean = Object.keys(values).every(
    (key) => redact(key) === key && visit(values[key]) === values[key],
  );
  if (isClean) return object;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [redact(key), visit(value)]));
}

/* The secrets of an environment. */

/** Variables that hold a secret, by their names; inputs are words, but for the token and the key. */
const NAMED = /^(?!INPUT_).*(?:KEY|TOKEN|SECRET|PASSWORD)|^INPUT_(?:TOKEN|API-KEY)$/i;
/** Variables that may hold one, by a part of their names between `_`, unless they name a path, as `SSH_AUTH_SOCK` does. */
const PART = /^(?!INPUT_)(?:.*_)?(?:PASS|PASSWD|PWD|CRED|CREDENTIALS|AUTH|PAT|DSN|COOKIE|JWT)(?:_|$)/i;
const PATH = /^(?:~|\.{0,2})\/|^[A-Z]:\\/i;
/** The password of an address, wherever it stands. */
const IN_ADDRESS = /:\/\/[^\s:/?#@"'<>\\]{0,256}:([^\s/?#@"'<>\\]{1,512})@/g;

/** The secrets in an environment: an agent can read its own, and that of the process that started it. */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const found = Object.entries(env).flatMap(([name, value = ""]) => [
    ...(NAMED.test(name) || (PART.test(name) && !PATH.test(value)) ? wholeAndLines(value) : []),
    ...[...value.matchAll(IN_ADDRESS)].flatMap(([, password = ""]) => [password, percentDecoded(password)]),
  ]);
  return [...new Set(found.filter((one) => one.length >= SHORTEST_SECRET))];
}

/** A value of several lines, such as a private key, is printed line by line, too. */
function wholeAndLines(value: string): string[] {
  return [value, ...value.split("\n")].map((one) => one.trim());
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
