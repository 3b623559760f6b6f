/** Publishes annotations by workflow commands, if there is no check run. */
import * as core from "@actions/core";
import { count, withLocation, shorten } from "../../text/format.ts";
import { buildAnnotations } from "../annotations.ts";
import type { Annotation } from "../annotations.ts";
import { JOB_ANNOTATIONS_PER_LEVEL, JOB_ANNOTATION_CHARACTERS } from "../limits.ts";
import { withoutCommands } from "../sanitize.ts";
import type { Publisher } from "../publisher.ts";

/** Maximum annotations per level: one of each is reserved for the step's last line and its notices. */
const MOST_PER_LEVEL = JOB_ANNOTATIONS_PER_LEVEL - 1;

const COMMANDS = { failure: core.error, warning: core.warning, notice: core.notice };

/** Writes the first annotations of each level, within the limit of one step; the last one counts the rest. */
export function jobAnnotationsPublisher(): Publisher {
  return {
    name: "job annotations",
    publish: (report) => {
      const all = buildAnnotations(report);
      for (const level of ["failure", "warning", "notice"] as const) {
        const ofLevel = all.filter((annotation) => annotation.level === level);
        const fits = ofLevel.length <= MOST_PER_LEVEL ? ofLevel : ofLevel.slice(0, MOST_PER_LEVEL - 1);
        for (const annotation of fits) write(annotation);
        const rest = ofLevel.length - fits.length;
        if (rest > 0) COMMANDS[level](`${count(rest, "more annotation")} of this level in the job summary.`);
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
