/** "Did you mean". */
import { expect, test } from "@jest/globals";
import { closest } from "../../src/text/suggest.ts";

test.each([
  ["two neighbours that are swapped in a short name", "bbo", "bob"],
  ["the same at its end", "bob", "bbo"],
  ["a letter too many", "bobb", "bob"],
  ["another case", "BOB", "bob"],
  ["two slips in a long name", "polite-grader", "polte-gradr"],
])("%s is a slip", (_, name, candidate) => {
  expect(closest(name, ["other", candidate])).toBe(candidate);
});

test.each([
  ["two letters of a short name are others", "bxx", "bob"],
  ["two letters that are not neighbours are swapped", "abcd", "dbca"],
  ["three letters of a long name are others", "polite", "poxxxe"],
])("%s: no slip", (_, name, candidate) => {
  expect(closest(name, [candidate])).toBeUndefined();
});
