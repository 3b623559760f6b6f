/** How many calls a grader's prompt plainly asks for, to notice a judge that made another number. */

const WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
const NUMBER = `(\\d{1,3}|${WORDS.slice(1).join("|")})`;
const CALLS = "(?:tool |function |grading |separate )*calls?";
const PATTERNS = [
  new RegExp(`\\b${NUMBER} ${CALLS},? (?:in )?(?:total|all|altogether)\\b`, "i"),
  new RegExp(`\\b(?:total|sum) of (?:exactly )?${NUMBER} ${CALLS}\\b`, "i"),
  new RegExp(`\\bexactly ${NUMBER} ${CALLS}\\b`, "i"),
];

/** The number in "3 calls total", "a total of three tool calls" or "exactly 3 calls"; undefined when none is named. */
export function expectedCalls(prompt: string): number | undefined {
  for (const pattern of PATTERNS) {
    const named = pattern.exec(prompt)?.[1]?.toLowerCase();
    if (named !== undefined) return WORDS.includes(named) ? WORDS.indexOf(named) : Number(named);
  }
  return undefined;
}
