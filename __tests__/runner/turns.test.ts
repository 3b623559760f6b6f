/** Runs of several turns: what the user says next, how it ends, and what grading reads of it. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { mendGemini } from "../../src/runner/agents.ts";
import { GRADERS, type Files, run } from "../support/agent-runs.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const evalWith = (inputs: string): Files => ({
  "evals/eval.yaml": `name: suite\ntasks: [tasks/*.yaml]\n${GRADERS}\n`,
  "evals/tasks/a.yaml": `id: a\ninputs:\n  prompt: A shirt, please.\n${inputs}`,
});
const TWO = evalWith("  follow_up_prompts: [Size M., And blue.]\n");
const ASKS = 'echo "$PROMPT $SESSION" >> said.txt; echo "Turn $TURN: which size?"';

async function graded(workspace: string, results: string) {
  const { suites } = await loadSuites(undefined, workspace);
  const { files } = await readOutputs({ patterns: [results], workspace, suites });
  return files.flatMap(({ results }) => results.runs);
}

describe("texts of the eval", () => {
  test("are sent in one session and folder, and read as one conversation", async () => {
    const { status, records, workspace, out } = await run(TWO, {
      inputs: { command: ASKS, resumes: "true" },
    });
    expect(status).toBe(0);
    const [record] = records;
    expect(record).toMatchObject({
      turns: [
        { prompt: "Size M.", by: "script", log: "log-2.jsonl" },
        { prompt: "And blue.", by: "script", log: "log-3.jsonl" },
      ],
      turns_ended: "completed",
    });
    const said = readFileSync(join(record?.folder ?? "", "work/said.txt"), "utf8")
      .trim()
      .split("\n");
    expect(said.map((line) => line.replace(/ \S+$/, ""))).toEqual([
      "A shirt, please.",
      "Size M.",
      "And blue.",
    ]);
    expect(new Set(said.map((line) => line.split(" ").at(-1))).size).toBe(1);
    const [read] = await graded(workspace, out);
    expect(read?.steps.map((step) => ("text" in step ? step.text.trim() : ""))).toEqual([
      "Turn 1: which size?",
      "Size M.",
      "Turn 2: which size?",
      "And blue.",
    ]);
    expect(read?.finalOutput.trim()).toBe("Turn 3: which size?");
    expect(read?.conversation).toEqual({ turns: 3, ended: "completed", reason: undefined });
  });

  test("that wait for a question are not sent without one, and the run counts", async () => {
    const files = {
      "evals/evals.json": JSON.stringify({
        skill_name: "x",
        evals: [
          {
            id: 1,
            prompt: "A shirt.",
            assertions: ["It asks."],
            turns: [{ prompt: "M.", deliver_when: "agent_asks" }, "Thanks."],
          },
        ],
      }),
    };
    const command = 'echo "Done in turn $TURN."';
    const { status, records } = await run(files, { inputs: { command, resumes: "true" } });
    expect(status).toBe(0);
    const reason = expect.stringContaining("asks nothing");
    expect(records).toMatchObject([{ turns: [], turns_ended: "stopped", turns_reason: reason }]);
  });

  test("are refused in planning where the agent is not known to take a turn; other tasks run", async () => {
    const files = { ...TWO, "evals/tasks/b.yaml": "id: b\ninputs: {prompt: Hello}\n" };
    const { status, records, text } = await run(files, { inputs: { command: ASKS } });
    expect(status).toBe(2);
    expect(records.map(({ task }) => task)).toEqual(["b"]);
    expect(text).toContain("the task `a` has further turns, and the `command` is not known to take one");
  });

  test("that are edited make a run stale", async () => {
    const first = await run(TWO, { inputs: { command: ASKS, resumes: "true" } });
    const kept = await run(TWO, { root: first.workspace, inputs: { command: ASKS, resumes: "true" } });
    expect(kept.text).toContain("made before, and kept");
    writeFileSync(
      join(first.workspace, "evals/tasks/a.yaml"),
      "id: a\ninputs: {prompt: 'A shirt, please.', follow_up_prompts: [Size L.]}\n",
    );
    const [old] = await graded(first.workspace, first.out);
    expect(old?.isOlder).toBe(true);
  });
});

describe("a further turn that dies is no verdict on the agent", () => {
  test.each([
    ["with a status", "echo no >&2; exit 3", "its program ended with 3"],
    ["by a signal", "kill -9 $$", "its program was killed (SIGKILL)"],
    ["at the time limit", "exec sleep 30", "it was ended at the time limit"],
    ["since the provider is busy", "echo '503 Service Unavailable' >&2; exit 1", "its program ended with 1"],
  ])("%s: it is errored, and the run is made again whole", async (_case, bad, why) => {
    const command = `if [ "$TURN" = 2 ]; then ${bad}; fi; ${ASKS}`;
    const { status, records, workspace, out, text } = await run(TWO, {
      inputs: { command, resumes: "true", timeout: "3s" },
      more: { gentleMs: 100 },
    });
    expect(status).toBe(1);
    expect(records).toMatchObject([{ turns_ended: "failed", turns_reason: expect.stringContaining(why) }]);
    expect(text).toContain("ended without an answer (in turn 2)");
    const [read] = await graded(workspace, out);
    expect(read?.conversation).toMatchObject({ turns: 2, ended: "failed" });
    const again = await run(TWO, { root: workspace, inputs: { command, resumes: "true", timeout: "3s" } });
    expect(again.text).not.toContain("kept");
  });
});

describe("a responder", () => {
  const PLAYED = (model = "") =>
    evalWith(`  responder:\n    instructions: You want size M.\n    max_followups: 2\n${model}`);
  const call = (name: string, given: object) => ({
    choices: [
      {
        message: {
          role: "assistant",
          tool_calls: [{ id: "c", type: "function", function: { name, arguments: JSON.stringify(given) } }],
        },
        finish_reason: "tool_calls",
      },
    ],
  });
  const SAYS = {
    reply: call("reply", { message: "M." }),
    stop: call("stop", { reason: "It is ordered." }),
    abstain: call("abstain", { reason: "No colour is given." }),
    prose: { choices: [{ message: { role: "assistant", content: "M, please." }, finish_reason: "stop" }] },
  };

  async function played(
    answers: readonly (keyof typeof SAYS | number)[],
    { files = PLAYED(), command = ASKS } = {},
  ) {
    const asked: { readonly model: string; readonly messages: readonly { readonly content: string }[] }[] =
      [];
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        const next = answers[Math.min(asked.push(body as never) - 1, answers.length - 1)] ?? "stop";
        response.writeHead(typeof next === "number" ? next : 200, { "content-type": "application/json" });
        const refusal = { error: { message: "The model `x` does not exist", code: "model_not_found" } };
        response.end(JSON.stringify(typeof next === "number" ? refusal : SAYS[next]));
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const inputs = { command, resumes: "true", "responder-base-url": `http://127.0.0.1:${String(port)}/v1` };
    try {
      const made = await run(files, { inputs, env: { RESPONDER_API_KEY: "rk-0123456789-secret" } });
      return { ...made, asked };
    } finally {
      server.close();
    }
  }

  test.each([
    ["stops", ["reply", "stop"], 0, { turns_ended: "stopped", turns: [{ prompt: "M.", by: "model" }] }],
    ["has more to say than it may", ["reply"], 0, { turns_ended: "exhausted", turns: [{}, {}] }],
    [
      "abstains",
      ["abstain"],
      1,
      { turns_ended: "abstained", turns: [], turns_reason: "No colour is given." },
    ],
    ["calls nothing, also when it is reminded", ["prose"], 1, { turns_ended: "failed", turns: [] }],
    ["is dead", [400], 1, { turns_ended: "failed", turns: [] }],
  ] as const)("that %s", async (_case, answers, status, record) => {
    const made = await played(answers);
    expect(made.records).toMatchObject([record]);
    expect(made.status).toBe(status);
    expect(made.text).toContain(
      "A model plays the user in 1 run: at most 6 requests to `gpt-6-luna` (the price",
    );
  });

  test("sees its instructions and what was said, and its key reaches no agent and no file", async () => {
    const { asked, records } = await played(["reply", "stop"], { command: `env; ${ASKS}` });
    const [, last] = asked;
    const sent = last?.messages.map(({ content }) => content).join("\n") ?? "";
    expect(sent).toContain("You want size M.");
    expect(sent).toContain("Turn 2: which size?");
    expect(sent).not.toContain("Is it?");
    expect(sent).not.toContain("rk-0123456789-secret");
    expect(records[0]?.answer).not.toContain("rk-0123456789-secret");
    expect(records[0]?.answer).not.toContain("RESPONDER_API_KEY");
  });

  test.each([
    ["a known price", "", /`gpt-6-luna` \(\$0\.\d+ and what the conversation adds\)/],
    ["no known price", "    model: other\n", /`other` \(the price is not known\)/],
  ])("is in the plan, with %s", async (_case, model, words) => {
    const inputs = { command: ASKS, resumes: "true", "dry-run": "true" };
    expect((await run(PLAYED(model), { inputs })).text).toMatch(words);
  });

  test("whose model the endpoint lacks is the judge's, with a notice", async () => {
    const { asked, text } = await played([404, "stop"], { files: PLAYED("    model: other\n") });
    expect(asked.map(({ model }) => model)).toEqual(["other", "gpt-6-luna"]);
    expect(text).toContain("has no `other`: `gpt-6-luna` plays the user.");
  });

  test("without a key is a mistake before the first run", async () => {
    const { status, records, text } = await run(PLAYED(), { inputs: { command: ASKS, resumes: "true" } });
    expect([status, records]).toEqual([2, []]);
    expect(text).toContain("there is no key for the model that plays the user");
  });

  test.each([
    [
      "beside follow-ups",
      "  follow_up_prompts: [M.]\n  responder: {instructions: x, max_followups: 1}\n",
      5,
      "excludes",
    ],
    ["without a limit", "  responder: {instructions: x}\n", 4, "at least 1"],
    ["without instructions", "  responder: {max_followups: 1}\n", 4, "what the user wants"],
  ])("%s is an error at its line", async (_case, inputs, line, words) => {
    const { problems } = await loadSuites(undefined, writeProject(evalWith(inputs)));
    const [problem] = problems.filter(({ level }) => level === "error");
    expect(problem?.message).toContain(words);
    expect(problem?.at?.startLine).toBe(line);
  });
});

test("a changed log of a further turn is not read", async () => {
  const { records, workspace, out } = await run(TWO, { inputs: { command: ASKS, resumes: "true" } });
  writeFileSync(join(records[0]?.folder ?? "", "log-2.jsonl"), "All is well.");
  expect(await graded(workspace, out)).toEqual([]);
});

test("what Gemini CLI would send twice is taken out of its chats", () => {
  const result = { type: "user", content: [{ functionResponse: { name: "x" } }] };
  const asked = { type: "user", content: [{ text: "Hello" }] };
  const path = ".gemini/tmp/a/chats/session-1.jsonl";
  const lines = [asked, result, { $set: { messages: [asked, result], title: "t" } }, "torn {"];
  const home = writeProject({
    [path]: lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n"),
  });
  mendGemini(home);
  const left = [
    JSON.stringify(asked),
    JSON.stringify({ $set: { messages: [asked, result], title: "t" } }),
    "torn {",
  ];
  expect(readFileSync(join(home, path), "utf8").split("\n")).toEqual(left);
});
