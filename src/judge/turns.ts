/** When a judge is asked again, and when its reply is taken for all it has to say. */
import { asksForOne } from "./expected-calls.ts";
import type { JudgeRequest } from "./judge.ts";

export type TurnPolicy = "auto" | "until-done" | "single";

/** Families that put several calls in one reply whenever they have several to make; names without a provider's prefix. */
const PARALLEL =
  /^(?:gpt-4o|gpt-4\.1|gpt-5|gpt-6|chatgpt|o[134]|claude-(?:3-7|sonnet-4|opus-4|haiku-4|[4-9])|gemini-[2-9])/;
/** Who serves them as they are: behind any other address a model of that name may be made to call one by one. */
const OWN_HOSTS =
  /(?:^|\.)(?:openai\.com|anthropic\.com|googleapis\.com|openrouter\.ai|azure\.com|azure\.us)$/;

/** What is known of how models put their calls into replies, from a list and from this run. */
export interface CallHabits {
  /** Tells what a reply held: how many checks, and how many the same grade had before it. */
  readonly saw: (model: string, checks: number, before: number) => void;
  /** True when the model puts several calls in one reply, as far as is known of it. */
  readonly isParallel: (model: string, baseUrl: string) => boolean;
  /** True when the model was seen to go on with calls in a later reply. */
  readonly splits: (model: string) => boolean;
}

export function callHabits(): CallHabits {
  const splitting = new Set<string>();
  return {
    saw: (model, checks, before) => {
      if (checks > 0 && before > 0) splitting.add(model);
    },
    isParallel: (model, baseUrl) => !splitting.has(model) && isListed(model, baseUrl),
    splits: (model) => splitting.has(model),
  };
}

function isListed(model: string, baseUrl: string): boolean {
  return OWN_HOSTS.test(new URL(baseUrl).hostname) && PARALLEL.test(model.replace(/^.*\//, "").toLowerCase());
}

/**
 * True when what the judge has reported is all, without asking again. `auto` stops at as many calls as the prompt
 * plainly asks for; without a number in the prompt, at two or more in one reply, or at one by a model that is known to put
 * all into one, if nothing in the prompt may be several. The same call twice is one. A reply that also asks to read is
 * never the last.
 */
export function isComplete(
  policy: TurnPolicy,
  {
    request,
    checks,
    habits,
    baseUrl,
  }: {
    readonly request: JudgeRequest;
    readonly checks: number;
    readonly habits: CallHabits;
    readonly baseUrl: string;
  },
): boolean {
  if (checks === 0) return false;
  if (policy === "single") return true;
  if (policy === "until-done") return false;
  if (request.expected !== undefined) return checks >= request.expected;
  if (checks > 1) return !habits.splits(request.model);
  return (
    habits.isParallel(request.model, baseUrl) &&
    asksForOne(request.instructions ?? request.messages.at(-1)?.content ?? "")
  );
}
