/** How each kind of judge behaves, and how that is read. */
import { fail, finish, pass, type Call, type Reply } from "./judge-server.ts";

const NO_RETRY = { "x-should-retry": "false" };
const read: Call = { name: "read_file", args: { path: "workspace/a.txt" } };
const think: Call = { name: "think", args: { thought: "The answer is short." } };
const checks = [pass("short", "3 lines"), fail("right", "off by one"), pass("polite", "please")];
const [short, right, polite] = checks as [Call, Call, Call];
const finishing = (checks: number): Call => ({ name: "finish_grading", args: { checks } });
const doubted: Call = {
  name: "set_waza_grade_pass",
  args: { description: "short", reason: "4 lines", verdict: "fail" },
};
const JSON_CHECKS =
  '{"checks": [{"outcome": "PASS", "description": "short", "reason": "3 lines", "sure": true}], "outcome": "pass"}';
const prose: Reply = { text: "I would say PASS." };
const calls = (...made: Call[]): Reply => ({ calls: made });

/** What the judge does, its replies in order (the last one again and again), and the verdict with its checks and requests. */
export const BEHAVIOURS: readonly (readonly [string, readonly Reply[], string])[] = [
  ["reports all checks and finishes, in one reply", [calls(...checks, finish)], "failed + - +: 1"],
  [
    "reports all in one reply and finishes in the next",
    [{ calls: checks }, calls(finish)],
    "failed + - +: 2",
  ],
  // All of them: a reply without a call is the end.
  [
    "reports all in one reply and then writes that it is done",
    [{ calls: checks }, { text: "Done." }],
    "failed + - +: 2",
  ],
  [
    "reports one check a reply",
    [calls(short), calls(polite), calls(right), calls(finish)],
    "failed + + -: 4",
  ],
  [
    "reports in batches of two and finishes with the last",
    [calls(short, polite), calls(pass("whole"), right, finish)],
    "failed + + + -: 2",
  ],
  // It is reminded once; then its check counts, with a warning: 1 of 3.
  [
    "finishes with `checks: 3` after one check",
    [calls(short, finishing(3)), calls(finishing(3))],
    "passed +: 2",
  ],
  // The pass is not recorded, and it is asked which it means; the failure counts.
  [
    "calls a pass with `verdict: fail`, then a failure",
    [calls(doubted, finish), calls(fail("short", "4 lines"), finish)],
    "failed -: 2",
  ],
  // Errored: it contradicts itself.
  [
    "calls a pass with `verdict: fail`, and does not settle it",
    [calls(doubted, polite, finish), calls(finish)],
    "errored +: 2",
  ],
  // Errored: it contradicts itself.
  [
    "calls a failure with `verdict: pass`, and stays with it",
    [calls({ name: "set_waza_grade_fail", args: { description: "short", verdict: "pass" } })],
    "errored: 2",
  ],
  // It is asked once; then the check counts, marked.
  [
    "calls a pass with arguments that cannot be read, and stays with it",
    [calls({ name: "set_waza_grade_pass", args: "{'reason': 'x'}" }, finish)],
    "passed +: 2",
  ],
  // Errored: an attempt is not silence.
  [
    "writes its verdict with a bracket too many, once JSON was offered",
    [prose, { text: `${JSON_CHECKS}}` }],
    "errored: 2",
  ],
  [
    "writes words before its JSON, once it was offered",
    [prose, { text: `Here is my verdict: ${JSON_CHECKS}` }],
    "errored: 2",
  ],
  ["reports after it has finished, in the same reply", [calls(short, finish, right)], "failed + -: 1"],
  ["finishes at once, without a check", [calls(finish), calls(short, finish)], "passed +: 2"],
  ["finishes twice without a check", [calls(finish)], "failed: 2"],
  // All of them; replies that only read are not counted.
  ["reads files, then reports and finishes", [calls(read), calls(short, finish)], "passed +: 2"],
  // Not finished: it has yet to see the file.
  ["finishes beside a read", [calls(short, read, finish), calls(right, finish)], "failed + -: 2"],
  [
    "calls a tool that does not exist, `think` for one, before its checks",
    [calls(think, short, finish)],
    "passed +: 1",
  ],
  [
    "reports a failure by a name of its own, before a pass",
    [calls({ name: "report_failure", args: { reason: "off by one" } }, short, finish), calls(right, finish)],
    "failed + -: 2",
  ],
  // Its checks; it has seen that there is no such tool.
  [
    "thinks by a tool first, and then reports and finishes",
    [calls(think), calls(short, finish)],
    "passed +: 2",
  ],
  [
    "reports a failure by a name of its own, after a pass",
    [calls(short, { name: "report_failure", args: { reason: "off by one" } }, finish), calls(right, finish)],
    "failed + -: 2",
  ],
  // It is answered about that call, too.
  [
    "does so after it was reminded of something else",
    [prose, calls(short, { name: "report_failure" }, finish), calls(right, finish)],
    "failed + -: 3",
  ],
  // Only the letters of a name count.
  [
    "writes something around a tool's name, or misspells its case",
    [
      {
        calls: [
          { name: "functions.set_waza_grade_pass:1" },
          { name: "setWazaGradeFail<|channel|>json" },
          { name: "default_api.finish_grading" },
        ],
      },
    ],
    "failed + -: 1",
  ],
  // A tool that does not exist: it names both outcomes.
  [
    "calls `set_waza_grade_pass_fail`",
    [calls({ name: "set_waza_grade_pass_fail" }, finish), calls(right, finish)],
    "failed -: 2",
  ],
  [
    "reports one check a reply, without description and reason",
    [calls(pass()), calls(pass()), calls(pass()), calls(pass()), calls(finish)],
    "passed + + + +: 5",
  ],
  [
    "does so six times, and then reports a failure so",
    [...Array.from({ length: 6 }, () => calls(pass())), calls(fail(), finish)],
    "failed + + + + + + -: 7",
  ],
  // Every call counts; the second such reply in a row is the end.
  ["repeats its checks word for word and never finishes", [calls(short)], "passed + + +: 3"],
  // Errored: an attempt is not silence.
  [
    "repeats a call of a tool that does not exist, and reports nothing",
    [calls({ name: "think", args: { text: "hm" } })],
    "errored: 2",
  ],
  // Errored: it may have been a failure.
  [
    "passes a check, and then repeats a call of a tool that does not exist",
    [calls(short), calls({ name: "report_failure", args: { reason: "wrong" } })],
    "errored +: 3",
  ],
  ["repeats a check and then goes on", [calls(short), calls(short), calls(right, finish)], "failed + + -: 3"],
  ["writes prose, and calls nothing after the reminder either", [prose], "failed: 2"],
  ["writes prose and calls the tools after the reminder", [prose, calls(short, finish)], "passed +: 2"],
  // Text is never read for verdicts.
  [
    "writes calls as text beside a real one",
    [{ calls: [short, finish], text: "I do not call set_waza_grade_fail(reason='x')." }],
    "passed +: 1",
  ],
  [
    "thinks aloud in its text beside its calls",
    [{ calls: [short, finish], text: "<think>set_waza_grade_fail?</think> No." }],
    "passed +: 1",
  ],
  // The object's checks, in any case and with further keys.
  [
    "writes the verdict as JSON after the reminder, tools being beyond it",
    [prose, { text: `\`\`\`json\n${JSON_CHECKS}\n\`\`\`` }],
    "passed +: 2",
  ],
  [
    "writes two JSON objects, or an object among other words",
    [prose, { text: `${JSON_CHECKS}\n${JSON_CHECKS}` }],
    "errored: 2",
  ],
  ["writes JSON without a check", [prose, { text: '{"checks": []}' }], "failed: 2"],
  // Errored: later checks might have failed.
  ["is interrupted by its token limit after a pass", [{ calls: [short], finish: "length" }], "errored +: 1"],
  [
    "is cut off in a later reply, after passes alone",
    [calls(short), { text: "And", finish: "length" }],
    "errored +: 2",
  ],
  [
    "is interrupted after a failure",
    [calls(short, right), { text: "And", finish: "length" }],
    "incomplete + -: 2",
  ],
  [
    "is cut off in the reply in which it finishes",
    [{ calls: [short, finish], finish: "length" }],
    "passed +: 1",
  ],
  // Errored: the missing part may have been a failure.
  [
    "is filtered or refuses in the reply in which it finishes",
    [{ calls: [short, finish], finish: "content_filter" }],
    "errored +: 1",
  ],
  [
    "is filtered by its provider after a pass",
    [calls(short), { text: null, finish: "content_filter" }],
    "errored +: 2",
  ],
  ["refuses to go on after a pass", [calls(short), { text: null, refusal: "No more." }], "errored +: 2"],
  ["fails after a pass", [calls(short), { status: 500, headers: NO_RETRY }], "errored +: 2"],
  [
    "ends for a reason that is unknown, with calls in the reply",
    [{ calls: [short, finish], finish: "eos_reached" }],
    "passed +: 1",
  ],
  [
    "ends for a reason that is unknown, with nothing in the reply",
    [{ text: null, finish: "eos_reached" }],
    "errored: 2",
  ],
  ["calls tools that do not exist and never finishes", [calls(short, think), calls(think)], "errored +: 3"],
  ["reports a failure and then never finishes", [calls(right), calls(think)], "incomplete -: 3"],
];
