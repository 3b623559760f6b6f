import { describe, expect, test } from "@jest/globals";
import type { Check, ErrorClass } from "../../src/domain/grade.ts";
import { scoreChecks } from "../../src/judge/grade-tools.ts";
import { meaningOf } from "../../src/judge/judge-call.ts";
import {
  JudgeError,
  startMeter,
  type FileReader,
  type Judge,
  type JudgeAnswer,
  type JudgeRequest,
  type Meter,
} from "../../src/judge/judge.ts";
import { openaiJudge } from "../../src/judge/conversation.ts";
import { FILE_TOOLS } from "../../src/judge/files.ts";
import { listen } from "../support/http.ts";
import { fail, finish, pass, type Asked, type JudgeServer, type Reply } from "../support/judge-server.ts";
import {
  closeLater,
  closeServers,
  errorOf,
  judgeAt,
  NO_RETRY,
  request,
  RETRY_NOW,
  serve,
} from "./judging.ts";

closeServers();

/** Replies in order; the last one again and again. */
const inOrder =
  (...replies: Reply[]) =>
  ({ turn }: Asked) =>
    replies[Math.min(turn, replies.length) - 1] ?? {};

interface Asking {
  readonly judge?: Judge;
  readonly request?: JudgeRequest;
  readonly meter?: Meter;
  readonly signal?: AbortSignal;
}

async function ask(server: Pick<JudgeServer, "url">, asking: Asking = {}): Promise<JudgeAnswer> {
  const judge = asking.judge ?? judgeAt(server);
  return await judge.grade(
    asking.request ?? request(),
    asking.meter ?? startMeter(),
    asking.signal ?? new AbortController().signal,
  );
}

const grade = async (script: (asked: Asked) => Reply | Promise<Reply>) => await ask(await serve(script));
const outcomes = ({ checks }: { readonly checks: readonly Check[] }) => checks.map(({ outcome }) => outcome);

/** A completion with this message, as servers that stray from OpenAI's shapes send it. */
const raw = (message: unknown, finish: string | null = "tool_calls"): Reply => ({
  raw: JSON.stringify({ choices: [{ finish_reason: finish, message }] }),
});

const rawCalls = (...functions: unknown[]) =>
  raw({
    role: "assistant",
    content: null,
    tool_calls: functions.map((made, index) => ({
      id: `c${String(index)}`,
      type: "function",
      function: made,
    })),
  });

