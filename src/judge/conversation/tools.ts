/** The tools of a request: what a judge reports by, and reads files by. */
import type { Tool } from "../api/wire.ts";
import { gradeTools } from "../grade-tools.ts";
import type { JudgeRequest } from "../judge.ts";
import { CHOICE_TOOL } from "../pairwise.ts";

/** Tool definitions that the judge is sent with a request. */
export function toolsOf({
  choosing,
  statements,
  files,
}: Pick<JudgeRequest, "choosing" | "statements" | "files">): readonly Tool[] {
  if (choosing) return [CHOICE_TOOL];
  return [...gradeTools(statements !== undefined), ...((files?.tools ?? []) as readonly Tool[])];
}
