import { afterEach, describe, expect, test } from "@jest/globals";
import type { PullReference, RunContext } from "../../src/github/context.ts";
import { githubApi } from "../../src/github/api.ts";
import type { ClientLimits } from "../../src/github/client.ts";
import { listen } from "../support/http.ts";
import { startProxy, withVariables } from "../support/proxy-server.ts";
import {
  BOT,
  startGitHub,
  type Fault,
  type GitHubOptions,
  type GitHubServer,
  type Pull,
} from "../support/github-server.ts";
import { runContext } from "../support/run-context.ts";

const servers: Pick<GitHubServer, "close">[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ close }) => close()));
});

interface More {
  readonly context?: Partial<RunContext>;
  readonly cancelled?: AbortSignal;
  readonly limits?: Partial<ClientLimits>;
}

/** The API against a server of its own, where a second of GitHub's is a millisecond. */
async function start(options: GitHubOptions, { context, cancelled, limits }: More = {}) {
  const server = await startGitHub(options);
  servers.push(server);
  const api = githubApi(contextAt(server.url, context), {
    ...OPTIONS,
    ...(cancelled && { cancelled }),
    limits: { second: 1, ...limits },
  });
  return { server, ...api };
}

const OPTIONS = { token: "ghs_token", cancelled: new AbortController().signal, limits: { second: 1 } };

const contextAt = (apiUrl: string, more: Partial<RunContext> = {}) =>
  runContext({ sha: SHA, apiUrl, ...more });

const SHA = "a".repeat(40);
const OTHER_SHA = "b".repeat(40);
const BODY = {
  name: "waza-grade",
  external_id: "k.1.1",
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
    ["is found in any case of letters", { 7: { ...pull, repository: "stranger/Agents" } }, 7],
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
      const { comments } = await start({ pulls, ignoresHead }, { context: { pull: from } });
      expect(await comments.pull()).toBe(expected);
    }
  });

  test("is asked for in one request, with signs in the branch that addresses know", async () => {
    const headBranch = "fix/a&b=#1 100%";
    const { comments, server } = await start(
      { pulls: { 7: { ...pull, ref: headBranch } } },
      { context: { pull: { ...from, headBranch } } },
    );
    expect(await comments.pull()).toBe(7);
    expect(server.routes).toHaveLength(1);
  });

  test.each(["stranger", "/", "/agents", "a/b/c"])(
    "is none for a repository that is called %j",
    async (headRepository) => {
      const { comments } = await start(
        { pulls: { 7: pull } },
        { context: { pull: { ...from, headRepository } } },
      );
      expect(await comments.pull()).toBeUndefined();
    },
  );
});

describe("the pull request of another event", () => {
  test.each<[string, PullReference | undefined]>([
    ["is its number", { number: 9 }],
    ["is none", undefined],
  ])("%s, and GitHub is not asked", async (_case, pull) => {
    const { comments, server } = await start({}, { context: pull ? { pull } : {} });
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
    const { comments, server } = await start({ comments: [hello] }, { cancelled: AbortSignal.abort() });
    await comments.remove(1);
    await comments.remove(1);
    expect(server.comments).toEqual([]);
  });

  test("that may not be removed say so", async () => {
    const { comments } = await start(
      { comments: [hello], commentStatus: 403 },
      { cancelled: AbortSignal.abort() },
    );
    await expect(comments.remove(1)).rejects.toMatchObject({ status: 403 });
  });
});

const CHECK_RUNS = "POST /repos/octo/agents/check-runs";
const COMMENTS = "POST /repos/octo/agents/issues/7/comments";
const written = ({ routes }: GitHubServer) => routes.filter((route) => !/^GET |graphql/.test(route));

/** Milliseconds after which a hanging request is given up: a request that answers takes some, on a busy machine hundreds. */
const HANGS_FOR = 3_000;

