/** Prompts of every kind with the calls a careful judge makes for them, and generated judges that make them in every way. */
import type { FileReader, JudgeAnswer } from "../../src/judge/judge.ts";
import { startMeter } from "../../src/judge/judge.ts";
import { completeAt } from "../../src/judge/expected-calls.ts";
import type { TurnPolicy } from "../../src/judge/turns.ts";
import { FILE_TOOLS } from "../../src/judge/workspace-tools.ts";
import { fail, pass } from "../support/judge-server.ts";
import type { Asked, Call, Reply } from "../support/judge-server.ts";
import { judgeAt, request, serve } from "./judging.ts";

export interface PromptCase {
  readonly kind: string;
  readonly prompt: string;
  /** Calls of a careful judge. */
  readonly calls: number;
}

const of = (kind: string, ...cases: readonly (readonly [calls: number, prompt: string])[]): PromptCase[] =>
  cases.map(([calls, prompt]) => ({ kind, prompt, calls }));

export const PROMPTS: readonly PromptCase[] = [
  ...of(
    "one verdict",
    [1, "Is the summary correct? Call set_waza_grade_pass if so, otherwise set_waza_grade_fail."],
    [
      1,
      "Call exactly one of the two tools: set_waza_grade_pass if the file was created, or set_waza_grade_fail.",
    ],
    [1, "If the answer names the bug call set_waza_grade_pass, else call set_waza_grade_fail with a reason."],
    [1, "Call set_waza_grade_pass once if the code compiles. Otherwise call set_waza_grade_fail."],
    [1, "Report exactly one verdict by set_waza_grade_pass or set_waza_grade_fail."],
    [
      1,
      "Make a single call: set_waza_grade_pass when the label is right, set_waza_grade_fail when it is wrong.",
    ],
    [1, "Decide whether the tests pass. Use only one tool, set_waza_grade_pass or set_waza_grade_fail."],
    [1, "Call set_waza_grade_fail if the agent deleted a file; if not, call set_waza_grade_pass."],
    [1, "Make exactly one call."],
    [
      1,
      "The label should be `urgent`. Call set_waza_grade_pass if it is, otherwise set_waza_grade_fail with the label it should have been.",
    ],
  ),
  ...of(
    "a number",
    [
      3,
      "For each criterion call set_waza_grade_pass if it is met, set_waza_grade_fail if it is not (3 calls total).",
    ],
    [3, "Make exactly 3 calls."],
    [4, "You must make exactly four tool calls, one per criterion."],
    [
      2,
      "Judge tone and accuracy. Call set_waza_grade_pass or set_waza_grade_fail for both, for a total of 2 calls.",
    ],
    [
      5,
      "Look at the five answers and call set_waza_grade_pass or set_waza_grade_fail for each: 5 calls in total.",
    ],
    [
      3,
      "1. It is short.\n2. It is polite.\n3. It is right.\nCall set_waza_grade_pass or set_waza_grade_fail for each (3 calls total).",
    ],
    [12, "Report twelve files. Make twelve calls in total."],
    [2, "Check the title and the body.\n\n2 calls total."],
    [
      6,
      "For every endpoint, call set_waza_grade_pass or set_waza_grade_fail - a total of six grading calls.",
    ],
    [3, "- short\n- polite\n- right\n\nMake exactly three separate tool calls, one for each item."],
  ),
  ...of(
    "a list",
    [3, "Check:\n1. The answer is short.\n2. The answer is polite.\n3. The answer is right."],
    [
      3,
      "- It compiles\n- It has tests\n- It has no TODO\nCall set_waza_grade_pass or set_waza_grade_fail for each.",
    ],
    [2, "a) Is it polite?\nb) Is it right?\nCall set_waza_grade_pass if so, otherwise set_waza_grade_fail."],
    [4, "* one\n* two\n* three\n* four"],
    [
      2,
      "Grade (1) the tone and (2) the facts. Call set_waza_grade_pass if good, otherwise set_waza_grade_fail.",
    ],
    [
      3,
      "The answer is polite\nThe answer is short\nThe answer is right\nCall set_waza_grade_pass if so, otherwise set_waza_grade_fail",
    ],
    [2, "| check | ok |\n| tone | ? |\nGrade both rows."],
    [3, "Q1: tone?\nQ2: facts?\nQ3: length?\nCall set_waza_grade_pass if yes, else set_waza_grade_fail."],
    [2, "☐ tests pass\n☐ lint passes\nCall set_waza_grade_pass once or set_waza_grade_fail."],
    [5, "i. a\nii. b\niii. c\niv. d\nv. e"],
  ),
  ...of(
    "per criterion",
    [3, "For each criterion below call the matching tool: tone, facts, length."],
    [3, "Make exactly one call per criterion: tone, facts, length."],
    [2, "Call set_waza_grade_pass once per correct function and set_waza_grade_fail once per wrong one."],
    [3, "Check tone, facts and length separately."],
    [4, "Grade every file the agent changed, exactly one call for each."],
    [
      2,
      "If the greeting is polite call set_waza_grade_pass, otherwise set_waza_grade_fail. Do the same with the farewell.",
    ],
    [2, "Grade the tone and the accuracy: call set_waza_grade_pass if good, otherwise set_waza_grade_fail."],
    [
      2,
      "The reply must be polite. The reply must be short. Call set_waza_grade_pass if so, otherwise set_waza_grade_fail.",
    ],
    [
      3,
      "Call set_waza_grade_pass once for every claim with a source, set_waza_grade_fail once for any without.",
    ],
    [2, "Report exactly one call at a time, for the tone and for the facts."],
    [2, "Polite? Call set_waza_grade_pass, otherwise set_waza_grade_fail. Likewise for brevity."],
  ),
  ...of(
    "another number",
    [
      1,
      "Call set_waza_grade_pass if the agent made exactly 3 calls to the search tool, otherwise set_waza_grade_fail.",
    ],
    [4, "The agent should make exactly two calls to search. Grade each of the four steps."],
    [3, "The session has 2 tool calls in total. Grade tone, facts and length, each by a call."],
    [
      5,
      "Exactly one call to the API was allowed. Check the five steps, each with set_waza_grade_pass or set_waza_grade_fail.",
    ],
    [3, "Make exactly 2 calls for greetings and exactly 1 call for farewells."],
    [2, "The script must issue exactly 0 calls to the network. Grade that and the output."],
    [4, "1. a\n2. b\n3. c\n4. d\nMake exactly 3 calls (sic)."],
    [3, "It makes a total of 2 calls to the database. Rate the design, the tests and the docs."],
    [2, "There are exactly 1 call of main() and a comment: check both."],
  ),
  ...of(
    "a score",
    [1, "Rate the answer from 1 to 5."],
    [1, "Give a score between 0 and 100 and explain it."],
    [3, "Score tone, facts and length from 1 to 10 each."],
    [1, "Output `SCORE: <n>` in the last line, n from 0 to 10."],
    [1, "How good is it, on a scale of one to seven? 5 or more passes."],
  ),
  ...of(
    "PASS or FAIL",
    [1, "Answer PASS or FAIL."],
    [1, "End with a line that says PASS if the answer is right and FAIL if it is not."],
    [1, "Respond with exactly one word: PASS or FAIL."],
    [2, "Write PASS or FAIL for the tone, then PASS or FAIL for the facts."],
    [1, '{"verdict": "PASS" | "FAIL"}'],
  ),
  ...of(
    "no word of tools",
    [1, "Is the answer right?"],
    [2, "Is the answer right, and is it polite?"],
    [1, "The agent should have asked before it deleted the branch."],
    [4, "Check the four requirements of the task."],
    [1, "Good?"],
    [3, "Be strict about tone, facts and length."],
  ),
  ...of(
    "another language",
    [1, "Ist die Antwort richtig? Rufe set_waza_grade_pass auf, sonst set_waza_grade_fail."],
    [3, "Prüfe jedes Kriterium einzeln: Ton, Fakten, Länge. set_waza_grade_pass oder set_waza_grade_fail."],
    [2, "Bewerte jede Datei: set_waza_grade_pass if good, otherwise set_waza_grade_fail."],
    [2, "Pour chaque fichier, appelle set_waza_grade_pass, else set_waza_grade_fail."],
    [3, "各項目について set_waza_grade_pass または set_waza_grade_fail を呼び出してください。"],
    [1, "回答是否正确？"],
    [2, "Проверь тон и факты: set_waza_grade_pass, otherwise set_waza_grade_fail."],
    [2, "Califica cada archivo con set_waza_grade_pass once o set_waza_grade_fail."],
  ),
  ...of(
    "as in real evals",
    [
      3,
      "You are grading a code explanation.\n\nFor each of the three criteria, call\nset_waza_grade_pass if it is met, set_waza_grade_fail if it is not (3 calls total).\n\n1. It names what the function returns.\n2. It says which errors it throws.\n3. It gives a usage example.",
    ],
    [
      1,
      "Compare the label with the ticket.\nCall set_waza_grade_pass if the label is right, otherwise\nset_waza_grade_fail with the label it should have been.",
    ],
    [
      2,
      "Decide whether the statements are true.\nCall set_waza_grade_pass once if all statements are true. Otherwise call set_waza_grade_fail\nonce for each that is not.",
    ],
    [
      1,
      "Evaluate whether the assistant's final response resolves the user's request. Consider correctness, completeness and safety. If it does, call set_waza_grade_pass; otherwise call set_waza_grade_fail with a description of what is missing.",
    ],
    [
      4,
      "## Rubric\n\n- **Correct**: the fix works\n- **Minimal**: nothing else is changed\n- **Tested**: there is a test\n- **Explained**: the message says why\n\nReport every item.",
    ],
    [
      1,
      "This is one check, reported by a single call. Fail when at least one claim is unsupported. Pass otherwise.",
    ],
    [
      2,
      "Verify that the PR description mentions the issue and that the branch name follows the convention. Use set_waza_grade_pass / set_waza_grade_fail.",
    ],
    [
      3,
      "Check the workspace: README.md exists, package.json has a test script, and no file holds a key. One call each.",
    ],
  ),
];

