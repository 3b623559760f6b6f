/** The calls of GitHub's API, bound to a run's context. */
import type { getOctokit } from "@actions/github";
import { type RetryPlugin, retry } from "@octokit/plugin-retry";
import { setTimeout as pause } from "node:timers/promises";
import { type RequestInit, fetch } from "undici";
import type { PullReference, Repository, RunContext } from "./context.ts";
import { connectionsTo } from "../network/connections.ts";
import { LOOK_AFTER_SECONDS, MOST_CONNECTIONS, MOST_PAGES, MOST_RETRIES, PAGE_SIZE } from "./limits.ts";

interface ClientOptions {
  readonly token: string;
  readonly baseUrl: string;
  /** Aborted when the workflow is cancelled; nothing is retried then. */
  readonly cancelled: AbortSignal;
  readonly limits?: Partial<ClientLimits> | undefined;
}

/** Time limits in milliseconds; tests shorten them. */
export interface ClientLimits {
  /** For all requests together, from the client's creation: publishing ends within a minute of the last grade. */
  readonly together: number;
  /** For the remaining requests after a cancellation: the runner waits 7.5 s before it sends SIGTERM. */
  readonly grace: number;
  /** For one request; GitHub normally answers within seconds. */
  readonly request: number;
  /** Length of a second in GitHub's wait times. */
  readonly second: number;
}

export interface GitHubApi {
  readonly checkRuns: CheckRunsApi;
  readonly comments: CommentsApi;
  /**
   * The files of the pull request the run belongs to, from all pages; undefined when there is none
   * (https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files).
   */
  readonly pullFiles: () => Promise<readonly PullFile[] | undefined>;
}

/** The two calls of the Checks API, bound to a commit (https://docs.github.com/en/rest/checks/runs). */
export interface CheckRunsApi {
  /** Creates a check run, which is found again by its name and `external_id`; `url` is its page. */
  readonly create: (body: NewCheckRun) => Promise<CreatedCheckRun>;
  /** Appends annotations; `total` is their number afterwards. */
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

/** A file that a pull request changes, by its path in the repository. */
export interface PullFile {
  readonly path: string;
  /** Its path before a rename. */
  readonly before?: string | undefined;
}

/** The API of a run; its time limit starts now. Errors are the client's. */
export function githubApi(context: RunContext, options: Omit<ClientOptions, "baseUrl">): GitHubApi {
  const client = githubClient({ ...options, baseUrl: context.apiUrl });
  return {
    checkRuns: checkRunsApi(context, client),
    comments: commentsApi(context, client),
    pullFiles: () => client.send((octokit) => pullFiles(context, octokit)),
  };
}

const LIMITS: ClientLimits = { together: 50_000, grace: 3_500, request: 20_000, second: 1_000 };
/** Options that turn the retry plugin off for one request. */
const ONCE = { request: { retries: 0 } };

interface Client {
  /** For reads and repeatable writes: transient errors are retried. */
  readonly send: <T>(work: (octokit: Octokit) => Promise<T>) => Promise<T>;
  /**
   * For writes that must happen only once. When an answer leaves open whether GitHub carried the write out, the result is
   * looked for before writing again; after a timeout nothing is written again, since GitHub may still carry it out.
   */
  readonly once: <T>(
    write: (octokit: Octokit, options: typeof ONCE) => Promise<T>,
    find: (octokit: Octokit) => Promise<T | undefined>,
  ) => Promise<T>;
}

/*
 * GitHub's client: @actions/github with octokit's plugin for retries. Without the plugin for throttling, which delays
 * each write by a second and each comment by three, and no option changes that; a run makes a handful of writes.
 */

type Octokit = ReturnType<typeof getOctokit>;

/** Creates the client of a run; its time limit starts now. Errors are octokit's, with the HTTP `status`, or say that the time is over. */
function githubClient(options: ClientOptions): Client {
  const limits = { ...LIMITS, ...options.limits };
  const { cancelled } = options;
  const time = timeOf(limits, cancelled);
  let client: Promise<Octokit> | undefined;
  const load = async () => {
    time.signal.throwIfAborted();
    client ??= makeOctokit(options, limits, time);
    return await Promise.race([time.over, client]);
  };
  const send: Client["send"] = async (work) => {
    const octokit = await load();
    return await Promise.race([time.over, work(octokit).catch(asOddAnswer)]);
  };
  const once: Client["once"] = async (write, find) => {
    await load();
    for (let tried = 0; ; tried += 1) {
      try {
        return await send((octokit) => write(octokit, ONCE));
      } catch (error) {
        if (isRefusal(error) || cancelled.aborted) throw error;
        await Promise.race([time.over, pause(LOOK_AFTER_SECONDS * limits.second, undefined, time)]);
        const found = await send(find).catch(() => {
          throw error;
        });
        if (found !== undefined) return found;
        if (isUnanswered(error) || tried === MOST_RETRIES) throw error;
      }
    }
  };
  return { send, once };
}

/** Time limit of all requests. */
interface Time {
  /** Aborted when it is over. */
  readonly signal: AbortSignal;
  /** Rejects when it is over. */
  readonly over: Promise<never>;
  /** Milliseconds left. */
  readonly left: () => number;
}

function timeOf({ together, grace }: ClientLimits, cancelled: AbortSignal): Time {
  const controller = new AbortController();
  const { signal } = controller;
  let end = Infinity;
  const endAfter = (milliseconds: number, reason: string) => {
    end = Math.min(end, performance.now() + milliseconds);
    setTimeout(() => {
      controller.abort(new Error(reason));
    }, milliseconds).unref();
  };
  const hurry = () => {
    endAfter(grace, "the workflow was cancelled, and there was no time left");
  };
  endAfter(together, `publishing took longer than ${String(together / 1_000)} s`);
  if (cancelled.aborted) hurry();
  else cancelled.addEventListener("abort", hurry, { once: true });
  const over = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });
  over.catch(() => undefined);
  return { signal, over, left: () => end - performance.now() };
}

