/** Request profiles: the default, and the fallbacks for fields that an API refuses. */
import { MATCHED_LENGTH, messageOfError } from "./errors.ts";
import type { HttpError } from "./client.ts";
import { OPENAI } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import type { JudgeError } from "../judge.ts";
import type { Caching, RequestProfile } from "./wire.ts";

interface ProfileOptions {
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly effort: string | undefined;
}

/** The initial profile; `limited` if replies need a token limit. */
export function defaultProfile(
  { model, endpoint, effort }: ProfileOptions,
  limited: boolean,
): RequestProfile {
  return {
    api: endpoint.api ?? "chat",
    tools: true,
    system: "system",
    encrypted: true,
    limit: limited ? "max_completion_tokens" : undefined,
    effort,
    flattened: false,
    caching: cachingOf(endpoint.model ?? model, endpoint),
    changes: [],
  };
}

/**
 * Only OpenAI's own address and Azure are known to accept OpenAI's cache fields. Routers prefix Anthropic's models, which
 * cache only on request, with `anthropic/`.
 */
function cachingOf(model: string, { baseUrl, azure }: Endpoint): Caching[] {
  if (model.startsWith("anthropic/")) return ["cache_control"];
  if (baseUrl !== OPENAI && !azure) return [];
  const [, major = "0", minor = "0"] = /^gpt-(\d+)(?:\.(\d+))?/.exec(model) ?? [];
  // "Supported for `gpt-5.6` and later models" (the API's reference).
  const takesBreakpoints = Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6);
  return takesBreakpoints ? ["key", "breakpoint"] : ["key"];
}

/** A field of the request, and its fallback. */
interface Field {
  /** Matches its name in an error, in lower case. */
  readonly pattern: RegExp;
  /** The fallback values; undefined if the field was not sent, or has no further fallback. */
  readonly change: (
    profile: RequestProfile,
    text: string,
    effort?: string,
  ) => Partial<RequestProfile> | undefined;
  /** Description of the change, for the report. */
  readonly note: string;
}

const NO_MARKS = "prompt cache markers were left out";
const NONE = "`reasoning_effort` is `none`: with reasoning this model accepts no tools";
const LIMIT = "the token limit of replies was renamed or left out";
const RESPONSES = "the Responses API was used, since this model has no other";

/** Advice about the whole request, which takes precedence over the field that the error names. */
const ADVICE: readonly Field[] = [
  {
    // "To use function tools, use /v1/responses or set reasoning_effort to 'none'": the second keeps the API.
    pattern: /set \W?reasoning.?effort\W{1,3}to \W?none\b/,
    change: ({ effort, api }) => (effort === "none" || api === "responses" ? undefined : { effort: "none" }),
    note: NONE,
  },
  {
    pattern:
      /v1\/responses|responses (?:api|endpoint)|not a chat model|(?:in|via) (?:the )?\/?(?:v1\/)?chat\/completions|chatcompletions? operation/,
    change: toResponses,
    note: RESPONSES,
  },
];

/** Fields that an API may refuse; tools last, since without them the protocol of verdicts changes. */
const FIELDS: readonly Field[] = [
  {
    // A marked message is a list of parts, and some servers accept only text.
    pattern: /prompt_cache_(?:options|breakpoint)|cache_control|\bcontent\b.{0,80}\bstring\b/,
    change: ({ caching }) => without(caching, "breakpoint", "cache_control"),
    note: NO_MARKS,
  },
  {
    pattern: /prompt_cache_key/,
    change: ({ caching }) => without(caching, "key"),
    note: "`prompt_cache_key` was left out",
  },
  {
    pattern: /encrypted.?content|\binclude\b/,
    change: ({ api, encrypted }) => (api === "responses" && encrypted ? { encrypted: false } : undefined),
    note: "its reasoning was neither requested nor sent back",
  },
  {
    pattern: /\bnone\b/,
    change: (profile, text, effort) =>
      profile.changes.includes(NONE) ? toResponses(profile, text, effort) : undefined,
    note: RESPONSES,
  },
  {
    pattern: /reasoning|thinking|effort|\W(?:minimal|low|medium|high|xhigh|max)\W/,
    change: ({ effort }) => (effort === undefined ? undefined : { effort: undefined }),
    note: "`reasoning_effort` was left out",
  },
  {
    pattern: /max_(?:completion_|output_)?tokens/,
    change: ({ limit, api }) => {
      if (limit === undefined) return undefined;
      return { limit: limit === "max_completion_tokens" && api === "chat" ? "max_tokens" : undefined };
    },
    note: LIMIT,
  },
  {
    pattern: /\b(?:system|developer)\b|\broles?\b|should alternate/,
    change: ({ system }, text) => {
      if (system === "user") return undefined;
      const role = system === "system" && /use\W+developer/.test(text) ? "developer" : "user";
      return { system: role };
    },
    note: "the system message has another role",
  },
  {
    pattern: /tool|function/,
    change: ({ tools }) => (tools ? { tools: false } : undefined),
    note: "it takes no tools, so the verdict was requested as JSON",
  },
];

