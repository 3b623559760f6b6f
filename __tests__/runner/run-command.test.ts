/** `waza-grade run` with a stand-in agent: what is started, kept, tried again and written down. */
import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { readList } from "../../src/outputs/list-of-runs.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { readRunOptions, withKey } from "../../src/runner/run-options.ts";
import { problemLine } from "../../src/text/format.ts";
import { COMMAND, GRADERS, type Files, evals, run, seen, skillEvals } from "../support/agent-runs.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

/** Pauses that are not waited for, and what was to be waited. */
function unpaused() {
  const pauses: number[] = [];
  return {
    pauses,
    more: { pause: (milliseconds: number) => Promise.resolve(void pauses.push(milliseconds)) },
  };
}

/** A run of a command, or of another agent of the table. */
const asked = (agent: string) => ({ command: "", agent });

/** Nine tasks with this prompt. */
const nine = (prompt: string) =>
  evals(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`t${String(at)}`, prompt])));

describe("what a run was is written down", () => {
  test("with its log, the folder that was left, and what was planned", async () => {
    const { status, records, text } = await run(evals({ a: "write", b: "log" }), {
      inputs: { trials: "2" },
      env: { GITHUB_RUN_ATTEMPT: "3" },
    });
    expect(status).toBe(0);
    expect(records).toHaveLength(4);
    const ofA = records.filter(({ task }) => task === "a");
    const written = { eval: "evals/eval.yaml", trials: 2, sides: 1, attempt: 3, exit: 0, agent: "command" };
    expect(ofA).toMatchObject([
      { ...written, trial: 1, workspace: "work" },
      { ...written, trial: 2 },
    ]);
    const [a] = ofA;
    expect(readFileSync(join(a?.folder ?? "", "work/left.txt"), "utf8")).toBe("left");
    expect(records.find(({ task }) => task === "b")?.answer).toBe("From the log.");
    expect(text).toMatch(/^✓ suite\/a 1\/2 · \d+ s$/m);
    expect(text).toMatch(/^The agent took \S+ s a run\.\n4 of 4 runs made/m);
  });

  test("by the runner alone: a run.json of the agent's is no run", async () => {
    const { records } = await run(evals({ a: "plant" }));
    expect(records).toMatchObject([{ task: "a" }]);
  });

  test("in a folder that git ignores", async () => {
    const { out, workspace } = await run(evals({ a: "write" }));
    expect(out).toBe(join(workspace, ".waza-grade/runs"));
    expect(readFileSync(join(out, ".gitignore"), "utf8")).toBe("*\n");
  });
});

describe("trigger evals", () => {
  const files = {
    "skills/pdf/SKILL.md": "---\nname: pdf\n---\n",
    "skills/pdf/evals/evals.json": [{ id: 1, prompt: "write", assertions: ["a"] }],
    "skills/pdf/evals/trigger_eval.json": [
      { query: "skill pdf", should_trigger: true },
      { query: "write a poem", should_trigger: false },
      { query: "unknown-skill pdf", should_trigger: true },
    ],
    "skills/pdf/evals/other.json": [{ name: "no trigger" }],
  };

  test("are run alone, three times each, and end where a skill is loaded; the log says whether it was", async () => {
    const { status, records, out, workspace, text } = await run(files, {
      inputs: { triggers: "true", lift: "true" },
      more: { gentleMs: 500 },
    });
    expect(status).toBe(0);
    expect(text).toContain("9 runs");
    expect(records).toHaveLength(9);
    expect(records.find((one) => "trigger" in one && one.trigger === "skill pdf")).toMatchObject({
      eval: "skills/pdf/evals/trigger_eval.json",
      trigger: "skill pdf",
      skill: "pdf",
      should_trigger: true,
      trials: 3,
    });
    expect(records.every((one) => !("timed_out" in one) && one.side === undefined)).toBe(true);
    const { triggers, files: results } = await readOutputs({ patterns: [out], workspace, suites: [] });
    expect(results).toEqual([]);
    const said = Map.groupBy(triggers, ({ task }) => task);
    expect(new Map([...said].map(([task, own]) => [task, own.map(({ query }) => query?.loaded)]))).toEqual(
      new Map([
        ["skill pdf", [true, true, true]],
        ["unknown-skill pdf", [undefined, undefined, undefined]],
        ["write a poem", [false, false, false]],
      ]),
    );
  });

  const alone = { "evals/t.json": [{ query: "q", should_trigger: true }] };
  test.each<[string, Files, Readonly<Record<string, string>>, number, string]>([
    [
      "without any",
      { "README.md": "" },
      { triggers: "true" },
      2,
      "error: No trigger evals of a skill that is here",
    ],
    [
      "without a skill",
      alone,
      { triggers: "true" },
      2,
      "1 trigger query not run: no skill is at or above the file.",
    ],
    ["in a run of evals", alone, {}, 0, "There are trigger evals alone (1 query)"],
    [
      "by an agent whose log says nothing of skills",
      files,
      { ...asked("waza"), triggers: "true" },
      2,
      "The log of waza does not say which skills were loaded",
    ],
  ])("%s are not run, and it is said", async (_case, given, inputs, expected, words) => {
    const { status, text } = await run(given, { inputs });
    expect(status).toBe(expected);
    expect(text).toContain(words);
  });
});

