/** A loopback GitHub API: check runs, pull requests, comments; it refuses what the real one refuses. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { checkPatch, checkPost, type CheckAnnotation, type CheckRunPost } from "./check-run-rules.ts";
import { bodyOf, listen, sendJson } from "./http.ts";

export interface CheckRun extends CheckRunPost {
  readonly annotations: CheckAnnotation[];
  /** Annotations of each request, in order. */
  readonly batches: number[];
}

export interface IssueComment {
  readonly id: number;
  readonly issue: number;
  body: string;
  readonly login: string;
}

export interface Pull {
  readonly sha: string;
  readonly ref?: string;
  /** The repository the head lies in; absent for a fork that is gone. */
  readonly repository?: string;
  readonly closed?: true;
  /** The names of its labels. */
  readonly labels?: readonly string[];
  /** The commits by which it came to its base, once merged; all of an open one's are on its own branch. */
  readonly commits?: readonly string[];
  readonly merged?: true;
  /** Its base; the default branch where it is absent. */
  readonly base?: string;
}

/** An artifact, with the run that left it. */
export interface KeptArtifact {
  readonly run: number;
  readonly name?: string;
  readonly expired?: true;
  readonly event?: string;
  readonly workflow?: string;
  readonly branch?: string;
  /** Of a fork. */
  readonly fork?: true;
  /** It was deleted since it was listed. */
  readonly gone?: 404 | 410;
  readonly archive?: Buffer;
}

export interface GitHubServer {
  readonly url: string;
  readonly checkRuns: CheckRun[];
  readonly comments: IssueComment[];
  /** Why requests were answered with 422, which no test but those of the server expects. */
  readonly refused: string[];
  /** Bodies as they came, for redaction tests. */
  readonly bodies: string[];
  /** Methods and addresses of all requests, in order. */
  readonly routes: string[];
  readonly close: () => Promise<void>;
}

/**
 * `500` does nothing; `reset` breaks the connection off; `hang` never answers; `limit` and `long-limit` are refused for a
 * second, and for an hour. `made-502`, `made-reset` and `made-hang` do what was asked for before they do not say so.
 */
export type Fault =
  "500" | "reset" | "hang" | "limit" | "long-limit" | "made-502" | "made-reset" | "made-hang";

export interface GitHubOptions {
  /** Check runs that are there already. */
  readonly checkRuns?: readonly CheckRun[];
  /** Answers every request so, as a read-only token (403) or a broken service (500) would. */
  readonly status?: number;
  /** What it says then. */
  readonly message?: string;
  /** Answers updates so. */
  readonly patchStatus?: number;
  /** Answers requests on comments so. */
  readonly commentStatus?: number;
  /** Answers requests for the labels of a pull request so. */
  readonly labelsStatus?: number;
  /** What goes wrong with the first requests, in order. */
  readonly first?: readonly (Fault | undefined)[];
  /** What goes wrong with every request of a method, for any request. */
  readonly always?: Readonly<Record<string, Fault>>;
  readonly pulls?: Readonly<Record<number, Pull>>;
  /** Lists pull requests for any `head`, as GitHub does with one it does not understand. */
  readonly ignoresHead?: boolean;
  readonly comments?: readonly Omit<IssueComment, "id">[];
  /** The default branch. */
  readonly branch?: string;
  /** The newest first. */
  readonly artifacts?: readonly KeptArtifact[];
  /** The jobs of the run. */
  readonly jobs?: readonly Readonly<Record<string, unknown>>[];
  /** The commits of the default branch, the oldest first. */
  readonly commits?: readonly string[];
  /** How many artifacts there are, where it is not the number of those that are listed. */
  readonly artifactsTotal?: number;
}

/** Who GITHUB_TOKEN writes as. */
export const BOT = "github-actions[bot]";
const COMMENT_CHARACTERS = 65_536;
const REPOSITORY = "/repos/octo/agents";

interface Call {
  /** Where the server is, for links to it. */
  readonly origin: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly method: string;
  readonly text: string;
  readonly send: (status: number, body: unknown, headers?: Record<string, string>) => void;
  readonly sendBytes: (bytes: Buffer) => void;
  readonly refuse: (status: number, message: string) => void;
}

interface State {
  readonly options: GitHubOptions;
  readonly checkRuns: CheckRun[];
  readonly comments: IssueComment[];
}