describe("the calls of a judge", () => {
  test("are all counted when they come in parallel, in their order, with description and reason", async () => {
    const server = await serve(
      inOrder(
        { calls: [pass("short", "3 lines"), fail("correct", "off by one"), pass("polite", "please")] },
        {},
      ),
    );
    const answer = await ask(server);
    expect(answer.checks).toEqual([
      { outcome: "pass", description: "short", reason: "3 lines" },
      { outcome: "fail", description: "correct", reason: "off by one" },
      { outcome: "pass", description: "polite", reason: "please" },
    ]);
    expect(answer.incomplete).toBeUndefined();
    expect(server.asked).toHaveLength(2);
  });

  test("are all counted when they come one a turn", async () => {
    const server = await serve(({ turn }) => (turn <= 5 ? { calls: [pass(`check ${String(turn)}`)] } : {}));
    const answer = await ask(server);
    expect(answer.checks.map(({ description }) => description)).toEqual(
      [1, 2, 3, 4, 5].map((number) => `check ${String(number)}`),
    );
    expect(answer.incomplete).toBeUndefined();
    expect(server.asked).toHaveLength(6);
  });

  test("count when the server ends them with `stop` instead of `tool_calls`", async () => {
    const answer = await grade(inOrder({ calls: [pass("a")], finish: "stop" }, {}));
    expect(answer).toMatchObject({ checks: [{ outcome: "pass", description: "a" }] });
  });

  test.each<[string, unknown, Check]>([
    [
      "malformed JSON",
      { name: "set_waza_grade_fail", arguments: '{"description": "x", "rea' },
      { outcome: "fail" },
    ],
    [
      "nested too deeply",
      { name: "set_waza_grade_fail", arguments: "[".repeat(20_000) + "]".repeat(20_000) },
      { outcome: "fail" },
    ],
    ["an empty string", { name: "set_waza_grade_pass", arguments: "" }, { outcome: "pass" }],
    ["null in JSON", { name: "set_waza_grade_pass", arguments: "null" }, { outcome: "pass" }],
    ["a list", { name: "set_waza_grade_fail", arguments: '["a"]' }, { outcome: "fail" }],
    ["nothing", { name: "set_waza_grade_pass" }, { outcome: "pass" }],
    ["null", { name: "set_waza_grade_fail", arguments: null }, { outcome: "fail" }],
    [
      "an object instead of JSON text",
      { name: "set_waza_grade_fail", arguments: { description: "d", reason: "r" } },
      { outcome: "fail", description: "d", reason: "r" },
    ],
    [
      "fields of the wrong type beside a right one",
      { name: "set_waza_grade_pass", arguments: '{"description": 7, "reason": "r"}' },
      { outcome: "pass", reason: "r" },
    ],
    [
      "blank fields",
      { name: "set_waza_grade_pass", arguments: '{"description": " \\n", "reason": " r "}' },
      { outcome: "pass", reason: "r" },
    ],
    [
      "unknown fields",
      {
        name: "set_waza_grade_pass",
        arguments: '{"__proto__": {"reason": "x"}, "outcome": "good", "score": 5}',
      },
      { outcome: "pass" },
    ],
  ])("count, with what detail can be read, when their arguments are %s", async (_name, made, check) => {
    const answer = await grade(inOrder(rawCalls(made), {}));
    expect(answer.checks).toEqual([check]);
    expect(answer.incomplete).toBeUndefined();
  });

  test.each<[string, "pass" | "fail" | "finish" | undefined]>([
    ["set_waza_grade_pass", "pass"],
    ["SET_WAZA_GRADE_FAIL", "fail"],
    ["functions.set_waza_grade_fail:1", "fail"],
    ["set_waza_grade_fail<|channel|>commentary", "fail"],
    ["default_api:set_waza_grade_failed", "fail"],
    ["set-waza-grade-failure", "fail"],
    ["setWazaGradePass", "pass"],
    ["mcp__compass__set_waza_grade_fail", "fail"],
    ["no_set_waza_grade_pass", undefined],
    ["unset_waza_grade_pass", undefined],
    ["Finish_Grading", "finish"],
    ["set_waza_grade_pass_fail", undefined],
    ["set_waza_grade_pass_or_set_waza_grade_fail", undefined],
    ["set_waza_grade", undefined],
    ["waza_grade", undefined],
    ["set_w\u0430za_gr\u0430de_f\u0430il", undefined],
    ["fail", undefined],
    ["report_failure", undefined],
    ["bypass_cache", undefined],
    ["finish", undefined],
    ["__proto__", undefined],
    ["toString", undefined],
    ["bash; rm -rf /", undefined],
    ["", undefined],
  ])("mean by the letters of their name alone: %s", (name, meaning) => {
    expect(meaningOf(name)).toBe(meaning);
  });

  test.each(["set_waza_grade", "grade_pass", "pass", "report_fail"])(
    "by a near name (%s) alone are no silence: the grade is errored",
    async (name) => {
      const attempts = inOrder({ calls: [{ name, args: { reason: "r", verdict: "pass" } }, finish] });
      const { class: errorClass, message } = await errorOf(grade(attempts));
      expect(errorClass).toBe("invalid-reply");
      expect(message).toContain(`\`${name}\``);
    },
  );

  test("of a tool we do not have are answered, not counted, and mentioned once more before the end", async () => {
    const server = await serve(
      inOrder({ calls: [pass("a"), { name: "write_file" }, finish] }, { calls: [finish] }),
    );
    const answer = await ask(server);
    expect(outcomes(answer)).toEqual(["pass"]);
    const answers = server.asked[1]?.request.messages.slice(-3).map(({ content }) => content);
    expect(answers?.[0]).toBe("Recorded.");
    expect(answers?.[1]).toBe('There is no tool called "write_file"; nothing was recorded.');
    expect(answers?.[2]).toMatch(/^There is no tool called "write_file".*finish_grading\.$/);
  });

  const callOf = (name: string | null, args: unknown) => ({
    id: "call-x",
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  });
  const passCall = callOf("set_waza_grade_pass", { description: "a" });

  test("a failure that is called without the wrapping counts", async () => {
    const flat = { id: "call-x", type: "function", name: "set_waza_grade_fail", arguments: "{}" };
    const answer = await grade(inOrder(raw({ content: null, tool_calls: [passCall, flat] }), {}));
    expect(outcomes(answer)).toEqual(["pass", "fail"]);
  });

  test("in several choices are all counted, and text in the one beside them", async () => {
    const choice = (message: object, finish: string) => ({ finish_reason: finish, message });
    const failCall = callOf("set_waza_grade_fail", { description: "b" });
    const choices = [
      choice({ content: null, tool_calls: [passCall] }, "tool_calls"),
      choice({ content: null, tool_calls: [failCall] }, "tool_calls"),
    ];
    expect(outcomes(await grade(inOrder({ raw: JSON.stringify({ choices }) }, {})))).toEqual([
      "pass",
      "fail",
    ]);
    const split = [choice({ content: "I report." }, "stop"), choices[0]];
    expect(outcomes(await grade(inOrder({ raw: JSON.stringify({ choices: split }) }, {})))).toEqual(["pass"]);
  });

  test("beside unknown ones in one reply are counted alone", async () => {
    const calls = [pass("a"), { name: "read_file" }, fail("b")];
    const answer = await grade(inOrder({ calls }, {}));
    expect(outcomes(answer)).toEqual(["pass", "fail"]);
  });

  test("are each answered under their own id", async () => {
    const server = await serve(
      inOrder(
        {
          calls: [
            { ...pass("a"), id: "id-a" },
            { ...fail("b"), id: "id-b" },
          ],
        },
        {},
      ),
    );
    await ask(server);
    const messages = server.asked[1]?.request.messages ?? [];
    expect(messages.slice(3).map(({ role }) => role)).toEqual(["assistant", "tool", "tool"]);
    expect(
      messages.slice(4).map((message) => ("tool_call_id" in message ? message.tool_call_id : "")),
    ).toEqual(["id-a", "id-b"]);
  });

  test.each<[string, string | null]>([
    ["missing", null],
    ["empty", ""],
  ])("get an id of ours when theirs is %s, turn after turn", async (_name, id) => {
    const calls = [
      { ...pass("a"), id },
      { ...fail("b"), id },
    ];
    const server = await serve(({ turn }) => (turn <= 2 ? { calls } : {}));
    const answer = await ask(server);
    expect(outcomes(answer)).toEqual(["pass", "fail", "pass", "fail"]);
    const ids = (server.asked[2]?.request.messages ?? []).flatMap((message) =>
      message.role === "tool" ? [message.tool_call_id] : [],
    );
    expect(new Set(ids).size).toBe(4);
  });

  test("count when the server leaves out their `type`", async () => {
    const message = {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", function: { name: "set_waza_grade_pass", arguments: "{}" } }],
    };
    const answer = await grade(inOrder(raw(message), {}));
    expect(answer).toMatchObject({ checks: [{ outcome: "pass" }], text: "Done." });
  });
});

