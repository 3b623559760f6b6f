/** Errors of the openai client as classes of judge errors, with what to change. */
import { messageOf } from "../errors.ts";
import { shorten } from "../format.ts";
import { JudgeError } from "./judge.ts";

const EXCERPT = 300;

interface ApiError extends Error {
  readonly status?: number;
  readonly code?: string | null;
  readonly type?: string;
  readonly error?: unknown;
  readonly cause?: unknown;
}

/** The class of an API error, by HTTP status and the error codes of OpenAI and its look-alikes. Throws what is none. */
export function classify(
  error: unknown,
  model: string,
  { baseUrl, redact }: { readonly baseUrl: string; readonly redact: (text: string) => string },
): JudgeError {
  if (error instanceof JudgeError) return error;
  if (!isApiError(error)) throw error;
  const api = error;
  const said = shorten(redact(messageOf(error)), EXCERPT);
  const make = (...[errorClass, message, help]: [JudgeError["class"], string, string?]) =>
    new JudgeError(errorClass, message, { cause: error, ...(help === undefined ? {} : { help }) });
  if (api.status === undefined) {
    const detail = shorten(redact(connectionDetail(api)), EXCERPT);
    return make(
      "network",
      `The judge at ${baseUrl} could not be reached: ${detail}`,
      "Check `base-url` and the runner's network.",
    );
  }
  if (isUnknownModel(api)) {
    return make(
      "unknown-model",
      `The judge's endpoint does not know the model \`${model}\`: ${said}`,
      "Change `judge-model`, or the grader's `config.model`.",
    );
  }
  if (isQuota(api)) {
    return make(
      "quota",
      `The judge's account has no credit left: ${said}`,
      "Add credit to the account that `api-key` belongs to.",
    );
  }
  switch (api.status) {
    case 401:
      return make("credentials", `The judge's endpoint refused the key: ${said}`, "Change `api-key`.");
    case 403:
      return make(
        isModeration(api) ? "content-filter" : "forbidden",
        `The judge's endpoint forbids the request: ${said}`,
        "Check what the key in `api-key` is allowed to do.",
      );
    case 404:
      return make(
        "not-found",
        `The judge's endpoint has no such address: ${said}`,
        "Check `base-url`: it usually ends in `/v1`.",
      );
    case 429:
      return make(
        "rate-limit",
        `The judge's endpoint limits the rate of requests: ${said}`,
        "Lower `max-concurrency`.",
      );
    default:
      return api.status >= 500 || api.status === 408
        ? make("server", `The judge's endpoint failed: ${said}`, "Run the job again later.")
        : make("bad-request", `The judge's endpoint rejected the request: ${said}`);
  }
}

/** True for the client's own errors, which it makes for connections and statuses alike; others are bugs. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && "status" in error;
}

function connectionDetail(error: ApiError): string {
  const causes: string[] = [];
  for (let at: unknown = error; at instanceof Error && causes.length < 4; at = at.cause) {
    const text = (at as NodeJS.ErrnoException).code ?? messageOf(at);
    if (!causes.includes(text)) causes.push(text);
  }
  return causes.join(" · ");
}

function body(error: ApiError): string {
  return `${error.code ?? ""} ${error.type ?? ""} ${messageOf(error)}`.toLowerCase();
}

/** `model_not_found` (OpenAI, 404 or 403), "model … not found" (Ollama, vLLM), "not a valid model" (OpenRouter, 400). */
function isUnknownModel(error: ApiError): boolean {
  if (![400, 403, 404, 410].includes(error.status ?? 0)) return false;
  if (/unsupported_(?:parameter|value)/.test(body(error))) return false;
  return /model_not_found|deploymentnotfound|unknown model|invalid model|not a valid model|model\b.{0,120}(not found|does not exist|not supported)/.test(
    body(error),
  );
}

function isQuota(error: ApiError): boolean {
  if (error.status === 402) return true;
  return (
    [400, 403, 429].includes(error.status ?? 0) &&
    /insufficient_quota|billing|credit balance/.test(body(error))
  );
}

/** OpenRouter answers 403 with the reasons when its moderation flags an input. */
function isModeration(error: ApiError): boolean {
  return /moderation|flagged/.test(body(error));
}
