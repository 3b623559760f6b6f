/** The scripts of the workflows in examples/, with stand-ins for the programs that a runner has. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
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

describe("the last five results of the default branch", () => {
  const [first, ...others] = [
    "workflows/evals.yml",
    "recipes/base-evals.yml",
    "recipes/regrade-baseline.yml",
    "recipes/second-attempt.yml",
  ].flatMap((path) =>
    ["grade", ...(path.endsWith("second-attempt.yml") ? ["first"] : [])].map((job) =>
      stepsOf(workflow(path), job).find(({ name }) => name?.startsWith("Get the last five")),
    ),
  );

  test("are found by one script", () => {
    for (const step of others) expect(step).toEqual(first);
  });

  /** GitHub as its command answers: these runs, newest first, of which some kept results. */
  const github = (runs: readonly number[], kept: readonly number[]) => `echo "$*" >> "$TEMP/asked"
[ "$2" = list ] && printf '%s\\n' ${runs.join(" ")} && exit
id=\${2#repos/o/r/actions/runs/} && id=\${id%%/*}
[ "$1" = api ] && { case " ${kept.join(" ")} " in *" $id "*) echo 1 ;; *) echo 0 ;; esac; exit; }
mkdir -p "$7" && touch "$7/graded.json"`;

  function baselineOf(gh: string) {
    const temp = temporaryFolder("runner");
    const { status } = runStep(
      first,
      { gh },
      {
        TEMP: temp,
        BASELINE: join(temp, "baseline"),
        BRANCH: "trunk",
        GH_REPO: "o/r",
        GITHUB_RUN_ID: "9",
        GITHUB_WORKFLOW_REF: "o/r/.github/workflows/evals.yml@refs/pull/1/merge",
      },
    );
    return {
      status,
      found: readdirSync(join(temp, "baseline")).sort(),
      asked: readFileSync(join(temp, "asked"), "utf8"),
    };
  }

  test("are of pushes to it by this workflow, the newest that left any, without this run", () => {
    const { status, found, asked } = baselineOf(github([9, 8, 7, 6, 5, 4, 3, 2], [9, 8, 6, 5, 4, 3, 2]));
    expect(status).toBe(0);
    expect(found).toEqual(["3", "4", "5", "6", "8"]);
    expect(asked).toMatch(/^run list --workflow evals\.yml --branch trunk --event push /);
  });

  test("are found behind more than twenty pushes that kept none", () => {
    const runs = Array.from({ length: 40 }, (_, at) => 100 - at);
    expect(baselineOf(github(runs, [62, 61]))).toMatchObject({ status: 0, found: ["61", "62"] });
  });

  test("are none in a repository that has none", () => {
    expect(baselineOf(github([8, 7], []))).toMatchObject({ status: 0, found: [] });
  });

  test.each([
    ["the list of runs", `echo "$*" >> "$TEMP/asked"; exit 4`],
    ["what a run kept", github([8], [8]).replace('[ "$1" = api ]', '[ "$1" = api ] && exit 4; [ 1 = 2 ]')],
    ["the results", github([8], [8]).replace("mkdir -p", "exit 4; mkdir -p")],
  ])("are an error of the step when GitHub does not answer for %s", (_what, gh) => {
    expect(baselineOf(gh).status).toBe(4);
  });
});

describe("the label `regrade`", () => {
  const step = stepsOf(workflow("recipes/regrade-baseline.yml"), "grade").find(({ id }) => id === "main");

  test.each([
    ["2030-01-01T10:00:00Z labeled", true],
    ["2030-01-01T08:00:00Z labeled", false],
    ["2030-01-01T09:00:00Z labeled", false],
    ["2030-01-01T10:00:00Z labeled\n2030-01-01T11:00:00Z unlabeled", false],
    ["2030-01-01T11:00:00Z unlabeled\n2030-01-01T12:00:00Z labeled", true],
    ["", false],
  ])("set at %j counts for a commit pushed at 9: %j", (events, counts) => {
    const temp = temporaryFolder("runner");
    const baseline = join(temp, "baseline");
    for (const run of ["5", "12"]) mkdirSync(join(baseline, run), { recursive: true });
    const gh = `case "$*" in *actions/runs/*) echo 2030-01-01T09:00:00Z ;; *) printf '%s' "$EVENTS" ;; esac`;
    const output = join(temp, "output");
    writeFileSync(output, "");
    const { status } = runStep(
      step,
      { gh },
      { EVENTS: events, BASELINE: baseline, RUNNER_TEMP: temp, GITHUB_OUTPUT: output },
    );
    expect(status).toBe(0);
    expect(readFileSync(output, "utf8")).toBe(counts ? "regrade=true\n" : "");
    expect([existsSync(join(temp, "main")), existsSync(join(baseline, "12"))]).toEqual([counts, !counts]);
  });
});
