/**
 * What GitHub's Checks API refuses, of what we could send: its published request schema, and the limits its
 * documents name beside it.
 */
import * as z from "zod";

const bytes = (limit: number, what: string) =>
  z
    .string()
    .refine(
      (text) => Buffer.byteLength(text) <= limit,
      `${what} is too long: at most ${String(limit)} bytes`,
    );

const annotation = z
  .object({
    path: z.string().regex(/^(?!\.\/|\/).+/, "path is not relative to the repository root"),
    start_line: z.int().min(1),
    end_line: z.int().min(1),
    start_column: z.int().optional(),
    end_column: z.int().optional(),
    annotation_level: z.enum(["notice", "warning", "failure"]),
    message: bytes(64 * 1024, "message").min(1),
    title: z.string().max(255).optional(),
    raw_details: bytes(64 * 1024, "raw_details").optional(),
  })
  .refine(({ start_line, end_line }) => end_line >= start_line, "end_line is before start_line")
  .refine(
    (one) =>
      one.start_line === one.end_line || (one.start_column === undefined && one.end_column === undefined),
    "columns are only for annotations of one line",
  );

const output = z.object({
  title: z.string().max(255).optional(),
  summary: bytes(65_535, "summary"),
  text: bytes(65_535, "text").optional(),
  annotations: z.array(annotation).max(50, "no more than 50 annotations a request").optional(),
});

const common = {
  details_url: z.string().optional(),
  external_id: z.string().optional(),
  started_at: z.iso.datetime().optional(),
  status: z.enum(["queued", "in_progress", "completed"]).optional(),
  conclusion: z
    .enum(["action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"])
    .optional(),
  completed_at: z.iso.datetime().optional(),
};

const hasConclusion = ({ status, conclusion }: { status?: unknown; conclusion?: unknown }) =>
  status !== "completed" || conclusion !== undefined;

const post = z
  .object({
    ...common,
    name: z.string().min(1),
    head_sha: z.string().regex(/^[0-9a-f]{40}$/, "No commit found for SHA"),
    output: output.extend({ title: z.string().min(1).max(255) }).optional(),
  })
  .refine(hasConclusion, "a completed check run needs a conclusion");

const patch = z
  .object({ ...common, name: z.string().min(1).optional(), output: output.optional() })
  .refine(hasConclusion, "a completed check run needs a conclusion");

export type CheckRunPost = z.infer<typeof post>;
export type CheckRunPatch = z.infer<typeof patch>;
export type CheckAnnotation = z.infer<typeof annotation>;

/** The body of a creation, or GitHub's reason for a 422. */
export function checkPost(body: unknown): { readonly body: CheckRunPost } | { readonly refusal: string } {
  const parsed = post.safeParse(body);
  return parsed.success ? { body: parsed.data } : { refusal: z.prettifyError(parsed.error) };
}

/** The body of an update, or GitHub's reason for a 422. */
export function checkPatch(body: unknown): { readonly body: CheckRunPatch } | { readonly refusal: string } {
  const parsed = patch.safeParse(body);
  return parsed.success ? { body: parsed.data } : { refusal: z.prettifyError(parsed.error) };
}
