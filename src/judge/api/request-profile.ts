/** Request profiles: the default, and the fallbacks for fields that an API refuses. */
import { isRefusal, messageOfError } from "./errors.ts";
import type { RoutedRequest } from "./attempt.ts";
import { type HttpError, httpOf } from "./client.ts";
import { type Caching, type Endpoint, OPENAI, type RequestProfile } from "./wire.ts";
import type { JudgeError } from "../judge.ts";
import { MATCHED_ERROR_LENGTH as MATCHED_LENGTH } from "../limits.ts";

/** The initial profile: OpenAI recommends its Responses API. Under a cost cap replies need a token limit. */
export function defaultProfile({
  model,
  endpoint,
  effort,
  budget,
}: Pick<RoutedRequest, "model" | "endpoint" | "effort" | "budget">): RequestProfile {
  return {
    api: endpoint.api ?? (endpoint.baseUrl === OPENAI ? "responses" : "chat"),
    tools: true,
    schema: true,
    systemRole: "system",
    encryptedReasoning: true,
    limitField: budget?.limitsReplies ? "max_completion_tokens" : undefined,
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
interface RefusableField {
  /** Matches an error, in lower case, that names the field. */
  readonly pattern: RegExp;
  /** The changed values; undefined if the field was not sent, or has no further fallback. */
  readonly change: (profile: RequestProfile, effort?: string) => Partial<RequestProfile> | undefined;
  /** Description of the change, for the report. */
  readonly note: string;
}

const MARKERS_NOTE = "the fields for the prompt cache were left out";
const EFFORT_NONE_NOTE =
  "`reasoning_effort` was set to `none`, since the model accepts no tools with reasoning";
const LIMIT_NOTE = "the field for the token limit was renamed or left out";
const EFFORT_NOTE = "`reasoning_effort` was left out";
const RESPONSES_NOTE = "the Responses API was used instead of chat completions";
const CHAT_NOTE = "chat completions were used instead of the Responses API";

/** Names the Responses API, also as the scope of a restricted key. */
const RESPONSES = /v1\/responses|responses (?:api|endpoint)|\bapi\.responses\b/;

/** Advice in an error about the whole request; it takes precedence over the field that the error names. */
const ADVICE: readonly RefusableField[] = [
  {
    // "To use function tools, use /v1/responses or set reasoning_effort to 'none'": the first keeps the reasoning.
    pattern: new RegExp(
      `${RESPONSES.source}|not a chat model|(?:in|via) (?:the )?\\/?(?:v1\\/)?chat\\/completions|chatcompletions? operation`,
    ),
    change: toResponses,
    note: RESPONSES_NOTE,
  },
  {
    pattern: /set \W?reasoning.?effort\W{1,3}to \W?none\b/,
    change: ({ effort, api }) => (effort === "none" || api === "responses" ? undefined : { effort: "none" }),
    note: EFFORT_NONE_NOTE,
  },
];

const FIELDS: readonly RefusableField[] = [
  {
    // A marked message is a list of parts, and some servers accept only text.
    pattern: /prompt_cache|cache_control|\bcontent\b.{0,80}\bstring\b/,
    change: ({ caching }) => (caching.length > 0 ? { caching: [] } : undefined),
    note: MARKERS_NOTE,
  },
  {
    pattern: /encrypted.?content|\binclude\b/,
    change: ({ api, encryptedReasoning }) =>
      api === "responses" && encryptedReasoning ? { encryptedReasoning: false } : undefined,
    note: "encrypted reasoning was not requested and not sent back",
  },
  {
    pattern: /\bnone\b/,
    change: (profile, effort) =>
      profile.changes.includes(EFFORT_NONE_NOTE) ? toResponses(profile, effort) : undefined,
    note: RESPONSES_NOTE,
  },
  {
    // The effort, or one of its values.
    pattern: /reasoning|thinking|effort|\W(?:minimal|low|medium|high|xhigh|max)\W/,
    change: ({ effort }) => (effort === undefined ? undefined : { effort: undefined }),
    note: EFFORT_NOTE,
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
    change: ({ systemRole }) => (systemRole === "system" ? { systemRole: "user" } : undefined),
    note: "the system message was sent with another role",
  },
];

/** Comes last: without tools the judge has to answer in JSON. */
const TOOLS: RefusableField = {
  pattern: /tool|function/,
  change: ({ tools }) => (tools ? { tools: false } : undefined),
  note: "the API accepts no tools, so the verdict was requested as JSON",
};

function withNote(profile: RequestProfile, note: string): RequestProfile {
  return { ...profile, changes: [...profile.changes.filter((change) => change !== note), note] };
}

/** The Responses API, with the configured effort again: `none` is only for chat completions. */
function toResponses({ api, changes }: RequestProfile, effort?: string): Partial<RequestProfile> | undefined {
  if (api === "responses") return undefined;
  return changes.includes(EFFORT_NONE_NOTE)
    ? { api: "responses", effort, changes: changes.filter((change) => change !== EFFORT_NONE_NOTE) }
    : { api: "responses" };
}

/** Whether the error may be about the turns of the conversation, even if it names another field. */
export function refusesTurns(error: JudgeError): boolean {
  return [400, 422, 500].includes(httpOf(error)?.status ?? 0) && isRefusal(error);
}

/**
 * The profiles to try after a refusal, in order: without the schema, since servers refuse it in too many different words;
 * changed for the field that the error names; without prompt cache fields, which a bad request may be about without naming
 * them; and without a reply limit, which some servers add to the length of the conversation, and refuse in any words.
 */
export function fallbackProfiles(
  profile: RequestProfile,
  error: JudgeError,
  { effort, endpoint, schema, cacheKey }: Pick<RoutedRequest, "effort" | "endpoint" | "schema" | "cacheKey">,
): readonly RequestProfile[] {
  const http = httpOf(error);
  const { limitField, ...unlimited } = profile;
  const withoutLimit = limitField === undefined ? [] : [withNote(unlimited, LIMIT_NOTE)];
  if (!http || !isRefusal(error)) return http && error.class === "too-long" ? withoutLimit : [];
  const hasMarks = cacheKey !== undefined || profile.caching.includes("breakpoint");
  const isOfMarks = http.status === 400 && hasMarks && profile.caching.length > 0;
  return [
    ...(schema && profile.schema ? [{ ...profile, schema: false }] : []),
    ...changedAsNamed(profile, http, { effort, mayChat: endpoint.api === undefined }),
    ...(isOfMarks ? [withNote({ ...profile, caching: [] }, MARKERS_NOTE)] : []),
    ...withoutLimit,
  ];
}

/**
 * The profiles that change what the error names in `param` or in its message. `mayChat`: the Responses API was our choice,
 * not the workflow's.
 */
function changedAsNamed(
  profile: RequestProfile,
  error: HttpError,
  { effort, mayChat }: { readonly effort: string | undefined; readonly mayChat: boolean },
): readonly RequestProfile[] {
  const param = (error.param ?? "").toLowerCase();
  const text = `${param} ${messageOfError(error)}`.slice(0, MATCHED_LENGTH).toLowerCase();
  const changed = (fields: readonly RefusableField[], named: string) =>
    fields.flatMap(({ pattern, change, note }) => {
      const next = pattern.test(named) ? change(profile, effort) : undefined;
      return next ? [withNote({ ...profile, ...next }, note)] : [];
    });
  const isMissing = [404, 405, 501].includes(error.status) || RESPONSES.test(text);
  return [
    ...changed(ADVICE, text),
    ...changed([...FIELDS, TOOLS], param),
    ...changed(FIELDS, text),
    ...backToChat(profile, mayChat && isMissing),
    ...changed([TOOLS], text),
  ];
}

/**
 * Chat completions again, after the Responses API was refused: without reasoning where a refusal advised that API, since
 * the other half of the advice is "or set reasoning_effort to 'none'".
 */
function backToChat(profile: RequestProfile, isDefault: boolean): RequestProfile[] {
  if (profile.api === "chat") return [];
  if (profile.changes.includes(RESPONSES_NOTE)) {
    const changes = profile.changes.filter((change) => change !== RESPONSES_NOTE);
    return [withNote({ ...profile, api: "chat", effort: "none", changes }, EFFORT_NONE_NOTE)];
  }
  return isDefault ? [withNote({ ...profile, api: "chat" }, CHAT_NOTE)] : [];
}

/** A profile that has worked with one effort, for a request with another. */
export function forEffort(profile: RequestProfile, effort: string | undefined): RequestProfile {
  if (profile.changes.includes(EFFORT_NONE_NOTE)) return profile;
  const changes = profile.changes.filter((note) => note !== EFFORT_NOTE);
  return { ...profile, effort, effortRefusal: undefined, changes };
}

/** Whether the refusal names a field of our first request. */
export function namesField(http: HttpError, routed: RoutedRequest): boolean {
  const options = { effort: routed.effort, mayChat: false };
  return changedAsNamed(defaultProfile(routed), http, options).length > 0;
}
