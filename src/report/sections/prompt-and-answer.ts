/** The texts behind a grade: the agent's prompt and answer, and the grader's prompt. */
import type { Grade } from "../../domain/grade.ts";
import { count, excerpt } from "../../text/format.ts";
import { title } from "../document/tree.ts";
import type { Block } from "../document/tree.ts";
import { findLongestQuote } from "../../text/quotes.ts";

/** Maximum characters of an excerpt. */
export const EXCERPT = 1_500;
/** Maximum failed checks to search for quotes. */
const CHECKS = 50;

/** A text under a title; empty without text. */
export function passages(head: string, text: string | undefined, most: number): Block[] {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? [] : [title(head), { kind: "text", text: excerpt(trimmed, most) }];
}

/** The grader's instructions and its rubric. */
export function graderPrompt({ job: { grader } }: Grade, most: number): Block[] {
  return [
    ...passages("The rubric", grader.rubric?.instructions, most),
    ...passages("The grader's prompt", grader.prompt, most),
  ];
}

/** The agent's answer, with the quotes of failed checks marked. A long answer is cut around the first quote. */
export function answer({ job, verdict }: Grade): Block[] {
  const text = job.run?.finalOutput.trim() ?? "";
  if (text === "") return [];
  const checks = verdict.state === "graded" ? verdict.checks : [];
  const failed = checks.filter(({ outcome }) => outcome === "fail").slice(0, CHECKS);
  const quotes = failed.flatMap(({ reason = "" }) => findLongestQuote(text, reason) ?? []);
  const start = text.length > EXCERPT ? startOf(text, quotes[0]?.at ?? 0) : 0;
  const lead = start > 0 ? "…" : "";
  const quoted = `${lead}${excerpt(text.slice(start), EXCERPT)}`;
  const marks = quotes
    .map(({ at, length }) => ({ at: at - start + lead.length, length }))
    .filter(({ at, length }) => at >= lead.length && at + length <= quoted.length);
  return [
    title(`The agent's answer${text.length > EXCERPT ? partOf(text, start) : ""}`),
    { kind: "text", text: quoted, marks },
  ];
}

function partOf({ length }: string, start: number): string {
  const size = `of ${count(length, "character")}`;
  return start === 0 ? `, the beginning ${size}` : `, a part ${size}, around a failed check's quote`;
}

/** Start of an excerpt around a position, at the beginning of a line if one is near. */
function startOf(text: string, at: number): number {
  if (at < EXCERPT / 2) return 0;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const start = Math.max(0, Math.min(Math.max(lineStart, at - EXCERPT / 2), text.length - EXCERPT + 1));
  return /[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start;
}
