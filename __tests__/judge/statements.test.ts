/** Statements: each gets one verdict by its number, and nothing is green that has none. */
import { describe, expect, test } from "@jest/globals";
import { JudgeError, type JudgeRequest } from "../../src/judge/judge.ts";
import { FILE_TOOLS } from "../../src/judge/files.ts";
import { votingJudge } from "../../src/judge/votes.ts";
import { finish, type Reply } from "../support/judge-server.ts";
import { fail, pass, signsOf, STATEMENT_JUDGES } from "../support/statement-judges.ts";
import { ask, closeServers, judgeAt, serve } from "./judging.ts";

closeServers();

const STATEMENTS = ["It names the loop.", "It is short.", "It has no error."];
const request: Partial<JudgeRequest> = { statements: STATEMENTS, shared: { messages: 2, key: "k" } };
/** What the conversation came to, `1+ 2- 3+: requests`, and all that the judge was sent in it. */
async function gradeBy(replies: readonly Reply[]): Promise<{ readonly came: string; readonly sent: string }> {
  const server = await serve(({ turn }) => replies[Math.min(turn, replies.length) - 1] ?? {});
  const came = await ask(judgeAt(server), request).then(
    ({ checks, incomplete }) =>
      `${signsOf(checks)}${incomplete ? ` incomplete (${incomplete.message})` : ""}`,
    (error: unknown) => {
      if (!(error instanceof JudgeError)) throw error;
      const after = error.reported ? ` after ${signsOf(error.reported.checks)}` : "";
      return `errored${after}: ${error.message}`;
    },
  );
  const sent = (server.asked.at(-1)?.request.messages ?? []).map(({ content }) => JSON.stringify(content));
  return { came: `${came}: ${String(server.asked.length)}`, sent: sent.join("\n") };
}

test.each(STATEMENT_JUDGES)("a judge that %s", async (_judge, replies, expected) => {
  const { came } = await gradeBy(replies);
  if (expected.endsWith(": ")) expect(came.startsWith(expected)).toBe(true);
  else expect(came).toBe(expected);
});

test("a call of no statement is answered, and what is missing is asked for by number", async () => {
  const first = { calls: [pass(1), fail(7), pass(), finish] };
  const { sent } = await gradeBy([first, { calls: [pass(2), pass(3)] }]);
  expect(sent).toContain("Nothing was recorded: the statements are numbered 1 to 3; give one of these as");
  expect(sent).toContain("There is no verdict yet on statement 2, 3: report it now.");
});

test("a statement's own text names it, whatever numbers it holds, if no other has the same", async () => {
  const statements = ["Step 3: it is run.", "Step 1:\n  so.", "1) Same.", "1) Same."];
  const server = await serve(({ turn }) => ({
    calls: turn === 1 ? statements.map((own) => fail(own.replace("\n ", ""))) : [pass(3), pass(4)],
  }));
  const { checks } = await ask(judgeAt(server), { ...request, statements });
  expect(signsOf(checks)).toBe("1- 2- 3+ 4+");
});

test("a call without a number is of the only statement", async () => {
  const server = await serve(() => ({ calls: [pass(), finish] }));
  const { checks } = await ask(judgeAt(server), { ...request, statements: ["It is short."] });
  expect(checks).toMatchObject([{ outcome: "pass", statement: 1, description: "It is short." }]);
});

test("each check has the statement's own text, its number and the judge's reason", async () => {
  const server = await serve(() => ({
    calls: [
      fail(3, "an error"),
      pass(2, "two lines"),
      { name: "set_waza_grade_pass", args: { statement: 1, description: "mine" } },
    ],
  }));
  const { checks } = await ask(judgeAt(server), request);
  expect(checks).toEqual([
    { outcome: "pass", statement: 1, description: STATEMENTS[0] },
    { outcome: "pass", statement: 2, description: STATEMENTS[1], reason: "two lines" },
    { outcome: "fail", statement: 3, description: STATEMENTS[2], reason: "an error" },
  ]);
});

test("quotes are looked up in all that the judge was sent and read", async () => {
  const files = {
    tools: FILE_TOOLS,
    reads: () => 0,
    again: () => files,
    fingerprint: () => Promise.resolve("f"),
    answer: ({ name }: { readonly name: string }) =>
      Promise.resolve(name === "read_file" ? "held by the file" : undefined),
  };
  const reason = 'It has "Is it good enough?", "held by the file" and "invented by the judge".';
  const server = await serve(({ turn }) =>
    turn === 1
      ? { calls: [{ name: "read_file", args: { path: "given/a" } }] }
      : { calls: [pass(1), pass(2), fail(3, reason)] },
  );
  const messages = (["system", "user", "user"] as const).map((role) => ({
    role,
    content: "Is it good enough?",
  }));
  const { checks } = await ask(judgeAt(server), { ...request, messages, files });
  expect(checks.map(({ quotes }) => quotes)).toEqual([
    undefined,
    undefined,
    { all: 3, missing: ["invented by the judge"] },
  ]);
});

