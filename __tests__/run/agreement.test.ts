/** Is the judge right? People's labels, in this process. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, KEY, lastLine, once, recordOf } from "../support/act.ts";
import { times } from "../support/factories.ts";
import { fail, pass, type Reply } from "../support/judge-server.ts";
import { project, promptGrader, runFixture } from "../support/projects.ts";
import { removeTemporaryFolders, writeProject } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

describe("labels", () => {
  const HELD = { labels: "labels.csv", "min-agreement": "0.8" };
  const green = once({ calls: [pass("x")] });
  const ids = times(11, (index) => `t${String(index + 1)}`);
  /** A judge that passes everything but the second task. */
  const judge = once(({ evidence }) => ({
    calls: [evidence.includes("answer of t2.") ? fail("right", "off by `one`") : pass("right", "it is")],
  }));
  const fixture = (files: Readonly<Record<string, unknown>> = {}) => ({
    tasks: ids.map((id) => ({ id })),
    runs: Object.fromEntries(ids.map((id) => [id, [runFixture({ final_output: `The answer of ${id}.` })]])),
    files,
  });
  /** People pass the first five tasks and fail the next five; the last has no label. */
  const table = (passed: readonly boolean[]) =>
    [
      "task_id,grader,passed,note",
      ...passed.map((yes, index) => `t${String(index + 1)},grader-1,${String(yes)},"<b>see</b>"`),
    ].join("\n");
  const LABELS = table([true, true, true, true, true, false, false, false, false, false]);

  test("hold the judge against people: below `min-agreement` the step fails, regardless of `fail-on`", async () => {
    const outcome = await act(project(fixture({ "labels.csv": LABELS })), judge, {
      inputs: { ...HELD, "fail-on": "never", reports: "labels=fill-in.csv" },
    });
    expect(outcome.code).toBe(1);
    const counts = { agreement: "0.0000", "grades-passed": "10" };
    expect(outcome.outputs).toMatchObject({ conclusion: "failure", ...counts });
    expect(lastLine(outcome)).toContain(
      "Failed: the judge agrees on only 0 of the 5 grades that people failed (0.00; 95 % interval 0.00 to 0.43; minimum 0.80)",
    );
    const page = outcome.summary;
    expect(page).toContain("### Is the judge right?");
    expect(page).toMatch(
      /\| \*\*all\*\* \| \*\*0\.80\*\* \(4 of 5; 0\.38 to 0\.96\) \|.* 4 \| 5 \| 1 \| 0 \|/,
    );
    expect(page).toMatch(
      /grader-1 · t2\*\*.*the judge: ❌ failed: .*off by `one`.*the person: ✅ passed: &lt;b&gt;see/,
    );
    const figures = { agreement: 0, true_pass: 4, false_pass: 5, tpr: { value: 0.8 } };
    expect(recordOf(outcome).agreement).toMatchObject(figures);
  });

  test("that the judge agrees with are in the verdict, and disagreements come before failed grades", async () => {
    const right = table([true, true, true, true, true, true, false, false, false, false, false]);
    const good = once(({ evidence }) => {
      const id = Number(/answer of t(\d+)\./.exec(evidence)?.[1]);
      return { calls: [id >= 6 ? fail("right", "off") : pass("right", "it is")] };
    });
    const outcome = await act(project(fixture({ "labels.csv": right })), good, {
      inputs: { ...HELD, "fail-on": "never" },
    });
    expect(lastLine(outcome)).toMatch(
      /Passed: .*The judge agrees on 5 of the 6 grades that people passed \(0\.83; 95 % interval 0\.44 to 0\.97; minimum 0\.80\)/,
    );
    const page = outcome.summary;
    expect(page).toMatch(/the judge agrees on 5 of the 6 grades that people passed \(0\.83; /i);
    expect(page.indexOf("**1 disagreement**")).toBeLessThan(page.indexOf("❌ **grader-1"));
    expect(page).toMatch(/\| Grader \| agrees on passed \(TPR\) \| agrees on failed \(TNR\) \|/);
  });

  test("are a table to fill in, and with too few of a verdict no rate is reported", async () => {
    const workspace = project(fixture());
    await act(workspace, judge, { inputs: { reports: "labels=labels.csv" } });
    const blank = readFileSync(join(workspace, "labels.csv"), "utf8");
    expect(blank.split("\n")[1]).toMatch(
      /^suite,agent-model,t1,1,grader-1,,,,Do the task.,Is it right\? \(grader-1\),.*,The answer of t1.,[0-9a-f]{64}$/,
    );
    expect(blank).not.toMatch(/true|false/);
    // What is there may be filled in already: it is not written over.
    const again = await act(workspace, judge, { inputs: { reports: "labels=labels.csv" } });
    expect(again.judge.asked).toHaveLength(0);
    expect(lastLine(again)).toContain("may hold people's labels");
    writeFileSync(join(workspace, "labels.csv"), blank.replaceAll("grader-1,,,,", "grader-1,,true,,"));
    const outcome = await act(workspace, judge, { inputs: { labels: "labels.csv", "min-agreement": "0.5" } });
    expect(outcome.outputs).toMatchObject({ agreement: "", conclusion: "failure" });
    expect(lastLine(outcome)).toContain(
      "`min-agreement` of 0.50 cannot be reached: of the grades that decide, people passed 11 and failed 0, and at least 5 of each are needed",
    );
    expect(outcome.judge.asked).toHaveLength(0);
  });

  test("are of a task, a conversation and an answer: each changed is an error, an edited grader is reported, and people see what the judge saw", async () => {
    const long = `${"An answer with a tail. ".repeat(1_200)}TAIL`;
    const conversation = (content: string) => [
      { type: "user.message", message: "Do the task." },
      { type: "tool.execution_start", tool_call_id: "1", tool_name: "view", arguments: { path: "a.txt" } },
      { type: "tool.execution_complete", tool_call_id: "1", success: true, tool_result: { content } },
    ];
    const runs = (answer: string, prompt = "Do the task.", result = "RESULT of the tool") => ({
      "task-1": [runFixture({ prompt, final_output: `${answer} ${KEY}`, transcript: conversation(result) })],
    });
    const labelled = project({ runs: runs(long) });
    await act(labelled, green, { inputs: { reports: "labels=labels.csv" } });
    const blank = readFileSync(join(labelled, "labels.csv"), "utf8");
    expect(blank).toMatch(/RESULT of the tool[^]*TAIL \[redacted\]/);
    const labels = blank.replace("grader-1,,,,", "grader-1,,pass,,");
    const held = async (fixture: object, text = labels) =>
      await act(project({ runs: runs(long), ...fixture, files: { "labels.csv": text } }), green, {
        inputs: { labels: "labels.csv" },
      });
    const same = await held({});
    expect(same.outputs).toMatchObject({ "judge-calls": "1", conclusion: "success" });
    expect(same.log).not.toMatch(/sha256|shown as they labelled/);
    const edited = await held({ graders: [promptGrader("grader-1", "Is it short?")] });
    expect(edited.log).toContain("The prompt of the grader `grader-1` has changed since people labelled");
    expect(edited.outputs["judge-calls"]).toBe("1");
    for (const changed of [
      runs(`${long}.`),
      runs(long, "Do another."),
      runs(long, "Do the task.", "Another result"),
    ]) {
      const other = await held({ runs: changed });
      expect(other.judge.asked).toHaveLength(0);
      expect(lastLine(other)).toContain(
        "the prompt, the conversation or the answer has changed since it was labelled",
      );
    }
    const without = await held({}, "task_id;grader;passed\ntask-1;grader-1;0");
    expect(without.outputs["judge-calls"]).toBe("1");
    expect(without.log).toContain("1 label has no `sha256`");
  });

  test("of tasks that are left out are left aside, said once; a label of no task is an error as ever", async () => {
    const labels = `${LABELS}\nt11,grader-1,true,`;
    const tasks = ids.map((id) => ({ id, ...(id === "t11" ? { enabled: false } : {}) }));
    const graded = async (text: string) =>
      await act(project({ ...fixture({ "labels.csv": text }), tasks }), judge, {
        inputs: { labels: "labels.csv", tasks: "t1\nt2", "fail-on": "never" },
      });
    const outcome = await graded(labels);
    const counts = { "grades-passed": "1", "grades-failed": "1" };
    expect(outcome.outputs).toMatchObject({ conclusion: "success", ...counts });
    expect(outcome.log).toContain(
      "9 labels are of tasks that this run leaves out; not compared with the judge.",
    );
    const wrong = await graded(`${labels}\nt3,grader-2,true,`);
    expect(lastLine(wrong)).toContain("labels.csv:13: no grade has");
  });

  test.each(["[redacted]", `${KEY}-1`])(
    "fit a task whose id holds a secret, called %s there",
    async (name) => {
      const files = { "labels.csv": `task_id,grader,passed\n${name},grader-1,true` };
      const outcome = await act(project({ tasks: [{ id: `${KEY}-1` }], files }), green, {
        inputs: { labels: "labels.csv" },
      });
      expect(outcome.outputs).toMatchObject({ "judge-calls": "1", conclusion: "success" });
      expect(outcome.summary).toContain("| **all** | – (1 label) |");
    },
  );

  test.each([
    [
      "a label of no grade",
      { "labels.csv": "task_id,grader,passed\nt1,grader-2,true" },
      "Did you mean `grader-1`?",
    ],
    [
      "a label that is none",
      { "labels.csv": "task_id,grader,passed\nt1,grader-1,maybe" },
      "has `passed: maybe`. It may be `true`, `false`, `1`, `0`, `yes`, `no`, `pass`, `fail`",
    ],
    [
      "a verdict that has too few labels",
      { "labels.csv": table([true, true, true, true, true, false]) },
      "people passed 5 and failed 1",
    ],
    [
      "a table without a label",
      { "labels.csv": "task_id,grader,passed\nt1,grader-1," },
      "people passed 0 and failed 0",
    ],
    ["no such file", {}, "cannot be read: it does not exist"],
  ])("%s is a configuration problem, and no judge is asked", async (_, files, expected) => {
    const outcome = await act(project(fixture(files)), judge, {
      inputs: HELD,
    });
    expect(outcome.judge.asked).toHaveLength(0);
    expect(outcome.code).toBe(1);
    expect(outcome.log).toContain(expected);
  });
});

