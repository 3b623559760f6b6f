/**
 * An error whose cause the user can remove: a bad input, a refused path. Its message names the culprit and
 * `help` says what to change. Every other error that reaches the top is a bug and shows its stack.
 */
export class UserError extends Error {
  readonly help: string | undefined;

  constructor(message: string, options: { help?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "UserError";
    this.help = options.help;
  }
}

/** What an unknown thrown value says, in one line; never throws itself. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, " ").trim();
}
