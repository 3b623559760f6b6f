/** The plan that `run` writes is what is graded: the agent is run and its runs are graded, in this process. */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, passing } from "../support/act.ts";
import { GRADERS, type Files, evals, run } from "../support/agent-runs.ts";
import type { GitHubOptions } from "../support/github-server.ts";
import {
  pullRequestEvent,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

type Inputs = Readonly<Record<string, string>>;
const two = evals({ a: "x", b: "x" });
const C = "id: c\ninputs: {prompt: z}\n";
const NEW = { "evals/tasks/b.yaml": "id: b\ninputs: {prompt: y}\n" };

/** Runs the agent by each of these calls, then grades what is there. */
async function graded(calls: readonly Inputs[], { between, files = two }: Given = {}) {
  const root = writeProject(files);
  let out = "";
  for (const [at, inputs] of calls.entries()) {
    if (at > 0) between?.(root, out);
    const one = await run({}, { root, env: { ROOT: root }, inputs });
    out = one.out;
  }
  if (calls.length === 1) between?.(root, out);
  return { root, out };
}

/** Grades these runs outside of a workflow. */
const atTheDesk = (results: string) => ({
  inputs: { results, workspace: "" },
  env: { GITHUB_ACTIONS: "" },
});

const other = { ...two, "other/eval.yaml": `name: other\ntasks: [c.yaml]\n${GRADERS}\n`, "other/c.yaml": C };
/** An agent that does this once. */
const once = (what: string) => ({ command: `[ -f "$ROOT/x" ] || ${what}; : >"$ROOT/x"; echo Done.` });
const easy = once('echo "# easy" >>"$ROOT/evals/eval.yaml"');
const passes = { command: "echo Done." };

const changed = (file: string) => `Changed while agents worked, and still so: \`${file}\``;
/** The prompt of another task is new. */
const edit = (root: string) => {
  for (const [file, text] of Object.entries(NEW)) writeFileSync(join(root, file), text);
};
const lose = (_root: string, out: string) => {
  rmSync(join(out, "suite"), { recursive: true });
};
const rename = (root: string) => {
  renameSync(join(root, "other"), join(root, "renamed"));
};
const remove = (root: string) => {
  rmSync(join(root, "other"), { recursive: true });
};

interface Given {
  readonly between?: (root: string, out: string) => void;
  readonly files?: Files;
}

test.each<[string, calls: readonly Inputs[], Given, code: number, words: string]>([
  ["all of them", [passes], {}, 0, "2 of 2 checks passed"],
  ["one task alone", [{ ...passes, tasks: "a" }], {}, 0, "1 of 1 check passed"],
  [
    "one task, after the other was run before and is older",
    [passes, { ...passes, tasks: "a" }],
    { between: edit },
    0,
    "1 of 1 check passed",
  ],
  ["by another agent before", [{ command: "echo Was." }, passes], {}, 0, "2 of 2"],
  ["one of which is gone", [passes], { between: lose }, 1, "no run of a planned task (`a`, `b`)"],
  [
    "by an agent that edits its judge",
    [{ command: 'echo "# easy" >>"$ROOT/evals/eval.yaml"; echo Done.' }],
    {},
    1,
    changed("evals/eval.yaml"),
  ],
  [
    "by an agent that removes a task it fails",
    [{ command: 'rm -f "$ROOT/evals/tasks/b.yaml"; echo Done.' }],
    {},
    1,
    changed("evals/tasks/b.yaml"),
  ],
  [
    "by an agent that edits its judge, accepted by one more call",
    [easy, easy],
    {},
    0,
    "2 of 2 checks passed",
  ],
  [
    "by an agent that edits its judge, which a call of another eval does not accept",
    [easy, { ...easy, eval: "other/eval.yaml" }],
    { files: other },
    1,
    changed("evals/eval.yaml"),
  ],
  [
    "by an agent that names its judge",
    [once('echo "defaults: {judgeModel: easy}" >"$ROOT/evals/.waza.yaml"')],
    {},
    1,
    changed("evals/.waza.yaml"),
  ],
  [
    "two evals, one of which was renamed before the agent was run again",
    [passes, passes],
    { between: rename, files: other },
    0,
    "3 of 3 checks passed",
  ],
  [
    "two evals, one of which was removed before the agent was run again",
    [passes, passes],
    { between: remove, files: other },
    0,
    "2 of 2 checks passed",
  ],
])("runs of %s", async (_case, calls, given, code, words) => {
  const { root, out } = await graded(calls, given);
  const outcome = await act(root, passing, atTheDesk(out));
  expect([outcome.code, lastLine(outcome)]).toEqual([code, expect.stringContaining(words)]);
});

test("runs of trigger queries count whose prompt is a judged task's, with files", async () => {
  const files = ["evals/files/x.csv"];
  const judged = { id: 2, prompt: "Sum x.csv.", files, should_trigger: false, assertions: ["It sums"] };
  const root = writeProject({
    "pdf/SKILL.md": "---\nname: pdf\ndescription: PDFs\n---\n",
    "pdf/evals/files/x.csv": "1,2\n",
    "pdf/evals/evals.json": {
      skill_name: "pdf",
      evals: [judged, { query: "Read.", should_trigger: true, files }],
    },
  });
  const { out } = await run({}, { root, inputs: { triggers: "true" } });
  const outcome = await act(root, passing, atTheDesk(out));
  expect(outcome.log).toMatch(/triggers: \d of 2 queries right/);
  expect(outcome.log).not.toContain("made before the skill");
});

/** A run of the base's workflow for what a stranger's pull request made. */
const ofStranger = {
  name: "workflow_run",
  payload: {
    workflow_run: {
      event: "pull_request",
      head_sha: "e".repeat(40),
      head_branch: "topic",
      head_repository: { full_name: "stranger/agents" },
    },
  },
};

test.each([
  ["of the repository itself", pullRequestEvent(), "Not run (not selected), and so not graded: `suite/b`"],
  [
    "of a stranger",
    pullRequestEvent("stranger/agents"),
    "Not run (not selected), and so not graded: `suite/b`",
  ],
  ["of a stranger, graded by the base's workflow", ofStranger, "no run of `b`"],
])("what a list leaves out in a pull request %s", async (_whose, event, words) => {
  const { root, out } = await graded([{ ...passes, tasks: "a", out: temporaryFolder("runs") }]);
  const outcome = await act(root, passing, { event, inputs: { results: out } });
  expect(outcome.log).toContain(words);
});

/** The list in a folder, with these changes, in another folder. */
function listAs(from: string, to: string, change: (row: Row) => readonly Row[], more: object = {}): void {
  const list = JSON.parse(readFileSync(join(from, "runs.json"), "utf8")) as { runs: readonly Row[] };
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, "runs.json"), JSON.stringify({ ...list, runs: list.runs.flatMap(change), ...more }));
}

