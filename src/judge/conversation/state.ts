/** One conversation with a judge: what was sent, what it reported, what it was reminded of. */
import type { Check } from "../../domain/grade.ts";
import type { Sender } from "../api/send.ts";
import type { RequestProfile, Turn } from "../api/wire.ts";
import { byStatement } from "../grade-tools.ts";
import type { JudgeRequest, Meter, Redact } from "../judge.ts";

export interface Conversation {
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  /** Moment of `performance.now()` when the grade's time is over. */
  readonly deadline: number;
  readonly sends: Sender;
  readonly redact: Redact;
  readonly turns: Turn[];
  /** All checks that were reported, in order. */
  readonly checks: Check[];
  /** Reported calls as text, to find duplicates: checks with detail, and calls that were not recorded. */
  readonly said: Set<string>;
  readonly texts: string[];
  readonly changes: Set<string>;
  /** The last call of a tool that does not exist, until a later reply reports a check. */
  unknownTool?: string | undefined;
  /** What the judge was reminded of, each once: `nothing`, `count`, `statements`, or `tool` and a name. */
  readonly reminders: Set<string>;
  /** Names of all tools it called. */
  readonly called: Set<string>;
  /** How many checks there are to be in all, by the judge's own last `remaining`. */
  announced?: number | undefined;
  /** The last check said that it is the last (`remaining: 1`). */
  saidLast: boolean;
  /** Whether the last check of this grader and model is known by `remaining: 1`; for all grades of a step. */
  readonly trust: Map<string, boolean>;
  /** The key of its grader and model there. */
  readonly trustKey: string;
  /** True once the judge may write its verdict as JSON. */
  takesJson: boolean;
  /** True when nothing the judge says can be a tool call, so that it has no files to read. */
  withoutTools: boolean;
  servedBy?: string | undefined;
  seemsCut?: true | undefined;
  /** How the replies so far were asked for. */
  currentProfile?: RequestProfile | undefined;
}

/** The checks as they count: one for each statement, where the grader has statements. */
export function checksOf({ checks, request: { statements } }: Conversation): readonly Check[] {
  return statements ? byStatement(checks, statements) : checks;
}

/** Numbers of the grader's statements without a verdict. */
export function missingStatements({ checks, request: { statements = [] } }: Conversation): number[] {
  const judged = new Set(checks.map(({ statement }) => statement));
  return [...statements.keys()].map((index) => index + 1).filter((number) => !judged.has(number));
}
