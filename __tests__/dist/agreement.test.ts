/** Is the judge right? Goldens of rubrics before any grade, and people's labels after, through the bundled action. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { act, closeServers, KEY, lastLine } from "../support/act.ts";
import { fail, finish, pass } from "../support/judge-server.ts";
import type { Asked, Reply } from "../support/judge-server.ts";
import { project, promptGrader, runFixture } from "../support/projects.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

describe("rubric-goldens", () => {
  const KIND = `---
name: kind
version: 1.0.0
scale: pass-fail
description: It is kind.
goldens:
  - {name: thanks, output: Thank you so much!, expected: pass}
  - {name: a shout, output: Go away!, expected: fail}
---
Is it kind?
`;
  const fixture = {
    graders: [
      { type: "prompt", name: "kind", config: { rubric: "kind.md" } },
      { type: "prompt", name: "kind-and-short", config: { rubric: "kind.md", prompt: "And short?" } },
      promptGrader("plain"),
    ],
    tasks: [{ id: "task-1" }, { id: "task-2" }],
    files: { "evals/kind.md": KIND, "ws/secret.txt": "kept", "rubric.md": KIND },
  };
  const isGolden = ({ evidence }: Asked) => /Thank you so much!|Go away!/.test(evidence);
  /** Judges goldens as told, in the order in which one is asked; everything else passes. */
  const judging = (said: Readonly<Record<"thanks" | "shout", string>>) => {
    const times = { thanks: 0, shout: 0 };
    return (asked: Asked): Reply => {
      if (!isGolden(asked)) return { calls: [pass("kind", "it is"), finish] };
      const name = asked.evidence.includes("Thank you") ? "thanks" : "shout";
      const letter = said[name][times[name]++];
      if (letter === "E") return { status: 404, error: { message: "No such address" } };
      return { calls: [letter === "P" ? pass("kind", "as seen") : fail("kind", "too `loud`"), finish] };
    };
  };
  const inputs = { "rubric-goldens": "true", workspace: "ws" };

  test("asks them first, without the workspace, and once: then grades, and counts what they took", async () => {
    const outcome = await act(project(fixture), judging({ thanks: "P", shout: "PFF" }), { inputs });
    const goldens = outcome.judge.asked.filter(isGolden);
    expect(goldens).toHaveLength(4);
    expect(outcome.judge.asked.slice(0, 4)).toEqual(goldens);
    for (const { evidence, prompt, request } of goldens) {
      expect(evidence).not.toContain("secret.txt");
      expect(JSON.stringify(request)).not.toContain("read_file");
      expect(prompt).toBe("Is it kind?");
    }
    expect(outcome.outputs).toMatchObject({ "grades-passed": "6", "judge-calls": "10", conclusion: "success" });
    expect(outcome.log).toContain("Before any grade, 2 goldens of 1 rubric: all with the right verdict");
  });

  test("a judge that misses one errors the grades of that rubric alone, said once, and `on-error` decides", async () => {
    const cache = temporaryFolder("records");
    const once = { ...inputs, "cache-dir": cache, comment: "always" };
    const outcome = await act(project(fixture), judging({ thanks: "P", shout: "PP" }), { inputs: once });
    expect(outcome.outputs).toMatchObject({ "grades-errored": "4", "grades-passed": "2", "judge-calls": "5" });
    expect(lastLine(outcome)).toMatch(
      /::error::Failed: 4 of 6 grades errored without a verdict \(judge-missed-golden\).*`a shout` has to fail, and it passed/,
    );
    const told = outcome.github.checkRuns[0]?.annotations ?? [];
    expect(told.filter(({ message }) => message.includes("a shout"))).toHaveLength(1);
    expect(told.find(({ message }) => message.includes("a shout"))).toMatchObject({
      annotation_level: "failure",
      path: "evals/eval.yaml",
      message: expect.stringContaining("4 grades have no verdict because of it.") as unknown,
    });
    for (const page of [outcome.summary, outcome.github.bodies.at(-1) ?? ""])
      expect(page.split("has to fail, and it passed")).toHaveLength(2);
    // The answers on goldens are no records: a judge that has changed behind its name is asked them all the same.
    expect(readdirSync(cache)).toHaveLength(1);
    const again = await act(project(fixture), judging({ thanks: "P", shout: "F" }), { inputs: once });
    expect(again.judge.asked.filter(isGolden)).toHaveLength(2);
    expect(again.outputs).toMatchObject({ "grades-passed": "6", conclusion: "success" });
    const changed = await act(project(fixture), judging({ thanks: "P", shout: "PP" }), { inputs: { ...once, "on-error": "warn" } });
    expect(changed.judge.asked.every(isGolden)).toBe(true);
    expect(changed.outputs).toMatchObject({ "grades-errored": "4", conclusion: "success" });
    const offline = await act(project(fixture), judging({ thanks: "", shout: "" }), { inputs: { ...once, offline: "true" } });
    expect(offline.outputs).toMatchObject({ "judge-calls": "0", "grades-passed": "6" });
    expect(offline.summary).toContain("the goldens of rubrics were not asked");
  });

  test("a golden without a verdict errors the grades as itself, and a cap skips them", async () => {
    const errored = await act(project(fixture), judging({ thanks: "P", shout: "E" }), { inputs });
    expect(errored.outputs).toMatchObject({ "grades-errored": "4", "grades-passed": "2" });
    expect(lastLine(errored)).toContain("(not-found)");
    const capped = await act(project(fixture), judging({ thanks: "P", shout: "F" }), {
      inputs: { ...inputs, "max-judge-calls": "1" },
    });
    expect(capped.judge.asked).toHaveLength(1);
    expect(capped.outputs).toMatchObject({ "grades-skipped": "6" });
  });

  test("a dry run counts them apart", async () => {
    const outcome = await act(project(fixture), () => ({}), { inputs: { ...inputs, "dry-run": "true" } });
    expect(outcome.log).toMatch(/A dry run: 6 grades and 2 goldens of rubrics would take about 8 \(at most 66\) requests/);
    expect(outcome.summary).toMatch(/\| Goldens of rubrics \| 2 \|/);
  });
});

