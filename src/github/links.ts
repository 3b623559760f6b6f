/** Links to GitHub's pages of the commit and the run that are reported on. */
import type { RunContext } from "./context.ts";

/** What a report is of, with the addresses of its pages on GitHub. */
export interface Origin {
  readonly commit?: { readonly sha: string; readonly url: string } | undefined;
  /** `number` counts the workflow's runs, as GitHub shows it. */
  readonly run?: { readonly number: string; readonly url: string } | undefined;
}

const COMMIT = /^[0-9a-f]{40,64}$/i;

/** Where the files of the checked-out commit are shown; undefined outside GitHub. */
export function sourceUrl(context: RunContext): string | undefined {
  const { sourceSha } = context;
  const page = repositoryUrl(context);
  return page === undefined || sourceSha === undefined || !COMMIT.test(sourceSha)
    ? undefined
    : `${page}/blob/${sourceSha}`;
}

/** The commit and the run that are reported on, with their pages. */
export function originOf(context: RunContext): Origin | undefined {
  const page = repositoryUrl(context);
  if (page === undefined) return undefined;
  const { sha, attempt, runNumber } = context;
  const commit = sha === undefined || !COMMIT.test(sha) ? undefined : { sha, url: `${page}/commit/${sha}` };
  const url = `${page}/actions/runs/${String(attempt.run)}/attempts/${String(attempt.attempt)}`;
  return { commit, run: attempt.run > 0 ? { number: runNumber ?? String(attempt.run), url } : undefined };
}

function repositoryUrl({ repository, serverUrl }: RunContext): string | undefined {
  return repository && `${serverUrl}/${repository.owner}/${repository.repo}`;
}
