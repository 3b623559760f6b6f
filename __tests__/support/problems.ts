/** Problems as tests compare them: by what they are and where, not by their wording. */
import type { Problem } from "../../src/domain/problem.ts";

/** Level, code and place of a problem in a line. */
export function inALine({ level, code, at }: Problem): string {
  return [level, code, ...(at ? [`${at.path}:${String(at.startLine)}`] : [])].join(" ");
}

/** Message and help of problems, a line each. */
export function wordsOf(problems: readonly Problem[]): string {
  return problems.map(({ message, help = "" }) => `${message} ${help}`).join("\n");
}
