/** Known secrets taken out of everything that is published or written. */

const SHOWN = "[redacted]";
/** A shorter secret is only masked in the log: blanking it everywhere would blank ordinary words. */
const SHORTEST = 8;

export type Redact = (text: string) => string;

/** Makes the function that replaces every known secret, longest first, also where JSON has escaped it. */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.flatMap((secret) =>
    secret !== undefined && secret.length >= SHORTEST ? [secret] : [],
  );
  const forms = [...new Set(known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]))];
  forms.sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((result, secret) => result.replaceAll(secret, SHOWN), text);
}

/**
 * The same data with every string, keys included, redacted. What holds no secret is not copied, so that a large
 * results file costs no second one. The data must not contain itself.
 */
export function redactAll<T>(data: T, redact: Redact): T {
  const done = new Map<object, unknown>();
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return redact(value);
    if (typeof value !== "object" || value === null) return value;
    if (!done.has(value))
      done.set(value, Array.isArray(value) ? visitArray(value, visit) : visitObject(value, visit, redact));
    return done.get(value);
  };
  return visit(data) as T;
}

function visitArray(array: readonly unknown[], visit: (value: unknown) => unknown): readonly unknown[] {
  const copy = array.map(visit);
  return copy.some((item, index) => item !== array[index]) ? copy : array;
}

function visitObject(object: object, visit: (value: unknown) => unknown, redact: Redact): object {
  const entries = Object.entries(object);
  const copy = entries.map(([key, value]): [string, unknown] => [redact(key), visit(value)]);
  const changed = copy.some(
    ([key, value], index) => key !== entries[index]?.[0] || value !== entries[index][1],
  );
  return changed ? Object.fromEntries(copy) : object;
}
