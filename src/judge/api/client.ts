/** openai's clients, one per endpoint. Retries and limits are our own, since each attempt is reserved and counted. */
import type * as openai from "openai";
import type { APIError, AzureOpenAI, OpenAI } from "openai";
import { messageOf } from "../../text/errors.ts";
import { asSentence } from "../../text/format.ts";
import type { Endpoint } from "./endpoint.ts";
import { IncompleteReply } from "./body.ts";
import { unlessAborted } from "./fetch.ts";
import type { JudgeFetch } from "./fetch.ts";
import { JudgeError } from "../judge.ts";
import { LONGEST_TIMEOUT_MS } from "../../text/duration.ts";
import type { RequestProfile } from "./wire.ts";

/** A successful reply (2xx). */
export interface JudgeReply {
  readonly headers: Headers;
  readonly text: string;
}

/** Sends one request; throws HttpError for an HTTP error, and JudgeError without a complete reply. */
export type Post = (
  endpoint: Endpoint,
  request: { readonly api: RequestProfile["api"]; readonly body: object },
  signal: AbortSignal,
) => Promise<JudgeReply>;

/** GitHub's identity tokens for a workload identity. */
export interface TokenSource {
  /** Requests a token to exchange. */
  readonly subject: () => Promise<string>;
  /** Registers a token as a secret, to be redacted in all output. */
  readonly addSecret: (token: string) => void;
}

/** Makes the function that sends requests; the library is loaded at the first one. */
export function poster(fetch: JudgeFetch, tokens?: TokenSource): Post {
  const clients = new Map<Endpoint, OpenAI>();
  return async (endpoint, { api, body }, signal) => {
    const library = await import("openai");
    const client = clients.get(endpoint) ?? clientFor(endpoint, library, { fetch, tokens });
    clients.set(endpoint, client);
    const options = { signal };
    try {
      const { chat, responses } = client;
      const promise =
        api === "chat"
          ? chat.completions.create(body as Parameters<typeof chat.completions.create>[0], options)
          : responses.create(body as Parameters<typeof responses.create>[0], options);
      // A token exchange serves several grades, so one grade's signal must not abort it.
      const response = await unlessAborted(promise.asResponse(), endpoint.identity && signal);
      return { headers: response.headers, text: (await response.text()).replace(/^\uFEFF/, "") };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isHttpError(error)) throw error;
      throw unreachable(error, `The judge at \`${endpoint.baseUrl}\``, "`base-url`, ");
    }
  };
}

/** openai's error for a status other than 2xx. */
export type HttpError = APIError & { readonly status: number; readonly headers: Headers };

export function isHttpError(error: unknown): error is HttpError {
  const { status, headers } = error as Partial<APIError>;
  return typeof status === "number" && headers !== undefined;
}

/** Disables what the library would read from the environment and send to any endpoint. */
function clientFor(
  { baseUrl, apiKey, identity, azure, headers }: Endpoint,
  library: Pick<typeof openai, "OpenAI" | "AzureOpenAI">,
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
  return azureClient({ ...common, ...azure }, apiKey, library.AzureOpenAI);
}

const KEYLESS = { authorization: null, "api-key": null };

/** Registers each OpenAI token as a secret before it is used: the library renews it before it expires or when it is refused. */
function withSecretTokens(fetch: JudgeFetch, { addSecret }: TokenSource): JudgeFetch {
  return async (url, init) => {
    const token = new Headers(init.headers).get("authorization")?.replace(/^Bearer /, "");
    if (token === undefined) return await exchange(fetch, url, init);
    addSecret(token);
    return await fetch(url, init);
  };
}

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

/** Headers of all replies of OpenAI's token exchange, to recognize its errors. */
const TOKEN_EXCHANGE_HEADERS = new WeakSet<object>();

/** Whether the error is from OpenAI's token exchange, not from the API. */
export function isTokenExchangeError({ headers }: HttpError): boolean {
  return TOKEN_EXCHANGE_HEADERS.has(headers);
}

async function identityToken({ subject, addSecret }: TokenSource): Promise<string> {
  try {
    const token = await subject();
    addSecret(token);
    return token;
  } catch (error) {
    const reason = messageOf(error).replace(/\s+/g, " ");
    const help = "Run the job again; it needs `id-token: write` in its `permissions`.";
    throw new JudgeError("credentials", asSentence(`GitHub gave no identity token: ${reason}`), { help });
  }
}

/** An Entra token is a JWT and is sent as a bearer token; Azure's own keys have a separate header. */
function azureClient(
  options: ConstructorParameters<typeof AzureOpenAI>[0],
  key: string | undefined,
  Client: typeof AzureOpenAI,
): OpenAI {
  return key?.startsWith("eyJ")
    ? new Client({ ...options, apiKey: "", azureADTokenProvider: () => Promise.resolve(key) })
    : new Client({ ...options, apiKey: key ?? "none" });
}

function unreachable(error: unknown, who: string, input: string): JudgeError {
  const cause = rootCause(error);
  if (cause instanceof JudgeError) return cause;
  const { code } = cause as { readonly code?: unknown };
  const reason = messageOf(cause);
  const detail = typeof code === "string" && !reason.includes(code) ? `${code} · ${reason}` : reason;
  const message = asSentence(`${who} could not be reached: ${detail}`);
  return new JudgeError("network", message, {
    help: `Check ${input}the runner's network and its proxy.`,
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
