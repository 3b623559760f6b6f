/** The check run: created as completed, with its annotations on the graders' own lines. */
import type { Report, SourceSpan } from "../domain.ts";
import { shorten } from "../format.ts";
import type { CheckRunsApi } from "../github-api.ts";
import { buildAnnotations, worstOf } from "./annotations.ts";
import type { Annotation } from "./annotations.ts";
import { ANNOTATIONS_PER_REQUEST, CHECK_SUMMARY_BYTES } from "./limits.ts";
import { plainText } from "./neutralise.ts";
import type { Published, Sink } from "./sink.ts";
import { renderSummary } from "./summary.ts";

/**
 * Creates the check run with up to 50 annotations and appends the rest by PATCH, 50 at a time (GitHub's limit; a
 * PATCH adds to what is there). Throws when it cannot be created; a failed PATCH is told to `warn`.
 */
export function checkRunSink(options: {
  readonly api: CheckRunsApi;
  readonly name: string;
  /** Annotations at most; none at 0. */
  readonly maxAnnotations: number;
  readonly warn: (message: string) => void;
}): Sink {
  return {
    name: "check run",
    publish: async (report: Report): Promise<Published> => {
      const { maxAnnotations } = options;
      const annotations =
        maxAnnotations === 0 ? [] : worstOf(buildAnnotations(report), maxAnnotations).map(toBody);
      const output = {
        title: shorten(plainText(report.conclusion.sentence).replace(/\s+/g, " "), 255),
        summary: renderSummary(report, CHECK_SUMMARY_BYTES),
      };
      const batches = inBatches(annotations);
      const created = await options.api.create({
        name: options.name,
        status: "completed",
        conclusion: report.conclusion.check,
        completed_at: new Date().toISOString(),
        output: { ...output, annotations: batches[0] ?? [] },
      });
      for (const [index, batch] of batches.slice(1).entries()) {
        try {
          await options.api.update(created.id, { output: { ...output, annotations: batch } });
        } catch {
          const missing = annotations.length - (index + 1) * ANNOTATIONS_PER_REQUEST;
          options.warn(
            `${String(missing)} annotations could not be added to the check run; all grades are in the job summary.`,
          );
          break;
        }
      }
      return created.url === undefined ? {} : { checkRunUrl: created.url };
    },
  };
}

function inBatches<T>(items: readonly T[]): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += ANNOTATIONS_PER_REQUEST) {
    batches.push(items.slice(start, start + ANNOTATIONS_PER_REQUEST));
  }
  return batches;
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
    ...(details === undefined ? {} : { raw_details: details }),
  };
}
