/** What a reply says it used: its tokens, and whether it reports reasoning. */
import type { Reply } from "./wire.ts";

/**
 * Reads a reply's `usage`, by the API's words for what it was sent and what it wrote. It reports reasoning where it shows
 * thoughts (`isShown`), or counts tokens for them; without a count of its output it says nothing of it.
 */
export function readUsage(
  usage: unknown,
  { sent, written, isShown }: { readonly sent: string; readonly written: string; readonly isShown: boolean },
): Pick<Reply, "usage" | "reportsReasoning"> {
  const fieldsOf = (value: unknown) => Object(value) as Readonly<Record<string, unknown>>;
  const used = fieldsOf(usage);
  const ofInput = fieldsOf(used[`${sent}_tokens_details`]);
  const ofOutput = fieldsOf(used[`${written}_tokens_details`]);
  const input = tokens(used[`${sent}_tokens`]);
  const output = tokens(used[`${written}_tokens`]);
  const cached = Math.min(tokens(ofInput.cached_tokens), input);
  // Some servers count reasoning in the total, but not in the output.
  const besides = input === 0 || output === 0 ? 0 : Math.max(0, tokens(used.total_tokens) - input - output);
  const isReported = isShown || besides > 0 || tokens(ofOutput.reasoning_tokens) > 0;
  return {
    usage: {
      input,
      output: output + besides,
      cached,
      written: Math.min(tokens(ofInput.cache_write_tokens), input - cached),
    },
    reportsReasoning: isReported || (output > 0 ? false : undefined),
  };
}

/** A plausible number of tokens, or 0. */
function tokens(number: unknown): number {
  return typeof number === "number" && Number.isInteger(number) && number >= 0 && number < 1e9 ? number : 0;
}
