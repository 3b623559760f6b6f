/** Results of `claude plugin eval` (Claude Code 2.1.332 wrote them): its verdicts are graded, compared and published without a judge. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, recordOf, type Outcome } from "../support/act.ts";
import {
  PUSH_TO_MAIN,
  pullRequestThat,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const FIXTURES = join(import.meta.dirname, "../fixtures/plugin-eval");

/** The plugin's cases, as far as an annotation needs them. */
const CASES = {
  "evals/print-label/prompt.md": "Print the label.",
  "evals/print-label/graders/label-holds-town.md": "Oslo",
};

const EVAL = `name: a
graders: [{name: right, type: prompt, config: {prompt: Is it right?}}]
tasks: [task.yaml]
`;

interface Grader {
  passed: boolean;
  explanation: string;
}
interface Result {
  suite: { modelOverride?: string; caseFilter?: string };
  cases: { name: string; dir: string; arms: { with: { graders: Grader[] }[]; without?: unknown } }[];
}

type Edit = (result: Result) => void;

/** Grades a file, or those that are made of it. */
async function grade(
  file: string,
  more: Partial<Parameters<typeof act>[2]> & { readonly edit?: Edit | readonly Edit[] | undefined } = {},
): Promise<Outcome> {
  const { edit = () => undefined, ...rest } = more;
  const results = temporaryFolder("evals");
  for (const [index, one] of [edit].flat().entries()) {
    const result = JSON.parse(readFileSync(join(FIXTURES, file), "utf8")) as Result;
    one(result);
    writeFileSync(join(results, `${String(index)}.json`), JSON.stringify(result));
  }
  const outcome = await act(writeProject(CASES), () => ({}), {
    ...rest,
    inputs: { "api-key": "", offline: "true", ...rest.inputs, results },
  });
  expect(outcome.judge.asked).toEqual([]);
  return outcome;
}

const ERRORED = "errored";

test.each<[file: string, line: string, states: Record<string, string>]>([
  [
    "two-arms.json",
    "Failed: 1 of 3 tasks failed in some of its runs. Score 0.97 (21 of 22 checks passed)",
    { "print-label/trace-judged": "passed failed", "print-label/skill-fired": "passed passed" },
  ],
  [
    "odd.json",
    "Failed: 1 of 11 grades errored without a verdict (not-recorded), 3 failed. Score 0.69 (10 of 11 graded, 1 errored)",
    {
      "odd/broken": ERRORED,
      "odd/no-file": "failed",
      "odd/odd": "passed",
      "mocked/called": "failed",
      "slow/late": "failed",
    },
  ],
  [
    "auth-failed.json",
    "`claude plugin eval` of `parcels` stopped before its end (auth_failed)",
    { "no-skill/says-oslo": "missing" },
  ],
  [
    "rate-limited.json",
    "Failed: 2 of 2 planned runs are missing",
    { "print-label/says-town": "missing missing" },
  ],
  ["api-error-mid-run.json", "Failed: 1 of 1 planned run is missing", { "print-label/says-town": "missing" }],
  [
    "cost-ceiling.json",
    "`claude plugin eval` of `parcels` stopped before its end (cost_ceiling)",
    { "print-label/says-town": ERRORED, "print-label/label-written": "passed" },
  ],
  [
    "interrupted.json",
    "`claude plugin eval` of `parcels` stopped before its end (interrupted)",
    { "no-skill/says-oslo": "passed missing" },
  ],
  [
    "author-faults.json",
    "Failed: 3 of 7 grades errored without a verdict (not-recorded), 4 failed",
    { "n-env/g": ERRORED, "y/x": ERRORED, "o-baseline/g": ERRORED, "r-minmax/g": "failed", "zz/x": "failed" },
  ],
])("%s is read as it says", async (file, line, states) => {
  const outcome = await grade(file);
  expect(lastLine(outcome)).toContain(line);
  const own = recordOf(outcome).grades.filter(({ side }) => side === undefined);
  const named = Map.groupBy(own, ({ task_id: task, grader }) => `${task}/${grader}`);
  for (const [name, said] of Object.entries(states))
    expect([
      name,
      named
        .get(name)
        ?.map(({ state }) => state)
        .join(" "),
    ]).toEqual([name, said]);
});

