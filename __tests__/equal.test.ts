/** What a red test prints: the line that is wrong, and no field that is not set. */
import { expect, test } from "@jest/globals";

/** The lines of the diff that a comparison prints, without colours; none if it holds. */
function printed(compare: () => void): string[] {
  try {
    compare();
    return [];
  } catch (error) {
    // eslint-disable-next-line no-control-regex
    const text = (error as Error).message.replace(/\u001B\[\d+m/g, "");
    return text
      .split("\n")
      .filter((line) => /^[-+] {2,}\S/.test(line) && !/^[-+] {2}(?:Expected|Received) /.test(line));
  }
}

const unset = { agent: undefined, model: undefined };

test.each<[string, unknown, unknown, readonly string[]]>([
  ["a field", { id: 1, ...unset }, { id: 2 }, ['-   "id": 2,', '+   "id": 1,']],
  ["a field of an item of a list", [{ id: 1, ...unset }], [{ id: 2 }], ['-     "id": 2,', '+     "id": 1,']],
  [
    "a field of a value in a map",
    new Map([["a", { id: 1, ...unset }]]),
    new Map([["a", { id: 2 }]]),
    ['-     "id": 2,', '+     "id": 1,'],
  ],
  ["nothing, where fields that are not set are all that differs", { id: 1, ...unset }, { id: 1 }, []],
  ["nothing beside what any text matches", { id: "x", ...unset }, { id: expect.any(String) }, []],
])("%s is all that a red comparison prints", (_what, received, expected, lines) => {
  expect(
    printed(() => {
      expect(received).toEqual(expected);
    }),
  ).toEqual(lines);
});

test("what must differ and does not is red", () => {
  expect(() => {
    expect({ id: 1, ...unset }).not.toEqual({ id: 1 });
  }).toThrow("Expected: not");
});
