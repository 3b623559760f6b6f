/** The results that this workflow kept on the default branch, for `baseline: default-branch`. */
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fromBufferPromise } from "yauzl";
import { error, type Problem } from "../domain/problem.ts";
import { type ClientLimits, type Octokit, except, githubClient, statusOf } from "./client.ts";
import { ON_A_BRANCH, type RunContext, repositoryOf } from "./context.ts";
import { MOST_PAGES, PAGE_SIZE } from "./limits.ts";
import { createBelow, temporaryIn } from "../files/write.ts";
import { readBody } from "../network/connections.ts";
import { formatNumber, messageOf, textBefore } from "../text/format.ts";

/** Results of the default branch that are compared with: they cost nothing, and find more (docs/gate.md#keep-a-baseline). */
const KEPT_RESULTS = 5;
/** Runs that GitHub lists where a branch is named (https://docs.github.com/en/rest/actions/workflow-runs#list-workflow-runs-for-a-workflow). */
const MOST_RUNS = 1_000;
/** Bytes of an archive, and of a file in it: far more than any record. */
const MOST_RESULTS_BYTES = 200_000_000;

interface KeptRequest {
  readonly context: RunContext;
  readonly token: string | undefined;
  /** The name of the artifact. */
  readonly name: string;
  /** The runner's temporary folder. */
  readonly temp: string | undefined;
  readonly cancelled: AbortSignal;
  readonly limits?: Partial<ClientLimits> | undefined;
}

/** The files, each in a folder named for its run, and the branch they are of. */
export interface KeptResults {
  readonly files: readonly string[];
  readonly branch: string;
  /** The file of another workflow that kept results of that name there, where this one kept none. */
  readonly elsewhere?: string | undefined;
}

/**
 * Fetches the newest results, at most five, into a new folder of the runner's temporary one. Only of runs of this workflow
 * on the default branch of this repository, by events that no pull request is behind, and never of this run. What
 * could not be read to its end is a problem, never an empty list.
 */
export async function keptResults(request: KeptRequest): Promise<KeptResults | Problem> {
  const { context, token, cancelled } = request;
  if (token === undefined)
    return error(
      "baseline-without-token",
      "`baseline: default-branch` needs the input `token`, which is empty.",
    );
  const limits = { ...LIMITS, ...request.limits };
  try {
    const client = githubClient({ token, baseUrl: context.apiUrl, cancelled, limits });
    return await client.send((octokit) => fetchKept(request, octokit));
  } catch (thrown) {
    const status = statusOf(thrown);
    const message = `The results of the default branch could not be read: ${messageOf(thrown)}`;
    const help =
      status === 403 || status === 404
        ? "Give the job `actions: read` in its `permissions`."
        : "Run the job again, or name the files that another step brings.";
    return error("unreadable-kept-results", message, { help });
  }
}

/** Archives may be large, and storage far. */
const LIMITS = { together: 300_000, request: 120_000 };

async function fetchKept(request: KeptRequest, octokit: Octokit): Promise<KeptResults> {
  const { context, temp = tmpdir() } = request;
  const { data: repository } = await octokit.request("GET /repos/{owner}/{repo}", {
    ...repositoryOf(context),
  });
  const { default_branch: branch } = repository;
  const repositoryId = Number(repository.id);
  const { newest, other } = await newestArtifacts(request, octokit, { id: repositoryId, branch });
  if (newest.length === 0) {
    const elsewhere = other === undefined ? undefined : await fileOfRun(other, context, octokit);
    return { files: [], branch, elsewhere };
  }
  const folder = temporaryIn(temp, "waza-grade-baseline-");
  const files = await Promise.all(
    newest.map(async (artifact) => {
      // One that was deleted since it was listed, or in storage, leaves the others.
      const archive = await download(artifact.id, context, octokit).catch(except(404, 410));
      return archive ? await unpack(archive, folder, String(artifact.run)) : [];
    }),
  );
  return { files: files.flat(), branch };
}

interface Artifact {
  readonly id: number;
  readonly run: number;
}

/**
 * The newest artifacts of that name, one a run, of the runs that count, and another run that left one; GitHub lists the newest first. Both lists are read
 * page by page together, however many other workflows keep artifacts of that name.
 */
