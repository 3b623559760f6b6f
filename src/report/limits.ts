/** Limits of the places we publish to, each with its source, and the cut that keeps to them. */

/** https://docs.github.com/en/rest/checks/runs: `output.summary`, in bytes. */
export const CHECK_SUMMARY_BYTES = 65_535;
/** https://docs.github.com/en/rest/checks/runs: annotations of one request; more by PATCH, which appends. */
export const ANNOTATIONS_PER_REQUEST = 50;
/** https://docs.github.com/en/rest/checks/runs: `message` and `raw_details` of an annotation, 64 KB. */
export const ANNOTATION_BYTES = 64_000;
/** https://docs.github.com/en/rest/checks/runs: `title` of an annotation, in characters. */
export const ANNOTATION_TITLE_CHARACTERS = 255;
/** GitHub: "body is too long (maximum is 65536 characters)" of a comment. */
export const COMMENT_CHARACTERS = 65_536;
/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits, in bytes. */
export const JOB_SUMMARY_BYTES = 1_048_576;
/** Annotations of each level that one step may make by workflow commands; the runner drops the rest. */
export const JOB_ANNOTATIONS_PER_LEVEL = 10;
/** Characters of one workflow command's message that are shown. */
export const JOB_ANNOTATION_CHARACTERS = 4_096;

/** The text in at most `limit` bytes of UTF-8, ending in `note` when it was cut; never half a character. */
export function cutBytes(text: string, limit: number, note = "…"): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = new Uint8Array(Math.max(0, limit - Buffer.byteLength(note)));
  const { read } = new TextEncoder().encodeInto(text, room);
  return `${text.slice(0, read)}${note}`;
}
