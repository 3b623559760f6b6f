/**
 * `remaining`: how many checks are still to be reported by the judge's own count. Models fill in numbers by habit, so
 * `remaining: 1` has to be earned for each grader and model of a step: at first the judge is asked for more all the
 * same. If nothing more comes, later grades end at it; if another check ever follows, none does in this step.
 */
import type { JudgeRequest, ShortReport } from "../judge.ts";
import type { Conversation } from "./state.ts";

/** The key of a grader and model: the model, and all messages after those that graders share. */
export function trustKeyOf({ model, messages, shared }: JudgeRequest): string {
  return JSON.stringify([model, ...messages.slice(shared?.messages ?? 1).map(({ content }) => content)]);
}

/** Notes what a check says of those still to come. */
export function noteRemaining(conversation: Conversation, remaining: number | undefined): void {
  const { checks, trust, trustKey } = conversation;
  if (conversation.saidLast) trust.set(trustKey, false);
  if (remaining !== undefined) conversation.announced = checks.length + remaining - 1;
  conversation.saidLast = remaining === 1;
}

/** Called at the end of a grade that was asked on: its last check was the last, as it had said. */
export function earn({ saidLast, trust, trustKey }: Conversation): void {
  if (saidLast && !trust.has(trustKey)) trust.set(trustKey, true);
}

/** True when the last check said that it is the last, and is believed. */
export function isBelieved({ saidLast, trust, trustKey }: Conversation): boolean {
  return saidLast && trust.get(trustKey) === true;
}

/** Present where the judge itself announced more checks than it reported. */
export function shortReport({ announced = 0, checks }: Conversation): ShortReport | undefined {
  return announced > checks.length ? { reported: checks.length, announced } : undefined;
}
