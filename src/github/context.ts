/**
 * Where the action runs: the event, its commit and pull request, who may have written its code, and links to GitHub's
 * pages.
 */
import type { context } from "@actions/github";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { docsAddress, messageOf } from "../text/format.ts";
import { lenient } from "../text/optional.ts";

/** The context of @actions/github; outside GitHub most of it is absent. */
type EventContext = Readonly<Partial<typeof context>>;

/**
 * Loads the context of @actions/github. Its import reads the event's file and the proxy variables, and throws if they
 * are invalid: `warn` then gets the reason. Without an event, the report goes to GITHUB_SHA.
 */
export async function loadContext(
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void,
): Promise<EventContext> {
  const path = env.GITHUB_EVENT_PATH;
  try {
    if (path) JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const wrong = `The event of GITHUB_EVENT_PATH, ${String(path)}, cannot be read (${messageOf(error)})`;
    warn(`${wrong}: the report goes to the commit GITHUB_SHA, without a pull request.`);
    delete env.GITHUB_EVENT_PATH;
  }
  try {
    return (await import("@actions/github")).context;
  } catch (error) {
    warn(`The GitHub client cannot be created (${messageOf(error)}): check HTTPS_PROXY and HTTP_PROXY.`);
    const [owner = "", repo = ""] = (env.GITHUB_REPOSITORY ?? "").split("/");
    return { payload: {}, sha: env.GITHUB_SHA ?? "", repo: { owner, repo } };
  }
}

/** Events that run the base's workflow and check out the base: GITHUB_SHA. */
const ON_THE_BASE = new Set(["pull_request_target", "workflow_run", "issue_comment"]);

/** A repository as the API names it. */
export interface Repository {
  readonly owner: string;
  readonly repo: string;
}

/**
 * The pull request of an event: its number, or the commit to look it up by. The number in a workflow_run cannot be
 * trusted for a fork's pull request; the origin of its commit can.
 */
export type PullReference =
  | { readonly number: number }
  | { readonly headRepository: string; readonly headBranch: string; readonly headSha: string };

/** The context of a run. */
export type RunContext = Readonly<ReturnType<typeof readContext>>;

/** Builds the context of this run; for an unknown event the report goes to GITHUB_SHA. */
export function readContext(given: EventContext, env: NodeJS.ProcessEnv) {
  const event = readEvent(given.payload);
  const name = given.eventName ?? "";
  const repository = namedRepository(given);
  const pull = pullOf(name, event);
  const commits = commitsOf(name, event);
  const sha = name === "issue_comment" && pull ? undefined : commits.sha || given.sha || undefined;
  const isOnBase = ON_THE_BASE.has(name);
  const workflowFile = workflowFileOf(env.GITHUB_WORKFLOW_REF);
  return {
    serverUrl: given.serverUrl || "https://github.com",
    apiUrl: given.apiUrl || "https://api.github.com",
    /** Address of this action's docs, at the version in use. */
    docs: docsAddress(env),
    /** Identifies this use of the action on a pull request, together with `checkName`. Two files may have one name; the path of each is its own. */
    job: { workflow: workflowFile ?? given.workflow ?? "", job: given.job ?? "" },
    /** The file of the workflow, below `.github/workflows`; undefined outside GitHub. */
    workflowFile,
    /** The run of the workflow and its attempt; later ones have greater numbers. */
    attempt: { run: Number(given.runId) || 0, attempt: Number(given.runAttempt) || 0 },
    /** Attempt of the workflow run that ran the agent: in a workflow_run event the run that triggered it, else this one. Undefined outside GitHub. */
    agentAttempt: agentAttemptOf(given, event),
    /** The run's number as GitHub shows it; undefined outside GitHub. */
    runNumber: env.GITHUB_RUN_NUMBER || undefined,
    repository,
    /** The commit to report on; undefined on a comment's event, which does not name it. */
    sha,
    pull,
    /** The branch that was run; undefined on pull requests. */
    branch: branchOf(given, event),
    /** A tag was run. */
    isTag: ON_A_BRANCH.has(name) && given.ref?.startsWith("refs/tags/") === true,
    /** The pull request's base branch. */
    base: commits.base || undefined,
    /** The base branch's commit at the time of the event. */
    baseSha: commits.baseSha,
    /** The commit that actions/checkout takes without `ref`, for links to the graders in use. */
    sourceSha: (isOnBase ? given.sha : sha) || undefined,
    /** Why this event gets no secrets; undefined when it does. */
    withoutSecrets: secretless(name, event, given.actor),
    /** The event runs the base's workflow, not that of the code that it is about. */
    isOnBase,
    /** The event's code, and so its jobs' files, may come from somebody without write access. */
    untrusted: isUntrusted(name, event, { actor: given.actor, repository }),
  };
}

