/** The tools of a request: for reporting, and for reading files. */
import type { Tool } from "../api/wire.ts";
import { gradeTools } from "../grade-tools.ts";
import type { JudgeRequest } from "../judge.ts";
import { CHOICE_TOOL } from "../pairwise.ts";

/** Tool definitions of a request. */
export function toolsOf({
  choosing,
  statements,
  files,
}: Pick<JudgeRequest, "choosing" | "statements" | "files">): readonly Tool[] {
  if (choosing) return [CHOICE_TOOL];
  return [...gradeTools(statements !== undefined), ...((files?.tools ?? []) as readonly Tool[])];
}
