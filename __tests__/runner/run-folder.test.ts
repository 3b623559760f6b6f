/** `waza-grade run` and its folders: what an agent gets, may do, and leaves; what replaces what. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { basename, join, relative } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { isProblem } from "../../src/domain/problem.ts";
import { hasEvidence } from "../../src/domain/run.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { loadSuites } from "../../src/evals/load-suites.ts";
import { planIn } from "../../src/outputs/list-of-runs.ts";
import { planProblems } from "../../src/plan/left-out.ts";
import { folderOfRuns, temporaryFolder as temporaryOfRun } from "../../src/runner/temporary-folders.ts";
import { actHere, closeServers, passing } from "../support/act.ts";
import { evals, run, skillEvals } from "../support/agent-runs.ts";
import { removeTemporaryFolders, temporaryFolder, writeProject } from "../support/run-action.ts";

afterAll(closeServers);
afterAll(removeTemporaryFolders);

/** Does the trick in the run of the task `b` alone. */
const only = (trick: string) => `if [ "$TASK" = b ]; then ${trick}\nfi; echo "answer to $TASK"`;
const ofB = '"$(ls -d "$OUT"/suite/b-*/1)"';

describe("what a run does to its own folder ends no other", () => {
  const GONE = "the folder that it worked in was removed or replaced";
  test.each<[string, string, string | undefined]>([
    ["removes it", 'rm -rf "$PWD"', GONE],
    ["moves it", 'mv "$PWD" "$OUT/../moved"', GONE],
    ["puts a link to the checkout in its place", 'd=$PWD; cd /; rm -rf "$d"; ln -s "$ROOT" "$d"', GONE],
    [
      "puts a link in place of its skills",
      'rm -rf .agents/skills; ln -s "$ROOT/skills" .agents/skills',
      undefined,
    ],
    ["leaves a file and a folder without rights", 'mkdir a; echo x >a/f; chmod 0 a/f a "$PWD"', undefined],
    ["leaves a pipe, and one in place of its log", 'mkfifo p; mkfifo "$LOG"', undefined],
    ["makes its log a folder", 'mkdir "$LOG"', undefined],
    ["makes its log a link without an end", 'ln -s /dev/zero "$LOG"', undefined],
    ["removes the folder of its log", 'rm -rf "$(dirname "$LOG")"', undefined],
    [
      "fills its run's folder with folders",
      `cd ${ofB}; rm run.json; mkdir run.json log.jsonl errors.txt work`,
      undefined,
    ],
    [
      "puts a link in place of its run's folder",
      `d=${ofB}; rm -rf "$d"; ln -s "$ROOT/skills" "$d"`,
      undefined,
    ],
    ["removes the folder of all runs", 'rm -rf "$OUT"', undefined],
  ])("%s", async (_what, trick, wrong) => {
    const files = { "skills/x/SKILL.md": "Kept.", ...evals({ a: "x", b: "x", c: "x" }, "skill: x\n") };
    const root = writeProject(files);
    const env = { ROOT: root, OUT: join(root, ".waza-grade/runs") };
    const { status, records, text } = await run(
      {},
      { root, env, inputs: { command: only(trick), concurrency: "1" } },
    );
    expect(records.map(({ task, answer }) => `${task}: ${answer.trim()}`).sort()).toEqual(
      (trick.includes('rm -rf "$OUT"') ? ["b", "c"] : ["a", "b", "c"]).map((id) => `${id}: answer to ${id}`),
    );
    expect(status).toBe(wrong === undefined ? 0 : 1);
    expect(records.find(({ task }) => task === "b")).toMatchObject(
      wrong === undefined ? { exit: 0 } : { error: wrong },
    );
    if (wrong !== undefined) expect(text).toMatch(new RegExp(`✗ suite/b · \\d s · 2 tries · ${wrong}`));
    expect(readFileSync(join(root, "skills/x/SKILL.md"), "utf8")).toBe("Kept.");
  });

  test("a run that failed so is no answer where it is graded", async () => {
    const { out, workspace } = await run(evals({ a: "x" }), {
      inputs: { command: 'rm -rf "$PWD"; echo Done.' },
    });
    const { suites } = await loadSuites(undefined, workspace);
    const { files } = await readOutputs({ patterns: [out], workspace, suites });
    expect(files[0]?.results.runs).toMatchObject([{ agent: "stopped", errorMessage: GONE }]);
  });
});

