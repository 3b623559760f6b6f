/** Which globs are tried at all: each limit alone makes one unreasonable. */
import { expect, test } from "@jest/globals";
import { isReasonableGlob } from "../../src/files/find.ts";

test.each<[string, string, boolean]>([
  ["three stars in a name", "*a*b*.md", true],
  ["four stars in a name", "*a*b*c*.md", false],
  ["three folders of any depth", "**/a/**/b/**/*.md", true],
  ["four folders of any depth", "**/a/**/b/**/c/**/*.md", false],
  ["three choices", "{a,b}/{c,d}/{e,f}.md", true],
  ["four choices", "{a,b}/{c,d}/{e,f}/{g,h}.md", false],
  ["a thousand characters", "a".repeat(1_000), true],
  ["more than a thousand characters", "a".repeat(1_001), false],
  ["an extended pattern", "@(a|b).md", false],
  ["a zero byte", "a\0b", false],
])("%s", (_, pattern, isReasonable) => {
  expect(isReasonableGlob(pattern)).toBe(isReasonable);
});
