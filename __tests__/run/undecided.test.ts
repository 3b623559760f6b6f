/** A drop that one more attempt of the agent would decide, as examples/recipes/second-attempt.yml makes it. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, once, type Outcome } from "../support/act.ts";
import { fail, pass } from "../support/judge-server.ts";
import { project, resultsFixture, runFixture } from "../support/projects.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const judge = once(({ evidence }) => ({
  calls: [evidence.includes("BAD") ? fail("It is right", "It says BAD.") : pass("It is right", "It is.")],
}));

/** Results of a run of each task: `P` passes, `F` fails. */
function results(written: string, attempt: number) {
  const runs = Array.from(written, (letter, index) => ({
    id: `t${String(index + 1)}`,
    runs: [
      runFixture({
        run_number: 1 + 100 * attempt,
        final_output: `${letter === "P" ? "GOOD" : "BAD"} ${String(attempt)}`,
      }),
    ],
  }));
  return resultsFixture("suite", runs);
}

let baseline = "";
async function grade(first: string, again?: string, inputs: Record<string, string> = {}): Promise<Outcome> {
  const tasks = Array.from(first, (_, index) => ({ id: `t${String(index + 1)}` }));
  const files = {
    "agent/first/results.json": results(first, 0),
    ...(again === undefined ? {} : { "agent/first/again.json": results(again, 1) }),
  };
  return await act(project({ tasks, files }), judge, {
    inputs: { results: "agent/*/*.json", baseline, "fail-on": "regression", ...inputs },
  });
}

beforeAll(async () => {
  const file = join(temporaryFolder("kept"), "graded.json");
  await grade("PPPPPPPPPPPP", undefined, { "fail-on": "never", "output-file": file, baseline: "" });
  baseline = file;
});

const LINE = "One more attempt would decide: re-run this workflow, both count";

describe("three of twelve newly failing", () => {
  test("are green, and the page and an output say that one more attempt would decide", async () => {
    const outcome = await grade("PPPPPPPPPFFF");
    expect(outcome.outputs).toMatchObject({ conclusion: "success", undecided: "true" });
    expect(lastLine(outcome)).toContain("score 0.75, 1.00 in the baseline: chance may explain it");
    expect(outcome.summary).toContain(LINE);
    expect(outcome.summary).toContain("1 more failure would be red.");
  });

  test.each([
    ["the same fail again", "PPPPPPPPPFFF", "red"],
    ["all pass now", "PPPPPPPPPPPP", "green"],
    ["another one fails", "FPPPPPPPPPPP", "green"],
  ])("and where %s, both attempts count", async (_, again, color) => {
    const outcome = await grade("PPPPPPPPPFFF", again);
    expect(outcome.outputs).toMatchObject({ "grades-skipped": "0", undecided: "true" });
    expect(outcome.code).toBe(color === "red" ? 1 : 0);
    if (color === "red") expect(outcome.summary).not.toContain(LINE);
  });
});

test.each([
  ["nothing dropped", "PPPPPPPPPPPP", {}, "false"],
  ["one of twelve failed", "PPPPPPPPPPPF", {}, "true"],
  ["the drop is red, as the second attempt may show chance", "PPPPPPPFFFFF", {}, "true"],
  ["`max-drop` is a number, which chance does not touch", "PPPPPPPPPFFF", { "max-drop": "50" }, "false"],
  ["there is no baseline", "PPPPPPPPPFFF", { baseline: "/nowhere/*.json" }, ""],
])("where %s, the output is so", async (_, written, inputs, undecided) => {
  expect((await grade(written, undefined, inputs)).outputs.undecided).toBe(undecided);
});
