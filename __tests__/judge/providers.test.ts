import { describe, expect, jest, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { NO_RETRY, ask, closeLater, closeServers, errorOf, outcomes, request, serve } from "./judging.ts";
import { bodyOf, listen, sendJson } from "../support/http.ts";
import { pass, type Asked, type Reply } from "../support/judge-server.ts";
import type { ErrorClass } from "../../src/domain/grade.ts";
import { isSecretValue, readProviders, routeModel } from "../../src/inputs/providers.ts";
import { endpointClients, isHttpError, judgeFetch, type JudgeFetch } from "../../src/judge/api/client.ts";
import { httpError } from "../../src/judge/api/errors.ts";
import { openaiJudge } from "../../src/judge/conversation.ts";

closeServers();

const working = ({ turn }: Asked): Reply => (turn === 1 ? { calls: [pass("a")] } : {});

/** A judge by the input `providers`, and nothing else. */
function judgeBy(yaml: string) {
  const { providers, problems } = readProviders(yaml);
  expect(problems).toEqual([]);
  return openaiJudge({
    endpointOf: (model) => routeModel(providers, model) ?? { baseUrl: "http://127.0.0.1:9/nobody" },
    maxConcurrency: 10,
    redact: String,
  });
}

const TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ0ZXN0In0.";

interface Shape {
  readonly name: string;
  readonly root: string;
  readonly entry: string;
  readonly model?: string;
  /** What the server sees. */
  readonly path: string;
  readonly sent: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const SHAPES: Shape[] = [
  {
    name: "OpenAI",
    root: "/v1",
    entry: "api-key: sk-1",
    path: "/v1/chat/completions",
    sent: "judge-1",
    headers: { authorization: "Bearer sk-1", "api-key": undefined },
  },
  {
    name: "OpenAI, the Responses API",
    root: "/v1",
    entry: "api-key: sk-1, api: responses",
    path: "/v1/responses",
    sent: "judge-1",
    headers: { authorization: "Bearer sk-1" },
  },
  {
    name: "Azure, a deployment",
    root: "/openai",
    entry: "api-key: 0123456789, api-version: 2024-10-21, deployment: my judge",
    path: "/openai/deployments/my%20judge/chat/completions?api-version=2024-10-21",
    sent: "my judge",
    headers: { "api-key": "0123456789", authorization: undefined },
  },
  {
    name: "Azure, a deployment with a token of Entra",
    root: "/openai",
    entry: `api-key: ${TOKEN}, api-version: 2025-04-01-preview, deployment: d`,
    path: "/openai/deployments/d/chat/completions?api-version=2025-04-01-preview",
    sent: "d",
    headers: { authorization: `Bearer ${TOKEN}`, "api-key": undefined },
  },
  {
    name: "Azure, the Responses API of a version",
    root: "/openai",
    entry: "api-key: k, api-version: 2025-04-01-preview, deployment: d, api: responses",
    path: "/openai/responses?api-version=2025-04-01-preview",
    sent: "d",
    headers: { "api-key": "k" },
  },
  {
    name: "Azure, the newer address without a version",
    root: "/openai/v1",
    entry: "api-key: k, model: my-deployment",
    path: "/openai/v1/chat/completions",
    sent: "my-deployment",
    headers: { authorization: "Bearer k", "api-key": undefined },
  },
  {
    name: "Anthropic",
    root: "/v1",
    entry: "api-key: sk-ant-1, headers: {anthropic-version: 2023-06-01}",
    path: "/v1/chat/completions",
    sent: "judge-1",
    headers: { authorization: "Bearer sk-ant-1", "anthropic-version": "2023-06-01" },
  },
  {
    name: "Google",
    root: "/v1beta/openai",
    entry: "api-key: AIza1",
    path: "/v1beta/openai/chat/completions",
    sent: "judge-1",
    headers: { authorization: "Bearer AIza1" },
  },
  {
    name: "OpenRouter",
    root: "/api/v1",
    entry:
      "api-key: sk-or-1, headers: {HTTP-Referer: https://example.com, X-Title: waza-grade}, model: openai/gpt-4o",
    path: "/api/v1/chat/completions",
    sent: "openai/gpt-4o",
    headers: {
      authorization: "Bearer sk-or-1",
      "http-referer": "https://example.com",
      "x-title": "waza-grade",
    },
  },
  {
    name: "LiteLLM",
    root: "",
    entry: "api-key: sk-lite",
    path: "/chat/completions",
    sent: "judge-1",
    headers: { authorization: "Bearer sk-lite" },
  },
  {
    name: "Ollama and vLLM without a key",
    root: "/v1",
    entry: "model: 'gemma:2b'",
    path: "/v1/chat/completions",
    sent: "gemma:2b",
    headers: { authorization: undefined, "api-key": undefined },
  },
  {
    name: "a gateway whose key is a header of its own",
    root: "/v1",
    entry: "headers: {X-Gateway-Key: 42}",
    path: "/v1/chat/completions",
    sent: "judge-1",
    headers: { "x-gateway-key": "42", authorization: undefined },
  },
];

describe("a provider is asked as it wants to be", () => {
  test.each(SHAPES)("$name", async ({ root, entry, path, sent, headers }) => {
    const server = await serve(working, { root });
    const answer = await ask(judgeBy(`- {match: "judge-*", base-url: ${server.url}/, ${entry}}`));
    expect(outcomes(answer)).toBe("pass");
    expect(answer.servedBy).toBe(`${sent}-2026-01-01`);
    expect(server.asked).toHaveLength(2);
    for (const asked of server.asked) {
      expect(asked.url).toBe(path);
      expect(asked.request.model).toBe(sent);
      expect(asked.headers).toMatchObject(
        Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
      );
      for (const [name, value] of Object.entries(headers))
        if (value === undefined) expect(asked.headers).not.toHaveProperty(name);
    }
  });

  const error = (status: number, body: unknown): Reply => ({
    status,
    raw: JSON.stringify(body),
    headers: NO_RETRY,
  });

  test.each<[string, Reply, ErrorClass, RegExp]>([
    [
      "Azure, a missing deployment",
      error(404, {
        error: {
          code: "DeploymentNotFound",
          message: "The API deployment for this resource does not exist.",
        },
      }),
      "unknown-model",
      /deployment/,
    ],
    [
      "Azure, a refused key",
      error(401, {
        error: {
          code: "401",
          message: "Access denied due to invalid subscription key or wrong API endpoint.",
        },
      }),
      "credentials",
      /providers/,
    ],
    [
      "Azure, a wrong address",
      error(404, { error: { code: "404", message: "Resource not found" } }),
      "not-found",
      /providers/,
    ],
    [
      "Azure, the content filter",
      error(400, {
        error: {
          code: "content_filter",
          message:
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          param: "prompt",
          status: 400,
        },
      }),
      "content-filter",
      /filtered/,
    ],
    [
      "OpenAI, a usage policy",
      error(400, {
        error: {
          code: "invalid_prompt",
          message: "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        },
      }),
      "content-filter",
      /flagged/,
    ],
    [
      "Anthropic, an unknown model",
      error(404, {
        error: {
          code: "not_found_error",
          message: "model: claude-none not found",
          type: "not_found_error",
          param: null,
        },
      }),
      "unknown-model",
      /judge-1/,
    ],
    [
      "Anthropic, overloaded",
      error(529, { error: { message: "Overloaded", type: "overloaded_error" } }),
      "server",
      /Overloaded/,
    ],
    [
      "Google, a list of one error",
      error(400, [
        {
          error: {
            code: 400,
            message: "API key not valid. Please pass a valid API key.",
            status: "INVALID_ARGUMENT",
          },
        },
      ]),
      "credentials",
      /API key not valid/,
    ],
    [
      "OpenRouter, what the provider said",
      error(400, {
        error: {
          message: "Provider returned error",
          code: 400,
          metadata: { raw: '{"detail":"temperature is odd"}', provider_name: "X" },
        },
      }),
      "bad-request",
      /temperature is odd/,
    ],
    [
      "OpenRouter, no credit",
      error(402, { error: { message: "Insufficient credits", code: 402 } }),
      "quota",
      /credit/,
    ],
    [
      "LiteLLM, an unknown model",
      error(400, {
        error: {
          message:
            "/chat/completions: Invalid model name passed in model=judge-1. Call `/v1/models` to view available models for your key.",
          type: "invalid_request_error",
          param: "model",
          code: "400",
        },
      }),
      "unknown-model",
      /judge-1/,
    ],
    [
      "vLLM, fields without a wrapper",
      error(404, {
        object: "error",
        message: "The model `judge-1` does not exist.",
        type: "NotFoundError",
        param: null,
        code: 404,
      }),
      "unknown-model",
      /judge-1/,
    ],
    [
      "a gateway that streams, and nothing else",
      error(400, { detail: "Stream must be set to true" }),
      "bad-request",
      /rejected the request: 400 .*Stream must be set to true/,
    ],
    [
      "DashScope, a model that streams, and nothing else",
      error(400, {
        error: {
          message:
            "This model only support stream mode, please enable the stream parameter to access the model.",
        },
      }),
      "bad-request",
      /rejected the request: 400 This model only support stream mode/,
    ],
    [
      "OpenRouter, a model without an endpoint now",
      error(404, { error: { message: "No endpoints found for judge-1.", code: 404 } }),
      "not-found",
      /finds nothing for the model `judge-1`: 404 No endpoints found/,
    ],
    ["Ollama, a text", error(400, { error: "invalid options" }), "bad-request", /invalid options/],
    [
      "a proxy, a page",
      { status: 502, raw: "<html><body>Bad <b>gateway</b></body></html>", headers: NO_RETRY },
      "server",
      /Bad gateway/,
    ],
  ])("and its errors are understood: %s", async (_name, reply, errorClass, says) => {
    const server = await serve(() => reply);
    const thrown = await errorOf(ask(judgeBy(`- {match: "*", base-url: ${server.url}, api-key: sk-1}`)));
    expect(thrown.class).toBe(errorClass);
    expect(`${thrown.message} ${thrown.help ?? ""}`).toMatch(says);
    expect(thrown.help ?? "").not.toMatch(/`(?:api-key|base-url)`/);
    expect(server.asked).toHaveLength(1);
  });
});

test("the rules that docs/judges.md shows are read", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/judges.md"), "utf8");
  const [, rules = ""] = /providers: \|\n([\s\S]*?)```/.exec(page) ?? [];
  const { providers, problems } = readProviders(rules.replace(/\$\{\{.*?\}\}/g, "key"));
  expect(problems).toEqual([]);
  expect(providers.map(({ match, endpoint }) => [match, endpoint.api ?? endpoint.model])).toEqual([
    ["claude-*", undefined],
    ["gpt-6.1-*", "responses"],
    ["gpt-6-*", undefined],
    ["local-judge", "qwen3:8b"],
    ["gemini-*", "gpt-6-luna"],
  ]);
});

describe("the first rule that matches", () => {
  const { providers } = readProviders(`
- {match: "claude-*", base-url: "https://a.example/v1"}
- {match: "gpt-4?", base-url: "https://b.example/v1"}
- {match: "*/*:free", base-url: "https://c.example/v1"}
- {match: "a.b", base-url: "https://d.example/v1"}
- {match: "CLAUDE-9", base-url: "https://never.example/v1"}
- {match: "gpt-*", base-url: "https://e.example/v1"}
`);

  test.each([
    ["claude-sonnet-4", "a"],
    ["Claude-9", "a"],
    ["gpt-4o", "b"],
    ["gpt-6.1-sol", "e"],
    ["x/y:free", "c"],
    ["a.b", "d"],
    ["a-b", undefined],
    ["my-claude-3", undefined],
    ["", undefined],
  ])("routes %s to %s", (model, host) => {
    expect(routeModel(providers, model)?.baseUrl).toBe(host && `https://${host}.example/v1`);
  });

  test("is asked, and no other, and what one refuses stops none of the others", async () => {
    const [first, second] = [
      await serve(() => ({ status: 401, error: { message: "no" } })),
      await serve(working),
    ];
    const judge = judgeBy(`
- {match: "a-*", base-url: ${first.url}, api-key: sk-a}
- {match: "*", base-url: ${second.url}, api-key: sk-b}
`);
    expect((await errorOf(ask(judge, { model: "a-1" }))).class).toBe("credentials");
    expect(outcomes(await ask(judge, { model: "b-1" }))).toBe("pass");
    expect([first.asked.length, second.asked.length]).toEqual([1, 2]);
    expect(second.asked[0]?.headers.authorization).toBe("Bearer sk-b");
  });
});

