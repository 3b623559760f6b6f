/** Errors of the openai client as classes of judge errors, with what to change. */
import type { ErrorClass } from "../domain.ts";
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

interface Cause {
  readonly class: ErrorClass;
  /** What the endpoint did, as the predicate of "The judge's endpoint". */
  readonly did: string;
  readonly help: string;
}

/**
 * The class of an API error, by HTTP status and the error codes of OpenAI and its look-alikes. Throws an error that
 * is none of the client's: that is a bug.
 */
export function classify(
  error: unknown,
  model: string,
  { baseUrl, redact }: { readonly baseUrl: string; readonly redact: (text: string) => string },
): JudgeError {
  if (error instanceof JudgeError) return error;
  if (error instanceof RangeError) {
    return new JudgeError("invalid-reply", "The judge's answer is nested too deeply to be read.", {
      cause: error,
    });
  }
  if (!isApiError(error)) throw error;
  if (error.status === undefined) {
    const detail = shorten(redact(connectionDetail(error)), EXCERPT);
    const help = "Check `base-url` and the runner's network.";
    return new JudgeError("network", `The judge at ${baseUrl} could not be reached: ${detail}`, {
      help,
      cause: error,
    });
  }
  const { class: errorClass, did, help } = causeOf(error, model);
  const said = shorten(redact(messageOf(error)), EXCERPT);
  return new JudgeError(errorClass, `The judge's endpoint ${did}: ${said}`, { help, cause: error });
}

function causeOf(error: ApiError, model: string): Cause {
  const status = error.status ?? 0;
  if (isUnknownModel(error)) {
    const help =
      "Change `judge-model`, the grader's `config.model` or the eval's `config.judge_model`, whichever names it.";
    return { class: "unknown-model", did: `does not know the model \`${model}\``, help };
  }
  if (isQuota(error)) {
    const help = "Add credit to the account that `api-key` belongs to.";
    return { class: "quota", did: "gives this account no more credit", help };
  }
  if (status === 403 && isModeration(error)) {
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
  if (error.status === 402 || `${error.code ?? ""} ${error.type ?? ""}`.includes("insufficient_quota"))
    return true;
  const said = error.status === 429 ? /insufficient_quota|billing/ : /credit balance is too low/;
  return [400, 403, 429].includes(error.status ?? 0) && said.test(body(error));
}

/** OpenRouter answers 403 with the reasons when its moderation flags an input. */
function isModeration(error: ApiError): boolean {
  return /moderation|flagged/.test(body(error));
}
