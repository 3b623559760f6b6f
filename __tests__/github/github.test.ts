import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { context as toolkit } from "@actions/github";
import { afterAll, describe, expect, test } from "@jest/globals";
import { eventFault, readContext, type PullReference, type RunContext } from "../../src/github/context.ts";
import { githubApi } from "../../src/github/api.ts";
import { startGitHub, type GitHubOptions } from "../support/github-server.ts";
import {
  HEAD_SHA,
  MERGE_SHA,
  TOKEN,
  pullRequestEvent,
  removeTemporaryFolders,
  temporaryFolder,
} from "../support/run-action.ts";

afterAll(removeTemporaryFolders);

interface Given {
  readonly name?: string;
  readonly payload?: unknown;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The class whose one instance @actions/github makes as it is loaded. */
const Toolkit = toolkit.constructor as new () => typeof toolkit;

/** The context that @actions/github and we read of an environment. */
function readAs(env: Given["env"] = {}): RunContext {
  const before = process.env;
  process.env = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  try {
    return readContext(new Toolkit(), process.env);
  } finally {
    process.env = before;
  }
}

/** The context of an event, in the environment of a run in octo/agents. */
function contextOf({ name = "push", payload = {}, env = {} }: Given) {
  const path = join(temporaryFolder("event"), "event.json");
  writeFileSync(path, typeof payload === "string" ? payload : JSON.stringify(payload));
  return readAs({
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
  ])("%s", (_case, name, payload, sha) => {
    const context = contextOf({ name, payload });
    expect(context.sha).toBe(sha);
  });

  test("is absent where there is none", () => {
    expect(contextOf({ env: { GITHUB_SHA: "" } }).sha).toBeUndefined();
  });

  test.each<[string, unknown, number | undefined]>([
    ["on a pull request has to be looked up", { issue: { number: 7, pull_request: { url: "x" } } }, 7],
    ["on an issue is GITHUB_SHA's", { issue: { number: 7 } }, undefined],
    ["on an issue that says null is GITHUB_SHA's", { issue: { number: 7, pull_request: null } }, undefined],
    ["without an issue is GITHUB_SHA's", {}, undefined],
  ])("a comment %s", (_case, payload, pull) => {
    const context = contextOf({ name: "issue_comment", payload });
    expect(context.pull).toEqual(pull === undefined ? undefined : { number: pull });
    expect(context.sha).toBe(pull === undefined ? MERGE_SHA : undefined);
  });

  test("knows its workflow and job, which tell its check runs from others", () => {
    expect(contextOf({ env: { GITHUB_WORKFLOW: "Evals", GITHUB_JOB: "grade" } }).job).toEqual({
      workflow: "Evals",
      job: "grade",
    });
  });

  test("of an issue event that is no comment is not looked up", () => {
    const payload = { issue: { number: 7, pull_request: {} } };
    expect(contextOf({ name: "issues", payload }).pull).toBeUndefined();
  });
});

const QUEUE_REF = `refs/heads/gh-readonly-queue/main/pr-123-${OTHER_SHA}`;
const WORKFLOW_RUN = {
  event: "pull_request",
  head_sha: HEAD_SHA,
  head_branch: "topic",
  head_repository: { full_name: "stranger/agents" },
};
const COMES_FROM = { headRepository: "stranger/agents", headBranch: "topic", headSha: HEAD_SHA };

