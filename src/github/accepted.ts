/** The label `evals-accept`, by which people with write access accept what a comparison would make red. */
import { type Problem, notice } from "../domain/problem.ts";
import { ACCEPT_LABEL } from "../domain/defaults.ts";
import { messageOf } from "../text/format.ts";

/** Whether the pull request has the label now, or one that was merged; or why that is not known. Never throws. */
export async function isAccepted(
  labels: (() => Promise<readonly string[] | undefined>) | undefined,
): Promise<boolean | Problem> {
  if (!labels) return false;
  try {
    // The labels of the event are those of its time; GitHub tells names apart without their case.
    return ((await labels()) ?? []).some((name) => name.toLowerCase() === ACCEPT_LABEL);
  } catch (error) {
    const message = `GitHub did not list the labels of pull requests, so \`${ACCEPT_LABEL}\` is not looked for: ${messageOf(error)}`;
    return notice("labels-unknown", message, {
      help: "If the request was refused, add `pull-requests: read` and `contents: read` to the job's `permissions`.",
    });
  }
}
