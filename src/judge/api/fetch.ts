/** How a judge's endpoint is reached: one connection pool an origin, through the environment's proxy, replies bounded. */
import { request } from "undici";
import type { Dispatcher } from "undici";
import { connectionsTo } from "../../network/connections.ts";
import { readBody } from "./body.ts";

/** Statuses whose replies have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
/** What a `Headers` holds; all that is read of a reply is of these characters. */
const PLAIN_VALUE = /^[\t\x20-\x7e]*$/;
/** The highest status that a `Response` takes. */
const LAST_STATUS = 599;

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
 * Makes the fetch of a run. Redirects are not followed: what a judge is shown goes to the endpoint that was named. Only
 * the grade's own time limits a request, so the connections have no timeouts. undici's `request` takes half the time of its `fetch`.
 */
export function judgeFetch(maxConnections: number): JudgeFetch {
  const pools = new Map<string, Dispatcher>();
  return async (url, { headers: given, ...init }) => {
    const { origin } = new URL(url);
    const dispatcher = pools.get(origin) ?? connectionsTo(origin, maxConnections);
    pools.set(origin, dispatcher);
    // Without it some servers compress; some do all the same.
    const asked = { "accept-encoding": "identity", ...Object.fromEntries(new Headers(given)) };
    const sending = request(url, { ...init, headers: asked, dispatcher });
    const { statusCode: status, headers, body } = await unlessAborted(sending, init.signal);
    const bytes = await readBody(body, String(headers["content-encoding"] ?? ""));
    const text = status < 400 ? bytes : asOpenAiSays(bytes.toString("utf8"));
    const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    const response = new Response(WITHOUT_BODY.has(status) ? null : text, {
      status: Math.min(status, LAST_STATUS),
      headers: Object.fromEntries(plain.filter(([, value]) => PLAIN_VALUE.test(value))),
    });
    // A status beyond them is an error of the server (RFC 9110, 15), and named as it came.
    return status > LAST_STATUS ? Object.defineProperty(response, "status", { value: status }) : response;
  };
}

/** Does the work unless the signal is aborted, which undici's `request` hears only once it has a connection. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const give = () => {
    reject(signal?.reason as Error);
  };
  signal?.addEventListener("abort", give);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // The listener holds the request, and a signal may outlive many of them.
    signal?.removeEventListener("abort", give);
  }
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
