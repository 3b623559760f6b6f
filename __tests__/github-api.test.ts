import { afterEach, describe, expect, test } from "@jest/globals";
import type { PullReference, RunContext } from "../src/github.ts";
import { githubApi } from "../src/github-api.ts";
import { BOT, startGitHub } from "./support/github-server.ts";
import type { GitHubOptions, GitHubServer, Pull } from "./support/github-server.ts";

const servers: GitHubServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ close }) => close()));
});

/** The API against a server of its own. Retries and GitHub's pace take seconds, so few tests ask for them. */
async function start(options: GitHubOptions, context: Partial<RunContext> = {}, cancelled?: AbortSignal) {
  const server = await startGitHub(options);
  servers.push(server);
  const full: RunContext = {
    repository: { owner: "octo", repo: "agents" },
    sha: SHA,
    serverUrl: "https://github.com",
    apiUrl: server.url,
    docs: (page) => page,
    job: { workflow: "Evals", job: "grade" },
    attempt: { run: 1, attempt: 1 },
    ...context,
  };
  const api = githubApi(full, { token: "ghs_token", cancelled: cancelled ?? new AbortController().signal });
  return { server, ...api };
}

const SHA = "a".repeat(40);
const OTHER_SHA = "b".repeat(40);
const BODY = {
  name: "waza-grade",
  status: "completed",
  conclusion: "success",
  output: { title: "Passed", summary: "All well." },
};
const hello = { issue: 7, login: BOT, body: "Hello" };

describe("the pull request of a workflow_run", () => {
  const from = { headRepository: "stranger/agents", headBranch: "topic", headSha: SHA };
  const pull: Pull = { sha: SHA, ref: "topic", repository: "stranger/agents" };

  test.each<[string, Readonly<Record<number, Pull>>, number | undefined]>([
    ["is the one with its repository, branch and commit", { 7: pull }, 7],
    ["is found whatever the case of the repository", { 7: { ...pull, repository: "stranger/Agents" } }, 7],
    [
      "is found among others",
      { 3: { ...pull, sha: OTHER_SHA }, 5: { ...pull, repository: "other/agents" }, 7: pull },
      7,
    ],
    ["is none when there is none", {}, undefined],
    ["is none when the branch has moved on", { 7: { ...pull, sha: OTHER_SHA } }, undefined],
    ["is none when another branch has the commit", { 7: { ...pull, ref: "topic-2" } }, undefined],
    [
      "is none of another fork's branch of that name",
      { 7: { ...pull, repository: "other/agents" } },
      undefined,
    ],
    [
      "is none of another repository of the same owner",
      { 7: { ...pull, repository: "stranger/agents-2" } },
      undefined,
    ],
    ["is none when it is closed", { 7: { ...pull, closed: true } }, undefined],
    ["is none when the fork is gone", { 7: { sha: SHA, ref: "topic" } }, undefined],
  ])("%s", async (_case, pulls, expected) => {
    for (const ignoresHead of [false, true]) {
      const { comments } = await start({ pulls, ignoresHead }, { pull: from });
      expect(await comments.pull()).toBe(expected);
    }
  });

  test("is asked for in one request, with signs in the branch that addresses know", async () => {
    const headBranch = "fix/a&b=#1 100%";
    const { comments, server } = await start(
      { pulls: { 7: { ...pull, ref: headBranch } } },
      { pull: { ...from, headBranch } },
    );
    expect(await comments.pull()).toBe(7);
    expect(server.routes).toHaveLength(1);
  });

  test.each(["stranger", "/", "/agents", "a/b/c"])(
    "is none for a repository that is called %j",
    async (headRepository) => {
      const { comments } = await start({ pulls: { 7: pull } }, { pull: { ...from, headRepository } });
      expect(await comments.pull()).toBeUndefined();
    },
  );
});

describe("the pull request of another event", () => {
  test.each<[string, PullReference | undefined]>([
    ["is its number", { number: 9 }],
    ["is none", undefined],
  ])("%s, and GitHub is not asked", async (_case, pull) => {
    const { comments, server } = await start({}, pull ? { pull } : {});
    expect(await comments.pull()).toBe(pull && 9);
    expect(server.routes).toEqual([]);
  });
});