test("what the provider said of lost runs is told", async () => {
  const { log } = await grade("rate-limited.json");
  expect(log).toContain("API Error: Request rejected (429) · rate limit");
});

test("lift, cost and the client's version are those of the file, and no text speaks of a judge's prompt", async () => {
  const outcome = await grade("two-arms.json");
  expect(outcome.summary).toContain("21/22");
  expect(recordOf(outcome).grades[0]).toMatchObject({
    client: { version: "2.1.332", cost_usd: expect.closeTo(0.000405) },
  });
  expect(outcome.summary).toContain("What the plugin is worth");
  expect(outcome.summary).not.toMatch(
    /Is the judge wrong|Say in the prompt|`offline`|what a judge|Reproduce|statements? pass|[|] Skill/,
  );
});

async function pushed(file: string): Promise<string> {
  const kept = join(temporaryFolder("kept"), "graded.json");
  await grade(file, { inputs: { "output-file": kept, "fail-on": "never" }, ...PUSH_TO_MAIN });
  return kept;
}

const flake = ({ cases: [first] }: Result) => {
  Object.assign(first!.arms.with[1]!.graders[0]!, { passed: false, explanation: "pattern not found" });
};
const outage = ({ cases }: Result) => {
  for (const grader of cases.flatMap(({ arms }) => arms.with.flatMap((run) => run.graders)))
    if (grader.explanation.startsWith("judge votes"))
      Object.assign(grader, { passed: false, explanation: "grader threw: judge call failed: 529" });
};

test.each<
  [name: string, file: string, edit: ((result: Result) => void) | undefined, code: number, line: string]
>([
  ["a real fall is red", "pull-request.json", undefined, 1, "Worse than main: score 0.20, 1.00 on main"],
  ["one flake is green", "main.json", flake, 0, "chance may explain it"],
  ["an outage is errored, and no fall", "main.json", outage, 1, "6 of 12 grades errored without a verdict"],
])("compared with main: %s", async (_, file, edit, code, line) => {
  const baseline = await pushed("main.json");
  const workspace = { event: pullRequestThat(writeProject(CASES), ["README.md"]) };
  const outcome = await grade(file, { edit, inputs: { baseline, "fail-on": "regression" }, ...workspace });
  expect([outcome.code, lastLine(outcome)]).toEqual([code, expect.stringContaining(line)]);
  expect(outcome.summary).not.toMatch(/the skill is worth|what a judge/);
});

test("a failed check is annotated at the grader's own file", async () => {
  const { github } = await grade("main.json", {
    edit: flake,
    inputs: { token: "ghs_loopbackToken0123456789" },
  });
  expect(github.checkRuns[0]?.annotations.map(({ path }) => path)).toContain(
    "evals/print-label/graders/label-holds-town.md",
  );
});

test("a partial file is no baseline", async () => {
  const { outputs } = await grade("interrupted.json", PUSH_TO_MAIN);
  expect(outputs["baseline-worthy"]).toBe("false");
});

test("verdicts that a pull request could commit are not believed", async () => {
  const result = readFileSync(join(FIXTURES, "main.json"), "utf8");
  const workspace = writeProject({ ...CASES, "evals/results/aggregate-result.json": result });
  const inputs = { results: "evals/results/*.json", "api-key": "", offline: "true" };
  const outcome = await act(workspace, () => ({}), { inputs });
  expect([outcome.code, outcome.log]).toEqual([1, expect.stringContaining("lie in the checkout")]);
});

test.each<[name: string, edit: (result: Result) => void, words: string]>([
  ["without a case", (result) => (result.cases = []), "`claude plugin eval` ran no case"],
  ["beside another file", () => undefined, "and other files"],
])("a file %s is red", async (name, edit, words) => {
  const result = JSON.parse(readFileSync(join(FIXTURES, "main.json"), "utf8")) as Result;
  edit(result);
  const folder = temporaryFolder("evals");
  writeFileSync(join(folder, "a.json"), JSON.stringify(result));
  if (name.startsWith("beside")) writeFileSync(join(folder, "b.json"), "{}");
  const outcome = await act(writeProject(CASES), () => ({}), {
    inputs: { results: folder, offline: "true" },
  });
  expect([outcome.code, lastLine(outcome)]).toEqual([1, expect.stringContaining(words)]);
});