describe("labels", () => {
  const ids = Array.from({ length: 11 }, (_, index) => `t${String(index + 1)}`);
  /** A judge that passes everything but the second task. */
  const judge = ({ evidence, turn }: Asked): Reply =>
    turn > 1
      ? {}
      : {
          calls: [
            evidence.includes("answer of t2.") ? fail("right", "off by `one`") : pass("right", "it is"),
            finish,
          ],
        };
  const fixture = (files: Readonly<Record<string, unknown>> = {}) => ({
    tasks: ids.map((id) => ({ id })),
    runs: Object.fromEntries(ids.map((id) => [id, [runFixture({ final_output: `The answer of ${id}.` })]])),
    files,
  });
  /** People pass the first five tasks and fail the next five; the last has no label. */
  const table = (passed: readonly boolean[]) =>
    ["task_id,grader,passed,note", ...passed.map((yes, index) => `t${String(index + 1)},grader-1,${String(yes)},"<b>see</b>"`)].join("\n");
  const LABELS = table([true, true, true, true, true, false, false, false, false, false]);

  test("hold the judge against people: below `min-agreement` the step fails, whatever `fail-on` says", async () => {
    const outcome = await act(project(fixture({ "labels.csv": LABELS })), judge, {
      inputs: { labels: "labels.csv", "min-agreement": "0.8", "fail-on": "never", reports: "labels=fill-in.csv" },
    });
    expect(outcome.code).toBe(1);
    expect(outcome.outputs).toMatchObject({ agreement: "0.0000", conclusion: "failure", "grades-passed": "10" });
    expect(lastLine(outcome)).toContain(
      "Failed: the judge failed 0 of the 5 grades that people failed (0.00; 95 %25 interval 0.00 to 0.43), below the minimum of 0.80",
    );
    const page = outcome.summary;
    expect(page).toContain("### Is the judge right?");
    expect(page).toMatch(/\| \*\*all\*\* \| \*\*0\.80\*\* \(4 of 5; 0\.38 to 0\.96\) \|.* 4 \| 5 \| 1 \| 0 \|/);
    expect(page).toMatch(/grader-1 · t2\*\*.*the judge: ❌ failed: .*off by `one`.*the person: ✅ passed: &lt;b&gt;see/);
    const { waza_grade: ours } = JSON.parse(readFileSync(outcome.outputs["results-file"] ?? "", "utf8")) as {
      waza_grade: { agreement: object };
    };
    expect(ours.agreement).toMatchObject({ agreement: 0, true_pass: 4, false_pass: 5, tpr: { value: 0.8 } });
  });

  test("are a table to fill in, and with too few of a verdict no rate is told", async () => {
    const workspace = project(fixture());
    await act(workspace, judge, { inputs: { reports: "labels=labels.csv" } });
    const blank = readFileSync(join(workspace, "labels.csv"), "utf8");
    expect(blank.split("\n")[1]).toMatch(/^suite,agent-model,t1,1,grader-1,,,Do the task.,Is it right\? \(grader-1\),.*,The answer of t1.,[0-9a-f]{64}$/);
    expect(blank).not.toMatch(/true|false/);
    // What is there may be filled in already: it is not written over.
    const again = await act(workspace, judge, { inputs: { reports: "labels=labels.csv" } });
    expect(again.judge.asked).toHaveLength(0);
    expect(lastLine(again)).toContain("may hold people's labels");
    writeFileSync(join(workspace, "labels.csv"), blank.replaceAll("grader-1,,,", "grader-1,true,,"));
    const outcome = await act(workspace, judge, { inputs: { labels: "labels.csv", "min-agreement": "0.5" } });
    expect(outcome.outputs).toMatchObject({ agreement: "", conclusion: "failure" });
    expect(lastLine(outcome)).toContain(
      "`min-agreement` of 0.50 cannot be reached: of the grades that decide, people passed 11 and failed 0, and at least 5 of each are needed",
    );
    expect(outcome.judge.asked).toHaveLength(0);
  });

  test("are of an answer to a task: either changed is an error, an edited grader is told, and people see what the judge saw", async () => {
    const long = `${"An answer with a tail. ".repeat(1_200)}TAIL`;
    const transcript = [
      { type: "user.message", message: "Do the task." },
      { type: "tool.execution_start", tool_call_id: "1", tool_name: "view", arguments: { path: "a.txt" } },
      { type: "tool.execution_complete", tool_call_id: "1", success: true, tool_result: { content: "RESULT of the tool" } },
    ];
    const runs = (answer: string, prompt = "Do the task.") => ({ "task-1": [runFixture({ prompt, final_output: `${answer} ${KEY}`, transcript })] });
    const labelled = project({ runs: runs(long) });
    await act(labelled, () => ({ calls: [pass("x"), finish] }), { inputs: { reports: "labels=labels.csv" } });
    const blank = readFileSync(join(labelled, "labels.csv"), "utf8");
    expect(blank).toMatch(/RESULT of the tool[^]*TAIL \[redacted\]/);
    const labels = blank.replace("grader-1,,,", "grader-1,pass,,");
    const held = async (fixture: object, text = labels) =>
      await act(project({ runs: runs(long), ...fixture, files: { "labels.csv": text } }), () => ({ calls: [pass("x"), finish] }), { inputs: { labels: "labels.csv" } });
    const same = await held({});
    expect(same.outputs).toMatchObject({ "judge-calls": "1", conclusion: "success" });
    expect(same.log).not.toMatch(/sha256|shown as they labelled/);
    const edited = await held({ graders: [promptGrader("grader-1", "Is it short?")] });
    expect(edited.log).toContain("What the judge is asked by the grader `grader-1` is not what people were shown");
    expect(edited.outputs["judge-calls"]).toBe("1");
    for (const other of [await held({ runs: runs(`${long}.`) }), await held({ runs: runs(long, "Do another.") })]) {
      expect(other.judge.asked).toHaveLength(0);
      expect(lastLine(other)).toContain("another task's prompt or another answer than those of now");
    }
    const without = await held({}, "task_id;grader;passed\ntask-1;grader-1;0");
    expect(without.outputs["judge-calls"]).toBe("1");
    expect(without.log).toContain("1 label of `labels.csv` has no `sha256`");
  });

  test.each(["[redacted]", KEY])("fit a task whose id holds a secret, called %s-1 there", async (name) => {
    const files = { "labels.csv": `task_id,grader,passed\n${name}-1,grader-1,true` };
    const outcome = await act(project({ tasks: [{ id: `${KEY}-1` }], files }), () => ({ calls: [pass("x"), finish] }), { inputs: { labels: "labels.csv" } });
    expect(outcome.outputs).toMatchObject({ "judge-calls": "1", conclusion: "success" });
    expect(outcome.summary).toContain("| **all** | – (1 label) |");
  });

  test.each([
    ["a label of no grade", { "labels.csv": "task_id,grader,passed\nt1,grader-2,true" }, "Did you mean `grader-1`?"],
    ["a label that is none", { "labels.csv": "task_id,grader,passed\nt1,grader-1,maybe" }, "has `passed: maybe`. It may be `true`, `false`, `1`, `0`, `yes`, `no`, `pass`, `fail`"],
    ["a verdict that has too few labels", { "labels.csv": table([true, true, true, true, true, false]) }, "people passed 5 and failed 1"],
    ["a table without a label", { "labels.csv": "task_id,grader,passed\nt1,grader-1," }, "people passed 0 and failed 0"],
    ["no such file", {}, "cannot be read: it does not exist"],
  ])("%s is a configuration problem, and no judge is asked", async (_, files, said) => {
    const outcome = await act(project(fixture(files)), judge, {
      inputs: { labels: "labels.csv", "min-agreement": "0.8" },
    });
    expect(outcome.judge.asked).toHaveLength(0);
    expect(outcome.code).toBe(1);
    expect(outcome.log).toContain(said);
  });
});
