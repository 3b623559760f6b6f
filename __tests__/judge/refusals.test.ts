import { describe, expect, test } from "@jest/globals";
import { APIError } from "openai";
import type { HttpError } from "../../src/judge/api/client.ts";
import { httpError, isRefusal } from "../../src/judge/api/errors.ts";
import { defaultProfile, fallbackProfiles } from "../../src/judge/api/request-profile.ts";
import { OPENAI } from "../../src/judge/api/wire.ts";
import type { ErrorClass } from "../../src/domain/grade.ts";
import { budget } from "../../src/judge/spend.ts";
import { scoreChecks } from "../../src/judge/grade-tools.ts";
import type { JudgeRequest } from "../../src/judge/judge.ts";
import { fail, finish, pass, together, type Asked, type Reply } from "../support/judge-server.ts";
import { jsonForm, systemMessage } from "../../src/judge/message.ts";
import {
  ask,
  NO_RETRY,
  closeServers,
  errorOf,
  judgeAt,
  outcomes,
  request,
  serve,
  RETRY_NOW,
} from "./judging.ts";

closeServers();

/** An error in the shape of a provider. */
const openai = (message: string, more: object = {}) => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...more },
});
const vllm = (message: string) => ({
  object: "error",
  message,
  type: "BadRequestError",
  param: null,
  code: 400,
});
const google = (message: string) => [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }];
const openrouter = (raw: string) => ({
  error: { message: "Provider returned error", code: 400, metadata: { raw, provider_name: "OpenAI" } },
});

const refused = (status: number, body: unknown): Reply => ({
  status,
  raw: JSON.stringify(body),
  headers: NO_RETRY,
});

/** A judge that reports a pass and a failure: in calls, or in JSON where it was sent no tools. */
const verdict = ({ request: { tools }, responses, turn }: Asked): Reply => {
  if (tools === undefined && responses?.tools === undefined)
    return { text: '{"checks": [{"outcome": "pass", "description": "a"}, {"outcome": "fail"}]}' };
  return turn === 1 ? { calls: [pass("a"), fail()] } : {};
};

interface Case {
  readonly name: string;
  /** What the model does not take. */
  readonly refuses: (asked: Asked) => boolean;
  readonly status?: number;
  readonly body: unknown;
  readonly change: RegExp;
  readonly ask?: Partial<JudgeRequest>;
  /** True when replies are limited, so that a limit is sent. */
  readonly limited?: true;
  /** Requests of the first grade that were refused; 1 without it. */
  readonly lessons?: number;
}

const takesTools = ({ request: { tools }, responses }: Asked) =>
  tools !== undefined || responses?.tools !== undefined;
const isChat = ({ responses }: Asked) => responses === undefined;
const hasEffort = ({ request: { reasoning_effort: chat }, responses }: Asked) =>
  (chat ?? responses?.reasoning?.effort ?? undefined) !== undefined;
const hasSystem = ({ request: { messages } }: Asked) => messages.some(({ role }) => role === "system");
const repeatsRole = ({ request: { messages } }: Asked) =>
  hasSystem({ request: { messages } } as Asked) ||
  messages.some(({ role }, i) => role === "user" && messages[i - 1]?.role === "user");
const hasLimit = ({ request: { max_completion_tokens: most, max_tokens: other } }: Asked) =>
  (most ?? other) !== undefined;
const low = { effort: "low" };
const EFFORT = /reasoning_effort.*left out/;
const NO_TOOLS = /accepts no tools.*JSON/;
const ROLE = /system message was sent with another role/;
const LIMIT = /field for the token limit/;
const RESPONSES = /Responses API/;

