/** The plan that `run` writes is what is graded: the agent is run and its runs are graded, in this process. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, passing } from "../support/act.ts";
import { evals, run } from "../support/agent-runs.ts";
import { pullRequestEvent, removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

type Inputs = Readonly<Record<string, string>>;
interface Call {
  readonly inputs: Inputs;
}

const two = evals({ a: "x", b: "x" });
const NEW = { "evals/tasks/b.yaml": "id: b\ninputs: {prompt: y}\n" };

/** Runs the agent by each of these calls, then grades what is there. */
async function graded(
  calls: readonly Call[],
  between: (root: string, out: string) => void = () => undefined,
) {
  const root = writeProject(two);
  let out = "";
  for (const [at, { inputs }] of calls.entries()) {
    if (at > 0) between(root, out);
    const one = await run({}, { root, env: { ROOT: root }, inputs });
    out = one.out;
  }
  if (calls.length === 1) between(root, out);
  return { root, out };
}

const passes = { command: "echo Done." };

test.each<[string, readonly Call[], ((root: string, out: string) => void) | undefined, number, string]>([
  ["all of them", [{ inputs: passes }], undefined, 0, "2 of 2 graded"],
  ["one task alone", [{ inputs: { ...passes, tasks: "a" } }], undefined, 0, "1 of 1 graded"],
  [
    "one task, after the other was run before and is older",
    [{ inputs: passes }, { inputs: { ...passes, tasks: "a" } }],
    (root) => {
      for (const [file, text] of Object.entries(NEW)) writeFileSync(join(root, file), text);
    },
    0,
    "1 of 1 graded",
  ],
  [
    "by another agent before",
    [{ inputs: { command: "echo Was." } }, { inputs: passes }],
    undefined,
    0,
    "2 of 2",
  ],
  [
    "one of which is gone",
    [{ inputs: passes }],
    (_, out) => {
      rmSync(join(out, "suite"), { recursive: true });
    },
    1,
    "no run of a planned task (`a`, `b`)",
  ],
  [
    "by an agent that edits its judge",
    [{ inputs: { command: 'echo "# easy" >>"$ROOT/evals/eval.yaml"; echo Done.' } }],
    undefined,
    1,
    "Changed while agents worked, and still so: `evals/eval.yaml`",
  ],
  [
    "by an agent that removes a task it fails",
    [{ inputs: { command: 'rm -f "$ROOT/evals/tasks/b.yaml"; echo Done.' } }],
    undefined,
    1,
    "Changed while agents worked, and still so: `evals/tasks/b.yaml`",
  ],
  [
    "by an agent that edits its judge, accepted by one more call",
    [
      {
        inputs: {
          command: '[ -f "$ROOT/x" ] || echo "# easy" >>"$ROOT/evals/eval.yaml"; : >"$ROOT/x"; echo Done.',
        },
      },
      {
        inputs: {
          command: '[ -f "$ROOT/x" ] || echo "# easy" >>"$ROOT/evals/eval.yaml"; : >"$ROOT/x"; echo Done.',
        },
      },
    ],
    undefined,
    0,
    "2 of 2 graded",
  ],
])("runs of %s", async (_what, calls, between, code, words) => {
  const { root, out } = await graded(calls, between);
  const outcome = await act(root, passing, {
    inputs: { results: out, workspace: "" },
    env: { GITHUB_ACTIONS: "" },
  });
  expect([outcome.code, lastLine(outcome)]).toEqual([code, expect.stringContaining(words)]);
});

test.each([
  ["of the repository itself", pullRequestEvent(), "Not run (not selected), and so not graded: `suite/b`"],
  ["of a stranger", pullRequestEvent("stranger/agents"), "no run of `b`"],
])("what a list leaves out in a pull request %s", async (_whose, event, words) => {
  const { root, out } = await graded([{ inputs: { ...passes, tasks: "a", out: "../../runs-of-plan" } }]);
  const outcome = await act(root, passing, { event, inputs: { results: out } });
  expect(outcome.log).toContain(words);
});
