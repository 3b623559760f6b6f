/** "Did you mean": the known name that a misspelled one is nearest to. */
import { distance } from "fastest-levenshtein";
import { listed, shorten } from "./format.ts";

/** Characters of a name that is compared: longer ones nobody types. */
const LONGEST = 300;

/** Most characters of an id in a sentence. */
const ID = 100;

/** An id of an eval, and the one of the results that is nearly it. */
export type NearIds = readonly [ofEval: string, ofResults: string];

/** What to do where tasks are called differently by a slip: a sentence, or none. */
export function alignIds(pairs: readonly NearIds[]): string[] {
  const id = (text: string) => `\`${shorten(text, ID)}\``;
  const said = pairs.map(
    ([ofEval, ofResults]) => `${id(ofEval)} of the eval seems to be ${id(ofResults)} of the results`,
  );
  return said.length === 0 ? [] : [`Write the same id in both: ${listed(said, 3)}.`];
}

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
