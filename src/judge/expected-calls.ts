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

/** Words of a prompt that asks for more than one verdict, however it then names the tools. */
const SEVERAL =
  /\b(?:each|every|per|all of the following|criteri(?:a|on)|checks|rubric items|separately|multiple|several|both|respectively|times|respective)\b|^\s*(?:\d+[.)]|[-*•]|\([a-z\d]\))\s+\S/im;
const ONE =
  /\b(?:exactly|only) (?:one|once)\b|\bone of (?:the )?(?:two |these )?(?:tools|functions|set_waza)|\b(?:single|one) (?:verdict|call|tool call)\b|set_waza_grade_(?:pass|fail) once\b/i;
const EITHER =
  /set_waza_grade_(pass|fail)[\s\S]*?\b(?:otherwise|else|if not|instead)\b[\s\S]*?set_waza_grade_(pass|fail)/i;

/**
 * How many calls are all there will be: the number a prompt names, or one where it asks for one verdict and nothing in
 * it speaks of several. undefined when only the judge can tell.
 */
export function completeAt(prompt: string): number | undefined {
  const named = expectedCalls(prompt);
  if (named !== undefined) return named;
  if (SEVERAL.test(prompt)) return undefined;
  const [, first, second] = EITHER.exec(prompt) ?? [];
  const mentions = prompt.match(/set_waza_grade_(?:pass|fail)/gi)?.length ?? 0;
  if (ONE.test(prompt) && mentions <= 2) return 1;
  return first !== undefined && first !== second && mentions === 2 ? 1 : undefined;
}