/** Of `owner/repo/.github/workflows/evals.yml@refs/heads/main`; of a called workflow it is the caller's. */
function workflowFileOf(ref = ""): string | undefined {
  return /\/\.github\/workflows\/([^/@]+)@/.exec(ref)?.[1];
}

const head = z.object({
  sha: lenient(z.string()),
  ref: lenient(z.string()),
  repo: lenient(z.object({ full_name: lenient(z.string()) })),
});

const eventSchema = z.object({
  pull_request: lenient(
    z.object({
      number: lenient(z.number()),
      head: lenient(head),
      base: lenient(head),
      user: lenient(z.object({ login: lenient(z.string()) })),
    }),
  ),
  workflow_run: lenient(
    z.object({
      head_sha: lenient(z.string()),
      head_branch: lenient(z.string()),
      head_repository: lenient(z.object({ full_name: lenient(z.string()) })),
      event: lenient(z.string()),
      run_attempt: lenient(z.number()),
      actor: lenient(z.object({ login: lenient(z.string()) })),
    }),
  ),
  merge_group: lenient(
    z.object({
      head_sha: lenient(z.string()),
      head_ref: lenient(z.string()),
      base_ref: lenient(z.string()),
      base_sha: lenient(z.string()),
    }),
  ),
  issue: lenient(z.object({ number: lenient(z.number()), pull_request: lenient(z.unknown()) })),
});

/** An event; fields of undocumented types are absent. */
type Event = z.infer<typeof eventSchema>;

/** Never throws: a payload that is no event is an empty one. */
function readEvent(payload: unknown): Event {
  return z.safeParse(eventSchema, payload).data ?? {};
}

/** Undefined when the context names none: its getter throws then. */
function namedRepository(of: EventContext): Repository | undefined {
  try {
    return of.repo?.owner && of.repo.repo ? of.repo : undefined;
  } catch {
    return undefined;
  }
}

/** The repository to ask of; throws where the environment names none. */
export function repositoryOf({ repository }: Pick<RunContext, "repository">): Repository {
  if (!repository) throw new Error("GITHUB_REPOSITORY is not set");
  return repository;
}

/** The merge queue's branch of a group: `gh-readonly-queue/<base>/pr-<number>-<sha>`. */
const QUEUE_REF = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]{40}$/;

function pullOf(name: string, event: Event): PullReference | undefined {
  if (name.startsWith("pull_request")) return pullOfNumber(event.pull_request?.number);
  if (name === "issue_comment")
    return event.issue?.pull_request ? pullOfNumber(event.issue.number) : undefined;
  if (name === "merge_group")
    return pullOfNumber(Number(QUEUE_REF.exec(event.merge_group?.head_ref ?? "")?.[1]));
  const { head_sha, head_branch, head_repository, event: cause } = event.workflow_run ?? {};
  const repository = head_repository?.full_name;
  if (name !== "workflow_run" || !cause?.startsWith("pull_request")) return undefined;
  return head_sha && head_branch && repository
    ? { headRepository: repository, headBranch: head_branch, headSha: head_sha }
    : undefined;
}

function pullOfNumber(number: number | undefined): PullReference | undefined {
  return Number.isSafeInteger(number) && Number(number) > 0 ? { number: Number(number) } : undefined;
}

