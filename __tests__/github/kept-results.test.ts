import { readFileSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "@jest/globals";
import type { RunContext } from "../../src/github/context.ts";
import { keptResults } from "../../src/github/kept-results.ts";
import { type GitHubOptions, type KeptArtifact, startGitHub } from "../support/github-server.ts";
import { removeTemporaryFolders, temporaryFolder } from "../support/run-action.ts";
import { zipOf } from "../support/zip.ts";
import { runContext } from "../support/run-context.ts";

afterAll(removeTemporaryFolders);

const servers: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ close }) => close()));
});

/** Results of this run, number 9, by what GitHub has; files are relative to the runner's temporary folder. */
async function fetched(
  options: GitHubOptions,
  more: { readonly token?: string | undefined; readonly context?: Partial<RunContext> } = {},
) {
  const server = await startGitHub(options);
  servers.push(server);
  const temp = temporaryFolder("runner");
  const own = { apiUrl: server.url, workflowFile: "evals.yml", attempt: { run: 9, attempt: 1 } };
  const got = await keptResults({
    context: runContext({ ...own, ...more.context }),
    token: "token" in more ? more.token : "ghs_token",
    name: "evals-baseline",
    temp,
    cancelled: new AbortController().signal,
    limits: { second: 1 },
  });
  const files = "files" in got ? got.files.map((file) => relative(temp, file).split(/[\\/]/)) : [];
  return { got, runs: files.map(([, run]) => Number(run)), files, temp, routes: server.routes };
}

const archive = zipOf({ "waza-grade-results.json": { graded: true } });
const kept = (run: number, more: Partial<KeptArtifact> = {}): KeptArtifact => ({ run, archive, ...more });

describe("the results that the default branch kept", () => {
  test("are the newest five, each in a folder named for its run, below the runner's temporary folder", async () => {
    const { runs, files, temp, routes } = await fetched({
      artifacts: [8, 7, 6, 5, 4, 3, 2].map((run) => kept(run)),
    });
    expect(runs).toEqual([8, 7, 6, 5, 4]);
    expect(files.every(([folder]) => /^waza-grade-baseline-\w+$/.test(folder ?? ""))).toBe(true);
    expect(JSON.parse(readFileSync(join(temp, ...files[0]!), "utf8"))).toEqual({ graded: true });
    // The repository, the artifacts, the runs, and five archives with the storage they are in.
    expect(routes).toHaveLength(13);
  });

  test.each<[string, Partial<KeptArtifact>]>([
    ["of a pull request", { event: "pull_request" }],
    ["of a run that a pull request's run caused", { event: "workflow_run" }],
    ["of a comment", { event: "issue_comment" }],
    ["of another workflow", { workflow: "nightly.yml" }],
    ["of another branch", { branch: "topic" }],
    ["of a fork's branch of that name", { fork: true }],
    ["that expired", { expired: true }],
    ["of another name", { name: "evals-graded" }],
    ["of this run", { run: 9 }],
  ])("are none %s", async (_case, more) => {
    const { got, runs } = await fetched({ artifacts: [kept(8, more), kept(7)] });
    expect(got).toMatchObject({ branch: "trunk" });
    expect(runs).toEqual([7]);
  });

  test.each(["push", "schedule", "workflow_dispatch"])("are also of a run by %s", async (event) => {
    expect((await fetched({ artifacts: [kept(8, { event })] })).runs).toEqual([8]);
  });

  test("are found behind hundreds that a fork left by that name", async () => {
    const ofFork = Array.from({ length: 250 }, (_, at) => kept(1000 + at, { fork: true }));
    expect((await fetched({ artifacts: [...ofFork, kept(3)] })).runs).toEqual([3]);
  });

  test("are found behind a thousand of other workflows, in as many requests as there are pages", async () => {
    const others = Array.from({ length: 990 }, (_, at) => kept(1000 + at, { workflow: "other.yml" }));
    const { runs, routes } = await fetched({ artifacts: [...others, kept(3)] });
    expect(runs).toEqual([3]);
    // The repository, ten pages of artifacts, one of runs, and the archive with its storage.
    expect(routes).toHaveLength(14);
  });

  test("are none where another workflow alone kept some, which is named", async () => {
    const { got } = await fetched({ artifacts: [kept(8, { workflow: "main.yml" })] });
    expect(got).toEqual({ files: [], branch: "trunk", elsewhere: "main.yml" });
  });

  test.each([404, 410] as const)(
    "are the others where one was deleted since it was listed (%s)",
    async (gone) => {
      const artifacts = [kept(8), kept(7, { gone }), kept(6)];
      expect((await fetched({ artifacts })).runs).toEqual([8, 6]);
    },
  );

  test("count once a run", async () => {
    expect((await fetched({ artifacts: [kept(8), kept(8), kept(7)] })).runs).toEqual([8, 7]);
  });

  test("are none where none were kept", async () => {
    expect((await fetched({})).got).toEqual({ files: [], branch: "trunk" });
  });

  test("are read from an archive that upload-artifact made", async () => {
    const made = readFileSync(join(import.meta.dirname, "../fixtures/artifacts/evals-baseline.zip"));
    const { got } = await fetched({ artifacts: [kept(8, { archive: made })] });
    const [file = ""] = "files" in got ? got.files : [];
    expect(readFileSync(file, "utf8")).toContain('"task_id": "t"');
  });

  test("are the JSON files alone, without their folders", async () => {
    const mixed = zipOf({ "a/b/one.json": 1, "two.json": 2, "page.html": 3 });
    const { files } = await fetched({ artifacts: [kept(8, { archive: mixed })] });
    expect(files.map((parts) => parts.slice(1))).toEqual([
      ["8", "one.json"],
      ["8", "two.json"],
    ]);
  });
});