describe("what an event tells", () => {
  const ofPull = { sha: HEAD_SHA, pull: { number: 7 }, base: "main", sourceSha: HEAD_SHA };
  const ofRepository = { sha: MERGE_SHA, sourceSha: MERGE_SHA };

  test.each<[string, string, unknown, Partial<RunContext>]>([
    ["a pull request", "pull_request", PULL, ofPull],
    ["a pull request, on the base", "pull_request_target", PULL, { ...ofPull, sourceSha: MERGE_SHA }],
    ["a review", "pull_request_review", PULL, ofPull],
    ["a comment of a review", "pull_request_review_comment", PULL, ofPull],
    [
      "the end of another workflow",
      "workflow_run",
      { workflow_run: WORKFLOW_RUN },
      { sha: HEAD_SHA, pull: COMES_FROM, sourceSha: MERGE_SHA },
    ],
    [
      "a merge queue",
      "merge_group",
      { merge_group: { head_sha: HEAD_SHA, head_ref: QUEUE_REF, base_ref: "refs/heads/release/1.0" } },
      { sha: HEAD_SHA, pull: { number: 123 }, base: "release/1.0", sourceSha: HEAD_SHA },
    ],
    [
      "a comment on a pull request",
      "issue_comment",
      { issue: { number: 7, pull_request: { url: "x" } } },
      { pull: { number: 7 }, sourceSha: MERGE_SHA },
    ],
    ["a comment on an issue", "issue_comment", { issue: { number: 7 } }, ofRepository],
    ["an issue", "issues", { issue: { number: 7, pull_request: {} } }, ofRepository],
    ["a push", "push", { after: OTHER_SHA }, ofRepository],
    [
      "a push with everything else in it",
      "push",
      { ...PULL, workflow_run: WORKFLOW_RUN, merge_group: { head_ref: QUEUE_REF } },
      ofRepository,
    ],
    ["a schedule", "schedule", { schedule: "0 0 * * *" }, ofRepository],
    ["a start by hand", "workflow_dispatch", { inputs: { pull_request: 7 } }, ofRepository],
    [
      "an event of tomorrow",
      "something_new",
      { ...PULL, issue: { number: 7, pull_request: {} } },
      ofRepository,
    ],
    ["no event", "", PULL, ofRepository],
  ])("%s", (_case, name, payload, expected) => {
    const { sha, pull, base, sourceSha } = contextOf({ name, payload });
    expect({ sha, pull, base, sourceSha }).toEqual({ sha: undefined, pull: undefined, ...expected });
  });

  test.each<[string, string, unknown, string | undefined]>([
    ["a pull request", "pull_request", { pull_request: { base: { sha: OTHER_SHA } } }, OTHER_SHA],
    [
      "a pull request, on the base",
      "pull_request_target",
      { pull_request: { base: { sha: OTHER_SHA } } },
      OTHER_SHA,
    ],
    ["a merge queue", "merge_group", { merge_group: { base_sha: OTHER_SHA } }, OTHER_SHA],
    ["a push", "push", { pull_request: { base: { sha: OTHER_SHA } } }, undefined],
    ["a pull request that says none", "pull_request", { pull_request: { base: { sha: 7 } } }, undefined],
  ])("the base's commit of %s", (_case, name, payload, expected) => {
    expect(contextOf({ name, payload }).baseSha).toBe(expected);
  });

  test.each<[string, string, PullReference | undefined]>([
    ["the queue of main", QUEUE_REF, { number: 123 }],
    [
      "the queue of a branch with slashes",
      `refs/heads/gh-readonly-queue/release/1.0/pr-4-${OTHER_SHA}`,
      { number: 4 },
    ],
    [
      "the queue of a branch that looks like a queue's",
      `refs/heads/gh-readonly-queue/pr-5-${OTHER_SHA}/pr-6-${OTHER_SHA}`,
      { number: 6 },
    ],
    ["a branch", "refs/heads/main", undefined],
    ["a branch that only ends like a queue's", `refs/heads/x/pr-123-${OTHER_SHA}`, undefined],
    ["a queue's name inside another", `x/${QUEUE_REF}`, undefined],
    ["a name with more after it", `${QUEUE_REF}0`, undefined],
    ["a short commit", "refs/heads/gh-readonly-queue/main/pr-123-abcdef0", undefined],
    ["a queue without a base", `refs/heads/gh-readonly-queue/pr-123-${OTHER_SHA}`, undefined],
    ["number 0", QUEUE_REF.replace("123", "0"), undefined],
    ["a negative number", QUEUE_REF.replace("123", "-1"), undefined],
    ["a number with a point", QUEUE_REF.replace("123", "1.5"), undefined],
    ["a number beyond all numbers", QUEUE_REF.replace("123", "9".repeat(400)), undefined],
    ["nothing", "", undefined],
  ])("the pull request of a merge_group: %s", (_case, head_ref, pull) => {
    const context = contextOf({ name: "merge_group", payload: { merge_group: { head_ref } } });
    expect(context.pull).toEqual(pull);
  });

  test.each<[string, Readonly<Record<string, unknown>>, boolean]>([
    ["by pull_request", {}, true],
    ["by pull_request_target", { event: "pull_request_target" }, true],
    ["by push", { event: "push" }, false],
    ["by schedule", { event: "schedule" }, false],
    ["by issue_comment", { event: "issue_comment" }, false],
    ["by an unknown event", { event: null }, false],
    ["from a fork that is gone", { head_repository: null }, false],
    ["from a fork without a name", { head_repository: {} }, false],
    ["from no branch", { head_branch: null }, false],
    ["from no commit", { head_sha: null }, false],
    ["by one that names pull requests itself", { event: "push", pull_requests: [{ number: 9 }] }, false],
  ])("the pull request of a workflow_run that was started %s", (_case, changes, found) => {
    const payload = { workflow_run: { ...WORKFLOW_RUN, ...changes } };
    const context = contextOf({ name: "workflow_run", payload });
    expect(context.pull).toEqual(found ? COMES_FROM : undefined);
  });

  test.each<[string, unknown]>([
    ["text", "7"],
    ["0", 0],
    ["negative", -7],
    ["broken", 7.5],
    ["1e99", 1e99],
    ["null", null],
    ["a list", [7]],
    ["an object", { valueOf: 7 }],
    ["true", true],
  ])("no pull request, when its number is %s", (_case, number) => {
    for (const name of ["pull_request", "pull_request_target", "issue_comment"]) {
      const payload = {
        pull_request: { ...PULL.pull_request, number },
        issue: { number, pull_request: {} },
      };
      const context = contextOf({ name, payload });
      expect(context.pull).toBeUndefined();
      expect(context.sha).toBe(name === "issue_comment" ? MERGE_SHA : HEAD_SHA);
    }
  });

  test("a number that JSON cannot hold is none", () => {
    const payload = '{"pull_request":{"number":1e999}}';
    expect(contextOf({ name: "pull_request", payload }).pull).toBeUndefined();
  });

  test("an empty commit is GITHUB_SHA", () => {
    const payload = { pull_request: { ...PULL.pull_request, head: { sha: "" } } };
    expect(contextOf({ name: "pull_request", payload })).toMatchObject(ofRepository);
  });
});

