/** What a reply says it used: its tokens, and whether it reports reasoning. */
import type { TokenUse } from "../../domain/run.ts";

/** The numbers of a reply's `usage`. */
export type Reported = Readonly<Record<keyof TokenUse | "total" | "reasoning", number | undefined>>;

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
function tokens(number: number | undefined): number {
  return typeof number === "number" && Number.isInteger(number) && number >= 0 && number < 1e9 ? number : 0;
}