describe("a fault of GitHub's", () => {
  test.each<[Fault, number]>([
    ["500", 2],
    ["reset", 2],
    ["limit", 2],
    ["made-502", 1],
    ["made-reset", 1],
    ["made-hang", 1],
  ])("%s: what was asked for is there once, after %i tries", async (fault, tries) => {
    const limits = { request: HANGS_FOR };
    const [check, comment] = await Promise.all([
      start({ first: [fault] }, { limits }),
      start({ first: [fault], comments: [{ ...hello, login: "mona" }] }, { limits }),
    ]);
    const made = await Promise.all([check.checkRuns.create(BODY), comment.comments.create(7, "Hello")]);
    expect(made).toEqual([
      { id: 1, url: "https://github.com/octo/agents/runs/1" },
      "https://github.com/octo/agents/pull/7#issuecomment-2",
    ]);
    expect(check.server.checkRuns).toHaveLength(1);
    expect(comment.server.comments).toMatchObject([{ login: "mona" }, hello]);
    expect(written(check.server)).toEqual(Array(tries).fill(CHECK_RUNS));
    expect(written(comment.server)).toEqual(Array(tries).fill(COMMENTS));
  });

  test("a check run that is there twice by name is known by its run", async () => {
    const { checkRuns, server } = await start({ first: ["made-502"] });
    server.checkRuns.push({
      ...BODY,
      head_sha: SHA,
      external_id: "k.1.0",
      annotations: [],
      batches: [],
    } as never);
    expect(await checkRuns.create(BODY)).toMatchObject({ id: 2 });
  });

  test("what was never answered, and is not there, is not written again", async () => {
    const limits = { request: HANGS_FOR };
    const [check, comment] = await Promise.all([
      start({ first: ["hang"] }, { limits }),
      start({ first: ["hang"] }, { limits }),
    ]);
    await expect(check.checkRuns.create(BODY)).rejects.toThrow("did not answer within 3 s");
    await expect(comment.comments.create(7, "Hello")).rejects.toThrow("did not answer within 3 s");
    expect(written(check.server)).toEqual([CHECK_RUNS]);
    expect(written(comment.server)).toEqual([COMMENTS]);
  });

  test("nor is what cannot be looked for", async () => {
    const { checkRuns, server } = await start({ first: ["500"], always: { GET: "500" } });
    await expect(checkRuns.create(BODY)).rejects.toMatchObject({ status: 500 });
    expect(written(server)).toEqual([CHECK_RUNS]);
  });

  test.each<[Fault, number]>([
    ["500", 2],
    ["made-502", 1],
    ["made-hang", 1],
  ])("%s: annotations are added once, after %i tries", async (fault, tries) => {
    const first = [undefined, fault];
    const { checkRuns, server } = await start({ first }, { limits: { request: HANGS_FOR } });
    const one = { path: "a", start_line: 1, end_line: 1, annotation_level: "notice", message: "m" };
    const { id } = await checkRuns.create(BODY);
    await checkRuns.append(id, { output: { summary: "s", annotations: [one, one] } }, 2);
    expect(server.checkRuns).toMatchObject([{ annotations: [{}, {}] }]);
    expect(written(server)).toHaveLength(1 + tries);
  });

  test("is tried again when the author is asked for, and on a page of a list", async () => {
    const [first, second] = await Promise.all([
      start({ first: ["limit"] }),
      start({ first: ["reset"], comments: [hello] }),
    ]);
    const [author, listed] = await Promise.all([first.comments.author(), second.comments.list(7)]);
    expect(author).toBe(BOT);
    expect(listed).toHaveLength(1);
    expect([first, second].map(({ server }) => server.routes.length)).toEqual([2, 2]);
  });

  test("is tried three times more, and then reported", async () => {
    const { comments, server } = await start({ always: { GET: "500" } });
    await expect(comments.list(7)).rejects.toMatchObject({ status: 500 });
    expect(server.routes).toHaveLength(4);
  });

  test("a limit that lasts longer than there is time is not waited for", async () => {
    const { checkRuns, server } = await start({ first: ["long-limit"] }, { limits: { second: 1_000 } });
    await expect(checkRuns.create(BODY)).rejects.toThrow("secondary rate limit");
    expect(server.routes).toEqual([CHECK_RUNS]);
  });

  test.each(["500", "reset", "limit"] as const)(
    "%s is not tried again once the workflow is cancelled",
    async (fault) => {
      const cancelled = AbortSignal.abort();
      const [check, comment] = await Promise.all([
        start({ first: [fault] }, { cancelled }),
        start({ first: [fault] }, { cancelled }),
      ]);
      await expect(check.checkRuns.create(BODY)).rejects.toHaveProperty("status");
      await expect(comment.comments.list(7)).rejects.toHaveProperty("status");
      expect([check, comment].map(({ server }) => server.routes.length)).toEqual([1, 1]);
    },
  );

  test("is not tried again when the workflow is cancelled between two requests", async () => {
    const controller = new AbortController();
    const { checkRuns, server } = await start({ patchStatus: 500 }, { cancelled: controller.signal });
    const { id } = await checkRuns.create(BODY);
    controller.abort();
    await expect(checkRuns.append(id, BODY, 1)).rejects.toMatchObject({ status: 500 });
    expect(server.routes).toHaveLength(2);
  });
});