export async function startGitHub(options: GitHubOptions = {}): Promise<GitHubServer> {
  const checkRuns: CheckRun[] = [...(options.checkRuns ?? [])];
  const comments = (options.comments ?? []).map((comment, index) => ({ ...comment, id: index + 1 }));
  const refused: string[] = [];
  const bodies: string[] = [];
  const routes: string[] = [];
  const faults = [...(options.first ?? [])];
  const server = await listen(async (request, response) => {
    const text = await bodyOf(request);
    bodies.push(text);
    routes.push(`${request.method ?? ""} ${request.url ?? ""}`);
    const refuse = (status: number, message: string) => {
      if (status === 422) refused.push(message);
      sendJson(response, status, { message, documentation_url: "https://docs.github.com/rest" });
    };
    const fault = faults.shift() ?? options.always?.[request.method ?? ""];
    const [, made, ending] = /^(made-)?(.+)$/.exec(fault ?? "") ?? [];
    if (ending === "500") {
      refuse(500, "Server Error");
    } else if (ending === "limit" || ending === "long-limit") {
      response.setHeader("retry-after", ending === "limit" ? "1" : "3600");
      refuse(
        403,
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
      );
    } else if (ending !== undefined && made === undefined) {
      if (ending === "reset") request.socket.destroy();
    } else if (!/^(token|bearer) \S+$/i.test(request.headers.authorization ?? "")) {
      refuse(401, "Requires authentication");
    } else if (options.status !== undefined) {
      refuse(
        options.status,
        options.message ??
          (options.status === 403 ? "Resource not accessible by integration" : "Server Error"),
      );
    } else {
      const call = callOf(request, response, { text, refuse });
      const texts = ending === undefined ? call : { ...call, send: () => undefined };
      if (!route(texts, { options, checkRuns, comments })) refuse(404, "Not Found");
      else if (ending === "502") refuse(502, "Bad Gateway");
      else if (ending === "reset") request.socket.destroy();
    }
  });
  return { url: server.url, checkRuns, comments, refused, bodies, routes, close: server.close };
}

function callOf(
  request: IncomingMessage,
  response: ServerResponse,
  more: Pick<Call, "text" | "refuse">,
): Call {
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "loopback"}`);
  return {
    ...more,
    origin: url.origin,
    path: url.pathname,
    query: url.searchParams,
    method: request.method ?? "",
    send: (status, body, headers = {}) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      sendJson(response, status, body);
    },
    // As storage does, which knows no type of its own.
    sendBytes: (bytes) => {
      response.end(bytes);
    },
  };
}

/** Answers a call; false when there is nothing at its address. */
function route(call: Call, state: State): boolean {
  const routes = [graphql, checkRunRoutes, pullRoutes, commentRoutes, artifactRoutes];
  return routes.some((answer) => answer(call, state));
}

function graphql({ method, path, text, send }: Call): boolean {
  if (`${method} ${path}` !== "POST /graphql" || !text.includes("viewer")) return false;
  send(200, { data: { viewer: { login: BOT } } });
  return true;
}

function checkRunRoutes(call: Call, state: State): boolean {
  return [createCheckRun, listCheckRuns, oneCheckRun].some((answer) => answer(call, state));
}

function createCheckRun({ method, path, text, send, refuse }: Call, { checkRuns }: State): boolean {
  if (`${method} ${path}` !== `POST ${REPOSITORY}/check-runs`) return false;
  const checked = checkPost(JSON.parse(text));
  if ("refusal" in checked) {
    refuse(422, checked.refusal);
    return true;
  }
  const annotations = checked.body.output?.annotations ?? [];
  const made = { ...checked.body, annotations: [...annotations], batches: [annotations.length] };
  checkRuns.push(made);
  send(201, checkRunBody(made, checkRuns));
  return true;
}

function listCheckRuns({ method, path, query, send }: Call, { checkRuns }: State): boolean {
  const sha = new RegExp(`^GET ${REPOSITORY}/commits/([0-9a-f]{40})/check-runs$`).exec(
    `${method} ${path}`,
  )?.[1];
  if (sha === undefined) return false;
  const name = query.get("check_name");
  const found = checkRuns.filter((one) => one.head_sha === sha && (name === null || one.name === name));
  send(200, { total_count: found.length, check_runs: found.map((one) => checkRunBody(one, checkRuns)) });
  return true;
}

function oneCheckRun({ method, path, text, send, refuse }: Call, { options, checkRuns }: State): boolean {
  const id = new RegExp(`^${REPOSITORY}/check-runs/(\\d+)$`).exec(path)?.[1];
  const checkRun = checkRuns[Number(id) - 1];
  if (!checkRun || (method !== "PATCH" && method !== "GET")) return false;
  if (method === "GET") {
    send(200, checkRunBody(checkRun, checkRuns));
    return true;
  }
  const checked = checkPatch(JSON.parse(text));
  if (options.patchStatus !== undefined) refuse(options.patchStatus, "Server Error");
  else if ("refusal" in checked) refuse(422, checked.refusal);
  else {
    const annotations = checked.body.output?.annotations ?? [];
    Object.assign(checkRun, { ...checked.body, annotations: checkRun.annotations });
    checkRun.annotations.push(...annotations);
    checkRun.batches.push(annotations.length);
    send(200, checkRunBody(checkRun, checkRuns));
  }
  return true;
}

function checkRunBody(checkRun: CheckRun, all: readonly CheckRun[]) {
  const id = all.indexOf(checkRun) + 1;
  const { name, external_id, annotations, status } = checkRun;
  const html_url = `https://github.com/octo/agents/runs/${String(id)}`;
  return { id, name, external_id, status, html_url, output: { annotations_count: annotations.length } };
}