/** The profile without prompt cache markers, if a bad request had some: the error may be about them without naming them. */
export function withoutCacheMarks(
  profile: RequestProfile,
  { cacheKey }: { readonly cacheKey?: string | undefined },
  { status }: HttpError,
): RequestProfile | undefined {
  const hasMarks = cacheKey !== undefined || profile.caching.includes("breakpoint");
  if (status !== 400 || !hasMarks || profile.caching.length === 0) return undefined;
  return { ...profile, caching: [], changes: [...profile.changes, NO_MARKS] };
}

/** The profile without a reply limit: servers refuse it in too many different words to match. */
export function withoutReplyLimit({ limit, ...profile }: RequestProfile): RequestProfile | undefined {
  if (limit === undefined) return undefined;
  return { ...profile, changes: [...profile.changes.filter((one) => one !== LIMIT), LIMIT] };
}

function without(
  caching: readonly Caching[],
  ...refused: readonly Caching[]
): Partial<RequestProfile> | undefined {
  const left = caching.filter((one) => !refused.includes(one));
  return left.length < caching.length ? { caching: left } : undefined;
}

/** Restores the effort: it is `none` only for chat completions. */
function toResponses(
  { api, changes }: RequestProfile,
  _text: string,
  effort?: string,
): Partial<RequestProfile> | undefined {
  if (api === "responses") return undefined;
  return changes.includes(NONE)
    ? { api: "responses", effort, changes: changes.filter((change) => change !== NONE) }
    : { api: "responses" };
}

/** llama.cpp reports these with status 500; no other server error reads like them. */
const WITH_ANY_STATUS = /roles must alternate|requires --jinja|single tool-calls at once/;

/** Whether the error is about the format of the request, not its sender or content, and not temporary. */
export function isRefusal(error: HttpError, { class: errorClass }: JudgeError): boolean {
  if (WITH_ANY_STATUS.test(messageOfError(error).toLowerCase())) return true;
  return (
    [400, 404, 405, 415, 422, 501].includes(error.status) && /bad-request|not-found|server/.test(errorClass)
  );
}

/** Whether the error may be about the turns of the conversation, whichever field it names. */
export function refusesTurns(error: HttpError, judgeError: JudgeError): boolean {
  return [400, 422, 500].includes(error.status) && isRefusal(error, judgeError);
}

/**
 * The profile to try next: without the field that the error names by `param` or in its message, if it was sent;
 * undefined if it names none. `effort` is the configured one.
 */
export function fallbackProfile(
  profile: RequestProfile,
  error: HttpError,
  effort?: string,
): RequestProfile | undefined {
  const param = (error.param ?? "").toLowerCase();
  const text = `${param} ${messageOfError(error)}`.slice(0, MATCHED_LENGTH).toLowerCase();
  const matches = (fields: readonly Field[], where: string) =>
    fields.filter((field) => field.pattern.test(where));
  for (const { change, note } of [
    ...matches(ADVICE, text),
    ...matches(FIELDS, param),
    ...matches(FIELDS, text),
  ]) {
    const changed = change(profile, text, effort);
    if (!changed) continue;
    const next = { ...profile, ...changed };
    return { ...next, changes: [...next.changes.filter((one) => one !== note), note] };
  }
  return undefined;
}
