/** What a conversation with a judge is made of, whichever API carries it. */
import type { TokenUse } from "../../domain/grade.ts";
import type { JudgeError, JudgeMessage, ToolCall } from "../judge.ts";

/** A tool call of the judge; without an id where it was written as JSON. */
export interface Call extends ToolCall {
  readonly id: string;
}

/** One reply, validated. */
export interface Reply {
  /** What of it goes back with the next request, as it came, unknown fields included. */
  readonly raw: readonly unknown[];
  readonly calls: readonly Call[];
  readonly text: string;
  readonly usage: TokenUse;
  /** The model that answered, as the API names it. */
  readonly model?: string | undefined;
  /** True when the server counts far fewer tokens than it was sent. */
  readonly seemsCut?: boolean | undefined;
  /** Why the reply is not a finished answer; absent when it is one, or when it goes on with calls. */
  readonly unfinished?: JudgeError | undefined;
}

/** A turn of the conversation, in order: what we say, what the judge replied, what its calls gave. */
export type Turn =
  | {
      readonly kind: "message";
      readonly message: JudgeMessage;
      /** True at the end of what other requests begin with, too. */
      readonly endsShared?: boolean | undefined;
    }
  | { readonly kind: "reply"; readonly raw: readonly unknown[]; readonly calls: readonly Call[] }
  | { readonly kind: "result"; readonly id: string; readonly content: string };

/** A tool's definition as the chat completions API has it. */
export interface Tool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/**
 * OpenAI's `prompt_cache_key`; OpenAI's `prompt_cache_options` with breakpoints, from GPT-5.6 on; and Anthropic's
 * `cache_control`, as routers pass it on.
 */
export type Caching = "key" | "breakpoint" | "cache_control";

/**
 * How a model wants to be asked. It begins as OpenAI's documents have it, and each refusal that is understood changes
 * it, once for a model and run (refusals.ts).
 */
export interface Shape {
  readonly api: "chat" | "responses";
  /** False for an API that refuses tools altogether: the verdict is then asked for as JSON. */
  readonly tools: boolean;
  /** The role of the first message; `user` merges it into the next. */
  readonly system: "system" | "developer" | "user";
  /** True when reasoning is asked for encrypted, to be sent back (Responses API). */
  readonly encrypted: boolean;
  /** Absent when none is sent. */
  readonly effort?: string | undefined;
  /** The parameter that limits a reply; absent when none is sent. */
  readonly limit?: "max_completion_tokens" | "max_tokens" | undefined;
  /** True where the judge's own replies are refused, so that a message tells what they were. */
  readonly retold: boolean;
  /** The fields that tell the provider's prompt cache what to keep. */
  readonly caching: readonly Caching[];
  /** What was dropped or changed, for the report. */
  readonly changes: readonly string[];
}

/** Everything a request says, before it takes the form of an API. */
export interface Asking {
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly shape: Shape;
  /** Tokens a reply may take; absent when nobody counts. */
  readonly maxTokens?: number | undefined;
  /** Stands for what other requests begin with, too; absent where none does. */
  readonly cacheKey?: string | undefined;
}
