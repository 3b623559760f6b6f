/** Problems as tests compare them: by what they are, where, and the data in their words. */
import { expect } from "@jest/globals";
import type { Problem } from "../../src/domain/problem.ts";

/** Level, code and place of a problem in a line. */
export function inALine({ level, code, at }: Problem): string {
  return [level, code, ...(at ? [`${at.path}:${String(at.startLine)}`] : [])].join(" ");
}

/** Message and help of problems, a line each. */
export function wordsOf(problems: readonly Problem[]): string {
  return problems.map(({ message, help = "" }) => `${message} ${help}`).join("\n");
}

/** Expects these problems, a line each: level, code and maybe place, then words of message and help behind `…`. */
export function expectSaid(problems: readonly Problem[], expected: readonly string[]): void {
  const lines = problems.map((one) => `${inALine(one)} ${wordsOf([one])}`);
  const shown = lines.map((line, index) => (isSaid(line, expected[index] ?? "") ? expected[index] : line));
  expect(shown).toEqual(expected);
}

function isSaid(line: string, expected: string): boolean {
  const [start = "", ...words] = expected.split(" … ");
  return `${line} `.startsWith(`${start} `) && words.every((part) => line.includes(part));
}
