/** A loopback judge: speaks chat completions, refuses what OpenAI refuses, and answers as a script says. */
import type { ServerResponse } from "node:http";
import { checkChatRequest } from "./chat-rules.ts";
import type { ChatRequest } from "./chat-rules.ts";
import { bodyOf, listen, sendJson } from "./http.ts";

/** One reply of the judge. Without `calls` it is prose; without anything it is an empty finished answer. */
export interface Reply {
  readonly calls?: readonly Call[];
  readonly text?: string | null;
  readonly finish?: string;
  readonly refusal?: string;
  readonly status?: number;
  readonly error?: { readonly message: string; readonly code?: string; readonly type?: string };
  /** Sent as it stands, with status 200 unless told otherwise. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  readonly connection?: "reset" | "hang";
}

export interface Call {
  readonly name: string;
  readonly args?: unknown;
  readonly id?: string | null;
}

export interface Asked {
  readonly request: ChatRequest;
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

/** Starts a judge that answers each request as `script` says. A judge that was asked once stops with "Done.". */
export async function startJudge(script: (asked: Asked) => Reply | Promise<Reply>): Promise<JudgeServer> {
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
    if (request.url !== "/v1/chat/completions" || request.method !== "POST") {
      sendJson(response, 404, {
        error: { message: `Invalid URL (${request.method ?? ""} ${request.url ?? ""})` },
      });
      return;
    }
    const checked = checkChatRequest(JSON.parse(body));
    if ("refusal" in checked) {
      refused.push(checked.refusal);
      sendJson(response, 400, { error: { message: checked.refusal, type: "invalid_request_error" } });
      return;
    }
    const one = describe(checked.request, request.headers);
    asked.push(one);
    await answer(await script(one), one, response);
  });
  return { url: `${server.url}/v1`, asked, refused, mostAtOnce: () => most, close: server.close };
}

function describe(request: ChatRequest, headers: Asked["headers"]): Asked {
  const texts = request.messages.map(({ content }) =>
    typeof content === "string" ? content : JSON.stringify(content),
  );
  const isAnswer = (index: number) =>
    request.messages[index]?.role === "assistant" && !texts[index]?.startsWith(REPLAYED);
  const answers = texts.flatMap((_, index) => (isAnswer(index) ? [index] : []));
  const prompt = (answers[0] ?? texts.findLastIndex((_, i) => request.messages[i]?.role === "user") + 1) - 1;
  return {
    request,
    headers,
    evidence: texts.slice(1, prompt).join("\n"),
    prompt: texts[prompt] ?? "",
    turn: answers.length + 1,
  };
}

/** How a turn of a replayed session begins, which is no answer of the judge. */
const REPLAYED = "<<<evidence-";

async function answer(reply: Reply, asked: Asked, response: ServerResponse): Promise<void> {
  if (reply.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  if (reply.connection === "hang") return;
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
  sendJson(response, 200, completion(reply, asked));
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
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
}
