// The bench's judge, in a process of its own (fork): it finds the task's mark in a request, waits, and answers as it
// means to for that task, or with a fault. What a request gets is decided by seed, task and how often the task was
// asked, so that every run meets the same faults. Loopback only; it ends when its parent does.
import { closeSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chance, described, meant } from "./bench-meant.ts";
import type { JudgeOrder, JudgeReport, JudgeSettings } from "./bench-meant.ts";

const MARK = /MARK-(\d{4})/;
/** A connection that hangs is kept no longer than this, whatever its client does. */
const LONGEST_HANG_MS = 60_000;

let settings: JudgeSettings = { latencyMs: 0, answer: "tool" };
let report = emptyReport();
let bodies: number | undefined;
let now = 0;
let cpuBefore = process.cpuUsage();

function emptyReport(): JudgeReport {
  return { requests: 0, first: 0, mostAtOnce: 0, asked: {}, faults: {}, unmarked: 0, cpuSeconds: 0 };
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  now += 1;
  report.mostAtOnce = Math.max(report.mostAtOnce, now);
  response.on("close", () => {
    now -= 1;
  });
  if (report.first === 0) report.first = performance.timeOrigin + performance.now();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    receive(Buffer.concat(chunks), request, response);
  });
});

function receive(body: Buffer, request: IncomingMessage, response: ServerResponse): void {
  report.requests += 1;
  const text = body.toString("latin1");
  const task = MARK.exec(text)?.[1];
  if (task === undefined) {
    report.unmarked += 1;
    send(response, 400, { error: { message: "no mark", type: "invalid_request_error" } });
    return;
  }
  const times = (report.asked[task] ?? 0) + 1;
  report.asked[task] = times;
  if (bodies !== undefined) {
    writeSync(bodies, body);
    writeSync(bodies, "\n");
  }
  const fault = faultOf(task, times);
  if (fault) report.faults[fault] = (report.faults[fault] ?? 0) + 1;
  setTimeout(() => {
    answer({ task, fault, text, url: request.url ?? "" }, response);
  }, settings.latencyMs);
}

function faultOf(task: string, times: number): string | undefined {
  let at = chance(`${String(settings.seed ?? 0)}/${task}/${String(times)}`);
  for (const [name, share] of Object.entries(settings.faults ?? {})) {
    if (at < share) return name;
    at -= share;
  }
  return undefined;
}

interface Received {
  readonly task: string;
  readonly fault: string | undefined;
  readonly text: string;
  readonly url: string;
}

function answer({ task, fault, text, url }: Received, response: ServerResponse): void {
  if (fault === "hang") {
    setTimeout(() => response.destroy(), LONGEST_HANG_MS).unref();
    return;
  }
  if (fault === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (fault === "429") {
    send(response, 429, { error: { message: "Rate limit reached", type: "rate_limit_exceeded" } });
    return;
  }
  if (fault === "500") {
    send(response, 500, { error: { message: "The server had an error", type: "server_error" } });
    return;
  }
  send(response, 200, completion(task, text, url));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** As each client wants it: a call of waza's tools, a choice (autoevals), or JSON in the text (promptfoo). */
function completion(task: string, text: string, url: string): unknown {
  const { outcome, reason } = meant(task, settings.fails);
  const good = outcome === "pass";
  const called = (name: string, args: unknown) => ({
    content: null,
    tool_calls: [
      { id: `call_${task}`, type: "function", function: { name, arguments: JSON.stringify(args) } },
    ],
  });
  const message =
    settings.answer === "tool"
      ? called(`set_waza_grade_${outcome}`, { description: described(task), reason })
      : settings.answer === "choice"
        ? called("select_choice", { reasons: reason, choice: good ? "Y" : "N" })
        : { content: JSON.stringify({ reason, pass: good, score: good ? 1 : 0 }) };
  if (url.endsWith("/responses"))
    throw new Error(`the bench's judge speaks chat completions: ${text.slice(0, 200)}`);
  return {
    id: "chatcmpl-bench",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "gpt-4o-mini-2026-01-01",
    choices: [
      {
        index: 0,
        finish_reason: settings.answer === "json" ? "stop" : "tool_calls",
        logprobs: null,
        message: { role: "assistant", refusal: null, ...message },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
}

function obey(order: JudgeOrder): void {
  if (order.order === "settings") {
    settings = order.settings;
    report = emptyReport();
    cpuBefore = process.cpuUsage();
    if (bodies !== undefined) closeSync(bodies);
    bodies = settings.bodies === undefined ? undefined : openSync(settings.bodies, "w");
    process.send?.({ done: true });
  } else {
    const { user, system } = process.cpuUsage(cpuBefore);
    process.send?.({ ...report, cpuSeconds: (user + system) / 1e6 });
  }
}

process.on("message", (order) => {
  obey(order as JudgeOrder);
});
process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1` });
});
