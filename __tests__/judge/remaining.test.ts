/** `remaining`: the judge's own count of the checks still to come, and how its `1` is earned. */
import { expect, test } from "@jest/globals";
import { Interrupted } from "../../src/judge/judge.ts";
import type { JudgeRequest } from "../../src/judge/judge.ts";
import { FILE_TOOLS } from "../../src/judge/files.ts";
import { votingJudge } from "../../src/judge/votes.ts";
import { finish } from "../support/judge-server.ts";
import type { Call, Reply } from "../support/judge-server.ts";
import { ask, closeServers, judgeAt, outcomes, serve } from "./judging.ts";

closeServers();

const shared = { messages: 2, key: "k" };
const of = (name: "pass" | "fail", remaining?: unknown, description = ""): Call => ({
  name: `set_waza_grade_${name}`,
  args: { description: description || `check ${JSON.stringify(remaining)}`, remaining },
});
const pass = (remaining?: unknown, description?: string) => of("pass", remaining, description);
const fail = (remaining?: unknown, description?: string) => of("fail", remaining, description);
const think: Call = { name: "think", args: {} };
const read: Call = { name: "read_file", args: { path: "given/a.txt" } };
const files = {
  tools: FILE_TOOLS,
  reads: () => 0,
  again: () => files,
  fingerprint: () => Promise.resolve("f"),
  answer: ({ name }: { readonly name: string }) => Promise.resolve(name === "read_file" ? "text" : undefined),
};

/** Grades one after the other, each by its replies in order, the last one again and again; what each came to. */
async function grades(
  all: readonly (readonly Reply[])[],
  requestOf: (index: number) => Partial<JudgeRequest> = () => ({}),
): Promise<string[]> {
  let index = 0;
  const server = await serve(({ turn }) => {
    const replies = all[index] ?? [];
    return replies[Math.min(turn, replies.length) - 1] ?? {};
  });
  const judge = judgeAt(server);
  const results: string[] = [];
  for (; index < all.length; index += 1) {
    const before = server.asked.length;
    const result = await ask(judge, { shared, files, ...requestOf(index) }).then(
      ({ short, ...answer }) =>
        `${outcomes(answer)}${short ? ` (${String(short.reported)} of ${String(short.announced)})` : ""}`,
      (error: unknown) => {
        if (error instanceof Interrupted) return `errored after ${outcomes(error)}`;
        throw error;
      },
    );
    results.push(`${result}: ${String(server.asked.length - before)}`);
  }
  return results;
}

const one: readonly Reply[] = [{ calls: [pass(1)] }, { calls: [finish] }];
const three: readonly Reply[] = [
  { calls: [pass(3)] },
  { calls: [fail(2)] },
  { calls: [pass(1)] },
  { calls: [finish] },
];
const habit: readonly Reply[] = [
  ...[1, 2, 3, 4].map((n) => ({ calls: [pass(1, `check ${String(n)}`)] })),
  { calls: [fail(1, "check 5")] },
  { calls: [finish] },
];

