/** A loopback judge: speaks chat completions and the Responses API, refuses what OpenAI refuses, answers as a script says. */
import type { ServerResponse } from "node:http";
import { checkChatRequest, type ChatRequest } from "./chat-rules.ts";
import { bodyOf, listen, sendJson } from "./http.ts";
import { checkResponsesRequest, type ResponsesRequest } from "./responses-rules.ts";

/** One reply of the judge. Without `calls` it is prose; without anything it is an empty finished answer. */
export interface Reply {
  readonly calls?: readonly Call[];
  readonly text?: string | null;
  readonly finish?: string;
  readonly refusal?: string;
  readonly status?: number;
  readonly error?: { readonly message: string; readonly code?: string; readonly type?: string };
  /** Fields of the message that only some servers write. */
  readonly extra?: object;
  /** Sent unchanged, with status 200 by default. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** `half` begins an answer, and never ends it. */
  readonly connection?: "reset" | "hang" | "half";
  /** Tokens; 100 in, none of them cached, and 20 out by default. `null` for a server that does not say. */
  readonly usage?: Usage | null;
  /** Responses API: a reasoning item before everything else, encrypted or not. */
  readonly reasoning?: "encrypted" | "plain";
  /** Responses API: `failed`, with `error`. */
  readonly failed?: true;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  /** Written to the cache; models before GPT-5.6 do not say. */
  readonly written?: number;
  /** Of the output, for reasoning; `null` for a server that counts none apart. By default some where it is asked for. */
  readonly reasoning?: number | null;
}

export interface Call {
  readonly name: string;
  readonly args?: unknown;
  readonly id?: string | null;
}

export interface Asked {
  /** Of the Responses API: its messages and model in the form of chat completions. */
  readonly request: ChatRequest;
  /** The request as it is, of the Responses API. */
  readonly responses?: ResponsesRequest;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The grader's prompt: the last message before any answer of the judge. */
  readonly prompt: string;
  /** All messages between the system message and the prompt. */
  readonly evidence: string;
  /** 1 for the first request of a grade. */
  readonly turn: number;
}

export interface JudgeServer {
  readonly url: string;
  readonly asked: Asked[];
  /** What was refused with a 400, which no test but those of the server expects. */
  readonly refused: string[];
  readonly mostAtOnce: () => number;
  readonly close: () => Promise<void>;
}

export const pass = (description?: string, reason?: string): Call => ({
  name: "set_waza_grade_pass",
  args: { description, reason },
});
export const fail = (description?: string, reason?: string): Call => ({
  name: "set_waza_grade_fail",
  args: { description, reason },
});

/** The judge says that every check is reported. */
export const finish: Call = { name: "finish_grading" };

/**
 * Starts a judge that answers each request as `script` says. A judge that was asked once stops with "Done.". Its API
 * lies below `root`; with Azure's, below deployments too.
 */
export async function startJudge(
  script: (asked: Asked) => Reply | Promise<Reply>,
  { root = "/v1", port }: { readonly root?: string; readonly port?: number | undefined } = {},
): Promise<JudgeServer> {
  const asked: Asked[] = [];
  const refused: string[] = [];
  let now = 0;
  let most = 0;
  const server = await listen(async (request, response) => {
    now += 1;
    most = Math.max(most, now);
    response.on("close", () => {
      now -= 1;
    });
    const body = await bodyOf(request);
    const { url = "" } = request;
    const [path = ""] = url.split("?");
    const api = /^(?:\/deployments\/[^/]+)?\/(chat\/completions|responses)$/.exec(
      path.slice(root.length),
    )?.[1];
    if (!path.startsWith(root) || api === undefined || request.method !== "POST") {
      sendJson(response, 404, { error: { message: `Invalid URL (${request.method ?? ""} ${url})` } });
      return;
    }
    const checked =
      api === "responses" ? checkResponsesRequest(JSON.parse(body)) : checkChatRequest(JSON.parse(body));
    if ("refusal" in checked) {
      refused.push(checked.refusal);
      sendJson(response, 400, { error: { message: checked.refusal, type: "invalid_request_error" } });
      return;
    }
    const place = { headers: request.headers, url };
    const one =
      "input" in checked.request
        ? { ...describe(asChat(checked.request), place), responses: checked.request }
        : describe(checked.request, place);
    asked.push(one);
    await answer(await script(one), one, response);
  }, port);
  return { url: `${server.url}${root}`, asked, refused, mostAtOnce: () => most, close: server.close };
}

/** Each turn's output is one message, of any parts, so that turns are counted alike. */
function asChat({ model, input }: ResponsesRequest): ChatRequest {
  const kinds = input.map((item) => {
    if ("type" in item && item.type === "function_call_output") return "tool";
    return "role" in item && item.role !== "assistant" ? item.role : "assistant";
  });
  const messages = input.flatMap((item, index): ChatRequest["messages"] => {
    const role = kinds[index];
    if (role === "tool" || (role === "assistant" && kinds[index - 1] === "assistant")) return [];
    const isText = "content" in item && (typeof item.content === "string" || item.role !== "assistant");
    const content = isText ? textOf(item.content) : JSON.stringify(item);
    return [{ role: role ?? "assistant", content }];
  });
  return { model, messages };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => (part as { text?: string }).text ?? "").join("") : "";
}

