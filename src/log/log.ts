/** What the log is told. Whoever tells it need not make a text harmless or take secrets out: each log does that itself. */
import type { Conclusion } from "../domain/conclusion.ts";
import type { Problem } from "../domain/place.ts";

/** What the steps of a run may tell. */
export interface Log {
  readonly line: (text: string) => void;
  /** Lines that belong together, under a title. */
  readonly group: (title: string, lines: readonly string[]) => void;
  /** How far it is, in place of what was said of that before; absent where what is written stays. */
  readonly status?: ((text: string) => void) | undefined;
  /** Something that is wrong with what we were given. */
  readonly problem: (level: Problem["level"], text: string) => void;
  readonly warn: (message: string) => void;
}

/** The log of a whole run, which also says how it ended. */
export interface RunLog extends Log {
  readonly notice: (message: string) => void;
  /** Takes these out of everything that is said from now on. */
  readonly conceal: (secrets: readonly (string | undefined)[]) => void;
  /** The verdict, which is the last line and the exit status. */
  readonly conclude: (conclusion: Conclusion) => void;
  /** A bug of ours, with its stack; the exit status is 1. */
  readonly bug: (error: unknown) => void;
}

/** The verdict in a few sentences. */
export function verdictText({ sentence, cause, hint }: Conclusion): string {
  const more = [cause, hint].filter((part) => part !== undefined).join(" ");
  return more === "" ? sentence : `${sentence}. ${more}`;
}

/** What is said of an error that nobody expected. */
export function bugText(error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `A bug of waza-grade: ${what}`;
}