test.each<[string, readonly (readonly Reply[])[], string[]]>([
  ["right, one check", [one, one, one], ["pass: 2", "pass: 1", "pass: 1"]],
  ["right, three checks one a reply", [three, three], ["pass fail pass: 4", "pass fail pass: 3"]],
  [
    "right, in digits",
    [
      [{ calls: [pass("1")] }, {}],
      [{ calls: [pass("1")] }, {}],
    ],
    ["pass: 2", "pass: 1"],
  ],
  ["right, and then as prose", [[{ calls: [pass(1)] }, { text: "Done." }], one], ["pass: 2", "pass: 1"]],
  ["always 1", [habit, habit], ["pass pass pass pass fail: 6", "pass pass pass pass fail: 6"]],
  [
    "always 1, after one grade of one check",
    [habit, one, one],
    ["pass pass pass pass fail: 6", "pass: 2", "pass: 2"],
  ],
  [
    "1 beside finish_grading, where nothing is earned",
    [[{ calls: [pass(1), finish] }], habit],
    ["pass: 1", "pass pass pass pass fail: 6"],
  ],
  ...[0, -1, 1.5, null, true, "one", "-1", "", [1], { a: 1 }].map(
    (value): [string, readonly (readonly Reply[])[], string[]] => [
      `${JSON.stringify(value)}, which says nothing`,
      [
        [{ calls: [pass(value)] }, { calls: [finish] }],
        [{ calls: [pass(value)] }, { calls: [finish] }],
      ],
      ["pass: 2", "pass: 2"],
    ],
  ),
  ["missing", [[{ calls: [pass()] }, { calls: [finish] }], one, one], ["pass: 2", "pass: 2", "pass: 1"]],
  [
    "1 beside a read",
    [one, [{ calls: [pass(1), read] }, { calls: [fail(1), finish] }], one],
    ["pass: 2", "pass fail: 2", "pass: 2"],
  ],
  [
    "1 beside a call of no tool",
    [one, [{ calls: [think, pass(1)] }, { calls: [fail(1), finish] }]],
    ["pass: 2", "pass fail: 2"],
  ],
  [
    "1 in a reply that is cut off",
    [one, [{ calls: [pass(1)], finish: "length" }]],
    ["pass: 2", "errored after pass: 1"],
  ],
  [
    "1 in a reply that is filtered",
    [one, [{ calls: [pass(1)], finish: "content_filter" }]],
    ["pass: 2", "errored after pass: 1"],
  ],
  [
    "1, and more calls after it in the same reply",
    [one, [{ calls: [pass(1), fail(1)] }, { calls: [pass(1, "third"), finish] }], one],
    ["pass: 2", "pass fail pass: 2", "pass: 2"],
  ],
  [
    "1 before the last call",
    [one, [{ calls: [pass(1), think] }, { calls: [finish] }]],
    ["pass: 2", "pass: 3"],
  ],
  [
    "1 on the last of several in one reply",
    [three, [{ calls: [pass(3), fail(2), pass(1)] }]],
    ["pass fail pass: 4", "pass fail pass: 1"],
  ],
  ["3, and then it finishes", [[{ calls: [pass(3)] }, { calls: [finish] }]], ["pass (1 of 3): 3"]],
  [
    "3, and nothing on the two that follow",
    [[{ calls: [pass(3), pass(), fail()] }, { calls: [finish] }]],
    ["pass pass fail: 2"],
  ],
  [
    "3, and the rest once it is reminded",
    [[{ calls: [pass(3), finish] }, { calls: [pass(2), fail(1), finish] }]],
    ["pass pass fail: 2"],
  ],
  ["3 in a failure", [[{ calls: [fail(3), finish] }, { calls: [finish] }]], ["fail (1 of 3): 2"]],
])("%s", async (_what, replies, expected) => {
  expect(await grades(replies)).toEqual(expected);
});

test("is earned for each grader and model by itself", async () => {
  const asked = (prompt: string, model = "judge-1"): Partial<JudgeRequest> => ({
    model,
    messages: ["system", "user", "user"].map((role, index) => ({
      role: role as "user",
      content: ["You are a judge.", `evidence ${String(Math.random())}`, prompt][index] ?? "",
    })),
  });
  const requests = [
    asked("Short?"),
    asked("Right?"),
    asked("Short?"),
    asked("Short?", "judge-2"),
    asked("Right?"),
  ];
  expect(await grades([one, one, one, one, one], (index) => requests[index] ?? {})).toEqual([
    "pass: 2",
    "pass: 2",
    "pass: 1",
    "pass: 2",
    "pass: 1",
  ]);
});

test("is reported once, with the number, where the judge finishes before its own last", async () => {
  const server = await serve(({ turn }) => ({ calls: turn === 1 ? [pass(3), finish] : [finish] }));
  await ask(judgeAt(server));
  expect(server.asked[1]?.request.messages.at(-1)?.content).toBe(
    "You said that 2 more are to be reported: report them, or call finish_grading.",
  );
  expect(server.asked).toHaveLength(2);
});

test.each<[string, readonly (readonly Reply[])[], string, object]>([
  [
    "passes",
    [[{ calls: [pass(2), finish] }, { calls: [finish] }], [{ calls: [pass(2), pass(1), finish] }]],
    "pass pass pass",
    { passed: 2, failed: 0 },
  ],
  [
    "fails",
    [[{ calls: [pass(2), finish] }, { calls: [finish] }], [{ calls: [pass(2), fail(1), finish] }]],
    "pass fail pass fail",
    { passed: 1, failed: 2 },
  ],
  [
    "errs",
    [[{ calls: [pass(2), finish] }, { calls: [finish] }], [{ text: null, finish: "content_filter" }]],
    "pass",
    { passed: 1, errored: 2 },
  ],
])(
  "a pass with fewer checks than announced is asked again under confirm-on-fail, which %s",
  async (_what, replies, expected, votes) => {
    let asked = 0;
    let vote: readonly Reply[] = [];
    const server = await serve(({ turn }) => {
      if (turn === 1) vote = replies[Math.min(asked++, replies.length - 1)] ?? [];
      return vote[Math.min(turn, vote.length) - 1] ?? {};
    });
    const answer = await ask(votingJudge(judgeAt(server), { votes: 1, confirmOnFail: 2 }));
    expect(outcomes(answer)).toBe(expected);
    expect(answer.votes).toMatchObject(votes);
  },
);
