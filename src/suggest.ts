/** "Did you mean": the known name that a misspelled one is nearest to. */
import { distance } from "fastest-levenshtein";

/** The candidate within two slips of the name (one for short names), whatever the case; undefined when none is. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const slips = name.length > 4 ? 2 : 1;
  const near = [...candidates]
    .map((candidate) => ({ candidate, far: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ far }) => far <= slips)
    .sort((a, b) => a.far - b.far);
  return near[0]?.candidate;
}