function pullRoutes(call: Call, { options }: State): boolean {
  const { method, path, query, send, refuse } = call;
  const pulls = Object.entries(options.pulls ?? {}).map(([number, pull]) => pullBody(Number(number), pull));
  if (`${method} ${path}` === `GET ${REPOSITORY}/pulls`) {
    const head = query.get("head");
    send(
      200,
      pulls
        .filter(({ state }) => state === (query.get("state") ?? "open"))
        .filter(({ head: { label } }) => head === null || options.ignoresHead === true || label === head),
    );
    return true;
  }
  const [, labelled] = new RegExp(`^GET ${REPOSITORY}/issues/(\\d+)/labels$`).exec(`${method} ${path}`) ?? [];
  if (labelled !== undefined) {
    const { labels } = options.pulls?.[Number(labelled)] ?? {};
    if (options.labelsStatus === undefined)
      send(
        200,
        (labels ?? []).map((name) => ({ name })),
      );
    else refuse(options.labelsStatus, "Resource not accessible by integration");
    return true;
  }
  const [, commit] =
    new RegExp(`^GET ${REPOSITORY}/commits/([0-9a-f]+)/pulls$`).exec(`${method} ${path}`) ?? [];
  if (commit !== undefined) {
    const own = Object.entries(options.pulls ?? {}).filter(([, { commits = [] }]) =>
      commits.includes(commit),
    );
    if (options.labelsStatus === undefined)
      send(
        200,
        own.map(([number, pull]) => ({
          ...pullBody(Number(number), pull),
          merged_at: pull.merged ? "2026-05-01T00:00:00Z" : null,
          base: { ref: pull.base ?? options.branch ?? "main" },
          labels: (pull.labels ?? []).map((name) => ({ name })),
        })),
      );
    else refuse(options.labelsStatus, "Resource not accessible by integration");
    return true;
  }
  const [, from, to] =
    new RegExp(`^GET ${REPOSITORY}/compare/([0-9a-f]+)\\.\\.\\.([0-9a-f]+)$`).exec(`${method} ${path}`) ?? [];
  if (from !== undefined && to !== undefined) {
    const { commits = [] } = options;
    const [after, last] = [commits.indexOf(from), commits.indexOf(to)];
    const since = commits.slice(after + 1, last + 1);
    const [size, page] = [Number(query.get("per_page")), Number(query.get("page"))];
    if (after < 0 || last < 0) refuse(404, "Not Found");
    else
      send(200, {
        total_commits: since.length,
        commits: since.slice((page - 1) * size, page * size).map((sha) => ({ sha })),
      });
    return true;
  }
  const number = new RegExp(`^GET ${REPOSITORY}/pulls/(\\d+)$`).exec(`${method} ${path}`)?.[1];
  const pull = pulls.find((one) => String(one.number) === number);
  if (pull) send(200, pull);
  return pull !== undefined;
}

function pullBody(number: number, { sha, ref = "topic", repository, closed }: Pull) {
  const repo = repository === undefined ? null : { full_name: repository };
  const state = closed ? "closed" : "open";
  return { number, state, head: { sha, ref, repo, label: `${repository?.split("/")[0] ?? "octo"}:${ref}` } };
}

function commentRoutes(call: Call, { options, comments }: State): boolean {
  const { method, path, text, send, refuse } = call;
  const [, issue] = new RegExp(`^${REPOSITORY}/issues/(\\d+)/comments$`).exec(path) ?? [];
  const [, id] = new RegExp(`^${REPOSITORY}/issues/comments/(\\d+)$`).exec(path) ?? [];
  if (issue === undefined && id === undefined) return false;
  if (options.commentStatus !== undefined) {
    refuse(options.commentStatus, "Resource not accessible by integration");
    return true;
  }
  const comment = comments.find((one) => one.id === Number(id));
  if (issue !== undefined && method === "GET") {
    sendPage(call, comments.filter((one) => one.issue === Number(issue)).map(commentBody));
  } else if (issue !== undefined && method === "POST") {
    const body = bodyOfComment(text, refuse);
    if (body === undefined) return true;
    const made = {
      id: Math.max(0, ...comments.map((one) => one.id)) + 1,
      issue: Number(issue),
      body,
      login: BOT,
    };
    comments.push(made);
    send(201, commentBody(made));
  } else if (comment && method === "PATCH") {
    const body = bodyOfComment(text, refuse);
    if (body === undefined) return true;
    comment.body = body;
    send(200, commentBody(comment));
  } else if (comment && method === "DELETE") {
    comments.splice(comments.indexOf(comment), 1);
    send(204, undefined);
  } else return false;
  return true;
}

