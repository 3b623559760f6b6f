import { afterAll, describe, expect, test } from "@jest/globals";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../src/domain/run.ts";
import type { Grader } from "../../src/domain/suite.ts";
import { recordFinder, recordedJudge, recordKey } from "../../src/judge/cache.ts";
import { TEMPLATE_VERSION } from "../../src/judge/evidence.ts";
import { JudgeError, startMeter } from "../../src/judge/judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest } from "../../src/judge/judge.ts";
import { buildEvidence, buildMessages } from "../../src/judge/evidence.ts";
import { openaiJudge } from "../../src/judge/conversation.ts";
import { fail, pass, startJudge } from "../support/judge-server.ts";
import type { Reply } from "../support/judge-server.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import { graderOf, runOf } from "../support/factories.ts";

afterAll(removeTemporaryFolders);

const grader = (changes: Partial<Grader> = {}): Grader =>
  graderOf({
    prompt: "Is it concise?",
    at: { path: "eval.yaml", startLine: 1, endLine: 1, inRepository: true },
    ...changes,
  });

const run = (changes: Partial<Run> = {}): Run => runOf({ finalOutput: "Short.", ...changes });

const request = (
  changes: { model?: string; run?: Partial<Run>; grader?: Partial<Grader>; task?: string } = {},
): JudgeRequest => ({
  model: changes.model ?? "judge-1",
  messages: buildMessages(
    buildEvidence(run({ prompt: changes.task ?? "Explain.", ...changes.run })),
    grader(changes.grader),
  ),
});

