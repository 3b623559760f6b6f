import { afterAll, afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, errorOf, outcomes, request } from "./judging.ts";
import { graderOf, runOf } from "../support/factories.ts";
import { fail, pass, startJudge, type Reply } from "../support/judge-server.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Grader } from "../../src/domain/suite.ts";
import { recordFinder, recordKey, recordedJudge } from "../../src/judge/cache.ts";
import { openaiJudge } from "../../src/judge/conversation.ts";
import { buildEvidence, buildMessages } from "../../src/judge/evidence.ts";
import { TEMPLATE_VERSION } from "../../src/judge/message.ts";
import {
  JudgeError,
  startMeter,
  type Judge,
  type JudgeAnswer,
  type JudgeRequest,
} from "../../src/judge/judge.ts";

afterAll(removeTemporaryFolders);

const grader = (changes: Partial<Grader> = {}): Grader =>
  graderOf({
    prompt: "Is it concise?",
    at: { path: "eval.yaml", startLine: 1, endLine: 1, inRepository: true },
    ...changes,
  });

const run = (changes: Partial<Run> = {}): Run => runOf({ finalOutput: "Short.", ...changes });

const requestWith = (
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
  reportsReasoning: false,
};

const silent = (message: string) => {
  throw new Error(`unexpected warning: ${message}`);
};

const askAgain = async (asked: Judge, what: JudgeRequest = requestWith(), meter = startMeter()) =>
  await asked.grade(what, meter, new AbortController().signal);

const files = (folder: string) => readdirSync(folder);
const recordFile = (folder: string, what = requestWith()) =>
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
    const asking = { ...requestWith(), effort };
    await askAgain(recordedJudge(inner, { folder, warn: silent }), asking);
    const { sent: kept, recorded } = await askAgain(recordedJudge(inner, { folder, warn: silent }), asking);
    expect({ kept, recorded }).toEqual({ kept: sent, recorded: isServed || undefined });
    expect(await recordFinder({ folder })(asking)).toEqual(isServed ? { ...clean, sent } : undefined);
  });

  test("is made by the first grade and answers the second, without a request", async () => {
    const folder = join(temporaryFolder("cache"), "not", "there", "yet");
    const inner = judge(clean);
    const first = await askAgain(recordedJudge(inner, { folder, warn: silent }));
    expect(first).toEqual(clean);
    const meter = startMeter();
    const second = await askAgain(recordedJudge(inner, { folder, warn: silent }), requestWith(), meter);
    expect(second).toEqual({ ...clean, recorded: true });
    expect(inner.asked()).toBe(1);
    expect(meter).toEqual(startMeter());
    expect(files(folder)).toEqual([`v${String(TEMPLATE_VERSION)}-${recordKey(requestWith())}.json`]);
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
      const made = await askAgain(recordedJudge(real, { folder, warn: silent }));
      const replayed = await askAgain(recordedJudge(undefined, { folder, warn: silent }));
      expect(replayed).toEqual({ ...made, recorded: true });
      expect(replayed.checks).toHaveLength(2);
      expect(server.refused).toEqual([]);
      expect(server.asked).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  test.each<[string, JudgeRequest]>([
    ["the judge model", requestWith({ model: "judge-2" })],
    ["the grader's prompt", requestWith({ grader: { prompt: "Is it concise? " } })],
    ["the final output", requestWith({ run: { finalOutput: "Short!" } })],
    ["the conversation", requestWith({ run: { steps: [{ kind: "assistant", text: "hi" }] } })],
    ["the task prompt", requestWith({ task: "Explain!" })],
    ["half a character", requestWith({ run: { finalOutput: "Short.\uD83D" } })],
    ["what is in which message", { model: "judge-1", messages: [...requestWith().messages].reverse() }],
  ])("is another one when %s is another", async (_name, other) => {
    expect(recordKey(other)).toMatch(/^[0-9a-f]{64}$/);
    expect(recordKey(other)).not.toBe(recordKey(requestWith()));
    const folder = temporaryFolder("cache");
    const inner = judge(clean);
    const recorded = recordedJudge(inner, { folder, warn: silent });
    await askAgain(recorded);
    await askAgain(recorded, other);
    expect(inner.asked()).toBe(2);
  });

  test.each<[string, JudgeRequest]>([
    [
      "the grader's name, weight and place",
      requestWith({ grader: { name: "x", weight: 3, at: { ...grader().at, startLine: 9 } } }),
    ],
    [
      "the run's number and model, which the judge never sees",
      requestWith({ run: { number: 2, model: "agent-2" } }),
    ],
  ])("is the same one when only %s differ", (_name, other) => {
    expect(recordKey(other)).toBe(recordKey(requestWith()));
  });

  test("holds nothing of the evidence, the prompt or a key", async () => {
    const folder = temporaryFolder("cache");
    const what = requestWith({ run: { finalOutput: "CONFIDENTIAL" }, grader: { prompt: "PRIVATE" } });
    await askAgain(recordedJudge(judge(clean), { folder, warn: silent }), what);
    expect(readFileSync(recordFile(folder, what), "utf8")).not.toMatch(/CONFIDENTIAL|PRIVATE/);
  });

  test("is whole, and no rest of it left over, when many are made at once", async () => {
    const folder = temporaryFolder("cache");
    const recorded = recordedJudge(judge(clean), { folder, warn: silent });
    const all = Array.from({ length: 40 }, (_, index) => requestWith({ task: String(index % 20) }));
    await Promise.all(all.map((what) => askAgain(recorded, what)));
    expect(files(folder)).toHaveLength(20);
    for (const what of all)
      expect(await askAgain(recordedJudge(undefined, { folder, warn: silent }), what)).toMatchObject(clean);
  });
});

