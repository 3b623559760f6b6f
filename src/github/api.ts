/** The calls of GitHub's API, bound to a run's context. */
import pLimit from "p-limit";
import { type Client, type ClientOptions, type Octokit, githubClient } from "./client.ts";
import { type PullReference, type Repository, type RunContext, repositoryOf } from "./context.ts";
import { MOST_PAGES, PAGE_SIZE } from "./limits.ts";

export interface GitHubApi {
  readonly checkRuns: CheckRunsApi;
  readonly comments: CommentsApi;
  /**
   * The names of the labels that the pull request has now, the first hundred; undefined when there is none
   * (https://docs.github.com/en/rest/issues/labels#list-labels-for-an-issue).
   */
  readonly labels: () => Promise<readonly string[] | undefined>;
  /**
   * The names of the labels that the pull requests have now by which the commits since `since` came to this branch, without
   * it those of this commit. Open ones do not count
   * (https://docs.github.com/en/rest/commits/commits#list-pull-requests-associated-with-a-commit).
   */
  readonly mergedLabels: (since: string | undefined) => Promise<readonly string[]>;
  /**
   * The job of this run that ran the agent, as our templates name it, if it failed or was cancelled; undefined when none
   * did (https://docs.github.com/en/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run-attempt).
   */
  readonly endedAgent: () => Promise<EndedJob | undefined>;
}

/** A job that ended, with its page and the name of its first step that did. */
export interface EndedJob {
  readonly url: string | undefined;
  readonly step: string | undefined;
}

/** The calls of the Checks API, bound to a commit (https://docs.github.com/en/rest/checks/runs). */
export interface CheckRunsApi {
  /** Creates a check run, which is found again by its name and `external_id`; `url` is its page. */
  readonly create: (body: NewCheckRun) => Promise<CreatedCheckRun>;
  /** The `external_id` of the check runs of this name on the commit, the first hundred. */
  readonly named: (name: string) => Promise<readonly string[]>;
  /** Changes a check run and appends annotations; `total` is their number afterwards. */
  readonly append: (id: number, body: Readonly<Record<string, unknown>>, total: number) => Promise<void>;
}

interface NewCheckRun extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly external_id: string;
}

interface CreatedCheckRun {
  readonly id: number;
  readonly url?: string | undefined;
}

/** The comments of pull requests (https://docs.github.com/en/rest/issues/comments). */
export interface CommentsApi {
  /** The number of the pull request the run belongs to; undefined when there is none. */
  readonly pull: () => Promise<number | undefined>;
  /** Login of the token's owner. */
  readonly author: () => Promise<string>;
  /** All comments, from all pages. */
  readonly list: (pull: number) => Promise<readonly Comment[]>;
  /** Creates a comment, which is found again by its first line. */
  readonly create: (pull: number, body: string) => Promise<string | undefined>;
  readonly update: (id: number, body: string) => Promise<string | undefined>;
  /** Deletes a comment; one that is gone already is no error. */
  readonly remove: (id: number) => Promise<void>;
}

/** A comment of a pull request. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  readonly url?: string | undefined;
  readonly author: string;
}

/** The API of a run; its time limit starts now. Errors are the client's. */
export function githubApi(context: RunContext, options: Omit<ClientOptions, "baseUrl">): GitHubApi {
  const client = githubClient({ ...options, baseUrl: context.apiUrl });
  return {
    checkRuns: checkRunsApi(context, client),
    comments: commentsApi(context, client),
    labels: () => client.send((octokit) => labelsOf(context, octokit)),
    mergedLabels: (since) => client.send((octokit) => mergedLabels(context, octokit, since)),
    endedAgent: () => client.send((octokit) => endedAgent(context, octokit)),
  };
}

function checkRunsApi(context: RunContext, { send, once }: Client): CheckRunsApi {
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
    create: async (body) => {
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
    named: async (name) => {
      const ref = await sha();
      const runs = await send((octokit) => named(octokit, ref, name));
      return runs.flatMap(({ external_id }) => external_id ?? []);
    },
    append: (id, body, total) => append({ context, once }, id, { body, total }),
  };
}

