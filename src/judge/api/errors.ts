/** Classifies HTTP errors of openai's client as judge errors, with a remedy. */
import type { ErrorClass } from "../../domain/grade.ts";
import { type HttpError, httpOf, isTokenExchangeError } from "./client.ts";
import { type Endpoint, ROUTE } from "./wire.ts";
import { JudgeError } from "../judge.ts";
import type { Redact } from "../../safety/secrets.ts";
import { asSentence, formatNumber, shorten, textBefore } from "../../text/format.ts";
import { Json } from "../../text/json.ts";
import { MATCHED_ERROR_LENGTH } from "../limits.ts";

/** Characters of a server's message in an error. */
const ERROR_EXCERPT = 300;

interface ErrorCause {
  readonly class: ErrorClass;
  /** What the endpoint did, as the predicate of "The judge's endpoint": `{model}` is the one that was asked. */
  readonly predicate: string;
  /** Absent where nothing is known. `{key}` and `{address}` are where these are set. */
  readonly help?: string | undefined;
}

interface ErrorOptions {
  readonly model: string;
  readonly redact: Redact;
  readonly endpoint: Endpoint;
}

/** The judge error for an HTTP error, by its status and the error codes of OpenAI-compatible servers. */
export function httpError(error: HttpError, { model, redact, endpoint }: ErrorOptions): JudgeError {
  const keyless = (endpoint.apiKey ?? endpoint.identity ?? endpoint.headers) === undefined;
  const sent = endpoint.model ?? model;
  const { class: errorClass, predicate, help: usual } = causeOfError(error, { model: sent, keyless });
  const isRouted = endpoint.input === "providers" || endpoint.model !== undefined;
  const help = errorClass === "unknown-model" && isRouted ? routedElsewhere(model) : usual;
  const names: Readonly<Record<string, string>> = { model: sent, ...placesOf(endpoint) };
  const tell = (text: string) => text.replace(/\{(\w+)\}/g, (mark, name: string) => names[name] ?? mark);
  const { location } = Object.fromEntries(error.headers);
  const text =
    location === undefined ? messageOfError(error) : `to \`${redirectBase(location, endpoint.baseUrl)}\``;
  const who = isTokenExchangeError(error) ? "OpenAI's token exchange" : "The judge's endpoint";
  const said = shorten(redact(`${String(error.status)} ${text}`), ERROR_EXCERPT);
  const message = `${who} ${tell(predicate)}: ${said}`;
  const keyRequired = error.status === 401 && keyless;
  return new JudgeError(errorClass, asSentence(message), {
    help: help && tell(help),
    said,
    keyRequired,
    cause: error,
  });
}

function placesOf({ input, identity, keyVariable }: Endpoint) {
  if (input !== undefined) return { key: `\`${input}\``, address: `\`${input}\`` };
  const variable = keyVariable && `the environment variable ${keyVariable}`;
  return { key: identity ? "`openai-identity`" : (variable ?? "`api-key`"), address: "`base-url`" };
}

/** The remedy for an unknown model that a rule of `providers` sent to the endpoint. */
function routedElsewhere(model: string): string {
  return `In the rule of \`providers\` that matches \`${model}\`, set \`model\` (for Azure OpenAI \`deployment\`) to one that the endpoint has.`;
}

/** The `base-url` for the target of a redirect. */
function redirectBase(location: string, baseUrl: string): string {
  if (!URL.canParse(location, baseUrl)) return textBefore(location, "?");
  const { origin, pathname, protocol } = new URL(location, baseUrl);
  if (!protocol.startsWith("http")) return `${protocol}…`;
  return `${origin}${pathname.replace(ROUTE, "")}`;
}

/** The error's message, with the provider's own message (OpenRouter). HTML pages become text. */
export function messageOfError({ error, message, status }: HttpError): string {
  const said = new Json(typeof error === "string" ? { message: error } : error);
  const parts = [said.text("message"), said.text("metadata", "raw")].filter(Boolean);
  if (parts.length > 0) return parts.join(": ");
  const text = message.replace(new RegExp(`^${String(status)} `), "");
  return plain(text) || "(no message)";
}

/** HTML without its tags, in one pass. */
function plain(text: string): string {
  const parts = text
    .split("<")
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(">") + 1)));
  return parts.join(" ").replace(/\s+/g, " ").trim();
}