interface Row {
  readonly folder: string;
  readonly task?: string;
  readonly agent?: string;
  readonly run_sha256?: string;
  readonly work_sha256?: string;
}

/** A row of a run that was not made. */
const unmade = ({ run_sha256: _run, work_sha256: _work, ...row }: Row) => row;

test.each<[string, (runs: string) => void, string]>([
  [
    "another agent, whose runs never came, beside one that made the same tasks",
    (runs) => {
      listAs(join(runs, "first"), join(runs, "second"), (row) => [
        { ...unmade(row), folder: `${row.folder}-codex`, agent: "codex" },
      ]);
    },
    "2 of 4 planned runs are missing: only 1 of 2 runs of `a`, only 1 of 2 runs of `b`",
  ],
  [
    "the job that plans, beside a narrower one that an agent planted",
    (runs) => {
      const own = join(runs, "first");
      listAs(own, join(runs, "plan"), (row) => [unmade(row)]);
      listAs(own, own, (row) => (row.task === "a" ? [row] : []), {
        left: [{ eval: "evals/eval.yaml", task: "b", why: "not selected" }],
      });
      rmSync(join(own, "suite"), { recursive: true });
    },
    "no run of a planned task (`a`, `b`)",
  ],
  [
    "the job that plans alone, where an agent's list plans a run more and leaves a task out",
    (runs) => {
      const own = join(runs, "first");
      listAs(own, join(runs, "plan"), (row) => [unmade(row)], { plans: "all" });
      const isOfA = ({ task }: Row) => task === "a";
      listAs(own, own, (row) => (isOfA(row) ? [row, { ...row, folder: `${row.folder}-2` }] : []), {
        left: [{ eval: "evals/eval.yaml", task: "b", why: "not selected" }],
      });
      const ofB = readdirSync(join(own, "suite")).filter((name) => name.startsWith("b-"));
      for (const name of ofB) rmSync(join(own, "suite", name), { recursive: true });
    },
    "1 of 2 planned runs is missing: no run of `b`",
  ],
])("is red by the list of %s", async (_whose, change, words) => {
  const runs = temporaryFolder("runs");
  const { root } = await graded([{ ...passes, out: join(runs, "first") }]);
  change(runs);
  const outcome = await act(root, passing, { event: pullRequestEvent(), inputs: { results: runs } });
  expect(outcome.outputs.conclusion).toBe("failure");
  expect(lastLine(outcome)).toContain(words);
});

