import { describe, expect, test } from "@jest/globals";
import { findQuotes, plainOf } from "../../src/text/quotes.ts";

const EVIDENCE = `<<<0a0a0a0a task prompt>>>
Explain what \`merge_sorted\` does, in at most 3 sentences. Don't mention complexity.
<<<0a0a0a0a conversation: 2 messages, 2 tool calls>>>
<<<0a0a0a0a [1] tool call Read (succeeded)>>>
arguments: {"file_path":"src/merge.py"}
result:
def merge_sorted(a, b):
    """Merge two sorted lists."""
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
<<<0a0a0a0a [2] tool call Write (succeeded)>>>
arguments: {"file_path":"notes.md","content":"# Notes\\n\\nHe said \\"both lists must be sorted\\" twice.\\n"}
result: not recorded
<<<0a0a0a0a [3] agent>>>
## Summary

**\`merge_sorted\`** takes two lists that are *already sorted* and returns one sorted list.
It doesn't copy the inputs, and it's stable:
equal elements of the first list come before those of the second.

- Runs in O(n + m) time
- Uses O(n + m) extra space
<<<0a0a0a0a end>>>
Pass if the answer says that both inputs have to be sorted; fail if it talks about “time complexity”.`;

/** A reason, and its quotes that are not there; undefined where it quotes nothing that is looked for. */
const REASONS: readonly (readonly [string, readonly string[] | undefined])[] = [
  ['The answer says "takes two lists that are already sorted".', []],
  ['It states: "returns one sorted list."', []],
  ["It states “equal elements of the first list come before those of the second”.", []],
  ["The agent wrote ‘it's stable’ and ‘equal elements of the first list’.", []],
  ["The agent wrote 'It doesn't copy the inputs, and it's stable'.", []],
  ["It's clear that the agent's answer doesn't say it, since the author's notes aren't there.", undefined],
  ['"TAKES TWO LISTS that are already sorted" is what was asked for.', []],
  ['It mentions "Runs in O(n + m) time", which the task forbids: "Don\'t mention complexity".', []],
  ['It mentions "Runs in O(n * m) time and no extra space".', ["Runs in O(n * m) time and no extra space"]],
  ['The final line, "Uses O(n + m) extra space", speaks of complexity.', []],
  ['The instructions forbid "time complexity", and it is there.', []],
  ['It says "both inputs have to be sorted", as the grader asks.', []],
  ['It never says "lists may hold duplicates".', ["lists may hold duplicates"]],
  ['It never says "stable", nor "O(n)".', undefined],
  ["The code reads `if a[i] <= b[j]:`, so it is stable.", []],
  ["The code reads `if a[i] < b[j]: break`, so it is not stable.", ["if a[i] < b[j]: break"]],
  ['It quotes the file: "while i < len(a) and j < len(b): if a[i] <= b[j]:".', []],
  ['The notes hold "both lists must be sorted".', []],
  ['The notes hold "He said "both lists must be sorted" twice".', []],
  ['The notes begin with "# Notes He said".', []],
  ["\"It doesn't copy … and it's stable\" shows that.", []],
  ['"takes two lists ... returns one sorted list" shows that.', []],
  [
    '"def merge_sorted … returns one sorted list" is of two messages.',
    ["def merge_sorted … returns one sorted list"],
  ],
  ['"takes … returns one … list" has parts that match anywhere.', ["takes … returns one … list"]],
  [
    '"returns one sorted list … takes two lists" is the other way round.',
    ["returns one sorted list … takes two lists"],
  ],
  ['"…equal elements of the first list come before…" is right.', []],
  ["It writes **“already sorted and returns one”** in its summary.", []],
  ["«takes two lists that are already sorted» steht da.", []],
  ["„takes two lists that are already sorted“ steht da.", []],
  ['The 3.5" disk and the 24" screen are not part of it.', undefined],
  [
    'It said "I could not find the file you asked for, sorry".',
    ["I could not find the file you asked for, sorry"],
  ],
  [
    'Both "I have read merge.py twice" and "returns one sorted list" are claimed.',
    ["I have read merge.py twice"],
  ],
  ["The summary heading `## Summary` and `merge_sorted takes two lists` are there.", []],
  ["", undefined],
];

describe("the quotes of a reason", () => {
  test.each(REASONS)("%s", (reason, missing) => {
    const found = findQuotes(reason, () => plainOf(EVIDENCE));
    expect(found?.missing).toEqual(missing);
  });

  test.each<[string, string, string, boolean]>([
    [
      "characters that are not seen",
      "It re\u200Btur\u00ADns one sorted list",
      "It returns one sorted list",
      true,
    ],
    [
      "compatible characters",
      "The ﬁrst \u{1D5FD}\u{1D5EE}\u{1D5FF}\u{1D601} is right",
      "The first part is right",
      true,
    ],
    ["dashes and spaces", "ten – twelve\u00A0items at most", "ten - twelve items at most", true],
    ["quotation marks", "“Don’t stop” is what it says", '"Don\'t stop" is what it says'.slice(1), true],
    [
      "code that is escaped in arguments",
      '{"content":"print(\\"all is well\\")"}',
      'print("all is well")',
      true,
    ],
    ["a mark between two words", "values where x5 is the rest", "where x > 5 is the rest", false],
    ["a mark within a word", "rm -rf build_dir now, please", "rm -rf builddir now, please", false],
  ])("are compared with the evidence: %s", (_case, evidence, quote, isThere) => {
    const reason = quote.includes('"') ? `It says \`${quote}\`.` : `It says "${quote}".`;
    expect(findQuotes(reason, () => plainOf(evidence))?.missing).toEqual(isThere ? [] : [quote]);
  });

  test("are not looked for beyond twenty, nor is the evidence read where there are none", () => {
    const reason = Array.from({ length: 30 }, (_, index) => `"invented number ${String(index)}"`).join(" ");
    expect(findQuotes(reason, () => plainOf("x"))).toMatchObject({ all: 20 });
    const none = () => {
      throw new Error("read");
    };
    expect(findQuotes("It's short, and doesn't say why.", none)).toBeUndefined();
  });
});
