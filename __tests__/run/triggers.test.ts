/** Trigger evals beside those of a baseline, in this process. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine, passing, recordOf } from "../support/act.ts";
import { AGAIN_LIST } from "../../src/domain/run.ts";
import { rowsIn } from "../../src/results/row-file.ts";
import { times } from "../support/factories.ts";
import { allOf, begun, ended, jsonLines, loads, placedRun, saidText } from "../support/outputs.ts";
import {
  PUSH_TO_MAIN,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const EVALS = {
  "skills/pdf/evals/evals.json": {
    skill_name: "pdf",
    evals: [{ id: 1, prompt: "Do.", assertions: ["It is done"] }],
  },
};
const root = () => writeProject(EVALS);

const log = (isLoaded: boolean) =>
  jsonLines(begun(), isLoaded ? loads("pdf") : saidText("No."), ended({ result: "No." }));

/** A trial of a query by what it left: whether it loads the skill, or its log. */
function trialOf(trigger: string, trial: number, left: boolean | string, should_trigger = true) {
  const record = { eval: "skills/pdf/evals/triggers.json", trigger, skill: "pdf", should_trigger, trial };
  return placedRun(`${trigger}-${String(trial)}`, record, typeof left === "string" ? left : log(left));
}

/** So many runs of each query, of which so many load the skill. */
function results(runs: number, right: Readonly<Record<string, number>>, isAlone = false): string {
  const files = Object.entries(right).flatMap(([query, most]) =>
    times(runs, (index) => trialOf(query, index + 1, index < most)),
  );
  const own = isAlone ? {} : placedRun("with/1", { eval: "skills/pdf/evals/evals.json", task: "1" }, "With.");
  return writeProject(allOf(own, ...files));
}