test("a proxy that closes each CONNECT is asked once a try", async () => {
  const proxy = await startProxy({ closes: true });
  const { checkRuns } = await start({}, { context: { apiUrl: "https://api.github.example" } });
  await withVariables({ https_proxy: `http://127.0.0.1:${proxy.port}` }, () =>
    expect(checkRuns.create(BODY)).rejects.toThrow("the proxy made no connection: other side closed"),
  ).finally(proxy.close);
  // The write, and four tries of the look for what it may have written.
  expect(proxy.asked).toHaveLength(5);
});

describe("when the time for all of it is over", () => {
  const over = "GitHub took longer than";
  const ends = async (started: Awaited<ReturnType<typeof start>>, words: string) => {
    const { checkRuns, comments, server } = started;
    await Promise.all([
      expect(checkRuns.create(BODY)).rejects.toThrow(words),
      expect(comments.list(7)).rejects.toThrow(words),
    ]);
    const asked = server.routes.length;
    await expect(comments.create(7, "Hello")).rejects.toThrow(words);
    expect(server.routes).toHaveLength(asked);
  };

  test.each<[string, Fault, number]>([
    ["GitHub hangs", "hang", 1],
    ["GitHub breaks every connection off, and there is a long pause before each try", "reset", 1_000],
    ["GitHub breaks, and there is a long pause before each try", "500", 1_000],
  ])("nothing more is asked, in any state: %s", async (_case, fault, second) => {
    const always = { GET: fault, POST: fault };
    await ends(await start({ always }, { limits: { together: 500, second } }), over);
  });

  test("so too soon after a cancellation, whenever that comes", async () => {
    const always = { GET: "hang", POST: "hang" } as const;
    const controller = new AbortController();
    const limits = { grace: 200 };
    const [before, after] = await Promise.all([
      start({ always }, { cancelled: AbortSignal.abort(), limits }),
      start({ always }, { cancelled: controller.signal, limits }),
    ]);
    const ended = ends(after, "was cancelled");
    controller.abort();
    await Promise.all([ended, ends(before, "was cancelled")]);
  });
});

test("an answer that is not GitHub's is called that, without words of JavaScript", async () => {
  const server = await listen((request, response) => {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(request.method === "GET" ? "[null]" : request.method === "POST" ? "{}" : "null");
    return Promise.resolve();
  });
  servers.push(server);
  const { comments, checkRuns } = githubApi(contextAt(server.url, { pull: { number: 7 } }), OPTIONS);
  const says = "GitHub's answer is not what its API documents; a proxy may have given it";
  const questions = [
    () => comments.list(7),
    () => comments.update(1, "x"),
    () => comments.create(7, "x"),
    () => comments.remove(1),
    () => checkRuns.append(1, BODY, 1),
    () => checkRuns.create(BODY),
  ];
  for (const ask of questions) await expect(ask()).rejects.toThrow(says);
});

describe("a refusal is not tried again", () => {
  const author = async ({ comments }: Awaited<ReturnType<typeof start>>) => await comments.author();
  const create = async ({ checkRuns }: Awaited<ReturnType<typeof start>>) => await checkRuns.create(BODY);

  test.each<[string, number, GitHubOptions, Partial<RunContext>, typeof author | typeof create]>([
    ["403 on a check run", 403, { status: 403 }, {}, create],
    ["403 on the author", 403, { status: 403 }, {}, author],
    ["404 on a pull request that is gone", 404, {}, { sha: undefined, pull: { number: 8 } }, create],
    [
      "422 on a check run",
      422,
      {},
      {},
      async ({ checkRuns }) => await checkRuns.create({ name: "", external_id: "" }),
    ],
    ["422 on a comment", 422, {}, {}, async ({ comments }) => (await comments.create(7, "")) ?? ""],
  ])("%s", async (_case, status, options, context, ask) => {
    const started = await start(options, { context });
    await expect(ask(started)).rejects.toMatchObject({ status });
    expect(started.server.routes).toHaveLength(1);
    if (status === 403) await expect(ask(started)).rejects.toThrow("Resource not accessible by integration");
  });
});
