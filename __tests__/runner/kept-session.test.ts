/** The session that a client keeps beside what it prints: kept with the run, unless it was written to by another. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { type AGENTS, agentOf } from "../../src/runner/agents.ts";
import { differenceOf } from "../../src/runner/kept-session.ts";
import { evals, run } from "../support/agent-runs.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

/** A program that prints and keeps what Gemini CLI does of one command, and at the end does to its session what it is told. */
const GEMINI = `#!${process.execPath}
const { appendFileSync, mkdirSync, readFileSync, writeFileSync, renameSync } = require("node:fs");
if (process.argv.includes("--version")) process.exit(0);
const id = process.argv[process.argv.indexOf("--session-id") + 1];
const folder = process.env.GEMINI_CLI_HOME + "/.gemini/tmp/project/chats";
const file = folder + "/session-2026-" + id.slice(0, 8) + ".jsonl";
const keep = (row) => appendFileSync(file, JSON.stringify(row) + "\\n");
const print = (row) => console.log(JSON.stringify(row));
const wait = () => new Promise((resolve) => setTimeout(resolve, 1_000));
const command = { command: "npm test" };
const result = { functionResponse: { id: "c1", response: { output: "2 FAILED" } } };
const call = (more) => ({ id: "m2", type: "gemini", content: "I test.", toolCalls: [{ id: "c1", name: "shell", args: command, ...more }] });
const deeds = {
  nothing: () => undefined,
  rewrite: () => writeFileSync(file, readFileSync(file, "utf8").replaceAll("2 FAILED", "0 FAILED")),
  replace: () => {
    writeFileSync(file + ".new", readFileSync(file));
    renameSync(file + ".new", file);
    keep({ id: "m3", type: "gemini", content: "Failed." });
  },
  "add a call": () => keep({ id: "m9", type: "gemini", content: "", toolCalls: [{ id: "c9", name: "shell", args: command }] }),
  "add a result": () => keep(call({ result: [{ functionResponse: { id: "c1", response: { output: "0 FAILED" } } }] })),
  "add words": () => keep({ id: "m9", type: "gemini", content: "All tests pass." }),
  "change a call": () => keep(call({ args: { command: "npm run everything" }, result: [result] })),
};
(async () => {
  const prompt = readFileSync(0, "utf8");
  mkdirSync(folder, { recursive: true });
  keep({ sessionId: id, projectHash: "0" });
  print({ type: "init", session_id: id, model: "gemini-x" });
  keep({ id: "m1", type: "user", content: prompt });
  print({ type: "message", role: "user", content: prompt });
  print({ type: "message", role: "assistant", content: "I test.", delta: true });
  keep(call({}));
  print({ type: "tool_use", tool_name: "shell", tool_id: "c1", parameters: command });
  const image = { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } };
  keep(call({ result: [result, image], status: "success" }));
  keep({ id: "m2b", type: "user", content: [result] });
  print({ type: "tool_result", tool_id: "c1", status: "success", output: "2 FAILED" });
  await wait();
  deeds[prompt]();
  print({ type: "message", role: "assistant", content: "Failed.", delta: true });
  print({ type: "result", status: "success", stats: {} });
})();
`;

/** A program of this name, and what Claude Code leaves in the user's home. */
const CLAUDE = `#!${process.execPath}
const { mkdirSync } = require("node:fs");
if (process.argv.includes("--version")) process.exit(0);
const slug = process.cwd().replaceAll(/[^a-zA-Z0-9]/g, "-");
mkdirSync(process.env.HOME + "/.claude/projects/" + slug + "/memory", { recursive: true });
console.log(JSON.stringify({ type: "assistant", message: { role: "assistant", content: "done" } }));
`;

