/**
 * Publishers through GitHub's API: the check run with annotations on the graders' own lines, one comment on the pull
 * request, and the job's annotations if there is no check run.
 */
import * as core from "@actions/core";
import type { SourceSpan } from "../../domain/problem.ts";
import type { Policy } from "../../domain/grade.ts";
import type { CheckRunsApi, Comment, CommentsApi, GitHubApi } from "../../github/api.ts";
import type { RunContext } from "../../github/context.ts";
import { withoutVerdictOf } from "../../decide/scores-text.ts";
import { type Annotation, buildAnnotations } from "../annotations.ts";
import { type Published, type Publisher, type Report, type Use, useOf } from "../report.ts";
import { oneLineText, withoutCommands } from "../../safety/sanitize.ts";
import { titleOf } from "../sections/title-and-footer.ts";
import { renderSummary } from "../summary.ts";
import { count, messageOf, outOf, shorten, withLocation } from "../../text/format.ts";

/** Annotations of a check run: more make the pull request's page slow. */
const MOST_ANNOTATIONS = 200;
/** Maximum characters of a title that GitHub shows. */
const CHECK_TITLE_CHARACTERS = 255;
/** https://docs.github.com/en/rest/checks/runs: `output.summary`, in bytes. */
const CHECK_SUMMARY_BYTES = 65_535;
/** https://docs.github.com/en/rest/checks/runs: annotations of one request; more by PATCH, which appends. */
const ANNOTATIONS_PER_REQUEST = 50;
/** GitHub: "body is too long (maximum is 65536 characters)" of a comment. */
const COMMENT_CHARACTERS = 65_536;
/** Annotations of each level by workflow commands: of the ten of a step one is for its last line and its notices. */
const MOST_PER_LEVEL = 9;
/** Characters of one workflow command's message that are shown. */
const JOB_ANNOTATION_CHARACTERS = 4_096;

interface GitHubPublisherOptions {
  readonly annotations: "auto" | "check-run" | "job" | "off";
  readonly checkName: string;
  readonly comment: "off" | "failures" | "always";
  /** The values of the job's matrix, as JSON. */
  readonly matrix: string;
  readonly policy: Pick<Policy, "secondLook">;
  readonly context: RunContext;
  /** The calls of GitHub's API, or why there are none. */
  readonly api: GitHubApi | { readonly missing: string };
  readonly notice: (message: string) => void;
  readonly warn: (message: string) => void;
}

/** Makes the publishers that the inputs ask for. */
export function githubPublishers(options: GitHubPublisherOptions): Publisher[] {
  const { annotations, checkName, comment, matrix, policy, context, api, notice, warn } = options;
  const job = jobAnnotationsPublisher();
  if ("missing" in api) {
    if (annotations !== "job" || comment !== "off")
      notice(`Nothing is published through GitHub's API: ${api.missing}.`);
    return annotations === "auto" || annotations === "job" ? [job] : [];
  }
  const { attempt } = context;
  // The job that looks first and the one that decides are one check run and one comment.
  const place = !policy.secondLook ? context.job : { ...context.job, job: "" };
  const use = useOf({ job: place, checkName, matrix });
  const most = annotations === "off" ? 0 : MOST_ANNOTATIONS;
  const checkRun = checkRunPublisher({ api: api.checkRuns, use, attempt, maxAnnotations: most, warn });
  const fallback = annotations === "auto" ? job : undefined;
  const onCheck =
    annotations === "job" ? job : withFailureReport(checkRun, "check run", { notice, warn, fallback });
  const publishers = [onCheck];
  if (comment !== "off") {
    const onPull = commentPublisher({ api: api.comments, when: comment, use, attempt, notice });
    publishers.push(withFailureReport(onPull, "comment", { notice, warn }));
  }
  return publishers.map((publisher) => ({ ...publisher, onlyVerdicts: true }));
}

const COMMANDS = { failure: core.error, warning: core.warning, notice: core.notice };

