/** How a judge's endpoint is reached: one connection pool an origin, through the environment's proxy, replies bounded. */
import { fetch } from "undici";
import type { Dispatcher, RequestInit } from "undici";
import { connectionsTo } from "../../connections.ts";
import { messageOf } from "../../errors.ts";

/** Bytes of one reply: no verdict is as long. */
const LONGEST_REPLY = 4_000_000;
/** Statuses whose replies have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A reply that was longer than any verdict. */
export class ReplyTooLong extends Error {}

/** A reply that began, and broke off. */
export class HalfReply extends Error {}

/** `fetch` as openai's clients take it. */
export type JudgeFetch = (url: string, init?: object) => Promise<Response>;

/**
 * Makes the fetch of a run. A reply is read whole, so that one which breaks off is an error and not half a verdict.
 * Redirects are not followed: what a judge is shown goes to the endpoint that was named. Only the grade's own time
 * limits a request, so the connections have no timeouts of their own.
 */
export function judgeFetch(maxConnections: number): JudgeFetch {
  const pools = new Map<string, Dispatcher>();
  return async (url, init) => {
    const { origin } = new URL(url);
    const dispatcher = pools.get(origin) ?? connectionsTo(origin, maxConnections);
    pools.set(origin, dispatcher);
    const options: RequestInit = { ...init, redirect: "manual", dispatcher };
    const { status, headers, body } = await fetch(url, options);
    const bytes = await whole(body ?? []);
    const text = status < 400 ? bytes : asOpenAiSays(bytes.toString("utf8"));
    return new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers: [...headers] });
  };
}

/** An error's body in OpenAI's form, which its client reads: others send the fields bare, or in a list (Google). */
function asOpenAiSays(body: string): string {
  try {
    const value = JSON.parse(body) as unknown;
    const first = (Array.isArray(value) ? value[0] : value) as object | null;
    return JSON.stringify(
      typeof first === "object" && first !== null && "error" in first ? first : { error: first },
    );
  } catch {
    return body;
  }
}

async function whole(body: AsyncIterable<Uint8Array> | Iterable<never>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > LONGEST_REPLY) throw new ReplyTooLong("The judge's answer is longer than 4 MB.");
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ReplyTooLong) throw error;
    throw new HalfReply(`the answer broke off: ${messageOf(error)}`, { cause: error });
  }
  return Buffer.concat(chunks);
}