/** Changes a check run; annotations that GitHub has already are not sent again. */
async function append(
  { context, once }: Pick<Client, "once"> & { readonly context: RunContext },
  id: number,
  { body, total }: { readonly body: Readonly<Record<string, unknown>>; readonly total: number },
): Promise<void> {
  const where = { ...repositoryOf(context), check_run_id: id };
  await once(
    async (octokit, options) => {
      const request = { ...where, ...body, ...options };
      const { data } = await octokit.request(
        "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
        request,
      );
      return madeOf(data);
    },
    async (octokit) => {
      const { data } = await octokit.request("GET /repos/{owner}/{repo}/check-runs/{check_run_id}", where);
      return data.output.annotations_count >= total ? madeOf(data) : undefined;
    },
  );
}

/** A check run in GitHub's answer. */
interface CheckRunData {
  readonly id: number | bigint;
  readonly html_url: string | null;
  readonly external_id: string | null;
}

function madeOf(data: CheckRunData): CreatedCheckRun {
  const id = Number(data.id);
  if (!Number.isSafeInteger(id)) throw new TypeError("No check run");
  return { id, url: data.html_url || undefined };
}

const COMMENTS = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
const COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}";

function commentsApi(context: RunContext, { send, once }: Client): CommentsApi {
  const where = () => repositoryOf(context);
  return {
    pull: async () => {
      const { pull } = context;
      return pull && (await send((octokit) => findPull(pull, where(), octokit)));
    },
    author: async () => await send(authorOf),
    list: async (pull) => await send((octokit) => listComments({ ...where(), issue_number: pull }, octokit)),
    create: async (pull, body) => {
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
    update: async (id, body) => {
      const request = { ...where(), comment_id: id, body };
      return await send(async (octokit) => {
        const { data } = await octokit.request(`PATCH ${COMMENT}`, request);
        return urlOf(data);
      });
    },
    remove: async (id) => {
      const request = { ...where(), comment_id: id };
      await send(async (octokit) => {
        const { status }: { readonly status: number } = await octokit.request(`DELETE ${COMMENT}`, request);
        if (status !== 204) throw new TypeError("Not deleted");
      }).catch((error: unknown) => {
        if ((error as { status?: number | undefined }).status !== 404) throw error;
      });
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
      sameName((head.repo as { full_name: string } | null)?.full_name, headRepository),
  )?.number;
}

function sameName(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** REST does not name an app token's owner; GraphQL does for every token. */
async function authorOf(octokit: Octokit): Promise<string> {
  const { viewer } = await octokit.graphql<{ viewer: { login: string } }>("query { viewer { login } }");
  return viewer.login;
}

interface CommentsPlace extends Repository {
  readonly issue_number: number;
}

async function listComments(place: CommentsPlace, octokit: Octokit): Promise<Comment[]> {
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

async function labelsOf(context: RunContext, octokit: Octokit): Promise<readonly string[] | undefined> {
  const where = repositoryOf(context);
  const number = context.pull && (await findPull(context.pull, where, octokit));
  if (number === undefined) return undefined;
  const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/labels";
  const { data } = await octokit.request(route, { ...where, issue_number: number, per_page: PAGE_SIZE });
  if (!Array.isArray(data)) throw new TypeError("GitHub's answer is not a list of labels");
  return data.map(({ name }) => name);
}

/** Maximum commits of a push whose pull requests are asked for: each is a request. */
const MOST_COMMITS = 200;
/** How many of them are asked for at once: GitHub slows down who asks for many. */
const COMMITS_AT_ONCE = 5;

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
    if (!Array.isArray(data)) throw new TypeError("GitHub's answer is not a list of pull requests");
    return data;
  });
  return pulls
    .flat()
    .filter(({ merged_at: merged, base }) => merged !== null && base.ref === branch)
    .flatMap(({ labels }) => labels.map(({ name }) => name));
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
      .catch((error: unknown) => {
        if ((error as { status?: number | undefined }).status !== 404) throw error;
      });
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

async function endedAgent(context: RunContext, octokit: Octokit): Promise<EndedJob | undefined> {
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
