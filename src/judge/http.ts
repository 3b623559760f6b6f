/** One POST of JSON to a judge's endpoint, over connections that are kept alive. */
import { request as plain } from "node:http";
import type { Agent, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request as secure } from "node:https";
import { messageOf } from "../errors.ts";
import { JudgeError } from "./judge.ts";

/** Bytes of one reply: no verdict is as long. */
const LONGEST_REPLY = 4_000_000;

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The agent that keeps connections, and goes through a proxy where the environment names one. */
  readonly agent?: Agent | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Sends a request and reads the whole reply, whatever its status; redirects are not followed, since what the judge is
 * shown goes to the endpoint that was named, and to no other. Throws JudgeError `network` when there is no reply and
 * `invalid-reply` for one of more than 4 MB; throws the signal's reason once it is aborted.
 */
export async function post(
  { url, headers, body, agent }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpReply> {
  signal.throwIfAborted();
  const bytes = Buffer.from(body);
  const all = {
    ...headers,
    "content-type": "application/json",
    accept: "application/json",
    "content-length": bytes.length,
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = url.startsWith("https:") ? secure : plain;
      const sent = send(url, { method: "POST", headers: all, signal, ...(agent ? { agent } : {}) }, resolve);
      sent.on("error", reject);
      // Another protocol than the one that was asked for: without a listener the promise would never settle.
      sent.on("upgrade", (_, socket) => {
        socket.destroy();
        reject(new Error("it wants to speak another protocol"));
      });
      sent.end(bytes);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await read(response) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof JudgeError) throw error;
    const help = "Check `base-url` and the runner's network.";
    const message = `The judge at ${url.replace(/\?.*$/, "")} could not be reached: ${detail(error)}`;
    throw new JudgeError("network", message, { help, cause: error });
  }
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LONGEST_REPLY) {
      response.destroy();
      throw new JudgeError(
        "invalid-reply",
        `The judge's answer is longer than ${String(LONGEST_REPLY / 1e6)} MB.`,
      );
    }
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error("the answer broke off");
  return Buffer.concat(chunks).toString("utf8");
}

function detail(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  const said = messageOf(error);
  return typeof code === "string" && !said.includes(code) ? `${code} · ${said}` : said;
}
