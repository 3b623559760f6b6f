/** What is published through GitHub's API, with the job's own annotations where a check run cannot be had. */
import type { GitHubApi } from "../../github/api.ts";
import type { RunContext } from "../../github/context.ts";
import { messageOf } from "../../text/errors.ts";
import { withFallback } from "../sink.ts";
import type { Sink } from "../sink.ts";
import { useOf } from "../use.ts";
import { checkRunSink } from "./check-run.ts";
import { commentSink } from "./comment.ts";
import { jobAnnotationsSink } from "./job-annotations.ts";

/** What a refused token is told, once. */
const REFUSED = {
  "check run":
    "the token may not write checks. Add `checks: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only, and a personal access token may never.",
  comment:
    "the token may not write on the pull request. Add `pull-requests: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only.",
};

const NOTHING: Sink = { name: "nothing", publish: () => Promise.resolve({}) };

export interface GitHubSinkOptions {
  readonly annotations: "auto" | "check-run" | "job" | "off";
  readonly checkName: string;
  readonly comment: "off" | "failures" | "always";
  /** The leg of the job's matrix as JSON. */
  readonly matrix: string;
  readonly maxAnnotations: number;
  readonly context: RunContext;
  /** The calls of GitHub's API, or why there are none. */
  readonly api: GitHubApi | { readonly missing: string };
  readonly notice: (message: string) => void;
  readonly warn: (message: string) => void;
}

/** Makes the sinks that the inputs ask for. */
export function githubSinks(options: GitHubSinkOptions): Sink[] {
  const { annotations, checkName, comment, matrix, maxAnnotations, context, api, notice, warn } = options;
  const job = jobAnnotationsSink();
  if ("missing" in api) {
    if (annotations !== "job" || comment !== "off")
      notice(`Nothing is published through GitHub's API: ${api.missing}.`);
    return annotations === "auto" || annotations === "job" ? [job] : [];
  }
  const { attempt } = context;
  const use = useOf({ job: context.job, checkName, matrix });
  const most = annotations === "off" ? 0 : maxAnnotations;
  const checkRun = checkRunSink({ api: api.checkRuns, use, attempt, maxAnnotations: most, warn });
  const isAuto = annotations === "auto";
  const refused = (what: keyof typeof REFUSED, instead: string) => (error: unknown) => {
    explainRefusal({ what, instead }, error, { notice, warn });
  };
  const onCheck = withFallback(
    checkRun,
    isAuto ? job : NOTHING,
    refused("check run", isAuto ? ", so the annotations are the job's" : ""),
  );
  const when = comment === "always" ? "always" : "failures";
  const onPull = commentSink({ api: api.comments, when, use, attempt, notice });
  return [
    annotations === "job" ? job : onCheck,
    ...(comment === "off" ? [] : [withFallback(onPull, NOTHING, refused("comment", ""))]),
  ];
}

/** A refusal is one notice that names the permission; anything else is a warning. */
function explainRefusal(
  { what, instead }: { readonly what: keyof typeof REFUSED; readonly instead: string },
  error: unknown,
  { notice, warn }: Pick<GitHubSinkOptions, "notice" | "warn">,
): void {
  const { status, response } = error as { status?: number | undefined; response?: unknown };
  const reason = messageOf(error);
  // A 403 may also be a rate limit, or an address that is not allowed.
  if (status === 403 && /Resource not accessible|must have|permission/i.test(reason)) {
    notice(`No ${what}${instead}: ${REFUSED[what]}`);
    return;
  }
  warn(`No ${what}${response === undefined ? "" : ` (HTTP ${String(status)})`}${instead}: ${reason}`);
}