const CASES: Case[] = [
  // reasoning_effort
  {
    name: "OpenAI: unknown argument",
    refuses: hasEffort,
    body: openai("Unrecognized request argument supplied: reasoning_effort"),
    change: EFFORT,
    ask: low,
  },
  {
    name: "OpenAI: unsupported parameter",
    refuses: hasEffort,
    body: openai("Unsupported parameter: 'reasoning_effort' is not supported with this model.", {
      param: "reasoning_effort",
      code: "unsupported_parameter",
    }),
    change: EFFORT,
    ask: low,
  },
  {
    name: "OpenAI: a value of it",
    refuses: hasEffort,
    body: openai(
      "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model. Supported values are: 'none', 'low', 'medium', and 'high'.",
      { param: "reasoning_effort", code: "unsupported_value" },
    ),
    change: EFFORT,
    ask: { effort: "xhigh" },
  },
  {
    name: "OpenAI: a value, the parameter only beside the message",
    refuses: hasEffort,
    body: openai(
      "Unsupported value: 'xhigh' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
      { param: "reasoning.effort", code: "unsupported_value" },
    ),
    change: EFFORT,
    ask: { effort: "xhigh" },
  },
  {
    name: "Copilot: a value, the parameter nowhere",
    refuses: hasEffort,
    body: {
      error: {
        message:
          "Unsupported value: 'xhigh' is not supported with the 'gpt-5-mini' model. Supported values are: 'minimal', 'low', 'medium', and 'high'.",
        code: "invalid_request_body",
      },
    },
    change: EFFORT,
    ask: { effort: "xhigh" },
  },
  {
    name: "a gateway: a level",
    refuses: hasEffort,
    body: openai('level "xhigh" not supported, valid levels: low, medium, high'),
    change: EFFORT,
    ask: { effort: "xhigh" },
  },
  {
    name: "Azure",
    refuses: hasEffort,
    body: openai("Unrecognized request argument supplied: reasoning_effort"),
    change: EFFORT,
    ask: low,
  },
  {
    name: "Anthropic",
    refuses: hasEffort,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "reasoning_effort: Extra inputs are not permitted" },
    },
    change: EFFORT,
    ask: low,
  },
  {
    name: "Google: unknown name",
    refuses: hasEffort,
    body: google('Invalid JSON payload received. Unknown name "reasoning_effort": Cannot find field.'),
    change: EFFORT,
    ask: low,
  },
  {
    name: "Google: thinking level",
    refuses: hasEffort,
    body: google("Thinking level is not supported for this model."),
    change: EFFORT,
    ask: low,
  },
  {
    name: "OpenRouter, what the provider said in its metadata",
    refuses: hasEffort,
    body: openrouter(
      '{"error": {"message": "Unsupported parameter: \'reasoning_effort\' is not supported with this model."}}',
    ),
    change: EFFORT,
    ask: low,
  },
  {
    name: "vLLM",
    refuses: hasEffort,
    body: vllm(
      "[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\"}]",
    ),
    change: EFFORT,
    ask: { effort: "xhigh" },
  },
  {
    name: "Ollama: no thinking",
    refuses: hasEffort,
    body: openai('"gemma3:4b" does not support thinking', { type: "api_error" }),
    change: EFFORT,
    ask: low,
  },
  {
    name: "Ollama: a value",
    refuses: hasEffort,
    body: openai('invalid reasoning value: \'xhigh\' (must be "high", "medium", "low", or "none")'),
    change: EFFORT,
    ask: { effort: "xhigh" },
  },
  {
    name: "LiteLLM",
    refuses: hasEffort,
    body: openai(
      "litellm.UnsupportedParamsError: openai does not support parameters: ['reasoning_effort'], for model=gpt-4o. To drop these, set `litellm.drop_params=True`",
    ),
    change: EFFORT,
    ask: low,
  },
  {
    name: "xAI",
    refuses: hasEffort,
    body: {
      code: "Client specified an invalid argument",
      error: "Argument not supported on this model: reasoningEffort",
    },
    change: EFFORT,
    ask: low,
  },
  {
    name: "OpenAI: tools only with effort none, behind a gateway without the Responses API",
    lessons: 2,
    refuses: ({ request: { reasoning_effort: effort } }) => effort !== "none",
    body: openai(
      "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      { param: "reasoning_effort" },
    ),
    change: /reasoning_effort.*`none`/,
  },
  {
    name: "OpenAI: tools only in the Responses API, as it was said before",
    refuses: isChat,
    body: openai(
      "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.",
      { param: "reasoning_effort" },
    ),
    change: RESPONSES,
    ask: low,
  },
  // Another API
  {
    name: "OpenAI: Responses only",
    status: 404,
    refuses: isChat,
    body: openai("This model is only supported in v1/responses and not in v1/chat/completions.", {
      param: "model",
    }),
    change: RESPONSES,
  },
  {
    name: "OpenAI: no chat model",
    status: 404,
    refuses: isChat,
    body: openai(
      "This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?",
      { param: "model" },
    ),
    change: RESPONSES,
  },
  {
    name: "OpenAI: `include` in the Responses API",
    refuses: ({ responses }) => responses === undefined || responses.include !== undefined,
    body: openai(
      "Encrypted content is not supported with this model. This model is only supported in v1/responses.",
      { param: "include" },
    ),
    change: /encrypted reasoning was not requested/,
    lessons: 2,
  },
  // The limit of a reply
  {
    name: "an old model, max_tokens only",
    limited: true,
    refuses: ({ request: { max_completion_tokens: most } }) => most !== undefined,
    body: openai("Unrecognized request argument supplied: max_completion_tokens"),
    change: LIMIT,
  },
  {
    name: "Azure, an old version of the API",
    limited: true,
    refuses: ({ request: { max_completion_tokens: most } }) => most !== undefined,
    body: openai(
      "Unsupported parameter: 'max_completion_tokens' is not supported with this model. Use 'max_tokens' instead.",
      { code: "unsupported_parameter" },
    ),
    change: LIMIT,
  },
  {
    name: "one that takes neither",
    limited: true,
    lessons: 2,
    refuses: hasLimit,
    body: openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    change: LIMIT,
  },
  {
    name: "OpenAI: too large",
    limited: true,
    lessons: 2,
    refuses: hasLimit,
    body: openai(
      "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.",
      { param: "max_tokens" },
    ),
    change: LIMIT,
  },
  {
    name: "Anthropic: too large",
    limited: true,
    lessons: 2,
    refuses: hasLimit,
    body: openai(
      "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for claude-3-opus-20240229",
    ),
    change: LIMIT,
  },
  {
    name: "vLLM: too large for what is left",
    limited: true,
    refuses: hasLimit,
    body: vllm(
      "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 400 input tokens (8192 > 8192 - 400). (parameter=max_tokens, value=8192)",
    ),
    change: LIMIT,
  },
  {
    name: "Bedrock: too large",
    limited: true,
    refuses: hasLimit,
    body: {
      message:
        "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
    },
    change: LIMIT,
  },
  {
    name: "Groq: too large",
    limited: true,
    refuses: hasLimit,
    body: openai(
      "`max_completion_tokens` must be less than or equal to `4096`, the maximum value for `max_completion_tokens` is less than the `context_window` for this model",
      { param: "max_completion_tokens" },
    ),
    change: LIMIT,
  },
  {
    name: "an old vLLM: together with the text too large",
    limited: true,
    refuses: hasLimit,
    body: vllm(
      "This model's maximum context length is 6048 tokens. However, you requested 8760 tokens (568 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    ),
    change: LIMIT,
  },
  {
    name: "TGI and Together: together with the text too large",
    limited: true,
    status: 422,
    refuses: hasLimit,
    body: {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 568 `inputs` tokens and 8192 `max_new_tokens`",
      error_type: "validation",
    },
    change: LIMIT,
  },
  {
    name: "Mistral: another name, and too large",
    limited: true,
    lessons: 2,
    status: 422,
    refuses: hasLimit,
    body: {
      object: "error",
      message: {
        detail: [
          {
            type: "less_than_equal",
            loc: ["body", "max_tokens"],
            msg: "Input should be less than or equal to 4096",
          },
        ],
      },
      type: "invalid_request_error",
    },
    change: LIMIT,
  },
  {
    name: "the Responses API elsewhere",
    limited: true,
    lessons: 2,
    refuses: ({ responses }) => responses === undefined || typeof responses.max_output_tokens === "number",
    body: openai("Unsupported parameter: max_output_tokens (v1/responses)"),
    change: LIMIT,
  },
  // The system message
  {
    name: "OpenAI o1-mini",
    refuses: hasSystem,
    body: openai("Unsupported value: 'messages[0].role' does not support 'system' with this model.", {
      param: "messages[0].role",
      code: "unsupported_value",
    }),
    change: ROLE,
  },
  {
    name: "vLLM, Gemma's template",
    refuses: repeatsRole,
    body: vllm("System role not supported"),
    change: ROLE,
  },
  {
    name: "vLLM: roles must alternate",
    refuses: repeatsRole,
    body: vllm(
      "Conversation roles must alternate user/assistant/user/assistant/... Conversation roles must alternate user/assistant/user/assistant/...",
    ),
    change: ROLE,
  },
  {
    name: "vLLM, Mistral's template, for two user messages",
    refuses: repeatsRole,
    body: vllm(
      "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
    ),
    change: ROLE,
  },
  {
    name: "Mistral's template, elsewhere",
    refuses: hasSystem,
    body: openai("Only user and assistant roles are supported!"),
    change: ROLE,
  },
  {
    name: "Google, Gemma",
    refuses: hasSystem,
    body: google("Developer instruction is not enabled for models/gemma-3-27b-it"),
    change: ROLE,
  },
  {
    name: "Perplexity",
    refuses: repeatsRole,
    body: openai(
      "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).",
    ),
    change: ROLE,
  },
  {
    name: "LiteLLM about Google",
    refuses: hasSystem,
    body: openai(
      'litellm.BadRequestError: VertexAIException BadRequestError - {"error": {"code": 400, "message": "Please use a valid role: user, model."}}',
    ),
    change: ROLE,
  },
  // Tools
  {
    name: "Ollama",
    refuses: takesTools,
    body: openai("registry.ollama.ai/library/gemma:2b does not support tools", { type: "api_error" }),
    change: NO_TOOLS,
  },
  {
    name: "OpenRouter",
    status: 404,
    refuses: takesTools,
    body: {
      error: {
        message:
          "No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing",
        code: 404,
      },
    },
    change: NO_TOOLS,
  },
  {
    name: "vLLM",
    refuses: takesTools,
    body: vllm('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    change: NO_TOOLS,
  },
  {
    name: "Google",
    refuses: takesTools,
    body: google("Function calling is not enabled for models/gemma-3-12b-it"),
    change: NO_TOOLS,
  },
  {
    name: "Google, Vertex",
    refuses: takesTools,
    body: google("Tool use with function calling is unsupported"),
    change: NO_TOOLS,
  },
  {
    name: "LiteLLM, a list",
    refuses: takesTools,
    body: openai(
      "litellm.UnsupportedParamsError: together_ai does not support parameters: ['tools'], for model=meta-llama/Llama-3.3-70B. To drop these, set `litellm.drop_params=True`",
    ),
    change: NO_TOOLS,
  },
  {
    name: "LiteLLM, a mapping",
    refuses: takesTools,
    body: openai(
      "litellm.UnsupportedParamsError: together_ai does not support parameters: {'tools': [{'type': 'function', 'function': {'name': 'x', 'parameters': {}}}]}, for model=x.",
    ),
    change: NO_TOOLS,
  },
  {
    name: "OpenAI",
    refuses: takesTools,
    body: openai("Unsupported parameter: 'tools' is not supported with this model.", {
      param: "tools",
      code: "unsupported_parameter",
    }),
    change: NO_TOOLS,
  },
  {
    name: "OpenAI, an old model",
    refuses: takesTools,
    body: openai("Unrecognized request argument supplied: tools"),
    change: NO_TOOLS,
  },
  {
    name: "Bedrock",
    refuses: takesTools,
    body: openai("This model doesn't support tool use."),
    change: NO_TOOLS,
  },
  {
    name: "Groq",
    refuses: takesTools,
    body: openai("`tool calling` is not supported with this model"),
    change: NO_TOOLS,
  },
  {
    name: "a server of pydantic",
    status: 422,
    refuses: takesTools,
    body: { message: "tools: Extra inputs are not permitted" },
    change: NO_TOOLS,
  },
];

const SYSTEM = { role: "system", content: "You are a judge." } as const;

describe("a refusal that is understood", () => {
  test.each(CASES)(
    "is learned once for the model and all its grades, and named: $change, from $name",
    async (one) => {
      const { refuses, status = 400, body, change, limited, lessons = 1 } = one;
      const server = await serve((asked) => (refuses(asked) ? refused(status, body) : verdict(asked)));
      const judge = judgeAt(server, limited ? { budget: budget({ cost: 1e9 }) } : {});
      for (const grade of [1, 2, 3]) {
        const before = server.asked.length;
        const answer = await ask(judge, one.ask);
        expect(outcomes(answer)).toBe("pass fail");
        expect(answer.incomplete).toBeUndefined();
        expect(answer.changes.join("; ")).toMatch(change);
        const usual = change === NO_TOOLS ? 1 : 2;
        expect(server.asked.length - before).toBe(grade === 1 ? usual + lessons : usual);
      }
      const other = await ask(judge, { ...one.ask, model: "another" });
      expect(outcomes(other)).toBe("pass fail");
      expect(server.asked.filter(({ request: { model } }) => model === "another").length).toBeGreaterThan(1);
    },
  );

  test("by many grades at once is learned by all of them from one round", async () => {
    const server = await serve((asked) =>
      takesTools(asked)
        ? refused(400, openai("registry.ollama.ai/library/gemma:2b does not support tools"))
        : verdict(asked),
    );
    const judge = judgeAt(server);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(judge)));
    expect(answers.map(outcomes)).toEqual(answers.map(() => "pass fail"));
    expect(server.asked.length).toBeLessThanOrEqual(40);
  });

  test("is learned by the next grade where the first was refused for something of its own, too", async () => {
    const server = await serve((asked) => {
      if (hasSystem(asked)) return refused(400, vllm("System role not supported"));
      return asked.prompt.endsWith("odd")
        ? refused(400, vllm("Invalid character in the text"))
        : verdict(asked);
    });
    const judge = judgeAt(server);
    const asking = (prompt: string) => ask(judge, { messages: [SYSTEM, { role: "user", content: prompt }] });
    expect((await errorOf(asking("odd"))).message).toMatch(/Invalid character/);
    expect(outcomes(await asking("plain"))).toBe("pass fail");
    expect((await errorOf(asking("odd"))).message).toMatch(/Invalid character/);
    expect(server.asked).toHaveLength(2 + 3 + 1);
  });

  test("several times over leads to the shape that is taken, each change named", async () => {
    const server = await serve((asked) => {
      if (hasEffort(asked))
        return refused(
          400,
          openai("Unsupported parameter: 'reasoning_effort' is not supported with this model."),
        );
      if (hasSystem(asked)) return refused(400, vllm("System role not supported"));
      return takesTools(asked)
        ? refused(400, google("Function calling is not enabled for models/x"))
        : verdict(asked);
    });
    const answer = await ask(judgeAt(server), low);
    expect(outcomes(answer)).toBe("pass fail");
    expect(answer.changes).toHaveLength(3);
    expect(server.asked).toHaveLength(4);
    expect(server.asked.at(-1)?.request.messages).toHaveLength(1);
  });

  const ADVICE = [
    "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. Set reasoning_effort to 'none', or use /v1/responses.",
  ];

  test.each(ADVICE)(
    "of tools beside reasoning leads to the Responses API with the effort: %s",
    async (advice) => {
      const server = await serve((asked) =>
        asked.responses ? verdict(asked) : refused(400, openai(advice, { param: "reasoning_effort" })),
      );
      const judge = judgeAt(server);
      const answer = await ask(judge, { effort: "high" });
      expect([outcomes(answer), answer.sent]).toEqual(["pass fail", { api: "responses", effort: "high" }]);
      expect(server.asked).toHaveLength(3);
      // What one grade learned is known to the next, of another effort too.
      expect((await ask(judge, { effort: "low" })).sent).toEqual({ api: "responses", effort: "low" });
      expect((await ask(judge)).sent).toEqual({ api: "responses" });
      expect(server.asked).toHaveLength(7);
    },
  );

  test("of `none`, which an error advised, leads to the Responses API, and the effort is sent after all", async () => {
    const server = await serve((asked) => {
      if (asked.responses) return verdict(asked);
      const isNone = asked.request.reasoning_effort === "none";
      const text = isNone
        ? "Unsupported value: 'none'."
        : "Tools take no reasoning. Set reasoning_effort to 'none'.";
      return refused(400, openai(text));
    });
    const answer = await ask(judgeAt(server), { effort: "high" });
    expect([outcomes(answer), answer.sent]).toEqual(["pass fail", { api: "responses", effort: "high" }]);
    expect(answer.changes).toEqual([expect.stringMatching(RESPONSES)]);
  });

  test.each<[string, number, unknown]>([
    ["a wrong address", 404, openai("Invalid URL (POST /v1/responses)")],
    ["FastAPI", 404, { detail: "Not Found" }],
    ["a page", 404, "<html><h1>Not Found</h1></html>"],
    ["a method", 405, { detail: "Method Not Allowed" }],
    ["a gateway", 501, openai("The Responses API is not implemented for this provider.")],
    ["a router", 400, openai("m is only available on chat.")],
  ])(
    "of the Responses API too leads to the effort `none`, which is said: %s",
    async (_name, status, body) => {
      const server = await serve((asked) => {
        if (asked.responses) return refused(status, body);
        const isNone = asked.request.reasoning_effort === "none";
        return isNone ? verdict(asked) : refused(400, openai(ADVICE[0] ?? "", { param: "reasoning_effort" }));
      });
      const judge = judgeAt(server);
      const answer = await ask(judge, { effort: "high" });
      expect([outcomes(answer), answer.sent]).toEqual(["pass fail", { api: "chat", effort: "none" }]);
      expect(server.asked).toHaveLength(4);
      expect((await ask(judge, { effort: "low" })).sent).toEqual({ api: "chat", effort: "none" });
      expect(server.asked).toHaveLength(6);
    },
  );

  test.each<[string, boolean, ErrorClass | undefined]>([
    ["without tools the verdict is heard as JSON, with the effort", true, undefined],
    ["one that refuses that too gets each profile once", false, "bad-request"],
  ])("of the effort `none` and of the Responses API: %s", async (_name, takesJson, expected) => {
    // gpt-6.1-sol and gpt-6-astra behind a gateway without the Responses API.
    const server = await serve((asked) => {
      const { responses, request } = asked;
      if (responses) return refused(404, { detail: "Not Found" });
      if (takesJson && !takesTools(asked)) return verdict(asked);
      if (request.reasoning_effort !== "none") return refused(400, openai(ADVICE[0] ?? ""));
      const message =
        "Unsupported value: 'none' is not supported with the 'gpt-6.1-sol' model. Supported values are: 'low', 'medium', 'high', 'xhigh', and 'max'.";
      return refused(400, openai(message, { param: "reasoning_effort", code: "unsupported_value" }));
    });
    const judge = judgeAt(server);
    const asking = ask(judge, { effort: "high" });
    if (expected === undefined) {
      const { sent, withoutTools } = await asking;
      expect({ sent, withoutTools }).toEqual({ sent: { api: "chat" }, withoutTools: true });
    } else expect((await errorOf(asking)).class).toBe(expected);
    const sent = server.asked.map(({ request, responses }) => JSON.stringify(responses ?? request));
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent.length).toBeLessThanOrEqual(8);
  });

  test("of `max` leads to none", async () => {
    const only = (...levels: readonly (string | undefined)[]) =>
      serve((asked) =>
        levels.includes(asked.request.reasoning_effort ?? undefined)
          ? verdict(asked)
          : refused(400, openai("Unsupported value: 'reasoning_effort' does not support this level.")),
      );
    for (const [levels, effort] of [
      [["max"], "max"],
      [[undefined], undefined],
    ] as const)
      expect((await ask(judgeAt(await only(...levels)), { effort: "max" })).sent?.effort).toBe(effort);
  });

  describe("of the Responses API at OpenAI's own address", () => {
    // OpenAI's address cannot be served here: its first profile is, by the same function.
    const first = defaultProfile({ model: "m", endpoint: { baseUrl: OPENAI }, effort: "low" });

    test("begins with it", () => {
      expect(first).toMatchObject({ api: "responses", effort: "low" });
      const endpoint = { baseUrl: OPENAI, api: "chat" } as const;
      expect(defaultProfile({ model: "m", endpoint, effort: "low" }).api).toBe("chat");
      const elsewhere = { baseUrl: "https://eu.example.com/v1" };
      expect(defaultProfile({ model: "m", endpoint: elsewhere, effort: "low" }).api).toBe("chat");
    });

    test.each<[string, number, string]>([
      [
        "a model for chat alone",
        404,
        "This model is only supported in v1/chat/completions and not in v1/responses.",
      ],
      [
        "a restricted key",
        401,
        "You have insufficient permissions for this operation. Missing scopes: api.responses.write.",
      ],
      ["a proxy without it", 404, "Not Found"],
    ])("goes back to chat completions with the effort: %s", (_name, status, message) => {
      const error = APIError.generate(status, { error: { message } }, message, new Headers()) as HttpError;
      const endpoint = { baseUrl: OPENAI, apiKey: "k" };
      const judgeError = httpError(error, { model: "m", endpoint, redact: String });
      expect(isRefusal(judgeError)).toBe(true);
      const asked = { effort: "low", endpoint };
      expect(fallbackProfiles(first, judgeError, asked)).toMatchObject([{ api: "chat", effort: "low" }]);
      const byWorkflow = { ...asked, endpoint: { ...endpoint, api: "responses" as const } };
      expect(fallbackProfiles(first, judgeError, byWorkflow)).toEqual([]);
    });
  });

  test("of a limit that has worked is learned, too: some servers add it to a text that has grown", async () => {
    const server = await serve((asked) =>
      hasLimit(asked) && asked.turn === 2
        ? refused(400, vllm("This model's maximum context length is 9000 tokens, you requested 9001 tokens."))
        : verdict(asked),
    );
    const judge = judgeAt(server, { budget: budget({ cost: 1e9 }) });
    const answer = await ask(judge);
    expect([outcomes(answer), answer.changes]).toEqual(["pass fail", [expect.stringMatching(LIMIT)]]);
    expect(server.asked.map(hasLimit)).toEqual([true, true, false]);
  });

  test("in a conversation that has begun changes neither its API nor its protocol: what was reported counts once", async () => {
    const server = await serve(({ turn }) =>
      turn === 1
        ? { calls: [pass("a"), fail("b")] }
        : refused(404, { error: { message: "No endpoints found that support tool use." } }),
    );
    const answer = await ask(judgeAt(server));
    expect(outcomes(answer)).toBe("pass fail");
    expect(answer.incomplete?.class).toBe("not-found");
    expect(server.asked).toHaveLength(2);
  });

  test("is no lesson once the same request has worked: the next attempt may go well", async () => {
    let asked = 0;
    const server = await serve(() => {
      asked += 1;
      return asked === 2 ? refused(400, openai("m does not support tools")) : { calls: [pass("a"), finish] };
    });
    const judge = judgeAt(server);
    await ask(judge);
    expect((await errorOf(ask(judge))).class).toBe("bad-request");
    expect(outcomes(await ask(judge))).toBe("pass");
    expect(server.asked.every(takesTools)).toBe(true);
  });

  test.each<[string, number, object]>([
    [
      "Groq",
      400,
      openai("Failed to call a function. Please adjust your prompt.", { code: "tool_use_failed" }),
    ],
    [
      "llama.cpp",
      500,
      openai("The model produced output that does not match the expected peg-native format"),
    ],
    ["llama.cpp, older", 500, openai("Failed to parse input at pos 12: <tool_call>")],
    ["Ollama", 500, openai("error parsing tool call: raw='{', err=unexpected end of JSON input")],
    ["Groq, output", 400, openai("Parsing failed.", { code: "output_parse_failed" })],
  ])(
    "of a call that the model could not write is asked for again, with tools (%s)",
    async (_name, status, failed) => {
      let asked = 0;
      const server = await serve(() => {
        asked += 1;
        return asked === 1
          ? { status, raw: JSON.stringify(failed), headers: RETRY_NOW }
          : { calls: [pass("a"), finish] };
      });
      expect(outcomes(await ask(judgeAt(server)))).toBe("pass");
      expect(server.asked.every(takesTools)).toBe(true);
    },
  );
});