/** The commit a reader looks at, where GITHUB_SHA is a merge commit or the default branch, and what it is based on. */
function commitsOf(name: string, event: Event) {
  const { pull_request: pull, workflow_run: run, merge_group: group } = event;
  if (name.startsWith("pull_request"))
    return { sha: pull?.head?.sha, base: pull?.base?.ref, baseSha: pull?.base?.sha };
  if (name === "workflow_run") return { sha: run?.head_sha };
  if (name !== "merge_group") return {};
  const base = group?.base_ref?.replace(/^refs\/heads\//, "");
  return { sha: group?.head_sha, base, baseSha: group?.base_sha };
}

const DEPENDABOT = "dependabot[bot]";

/**
 * The events on which Dependabot's runs have its own secrets alone
 * (https://docs.github.com/en/code-security/dependabot/working-with-dependabot/troubleshooting-dependabot-on-github-actions).
 */
const LIKE_A_FORK = /^(?:pull_request(?:_review(?:_comment)?)?|push|create|deployment(?:_status)?)$/;

/** Pull requests of forks run without secrets (but for pull_request_target), and what Dependabot starts. */
function secretless(
  name: string,
  event: Event,
  actor: string | undefined,
): "fork" | "dependabot" | undefined {
  const { pull_request: pull } = event;
  if (!LIKE_A_FORK.test(name)) return undefined;
  if ([actor, pull?.user?.login].includes(DEPENDABOT)) return "dependabot";
  return pull && isPullOfFork(event) ? "fork" : undefined;
}

/** True also when the event does not name the head repository: a fork may be deleted. */
function isPullOfFork({ pull_request: pull }: Event): boolean {
  const [from, to] = [pull?.head?.repo?.full_name, pull?.base?.repo?.full_name];
  return !from || from !== to;
}

function agentAttemptOf(of: EventContext, event: Event): number | undefined {
  const ofRun = of.eventName === "workflow_run" ? event.workflow_run?.run_attempt : undefined;
  return (ofRun ?? Number(of.runAttempt)) || undefined;
}

/** Events that run the code of the branch in GITHUB_REF, of this repository: no pull request is behind them. */
export const ON_A_BRANCH: ReadonlySet<string> = new Set(["push", "schedule", "workflow_dispatch"]);

function branchOf({ eventName: name = "", ref = "" }: EventContext, event: Event): string | undefined {
  const { event: cause = "", head_branch: branch } = event.workflow_run ?? {};
  if (name === "workflow_run") return (ON_A_BRANCH.has(cause) && branch) || undefined;
  return ON_A_BRANCH.has(name) ? /^refs\/heads\/(.+)$/s.exec(ref)?.[1] : undefined;
}

/** Events that only people with write access, or GitHub itself, can trigger. */
const BY_WRITERS = new Set([
  ...["push", "schedule", "workflow_dispatch", "repository_dispatch", "merge_group"],
  ...["release", "create", "delete", "deployment"],
]);

/**
 * True unless the event shows the contrary: a comment does not name the author of the commit it asks to run, and
 * Dependabot brings in third-party code. Outside GitHub there is no event, and people choose what they run.
 */
function isUntrusted(
  name: string,
  event: Event,
  { actor, repository }: { readonly actor: string | undefined; readonly repository: Repository | undefined },
): boolean {
  const { pull_request: pull, workflow_run: cause } = event;
  if ([actor, pull?.user?.login, cause?.actor?.login].includes(DEPENDABOT)) return true;
  if (name.startsWith("pull_request")) return isPullOfFork(event);
  if (name === "workflow_run") return !isOwn(cause?.head_repository?.full_name, repository);
  return name !== "" && !BY_WRITERS.has(name);
}

function isOwn(from: string | undefined, own: Repository | undefined): boolean {
  return own !== undefined && from === `${own.owner}/${own.repo}`;
}

/** Address of the checked-out commit's files; undefined outside GitHub. */
export function sourceUrl(context: RunContext): string | undefined {
  const { sourceSha } = context;
  const page = repositoryUrl(context);
  return page !== undefined && isSha(sourceSha) ? `${page}/blob/${sourceSha}` : undefined;
}

function repositoryUrl({ repository, serverUrl }: RunContext): string | undefined {
  return repository && `${serverUrl}/${repository.owner}/${repository.repo}`;
}

/** True for a commit id, SHA-1 or SHA-256. */
export function isSha(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{40,64}$/i.test(text);
}

/** The reported commit and run, with their pages on GitHub, as far as they are known. */
export type Origin = Partial<NonNullable<ReturnType<typeof originOf>>>;

export function originOf(context: RunContext) {
  const page = repositoryUrl(context);
  if (page === undefined) return undefined;
  const { sha, attempt, runNumber, branch } = context;
  const { run: id, attempt: number } = attempt;
  return {
    /** The branch that was run; undefined on pull requests. */
    branch,
    commit: isSha(sha) ? { sha, url: `${page}/commit/${sha}` } : undefined,
    run:
      id > 0
        ? {
            /** Counts the workflow's runs, as GitHub shows it. */
            number: runNumber ?? String(id),
            url: `${page}/actions/runs/${String(id)}/attempts/${String(number)}`,
            /** As `gh run download` takes it, and its repository with the host. */
            id,
            repository: page.replace(/^https?:\/\//, ""),
          }
        : undefined,
  };
}
