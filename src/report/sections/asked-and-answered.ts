/** The texts behind a grade: what the agent and the judge were asked, and the agent's answer. */
import type { Grade } from "../../domain/grade.ts";
import { count, excerpt } from "../../text/format.ts";
import { title } from "../document/tree.ts";
import type { Block } from "../document/tree.ts";
import { quotedAt } from "../../text/quotes.ts";

/** Characters of a text of which a part is shown. */
export const EXCERPT = 1_500;
/** Failed checks whose quotations are looked for. */
const CHECKS = 50;

/** A text under a title; nothing where there is none. */
export function passages(head: string, text: string | undefined, most: number): Block[] {
  const said = text?.trim() ?? "";
  return said === "" ? [] : [title(head), { kind: "text", text: excerpt(said, most) }];
}

/** The grader's instructions and its rubric. */
export function judgeAsked({ job: { grader } }: Grade, most: number): Block[] {
  return [
    ...passages("The rubric the judge was given", grader.rubric?.instructions, most),
    ...passages("What the judge was asked", grader.prompt, most),
  ];
}

/** A long answer is shown where a failed check quotes it, else from its beginning. */
export function answer({ job, verdict }: Grade): Block[] {
  const text = job.run?.finalOutput.trim() ?? "";
  if (text === "") return [];
  if (text.length <= EXCERPT) return passages("What the agent answered", text, EXCERPT);
  const checks = verdict.state === "graded" ? verdict.checks : [];
  const failed = checks.filter(({ outcome }) => outcome === "fail").slice(0, CHECKS);
  const [at = 0] = failed.flatMap(({ reason = "" }) => quotedAt(text, reason)?.at ?? []);
  const size = `of ${count(text.length, "character")}`;
  return at < EXCERPT / 2
    ? passages(`What the agent answered, the beginning ${size}`, text, EXCERPT)
    : [
        title(`What the agent answered, a part ${size}, around what a failed check quotes`),
        { kind: "text", text: around(text, at) },
      ];
}

/** A text around a place in it, from the beginning of a line where one is near. */
function around(text: string, at: number): string {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const start = Math.max(0, Math.min(Math.max(lineStart, at - EXCERPT / 2), text.length - EXCERPT + 1));
  return `${start > 0 ? "…" : ""}${excerpt(text.slice(start).replace(/^[\uDC00-\uDFFF]/, ""), EXCERPT)}`;
}
