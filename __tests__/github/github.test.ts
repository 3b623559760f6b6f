import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { context as toolkit } from "@actions/github";
import { afterAll, describe, expect, test } from "@jest/globals";
import { loadContext, readContext, type PullReference, type RunContext } from "../../src/github/context.ts";
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

const QUEUE = "refs/heads/gh-readonly-queue/";
const QUEUE_REF = `${QUEUE}main/pr-123-${OTHER_SHA}`;
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
  const headless = { pull_request: { ...PULL.pull_request, head: { sha: "" } } };
  const onPull = { issue: { number: 7, pull_request: { url: "x" } } };
  const ofQueue = { head_sha: HEAD_SHA, head_ref: QUEUE_REF, base_ref: "refs/heads/release/1.0" };

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
      { merge_group: ofQueue },
      { sha: HEAD_SHA, pull: { number: 123 }, base: "release/1.0", sourceSha: HEAD_SHA },
    ],
    ["a comment on a pull request", "issue_comment", onPull, { pull: { number: 7 }, sourceSha: MERGE_SHA }],
    ["a comment on an issue", "issue_comment", { issue: { number: 7 } }, ofRepository],
    [
      "a comment whose pull is null",
      "issue_comment",
      { issue: { number: 7, pull_request: null } },
      ofRepository,
    ],
    ["a comment without an issue", "issue_comment", {}, ofRepository],
    ["a pull request without a head", "pull_request", { pull_request: {} }, ofRepository],
    ["a pull request with an empty commit", "pull_request", headless, { ...ofPull, ...ofRepository }],
    ["a workflow without a commit", "workflow_run", { workflow_run: { head_sha: null } }, ofRepository],
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
    ["an event of tomorrow", "something_new", { ...PULL, ...onPull }, ofRepository],
    ["no event", "", PULL, ofRepository],
  ])("%s", (_case, name, payload, expected) => {
    const { sha, pull, base, sourceSha } = contextOf({ name, payload });
    expect({ sha, pull, base, sourceSha }).toEqual({ sha: undefined, pull: undefined, ...expected });
  });

  const onBase = { pull_request: { base: { sha: OTHER_SHA } } };
  test.each<[string, string, unknown, string | undefined]>([
    ["a pull request", "pull_request", onBase, OTHER_SHA],
    ["a pull request, on the base", "pull_request_target", onBase, OTHER_SHA],
    ["a merge queue", "merge_group", { merge_group: { base_sha: OTHER_SHA } }, OTHER_SHA],
    ["a push", "push", onBase, undefined],
    ["a pull request that says none", "pull_request", { pull_request: { base: { sha: 7 } } }, undefined],
  ])("the base's commit of %s", (_case, name, payload, expected) => {
    expect(contextOf({ name, payload }).baseSha).toBe(expected);
  });

  test.each<[string, string, PullReference | undefined]>([
    ["the queue of main", QUEUE_REF, { number: 123 }],
    ["a branch with slashes", `${QUEUE}release/1.0/pr-4-${OTHER_SHA}`, { number: 4 }],
    ["a branch that looks like a queue's", `${QUEUE}pr-5-${OTHER_SHA}/pr-6-${OTHER_SHA}`, { number: 6 }],
    ["a branch", "refs/heads/main", undefined],
    ["a branch that only ends like a queue's", `refs/heads/x/pr-123-${OTHER_SHA}`, undefined],
    ["a queue's name inside another", `x/${QUEUE_REF}`, undefined],
    ["a name with more after it", `${QUEUE_REF}0`, undefined],
    ["a short commit", `${QUEUE}main/pr-123-abcdef0`, undefined],
    ["a queue without a base", `${QUEUE}pr-123-${OTHER_SHA}`, undefined],
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

  test.each(['"7"', "0", "-7", "7.5", "1e99", "1e999", "null", "[7]", '{"valueOf":7}', "true"])(
    "no pull request, when its number is %s",
    (number) => {
      for (const name of ["pull_request", "pull_request_target", "issue_comment"]) {
        const pull_request = { ...PULL.pull_request, number: "N" };
        const payload = JSON.stringify({ pull_request, issue: { number: "N", pull_request: {} } });
        const context = contextOf({ name, payload: payload.replaceAll('"N"', number) });
        expect(context.pull).toBeUndefined();
        expect(context.sha).toBe(name === "issue_comment" ? MERGE_SHA : HEAD_SHA);
      }
    },
  );

  test("of where it runs: its commit, if any, and its workflow and job, which tell its check runs from others", () => {
    const env = { GITHUB_SHA: "", GITHUB_WORKFLOW: "Evals", GITHUB_JOB: "grade" };
    const { sha, job } = contextOf({ env });
    expect({ sha, job }).toEqual({ sha: undefined, job: { workflow: "Evals", job: "grade" } });
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
    ...["pull_request", "pull_request_target", "workflow_run", "merge_group"],
    ...["issue_comment", "push", "something_new"],
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

describe("whether an event has no secrets, and is of code that a stranger may have written", () => {
  const { pull_request: own } = PULL;
  const byDependabot = { pull_request: { ...own, user: { login: "dependabot[bot]" } } };
  const forkGone = {
    pull_request: { ...FORK.pull_request, head: { ...FORK.pull_request.head, repo: null } },
  };
  const nameless = { repo: { full_name: null } };
  const actor = { GITHUB_ACTOR: "dependabot[bot]" };
  const onPull = { issue: { number: 7, pull_request: {} } };
  const cause = (from: string | null, more: object = {}) => ({
    workflow_run: { head_sha: HEAD_SHA, head_repository: from && { full_name: from }, ...more },
  });
  const dependabots = cause("octo/agents", { actor: { login: "dependabot[bot]" } });

  test.each<[string, Given, RunContext["withoutSecrets"], boolean]>([
    ["a pull request of the repository itself", { name: "pull_request", payload: PULL }, undefined, false],
    ["a pull request from a fork", { name: "pull_request", payload: FORK }, "fork", true],
    ["a review of one from a fork", { name: "pull_request_review", payload: FORK }, "fork", true],
    ["a pull request whose fork is gone", { name: "pull_request", payload: forkGone }, "fork", true],
    [
      "a pull request between repositories without names",
      { name: "pull_request", payload: { pull_request: { head: nameless, base: nameless } } },
      "fork",
      true,
    ],
    ["a pull request that says nothing of itself", { name: "pull_request" }, undefined, true],
    ["a pull request of Dependabot", { name: "pull_request", payload: byDependabot }, "dependabot", true],
    ["one that Dependabot acts on", { name: "pull_request", payload: PULL, env: actor }, "dependabot", true],
    ["pull_request_target from a fork", { name: "pull_request_target", payload: FORK }, undefined, true],
    [
      "pull_request_target of Dependabot",
      { name: "pull_request_target", payload: byDependabot },
      undefined,
      true,
    ],
    ["a run of a fork's", { name: "workflow_run", payload: cause("stranger/agents") }, undefined, true],
    ["a run of a fork that is gone", { name: "workflow_run", payload: cause(null) }, undefined, true],
    ["a run of an own run", { name: "workflow_run", payload: cause("octo/agents") }, undefined, false],
    ["a run of Dependabot's run", { name: "workflow_run", payload: dependabots }, undefined, true],
    ["a run that says nothing of its run", { name: "workflow_run" }, undefined, true],
    ["a push of Dependabot", { name: "push", env: actor }, "dependabot", true],
    ["a comment on a pull request", { name: "issue_comment", payload: onPull }, undefined, true],
    ["an event that is not known yet", { name: "something_new" }, undefined, true],
    ["a push", { name: "push" }, undefined, false],
    [
      "the merge queue",
      { name: "merge_group", payload: { merge_group: { head_sha: HEAD_SHA } } },
      undefined,
      false,
    ],
    ["a schedule", { name: "schedule" }, undefined, false],
    ["a run by hand", { name: "workflow_dispatch" }, undefined, false],
    ["no event at all", { name: "" }, undefined, false],
  ])("%s", (_case, given, withoutSecrets, untrusted) => {
    const context = contextOf(given);
    expect([context.withoutSecrets, context.untrusted]).toEqual([withoutSecrets, untrusted]);
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

  /** What is said of the event in the file at this path. */
  async function warnings(path: string | undefined): Promise<string[]> {
    const said: string[] = [];
    await loadContext({ GITHUB_EVENT_PATH: path }, (message) => said.push(message));
    return said;
  }

  test.each<[string, string | undefined, string | undefined]>([
    ["is no JSON", "{", "in JSON"],
    ["is empty", "", "end of JSON input"],
    ["is not there", undefined, "no such file"],
    ["is one of tomorrow", '{"tomorrow": true}', undefined],
  ])("because its file %s", async (_case, content, fault) => {
    const path = join(temporaryFolder("event"), "event.json");
    if (content !== undefined) writeFileSync(path, content);
    const said = await warnings(path);
    if (fault === undefined) expect(said).toEqual([]);
    else for (const words of [path, fault]) expect(said.join()).toContain(words);
  });

  test("because its path is not set, or empty, is none", async () => {
    for (const path of [undefined, ""]) {
      expect(await warnings(path)).toEqual([]);
      expect(contextOf({ name: "pull_request", env: { GITHUB_EVENT_PATH: path } }).sha).toBe(MERGE_SHA);
    }
  });
});

describe("where GitHub is", () => {
  test.each<[string, Given["env"], string, string, string]>([
    [
      "github.com by default, with this action's own documents",
      {},
      "https://github.com",
      "https://api.github.com",
      "https://github.com/org/waza-grade/blob/main/docs",
    ],
    [
      "a server of one's own, and the documents of the version in use",
      {
        GITHUB_SERVER_URL: "https://git.example",
        GITHUB_API_URL: "https://git.example/api/v3",
        GITHUB_ACTION_REPOSITORY: "acme/waza-grade",
        GITHUB_ACTION_REF: "v1",
      },
      "https://git.example",
      "https://git.example/api/v3",
      "https://git.example/acme/waza-grade/blob/v1/docs",
    ],
  ])("%s", (_case, env = {}, serverUrl, apiUrl, docs) => {
    const repository = { owner: "octo", repo: "agents" };
    expect(contextOf({ env })).toMatchObject({ repository, serverUrl, apiUrl, docs });
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
  /** Uses the Checks API of a context at a stand-in for GitHub, which is closed afterwards. */
  async function withGitHub(
    options: GitHubOptions,
    given: Given,
    use: (
      api: ReturnType<typeof checkRunsApi>,
      github: Awaited<ReturnType<typeof startGitHub>>,
    ) => Promise<void>,
  ): Promise<void> {
    const github = await startGitHub(options);
    try {
      await use(checkRunsApi(contextOf({ ...given, env: { GITHUB_API_URL: github.url } }), TOKEN), github);
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
  const comment = { name: "issue_comment", payload: { issue: { number: 7, pull_request: {} } } };

  test("is created on the event's commit, and changed by its id", async () => {
    await withGitHub({}, { name: "pull_request", payload: PULL }, async (api, github) => {
      const made = await api.create(BODY);
      expect(made).toEqual({ id: 1, url: "https://github.com/octo/agents/runs/1" });
      await api.append(made.id, { output: { ...BODY.output, annotations: [] } }, 0);
      expect(github.refused).toEqual([]);
      expect(github.checkRuns).toMatchObject([{ head_sha: HEAD_SHA, batches: [0, 0] }]);
    });
  });

  test("of a comment is created on the pull request's head, which is looked up", async () => {
    await withGitHub({ pulls: { 7: { sha: OTHER_SHA } } }, comment, async (api, github) => {
      await api.create(BODY);
      expect(github.checkRuns).toMatchObject([{ head_sha: OTHER_SHA }]);
    });
  });

  test.each<[string, GitHubOptions, Given, number]>([
    [
      "of a comment on a pull request that is gone is refused, not put elsewhere",
      { pulls: {} },
      comment,
      404,
    ],
    ["that a read-only token may not create says so", { status: 403 }, {}, 403],
  ])("%s", async (_case, options, given, status) => {
    await withGitHub(options, given, async (api, github) => {
      await expect(api.create(BODY)).rejects.toMatchObject({ status });
      expect(github.checkRuns).toEqual([]);
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
