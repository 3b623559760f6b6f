/** Where we run: the commit to report on, who opened the pull request, and GitHub's API. */
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";

type Environment = Readonly<Record<string, string | undefined>>;

function optional<T extends z.core.SomeType>(schema: T) {
  return z.catch(z.optional(z.nullable(schema)), undefined);
}

const head = z.object({
  sha: optional(z.string()),
  repo: optional(z.object({ full_name: optional(z.string()) })),
});
const eventSchema = z.object({
  pull_request: optional(
    z.object({
      number: optional(z.number()),
      head: optional(head),
      base: optional(head),
      user: optional(z.object({ login: optional(z.string()) })),
    }),
  ),
  workflow_run: optional(z.object({ head_sha: optional(z.string()) })),
  merge_group: optional(z.object({ head_sha: optional(z.string()) })),
  issue: optional(z.object({ number: optional(z.number()), pull_request: optional(z.unknown()) })),
});
type Event = z.infer<typeof eventSchema>;

export interface RunContext {
  /** Absent outside GitHub. */
  readonly repository?: { readonly owner: string; readonly repo: string };
  readonly sha?: string;
  /** A pull request whose head has to be asked for: a comment's event does not carry it. */
  readonly pullToLookUp?: number;
  /** Why this event gets no secrets; absent when it does. */
  readonly withoutSecrets?: "fork" | "dependabot";
  readonly serverUrl: string;
  readonly apiUrl: string;
  /** A page of this action's own documents, at the version in use. */
  readonly docs: (page: string) => string;
}

/** Reads the run context from the environment and the event's payload; an unknown event reports on GITHUB_SHA. */
export async function readContext(env: Environment): Promise<RunContext> {
  const event = await readEvent(env.GITHUB_EVENT_PATH);
  const name = env.GITHUB_EVENT_NAME ?? "";
  const [owner, repo] = (env.GITHUB_REPOSITORY ?? "").split("/");
  const serverUrl = env.GITHUB_SERVER_URL || "https://github.com";
  const sha = headSha(name, event) ?? (env.GITHUB_SHA || undefined);
  const pull = name === "issue_comment" && event.issue?.pull_request ? event.issue.number : undefined;
  const withoutSecrets = secretless(name, event, env.GITHUB_ACTOR);
  return {
    serverUrl,
    apiUrl: env.GITHUB_API_URL || "https://api.github.com",
    docs: (page) =>
      `${serverUrl}/${env.GITHUB_ACTION_REPOSITORY || "org/waza-grade"}/blob/${env.GITHUB_ACTION_REF || "main"}/docs/${page}`,
    ...(owner && repo ? { repository: { owner, repo } } : {}),
    ...(sha === undefined ? {} : { sha }),
    ...(typeof pull === "number" ? { pullToLookUp: pull } : {}),
    ...(withoutSecrets === undefined ? {} : { withoutSecrets }),
  };
}

async function readEvent(path: string | undefined): Promise<Event> {
  try {
    return z.parse(eventSchema, JSON.parse(await readFile(path ?? "", "utf8")));
  } catch {
    return {};
  }
}

/** The commit a reader looks at; GITHUB_SHA is a merge commit, or the default branch, on these events. */
function headSha(name: string, event: Event): string | undefined {
  if (name.startsWith("pull_request")) return event.pull_request?.head?.sha ?? undefined;
  if (name === "workflow_run") return event.workflow_run?.head_sha ?? undefined;
  if (name === "merge_group") return event.merge_group?.head_sha ?? undefined;
  return undefined;
}

/** Pull requests of forks and of Dependabot run without secrets (but for pull_request_target). */
function secretless(name: string, event: Event, actor: string | undefined): RunContext["withoutSecrets"] {
  const pull = event.pull_request;
  if (!pull || name === "pull_request_target") return undefined;
  if (actor === "dependabot[bot]" || pull.user?.login === "dependabot[bot]") return "dependabot";
  const from = pull.head?.repo?.full_name;
  return from !== undefined && from === pull.base?.repo?.full_name ? undefined : "fork";
}

/** The two calls of the Checks API we make, bound to a commit (https://docs.github.com/en/rest/checks/runs). */
export interface CheckRunsApi {
  /** Creates a check run; `url` is its page. */
  create: (body: Readonly<Record<string, unknown>>) => Promise<{ id: number; url?: string }>;
  /** Changes one; its annotations are added to those there are. */
  update: (id: number, body: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** GitHub answers within seconds, or not at all. */
const API_TIMEOUT_MS = 30_000;

/** Makes the Checks API of the commit the context names; octokit is loaded on the first call. */
export function checkRunsApi(context: RunContext, token: string): CheckRunsApi {
  const { repository, apiUrl, pullToLookUp } = context;
  const client = async () => {
    const { getOctokit } = await import("@actions/github");
    const timed: typeof fetch = (url, init) =>
      fetch(url, { ...init, signal: AbortSignal.timeout(API_TIMEOUT_MS) });
    return getOctokit(token, { baseUrl: apiUrl, request: { fetch: timed } });
  };
  const sha = async () => {
    if (pullToLookUp === undefined) return context.sha;
    const octokit = await client();
    const { data } = await octokit.rest.pulls.get({ ...where(), pull_number: pullToLookUp });
    return data.head.sha;
  };
  const where = () => {
    if (!repository) throw new Error("GITHUB_REPOSITORY is not set");
    return repository;
  };
  return {
    create: async (body) => {
      const octokit = await client();
      const request = { ...where(), head_sha: (await sha()) ?? "", ...body };
      const { data } = await octokit.request("POST /repos/{owner}/{repo}/check-runs", request as never);
      return { id: Number(data.id), ...(data.html_url ? { url: data.html_url } : {}) };
    },
    update: async (id, body) => {
      const octokit = await client();
      await octokit.request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", {
        ...where(),
        check_run_id: id,
        ...body,
      });
    },
  };
}
