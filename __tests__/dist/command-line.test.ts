/** The bundle as a command on somebody's machine: no runner, no GitHub. */
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licensesText } from "../../scripts/licenses.ts";
import { KEY, once, passing } from "../support/act.ts";
import { fail, pass, startJudge, type JudgeServer } from "../support/judge-server.ts";
import { project, promptGrader, runFixture } from "../support/projects.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import { BUNDLE, runCommand } from "../support/run-command.ts";

const judges: JudgeServer[] = [];
afterEach(() => Promise.all(judges.splice(0).map((judge) => judge.close())));
afterAll(removeTemporaryFolders);

/** Grades with a judge that answers as given, which the command finds as it finds OpenAI's: by the environment. */
async function grade(
  folder: string,
  script: Parameters<typeof startJudge>[0],
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
) {
  const judge = await startJudge(script);
  judges.push(judge);
  const result = await runCommand(folder, args, { OPENAI_BASE_URL: judge.url, OPENAI_API_KEY: KEY, ...env });
  expect(judge.refused).toEqual([]);
  return { ...result, judge };
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();
/** What a runner or a terminal would obey. */
const COMMAND = /^\s*::|##\[|\p{Cc}(?<!\n)/mu;

describe("grading", () => {
  test("tells what failed and why at the end, writes no file and no command, and exits with 1", async () => {
    const folder = project({ graders: [promptGrader("right"), promptGrader("short", "Is it short?")] });
    const before = filesIn(folder);
    const evil = `\u001B]0;owned\u0007\u001B[31m ${KEY}\n::error::owned ##[error]owned`;
    const { code, out, err, judge, temp } = await grade(
      folder,
      once(({ prompt }) => ({
        calls: prompt.includes("short") ? [pass("It is short")] : [fail("Names the file", evil), pass("Is polite")],
      })),
      { args: ["--cache-dir", "none"] },
    );
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(judge.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(out).not.toContain(KEY);
    expect(out).toContain("owned");
    expect(out).not.toMatch(COMMAND);
    expect(out).toMatch(/^2 grades of 1 run; judge `gpt-6-luna` at /m);
    const failed = out.slice(out.indexOf("❌"));
    expect(failed).toMatch(/^❌ right: Names the file · task-1 · \S*eval\.yaml:\d+\n {5}\[redacted\]/);
    expect(failed).toContain("✅ Is polite");
    expect(failed).not.toContain("It is short");
    expect(out.trimEnd().split("\n").at(-1)).toMatch(/^Failed: /);
    expect([filesIn(folder), filesIn(temp)]).toEqual([before, []]);
  });

  test("writes the files that are asked for, in colour where that is forced, and exits with 0", async () => {
    const folder = project();
    const before = filesIn(folder);
    const { code, out } = await grade(folder, passing, {
      args: ["--output-file", "graded.json", "--reports=junit=report.xml", "--reports", "markdown=report.md"],
      env: { FORCE_COLOR: "1" },
    });
    expect(code).toBe(0);
    expect(out).toContain("\u001B[32mPassed: 1 of 1");
    expect(filesIn(folder).filter((file) => !before.includes(file))).toEqual([
      ...["graded-waza", "graded-waza/suite.json", "graded.json", "report.md", "report.xml"],
    ]);
    expect(readFileSync(join(folder, "graded.json"), "utf8")).toContain('"waza_grade"');
  });

  test("prints the record alone on standard output with `--json`, and the rest beside it", async () => {
    const { code, out, err } = await grade(project(), once({ calls: [fail("Names the file", "It does not.")] }), {
      args: ["--json"],
    });
    expect(code).toBe(1);
    const { waza_grade: record } = JSON.parse(out) as { waza_grade: Record<string, unknown> };
    expect(record).toMatchObject({ conclusion: "failure", score: 0, grades: [{ state: "failed" }] });
    expect(err).toContain("Names the file");
    expect(err.trimEnd().split("\n").at(-1)).toMatch(/^Failed: /);
  });

  test("names a judge that is down once, and asks no judge where a file has a mistake", async () => {
    const graders = ["a", "b", "c", "d", "e"].map((name) => promptGrader(name));
    const refusal = { status: 401, error: { message: "No such key" } };
    // One after the other, so that most are not asked any more.
    const down = await grade(project({ graders }), () => refusal, { args: ["--max-concurrency", "1"] });
    expect(down.code).toBe(1);
    expect(down.out.match(/credentials: /g)).toHaveLength(1);
    expect(down.out).toMatch(/^⚠️ credentials: .*\n.*\n {2}a · task-1\n {2}b · task-1\n/m);
    const broken = await grade(project({ files: { "evals/a/eval.yaml": "graders: {" } }), passing, {
      args: ["--eval", "evals/a/eval.yaml"],
    });
    expect(broken.code).toBe(1);
    expect(broken.out.match(/evals\/a\/eval\.yaml:1: /g)).toHaveLength(1);
    expect(broken.out).toMatch(/^Failed: .*evals\/a\/eval\.yaml:1: /m);
    expect(broken.judge.asked).toEqual([]);
  });

  test("in a step of a workflow speaks to the runner, by its flags", async () => {
    const folder = project({ files: { "other.yaml": "nothing" } });
    const temp = temporaryFolder("runner");
    const env = { GITHUB_ACTIONS: "true", RUNNER_TEMP: temp, GITHUB_OUTPUT: join(temp, "output"), "INPUT_EVAL": "other.yaml" };
    const { code, out } = await grade(folder, passing, { args: ["--min-score", "0.5"], env });
    expect(code).toBe(0);
    expect(out).toContain(`::add-mask::${KEY}`);
    expect(existsSync(join(temp, "waza-grade-results.json"))).toBe(true);
  });
});

test("`--changed-only` leaves the same evals out where the agent runs and where it is graded", async () => {
  const folder = project({});
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "all");
  git("remote", "add", "origin", folder);
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  for (const args of [["--dry-run"], ["run", "--command", "true", "--dry-run"]]) {
    const { out } = await runCommand(folder, [...args, "--changed-only"], { OPENAI_API_KEY: KEY });
    expect(out).toMatch(/^(?:notice: )?(?:Not run|Left out) \(not changed\).*`evals\/eval.yaml`/m);
  }
});

test("in a folder of the repository, where no runs are, grading says what running says", async () => {
  const folder = project({});
  execFileSync("git", ["-C", folder, "init", "--quiet"]);
  const below = join(folder, "evals");
  for (const args of [[], ["run", "--command", "true"]]) {
    const { code, out, err } = await runCommand(below, args, { OPENAI_API_KEY: KEY });
    expect([code, out + err]).toEqual([2, expect.stringMatching(/`evals` is a folder in it\. Start at the top \(`cd \.\.`\)/)]);
  }
});

test("a Node that is too old is refused by its version, not by what it lacks", async () => {
  const old = `delete Map.groupBy; delete Object.groupBy; Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` };
  const { code, err } = await runCommand(temporaryFolder("old-node"), ["--help"], env);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^waza-grade needs Node.js [^\n]*20\.20\.2[^\n]*\n$/) });
});

