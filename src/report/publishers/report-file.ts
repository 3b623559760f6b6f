/** Publishes one file of the input `reports`. */
import { gradeRecord } from "../../records/make-record.ts";
import type { Report } from "../report.ts";
import { replaceFile } from "../../files/write.ts";
import type { GradeToLabel } from "../../labels/labels.ts";
import { seenOf } from "../../labels/seen.ts";
import type { Seen } from "../../labels/seen.ts";
import { allGrades } from "../../score/score.ts";
import { plainText } from "../sanitize.ts";
import type { Published, Publisher } from "../publisher.ts";
import { renderSummary } from "../summary.ts";

type Format = "html" | "junit" | "markdown" | "labels";

/** A file's text, in pieces if it can be long. */
type FileText = string | Iterable<string>;

/** Renders a report in each format; modules are loaded only if used. */
const RENDER: Readonly<Record<Format, (report: Report, published: Published) => Promise<FileText>>> = {
  html: async (report, published) => (await import("../html/page.ts")).renderHtml(report, published),
  junit: async (report) => (await import("../cases/junit.ts")).renderJunit(report),
  labels: async (report) => (await import("../../labels/labels.ts")).labelsToFillIn(toLabel(report)),
  markdown: (report, published) => Promise.resolve(renderSummary(report, Infinity, { published })),
};

/** All grades, advisory ones too, with the prompts of agent and judge as plain text. */
function toLabel(report: Report): GradeToLabel[] {
  return allGrades(report).map((grade) => {
    const seen = Object.entries(seenOf(grade.job)).map(([name, text]) => [
      name,
      plainText(text as string).trim(),
    ]);
    return { ...gradeRecord(grade), ...(Object.fromEntries(seen) as Seen) };
  });
}

/** Writes the report in one format, atomically. Throws errors of the file system. */
export function reportFilePublisher({
  format,
  path,
}: {
  readonly format: Format;
  readonly path: string;
}): Publisher {
  return {
    name: `${format} report`,
    publish: async (report, published) => {
      const { reportFiles = [] } = published;
      await replaceFile(path, await RENDER[format](report, published));
      return { reportFiles: [...reportFiles, path] };
    },
  };
}
