/** Connections to judges and to GitHub, through the environment's proxy. */
import { checkBypass, getProxyUrl } from "@actions/http-client/lib/proxy";
import { Agent, type Dispatcher, Pool, ProxyAgent } from "undici";
import { messageOf } from "../text/format.ts";

/** A pool of at most `connections` to an origin. It has no timeouts: callers limit their requests. */
export function connectionsTo(origin: string, connections: number): Dispatcher {
  const options = { connections, headersTimeout: 0, bodyTimeout: 0 };
  const proxy = proxyFor(new URL(origin));
  if (proxy === undefined) return new Agent(options);
  const { username, password, origin: uri } = proxy;
  const token =
    username === "" ? {} : { token: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  const clientFactory = (at: URL, poolOptions: object) => new ProxyPool(at, poolOptions);
  return new ProxyAgent({ ...options, uri, ...token, clientFactory });
}

/** Turns a proxy's failures into errors; undici would reconnect endlessly, without a delay. */
class ProxyPool extends Pool {
  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const connection = await super.connect(options).catch((cause: unknown) => {
      throw new Error(`the proxy made no connection: ${messageOf(cause)}`, { cause });
    });
    // In both HTTP and TLS the client sends first.
    if (connection.socket.readableLength === 0) return connection;
    connection.socket.on("error", () => undefined).destroy();
    throw new Error("the proxy made no connection: it sent data after its answer to CONNECT");
  }
}

/** The proxy, chosen as GitHub's own actions do. An unusable one is an error: a key must not bypass the proxy. */
function proxyFor(url: URL): URL | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  if (!(process.env[name.toLowerCase()] || process.env[name]) || checkBypass(url)) return undefined;
  const proxy = readProxy(url);
  if (proxy !== undefined && /^https?:$/.test(proxy.protocol) && proxy.hostname !== "") return proxy;
  throw new Error(`\`${name}\` does not name an HTTP proxy, such as \`http://proxy.example:3128\``);
}

function readProxy(url: URL): URL | undefined {
  try {
    return getProxyUrl(url);
  } catch {
    return undefined;
  }
}

/** All bytes of a body; throws `tooLong` where there are more than `most`. */
export async function readBody(
  parts: AsyncIterable<Uint8Array>,
  most: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of parts) {
    bytes += chunk.length;
    if (bytes > most) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Waits for work; rejects with an abort's reason. undici's `request` hears an abort only once it has a connection. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => {
    reject(signal?.reason as Error);
  };
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    // The listener keeps the request in memory, and a signal may outlive many requests.
    signal?.removeEventListener("abort", abort);
  }
}
