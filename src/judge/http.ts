/** One POST of JSON to a judge's endpoint. */
import { messageOf } from "../errors.ts";
import { exchange, ReplyTooLong } from "../network.ts";
import type { Agents, HttpReply } from "../network.ts";
import { JudgeError } from "./judge.ts";

/** Bytes of one reply: no verdict is as long. */
const LONGEST_REPLY = 4_000_000;
const TOO_LONG = "The judge's answer is longer than 4 MB.";

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The connections to use, which go through a proxy where the environment names one. */
  readonly agents?: Agents | undefined;
}

/**
 * Sends a request and reads the whole reply, whatever its status; redirects are not followed, since what the judge is
 * shown goes to the endpoint that was named, and to no other. Throws JudgeError `network` when there is no reply and
 * `invalid-reply` for one of more than 4 MB; throws the signal's reason once it is aborted.
 */
export async function post({ url, headers, body, agents }: Post, signal: AbortSignal): Promise<HttpReply> {
  const all = { ...headers, "content-type": "application/json", accept: "application/json" };
  try {
    return await exchange(
      { method: "POST", url, headers: all, body },
      { agents, signal, longest: LONGEST_REPLY },
    );
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ReplyTooLong) throw new JudgeError("invalid-reply", TOO_LONG);
    const help = "Check `base-url` and the runner's network.";
    const message = `The judge at \`${url.replace(/\?.*$/, "")}\` could not be reached: ${detail(error)}`;
    throw new JudgeError("network", message, { help, cause: error });
  }
}

function detail(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  const said = messageOf(error);
  return typeof code === "string" && !said.includes(code) ? `${code} · ${said}` : said;
}
