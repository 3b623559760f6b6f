/** "Did you mean": the known name that a misspelled one is nearest to. */
import { distance } from "fastest-levenshtein";

/** Characters of a name that is compared: longer ones nobody types. */
const LONGEST = 300;

/** The candidate within two slips of the name (one for short names), whatever the case; undefined when none is. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const slips = name.length > 4 ? 2 : 1;
  const near = [...candidates]
    .filter((candidate) => Math.abs(candidate.length - name.length) <= slips)
    .map((candidate) => ({ candidate, far: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ far }) => far <= slips)
    .sort((a, b) => a.far - b.far);
  return near[0]?.candidate;
}