describe("a judge that reports nothing", () => {
  test("is reminded once and then graded 0 with no check, keeping what it said", async () => {
    const server = await serve(inOrder({ text: "I would say PASS." }, { text: "As I said: PASS." }));
    const answer = await ask(server);
    expect(answer.checks).toEqual([]);
    expect(answer.incomplete).toBeUndefined();
    expect(answer.text).toContain("I would say PASS.");
    expect(answer.text).toContain("As I said: PASS.");
    expect(scoreChecks(answer.checks)).toEqual({ score: 0, passed: false });
    expect(server.asked).toHaveLength(2);
  });

  test("is reminded which tools to call", async () => {
    const server = await serve(inOrder({ text: "PASS" }, { calls: [pass("a")] }, {}));
    const answer = await ask(server);
    expect(outcomes(answer)).toEqual(["pass"]);
    const [, , , wording, reminder] = server.asked[1]?.request.messages ?? [];
    expect(wording).toMatchObject({ role: "assistant", content: "PASS" });
    expect(reminder?.role).toBe("user");
    expect(reminder?.content).toMatch(
      /set_waza_grade_pass.*set_waza_grade_fail.*finish_grading.*JSON object/,
    );
  });

  test.each<[string, Reply]>([
    ["no text at all", { text: null }],
    ["an empty text", { text: "" }],
    ["an empty list of calls", raw({ role: "assistant", content: "PASS", tool_calls: [] }, "stop")],
    ["null for the calls", raw({ role: "assistant", content: "PASS", tool_calls: null }, "stop")],
    ["no content field", raw({ role: "assistant" }, "stop")],
  ])("is reminded also when its answer has %s", async (_name, reply) => {
    let asked = 0;
    const server = await serve(() => [reply, { calls: [pass("a"), finish] }][asked++] ?? {});
    const answer = await ask(server);
    expect(outcomes(answer)).toEqual(["pass"]);
    expect(server.asked).toHaveLength(2);
  });

  test("after its calls is not reminded", async () => {
    const server = await serve(inOrder({ calls: [fail("a")] }, { text: null }));
    const answer = await ask(server);
    expect(outcomes(answer)).toEqual(["fail"]);
    expect(answer.incomplete).toBeUndefined();
    expect(server.asked).toHaveLength(2);
  });

  test("joins its texts, also those beside calls and in parts", async () => {
    const parts = raw(
      {
        role: "assistant",
        content: [
          { type: "text", text: "Sum" },
          { type: "text", text: "mary" },
        ],
      },
      "stop",
    );
    const answer = await grade(inOrder({ calls: [pass("a")], text: " First. " }, parts));
    expect(answer.text).toBe("First.\n\nSummary");
  });
});

describe("a verdict that is written instead of called, also after the reminder", () => {
  const CHECK = '{"description": "the total", "reason": "the table sums to it", "outcome": "pass"}';
  const CALL = '{"name": "set_waza_grade_pass", "arguments": {"reason": "the table sums to it"}}';
  const cameTo = async (reply: Reply, changes: Partial<JudgeRequest> = {}) => {
    const asking = { request: request(changes) };
    const answer = await ask(await serve(() => reply), asking).catch((error: unknown) => error);
    if (answer instanceof JudgeError) return `errored, ${answer.class}`;
    return outcomes(answer as JudgeAnswer).join() || "failed";
  };

  test.each<[string, string, string]>([
    ["as the form", `{"checks": [${CHECK}]}`, "pass"],
    ["as its list", `[${CHECK}]`, "pass"],
    ["as one check", CHECK, "pass"],
    ["with signs at its outcome", CHECK.replace('"pass"', '"**PASS**."'), "pass"],
    ["after thoughts", `<thinking>{"a": 1}</thinking>${CHECK}`, "pass"],
    ["after a tag that is quoted", `The agent wrote:\n> </tool>\n${CHECK}`, "errored, invalid-reply"],
    ["after two that are quoted", `<b>Its answer</b>: fine.\n</done>\n${CHECK}`, "errored, invalid-reply"],
    [
      "as the form's own words",
      CHECK.replace("the table sums to it", "What decided it"),
      "errored, invalid-reply",
    ],
    ["beside prose", `My verdict: ${CHECK}`, "errored, invalid-reply"],
    ["as a call", CALL, "errored, invalid-reply"],
    ["as a call in a tag", `<tool_call>${CALL}</tool_call>`, "errored, invalid-reply"],
    ["as code", 'set_waza_grade_pass(reason="it sums")', "errored, invalid-reply"],
    ["as a name in bold", "**set_waza_grade_pass**: the total is right", "errored, invalid-reply"],
    ["as nothing", "", "errored, invalid-reply"],
    ["as prose", "PASS: the total is right.", "failed"],
  ])(
    "%s comes to what it says, an error, or silence: never to another verdict",
    async (_how, text, expected) => {
      expect(await cameTo({ text })).toBe(expected);
      const server = await serve(() => ({ text }));
      const judge = judgeAt(server, { endpoint: { api: "responses" } });
      const answer = await ask(server, { judge }).then(outcomes, () => ["errored, invalid-reply"]);
      expect(answer.join() || "failed").toBe(expected);
    },
  );

  test.each<[string, number, string]>([
    ["evidence is a quote of it", 1, "errored, invalid-reply"],
    ["grader's prompt is a verdict", 2, "pass"],
  ])("and stands word for word in the %s", async (_name, index, expected) => {
    const messages = request().messages.with(index, { role: "user", content: `It wrote: ${CHECK}` });
    const shared = { messages: 2, key: "run" };
    expect(await cameTo({ text: `<think>It wrote: </think>${CHECK}` }, { messages, shared })).toBe(expected);
  });

  test("as thoughts alone is the provider's fault", async () => {
    expect(await cameTo({ text: null, extra: { reasoning_content: "It passes." } })).toBe(
      "errored, invalid-reply",
    );
  });

  test("is asked for with its schema the second time, and without where the server refuses it", async () => {
    const server = await serve(({ request: { response_format: schema, tools } }) => {
      if (schema && tools)
        return { status: 400, error: { message: "Cannot use custom grammar with tools." } };
      return server.asked.length === 1 ? { text: "PASS" } : { text: CHECK };
    });
    const judge = judgeAt(server);
    expect(outcomes(await ask(server, { judge }))).toEqual(["pass"]);
    expect(server.asked.map(({ request: { response_format: schema } }) => schema !== undefined)).toEqual([
      false,
      true,
      false,
    ]);
    // The lesson holds for the next grade.
    await ask(server, { judge });
    expect(server.asked.at(-1)?.request.response_format).toBeUndefined();
  });
});

