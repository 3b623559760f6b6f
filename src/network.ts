/** HTTP over connections that are kept alive, through the proxy that the environment names. */
import type { Agent, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { messageOf } from "./errors.ts";
import { checkBypass } from "@actions/http-client/lib/proxy";

// Not imported: a module that imports node:http has Node load its WebSocket and its fetch too, 20 ms before the start.
const http = process.getBuiltinModule("node:http");
const https = process.getBuiltinModule("node:https");

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Gives the agent that keeps an address's connections. Throws for a proxy that cannot be used. */
export type Agents = (url: string) => Agent;

/** How a request is sent: over which connections, until when, and bytes of the longest reply. */
export interface ExchangeOptions {
  readonly agents?: Agents | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly longest: number;
}

/** A proxy has this long to make a tunnel; replies may take longer, since nobody listens for Node's `timeout` event. */
const TUNNEL_MS = 10_000;

/** A reply that was longer than its reader wants. */
export class ReplyTooLong extends Error {}

/** A reply that began, and broke off. */
export class HalfReply extends Error {}

/**
 * Sends a request and reads the whole reply, whatever its status; redirects are not followed. Throws Node's error when
 * there is no whole reply, ReplyTooLong, and the signal's reason once it is aborted.
 */
export async function exchange(
  { method, url, headers, body }: HttpRequest,
  { agents, signal, longest }: ExchangeOptions,
): Promise<HttpReply> {
  signal?.throwIfAborted();
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const all = { ...headers, ...(bytes ? { "content-length": bytes.length } : {}) };
  try {
    const options = {
      method,
      headers: all,
      ...(signal ? { signal } : {}),
      ...(agents ? { agent: agents(url), timeout: TUNNEL_MS } : {}),
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const { request } = url.startsWith("https:") ? https : http;
      const sent = request(url, options, resolve);
      sent.on("error", reject);
      // Node does not end a request itself that still waits for a proxy's tunnel.
      signal?.addEventListener("abort", reject, { once: true });
      // Another protocol than the one that was asked for: without a listener the promise would never settle.
      sent.on("upgrade", (_, socket) => {
        socket.destroy();
        reject(new Error("it wants to speak another protocol"));
      });
      sent.end(bytes);
    });
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await read(response, longest),
    };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw error;
  }
}

async function read(response: IncomingMessage, longest: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > longest) throw new ReplyTooLong(`The answer is longer than ${String(longest / 1e6)} MB.`);
      chunks.push(chunk);
    }
  } catch (error) {
    response.destroy();
    if (error instanceof ReplyTooLong) throw error;
    throw new HalfReply(`the answer broke off: ${messageOf(error)}`, { cause: error });
  }
  if (!response.complete) throw new HalfReply("the answer broke off");
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}

/**
 * The connections of each address, at most `maxSockets` of them: one agent an origin, so that what was opened for one
 * is never used for another. HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read as GitHub's own actions read them
 * (@actions/http-client), and followed by Node (https://nodejs.org/api/http.html#built-in-proxy-support).
 */
export function connections(maxSockets: number): Agents {
  const agents = new Map<string, Agent>();
  return (url) => {
    const { origin } = new URL(url);
    const agent = agents.get(origin) ?? agentFor(origin, maxSockets);
    agents.set(origin, agent);
    return agent;
  };
}

function agentFor(origin: string, maxSockets: number): Agent {
  const secured = origin.startsWith("https:");
  const proxy = proxyFor(new URL(origin));
  const options = {
    keepAlive: true,
    maxSockets,
    ...(proxy === undefined ? {} : { proxyEnv: { [secured ? "HTTPS_PROXY" : "HTTP_PROXY"]: proxy } }),
  };
  return secured ? new https.Agent(options) : new http.Agent(options);
}

/** The proxy of an address; undefined for none. One that cannot be used is an error: a key must not go past it. */
function proxyFor(url: URL): string | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = process.env[name.toLowerCase()] || process.env[name] || "";
  if (value.trim() === "" || checkBypass(url)) return undefined;
  const proxy = URL.parse(value.includes("://") ? value.trim() : `http://${value.trim()}`);
  if (!proxy || !/^https?:$/.test(proxy.protocol) || proxy.hostname === "" || !isDecodable(proxy))
    throw new Error(`\`${name}\` does not name an HTTP proxy, such as \`http://proxy.example:3128\``);
  if (!KNOWS_PROXIES)
    throw new Error(
      `Node ${process.versions.node} cannot go through the proxy that \`${name}\` names; update the runner, which brings it`,
    );
  return proxy.href;
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Agents take `proxyEnv` since Node 24.5; older ones would ignore it and go straight to the address. */
const KNOWS_PROXIES = atLeast(24, 5);

function atLeast(major: number, minor: number): boolean {
  const [ofNode = 0, within = 0] = process.versions.node.split(".").map(Number);
  return ofNode > major || (ofNode === major && within >= minor);
}

/** Redirects that are followed, one after the other. */
const MOST_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);
/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` over these connections, for a client that takes one, to one origin; bodies are texts. Redirects are followed
 * within it alone and with the method they began with, as GitHub asks for
 * (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects).
 */
export function fetchOver(
  agents: Agents,
  { origin, longest }: { readonly origin: string; readonly longest: number },
) {
  return async (url: string, init: FetchInit): Promise<Response> => {
    const { method = "GET", headers = {}, body, signal } = init;
    let at = new URL(url);
    for (let redirects = 0; ; redirects += 1) {
      if (at.origin !== origin || redirects > MOST_REDIRECTS)
        throw new Error(`${origin} leads to ${at.origin}, where its token does not go`);
      const reply = await exchange({ method, url: at.href, headers, body }, { agents, signal, longest });
      if (!isElsewhere(reply.status)) return responseOf(reply, at.href);
      const { location } = reply.headers;
      if (!REDIRECTS.has(reply.status) || location === undefined)
        throw new Error(`${origin} answers with the status ${String(reply.status)}`);
      at = new URL(location, at);
    }
  };
}

function isElsewhere(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

export interface FetchInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

function responseOf({ status, headers, body }: HttpReply, url: string): Response {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  const response = new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: pairs });
  return Object.defineProperty(response, "url", { value: url });
}
