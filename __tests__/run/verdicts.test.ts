/** How every kind of judge is read (docs/judging.md), and what is left of an interrupted one, in this process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import { actHere as act, closeServers, lastLine } from "../support/act.ts";
import { BEHAVIOURS } from "../support/behaviours.ts";
import { fail, finish, pass } from "../support/judge-server.ts";
import type { Asked, Reply } from "../support/judge-server.ts";
import { project, promptGrader, runFixture } from "../support/projects.ts";
import { removeTemporaryFolders } from "../support/run-action.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

interface OurGrade {
  readonly grader: string;
  readonly state: string;
  readonly score?: number;
  readonly checks?: readonly { readonly outcome: string }[];
  readonly incomplete?: object;
  readonly error?: { readonly class: string };
  readonly warning?: string;
  readonly votes?: object;
  readonly requests: number;
}

const gradesOf = ({ outputs }: { readonly outputs: Readonly<Record<string, string>> }): OurGrade[] =>
  (
    JSON.parse(readFileSync(outputs["results-file"] ?? "", "utf8")) as {
      waza_grade: { grades: OurGrade[] };
    }
  ).waza_grade.grades;

const read = ({ state, incomplete }: OurGrade) => (incomplete ? "incomplete" : state);
const outcomes = ({ checks = [] }: OurGrade) => checks.map(({ outcome }) => outcome).join(" ");

/** Replies in order; the last one again and again. */
const inOrder = (replies: readonly Reply[], { turn }: Asked) =>
  replies[Math.min(turn, replies.length) - 1] ?? {};

describe("each kind of judge", () => {
  const graders = BEHAVIOURS.map((_, index) =>
    promptGrader(`judge-${String(index)}`, `Behaviour ${String(index)}.`),
  );
  const script = (asked: Asked) =>
    inOrder(BEHAVIOURS[Number(/\d+/.exec(asked.prompt)?.[0])]?.replies ?? [], asked);

  test.each(["1", "50"])("is read as the table says, %s at once, and loses no check", async (atOnce) => {
    const workspace = project({ graders, files: { "ws/a.txt": "text" } });
    const outcome = await act(workspace, script, { inputs: { workspace: "ws", "max-concurrency": atOnce } });
    const grades = gradesOf(outcome).map((grade) => [read(grade), outcomes(grade), grade.requests]);
    expect(grades.map((grade, index) => [BEHAVIOURS[index]?.judge, ...grade])).toEqual(
      BEHAVIOURS.map(({ judge, expected }) => [judge, ...expected]),
    );
  });

  test("of docs/judging.md is read as the page says", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs", "judging.md"), "utf8");
    const table = page.slice(page.indexOf("| a judge that …"), page.indexOf("## How evidence"));
    const [, , ...rows] = table.split("\n").flatMap((line) => {
      const [, judge = "", reading] = line.split("|").map((cell) => cell.trim());
      return reading === undefined ? [] : [`${judge}: ${reading}`];
    });
    expect(rows.length).toBeGreaterThan(4);
    expect(BEHAVIOURS.map(({ judge, reading }) => `${judge}: ${reading}`)).toEqual(
      expect.arrayContaining(rows),
    );
  });
});

test.each<[string, Reply, RegExp]>([
  ["uses its tools", { text: "PASS" }, /`gpt-6-luna` made no call in its only grade.*drops the `tools`/],
  [
    "reports by its tools",
    { calls: [finish] },
    /`gpt-6-luna` reported no check in its only grade.*called only "finish_grading"/,
  ],
])("a judge that never %s is named, with the likely cause", async (_what, reply, wording) => {
  const outcome = await act(project(), () => reply);
  expect(outcome.outputs).toMatchObject({ score: "0.0000", "grades-failed": "1", "judge-calls": "2" });
  expect(outcome.log).toMatch(wording);
});