/** A request timed out; GitHub may still carry it out. */
class NoAnswer extends Error {}

async function makeOctokit(
  { token, baseUrl, cancelled }: ClientOptions,
  { request: longest, second }: ClientLimits,
  time: Time,
): Promise<Octokit> {
  const { getOctokit: make } = await import("@actions/github");
  const dispatcher = connectionsTo(new URL(baseUrl).origin, MOST_CONNECTIONS);
  // Loaded before the retry plugin, to see every attempt.
  const bounded = (plugged: object) => {
    const octokit = plugged as Octokit & RetryPlugin;
    octokit.hook.before("request", ({ request }) => {
      const own = new AbortController();
      setTimeout(() => {
        own.abort(new NoAnswer(`GitHub did not answer within ${String(longest / 1_000)} s`));
      }, longest).unref();
      request.signal = AbortSignal.any([own.signal, time.signal]);
    });
    octokit.hook.error("request", (error, { request }) => {
      const limited = limitedFor(error);
      if (cancelled.aborted || time.signal.aborted) request.retries = 0;
      else if (limited !== undefined && limited * second < time.left())
        throw octokit.retry.retryRequest(error as never, MOST_RETRIES, limited);
      throw error;
    });
    return {};
  };
  const options = {
    baseUrl,
    userAgent: "waza-grade",
    request: { fetch: (url: string, init: RequestInit) => fetch(url, { ...init, dispatcher }) },
    // Silences octokit's own log; the publishers report failures.
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    retry: {
      retries: MOST_RETRIES,
      retryAfterBaseValue: second,
      doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
    },
  };
  return make(token, options, bounded, retry);
}

/**
 * Seconds until GitHub accepts requests again after a rate limit; undefined for other errors
 * (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit).
 */
function limitedFor(error: unknown): number | undefined {
  const { status, message, response } = error as {
    readonly status?: number | undefined;
    readonly message: string;
    readonly response?: { readonly headers: Readonly<Record<string, string | undefined>> } | undefined;
  };
  if (status !== 403 && status !== 429) return undefined;
  const {
    "retry-after": after,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": reset,
  } = response?.headers ?? {};
  if (after !== undefined) return Number(after);
  // One second more, since clocks differ.
  if (remaining === "0") return Math.max(0, Number(reset) - Date.now() / 1_000) + 1;
  return status === 429 || /secondary rate limit/i.test(message) ? 60 : undefined;
}

function ignore(): void {
  // Nothing.
}

/** Throws for an answer that is not as GitHub documents it: a proxy may have sent it. */
function asOddAnswer(cause: unknown): never {
  if (!(cause instanceof TypeError)) throw cause;
  throw new Error("GitHub's answer is not what its API documents; a proxy may have given it", { cause });
}

/** A client error: GitHub did nothing. */
function isRefusal(error: unknown): boolean {
  const { status } = error as { status?: number | undefined };
  return status !== undefined && status < 500;
}

function isUnanswered(error: unknown): boolean {
  return (error as { cause?: unknown }).cause instanceof NoAnswer;
}

function checkRunsApi(context: RunContext, { send, once }: Client): CheckRunsApi {
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
        async (octokit) => {
          const query = { ...where, ref, check_name: body.name, filter: "all" as const, per_page: PAGE_SIZE };
          const { data } = await octokit.request("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", query);
          const found = data.check_runs.find(({ external_id: id }) => id === body.external_id);
          return found && madeOf(found);
        },
      );
    },
    append: async (id, body, total) => {
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
          const { data } = await octokit.request(
            "GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
            where,
          );
          return data.output.annotations_count >= total ? madeOf(data) : undefined;
        },
      );
    },
  };
}

function repositoryOf({ repository }: RunContext): Repository {
  if (!repository) throw new Error("GITHUB_REPOSITORY is not set");
  return repository;
}

/** A check run in GitHub's answer. */
interface CheckRunData {
  readonly id: number | bigint;
  readonly html_url: string | null;
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

async function pullFiles(context: RunContext, octokit: Octokit): Promise<readonly PullFile[] | undefined> {
  const where = repositoryOf(context);
  const number = context.pull && (await findPull(context.pull, where, octokit));
  if (number === undefined) return undefined;
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/files";
  const files = await octokit.paginate(route, { ...where, pull_number: number, per_page: PAGE_SIZE });
  return files.map(({ filename, previous_filename: before }) => {
    // A proxy may answer 200 with a page of its own.
    if (typeof filename !== "string") throw new Error("GitHub's answer is not a list of files");
    return { path: filename, before };
  });
}
