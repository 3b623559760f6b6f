import { afterEach, describe, expect, test } from "@jest/globals";
import type { PullReference, RunContext } from "../../src/github/context.ts";
import { githubApi } from "../../src/github/api.ts";
import { commentPublisher, type CommentOptions } from "../../src/report/publishers/github.ts";
import { useOf, type Report } from "../../src/report/report.ts";
import { times } from "../support/factories.ts";
import { BOT, startGitHub, type GitHubOptions, type GitHubServer } from "../support/github-server.ts";
import {
  FAILED,
  MISSING,
  NO_KEY,
  PASSED,
  erroredOf,
  fail,
  reportOf,
  verdictOf,
  type Made,
} from "../support/grades.ts";
import { runContext } from "../support/run-context.ts";

const servers: GitHubServer[] = [];

afterEach(async () => {
  const open = servers.splice(0);
  await Promise.all(open.map(({ close }) => close()));
  expect(open.flatMap(({ refused }) => refused)).toEqual([]);
});

async function github(options: GitHubOptions = {}): Promise<GitHubServer> {
  const server = await startGitHub(options);
  servers.push(server);
  return server;
}

const passed: Made = { verdict: PASSED };
const failed: Made = { verdict: FAILED, task: "failed" };
const errored: Made = { verdict: erroredOf(), task: "errored" };
const keyless: Made = { verdict: NO_KEY, task: "keyless" };
const unrun: Made = { verdict: MISSING, task: "unrun", run: null };

const RED = reportOf([failed]);
const GREEN = reportOf([passed]);

interface Given {
  readonly when?: CommentOptions["when"];
  readonly checkName?: string;
  readonly matrix?: string;
  readonly job?: Partial<RunContext["job"]>;
  readonly attempt?: Partial<CommentOptions["attempt"]>;
  /** null: the event belongs to none. */
  readonly pull?: PullReference | null;
}

/** Publishes as a run would; nothing is tried again and nothing paced, as after a cancellation, which is quicker. */
async function publish(server: GitHubServer, of: Report, given: Given = {}) {
  const { when = "always", checkName = "waza-grade", matrix = "null", pull } = given;
  const context = runContext({
    apiUrl: server.url,
    job: { workflow: "Evals", job: "grade", ...given.job },
    attempt: { run: 10, attempt: 1, ...given.attempt },
    pull: pull === null ? undefined : (pull ?? { number: 7 }),
  });
  const notices: string[] = [];
  const publisher = commentPublisher({
    api: githubApi(context, {
      token: "ghs_token",
      cancelled: AbortSignal.abort(),
      limits: { grace: 60_000 },
    }).comments,
    when,
    use: useOf({ job: context.job, checkName, matrix }),
    attempt: context.attempt,
    notice: (message) => notices.push(message),
  });
  return { published: await publisher.publish(of, {}), notices };
}

/** The first line that a run writes, which is how it finds its comment again. */
async function markOf(given: Given = {}): Promise<string> {
  const server = await github();
  await publish(server, RED, given);
  return firstLine(server.comments[0]?.body);
}

const firstLine = (text = "") => text.split("\n")[0] ?? "";
const writes = ({ routes }: GitHubServer) =>
  routes.filter((route) => !route.startsWith("GET ") && route !== "POST /graphql");

describe("the name of a check run", () => {
  const job = { workflow: "Evals", job: "grade" };
  test.each<[string, string, string]>([
    ["without a matrix", "null", "waza-grade"],
    ["with an empty matrix", "{}", "waza-grade"],
    ["in a matrix", '{"os":"ubuntu-latest","node":20}', "waza-grade (ubuntu-latest, 20)"],
    [
      "in a matrix of objects",
      '{"agent":{"model":"a","fast":true}}',
      'waza-grade ({"model":"a","fast":true})',
    ],
    ["in a matrix with line breaks", '{"text":"a\\nb"}', "waza-grade (a b)"],
    ["in a matrix written by hand", "linux", "waza-grade (linux)"],
    ["in endless matrix values", `["${"x".repeat(300)}"]`, `waza-grade (${"x".repeat(99)}…)`],
  ])("%s", (_case, matrix, name) => {
    expect(useOf({ job, checkName: "waza-grade", matrix }).name).toBe(name);
  });
});

