/** A judge behind an OpenAI-compatible chat completions endpoint. */
import type OpenAI from "openai";
import type { Check } from "../domain.ts";
import { messageOf } from "../errors.ts";
import { shorten } from "../format.ts";
import { classify } from "./api-errors.ts";
import { readReply } from "./chat-reply.ts";
import type { ChatReply } from "./chat-reply.ts";
import { GRADE_TOOLS, isUnclear, toCheck } from "./grade-tools.ts";
import { JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest, Meter } from "./judge.ts";

/** A judge that goes on calling is stopped after this many replies. */
export const MAX_TURNS = 10;

/** Bytes of one reply, unpacked: no verdict is as long. */
const LONGEST_REPLY = 4_000_000;

/** setTimeout's longest delay. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

const REMINDER =
  "You have not reported anything yet. What you wrote is not read: report your verdict now, only by calling set_waza_grade_pass or set_waza_grade_fail, once for each check.";

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Takes secrets out of what an error quotes, before it is cut; without it, errors are quoted as they are. */
  readonly redact?: (text: string) => string;
}

/** Errors after which asking again is useless: for the whole endpoint, or for one model. */
const STOPS = new Map<JudgeError["class"], "endpoint" | "model">([
  ["credentials", "endpoint"],
  ["quota", "endpoint"],
  ["unknown-model", "model"],
]);

interface Conversation {
  readonly request: JudgeRequest;
  readonly messages: unknown[];
  readonly checks: Check[];
  readonly texts: string[];
}

/**
 * Makes the judge of one endpoint. `load` brings the client library, so that it loads while files are read. The
 * client's own retries (2, for 408, 409, 429, 5xx and connections) are kept and counted.
 */
export function openaiJudge(endpoint: Endpoint, load: () => Promise<typeof OpenAI>): Judge {
  const { redact = (text: string) => text } = endpoint;
  const stopped = new Map<string, JudgeError>();
  let client: Promise<OpenAI> | undefined;

  async function send(
    { request, messages }: Conversation,
    meter: Meter,
    signal: AbortSignal,
  ): Promise<ChatReply> {
    client ??= load().then((Client) => makeClient(Client, endpoint));
    const counted = (await client).withOptions({
      fetch: (url, init) => {
        meter.requests += 1;
        // What the judge is shown goes to the endpoint that was named, and to no other.
        return fetch(url, { ...init, redirect: "error" });
      },
    });
    const tools = [...GRADE_TOOLS, ...(request.files?.tools ?? [])];
    const body = { model: request.model, messages, tools };
    const response = await counted.chat.completions
      .create(body as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming, { signal })
      .asResponse();
    const reply = readReply(await bodyOf(response), { turn: messages.length, redact });
    meter.input += reply.usage.input;
    meter.output += reply.usage.output;
    return reply;
  }

  return {
    grade: async (request, meter, signal) => {
      const stop = stopped.get("endpoint") ?? stopped.get(`model ${request.model}`);
      if (stop)
        throw new JudgeError(
          stop.class,
          `Not asked: ${stop.message}`,
          stop.help === undefined ? {} : { help: stop.help },
        );
      client ??= load().then((Client) => makeClient(Client, endpoint));
      await client;
      const conversation: Conversation = { request, messages: [...request.messages], checks: [], texts: [] };
      try {
        return await converse(conversation, () => send(conversation, meter, signal), { signal, redact });
      } catch (error) {
        const judgeError = signal.aborted
          ? (signal.reason as JudgeError)
          : classify(error, request.model, { baseUrl: endpoint.baseUrl, redact });
        const scope = STOPS.get(judgeError.class);
        if (scope) stopped.set(scope === "endpoint" ? scope : `model ${request.model}`, judgeError);
        if (conversation.checks.length === 0) throw judgeError;
        return answer(conversation, judgeError);
      }
    },
  };
}

/** The body of a response, up to a limit; a connection that breaks in the middle of it is the network's fault. */
async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > LONGEST_REPLY) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new JudgeError("network", `The judge's answer broke off: ${messageOf(cause)}`, { cause });
  }
  if (size <= LONGEST_REPLY) return Buffer.concat(chunks).toString("utf8");
  throw new JudgeError(
    "invalid-reply",
    `The judge's answer is longer than ${String(LONGEST_REPLY / 1e6)} MB.`,
  );
}

function makeClient(Client: typeof OpenAI, { baseUrl, apiKey }: Endpoint): OpenAI {
  const needsAccount = /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname);
  return new Client({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    logLevel: "off",
    // The grade's own time limit is the only one.
    timeout: LONGEST_TIMEOUT_MS,
    ...(needsAccount ? {} : { organization: null, project: null }),
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
  });
}

/**
 * Goes on until the judge stops calling tools; a finished answer without any call is reminded once. A turn that reads
 * files is none of the ten: the cap on reads bounds those.
 */
async function converse(
  conversation: Conversation,
  send: () => Promise<ChatReply>,
  { signal, redact }: { readonly signal: AbortSignal; readonly redact: (text: string) => string },
): Promise<JudgeAnswer> {
  const { messages, checks, texts, request } = conversation;
  const reads = () => request.files?.reads() ?? 0;
  let reminded = false;
  let unclear: string | undefined;
  for (let turn = 1; turn <= MAX_TURNS;) {
    const before = reads();
    const reply = await send();
    const text = reply.text.trim();
    if (text !== "" && text !== texts.at(-1)) texts.push(text);
    messages.push(reply.message);
    for (const call of reply.calls) {
      const check = toCheck(call.name, call.arguments, redact);
      if (check) {
        checks.push(check);
        unclear = undefined;
      }
      if (isUnclear(call.name)) unclear = redact(call.name);
      const answered = check ? undefined : await request.files?.answer(call, signal);
      const content = answered ?? acknowledgement(call.name, check);
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
    if (reads() === before) turn += 1;
    if (reply.unfinished) throw reply.unfinished;
    if (reply.calls.length > 0) continue;
    if (unclear !== undefined) throw unclearCall(unclear);
    if (checks.length > 0 || reminded) return answer(conversation);
    reminded = true;
    messages.push({ role: "user", content: REMINDER });
  }
  throw new JudgeError(
    "turn-limit",
    `The judge went on calling tools for ${String(MAX_TURNS)} turns and was stopped.`,
  );
}

/** It may have been a failure: what was reported beside it is kept, but is not all. */
function unclearCall(name: string): JudgeError {
  const help = "Use another judge model: this one misspells the tools it is given.";
  return new JudgeError(
    "invalid-reply",
    `The judge called ${JSON.stringify(shorten(name, 100))}, which is neither of its tools.`,
    { help },
  );
}

function acknowledgement(name: string, check: Check | undefined): string {
  if (check) return "Recorded.";
  return `There is no tool called ${JSON.stringify(name.slice(0, 64))}. Report by set_waza_grade_pass and set_waza_grade_fail.`;
}

function answer({ checks, texts, request }: Conversation, error?: JudgeError): JudgeAnswer {
  return {
    checks,
    text: texts.join("\n\n"),
    ...(request.files ? { reads: request.files.reads() } : {}),
    ...(error ? { incomplete: error.toGradeError() } : {}),
  };
}