describe("an agent that does not end, or does not begin", () => {
  test.each(["hang", "hang-hard"])(
    "%s is ended, and its log is kept",
    async (prompt) => {
      const { status, records, text } = await run(evals({ a: prompt }), {
        inputs: { timeout: "2s" },
        more: { gentleMs: 500 },
      });
      expect(status).toBe(0);
      expect(records).toMatchObject([{ timed_out: true }]);
      expect(records[0]?.answer).toContain("Half.");
      expect(text).toContain("timed out");
    },
    60_000,
  );

  // Only on Linux does a process show the environment that it began with.
  const away = (start: string) =>
    `mkdir d; ${start} setsid sh -c 'echo $$ >"$PIDS"; exec sleep 60' >/dev/null 2>&1 & while [ ! -s "$PIDS" ]; do sleep 0.1; done; echo Done.`;
  test.each([
    ["in its group", COMMAND],
    ...(process.platform === "linux"
      ? [
          ["in a group of its own, in another folder", away("cd d;")],
          ["in a group of its own, outside of the run", away("cd /;")],
          ["in a group of its own, without PWD", away("unset PWD; env -u PWD")],
        ]
      : []),
  ])("leaves no child behind %s", async (_where, command) => {
    const file = join(temporaryFolder("pids"), "pid");
    await run(evals({ a: `fork ${file}` }), { inputs: { command }, env: { PIDS: file } });
    const pid = Number(readFileSync(file, "utf8"));
    for (let wait = 0; wait < 100 && isAlive(pid); wait += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAlive(pid)).toBe(false);
  });

  test("is heard to the end of what is still printed", async () => {
    const lines = 'touch began; for i in $(seq 40); do echo "line $i"; sleep 0.05; done; echo THE-END';
    const command = `env -i PATH="$PATH" setsid sh -c '${lines}' & while [ ! -e began ]; do sleep 0.1; done; echo Done.`;
    const { records } = await run(evals({ a: "x" }), { inputs: { command } });
    expect(readFileSync(join(records[0]?.folder ?? "", "log.jsonl"), "utf8")).toContain("THE-END");
  });

  test("by itself is one run, however it ended: it is not tried again", async () => {
    const { pauses, more } = unpaused();
    const { status, records } = await run(evals({ a: "die" }), { more });
    expect({ status, pauses }).toEqual({ status: 1, pauses: [] });
    expect(records).toMatchObject([{ exit: 1 }]);
    expect(records[0]).not.toHaveProperty("tries");
  });

  test("is tried again twice while the provider is busy", async () => {
    const file = join(temporaryFolder("tries"), "tries");
    const { pauses, more } = unpaused();
    const { status, records, text } = await run(evals({ a: `limited ${file}` }), { more });
    expect(status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe("...");
    expect(records).toMatchObject([{ exit: 0, tries: 3 }]);
    expect(text).toContain("suite/a is tried again in 15 s: 429 Too Many Requests");
    expect(pauses).toHaveLength(2);
    expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0);
  });

  test("that came to no answer is shown with its folder and its last lines", async () => {
    const { status, text, records } = await run(evals({ a: "write", b: "die" }), {
      inputs: { concurrency: "1" },
    });
    expect(status).toBe(1);
    expect(records).toHaveLength(2);
    expect(text).toMatch(
      /^✗ suite\/b ended without an answer \(its program ended with 1\): .*\n {4}the account is empty$/m,
    );
    expect(text).toContain("1 of 2 runs made, 1 ended without an answer");
  });

  const STOPPED = "trap 'exit 0' TERM; echo Half; sleep 30 & wait";
  const ROWS = `printf '{"type":"x"}\\n{"type":"y"}\\n'`;
  const ENDED = "✗ suite/a ended without an answer";
  test.each<[string, Readonly<Record<string, string>>, string, Readonly<Record<string, string>>?]>([
    ["ended only when it was asked to", { command: STOPPED, timeout: "2s" }, `${ENDED} (it was ended at`],
    [
      "ended by a signal",
      { command: "echo Half; kill -9 $$" },
      `${ENDED} (its program was killed (SIGKILL))`,
    ],
    ["printed rows of no known format", { command: ROWS }, "is in no format that is read: docs/outputs.md"],
    ["is not installed", asked("codex"), "`codex` is not installed, or not on PATH", { PATH: "/nowhere" }],
  ])("that %s came to no answer, whatever it printed", async (_case, inputs, words, env = {}) => {
    const { status, text } = await run(evals({ a: "write" }), { inputs, env });
    expect(status).toBe(1);
    expect(text).toContain(words);
    // The key of an agent that printed rows may be fine.
    if (inputs.command === ROWS) expect(text).not.toContain("look at its key");
  });

  test("stops the rest when no run gets to work", async () => {
    const { status, text, records } = await run(nine("die"), { inputs: { concurrency: "2" } });
    expect(status).toBe(1);
    expect(records).toHaveLength(2);
    expect(text).toContain("The agent came to no answer, so the rest was not started");
  });

  test("stops the rest when three in a row never get to work by the same words, whatever came before", async () => {
    const tasks = { a: "write", b: "die", c: "die", d: "die", e: "die" };
    const { status, text, records } = await run(evals(tasks), { inputs: { concurrency: "1" } });
    expect(status).toBe(1);
    expect(records).toHaveLength(4);
    expect(text).toContain("The agent came to no answer, so the rest was not started");
  });

  test("whose key is refused, by its log, stops the rest at once and is not tried again", async () => {
    const { pauses, more } = unpaused();
    const { status, text, records } = await run(nine("refused"), { inputs: { concurrency: "1" }, more });
    expect([status, records.length, pauses]).toEqual([1, 1, []]);
    expect(text).toContain(
      "The agent's key was refused, or its account is empty, so the rest was not started.",
    );
  });

  test("whose last rows are JSON is not told by them, also where its time is over", async () => {
    const command = `echo 'It waits.' >&2; printf '{"type":"a"}\\n{"type":"b"}\\n'; sleep 30`;
    const { text } = await run(evals({ a: "x" }), {
      inputs: { command, timeout: "1s" },
      more: { gentleMs: 10 },
    });
    expect(text).toContain("It waits.");
    expect(text).not.toContain('{"type"');
  });

  test("is not started on a full disk, and the list says why", async () => {
    const { status, text, records, out } = await run(nine("write"), { more: { leastBytes: Infinity } });
    expect([status, records]).toEqual([1, []]);
    const why = "The disk of `out`, or of the temporary folder, is full, so the rest was not started.";
    expect(text).toContain(`0 of 9 runs made, 9 not started: ${out}\n${why}`);
    expect(readList(join(out, "runs.json"))?.ended).toBe(why);
  });

  test("whose account is used up until an hour that the client names is not tried again, nor is another", async () => {
    const { pauses, more } = unpaused();
    const { text, records } = await run(nine("used-up"), { inputs: { concurrency: "1" }, more });
    expect([records.length, pauses]).toEqual([1, []]);
    expect(text).toContain("used up until the hour that its client names, so the rest was not started.");
    expect(text).toContain("You've hit your session limit");
  });

  test("that the shell does not find is asked once, and the rest is not started", async () => {
    const { pauses, more } = unpaused();
    const inputs = { command: "no-such-agent", concurrency: "1" };
    const { status, text } = await run(evals({ a: "write", b: "write" }), { inputs, more });
    expect({ status, pauses }).toEqual({ status: 1, pauses: [] });
    expect(text).toContain("1 not started");
    expect(text).toContain("The agent's program was not found, so the rest was not started. It is");
    const all = await run(evals({ a: "write" }), { inputs: { command: "./no-such-agent" } });
    expect(all.text).toMatch(/The agent's program was not found\. It is .*: name it by its whole path\.$/m);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** waza stands in for itself: it writes results whose answer is how it was called. */
const WAZA = `#!/bin/sh
for one in "$@"; do [ "$last" = -o ] && out=$one; last=$one; done
printf '{"eval_name": "suite", "tasks": [{"test_id": "a", "runs": [{"final_output": "%s"}]}]}' "$(basename "$2") $3 $6 $7" >"$out"
`;

test.each([
  [{}, "eval.yaml --skip-graders  "],
  [{ model: "small" }, "eval.yaml --skip-graders --model small"],
])("waza runs a whole eval at once, and its results are the log: %j", async (inputs, called) => {
  const bin = temporaryFolder("bin");
  writeFileSync(join(bin, "waza"), WAZA, { mode: 0o755 });
  const { status, records, lines } = await run(evals({ a: "x", b: "x" }), {
    inputs: { ...asked("waza"), ...inputs },
    env: { PATH: `${bin}:${process.env.PATH ?? ""}` },
  });
  expect(status).toBe(0);
  expect(records).toHaveLength(1);
  expect(records[0]).not.toHaveProperty("task");
  expect(records[0]?.answer).toContain(`"final_output": "${called}"`);
  expect(lines[0]).toContain("1 run of waza");
  expect(lines[0]).toContain("then 2 grades");
});

describe("started again on the same folder", () => {
  test("finished runs are kept, and the rest is made", async () => {
    const first = await run(evals({ a: "write", b: "write" }));
    const [gone] = first.records.filter(({ task }) => task === "b");
    rmSync(gone?.folder ?? "", { recursive: true });
    const again = await run({}, { root: first.workspace });
    expect(again.text).toMatch(/✓ suite\/a · made before/);
    expect(again.text).toMatch(/✓ suite\/b · \d+ s/);
    expect(again.records).toHaveLength(2);
  });

  test("after its eval was given another name, the new run takes the place of the old one", async () => {
    const files = evals({ a: "write" });
    const first = await run(files);
    const named = String(files["evals/eval.yaml"]).replace("name: suite", "name: other");
    const again = await run({ "evals/eval.yaml": named }, { root: first.workspace });
    expect([again.status, again.records.length]).toEqual([0, 1]);
    const { suites } = await loadSuites(undefined, first.workspace);
    const read = await readOutputs({ workspace: first.workspace, suites, patterns: [again.out] });
    expect(read.files.flatMap(({ results }) => results.runs)).toHaveLength(1);
  });

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, number]>([
    ["prompt", evals({ a: "list" }) as Record<string, string>, {}, 1],
    ["skill", { "skills/x/SKILL.md": "New." }, {}, 1],
    ["command", {}, { command: `${COMMAND} # again` }, 0],
    ["assertion", { "skills/x/evals/evals.json": skillEvals("It does") }, {}, 2],
  ])("of two runs with another %s than before, those are kept that had no part in it", async (...given) => {
    const [, changes, inputs, kept] = given;
    const skill = { "skills/x/SKILL.md": "Old.", "skills/x/evals/evals.json": skillEvals("It writes") };
    const first = await run({ ...skill, ...evals({ a: "write" }) });
    for (const [path, text] of Object.entries(changes)) writeFileSync(join(first.workspace, path), text);
    const again = await run({}, { root: first.workspace, inputs });
    expect(again.lines.filter((line) => line.includes("made before"))).toHaveLength(kept);
    expect(again.records).toHaveLength(2);
  });

  test("a run that never got to work is made again", async () => {
    const first = await run(evals({ a: "write", b: "die" }), { inputs: { concurrency: "1" } });
    writeFileSync(join(first.workspace, "evals/tasks/b.yaml"), "id: b\ninputs: {prompt: write}\n");
    const again = await run({}, { root: first.workspace });
    expect(again.status).toBe(0);
  });

  test("an agent cannot make another run look finished", async () => {
    const script = join(temporaryFolder("script"), "agent.sh");
    const inputs = { concurrency: "1", command: `. '${script}'` };
    writeFileSync(script, "echo Done.");
    const first = await run(evals({ a: "write", b: "write" }), { inputs });
    const [a, b] = ["a", "b"].map((id) => first.records.find(({ task }) => task === id)?.folder ?? "");
    const kept = join(temporaryFolder("kept"), "b");
    cpSync(b ?? "", kept, { recursive: true });
    for (const folder of [a, b]) rmSync(folder ?? "", { recursive: true });
    // The first agent writes the second run, with an answer of its own choice.
    writeFileSync(join(kept, "log.jsonl"), "Forged.");
    const record = JSON.parse(readFileSync(join(kept, "run.json"), "utf8")) as object;
    const digest = createHash("sha256").update("Forged.").digest("hex");
    writeFileSync(join(kept, "run.json"), JSON.stringify({ ...record, log_sha256: digest }));
    writeFileSync(
      script,
      `mkdir -p '${b ?? ""}' && cp -R '${kept}/.' '${b ?? ""}'; [ "$TASK" = a ] || echo made anew; echo Done.`,
    );
    const again = await run({}, { root: first.workspace, inputs });
    expect(again.records.find(({ task }) => task === "b")?.answer).toContain("made anew");
  });

  test("a run by another model, or with another log, is made anew", async () => {
    const first = await run(evals({ a: "write" }));
    const other = await run({}, { root: first.workspace, inputs: { model: "other" } });
    expect(other.text).not.toContain("made before");
    writeFileSync(join(first.records[0]?.folder ?? "", "log.jsonl"), "Changed.");
    const again = await run({}, { root: first.workspace });
    expect(again.text).not.toContain("made before");
  });

  test("after an interruption, what was made is kept and nothing half-made is", async () => {
    const controller = new AbortController();
    const line = (text: string) => {
      if (text.startsWith("✓")) controller.abort();
    };
    const more = { cancelled: controller.signal, line };
    const inputs = { concurrency: "2" };
    const { status, records } = await run(evals({ a: "write", b: "hang" }), { inputs, more });
    expect(status).toBe(1);
    expect(records).toMatchObject([{ task: "a" }]);
  });
});

test.each([
  ["changes nothing", "echo Done.", 0],
  ["changes its skill", 'echo New. >>"$ROOT/SKILL.md"; echo Done.', 1],
])("where an agent %s, the warning of changed skills is there as often", async (_what, command, often) => {
  const root = writeProject({ "SKILL.md": "---\nname: x\n---\n", ...evals({ a: "x", b: "x" }) });
  const { lines } = await run({}, { root, env: { ROOT: root }, inputs: { command } });
  expect(lines.filter((line) => line.includes("Changed in the checkout"))).toHaveLength(often);
});

describe("which runs", () => {
  const tasks = evals({ a: "x", b: "x", c: "x", d: "x", e: "x" });
  const listed = async (inputs: Readonly<Record<string, string>>, files: Files = tasks) => {
    const { lines, status } = await run(files, { inputs: { "dry-run": "true", ...inputs } });
    expect(status).toBe(0);
    return lines.filter((line) => line.startsWith("  ")).map((line) => line.trim());
  };

  test("shards are whole tasks, split evenly, and together all", async () => {
    const shards = await Promise.all(["1/3", "2/3", "3/3"].map((shard) => listed({ shard, trials: "2" })));
    expect(shards.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect(new Set(shards.flat()).size).toBe(10);
    expect(shards[1]).toEqual(["suite/b 1/2", "suite/e 1/2", "suite/b 2/2", "suite/e 2/2"]);
  });

  test("a skill with evals that are not read is named beside them", async () => {
    const files = { ...tasks, "skills/x/SKILL.md": "", "skills/x/eval/evals.json": "[]" };
    const { lines } = await run(files, { inputs: { "dry-run": "true" } });
    expect(lines[0]).toContain("seem to hold evals and are not read: `skills/x/eval/evals.json`.");
  });

  test("are narrowed by `tasks`, doubled without the skill, and as many as the eval's `trials_per_task`", async () => {
    const pair = (task: string) => [`suite/${task}`, `suite/${task} without the skill`];
    expect(await listed({ tasks: "a\nb", lift: "true" })).toEqual([...pair("a"), ...pair("b")]);
    expect(await listed({}, evals({ a: "x" }, "config: {trials_per_task: 3}\n"))).toHaveLength(3);
  });

  test.each<[string, Files, Readonly<Record<string, string>>, number, RegExp]>([
    [
      "no run where `tasks` has a name that no task has",
      evals({ umlaut: "write" }),
      { tasks: "umlat" },
      0,
      /matches no task\. Did you mean `umlaut`\?/,
    ],
    [
      "none of a task without a prompt, which is said at its line",
      evals({ a: "write", b: "" }),
      {},
      1,
      /error: evals\/tasks\/b\.yaml:\d+: the task `b` has no prompt/,
    ],
    [
      "none of a task whose file is not there, which is said at its line with the folders searched",
      {
        "skills/x/SKILL.md": "---\nname: x\n---\n",
        "skills/x/evals/evals.json": [
          { id: 1, prompt: "write", files: ["gone.csv"], assertions: ["a"] },
          { id: 2, prompt: "write", assertions: ["a"] },
        ],
      },
      {},
      1,
      /error: skills\/x\/evals\/evals\.json:\d+: .*`gone\.csv` does not exist\..* Searched in `skills\/x`, `skills\/x\/evals`, `skills\/x\/evals\/files`, `skills\/x\/evals\/fixtures`, `\.`/,
    ],
    [
      "none of a task whose file has a long name and is not there",
      {
        ...evals({ a: "write" }),
        "evals/tasks/b.yaml": `id: b\ninputs: {prompt: write, files: [{path: ${"long/".repeat(60)}gone.csv}]}\n`,
      },
      {},
      1,
      /error: evals\/tasks\/b\.yaml:2: the file `long.* does not exist\. So its task is not run\./,
    ],
    [
      "none of a task of waza whose folder is not there",
      {
        ...evals({ a: "write", b: "write" }),
        "evals/tasks/b.yaml": "id: b\ninputs: {prompt: write}\ncontext_dir: gone\n",
      },
      {},
      1,
      /error: evals\/tasks\/b\.yaml:3: `context_dir` `gone` does not exist/,
    ],
    [
      "none above `max-runs`",
      tasks,
      { "max-runs": "4" },
      0,
      /error: 5 runs would be made, more than .* allows \(4\)/,
    ],
    [
      "none where `eval` names a file that is not there",
      evals({ a: "write" }),
      { eval: "evals/eval.yaml\nother/evil.yaml" },
      0,
      /other\/evil\.yaml[^]*Nothing was started\./,
    ],
  ])("a mistake costs %s", async (_case, files, inputs, made, words) => {
    const { status, text, records } = await run(files, { inputs });
    expect([status, records.length]).toEqual([2, made]);
    expect(text).toMatch(words);
  });

  test("that are kept from before are not counted by `max-runs`, nor are their grades priced", async () => {
    const first = await run(evals({ a: "write", b: "write" }), { inputs: { tasks: "a" } });
    const again = await run({}, { root: first.workspace, inputs: { "max-runs": "1" } });
    expect([again.status, again.records.length]).toEqual([0, 2]);
    expect(again.lines[0]).toMatch(/^2 tasks: 2 runs of command, 1 of them kept .*, then 1 new grade, about/);
  });

  test.each([
    [{}, 1],
    [{ "dry-run": "true" }, 0],
  ])(
    "of an eval with a mistake are left out, the others are made, and it is red: %j",
    async (inputs, made) => {
      const files = { ...evals({ a: "write" }), "other/eval.yaml": "graders: [" };
      const { status, lines, records } = await run(files, { inputs });
      const wrong = /^error: other\/eval\.yaml:1: the file is not valid YAML/;
      expect([status, records.length]).toEqual([2, made]);
      expect(lines[0]).toMatch(wrong);
      if (made > 0) expect(lines.at(-1)).toMatch(wrong);
    },
  );

  test("an eval without its skill is said, and each run that should have had it says so", async () => {
    const { records } = await run(evals({ a: "write" }), { inputs: { lift: "true" } });
    const found = records.map((one) => [one.side, "skill_found" in one ? one.skill_found : undefined]);
    expect(found).toEqual([
      [undefined, false],
      ["without-skill", undefined],
    ]);
  });

  test("a skill without a name in its SKILL.md is said, with what to write", async () => {
    const files = { "skills/x/SKILL.md": "Write.", "skills/x/evals/evals.json": skillEvals("It writes") };
    const { lines } = await run(files, { inputs: { "dry-run": "true" } });
    expect(lines[0]).toMatch(
      /^warning: no `name` .*: `skills\/x\/SKILL\.md`\. Begin the file with front matter/,
    );
  });

  test("a SKILL.md that is no YAML by a colon has its name and description, as clients read it", async () => {
    const skill = "---\nname: x\ndescription: Writes. Use when: asked\n---\n";
    const files = { "skills/x/SKILL.md": skill, "skills/x/evals/evals.json": skillEvals("It writes") };
    const { text } = await run(files, { inputs: { "dry-run": "true" } });
    expect(text).not.toContain("warning");
  });

  test("a prompt that names a file of its eval's folder, which the agent does not get, is named", async () => {
    const prompt = (name: string) => ({
      id: name,
      prompt: `Sum up ${name}, and write sum.md.`,
      assertions: ["a"],
    });
    const given = { ...prompt("given.csv"), files: ["files/given.csv"] };
    const { lines } = await run(
      {
        "skills/x/SKILL.md": "---\nname: x\n---\n",
        "skills/x/evals/evals.json": JSON.stringify({
          evals: [prompt("lost.csv"), given, prompt("none.csv")],
        }),
        "skills/x/evals/files/lost.csv": "1",
        "skills/x/evals/files/given.csv": "1",
      },
      { inputs: { "dry-run": "true" } },
    );
    expect(lines[0]).toContain("that their agents do not get: `lost.csv: files/lost.csv`.");
    expect(lines[1]).toMatch(/^3 tasks/);
  });

  test("a query that names one is not: it gets no files", async () => {
    const { text } = await run(
      {
        "skills/x/SKILL.md": "---\nname: x\n---\n",
        "skills/x/evals/triggers.json": JSON.stringify([{ query: "Clean lost.csv", should_trigger: true }]),
        "skills/x/evals/files/lost.csv": "1",
      },
      { inputs: { "dry-run": "true", triggers: "true" } },
    );
    expect(text).not.toContain("do not get");
  });

  test("an input without effect on these runs is named", async () => {
    const inputs = {
      "responder-base-url": "http://127.0.0.1:9/v1",
      "agent-version": "1.0.0",
      "dry-run": "true",
    };
    const { text } = await run(evals({ a: "write" }), { inputs });
    expect(text).toContain("notice: No effect on these runs: `agent-version`, `responder-base-url`.");
  });

  test("evals of one file are run with the skill that each names; one of no skill is said before", async () => {
    const skillMd = (name: string) => `---\nname: ${name}\ndescription: d\n---\n`;
    const of = (id: number, skill?: string) => ({ id, skill, prompt: "p", assertions: ["a"] });
    const files = {
      "skills/label/SKILL.md": skillMd("label"),
      "skills/weigh/SKILL.md": skillMd("weigh"),
      "evals/evals.json": [of(1, "label"), of(2, "weigh"), of(3)],
    };
    const { lines, records } = await run(files, { inputs: { command: "echo found; find . -name SKILL.md" } });
    expect(lines[0]).toMatch(/^notice: evals\/evals\.json:1: this eval names no skill.* of the 2 skills of/);
    const had = (name: string) => `found\n./.agents/skills/${name}/SKILL.md\n`;
    const byTask = new Map(records.map(({ task, answer }) => [task, answer]));
    expect([1, 2, 3].map((task) => byTask.get(String(task)))).toEqual([
      had("label"),
      had("weigh"),
      "found\n",
    ]);
  });

  test("the price line names runs and grades before anything is started", async () => {
    const { lines } = await run(tasks, { inputs: { "dry-run": "true", lift: "true" } });
    expect(lines[0]).toBe(
      "warning: evals/eval.yaml:1: the skill of this eval was not found: the agent gets none. It is a folder with a SKILL.md, at or above the eval, or of that name.",
    );
    expect(lines[1]).toMatch(
      /^5 tasks x 2 sides: 10 runs of command \(the cost is not known before the first run\), then 10 grades, about \$0\.\d+ \(at most \$0\.\d+\) if the judge is `gpt-6-luna`\.$/,
    );
  });
});

describe("the folder and the environment of a run", () => {
  const skills = {
    "skills/csv/SKILL.md": "---\nname: csv\n---\n",
    "skills/csv/evals/evals.json": {
      skill_name: "csv",
      evals: [{ id: 1, prompt: "list", files: ["in/a.csv"], assertions: ["It lists"] }],
    },
    "skills/csv/in/a.csv": "1",
    "skills/pdf/SKILL.md": "---\nname: pdf\n---\n",
  };

  test("have the files of the task and the one skill of the eval, without its evals", async () => {
    const { records } = await run(skills, { inputs: { lift: "true" } });
    const [withSkill, without] = [undefined, "without-skill"].map((side) =>
      seen(records.find((one) => one.side === side)?.answer ?? ""),
    );
    expect(withSkill?.files).toEqual([".agents/skills/csv/SKILL.md", "in/a.csv"]);
    expect(without?.files).toEqual(["in/a.csv"]);
  });

  test("have the skill that an eval lies in, else the one that it names", async () => {
    const named = { ...skills, ...evals({ a: "list" }, "skill: pdf\n") };
    const { records } = await run(named);
    const skillsOf = records.map(({ task, answer }) => [
      task,
      ...seen(answer).files.filter((file) => file.endsWith("SKILL.md")),
    ]);
    expect(skillsOf).toEqual(
      expect.arrayContaining([
        ["1", ".agents/skills/csv/SKILL.md"],
        ["a", ".agents/skills/pdf/SKILL.md"],
      ]),
    );
  });

  test("have nothing of ours or of the runner", async () => {
    const ours = { INPUT_TOKEN: "t", ACTIONS_RUNTIME_TOKEN: "r", GITHUB_OUTPUT: "o" };
    const env = { ...ours, RUNNER_TEMP: temporaryFolder("runner"), ANTHROPIC_API_KEY: "mine" };
    const { records } = await run(evals({ a: "list" }), { env });
    const names = Object.keys(seen(records[0]?.answer ?? "").env);
    expect(names.filter((name) => /^(?:INPUT|ACTIONS|GITHUB|RUNNER)_/.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(["ANTHROPIC_API_KEY", "PROMPT", "TASK", "EVAL", "WORKSPACE", "LOG"]),
    );
  });

  test("have the model that is asked for", async () => {
    const inputs = { command: 'echo "by ${MODEL:-none}"' };
    const models = await Promise.all(
      [inputs, { ...inputs, model: "small" }].map(
        async (one) => await run(evals({ a: "x" }), { inputs: one }),
      ),
    );
    expect(models.map(({ records }) => records[0]?.answer.trim())).toEqual(["by none", "by small"]);
  });

  test("a prompt that begins with a dash, a slash or a quote reaches the agent as it is", async () => {
    const prompts = { a: "--help $(id)", b: "/csv 'x'", c: "write; rm -rf /" };
    const { records } = await run(evals(prompts));
    for (const [id, prompt] of Object.entries(prompts).filter(([id]) => id !== "c")) {
      const answer = records.find(({ task }) => task === id)?.answer;
      expect(answer).toContain(JSON.stringify(`You asked: ${prompt}`).slice(1, -1));
    }
  });

  test("in a workflow the eval files are gone before the agent starts, and back when the last has ended", async () => {
    const files = {
      "evals/eval.yaml":
        "name: suite\ntasks: [tasks/*.yaml]\ngraders: [{type: prompt, name: g, config: {rubric: ./r.md}}]\n",
      "evals/tasks/a.yaml": "id: a\ninputs: {prompt: write}\n",
      "evals/r.md": "---\nname: r\nscale: pass-fail\n---\nIs it?\n",
      "rows/eval.yaml": `name: rows\ntasks_from: rows.csv\n${GRADERS}\n`,
      "rows/rows.csv": "id,prompt,expected\nb,write,42\n",
    };
    const root = writeProject(files);
    const command = `cd '${root}' && find . -name eval.yaml -o -name r.md -o -name rows.csv -o -name a.yaml | wc -l`;
    const { records } = await run({}, { root, isStep: true, inputs: { command } });
    expect(records.map(({ answer }) => Number(answer))).toEqual([0, 0]);
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(join(root, path), "utf8")).toBe(text);
  });

  test("further arguments come after the agent's own", async () => {
    const { records } = await run(evals({ a: "list" }), { inputs: { arguments: "--one\ntwo words" } });
    expect(seen(records[0]?.answer ?? "").args).toEqual(["--one", "two words"]);
  });
});

test("no agent is run on Windows, and it says where", () => {
  const where = { workspace: temporaryFolder("w"), isStep: false, platform: "win32" } as const;
  const { problems } = readRunOptions({}, where);
  expect(problems.map((one) => problemLine(one))[0]).toMatch(/Linux and macOS.*WSL/);
});

test("in a folder of the repository runs need a folder that is named: they lie at its top", () => {
  const workspace = writeProject({ ".git/HEAD": "ref: refs/heads/main", "skills/pdf/SKILL.md": "" });
  const said = (folder: string, inputs: Record<string, string> = {}) => {
    const all = Object.entries({ COMMAND: "true", ...inputs });
    const names = all.map(([name, text]) => [`INPUT_${name}`, text]);
    Object.assign(process.env, Object.fromEntries(names));
    const { problems } = readRunOptions({}, { workspace: join(workspace, folder), isStep: false });
    for (const [name = ""] of names) Reflect.deleteProperty(process.env, name);
    return problems.map((one) => problemLine(one)).join("\n");
  };
  expect(said("skills/pdf")).toMatch(
    /`skills\/pdf` is a folder in it\. Start at the top \(`cd \.\.\/\.\.`\).*--out/,
  );
  for (const [folder, inputs] of [
    ["", {}],
    ["skills/pdf", { OUT: "runs" }],
    ["skills/pdf", { "DRY-RUN": "true" }],
  ] as const)
    expect(said(folder, inputs)).toBe("");
});

describe("the key of the input", () => {
  test.each([
    ["claude-code", "ANTHROPIC_API_KEY"],
    ["codex", "CODEX_API_KEY"],
    ["waza", "COPILOT_GITHUB_TOKEN"],
  ] as const)("reaches %s as %s", (agent, name) => {
    expect(withKey({ A: "1" }, { agent, apiKey: "sk-1" })).toEqual({ A: "1", [name]: "sk-1" });
    expect(withKey({ A: "1" }, { agent })).toEqual({ A: "1" });
  });
});

describe("a pull request without the agent's key", () => {
  test.each([
    ["fork", "is from a fork, which gets no secrets"],
    ["dependabot", "is by Dependabot, which gets its own secrets alone"],
  ] as const)("makes no run, and is no failure: of a %s", async (withoutSecrets, words) => {
    const { status, text, records, out, workspace } = await run(evals({ a: "write" }), {
      inputs: asked("claude-code"),
      more: { withoutSecrets },
    });
    expect(status).toBe(0);
    expect(records).toEqual([]);
    expect(text).toContain(words);
    const list = () => JSON.parse(readFileSync(join(out, "runs.json"), "utf8")) as object;
    expect(list()).toMatchObject({ no_key: true, runs: [{ task: "a" }] });
    const later = await run({}, { root: workspace });
    expect(later.status).toBe(0);
    expect(list()).not.toHaveProperty("no_key");
  });

  test.each(["fork", undefined] as const)(
    "lacks none where nothing is to be run: %s",
    async (withoutSecrets) => {
      const { status, text, out } = await run(evals({ a: "write" }), {
        inputs: { ...asked("claude-code"), "changed-only": "true" },
        more: { withoutSecrets, changes: () => Promise.resolve({ files: [] }) },
      });
      expect(status).toBe(0);
      expect(text).not.toMatch(/key|secrets/);
      const list = JSON.parse(readFileSync(join(out, "runs.json"), "utf8")) as object;
      expect(list).not.toHaveProperty("no_key");
    },
  );
});

describe("a mistake in an option is said with what to write", () => {
  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ["no agent", { command: "" }, /Name the agent.*`claude-code`/],
    ["an agent that is none", { command: "", agent: "claude" }, /no agent `claude`/],
    ["a misspelled agent", { command: "", agent: "codx" }, /Did you mean `codex`/],
    ["both", { agent: "codex" }, /exclude each other/],
    ["a shard that is none", { shard: "5/4" }, /`shard` is `5\/4`.*`2\/4`/],
    ["no number", { trials: "many" }, /`trials` is `many`.*whole number/],
    ["no duration", { timeout: "soon" }, /`timeout` is `soon`.*`5m`/],
    ["a switch that is neither", { "dry-run": "ture" }, /`dry-run` is `ture`.*`true` or `false`/],
  ])("%s", async (_case, inputs, words) => {
    await expect(run(evals({ a: "x" }), { inputs })).rejects.toThrow(words);
  });
});
