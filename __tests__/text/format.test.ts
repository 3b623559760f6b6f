import { describe, expect, test } from "@jest/globals";
import { excerpt } from "../../src/text/format.ts";

describe("an excerpt", () => {
  test.each<[string, string, string]>([
    ["is the text where that is short enough", "a".repeat(50), "a".repeat(50)],
    [
      "ends with a line that ends near the limit",
      `${"a b ".repeat(11)}c\nd e f g h`,
      `${"a b ".repeat(11)}c\n…`,
    ],
    ["ends with a word where no line does", `a\n${"bc ".repeat(20)}`, `a\n${"bc ".repeat(15)}bc…`],
    ["ends anywhere where no word does", "a".repeat(60), `${"a".repeat(49)}…`],
    ["never ends with half a character", `${"a".repeat(48)}${"\u{1F600}".repeat(9)}`, `${"a".repeat(48)}…`],
  ])("%s", (_, text, shown) => {
    expect(excerpt(text, 50)).toBe(shown);
  });
});