const read = { name: "read_file", args: { path: "workspace/a" } };

/** All replies of a judge for so many calls, whatever comes between them. */
type Style = (calls: readonly Call[], number: number) => readonly Reply[];

const together: Style = (calls) => [{ calls }];
const oneByOne: Style = (calls) => calls.map((call) => ({ calls: [call] }));
const mixed: Style = (calls, number) => (number % 2 === 0 ? together : oneByOne)(calls, number);

export const STYLES: Readonly<Record<string, Style>> = {
  "all at once": together,
  "one by one": oneByOne,
  "one or the other": mixed,
  "only when reminded": (calls, number) => [{ text: "I would say it is fine." }, ...mixed(calls, number)],
  "reads first": (calls, number) => [{ calls: [read, read] }, { calls: [read] }, ...mixed(calls, number)],
  "reads meanwhile": ([first, ...calls]) => [
    { calls: first ? [first, read] : [read] },
    ...oneByOne(calls, 0),
  ],
  "reads beside all": (calls) => [{ calls: [read, ...calls] }],
  "says everything twice, at once": (calls) => [{ calls: calls.flatMap((call) => [call, call]) }],
  "says everything twice, one by one": (calls) => calls.map((call) => ({ calls: [call, call] })),
  "makes no call": () => [{ text: "PASS" }, { text: "PASS, as I said." }],
};