test("a text that is too long stays so where replies are limited, after one more request", async () => {
  const server = await serve(() =>
    refused(400, openai("prompt is too long: 210000 tokens > 200000 maximum")),
  );
  const judge = judgeAt(server, { budget: budget({ cost: 1e9 }) });
  expect((await errorOf(ask(judge))).class).toBe("too-long");
  expect(server.asked.map(hasLimit)).toEqual([true, false]);
});

describe("what is not learned", () => {
  test.each<[string, number, unknown]>([
    [
      "a context that is too long (OpenAI)",
      400,
      openai(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens (129500 in the messages, 500 in the functions). Please reduce the length of the messages or functions.",
        { code: "context_length_exceeded", param: "messages" },
      ),
    ],
    [
      "a context that is too long (vLLM)",
      400,
      vllm(
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      ),
    ],
    [
      "a context that is too long (Anthropic)",
      400,
      openai("prompt is too long: 210000 tokens > 200000 maximum"),
    ],
    [
      "a context that is too long (Google)",
      400,
      google("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    ],
    [
      "a content policy (OpenAI, reasoning models)",
      400,
      openai(
        "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt: https://platform.openai.com/docs/guides/reasoning#advice-on-prompting",
        { code: "invalid_prompt" },
      ),
    ],
    [
      "a content filter (Azure)",
      400,
      openai(
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        { code: "content_filter", param: "prompt" },
      ),
    ],
    [
      "a data policy (OpenRouter)",
      404,
      {
        error: {
          message:
            "No endpoints found matching your data policy. Configure: https://openrouter.ai/settings/privacy",
          code: 404,
        },
      },
    ],
    [
      "a tool's schema (OpenAI)",
      400,
      openai(
        "Invalid schema for function 'set_waza_grade_pass': In context=(), 'required' is required to be supplied.",
        { param: "tools[0].function.parameters", code: "invalid_function_parameters" },
      ),
    ],
    [
      "a tool's schema (Anthropic)",
      400,
      openai("tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12"),
    ],
    [
      "a tool's schema (Google)",
      400,
      google(
        "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field.",
      ),
    ],
    [
      "a tool's name",
      400,
      openai("Invalid 'tools[0].function.name': string does not match pattern.", {
        param: "tools[0].function.name",
      }),
    ],
    [
      "an order of messages",
      400,
      openai(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      ),
    ],
    [
      "a call without an answer",
      400,
      openai(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      ),
    ],
    [
      "an unknown model (OpenAI)",
      404,
      openai("The model `gpt-reasoning-tools` does not exist or you do not have access to it.", {
        code: "model_not_found",
      }),
    ],
    ["an unknown model (Ollama)", 404, openai('model "tools:7b" not found, try pulling it first')],
    ["an unknown model (OpenRouter)", 400, openai("system/tools is not a valid model ID")],
    [
      "an account without credit",
      400,
      openai(
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
      ),
    ],
    [
      "an answer that could not be finished",
      400,
      openai(
        "Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.",
      ),
    ],
    ["an unexplained argument (Google)", 400, google("Request contains an invalid argument.")],
    ["unreadable JSON", 400, openai("We could not parse the JSON body of your request. (system error)")],
    ["a wrong address", 404, openai("Invalid URL (POST /v1/chat/completions)")],
    ["a page", 404, "404 page not found"],
    ["a refused key", 401, openai("tools are not supported with this key")],
    ["a forbidden one", 403, openai("m does not support tools")],
    ["too many requests", 429, openai("m does not support tools")],
    ["a server's fault", 500, openai("m does not support tools")],
    [
      "an agent's words far behind in a quoted request",
      400,
      vllm(`body: something odd: ${"x".repeat(700)} m does not support tools; reasoning_effort`),
    ],
  ])("is %s", async (_name, status, body) => {
    const server = await serve(() => refused(status, body));
    const judge = judgeAt(server);
    await errorOf(ask(judge, { effort: "high" }));
    const before = server.asked.length;
    await errorOf(ask(judge, { effort: "high" }));
    // What led nowhere for one grade may have been its own, and each tries a few shapes at most.
    expect(server.asked.length - before).toBeLessThanOrEqual(before);
    expect(before).toBeLessThanOrEqual(3);
    expect(server.asked.every(({ responses }) => !responses || status === 404)).toBe(true);
  });

  test.each<[string, Reply]>([
    [
      "prose",
      { text: "m does not support tools. Unsupported parameter: 'tools' is not supported with this model." },
    ],
  ])("is anything a 200 says: %s", async (_name, reply) => {
    const server = await serve(() => reply);
    const answer = await ask(judgeAt(server));
    expect(answer.checks).toEqual([]);
    expect(answer.changes).toEqual([]);
    expect(scoreChecks(answer.checks)).toEqual({ score: 0, passed: false });
    expect(server.asked).toHaveLength(2);
    expect(server.asked.every(takesTools)).toBe(true);
  });
});

describe("the first requests of a run, refused at the same time", () => {
  test("wait for what the first of them learns", async () => {
    const hasLimit = ({ request }: Asked) => request.max_completion_tokens !== undefined;
    const first = together(10, (asked) => refusal(asked));
    const refusal = (asked: Asked): Reply => {
      if (takesTools(asked)) return { status: 400, raw: JSON.stringify(openai("tools are not supported")) };
      if (hasEffort(asked))
        return { status: 400, raw: JSON.stringify(openai("no reasoning_effort, please")) };
      if (hasLimit(asked))
        return { status: 400, raw: JSON.stringify(openai("max_completion_tokens, please not")) };
      return verdict(asked);
    };
    const server = await serve(first);
    const judge = judgeAt(server, { budget: budget({ cost: 100 }) });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(judge, low)));
    expect(answers.map(outcomes)).toEqual(Array.from({ length: 10 }, () => "pass fail"));
    // Ten that are refused, two further lessons of one of them, and an answer for each.
    expect(server.asked).toHaveLength(10 + 2 + 10);
  });
});

