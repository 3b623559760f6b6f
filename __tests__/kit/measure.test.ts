/** The command `judge`, as a person starts it. */
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { finish } from "../support/judge-server.ts";
import { project } from "../support/projects.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";
import { runCommand } from "../support/run-command.ts";
import { closeServers, serve } from "../judge/judging.ts";

closeServers();
afterAll(removeTemporaryFolders);

const SOURCE = join(import.meta.dirname, "../../src/index.ts");
const run = (folder: string, ...args: readonly string[]) =>
  runCommand(folder, ["judge", ...args], { NO_COLOR: "1" }, SOURCE);

describe("a judge is measured on the kit", () => {
  test("with the effort that we ship, by the endpoint and the flags of grading", async () => {
    const server = await serve(({ prompt }) => {
      const isList = prompt.startsWith("Judge each of these statements");
      const on = (statement: number) => ({ name: "set_waza_grade_pass", args: { statement } });
      const calls = isList
        ? Array.from({ length: 20 }, (_, at) => on(at + 1))
        : [{ name: "set_waza_grade_pass" }, finish];
      return { calls, usage: { input: 100, output: 20, reasoning: null } };
    });
    const { code, out } = await run(project(), "--base-url", server.url);
    expect(out).toMatch(/^gpt-6-luna, effort low$/m);
    expect(out).toMatch(/asked for the effort `low`; its endpoint reports no reasoning in any of 198 grades/);
    expect(out).toMatch(/agrees on passed +99 of 99, 100 % \(95 % by kind: 74 to 100\)/);
    expect(out).toMatch(/agrees on failed +0 of 99, 0 % \(95 % by kind: 0 to 26\)/);
    expect(code).toBe(0);
    expect(server.asked.map(({ request }) => request.reasoning_effort)).toEqual(
      Array.from({ length: 198 }, () => "low"),
    );
  });

  test("and an effort that its API refuses is not said to have been used", async () => {
    const message = "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
    const server = await serve(({ request: { reasoning_effort: effort } }) =>
      effort ? { status: 400, error: { message } } : { calls: [finish] },
    );
    const { out } = await run(project(), "--base-url", server.url, "--judge-effort", "high");
    expect(out).toMatch(
      /no reasoning effort instead of `high`, which its API refused: 400 Unsupported parameter/,
    );
  });

  test("and one that gives no verdict is asked no more, and it says why in place of figures", async () => {
    const server = await serve(() => ({ status: 401, error: { message: "Incorrect key." } }));
    const env = { NO_COLOR: "1", OPENAI_API_KEY: "sk-loopback-0123" };
    const flags = ["--base-url", server.url, "--max-concurrency", "1"];
    const { code, out } = await runCommand(project(), ["judge", ...flags], env, SOURCE);
    const text =
      "credentials: The judge's endpoint refused the key: 401 Incorrect key. Change the environment variable OPENAI_API_KEY.";
    expect(out.split(text)).toHaveLength(2);
    expect(out).not.toContain("agrees on");
    expect([code, server.asked.length]).toEqual([1, 1]);
  });

  test("and without a key says what it would cost", async () => {
    const { code, out } = await run(project());
    expect(out).toMatch(/Without a key nothing is asked\. It would take about 198 /);
    expect(code).toBe(0);
  });
});