function describe(request: ChatRequest, place: Pick<Asked, "headers" | "url">): Asked {
  const texts = request.messages.map(({ content }) => textOf(content));
  const isAnswer = (index: number) =>
    request.messages[index]?.role === "assistant" && !texts[index]?.startsWith(REPLAYED);
  const answers = texts.flatMap((_, index) => (isAnswer(index) ? [index] : []));
  const prompt = (answers[0] ?? texts.findLastIndex((_, i) => request.messages[i]?.role === "user") + 1) - 1;
  return {
    request,
    ...place,
    evidence: texts.slice(1, prompt).join("\n"),
    prompt: texts[prompt] ?? "",
    turn: answers.length + 1,
  };
}

/** A script whose first replies wait until so many requests are there at once, however slow the machine is. */
export function together(
  count: number,
  script: (asked: Asked) => Reply | Promise<Reply>,
): (asked: Asked) => Promise<Reply> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let asked = 0;
  return async (one) => {
    asked += 1;
    if (asked === count) resolve(undefined);
    await promise;
    return await script(one);
  };
}

/** How a turn of a replayed session begins, which is no answer of the judge. */
const REPLAYED = "<<<";

async function answer(reply: Reply, asked: Asked, response: ServerResponse): Promise<void> {
  if (reply.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  if (reply.connection === "hang") return;
  if (reply.connection === "half") {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"choices": [');
    return;
  }
  if (reply.connection === "reset") {
    response.destroy();
    return;
  }
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (reply.raw !== undefined) {
    response.writeHead(reply.status ?? 200, { "content-type": "application/json" });
    response.end(reply.raw);
    return;
  }
  if (reply.error !== undefined || (reply.status ?? 200) >= 400) {
    sendJson(response, reply.status ?? 500, { error: reply.error ?? { message: "The server had an error" } });
    return;
  }
  sendJson(response, 200, asked.responses ? responseOf(reply, asked) : completion(reply, asked));
}

function completion(reply: Reply, { request, turn }: Asked) {
  const calls = (reply.calls ?? []).map(({ name, args, id }, index) => ({
    ...(id === null ? {} : { id: id ?? `call_${String(turn)}_${String(index)}` }),
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}) },
  }));
  const text = reply.text === undefined ? (calls.length > 0 ? null : "Done.") : reply.text;
  return {
    id: "chatcmpl-loopback",
    object: "chat.completion",
    created: 1_790_000_000,
    model: `${request.model}-2026-01-01`,
    choices: [
      {
        index: 0,
        finish_reason: reply.finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
        logprobs: null,
        message: {
          role: "assistant",
          content: text,
          refusal: reply.refusal ?? null,
          annotations: [],
          ...reply.extra,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      },
    ],
    ...(reply.usage === null ? {} : { usage: chatUsage(reply.usage, request.reasoning_effort) }),
  };
}

function chatUsage(usage: Usage = { input: 100, output: 20 }, effort?: string | null) {
  const { input, output, cached = 0, written, reasoning = reasoningOf(effort) } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    ...(reasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

/** What OpenAI's models do with an effort: they reason, unless it is none or next to none. */
function reasoningOf(effort: string | null | undefined): number {
  return ["none", "minimal"].includes(effort ?? "none") ? 0 : 8;
}

/** The same reply as the Responses API has it. */
function responseOf(reply: Reply, { request, responses, turn }: Asked) {
  const calls = (reply.calls ?? []).map(({ name, args, id }, index) => ({
    id: `fc_${String(turn)}_${String(index)}`,
    type: "function_call",
    status: "completed",
    ...(id === null ? {} : { call_id: id ?? `call_${String(turn)}_${String(index)}` }),
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}),
  }));
  const text = reply.text === undefined ? (calls.length > 0 ? null : "Done.") : reply.text;
  const content = [
    ...(text === null ? [] : [{ type: "output_text", text, annotations: [] }]),
    ...(reply.refusal === undefined ? [] : [{ type: "refusal", refusal: reply.refusal }]),
  ];
  const reasoning = {
    id: `rs_${String(turn)}`,
    type: "reasoning",
    summary: [],
    ...(reply.reasoning === "encrypted" ? { encrypted_content: `secret-${String(turn)}` } : {}),
  };
  const outputText = {
    id: `msg_${String(turn)}`,
    type: "message",
    status: "completed",
    role: "assistant",
    content,
  };
  const effort = responses?.reasoning?.effort;
  const usage = reply.usage ?? { input: 100, output: 20 };
  const { input, output, cached = 0, written, reasoning: thoughts = reasoningOf(effort) } = usage;
  const reasons: Readonly<Record<string, string>> = {
    length: "max_output_tokens",
    content_filter: "content_filter",
  };
  const reason = reasons[reply.finish ?? ""];
  return {
    id: "resp_loopback",
    object: "response",
    status: reply.failed ? "failed" : reason === undefined ? "completed" : "incomplete",
    error: reply.failed ? { code: "server_error", message: reply.text ?? "The model failed." } : null,
    incomplete_details: reason === undefined ? null : { reason },
    model: `${request.model}-2026-01-01`,
    output: reply.failed
      ? []
      : [...(reply.reasoning ? [reasoning] : []), ...(content.length > 0 ? [outputText] : []), ...calls],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: thoughts ?? 0 },
      total_tokens: input + output,
    },
  };
}
