import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { recordedJudge, recordKey } from "../../src/judge/cache.ts";
import { TEMPLATE_VERSION } from "../../src/judge/evidence.ts";
import { startMeter } from "../../src/judge/judge.ts";
import type { Judge, JudgeAnswer } from "../../src/judge/judge.ts";
import { ask, errorOf, outcomes, request } from "./judging.ts";

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
    expect(key({ timeoutMs: 1, expected: 3 })).toBe(key());
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
