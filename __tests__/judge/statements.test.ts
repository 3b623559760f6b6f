/** Statements: each gets one verdict by its number, and nothing is green that has none. */
import { expect, test } from "@jest/globals";
import { BrokenOff, JudgeError } from "../../src/judge/judge.ts";
import type { JudgeRequest } from "../../src/judge/judge.ts";
import { FILE_TOOLS } from "../../src/judge/files/workspace-tools.ts";
import { votingJudge } from "../../src/judge/votes.ts";
import { finish } from "../support/judge-server.ts";
import type { Call, Reply } from "../support/judge-server.ts";
import { ask, closeServers, judgeAt, serve } from "./judging.ts";

closeServers();

const STATEMENTS = ["It names the loop.", "It is short.", "It has no error."];
const request: Partial<JudgeRequest> = { statements: STATEMENTS, shared: { messages: 2, key: "k" } };
const on = (outcome: "pass" | "fail", statement?: unknown, reason = "because"): Call => ({
  name: `set_waza_grade_${outcome}`,
  args: { statement, reason },
});
const pass = (statement?: unknown, reason?: string) => on("pass", statement, reason);
const fail = (statement?: unknown, reason?: string) => on("fail", statement, reason);
const think: Call = { name: "think", args: {} };
const all = [pass(1), pass(2), pass(3)];
const json = (...checks: object[]): Reply => ({ text: JSON.stringify({ checks }) });
const prose: Reply = { text: "All three hold." };
const says = (outcome: string, statement?: number) => ({ outcome, statement, reason: "because" });

/** What the conversation came to, `1+ 2- 3+: requests`, and all that the judge was sent in it. */
async function gradeBy(replies: readonly Reply[]): Promise<{ readonly came: string; readonly sent: string }> {
  const server = await serve(({ turn }) => replies[Math.min(turn, replies.length) - 1] ?? {});
  const signs = (checks: readonly { readonly outcome: string; readonly statement?: number | undefined }[]) =>
    checks.map(({ outcome, statement }) => `${String(statement)}${outcome === "pass" ? "+" : "-"}`).join(" ");
  const came = await ask(judgeAt(server), request).then(
    ({ checks, incomplete }) => `${signs(checks)}${incomplete ? ` incomplete (${incomplete.message})` : ""}`,
    (error: unknown) => {
      if (error instanceof BrokenOff) return `errored after ${signs(error.checks)}: ${error.message}`;
      if (error instanceof JudgeError) return `errored: ${error.message}`;
      throw error;
    },
  );
  const sent = (server.asked.at(-1)?.request.messages ?? []).map(({ content }) => JSON.stringify(content));
  return { came: `${came}: ${String(server.asked.length)}`, sent: sent.join("\n") };
}

