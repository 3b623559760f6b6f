/** What an API refuses of a request: from the error to the field it names, and to a request without it. */
import { LOOKED_AT, messageOfError } from "./errors.ts";
import type { HttpError } from "./client.ts";
import { OPENAI } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import type { JudgeError } from "../judge.ts";
import type { Caching, Shape } from "./wire.ts";

interface Asked {
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly effort: string | undefined;
}

/** How a model is asked until it says otherwise; `limited` when a reply's tokens have to be. */
export function firstShape({ model, endpoint, effort }: Asked, limited: boolean): Shape {
  return {
    api: endpoint.api ?? "chat",
    tools: true,
    system: "system",
    encrypted: true,
    limit: limited ? "max_completion_tokens" : undefined,
    effort,
    retold: false,
    caching: cachingOf(endpoint.model ?? model, endpoint),
    changes: [],
  };
}

/**
 * Only OpenAI's own address and Azure's kind of API are known to take OpenAI's fields; `anthropic/` is how routers name
 * the models whose provider keeps nothing unless it is told to.
 */
function cachingOf(model: string, { baseUrl, azure }: Endpoint): Caching[] {
  if (model.startsWith("anthropic/")) return ["cache_control"];
  if (baseUrl !== OPENAI && !azure) return [];
  const [, major = "0", minor = "0"] = /^gpt-(\d+)(?:\.(\d+))?/.exec(model) ?? [];
  // "Supported for `gpt-5.6` and later models" (the API's reference).
  const takesBreakpoints = Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6);
  return takesBreakpoints ? ["key", "breakpoint"] : ["key"];
}

interface Field {
  /** How errors name it, in lower case. */
  readonly named: RegExp;
  /** The shape's other values; undefined when it was not sent, or nothing is left to change. */
  readonly change: (shape: Shape, said: string, wanted?: string) => Partial<Shape> | undefined;
  /** What was changed, for the report. */
  readonly told: string;
}

const UNMARKED = "its prompt cache was not told what to keep";
const NONE = "`reasoning_effort` is `none`, since this model takes tools only so";
const LIMIT = "the limit of a reply's tokens was renamed or left out";
const RESPONSES = "asked through the Responses API, the only one it has";

/** Advice for the whole request, which counts whatever field the error names. */
const ADVICE: readonly Field[] = [
  {
    // "To use function tools, use /v1/responses or set reasoning_effort to 'none'": the second keeps the API.
    named: /set \W?reasoning.?effort\W{1,3}to \W?none\b/,
    change: ({ effort, api }) => (effort === "none" || api === "responses" ? undefined : { effort: "none" }),
    told: NONE,
  },
  {
    named:
      /v1\/responses|responses (?:api|endpoint)|not a chat model|(?:in|via) (?:the )?\/?(?:v1\/)?chat\/completions|chatcompletions? operation/,
    change: toResponses,
    told: RESPONSES,
  },
];

/** The fields of a request that an API may refuse; tools last, since without them verdicts are told in another way. */
const FIELDS: readonly Field[] = [
  {
    // What is marked is a list of parts, and some servers take nothing but text.
    named: /prompt_cache_(?:options|breakpoint)|cache_control|\bcontent\b.{0,80}\bstring\b/,
    change: ({ caching }) => without(caching, "breakpoint", "cache_control"),
    told: UNMARKED,
  },
  {
    named: /prompt_cache_key/,
    change: ({ caching }) => without(caching, "key"),
    told: "`prompt_cache_key` was left out",
  },
  {
    named: /encrypted.?content|\binclude\b/,
    change: ({ api, encrypted }) => (api === "responses" && encrypted ? { encrypted: false } : undefined),
    told: "its reasoning was not asked for, nor sent back",
  },
  {
    named: /\bnone\b/,
    change: (shape, said, wanted) =>
      shape.changes.includes(NONE) ? toResponses(shape, said, wanted) : undefined,
    told: RESPONSES,
  },
  {
    named: /reasoning|thinking|effort|\W(?:minimal|low|medium|high|xhigh|max)\W/,
    change: ({ effort }) => (effort === undefined ? undefined : { effort: undefined }),
    told: "`reasoning_effort` was left out",
  },
  {
    named: /max_(?:completion_|output_)?tokens/,
    change: ({ limit, api }) => {
      if (limit === undefined) return undefined;
      return { limit: limit === "max_completion_tokens" && api === "chat" ? "max_tokens" : undefined };
    },
    told: LIMIT,
  },
  {
    named: /\b(?:system|developer)\b|\broles?\b|should alternate/,
    change: ({ system }, said) => {
      if (system === "user") return undefined;
      const role = system === "system" && /use\W+developer/.test(said) ? "developer" : "user";
      return { system: role };
    },
    told: "the system message has another role",
  },
  {
    named: /tool|function/,
    change: ({ tools }) => (tools ? { tools: false } : undefined),
    told: "it takes no tools, so the verdict was asked for as JSON",
  },
];

