/** Request profiles: the default, and the fallbacks for fields that an API refuses. */
import { MATCHED_LENGTH, messageOfError } from "./errors.ts";
import type { HttpError } from "./client.ts";
import { OPENAI } from "./wire.ts";
import type { Endpoint } from "./wire.ts";
import type { JudgeError } from "../judge.ts";
import type { Caching, RequestProfile } from "./wire.ts";

interface ProfileOptions {
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly effort: string | undefined;
}

/** The initial profile; `limited`: replies need a token limit. */
export function defaultProfile(
  { model, endpoint, effort }: ProfileOptions,
  limited: boolean,
): RequestProfile {
  return {
    api: endpoint.api ?? "chat",
    tools: true,
    systemRole: "system",
    encryptedReasoning: true,
    limitField: limited ? "max_completion_tokens" : undefined,
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

/** A field that an API may refuse, and its fallback. */
interface Field {
  /** Matches an error, in lower case, that names the field. */
  readonly pattern: RegExp;
  /** The changed values; undefined if the field was not sent, or has no further fallback. */
  readonly change: (
    profile: RequestProfile,
    text: string,
    effort?: string,
  ) => Partial<RequestProfile> | undefined;
  /** Description of the change, for the report. */
  readonly note: string;
}

const MARKERS_NOTE = "prompt cache markers were left out";
const EFFORT_NONE_NOTE =
  "`reasoning_effort` was set to `none`, since the model accepts no tools with reasoning";
const LIMIT_NOTE = "the field for the token limit was renamed or left out";
const RESPONSES_NOTE = "the Responses API was used instead of chat completions";

/** Advice in an error about the whole request; it takes precedence over the field that the error names. */
const ADVICE: readonly Field[] = [
  {
    // "To use function tools, use /v1/responses or set reasoning_effort to 'none'": the second keeps the API.
    pattern: /set \W?reasoning.?effort\W{1,3}to \W?none\b/,
    change: ({ effort, api }) => (effort === "none" || api === "responses" ? undefined : { effort: "none" }),
    note: EFFORT_NONE_NOTE,
  },
  {
    pattern:
      /v1\/responses|responses (?:api|endpoint)|not a chat model|(?:in|via) (?:the )?\/?(?:v1\/)?chat\/completions|chatcompletions? operation/,
    change: toResponses,
    note: RESPONSES_NOTE,
  },
];

/** Tools come last: without them the judge has to answer in JSON. */
const FIELDS: readonly Field[] = [
  {
    // A marked message is a list of parts, and some servers accept only text.
    pattern: /prompt_cache_(?:options|breakpoint)|cache_control|\bcontent\b.{0,80}\bstring\b/,
    change: ({ caching }) => without(caching, "breakpoint", "cache_control"),
    note: MARKERS_NOTE,
  },
  {
    pattern: /prompt_cache_key/,
    change: ({ caching }) => without(caching, "key"),
    note: "`prompt_cache_key` was left out",
  },
  {
    pattern: /encrypted.?content|\binclude\b/,
    change: ({ api, encryptedReasoning }) =>
      api === "responses" && encryptedReasoning ? { encryptedReasoning: false } : undefined,
    note: "encrypted reasoning was not requested and not sent back",
  },
  {
    pattern: /\bnone\b/,
    change: (profile, text, effort) =>
      profile.changes.includes(EFFORT_NONE_NOTE) ? toResponses(profile, text, effort) : undefined,
    note: RESPONSES_NOTE,
  },
  {
    pattern: /reasoning|thinking|effort|\W(?:minimal|low|medium|high|xhigh|max)\W/,
    change: ({ effort }) => (effort === undefined ? undefined : { effort: undefined }),
    note: "`reasoning_effort` was left out",
  },
  {
    pattern: /max_(?:completion_|output_)?tokens/,
    change: ({ limitField, api }) => {
      if (limitField === undefined) return undefined;
      return {
        limitField: limitField === "max_completion_tokens" && api === "chat" ? "max_tokens" : undefined,
      };
    },
    note: LIMIT_NOTE,
  },
  {
    pattern: /\b(?:system|developer)\b|\broles?\b|should alternate/,
    change: ({ systemRole }, text) => {
      if (systemRole === "user") return undefined;
      const role = systemRole === "system" && /use\W+developer/.test(text) ? "developer" : "user";
      return { systemRole: role };
    },
    note: "the system message was sent with another role",
  },
  {
    pattern: /tool|function/,
    change: ({ tools }) => (tools ? { tools: false } : undefined),
    note: "the API accepts no tools, so the verdict was requested as JSON",
  },
];

/** The profile without prompt cache fields, if a bad request had some: the error may be about them without naming them. */
export function withoutCacheMarks(
  profile: RequestProfile,
  { cacheKey }: { readonly cacheKey?: string | undefined },
  { status }: HttpError,
): RequestProfile | undefined {
  const hasMarks = cacheKey !== undefined || profile.caching.includes("breakpoint");
  if (status !== 400 || !hasMarks || profile.caching.length === 0) return undefined;
  return withNote({ ...profile, caching: [] }, MARKERS_NOTE);
}

/** The profile without a reply limit: servers refuse one in too many different words for a pattern. */
export function withoutReplyLimit({ limitField, ...profile }: RequestProfile): RequestProfile | undefined {
  if (limitField === undefined) return undefined;
  return withNote(profile, LIMIT_NOTE);
}

function withNote(profile: RequestProfile, note: string): RequestProfile {
  return { ...profile, changes: [...profile.changes.filter((one) => one !== note), note] };
}

function without(
  caching: readonly Caching[],
  ...refused: readonly Caching[]
): Partial<RequestProfile> | undefined {
  const left = caching.filter((one) => !refused.includes(one));
  return left.length < caching.length ? { caching: left } : undefined;
}

/** The Responses API, with the configured effort again: `none` is only for chat completions. */
function toResponses(
  { api, changes }: RequestProfile,
  _text: string,
  effort?: string,
): Partial<RequestProfile> | undefined {
  if (api === "responses") return undefined;
  return changes.includes(EFFORT_NONE_NOTE)
    ? { api: "responses", effort, changes: changes.filter((change) => change !== EFFORT_NONE_NOTE) }
    : { api: "responses" };
}

/** Refusals at any status: llama.cpp sends these with 500. */
const WITH_ANY_STATUS = /roles must alternate|requires --jinja|single tool-calls at once/;

/** Whether the error is about the request's format: not about its sender or its content, and not temporary. */
export function isRefusal(error: HttpError, { class: errorClass }: JudgeError): boolean {
  if (WITH_ANY_STATUS.test(messageOfError(error).toLowerCase())) return true;
  return (
    [400, 404, 405, 415, 422, 501].includes(error.status) && /bad-request|not-found|server/.test(errorClass)
  );
}

/** Whether the error may be about the turns of the conversation, even if it names another field. */
export function refusesTurns(error: HttpError, judgeError: JudgeError): boolean {
  return [400, 422, 500].includes(error.status) && isRefusal(error, judgeError);
}

/**
 * The profile to try next: changed for the field that the error names in `param` or in its message. Undefined if it names
 * no field that was sent. `effort` is the configured one.
 */
export function fallbackProfile(
  profile: RequestProfile,
  error: HttpError,
  effort?: string,
): RequestProfile | undefined {
  const param = (error.param ?? "").toLowerCase();
  const text = `${param} ${messageOfError(error)}`.slice(0, MATCHED_LENGTH).toLowerCase();
  const matches = (fields: readonly Field[], named: string) =>
    fields.filter(({ pattern }) => pattern.test(named));
  for (const { change, note } of [
    ...matches(ADVICE, text),
    ...matches(FIELDS, param),
    ...matches(FIELDS, text),
  ]) {
    const changed = change(profile, text, effort);
    if (changed) return withNote({ ...profile, ...changed }, note);
  }
  return undefined;
}