describe("an error that a 200 holds", () => {
  const within = (error: object, more: object = {}) => ({ raw: JSON.stringify({ error, ...more }) });

  test.each<[string, Reply, ErrorClass, number]>([
    [
      "a limit, as OpenRouter has it",
      within({ code: 429, message: "Provider returned error" }),
      "rate-limit",
      1,
    ],
    ["a limit, by its word", within({ code: "rate_limit_exceeded", message: "Too many" }), "rate-limit", 1],
    ["money", within({ code: 402, message: "This request requires more credits" }), "quota", 1],
    ["in a choice", within({}, { choices: [{ error: { code: 403, message: "No" } }] }), "forbidden", 1],
    ["a code of its own", within({ code: "E17", message: "No" }), "server", 1],
  ])("is one of its own status: %s", async (_name, reply, errorClass, requests) => {
    const server = await serve(() => ({ ...reply, headers: NO_RETRY }));
    const error = await errorOf(ask(judgeAt(server)));
    expect(error.class).toBe(errorClass);
    expect(server.asked).toHaveLength(requests);
  });

  test("teaches what a refusal teaches", async () => {
    const refusal = within({ message: "m does not support tools", code: 400 });
    const server = await serve((asked) => (takesTools(asked) ? refusal : verdict(asked)));
    const answer = await ask(judgeAt(server));
    expect(outcomes(answer)).toBe("pass fail");
    expect(answer.changes.join()).toMatch(NO_TOOLS);
  });
});