describe("a mistake in `providers`", () => {
  const SECRET = "sk-secret-0123456789";
  const good = "match: m, base-url: https://x.example/v1";

  test.each<[string, string, RegExp]>([
    ["no list", `match: ${SECRET}`, /is not a list/],
    ["a text", SECRET, /is not a list/],
    ["not YAML: a bracket", `- {api-key: "${SECRET}`, /not valid YAML: .* in line 1/],
    ["not YAML: an alias", `- {${good}, api-key: *${SECRET}}`, /not valid YAML: .*\*/],
    ["not YAML: a sign that starts nothing", `- {${good}, api-key: "@${SECRET}`, /not valid YAML/],
    ["not YAML: a tab", `- match: m\n\tapi-key: ${SECRET}`, /not valid YAML: .* in line 2/],
    ["not YAML: a colon", `- api-key: a: ${SECRET}`, /not valid YAML/],
    ["a key twice", `- {api-key: a, api-key: ${SECRET}}`, /duplicate key/],
    ["an entry that is text", `- ${SECRET}`, /entry 1: expected a mapping/],
    ["an entry that is nothing", "-", /entry 1: expected a mapping/],
    ["no match", `- {base-url: https://x.example/v1, api-key: ${SECRET}}`, /entry 1: expected `match`/],
    ["no base-url", `- {match: m, api-key: ${SECRET}}`, /entry 1: `base-url` is missing/],
    [
      "an unknown key",
      `- {${good}, apikey: ${SECRET}}`,
      /entry 1: unknown key `apikey` \(did you mean `api-key`\?\)\.$/,
    ],
    ["an unknown API", `- {${good}, api: ${SECRET}}`, /entry 1: expected `chat` or `responses`/],
    ["a list for a key", `- {${good}, api-key: [${SECRET}]}`, /entry 1: .*`api-key`/],
    ["text for headers", `- {${good}, headers: ${SECRET}}`, /entry 1: .*`headers`/],
    ["a list for a header", `- {${good}, headers: {x-key: [${SECRET}]}}`, /entry 1: .*`headers`/],
    [
      "an address with a password",
      `- {match: m, base-url: "https://u:${SECRET}@x.example/v1"}`,
      /entry 1: `base-url`/,
    ],
    [
      "an address with a query",
      `- {match: m, base-url: "https://x.example/v1?key=${SECRET}"}`,
      /entry 1: `base-url`/,
    ],
    [
      "an address of a page",
      `- {match: m, base-url: https://x.example/v1/chat/completions, api-key: ${SECRET}}`,
      /root of an API/,
    ],
    ["another protocol", `- {match: m, base-url: "file:///${SECRET}"}`, /entry 1: `base-url`/],
    [
      "a deployment without a version",
      `- {${good}, deployment: d, api-key: ${SECRET}}`,
      /entry 1: `deployment` without `api-version`/,
    ],
    [
      "a line break in a key",
      `- match: m\n  base-url: https://x.example/v1\n  api-key: |\n    ${SECRET}\n    b`,
      /entry 1: `api-key` contains a line break/,
    ],
    [
      "a curly quote around a key",
      `- {${good}, api-key: “${SECRET}”}`,
      /entry 1: `api-key` contains a character beyond Latin-1/,
    ],
    [
      "a NUL in a key",
      `- {${good}, api-key: "${SECRET}\\0"}`,
      /entry 1: `api-key` contains a control character/,
    ],
    [
      "an empty header",
      `- {${good}, api-key: ${SECRET}, headers: {X-Team: }}`,
      /entry 1: the header `X-Team` is empty/,
    ],
    ["a header of spaces", `- {${good}, headers: {X-Team: "  "}}`, /entry 1: the header `X-Team` is empty/],
    [
      "a line break in a header",
      `- {${good}, headers: {X-Key: "${SECRET}\\nb"}}`,
      /the header `X-Key` contains a line break/,
    ],
    [
      "a header that is no name",
      `- {${good}, headers: {"X Key:": ${SECRET}}}`,
      /`X Key:` in `headers` is not a valid header name/,
    ],
    [
      "a secret's name in place of the key",
      `- {${good}, api-key: secrets.KEY_0123456789}`,
      /the name of a secret/,
    ],
    [
      "Azure's full address",
      `- {match: m, api-key: ${SECRET}, base-url: "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1"}`,
      /write `base-url: https:\/\/x\.openai\.azure\.com\/openai, api-version: "1", deployment: d`/,
    ],
    ["the second entry", `- {${good}}\n- {match: m, api-key: ${SECRET}}`, /entry 2: `base-url` is missing/],
  ])("names entry and key, never a value: %s", (_name, yaml, says) => {
    const { problems } = readProviders(yaml);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ level: "error", message: expect.stringMatching(says) });
    expect(JSON.stringify(problems)).not.toContain("0123456789");
  });

  test("leaves the other entries as they are, and every mistake is reported", () => {
    const { providers, problems } = readProviders(`- {${good}}\n- text\n- {${good}, api: odd}`);
    expect(providers).toHaveLength(1);
    expect(problems).toHaveLength(2);
  });

  test("is in no warning of the process", () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    readProviders(`- {${good}, ? [${SECRET}] : x}`);
    const { calls } = warn.mock;
    warn.mockRestore();
    expect(calls).toEqual([]);
  });
});

