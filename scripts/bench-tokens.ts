// What a verdict costs in o200k tokens, by how the judge reports it: outputs of 2 kB, a grader of three checks.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { fail, finish, pass, startJudge } from "../__tests__/support/judge-server.ts";
import type { Asked, Call, Reply } from "../__tests__/support/judge-server.ts";
import { project, promptGrader, runFixture } from "../__tests__/support/projects.ts";
import { act } from "./bench-tools.ts";

/** The first of them is not counted: it pays for what later ones know. */
const TASKS = 3;

const CRITERIA = [
  "The answer addresses the request that was made.",
  "The answer states no false fact.",
  "The answer names the file that it changed.",
];
const PROMPT = `Judge the answer against each criterion:
${CRITERIA.map((criterion, index) => `${String(index + 1)}. ${criterion}`).join("\n")}
For each criterion call set_waza_grade_pass if it is met,
or set_waza_grade_fail if it is not. Make exactly one call per criterion.`;

/** 30 words. */
const REASON =
  "The report says which records it read and which group they are of, gives the total that the table has, and names the file in which the summary line was written.";

const check = (index: number): Call => (index === 2 ? fail : pass)(CRITERIA[index], REASON);
const checks = (): Call[] => CRITERIA.map((_, index) => check(index));
/** Reports one check in each reply, and finishes with the last one or after it. */
const oneAReply =
  (finishesWithLast: boolean) =>
  ({ turn }: Asked): Reply =>
    turn > CRITERIA.length
      ? {}
      : { calls: [check(turn - 1), ...(finishesWithLast && turn === CRITERIA.length ? [finish] : [])] };

const JUDGES: Readonly<Record<string, (asked: Asked) => Reply>> = {
  "finishes in its first reply": () => ({ calls: [...checks(), finish] }),
  "finishes in a second reply": ({ turn }) => (turn === 1 ? { calls: checks() } : {}),
  "reports one check a reply, and finishes with the last": oneAReply(true),
  "reports one check a reply, and then finishes": oneAReply(false),
};

/** Prose of that many characters. */
function prose(seed: number, characters: number): string {
  const words =
    "the report reads each record from a local file and checks its fields before one line is written for every group while errors are kept aside so that nothing is lost when the next step begins".split(
      " ",
    );
  let text = `Report ${String(seed)}.`;
  for (let at = seed; text.length < characters; at = (at * 31 + 7) % 1_009)
    text += ` ${words[at % words.length] ?? ""}`;
  return text.slice(0, characters);
}

function projectOf(): string {
  const tasks = Array.from({ length: TASKS }, (_, index) => ({ id: `task-${String(index)}` }));
  const runOf = (index: number) => {
    const prompt = `Request ${String(index)}: summarise the records of group ${String(index + 17)}.`;
    const output = prose(index + 1, 2_048);
    const call = { tool_call_id: "t1", tool_name: "view" };
    const transcript = [
      { type: "user.message", content: prompt },
      { type: "tool.execution_start", ...call, arguments: { path: "records.csv" } },
      { type: "tool.execution_complete", ...call, success: true, tool_result: { content: "ok" } },
      { type: "assistant.message", content: output },
    ];
    return runFixture({ prompt, transcript, final_output: output });
  };
  return project({
    graders: [promptGrader("correctness", PROMPT)],
    tasks,
    runs: Object.fromEntries(tasks.map(({ id }, index) => [id, [runOf(index)]])),
  });
}

type Message = Asked["request"]["messages"][number];

/** Tokens of a message and its calls, and four for its frame. */
function tokensOf(message: Message): number {
  const calls = "tool_calls" in message ? (message.tool_calls ?? []).map((call) => call.function) : [];
  const texts = [message.content ?? "", ...(calls.length > 0 ? [calls] : [])];
  const text = texts.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  return 4 + countTokens(text);
}

const toolTokens = ({ tools }: Asked["request"]) => countTokens(JSON.stringify(tools ?? []));
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const inputOf = ({ request }: Asked) => sum(request.messages.map(tokensOf)) + toolTokens(request);

/** Prints a row for each way of reporting, and what the first request consists of. */
export async function tokens(): Promise<void> {
  console.log("| the judge | requests | input | output |");
  console.log("| :-------- | -------: | ----: | -----: |");
  let first: Asked | undefined;
  for (const [name, script] of Object.entries(JUDGES)) {
    const replies: number[] = [];
    const judge = await startJudge((asked) => {
      const reply = script(asked);
      const said = (reply.calls ?? []).map((call) => ({ name: call.name, arguments: call.args ?? {} }));
      replies.push(said.length > 0 ? countTokens(JSON.stringify(said)) : countTokens("Done."));
      return reply;
    });
    await act(judge, projectOf(), { "max-concurrency": "1" });
    await judge.close();
    const start = judge.asked.findIndex(({ turn }, index) => index > 0 && turn === 1);
    const of = (numbers: readonly number[]) =>
      Math.round(sum(numbers.slice(start)) / (TASKS - 1)).toLocaleString("en-US");
    const [requests, input, output] = [judge.asked.map(() => 1), judge.asked.map(inputOf), replies].map(of);
    console.log(`| ${name} | ${String(requests)} | ${String(input)} | ${String(output)} |`);
    first ??= judge.asked[0];
  }
  if (!first) return;
  const parts = first.request.messages.map((message) => `${message.role} ${String(tokensOf(message))}`);
  console.log(`\nThe first request: tools ${String(toolTokens(first.request))}, ${parts.join(", ")} tokens`);
}