async function newestArtifacts(
  { context, name }: KeptRequest,
  octokit: Octokit,
  { id, branch }: { readonly id: number; readonly branch: string },
): Promise<{ readonly newest: readonly Artifact[]; readonly other: number | undefined }> {
  const { workflowFile } = context;
  if (workflowFile === undefined) throw new Error("GITHUB_WORKFLOW_REF names no workflow");
  const inRepository = repositoryOf(context);
  const nextArtifacts = pagesOf(`artifacts ${name}`, async (page) => {
    const query = { ...inRepository, name, per_page: PAGE_SIZE, page };
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/artifacts", query);
    return { total: data.total_count, rows: data.artifacts };
  });
  const nextRuns = pagesOf(`runs of ${workflowFile}`, async (page) => {
    const query = { ...inRepository, workflow_id: workflowFile, branch, per_page: PAGE_SIZE, page };
    const { data } = await octokit.request(
      "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
      query,
    );
    return { total: Math.min(data.total_count, MOST_RUNS), rows: data.workflow_runs };
  });
  const artifacts = new Map<number, number>();
  const counting = new Set<number>();
  for (;;) {
    const [more, runs] = [await nextArtifacts(), await nextRuns()];
    for (const { id: artifact, expired, workflow_run: run } of more ?? []) {
      // A fork's branch may have the same name.
      const isOfBranch = run?.head_branch === branch && run.head_repository_id === id;
      const isNew = run?.id !== undefined && run.id !== context.attempt.run && !artifacts.has(run.id);
      if (isNew && isOfBranch && !expired) artifacts.set(Number(run.id), artifact);
    }
    // Only people with write access start such runs.
    const isOfOwn = ({ event, head_repository: head }: NonNullable<typeof runs>[number]) =>
      ON_A_BRANCH.has(event) && Number(head.id) === id;
    for (const run of runs?.filter(isOfOwn) ?? []) counting.add(Number(run.id));
    const found = [...artifacts].filter(([run]) => counting.has(run));
    const isEnd = more === undefined && runs === undefined;
    if (found.length < KEPT_RESULTS && !isEnd) continue;
    const newest = found.slice(0, KEPT_RESULTS).map(([run, id]) => ({ id, run }));
    return { newest, other: [...artifacts.keys()].find((run) => !counting.has(run)) };
  }
}

/** The file of a run's workflow; undefined where it is this one, in a run that does not count. */
async function fileOfRun(run: number, context: RunContext, octokit: Octokit): Promise<string | undefined> {
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/runs/{run_id}", {
    ...repositoryOf(context),
    run_id: run,
  });
  // With `@` and the branch where GitHub names it.
  const file = textBefore(data.path, "@").split("/").at(-1);
  return file === context.workflowFile ? undefined : file;
}

/** Gives a list page by page, and undefined after its last; `total` counts the rows of all pages, and a list that ends before its total is an error. */
function pagesOf<Row>(
  what: string,
  ask: (page: number) => Promise<{ readonly total: number; readonly rows: readonly Row[] }>,
): () => Promise<readonly Row[] | undefined> {
  let [read, page, total] = [0, 0, Infinity];
  return async () => {
    if (read >= total) return undefined;
    page += 1;
    const answer = page > MOST_PAGES ? undefined : await ask(page);
    // A proxy may answer 200 with a page of its own.
    if (answer && !(Array.isArray(answer.rows) && Number.isSafeInteger(answer.total)))
      throw new TypeError("No list");
    if (!answer || (answer.rows.length === 0 && read < answer.total))
      throw new Error(`GitHub lists only ${String(read)} of ${String(answer?.total ?? total)} ${what}`);
    total = answer.total;
    read += answer.rows.length;
    return answer.rows;
  };
}

/** The archive of an artifact; its address is one of GitHub's storage, which gets no token. */
async function download(id: number, context: RunContext, octokit: Octokit): Promise<Buffer> {
  const { data } = await octokit.request(
    "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
    {
      ...repositoryOf(context),
      artifact_id: id,
      archive_format: "zip",
      request: { parseSuccessResponseBody: false },
    },
  );
  return await readBody(data as AsyncIterable<Uint8Array>, MOST_RESULTS_BYTES, keptTooLarge);
}

function keptTooLarge(): Error {
  return new Error(`kept results of more than ${formatNumber(MOST_RESULTS_BYTES / 1e6)} MB`);
}

/** Writes the JSON files of an archive into a folder, without their folders; the library refuses names that lead out. */
async function unpack(archive: Buffer, root: string, folder: string): Promise<string[]> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  const files: string[] = [];
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith(".json")) continue;
    const name = join(folder, basename(entry.fileName));
    const content = await zip.openReadStreamPromise(entry);
    if (!createBelow(root, name, await readBody(content, MOST_RESULTS_BYTES, keptTooLarge)))
      throw new Error(`\`${basename(name)}\` is in the archive twice`);
    files.push(join(root, name));
  }
  return files;
}
