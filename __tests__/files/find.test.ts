/** The limits of a reasonable glob, one by one, and the order of found files. */
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { findFiles, isReasonableGlob } from "../../src/files/find.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

test("files are in natural order: numbers in names count as numbers", async () => {
  const names = ["skill-2/b.md", "skill-10/a.md", "skill-10/B.md", "skill-11/a.md"];
  const folder = writeProject(Object.fromEntries(names.map((name) => [name, ""])));
  expect(await findFiles(["**/*.md"], folder)).toEqual(names.map((name) => join(folder, name)));
});

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
