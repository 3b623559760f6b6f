/** A drop that a label accepted: the push that merges it is green and marked, and later pull requests are not to blame for it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { KEY, actHere as act, closeServers, lastLine, once, recordOf, type Outcome } from "../support/act.ts";
import { times } from "../support/factories.ts";
import type { GitHubOptions } from "../support/github-server.ts";
import { fail, pass, startJudge } from "../support/judge-server.ts";
import { allOf, placedRun } from "../support/outputs.ts";
import { project } from "../support/projects.ts";
import {
  PUSH_TO_MAIN,
  removeTemporaryFolders,
  temporaryFolder,
  writeProject,
} from "../support/run-action.ts";
import { runCommand } from "../support/run-command.ts";

afterEach(closeServers);
afterAll(removeTemporaryFolders);

const judge = once(({ evidence }) => ({
  calls: [evidence.includes("BAD") ? fail("It is right", "It says BAD.") : pass("It is right", "It is.")],
}));

const IDS = times(12, (index) => `t${String(index + 1)}`);
const [GOOD, BAD] = ["PPPPPPPPPPPP", "PPPPPPPPFFFF"];
/** A drop by the sum is one of all tasks. */
const MARKED = IDS.map((task_id) => ({ suite: "suite", task_id }));
const commit = (number: number) => String(number).repeat(40);

/** One run of each task, which passes (`P`) or fails (`F`), on a day of January. */
function runsOf(written: string, day: number): Record<string, unknown> {
  const folders = Array.from(written, (letter, index) => {
    const task = IDS[index] ?? "";
    const said = { task, trial: 1, started: `2026-01-${String(day)}T08:00:00Z`, log: "log.txt" };
    return placedRun(`${task}/1`, said, `${letter === "P" ? "GOOD" : "BAD"} ${String(day)}`);
  });
  return allOf(...folders);
}

/** Grades one run of each task, which passes (`P`) or fails (`F`), on a day of January. */
async function grade(
  written: string,
  { day, main = "", pushed }: { readonly day: number; readonly main?: string; readonly pushed?: number },
  more: {
    readonly github?: GitHubOptions;
    readonly inputs?: Record<string, string>;
    readonly run?: number;
  } = {},
): Promise<Outcome> {
  const { github, inputs, run } = more;
  const onMain = {
    ...PUSH_TO_MAIN,
    env: { ...PUSH_TO_MAIN.env, GITHUB_SHA: commit(pushed ?? 0), GITHUB_RUN_ID: String(run ?? day) },
  };
  return await act(project({ tasks: IDS.map((id) => ({ id })) }), judge, {
    ...(pushed === undefined ? {} : onMain),
    inputs: {
      results: writeProject(runsOf(written, day)),
      "fail-on": "regression",
      baseline: main,
      ...inputs,
    },
    ...(github && { github }),
  });
}

/** Five files of main, of its commits 1 to 5. */
let folder = "";
beforeAll(async () => {
  folder = temporaryFolder("kept");
  for (const pushed of times(5, (index) => index + 1))
    await grade(
      GOOD,
      { day: 10 + pushed, pushed },
      {
        inputs: { "fail-on": "never", "output-file": join(folder, `${String(pushed)}.json`) },
      },
    );
});

const files = (...numbers: readonly number[]) =>
  numbers.map((number) => join(folder, `${String(number)}.json`)).join("\n");
const MAIN = times(9, (index) => commit(index + 1));
const merged = { sha: commit(0), closed: true, merged: true } as const;