describe("what counts as work is the same for `run` and for grading", () => {
  const record = (more: string) => `printf '{"task_id": "a", ${more}}'`;
  test.each<[string, string, boolean, object]>([
    ["an answer beside an error", record('"output": "Done.", "error": true'), true, { agent: "finished" }],
    ["an error alone", record('"output": "", "error": true'), false, { agent: "failed" }],
    ["a file without a word", "echo 42 >answer.txt", true, { agent: "finished", leftFiles: true }],
    ["a file beside an error", `echo 42 >a; ${record('"error": "no key"')}`, false, { agent: "failed" }],
    ["a file of a program that failed", "echo 42 >answer.txt; exit 3", false, { agent: "stopped" }],
    ["neither words nor files", "cat in.txt >/dev/null", false, { agent: "finished" }],
  ])("%s", async (_what, command, worked, graded) => {
    const files = {
      ...evals({}),
      "evals/in.txt": "7",
      "evals/tasks/a.yaml": "id: a\ninputs: {prompt: x, files: [{path: in.txt}]}\n",
    };
    const { out, workspace, status } = await run(files, { inputs: { command } });
    const { suites } = await loadSuites(undefined, workspace);
    const { files: results } = await readOutputs({ patterns: [out], workspace, suites });
    const [held] = results[0]?.results.runs ?? [];
    expect({ status, held }).toMatchObject({ status: worked ? 0 : 1, held: graded });
    expect(held && hasEvidence(held)).toBe(worked);
  });
});