describe("a judge that can read files", () => {
  /** A reader of one file, which answers at most `most` calls. */
  const files = (most = 40): FileReader => {
    let reads = 0;
    return {
      tools: FILE_TOOLS,
      reads: () => reads,
      again: () => files(most),
      fingerprint: () => Promise.resolve("one"),
      answer: ({ name }) => {
        if (name !== "read_file") return Promise.resolve(undefined);
        if (reads === most) return Promise.resolve("No more.");
        reads += 1;
        return Promise.resolve(`content ${String(reads)}`);
      },
    };
  };
  const read = { name: "read_file", args: { path: "workspace/a" } };
  const answers = ({ request: { messages } }: Asked) =>
    messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));

  test("is given the tools, reads, and then reports; the reads are counted", async () => {
    const server = await serve(inOrder({ calls: [read, read] }, { calls: [pass("a")] }, {}));
    const answer = await ask(server, { request: request({ files: files() }) });
    expect(answer).toMatchObject({ checks: [{ outcome: "pass", description: "a" }], reads: 2 });
    expect(server.asked[0]?.request.tools?.map((tool) => tool.function.name)).toEqual([
      "list_files",
      "read_file",
      "search_files",
      "set_waza_grade_pass",
      "set_waza_grade_fail",
      "finish_grading",
    ]);
    expect(answers(server.asked[1]!)).toEqual(["content 1", "content 2"]);
  });

  test("may read and report in one reply, and call what there is not", async () => {
    const server = await serve(inOrder({ calls: [pass("a"), read, { name: "write_file" }, fail("b")] }, {}));
    const answer = await ask(server, { request: request({ files: files() }) });
    expect(answer.checks.map(({ outcome }) => outcome)).toEqual(["pass", "fail"]);
    expect(answers(server.asked[1]!)).toEqual([
      "Recorded.",
      "content 1",
      expect.stringContaining('no tool called "write_file"'),
      "Recorded.",
    ]);
  });

  test("may read for longer than it may reply, and not for ever", async () => {
    const patient = await serve(({ turn }) =>
      turn <= 30 ? { calls: [read] } : turn === 31 ? { calls: [pass()] } : {},
    );
    const answer = await ask(patient, { request: request({ files: files() }) });
    expect(answer).toMatchObject({ checks: [{ outcome: "pass" }], reads: 30 });
    const endless = await serve(() => ({ calls: [read] }));
    const error = await errorOf(ask(endless, { request: request({ files: files(5) }) }));
    expect(error.class).toBe("turn-limit");
    expect(endless.asked).toHaveLength(5 + 2);
  });

  test("that read and reported nothing is reminded once like any other", async () => {
    const server = await serve(inOrder({ calls: [read] }, { text: "PASS" }, { calls: [pass("a")] }, {}));
    const answer = await ask(server, { request: request({ files: files() }) });
    expect(answer.checks).toHaveLength(1);
    expect(server.asked[2]?.request.messages.at(-1)?.content).toMatch(/You have not reported anything yet/);
  });

  test("has no tools for it when there is nothing to read", async () => {
    const server = await serve(inOrder({ calls: [read] }, { calls: [pass("a")] }, {}));
    const answer = await ask(server);
    expect(server.asked[0]?.request.tools).toHaveLength(3);
    expect(answer.reads).toBeUndefined();
  });
});

describe("a later turn that fails", () => {
  test.each<[string, Reply, ErrorClass]>([
    ["a server error", { status: 500, headers: NO_RETRY }, "server"],
    ["a reset connection", { connection: "reset" }, "network"],
    ["a refusal", { text: null, refusal: "I cannot." }, "refusal"],
    ["an answer cut off", { text: "It is", finish: "length" }, "cut-off"],
    ["a filtered answer", { text: "", finish: "content_filter" }, "content-filter"],
    ["a rate limit", { status: 429, headers: NO_RETRY, error: { message: "Slow down" } }, "rate-limit"],
    ["a reply that is none", { raw: "{}" }, "invalid-reply"],
    ["a refused key", { status: 401, error: { message: "Incorrect API key" } }, "credentials"],
  ])(
    "by %s keeps the calls made before and leaves the grade incomplete",
    async (_name, reply, errorClass) => {
      const answer = await grade(inOrder({ calls: [pass("a"), fail("b")] }, reply));
      expect(outcomes(answer)).toEqual(["pass", "fail"]);
      expect(answer.incomplete?.class).toBe(errorClass);
      expect(answer.incomplete?.message).not.toBe("");
    },
  );

  test.each<[string, Reply, ErrorClass]>([
    ["cut off", { calls: [pass("a")], finish: "length" }, "cut-off"],
    ["cut off, as Mistral says it", { calls: [pass("a")], finish: "model_length" }, "cut-off"],
    ["cut off, as Google says it", { calls: [pass("a")], finish: "MAX_TOKENS" }, "cut-off"],
    ["filtered, as Google says it", { calls: [pass("a")], finish: "SAFETY" }, "content-filter"],
    [
      "broken off by an error, as OpenRouter says it",
      { calls: [pass("a")], finish: "error" },
      "invalid-reply",
    ],
    ["broken off by the server", { calls: [pass("a")], finish: "abort" }, "invalid-reply"],
    ["filtered", { calls: [pass("a")], finish: "content_filter" }, "content-filter"],
    ["refused", { calls: [pass("a")], refusal: "No more." }, "refusal"],
  ])("in the very reply that made calls (%s) leaves no pass to stand", async (_name, reply, errorClass) => {
    const server = await serve(() => reply);
    const thrown = await errorOf(ask(server));
    expect(thrown).toMatchObject({ class: errorClass, reported: { checks: [{ outcome: "pass" }] } });
    expect(server.asked).toHaveLength(1);
  });

  test("after a reminder that was in vain is an error, since no call was made", async () => {
    const error = await errorOf(grade(inOrder({ text: "PASS" }, { status: 500, headers: NO_RETRY })));
    expect(error.class).toBe("server");
  });
});

