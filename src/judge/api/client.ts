/** openai's clients: one for each endpoint. Retries, pace and caps are ours, since each attempt is reserved and counted. */
import type * as openai from "openai";
import type { APIError, AzureOpenAI, OpenAI } from "openai";
import { messageOf } from "../../text/errors.ts";
import { asSentence } from "../../text/format.ts";
import type { Endpoint } from "./endpoint.ts";
import { HalfReply } from "./body.ts";
import { unlessAborted } from "./fetch.ts";
import type { JudgeFetch } from "./fetch.ts";
import { JudgeError } from "../judge.ts";
import type { Shape } from "./wire.ts";

/** Longer than any grade's own time, which ends a request (the longest that Node's timers take, in milliseconds). */
const NO_TIMEOUT = 2_147_483_647;

/** A reply with status 200 to 299. */
export interface JudgeReply {
  readonly headers: Headers;
  readonly text: string;
}

/** Sends one request; throws HttpError for an HTTP error, and JudgeError where there is no whole reply. */
export type Post = (
  endpoint: Endpoint,
  request: { readonly api: Shape["api"]; readonly body: object },
  signal: AbortSignal,
) => Promise<JudgeReply>;

/** What a workload identity needs: a GitHub token to exchange, and who keeps the tokens out of all that is said. */
export interface TokenSource {
  readonly subject: () => Promise<string>;
  readonly conceal: (token: string) => void;
}

/** Makes the function that sends requests; the library is loaded for the first of them. */
export function poster(fetch: JudgeFetch, tokens?: TokenSource): Post {
  const clients = new Map<Endpoint, OpenAI>();
  return async (endpoint, { api, body }, signal) => {
    const library = await import("openai");
    const client = clients.get(endpoint) ?? clientFor(endpoint, library, { fetch, tokens });
    clients.set(endpoint, client);
    const options = { signal };
    try {
      const { chat, responses } = client;
      const sent =
        api === "chat"
          ? chat.completions.create(body as Parameters<typeof chat.completions.create>[0], options)
          : responses.create(body as Parameters<typeof responses.create>[0], options);
      // An exchange of tokens serves several grades, and so ends with none of them.
      const response = await unlessAborted(sent.asResponse(), endpoint.identity && signal);
      return { headers: response.headers, text: (await response.text()).replace(/^\uFEFF/, "") };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isHttpError(error)) throw error;
      throw unreachable(error, `The judge at \`${endpoint.baseUrl}\``, "`base-url`, ");
    }
  };
}

/** openai's error of a reply with another status than 200 to 299. */
export type HttpError = APIError & { readonly status: number; readonly headers: Headers };

export function isHttpError(error: unknown): error is HttpError {
  const { status, headers } = error as Partial<APIError>;
  return typeof status === "number" && headers !== undefined;
}

/** What the library would read from the environment and send to any endpoint is switched off. */
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
    timeout: NO_TIMEOUT,
    logLevel: "off" as const,
    fetch: (identity && tokens ? concealing(fetch, tokens) : fetch) as unknown as NonNullable<
      ConstructorParameters<typeof OpenAI>[0]
    >["fetch"],
    defaultHeaders: { "user-agent": "waza-grade", ...((apiKey ?? identity) ? {} : KEYLESS), ...headers },
  };
  if (identity && tokens) {
    const provider = { tokenType: "jwt" as const, getToken: () => subjectOf(tokens) };
    return new library.OpenAI({ ...common, apiKey: null, workloadIdentity: { ...identity, provider } });
  }
  if (!azure) return new library.OpenAI({ ...common, apiKey: apiKey ?? "none" });
  return azureClient({ ...common, ...azure }, apiKey, library.AzureOpenAI);
}

const KEYLESS = { authorization: null, "api-key": null };

/** The library renews OpenAI's token before it ends, and again when it is refused; nothing is sent with an unknown one. */
function concealing(fetch: JudgeFetch, { conceal }: TokenSource): JudgeFetch {
  return async (url, init) => {
    const token = new Headers(init.headers).get("authorization")?.replace(/^Bearer /, "");
    if (token === undefined) return await exchange(fetch, url, init);
    conceal(token);
    return await fetch(url, init);
  };
}

/** Requests OpenAI's token; errors name OpenAI's exchange of tokens, not the judge. */
async function exchange(fetch: JudgeFetch, url: string, init: Parameters<JudgeFetch>[1]): Promise<Response> {
  const reply = await fetch(url, init).catch((error: unknown) => {
    throw unreachable(error, `OpenAI's exchange of tokens at \`${url}\``, "");
  });
  OF_EXCHANGE.add(reply.headers);
  const given: unknown = reply.ok ? await reply.clone().json().catch(String) : undefined;
  if (reply.ok && typeof (given as { access_token?: unknown } | null)?.access_token !== "string") {
    const help = "Look for what answers in its place: a proxy's or a network's login page, for example.";
    const message = `OpenAI's exchange of tokens at \`${url}\` answered ${String(reply.status)} without a token.`;
    throw new JudgeError("credentials", message, { help });
  }
  return reply;
}

/** The headers of all replies of OpenAI's exchange of tokens, by which an error of it is known. */
const OF_EXCHANGE = new WeakSet<object>();

/** True for an error of OpenAI's exchange of tokens, not of the API. */
export function isOfExchange({ headers }: HttpError): boolean {
  return OF_EXCHANGE.has(headers);
}

async function subjectOf({ subject, conceal }: TokenSource): Promise<string> {
  try {
    const token = await subject();
    conceal(token);
    return token;
  } catch (error) {
    const said = messageOf(error).replace(/\s+/g, " ");
    const help = "Run the job again; it needs `id-token: write` in its `permissions`.";
    throw new JudgeError("credentials", asSentence(`GitHub gave no identity token: ${said}`), { help });
  }
}

/** An Entra token is a JWT and goes where tokens go; Azure's own keys have a header of their own. */
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
  const cause = deepest(error);
  if (cause instanceof JudgeError) return cause;
  const { code } = cause as { readonly code?: unknown };
  const said = messageOf(cause);
  const detail = typeof code === "string" && !said.includes(code) ? `${code} · ${said}` : said;
  const message = asSentence(`${who} could not be reached: ${detail}`);
  return new JudgeError("network", message, {
    help: `Check ${input}the runner's network and its proxy.`,
    cause,
  });
}

/** The library and undici wrap what went wrong. */
function deepest(error: unknown): unknown {
  let at = error;
  while (!(at instanceof HalfReply || at instanceof JudgeError) && (at as Error).cause !== undefined)
    at = (at as Error).cause;
  return at;
}
