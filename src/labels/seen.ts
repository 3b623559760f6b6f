/** What annotators are shown, and the hash that ties a label to it. Pure. */
import type { GradingJob } from "../domain/grade.ts";
import type { Step } from "../domain/run.ts";
import { shorten } from "../text/format.ts";
import { digest, joinPieces } from "../judge/evidence/digest.ts";
import { hashOf } from "../judge/hash.ts";

/** Maximum length of each text: a spreadsheet's cell takes 32,767. */
const LONGEST = 30_000;

export interface Seen {
  /** The agent's prompt. */
  readonly asked: string;
  /** The judge's prompt. */
  readonly question: string;
  /** The agent's messages and tool calls with their results. */
  readonly conversation: string;
  readonly answer: string;
  /** Hash of the whole task prompt, conversation and answer, which a label belongs to. */
  readonly sha256: string;
}

/** What annotators are shown, each text up to 30,000 characters; the job is redacted, so that the table has the same hash. */
export function seenOf({ run, task, grader }: GradingJob): Seen {
  const asked = run?.prompt ?? task.prompt ?? "";
  const answer = run?.finalOutput ?? "";
  const steps = run?.steps ?? [];
  const cut = (text: string) => shorten(text.trim(), LONGEST);
  return {
    asked: cut(asked),
    question: cut([grader.prompt, grader.rubric?.instructions ?? ""].join("\n\n")),
    conversation: steps.length === 0 ? "" : cut(joinPieces(digest(steps, LONGEST).pieces)),
    answer: cut(answer),
    sha256: hashOf([asked, answer, ...steps.flatMap(textsOf)]),
  };
}

/** The texts of a step, without its success, which depends on the reader of the log. */
function textsOf(step: Step): string[] {
  return step.kind === "tool" ? [step.name, step.input, step.result ?? ""] : [step.kind, step.text];
}