describe("a hostile event", () => {
  const whole = {
    ...PULL,
    workflow_run: WORKFLOW_RUN,
    merge_group: { head_sha: HEAD_SHA, head_ref: QUEUE_REF, base_ref: "refs/heads/main" },
    issue: { number: 7, pull_request: {} },
  };
  const values = [null, "", "7", "x\u0000", -1, 0, 1e99, 0.5, true, false, [], [[]], {}, { sha: { sha: 1 } }];

  /** The event with each of its values, at every depth, replaced by another. */
  function* spoilt(value: unknown, by: unknown): Generator {
    yield by;
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value))
      for (const bad of spoilt(inner, by)) yield { ...value, [key]: bad };
  }

  test.each([
    "pull_request",
    "pull_request_target",
    "workflow_run",
    "merge_group",
    "issue_comment",
    "push",
    "something_new",
  ])("of %s never throws, and gives only numbers and texts that can be asked for", (name) => {
    const payloads = values.flatMap((by) => [...spoilt(whole, by)]);
    const path = join(temporaryFolder("event"), "event.json");
    for (const payload of payloads) {
      writeFileSync(path, JSON.stringify(payload));
      const { pull, sha, base, sourceSha } = contextOf({ name, env: { GITHUB_EVENT_PATH: path } });
      for (const text of [sha, base, sourceSha]) expect(["string", "undefined"]).toContain(typeof text);
      expect(sha).not.toBe("");
      const asked = Object.values(pull ?? {}) as unknown[];
      expect(asked.every((one) => (typeof one === "string" ? one !== "" : Number.isSafeInteger(one)))).toBe(
        true,
      );
    }
    expect(payloads.length).toBeGreaterThan(300);
  });
});

const dependabot = { pull_request: { ...PULL.pull_request, user: { login: "dependabot[bot]" } } };

