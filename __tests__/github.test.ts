import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { readContext } from "../src/github.ts";
import type { RunContext } from "../src/github.ts";
import { githubApi } from "../src/github-api.ts";
import { startGitHub } from "./support/github-server.ts";
import type { GitHubOptions } from "./support/github-server.ts";
import {
  HEAD_SHA,
  MERGE_SHA,
  TOKEN,
  pullRequestEvent,
  removeTemporaryFolders,
  temporaryFolder,
} from "./support/run-action.ts";

afterAll(removeTemporaryFolders);

interface Given {
  readonly name?: string;
  readonly payload?: unknown;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The context of an event, in the environment of a run in octo/agents. */
function contextOf({ name = "push", payload = {}, env = {} }: Given) {
  const path = join(temporaryFolder("event"), "event.json");
  writeFileSync(path, typeof payload === "string" ? payload : JSON.stringify(payload));
  return readContext({
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: path,
    GITHUB_REPOSITORY: "octo/agents",
    GITHUB_SHA: MERGE_SHA,
    GITHUB_ACTOR: "mona",
    ...env,
  });
}

/** The Checks API of a context, without a cancellation. */
const checkRunsApi = (context: RunContext, token: string) =>
  githubApi(context, { token, cancelled: new AbortController().signal }).checkRuns;

const OTHER_SHA = "d".repeat(40);
const { payload: PULL } = pullRequestEvent();
const { payload: FORK } = pullRequestEvent("stranger/agents");

describe("the commit to report on", () => {
  test.each([
    ["pull_request: the head, not the merge commit", "pull_request", PULL, HEAD_SHA],
    ["pull_request_target: the head, not the default branch", "pull_request_target", PULL, HEAD_SHA],
    ["pull_request_review: the head", "pull_request_review", PULL, HEAD_SHA],
    ["pull_request_review_comment: the head", "pull_request_review_comment", PULL, HEAD_SHA],
    [
      "workflow_run: the commit that started it",
      "workflow_run",
      { workflow_run: { head_sha: HEAD_SHA } },
      HEAD_SHA,
    ],
    ["merge_group: the queue's commit", "merge_group", { merge_group: { head_sha: HEAD_SHA } }, HEAD_SHA],
    ["push: GITHUB_SHA", "push", { after: OTHER_SHA }, MERGE_SHA],
    ["schedule: GITHUB_SHA", "schedule", { schedule: "0 0 * * *" }, MERGE_SHA],
    ["workflow_dispatch: GITHUB_SHA", "workflow_dispatch", { inputs: null }, MERGE_SHA],
    ["an event of tomorrow: GITHUB_SHA", "something_new", { pull_request: { head: 7 } }, MERGE_SHA],
    ["pull_request without a head: GITHUB_SHA", "pull_request", { pull_request: {} }, MERGE_SHA],
    [
      "workflow_run without a commit: GITHUB_SHA",
      "workflow_run",
      { workflow_run: { head_sha: null } },
      MERGE_SHA,
    ],
    ["push with a pull request in it: GITHUB_SHA", "push", PULL, MERGE_SHA],
  ])("%s", async (_case, name, payload, sha) => {
    const context = await contextOf({ name, payload });
    expect(context.sha).toBe(sha);
  });

  test("is absent where there is none", async () => {
    expect(await contextOf({ env: { GITHUB_SHA: "" } })).not.toHaveProperty("sha");
  });

  test.each<[string, unknown, number | undefined]>([
    ["on a pull request has to be looked up", { issue: { number: 7, pull_request: { url: "x" } } }, 7],
    ["on an issue is GITHUB_SHA's", { issue: { number: 7 } }, undefined],
    ["on an issue that says null is GITHUB_SHA's", { issue: { number: 7, pull_request: null } }, undefined],
    ["without an issue is GITHUB_SHA's", {}, undefined],
  ])("a comment %s", async (_case, payload, pull) => {
    const context = await contextOf({ name: "issue_comment", payload });
    expect(context.pull).toEqual(pull === undefined ? undefined : { number: pull });
    expect(context.sha).toBe(pull === undefined ? MERGE_SHA : undefined);
  });

  test("of an issue event that is no comment is not looked up", async () => {
    const payload = { issue: { number: 7, pull_request: {} } };
    expect(await contextOf({ name: "issues", payload })).not.toHaveProperty("pull");
  });
});

describe("an event without secrets", () => {
  const dependabot = { pull_request: { ...PULL.pull_request, user: { login: "dependabot[bot]" } } };
  const forkGone = {
    pull_request: { ...FORK.pull_request, head: { ...FORK.pull_request.head, repo: null } },
  };

  test.each<[string, Given, "fork" | "dependabot" | undefined]>([
    ["a pull request of the repository itself has them", { name: "pull_request", payload: PULL }, undefined],
    ["a pull request from a fork", { name: "pull_request", payload: FORK }, "fork"],
    ["a review of one from a fork", { name: "pull_request_review", payload: FORK }, "fork"],
    ["a pull request whose fork is gone", { name: "pull_request", payload: forkGone }, "fork"],
    ["a pull request of Dependabot", { name: "pull_request", payload: dependabot }, "dependabot"],
    [
      "a pull request that Dependabot acts on",
      { name: "pull_request", payload: PULL, env: { GITHUB_ACTOR: "dependabot[bot]" } },
      "dependabot",
    ],
    [
      "pull_request_target has them, from a fork too",
      { name: "pull_request_target", payload: FORK },
      undefined,
    ],
    [
      "pull_request_target has them, of Dependabot too",
      { name: "pull_request_target", payload: dependabot },
      undefined,
    ],
    ["push has them", { name: "push" }, undefined],
    [
      "workflow_run has them",
      { name: "workflow_run", payload: { workflow_run: { head_sha: HEAD_SHA } } },
      undefined,
    ],
    [
      "merge_group has them",
      { name: "merge_group", payload: { merge_group: { head_sha: HEAD_SHA } } },
      undefined,
    ],
    [
      "a comment has them",
      { name: "issue_comment", payload: { issue: { number: 7, pull_request: {} } } },
      undefined,
    ],
  ])("%s", async (_case, given, expected) => {
    expect((await contextOf(given)).withoutSecrets).toBe(expected);
  });
});

describe("an event that cannot be read", () => {
  test.each([
    ["is no JSON", "{"],
    ["is empty", ""],
    ["is null", "null"],
    ["is a list", "[]"],
    ["is text", '"pull_request"'],
    ["has a pull request that is text", { pull_request: "x" }],
    ["has a pull request without anything we know", { pull_request: { head: "x", base: 7, user: [] } }],
  ])("because it %s leaves GITHUB_SHA", async (_case, payload) => {
    const context = await contextOf({ name: "pull_request", payload });
    expect(context).toMatchObject({ sha: MERGE_SHA, repository: { owner: "octo", repo: "agents" } });
  });

  test.each([
    ["there is no such file", (folder: string) => join(folder, "gone.json")],
    ["it is a folder", (folder: string) => folder],
    ["its path is not set", () => undefined],
    ["its path is empty", () => ""],
  ])("because %s leaves GITHUB_SHA", async (_case, path) => {
    const folder = join(temporaryFolder("event"), "folder");
    mkdirSync(folder);
    const context = await contextOf({ name: "pull_request", env: { GITHUB_EVENT_PATH: path(folder) } });
    expect(context.sha).toBe(MERGE_SHA);
  });
});

describe("where GitHub is", () => {
  test("github.com by default, with this action's own documents", async () => {
    const context = await contextOf({});
    expect(context).toMatchObject({
      repository: { owner: "octo", repo: "agents" },
      serverUrl: "https://github.com",
      apiUrl: "https://api.github.com",
    });
    expect(context.docs("judging.md")).toBe("https://github.com/org/waza-grade/blob/main/docs/judging.md");
  });

  test("a server of one's own, and the documents of the version in use", async () => {
    const context = await contextOf({
      env: {
        GITHUB_SERVER_URL: "https://git.example",
        GITHUB_API_URL: "https://git.example/api/v3",
        GITHUB_ACTION_REPOSITORY: "acme/waza-grade",
        GITHUB_ACTION_REF: "v1",
      },
    });
    expect(context).toMatchObject({ serverUrl: "https://git.example", apiUrl: "https://git.example/api/v3" });
    expect(context.docs("x.md")).toBe("https://git.example/acme/waza-grade/blob/v1/docs/x.md");
  });

  test.each([
    ["not set", undefined],
    ["empty", ""],
    ["only an owner", "octo"],
    ["only a slash", "/"],
  ])("nowhere, when the repository is %s", async (_case, repository) => {
    expect(await contextOf({ env: { GITHUB_REPOSITORY: repository } })).not.toHaveProperty("repository");
  });

  test("nowhere at all, outside GitHub", async () => {
    const context = await readContext({});
    expect(context).not.toHaveProperty("repository");
    expect(context).not.toHaveProperty("sha");
    expect(context).not.toHaveProperty("withoutSecrets");
  });
});

describe("the check run", () => {
  async function withGitHub(
    options: GitHubOptions,
    use: (github: Awaited<ReturnType<typeof startGitHub>>) => Promise<void>,
  ): Promise<void> {
    const github = await startGitHub(options);
    try {
      await use(github);
    } finally {
      await github.close();
    }
  }

  const BODY = {
    name: "waza-grade",
    status: "completed",
    conclusion: "success",
    output: { title: "Passed", summary: "All well." },
  };

  test("is created on the event's commit, and changed by its id", async () => {
    await withGitHub({}, async (github) => {
      const context = await contextOf({
        name: "pull_request",
        payload: PULL,
        env: { GITHUB_API_URL: github.url },
      });
      const api = checkRunsApi(context, TOKEN);
      const made = await api.create(BODY);
      expect(made).toEqual({ id: 1, url: "https://github.com/octo/agents/runs/1" });
      await api.update(made.id, { output: { ...BODY.output, annotations: [] } });
      expect(github.refused).toEqual([]);
      expect(github.checkRuns).toMatchObject([{ head_sha: HEAD_SHA, batches: [0, 0] }]);
    });
  });

  test("of a comment is created on the pull request's head, which is looked up", async () => {
    await withGitHub({ pulls: { 7: { sha: OTHER_SHA } } }, async (github) => {
      const payload = { issue: { number: 7, pull_request: {} } };
      const context = await contextOf({
        name: "issue_comment",
        payload,
        env: { GITHUB_API_URL: github.url },
      });
      await checkRunsApi(context, TOKEN).create(BODY);
      expect(github.checkRuns).toMatchObject([{ head_sha: OTHER_SHA }]);
    });
  });

  test("of a comment on a pull request that is gone is refused, not put elsewhere", async () => {
    await withGitHub({ pulls: {} }, async (github) => {
      const payload = { issue: { number: 8, pull_request: {} } };
      const context = await contextOf({
        name: "issue_comment",
        payload,
        env: { GITHUB_API_URL: github.url },
      });
      await expect(checkRunsApi(context, TOKEN).create(BODY)).rejects.toMatchObject({ status: 404 });
      expect(github.checkRuns).toEqual([]);
    });
  });

  test("that a read-only token may not create says 403", async () => {
    await withGitHub({ status: 403 }, async (github) => {
      const context = await contextOf({ env: { GITHUB_API_URL: github.url } });
      await expect(checkRunsApi(context, TOKEN).create(BODY)).rejects.toMatchObject({ status: 403 });
    });
  });

  test("cannot be created outside a repository, and says which variable is missing", async () => {
    const context = await contextOf({ env: { GITHUB_REPOSITORY: undefined } });
    await expect(checkRunsApi(context, TOKEN).create(BODY)).rejects.toThrow("GITHUB_REPOSITORY");
  });
});
