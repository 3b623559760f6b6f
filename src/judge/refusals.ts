/** What an API refuses of a request, learned once for each model and run: from the 400 to the shape it takes. */
import type { HttpReply } from "../network.ts";
import { messageInBody } from "./api-errors.ts";
import type { Shape } from "./wire.ts";

/** How a model is asked until it says otherwise; `limited` when a reply's tokens have to be. */
export function firstShape(
  api: Shape["api"],
  { effort, limited }: { readonly effort: string | undefined; readonly limited: boolean },
): Shape {
  return {
    api,
    tools: true,
    system: "system",
    encrypted: true,
    changes: [],
    ...(limited ? { limit: "max_completion_tokens" as const } : {}),
    ...(effort === undefined ? {} : { effort }),
  };
}

interface Lesson {
  /** Looked for in the error's code, parameter and message, in lower case. */
  readonly when: RegExp;
  /** `wanted` is the effort that was asked for, whatever the shape has of it. */
  readonly learn: (
    shape: Shape,
    said: string,
    wanted?: string,
  ) => Partial<Record<keyof Shape, unknown>> | undefined;
  readonly change: string;
}

/** Characters of a message that are looked at: some servers quote the request, and so what an agent wrote, after them. */
const LOOKED_AT = 600;

/** Refusals of what a request says, not of how: another shape would say the same. */
const OF_CONTENT =
  /context.?(?:length|window|limit)|too long|too many (?:input )?tokens|reduce the length|could not finish the message|flagged|polic(?:y|ies)|content.?(?:filter|management)|moderation|safety|schema|function_declarations|tools(?:\[|\.)\d|tool_call_id|role\W{1,3}tool\b|credit|billing|quota/;
/** The limit itself is more than the model can take. */
const LIMIT_TOO_LARGE = /max_(?:completion_|output_)?tokens\W[^.]{0,30}(?:too (?:large|high|big)|>|exceed)/;

const NONE = "`reasoning_effort` is `none`, since this model takes tools only so";
const UNKNOWN = "(?:unknown|unrecognized|unsupported|unexpected|extra|invalid)";
const NOT =
  "(?:is|are) (?:not (?:supported|enabled|available|allowed|permitted|implemented)|unsupported)|(?:is|are)n't supported|: extra inputs";
const LACKS = "(?:(?:does|do) not|doesn't|don't|cannot) support";
const TOOLS = "(?:tools?|tool[ _-](?:use|calling|calls?)|function[ _-]call(?:s|ing)?|functions)";

/**
 * In the order they are tried: what names another API first, then single parameters, tools last, since giving those up
 * changes how verdicts are told. A lesson that changes nothing more is passed over.
 */
const LESSONS: readonly Lesson[] = [
  {
    // "To use function tools, use /v1/responses or set reasoning_effort to 'none'": the second keeps the API.
    when: /set \W?reasoning.?effort\W{1,3}to \W?none\b/,
    learn: ({ effort, api }) => (effort === "none" || api === "responses" ? undefined : { effort: "none" }),
    change: NONE,
  },
  {
    when: /v1\/responses|responses api|responses endpoint|not (?:a chat model|supported in the v1\/chat\/completions|accessible via the \/?(?:v1\/)?chat\/completions)|chatcompletions? operation does not work/,
    learn: toResponses,
    change: "asked through the Responses API, the only one it has",
  },
  {
    // It takes tools only with `none`, and `none` not at all.
    when: /\bnone\b/,
    learn: (shape, _said, wanted) =>
      shape.changes.includes(NONE) ? toResponses(shape, "", wanted) : undefined,
    change: "asked through the Responses API, the only one it has",
  },
  {
    when: /encrypted.?content|\binclude\b/,
    learn: ({ api, encrypted }) => (api === "responses" && encrypted ? { encrypted: false } : undefined),
    change: "its reasoning was not asked for, nor sent back",
  },
  {
    when: new RegExp(
      `reasoning[_.\\s]?effort|reasoning value|${UNKNOWN}[^.]{0,40}\\W'?reasoning\\b|${LACKS} (?:thinking|reasoning)|thinking[ _](?:level|budget|config|mode)|thinking (?:is|are) not (?:enabled|supported)|the effort parameter|(?:value|level):? \\W(?:minimal|low|medium|high|xhigh|max|none)\\W{1,2}(?:is )?not supported`,
    ),
    learn: ({ effort }) => (effort === undefined ? undefined : { effort: undefined }),
    change: "`reasoning_effort` was left out",
  },
  {
    when: /max_completion_tokens|max_output_tokens|max_tokens/,
    learn: ({ limit, api }, said) => {
      if (limit === undefined) return undefined;
      const other = limit === "max_completion_tokens" && api === "chat" && !LIMIT_TOO_LARGE.test(said);
      return { limit: other ? "max_tokens" : undefined };
    },
    change: "the limit of a reply's tokens was renamed or left out",
  },
  {
    when: new RegExp(
      `(?:system|developer)\\W{0,3} ?(?:role|message|instruction|prompt)s?[^.]{0,30}(?:${NOT}|not supported|unsupported)|${LACKS}[^.]{0,30}\\W(?:system|developer)\\b|${UNKNOWN} role|roles must alternate|should alternate|only user and assistant|valid role: user`,
    ),
    learn: ({ system }, said) => {
      if (system === "user") return undefined;
      return system === "system" && /use\W+developer/.test(said)
        ? { system: "developer" }
        : { system: "user" };
    },
    change: "the system message has another role",
  },
  {
    when: new RegExp(
      `\\b${TOOLS}\\W{0,2} ?(?:with function calling )?(?:${NOT})|${LACKS} (?:the )?(?:parameters?:? ?)?(?:[[{][^\\]}]*)?\\W{0,3}${TOOLS}\\b|${UNKNOWN}[^.]{0,40}(?:parameter|argument|field|name|property)[^.]{0,20}\\W(?:tools|functions)(?:\\W|$)|support tool use|enable-auto-tool-choice|tool-call-parser|tools param requires`,
    ),
    // What is said of several calls at once, or of strict ones, is not said of tools.
    learn: ({ tools }, said) =>
      tools && !/parallel[ _]tool|strict tool/.test(said) ? { tools: false } : undefined,
    change: "it takes no tools, so the verdict was asked for as JSON",
  },
];

/** There the effort is what was asked for again: only chat completions made it `none`. */
function toResponses({ api, changes }: Shape, _said: string, wanted?: string) {
  if (api === "responses") return undefined;
  return changes.includes(NONE)
    ? { api: "responses", effort: wanted, changes: changes.filter((change) => change !== NONE) }
    : { api: "responses" };
}

/**
 * The shape that a refusal asks for; undefined when it is none that another shape would mend. Only an HTTP error says
 * so, never what a reply holds (OpenAI's, and its look-alikes', error messages). `wanted` is the effort asked for.
 */
export function learn(shape: Shape, { status, body }: HttpReply, wanted?: string): Shape | undefined {
  // llama.cpp says so by a 500.
  const isRefusal = [400, 404, 405, 415, 422, 501].includes(status) || body.includes("requires --jinja");
  if (!isRefusal) return undefined;
  const said = messageInBody(body).slice(0, LOOKED_AT).toLowerCase();
  if (OF_CONTENT.test(said) && !LIMIT_TOO_LARGE.test(said)) return undefined;
  for (const { when, learn: change, change: name } of LESSONS) {
    if (!when.test(said)) continue;
    const changed = change(shape, said, wanted);
    if (!changed) continue;
    const better = { ...shape, ...changed } as Shape;
    const known = Object.entries(better).filter(([, value]) => value !== undefined);
    const changes = better.changes.includes(name) ? better.changes : [...better.changes, name];
    return { ...(Object.fromEntries(known) as unknown as Shape), changes };
  }
  return undefined;
}
