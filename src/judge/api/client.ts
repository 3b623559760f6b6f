/** openai's clients, one per endpoint. Retries and limits are our own, since each attempt is reserved and counted. */
import { brotliDecompressSync, inflateRawSync, unzipSync } from "node:zlib";
import type * as openai from "openai";
import type { APIError, OpenAI } from "openai";
import { type Dispatcher, request } from "undici";
import type { Endpoint, RequestProfile } from "./wire.ts";
import { JudgeError } from "../judge.ts";
import { connectionsTo, readBody, unlessAborted } from "../../network/connections.ts";
import { LONGEST_TIMEOUT_MS, asSentence, messageOf, shorten, once } from "../../text/format.ts";

/** Maximum bytes of a reply, compressed and decompressed: far longer than any verdict. */
const MOST_REPLY_BYTES = 4_000_000;

/* `fetch` for judges: one connection pool per origin, through the environment's proxy, with a reply size limit. */

/** Statuses without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Header values that `Headers` accepts; the headers that we read have only these characters. */
const PLAIN_VALUE = /^[\t\x20-\x7e]*$/;
/** The highest status that `Response` accepts. */
const LAST_STATUS = 599;

export type JudgeFetch = (url: string, init: Init) => Promise<Response>;

/** The options that openai's clients pass to `fetch`. */
interface Init {
  readonly method: Dispatcher.HttpMethod;
  readonly headers: ConstructorParameters<typeof Headers>[0];
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/**
 * Makes the `fetch` of a run. Redirects are not followed: evidence goes only to the configured endpoint. The grade's
 * timeout limits a request, so connections have none. undici's `request` takes half the time of its `fetch`.
 */
export function judgeFetch(maxConnections: number): JudgeFetch {
  const pools = new Map<string, Dispatcher>();
  return async (url, init) => {
    const { origin } = new URL(url);
    const dispatcher = once(pools, origin, () => connectionsTo(origin, maxConnections));
    // Without it some servers compress; some do anyway.
    const requestHeaders = {
      "accept-encoding": "identity",
      ...Object.fromEntries(new Headers(init.headers)),
    };
    const reply = request(url, { ...init, headers: requestHeaders, dispatcher });
    const { statusCode: status, headers, body } = await unlessAborted(reply, init.signal);
    const bytes = await wholeReply(body, String(headers["content-encoding"] ?? ""));
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

/* Reads and decodes the body of a judge's reply, up to a size limit. */

/** A reply that was interrupted. */
export class IncompleteReply extends Error {}

/** Reads the whole body, so that an interrupted one is an error and not half a verdict. */
async function wholeReply(body: AsyncIterable<Uint8Array>, encoding: string): Promise<Buffer> {
  const bytes = await readBody(body, MOST_REPLY_BYTES, tooLongError).catch((error: unknown) => {
    if (error instanceof JudgeError) throw error;
    throw new IncompleteReply(`the reply was interrupted: ${messageOf(error)}`, { cause: error });
  });
  return decompressed(bytes, encoding.toLowerCase());
}

function tooLongError(): JudgeError {
  return new JudgeError("invalid-reply", "The judge's reply is longer than 4 MB.", {
    help: "Use another judge model.",
  });
}

const LIMIT = { maxOutputLength: MOST_REPLY_BYTES };

/** Decompresses the body: some servers and proxies compress despite `accept-encoding: identity`. */
function decompressed(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "" || encoding === "identity" || bytes.length === 0) return bytes;
  try {
    if (encoding === "br") return brotliDecompressSync(bytes, LIMIT);
    if (encoding === "gzip" || encoding === "x-gzip") return unzipSync(bytes, LIMIT);
    // Some servers omit zlib's header, in which the low half of the first byte is 8.
    if (encoding === "deflate")
      return (bytes.readUInt8() & 15) === 8 ? unzipSync(bytes, LIMIT) : inflateRawSync(bytes, LIMIT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLongError();
    throw encodingError(encoding, `cannot be decoded (${messageOf(error)})`);
  }
  throw encodingError(encoding, "is not supported");
}

function encodingError(encoding: string, fault: string): JudgeError {
  const message = `The judge's reply cannot be read: its \`content-encoding: ${shorten(encoding, 40)}\` ${fault}.`;
  return new JudgeError("invalid-reply", message, {
    help: "Make the server, or the gateway in front of it, respect `accept-encoding: identity`.",
  });
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

/** GitHub's identity tokens for a workload identity. */
export interface TokenSource {
  /** Requests a token to exchange. */
  readonly subject: () => Promise<string>;
  /** Registers a token as a secret, to be redacted in all output. */
  readonly addSecret: (token: string) => void;
}

/** A successful reply (2xx). */
export interface JudgeReply {
  readonly headers: Headers;
  readonly text: string;
}

export type EndpointClients = ReturnType<typeof endpointClients>;

/** Makes the functions that send to endpoints, by openai's client of each; the library is loaded for the first one. */
export function endpointClients(fetch: JudgeFetch, tokens?: TokenSource) {
  const clients = new Map<Endpoint, OpenAI>();
  const clientOf = async (endpoint: Endpoint) => {
    const library = await import("openai");
    return once(clients, endpoint, () => clientFor(endpoint, library, { fetch, tokens }));
  };
  return {
    /** Reads JSON from a path of an endpoint; throws as the library does. */
    get: async (endpoint: Endpoint, path: string, signal: AbortSignal) => {
      const client = await clientOf(endpoint);
      return await unlessAborted(client.get<unknown>(path, { signal }), signal);
    },
    /** Sends a request; throws HttpError for an HTTP error, JudgeError without a complete reply. */
    post: async (
      endpoint: Endpoint,
      { api, body }: { readonly api: RequestProfile["api"]; readonly body: object },
      signal: AbortSignal,
    ): Promise<JudgeReply> => {
      const { chat, responses } = await clientOf(endpoint);
      try {
        const reply =
          api === "chat"
            ? chat.completions.create(body as never, { signal })
            : responses.create(body as never, { signal });
        // A token exchange serves several grades, so one grade's signal must not abort it.
        const response = await unlessAborted(reply.asResponse(), endpoint.identity && signal);
        return { headers: response.headers, text: (await response.text()).replace(/^\uFEFF/, "") };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (isHttpError(error)) throw error;
        throw unreachable(error, `The judge at \`${endpoint.baseUrl}\``, "`base-url`, ");
      }
    },
  };
}

const KEYLESS = { authorization: null, "api-key": null };

/** Disables what the library would read from the environment and send to any endpoint. */
function clientFor(
  { baseUrl, apiKey, identity, azure, headers }: Endpoint,
  library: typeof openai,
  { fetch, tokens }: { readonly fetch: JudgeFetch; readonly tokens?: TokenSource | undefined },
): OpenAI {
  delete process.env.OPENAI_CUSTOM_HEADERS;
  const common = {
    baseURL: baseUrl,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    // The grade's deadline ends a request instead.
    timeout: LONGEST_TIMEOUT_MS,
    logLevel: "off" as const,
    fetch: (identity && tokens ? withSecretTokens(fetch, tokens) : fetch) as unknown as NonNullable<
      ConstructorParameters<typeof OpenAI>[0]
    >["fetch"],
    defaultHeaders: { "user-agent": "waza-grade", ...((apiKey ?? identity) ? {} : KEYLESS), ...headers },
  };
  if (identity && tokens) {
    const provider = { tokenType: "jwt" as const, getToken: () => identityToken(tokens) };
    return new library.OpenAI({ ...common, apiKey: null, workloadIdentity: { ...identity, provider } });
  }
  if (!azure) return new library.OpenAI({ ...common, apiKey: apiKey ?? "none" });
  // An Entra token is a JWT and is sent as a bearer token; Azure's own keys have a separate header.
  const key = apiKey?.startsWith("eyJ")
    ? { apiKey: "", azureADTokenProvider: () => Promise.resolve(apiKey) }
    : { apiKey: apiKey ?? "none" };
  return new library.AzureOpenAI({ ...common, ...azure, ...key });
}

/** Registers each OpenAI token as a secret before it is used: the library renews it before it expires or when it is refused. */
function withSecretTokens(fetch: JudgeFetch, { addSecret }: TokenSource): JudgeFetch {
  return async (url, init) => {
    const token = new Headers(init.headers).get("authorization")?.replace(/^Bearer /, "");
    if (token === undefined) return await exchange(fetch, url, init);
    addSecret(token);
    return await fetch(url, init);
  };
}

/** Headers of all replies of OpenAI's token exchange, to recognize its errors. */
const TOKEN_EXCHANGE_HEADERS = new WeakSet<object>();

/** Requests OpenAI's token; errors name the token exchange, not the judge. */
async function exchange(fetch: JudgeFetch, url: string, init: Parameters<JudgeFetch>[1]): Promise<Response> {
  const reply = await fetch(url, init).catch((error: unknown) => {
    throw unreachable(error, `OpenAI's token exchange at \`${url}\``, "");
  });
  TOKEN_EXCHANGE_HEADERS.add(reply.headers);
  const body: unknown = reply.ok ? await reply.clone().json().catch(String) : undefined;
  if (reply.ok && typeof (body as { access_token?: unknown } | null)?.access_token !== "string") {
    const help = "Check what answers at that address, for example the login page of a proxy or network.";
    const message = `OpenAI's token exchange at \`${url}\` answered ${String(reply.status)} without a token.`;
    throw new JudgeError("credentials", message, { help });
  }
  return reply;
}

function unreachable(error: unknown, who: string, input: string): JudgeError {
  const cause = rootCause(error);
  if (cause instanceof JudgeError) return cause;
  const { code } = cause as { readonly code?: unknown };
  const reason = messageOf(cause);
  const detail = typeof code === "string" && !reason.includes(code) ? `${code} · ${reason}` : reason;
  const message = asSentence(`${who} could not be reached: ${detail}`);
  const isPlain = code === "ERR_SSL_WRONG_VERSION_NUMBER" || reason.includes("wrong version number");
  return new JudgeError("network", message, {
    help: isPlain
      ? "What answers there does not speak TLS: write `http://` in `base-url`, or the port that has TLS."
      : `Check ${input}the runner's network and its proxy.`,
    cause,
  });
}

/** The library and undici wrap errors. */
function rootCause(error: unknown): unknown {
  let at = error;
  while (!(at instanceof IncompleteReply || at instanceof JudgeError) && (at as Error).cause !== undefined)
    at = (at as Error).cause;
  return at;
}

async function identityToken({ subject, addSecret }: TokenSource): Promise<string> {
  try {
    const token = await subject();
    addSecret(token);
    return token;
  } catch (error) {
    const message = asSentence(`GitHub gave no identity token: ${messageOf(error)}`);
    const help = "Run the job again; it needs `id-token: write` in its `permissions`.";
    throw new JudgeError("credentials", message, { help });
  }
}

/** openai's error for a status other than 2xx. */
export type HttpError = APIError & { readonly status: number; readonly headers: Headers };

export function isHttpError(error: unknown): error is HttpError {
  const { status, headers } = Object(error) as Partial<APIError>;
  return typeof status === "number" && headers !== undefined;
}

/** The endpoint's own error, where a judge error is of one. */
export function httpOf({ cause }: JudgeError): HttpError | undefined {
  return isHttpError(cause) ? cause : undefined;
}

/** Whether the error is from OpenAI's token exchange, not from the API. */
export function isTokenExchangeError({ headers }: HttpError): boolean {
  return TOKEN_EXCHANGE_HEADERS.has(headers);
}
