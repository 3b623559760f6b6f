/**
 * `remaining`: the judge's own count of checks still to report. Models fill in numbers by habit, so `remaining: 1` is not
 * trusted at first: the judge is asked for more checks. If none follows, later grades of the same grader and model in this
 * step end at `remaining: 1`; if one ever follows, none of them does.
 */
import type { JudgeRequest, ShortReport } from "../judge.ts";
import type { Conversation } from "./state.ts";

/** Identifies a grader and model: the model, and all messages after the shared ones. */
export function trustKeyOf({ model, messages, shared }: JudgeRequest): string {
  return JSON.stringify([model, ...messages.slice(shared?.messages ?? 1).map(({ content }) => content)]);
}

/** Records a check's `remaining`. */
export function noteRemaining(conversation: Conversation, remaining: number | undefined): void {
  const { checks, trust, trustKey } = conversation;
  if (conversation.claimedLast) trust.set(trustKey, false);
  if (remaining !== undefined) conversation.announced = checks.length + remaining - 1;
  conversation.claimedLast = remaining === 1;
}

/** Called if no check followed a request for more: `remaining: 1` was right. */
export function confirmLast({ claimedLast, trust, trustKey }: Conversation): void {
  if (claimedLast && !trust.has(trustKey)) trust.set(trustKey, true);
}

/** Whether the last check has `remaining: 1`, and that is trusted. */
export function isTrustedLast({ claimedLast, trust, trustKey }: Conversation): boolean {
  return claimedLast && trust.get(trustKey) === true;
}

/** The counts, if the judge announced more checks than it reported. */
export function shortReport({ announced = 0, checks }: Conversation): ShortReport | undefined {
  return announced > checks.length ? { reported: checks.length, announced } : undefined;
}