describe("labels of a skill", () => {
  const IDS = times(12, (index) => index + 1);
  const skill = (statements: readonly string[], files: Readonly<Record<string, unknown>> = {}) =>
    writeProject({
      "skills/pdf/evals/evals.json": {
        skill_name: "pdf",
        evals: IDS.map((id) => ({ id, prompt: `Do ${String(id)}.`, assertions: statements })),
      },
      ...Object.fromEntries(IDS.map((id) => [`out/pdf/${String(id)}.md`, `Answer ${String(id)}.`])),
      ...files,
    });
  const STATEMENTS = ["It is right", "It is short", "It is polite", "It is new"];
  /** Only the first statement fails; people fail the second, too. */
  const judge = (): Reply => ({
    calls: [1, 2, 3, 4].map((statement) => ({
      name: `set_waza_grade_${statement === 1 ? "fail" : "pass"}`,
      args: { statement, reason: `Seen in ${String(statement)}.` },
    })),
  });
  const inputs = { results: "out/**/*.md", "fail-on": "never" };

  test("have a row for each statement, so that a judge that is wrong in 12 of 48 is found", async () => {
    const workspace = skill(STATEMENTS);
    await act(workspace, judge, { inputs: { ...inputs, reports: "labels=labels.csv" } });
    const blank = readFileSync(join(workspace, "labels.csv"), "utf8");
    expect(blank.split("\n")[2]).toMatch(/^pdf,,1,1,assertions,2,,,Do 1.,It is short,/);
    const filled = blank.replaceAll(
      /assertions,(\d),,/g,
      (_, statement: string) => `assertions,${statement},${Number(statement) > 2 ? "yes" : "no"},`,
    );
    writeFileSync(join(workspace, "labels.csv"), filled);
    const labelled = { ...inputs, labels: "labels.csv", "min-agreement": "0.8" };
    const outcome = await act(workspace, judge, { inputs: labelled });
    expect(outcome.outputs).toMatchObject({ agreement: "0.5000", conclusion: "failure" });
    expect(lastLine(outcome)).toContain(
      "the judge agrees on only 12 of the 24 statements that people failed (0.50; 95 % interval 0.31 to 0.69; minimum 0.80)",
    );
    expect(outcome.summary).toContain("With this judge a real drop of 20 points shows as about 10.");
    expect(outcome.summary).toMatch(/assertions · 1 · statement 2\*\*.*Seen in 2\..*the person: ❌ failed/);
    const moved = skill(["It is short", "It is right", "It is polite", "It is new"], {
      "labels.csv": filled,
    });
    const renumbered = await act(moved, judge, { inputs: labelled });
    expect(lastLine(renumbered)).toContain("the text of its statement is that of statement 2 now, not of 1");
    expect(renumbered.judge.asked).toEqual([]);
    const whole = skill(STATEMENTS, { "labels.csv": "task_id,grader,passed\n1,assertions,no" });
    expect(lastLine(await act(whole, judge, { inputs: labelled }))).toContain("It fits 4 grades");
  });
});
