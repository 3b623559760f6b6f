/** How a judge's endpoint is reached: one connection pool an origin, through the environment's proxy, replies bounded. */
import { request } from "undici";
import type { Dispatcher } from "undici";
import { connectionsTo } from "../../network/connections.ts";
import { messageOf } from "../../text/errors.ts";

/** Bytes of one reply: no verdict is as long. */
const LONGEST_REPLY = 4_000_000;
/** Statuses whose replies have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A reply that was longer than any verdict. */
export class ReplyTooLong extends Error {}

/** A reply that began, and broke off. */
export class HalfReply extends Error {}

/** What openai's clients give a `fetch`. */
interface Init {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: ConstructorParameters<typeof Headers>[0];
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** `fetch` as openai's clients take it. */
export type JudgeFetch = (url: string, init: Init) => Promise<Response>;

/**
 * Makes the fetch of a run. A reply is read whole, so that one which breaks off is an error and not half a verdict.
 * Redirects are not followed: what a judge is shown goes to the endpoint that was named. Only the grade's own time
 * limits a request, so the connections have no timeouts of their own. undici's `request` takes half the time of its `fetch`.
 */
export function judgeFetch(maxConnections: number): JudgeFetch {
  const pools = new Map<string, Dispatcher>();
  return async (url, { headers: given, ...init }) => {
    const { origin } = new URL(url);
    const dispatcher = pools.get(origin) ?? connectionsTo(origin, maxConnections);
    pools.set(origin, dispatcher);
    // Without it some servers compress, which a `request` leaves as it is.
    const asked = { "accept-encoding": "identity", ...Object.fromEntries(new Headers(given)) };
    const sending = request(url, { ...init, headers: asked, dispatcher });
    const reply = await Promise.race([sending, abortOf(init.signal)]);
    const { statusCode: status } = reply;
    const bytes = await whole(reply.body);
    const text = status < 400 ? bytes : asOpenAiSays(bytes.toString("utf8"));
    const headers = Object.entries(reply.headers).map(([name, value]) => [name, String(value)] as const);
    return new Response(WITHOUT_BODY.has(status) ? null : text, {
      status,
      headers: Object.fromEntries(headers),
    });
  };
}

/** Rejects at an abort, which undici's `request` hears only once it has a connection. */
export function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => {
      reject(signal?.reason as Error);
    };
    signal?.addEventListener("abort", give, { once: true });
  });
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

async function whole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
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