describe("an event without secrets", () => {
  const forkGone = {
    pull_request: { ...FORK.pull_request, head: { ...FORK.pull_request.head, repo: null } },
  };

  test.each<[string, Given, "fork" | "dependabot" | undefined]>([
    ["a pull request of the repository itself has them", { name: "pull_request", payload: PULL }, undefined],
    ["a pull request from a fork", { name: "pull_request", payload: FORK }, "fork"],
    ["a review of one from a fork", { name: "pull_request_review", payload: FORK }, "fork"],
    ["a pull request whose fork is gone", { name: "pull_request", payload: forkGone }, "fork"],
    [
      "a pull request between repositories without names",
      {
        name: "pull_request",
        payload: {
          pull_request: { head: { repo: { full_name: null } }, base: { repo: { full_name: null } } },
        },
      },
      "fork",
    ],
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
  ])("%s", (_case, given, expected) => {
    expect(contextOf(given).withoutSecrets).toBe(expected);
  });
});

describe("an event of code that a stranger may have written", () => {
  const cause = (from: string | null) => ({
    workflow_run: { head_sha: HEAD_SHA, head_repository: from && { full_name: from } },
  });
  const byDependabot = {
    workflow_run: { ...cause("octo/agents").workflow_run, actor: { login: "dependabot[bot]" } },
  };
  test.each<[string, Given, boolean]>([
    ["a pull request of the repository itself is none", { name: "pull_request", payload: PULL }, false],
    ["a pull request", { name: "pull_request", payload: FORK }, true],
    ["pull_request_target", { name: "pull_request_target", payload: FORK }, true],
    ["workflow_run of a fork's run", { name: "workflow_run", payload: cause("stranger/agents") }, true],
    ["workflow_run of a fork that is gone", { name: "workflow_run", payload: cause(null) }, true],
    ["workflow_run of an own run is none", { name: "workflow_run", payload: cause("octo/agents") }, false],
    ["workflow_run of Dependabot's run", { name: "workflow_run", payload: byDependabot }, true],
    ["workflow_run that says nothing of its run", { name: "workflow_run" }, true],
    ["a pull request that says nothing of itself", { name: "pull_request" }, true],
    ["a pull request of Dependabot", { name: "pull_request", payload: dependabot }, true],
    ["pull_request_target of Dependabot", { name: "pull_request_target", payload: dependabot }, true],
    ["a push of Dependabot", { name: "push", env: { GITHUB_ACTOR: "dependabot[bot]" } }, true],
    [
      "a comment on a pull request",
      { name: "issue_comment", payload: { issue: { number: 7, pull_request: {} } } },
      true,
    ],
    ["an event that is not known yet", { name: "something_new" }, true],
    ["a push is none", { name: "push" }, false],
    ["the merge queue is none", { name: "merge_group" }, false],
    ["a schedule is none", { name: "schedule" }, false],
    ["a run by hand is none", { name: "workflow_dispatch" }, false],
    ["no event at all is none", { name: "" }, false],
  ])("%s", (_case, given, expected) => {
    expect(contextOf(given).untrusted).toBe(expected);
  });
});

describe("an event that cannot be read", () => {
  test.each([
    ["is null", "null"],
    ["is a list", "[]"],
    ["is text", '"pull_request"'],
    ["has a pull request that is text", { pull_request: "x" }],
    ["has a pull request without anything we know", { pull_request: { head: "x", base: 7, user: [] } }],
  ])("because it %s leaves GITHUB_SHA", (_case, payload) => {
    const context = contextOf({ name: "pull_request", payload });
    expect(context).toMatchObject({ sha: MERGE_SHA, repository: { owner: "octo", repo: "agents" } });
  });

  test.each<[string, string | undefined, string | undefined]>([
    ["is no JSON", "{", "in JSON"],
    ["is empty", "", "end of JSON input"],
    ["is not there", undefined, "no such file"],
    ["is one of tomorrow", '{"tomorrow": true}', undefined],
  ])("because its file %s", (_case, content, fault) => {
    const path = join(temporaryFolder("event"), "event.json");
    if (content !== undefined) writeFileSync(path, content);
    if (fault === undefined) expect(eventFault(path)).toBeUndefined();
    else for (const words of [path, fault]) expect(eventFault(path)).toContain(words);
  });

  test("because its path is not set, or empty, is none", () => {
    for (const path of [undefined, ""]) {
      expect(eventFault(path)).toBeUndefined();
      expect(contextOf({ name: "pull_request", env: { GITHUB_EVENT_PATH: path } }).sha).toBe(MERGE_SHA);
    }
  });
});

