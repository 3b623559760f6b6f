/** The calls of GitHub's API, bound to a run's context. */
import pLimit from "p-limit";
import { type Client, type ClientOptions, type Octokit, except, githubClient } from "./client.ts";
import { type PullReference, type Repository, type RunContext, repositoryOf } from "./context.ts";
import { MOST_PAGES, PAGE_SIZE } from "./limits.ts";

/** The calls of a run, as they are made below. */
export type GitHubApi = ReturnType<typeof githubApi>;
export type CheckRunsApi = GitHubApi["checkRuns"];
export type CommentsApi = GitHubApi["comments"];

/** The API of a run; its time limit starts now. Errors are the client's. */
export function githubApi(context: RunContext, options: Omit<ClientOptions, "baseUrl">) {
  const client = githubClient({ ...options, baseUrl: context.apiUrl });
  return {
    checkRuns: checkRunsApi(context, client),
    comments: commentsApi(context, client),
    /** The labels of now: of the pull request; on a branch, of those that were merged since a commit. */
    labels: (since: string | undefined) =>
      client.send((octokit) =>
        context.pull ? labelsOf(context.pull, context, octokit) : mergedLabels(context, octokit, since),
      ),
    endedAgent: () => client.send((octokit) => endedAgent(context, octokit)),
  };
}

/** A check run to create, which is found again by its name and `external_id`. */
interface NewCheckRun extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly external_id: string;
}

/** The calls of the Checks API, bound to a commit (https://docs.github.com/en/rest/checks/runs). */
function checkRunsApi(context: RunContext, { send, once }: Client) {
  const named = async (octokit: Octokit, ref: string, check_name: string) => {
    const query = { ...repositoryOf(context), ref, check_name, filter: "all" as const, per_page: PAGE_SIZE };
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", query);
    return data.check_runs as CheckRunData[];
  };
  /** The commit's check run of this name and id. */
  const find = async (octokit: Octokit, ref: string, { name, external_id }: NewCheckRun) => {
    const found = (await named(octokit, ref, name)).find((run) => run.external_id === external_id);
    return found && madeOf(found);
  };
  const sha = async () => {
    const { pull } = context;
    if (context.sha !== undefined || !pull || !("number" in pull)) return context.sha ?? "";
    const where = { ...repositoryOf(context), pull_number: pull.number };
    return await send(async (octokit) => {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", where);
      return data.head.sha;
    });
  };
  return {
    /** The new check run's id, and its page. */
    create: async (body: NewCheckRun) => {
      const where = repositoryOf(context);
      const ref = await sha();
      return await once(
        async (octokit, options) => {
          const request = { ...where, head_sha: ref, ...body, ...options };
          const { data } = await octokit.request("POST /repos/{owner}/{repo}/check-runs", request as never);
          return madeOf(data);
        },
        async (octokit) => await find(octokit, ref, body),
      );
    },
    /** The `external_id` of the check runs of this name on the commit, the first hundred. */
    named: async (name: string) => {
      const ref = await sha();
      const runs = await send((octokit) => named(octokit, ref, name));
      return runs.flatMap(({ external_id }) => external_id ?? []);
    },
    /**
     * Changes a check run and appends annotations, of which there are `total` afterwards; those that GitHub has already are
     * not sent again.
     */
    append: async (id: number, body: Readonly<Record<string, unknown>>, total: number) => {
      const where = { ...repositoryOf(context), check_run_id: id };
      const route = "/repos/{owner}/{repo}/check-runs/{check_run_id}";
      await once(
        async (octokit, options) => {
          const { data } = await octokit.request(`PATCH ${route}`, { ...where, ...body, ...options });
          return madeOf(data);
        },
        async (octokit) => {
          const { data } = await octokit.request(`GET ${route}`, where);
          return data.output.annotations_count >= total ? madeOf(data) : undefined;
        },
      );
    },
  };
}

/** A check run in GitHub's answer. */
interface CheckRunData {
  readonly id: number | bigint;
  readonly html_url: string | null;
  readonly external_id: string | null;
}

