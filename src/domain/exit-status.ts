/** Exit statuses of the commands; `--help` says what each means of a command. */

export const EXIT = {
  /** Passed, made, measured or written. */
  done: 0,
  /** The gate failed, or some of the work could not be done. */
  failed: 1,
  /** A mistake in the call, or in a file that it names: nothing was done by it. */
  misused: 2,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];