describe("a verdict as JSON, where tools are refused", () => {
  const inJson = async (...texts: (string | Reply)[]) => {
    const server = await serve((asked) => {
      if (takesTools(asked)) return refused(400, openai("m does not support tools"));
      const one = texts[Math.min(asked.turn, texts.length) - 1] ?? "";
      return typeof one === "string" ? { text: one } : one;
    });
    return { server, judge: judgeAt(server) };
  };
  const ONE = '{"checks": [{"outcome": "pass", "description": "d", "reason": "r"}, {"outcome": "fail"}]}';

  test.each([
    ["alone", ONE],
    ["with keys in capitals, and further ones", ONE.replace('"checks"', '"outcome": "fail", "Checks"')],
    ["in a fence on one line", `\`\`\`json ${ONE} \`\`\``],
    ["in a fence", `\`\`\`json\n${ONE}\n\`\`\``],
    ["after what was thought aloud", `<think>{"checks": []}</think>\n${ONE}`],
    ["after thoughts in any tag", `<reasoning>{"checks": []} is not it</reasoning>\n${ONE}`],
    ["after thoughts in a channel", `<|channel|>analysis<|message|>It has {a}<|end|>${ONE}`],
    [
      "after thoughts in a channel, in the next one",
      `<|channel|>analysis<|message|>{a}<|end|><|start|>assistant<|channel|>final<|message|>${ONE}`,
    ],
    ["after thoughts that end in a mark", `<|begin_of_thought|>{a}<|end_of_thought|>${ONE}`],
    ["after the end of thoughts that nothing opens", `It is short.\n</think>\n${ONE}`],
    ["as an answer", `<think>{a}</think><answer>${ONE}</answer>`],
    ["as an answer after thoughts in brackets", `[THINK]{a}[/THINK]<answer>${ONE}`],
    ["as its list alone", ONE.slice('{"checks": '.length, -1)],
  ])("is read %s", async (_name, text) => {
    const { server, judge } = await inJson(text);
    const [, ...messages] = request().messages;
    const system = { role: "system", content: systemMessage() } as const;
    const { checks } = await ask(judge, { messages: [system, ...messages] });
    expect(checks).toEqual([{ outcome: "pass", description: "d", reason: "r" }, { outcome: "fail" }]);
    expect(server.asked).toHaveLength(2);
    const { content } = server.asked[1]?.request.messages[0] ?? {};
    expect(content).toContain('as one JSON object and nothing else: {"checks": [{"description": "…"');
    expect(content).not.toMatch(/set_waza_grade|finish_grading/);
  });

  test("without a check is asked for once more, and then is a verdict of none: 0.0, failed", async () => {
    const { judge, server } = await inJson('{"checks": []}');
    const answer = await ask(judge);
    expect(answer.checks).toEqual([]);
    expect(answer.incomplete).toBeUndefined();
    expect(server.asked).toHaveLength(3);
  });

  test("that is prose is asked for once more", async () => {
    const { judge, server } = await inJson("I would say PASS.", ONE);
    expect(outcomes(await ask(judge))).toBe("pass fail");
    expect(server.asked).toHaveLength(3);
    expect(JSON.stringify(server.asked[2]?.request.messages.at(-1)?.content)).toMatch(
      /no check that could be read/,
    );
  });

  test.each([
    ["prose", "It does not deserve more."],
    ["an object among other words, which may be a quotation", `My verdict: ${ONE}`],
    ["an object after a tag that nothing opens, which may be one, too", `It is short. </b> ${ONE}`],
    ...["</think>", "</thinking>", "[/THINK]", "<answer>", "<|message|>"].map((end) => [
      `two objects, with ${end} between them`,
      `{"checks": [{"outcome": "fail"}]} It wrote: ${end}${ONE}`,
    ]),
    ["two objects after thoughts", `<think>So.</think>{"checks": [{"outcome": "fail"}]}</think>${ONE}`],
    [
      "two objects in a channel",
      `<|channel|>final<|message|>{"checks": [{"outcome": "fail"}]}<|message|>${ONE}`,
    ],
    ["an answer before an object", `<answer>{"checks": [{"outcome": "fail"}]}</answer>${ONE}`],
    ["an object after a brace and an end of thoughts that nothing opens", `It is {a}</think>${ONE}`],
    ["another object", '{"outcome": "pass"}'],
    ["passes beside `passed: false`", '{"passed": false, "checks": [{"outcome": "pass"}]}'],
    ["passes beside a score of 0", '{"checks": [{"outcome": "pass"}], "score": 0}'],
    ["an outcome of both sides", '{"checks": [{"outcome": "pass or fail"}]}'],
    ["an outcome we do not know", '{"checks": [{"outcome": "maybe"}]}'],
    ["a list that comes twice", '{"checks": [{"outcome": "fail"}], "checks": [{"outcome": "pass"}]}'],
    ["an outcome that comes twice", '{"checks": [{"outcome": "fail", "outcome": "pass"}]}'],
    ["the form itself, sent back", jsonForm(false)],
    ["the form with an outcome", jsonForm(false).replace('"outcome": "…"', '"outcome": "pass"')],
    ["JSON that was cut", '{"checks": [{"outcome": "pa'],
  ])("that is %s twice is an error with what it wrote, no grade", async (_name, text) => {
    const { judge, server } = await inJson(text);
    const error = await errorOf(ask(judge));
    expect(error.class).toBe("invalid-reply");
    expect(error.message).toContain(text.slice(0, 20));
    expect(server.asked).toHaveLength(3);
  });

  test("that was cut off at the limit counts when it is whole, and else is an error", async () => {
    const whole = await inJson({ text: ONE, finish: "length" });
    expect(outcomes(await ask(whole.judge))).toBe("pass fail");
    const half = await inJson({ text: ONE.slice(0, 40), finish: "length" });
    expect((await errorOf(ask(half.judge))).class).toBe("cut-off");
  });
});