const AGENT_JOB = {
  name: "evals / agent (1)",
  html_url: "https://github.com/octo/agents/actions/runs/1000/job/7",
  conclusion: "failure",
  steps: [
    { name: "Run actions/checkout", conclusion: "success" },
    { name: "Run pip install nothing", conclusion: "failure" },
  ],
};
const OTHER_JOB = { ...AGENT_JOB, name: "test", steps: [] };
const RUN_PAGE = "https://github.com/octo/agents/actions/runs/1000/attempts/1";

test.each<[string, GitHubOptions, object, { title: string; help: readonly string[]; page: string }]>([
  [
    "the job of the agent, which failed in its setup",
    { jobs: [OTHER_JOB, AGENT_JOB] },
    {},
    {
      title: "Failed: the job `agent` ended before it ran anything",
      help: ["Its step `Run pip install nothing` failed."],
      page: AGENT_JOB.html_url,
    },
  ],
  [
    "the job of the agent, whose client could not be installed, in the words of npm",
    { jobs: [AGENT_JOB] },
    { ended: "npm could not install claude: E404" },
    {
      title: "Failed: the job `agent` ended before it ran anything",
      help: ["npm could not install claude: E404. Its step `Run pip install nothing` failed."],
      page: AGENT_JOB.html_url,
    },
  ],
  [
    "its run and the words of npm, where the token may not read the jobs",
    {},
    { ended: "npm could not install claude: E404" },
    {
      title: "Failed: the job `agent` ended before it ran anything",
      help: ["npm could not install claude: E404."],
      page: RUN_PAGE,
    },
  ],
  [
    "its run, where the agent's job went well",
    { jobs: [{ ...AGENT_JOB, conclusion: "success" }] },
    {},
    { title: "no run of a planned task (`a`, `b`)", help: [], page: RUN_PAGE },
  ],
  [
    "its run, where the token may not read the jobs",
    {},
    {},
    { title: "no run of a planned task (`a`, `b`)", help: [], page: RUN_PAGE },
  ],
])("a list of which nothing came leads to %s", async (_case, github, more, { title, help, page }) => {
  const runs = temporaryFolder("runs");
  const { root } = await graded([{ ...passes, out: join(runs, "first") }]);
  listAs(join(runs, "first"), join(runs, "plan"), (row) => [unmade(row)], more);
  rmSync(join(runs, "first"), { recursive: true });
  const outcome = await act(root, passing, { event: pullRequestEvent(), inputs: { results: runs }, github });
  expect(lastLine(outcome)).toContain(title);
  for (const words of help) expect(outcome.summary).toContain(words);
  expect(outcome.summary).toContain(`<a href="${page}">The`);
});

/** A list that asks for further runs, as grading writes it. */
function asking(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const usual = { folder: "x", eval: "evals/eval.yaml", agent: "command", again: true };
  const runs = rows.map((row) => ({ ...usual, ...row }));
  const file = join(temporaryFolder("asked"), "runs-again.json");
  writeFileSync(file, JSON.stringify({ version: 2, runs }));
  return file;
}