function bodyOfComment(text: string, refuse: Call["refuse"]): string | undefined {
  const { body } = JSON.parse(text) as { body?: unknown };
  if (typeof body === "string" && body !== "" && body.length <= COMMENT_CHARACTERS) return body;
  refuse(422, "body is too long (maximum is 65536 characters)");
  return undefined;
}

function commentBody({ id, body, login }: IssueComment) {
  return {
    id,
    body,
    user: { login },
    html_url: `https://github.com/octo/agents/pull/7#issuecomment-${String(id)}`,
  };
}

/** Numbers of the repository and of a fork. */
const [OWN, FORK] = [11, 12];

/** The repository, its artifacts, their runs and archives, which storage gives to requests without a token. */
function artifactRoutes(call: Call, { options }: State): boolean {
  const { method, path, query, origin, send, sendBytes } = call;
  if (method !== "GET") return false;
  const all = options.artifacts ?? [];
  const [, run] = new RegExp(`^${REPOSITORY}/actions/runs/(\\d+)$`).exec(path) ?? [];
  const [, id] = new RegExp(`^${REPOSITORY}/actions/artifacts/(\\d+)/zip$`).exec(path) ?? [];
  const [, stored] = /^\/storage\/(\d+)$/.exec(path) ?? [];
  const [, file] = new RegExp(`^${REPOSITORY}/actions/workflows/([^/]+)/runs$`).exec(path) ?? [];
  const ofRun = all.find((one) => String(one.run) === run);
  const [size, page] = [Number(query.get("per_page")), Number(query.get("page"))];
  const pageOf = <T>(rows: readonly T[]) => rows.slice((page - 1) * size, page * size);
  if (path === REPOSITORY) send(200, { id: OWN, default_branch: options.branch ?? "trunk" });
  else if (path === `${REPOSITORY}/actions/artifacts`) {
    const named = all.map(artifactBody).filter(({ name }) => name === query.get("name"));
    send(200, { total_count: options.artifactsTotal ?? named.length, artifacts: pageOf(named) });
  } else if (new RegExp(`^${REPOSITORY}/actions/runs/\\d+/attempts/\\d+/jobs$`).test(path) && options.jobs) {
    send(200, { total_count: options.jobs.length, jobs: options.jobs });
  } else if (file !== undefined) {
    const rows = all
      .filter(
        ({ workflow = "evals.yml", branch = "trunk" }) => workflow === file && branch === query.get("branch"),
      )
      .map(({ run: number, event = "push", fork }) => {
        return { id: number, event, head_repository: { id: fork ? FORK : OWN } };
      });
    send(200, { total_count: rows.length, workflow_runs: pageOf(rows) });
  } else if (ofRun) {
    const { event = "push", workflow = "evals.yml" } = ofRun;
    send(200, { id: ofRun.run, event, path: `.github/workflows/${workflow}@trunk` });
  } else if (id !== undefined && all[Number(id)]?.gone)
    send(all[Number(id)]?.gone ?? 410, { message: "Artifact has expired" });
  else if (id !== undefined) send(302, "", { location: `${origin}/storage/${id}` });
  else if (stored !== undefined) sendBytes(all[Number(stored)]?.archive ?? Buffer.alloc(0));
  else return false;
  return true;
}

function artifactBody(artifact: KeptArtifact, id: number) {
  const { run, name = "evals-baseline", expired = false, branch = "trunk", fork } = artifact;
  const workflow_run = { id: run, head_branch: branch, head_repository_id: fork ? FORK : OWN };
  return { id, name, expired, workflow_run };
}

/** A page of a list, with the link to the next as GitHub gives it. */
function sendPage({ query, origin, path, send }: Call, items: readonly unknown[]): void {
  const size = Math.min(100, Number(query.get("per_page") ?? 30));
  const page = Number(query.get("page") ?? 1);
  const more = items.length > page * size;
  const next = `<${origin}${path}?per_page=${String(size)}&page=${String(page + 1)}>; rel="next"`;
  send(200, items.slice((page - 1) * size, page * size), more ? { link: next } : {});
}
