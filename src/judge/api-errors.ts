/** HTTP errors as classes of judge errors, with what to change. */
import * as z from "zod/mini";
import type { ErrorClass } from "../domain.ts";
import { shorten } from "../format.ts";
import type { Endpoint } from "./endpoint.ts";
import type { HttpReply } from "../network.ts";
import { readJson } from "./json.ts";
import { JudgeError } from "./judge.ts";

const EXCERPT = 300;

/** What an HTTP error of an API says, in the fields of OpenAI and its look-alikes. */
interface ApiError {
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly param: string;
  readonly message: string;
}

interface Cause {
  readonly class: ErrorClass;
  /** What the endpoint did, as the predicate of "The judge's endpoint". */
  readonly did: string;
  readonly help: string;
}

/** The class of a reply that is an HTTP error, by its status and the error codes of OpenAI and its look-alikes. */
export function httpError(
  { status, body }: Pick<HttpReply, "status" | "body">,
  model: string,
  { redact = (text) => text, endpoint }: ErrorOptions,
): JudgeError {
  const error = readError(status, body);
  const { class: errorClass, did, help } = causeOf(error, { model, keyless: isKeyless(endpoint) });
  const said = shorten(redact(`${String(status)} ${error.message}`), EXCERPT);
  const where =
    endpoint.input === undefined ? help : help.replace(/`(?:api-key|base-url)`/g, `\`${endpoint.input}\``);
  return new JudgeError(errorClass, `The judge's endpoint ${did}: ${said}`, { help: where });
}

export interface ErrorOptions {
  readonly redact?: ((text: string) => string) | undefined;
  readonly endpoint: Pick<Endpoint, "input" | "apiKey" | "headers">;
}

/** The code, the parameter and the message of an error's body, for what has to be recognised in it. */
export function messageInBody(body: string): string {
  const { message, code, param } = readError(0, body);
  return `${code} ${param} ${message}`;
}

const field = z.catch(z.optional(z.union([z.string(), z.number()])), undefined);
/** OpenRouter: what the provider behind it said. */
const metadata = z.catch(z.optional(z.nullable(z.object({ raw: field }))), undefined);
const fields = z.object({ message: field, code: field, type: field, param: field, metadata });
const errorBody = z.union([
  z.object({ error: fields }),
  z.pipe(
    z.array(z.object({ error: fields })),
    z.transform(([first]) => first ?? {}),
  ),
  z.object({ error: z.string() }),
  fields,
]);

/** `{"error": {"message", "code", "type"}}`, a list of one such (Google), `{"error": "…"}` (Ollama), or the fields bare. */
function readError(status: number, body: string): ApiError {
  const parsed = z.safeParse(errorBody, readJson(body)).data;
  const inner = parsed && "error" in parsed ? parsed.error : parsed;
  const { message, code, type, param, metadata } = (
    typeof inner === "object" ? inner : { message: inner }
  ) as Partial<z.infer<typeof fields>>;
  const text = (value: string | number | undefined) => (value === undefined ? "" : String(value));
  const said =
    [text(message), text(metadata?.raw)].filter((part) => part !== "").join(": ") ||
    body
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
  return { status, code: text(code), type: text(type), param: text(param), message: said || "(no message)" };
}

/** No key was sent; headers of the user's own may hold one. */
function isKeyless({ apiKey, headers }: ErrorOptions["endpoint"]): boolean {
  return apiKey === undefined && headers === undefined;
}

function causeOf(
  error: ApiError,
  { model, keyless }: { readonly model: string; readonly keyless: boolean },
): Cause {
  const { status } = error;
  if (status === 401 && keyless) return NO_KEY;
  if (
    status === 400 &&
    /api[ _]key (?:is )?(?:not valid|invalid)|api_key_invalid|invalid api[ _]key/.test(body(error))
  )
    return BY_STATUS[401] ?? REJECTED;
  if (isUnknownModel(error)) {
    const help =
      "Change `judge-model`, the grader's `config.model` or the eval's `config.judge_model`, whichever names it.";
    return { class: "unknown-model", did: `does not know the model \`${model}\``, help };
  }
  if (isQuota(error)) {
    const help = "Add credit to the account that `api-key` belongs to.";
    return { class: "quota", did: "gives this account no more credit", help };
  }
  if ((status === 403 && isModeration(error)) || (status === 400 && isFiltered(error))) {
    return {
      class: "content-filter",
      did: "flagged the request",
      help: "Use another judge model for this grader.",
    };
  }
  if (status >= 500 || status === 408) {
    return { class: "server", did: "failed", help: "Run the job again later." };
  }
  return BY_STATUS[status] ?? REJECTED;
}

const NO_KEY: Cause = {
  class: "credentials",
  did: "wants a key, and none was sent",
  help: "Set `api-key`; if it is set, the secret that it names is empty here, or has another name.",
};
const BY_STATUS: Readonly<Record<number, Cause>> = {
  401: { class: "credentials", did: "refused the key", help: "Change `api-key`." },
  403: {
    class: "forbidden",
    did: "forbids the request",
    help: "Check what the key in `api-key` is allowed to do.",
  },
  404: {
    class: "not-found",
    did: "has no such address",
    help: "Check `base-url`: it usually ends in `/v1`.",
  },
  429: { class: "rate-limit", did: "limits the rate of requests", help: "Lower `max-concurrency`." },
};
const REJECTED: Cause = {
  class: "bad-request",
  did: "rejected the request",
  help: "Read what it said; another `judge-model`, or a shorter run, may help.",
};

function body(error: ApiError): string {
  return `${error.code} ${error.type} ${error.message}`.toLowerCase();
}

/** `model_not_found` (OpenAI, 404 or 403), "model … not found" (Ollama, vLLM), "not a valid model" (OpenRouter, 400). */
function isUnknownModel(error: ApiError): boolean {
  if (![400, 403, 404, 410].includes(error.status)) return false;
  if (/unsupported_(?:parameter|value)/.test(body(error))) return false;
  return /model_not_found|deploymentnotfound|unknown model|invalid model|not a valid model|models?\b.{0,120}(?:not found|does not exist)|model\W{1,3}(?:\S{1,100}\W+)?(?:is|was) not supported|not_found_error\W.{0,20}\bmodel:/.test(
    body(error),
  );
}

function isQuota(error: ApiError): boolean {
  if (error.status === 402 || `${error.code} ${error.type}`.includes("insufficient_quota")) return true;
  // Limits of a minute speak of quota and billing too (Gemini's, OpenAI's for new accounts), and pass.
  const said =
    error.status === 429
      ? /insufficient_quota|exceeded_current_quota|insufficient balance|billing_not_active|billing_hard_limit|credit balance/
      : /credit balance is too low/;
  return [400, 403, 429].includes(error.status) && said.test(body(error));
}

/** Azure's content filter, and OpenAI's usage policies, answer 400. */
function isFiltered(error: ApiError): boolean {
  return /\bcontent_filter\b|content management policy|usage polic(?:y|ies)/.test(body(error));
}

/** OpenRouter answers 403 with the reasons when its moderation flags an input. */
function isModeration(error: ApiError): boolean {
  return /moderation|flagged/.test(body(error));
}
