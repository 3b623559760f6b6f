/** Globs over names of tasks and models, where `/` and `:` have no special meaning. */

/**
 * Whether a glob matches the whole text: `*` is any characters, `?` is one, everything else is literal. Only the last
 * star backtracks, so the time is at most the product of the lengths.
 */
export function globMatches(glob: string, text: string): boolean {
  let [at, from] = [0, 0];
  let star = -1;
  for (let index = 0; index < text.length;) {
    if (glob[at] === "*") {
      star = at;
      from = index;
      at += 1;
    } else if (glob[at] === "?" || glob[at] === text[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      from += 1;
      index = from;
    } else return false;
  }
  return /^\**$/.test(glob.slice(at));
}

/** The same for names of models, ignoring case. */
export function globMatchesModel(glob: string, model: string): boolean {
  return globMatches(glob.toLowerCase(), model.toLowerCase());
}