/** Writes the first annotations of each level, within the limit of one step; the last one counts the rest. */
function jobAnnotationsPublisher(): Publisher {
  return {
    name: "job annotations",
    publish: (report) => {
      const all = buildAnnotations(report);
      for (const level of ["failure", "warning", "notice"] as const) {
        const ofLevel = all.filter((annotation) => annotation.level === level);
        const fits = ofLevel.length <= MOST_PER_LEVEL ? ofLevel : ofLevel.slice(0, MOST_PER_LEVEL - 1);
        for (const annotation of fits) write(annotation);
        const rest = ofLevel.length - fits.length;
        if (rest > 0) COMMANDS[level](`${count(rest, "more annotation")} of this level.`);
      }
      return Promise.resolve({});
    },
  };
}

function write({ at, level, title, message }: Annotation): void {
  const location = at ? { file: at.path, startLine: at.startLine, endLine: at.endLine } : {};
  const text = shorten(withLocation(message, at), JOB_ANNOTATION_CHARACTERS);
  COMMANDS[level](withoutCommands(text), { ...location, title: withoutCommands(title) });
}

/**
 * Creates the check run with up to 50 annotations and appends the rest by PATCH, 50 at a time (GitHub's limit).
 * Throws if it cannot be created; the failure of a PATCH is passed to `warn`.
 */
export function checkRunPublisher(options: {
  readonly api: CheckRunsApi;
  readonly use: Use;
  readonly attempt: RunContext["attempt"];
  /** Maximum annotations. */
  readonly maxAnnotations: number;
  readonly warn: (message: string) => void;
}): Publisher {
  return {
    name: "check run",
    publish: async (report: Report): Promise<Published> => {
      const { api, use, attempt, maxAnnotations, warn } = options;
      const { check } = report.conclusion;
      const annotations = maxAnnotations === 0 ? [] : buildAnnotations(report, maxAnnotations).map(toBody);
      const output = {
        title: oneLineText(titleOf(report), CHECK_TITLE_CHARACTERS),
        summary: renderSummary(report, CHECK_SUMMARY_BYTES, { medium: "check" }),
      };
      const first = annotations.slice(0, ANNOTATIONS_PER_REQUEST);
      const created = await api.create({
        name: use.name,
        external_id: `${use.key}.${String(attempt.run)}.${String(attempt.attempt)}`,
        status: "completed",
        conclusion: check,
        completed_at: new Date().toISOString(),
        output: { ...output, annotations: first },
      });
      for (let added = first.length; added < annotations.length; added += ANNOTATIONS_PER_REQUEST) {
        const batch = annotations.slice(added, added + ANNOTATIONS_PER_REQUEST);
        try {
          await api.append(created.id, { output: { ...output, annotations: batch } }, added + batch.length);
        } catch (error) {
          const missing = outOf(annotations.length - added, annotations.length, "annotation");
          warn(`${missing} could not be added to the check run (${messageOf(error)}).`);
          break;
        }
      }
      // Another workflow's of the same name would stand in its place; where GitHub does not say, nothing is said.
      const others = await api.named(use.name).catch(() => []);
      if (others.some((id) => isOfGrading(id) && !id.startsWith(`${use.key}.`))) warn(TWO_CHECKS(use.name));
      return { checkRunUrl: created.url };
    },
  };
}

/** Whether an `external_id` is one of ours: the key of a use, the run and its attempt. */
function isOfGrading(id: string): boolean {
  return /^[0-9a-f]+\.\d+\.\d+$/.test(id);
}

const TWO_CHECKS = (name: string) =>
  `Another workflow, job or matrix makes a check run \`${name}\` on this commit, too: give one of them another \`check-name\`.`;

/** GitHub wants a path of the repository: what belongs to none is put where workflows live. */
const NOWHERE: SourceSpan = { path: ".github", startLine: 1, endLine: 1, inRepository: false };