describe("what could not be read is an error, and never no results", () => {
  test.each<[string, GitHubOptions, RegExp]>([
    ["an outage", { status: 500 }, /Server Error/],
    [
      "an outage behind the first answers",
      { artifacts: [kept(8)], first: [undefined, undefined, "500", "500", "500", "500"] },
      /Server Error/,
    ],
    [
      "a list that ends too soon",
      { artifacts: [kept(8)], artifactsTotal: 300 },
      /lists only 1 of 300 artifacts/,
    ],
    [
      "an archive that is cut off",
      { artifacts: [kept(8, { archive: archive.subarray(0, 40) })] },
      /file is truncated/,
    ],
    [
      "a name that leads out of its folder",
      { artifacts: [kept(8, { archive: zipOf({ "../../y.json": 1 }) })] },
      /relative path/,
    ],
    ["an absolute name", { artifacts: [kept(8, { archive: zipOf({ "/y.json": 1 }) })] }, /absolute path/],
    [
      "two files of one name",
      { artifacts: [kept(8, { archive: zipOf({ "a/x.json": 1, "b/x.json": 2 }) })] },
      /is in the archive twice/,
    ],
  ])("%s", async (_case, options, message) => {
    const { got, temp } = await fetched(options);
    expect(got).toMatchObject({ level: "error", message: expect.stringMatching(message) });
    const written = readdirSync(temp, { recursive: true, encoding: "utf8" }).map((path) => basename(path));
    expect(written).not.toContain("y.json");
  });

  test("a token that may not, with the permission that it lacks", async () => {
    const { got } = await fetched({ status: 403 });
    expect(got).toMatchObject({ level: "error", help: expect.stringContaining("`actions: read`") });
  });

  test.each<[string, Parameters<typeof fetched>[1], RegExp]>([
    ["no token", { token: undefined }, /needs the input `token`/],
    ["no workflow", { context: { workflowFile: undefined } }, /GITHUB_WORKFLOW_REF/],
    ["no repository", { context: { repository: undefined } }, /GITHUB_REPOSITORY/],
  ])("%s", async (_case, more, message) => {
    const { got } = await fetched({ artifacts: [kept(8)] }, more);
    expect(got).toMatchObject({ level: "error", message: expect.stringMatching(message) });
  });
});
