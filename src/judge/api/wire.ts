/** Turns, requests and replies of a conversation with a judge, independent of the API. */
import type { TokenUse } from "../../domain/grade.ts";
import type { JudgeError, JudgeMessage, ToolCall } from "../judge.ts";

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
  /** The role of the first message; `user` merges it into the next. */
  readonly systemRole: "system" | "developer" | "user";
  /** Whether to request encrypted reasoning, to send it back (Responses API). */
  readonly encryptedReasoning: boolean;
  readonly effort?: string | undefined;
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
  readonly profile: RequestProfile;
  /** Maximum tokens of a reply; absent without a cost cap. */
  readonly maxTokens?: number | undefined;
  /** Identifies the prefix shared with other requests; absent without one. */
  readonly cacheKey?: string | undefined;
}