test("a list is shared among machines, each with what was left out and why", async () => {
  const between = { by: "git", from: "a".repeat(40), to: "b".repeat(40) } as const;
  const dry = await run(two, {
    isStep: true,
    more: { changes: () => Promise.resolve({ files: ["evals/eval.yaml"], between }) },
    inputs: { ...passes, tasks: "a", "changed-only": "true", lift: "true", trials: "2", "dry-run": "true" },
  });
  const plan = join(dry.out, "runs.json");
  const parts = await Promise.all(
    ["1/2", "2/2"].map(async (shard) => await run(two, { inputs: { ...passes, plan, shard } })),
  );
  expect(
    parts.map(({ records }) =>
      records.map(({ task, trial, trials, side, sides }) => [task, trial, trials, side, sides]),
    ),
  ).toEqual([
    [
      ["a", 1, 2, undefined, 2],
      ["a", 1, 2, "without-skill", 2],
      ["a", 2, 2, undefined, 2],
      ["a", 2, 2, "without-skill", 2],
    ],
    [],
  ]);
  const listOf = (file: string) =>
    JSON.parse(readFileSync(file, "utf8")) as { runs: unknown[]; left: unknown[] };
  const planned = listOf(plan);
  expect(planned.left).toEqual([{ eval: "evals/eval.yaml", task: "b", why: "not selected" }]);
  expect(listOf(join(parts[1]?.out ?? "", "runs-2-of-2.json"))).toMatchObject({
    runs: planned.runs,
    left: planned.left,
    changes: between,
  });
});

test.each([
  ["stay where the first runs are kept", passes, [1, 2, 3], true],
  ["are gone where the first runs are made anew", { ...passes, again: "true" }, [1], false],
])("further runs of a second look %s", async (_case, last, trials, isThere) => {
  const plan = asking([2, 3].map((trial) => ({ task: "b", trial })));
  const { out } = await graded([passes, { ...passes, plan }, last], { files: two });
  const { runs } = JSON.parse(readFileSync(join(out, "runs.json"), "utf8")) as {
    runs: { folder: string; task: string; trial: number; again?: true }[];
  };
  const ofB = runs.filter(({ task }) => task === "b");
  expect(ofB.map(({ trial }) => trial).sort()).toEqual(trials);
  expect(ofB.some(({ again }) => again)).toBe(isThere);
});

test("a list says which runs are made, in place of all that chooses: of tasks and of trigger evals", async () => {
  const files = {
    ...two,
    "skills/pdf/SKILL.md": "---\nname: pdf\ndescription: x\n---\n",
    "skills/pdf/evals/trigger_eval.json": [{ query: "read it", should_trigger: true }],
  };
  const trigger = { eval: "skills/pdf/evals/trigger_eval.json", trigger: "read it", skill: "pdf", trial: 4 };
  const again = [2, 3].map((trial) => ({ task: "b", trial }));
  const plan = asking([...again, trigger, { task: "a", trial: 2, model: "m" }]);
  const { root, out } = await graded([passes, { ...passes, plan }], { files });
  const { runs } = JSON.parse(readFileSync(join(out, "runs.json"), "utf8")) as {
    runs: Record<string, unknown>[];
  };
  const shown = runs.map(({ task, trigger: query, trial, again }) => [task ?? query, trial, again === true]);
  expect(shown.sort()).toEqual([
    ["a", 1, false],
    ["b", 1, false],
    ["b", 2, true],
    ["b", 3, true],
    ["read it", 4, true],
  ]);
  expect(runs.every((row) => typeof row.run_sha256 === "string")).toBe(true);
  const outcome = await act(root, passing, atTheDesk(out));
  expect(outcome.log).toContain("4 of 4 checks passed");
});

test.each<[string, () => Inputs, RegExp]>([
  ["nothing", () => ({ plan: join(temporaryFolder("none"), "x.json") }), /is not there/],
  ["no list", () => ({ plan: import.meta.filename }), /is no list of runs/],
  [
    "a list of another agent's runs",
    () => ({ plan: asking([{ task: "a", agent: "codex" }]) }),
    /plans no run of this agent/,
  ],
  [
    "a task that is gone",
    () => ({ plan: asking([{ task: "z", trial: 2 }]) }),
    /plans what no eval has: `evals\/eval\.yaml: z`/,
  ],
  [
    "another choice beside it",
    () => ({ plan: asking([{ task: "a" }]), tasks: "a", trials: "2" }),
    /leave out `tasks`, `trials`/,
  ],
])("nothing is started by %s", async (_, inputs, words) => {
  const { text, records } = await run(two, { inputs: { ...passes, ...inputs() } });
  expect(records).toEqual([]);
  expect(text).toMatch(words);
});