function installed(name: string, program: string): string {
  const bin = temporaryFolder("bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), program);
  chmodSync(join(bin, name), 0o755);
  return `${bin}${delimiter}${process.env.PATH ?? ""}`;
}

const CHANGED = "its file was changed otherwise than by rows that its client added";

test.each([
  ["nothing", undefined],
  ["rewrite", CHANGED],
  ["replace", CHANGED],
  ["add a call", "it has a call that is another one, or none, in the printed rows"],
  ["change a call", "it has a call that is another one, or none, in the printed rows"],
  ["add a result", "it has two results of one call"],
  ["add words", "it has words of the agent that were not printed"],
])("of an agent that does to it: %s", async (deed, why) => {
  const { records } = await run(evals({ a: deed }), {
    inputs: { command: "", agent: "gemini" },
    env: { PATH: installed("gemini", GEMINI), HOME: temporaryFolder("home") },
  });
  const [record] = records;
  expect(record).toMatchObject(why === undefined ? { session: "session.jsonl" } : { session_unused: why });
  expect(existsSync(join(record?.folder ?? "", "session.jsonl"))).toBe(why === undefined);
  if (why !== undefined) return;
  const kept = readFileSync(join(record?.folder ?? "", "session.jsonl"), "utf8");
  expect(kept).toContain("2 FAILED");
});

const TWO_RESULTS = "it has two results of one call";
const OTHER_CALL = "it has a call that is another one, or none, in the printed rows";
const OTHER_WORDS = "it has words of the agent that were not printed";

/** What its agent does to the rows of a session. */
type Deed = (rows: readonly string[]) => readonly string[];

/** A copy, with other words in it, of the last row that has these. */
const againWith =
  (words: RegExp, others: string): Deed =>
  (rows) => [...rows, rows.findLast((row) => words.test(row))?.replace(words, others) ?? ""];

/** A row that has these words is another one. */
const rewritten =
  (words: RegExp, others: string): Deed =>
  (rows) =>
    rows.map((row) => row.replace(words, others));

/** Of each agent its session, and what is done to it with what is said of it. */
const SESSIONS: readonly (readonly [
  keyof typeof AGENTS,
  string,
  readonly (readonly [string, Deed, string])[],
])[] = [
  [
    "codex",
    "codex-0.171.0",
    [
      ["another output", rewritten(/"aggregated_output":"[^"]/, '"aggregated_output":"ALLGOOD'), OTHER_CALL],
      ["a row more", againWith(/_output"/, '_output"'), CHANGED],
    ],
  ],
  [
    "copilot",
    "copilot-1.0.102",
    [
      ["another call", rewritten(/"command":"/, '"command":"true; '), OTHER_CALL],
      [
        "a second result",
        againWith(/execution_complete(.*"content":")[^"]*"/, 'execution_complete$1ALLGOOD"'),
        TWO_RESULTS,
      ],
    ],
  ],
  [
    "gemini",
    "gemini-0.61.0",
    [
      ["another call", rewritten(/"command":"/, '"command":"true; '), OTHER_CALL],
      ["a second result", againWith(/"output":"[^"]/, '"output":"ALLGOOD'), TWO_RESULTS],
    ],
  ],
];

describe.each(SESSIONS)(
  "the session of %s, as it is beside what the same run printed,",
  (agent, name, deeds) => {
    const folder = join(import.meta.dirname, "../fixtures/outputs/session8");
    const read = (file: string) => readFileSync(join(folder, file));
    const kept = read(`${name}.jsonl`);
    const printed = [read(`${name}.printed.jsonl`), read(`${name}.printed-2.jsonl`)];
    const after = (deed: Deed) => {
      const rows = deed(kept.toString().trimEnd().split("\n"));
      return differenceOf(Buffer.from(rows.join("\n")), printed, agentOf(agent)?.session ?? {});
    };

    test("is the run's", () => {
      expect(after((rows) => rows)).toBeUndefined();
    });

    test.each([
      [
        "words that were not printed",
        rewritten(/FINAL-2: three rows/, "FINAL-2: no rows"),
        OTHER_WORDS,
      ] as const,
      ...deeds,
    ])("is not believed with %s", (_what, deed, why) => {
      expect(after(deed)).toBe(why);
    });
  },
);

const CUT = "\n\n... command output truncated for persistence ...\n";

test.each([
  ["its beginning and its end", (kept: string) => kept, undefined],
  ["another beginning", (kept: string) => `0${kept.slice(1)}`, OTHER_CALL],
  ["another end", (kept: string) => `${kept}0`, OTHER_CALL],
  ["neither", () => CUT, OTHER_CALL],
])("of an output of 200 kB Codex keeps %s", (_what, change, why) => {
  const folder = join(import.meta.dirname, "../fixtures/outputs/session8");
  const output = Array.from({ length: 30_000 }, (_, line) => `${String(line + 1)}\n`).join("");
  const cut = `${output.slice(0, 32_000)}${CUT}${output.slice(-32_000)}`;
  const [was = ""] =
    /"aggregated_output":"[^"]{3,}"/.exec(readFileSync(join(folder, "codex-0.171.0.jsonl"), "utf8")) ?? [];
  const withOutput = (file: string, text: string) =>
    Buffer.from(
      readFileSync(join(folder, file), "utf8").replaceAll(
        was,
        () => `"aggregated_output":${JSON.stringify(text)}`,
      ),
    );
  const kept = withOutput("codex-0.171.0.jsonl", change(cut));
  const printed = ["printed", "printed-2"].map((one) => withOutput(`codex-0.171.0.${one}.jsonl`, output));
  expect(differenceOf(kept, printed, agentOf("codex")?.session ?? {})).toBe(why);
});

test("Claude Code's folder of a run is gone from the user's home, and no other, also behind a link", async () => {
  const [home, elsewhere] = [temporaryFolder("home"), temporaryFolder("elsewhere")];
  mkdirSync(join(home, ".claude"), { recursive: true });
  mkdirSync(join(elsewhere, "-work-mine"), { recursive: true });
  symlinkSync(elsewhere, join(home, ".claude/projects"));
  const { status, text } = await run(evals({ a: "write" }), {
    inputs: { command: "", agent: "claude-code" },
    env: { PATH: installed("claude", CLAUDE), HOME: home },
  });
  expect(text).toContain("1 of 1 run made");
  expect(status).toBe(0);
  expect(readdirSync(elsewhere)).toEqual(["-work-mine"]);
});
