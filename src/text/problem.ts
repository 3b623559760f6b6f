/**
 * Problems, and the merging of equal ones: an `error` is a configuration problem and fails the gate; a `warning` or
 * `notice` is only reported.
 */
import type { Problem } from "../domain/suite.ts";
import { asSentence, listed, listedCode } from "./format.ts";
import { MOST_PLACES_NAMED } from "./limits.ts";

/**
 * Merges problems with equal texts into one, at the first place, that lists the others: otherwise a harmless key in a
 * hundred task files would crowd out the grades. Errors only within a file, since each has to be corrected. Keeps the
 * order.
 */
export function mergeProblems(problems: readonly Problem[]): Problem[] {
  const groups = Map.groupBy(problems, ({ level, message, help, at }) =>
    JSON.stringify([level, message, help, level === "error" ? at?.path : at !== undefined]),
  );
  return [...groups.values()].flatMap(([first, ...others]): Problem[] => {
    if (!first?.at) return first ? [first, ...others] : [];
    const { path, startLine } = first.at;
    const lines = others.flatMap(({ at }) => (at?.path === path ? [String(at.startLine)] : []));
    const paths = others.flatMap(({ at }) => (at && at.path !== path ? [at.path] : []));
    const otherLines = [...new Set(lines)].filter((line) => line !== String(startLine));
    const where =
      paths.length > 0
        ? listedCode(paths, MOST_PLACES_NAMED)
        : otherLines.length > 0
          ? `${otherLines.length > 1 ? "lines" : "line"} ${listed(otherLines, MOST_PLACES_NAMED)}`
          : "";
    return [where === "" ? first : { ...first, message: `${asSentence(first.message)} Also in ${where}.` }];
  });
}

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

/** Whether a result is the problem that there is none. */
export function isProblem(result: unknown): result is Problem {
  return typeof result === "object" && result !== null && "level" in result && "message" in result;
}

export function isError({ level }: Problem): boolean {
  return level === "error";
}