interface Failure {
  readonly name: string;
  readonly reply: Reply;
  readonly errorClass: ErrorClass;
  /** What the message has to say, so that one can act. */
  readonly says?: RegExp;
}

const error = (status: number, message: string, more: { code?: string; type?: string } = {}): Reply => ({
  status,
  error: { message, ...more },
  headers: NO_RETRY,
});

const FAILURES: Failure[] = [
  { name: "400", reply: error(400, "messages is too long"), errorClass: "bad-request", says: /too long/ },
  {
    name: "401",
    reply: error(401, "Incorrect API key provided"),
    errorClass: "credentials",
    says: /api-key/,
  },
  { name: "403", reply: error(403, "Country not supported"), errorClass: "forbidden", says: /Country/ },
  {
    name: "403 by moderation, as OpenRouter has it",
    reply: error(403, "Your chosen model requires moderation and your input was flagged for violence"),
    errorClass: "content-filter",
  },
  {
    name: "404 of a wrong address",
    reply: error(404, "Invalid URL (POST /chat/completions)"),
    errorClass: "not-found",
    says: /base-url/,
  },
  {
    name: "404 page",
    reply: { status: 404, raw: "404 page not found", headers: NO_RETRY },
    errorClass: "not-found",
  },
  {
    name: "404 of an unknown model",
    reply: error(404, "The model `judge-1` does not exist or you do not have access to it.", {
      code: "model_not_found",
      type: "invalid_request_error",
    }),
    errorClass: "unknown-model",
    says: /judge-model/,
  },
  {
    name: "404 of an unknown model, as Ollama has it",
    reply: error(404, 'model "judge-1" not found, try pulling it first', { type: "not_found_error" }),
    errorClass: "unknown-model",
  },
  {
    name: "400 of an unknown model, as OpenRouter has it",
    reply: error(400, "judge-1 is not a valid model ID"),
    errorClass: "unknown-model",
  },
  {
    name: "410 of a model that is gone",
    reply: error(410, "ModelDeprecated: it is retired", { code: "ModelDeprecated" }),
    errorClass: "unknown-model",
    says: /has the model `judge-1` no more/,
  },
  {
    name: "403 of a model the project may not use",
    reply: error(403, "Project `p` does not have access to model `judge-1`", { code: "model_not_found" }),
    errorClass: "unknown-model",
  },
  {
    name: "400 of a parameter the model does not take",
    reply: error(400, "The model judge-1: parameter 'audio' is not supported with this model.", {
      code: "unsupported_parameter",
    }),
    errorClass: "bad-request",
  },
  {
    name: "429 of the rate",
    reply: error(429, "Rate limit reached for judge-1", { code: "rate_limit_exceeded" }),
    errorClass: "rate-limit",
    says: /max-concurrency/,
  },
  {
    name: "429 without credit",
    reply: error(429, "You exceeded your current quota", {
      code: "insufficient_quota",
      type: "insufficient_quota",
    }),
    errorClass: "quota",
    says: /credit/,
  },
  {
    name: "402 without credit, as OpenRouter has it",
    reply: error(402, "Insufficient credits"),
    errorClass: "quota",
  },
  {
    name: "400 without credit, as Anthropic has it",
    reply: error(400, "Your credit balance is too low to access the API", { type: "invalid_request_error" }),
    errorClass: "quota",
  },
  {
    name: "429 of a minute, as Google has it",
    reply: {
      ...error(
        429,
        "You exceeded your current quota, please check your plan and billing details. Please retry in 1h2.5s.",
      ),
      headers: NO_RETRY,
    },
    errorClass: "rate-limit",
  },
  {
    name: "400 of a content, which is not a model that is not known",
    reply: error(400, "This model does not support the file type image/heic: content type not supported"),
    errorClass: "bad-request",
  },
  {
    name: "404 of a model, as Google has it",
    reply: error(404, "models/judge-1 is not found for API version v1main, or is not supported"),
    errorClass: "unknown-model",
  },
  { name: "405", reply: error(405, "Method Not Allowed"), errorClass: "not-found", says: /base-url/ },
  {
    name: "401 of a restricted key",
    reply: error(401, "You have insufficient permissions. Missing scopes: model.request."),
    errorClass: "forbidden",
    says: /Missing scopes.*What the key in `api-key` is allowed to do/,
  },
  {
    name: "429 of a request above the limit itself",
    reply: error(429, "Request too large on tokens per min (TPM): Limit 30000, Requested 52000."),
    errorClass: "too-long",
    says: /Lower `max-evidence`: 52,000 tokens were requested, and the limit is 30,000\.$/,
  },
  {
    name: "429 of a request within the limit",
    reply: error(429, "Rate limit reached (TPM): Limit 30000, Used 25000, Requested 8000."),
    errorClass: "rate-limit",
    says: /max-concurrency/,
  },
  ...(
    [
      [429, "Too many tokens per day, please wait before trying again."],
      [429, "Rate limit exceeded: free-models-per-day."],
      [429, "You are using a Trial key, which is limited to 1000 API calls / month."],
      [400, "You have reached your specified API usage limits. You will regain access on 2026-12-01."],
      [400, "Budget has been exceeded! Current cost: 1.2, Max budget: 1.0"],
      [403, "Key limit exceeded (total limit)."],
    ] as const
  ).map(([status, message]) => ({
    name: `${String(status)} of a limit that no wait ends: ${message}`,
    reply: error(status, message),
    errorClass: "quota" as const,
    says: /limits of the account/,
  })),
  {
    name: "429 of a day, as Google's details have it",
    reply: {
      status: 429,
      headers: NO_RETRY,
      raw: JSON.stringify([
        {
          error: {
            message: "You exceeded your current quota.",
            details: [{ violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] }],
          },
        },
      ]),
    },
    errorClass: "quota",
    says: /limits of the account/,
  },
  ...(
    [
      [400, "Model Not Exist"],
      [400, "The model `judge-1` has been decommissioned and is no longer supported."],
    ] as const
  ).map(([status, message]) => ({
    name: `${String(status)} of a model that is not there: ${message}`,
    reply: error(status, message),
    errorClass: "unknown-model" as const,
  })),
  {
    name: "404 of a provider's routing",
    reply: error(404, "No endpoints found that support input audio."),
    errorClass: "not-found",
    says: /^(?!.*base-url).*No endpoints found/,
  },
  {
    name: "500 of a server without the memory",
    reply: error(500, "model requires more system memory (5.6 GiB) than is available (3.2 GiB)"),
    errorClass: "server",
    says: /more memory/,
  },
  {
    name: "400 of which nothing is known",
    reply: error(400, "User location is not supported for the API use."),
    errorClass: "bad-request",
    says: /User location is not supported for the API use\. $/,
  },
  {
    name: "403 of a region",
    reply: {
      ...error(403, "Country, region, or territory not supported"),
      raw: '{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported"}}',
    },
    errorClass: "forbidden",
    says: /Country, region, or territory not supported/,
  },
  { name: "500", reply: error(500, "The server had an error"), errorClass: "server" },
  {
    name: "503 with a page",
    reply: { status: 503, raw: "<html>Busy</html>", headers: NO_RETRY },
    errorClass: "server",
  },
  {
    name: "a web page with 200",
    reply: { raw: "<!doctype html><title>Sign in</title>" },
    errorClass: "invalid-reply",
    says: /web page.*base-url/s,
  },
  { name: "an empty body with 200", reply: { raw: "" }, errorClass: "invalid-reply" },
  {
    name: "truncated JSON",
    reply: { raw: '{"choices": [{"message": {"content": "PA' },
    errorClass: "invalid-reply",
    says: /JSON/,
  },
  { name: "`{}`", reply: { raw: "{}" }, errorClass: "invalid-reply" },
  { name: "`null`", reply: { raw: "null" }, errorClass: "invalid-reply" },
  {
    name: "an error with 200, as OpenRouter has it",
    reply: { raw: '{"error": {"message": "Provider returned error", "code": 502}}' },
    errorClass: "server",
    says: /Provider returned error/,
  },
  { name: "no choices", reply: { raw: '{"choices": []}' }, errorClass: "invalid-reply" },
  {
    name: "a provider's error inside an empty choice",
    reply: {
      raw: '{"choices": [{"finish_reason": "stop", "error": {"code": 502}, "message": {"content": ""}}]}',
    },
    errorClass: "server",
  },
  {
    name: "a provider's error beside an empty choice",
    reply: {
      raw: '{"error": {"code": 529, "message": "overloaded"}, "choices": [{"finish_reason": "stop", "message": {"content": ""}}]}',
    },
    errorClass: "server",
  },
  {
    name: "a call in the form that tools replaced",
    reply: {
      raw: '{"choices": [{"finish_reason": "stop", "message": {"function_call": {"name": "set_waza_grade_pass"}}}]}',
    },
    errorClass: "invalid-reply",
  },
  {
    name: "a choice without a message",
    reply: { raw: '{"choices": [{"finish_reason": "stop"}]}' },
    errorClass: "invalid-reply",
  },
  {
    name: "a refusal",
    reply: { text: null, refusal: "I will not judge this." },
    errorClass: "refusal",
    says: /will not judge/,
  },
  { name: "length", reply: { text: "Let me think", finish: "length" }, errorClass: "cut-off" },
  { name: "content_filter", reply: { text: null, finish: "content_filter" }, errorClass: "content-filter" },
  {
    name: "an unknown end of nothing",
    reply: { text: null, finish: "network_error" },
    errorClass: "invalid-reply",
    says: /network_error/,
  },
  {
    name: "no end of nothing",
    reply: raw({ role: "assistant", content: "" }, null),
    errorClass: "invalid-reply",
  },
];

