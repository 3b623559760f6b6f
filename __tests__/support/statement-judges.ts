/** How judges grade a list of three statements, and how each is read: its replies, and what they come to. */
import { finish, type Call, type Reply } from "./judge-server.ts";

const on = (outcome: "pass" | "fail", statement?: unknown, reason = "because"): Call => ({
  name: `set_waza_grade_${outcome}`,
  args: { statement, reason },
});
export const pass = (statement?: unknown, reason?: string): Call => on("pass", statement, reason);
export const fail = (statement?: unknown, reason?: string): Call => on("fail", statement, reason);
const think: Call = { name: "think", args: {} };
const all = [pass(1), pass(2), pass(3)];
const json = (...checks: object[]): Reply => ({ text: JSON.stringify({ checks }) });
const prose: Reply = { text: "All three hold." };
const says = (outcome: string, statement?: number) => ({ outcome, statement, reason: "because" });

/** What a judge does, its replies in order (the last one again and again), and the verdict with its requests. */
export const STATEMENT_JUDGES: readonly (readonly [string, readonly Reply[], string])[] = [
  ["reports all, and does not finish", [{ calls: all }], "1+ 2+ 3+: 1"],
  ["reports all and finishes", [{ calls: [...all, finish] }], "1+ 2+ 3+: 1"],
  ["reports them in another order", [{ calls: [fail(3), pass(1), pass(2)] }], "1+ 2+ 3-: 1"],
  ["writes the numbers as text", [{ calls: [pass("1"), pass(" 2."), fail("3.0")] }], "1+ 2+ 3-: 1"],
  ["answers in three replies", all.map((call) => ({ calls: [call] })), "1+ 2+ 3+: 3"],
  [
    "skips one, and reports it when asked",
    [{ calls: [pass(1), pass(3), finish] }, { calls: [fail(2)] }],
    "1+ 2- 3+: 2",
  ],
  [
    "skips one for good, after passes",
    [{ calls: [pass(1), pass(3), finish] }, { calls: [finish] }],
    "errored after 1+ 3+: The judge gave no verdict on statement 2, even after a reminder.: 2",
  ],
  [
    "skips two for good, after a failure",
    [{ calls: [fail(2), finish] }, { text: "Done." }],
    "2- incomplete (The judge gave no verdict on statement 1, 3, even after a reminder.): 2",
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
  [
    "passes all, and adds another number",
    [4, 5, 6, 7].map((number) => ({ calls: [...all, pass(number), finish] })),
    "1+ 2+ 3+: 1",
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
    [{ calls: [pass(0), pass(1), fail(2)] }, { calls: [pass(1), pass(2), fail(3)] }],
    "1+ 2+ 3-: 2",
  ],
  [
    "numbers from 0 in JSON, after it was reminded of the form",
    [prose, json(says("pass", 0), says("fail", 1), says("pass", 2))],
    "errored: The judge did not settle a call, even after a reminder: `set_waza_grade_fail` (because) names no statement.: 2",
  ],
  [
    "writes words before the numbers",
    [{ calls: [pass("Statement 1"), pass("statement_2"), fail("#3")] }],
    "1+ 2+ 3-: 1",
  ],
  [
    "writes the numbers as parts of all, or under another name",
    [{ calls: [pass("1 of 3"), fail("2/3"), { name: "set_waza_grade_pass", args: { number: 3 } }] }],
    "1+ 2- 3+: 1",
  ],
  [
    "is cut off after whole calls, and goes on",
    [{ calls: [pass(1), pass(2)], finish: "length" }, { calls: [fail(3)] }],
    "1+ 2+ 3-: 2",
  ],
  [
    "writes signs around the numbers",
    [{ calls: [pass("(1)"), pass("**Statement 2.**"), fail("'[3]'")] }],
    "1+ 2+ 3-: 1",
  ],
  [
    "writes the statements after their numbers",
    [{ calls: [pass("1. It names it."), pass("Statement 2: It is short."), fail("3) Errors.")] }],
    "1+ 2+ 3-: 1",
  ],
  [
    "writes texts with numbers in place of numbers, and is asked for these",
    [
      {
        calls: [fail("It names 3 loops."), pass("1.5"), pass(""), pass("2 of 4"), pass("(-1)"), pass("1/4")],
      },
      { calls: [fail(1), pass(2), pass(3)] },
    ],
    "1- 2+ 3+: 2",
  ],
  [
    "names a number that does not exist, and corrects it when it is answered so",
    [{ calls: [...all, fail(7)] }, { calls: [fail(2)] }],
    "1+ 2- 3+: 2",
  ],
  [
    "adds a failure without a number, and stays with it",
    [{ calls: [...all, fail()] }],
    "errored after 1+ 2+ 3+: The judge did not settle a call, even after a reminder: `set_waza_grade_fail` (because) names no statement.: 2",
  ],
  [
    "begins with a failure of a number that does not exist, and passes all",
    [{ calls: [fail("short")] }, { calls: [...all, finish] }],
    "errored after 1+ 2+ 3+: The judge did not settle a call, even after a reminder: `set_waza_grade_fail` (because) names no statement.: 3",
  ],
  ["adds a pass without a number", [{ calls: [...all, pass()] }], "1+ 2+ 3+: 1"],
  ["names no number", [{ calls: [pass(), pass(), pass(), finish] }, { calls: all }], "1+ 2+ 3+: 2"],
  [
    "never names a number",
    [{ calls: [pass(undefined, "a"), finish] }],
    "errored: The judge gave no verdict on statement 1, 2, 3, even after a reminder.: 2",
  ],
  [
    "repeats a call without a number and a reason for ever",
    [{ calls: [{ name: "set_waza_grade_pass", args: {} }] }],
    "errored: The judge gave no verdict on statement 1, 2, 3, even after a reminder.: 2",
  ],
  [
    "repeats a number that does not exist for ever",
    [{ calls: [pass(1)] }, { calls: [fail(7)] }],
    "errored after 1+: The judge did not settle a call, even after a reminder: `set_waza_grade_fail` (because) names no statement.: 3",
  ],
  [
    "sends an argument that no tool has",
    [{ calls: [{ name: "set_waza_grade_pass", args: { statement: 1, remaining: 9 } }, pass(2), pass(3)] }],
    "1+ 2+ 3+: 1",
  ],
  ["calls a tool that does not exist beside them", [{ calls: [think, ...all] }], "1+ 2+ 3+: 1"],
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
  [
    "writes JSON without numbers",
    [prose, json(says("pass"), says("pass"), says("pass"))],
    "errored: The judge gave no verdict on statement 1, 2, 3, even after a reminder.: 2",
  ],
  [
    "writes JSON without one for good",
    [prose, json(says("pass", 1), says("pass", 2))],
    "errored after 1+ 2+: The judge gave no verdict on statement 3, even after a reminder.: 3",
  ],
];

/** `1+ 2- 3+: 2`: each statement's verdict, and how many requests it took. */
export function signsOf(
  checks: readonly { readonly outcome: string; readonly statement?: number | undefined }[],
): string {
  return checks
    .map(({ outcome, statement }) => `${String(statement)}${outcome === "pass" ? "+" : "-"}`)
    .join(" ");
}