/** A judge that counts how often it is asked. */
function judge(answer: JudgeAnswer | JudgeError): Judge & { readonly asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    grade: (_request, meter) => {
      asked += 1;
      meter.requests += 1;
      return answer instanceof JudgeError ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
}

const clean: JudgeAnswer = {
  checks: [{ outcome: "pass", description: "short", reason: "one word 😀" }, { outcome: "fail" }],
  text: "Done.",
  changes: [],
};

const silent = (message: string) => {
  throw new Error(`unexpected warning: ${message}`);
};

const ask = async (asked: Judge, what: JudgeRequest = request(), meter = startMeter()) =>
  await asked.grade(what, meter, new AbortController().signal);

const files = (folder: string) => readdirSync(folder);
const recordFile = (folder: string, what = request()) =>
  join(folder, `v${String(TEMPLATE_VERSION)}-${recordKey(what)}.json`);

describe("a record", () => {
  test.each<[string, JudgeAnswer["sent"], string | undefined, boolean]>([
    ["the effort that is asked for", { api: "responses", effort: "high" }, "high", true],
    ["no effort, where none is asked for", { api: "chat" }, undefined, true],
    ["`none`, where none is asked for", { api: "chat", effort: "none" }, undefined, true],
    ["`none`, where another is asked for", { api: "chat", effort: "none" }, "high", false],
    ["no effort, where one is asked for", { api: "chat" }, "low", false],
    ["`xhigh`, where `max` is asked for", { api: "chat", effort: "xhigh" }, "max", false],
    ["nobody knows which, where one is asked for", undefined, "low", false],
  ])("serves by what it was made with: %s", async (_name, sent, effort, isServed) => {
    const folder = temporaryFolder("cache");
    const inner = judge({ ...clean, sent });
    const asking = { ...request(), effort };
    await ask(recordedJudge(inner, { folder, warn: silent }), asking);
    const { sent: kept, recorded } = await ask(recordedJudge(inner, { folder, warn: silent }), asking);
    expect({ kept, recorded }).toEqual({ kept: sent, recorded: isServed || undefined });
    expect(await recordFinder({ folder })(asking)).toEqual(isServed ? { ...clean, sent } : undefined);
  });

  test("is made by the first grade and answers the second, without a request", async () => {
    const folder = join(temporaryFolder("cache"), "not", "there", "yet");
    const inner = judge(clean);
    const first = await ask(recordedJudge(inner, { folder, warn: silent }));
    expect(first).toEqual(clean);
    const meter = startMeter();
    const second = await ask(recordedJudge(inner, { folder, warn: silent }), request(), meter);
    expect(second).toEqual({ ...clean, recorded: true });
    expect(inner.asked()).toBe(1);
    expect(meter).toEqual(startMeter());
    expect(files(folder)).toEqual([`v${String(TEMPLATE_VERSION)}-${recordKey(request())}.json`]);
  });

  test("is made over HTTP by the real judge, and answers offline", async () => {
    const folder = temporaryFolder("cache");
    const replies: Reply[] = [{ calls: [pass("a", "b"), fail("c")] }, { text: "All reported." }];
    const server = await startJudge(({ turn }) => replies[turn - 1] ?? {});
    try {
      const real = openaiJudge({
        endpointOf: () => ({ baseUrl: server.url }),
        maxConcurrency: 50,
        redact: String,
      });
      const made = await ask(recordedJudge(real, { folder, warn: silent }));
      const replayed = await ask(recordedJudge(undefined, { folder, warn: silent }));
      expect(replayed).toEqual({ ...made, recorded: true });
      expect(replayed.checks).toHaveLength(2);
      expect(server.refused).toEqual([]);
      expect(server.asked).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  test.each<[string, JudgeRequest]>([
    ["the judge model", request({ model: "judge-2" })],
    ["the grader's prompt", request({ grader: { prompt: "Is it concise? " } })],
    ["the final output", request({ run: { finalOutput: "Short!" } })],
    ["the conversation", request({ run: { steps: [{ kind: "assistant", text: "hi" }] } })],
    ["the task prompt", request({ task: "Explain!" })],
    ["half a character", request({ run: { finalOutput: "Short.\uD83D" } })],
    ["what is in which message", { model: "judge-1", messages: [...request().messages].reverse() }],
  ])("is another one when %s is another", async (_name, other) => {
    expect(recordKey(other)).toMatch(/^[0-9a-f]{64}$/);
    expect(recordKey(other)).not.toBe(recordKey(request()));
    const folder = temporaryFolder("cache");
    const inner = judge(clean);
    const recorded = recordedJudge(inner, { folder, warn: silent });
    await ask(recorded);
    await ask(recorded, other);
    expect(inner.asked()).toBe(2);
  });

  test.each<[string, JudgeRequest]>([
    [
      "the grader's name, weight and place",
      request({ grader: { name: "x", weight: 3, at: { ...grader().at, startLine: 9 } } }),
    ],
    [
      "the run's number and model, which the judge never sees",
      request({ run: { number: 2, model: "agent-2" } }),
    ],
  ])("is the same one when only %s differ", (_name, other) => {
    expect(recordKey(other)).toBe(recordKey(request()));
  });

  test("holds nothing of the evidence, the prompt or a key", async () => {
    const folder = temporaryFolder("cache");
    const what = request({ run: { finalOutput: "CONFIDENTIAL" }, grader: { prompt: "PRIVATE" } });
    await ask(recordedJudge(judge(clean), { folder, warn: silent }), what);
    expect(readFileSync(recordFile(folder, what), "utf8")).not.toMatch(/CONFIDENTIAL|PRIVATE/);
  });

  test("is whole, and no rest of it left over, when many are made at once", async () => {
    const folder = temporaryFolder("cache");
    const recorded = recordedJudge(judge(clean), { folder, warn: silent });
    const all = Array.from({ length: 40 }, (_, index) => request({ task: String(index % 20) }));
    await Promise.all(all.map((what) => ask(recorded, what)));
    expect(files(folder)).toHaveLength(20);
    for (const what of all)
      expect(await ask(recordedJudge(undefined, { folder, warn: silent }), what)).toMatchObject(clean);
  });
});

describe("a judge that can read files", () => {
  const withFiles = (fingerprint: string | undefined, tools: readonly unknown[] = ["t"]): JudgeRequest => ({
    ...request(),
    files: {
      tools,
      reads: () => 2,
      again: () => withFiles(fingerprint, tools).files!,
      answer: () => Promise.resolve(undefined),
      fingerprint: () => Promise.resolve(fingerprint),
    },
  });

  test("is asked again when the files are others, or the tools, and not when they are the same", async () => {
    const folder = temporaryFolder("cache");
    const inner = judge({ ...clean, reads: 2 });
    const recorded = recordedJudge(inner, { folder, warn: silent });
    await ask(recorded, withFiles("one"));
    expect(await ask(recorded, withFiles("one"))).toEqual({ ...clean, reads: 2, recorded: true });
    expect(inner.asked()).toBe(1);
    await ask(recorded, withFiles("two"));
    await ask(recorded, withFiles("one", ["t", "u"]));
    await ask(recorded, request());
    expect(inner.asked()).toBe(4);
  });

  test("of too much to fingerprint is asked every time, nothing is recorded, and that is said once", async () => {
    const folder = temporaryFolder("cache");
    const warnings: string[] = [];
    const inner = judge(clean);
    const recorded = recordedJudge(inner, { folder, warn: (message) => warnings.push(message) });
    for (const what of [withFiles(undefined), withFiles(undefined)]) await ask(recorded, what);
    expect(inner.asked()).toBe(2);
    expect(files(folder)).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("200 MB")]);
    const offline = recordedJudge(undefined, { folder, warn: silent });
    await expect(ask(offline, withFiles(undefined))).rejects.toMatchObject({ class: "not-recorded" });
  });
});

describe("an answer that is no clean verdict", () => {
  test.each<[string, JudgeAnswer]>([
    ["without a call", { ...clean, checks: [], text: "PASS" }],
    ["incomplete", { ...clean, incomplete: { class: "server", message: "later turn failed" } }],
  ])("(%s) is passed on and not recorded", async (_name, answer) => {
    const folder = temporaryFolder("cache");
    const inner = judge(answer);
    const recorded = recordedJudge(inner, { folder, warn: silent });
    expect(await ask(recorded)).toEqual(answer);
    expect(await ask(recorded)).toEqual(answer);
    expect(inner.asked()).toBe(2);
    expect(files(folder)).toEqual([]);
  });

  test("(an error) is thrown on and not recorded", async () => {
    const folder = temporaryFolder("cache");
    const thrown = new JudgeError("server", "busy");
    await expect(ask(recordedJudge(judge(thrown), { folder, warn: silent }))).rejects.toBe(thrown);
    expect(files(folder)).toEqual([]);
  });
});

describe("a file that is no record of ours", () => {
  const key = recordKey(request());
  const good = { key, model: "judge-1", template: 1, ...clean };

  test("(the control: a good one) is used", async () => {
    const folder = temporaryFolder("cache");
    writeFileSync(recordFile(folder), JSON.stringify(good));
    expect(await ask(recordedJudge(undefined, { folder, warn: silent }))).toEqual({
      ...clean,
      recorded: true,
    });
  });

  test.each<[string, string]>([
    ["torn", JSON.stringify(good).slice(0, 100)],
    ["empty", ""],
    ["not JSON", "<html>"],
    ["null", "null"],
    ["a list", JSON.stringify([good])],
    ["of another key", JSON.stringify({ ...good, key: recordKey(request({ model: "judge-2" })) })],
    ["without a key", JSON.stringify({ ...good, key: undefined })],
    ["without checks", JSON.stringify({ ...good, checks: [] })],
    ["with checks that are no list", JSON.stringify({ ...good, checks: { length: 1, 0: clean.checks[0] } })],
    ["with an unknown outcome", JSON.stringify({ ...good, checks: [{ outcome: "PASS" }] })],
    ["with an outcome of the prototype", JSON.stringify({ ...good, checks: [{ outcome: "constructor" }] })],
    ["with a check that is null", JSON.stringify({ ...good, checks: [null] })],
    [
      "with a reason that is an object",
      JSON.stringify({ ...good, checks: [{ outcome: "pass", reason: { a: 1 } }] }),
    ],
    [
      "with a description that is a number",
      JSON.stringify({ ...good, checks: [{ outcome: "pass", description: 1 }] }),
    ],
    ["with a text that is none", JSON.stringify({ ...good, text: 1 })],
    [
      "with its outcome hidden in __proto__",
      `{"key":"${key}","text":"","checks":[{"__proto__":{"outcome":"pass"}}]}`,
    ],
    ["with everything hidden in __proto__", `{"__proto__":${JSON.stringify(good)}}`],
  ])("(%s) is asked again and replaced", async (_name, content) => {
    const folder = temporaryFolder("cache");
    writeFileSync(recordFile(folder), content);
    const inner = judge(clean);
    const answer = await ask(recordedJudge(inner, { folder, warn: silent }));
    expect(answer).toEqual(clean);
    expect(inner.asked()).toBe(1);
    expect(await ask(recordedJudge(undefined, { folder, warn: silent }))).toEqual({
      ...clean,
      recorded: true,
    });
  });

  test("brings nothing along beside checks, changes and text", async () => {
    const folder = temporaryFolder("cache");
    const hostile = JSON.stringify({
      ...good,
      checks: [{ outcome: "pass", score: 9, passed: true }],
      incomplete: "x",
      recorded: false,
      passed: true,
    });
    writeFileSync(
      recordFile(folder),
      hostile.replace('{"outcome"', '{"__proto__":{"polluted":true},"outcome"'),
    );
    const answer = await ask(recordedJudge(undefined, { folder, warn: silent }));
    expect(Object.keys(answer).sort()).toEqual(["changes", "checks", "recorded", "text"]);
    expect(answer.checks).toEqual([{ outcome: "pass" }]);
    expect(Object.keys(answer.checks[0] ?? {})).toEqual(["outcome"]);
    expect("polluted" in {}).toBe(false);
  });
});

describe("offline", () => {
  test("records for another address are named", async () => {
    const folder = temporaryFolder("cache");
    const at = (address: string) => ({
      folder,
      warn: silent,
      addressOf: () => address,
      variant: () => address,
    });
    await ask(recordedJudge(judge(clean), at("https://a.example/v1")));
    await expect(ask(recordedJudge(undefined, at("https://b.example/v1")))).rejects.toMatchObject({
      help: expect.stringMatching(
        /recorded for `https:\/\/a\.example\/v1`.*uses `https:\/\/b\.example/,
      ) as unknown,
    });
  });

  test("a missing record is an error that says what to do, and names no file outside", async () => {
    const folder = temporaryFolder("cache");
    const thrown: unknown = await ask(recordedJudge(undefined, { folder, warn: silent })).catch(
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(JudgeError);
    expect(thrown).toMatchObject({ class: "not-recorded" });
    expect((thrown as JudgeError).help).toMatch(/is empty.*`offline`/);
    writeFileSync(join(folder, `${"a".repeat(64)}.json`), "{}");
    await expect(ask(recordedJudge(undefined, { folder, warn: silent }))).rejects.toMatchObject({
      help: expect.stringMatching(/may have changed/) as unknown,
    });
    rmSync(join(folder, `${"a".repeat(64)}.json`));
    expect(files(folder)).toEqual([]);
  });

  test("a folder that does not exist is a missing record, and is not made", async () => {
    const folder = join(temporaryFolder("cache"), "missing");
    await expect(ask(recordedJudge(undefined, { folder, warn: silent }))).rejects.toMatchObject({
      class: "not-recorded",
    });
    expect(() => files(folder)).toThrow("ENOENT");
  });
});

describe("a folder that cannot be written", () => {
  test("is warned of once, and every grade is answered all the same", async () => {
    const folder = join(temporaryFolder("cache"), "occupied");
    writeFileSync(folder, "a file in the folder's place");
    const warnings: string[] = [];
    const inner = judge(clean);
    const recorded = recordedJudge(inner, { folder, warn: (message) => warnings.push(message) });
    const answers = await Promise.all(
      [1, 2, 3].map((number) => ask(recorded, request({ task: String(number) }))),
    );
    answers.push(await ask(recorded));
    expect(answers).toEqual([clean, clean, clean, clean]);
    expect(inner.asked()).toBe(4);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/cache-dir/);
    expect(readFileSync(folder, "utf8")).toBe("a file in the folder's place");
  });

  test("leaves no half-written file beside a record's name that is taken", async () => {
    const folder = temporaryFolder("cache");
    mkdirSync(join(recordFile(folder), "in the way"), { recursive: true });
    const warnings: string[] = [];
    const recorded = recordedJudge(judge(clean), { folder, warn: (message) => warnings.push(message) });
    expect(await ask(recorded)).toEqual(clean);
    expect(warnings).toHaveLength(1);
    expect(files(folder)).toEqual([`v${String(TEMPLATE_VERSION)}-${recordKey(request())}.json`]);
  });
});
