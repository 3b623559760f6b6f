/** What annotators are shown, and the hash that ties a label to it. Pure. */
import type { GradingJob } from "../domain/grade.ts";
import type { Step } from "../domain/run.ts";
import { shorten } from "../text/format.ts";
import { digest, joinPieces } from "../judge/evidence/digest.ts";
import { hashOf } from "../judge/hash.ts";

/** Characters of each text: a cell of a spreadsheet takes 32,767. */
const LONGEST = 30_000;

export interface Seen {
  /** What the agent was asked. */
  readonly asked: string;
  /** What the judge was asked of the answer. */
  readonly question: string;
  /** What the agent said and did, with the results of its tools. */
  readonly conversation: string;
  readonly answer: string;
  /** Of the task's prompt, the conversation and the answer, all whole: a label is of these. */
  readonly sha256: string;
}

/** The same as the judge sees, each text up to 30,000 characters; the job is redacted, so that its table has the same hash. */
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

/** What a step says: its success and how it is rendered are left out, since they depend on what reads the log. */
function textsOf(step: Step): string[] {
  return step.kind === "tool" ? [step.name, step.input, step.result ?? ""] : [step.kind, step.text];
}