describe("a judge that can read files", () => {
  const withFiles = (fingerprint: string | undefined, tools: readonly unknown[] = ["t"]): JudgeRequest => ({
    ...requestWith(),
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
    await askAgain(recorded, withFiles("one"));
    expect(await askAgain(recorded, withFiles("one"))).toEqual({ ...clean, reads: 2, recorded: true });
    expect(inner.asked()).toBe(1);
    await askAgain(recorded, withFiles("two"));
    await askAgain(recorded, withFiles("one", ["t", "u"]));
    await askAgain(recorded, requestWith());
    expect(inner.asked()).toBe(4);
  });

  test("of too much to fingerprint is asked every time, nothing is recorded, and that is said once", async () => {
    const folder = temporaryFolder("cache");
    const warnings: string[] = [];
    const inner = judge(clean);
    const recorded = recordedJudge(inner, { folder, warn: (message) => warnings.push(message) });
    for (const what of [withFiles(undefined), withFiles(undefined)]) await askAgain(recorded, what);
    expect(inner.asked()).toBe(2);
    expect(files(folder)).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("200 MB")]);
    const offline = recordedJudge(undefined, { folder, warn: silent });
    await expect(askAgain(offline, withFiles(undefined))).rejects.toMatchObject({ class: "not-recorded" });
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
    expect(await askAgain(recorded)).toEqual(answer);
    expect(await askAgain(recorded)).toEqual(answer);
    expect(inner.asked()).toBe(2);
    expect(files(folder)).toEqual([]);
  });

  test("(an error) is thrown on and not recorded", async () => {
    const folder = temporaryFolder("cache");
    const thrown = new JudgeError("server", "busy");
    await expect(askAgain(recordedJudge(judge(thrown), { folder, warn: silent }))).rejects.toBe(thrown);
    expect(files(folder)).toEqual([]);
  });
});

