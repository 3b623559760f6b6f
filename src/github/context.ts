/**
 * Where the action runs: the event, its commit and pull request, who may have written its code, and links to GitHub's
 * pages.
 */
import type { context } from "@actions/github";
import { readFileSync } from "node:fs";
import { docsAddress, messageOf } from "../text/format.ts";
import { Json } from "../text/json.ts";

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
  const event = new Json(given.payload);
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

/** Undefined when the context names none: its getter throws then. */
function namedRepository(given: EventContext): Repository | undefined {
  try {
    return given.repo?.owner && given.repo.repo ? given.repo : undefined;
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

function pullOf(name: string, event: Json): PullReference | undefined {
  if (name.startsWith("pull_request")) return pullOfNumber(event.number("pull_request", "number"));
  if (name === "issue_comment")
    return event.at("issue", "pull_request").value
      ? pullOfNumber(event.number("issue", "number"))
      : undefined;
  if (name === "merge_group")
    return pullOfNumber(Number(QUEUE_REF.exec(event.text("merge_group", "head_ref") ?? "")?.[1]));
  const run = event.at("workflow_run");
  if (name !== "workflow_run" || !run.text("event")?.startsWith("pull_request")) return undefined;
  const [headSha, headBranch] = [run.text("head_sha"), run.text("head_branch")];
  const headRepository = run.text("head_repository", "full_name");
  return headSha && headBranch && headRepository ? { headRepository, headBranch, headSha } : undefined;
}

function pullOfNumber(number: number | undefined): PullReference | undefined {
  return Number.isSafeInteger(number) && Number(number) > 0 ? { number: Number(number) } : undefined;
}

/** The commit a reader looks at, where GITHUB_SHA is a merge commit or the default branch, and what it is based on. */
function commitsOf(name: string, event: Json) {
  const pull = event.at("pull_request");
  if (name.startsWith("pull_request"))
    return {
      sha: pull.text("head", "sha"),
      base: pull.text("base", "ref"),
      baseSha: pull.text("base", "sha"),
    };
  if (name === "workflow_run") return { sha: event.text("workflow_run", "head_sha") };
  if (name !== "merge_group") return {};
  const group = event.at("merge_group");
  const base = group.text("base_ref")?.replace(/^refs\/heads\//, "");
  return { sha: group.text("head_sha"), base, baseSha: group.text("base_sha") };
}

const DEPENDABOT = "dependabot[bot]";

/**
 * The events on which Dependabot's runs have its own secrets alone
 * (https://docs.github.com/en/code-security/dependabot/working-with-dependabot/troubleshooting-dependabot-on-github-actions).
 */
const LIKE_A_FORK = /^(?:pull_request(?:_review(?:_comment)?)?|push|create|deployment(?:_status)?)$/;

/** Pull requests of forks run without secrets (but for pull_request_target), and what Dependabot starts. */
function secretless(name: string, event: Json, actor: string | undefined): "fork" | "dependabot" | undefined {
  if (!LIKE_A_FORK.test(name)) return undefined;
  if ([actor, event.text("pull_request", "user", "login")].includes(DEPENDABOT)) return "dependabot";
  return event.isObject("pull_request") && isPullOfFork(event) ? "fork" : undefined;
}

/** True also when the event does not name the head repository: a fork may be deleted. */
function isPullOfFork(event: Json): boolean {
  const [from, to] = ["head", "base"].map((end) => event.text("pull_request", end, "repo", "full_name"));
  return !from || from !== to;
}

function agentAttemptOf({ eventName, runAttempt }: EventContext, event: Json): number | undefined {
  const started = eventName === "workflow_run" ? event.number("workflow_run", "run_attempt") : undefined;
  return (started ?? Number(runAttempt)) || undefined;
}

/** Events that run the code of the branch in GITHUB_REF, of this repository: no pull request is behind them. */
export const ON_A_BRANCH: ReadonlySet<string> = new Set(["push", "schedule", "workflow_dispatch"]);

function branchOf({ eventName: name = "", ref = "" }: EventContext, event: Json): string | undefined {
  const run = event.at("workflow_run");
  if (name === "workflow_run")
    return (ON_A_BRANCH.has(run.text("event") ?? "") && run.text("head_branch")) || undefined;
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
  event: Json,
  { actor, repository }: { readonly actor: string | undefined; readonly repository: Repository | undefined },
): boolean {
  const authors = [event.text("pull_request", "user", "login"), event.text("workflow_run", "actor", "login")];
  if ([actor, ...authors].includes(DEPENDABOT)) return true;
  if (name.startsWith("pull_request")) return isPullOfFork(event);
  if (name !== "workflow_run") return name !== "" && !BY_WRITERS.has(name);
  const from = event.text("workflow_run", "head_repository", "full_name");
  return repository === undefined || from !== `${repository.owner}/${repository.repo}`;
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
