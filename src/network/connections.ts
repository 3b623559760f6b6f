/** Connections to judges and to GitHub, through the proxy that the environment names. */
import { checkBypass, getProxyUrl } from "@actions/http-client/lib/proxy";
import { Agent, Pool, ProxyAgent } from "undici";
import type { Dispatcher } from "undici";
import { messageOf } from "../text/errors.ts";

/** The connections to an origin, as many at once at most. They have no timeouts: who sends a request limits its time. */
export function connectionsTo(origin: string, connections: number): Dispatcher {
  const options = { connections, headersTimeout: 0, bodyTimeout: 0 };
  const proxy = proxyFor(new URL(origin));
  if (proxy === undefined) return new Agent(options);
  const { username, password, origin: uri } = proxy;
  const token =
    username === "" ? {} : { token: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  const clientFactory = (at: URL, how: object) => new ToProxy(at, how);
  return new ProxyAgent({ ...options, uri, ...token, clientFactory });
}

/** Replaces a proxy's errors at which undici would connect again and again, without a wait. */
class ToProxy extends Pool {
  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const made = await super.connect(options).catch((cause: unknown) => {
      throw new Error(`the proxy made no connection: ${messageOf(cause)}`, { cause });
    });
    // In HTTP and TLS alike the client speaks first.
    if (made.socket.readableLength === 0) return made;
    made.socket.on("error", () => undefined).destroy();
    throw new Error("the proxy made no connection: it sent an answer of its own after the one to CONNECT");
  }
}

/** The proxy that GitHub's own actions would use; one that cannot be used is an error: a key must not go past it. */
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