test.each<[string, readonly Reply[], string]>([
  ["reports all, and does not finish", [{ calls: all }], "1+ 2+ 3+: 1"],
  ["reports all and finishes", [{ calls: [...all, finish] }], "1+ 2+ 3+: 1"],
  ["reports them in another order", [{ calls: [fail(3), pass(1), pass(2)] }], "1+ 2+ 3-: 1"],
  ["writes the numbers as text", [{ calls: [pass("1"), pass("2"), fail("3")] }], "1+ 2+ 3-: 1"],
  ["answers in three replies", all.map((call) => ({ calls: [call] })), "1+ 2+ 3+: 3"],
  [
    "skips one, and reports it when asked",
    [{ calls: [pass(1), pass(3), finish] }, { calls: [fail(2)] }],
    "1+ 2- 3+: 2",
  ],
  [
    "skips one for good, after passes",
    [{ calls: [pass(1), pass(3), finish] }, { calls: [finish] }],
    "errored after 1+ 3+: The judge gave no verdict on statement 2, also after it was reminded.: 2",
  ],
  [
    "skips two for good, after a failure",
    [{ calls: [fail(2), finish] }, { text: "Done." }],
    "2- incomplete (The judge gave no verdict on statement 1, 3, also after it was reminded.): 2",
  ],
  [
    "ends early in prose, and goes on when asked",
    [{ calls: [pass(1)] }, { text: "Done." }, { calls: [pass(2), pass(3)] }],
    "1+ 2+ 3+: 3",
  ],
  ["repeats one", [{ calls: [pass(1), pass(1), ...all] }], "1+ 2+ 3+: 1"],
  [
    "repeats one, and skips another",
    [{ calls: [pass(1), pass(2), pass(2)] }, { calls: [finish] }, { calls: [pass(3)] }],
    "1+ 2+ 3+: 3",
  ],
  ["contradicts itself", [{ calls: [pass(1), fail(2), pass(2), pass(3)] }], "1+ 2- 3+: 1"],
  [
    "contradicts itself the other way round",
    [{ calls: [pass(1), pass(2), fail(2), pass(3)] }],
    "1+ 2- 3+: 1",
  ],
  [
    "takes a failure back in a later reply",
    [{ calls: [fail(1), pass(2)] }, { calls: [pass(1), pass(3)] }],
    "1- 2+ 3+: 2",
  ],
  [
    "numbers from 0",
    [{ calls: [pass(0), pass(1), fail(2)] }, { calls: [finish] }, { calls: [pass(3)] }],
    "1+ 2- 3+: 3",
  ],
  ["names a number that does not exist", [{ calls: [...all, fail(7)] }], "1+ 2+ 3+: 1"],
  ["names no number", [{ calls: [pass(), pass(), pass(), finish] }, { calls: all }], "1+ 2+ 3+: 2"],
  ["never names a number", [{ calls: [pass(undefined, "a"), finish] }], ": 2"],
  [
    "repeats a number that does not exist for ever",
    [{ calls: [pass(1)] }, { calls: [fail(7)] }],
    "errored after 1+: The judge gave no verdict on statement 2, 3, also after it was reminded.: 6",
  ],
  [
    "sends `remaining`, which is not read here",
    [{ calls: [{ name: "set_waza_grade_pass", args: { statement: 1, remaining: 9 } }, pass(2), pass(3)] }],
    "1+ 2+ 3+: 1",
  ],
  [
    "calls a tool that does not exist beside them",
    [{ calls: [think, ...all] }, { calls: [finish] }],
    "1+ 2+ 3+: 2",
  ],
  ["is cut off in the reply with the last", [{ calls: all, finish: "length" }], "errored after 1+ 2+ 3+: "],
  [
    "is filtered in the reply with the last",
    [{ calls: all, finish: "content_filter" }],
    "errored after 1+ 2+ 3+: ",
  ],
  ["reports nothing", [{ text: "Fine." }, { text: "Fine." }], ": 2"],
  [
    "writes JSON when it was reminded",
    [prose, json(says("pass", 1), says("FAIL", 2), says("pass", 3))],
    "1+ 2- 3+: 2",
  ],
  [
    "writes JSON without one, and adds it",
    [prose, json(says("pass", 1), says("pass", 2)), json(says("pass", 3))],
    "1+ 2+ 3+: 3",
  ],
  ["writes JSON without numbers", [prose, json(says("pass"), says("pass"), says("pass"))], ": 2"],
  [
    "writes JSON without one for good",
    [prose, json(says("pass", 1), says("pass", 2))],
    "errored after 1+ 2+: The judge gave no verdict on statement 3, also after it was reminded.: 3",
  ],
])("a judge that %s", async (_judge, replies, expected) => {
  const { came } = await gradeBy(replies);
  if (expected.endsWith(": ")) expect(came.startsWith(expected)).toBe(true);
  else expect(came).toBe(expected);
});

test("a call of no statement is answered, and what is missing is asked for by number", async () => {
  const first = { calls: [pass(1), fail(7), pass(), finish] };
  const { sent } = await gradeBy([first, { calls: [pass(2), pass(3)] }]);
  expect(sent).toContain("There is no statement 7; nothing was recorded. They are numbered 1 to 3.");
  expect(sent).toContain("There is no statement without a number; nothing was recorded.");
  expect(sent).toContain("There is no verdict yet on statement 2, 3: report it now.");
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
  const [tool] = server.asked[0]?.request.tools ?? [];
  expect(tool?.function.parameters).toMatchObject({ required: ["statement"] });
  expect(JSON.stringify(tool)).not.toContain("remaining");
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

test("of several votes the checks stand in the statements' order", async () => {
  const server = await serve(() => ({ calls: [pass(3), fail(1), pass(2)] }));
  const answer = await ask(votingJudge(judgeAt(server), { votes: 3, confirmOnFail: 0 }), request);
  expect(answer.checks.map(({ statement }) => statement)).toEqual([1, 1, 2, 2, 3, 3]);
});