describe("votes and confirmations", () => {
  const [green, red]: [Reply, Reply] = [
    { calls: [pass("short", "3 lines"), finish] },
    { calls: [fail("right", "off by one"), finish] },
  ];
  const cut: Reply = { calls: [pass("short"), pass("polite")], finish: "length" };
  const votes = { "judge-votes": "3" };
  const confirm = { "confirm-on-fail": "2" };

  test.each<[string, Record<string, string>, Reply[], [string, string, number]]>([
    [
      "two whole passes are certain, and no third is asked for",
      votes,
      [green, green],
      ["passed", "pass pass", 2],
    ],
    ["so are two failures", votes, [red, red], ["failed", "fail fail", 2]],
    ["a third decides between two", votes, [green, red, green], ["passed", "pass pass", 3]],
    ["two interrupted after passes are no votes, and outvote none", votes, [cut, cut], ["errored", "", 2]],
    ["an interrupted one leaves two of three", votes, [cut, green, green], ["passed", "pass pass", 3]],
    ["a pass needs no confirmation", confirm, [green], ["passed", "pass", 1]],
    ["a failure that is confirmed once is certain", confirm, [red, red], ["failed", "fail fail", 2]],
    ["a failure that two outvote is green", confirm, [red, green, green], ["passed", "pass pass", 3]],
    ["interrupted confirmations leave the failure", confirm, [red, cut], ["failed", "fail", 2]],
  ])("%s", async (_name, inputs, replies, expected) => {
    let asked = 0;
    const outcome = await act(project(), () => replies[asked++] ?? {}, { inputs });
    const [grade] = gradesOf(outcome);
    expect(grade && [read(grade), outcomes(grade), grade.requests]).toEqual(expected);
  });

  test("are given by `confirm-model`, also where a grader names its own judge, and differ by grader", async () => {
    const graders = [
      promptGrader("strict", "Is it right?", { config: { model: "gpt-6.1-sol" } }),
      promptGrader("fair", "Is it short?"),
    ];
    const script = ({ request: { model }, prompt }: Asked) =>
      model === "gpt-5" && prompt === "Is it right?" ? green : red;
    const inputs = { ...confirm, "confirm-model": "gpt-5", "judge-model": "gpt-6-luna" };
    const outcome = await act(project({ graders }), script, { inputs });
    const models = outcome.judge.asked.map(({ request: { model } }) => model).sort();
    expect(models).toEqual(["gpt-5", "gpt-5", "gpt-5", "gpt-6-luna", "gpt-6.1-sol"]);
    expect(outcome.log).toContain("failures by `gpt-5` at ");
    expect(outcome.summary).toContain("(gpt-6.1-sol: failed; gpt-5: passed twice)");
    expect(outcome.summary).toContain(
      "Second opinion by `gpt-5`: it differed on 1 of 2 grades (strict 1 of 1, fair 0 of 1).",
    );
    const results = readFileSync(outcome.outputs["results-file"] ?? "", "utf8");
    expect(results).toContain('"voting": "confirm-on-fail: 2 by gpt-5"');
  });

  test.each([
    [
      { "max-cost-usd": "1", "confirm-model": "house-judge" },
      "the price of the model `house-judge` is not known",
    ],
    [
      {
        "confirm-model": "claude-x",
        providers: '- {match: "claude-*", base-url: "http://127.0.0.1:9/v1", api-key: ""}',
      },
      "empty `api-key` for the model `claude-x`",
    ],
  ])("of `confirm-model` need its price and key before any request: %j", async (inputs, phrase) => {
    const outcome = await act(project(), () => red, { inputs: { ...confirm, ...inputs } });
    expect(outcome.judge.asked).toEqual([]);
    expect(outcome.summary).toContain(phrase);
  });

  test("are shown as votes, each check once", async () => {
    const outcome = await act(project(), () => red, { inputs: votes });
    expect(outcome.summary).toContain("failed in 2 of 2 votes");
    expect(outcome.summary.split("off by one")).toHaveLength(2);
    expect(outcome.github.checkRuns[0]?.annotations[0]?.message).toContain("failed in 2 of 2 votes");
  });
});

describe("evidence that had to be shortened", () => {
  const filler = "The quick brown fox jumps over the lazy dog and goes home.\n".repeat(3_400);
  const output = `${filler}SECRET FAULT: the table was dropped.\n${filler}`;
  const workspace = () =>
    project({ runs: { "task-1": [runFixture({ final_output: output, transcript: [] })] } });

  test("is whole among the files, where a judge that looks finds a fault in the middle", async () => {
    expect(output.length).toBeGreaterThan(400_000);
    const judge = ({ turn, request, evidence }: Asked): Reply => {
      expect(evidence).not.toContain("SECRET FAULT");
      if (turn === 1) return { calls: [{ name: "search_files", args: { query: "FAULT" } }] };
      const found = JSON.stringify(request.messages.at(-1)?.content).includes("output/final_output.md:3401");
      return { calls: [found ? fail("safe", "the table was dropped") : pass("safe"), finish] };
    };
    const outcome = await act(workspace(), judge);
    expect(gradesOf(outcome)).toMatchObject([{ state: "failed", requests: 2 }]);
  });

  test("and that a judge without tools cannot look at, is worth a warning", async () => {
    const refusal = { status: 400, error: { message: "this model does not support tools" } };
    const verdict = { text: '{"checks": [{"outcome": "pass", "reason": "fine"}]}' };
    const outcome = await act(workspace(), ({ request }) => (request.tools ? refusal : verdict));
    expect(gradesOf(outcome)[0]?.warning).toContain("could not read the files");
    expect(outcome.summary).toContain("could not read the files");
  });
});

describe("time", () => {
  test("a grade that timed out is asked for once more when the others are done", async () => {
    const graders = Array.from({ length: 4 }, (_, index) => promptGrader(`g${String(index)}`));
    let hung = false;
    const judge = ({ prompt }: Asked): Reply => {
      if (!prompt.includes("g1") || hung) return { calls: [pass(), finish] };
      hung = true;
      return { connection: "hang" };
    };
    const outcome = await act(project({ graders }), judge, { inputs: { timeout: "2s" } });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "4", "judge-calls": "5" });
  });

  test("a small server that answers one at a time gets all its grades done", async () => {
    const graders = Array.from({ length: 11 }, (_, index) => promptGrader(`g${String(index)}`));
    let turn = Promise.resolve();
    const judge = async (): Promise<Reply> => {
      turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, 300)));
      await turn;
      return { calls: [pass(), finish] };
    };
    const outcome = await act(project({ graders }), judge, { inputs: { timeout: "2s" } });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "11" });
  });

  test("a server that is too slow is asked twice more, and its grades are errored", async () => {
    const graders = Array.from({ length: 5 }, (_, index) => promptGrader(`g${String(index)}`));
    const outcome = await act(project({ graders }), () => ({ connection: "hang" }), {
      inputs: { timeout: "1s" },
    });
    expect(outcome.outputs).toMatchObject({ "grades-errored": "5", "judge-calls": "7" });
    expect(lastLine(outcome)).toContain("timeout");
  });

  test("a slow and healthy reply is not cut at half of the grade's time", async () => {
    const outcome = await act(project(), () => ({ delayMs: 3_300, calls: [pass(), finish] }), {
      inputs: { timeout: "6s" },
    });
    expect(outcome.outputs).toMatchObject({ "grades-passed": "1", "judge-calls": "1" });
  });
});
