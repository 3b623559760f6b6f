/** The red lines of the log, in this process: each names the file, the line and what to change. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, failing, lastLine, passing } from "../support/act.ts";
import { project, promptGrader } from "../support/projects.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const EVAL = "name: suite\ntasks: [tasks/*.yaml]\n";
const GRADER = "  - type: prompt\n    name: right\n    config:\n      prompt: Right?\n";

/** A valid project with some files replaced. */
function projectWith(files: Readonly<Record<string, string | Buffer | undefined>>): string {
  const root = project();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content ?? "");
  }
  return root;
}

describe("the step's last line, and no line before it, says where and what to do when", () => {
  test.each<[string, () => string, Readonly<Record<string, string>>, string | RegExp]>([
    [
      "a value is of the wrong type",
      () => projectWith({ "evals/eval.yaml": `${EVAL}graders:\n${GRADER}    weight: heavy\n` }),
      {},
      "evals/eval.yaml:8: `graders[0].weight`: expected a number, not `heavy`. Correct line 8, column 13.",
    ],
    [
      "a value is missing",
      () => projectWith({ "evals/tasks/0001.yaml": "name: One\n" }),
      {},
      "evals/tasks/0001.yaml:1: `id`: expected the task's id, the same as in the results, and there is none. Add `id:` there.",
    ],
    [
      "`graders` is misspelled",
      () => projectWith({ "evals/eval.yaml": `${EVAL}grader:\n${GRADER}` }),
      {},
      "evals/eval.yaml:3: `grader` is not a key of an eval; `graders` seems to be meant. Write `graders:` there.",
    ],
    [
      "`eval` names results",
      () => project(),
      { eval: "results.json" },
      "results.json:1: the file has results (of `waza run -o`), not an eval. Add it to `results`, and set `eval` to the eval file that was run.",
    ],
    [
      "`eval` names another tool's file",
      () => projectWith({ "cases.yaml": "cases: [{prompt: Hello.}]\n" }),
      { eval: "cases.yaml" },
      "cases.yaml:1: the file is an eval of Skill Up (it has `cases`), which is another tool's format; waza-grade reads waza's evals and the `evals.json` of skills. Leave it out with a pattern that starts with `!`.",
    ],
    [
      "an eval is UTF-16",
      () => projectWith({ "evals/eval.yaml": Buffer.from(`\uFEFF${EVAL}`, "utf16le") }),
      {},
      "evals/eval.yaml:1: the file cannot be read: it is UTF-16; write it as UTF-8, in PowerShell with `-Encoding utf8`",
    ],
    [
      "results are UTF-16",
      () => projectWith({ "results.json": Buffer.from('\uFEFF{"tasks": []}', "utf16le") }),
      {},
      "results.json:1: the file is UTF-16, and only UTF-8 is read. Write it as UTF-8: in PowerShell with `| Out-File -Encoding utf8 <file>` instead of `>`.",
    ],
    [
      "there are no results",
      () => project(),
      { results: "out/results.json" },
      /The `results` glob `out\/results\.json` matches no file\. Searched in `.*`\. There is `results\.json`\. Run the agent first, and make sure it writes to the path in `results`\./,
    ],
    [
      "the workspace is empty",
      () => temporaryFolder("empty"),
      {},
      /There is no eval file to read: the workspace \/.* is empty\. In a workflow, add a step with `uses: actions\/checkout` before this one\. `init` writes a first eval: docs\/command-line\.md\./,
    ],
    [
      "nothing was checked out, and only the results are there",
      () => {
        const root = temporaryFolder("not-checked-out");
        writeFileSync(join(root, "results.json"), "{}");
        return root;
      },
      {},
      /The `eval` glob .* If the repository is not checked out, add a step with `uses: actions\/checkout` before this one\. `init` writes a first eval: docs\/command-line\.md\./,
    ],
    [
      "`.waza.yaml` names what no file is called",
      () => projectWith({ ".waza.yaml": "files:\n  evalFile: checks.yaml\n" }),
      {},
      /\.waza\.yaml:2: `files\.evalFile`: no file matches `\*\*\/checks\.yaml`\. Searched in `.*`\. There is `evals\/eval\.yaml`\. Set `eval` to your eval file/,
    ],
  ])("%s", async (_case, workspace, inputs, wording) => {
    const outcome = await act(workspace(), passing, { inputs });
    expect(outcome.code).toBe(1);
    const text =
      typeof wording === "string" ? wording.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : wording.source;
    expect(lastLine(outcome)).toMatch(new RegExp(`^::error::Failed: .*${text}`));
    expect(outcome.log).not.toMatch(/^error: /m);
    expect(outcome.judge.asked).toEqual([]);
  });

  test("the judge gives no verdict: class, message and remedy", async () => {
    const refused = { status: 401, error: { message: "Incorrect API key provided." } };
    const outcome = await act(project(), () => refused);
    expect(outcome.code).toBe(1);
    const why = /credentials: .*Incorrect API key provided\..*`api-key`/;
    expect(lastLine(outcome)).toMatch(why);
    const grade = outcome.log.split("\n").find((line) => line.startsWith("⚠️ grader-1"));
    expect(grade).toMatch(why);
  });
});

test("the job's own annotations say in the log where they are", async () => {
  const outcome = await act(project(), failing, { inputs: { annotations: "job" } });
  expect(outcome.log).toMatch(
    /^::error title=grader-1 · task-1,file=evals\/eval\.yaml,line=(\d+),endLine=\d+::evals\/eval\.yaml:\1: Failed, score 0\.00/m,
  );
});

test("what is the same in many files is one notice, and leaves the annotations to the grades", async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `t${String(index).padStart(2, "0")}`);
  const tasks = ids.map((id) => ({
    id,
    should_trigger: true,
    graders: [{ type: "keyword", name: "old", config: { must_contain: ["x"] } }],
  }));
  const other = { name: "of another tool", cases: [{ prompt: "Hello." }] };
  const root = project({ tasks, graders: [promptGrader("right")], files: { "other/eval.yaml": other } });
  const outcome = await act(root, failing);
  const notices = outcome.log.split("\n").filter((line) => line.startsWith("notice: "));
  const others =
    "Also in `evals/tasks/0002.yaml`, `evals/tasks/0003.yaml`, `evals/tasks/0004.yaml` and 56 more.";
  expect(notices).toEqual([
    `notice: evals/tasks/0001.yaml:9: a grader is of the type \`keyword\`, which waza no longer has; it is ignored. ${others}`,
    `notice: evals/tasks/0001.yaml:7: unknown key is ignored: \`should_trigger\`. ${others}`,
    expect.stringMatching(/^notice: other\/eval\.yaml:1: the file is an eval of Skill Up/),
  ]);
  const levels = outcome.github.checkRuns[0]?.annotations.map(({ annotation_level: level }) => level) ?? [];
  expect(levels).toEqual([...ids.map(() => "failure"), "notice", "notice", "notice"]);
});