test("a second call asks only what has no verdict, and `--cache-dir none` everything", async () => {
  const judge = await startJudge(passing);
  judges.push(judge);
  const folder = project({});
  const HOME = temporaryFolder("home");
  const env = { HOME, OPENAI_BASE_URL: judge.url, OPENAI_API_KEY: KEY };
  const asked: number[] = [];
  for (const args of [[], [], ["--cache-dir", "none"]]) {
    const { code } = await runCommand(folder, args, env);
    expect(code).toBe(0);
    asked.push(judge.asked.length);
  }
  const [first = 0] = asked;
  expect(asked).toEqual([first, first, 2 * first]);
  expect(readdirSync(join(HOME, ".cache/waza-grade")).length).toBeGreaterThan(0);
});

test("`--failed-in` grades what did not pass in a record, and nothing where all did", async () => {
  const judge = await startJudge(
    once(({ evidence }) => ({ calls: [evidence.includes("BAD") ? fail("right", "no") : pass("right", "yes")] })),
  );
  judges.push(judge);
  const runs = { "task-1": [runFixture({ final_output: "GOOD" })], "task-*": [runFixture({ final_output: "BAD" })] };
  const tasks = [{ id: "task-1" }, { id: "task-*" }];
  const folder = project({ tasks, runs });
  const env = { HOME: temporaryFolder("home"), OPENAI_BASE_URL: judge.url, OPENAI_API_KEY: KEY };
  const record = join(temporaryFolder("record"), "record.json");
  expect((await runCommand(folder, ["--output-file", record], env)).code).toBe(1);
  const again = await runCommand(folder, ["--failed-in", record, "--json"], env);
  expect(again.code).toBe(1);
  const { waza_grade } = JSON.parse(again.out) as { waza_grade: { grades: { task_id: string }[] } };
  expect(waza_grade.grades.map(({ task_id }) => task_id)).toEqual(["task-*"]);
  const runAgain = await runCommand(folder, ["run", "--failed-in", record, "--command", "true", "--dry-run"], env);
  expect(runAgain.out).toContain("task-*");
  expect(runAgain.out).not.toContain("task-1");
  const passed = await runCommand(project({}), ["--output-file", record], env);
  expect(passed.code).toBe(0);
  const none = await runCommand(folder, ["--failed-in", record], env);
  expect([none.code, none.out]).toEqual([0, `Every task passed in \`${record}\`.\n`]);
});