describe("what an agent leaves", () => {
  test("has names that an artifact can hold, and run.json says which were others", async () => {
    const make = `: >trace-10:00:00.log; mkdir 'd<>'; : >'d<>/q?'; : >"$(printf 'x\\377')"; ln -s trace-10:00:00.log l; : >a:b; : >a%3Ab; echo ok`;
    const { records } = await run(evals({ a: "x" }), { inputs: { command: make } });
    const folder = records[0]?.folder ?? "";
    expect(records).toMatchObject([
      { renamed: ["a%3Ab~2", "d%3C%3E", "d%3C%3E/q%3F", "trace-10%3A00%3A00.log", "x%FF"] },
    ]);
    expect(readdirSync(join(folder, "work")).sort()).toEqual(
      [".agents", "a%3Ab", "a%3Ab~2", "d%3C%3E", "l", "trace-10%3A00%3A00.log", "x%FF"].filter(
        (name) => name !== ".agents",
      ),
    );
    expect(existsSync(join(folder, "work/l"))).toBe(true);
  });

  test("has no secret of the environment, written out or encoded, in files, names, links and lines", async () => {
    const secret = "k-71/x+y=zZ%q";
    const print = `env >env.txt; printf %s "$MY_KEY" | base64 >b; printf %s "$MY_KEY" | od -An -tx1 | tr -d ' \\n' >h; mkdir "n-$SHORT_TOKEN"; : >"n-$SHORT_TOKEN/f"; ln -s "$SHORT_TOKEN" l; printf 'caf\\351 %s' "$MY_KEY" >latin1; printf '%s \\342\\202' "$MY_KEY" >cut; printf '\\377\\376%s' "$(printf %s "$SHORT_TOKEN" | sed 's/./&\\x00/g')" >utf16; env >&2; env; printf 'caf\\351'; exit 3`;
    const env = {
      DB_PASS: "pa-of-the-database",
      POSTGRES: "postgres://me:pw%2Fof%20it@h/db",
      PEM_KEY: "-----BEGIN X-----\nline-of-its-own\n",
      GIT_AUTHOR_NAME: "Somebody",
      MY_KEY: secret,
      SHORT_TOKEN: "abcdefgh1",
      INPUT_TOKEN: "ghs_1234567890",
      SEVEN_KEY: "1234567",
    };
    const { out, records } = await run(evals({ a: "x" }), { inputs: { command: print }, env });
    const left = readdirSync(out, { recursive: true, withFileTypes: true });
    const texts = left.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${entry.name}\n${entry.isFile() ? readFileSync(path, "latin1") : entry.isSymbolicLink() ? String(lstatSync(path).size) : ""}`;
    });
    const forms = [
      secret,
      Buffer.from(secret).toString("base64"),
      Buffer.from(secret).toString("hex"),
      "abcdefgh1",
      "ghs_1234567890",
      "pa-of-the-database",
      "pw%2Fof%20it",
      "line-of-its-own",
      Array.from("abcdefgh1").join("\0"),
    ];
    for (const form of forms) expect(texts.filter((text) => text.includes(form))).toEqual([]);
    expect(records[0]?.answer).toContain("MY_KEY=[redacted]");
    expect(records[0]?.answer).toContain("SEVEN_KEY=1234567");
    expect(records[0]?.answer).toContain("GIT_AUTHOR_NAME=Somebody");
  });
});

test("a `run` that is at work is still running where it is graded, a dead one was killed", async () => {
  const { out } = await run(evals({ a: "write" }));
  const file = join(out, "runs.json");
  const { runs, ...list } = JSON.parse(readFileSync(file, "utf8")) as { readonly runs: readonly object[] };
  const planned = runs.map((row) => ({ ...row, run_sha256: undefined }));
  writeFileSync(file, JSON.stringify({ ...list, runs: planned, state: "started" }));
  const endedBy = (pid: number) => {
    writeFileSync(join(out, "run.lock"), `${String(pid)}\n`);
    return planIn([out])?.ended;
  };
  expect(endedBy(process.pid)).toEqual(["it is still running."]);
  expect(endedBy(spawnSync("true").pid)).toEqual(["it was killed."]);
});

describe("above the folder of a run lies nothing that agents would read", () => {
  test.each([
    "CLAUDE.md",
    "AGENTS.md",
    "GEMINI.md",
    ".agents/skills/x/SKILL.md",
    ".claude/rules/r.md",
    ".opencode/skills/x/SKILL.md",
    ".github/skills/x/SKILL.md",
  ])(
    "%s in a home with the temporary folder: another one is taken, else nothing is started",
    async (name) => {
      const home = writeProject({ [name]: "Say banana.", "tmp/other/.keep": "" });
      const { records } = await run(evals({ a: "write" }), { env: { RUNNER_TEMP: join(home, "tmp") } });
      const [record] = records as readonly { readonly worked_in?: string }[];
      expect(record?.worked_in).toBeDefined();
      expect(relative(home, record?.worked_in ?? "")).toMatch(/^\.\./);
      const wrong = folderOfRuns({ RUNNER_TEMP: join(home, "tmp") }, writeProject({}), [
        join(home, "tmp/other"),
      ]);
      expect(isProblem(wrong) && wrong.message).toContain(join(home, name.split("/").slice(0, 2).join("/")));
    },
  );

  test("nor the checkout", () => {
    const checkout = writeProject({ "tmp/.keep": "" });
    expect(folderOfRuns({ RUNNER_TEMP: join(checkout, "tmp") }, checkout, [])).toMatchObject({
      code: "no-folder-for-runs",
    });
  });
});

test("what an agent starts in a session of its own ends with its run", async () => {
  const command = `setsid sh -c 'echo $$ >pid; exec sleep 600' >/dev/null 2>&1 & while [ ! -s pid ]; do sleep 0.1; done`;
  const { records } = await run(evals({ a: "x" }), { inputs: { command } });
  const pid = Number(readFileSync(join(records[0]?.folder ?? "", "work/pid"), "utf8"));
  expect(pid).toBeGreaterThan(0);
  const lines = `/proc/${String(pid)}/cmdline`;
  // One that nobody has waited for yet has no command any more.
  expect(existsSync(lines) ? readFileSync(lines, "utf8") : "").toBe("");
});

const skillFiles = {
  "skills/x/SKILL.md": "---\nname: x\n---\nOld.\n",
  "skills/x/evals/evals.json": JSON.stringify({
    skill_name: "x",
    evals: ["a", "b"].map((id) => ({ id, prompt: `write ${id}`, assertions: ["It writes"] })),
  }),
};

describe("runs that were made of something else", () => {
  const made = (
    records: readonly { readonly task: string; readonly folder: string; readonly side?: string }[],
  ) => records.map(({ task, folder }) => `${task} ${basename(join(folder))}`).sort();

  test("are replaced, all trials of a task and side that is made; narrowing touches nothing else", async () => {
    const first = await run(skillFiles, { inputs: { trials: "3", lift: "true", concurrency: "12" } });
    const root = first.workspace;
    await run({}, { root, inputs: { model: "m", tasks: "a" } });
    expect(first.records).toHaveLength(12);
    writeFileSync(join(root, "skills/x/SKILL.md"), "---\nname: x\n---\nNew.\n");
    const { records, lines } = await run({}, { root, inputs: { tasks: "a" } });
    expect(lines.filter((line) => line.startsWith("✓"))).toHaveLength(1);
    const bare = ["a", "b"].flatMap((id) => [1, 2, 3].map((trial) => `${id} ${String(trial)}-without-skill`));
    expect(made(records)).toEqual([...bare, "a 1", "a 1-m", "b 1", "b 2", "b 3"].sort());
  });

  test("are made again by `again`, as all are, and kept where that is interrupted", async () => {
    const first = await run(skillFiles);
    const controller = new AbortController();
    const line = (text: string) => {
      if (text.startsWith("✓")) controller.abort();
    };
    const inputs = { again: "true", concurrency: "1" };
    const more = { cancelled: controller.signal, line };
    const { status, records } = await run({}, { root: first.workspace, inputs, more });
    expect(status).toBe(1);
    expect(made(records)).toEqual(["a 1", "b 1"]);
    expect(readdirSync(first.out).sort()).toEqual([".gitignore", "runs.json", "x"]);
    const { lines } = await run({}, { root: first.workspace, inputs });
    expect(lines.filter((text) => /^✓ .* s$/.test(text))).toHaveLength(2);
  });

  test("are made by `failed-in` beside what failed, which is made again", async () => {
    const first = await run(skillFiles);
    const root = first.workspace;
    const env = { "INPUT_FAILED-IN": "x/b" };
    const plain = await run({}, { root, env, inputs: { "failed-in": "x/b" } });
    expect(plain.lines.filter((line) => line.startsWith("✓"))).toEqual([
      expect.stringMatching(/^✓ x\/b · \d+ s$/),
    ]);
    writeFileSync(join(root, "skills/x/SKILL.md"), "---\nname: x\n---\nNew.\n");
    const changed = await run({}, { root, env, inputs: { "failed-in": "x/b" } });
    expect(
      changed.lines
        .filter((line) => line.startsWith("✓"))
        .map((line) => line.slice(0, 5))
        .sort(),
    ).toEqual(["✓ x/a", "✓ x/b"]);
  });

  test("by another agent stay, and are neither made nor kept by this one", async () => {
    const absent = { env: { PATH: temporaryFolder("bin") }, inputs: { command: "", agent: "codex" } };
    const first = await run(skillFiles, absent);
    expect(made(first.records)).toEqual(["a 1-codex", "b 1-codex"]);
    const { records, text } = await run({}, { root: first.workspace, inputs: { tasks: "a" } });
    expect(made(records)).toEqual(["a 1", "a 1-codex", "b 1-codex"]);
    const kept = await run({}, { root: first.workspace });
    expect(text).toContain("1 task: 1 run of command (the cost is not known before the first run)");
    expect(kept.text).toContain("2 tasks: 2 runs of command, 1 of them kept (their logs say no cost)");
    expect(kept.text).toContain("2 of 2 runs made, 1 of them before, and kept (`--again` makes all again)");
    expect(made(kept.records)).toEqual(["a 1", "a 1-codex", "b 1", "b 1-codex"]);
    const read = { runsPlan: planIn([kept.out]), suites: [], results: [], whyLeft: () => undefined };
    expect(await planProblems(read, kept.workspace)).toMatchObject([
      { message: expect.stringContaining("and not graded with these: 2 runs (`codex`).") as unknown },
    ]);
  });
});

describe("the list of what was made", () => {
  const graded = async (made: Awaited<ReturnType<typeof run>>) => {
    const { suites } = await loadSuites(undefined, made.workspace);
    const { files, problems } = await readOutputs({
      patterns: [made.out],
      workspace: made.workspace,
      suites,
    });
    return {
      runs: files.flatMap(({ results }) => results.runs.map(({ taskId }) => taskId)).sort(),
      problems,
    };
  };

  test.each<[string, (folder: string, out: string) => void, readonly string[], RegExp | undefined]>([
    ["nothing", () => undefined, ["a", "b"], undefined],
    [
      "a run that was planted",
      (folder, out) => {
        mkdirSync(join(out, "extra/1"), { recursive: true });
        const record = JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as object;
        writeFileSync(join(out, "extra/1/run.json"), JSON.stringify({ ...record, trial: 2 }));
        writeFileSync(join(out, "extra/1/log.jsonl"), readFileSync(join(folder, "log.jsonl")));
      },
      ["a", "b"],
      /error.*which `waza-grade run` did not make.*extra\/1\/run\.json/,
    ],
    ...(["", "suite"] as const).map(
      (where): [string, (folder: string, out: string) => void, readonly string[], RegExp] => [
        `a list deeper down that calls it old, in ${where === "" ? "its task's folder" : "its eval's"}`,
        (folder, out) => {
          const listed = JSON.parse(readFileSync(join(out, "runs.json"), "utf8")) as {
            runs: { folder: string }[];
          };
          const to = where === "" ? join(folder, "..") : join(out, where);
          const runs = listed.runs.map((row) => ({
            ...row,
            folder: relative(to, join(out, row.folder)),
            old: true,
          }));
          writeFileSync(join(to, "runs.json"), JSON.stringify({ ...listed, runs }));
        },
        ["a", "b"],
        /error Below the list of the runs, an agent wrote another.*suite\/.*runs\.json/,
      ],
    ),
    [
      "a run.json that was changed",
      (folder) => {
        writeFileSync(
          join(folder, "run.json"),
          readFileSync(join(folder, "run.json"), "utf8").replace('"trial": 1', '"trial": 2'),
        );
      },
      ["b"],
      /error.*with another run\.json than/,
    ],
    [
      "a file of a late process",
      (folder) => {
        writeFileSync(join(folder, "work/late.txt"), "late");
      },
      ["a", "b"],
      /warning.*files were changed after the agent had ended/,
    ],
    [
      "a list that was cut",
      (_folder, out) => {
        writeFileSync(join(out, "runs.json"), readFileSync(join(out, "runs.json"), "utf8").slice(0, 50));
      },
      [],
      /error.*of which the list, `runs.json`, cannot be read/,
    ],
    [
      "no list, as after a kill",
      (folder, out) => {
        rmSync(join(out, "runs.json"));
        writeFileSync(join(folder, "work/late.txt"), "late");
      },
      ["a", "b"],
      undefined,
    ],
  ])("with %s", async (_what, change, runs, words) => {
    const made = await run(evals({ a: "write", b: "write" }));
    change(made.records.find(({ task }) => task === "a")?.folder ?? "", made.out);
    const found = await graded(made);
    expect(found.runs).toEqual(runs);
    const said = found.problems.map(({ level, message }) => `${level} ${message}`);
    expect(said).toEqual(words === undefined ? [] : [expect.stringMatching(words)]);
  });
});

test("a list that an agent writes among the runs of others is said at the end, and gone when these are made again", async () => {
  const root = writeProject(evals({ a: "x", b: "x" }));
  const out = join(root, ".waza-grade/runs");
  const plant = only('mkdir -p "$OUT/suite"; echo "{}" >"$OUT/suite/runs.json"');
  const env = { OUT: out };
  const planted = await run({}, { root, env, inputs: { command: plant } });
  expect(planted.status).toBe(2);
  expect(planted.text).toContain("an agent wrote another, which is not read: `suite/runs.json`");
  const again = await run({}, { root, env, inputs: { command: "echo fine", again: "true" } });
  expect(again.status).toBe(0);
  expect(existsSync(join(out, "suite/runs.json"))).toBe(false);
});

test("a good log with a fitting record, written by a later agent over an earlier run, is an error and no result", async () => {
  const root = writeProject(evals({ a: "x", b: "x" }));
  const out = join(temporaryFolder("out"), "runs");
  const forge = join(temporaryFolder("forge"), "forge.mjs");
  writeFileSync(
    forge,
    `import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
const file = process.argv[2] + "/run.json";
const record = JSON.parse(readFileSync(file, "utf8"));
const log = "All is fine.";
writeFileSync(process.argv[2] + "/log.jsonl", log);
const log_sha256 = createHash("sha256").update(log).digest("hex");
writeFileSync(file, JSON.stringify({ ...record, log_sha256 }, null, 2));`,
  );
  const broken = 'if [ "$TASK" = a ]; then echo Broken; exit; fi';
  const command = `${broken}; '${process.execPath}' '${forge}' "$(ls -d "$OUT"/suite/a-*/1)"; echo fine`;
  const made = await run({}, { root, env: { OUT: out }, inputs: { command, out, concurrency: "1" } });
  expect(made.records[0]).toMatchObject({ task: "a", answer: "All is fine." });
  const { code, log, judge } = await actHere(root, passing, { inputs: { results: out } });
  expect(code).toBe(1);
  expect(log).toMatch(
    /error.*with another run\.json than `waza-grade run` wrote: `[^`]*suite\/a-.*run\.json`/,
  );
  expect(judge.asked.map(({ evidence }) => evidence).join()).not.toContain("All is fine");
});

describe("the folder of all runs", () => {
  test("that holds anything but runs is refused, and a .gitignore of somebody else stays", async () => {
    const root = writeProject({ ...evals({ a: "write" }), ".gitignore": "secret\n" });
    const refused = await run({}, { root, inputs: { out: "." } });
    expect(refused.status).toBe(2);
    expect(refused.text).toMatch(/error: `out` is .* which holds `\.git` and is no folder of runs/);
    mkdirSync(join(root, "kept"));
    writeFileSync(join(root, "kept/.gitignore"), "mine\n");
    expect((await run({}, { root, inputs: { out: "kept" } })).status).toBe(0);
    expect(["", "kept"].map((folder) => readFileSync(join(root, folder, ".gitignore"), "utf8"))).toEqual([
      "secret\n",
      "mine\n",
    ]);
  });

  test("is one `run`'s at a time; what a dead process held is free", async () => {
    const first = await run(evals({ a: "write" }));
    writeFileSync(join(first.out, "run.lock"), `${String(process.ppid)}\n`);
    const second = await run({}, { root: first.workspace });
    expect(second.status).toBe(2);
    expect(second.text).toContain(
      `Another \`waza-grade run\`, process ${String(process.ppid)}, is making runs in`,
    );
    writeFileSync(join(first.out, "run.lock"), "4194999\n");
    expect((await run({}, { root: first.workspace })).status).toBe(0);
    expect(readdirSync(first.out)).not.toContain("run.lock");
  });

  test("is cleared of what a killed one left there: its programs and its temporary folders, and no other's", async () => {
    const temp = temporaryFolder("runner");
    const env = { RUNNER_TEMP: temp };
    const first = await run(evals({ a: "write" }), { env });
    const other = await run(evals({ a: "write" }), { env });
    const leftOf = (out: string) => temporaryOfRun({ options: { out, agent: "command" }, env, temp }).path;
    const [left, ofOther] = [leftOf(first.out), leftOf(other.out)];
    const kept = [ofOther, `${left}-link`, `${left}-file`, join(temp, "below", basename(left))];
    const [, link = "", file = "", below = ""] = kept;
    mkdirSync(below, { recursive: true });
    symlinkSync(below, link);
    writeFileSync(file, "Kept.");
    // A lock that came with a repository may hold anything.
    const notes = [left, ofOther].map((path) =>
      JSON.stringify({ id: randomUUID(), began: 0, folders: [path] }),
    );
    writeFileSync(join(first.out, "run.lock"), ["4194999", ...notes, ""].join("\n"));
    const begin = (mark: string) =>
      spawn("sleep", ["600"], { cwd: temp, env: { ...process.env, WAZA_GRADE_RUN: mark }, stdio: "ignore" });
    const [its, another] = [begin(left), begin(ofOther)];
    await Promise.all([its, another].map((program) => once(program, "spawn")));
    const ended = once(its, "exit");
    const { status } = await run({}, { root: first.workspace, env });
    const stayed = another.kill("SIGKILL");
    expect([status, await ended, stayed]).toEqual([0, [null, "SIGKILL"], true]);
    expect(existsSync(left)).toBe(false);
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe("the skill that an agent gets", () => {
  const list = "find .agents -type f | LC_ALL=C sort";
  const files = {
    "SKILL.md": "---\nname: pdf\n---\n",
    "evals/evals.json": skillEvals("It lists"),
    "deep/evals/expected.md": "x",
    "references/a.md": "x",
    "built/b.md": "x",
    ".env": "S",
    ".gitignore": "built\n.env\n",
  };
  const got = (skill: string, ...names: readonly string[]) =>
    names.map((name) => `.agents/skills/${skill}/${name}\n`).join("");

  test("is what git tracks or would add, by its `name`, without evals and runs, and kept when run again", async () => {
    const root = writeProject(files);
    execFileSync("git", ["init", "-q"], { cwd: root });
    const { records } = await run({}, { root, inputs: { command: list } });
    expect(records[0]?.answer).toBe(got("pdf", ".gitignore", "SKILL.md", "references/a.md"));
    const again = await run({}, { root, inputs: { command: list } });
    expect(again.text).toContain("made before, and kept");
  });

  test("outside of git is all without a leading dot, and `out` within it is left out", async () => {
    const root = writeProject(files);
    const inputs = { command: list, out: "runs" };
    const { records } = await run({}, { root, inputs });
    expect(records[0]?.answer).toBe(got("pdf", "SKILL.md", "built/b.md", "references/a.md"));
    expect((await run({}, { root, inputs })).text).toContain("made before, and kept");
  });

  test("has what its links mean, where they stay in the checkout; others are named", async () => {
    const root = writeProject({ ...skillFiles, "shared/t.md": "T" });
    symlinkSync("../../shared", join(root, "skills/x/inside"));
    symlinkSync(temporaryFolder("outside"), join(root, "skills/x/away"));
    const { records, text } = await run({}, { root, inputs: { command: list, tasks: "a" } });
    expect(records[0]?.answer).toBe(got("x", "SKILL.md", "inside/t.md"));
    expect(text).toContain(
      "warning: The skill `x` has links that lead out of the checkout or nowhere, so the agent lacks them: `away`.",
    );
  });

  test.each([".claude/skills/x/SKILL.md", "./.AGENTS/Skills/a", ".git/config", ".mcp.json"])(
    "is not replaced by a task's file: %s is an error, and that task is not run",
    async (path) => {
      const evalsJson = {
        skill_name: "x",
        evals: [
          { id: 1, prompt: "p", files: [{ path, content: "c" }], assertions: ["a"] },
          { id: 2, prompt: "write", assertions: ["a"] },
        ],
      };
      const { status, text, records } = await run({
        "skills/x/SKILL.md": "",
        "skills/x/evals/evals.json": evalsJson,
      });
      expect({ status, records }).toMatchObject({ status: 2, records: [{ task: "2" }] });
      expect(text).toContain(
        `the task \`1\` puts \`${path}\` where agents keep their skills and settings, so`,
      );
    },
  );
});

test("a program works where it is started, whatever it believes: PWD is set, and the caller's folders are gone", async () => {
  const env = { PWD: "/x", OLDPWD: "/y", INIT_CWD: "/z" };
  const command = 'echo "$([ "$PWD" = "$WORKSPACE" ] && echo same) [$OLDPWD] [$INIT_CWD]"';
  const { records } = await run(evals({ a: "x" }), { env, inputs: { command } });
  expect(records[0]?.answer).toBe("same [] []\n");
});

test("what no judge looks at is not run, and said", async () => {
  const { status, text, records } = await run({
    ...evals({ a: "write" }),
    "smoke/eval.yaml":
      "name: smoke\ntasks: [t.yaml]\ngraders: [{type: code, name: c, config: {assertions: [x]}}]\n",
    "smoke/t.yaml": "id: s\ninputs: {prompt: write}\n",
    "skills/x/SKILL.md": "",
    "skills/x/evals/evals.json": {
      skill_name: "x",
      evals: [
        { id: 1, prompt: "p", assertions: ["a"] },
        { id: 2, prompt: "p" },
      ],
    },
  });
  expect(status).toBe(0);
  expect(records.map(({ task }) => task).sort()).toEqual(["1", "a"]);
  expect(text).toMatch(/notice: smoke\/eval\.yaml:1: nothing in it is graded, since it has no prompt grader/);
  expect(text).toMatch(/notice: skills\/x\/evals\/evals\.json:1: no prompt grader .*, so not run: `2`/);
});

test("trigger evals that were run alone are no missing runs where they are graded", async () => {
  const triggers = JSON.stringify([{ query: "write", should_trigger: false }]);
  const { out, workspace } = await run(
    { ...skillFiles, "skills/x/evals/triggers.json": triggers },
    // In a workflow, runs in the checkout are refused.
    { inputs: { triggers: "true", out: join(temporaryFolder("out"), "runs") } },
  );
  const outcome = await actHere(workspace, passing, { inputs: { results: out } });
  expect(outcome.outputs).toMatchObject({ conclusion: "success", "judge-calls": "0" });
  expect(outcome.log).toContain("Nothing to grade (only trigger evals were run)");
});

test("shards have about as many runs each", async () => {
  const files = {
    ...evals({ a: "x" }, "config: {trials_per_task: 6}\n"),
    "more/eval.yaml":
      "name: more\ntasks: [t/*.yaml]\ngraders: [{type: prompt, name: g, config: {prompt: Is it?}}]\n",
    ...Object.fromEntries(
      ["b", "c", "d", "e", "f", "g"].map((id) => [`more/t/${id}.yaml`, `id: ${id}\ninputs: {prompt: x}\n`]),
    ),
  };
  const sizes = ["1/2", "2/2"].map(async (shard) => {
    const { lines } = await run(files, { inputs: { "dry-run": "true", shard } });
    return lines.filter((line) => line.startsWith("  ")).length;
  });
  expect(await Promise.all(sizes)).toEqual([6, 6]);
});

test("runs that did not get to work end with 1: ended by a time limit, or by a signal", async () => {
  const files = evals({ a: "x", b: "x" });
  const command = 'echo Starting; if [ "$TASK" = a ]; then sleep 60; fi; kill -9 $$';
  const { status, records } = await run(files, {
    inputs: { command, timeout: "1s" },
    more: { gentleMs: 200 },
  });
  expect(status).toBe(1);
  expect(records.map(({ task }) => task)).toEqual(["a", "b"]);
  for (const one of records) expect(one).not.toHaveProperty("exit", 0);
});
