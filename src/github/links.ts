/** Links to GitHub's pages of the reported commit and run. */
import type { RunContext } from "./context.ts";

/** The reported commit and run, with their pages on GitHub. */
export interface Origin {
  /** The branch that was run; absent on pull requests. */
  readonly branch?: string | undefined;
  readonly commit?: { readonly sha: string; readonly url: string } | undefined;
  /** `number` counts the workflow's runs, as GitHub shows it. */
  readonly run?: { readonly number: string; readonly url: string } | undefined;
}

/** True for a commit id, SHA-1 or SHA-256. */
export function isSha(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{40,64}$/i.test(text);
}

/** Address of the checked-out commit's files; undefined outside GitHub. */
export function sourceUrl(context: RunContext): string | undefined {
  const { sourceSha } = context;
  const page = repositoryUrl(context);
  return page !== undefined && isSha(sourceSha) ? `${page}/blob/${sourceSha}` : undefined;
}

export function originOf(context: RunContext): Origin | undefined {
  const page = repositoryUrl(context);
  if (page === undefined) return undefined;
  const { sha, attempt, runNumber, branch } = context;
  const commit = isSha(sha) ? { sha, url: `${page}/commit/${sha}` } : undefined;
  const url = `${page}/actions/runs/${String(attempt.run)}/attempts/${String(attempt.attempt)}`;
  return {
    branch,
    commit,
    run: attempt.run > 0 ? { number: runNumber ?? String(attempt.run), url } : undefined,
  };
}

function repositoryUrl({ repository, serverUrl }: RunContext): string | undefined {
  return repository && `${serverUrl}/${repository.owner}/${repository.repo}`;
}
