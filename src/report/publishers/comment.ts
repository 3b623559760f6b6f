/** One comment on the pull request, found again and kept up to date. */
import type { Report } from "../report.ts";
import type { RunContext } from "../../github/context.ts";
import type { Comment, CommentsApi } from "../../github/api.ts";
import { COMMENT_CHARACTERS } from "../limits.ts";
import type { Published, Publisher } from "../publisher.ts";
import { renderSummary } from "../summary.ts";
import type { Use } from "../use.ts";

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
      const mark = markOf(options);
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

/** True if no grade failed or lacks a verdict, also where the gate tolerates it; missing runs count by `on-missing`. */
function allIsWell({ conclusion, scores: { counts } }: Report): boolean {
  const withoutVerdict = counts.errored + counts.skipped - counts.missing;
  return conclusion.check === "success" && counts.failed === 0 && withoutVerdict === 0;
}

type Attempt = RunContext["attempt"];

function isLater(one: Attempt, other: Attempt): boolean {
  return one.run > other.run || (one.run === other.run && one.attempt > other.attempt);
}

/** Those of this use of the action, oldest first; there are several only when two runs wrote the first at once. */
async function ownComments(
  pull: number,
  options: CommentOptions,
): Promise<{ comment: Comment; written: Attempt }[]> {
  const { api, use } = options;
  const marked = (await api.list(pull)).flatMap((comment) => {
    const [, id, run, attempt] = MARK.exec(comment.body) ?? [];
    return id === use.key ? [{ comment, written: { run: Number(run), attempt: Number(attempt) } }] : [];
  });
  if (marked.length === 0) return [];
  const author = await api.author();
  return marked.filter(({ comment }) => comment.author === author);
}

const MARK = /^<!-- waza-grade ([0-9a-f]{32}) run (\d+)\.(\d+) -->/;

function markOf({ use, attempt: { run, attempt } }: CommentOptions): string {
  return `<!-- waza-grade ${use.key} run ${String(run)}.${String(attempt)} -->`;
}