describe("main's push", () => {
  test.each<[string, GitHubOptions, boolean]>([
    [
      "of a pull request with the label",
      { pulls: { 7: { ...merged, labels: ["Evals-Accept"], commits: [commit(6)] } } },
      true,
    ],
    [
      "after a push whose job was lost",
      { pulls: { 7: { ...merged, labels: ["evals-accept"], commits: [commit(6)] } } },
      true,
    ],
    [
      "of a merge queue's group, of which one has it",
      {
        pulls: {
          7: { ...merged, commits: [commit(7)] },
          8: { ...merged, labels: ["evals-accept"], commits: [commit(6)] },
        },
      },
      true,
    ],
    [
      "of a pull request without it",
      { pulls: { 7: { ...merged, labels: ["bug"], commits: [commit(7)] } } },
      false,
    ],
    [
      "beside an open one",
      { pulls: { 7: { sha: commit(0), labels: ["evals-accept"], commits: [commit(7)] } } },
      false,
    ],
    [
      "beside one that another branch took in",
      { pulls: { 7: { ...merged, base: "release", labels: ["evals-accept"], commits: [commit(7)] } } },
      false,
    ],
    [
      "after one that main's newest file has already",
      { pulls: { 7: { ...merged, labels: ["evals-accept"], commits: [commit(5)] } } },
      false,
    ],
    ["where GitHub does not say", { labelsStatus: 403 }, false],
  ])("%s", async (_, github, isAccepted) => {
    const outcome = await grade(
      BAD,
      { day: 20, main: files(1, 2, 3, 4, 5), pushed: 7 },
      { github: { commits: MAIN, ...github } },
    );
    expect([outcome.code, recordOf(outcome).accepted]).toEqual(isAccepted ? [0, MARKED] : [1, []]);
    expect(recordOf(outcome).rule).toBe(isAccepted ? "accepted" : "regression");
    const said = isAccepted
      ? "accepted by the label `evals-accept`: 4 of 12 tasks"
      : "Someone with write access gives its pull request the label `evals-accept`";
    expect(outcome.summary).toContain(said);
    expect(outcome.log.includes("GitHub did not list the labels")).toBe(github.labelsStatus === 403);
  });

  test("with a label, of which one task fell and no more, is marked with that one", async () => {
    const github = {
      commits: MAIN,
      pulls: { 7: { ...merged, labels: ["evals-accept"], commits: [commit(6)] } },
    };
    const outcome = await grade("PPPPPPPPPPPF", { day: 20, main: files(5), pushed: 6 }, { github });
    expect(recordOf(outcome).accepted).toEqual([{ suite: "suite", task_id: "t12" }]);
  });

  test("asks nothing where nothing fell", async () => {
    const outcome = await grade(GOOD, { day: 20, main: files(5), pushed: 6 }, { github: { commits: MAIN } });
    expect([outcome.code, recordOf(outcome).accepted]).toEqual([0, []]);
    expect(outcome.github.routes.filter((route) => /compare|\/pulls/.test(route))).toEqual([]);
  });

  test("is asked again as at first where its job is run again after the label, whatever was pushed since", async () => {
    const later = join(folder, "9.json");
    await grade(
      BAD,
      { day: 19, main: "", pushed: 9 },
      {
        inputs: { "fail-on": "never", "output-file": later },
      },
    );
    const outcome = await grade(
      BAD,
      { day: 20, main: `${files(1, 2, 3, 4, 5)}\n${later}`, pushed: 7 },
      {
        run: 18,
        github: {
          commits: MAIN,
          pulls: { 7: { ...merged, labels: ["evals-accept"], commits: [commit(7)] } },
        },
      },
    );
    expect([outcome.code, recordOf(outcome).accepted]).toEqual([0, MARKED]);
  });
});

test("a pull request that changes nothing is red after a drop on main, and green once the drop is accepted", async () => {
  const [plain, marked] = [join(folder, "6.json"), join(folder, "marked.json")];
  await grade(BAD, { day: 20, main: files(1, 2, 3, 4, 5), pushed: 6 }, { inputs: { "output-file": plain } });
  const record = JSON.parse(readFileSync(plain, "utf8")) as { waza_grade: object };
  writeFileSync(
    marked,
    JSON.stringify({ ...record, waza_grade: { ...record.waza_grade, accepted: MARKED } }),
  );
  const before = files(2, 3, 4, 5);
  const red = await grade(BAD, { day: 21, main: `${before}\n${plain}` });
  const green = await grade(BAD, { day: 21, main: `${before}\n${marked}` });
  expect([red.code, green.code]).toEqual([1, 0]);
  expect(lastLine(green)).toContain("4 tasks fail that never passed on main");
});

test("at the command line `--accepted` marks what fell, and older files count no more for it", async () => {
  const server = await startJudge(judge);
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: KEY };
  const source = join(import.meta.dirname, "../../src/index.ts");
  const at = (name: string) => join(folder, name);
  const desk = async (day: number, baseline: readonly string[], ...flags: readonly string[]) => {
    const record = at(`desk-${String(day)}.json`);
    const args = ["--results", writeProject(runsOf(BAD, day)), "--fail-on", "regression"];
    const files = ["--baseline", baseline.join("\n"), "--output-file", record];
    const place = project({ tasks: IDS.map((id) => ({ id })) });
    const { code, out, err } = await runCommand(place, [...args, ...files, ...flags], env, source);
    return { code, said: out + err, record: recordOf({ outputs: { "results-file": record } }) };
  };
  try {
    const before = files(2, 3, 4, 5).split("\n");
    const [plain, accepted] = await Promise.all([desk(22, before), desk(23, before, "--accepted")]);
    const later = [desk(24, [...before, at("desk-23.json")]), desk(25, [...before, at("desk-22.json")])];
    const [after, undeclared] = await Promise.all(later);
    expect([plain, accepted, after, undeclared].map((one) => one?.code)).toEqual([1, 0, 0, 1]);
    expect(accepted.record).toMatchObject({ rule: "accepted", accepted: MARKED });
    expect(accepted.said).toContain("accepted by `--accepted`: 4 of 12 tasks");
    expect(plain.record.accepted).toEqual([]);
  } finally {
    await server.close();
  }
});