describe("secrets", () => {
  test("are all keys and values of headers, and of a token also what follows its scheme", () => {
    const { secrets } = readProviders(`
- {match: a, base-url: "https://a.example/v1", api-key: sk-one, headers: {X-Gateway: two-2, Authorization: Bearer three-3, x-suite: evals, x-retry: 1}}
- {match: b, base-url: "https://b.example/v1", api-key: 0123, headers: {authtoken: abcd-1234, X-Title: explainer}}
- {match: c, base-url: nowhere, api-key: four, headers: {Cookie: [five5], x: open}}
- {match: d, base-url: "https://d.example/v1", api-key: "~", headers: {X-Auth: ""}}
- {match: e, base-url: "https://e.example/v1", headers: six-6}
- text
`);
    const all = [
      "sk-one",
      "two-2",
      "Bearer three-3",
      "three-3",
      "0123",
      "abcd-1234",
      "explainer",
      "four",
      "five5",
      "six-6",
    ];
    expect(secrets).toEqual(all);
  });

  test.each([
    ["evals", false],
    ["true", false],
    [" 1 ", false],
    ["2023060", false],
    ["explainer", true],
    ["20230601", true],
    ["a1b2", true],
    ["2023-06-01", true],
  ])("are values of headers, except short plain words: %j, %p", (value, isSecret) => {
    expect(isSecretValue(value)).toBe(isSecret);
  });

  test.each(["", " ", "~", "null", '""'])("that are empty (%j) are a key that is missing", (key) => {
    const [provider] = readProviders(
      `- match: a\n  base-url: https://a.example/v1\n  api-key: ${key}\n`,
    ).providers;
    expect(provider?.endpoint).toMatchObject({ keyMissing: true });
    expect(provider?.endpoint.apiKey).toBeUndefined();
  });

  test("that are not named are no key at all", () => {
    const [provider] = readProviders("- {match: a, base-url: https://a.example/v1}").providers;
    expect(provider?.endpoint.keyMissing).toBeUndefined();
  });
});