describe("a file that is no record of ours", () => {
  const key = recordKey(requestWith());
  const good = { key, model: "judge-1", template: 1, ...clean };

  test("(the control: a good one) is used", async () => {
    const folder = temporaryFolder("cache");
    writeFileSync(recordFile(folder), JSON.stringify(good));
    expect(await askAgain(recordedJudge(undefined, { folder, warn: silent }))).toEqual({
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
    ["of another key", JSON.stringify({ ...good, key: recordKey(requestWith({ model: "judge-2" })) })],
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
    const answer = await askAgain(recordedJudge(inner, { folder, warn: silent }));
    expect(answer).toEqual(clean);
    expect(inner.asked()).toBe(1);
    expect(await askAgain(recordedJudge(undefined, { folder, warn: silent }))).toEqual({
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
    const answer = await askAgain(recordedJudge(undefined, { folder, warn: silent }));
    expect(Object.keys(answer).sort()).toEqual(["changes", "checks", "recorded", "reportsReasoning", "text"]);
    expect(answer.checks).toEqual([{ outcome: "pass" }]);
    expect(Object.keys(answer.checks[0] ?? {})).toEqual(["outcome"]);
    expect("polluted" in {}).toBe(false);
  });
});

describe("offline", () => {
  test("a missing record is an error that says what to do, and names no file outside", async () => {
    const folder = temporaryFolder("cache");
    const thrown: unknown = await askAgain(recordedJudge(undefined, { folder, warn: silent })).catch(
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(JudgeError);
    expect(thrown).toMatchObject({ class: "not-recorded" });
    expect((thrown as JudgeError).help).toMatch(/is empty.*`offline`/);
    writeFileSync(join(folder, `${"a".repeat(64)}.json`), "{}");
    await expect(askAgain(recordedJudge(undefined, { folder, warn: silent }))).rejects.toMatchObject({
      help: expect.stringMatching(/may have changed/) as unknown,
    });
    rmSync(join(folder, `${"a".repeat(64)}.json`));
    expect(files(folder)).toEqual([]);
  });

  test("a folder that does not exist is a missing record, and is not made", async () => {
    const folder = join(temporaryFolder("cache"), "missing");
    await expect(askAgain(recordedJudge(undefined, { folder, warn: silent }))).rejects.toMatchObject({
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
      [1, 2, 3].map((number) => askAgain(recorded, requestWith({ task: String(number) }))),
    );
    answers.push(await askAgain(recorded));
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
    expect(await askAgain(recorded)).toEqual(clean);
    expect(warnings).toHaveLength(1);
    expect(files(folder)).toEqual([`v${String(TEMPLATE_VERSION)}-${recordKey(requestWith())}.json`]);
  });
});

let base = "";
let folder = "";
const warnings: string[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "cache-"));
  folder = join(base, "cache");
  warnings.length = 0;
});
afterEach(async () => {
  await chmod(folder, 0o700).catch(String);
  await rm(base, { recursive: true, force: true });
});

const RIGHT: JudgeAnswer = { checks: [{ outcome: "fail", description: "d" }], text: "", changes: [] };

/** A judge beneath the records, and how often it was asked. */
function counting(answer: JudgeAnswer = RIGHT) {
  const asked: number[] = [];
  const inner: Judge = {
    grade: async (one) => {
      asked.push(one.vote ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return answer;
    },
  };
  const judge = recordedJudge(inner, { folder, warn: (message) => warnings.push(message) });
  return { asked, judge, offline: recordedJudge(undefined, { folder, warn: String }) };
}

const KEY = recordKey(request());
const good = {
  key: KEY,
  model: "judge-1",
  template: 1,
  checks: [{ outcome: "fail", description: "d" }],
  text: "",
};

describe("a record", () => {
  test.each<[string, string]>([
    ["empty", ""],
    ["torn", JSON.stringify(good).slice(0, 80)],
    ["of zeros, as a full disk leaves it", "\0".repeat(200)],
    ["null", "null"],
    ["a list", "[]"],
    ["nested too deeply", "[".repeat(100_000)],
    [
      "of another key",
      JSON.stringify({ ...good, key: recordKey(request({ model: "other" })), checks: [{ outcome: "pass" }] }),
    ],
    ["without a key", JSON.stringify({ ...good, key: undefined, checks: [{ outcome: "pass" }] })],
    ["without checks", JSON.stringify({ ...good, checks: [] })],
    ["with an outcome we do not know", JSON.stringify({ ...good, checks: [{ outcome: "maybe" }] })],
    ["with one good check and one bad", JSON.stringify({ ...good, checks: [{ outcome: "pass" }, {}] })],
    ["with a number for a reason", JSON.stringify({ ...good, checks: [{ outcome: "pass", reason: 7 }] })],
    ["without a text", JSON.stringify({ ...good, text: undefined, checks: [{ outcome: "pass" }] })],
  ])("that is %s is none: the judge is asked, and the record mended", async (_name, content) => {
    await mkdir(folder);
    await writeFile(join(folder, `v${String(TEMPLATE_VERSION)}-${KEY}.json`), content);
    const { judge, asked, offline } = counting();
    expect((await errorOf(ask(offline))).class).toBe("not-recorded");
    expect(await ask(judge)).toEqual(RIGHT);
    expect(await ask(offline)).toEqual({ ...RIGHT, recorded: true });
    expect(asked).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  test("with fields of its own gives what we know of it, and nothing else", async () => {
    await mkdir(folder);
    const odd = {
      ...good,
      incomplete: { class: "timeout" },
      votes: { passed: 9 },
      passed: true,
      score: 1,
      __proto__: { x: 1 },
    };
    await writeFile(
      join(folder, `v${String(TEMPLATE_VERSION)}-${KEY}.json`),
      JSON.stringify({ ...odd, checks: [{ ...good.checks[0], weight: 9 }] }),
    );
    const { judge, asked } = counting();
    expect(await ask(judge)).toEqual({ ...RIGHT, recorded: true });
    expect(asked).toEqual([]);
  });

  test.each<[string, (path: string) => Promise<unknown>]>([
    ["a folder", (path) => mkdir(path)],
    ["a link to nothing", (path) => symlink(join(base, "nowhere"), path)],
    ["a link to itself", (path) => symlink(path, path)],
    ["a link to an endless device", (path) => symlink("/dev/zero", path)],
    ["a pipe", (path) => Promise.resolve(execFileSync("mkfifo", [path]))],
    [
      "a link to a record elsewhere",
      async (path) => {
        await writeFile(join(base, "green"), JSON.stringify({ ...good, checks: [{ outcome: "pass" }] }));
        await symlink("../green", path);
      },
    ],
  ])("whose place is taken by %s stops nothing", async (_name, take) => {
    await mkdir(folder);
    await take(join(folder, `v${String(TEMPLATE_VERSION)}-${KEY}.json`));
    expect(await ask(counting().judge)).toEqual(RIGHT);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });
});

describe("a folder", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["a file", () => writeFile(folder, "x")],
    [
      "below a file",
      async () => {
        await writeFile(join(base, "file"), "x");
        folder = join(base, "file", "cache");
      },
    ],
    ["a link to nothing in a folder that is none", () => symlink("/proc/nowhere/x", folder)],
    [
      "of a name that is too long",
      () => {
        folder = join(base, "x".repeat(300));
        return Promise.resolve();
      },
    ],
  ])("that is %s is warned of once, and every verdict is the judge's", async (_name, make) => {
    await make();
    const { judge, asked, offline } = counting();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => ask(judge, { model: `m${String(n)}` })),
    );
    expect(answers).toEqual(answers.map(() => RIGHT));
    expect(asked).toHaveLength(5);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/could not be recorded in cache-dir/);
    expect((await errorOf(ask(offline))).class).toBe("not-recorded");
    folder = base;
  });

  test("with many writers and readers of the same and of other records gives each its own verdict", async () => {
    const models = Array.from({ length: 10 }, (_, number) => `m${String(number)}`);
    const inner: Judge = {
      grade: ({ model }) =>
        Promise.resolve({
          ...RIGHT,
          checks: [{ outcome: "pass", description: model }],
          text: "x".repeat(50_000),
        }),
    };
    const judges = Array.from({ length: 4 }, () =>
      recordedJudge(inner, { folder, warn: (wording) => warnings.push(wording) }),
    );
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, number) => {
        const model = models[number % 10] ?? "";
        return [model, (await ask(judges[number % 4]!, { model })).checks[0]?.description];
      }),
    );
    for (const [model, texts] of answers) expect(texts).toBe(model);
    const names = await readdir(folder);
    expect(names).toHaveLength(10);
    for (const name of names)
      expect(JSON.parse(await readFile(join(folder, name), "utf8"))).toMatchObject({
        key: name.slice(`v${String(TEMPLATE_VERSION)}-`.length, -".json".length),
      });
    expect(warnings).toEqual([]);
  });
});

