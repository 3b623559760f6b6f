/** Publishers through GitHub's API, with the job's annotations if there is no check run. */
import type { GitHubApi } from "../../github/api.ts";
import type { RunContext } from "../../github/context.ts";
import { messageOf } from "../../text/errors.ts";
import type { Publisher } from "../publisher.ts";
import { useOf } from "../use.ts";
import { checkRunPublisher } from "./check-run.ts";
import { commentPublisher } from "./comment.ts";
import { jobAnnotationsPublisher } from "./job-annotations.ts";

/** The notice for a refused token: what to change. */
const REFUSED = {
  "check run":
    "the token may not write checks. Add `checks: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only, and a personal access token can never write checks.",
  comment:
    "the token may not write on the pull request. Add `pull-requests: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only.",
};

/** Annotations of a check run: more make the pull request's page slow. */
const ANNOTATIONS = 200;

export interface GitHubPublisherOptions {
  readonly annotations: "auto" | "check-run" | "job" | "off";
  readonly checkName: string;
  readonly comment: "off" | "failures" | "always";
  /** The values of the job's matrix, as JSON. */
  readonly matrix: string;
  readonly context: RunContext;
  /** The calls of GitHub's API, or why there are none. */
  readonly api: GitHubApi | { readonly missing: string };
  readonly notice: (message: string) => void;
  readonly warn: (message: string) => void;
}

/** Makes the publishers that the inputs ask for. */
export function githubPublishers(options: GitHubPublisherOptions): Publisher[] {
  const { annotations, checkName, comment, matrix, context, api, notice, warn } = options;
  const job = jobAnnotationsPublisher();
  if ("missing" in api) {
    if (annotations !== "job" || comment !== "off")
      notice(`Nothing is published through GitHub's API: ${api.missing}.`);
    return annotations === "auto" || annotations === "job" ? [job] : [];
  }
  const { attempt } = context;
  const use = useOf({ job: context.job, checkName, matrix });
  const most = annotations === "off" ? 0 : ANNOTATIONS;
  const checkRun = checkRunPublisher({ api: api.checkRuns, use, attempt, maxAnnotations: most, warn });
  const fallback = annotations === "auto" ? job : undefined;
  const onCheck =
    annotations === "job" ? job : withFailureReport(checkRun, "check run", { notice, warn, fallback });
  if (comment === "off") return [onCheck];
  const onPull = commentPublisher({ api: api.comments, when: comment, use, attempt, notice });
  return [onCheck, withFailureReport(onPull, "comment", { notice, warn })];
}

/**
 * Wraps a publisher to report its failure: a refusal as a notice that names the permission, anything else as a warning.
 * `fallback` then publishes in its place.
 */
function withFailureReport(
  publisher: Publisher,
  what: keyof typeof REFUSED,
  {
    notice,
    warn,
    fallback,
  }: Pick<GitHubPublisherOptions, "notice" | "warn"> & { readonly fallback?: Publisher | undefined },
): Publisher {
  return {
    name: publisher.name,
    publish: async (report, before) => {
      try {
        return await publisher.publish(report, before);
      } catch (error) {
        const { status, response } = error as { status?: number | undefined; response?: unknown };
        const reason = messageOf(error);
        const consequence = fallback ? ", so the annotations are written by the job" : "";
        // A 403 may also be a rate limit, or an address that is not allowed.
        if (status === 403 && /Resource not accessible|must have|must authenticate|permission/i.test(reason))
          notice(`No ${what}${consequence}: ${REFUSED[what]}`);
        else
          warn(
            `No ${what}${response === undefined ? "" : ` (HTTP ${String(status)})`}${consequence}: ${reason}`,
          );
        return fallback ? await fallback.publish(report, before) : {};
      }
    },
  };
}
