/** The scripts of the workflows in examples/, with stand-ins for the programs that a runner has. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { expanded } from "../../scripts/full-workflow.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

const EXAMPLES = join(import.meta.dirname, "../../examples");

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

function stepsOf(text: string, job: string): readonly Step[] {
  const { jobs } = parse(text) as { jobs: Record<string, { steps: readonly Step[] }> };
  return jobs[job]?.steps ?? [];
}

const workflow = (path: string) => readFileSync(join(EXAMPLES, path), "utf8");

/** Runs a step's script as a runner does, with programs by their shell scripts. */
function runStep(
  step: Step | undefined,
  programs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  cwd = temporaryFolder("checkout"),
) {
  const bin = temporaryFolder("bin");
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/bash\n${script}`, { mode: 0o755 });
  const given = { PATH: `${bin}:${process.env.PATH ?? ""}`, ...step?.env, ...env };
  return spawnSync("bash", ["-e", "-c", step?.run ?? "exit 9"], { cwd, env: given, encoding: "utf8" });
}

/** Files of the repository. */
const file = (path: string) => readFileSync(join(EXAMPLES, "..", path), "utf8");

describe("the called workflow", () => {
  const called = file(".github/workflows/evals.yml");

  test("is, with what the call of the example gives it, the example that has the jobs themselves", () => {
    expect(expanded(called, workflow("workflows/evals.yml"))).toBe(workflow("workflows/full.yml"));
  });

  test("gives our actions inputs that they have", () => {
    for (const [action, path] of [
      ["$/run", "run/action.yml"],
      ["$/grade", "grade/action.yml"],
    ] as const) {
      const { inputs } = parse(file(path)) as { inputs: object };
      const { jobs } = parse(called) as {
        jobs: Record<string, { steps: readonly (Step & { uses?: string })[] }>;
      };
      const given = Object.values(jobs).flatMap(({ steps }) => steps.filter(({ uses }) => uses === action));
      expect(given.length).toBeGreaterThan(1);
      const unknown = given
        .flatMap((step) => Object.keys(step.with ?? {}))
        .filter((name) => !(name in inputs));
      expect(unknown).toEqual([]);
    }
  });

  test("names no path of its own repository that is empty: a runner takes `$/` for another repository's", () => {
    for (const name of readdirSync(join(EXAMPLES, "../.github/workflows")))
      for (const [, path = ""] of file(`.github/workflows/${name}`).matchAll(/uses: \$\/+(\S*)/g))
        expect(existsSync(join(EXAMPLES, "..", path, "action.yml")) && path).toMatch(/^(?:run|grade)$/);
  });

  const MATRIX =
    /fromJSON\(fromJSON\('(.*?)'\)\[inputs\.shards < 0 && 1 \|\| inputs\.shards\] \|\| '(.*?)'\)/;
  test.each([
    [-1, 1],
    [0, 1],
    [1, 1],
    [2, 2],
    [10, 10],
    [11, 10],
  ])("for %d shards has %d machines", (shards, count) => {
    const [, lists = "", most = ""] = MATRIX.exec(called) ?? [];
    const machines = JSON.parse((JSON.parse(lists) as string[])[shards < 0 ? 1 : shards] ?? most) as number[];
    expect(machines).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  test.each([
    ["0", 0, "::notice::Nothing to grade"],
    ["3", 1, "::error::3 runs of the agent are due: add the label evals"],
    ["", 1, "::error::"],
  ])("without the label, with %j runs planned, ends with %d", (planned, status, words) => {
    const step = stepsOf(called, "decide").find(({ env }) => env?.PLANNED !== undefined);
    const ended = runStep(step, {}, { PLANNED: planned });
    expect(ended.status).toBe(status);
    expect(ended.stdout).toContain(words);
  });

  test.each([
    ["success", "success", 0],
    ["success", "pending", 1],
    ["success", "", 1],
    ["failure", "failure", 1],
    ["skipped", "", 1],
    ["cancelled", "", 1],
  ])(
    "passes only if the job that grades did, and the last verdict is no request: %s, %j",
    (result, conclusion, status) => {
      const step = stepsOf(called, "decide").find(({ env }) => env?.GRADE !== undefined);
      expect(runStep(step, {}, { GRADE: result, CONCLUSION: conclusion }).status).toBe(status);
    },
  );
});

test("the recipe of a plugin's traces makes a run of each, in the arm that it is of", () => {
  const temp = temporaryFolder("temp");
  const left = temporaryFolder("left");
  mkdirSync(join(left, "out"));
  mkdirSync(join(left, "home/cwd"), { recursive: true });
  writeFileSync(join(left, "out/trace.jsonl"), "{}\n");
  writeFileSync(join(left, "home/cwd/label.txt"), "Oslo");
  mkdirSync(join(temp, "plugin-evals"));
  const runs = [{ tracePath: join(left, "out/trace.jsonl") }, { tracePath: "" }];
  const result = { cases: [{ name: "label", arms: { with: runs, without: runs } }] };
  writeFileSync(join(temp, "plugin-evals/aggregate-result.json"), JSON.stringify(result));
  const step = stepsOf(workflow("recipes/plugin-traces.yml"), "run").find(
    ({ env }) => env?.EVAL !== undefined,
  );
  expect(runStep(step, {}, { RUNNER_TEMP: temp }).status).toBe(0);
  const made = readdirSync(join(temp, "runs"), { recursive: true, encoding: "utf8" });
  expect(made.filter((path) => /[.]/.test(path)).sort()).toEqual(
    ["with-1", "without-1"].flatMap((run) =>
      ["log.jsonl", "run.json", "work/label.txt"].map((path) => `label/${run}/${path}`),
    ),
  );
  const record = JSON.parse(readFileSync(join(temp, "runs/label/without-1/run.json"), "utf8")) as unknown;
  expect(record).toMatchObject({
    task: "label",
    trial: 1,
    trials: 2,
    side: "without-skill",
    workspace: "work",
  });
});

test.each(["workflows/plugin-evals.yml", "recipes/plugin-traces.yml"])(
  "%s is no pass where nothing ran: its last job is not skipped",
  (path) => {
    const { jobs } = parse(workflow(path)) as { jobs: Record<string, { if?: string }> };
    expect(jobs.grade?.if).toBe("${{ !cancelled() }}");
  },
);
