/** `fetch` for judges: one connection pool per origin, through the environment's proxy, with a reply size limit. */
import { request } from "undici";
import type { Dispatcher } from "undici";
import { connectionsTo } from "../../network/connections.ts";
import { readBody } from "./body.ts";

/** Statuses without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
/** Header values that `Headers` accepts; the headers that we read have only these characters. */
const PLAIN_VALUE = /^[\t\x20-\x7e]*$/;
/** The highest status that `Response` accepts. */
const LAST_STATUS = 599;

/** The options that openai's clients pass to `fetch`. */
interface Init {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: ConstructorParameters<typeof Headers>[0];
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export type JudgeFetch = (url: string, init: Init) => Promise<Response>;

/**
 * Makes the `fetch` of a run. Redirects are not followed: evidence goes only to the configured endpoint. The grade's
 * timeout limits a request, so connections have none. undici's `request` takes half the time of its `fetch`.
 */
export function judgeFetch(maxConnections: number): JudgeFetch {
  const pools = new Map<string, Dispatcher>();
  return async (url, init) => {
    const { origin } = new URL(url);
    const dispatcher = pools.get(origin) ?? connectionsTo(origin, maxConnections);
    pools.set(origin, dispatcher);
    // Without it some servers compress; some do anyway.
    const requestHeaders = {
      "accept-encoding": "identity",
      ...Object.fromEntries(new Headers(init.headers)),
    };
    const reply = request(url, { ...init, headers: requestHeaders, dispatcher });
    const { statusCode: status, headers, body } = await unlessAborted(reply, init.signal);
    const bytes = await readBody(body, String(headers["content-encoding"] ?? ""));
    const text = status < 400 ? bytes : toOpenAiError(bytes.toString("utf8"));
    const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
    const response = new Response(WITHOUT_BODY.has(status) ? null : text, {
      status: Math.min(status, LAST_STATUS),
      headers: Object.fromEntries(plain.filter(([, value]) => PLAIN_VALUE.test(value))),
    });
    // A higher status is a server error (RFC 9110, 15), and is reported unchanged.
    return status > LAST_STATUS ? Object.defineProperty(response, "status", { value: status }) : response;
  };
}

/** Rejects when the signal is aborted: undici's `request` hears an abort only once it has a connection. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => {
    reject(signal?.reason as Error);
  };
  signal?.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // The listener keeps the request in memory, and a signal may outlive many requests.
    signal?.removeEventListener("abort", abort);
  }
}

/** An error body in OpenAI's format, for its client: others send the fields at the top level, or in a list (Google). */
function toOpenAiError(body: string): string {
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