describe("comments", () => {
  test("are listed from all pages, with their authors", async () => {
    const given = Array.from({ length: 201 }, (_, index) => ({ ...hello, body: String(index) }));
    const { comments, server } = await start({ comments: [...given, { ...hello, issue: 8 }] });
    const listed = await comments.list(7);
    expect(listed.map(({ body }) => body)).toEqual(given.map(({ body }) => body));
    expect(listed[0]).toMatchObject({ id: 1, author: BOT, url: expect.stringContaining("issuecomment-1") });
    expect(server.routes).toHaveLength(3);
  });

  test("are written as whom the token says", async () => {
    const { comments } = await start({});
    expect(await comments.author()).toBe(BOT);
  });

  test("that another run has just removed are removed", async () => {
    const { comments, server } = await start({ comments: [hello] }, {}, AbortSignal.abort());
    await comments.remove(1);
    await comments.remove(1);
    expect(server.comments).toEqual([]);
  });

  test("that may not be removed say so", async () => {
    const { comments } = await start({ comments: [hello], commentStatus: 403 }, {}, AbortSignal.abort());
    await expect(comments.remove(1)).rejects.toMatchObject({ status: 403 });
  });
});

const FAULTS = ["500", "reset", "secondary-limit"] as const;

describe("a fault of GitHub's", () => {
  test.each(FAULTS)("%s is tried again, and what was asked for is then made once", async (fault) => {
    const [check, comment] = await Promise.all([start({ first: [fault] }), start({ first: [fault] })]);
    const made = await Promise.all([check.checkRuns.create(BODY), comment.comments.create(7, "Hello")]);
    expect(made).toEqual([
      { id: 1, url: "https://github.com/octo/agents/runs/1" },
      "https://github.com/octo/agents/pull/7#issuecomment-1",
    ]);
    expect(check.server.checkRuns).toHaveLength(1);
    expect(comment.server.comments).toMatchObject([hello]);
    expect(check.server.routes).toEqual(Array(2).fill("POST /repos/octo/agents/check-runs"));
    expect(comment.server.routes).toEqual(Array(2).fill("POST /repos/octo/agents/issues/7/comments"));
  });

  test("is tried again when the author is asked for, and on a page of a list", async () => {
    const [first, second] = await Promise.all([
      start({ first: ["secondary-limit"] }),
      start({ first: ["reset"], comments: [hello] }),
    ]);
    const [author, listed] = await Promise.all([first.comments.author(), second.comments.list(7)]);
    expect(author).toBe(BOT);
    expect(listed).toHaveLength(1);
    expect([first, second].map(({ server }) => server.routes.length)).toEqual([2, 2]);
  });

  test.each(FAULTS)("%s is not tried again once the workflow is cancelled", async (fault) => {
    const cancelled = AbortSignal.abort();
    const [check, comment] = await Promise.all([
      start({ first: [fault] }, {}, cancelled),
      start({ first: [fault] }, {}, cancelled),
    ]);
    await expect(check.checkRuns.create(BODY)).rejects.toHaveProperty("status");
    await expect(comment.comments.list(7)).rejects.toHaveProperty("status");
    expect([check, comment].map(({ server }) => server.routes.length)).toEqual([1, 1]);
  });

  test("is not tried again when the workflow is cancelled between two requests", async () => {
    const controller = new AbortController();
    const { checkRuns, server } = await start({ patchStatus: 500 }, {}, controller.signal);
    const { id } = await checkRuns.create(BODY);
    controller.abort();
    await expect(checkRuns.update(id, BODY)).rejects.toMatchObject({ status: 500 });
    expect(server.routes).toHaveLength(2);
  });
});

describe("a refusal is not tried again", () => {
  const author = async ({ comments }: Awaited<ReturnType<typeof start>>) => await comments.author();
  const create = async ({ checkRuns }: Awaited<ReturnType<typeof start>>) => await checkRuns.create(BODY);

  test.each<[string, number, GitHubOptions, Partial<RunContext>, typeof author | typeof create]>([
    ["403 on a check run", 403, { status: 403 }, {}, create],
    ["403 on the author", 403, { status: 403 }, {}, author],
    ["404 on a pull request that is gone", 404, {}, { sha: undefined, pull: { number: 8 } } as never, create],
    ["422 on a check run", 422, {}, {}, async ({ checkRuns }) => await checkRuns.create({ name: "" })],
    ["422 on a comment", 422, {}, {}, async ({ comments }) => (await comments.create(7, "")) ?? ""],
  ])("%s", async (_case, status, options, context, ask) => {
    const started = await start(options, context);
    await expect(ask(started)).rejects.toMatchObject({ status });
    expect(started.server.routes).toHaveLength(1);
    if (status === 403) await expect(ask(started)).rejects.toThrow("Resource not accessible by integration");
  });
});
