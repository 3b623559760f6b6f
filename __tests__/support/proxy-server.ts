/** A forward proxy on 127.0.0.1, with TLS behind it: it reaches only what the test tells it, by names no DNS knows. */
import { readFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";

const TLS = join(import.meta.dirname, "..", "fixtures", "tls");
/** What has to be in NODE_EXTRA_CA_CERTS of who talks to `judge.example` and `api.github.example` by TLS. */
export const CERTIFICATE = join(TLS, "certificate.pem");

export interface ProxyServer {
  readonly port: string;
  /** What it was asked for: by CONNECT, or by a whole address. */
  readonly asked: { readonly method: string; readonly target: string; readonly authorization?: string }[];
  readonly close: () => Promise<void>;
}

export interface ProxyOptions {
  /** What is behind port 443 shows these; for `judge.example` and `api.github.example` by default. */
  readonly tls?: { readonly key: string; readonly certificate: string };
  /** The port of 127.0.0.1 behind each `host:port`; port 443 is given TLS. */
  readonly reaches?: Readonly<Record<string, string>>;
  /** Answers every request with this status, and every CONNECT. */
  readonly refuses?: number;
  /** Closes each CONNECT without an answer, and refuses one that comes after fifty of them. */
  readonly closes?: boolean;
  /** Takes a CONNECT, tells of it, and never answers. */
  readonly hangs?: () => void;
  /** Makes each tunnel, and nothing comes out of it. */
  readonly silent?: boolean;
  /** Answers each CONNECT with 200 and this, in one packet. */
  readonly adds?: string;
}

export async function startProxy({
  reaches = {},
  refuses,
  closes,
  hangs,
  silent,
  adds,
  tls = { key: join(TLS, "key.pem"), certificate: CERTIFICATE },
}: ProxyOptions): Promise<ProxyServer> {
  const asked: ProxyServer["asked"] = [];
  const sockets = new Set<Socket>();
  const note = ({ method = "", url = "", headers }: IncomingMessage, target = url) => {
    const authorization = headers["proxy-authorization"];
    asked.push({ method, target, ...(authorization === undefined ? {} : { authorization }) });
    return reaches[target];
  };
  const server = createServer((incoming, response) => {
    const port = note(incoming, hostOf(incoming));
    if (port === undefined || refuses !== undefined) response.writeHead(refuses ?? 502).end();
    else forward(incoming, response, port);
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (incoming, client: Socket) => {
    client.on("error", () => client.destroy());
    const port = note(incoming);
    if (hangs) {
      hangs();
      return;
    }
    if (closes && asked.length <= 50) {
      client.destroy();
      return;
    }
    if (adds !== undefined) {
      client.write(`HTTP/1.1 200 OK\r\n\r\n${adds}`);
      return;
    }
    if (port === undefined || refuses !== undefined) {
      client.end(`HTTP/1.1 ${String(refuses ?? 502)} No\r\n\r\n`);
      return;
    }
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (silent) return;
    const inside = incoming.url?.endsWith(":443") ? secured(client, tls) : client;
    const onward = connect(Number(port), "127.0.0.1");
    sockets.add(onward);
    for (const [one, other] of [
      [inside, onward],
      [onward, inside],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    onward.pipe(inside).pipe(onward);
  });
  return { port: await listening(server), asked, close: () => closed(server, sockets) };
}

/** Does some work with more variables in this process's environment, and takes them out again. */
export async function withVariables<T>(
  variables: Readonly<Record<string, string>>,
  work: () => T | Promise<T>,
): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    process.env = before;
  }
}

function hostOf({ url = "" }: IncomingMessage): string {
  return url.startsWith("http:") ? new URL(url).host : url;
}

function secured(client: Socket, tls: Required<ProxyOptions>["tls"]): Socket {
  const [key, cert] = [readFileSync(tls.key), readFileSync(tls.certificate)];
  return new TLSSocket(client, { isServer: true, key, cert });
}

function forward(incoming: IncomingMessage, response: ServerResponse, port: string): void {
  const { pathname, search } = new URL(incoming.url ?? "");
  const { method, headers } = incoming;
  const onward = request({ host: "127.0.0.1", port, path: pathname + search, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  incoming.pipe(onward);
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return String((server.address() as AddressInfo).port);
}

function closed(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    for (const socket of sockets) socket.destroy();
  });
}