describe("where GitHub is", () => {
  test("github.com by default, with this action's own documents", () => {
    const context = contextOf({});
    expect(context).toMatchObject({
      repository: { owner: "octo", repo: "agents" },
      serverUrl: "https://github.com",
      apiUrl: "https://api.github.com",
    });
    expect(context.docs).toBe("https://github.com/org/waza-grade/blob/main/docs");
  });

  test("a server of one's own, and the documents of the version in use", () => {
    const context = contextOf({
      env: {
        GITHUB_SERVER_URL: "https://git.example",
        GITHUB_API_URL: "https://git.example/api/v3",
        GITHUB_ACTION_REPOSITORY: "acme/waza-grade",
        GITHUB_ACTION_REF: "v1",
      },
    });
    expect(context).toMatchObject({ serverUrl: "https://git.example", apiUrl: "https://git.example/api/v3" });
    expect(context.docs).toBe("https://git.example/acme/waza-grade/blob/v1/docs");
  });

  test.each([
    ["not set", undefined],
    ["empty", ""],
    ["only an owner", "octo"],
    ["only a slash", "/"],
  ])("nowhere, when the repository is %s", (_case, repository) => {
    expect(contextOf({ env: { GITHUB_REPOSITORY: repository } }).repository).toBeUndefined();
  });

  test("nowhere at all, outside GitHub", () => {
    const context = readAs({});
    expect(context.repository).toBeUndefined();
    expect(context.sha).toBeUndefined();
    expect(context.withoutSecrets).toBeUndefined();
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
    external_id: "k.1.1",
    status: "completed",
    conclusion: "success",
    output: { title: "Passed", summary: "All well." },
  };

  test("is created on the event's commit, and changed by its id", async () => {
    await withGitHub({}, async (github) => {
      const context = contextOf({
        name: "pull_request",
        payload: PULL,
        env: { GITHUB_API_URL: github.url },
      });
      const api = checkRunsApi(context, TOKEN);
      const made = await api.create(BODY);
      expect(made).toEqual({ id: 1, url: "https://github.com/octo/agents/runs/1" });
      await api.append(made.id, { output: { ...BODY.output, annotations: [] } }, 0);
      expect(github.refused).toEqual([]);
      expect(github.checkRuns).toMatchObject([{ head_sha: HEAD_SHA, batches: [0, 0] }]);
    });
  });

  test("of a comment is created on the pull request's head, which is looked up", async () => {
    await withGitHub({ pulls: { 7: { sha: OTHER_SHA } } }, async (github) => {
      const payload = { issue: { number: 7, pull_request: {} } };
      const context = contextOf({
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
      const context = contextOf({
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
      const context = contextOf({ env: { GITHUB_API_URL: github.url } });
      await expect(checkRunsApi(context, TOKEN).create(BODY)).rejects.toMatchObject({ status: 403 });
    });
  });

  test("cannot be created outside a repository, and says which variable is missing", async () => {
    const context = contextOf({ env: { GITHUB_REPOSITORY: undefined } });
    await expect(checkRunsApi(context, TOKEN).create(BODY)).rejects.toThrow("GITHUB_REPOSITORY");
  });
});

test.each([
  ["push", "refs/tags/v1.2.0", true, undefined],
  ["workflow_dispatch", "refs/tags/v1.2.0", true, undefined],
  ["push", "refs/heads/main", false, "main"],
  ["schedule", "refs/heads/main", false, "main"],
  ["pull_request", "refs/pull/1/merge", false, undefined],
  ["workflow_run", "refs/tags/v1.2.0", false, undefined],
])("%s of %s: a tag %p, the branch %p", (eventName, ref, isTag, branch) => {
  expect(readContext({ eventName, ref, payload: {} }, {})).toMatchObject({ isTag, branch });
});