test("a file does not decide by itself that its verdicts are trusted", async () => {
  const outcome = await grade("main.json", { inputs: { offline: "false", "api-key": "sk-loopback" } });
  expect([outcome.code, outcome.log]).toEqual([1, expect.stringContaining("with `offline: true`")]);
});

test("beside an eval of ours the file is named, and how it is read", async () => {
  const results = join(temporaryFolder("evals"), "aggregate-result.json");
  writeFileSync(results, readFileSync(join(FIXTURES, "main.json")));
  const workspace = writeProject({
    "evals/a/eval.yaml": EVAL,
    "evals/a/task.yaml": "id: t\ninputs: {prompt: Hi.}\n",
  });
  const outcome = await act(workspace, () => ({}), { inputs: { results } });
  expect([outcome.code, outcome.log]).toEqual([1, expect.stringContaining("Set `offline: true`")]);
});

const caseOf = (wanted: string) => (result: Result) => {
  result.cases = result.cases.filter(({ name }) => name === wanted);
};
const byModel = (model: string) => (result: Result) => {
  result.suite.modelOverride = model;
};

test.each<[name: string, edits: Edit[], line: string]>([
  [
    "several models",
    [byModel("sonnet"), byModel("haiku")],
    "Failed: 1 of 3 tasks failed in some of its runs. Score 0.97 (42 of 44 checks passed)",
  ],
  ["parts of the cases", [caseOf("print-label"), caseOf("no-skill")], "Failed: 1 of 2 tasks failed"],
])("files of %s are one eval, also without the plugin", async (_, edit, line) => {
  const outcome = await grade("two-arms.json", { edit });
  expect(lastLine(outcome)).toContain(line);
  expect(recordOf(outcome).grades.map(({ side }) => side)).toContain("without-skill");
});

test("a case that is asked for less often than another lacks no run", async () => {
  const edit = ({ cases }: Result) => void cases[0]!.arms.with.splice(1);
  expect(lastLine(await grade("two-arms.json", { edit }))).toContain("(19 of 20 checks passed)");
});

test.each([
  ["left out by `--case`", "print-*", 0, "ot worse than main"],
  ["gone", "*", 1, "gone"],
])("a case of main that is %s", async (_, caseFilter, code, line) => {
  const baseline = await pushed("two-arms.json");
  const edit = (result: Result) => {
    caseOf("print-label")(result);
    result.suite.caseFilter = caseFilter;
  };
  const outcome = await grade("two-arms.json", { edit, inputs: { baseline, "fail-on": "regression" } });
  expect([outcome.code, lastLine(outcome)]).toEqual([code, expect.stringContaining(line)]);
});

test.each([true, false])("of two graders of one name a failure counts, %s first", async (first) => {
  const outcome = await grade("main.json", {
    edit: (result) => {
      for (const run of result.cases.flatMap(({ arms }) => arms.with))
        run.graders = run.graders.flatMap((one) => [
          { ...one, passed: first },
          { ...one, passed: !first },
        ]);
    },
  });
  expect(outcome.code).toBe(1);
});

test("a dry run counts verdicts that are there, and prices none", async () => {
  const outcome = await grade("main.json", { inputs: { "dry-run": "true" } });
  expect(outcome.log).toContain("A dry run: 30 grades need no judge.");
  expect(lastLine(outcome)).toContain("12 grades planned");
});

test("a failing grader that a pull request takes out of the score is gone", async () => {
  const baseline = await pushed("main.json");
  const edit = ({ cases }: Result) => {
    for (const one of cases as unknown as { graders: { name: string; config: object }[] }[])
      for (const grader of one.graders.filter(({ name }) => name !== "says-town"))
        Object.assign(grader.config, { arm: "with-only" });
  };
  const outcome = await grade("main.json", { edit, inputs: { baseline, "fail-on": "regression" } });
  expect([outcome.code, lastLine(outcome)]).toEqual([1, expect.stringContaining("gone")]);
});
