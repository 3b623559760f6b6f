/** Endpoints, turns, requests and replies of a conversation with a judge, independent of the API. */
import type { TokenUse } from "../../domain/run.ts";
import type { JudgeError, JudgeMessage, ToolCall } from "../judge.ts";

/** The route of a request, which is not part of `base-url`. */
export const ROUTE = /\/(chat\/completions|responses)\/?$/;

/** Why an address is not the root of an API. */
interface AddressFault {
  /** The route at its end, to be removed. */
  readonly route?: string | undefined;
  /** The equivalent rule of `providers`, for a full Azure OpenAI address. */
  readonly azure?: string | undefined;
}

/** Checks that an address is the root of an API; undefined if it is. */
export function addressFault(address: string): AddressFault | undefined {
  const url = URL.parse(address);
  const version = url?.searchParams.get("api-version");
  const [, root, deployment] = /^(\S*?\/openai)\/deployments\/([\w.-]+)/.exec(url?.pathname ?? "") ?? [];
  if (url && root !== undefined && version && /^[\w.-]+$/.test(version))
    return {
      azure: `base-url: ${url.origin}${root}, api-version: "${version}", deployment: ${deployment ?? ""}`,
    };
  if (!url || !/^https?:$/.test(url.protocol) || /[@?#]/.test(address)) return {};
  const [, route] = ROUTE.exec(url.pathname) ?? [];
  return route === undefined ? undefined : { route };
}

/** A tool call of the judge; the id is empty if the call was written as JSON text. */
export interface Call extends ToolCall {
  readonly id: string;
}

/** A validated reply. */
export interface Reply {
  /** The parts to send back with the next request, unchanged, including unknown fields. */
  readonly raw: readonly unknown[];
  readonly calls: readonly Call[];
  readonly text: string;
  readonly usage: TokenUse;
  /** Whether it reports reasoning, by its usage or by what it shows; undefined where it has no usage. */
  readonly reportsReasoning?: boolean | undefined;
  /** The model that answered, as the API names it. */
  readonly model?: string | undefined;
  /** Whether the server counted far fewer tokens than it was sent. */
  readonly seemsCut?: boolean | undefined;
  /** Why the reply is not a complete answer; absent if it is one, or continues with calls. */
  readonly unfinished?: JudgeError | undefined;
}

/** A turn of the conversation: our message, the judge's reply, or the result of one of its calls. */
export type Turn =
  | {
      readonly kind: "message";
      readonly message: JudgeMessage;
      /** Whether the prefix shared with other requests ends with this message. */
      readonly endsSharedPrefix?: boolean | undefined;
    }
  | { readonly kind: "reply"; readonly raw: readonly unknown[]; readonly calls: readonly Call[] }
  | { readonly kind: "result"; readonly id: string; readonly content: string };

/** A tool definition, as in the chat completions API. */
export interface Tool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

export function tool(name: string, description: string, parameters: object): Tool {
  return { type: "function", function: { name, description, parameters } };
}

/** A text among the parameters of a tool. */
export function textField(description: string) {
  return { type: "string", description };
}

/**
 * A prompt cache field. `key`: OpenAI's `prompt_cache_key`. `breakpoint`: OpenAI's `prompt_cache_options` and
 * breakpoints, from GPT-5.6 on. `cache_control`: Anthropic's, which routers pass on.
 */
export type Caching = "key" | "breakpoint" | "cache_control";

/**
 * The API and the fields to use for a model: at first those that OpenAI documents. A refusal that names a field changes
 * the profile for the rest of the run (request-profile.ts).
 */
export interface RequestProfile {
  readonly api: "chat" | "responses";
  /** False for an API that refuses tools: the verdict is then requested as JSON. */
  readonly tools: boolean;
  /** Whether the server may be asked to hold a reply in JSON to its schema. */
  readonly schema: boolean;
  /** The role of the first message; `user` merges it into the next. */
  readonly systemRole: "system" | "user";
  /** Whether to request encrypted reasoning, to send it back (Responses API). */
  readonly encryptedReasoning: boolean;
  readonly effort?: string | undefined;
  /** The API's words when it refused the effort before. */
  readonly effortRefusal?: string | undefined;
  /** The parameter that limits a reply's tokens. */
  readonly limitField?: "max_completion_tokens" | "max_tokens" | undefined;
  /** Whether the judge's earlier replies are sent as one text message (flattened history), for APIs that refuse them. */
  readonly flattened: boolean;
  /** The prompt cache fields to send. */
  readonly caching: readonly Caching[];
  /** Fields that were dropped or changed, for the report. */
  readonly changes: readonly string[];
}

/** A request, independent of the API's format. */
export interface ModelRequest {
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  /** The schema that the reply has to hold to; absent where it may be anything. */
  readonly schema?: object | undefined;
  readonly profile: RequestProfile;
  /** Maximum tokens of a reply; absent without a cost cap. */
  readonly maxTokens?: number | undefined;
  /** Identifies the prefix shared with other requests; absent without one. */
  readonly cacheKey?: string | undefined;
}

/** OpenAI's address, the default endpoint. */
export const OPENAI = "https://api.openai.com/v1";

/** OpenAI's workload identity, in place of a key. Neither id is a secret. */
export interface Identity {
  readonly identityProviderId: string;
  readonly serviceAccountId: string;
  /** Whether this job can request GitHub identity tokens. */
  readonly isPermitted: boolean;
}

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly identity?: Identity | undefined;
  /** Set if its key is empty: a missing secret, or one that this event has no access to. */
  readonly keyMissing?: true | undefined;
  /** In its place: the variable of another maker's key, and the address that takes it. */
  readonly otherKey?: { readonly variable: string; readonly baseUrl: string } | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The model's name at this endpoint, if it differs from the requested one. */
  readonly model?: string | undefined;
  readonly api?: "chat" | "responses" | undefined;
  /** Azure OpenAI: API version, and the deployment if it is not named like the model. */
  readonly azure?: { readonly apiVersion: string; readonly deployment?: string | undefined } | undefined;
  /** The input to name in errors about the key or the address. */
  readonly input?: string | undefined;
  /** The environment variable of its key, where no input gives it. */
  readonly keyVariable?: string | undefined;
}
