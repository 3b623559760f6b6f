/**
 * How each kind of judge behaves, and how that is read by the bundled action.
 * A behaviour is its replies in order, the last one again and again.
 */
import { fail, finish, pass, type Call, type Reply } from "./judge-server.ts";

export interface Behaviour {
  /** What the judge does. */
  readonly judge: string;
  /** How it is read. */
  readonly reading: string;
  readonly replies: readonly Reply[];
  /** State, outcomes of the checks, requests. */
  readonly expected: readonly ["passed" | "failed" | "incomplete" | "errored", string, number];
}

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

export const BEHAVIOURS: readonly Behaviour[] = [
  {
    judge: "reports all checks and finishes, in one reply",
    reading: "all of them; one request",
    replies: [{ calls: [...checks, finish] }],
    expected: ["failed", "pass fail pass", 1],
  },
  {
    judge: "reports all in one reply and finishes in the next",
    reading: "all of them",
    replies: [{ calls: checks }, { calls: [finish] }],
    expected: ["failed", "pass fail pass", 2],
  },
  {
    judge: "reports all in one reply and then writes that it is done",
    reading: "all of them: a reply without a call is the end",
    replies: [{ calls: checks }, { text: "Done." }],
    expected: ["failed", "pass fail pass", 2],
  },
  {
    judge: "reports one check a reply",
    reading: "all of them",
    replies: [{ calls: [short] }, { calls: [polite] }, { calls: [right] }, { calls: [finish] }],
    expected: ["failed", "pass pass fail", 4],
  },
  {
    judge: "reports in batches of two and finishes with the last",
    reading: "all of them",
    replies: [{ calls: [short, polite] }, { calls: [pass("whole"), right, finish] }],
    expected: ["failed", "pass pass pass fail", 2],
  },
  {
    judge: "finishes with `checks: 3` after one check",
    reading: "it is reminded once; then its check counts, with a warning: 1 of 3",
    replies: [{ calls: [short, finishing(3)] }, { calls: [finishing(3)] }],
    expected: ["passed", "pass", 2],
  },
  {
    judge: "calls a pass with `verdict: fail`, then a failure",
    reading: "the pass is not recorded, and it is asked which it means; the failure counts",
    replies: [{ calls: [doubted, finish] }, { calls: [fail("short", "4 lines"), finish] }],
    expected: ["failed", "fail", 2],
  },
  {
    judge: "calls a pass with `verdict: fail`, and does not settle it",
    reading: "errored: it contradicts itself",
    replies: [{ calls: [doubted, polite, finish] }, { calls: [finish] }],
    expected: ["errored", "pass", 2],
  },
  {
    judge: "calls a failure with `verdict: pass`, and stays with it",
    reading: "errored: it contradicts itself",
    replies: [{ calls: [{ name: "set_waza_grade_fail", args: { description: "short", verdict: "pass" } }] }],
    expected: ["errored", "", 2],
  },
  {
    judge: "calls a pass with arguments that cannot be read, and stays with it",
    reading: "it is asked once; then the check counts, marked",
    replies: [{ calls: [{ name: "set_waza_grade_pass", args: "{'reason': 'x'}" }, finish] }],
    expected: ["passed", "pass", 2],
  },
  {
    judge: "writes its verdict with a bracket too many, once JSON was offered",
    reading: "errored: an attempt is not silence",
    replies: [prose, { text: `${JSON_CHECKS}}` }],
    expected: ["errored", "", 2],
  },
  {
    judge: "writes words before its JSON, once it was offered",
    reading: "errored",
    replies: [prose, { text: `Here is my verdict: ${JSON_CHECKS}` }],
    expected: ["errored", "", 2],
  },
  {
    judge: "reports after it has finished, in the same reply",
    reading: "all of them",
    replies: [{ calls: [short, finish, right] }],
    expected: ["failed", "pass fail", 1],
  },
  {
    judge: "finishes at once, without a check",
    reading: "it is reminded once; what it then reports counts",
    replies: [{ calls: [finish] }, { calls: [short, finish] }],
    expected: ["passed", "pass", 2],
  },
  {
    judge: "finishes twice without a check",
    reading: "score 0.0, failed: no call was made",
    replies: [{ calls: [finish] }],
    expected: ["failed", "", 2],
  },
  {
    judge: "reads files, then reports and finishes",
    reading: "all of them; replies that only read are not counted",
    replies: [{ calls: [read] }, { calls: [short, finish] }],
    expected: ["passed", "pass", 2],
  },
  {
    judge: "finishes beside a read",
    reading: "not finished: it has yet to see the file",
    replies: [{ calls: [short, read, finish] }, { calls: [right, finish] }],
    expected: ["failed", "pass fail", 2],
  },
  {
    judge: "calls a tool that does not exist, `think` for one, before its checks",
    reading: "its checks count",
    replies: [{ calls: [think, short, finish] }],
    expected: ["passed", "pass", 1],
  },
  {
    judge: "reports a failure by a name of its own, before a pass",
    reading: "it is answered so, and what it then reports counts",
    replies: [
      { calls: [{ name: "report_failure", args: { reason: "off by one" } }, short, finish] },
      { calls: [right, finish] },
    ],
    expected: ["failed", "pass fail", 2],
  },
  {
    judge: "thinks by a tool first, and then reports and finishes",
    reading: "its checks; it has seen that there is no such tool",
    replies: [{ calls: [think] }, { calls: [short, finish] }],
    expected: ["passed", "pass", 2],
  },
  {
    judge: "reports a failure by a name of its own, after a pass",
    reading: "it is answered so, and what it then reports counts",
    replies: [
      { calls: [short, { name: "report_failure", args: { reason: "off by one" } }, finish] },
      { calls: [right, finish] },
    ],
    expected: ["failed", "pass fail", 2],
  },
  {
    judge: "does so after it was reminded of something else",
    reading: "it is answered about that call, too",
    replies: [prose, { calls: [short, { name: "report_failure" }, finish] }, { calls: [right, finish] }],
    expected: ["failed", "pass fail", 3],
  },
  {
    judge: "writes something around a tool's name, or misspells its case",
    reading: "only the letters of a name count",
    replies: [
      {
        calls: [
          { name: "functions.set_waza_grade_pass:1" },
          { name: "setWazaGradeFail<|channel|>json" },
          { name: "default_api.finish_grading" },
        ],
      },
    ],
    expected: ["failed", "pass fail", 1],
  },
  {
    judge: "calls `set_waza_grade_pass_fail`",
    reading: "a tool that does not exist: it names both outcomes",
    replies: [{ calls: [{ name: "set_waza_grade_pass_fail" }, finish] }, { calls: [right, finish] }],
    expected: ["failed", "fail", 2],
  },
  {
    judge: "reports one check a reply, without description and reason",
    reading: "each is a check of its own",
    replies: [
      { calls: [pass()] },
      { calls: [pass()] },
      { calls: [pass()] },
      { calls: [pass()] },
      { calls: [finish] },
    ],
    expected: ["passed", "pass pass pass pass", 5],
  },
  {
    judge: "does so six times, and then reports a failure so",
    reading: "all seven",
    replies: [...Array.from({ length: 6 }, () => ({ calls: [pass()] })), { calls: [fail(), finish] }],
    expected: ["failed", "pass pass pass pass pass pass fail", 7],
  },
  {
    judge: "repeats its checks word for word and never finishes",
    reading: "every call counts; the second such reply in a row is the end",
    replies: [{ calls: [short] }],
    expected: ["passed", "pass pass pass", 3],
  },
  {
    judge: "repeats a call of a tool that does not exist, and reports nothing",
    reading: "errored: an attempt is not silence",
    replies: [{ calls: [{ name: "think", args: { text: "hm" } }] }],
    expected: ["errored", "", 2],
  },
  {
    judge: "passes a check, and then repeats a call of a tool that does not exist",
    reading: "errored: it may have been a failure",
    replies: [{ calls: [short] }, { calls: [{ name: "report_failure", args: { reason: "wrong" } }] }],
    expected: ["errored", "pass", 3],
  },
  {
    judge: "repeats a check and then goes on",
    reading: "every call counts",
    replies: [{ calls: [short] }, { calls: [short] }, { calls: [right, finish] }],
    expected: ["failed", "pass pass fail", 3],
  },
  {
    judge: "writes prose, and calls nothing after the reminder either",
    reading: "score 0.0, failed: no call was made",
    replies: [prose],
    expected: ["failed", "", 2],
  },
  {
    judge: "writes prose and calls the tools after the reminder",
    reading: "its checks",
    replies: [prose, { calls: [short, finish] }],
    expected: ["passed", "pass", 2],
  },
  {
    judge: "writes calls as text beside a real one",
    reading: "text is never read for verdicts",
    replies: [{ calls: [short, finish], text: "I do not call set_waza_grade_fail(reason='x')." }],
    expected: ["passed", "pass", 1],
  },
  {
    judge: "thinks aloud in its text beside its calls",
    reading: "its calls",
    replies: [{ calls: [short, finish], text: "<think>set_waza_grade_fail?</think> No." }],
    expected: ["passed", "pass", 1],
  },
  {
    judge: "writes the verdict as JSON after the reminder, tools being beyond it",
    reading: "the object's checks, in any case and with further keys",
    replies: [prose, { text: `\`\`\`json\n${JSON_CHECKS}\n\`\`\`` }],
    expected: ["passed", "pass", 2],
  },
  {
    judge: "writes two JSON objects, or an object among other words",
    reading: "no verdict: errored",
    replies: [prose, { text: `${JSON_CHECKS}\n${JSON_CHECKS}` }],
    expected: ["errored", "", 2],
  },
  {
    judge: "writes JSON without a check",
    reading: "score 0.0, failed",
    replies: [prose, { text: '{"checks": []}' }],
    expected: ["failed", "", 2],
  },
  {
    judge: "is interrupted by its token limit after a pass",
    reading: "errored: later checks might have failed",
    replies: [{ calls: [short], finish: "length" }],
    expected: ["errored", "pass", 1],
  },
  {
    judge: "is cut off in a later reply, after passes alone",
    reading: "errored, with the passes shown",
    replies: [{ calls: [short] }, { text: "And", finish: "length" }],
    expected: ["errored", "pass", 2],
  },
  {
    judge: "is interrupted after a failure",
    reading: "failed, marked incomplete",
    replies: [{ calls: [short, right] }, { text: "And", finish: "length" }],
    expected: ["incomplete", "pass fail", 2],
  },
  {
    judge: "is cut off in the reply in which it finishes",
    reading: "finished: its checks count",
    replies: [{ calls: [short, finish], finish: "length" }],
    expected: ["passed", "pass", 1],
  },
  {
    judge: "is filtered or refuses in the reply in which it finishes",
    reading: "errored: the missing part may have been a failure",
    replies: [{ calls: [short, finish], finish: "content_filter" }],
    expected: ["errored", "pass", 1],
  },
  {
    judge: "is filtered by its provider after a pass",
    reading: "errored",
    replies: [{ calls: [short] }, { text: null, finish: "content_filter" }],
    expected: ["errored", "pass", 2],
  },
  {
    judge: "refuses to go on after a pass",
    reading: "errored",
    replies: [{ calls: [short] }, { text: null, refusal: "No more." }],
    expected: ["errored", "pass", 2],
  },
  {
    judge: "fails after a pass",
    reading: "errored",
    replies: [{ calls: [short] }, { status: 500, headers: NO_RETRY }],
    expected: ["errored", "pass", 2],
  },
  {
    judge: "ends for a reason that is unknown, with calls in the reply",
    reading: "as any other reply",
    replies: [{ calls: [short, finish], finish: "eos_reached" }],
    expected: ["passed", "pass", 1],
  },
  {
    judge: "ends for a reason that is unknown, with nothing in the reply",
    reading: "errored",
    replies: [{ text: null, finish: "eos_reached" }],
    expected: ["errored", "", 2],
  },
  {
    judge: "calls tools that do not exist and never finishes",
    reading: "errored after a few replies",
    replies: [{ calls: [short, think] }, { calls: [think] }],
    expected: ["errored", "pass", 3],
  },
  {
    judge: "reports a failure and then never finishes",
    reading: "failed after a few replies, marked incomplete",
    replies: [{ calls: [right] }, { calls: [think] }],
    expected: ["incomplete", "fail", 3],
  },
];