describe("a first turn that fails", () => {
  test.each(FAILURES)(
    "by $name is an error of the class $errorClass, never a grade",
    async ({ reply, errorClass, says }) => {
      const server = await serve(() => ({ headers: NO_RETRY, ...reply }));
      const thrown = await errorOf(ask(server));
      expect(thrown.class).toBe(errorClass);
      const { message, help = "" } = thrown.toGradeError();
      expect(message).not.toBe("");
      expect(message).not.toMatch(/\n/);
      expect(message.length).toBeLessThan(600);
      if (says) expect(`${message} ${help}`).toMatch(says);
      expect(server.asked).toHaveLength(1);
    },
  );

  test("by a connection that is reset is an error of the network, after six attempts", async () => {
    const server = await serve(() => ({ connection: "reset" }));
    const meter = startMeter();
    const thrown = await errorOf(ask(server, { meter }));
    expect(thrown.class).toBe("network");
    expect(thrown.help).toMatch(/base-url/);
    expect(thrown.message).toContain(server.url);
    expect(meter.requests).toBe(6);
  });

  test("by a server that is not there is an error of the network", async () => {
    // No program of these tests may listen below 1024.
    const url = "http://127.0.0.1:1/v1";
    const thrown = await errorOf(ask({ url }));
    expect(thrown.class).toBe("network");
    expect(thrown.message).toContain(url);
  });

  test("by a body that breaks off is an error, not a grade", async () => {
    const { url, close } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"choices": [', () => response.destroy());
      return Promise.resolve();
    });
    closeLater(close);
    const thrown = await errorOf(ask({ url: `${url}/v1` }));
    expect(["network", "invalid-reply"]).toContain(thrown.class);
  });
});

