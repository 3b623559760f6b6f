/** Schema of a workflow's event: the fields we read. */
import * as z from "zod/mini";
import { lenient } from "../text/optional.ts";

/** A repository as the API names it. */
export interface Repository {
  readonly owner: string;
  readonly repo: string;
}

const head = z.object({
  sha: lenient(z.string()),
  ref: lenient(z.string()),
  repo: lenient(z.object({ full_name: lenient(z.string()) })),
});
const eventSchema = z.object({
  pull_request: lenient(
    z.object({
      number: lenient(z.number()),
      head: lenient(head),
      base: lenient(head),
      user: lenient(z.object({ login: lenient(z.string()) })),
    }),
  ),
  workflow_run: lenient(
    z.object({
      head_sha: lenient(z.string()),
      head_branch: lenient(z.string()),
      head_repository: lenient(z.object({ full_name: lenient(z.string()) })),
      event: lenient(z.string()),
      run_attempt: lenient(z.number()),
      actor: lenient(z.object({ login: lenient(z.string()) })),
    }),
  ),
  merge_group: lenient(
    z.object({
      head_sha: lenient(z.string()),
      head_ref: lenient(z.string()),
      base_ref: lenient(z.string()),
      base_sha: lenient(z.string()),
    }),
  ),
  issue: lenient(z.object({ number: lenient(z.number()), pull_request: lenient(z.unknown()) })),
});

/** An event; fields of undocumented types are absent. */
export type Event = z.infer<typeof eventSchema>;

/** Never throws: a payload that is no event is an empty one. */
export function readEvent(payload: unknown): Event {
  return z.safeParse(eventSchema, payload).data ?? {};
}