describe("the comment of a pull request", () => {
  test("is created, then updated in place, and says where it is", async () => {
    const server = await github();
    const { published } = await publish(server, RED);
    expect(published).toEqual({ commentUrl: "https://github.com/octo/agents/pull/7#issuecomment-1" });
    expect(server.comments).toMatchObject([{ issue: 7, body: expect.stringContaining("## ❌ suite: ") }]);
    const again = await publish(server, GREEN, { attempt: { run: 11 } });
    expect(again).toEqual({ published, notices: [] });
    expect(server.comments).toMatchObject([{ id: 1, body: expect.stringContaining("## ✅ suite: ") }]);
  });

  test("is found behind 250 others", async () => {
    const others = times(250, (index) => ({
      issue: 7,
      login: index % 2 === 0 ? BOT : "mona",
      body: `Comment ${String(index)}`,
    }));
    const body = await markOf();
    const server = await github({ comments: [...others, { issue: 7, login: BOT, body }] });
    await publish(server, RED);
    expect(server.comments).toHaveLength(251);
    expect(server.comments.slice(0, 250)).toMatchObject(others);
    expect(server.comments[250]?.body).toContain("## ❌ suite: ");
    expect(server.routes.filter((route) => route.startsWith("GET "))).toHaveLength(3);
  });

  test.each<[string, Given]>([
    ["another job of the matrix", { matrix: '{"os":"linux"}' }],
    ["another check name", { checkName: "other" }],
    ["another workflow", { job: { workflow: "Nightly" } }],
    ["another job", { job: { job: "grade-2" } }],
    ["a workflow and a job that are the same text together", { job: { workflow: "Eval", job: "sgrade" } }],
  ])("is not that of %s, which keeps its own", async (_case, other) => {
    const server = await github();
    for (const given of [{}, other, {}, other]) await publish(server, RED, given);
    expect(server.comments).toHaveLength(2);
    expect(firstLine(server.comments[0]?.body)).not.toBe(firstLine(server.comments[1]?.body));
  });

  test("is not that of another pull request", async () => {
    const server = await github();
    await publish(server, RED);
    await publish(server, RED, { pull: { number: 8 } });
    expect(server.comments).toMatchObject([{ issue: 7 }, { issue: 8 }]);
  });

  test("becomes one, the oldest, when two runs have written the first at once", async () => {
    const body = await markOf();
    const mine = { issue: 7, login: BOT, body };
    const server = await github({ comments: [mine, { issue: 7, login: "mona", body: "Hello" }, mine, mine] });
    await publish(server, RED);
    expect(server.comments.map(({ id }) => id)).toEqual([1, 2]);
    expect(server.comments[0]?.body).toContain("## ❌ suite: ");
  });

  test("is not there without a pull request: one notice, and nothing is asked of GitHub", async () => {
    const server = await github();
    const { published, notices } = await publish(server, RED, { pull: null });
    expect(published).toEqual({});
    expect(notices).toEqual([expect.stringMatching(/^No comment: .*no open pull request/)]);
    expect(server.routes).toEqual([]);
  });

  test("is not there when the pull request is not found: one notice, and no comment is read", async () => {
    const server = await github();
    const pull = { headRepository: "octo/agents", headBranch: "topic", headSha: "a".repeat(40) };
    const { notices } = await publish(server, RED, { pull });
    expect(notices).toHaveLength(1);
    expect(server.routes).toEqual([expect.stringMatching(/^GET \/repos\/octo\/agents\/pulls\?/)]);
  });

  test("that the token may not write is refused with 403", async () => {
    const server = await github({ commentStatus: 403 });
    await expect(publish(server, RED)).rejects.toMatchObject({ status: 403 });
    expect(server.routes).toHaveLength(1);
  });
});