describe("retries", () => {
  test.each([500, 503, 429, 408, 409])("are made after a %d, and counted", async (status) => {
    let failures = 0;
    const server = await serve(({ turn }) => {
      if (turn > 1) return {};
      failures += 1;
      return failures <= 2 ? { status, headers: RETRY_NOW } : { calls: [pass("a")] };
    });
    const meter = startMeter();
    const answer = await ask(server, { meter });
    expect(outcomes(answer)).toEqual(["pass"]);
    expect(answer.incomplete).toBeUndefined();
    expect(meter.requests).toBe(4);
    expect(server.asked).toHaveLength(4);
  });

  test.each(["malformed_function_call", "error", "insufficient_system_resource"])(
    "are made after a reply without calls that its provider ended with %s",
    async (end) => {
      const replies: Reply[] = [{ text: "", finish: end }, { calls: [fail("a"), finish] }];
      expect(outcomes(await grade(() => replies.shift() ?? {}))).toEqual(["fail"]);
    },
  );

  test("are not made when they cannot help", async () => {
    const server = await serve(() => ({ status: 400, error: { message: "no" } }));
    const meter = startMeter();
    await errorOf(ask(server, { meter }));
    expect(meter.requests).toBe(1);
  });

  test("and tokens of a grade that fails are counted as well", async () => {
    const meter = startMeter();
    await errorOf(ask(await serve(() => ({ text: "Let me", finish: "length" })), { meter }));
    expect(meter).toMatchObject({ requests: 1, tokens: { input: 100, output: 20 } });
  });

  test("and tokens add up over the turns, for any usage that the server reports", async () => {
    const replies = [{ calls: [pass("a")] }, { calls: [pass("b")] }, {}];
    const meter = startMeter();
    await ask(await serve(inOrder(...replies)), { meter });
    expect(meter).toMatchObject({ requests: 3, tokens: { input: 300, output: 60 } });
    const odd = {
      raw: JSON.stringify({ usage: "none", choices: [{ finish_reason: "stop", message: { content: "x" } }] }),
    };
    const second = startMeter();
    await ask(await serve(() => odd), { meter: second });
    expect(second).toMatchObject({ requests: 2, tokens: { input: 0, output: 0 } });
  });

  test("of grades that run side by side are counted each on its own meter", async () => {
    const server = await serve(({ request: { model }, turn }) =>
      turn <= Number(model.slice(-1)) ? { calls: [pass(`check ${String(turn)}`)] } : {},
    );
    const judge = judgeAt(server);
    const meters = await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const meter = startMeter();
        await ask(server, { judge, meter, request: request({ model: `judge-${String(number)}` }) });
        return meter.requests;
      }),
    );
    expect(meters).toEqual([2, 3, 4, 5]);
  });
});

describe("what is left after an error that asking again cannot mend", () => {
  test.each<[string, Reply, ErrorClass]>([
    ["a refused key", error(401, "Incorrect API key"), "credentials"],
    ["an account without credit", error(429, "No credit", { code: "insufficient_quota" }), "quota"],
  ])("for %s is errored without a request, for any model", async (_name, reply, errorClass) => {
    const server = await serve(() => reply);
    const judge = judgeAt(server);
    const first = await errorOf(ask(server, { judge }));
    const meter = startMeter();
    const later = await errorOf(ask(server, { judge, meter, request: request({ model: "another" }) }));
    expect([first.class, later.class]).toEqual([errorClass, errorClass]);
    expect(later.message).toContain(first.message);
    expect(later.help).toBe(first.help);
    expect(meter.requests).toBe(0);
    expect(server.asked).toHaveLength(1);
  });

  test.each(["judge-typo", "endpoint", "__proto__"])(
    "for the unknown model %s stops that model only",
    async (model) => {
      const server = await serve(({ request: asked, turn }) => {
        if (asked.model === model)
          return error(404, `The model \`${model}\` does not exist`, { code: "model_not_found" });
        return turn === 1 ? { calls: [pass("a")] } : {};
      });
      const judge = judgeAt(server);
      const typo = request({ model });
      expect((await errorOf(ask(server, { judge, request: typo }))).class).toBe("unknown-model");
      expect(outcomes(await ask(server, { judge }))).toEqual(["pass"]);
      const meter = startMeter();
      expect((await errorOf(ask(server, { judge, meter, request: typo }))).class).toBe("unknown-model");
      expect(meter.requests).toBe(0);
    },
  );

  test.each<[string, Reply]>([
    ["a server error", error(500, "busy")],
    ["a rate limit", error(429, "slow down")],
    ["a bad request", error(400, "too long")],
    ["a refusal", { text: null, refusal: "no" }],
  ])("for %s is asked all the same", async (_name, reply) => {
    let requests = 0;
    const server = await serve(({ turn }) => {
      requests += 1;
      if (requests === 1) return reply;
      return turn === 1 ? { calls: [pass("a")] } : {};
    });
    const judge = judgeAt(server);
    await errorOf(ask(server, { judge }));
    expect(outcomes(await ask(server, { judge }))).toEqual(["pass"]);
  });

  test("for another endpoint is not touched", async () => {
    const refusing = await serve(() => error(401, "Incorrect API key"));
    const working = await serve(inOrder({ calls: [pass("a")] }, {}));
    await errorOf(ask(refusing));
    expect(outcomes(await ask(working))).toEqual(["pass"]);
  });
});