/** The shape without marks for a prompt cache, where a bad request that had some may be about them, whatever it says. */
export function unmarked(
  shape: Shape,
  { cacheKey }: { readonly cacheKey?: string | undefined },
  { status }: HttpError,
): Shape | undefined {
  const hasMarks = cacheKey !== undefined || shape.caching.includes("breakpoint");
  if (status !== 400 || !hasMarks || shape.caching.length === 0) return undefined;
  return { ...shape, caching: [], changes: [...shape.changes, UNMARKED] };
}

/** The shape without a limit of a reply: servers refuse it in words too different to know them all. */
export function unlimited({ limit, ...shape }: Shape): Shape | undefined {
  if (limit === undefined) return undefined;
  return { ...shape, changes: [...shape.changes.filter((one) => one !== LIMIT), LIMIT] };
}

function without(caching: readonly Caching[], ...refused: readonly Caching[]): Partial<Shape> | undefined {
  const left = caching.filter((one) => !refused.includes(one));
  return left.length < caching.length ? { caching: left } : undefined;
}

/** There the effort is what was asked for again: only chat completions made it `none`. */
function toResponses({ api, changes }: Shape, _said: string, wanted?: string): Partial<Shape> | undefined {
  if (api === "responses") return undefined;
  return changes.includes(NONE)
    ? { api: "responses", effort: wanted, changes: changes.filter((change) => change !== NONE) }
    : { api: "responses" };
}

/** llama.cpp says these with the status 500; they pass for no other fault of a server. */
const SAID_WITH_ANY_STATUS = /roles must alternate|requires --jinja|single tool-calls at once/;

/** True for a refusal of how a request is made, and not of who makes it, of its content, or for now. */
export function isRefusal(error: HttpError, { class: errorClass }: JudgeError): boolean {
  if (SAID_WITH_ANY_STATUS.test(messageOfError(error).toLowerCase())) return true;
  return (
    [400, 404, 405, 415, 422, 501].includes(error.status) && /bad-request|not-found|server/.test(errorClass)
  );
}

/** True for a refusal that may be of the turns of a conversation, whatever it names. */
export function refusesTurns(error: HttpError, judgeError: JudgeError): boolean {
  return [400, 422, 500].includes(error.status) && isRefusal(error, judgeError);
}

/**
 * The shape to try next: without the field that the error names, by `param` or in its message, if that was sent;
 * undefined when it names none. Whether it is the right one shows when it is tried. `wanted` is the effort asked for.
 */
export function learn(shape: Shape, error: HttpError, wanted?: string): Shape | undefined {
  const param = (error.param ?? "").toLowerCase();
  const said = `${param} ${messageOfError(error)}`.slice(0, LOOKED_AT).toLowerCase();
  const named = (fields: readonly Field[], text: string) => fields.filter((field) => field.named.test(text));
  for (const { change, told } of [...named(ADVICE, said), ...named(FIELDS, param), ...named(FIELDS, said)]) {
    const changed = change(shape, said, wanted);
    if (!changed) continue;
    const better = { ...shape, ...changed };
    return { ...better, changes: [...better.changes.filter((one) => one !== told), told] };
  }
  return undefined;
}