/* OpenAI's token exchange: how often it is requested, and its errors. */

closeServers();

const EXCHANGE = "https://auth.openai.com";

/** Asks a judge the given number of times, by an identity with this exchange. */
async function keyless(answer: (response: ServerResponse) => void, times = 1) {
  const judge = await serve(() => ({ calls: [pass("a")] }));
  let exchanges = 0;
  const exchange = await listen(async (incoming, response) => {
    await bodyOf(incoming);
    exchanges += 1;
    answer(response);
  });
  closeLater(exchange.close);
  const direct = judgeFetch(5);
  const fetch: JudgeFetch = (url, init) => direct(url.replace(EXCHANGE, exchange.url), init);
  const tokens = { subject: () => Promise.resolve("subject"), addSecret: () => undefined };
  const identity = { identityProviderId: "idp_1", serviceAccountId: "sa_1", isPermitted: true };
  const endpoint = { baseUrl: judge.url, identity };
  const { post } = endpointClients(fetch, tokens);
  const { model, messages } = request();
  const ask = () => post(endpoint, { api: "chat", body: { model, messages } }, new AbortController().signal);
  const ends = await Promise.allSettled(Array.from({ length: times }, ask));
  return { judge, endpoint, exchanges: () => exchanges, ends };
}

test("is asked once for many requests", async () => {
  const { judge, exchanges, ends } = await keyless((response) => {
    sendJson(response, 200, { access_token: "token-1", expires_in: 300 });
  }, 5);
  expect(ends.map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"));
  expect(judge.asked.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill("Bearer token-1"));
  expect(exchanges()).toBe(1);
});

const page = (response: ServerResponse) => response.end("<html>Sign in</html>");
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    page(response.writeHead(code, headers));
  };

test.each<[string, (response: ServerResponse) => void, string, RegExp]>([
  ["a refusal", status(401), "credentials", /^OpenAI's token exchange refused a token.* 401/],
  ["a redirect", status(302, { location: "https://evil.example/v1" }), "credentials", /exchange.* 302 to/],
  ["an address that is not there", status(404), "credentials", /token exchange refused a token.* 404/],
  ["a fault", status(503), "server", /^OpenAI's token exchange failed: 503/],
  ["a login page", page, "credentials", /token exchange at `https:.*` answered 200 without a token/],
  ["no answer", (response) => response.destroy(), "network", /token exchange at `https:.*` could not/],
])("that gives %s is an error of the exchange, not of the judge", async (_name, answer, errorClass, says) => {
  const { judge, endpoint, ends } = await keyless(answer);
  const thrown = ends[0]?.status === "rejected" ? (ends[0].reason as unknown) : undefined;
  const error = isHttpError(thrown) ? httpError(thrown, { model: "m", redact: String, endpoint }) : thrown;
  expect(error).toMatchObject({ class: errorClass, message: expect.stringMatching(says) });
  expect(JSON.stringify(error)).not.toContain("base-url");
  expect(judge.asked).toHaveLength(0);
});
