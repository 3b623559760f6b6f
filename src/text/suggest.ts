/**
 * "Did you mean": the known name closest to a misspelled one; globs over names of tasks and models, where `/` and `:`
 * have no special meaning.
 */
import { distance } from "fastest-levenshtein";
import { listed, shorten } from "./format.ts";

/** Maximum characters of an id in a sentence. */
const LONGEST_SHOWN_ID = 100;
/** Maximum characters of a name to compare. */
const LONGEST_COMPARED_NAME = 300;

/** An id of an eval, and a similar one of the results. */
export type NearIds = readonly [ofEval: string, ofResults: string];

/** The remedy for ids that differ by a typo, if there are any. */
export function alignIds(pairs: readonly NearIds[]): string[] {
  return pairs.length === 0 ? [] : [`Write the same id in both: ${sameTasks(pairs)}.`];
}

/** The tasks that seem to be the same, one clause each. */
function sameTasks(pairs: readonly NearIds[]): string {
  const id = (text: string) => `\`${shorten(text, LONGEST_SHOWN_ID)}\``;
  const clauses = pairs.map(
    ([ofEval, ofResults]) => `${id(ofEval)} of the eval seems to be ${id(ofResults)} of the results`,
  );
  return listed(clauses, 3);
}

/** The closest candidate within two typos of the name (one for short names), ignoring case. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST_COMPARED_NAME) return undefined;
  const typos = name.length > 4 ? 2 : 1;
  const near = [...candidates]
    .filter((candidate) => Math.abs(candidate.length - name.length) <= typos)
    .map((candidate) => ({ candidate, far: typosBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ far }) => far <= typos)
    .sort((a, b) => a.far - b.far);
  return near[0]?.candidate;
}

/** The unknown keys of an object, each with the missing one that it is close to. */
export function misspelled(
  value: object,
  known: readonly string[],
): (readonly [key: string, meant: string])[] {
  const free = known.filter((name) => !Object.hasOwn(value, name));
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  return unknown.flatMap((key) => {
    const meant = closest(key, free);
    return meant === undefined ? [] : [[key, meant] as const];
  });
}

/** The question that names what was meant; undefined where nothing is close. */
export function didYouMean(meant: string): string;
export function didYouMean(meant: string | undefined): string | undefined;
export function didYouMean(meant: string | undefined): string | undefined {
  return meant === undefined ? undefined : `Did you mean \`${meant}\`?`;
}

/** Edit distance, where a single swap of adjacent letters counts as one. */
function typosBetween(a: string, b: string): number {
  const far = distance(a, b);
  if (far !== 2 || a.length !== b.length) return far;
  let at = 0;
  while (a.charAt(at) === b.charAt(at)) at += 1;
  return a.charAt(at) === b.charAt(at + 1) && a.charAt(at + 1) === b.charAt(at) ? 1 : far;
}

/** A line of `providers` that replaces a model by another. */
export function ruleFor(model: string, instead: string): string {
  return `- {match: ${JSON.stringify(model)}, model: ${instead}}`;
}

/** A model's name without `models/` (Google) and the date of its version: `-2026-07-18`, `-20260718`, `@20260718`. */
export function withoutDate(model: string): string {
  return model.replace(/^models\//, "").replace(/[-@]\d{4}(?:-\d\d-\d\d|\d{4})$/, "");
}

/** The same for names of models, ignoring case. */
export function globMatchesModel(glob: string, model: string): boolean {
  return globMatches(glob.toLowerCase(), model.toLowerCase());
}

/** Lines of the input `tasks` that match these tasks alone; of a line break or a space at an end, any character. */
export function globsOf(tasks: readonly { readonly suite: string; readonly task: string }[]): string[] {
  return [...new Set(tasks.map(({ suite, task }) => globOf(`${suite}/${task}`)))];
}

/** The glob that matches this text alone; it begins with no `-`, as flags do. */
export function globOf(text: string): string {
  const literal = text.replace(/[\\*?]/g, "\\$&").replace(/^[!-]/, "\\$&");
  return literal.replace(/[\r\n]|^\s|\s$/g, "?");
}

/** One word of a POSIX shell for a glob, which no command takes for a flag. */
export function shellWord(glob: string): string {
  const word = glob.replace(/^-/, "\\-");
  return /^[\w./@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Whether a glob matches the whole text: `*` is any characters, `?` is one, a `\` takes the next one as it is, and
 * everything else is literal. Only the last star backtracks, so the time is at most the product of the lengths.
 */
export function globMatches(glob: string, text: string): boolean {
  let [at, from] = [0, 0];
  let star = -1;
  for (let index = 0; index < text.length;) {
    const escaped = glob[at] === "\\" ? glob[at + 1] : undefined;
    if (glob[at] === "*") {
      star = at;
      from = index;
      at += 1;
    } else if (escaped === undefined ? ["?", text[index]].includes(glob[at]) : escaped === text[index]) {
      at += escaped === undefined ? 1 : 2;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      from += 1;
      index = from;
    } else return false;
  }
  return /^\**$/.test(glob.slice(at));
}
