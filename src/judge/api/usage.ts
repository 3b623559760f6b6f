/** What a reply says it used: its tokens, and whether it reports reasoning. */
import type { TokenUse } from "../../domain/run.ts";

/** The numbers of a reply's `usage`. */
type Reported = Readonly<Record<keyof TokenUse | "total" | "reasoning", unknown>>;

/** What a reply's `usage` holds, by the API's words for what it was sent and what it wrote. */
export function reportedIn(
  usage: unknown,
  sent: "prompt" | "input",
  written: "completion" | "output",
): Reported {
  const fieldsOf = (value: unknown) => Object(value) as Readonly<Record<string, unknown>>;
  const used = fieldsOf(usage);
  const ofSent = fieldsOf(used[`${sent}_tokens_details`]);
  return {
    input: used[`${sent}_tokens`],
    output: used[`${written}_tokens`],
    total: used.total_tokens,
    cached: ofSent.cached_tokens,
    written: ofSent.cache_write_tokens,
    reasoning: fieldsOf(used[`${written}_tokens_details`]).reasoning_tokens,
  };
}

/** Token usage as reported by the API. Some servers count reasoning in the total, but not in the output. */
export function readUsage(reported: Reported): TokenUse {
  const input = tokens(reported.input);
  const output = tokens(reported.output);
  const cached = Math.min(tokens(reported.cached), input);
  const written = Math.min(tokens(reported.written), input - cached);
  return { input, output: output + besides(reported), cached, written };
}

/**
 * Whether a reply reports reasoning: it shows thoughts (`isShown`), or counts tokens for them. Undefined without usage: a
 * reply that counts nothing says nothing of its reasoning.
 */
export function reportsReasoning(reported: Reported, isShown: boolean): boolean | undefined {
  if (isShown || tokens(reported.reasoning) > 0 || besides(reported) > 0) return true;
  return tokens(reported.output) > 0 ? false : undefined;
}

/** Tokens that only the total counts. */
function besides({ input, output, total }: Reported): number {
  const [sent, received] = [tokens(input), tokens(output)];
  return sent === 0 || received === 0 ? 0 : Math.max(0, tokens(total) - sent - received);
}

/** A plausible number of tokens, or 0. */
function tokens(number: unknown): number {
  return typeof number === "number" && Number.isInteger(number) && number >= 0 && number < 1e9 ? number : 0;
}
