/** State of one conversation with a judge. */
import type { Check } from "../../domain/grade.ts";
import type { Sender } from "../api/send.ts";
import type { RequestProfile, Turn } from "../api/wire.ts";
import { byStatement } from "../grade-tools.ts";
import type { JudgeRequest, Meter, Redact } from "../judge.ts";

export interface Conversation {
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  /** When the grade times out, in terms of `performance.now()`. */
  readonly deadline: number;
  readonly send: Sender;
  readonly redact: Redact;
  readonly turns: Turn[];
  /** All reported checks, in order. */
  readonly checks: Check[];
  /** Calls as text, to find duplicates: checks with detail, and calls that were not recorded. */
  readonly seenCalls: Set<string>;
  readonly texts: string[];
  readonly changes: Set<string>;
  /** The answer to the last call that was not recorded, until a later reply reports a check. */
  unrecorded?: string | undefined;
  /** Checks that named no statement, and are not recorded. */
  readonly unnumbered: Check[];
  /** Reminders sent, each once: `nothing`, `count`, `statements` or `unrecorded`. */
  readonly reminders: Set<string>;
  /** Names of all tools it called. */
  readonly toolNames: Set<string>;
  /** Total number of checks, by the judge's latest `remaining`. */
  announced?: number | undefined;
  /** Whether the last check has `remaining: 1`. */
  claimedLast: boolean;
  /** Whether `remaining: 1` is trusted, by grader and model; shared by all grades of a step. */
  readonly trust: Map<string, boolean>;
  /** This grader and model there. */
  readonly trustKey: string;
  /** Whether the judge may write its verdict as JSON. */
  takesJson: boolean;
  /** Whether the judge uses no tool calls, and so cannot read files. */
  withoutTools: boolean;
  servedBy?: string | undefined;
  seemsCut?: true | undefined;
  /** The profile of the requests so far; absent before the first reply. */
  currentProfile?: RequestProfile | undefined;
}

/** The checks that count: one per statement if the grader has statements. */
export function checksOf({ checks, request: { statements } }: Conversation): readonly Check[] {
  return statements ? byStatement(checks, statements) : checks;
}

/** Numbers of the grader's statements without a verdict. */
export function missingStatements({ checks, request: { statements = [] } }: Conversation): number[] {
  const judged = new Set(checks.map(({ statement }) => statement));
  return [...statements.keys()].map((index) => index + 1).filter((number) => !judged.has(number));
}