function madeOf(data: CheckRunData) {
  const id = Number(data.id);
  if (!Number.isSafeInteger(id)) throw new TypeError("No check run");
  return { id, url: data.html_url || undefined };
}

const COMMENTS = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
const COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}";

/** The comments of pull requests (https://docs.github.com/en/rest/issues/comments). */
function commentsApi(context: RunContext, { send, once }: Client) {
  const where = () => repositoryOf(context);
  return {
    /** The number of the pull request the run belongs to; undefined when there is none. */
    pull: async () => {
      const { pull } = context;
      return pull && (await send((octokit) => findPull(pull, where(), octokit)));
    },
    /** Login of the token's owner. */
    author: async () => await send(authorOf),
    /** All comments, from all pages. */
    list: async (pull: number) =>
      await send((octokit) => listComments({ ...where(), issue_number: pull }, octokit)),
    /** Creates a comment, which is found again by its first line. */
    create: async (pull: number, body: string) => {
      const place = { ...where(), issue_number: pull };
      const { url } = await once<{ readonly url?: string | undefined }>(
        async (octokit, options) => {
          const { data } = await octokit.request(`POST ${COMMENTS}`, { ...place, body, ...options });
          return { url: urlOf(data) };
        },
        async (octokit) => {
          const author = await authorOf(octokit);
          const comments = await listComments(place, octokit);
          return comments.find((one) => one.author === author && firstLine(one.body) === firstLine(body));
        },
      );
      return url;
    },
    update: async (id: number, body: string) => {
      const request = { ...where(), comment_id: id, body };
      return await send(async (octokit) => {
        const { data } = await octokit.request(`PATCH ${COMMENT}`, request);
        return urlOf(data);
      });
    },
    /** Deletes a comment; one that is gone already is no error. */
    remove: async (id: number) => {
      const request = { ...where(), comment_id: id };
      await send(async (octokit) => {
        const { status }: { readonly status: number } = await octokit.request(`DELETE ${COMMENT}`, request);
        if (status !== 204) throw new TypeError("Not deleted");
      }).catch(except(404));
    },
  };
}

/**
 * The open pull request of a commit, by the repository, branch and SHA it came from: all three have to agree, since a
 * branch moves and a commit may be the head of several.
 */
async function findPull(
  pull: PullReference,
  where: Repository,
  octokit: Octokit,
): Promise<number | undefined> {
  if ("number" in pull) return pull.number;
  const { headRepository, headBranch, headSha } = pull;
  const [owner = ""] = headRepository.split("/");
  const query = { ...where, state: "open" as const, head: `${owner}:${headBranch}`, per_page: PAGE_SIZE };
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls", query);
  return data.find(
    ({ head }) =>
      head.sha === headSha &&
      head.ref === headBranch &&
      (head.repo as { full_name: string } | null)?.full_name.toLowerCase() === headRepository.toLowerCase(),
  )?.number;
}

/** REST does not name an app token's owner; GraphQL does for every token. */
async function authorOf(octokit: Octokit): Promise<string> {
  const { viewer } = await octokit.graphql<{ viewer: { login: string } }>("query { viewer { login } }");
  return viewer.login;
}

interface CommentsPlace extends Repository {
  readonly issue_number: number;
}

/** A comment of a pull request. */
export type Comment = Awaited<ReturnType<typeof listComments>>[number];

async function listComments(place: CommentsPlace, octokit: Octokit) {
  let pages = 0;
  const comments = await octokit.paginate(
    `GET ${COMMENTS}`,
    { ...place, per_page: PAGE_SIZE },
    ({ data }, done) => {
      pages += 1;
      if (pages === MOST_PAGES) done();
      if (!Array.isArray(data)) throw new TypeError("No comments");
      return data;
    },
  );
  return comments.map(({ id, body, html_url: url, user }) => ({
    id: Number(id),
    url,
    body: body ?? "",
    author: user?.login ?? "",
  }));
}