function toBody(annotation: Annotation): Record<string, unknown> {
  const { at = NOWHERE, level, title, message, details } = annotation;
  const column =
    at.startColumn !== undefined && at.startLine === at.endLine
      ? { start_column: at.startColumn, end_column: at.startColumn }
      : {};
  return {
    path: at.path,
    start_line: at.startLine,
    end_line: at.endLine,
    ...column,
    annotation_level: level,
    title,
    message,
    raw_details: details,
  };
}

/** The notice for a refused token: what to change. */
const REFUSED = {
  "check run":
    "the token may not write checks. Add `checks: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only, and a personal access token can never write checks.",
  comment:
    "the token may not write on the pull request. Add `pull-requests: write` to the job's `permissions`; the token of a fork's or Dependabot's pull request stays read-only.",
};

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

export interface CommentOptions {
  readonly api: CommentsApi;
  /** `failures`: only while something is red or without a verdict; the comment goes when all is well. */
  readonly when: "failures" | "always";
  readonly use: Use;
  readonly attempt: RunContext["attempt"];
  readonly notice: (message: string) => void;
}

/**
 * Keeps one comment per workflow, job, job of the matrix and check name. Its first line, which no quoted text can
 * imitate, names its owner and its run. Only a comment by the token's own author is changed, and none that a later run
 * has written. Without a pull request there is a notice.
 */
export function commentPublisher(options: CommentOptions): Publisher {
  const { api, when, notice } = options;
  return {
    name: "pull request comment",
    publish: async (report: Report, published): Promise<Published> => {
      const pull = await api.pull();
      if (pull === undefined) {
        notice("No comment: this event belongs to no open pull request.");
        return {};
      }
      const { run, attempt } = options.attempt;
      const mark = `<!-- waza-grade ${options.use.key} run ${String(run)}.${String(attempt)} -->`;
      const mine = await ownComments(pull, options);
      if (mine.some(({ written }) => isLater(written, options.attempt))) {
        notice("The comment was not changed, because a later run of this workflow has written it.");
        return {};
      }
      const [current, ...others] = mine.map(({ comment }) => comment);
      for (const { id } of others) await api.remove(id);
      if (when === "failures" && allIsWell(report)) {
        if (current) await api.remove(current.id);
        return {};
      }
      // GitHub counts characters, of which there never are more than bytes.
      const room = COMMENT_CHARACTERS - mark.length - 1;
      const body = `${mark}\n${renderSummary(report, room, { medium: "comment", published })}`;
      return { commentUrl: current ? await api.update(current.id, body) : await api.create(pull, body) };
    },
  };
}

const MARK = /^<!-- waza-grade ([0-9a-f]{32}) run (\d+)\.(\d+) -->/;

type WorkflowAttempt = RunContext["attempt"];

/** Those of this use of the action, oldest first; there are several only when two runs wrote the first at once. */
async function ownComments(
  pull: number,
  options: CommentOptions,
): Promise<{ comment: Comment; written: WorkflowAttempt }[]> {
  const { api, use } = options;
  const marked = (await api.list(pull)).flatMap((comment) => {
    const [, id, run, attempt] = MARK.exec(comment.body) ?? [];
    return id === use.key ? [{ comment, written: { run: Number(run), attempt: Number(attempt) } }] : [];
  });
  if (marked.length === 0) return [];
  const author = await api.author();
  return marked.filter(({ comment }) => comment.author === author);
}

function isLater(one: WorkflowAttempt, other: WorkflowAttempt): boolean {
  return one.run > other.run || (one.run === other.run && one.attempt > other.attempt);
}

/** True if no grade failed or lacks a verdict, also where the gate tolerates it; missing runs count by `on-missing`. */
function allIsWell({ conclusion, scores: { counts } }: Report): boolean {
  const isGreen = conclusion.check === "success" || conclusion.rule === "nothing-graded";
  return isGreen && counts.failed === 0 && withoutVerdictOf(counts) === 0;
}
