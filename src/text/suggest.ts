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
  return pairs.length === 0 ? [] : [`Write the same id in both: ${sameTasks(pairs)}.`];
}

/** Which tasks seem to be the same, in a clause each. */
export function sameTasks(pairs: readonly NearIds[]): string {
  const id = (text: string) => `\`${shorten(text, ID)}\``;
  const said = pairs.map(
    ([ofEval, ofResults]) => `${id(ofEval)} of the eval seems to be ${id(ofResults)} of the results`,
  );
  return listed(said, 3);
}

/** The candidate within two slips of the name (one for short names), whatever the case; undefined when none is. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const slips = name.length > 4 ? 2 : 1;
  const near = [...candidates]
    .filter((candidate) => Math.abs(candidate.length - name.length) <= slips)
    .map((candidate) => ({ candidate, far: slipsBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ far }) => far <= slips)
    .sort((a, b) => a.far - b.far);
  return near[0]?.candidate;
}

/** Letters put in, left out or changed; two neighbours that are swapped, and nothing else, are one slip. */
function slipsBetween(a: string, b: string): number {
  const far = distance(a, b);
  if (far !== 2 || a.length !== b.length) return far;
  let at = 0;
  while (a.charAt(at) === b.charAt(at)) at += 1;
  return a.charAt(at) === b.charAt(at + 1) && a.charAt(at + 1) === b.charAt(at) ? 1 : far;
}

/** The rule of `providers` that has another model asked in place of one, as a line to paste. */
export function ruleFor(model: string, instead = "gpt-4o-mini"): string {
  return `- {match: ${JSON.stringify(model)}, model: ${instead}}`;
}
