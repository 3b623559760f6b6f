/** `verdict` of a call, and `checks` of finish_grading: what the judge says of its own calls. */
import { expect, test } from "@jest/globals";
import { JudgeError } from "../../src/judge/judge.ts";
import type { JudgeRequest } from "../../src/judge/judge.ts";
import { votingJudge } from "../../src/judge/votes.ts";
import { finish } from "../support/judge-server.ts";
import type { Call, Reply } from "../support/judge-server.ts";
import { ask, closeServers, judgeAt, outcomes, serve } from "./judging.ts";

closeServers();

const of = (name: "pass" | "fail", description?: string, verdict?: unknown): Call => ({
  name: `set_waza_grade_${name}`,
  args: { reason: "as seen", description, verdict },
});
const pass = (description?: string, verdict?: unknown) => of("pass", description, verdict);
const fail = (description?: string, verdict?: unknown) => of("fail", description, verdict);
const finishing = (checks: unknown): Call => ({ name: "finish_grading", args: { checks } });

/** What a judge with these replies, the last one again and again, comes to: outcomes, marks and requests. */
async function graded(replies: readonly Reply[], changes: Partial<JudgeRequest> = {}): Promise<string> {
  const server = await serve(({ turn }) => replies[Math.min(turn, replies.length) - 1] ?? {});
  const result = await ask(judgeAt(server), changes).then(
    (answer) => {
      const { short, incomplete, checks } = answer;
      const marked = checks.filter(({ contradicted }) => contradicted).length;
      return [
        outcomes(answer),
        ...(marked > 0 ? [`${String(marked)} marked`] : []),
        ...(short ? [`${String(short.reported)} of ${String(short.announced)}`] : []),
        ...(incomplete ? [`incomplete, ${incomplete.class}`] : []),
      ].join(", ");
    },
    (error: unknown) => {
      if (error instanceof JudgeError) return `errored, ${error.class}`;
      throw error;
    },
  );
  return `${result}: ${String(server.asked.length)}`;
}

test.each<[string, readonly Reply[], string]>([
  ["absent", [{ calls: [pass("a"), finish] }], "pass: 1"],
  ["the same", [{ calls: [pass("a", "pass"), fail("b", "fail"), finish] }], "pass fail: 1"],
  ["in other letters", [{ calls: [pass("a", " PASS "), finish] }], "pass: 1"],
  ...["passed", "", 1, null, true, ["fail"], { fail: true }].map(
    (verdict): [string, readonly Reply[], string] => [
      `${JSON.stringify(verdict)}, which says nothing`,
      [{ calls: [pass("a", verdict), fail("b", verdict), finish] }],
      "pass fail: 1",
    ],
  ),
  ["pass in a failure, which stands", [{ calls: [fail("a", "pass"), finish] }], "fail, 1 marked: 1"],
  [
    "fail in a pass, called again as a failure",
    [{ calls: [pass("a", "fail"), finish] }, { calls: [fail("a", "fail"), finish] }],
    "fail, 1 marked: 2",
  ],
  [
    "fail in a pass, called again as a pass",
    [{ calls: [pass("a", "FAIL")] }, { calls: [pass("a", "pass"), finish] }],
    "pass, 1 marked: 2",
  ],
  [
    "fail in a pass, settled in the same reply",
    [{ calls: [pass("a", "fail"), fail("a", "fail"), finish] }],
    "fail, 1 marked: 1",
  ],
  [
    "fail in a pass beside another pass",
    [{ calls: [pass("a", "fail"), pass("b"), finish] }, { calls: [finish] }],
    "errored, invalid-reply: 2",
  ],
  [
    "fail in a pass, and another pass later",
    [{ calls: [pass("a", "fail")] }, { calls: [pass("b"), finish] }, { calls: [finish] }],
    "errored, invalid-reply: 3",
  ],
  [
    "fail in a pass beside a failure, which stands",
    [{ calls: [pass("a", "fail"), fail("b"), finish] }, { calls: [finish] }],
    "fail, incomplete, invalid-reply: 2",
  ],
  [
    "fail in a pass without description, and a later check",
    [{ calls: [pass(undefined, "fail")] }, { calls: [fail("b"), finish] }],
    "fail, 1 marked: 2",
  ],
  [
    "fail in a pass without description, and a check beside it",
    [{ calls: [pass(undefined, "fail"), pass("b"), finish] }, { calls: [finish] }],
    "errored, invalid-reply: 2",
  ],
  ["always fail in a pass", [{ calls: [pass("a", "fail"), finish] }], "errored, invalid-reply: 2"],
  ["always fail in a pass, without a finish", [{ calls: [pass("a", "fail")] }], "errored, invalid-reply: 5"],
])("a `verdict` that is %s", async (_what, replies, expected) => {
  expect(await graded(replies)).toBe(expected);
});

