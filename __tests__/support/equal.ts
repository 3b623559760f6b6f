/**
 * `toEqual` as Jest has it, which takes a field that is undefined for one that is absent; but what it prints of a red test
 * leaves such fields out, too, so that the lines that differ are those that are wrong.
 */
import { expect } from "@jest/globals";

expect.extend({
  toEqual(received: unknown, expected: unknown) {
    const { equals, customTesters, utils, isNot } = this;
    const pass = equals(received, expected, [...customTesters, utils.iterableEquality]);
    const hint = utils.matcherHint("toEqual", undefined, undefined, { isNot: isNot === true });
    const message = () => {
      const [wanted, got] = [withoutUnset(expected), withoutUnset(received)];
      const what = pass
        ? `Expected: not ${utils.printExpected(wanted)}`
        : utils.printDiffOrStringify(wanted, got, "Expected", "Received", this.expand ?? false);
      return `${hint}\n\n${what}`;
    };
    return { pass, message };
  },
});

/** A copy without the fields that are undefined, as deep as plain objects, lists and maps go. */
export function withoutUnset(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value !== "object" || value === null || above.includes(value)) return value;
  const inner = (one: unknown) => withoutUnset(one, [...above, value]);
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, inner(one)]));
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== null && Object.getPrototypeOf(proto) !== null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, inner(one)]])),
  );
}
