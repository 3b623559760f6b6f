/** Problems: an `error` is a configuration problem and decides the gate; a `warning` and a `notice` are only told. */
import type { Problem } from "../domain/place.ts";

/** What to change, and where it stands. */
type Details = Omit<Problem, "level" | "message">;

/** A configuration problem, said in a sentence that names the bad value. */
export function error(message: string, details: Details = {}): Problem {
  return { level: "error", message, ...details };
}

/** Something that is wrong and can be lived with. */
export function warning(message: string, details: Details = {}): Problem {
  return { level: "warning", message, ...details };
}

/** Something good to know. */
export function notice(message: string, details: Details = {}): Problem {
  return { level: "notice", message, ...details };
}

/** True for a configuration problem, which decides the gate. */
export function isError({ level }: Problem): boolean {
  return level === "error";
}