function causeOfError(
  error: HttpError,
  { model, keyless }: { readonly model: string; readonly keyless: boolean },
): ErrorCause {
  const { status } = error;
  if (isTokenExchangeError(error) && status < 500 && status !== 429) return NO_TOKEN;
  if (status < 400) return REDIRECT;
  if (status === 401 && keyless) return NO_KEY;
  const text = matchedText(error);
  const tooLarge = largerThanLimit(text);
  if (tooLarge) return tooLarge;
  const known = CAUSES.find(({ statuses, when }) => statuses.includes(status) && when.test(text))?.cause;
  // An address that is not there is told by its path; this one is, and looked for the model.
  const isOfModel =
    status === 404 && text.includes(model.toLowerCase()) && !text.includes("/chat/completions");
  const cause = known ?? (isOfModel ? NOTHING_FOR_MODEL : undefined);
  if (cause) return cause;
  if (status >= 500 || status === 408)
    return { class: "server", predicate: "failed", help: "Run the job again later." };
  // What is not there may be anything else than the address.
  if (status === 404 && !/not.?found|url|no message/.test(text)) return NOTHING_THERE;
  return BY_STATUS[status] ?? REJECTED;
}

/** What is matched of an error: its codes, its words, and its details, where alone Google names the limit. */
function matchedText(error: HttpError): string {
  const said = `${String(error.code)} ${String(error.type)} ${messageOfError(error)}`;
  const parts = [said, JSON.stringify(new Json(error.error).at("details").value ?? "")];
  return parts.map((part) => part.slice(0, MATCHED_ERROR_LENGTH).toLowerCase()).join(" ");
}

/** A request above the limit itself, which no waiting lets through: `Limit 30000, Requested 52000`. */
function largerThanLimit(text: string): ErrorCause | undefined {
  const [, limit = "", requested = ""] =
    /limit:? (\d{1,12}), (?:used:? \d{1,12}, )?requested:? (\d{1,12})/.exec(text) ?? [];
  const [most, asked] = [Number(limit), Number(requested)];
  const numbers = `${formatNumber(asked)} tokens were requested, and the limit is ${formatNumber(most)}`;
  return asked > most ? { ...TOO_LONG, help: `Lower \`max-evidence\`: ${numbers}.` } : undefined;
}

const REDIRECT: ErrorCause = {
  class: "not-found",
  predicate: "redirects",
  help: "If the address in the message is the judge's, set {address} to it.",
};
const NO_KEY: ErrorCause = {
  class: "credentials",
  predicate: "requires a key, but none was sent",
  help: "Set {key}. If it is set already, its secret has another name, or is empty for this event.",
};
const NO_TOKEN: ErrorCause = {
  class: "credentials",
  predicate: "refused a token for `openai-identity`",
  help: "Check its two ids, and the audience and the mapping at OpenAI, as the docs of that input have them.",
};
const BAD_KEY: ErrorCause = {
  class: "credentials",
  predicate: "refused the key",
  help: "Change {key}.",
};
const QUOTA: ErrorCause = {
  class: "quota",
  predicate: "reports that the account has no credit left",
  help: "Add credit to the account that {key} belongs to.",
};
const USED_UP: ErrorCause = {
  class: "quota",
  predicate: "reports a limit that is used up",
  help: "Look at the limits of the account that {key} belongs to.",
};
const FORBIDDEN: ErrorCause = {
  class: "forbidden",
  predicate: "forbids the request",
  help: "What the key in {key} is allowed to do, and from which network, is set in its account.",
};
const FLAGGED: ErrorCause = {
  class: "content-filter",
  predicate: "flagged the request",
  help: "Use another judge model for this grader.",
};
const UNKNOWN_MODEL: ErrorCause = {
  class: "unknown-model",
  predicate: "does not know the model `{model}`",
  help: `Correct the name where it is set (\`judge-model\`, or a grader's \`config.model\`, which overrides it), or replace it with this line of \`providers\`: \`- {match: "{model}", model: A-MODEL-YOU-HAVE}\`.`,
};
const NOTHING_FOR_MODEL: ErrorCause = {
  ...UNKNOWN_MODEL,
  class: "not-found",
  predicate: "finds nothing for the model `{model}`",
};
const TOO_LONG: ErrorCause = {
  class: "too-long",
  predicate: "cannot take so much text",
  help: "Lower `max-evidence` (in tokens), or use a judge model with a longer context.",
};
const NOTHING_THERE: ErrorCause = { class: "not-found", predicate: "finds nothing for the request" };
const NO_ADDRESS: ErrorCause = {
  class: "not-found",
  predicate: "has no such address",
  help: "Check {address}: it usually ends in `/v1`.",
};
const BY_STATUS: Readonly<Record<number, ErrorCause>> = {
  401: BAD_KEY,
  402: QUOTA,
  403: FORBIDDEN,
  404: NO_ADDRESS,
  405: NO_ADDRESS,
  410: { ...UNKNOWN_MODEL, predicate: "has the model `{model}` no more" },
  413: TOO_LONG,
  429: { class: "rate-limit", predicate: "limits the rate of requests", help: "Lower `max-concurrency`." },
};
const REJECTED: ErrorCause = { class: "bad-request", predicate: "rejected the request" };

