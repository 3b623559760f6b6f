/** `npm run rubrics`, which holds rubrics against a judge, run against the loopback judge. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { BUILT_IN_RUBRICS, readBuiltIn } from "../../src/evals/rubrics.ts";
import { fail, pass, startJudge } from "../support/judge-server.ts";
import type { Asked, JudgeServer, Reply } from "../support/judge-server.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const KEY = "sk-loopback-0123456789abcdef";
const GOLDENS = BUILT_IN_RUBRICS.flatMap((name) => readBuiltIn(name).goldens);

const open: JudgeServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});
afterAll(removeTemporaryFolders);

interface Checked {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
  readonly judge: JudgeServer;
}

async function check(script: (asked: Asked) => Reply, ...more: readonly string[]): Promise<Checked> {
  const judge = await startJudge(script);
  open.push(judge);
  const args = [join(ROOT, "scripts/rubrics.ts"), "--base-url", judge.url, "--model", "loopback", ...more];
  const env = { PATH: process.env.PATH ?? "", OPENAI_API_KEY: KEY };
  const child = spawn(process.execPath, args, { cwd: ROOT, env });
  let out = "";
  let error = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (error += chunk.toString("utf8")));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  expect(judge.refused).toEqual([]);
  return { code, out, error, judge };
}

/** Judges every golden as it says itself, but for those named. */
function oracle(...wrong: readonly string[]): (asked: Asked) => Reply {
  return ({ evidence, turn }) => {
    if (turn > 1) return {};
    const section = (text: string) => evidence.includes(text.trim());
    const golden = GOLDENS.find(({ input, output }) => section(output) && section(input ?? ""));
    if (!golden) throw new Error(`no golden: ${evidence}`);
    const passes = (golden.expected === "pass") !== wrong.includes(golden.name);
    return { calls: [passes ? pass("It holds", "as seen") : fail("It holds", "not seen")] };
  };
}

describe("npm run rubrics", () => {
  test("asks of every golden what the action would ask, and is content when all agree", async () => {
    const { code, out, error, judge } = await check(oracle());
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toContain(
      `loopback: ${String(GOLDENS.length)} of ${String(GOLDENS.length)} goldens as expected.`,
    );
    expect(out).not.toContain("differs");
    const first = judge.asked.filter(({ turn }) => turn === 1);
    expect(first).toHaveLength(GOLDENS.length);
    for (const { request, headers, prompt } of first) {
      expect(request.model).toBe("loopback");
      expect(request.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
      expect(headers.authorization).toBe(`Bearer ${KEY}`);
      expect(BUILT_IN_RUBRICS.map((name) => readBuiltIn(name).instructions)).toContain(prompt);
    }
    const looked = first.find(({ evidence }) => evidence.includes("It listens on port 8081"));
    expect(looked?.evidence).toContain(
      'tool call read_file\narguments: {"path":"config.json"}\nresult:\n{"port": 8081}',
    );
  });

  test("shows what differs, with the judge's reason, and exits with 1", async () => {
    const name = "a cause that nobody reported";
    const { code, out } = await check(oracle(name), "groundedness");
    expect(code).toBe(1);
    expect(out).toMatch(/groundedness 1\.0\.0\s+a cause that nobody reported\s+fail\s+pass\s+<-- differs/);
    expect(out).toContain(`${name}: pass: as seen`);
    expect(out).toContain("loopback: 5 of 6 goldens as expected.");
  });

  test("a judge that cannot be had is a difference, not a verdict", async () => {
    const { code, out } = await check(
      () => ({ status: 401, error: { message: "Incorrect API key provided" } }),
      "helpfulness",
    );
    expect(code).toBe(1);
    expect(out).toContain("errored");
    expect(out).toContain("credentials: ");
    expect(out).not.toContain(KEY);
  });

  test("takes a rubric file too, and says when there is nothing to check it by", async () => {
    const front = "---\nname: kind\nversion: 1.0.0\nscale: pass-fail\ndescription: Kind.\n";
    const golden = "goldens:\n  - {name: a, output: Thank you!, expected: pass}\n";
    const project = writeProject({
      "kind.md": `${front}${golden}---\nIs it kind?\n`,
      "bare.md": `${front}---\nIs it kind?\n`,
      "none.md": "Is it kind?\n",
    });
    const kind = await check(({ turn }) => (turn > 1 ? {} : { calls: [pass()] }), join(project, "kind.md"));
    expect(kind.code).toBe(0);
    expect(kind.judge.asked[0]?.prompt).toBe("Is it kind?");
    for (const [file, wording] of [
      ["bare.md", "has no goldens"],
      ["none.md", "is no rubric: it does not begin with front matter"],
      ["missing.md", "is neither a file nor a built-in rubric"],
    ] as const) {
      const { code, error, judge } = await check(() => ({}), join(project, file));
      expect(code).toBe(2);
      expect(error).toContain(wording);
      expect(judge.asked).toHaveLength(0);
    }
  });
});