/** The address of a comment's page. */
function urlOf({ html_url: url }: { readonly html_url: string }): string {
  if (typeof url !== "string") throw new TypeError("No comment");
  return url;
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}

/**
 * The names of the labels that the pull request has now, the first hundred; none when there is none
 * (https://docs.github.com/en/rest/issues/labels#list-labels-for-an-issue).
 */
async function labelsOf(
  pull: PullReference,
  context: RunContext,
  octokit: Octokit,
): Promise<readonly string[]> {
  const where = repositoryOf(context);
  const number = await findPull(pull, where, octokit);
  if (number === undefined) return [];
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/labels";
  const { data } = await octokit.request(route, { ...where, issue_number: number, per_page: PAGE_SIZE });
  return data.map(({ name }) => name);
}

/** Maximum commits of a push whose pull requests are asked for: each is a request. */
const MOST_COMMITS = 200;
/** How many of them are asked for at once: GitHub slows down who asks for many. */
const COMMITS_AT_ONCE = 5;

/**
 * The names of the labels that the pull requests have now by which the commits since `since` came to this branch, without
 * it those of this commit. Open ones do not count
 * (https://docs.github.com/en/rest/commits/commits#list-pull-requests-associated-with-a-commit).
 */
async function mergedLabels(
  context: RunContext,
  octokit: Octokit,
  since: string | undefined,
): Promise<readonly string[]> {
  const { sha, branch } = context;
  if (sha === undefined || sha === since) return [];
  const commits = since === undefined ? [sha] : await commitsSince(context, octokit, { since, sha });
  const pulls = await pLimit(COMMITS_AT_ONCE).map(commits, async (commit_sha) => {
    const query = { ...repositoryOf(context), commit_sha, per_page: PAGE_SIZE };
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", query);
    return data
      .filter(({ merged_at: merged, base }) => merged !== null && base.ref === branch)
      .flatMap(({ labels }) => labels.map(({ name }) => name));
  });
  return pulls.flat();
}

/** The commits that a branch has since one of them; the newest alone where that one is not in the repository any more. */
async function commitsSince(
  context: RunContext,
  octokit: Octokit,
  { since, sha }: { readonly since: string; readonly sha: string },
): Promise<readonly string[]> {
  const commits: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = { ...repositoryOf(context), basehead: `${since}...${sha}`, per_page: PAGE_SIZE, page };
    const answer = await octokit
      .request("GET /repos/{owner}/{repo}/compare/{basehead}", query)
      .catch(except(404));
    if (!answer) return [sha];
    const { total_commits: total, commits: rows } = answer.data;
    if (total > MOST_COMMITS)
      throw new Error(
        `there are ${String(total)} commits since the newest results, more than ${String(MOST_COMMITS)}`,
      );
    commits.push(...rows.map((one) => one.sha));
    if (commits.length >= total || rows.length === 0) return commits;
  }
}

const ENDED: ReadonlySet<string | null> = new Set(["failure", "cancelled", "timed_out"]);

/**
 * The job of this run that ran the agent, as our templates name it, if it failed or was cancelled: its page, and the name of
 * its first step that did; undefined when none did
 * (https://docs.github.com/en/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run-attempt).
 */
async function endedAgent(context: RunContext, octokit: Octokit) {
  const { run: run_id, attempt: attempt_number } = context.attempt;
  const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs";
  const query = { ...repositoryOf(context), run_id, attempt_number, per_page: PAGE_SIZE };
  const { data } = await octokit.request(route, query);
  // That of a called workflow has the caller's name before it, and one of a matrix its values behind it.
  const isAgent = (name: string) => /(?:^| \/ )agent(?: \(|$)/.test(name);
  const job = data.jobs.find(({ name, conclusion }) => ENDED.has(conclusion) && isAgent(name));
  const step = job?.steps?.find(({ conclusion }) => ENDED.has(conclusion));
  return job && { url: job.html_url ?? undefined, step: step?.name };
}
