/** Merges duplicate problems of many files. */
import type { Problem } from "../domain/location.ts";
import { listed, listedCode } from "./format.ts";

/** Maximum files or lines that a merged problem names. */
const NAMED = 3;

/**
 * Merges problems with the same `alike` text into one, at the first location, that lists the files, or the lines of a
 * single file: a hundred task files with the same harmless key would otherwise crowd out the grades. The order is kept.
 */
export function mergeProblems(problems: readonly Problem[]): Problem[] {
  const groups = Map.groupBy(problems, (problem) => groupOf(problem) ?? problem);
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

function groupOf({ level, withoutLocation }: Problem): string | undefined {
  return withoutLocation === undefined ? undefined : `${level} ${withoutLocation}`;
}
