/** Files that say what is judged, changed while agents worked: found by each eval's own root, and an error of grading. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { planProblems } from "../../src/plan/left-out.ts";
import { judgedFiles } from "../../src/runner/eval-files.ts";
import { suiteOf } from "../support/factories.ts";
import { expectSaid } from "../support/problems.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

/** Two repositories, one in the other: of one name is a file in each, and the inner eval is one file by two paths. */
function twoRoots() {
  const workspace = writeProject({
    "evals/eval.yaml": "outer",
    ".waza.yaml": "outer",
    "sub/evals/eval.yaml": "inner",
    "sub/.waza.yaml": "inner",
  });
  const suiteAt = (root: string, path: string) =>
    suiteOf({ tasks: [], root, at: { path, startLine: 1, endLine: 1, inRepository: true } });
  const suites = [
    suiteAt(workspace, "evals/eval.yaml"),
    suiteAt(workspace, "sub/evals/eval.yaml"),
    suiteAt(join(workspace, "sub"), "evals/eval.yaml"),
  ];
  return { workspace, suites };
}

test.each<[string, string, readonly string[]]>([
  ["of one root", ".waza.yaml", [".waza.yaml of evals/eval.yaml", ".waza.yaml of sub/evals/eval.yaml"]],
  [
    "that two roots share",
    "sub/.waza.yaml",
    ["sub/.waza.yaml of sub/evals/eval.yaml", ".waza.yaml of evals/eval.yaml"],
  ],
  [
    "that is an eval in two roots",
    "sub/evals/eval.yaml",
    ["sub/evals/eval.yaml of sub/evals/eval.yaml", "evals/eval.yaml of evals/eval.yaml"],
  ],
])("a judged file %s is found for each eval that has it", async (_case, file, expected) => {
  const { workspace, suites } = twoRoots();
  const touchedSince = await judgedFiles(suites);
  expect(await touchedSince()).toEqual([]);
  appendFileSync(join(workspace, file), "\nchanged");
  const touched = await touchedSince();
  expect(touched.map((one) => `${one.file} of ${one.eval}`)).toEqual(expected);
  const runsPlan = { runs: [], old: [], left: [], hadNoKey: false, ended: [], touched };
  const read = { suites, whyLeft: () => undefined, results: [], runsPlan };
  const names = [...new Set(touched.map((one) => `\`${one.file}\``))].join(", ");
  expectSaid(await planProblems(read, workspace), [`error judge-changed … ${names}`]);
  appendFileSync(join(workspace, file), "\nand changed once more");
  expectSaid(await planProblems(read, workspace), []);
});
