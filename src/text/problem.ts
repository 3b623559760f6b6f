/** Problems: an `error` is a configuration problem and fails the gate; a `warning` or `notice` is only reported. */
import type { Problem } from "../domain/location.ts";

type Details = Omit<Problem, "level" | "message">;

/** A configuration problem; the message is a sentence that names the bad value. */
export function error(message: string, details: Details = {}): Problem {
  return { level: "error", message, ...details };
}

/** A problem that does not fail the gate. */
export function warning(message: string, details: Details = {}): Problem {
  return { level: "warning", message, ...details };
}

/** A piece of information. */
export function notice(message: string, details: Details = {}): Problem {
  return { level: "notice", message, ...details };
}

export function isError({ level }: Problem): boolean {
  return level === "error";
}