describe("votes on a list", () => {
  const ballot = (signs: string): Reply => ({
    calls: [1, 2, 3].flatMap((number) => {
      const sign = signs.charAt(number - 1);
      return sign === "+" ? pass(number) : sign === "-" ? fail(number) : [];
    }),
  });
  /** A pass whose verdict is no side, asked about and called so again: it counts with a mark. */
  const unclear = (number: number) => ({
    name: "set_waza_grade_pass",
    args: { statement: number, reason: "because", verdict: "perhaps" },
  });

  test.each<[string, readonly number[], string, string | undefined]>([
    ["none that is marked", [], "1+ 2+ 3+", undefined],
    ["one that is marked", [2], "1+ 2+ 3+", "Judge only statement 2."],
    ["two that are marked", [1, 3], "1+ 2+ 3+", "Judge only statement 1, 3."],
    ["one that is marked, and then fails", [2, -2], "1+ 2- 3+", "Judge only statement 2."],
  ])("to confirm passes, %s", async (_what, signs, expected, asked) => {
    const marked = signs.filter((sign) => sign > 0);
    const server = await serve(({ prompt }) => ({
      calls: prompt.includes("Judge only")
        ? marked.map((number) => (signs.includes(-number) ? fail(number) : pass(number)))
        : [1, 2, 3].map((number) => (marked.includes(number) ? unclear(number) : pass(number))),
    }));
    const answer = await ask(votingJudge(judgeAt(server), { votes: 1, confirmOnFail: 2 }), request);
    expect(signsOf(answer.checks)).toBe(expected);
    const again = server.asked.find(({ prompt }) => prompt.includes("Judge only"));
    expect(again?.prompt.split("\n").at(-1)).toBe(asked);
  });

  /** What each vote gives (a sign a statement, `e` an error), and what they come to: score or error, votes, requests. */
  const voted = async (votes: readonly string[], policy: Parameters<typeof votingJudge>[1]) => {
    const ballots = [...votes];
    const server = await serve(({ turn }) => {
      const next = turn === 1 ? ballots.shift() : undefined;
      return next === undefined ? {} : next === "e" ? { text: null, refusal: "No." } : ballot(next);
    });
    const came = await ask(votingJudge(judgeAt(server), policy), request).then(
      ({ checks, votes: counts, incomplete }) =>
        `${signsOf(checks)}${incomplete ? ` incomplete, ${incomplete.class}` : ""} (${String(counts?.passed)}:${String(counts?.failed)}:${String(counts?.errored)})`,
      (error: unknown) => (error as JudgeError).class,
    );
    return { came, left: ballots.length, sent: server.asked.map(({ prompt }) => prompt) };
  };

  test.each<[string, readonly string[], string, number]>([
    ["three that each fail another", ["-++", "+-+", "++-"], "1+ 2+ 3+ (2:1:0)", 0],
    ["two that agree", ["++-", "++-", "+++"], "1+ 2+ 3- (0:2:0)", 1],
    ["one that is open until the last", ["+++", "++-", "++-"], "1+ 2+ 3- (1:2:0)", 0],
    ["an error, and one open statement", ["+++", "+-+", "e"], "refusal", 0],
    [
      "an error, an open statement and a failed one",
      ["-++", "--+", "e"],
      "1- 3+ incomplete, refusal (0:2:1)",
      0,
    ],
  ])("by three: %s", async (_what, votes, expected, left) => {
    const { came, ...rest } = await voted(votes, { votes: 3, confirmOnFail: 0 });
    expect([came, rest.left]).toEqual([expected, left]);
  });

  test.each<[string, readonly string[], string, number]>([
    ["a failed one that passes twice", ["+-+", " + ", " + "], "1+ 2+ 3+ (2:1:0)", 0],
    ["a failed one that fails again", ["+-+", " - ", " + "], "1+ 2- 3+ (0:2:0)", 1],
    ["a failed one, whatever is said of others", ["+-+", "-+-", "-+-"], "1+ 2+ 3+ (2:1:0)", 0],
    ["two, one of which passes", ["--+", "+- ", "+- "], "1+ 2- 3+ (0:3:0)", 0],
  ])("to confirm %s", async (_what, votes, expected, left) => {
    const { came, sent, ...rest } = await voted(votes, { votes: 1, confirmOnFail: 2 });
    expect([came, rest.left]).toEqual([expected, left]);
    const numbers = [1, 2, 3].filter((number) => votes[0]?.charAt(number - 1) === "-");
    expect(
      sent.slice(1).every((prompt) => prompt.includes(`Judge only statement ${numbers.join(", ")}.`)),
    ).toBe(true);
  });
});

test("of several votes the checks stand in the statements' order", async () => {
  const server = await serve(() => ({ calls: [pass(3), fail(1), pass(2)] }));
  const answer = await ask(votingJudge(judgeAt(server), { votes: 3, confirmOnFail: 0 }), request);
  expect(answer.checks.map(({ statement }) => statement)).toEqual([1, 2, 3]);
});