test.each(["a terminal", "a runner"])("a reader of %s that has left changes no verdict", async (where) => {
  const judge = await startJudge(passing);
  judges.push(judge);
  const temp = temporaryFolder("left");
  const env = {
    ...(where === "a runner" ? { GITHUB_ACTIONS: "true", RUNNER_TEMP: temp } : {}),
    ...{ PATH: process.env.PATH, HOME: temp, OPENAI_BASE_URL: judge.url, OPENAI_API_KEY: KEY },
  };
  const child = spawn(process.execPath, [BUNDLE], { cwd: project({}), env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(0);
  expect(judge.asked.length).toBeGreaterThan(0);
});

test("init writes an eval that a dry run takes at once, without results or a key", async () => {
  const folder = temporaryFolder("fresh");
  const init = await runCommand(folder, ["init", "--agent", "claude-code"]);
  expect({ ...init, out: init.out.split("\n")[0] }).toMatchObject({ code: 0, out: "Wrote:", err: "" });
  expect(init.out).not.toContain("evals here already");
  const before = filesIn(folder);
  const [, command = ""] = /dist\/index\.js (.*--dry-run)/.exec(init.out) ?? [];
  const dry = await runCommand(folder, command.split(" "));
  expect(dry.code).toBe(0);
  expect(dry.out).not.toMatch(/^(?:error|warning):/m);
  expect(dry.out).toContain("6 grades");
  expect(filesIn(folder)).toEqual(before);
});

test("run starts the agent of the table, and what it prints is graded without a further word", async () => {
  const folder = temporaryFolder("run");
  await runCommand(folder, ["init", "--agent", "claude-code"]);
  const bin = temporaryFolder("bin");
  const log = join(import.meta.dirname, "../fixtures/outputs/claude-code/explain.jsonl");
  const asked = join(bin, "asked");
  writeFileSync(join(bin, "claude"), `#!/bin/bash\n{ printf '%s\\n' "$@"; cat; } >> '${asked}'\ncat '${log}'\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH ?? ""}`, ANTHROPIC_API_KEY: "k" };
  const ran = await runCommand(folder, ["run", "--agent", "claude-code", "--", "--max-turns", "9"], env);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain("2 of 2 runs made");
  const told = readFileSync(asked, "utf8");
  expect(told).toMatch(/--output-format\nstream-json\n--verbose/);
  expect(told).toContain("--max-turns\n9\n");
  for (const task of ["what-it-is", "no-such-setting"])
    expect(told).toContain(readFileSync(join(folder, `evals/first/tasks/prompts/${task}.md`), "utf8").trim());
  const { code, out } = await runCommand(folder, ["--dry-run"]);
  expect(code).toBe(0);
  expect(out).toContain("6 grades");
  expect(out).not.toMatch(/^(?:error|warning):|not in the results/m);
});

describe("a local command: its exit status and message", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
    version: string;
  };
  const failing = once(() => ({ calls: [fail("Names the file", "It does not")] }));

  test.each<[string, 0 | 1 | 2, string]>([
    ["", 0, "Passed: 1 of 1"],
    ["--fail-on never", 0, "Passed"],
    ["--dry-run", 0, "Dry run: 1 grade planned"],
    ["--help", 0, "Exit status"],
    ["-h", 0, "Exit status"],
    ["-v", 0, version],
    ["--eval none.yaml", 1, "The `eval` glob `none.yaml` matches no file"],
    ["--results none.json", 1, "The `results` glob `none.json` matches no file"],
    ["--min-score 80", 1, "The input `min-score` is `80`. Use a number from 0 to 1"],
    ["--reports html=a.html,junit=b.xml", 1, "Write one report per line"],
    ["--reports junit=/dev/null", 1, "`/dev/null`, which is a pipe or a device"],
    ["--cache-dir /dev/null", 1, "which is not a folder"],
    ["-eval evals/eval.yaml", 2, "Did you mean `--eval`?"],
    ["-vh", 2, "There is no flag `-vh`"],
    ["--evl evals/eval.yaml", 2, "Did you mean `--eval`?"],
    ["--model gpt-4o", 2, "Did you mean `--judge-model`?"],
    ["run --command x --out /sys/waza-grade", 1, "The system refused it: E"],
    ["--baseline default-branch --results none.json", 1, "`--baseline default-branch` is for workflows"],
    ["--api-key sk-x", 2, "OPENAI_API_KEY"],
    ["--failed-in none.json", 2, "`--failed-in none.json`: there is no such file"],
    ["--failed-in a.json --tasks b", 2, "give one of them"],
    ["--eval", 2, "`--eval` needs a value"],
    ["run evals/eval.yaml", 2, "Did you mean `run --eval evals/eval.yaml`?"],
    ["--\u001B[31m::error::x", 2, "There is no flag"],
    ["evals/eval.yaml", 2, "Did you mean `--eval evals/eval.yaml`?"],
    ["init codex", 2, "Did you mean `init --agent codex`?"],
  ])("waza-grade %s: %i, %s", async (line, code, expected) => {
    const isRed = line === "--fail-on never";
    const { out, err, ...end } = await grade(project(), isRed ? failing : passing, {
      args: line.split(" ").filter(Boolean),
    });
    expect(end.code).toBe(code);
    expect(code === 2 ? err : out).toContain(expected);
    expect(code === 2 ? out : err).toBe("");
    expect(`${out}${err}`).not.toMatch(COMMAND);
  });

  test("run/index.js is the entry of the action that runs agents", async () => {
    const env = { GITHUB_ACTIONS: "true", RUNNER_TEMP: temporaryFolder("runner") };
    const entry = join(import.meta.dirname, "../../run/index.js");
    const { code, out } = await runCommand(project(), [], env, entry);
    expect(code).toBe(2);
    expect(out).toContain("Name the agent to run by `agent`");
  });

  test("without a key nothing is asked: 1; where a grade fails: 1", async () => {
    const keyless = await runCommand(project(), []);
    expect(keyless.code).toBe(1);
    expect(keyless.out).toContain("OPENAI_API_KEY");
    const other = await runCommand(project(), [], { ANTHROPIC_API_KEY: "sk-ant-api03-0123456789" });
    expect(other.out).toContain(
      `To judge with the key that is in ANTHROPIC_API_KEY: \`export OPENAI_API_KEY="$ANTHROPIC_API_KEY"\`, and add \`--base-url https://api.anthropic.com/v1\``,
    );
    expect((await grade(project(), failing)).code).toBe(1);
  });
});

