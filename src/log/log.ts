/** Logger interface. Implementations sanitize and redact. */
import type { Conclusion } from "../domain/conclusion.ts";
import { asSentence } from "../text/format.ts";
import type { Problem } from "../domain/location.ts";

/** The log for the steps of a run. */
export interface Log {
  readonly line: (text: string) => void;
  /** A group of lines under a title. */
  readonly group: (title: string, lines: readonly string[]) => void;
  /** Replaces the progress line; absent if output cannot be overwritten. */
  readonly status?: ((text: string) => void) | undefined;
  /** A problem with the input. */
  readonly problem: (level: Problem["level"], text: string) => void;
  readonly warn: (message: string) => void;
}

/** The log of a whole run, including its conclusion. */
export interface RunLog extends Log {
  readonly notice: (message: string) => void;
  /** Redacts these from now on. */
  readonly setSecrets: (secrets: readonly (string | undefined)[]) => void;
  /** The conclusion: the last line and the exit status. */
  readonly conclude: (conclusion: Conclusion) => void;
  /** An unexpected error, with its stack; the exit status is 1. */
  readonly bug: (error: unknown) => void;
}

/** The conclusion with its cause. */
export function verdictText({ sentence, cause }: Conclusion): string {
  return cause === undefined ? sentence : `${asSentence(sentence)} ${cause}`;
}

/** The message for an unexpected error. */
export function bugText(error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `A bug in waza-grade: ${what}`;
}
