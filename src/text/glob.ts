/** Globs over names: of tasks, of models. Names hold `/` and `:`, which mean nothing here. */

/**
 * True when a glob matches the whole text: `*` is any characters, `?` one, and all else is itself. A star goes back only
 * to the star before it, so the time is at most that of the two lengths multiplied.
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

/** The same for the names of models, where upper and lower case are alike. */
export function globMatchesModel(glob: string, model: string): boolean {
  return globMatches(glob.toLowerCase(), model.toLowerCase());
}
