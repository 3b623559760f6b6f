/** What an API refuses of a request, learned once for each model and run: from the 400 to the shape it takes. */
import type { HttpReply } from "./http.ts";
import { messageInBody } from "./api-errors.ts";
import type { Shape } from "./wire.ts";

/** How a model is asked until it says otherwise. */
export function firstShape(api: Shape["api"], effort: string | undefined): Shape {
  return {
    api,
    tools: true,
    system: "system",
    limit: "max_completion_tokens",
    changes: [],
    ...(effort === undefined ? {} : { effort }),
  };
}

interface Lesson {
  /** Looked for in the error's message and code, in lower case. */
  readonly when: RegExp;
  readonly learn: (shape: Shape, said: string) => Partial<Record<keyof Shape, unknown>> | undefined;
  readonly change: string;
}

const REFUSED =
  "(?:unsupported|not supported|unknown|unrecognized|unexpected|not permitted|not allowed|invalid|does not support|doesn't support|cannot be used|extra inputs)";

/**
 * In the order they are tried: what names another API first, then single parameters, tools last, since giving those up
 * changes how verdicts are told. A lesson that changes nothing more is passed over.
 */
const LESSONS: readonly Lesson[] = [
  {
    // "To use function tools, use /v1/responses or set reasoning_effort to 'none'": the second keeps the API.
    when: /reasoning.?effort[^.]*\bnone\b|\bnone\b[^.]*reasoning.?effort/,
    learn: ({ effort }) => (effort === "none" ? undefined : { effort: "none" }),
    change: "`reasoning_effort` is `none`, since this model takes tools only so",
  },
  {
    when: /v1\/responses|responses api|responses endpoint|not (?:a chat model|supported in the v1\/chat\/completions)/,
    learn: ({ api }) => (api === "responses" ? undefined : { api: "responses" }),
    change: "asked through the Responses API, the only one it has",
  },
  {
    when: new RegExp(`reasoning[_.]?\\s?effort|reasoning.*${REFUSED}|${REFUSED}.*\\breasoning\\b`),
    learn: ({ effort }) => (effort === undefined ? undefined : { effort: undefined }),
    change: "`reasoning_effort` was left out",
  },
  {
    when: /max_completion_tokens|max_output_tokens|max_tokens/,
    learn: ({ limit }, said) => {
      if (limit === undefined) return undefined;
      // "Use 'max_completion_tokens' instead" names both: whichever we sent is the refused one.
      if (limit === "max_completion_tokens") return { limit: "max_tokens" };
      return said.includes("instead") ? { limit: "max_completion_tokens" } : { limit: undefined };
    },
    change: "the limit of a reply's tokens was renamed or left out",
  },
  {
    when: new RegExp(
      `(?:system|developer)[^.]{0,40}(?:role|message|instruction)[^.]{0,60}${REFUSED}|${REFUSED}[^.]{0,60}(?:system|developer)|role[^.]{0,60}must (?:be|alternate)|roles must alternate|only user and assistant|instruction is not enabled|system role`,
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
      `(?:\\btools?\\b|tool[_ ](?:use|calling|calls|choice)|function[_ ]call(?:s|ing)?|functions)[^.]{0,80}${REFUSED}|${REFUSED}[^.]{0,80}(?:\\btools?\\b|tool[_ ]use|function[_ ]call|functions)|support tool use`,
    ),
    learn: ({ tools }) => (tools ? { tools: false } : undefined),
    change: "it takes no tools, so the verdict was asked for as JSON",
  },
];

/**
 * The shape that a refusal asks for; undefined when it is none that another shape would mend. Only an HTTP error says
 * so, never what a reply holds (OpenAI's, and its look-alikes', error messages).
 */
export function learn(shape: Shape, { status, body }: HttpReply): Shape | undefined {
  if (![400, 404, 405, 415, 422, 501].includes(status)) return undefined;
  const said = messageInBody(body).toLowerCase();
  for (const { when, learn: change, change: name } of LESSONS) {
    if (!when.test(said)) continue;
    const changed = change(shape, said);
    if (!changed) continue;
    const merged = Object.entries({ ...shape, ...changed }).filter(([, value]) => value !== undefined);
    const changes = shape.changes.includes(name) ? shape.changes : [...shape.changes, name];
    return { ...(Object.fromEntries(merged) as unknown as Shape), changes };
  }
  return undefined;
}