/* What is published to npm, as it lies there. */

afterAll(removeTemporaryFolders);

test("the package asks for no other, runs no script, and works where nothing else is", () => {
  const folder = join(temporaryFolder("package"), "waza-grade");
  execFileSync(process.execPath, [join(import.meta.dirname, "../../scripts/package.ts"), folder]);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  expect(Object.keys(manifest).sort()).toEqual(
    ["name", "version", "description", "license", "repository", "type", "bin", "files", "engines"].sort(),
  );
  expect(readdirSync(folder).sort()).toEqual(["LICENSE", "README.md", "action.yml", "dist", "package.json", "run"]);

  const bin = join(folder, (manifest.bin as Record<string, string>)["waza-grade"] ?? "");
  expect(readFileSync(bin, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  const elsewhere = temporaryFolder("elsewhere");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [bin, ...args], { cwd: elsewhere, encoding: "utf8", env: {} });
  expect(run("--help")).toContain("--eval");
  run("init", "--agent", "gemini");
  expect(run("--dry-run")).toContain("6 grades");
});

test("the licenses beside the bundle are those of every package that is locked for production", () => {
  const root = join(import.meta.dirname, "../..");
  const text = readFileSync(join(root, "dist/licenses.txt"), "utf8");
  expect(text).toBe(licensesText(root));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const [name, version] of Object.entries(dependencies)) expect(text).toContain(`${name} ${version}\n`);
  // What these bring along is bundled, too.
  for (const name of ["pend", "fdir", "yocto-queue", "@octokit/core"])
    expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
});
