/** Problems: an `error` is a configuration problem and fails the gate; a `warning` or `notice` is only reported. */
import type { Problem } from "../domain/suite.ts";
import { listed, listedCode } from "./format.ts";

/* Merges duplicate problems of many files. */

/** Maximum files or lines that a merged problem names. */
const NAMED = 3;

/**
 * Merges problems with the same `withoutLocation` into one, at the first location, that lists the files, or the lines of
 * a single file: otherwise a harmless key in a hundred task files would crowd out the grades. Keeps the order.
 */
export function mergeProblems(problems: readonly Problem[]): Problem[] {
  const groups = Map.groupBy(problems, (problem) =>
    problem.withoutLocation === undefined ? problem : `${problem.level} ${problem.withoutLocation}`,
  );
  return [...groups.values()].flatMap((group): Problem[] => {
    const [first, second] = group;
    if (!first?.withoutLocation || !second) return group;
    const paths = new Set(group.map(({ at }) => at?.path ?? ""));
    const lines = [...new Set(group.map(({ at }) => String(at?.startLine ?? 1)))];
    const where =
      paths.size === 1 && lines.length > 1
        ? `Lines ${listed(lines, NAMED)} of ${listedCode(paths)}`
        : listedCode(paths, NAMED);
    return [{ ...first, message: `${where}: ${first.withoutLocation}` }];
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

export function isError({ level }: Problem): boolean {
  return level === "error";
}
