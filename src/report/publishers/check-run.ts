/** The check run: created as completed, with its annotations on the graders' own lines. */
import type { Report } from "../report.ts";
import type { SourceSpan } from "../../domain/location.ts";
import { messageOf } from "../../text/errors.ts";
import { count } from "../../text/format.ts";
import type { RunContext } from "../../github/context.ts";
import type { CheckRunsApi } from "../../github/api.ts";
import { buildAnnotations } from "../annotations.ts";
import type { Annotation } from "../annotations.ts";
import { ANNOTATIONS_PER_REQUEST, CHECK_SUMMARY_BYTES } from "../limits.ts";
import { oneLineText } from "../sanitize.ts";
import type { Published, Publisher } from "../publisher.ts";
import { renderSummary } from "../summary.ts";
import { titleOf } from "../title.ts";
import type { Use } from "../use.ts";

/** Maximum characters of a title that GitHub shows. */
const CHECK_TITLE = 255;

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
      const annotations = maxAnnotations === 0 ? [] : buildAnnotations(report, maxAnnotations).map(toBody);
      const output = {
        title: oneLineText(titleOf(report), CHECK_TITLE),
        summary: renderSummary(report, CHECK_SUMMARY_BYTES, { medium: "check" }),
      };
      const first = annotations.slice(0, ANNOTATIONS_PER_REQUEST);
      const created = await api.create({
        name: use.name,
        external_id: `${use.key}.${String(attempt.run)}.${String(attempt.attempt)}`,
        status: "completed",
        conclusion: report.conclusion.check,
        completed_at: new Date().toISOString(),
        output: { ...output, annotations: first },
      });
      for (let added = first.length; added < annotations.length; added += ANNOTATIONS_PER_REQUEST) {
        const batch = annotations.slice(added, added + ANNOTATIONS_PER_REQUEST);
        try {
          await api.append(created.id, { output: { ...output, annotations: batch } }, added + batch.length);
        } catch (error) {
          const missing = `${String(annotations.length - added)} of ${count(annotations.length, "annotation")}`;
          warn(
            `${missing} could not be added to the check run (${messageOf(error)}); all grades are in the job summary.`,
          );
          break;
        }
      }
      return { checkRunUrl: created.url };
    },
  };
}

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