describe("the key", () => {
  const key = (changes = {}) => recordKey(request(changes));

  test("tells apart model, effort, vote and every word, and all other votes from the first", () => {
    const keys = [
      key(),
      key({ model: "other" }),
      key({ effort: "low" }),
      key({ effort: "high" }),
      key({ vote: 2 }),
      key({ vote: 3 }),
      key({ messages: [...request().messages, { role: "user", content: "" }] }),
      recordKey(request(), "files"),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key({ vote: 1 })).toBe(key());
  });

  test("does not hang on what the judge is not shown", () => {
    expect(key({ deadline: 1, expected: 3 })).toBe(key());
  });

  test("of the first vote finds the record of a single verdict, and of the second does not", async () => {
    const { judge, asked, offline } = counting();
    await ask(judge);
    expect(outcomes(await ask(offline, { vote: 1 }))).toBe("fail");
    expect((await errorOf(ask(offline, { vote: 2 }))).class).toBe("not-recorded");
    expect((await errorOf(ask(offline, { effort: "low" }))).class).toBe("not-recorded");
    expect(asked).toEqual([0]);
    expect(startMeter().requests).toBe(0);
  });

  test("of a verdict that is incomplete or without a call is never written", async () => {
    await ask(counting({ ...RIGHT, incomplete: { class: "timeout", message: "x" } }).judge);
    await ask(counting({ ...RIGHT, checks: [], text: "PASS" }).judge);
    await expect(readdir(folder)).rejects.toThrow("ENOENT");
  });
});