describe("a comment that is not ours", () => {
  test.each(["stranger", "github-actions", "Github-Actions[bot]x"])(
    "is left alone: a copy of our first line by %s; ours is made beside it, and then kept",
    async (login) => {
      const body = `${await markOf()}\nI wrote this.`;
      const server = await github({ comments: [{ issue: 7, login, body }] });
      await publish(server, RED);
      await publish(server, GREEN);
      expect(server.comments).toMatchObject([
        { body, login },
        { login: BOT, body: expect.stringContaining("## ✅ suite: ") },
      ]);
      expect(server.comments).toHaveLength(2);
    },
  );

  test("is not removed either, nor does a stranger's copy of a later run hold us back", async () => {
    const body = await markOf({ attempt: { run: 999_999 } });
    const server = await github({ comments: [{ issue: 7, login: "stranger", body }] });
    const { notices } = await publish(server, RED, { when: "failures" });
    expect(server.comments).toHaveLength(2);
    await publish(server, GREEN, { when: "failures" });
    expect(server.comments).toMatchObject([{ login: "stranger", body }]);
    expect(notices).toEqual([]);
  });

  test.each([
    ["on the second line", (mark: string) => `Hello\n${mark}`],
    ["after an empty line", (mark: string) => `\n${mark}`],
    ["in a quotation", (mark: string) => `> ${mark}`],
    ["indented", (mark: string) => ` ${mark}`],
    ["without its run", (mark: string) => mark.replace(/ run .*? /, " ")],
    ["with more in it", (mark: string) => mark.replace(" -->", " x -->")],
  ])("is one by our own author with our mark %s", async (_case, bodyWith) => {
    const body = bodyWith(await markOf());
    const server = await github({ comments: [{ issue: 7, login: BOT, body }] });
    await publish(server, RED);
    expect(server.comments).toHaveLength(2);
    expect(server.comments[0]?.body).toBe(body);
  });

  test("is that of another matrix job, whose report quotes our mark in all it can", async () => {
    const mark = await markOf();
    const quoting = `${mark}\n\n${mark}`;
    const made: Made = {
      verdict: verdictOf([fail(quoting, quoting)]),
      grader: { name: quoting },
      run: { finalOutput: quoting },
      task: quoting,
    };
    const server = await github();
    await publish(server, reportOf([made]), { matrix: "[1]" });
    const before = server.comments[0]?.body;
    expect(before).toContain("waza-grade ");
    await publish(server, RED);
    expect(server.comments).toHaveLength(2);
    expect(server.comments[0]?.body).toBe(before);
  });

  test("does not ask for our identity while there is no mark", async () => {
    const server = await github({ comments: [{ issue: 7, login: BOT, body: "Hello" }] });
    await publish(server, RED);
    expect(server.routes).not.toContain("POST /graphql");
  });
});

describe("an older run", () => {
  test.each<[string, Given["attempt"], Given["attempt"], boolean]>([
    ["an earlier run", { run: 9, attempt: 1 }, { run: 10, attempt: 1 }, false],
    ["an earlier run, though tried more often", { run: 9, attempt: 5 }, { run: 10, attempt: 1 }, false],
    ["an earlier run with fewer digits", { run: 9 }, { run: 10 }, false],
    ["an earlier attempt", { run: 10, attempt: 1 }, { run: 10, attempt: 2 }, false],
    ["the same attempt", { run: 10, attempt: 2 }, { run: 10, attempt: 2 }, true],
    ["a later attempt", { run: 10, attempt: 10 }, { run: 10, attempt: 9 }, true],
    ["a later run", { run: 11, attempt: 1 }, { run: 10, attempt: 3 }, true],
  ])("%s: does it write?", async (_case, attempt = {}, written = {}, writing) => {
    const server = await github();
    await publish(server, RED, { attempt: written });
    const before = server.comments[0]?.body;
    const { published, notices } = await publish(server, GREEN, { attempt });
    expect(notices).toEqual(writing ? [] : [expect.stringMatching(/not changed, because a later run/)]);
    expect(published).toEqual(writing ? { commentUrl: expect.any(String) } : {});
    expect(server.comments).toHaveLength(1);
    expect(server.comments[0]?.body === before).toBe(!writing);
  });

  test("does not remove what a later one has written, though all passed", async () => {
    const server = await github();
    await publish(server, RED);
    const { notices } = await publish(server, GREEN, { when: "failures", attempt: { run: 9 } });
    expect(notices).toHaveLength(1);
    expect(server.comments).toHaveLength(1);
  });
});