describe("trigger evals beside a baseline", () => {
  test.each<[string, Readonly<Record<"a" | "b", number>>, string, string]>([
    ["that lost a query are a regression", { a: 5, b: 0 }, "failure", "regression"],
    ["that lost one run of ten are not", { a: 5, b: 4 }, "success", "passed"],
  ])("%s", async (_case, loads, conclusion, rule) => {
    const file = join(temporaryFolder("baseline"), "main.json");
    const before = { results: results(5, { a: 5, b: 5 }), "output-file": file };
    expect((await act(root(), passing, { inputs: before })).outputs.conclusion).toBe("success");
    const inputs = { results: results(5, loads), baseline: file, "fail-on": "regression" };
    const outcome = await act(root(), passing, { inputs });
    const { outputs, summary } = outcome;
    expect(outputs).toMatchObject({ conclusion });
    const record = recordOf(outcome);
    expect(record.rule).toBe(rule);
    const queries = record.grades.filter(({ query }) => query);
    const failed = queries.filter(({ state }) => state === "failed");
    expect([queries.length, failed.map(({ task_id: id }) => id)]).toEqual([
      10,
      times(5 - loads.b, () => "b"),
    ]);
    // Nothing else of the record counts them, and nothing that reads its grades takes them for a judge's.
    expect(rowsIn({ waza_grade: record })).toHaveLength(1);
    expect([record.score, outputs.passed, outputs["grades-failed"]]).toEqual([1, "true", "0"]);
    expect(summary).toContain(`| pdf | yes | 5/5 → ${String(loads.b)}/5 |`);
    expect(summary).not.toContain("is it installed");
  });

  const WORSE = "1 trigger query is right in 0 of 5 runs, in the baseline in 5 of 5 runs: `a`";
  test.each([
    ["that are not worse, are no regression", 5, 5, "success", "Only the trigger evals are compared"],
    ["that are worse, are red", 0, 5, "failure", WORSE],
    ["that never load it any more, are red", 0, 1, "failure", "passes no check now is red at any score"],
  ])("alone %s", async (_case, loads, of, conclusion, words) => {
    const file = join(temporaryFolder("baseline"), "main.json");
    await act(root(), passing, { inputs: { results: results(of, { a: of }), "output-file": file } });
    const inputs = { results: results(of, { a: loads }, true), baseline: file, "fail-on": "regression" };
    const outcome = await act(root(), passing, { inputs });
    expect(outcome.outputs).toMatchObject({ conclusion });
    expect(outcome.log).toContain(words);
    expect(outcome.log + outcome.summary).not.toMatch(/gone|can be compared/);
  });

  const asks = (queries: readonly (string | readonly [string, boolean])[]) =>
    writeProject({
      "skills/pdf/SKILL.md": "---\nname: pdf\ndescription: PDFs\n---\n",
      ...(queries.length === 0 ? EVALS : {}),
      "skills/pdf/evals/triggers.json": queries.map((one) => {
        const [query, shouldTrigger] = typeof one === "string" ? [one, true] : one;
        return { query, should_trigger: shouldTrigger };
      }),
    });
  // What each trial of a query leaves: `true` where it loads the skill, or its log.
  const left = (given: Readonly<Record<string, boolean | string>>, shouldTrigger = true) =>
    writeProject(
      allOf(
        ...Object.entries(given).flatMap(([query, is]) =>
          [1, 2, 3].map((trial) => trialOf(query, trial, is, shouldTrigger)),
        ),
      ),
    );

  test.each<[string, Parameters<typeof asks>[0], string, string, string, Record<string, string>?]>([
    ["are all right", ["a", "b"], left({ a: true, b: true }), "success", "triggers: 2 of 2 queries right"],
    [
      "lost a query",
      ["a", "b"],
      left({ a: true, b: false }),
      "failure",
      "in 0 of 3 runs, in the baseline in 3 of 3",
    ],
    [
      "have logs of an agent that did not start",
      ["a", "b"],
      left({ a: "Error: not logged in", b: "" }),
      "failure",
      "2 trigger queries of the baseline have no run",
    ],
    ["have no run of a query", ["a", "b"], left({ a: true }), "failure", "have no run|has no run.*`b`"],
    [
      "have no run of a query that `tasks` leaves out",
      ["a", "b"],
      left({ a: true }),
      "success",
      "1 of 1 query right",
      { tasks: "!trigger: b" },
    ],
    [
      "reword a query, which loads nothing",
      ["a", "b."],
      left({ a: true, "b.": false }),
      "failure",
      "1 trigger query of the baseline, for `pdf`, is gone or changed \\(`b`\\), half of its queries or more",
    ],
    [
      "expect the contrary",
      [
        ["a", false],
        ["b", false],
      ],
      left({ a: false, b: false }, false),
      "failure",
      "2 trigger queries of the baseline, for `pdf`, are gone or changed \\(`a`, `b`\\)",
    ],
    [
      "are gone, and the skill is here",
      [],
      writeProject(placedRun("1", { eval: "skills/pdf/evals/evals.json", task: "1" }, "Did.")),
      "failure",
      "2 trigger queries of the baseline, for `pdf`, are gone or changed",
    ],
  ])("alone, kept on main, that then %s", async (_case, queries, results, conclusion, words, more = {}) => {
    const main = await act(asks(["a", "b"]), passing, { inputs: { results: left({ a: true, b: true }) } });
    expect(main.outputs["baseline-worthy"]).toBe("true");
    const inputs = {
      results,
      baseline: main.outputs["results-file"] ?? "",
      "fail-on": "regression",
      ...more,
    };
    const outcome = await act(asks(queries), passing, { inputs });
    expect(outcome.outputs).toMatchObject({ conclusion });
    expect(lastLine(outcome)).toMatch(new RegExp(words));
    expect(JSON.stringify(outcome.github.checkRuns.at(-1)?.output)).toMatch(/trigger/);
  });

  test.each<[string, readonly (boolean | string)[], string, string]>([
    [
      "runs again before that decides",
      [false],
      "pending",
      "The trigger query `b` dropped, and runs 2 more times",
    ],
    ["is red where it still loads nothing", [false, false, false], "failure", "is right in 0 of 3 runs, "],
    ["is green where it loads it again", [false, true, true], "success", "triggers: 2 of 2 queries right"],
    ["is red where a further run is lost", [false, true], "failure", "lacks a further run with a log"],
    [
      "is red where a further run says nothing",
      [false, true, ""],
      "failure",
      "lacks a further run with a log",
    ],
  ])("that lost a query in one run: the query %s", async (_case, loads, conclusion, words) => {
    const inputs = { results: left({ a: true, b: true }) };
    const main = await act(asks(["a", "b"]), passing, { inputs, ...PUSH_TO_MAIN });
    const listed = (trigger: string, trial: number, more = {}) => ({
      ...{ eval: "skills/pdf/evals/triggers.json", trigger, skill: "pdf", trial },
      ...{ folder: `${trigger}-${String(trial)}`, ...more },
    });
    const list = (...runs: readonly object[]) => JSON.stringify({ version: 2, runs });
    const made = loads.map((is, index) => trialOf("b", index + 1, is));
    const again = [2, 3].map((trial) => listed("b", trial, { again: true }));
    const results = writeProject({
      "plan/runs.json": list(listed("a", 1), listed("b", 1)),
      ...(loads.length > 1 && { "again/runs-again.json": list(...again) }),
      ...allOf(trialOf("a", 1, true), ...made),
    });
    const outcome = await act(asks(["a", "b"]), passing, {
      inputs: {
        results,
        baseline: main.outputs["results-file"] ?? "",
        "fail-on": "regression",
        "second-look": "true",
      },
    });
    expect(outcome.outputs).toMatchObject({ conclusion, again: conclusion === "pending" ? "yes" : "no" });
    expect(lastLine(outcome)).toContain(words);
    const file = join(dirname(outcome.outputs["results-file"] ?? ""), AGAIN_LIST);
    expect(existsSync(file)).toBe(conclusion === "pending");
    if (conclusion === "pending")
      expect(readFileSync(file, "utf8")).toMatch(/"trigger": ?"b"[^]*"trial": ?3/);
  });

  describe("that name one of all skills", () => {
    const skills = ["label", "weigh", "ship"];
    const routing = () =>
      writeProject({
        ...Object.fromEntries(skills.map((one) => [`skills/${one}/SKILL.md`, `---\nname: ${one}\n---\n`])),
        "evals/trigger-eval.json": [
          { query: "print", expected_skill: "label" },
          { query: "heavy", expected_skill: "weigh" },
          { query: "Peru", expected_skill: null },
        ],
      });
    const routed = (loaded: Readonly<Record<string, readonly string[]>>, of = 3) => {
      const wanted = { print: "label", heavy: "weigh" };
      return writeProject(
        allOf(
          ...Object.entries(loaded).flatMap(([trigger, names]) =>
            times(5, (index) => {
              const skill = new Map(Object.entries(wanted)).get(trigger);
              const record = { eval: "evals/trigger-eval.json", trigger, skill, skills: of };
              const log = jsonLines(begun(), ...names.map((one) => loads(one)), saidText("Ok."), ended({}));
              return placedRun(
                `${trigger}-${String(index)}`,
                { ...record, should_trigger: skill !== undefined, trial: index + 1 },
                log,
              );
            }),
          ),
        ),
      );
    };
    const right = { print: ["label"], heavy: ["weigh"], Peru: [] };

    test("are right by the named one or none; others that were loaded are shown", async () => {
      const results = routed({ print: ["label", "ship"], heavy: ["label"], Peru: ["ship"] });
      const outcome = await act(routing(), passing, { inputs: { results } });
      expect(outcome.summary).toContain("| Wanted | Loaded: label | Loaded: label, ship | Loaded: ship |");
      expect(outcome.summary).toContain(
        "| label |  | ✅ 5 |  |\n| no skill |  |  | ❌ 5 |\n| weigh | ❌ 5 |  |  |",
      );
      expect(outcome.summary).toContain("❌ weigh wanted, label loaded: heavy (5 runs)");
      expect(outcome.summary).toContain("❌ no skill wanted, ship loaded: Peru (5 runs)");
      const print = recordOf(outcome).grades.find(({ task_id: id }) => id === "print");
      expect(print?.query).toEqual({ wants: true, loaded: true, skills: 3, others: ["ship"] });
      expect(lastLine(outcome)).toContain("triggers: 1 of 3 queries right");
    });

    test("are compared, and the page says where agents chose from another number of skills", async () => {
      const inputs = { results: routed(right, 2), "fail-on": "regression" };
      const main = await act(routing(), passing, { inputs, ...PUSH_TO_MAIN });
      const outcome = await act(routing(), passing, {
        inputs: {
          results: routed({ ...right, heavy: ["ship"] }),
          baseline: main.outputs["results-file"] ?? "",
          "fail-on": "regression",
        },
      });
      expect(outcome.outputs).toMatchObject({ conclusion: "failure" });
      const words = "The agent chose from 3 skills, on main from 2";
      expect([outcome.log, outcome.summary].map((text) => text.includes(words))).toEqual([true, true]);
      expect(outcome.summary).toContain("| weigh | yes | 5/5 → 0/5 |");
      const alone = writeProject(
        placedRun(
          "1",
          { eval: "evals/trigger-eval.json", trigger: "heavy", skill: "weigh", should_trigger: true },
          log(false),
        ),
      );
      const other = await act(routing(), passing, {
        inputs: { results: alone, baseline: main.outputs["results-file"] ?? "", "fail-on": "regression" },
      });
      expect(other.summary).toContain("weigh | yes | – → 0/1");
    });
  });

  test("are as before beside the first one that names a skill", async () => {
    const [a, b] = ["a", "b"].map((query) => ({ query, should_trigger: query === "a" }));
    const asking = (...queries: readonly unknown[]) =>
      writeProject({
        "skills/pdf/SKILL.md": "---\nname: pdf\n---\n",
        "skills/pdf/evals/triggers.json": queries,
      });
    const plain = [1, 2, 3].flatMap((trial) => [
      trialOf("a", trial, true),
      trialOf("b", trial, false, false),
    ]);
    const inputs = { results: writeProject(allOf(...plain)), "fail-on": "regression" };
    const main = await act(asking(a, b), passing, { inputs, ...PUSH_TO_MAIN });
    const outcome = await act(asking(a, b, { query: "c", expected_skill: "pdf" }), passing, {
      inputs: { ...inputs, baseline: main.outputs["results-file"] ?? "" },
    });
    expect(outcome.outputs).toMatchObject({ conclusion: "success" });
    expect(outcome.summary).toContain("| pdf | yes | 3/3 → 3/3 |");
    expect(outcome.summary).toContain("triggers: 2 of 3 queries right, 1 without a run that says it");
  });

  test("of which none loads the skill ask first whether it is there", async () => {
    const { summary } = await act(root(), passing, { inputs: { results: results(2, { a: 0, b: 0 }) } });
    expect(summary).toContain(
      "`pdf` was loaded in 0 of 4 runs that should load it: is it installed, and does its `description` say when?",
    );
  });
});