test.each<[string, readonly Reply[], string]>([
  [
    "stays without a verdict until it is called again",
    [
      { calls: [{ name: "set_waza_grade_pass", args: { statement: 1, verdict: "fail" } }, numbered(2)] },
      { calls: [numbered(1, "fail")] },
    ],
    "fail pass, 1 marked: 2",
  ],
  [
    "is not settled by another statement",
    [
      { calls: [{ name: "set_waza_grade_pass", args: { statement: 1, verdict: "fail" } }, numbered(2)] },
      { calls: [numbered(2), finish] },
    ],
    "errored, invalid-reply: 3",
  ],
])("a statement with a contradicted pass %s", async (_what, replies, expected) => {
  expect(await graded(replies, { statements: ["It is short.", "It is right."] })).toBe(expected);
});

function numbered(statement: number, outcome = "pass"): Call {
  return { name: `set_waza_grade_${outcome}`, args: { statement, reason: "as seen" } };
}

test("the judge is asked which of the two it means, with the check's name", async () => {
  const server = await serve(({ turn }) => ({
    calls: turn === 1 ? [pass("short", "fail"), finish] : [fail("short"), finish],
  }));
  await ask(judgeAt(server));
  const contents = server.asked[1]?.request.messages.slice(-2).map(({ content }) => content);
  const rule =
    "a pass has the verdict fail. Call the one you mean, for the same statement or with the same description.";
  expect(contents).toEqual([`Nothing was recorded: ${rule}`, expect.stringContaining(`${rule} (short)`)]);
});

test.each<[string, readonly Reply[], string]>([
  ["as many as reported", [{ calls: [pass("a"), fail("b"), finishing(2)] }], "pass fail: 1"],
  ["fewer than reported", [{ calls: [pass("a"), fail("b"), finishing(1)] }], "pass fail: 1"],
  ["in digits", [{ calls: [pass("a"), finishing("1")] }], "pass: 1"],
  ...[0, -1, 1.5, null, true, "three", [3]].map((checks): [string, readonly Reply[], string] => [
    `${JSON.stringify(checks)}, which says nothing`,
    [{ calls: [pass("a"), finishing(checks)] }],
    "pass: 1",
  ]),
  [
    "more, and then it finishes",
    [{ calls: [pass("a"), finishing(3)] }, { calls: [finish] }],
    "pass, 1 of 3: 2",
  ],
  [
    "more, and then it reports the rest",
    [{ calls: [pass("a"), finishing(3)] }, { calls: [pass("b"), fail("c"), finish] }],
    "pass pass fail: 2",
  ],
  [
    "more, and then it corrects the number",
    [{ calls: [pass("a"), finishing(3)] }, { calls: [finishing(1)] }],
    "pass: 2",
  ],
  [
    "1 by habit before each of three checks, which ends nothing",
    [{ calls: [pass("a")] }, { calls: [pass("b")] }, { calls: [fail("c"), finishing(1)] }],
    "pass pass fail: 3",
  ],
])("a finish with `checks` that is %s", async (_what, replies, expected) => {
  expect(await graded(replies)).toBe(expected);
});

test("the judge is asked once for the rest, with both numbers", async () => {
  const server = await serve(() => ({ calls: [pass("a"), finishing(3)] }));
  await ask(judgeAt(server));
  expect(server.asked[1]?.request.messages.at(-1)?.content).toBe(
    "You reported 1 of the 3 checks that the instructions ask for: report the others, or call finish_grading.",
  );
});

const short: readonly Reply[] = [{ calls: [pass("a"), finishing(2)] }, { calls: [finishing(2)] }];

test.each<[string, readonly (readonly Reply[])[], string, object]>([
  [
    "passes",
    [short, [{ calls: [pass("a"), pass("b"), finish] }]],
    "pass pass pass",
    { passed: 2, failed: 0 },
  ],
  [
    "fails",
    [short, [{ calls: [pass("a"), fail("b"), finish] }]],
    "pass fail pass fail",
    { passed: 1, failed: 2 },
  ],
  ["errs", [short, [{ text: null, finish: "content_filter" }]], "pass", { passed: 1, errored: 2 }],
])(
  "a pass with fewer checks than the judge counted is asked again under confirm-on-fail, which %s",
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

test("a judge that fills in a number by habit does not end later grades early", async () => {
  let grade = 0;
  const hard: readonly Reply[] = [{ calls: [pass("a")] }, { calls: [fail("b")] }, { calls: [finishing(1)] }];
  const server = await serve(({ turn }) =>
    grade < 3 ? { calls: [pass("a"), finishing(1)] } : (hard[turn - 1] ?? {}),
  );
  const judge = judgeAt(server);
  const results: string[] = [];
  for (; grade < 5; grade += 1) results.push(outcomes(await ask(judge)));
  expect(results).toEqual(["pass", "pass", "pass", "pass fail", "pass fail"]);
});