/** Two calls first and then the others: for prompts without a number the one exception of `auto`. */
export const SPLIT: Style = (calls) => [{ calls: calls.slice(0, 2) }, ...oneByOne(calls.slice(2), 0)];

const files = (): FileReader => {
  let reads = 0;
  return {
    tools: FILE_TOOLS,
    reads: () => reads,
    again: () => files(),
    fingerprint: () => Promise.resolve("one"),
    answer: ({ name }) => {
      if (name !== "read_file") return Promise.resolve(undefined);
      reads += 1;
      return Promise.resolve("content");
    },
  };
};

export interface Graded {
  readonly of: PromptCase;
  readonly checks: JudgeAnswer["checks"];
  readonly incomplete: boolean;
  readonly requests: number;
}

/** One run of a judge over the prompts, one grade after the other, so that it may learn of the model's ways. */
export async function gradeAll(
  style: Style,
  turns: TurnPolicy,
  prompts: readonly PromptCase[] = PROMPTS,
): Promise<Graded[]> {
  const repliesTo = new Map(
    prompts.map(({ prompt, calls }, number) => {
      const made = Array.from({ length: calls }, (_, index) =>
        ((number + index) % 3 === 0 ? fail : pass)(`check ${String(index + 1)}`, prompt.slice(0, 20)),
      );
      return [prompt, style(made, number)];
    }),
  );
  const { url } = await serve(({ prompt, turn }: Asked) => repliesTo.get(prompt)?.[turn - 1] ?? {});
  const judge = judgeAt({ url }, { turns });
  const graded: Graded[] = [];
  for (const one of prompts) {
    const meter = startMeter();
    const expected = completeAt(one.prompt);
    const messages = [...request().messages.slice(0, -1), { role: "user", content: one.prompt } as const];
    const asked = { ...request(), messages, files: files(), ...(expected === undefined ? {} : { expected }) };
    const { checks, incomplete } = await judge.grade(asked, meter, new AbortController().signal);
    graded.push({ of: one, checks, incomplete: incomplete !== undefined, requests: meter.requests });
  }
  return graded;
}

/** Percent of the requests of `until-done` that `auto` does without, for each kind of prompt and way of a judge. */
export async function turnSavings(): Promise<Record<string, Record<string, number>>> {
  const table: Record<string, Record<string, number>> = {};
  for (const way of ["all at once", "one by one"]) {
    const [auto, all] = [await gradeAll(STYLES[way]!, "auto"), await gradeAll(STYLES[way]!, "until-done")];
    const row = (kind?: string) => {
      const sum = (graded: readonly Graded[]) =>
        graded.reduce(
          (total, one) => total + (kind === undefined || one.of.kind === kind ? one.requests : 0),
          0,
        );
      return Math.round(100 * (1 - sum(auto) / sum(all)));
    };
    const kinds = [...new Set(PROMPTS.map(({ kind }) => kind))];
    table[way] = { ...Object.fromEntries(kinds.map((kind) => [kind, row(kind)])), "all kinds": row() };
  }
  return table;
}