/** Messages of providers, for causes that share a status; the first match counts. */
const CAUSES: readonly {
  readonly statuses: readonly number[];
  readonly when: RegExp;
  readonly cause: ErrorCause;
}[] = [
  {
    // Google's API, and LiteLLM without a database.
    statuses: [400],
    when: /api[ _]key (?:is )?(?:not valid|invalid)|api_key_invalid|invalid api[ _]key|no connected db/,
    cause: BAD_KEY,
  },
  {
    // Groq, llama.cpp and Ollama: the model wrote a call that cannot be read; a retry may work.
    statuses: [400, 500],
    when: /tool_use_failed|output_parse_failed|does not match the expected .{0,60}format|failed to parse input at pos|error parsing tool call/,
    cause: {
      class: "invalid-reply",
      predicate: "could not read the judge's own call",
      help: "Run the job again, or use another judge model.",
    },
  },
  {
    // The name of a field that is refused may look like one of the causes below.
    statuses: [400],
    when: /unsupported_(?:parameter|value)/,
    cause: REJECTED,
  },
  {
    // A key that may not use the model, or nothing at all: its right, not its letters.
    statuses: [401, 403],
    when: /permission|missing scope|not allowed/,
    cause: FORBIDDEN,
  },
  {
    // OpenAI (404 or 403), Ollama and vLLM, OpenRouter (400), Anthropic.
    statuses: [400, 403, 404, 410],
    when: /model_not_(?:found|available)|deploymentnotfound|unknown model|invalid model|not a valid model|models?\b.{0,120}(?:not found|not exist|decommissioned)|model\W{1,3}(?:\S{1,100}\W+)?(?:is|was) not supported|not_found_error\W.{0,20}\bmodel:/,
    cause: UNKNOWN_MODEL,
  },
  {
    // Per-minute limits also mention quota and billing (Gemini, OpenAI for new accounts), but are temporary.
    statuses: [400, 403, 429],
    when: /insufficient_quota|exceeded_current_quota|insufficient balance|billing_not_active|billing_hard_limit|credit balance/,
    cause: QUOTA,
  },
  {
    // Of a day, a month, a budget: no wait within a run ends it.
    statuses: [400, 402, 403, 429],
    when: /(?:per|by|\/)[ _-]?(?:day|month)|budget.{0,20}exceeded|exceeded.{0,20}budget|(?:usage|key) limit/,
    cause: USED_UP,
  },
  {
    statuses: [500, 503],
    when: /(?:more|enough|insufficient|out of) (?:system |gpu )?memory/,
    cause: {
      class: "server",
      predicate: "failed",
      help: "Give the server more memory, or use a smaller model.",
    },
  },
  {
    // Azure's filter, OpenAI's usage policies, OpenRouter's moderation.
    statuses: [400, 403],
    when: /content.filter|content_policy|invalid_prompt|requires moderation/,
    cause: FLAGGED,
  },
  {
    statuses: [400, 413, 422, 500],
    when: /context.?(?:length|window|size)|prompt is too long|too many (?:input )?tokens|reduce the length|maximum number of tokens/,
    cause: TOO_LONG,
  },
];

/** Refusals at any status: llama.cpp sends the first three with 500, OpenAI the last with 401 to restricted keys. */
const WITH_ANY_STATUS =
  /roles must alternate|requires --jinja|single tool-calls at once|missing scopes?: \S{0,80}\bapi\.responses\b/;

/** Whether the error is about the request's format: not about its sender or its content, and not temporary. */
export function isRefusal(error: JudgeError): boolean {
  const http = httpOf(error);
  if (!http) return false;
  if (WITH_ANY_STATUS.test(messageOfError(http).toLowerCase())) return true;
  return (
    [400, 404, 405, 415, 422, 501].includes(http.status) && /bad-request|not-found|server/.test(error.class)
  );
}