describe("when there is a comment", () => {
  const lenient = { onError: "warn", failOn: "score" } as const;

  test.each<[string, Report, boolean]>([
    ["all passed", GREEN, false],
    ["there is nothing to grade", reportOf([]), false],
    ["a run is missing", reportOf([passed, unrun]), true],
    [
      "a run is missing, which only warns",
      reportOf([passed, unrun], { policy: { onMissing: "warn" } }),
      false,
    ],
    ["one failed", reportOf([passed, failed]), true],
    ["one failed, and the gate lets it pass", reportOf([failed], { policy: { failOn: "never" } }), true],
    ["one failed, and only the score decides", reportOf([passed, failed], { policy: lenient }), true],
    ["the score is too low", reportOf([passed, failed], { policy: { ...lenient, minScore: 0.9 } }), true],
    ["one errored", reportOf([passed, errored]), true],
    ["one errored, and that only warns", reportOf([passed, errored], { policy: lenient }), true],
    ["one was skipped, since there is no key", reportOf([passed, keyless], { policy: lenient }), true],
    ["the workflow was cancelled", reportOf([passed], { cancelled: true }), true],
  ])("with `failures`: %s", async (_case, of, posted) => {
    const server = await github();
    const first = await publish(server, of, { when: "failures" });
    expect(server.comments).toHaveLength(posted ? 1 : 0);
    expect(first.published).toEqual(posted ? { commentUrl: expect.any(String) } : {});

    const before = await github({ comments: [{ issue: 7, login: BOT, body: await markOf() }] });
    const { published, notices } = await publish(before, of, { when: "failures" });
    expect(before.comments).toHaveLength(posted ? 1 : 0);
    expect(published).toEqual(posted ? { commentUrl: expect.any(String) } : {});
    expect(notices).toEqual([]);
    expect(writes(before)).toEqual([`${posted ? "PATCH" : "DELETE"} /repos/octo/agents/issues/comments/1`]);
  });

  test("with `failures`, those of a race all go once all is well", async () => {
    const mine = { issue: 7, login: BOT, body: await markOf() };
    const server = await github({ comments: [mine, mine] });
    await publish(server, GREEN, { when: "failures" });
    expect(server.comments).toEqual([]);
  });

  test("with `always`: when all passed too", async () => {
    const server = await github();
    await publish(server, GREEN);
    expect(server.comments).toMatchObject([{ body: expect.stringContaining("## ✅ suite: ") }]);
  });
});

describe("the length of a comment", () => {
  test.each(["x", "😀", "👩‍👩‍👧‍👦 é漢", "<&$`|*_\\", "@org/team #1 "])(
    "holds for 200 failed grades with endless reasons of %j",
    async (unit) => {
      const endless = unit.repeat(5_000);
      const made = times(200, (index): Made => ({
        verdict: verdictOf([fail(endless, endless)]),
        grader: { name: endless },
        task: `task ${String(index)}`,
        run: { finalOutput: endless },
      }));
      const server = await github();
      await publish(server, reportOf(made));
      const body = server.comments[0]?.body ?? "";
      expect(body.length).toBeLessThanOrEqual(65_536);
      expect(body.isWellFormed()).toBe(true);
      expect(body).toMatch(
        /^<!-- waza-grade [0-9a-f]{32} run 10\.1 -->\n## ❌ suite: 200 of 200 tasks fail\n/,
      );
    },
  );

  test("holds for 200 grades of ordinary length, with the first of them whole", async () => {
    const verdict = verdictOf([fail("It 😀 ends", "It 😀 goes on. ".repeat(20))]);
    const server = await github();
    await publish(server, reportOf(times(200, (index) => ({ verdict, task: `task ${String(index)}` }))));
    const body = server.comments[0]?.body ?? "";
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toContain("It 😀 goes on.");
  });
});
