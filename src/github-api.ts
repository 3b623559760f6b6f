/** The calls of GitHub's API we make, bound to a run's context; octokit is loaded on the first. */
import type { Octokit, OctokitOptions } from "@octokit/core";
import type { PullReference, RunContext } from "./github.ts";
import { connections, fetchOver } from "./network.ts";

/** The two calls of the Checks API, bound to a commit (https://docs.github.com/en/rest/checks/runs). */
export interface CheckRunsApi {
  /** Creates a check run; `url` is its page. */
  create: (body: Readonly<Record<string, unknown>>) => Promise<{ id: number; url?: string }>;
  /** Changes one; its annotations are added to those there are. */
  update: (id: number, body: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** A comment of a pull request. */
export interface Comment {
  readonly id: number;
  readonly body: string;
  readonly url?: string;
  readonly author: string;
}

/** The comments of pull requests (https://docs.github.com/en/rest/issues/comments). */
export interface CommentsApi {
  /** The number of the pull request the run belongs to; undefined when there is none. */
  readonly pull: () => Promise<number | undefined>;
  /** Who the token writes as. */
  readonly author: () => Promise<string>;
  /** All comments, from all pages. */
  readonly list: (pull: number) => Promise<readonly Comment[]>;
  readonly create: (pull: number, body: string) => Promise<string | undefined>;
  readonly update: (id: number, body: string) => Promise<string | undefined>;
  /** Deletes a comment; one that another run has just deleted is no error. */
  readonly remove: (id: number) => Promise<void>;
}

export interface GitHubApi {
  readonly checkRuns: CheckRunsApi;
  readonly comments: CommentsApi;
}

export interface ApiOptions {
  readonly token: string;
  /** Aborted when the workflow is cancelled: then nothing is tried again, since there are seconds left. */
  readonly cancelled: AbortSignal;
}

/** GitHub answers within seconds, or not at all. */
const API_TIMEOUT_MS = 20_000;
/** Tries after the first, for 5xx, 429 and broken connections; a rate limit is waited for up to this long. */
const RETRIES = 3;
const LONGEST_WAIT_S = 120;
/** Requests at once: the sinks are two, each with one at a time. */
const CONNECTIONS = 4;
const PAGE = 100;
/** Bytes of GitHub's longest answer: a page of a hundred comments of 64 KiB. */
const LONGEST_ANSWER = 40_000_000;
/** Pages of comments that are looked through. */
const MOST_PAGES = 100;

/** Makes the API of a run. Errors are octokit's, with the HTTP `status`. */
export function githubApi(context: RunContext, options: ApiOptions): GitHubApi {
  let made: Promise<Client> | undefined;
  const client = () => (made ??= makeClient(context.apiUrl, options));
  return { checkRuns: checkRunsApi(context, client), comments: commentsApi(context, client) };
}

type Client = Awaited<ReturnType<typeof makeClient>>;

/** Loads octokit, which takes tens of milliseconds: best while something else is waited for. */
export async function preload() {
  // Node loads what is behind this name when it is first used.
  Reflect.get(globalThis, "Response");
  return await Promise.all([
    import("@octokit/core"),
    import("@octokit/plugin-paginate-rest"),
    import("@octokit/plugin-retry"),
    import("@octokit/plugin-throttling"),
  ]);
}

async function makeClient(baseUrl: string, { token, cancelled }: ApiOptions) {
  const [{ Octokit: Core }, { paginateRest }, { retry }, { throttling }] = await preload();
  // Loaded before the others, so that it sees every try.
  const bounded = ({ hook }: Octokit) => {
    hook.before("request", ({ request }) => {
      request.signal = AbortSignal.timeout(API_TIMEOUT_MS);
    });
    hook.error("request", (error, { request }) => {
      if (cancelled.aborted) request.retries = 0;
      throw error;
    });
  };
  // Also given the request, the client and how often it was tried: octokit stops when we no longer want.
  const waits = (...[seconds, , , tried]: [number, unknown, unknown, number]) =>
    !cancelled.aborted && tried < RETRIES && seconds <= LONGEST_WAIT_S;
  const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const settings: OctokitOptions & Record<string, unknown> = {
    auth: token,
    baseUrl,
    userAgent: "waza-grade",
    request: {
      fetch: fetchOver(connections(CONNECTIONS), {
        origin: new URL(baseUrl).origin,
        longest: LONGEST_ANSWER,
      }),
    },
    log: quiet,
    retry: { retries: RETRIES },
    throttle: {
      onRateLimit: waits,
      onSecondaryRateLimit: waits,
      enabled: !cancelled.aborted,
      // Without the plugin's second between two writes, which every run of many annotations would wait for, nor its
      // bound of ten at once: ours are a handful, one after the other, and a limit that is reached is waited for.
      ...(UNPACED_GROUPS as object),
    },
  };
  const Client = Core.plugin(bounded, paginateRest, retry, throttling);
  return new Client(settings);
}

/** The part of a limiter's group that the plugin uses: it hands on at once. */
const UNPACED = {
  key: () => ({
    schedule: <T extends readonly unknown[]>(_: unknown, run: (...args: T) => unknown, ...args: T) =>
      run(...args),
  }),
};
const UNPACED_GROUPS = { write: UNPACED, global: UNPACED };

function ignore(): void {
  // What octokit tells its log, the sinks tell better.
}

function repositoryOf({ repository }: RunContext): { owner: string; repo: string } {
  if (!repository) throw new Error("GITHUB_REPOSITORY is not set");
  return repository;
}

function checkRunsApi(context: RunContext, client: () => Promise<Client>): CheckRunsApi {
  const sha = async () => {
    const { pull } = context;
    if (context.sha !== undefined || !pull || !("number" in pull)) return context.sha ?? "";
    const octokit = await client();
    const where = { ...repositoryOf(context), pull_number: pull.number };
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", where);
    return data.head.sha;
  };
  return {
    create: async (body) => {
      const octokit = await client();
      const request = { ...repositoryOf(context), head_sha: await sha(), ...body };
      const { data } = await octokit.request("POST /repos/{owner}/{repo}/check-runs", request as never);
      // A proxy's page of its own, answered with 200, is no check run.
      const id = Number(data.id);
      if (!Number.isSafeInteger(id)) throw new Error("GitHub's answer is no check run");
      return { id, ...(data.html_url ? { url: data.html_url } : {}) };
    },
    update: async (id, body) => {
      const octokit = await client();
      const request = { ...repositoryOf(context), check_run_id: id, ...body };
      await octokit.request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", request);
    },
  };
}

const COMMENTS = "/repos/{owner}/{repo}/issues/{issue_number}/comments";
const COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}";

function commentsApi(context: RunContext, client: () => Promise<Client>): CommentsApi {
  const where = () => repositoryOf(context);
  return {
    pull: async () => (context.pull ? await findPull(context.pull, where(), await client()) : undefined),
    author: async () => await authorOf(await client()),
    list: async (pull) => {
      const octokit = await client();
      const query = { ...where(), issue_number: pull, per_page: PAGE };
      let pages = 0;
      const comments = await octokit.paginate(`GET ${COMMENTS}`, query, ({ data }, done) => {
        pages += 1;
        if (pages === MOST_PAGES) done();
        return data;
      });
      return comments.map(({ id, body, html_url: url, user }) => ({
        id,
        url,
        body: body ?? "",
        author: user?.login ?? "",
      }));
    },
    create: async (pull, body) => {
      const octokit = await client();
      const { data } = await octokit.request(`POST ${COMMENTS}`, { ...where(), issue_number: pull, body });
      return data.html_url;
    },
    update: async (id, body) => {
      const octokit = await client();
      const { data } = await octokit.request(`PATCH ${COMMENT}`, { ...where(), comment_id: id, body });
      return data.html_url;
    },
    remove: async (id) => {
      const octokit = await client();
      await octokit.request(`DELETE ${COMMENT}`, { ...where(), comment_id: id }).catch((error: unknown) => {
        if ((error as { status?: number }).status !== 404) throw error;
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
  where: { owner: string; repo: string },
  octokit: Client,
): Promise<number | undefined> {
  if ("number" in pull) return pull.number;
  const { headRepository, headBranch, headSha } = pull;
  const [owner = ""] = headRepository.split("/");
  const query = { ...where, state: "open" as const, head: `${owner}:${headBranch}`, per_page: PAGE };
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

/** An app's token may not ask REST who it is; GraphQL tells every token. */
async function authorOf(octokit: Client): Promise<string> {
  const { viewer } = await octokit.graphql<{ viewer: { login: string } }>("query { viewer { login } }");
  return viewer.login;
}