describe("the request", () => {
  const working = inOrder({ calls: [pass("a")] }, {});

  test("holds model, messages and the tools, and nothing a server may reject", async () => {
    const server = await serve(working);
    await ask(server);
    const [first] = server.asked;
    expect(Object.keys(first?.request ?? {}).sort()).toEqual(["messages", "model", "tools"]);
    expect(first?.request.model).toBe("judge-1");
    expect(first?.request.messages).toEqual(request().messages);
    expect(first?.request.tools?.map((tool) => tool.function.name)).toEqual([
      "set_waza_grade_pass",
      "set_waza_grade_fail",
      "finish_grading",
    ]);
  });

  test("carries the key, and no Authorization header without one", async () => {
    const server = await serve(working);
    await ask(server, { judge: judgeAt(server, { endpoint: { apiKey: "sk-mine" } }) });
    await ask(server, {
      judge: openaiJudge({
        endpointOf: () => ({ baseUrl: server.url }),
        maxConcurrency: 50,
        redact: String,
      }),
    });
    const [withKey, , without] = server.asked;
    expect(withKey?.headers.authorization).toBe("Bearer sk-mine");
    expect(without?.headers).not.toHaveProperty("authorization");
  });

  test("sends no key of the environment to an endpoint that has none", async () => {
    const before = process.env.OPENAI_API_KEY;
    process.env.OPENAI_API_KEY = "sk-of-openai-itself";
    try {
      const server = await serve(working);
      await ask(server, {
        judge: openaiJudge({
          endpointOf: () => ({ baseUrl: server.url }),
          maxConcurrency: 50,
          redact: String,
        }),
      });
      expect(JSON.stringify(server.asked.map(({ headers }) => headers))).not.toContain("sk-of-openai-itself");
    } finally {
      if (before === undefined) delete process.env.OPENAI_API_KEY;
      else process.env.OPENAI_API_KEY = before;
    }
  });

  test("gives the judge's own replies back unchanged, fields we do not know included", async () => {
    const bodies: { messages: Record<string, unknown>[] }[] = [];
    const message = {
      role: "assistant",
      content: [{ type: "text", text: "Thinking" }],
      reasoning_details: [{ type: "reasoning.encrypted", data: "c2VjcmV0" }],
      reasoning_content: "hidden",
      tool_calls: [
        {
          id: "c",
          index: 0,
          type: "function",
          function: {
            name: "set_waza_grade_pass",
            arguments: ' {"reason" : "spaces kept"} ',
            thought_signature: "sig",
          },
          extra_content: { google: { thought_signature: "sig2" } },
        },
      ],
    };
    const { url, close } = await listen(async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      bodies.push(JSON.parse(Buffer.concat(chunks).toString("utf8")) as (typeof bodies)[number]);
      response.writeHead(200, { "content-type": "application/json" });
      const reply = bodies.length === 1 ? message : { role: "assistant", content: "Done." };
      response.end(
        JSON.stringify({
          choices: [{ finish_reason: bodies.length === 1 ? "tool_calls" : "stop", message: reply }],
        }),
      );
    });
    closeLater(close);
    const answer = await ask({ url: `${url}/v1` });
    expect(answer.checks).toEqual([{ outcome: "pass", reason: "spaces kept" }]);
    expect(bodies[1]?.messages[3]).toEqual(message);
    expect(bodies[1]?.messages.slice(0, 3)).toEqual(bodies[0]?.messages);
  });
});

describe("an abort", () => {
  const late = () => new JudgeError("timeout", "too late");

  test("ends a request that hangs, with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = late();
    const server = await serve(() => {
      controller.abort(reason);
      return { connection: "hang" };
    });
    expect(await errorOf(ask(server, { signal: controller.signal }))).toBe(reason);
  });

  test("ends the wait before a retry", async () => {
    const controller = new AbortController();
    const reason = late();
    const server = await serve(() => ({ status: 429, headers: { "retry-after": "3600" } }));
    const onReply = () =>
      setImmediate(() => {
        controller.abort(reason);
      });
    const asked = ask(server, { signal: controller.signal, request: request({ onReply }) });
    expect(await errorOf(asked)).toBe(reason);
    expect(server.asked).toHaveLength(1);
  });

  test("ends a reply whose body never ends", async () => {
    const controller = new AbortController();
    const reason = late();
    const { url, close } = await listen((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"choices": [', () => {
        controller.abort(reason);
      });
      return Promise.resolve();
    });
    closeLater(close);
    expect(await errorOf(ask({ url: `${url}/v1` }, { signal: controller.signal }))).toBe(reason);
  });

  test("before the start asks nothing", async () => {
    const server = await serve(() => ({}));
    const reason = new JudgeError("cancelled", "stopped");
    const meter = startMeter();
    expect(await errorOf(ask(server, { meter, signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(meter.requests).toBe(0);
    expect(server.asked).toHaveLength(0);
  });

  test("after a failure keeps it, incomplete for the signal's reason", async () => {
    const controller = new AbortController();
    const server = await serve(({ turn }) => {
      if (turn === 1) return { calls: [fail("a")] };
      controller.abort(late());
      return { connection: "hang" };
    });
    const answer = await ask(server, { signal: controller.signal });
    expect(outcomes(answer)).toEqual(["fail"]);
    expect(answer.incomplete).toEqual({ class: "timeout", message: "too late" });
  });

  test("of one grade leaves the next one alone", async () => {
    const controller = new AbortController();
    const server = await serve(({ turn }) => {
      if (!controller.signal.aborted) {
        controller.abort(late());
        return { connection: "hang" };
      }
      return turn === 1 ? { calls: [pass("a")] } : {};
    });
    const judge = judgeAt(server);
    await errorOf(ask(server, { judge, signal: controller.signal }));
    expect(outcomes(await ask(server, { judge }))).toEqual(["pass"]);
  });
});
