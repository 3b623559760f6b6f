/** Verdicts that are known before any judge is asked. */
import { comparedOutput } from "../judge/evidence/compared-output.ts";
import { hasConversation, UNKNOWN_MODEL } from "../domain/run.ts";
import { asSentence, listedCode } from "../text/format.ts";
import type { GradingJob, MissingRun, Verdict } from "../domain/grade.ts";
import type { Problem } from "../domain/location.ts";
import type { Run } from "../domain/run.ts";
import type { Grader, Suite, Task } from "../domain/suite.ts";
import { warning } from "../text/problem.ts";

/** A run with one grader; `file` is its published path. */
interface GradedRun {
  readonly grader: Grader;
  readonly run: Run;
  readonly file: string;
}

/** The verdict of a run that needs no judge or cannot be judged; undefined otherwise. */
export function settledVerdict(
  { grader, run, file }: GradedRun,
  withoutKey: string | undefined,
): Verdict | undefined {
  if (withoutKey !== undefined) return { state: "skipped", cause: "no-key", reason: withoutKey };
  if (run.agent === "failed") {
    const reason = run.errorMessage ? `: ${run.errorMessage}` : ", without a message";
    const note = `The agent never got to work. Its run ended in an error${reason}`;
    return { state: "graded", checks: [], score: 0, passed: false, note };
  }
  if (run.agent === "grader-failed") {
    return errored(
      "graders-failed",
      asSentence(`waza's own graders interrupted this run: ${run.errorMessage ?? ""}`),
      "Run the agent alone, with `waza run --skip-graders`, and let this action grade.",
    );
  }
  if (grader.unsupported !== undefined) {
    return errored(
      "unsupported",
      `There is no \`${grader.unsupported}\`.`,
      "Write `mode: pairwise` to compare with `baseline_outcome`, or leave `mode` out.",
    );
  }
  if (run.finalOutput.trim() === "" && !hasConversation(run)) {
    const error = { class: "no-evidence", message: NO_OUTPUT, help: LEAVE_IT, file } as const;
    return { state: "errored", error };
  }
  return hasConversation(run) ? undefined : needsConversation(grader);
}

const NO_OUTPUT = "The run has neither a final output nor a conversation, so there is nothing to judge.";
const LEAVE_IT =
  "Check the step that runs the agent: its output has to have the agent's words, as `final_output` or `transcript` in waza's results, `output` or `messages` in records, or the text of a text file.";

/** Help text: how to record the conversation. */
const RECORD_IT =
  "Record it: set `results` to the agent's log, not only its answer; `waza run --skip-graders -o results.json` writes each run's `transcript` and `tool_events`, records have `messages`.";

function needsConversation({ rubric }: Grader): Verdict | undefined {
  if (rubric?.needs !== "conversation") return undefined;
  const message = `The rubric \`${rubric.name}\` judges what the agent did, but the run has no conversation.`;
  return errored("no-evidence", message, RECORD_IT);
}

/** A warning for each grader that needs evidence which is missing. */
export function judgedByLess(jobs: readonly GradingJob[]): Problem[] {
  const judged = jobs.filter(({ run, settled }) => run && !settled);
  const silent = judged.filter(({ run }) => run && !hasConversation(run));
  const warningFor = (what: string, help: string, mine: readonly GradingJob[]): Problem[] => {
    const [first] = mine;
    if (!first) return [];
    const ids = listedCode(mine.map(({ task }) => task.id));
    return [warning(`${what}: ${ids}.`, { help, at: first.grader.at })];
  };
  const ungrounded = silent.filter(isUngrounded);
  const rubrics = listedCode(ungrounded.map(({ grader: { rubric } }) => rubric?.name ?? ""));
  return [
    ...warningFor(
      `For the rubric ${rubrics} the judge can compare the answer only with the task's prompt, because these runs have no conversation`,
      RECORD_IT,
      ungrounded,
    ),
    ...warningFor(
      "Graders with `continue_session: true` judge only the final output, because these runs have no conversation",
      RECORD_IT,
      silent.filter(({ grader }) => grader.continueSession),
    ),
    ...warningFor(
      "Graders with `mode: pairwise` judge these runs alone, because they have no `baseline_outcome`",
      "`waza run --baseline` writes it.",
      judged.filter((job) => job.grader.pairwise && comparedOutput(job) === undefined),
    ),
  ];
}

/** True for a groundedness rubric without a conversation, if neither the task nor its files have the sources. */
function isUngrounded({ grader: { rubric }, task }: GradingJob): boolean {
  return rubric?.needs === "sources" && (task.files ?? []).length === 0 && task.contextDir === undefined;
}

function errored(
  errorClass: "graders-failed" | "unsupported" | "no-evidence",
  message: string,
  help: string,
): Verdict {
  return { state: "errored", error: { class: errorClass, message, help } };
}

interface Missing {
  readonly task: Task;
  readonly suite: Suite;
  readonly missing: MissingRun;
}

/** The verdict of a missing run. */
export function missingVerdict({ task, suite, missing }: Missing, held: readonly Run[]): Verdict {
  const { model, meant } = missing;
  const by = model === "" || model === UNKNOWN_MODEL ? "" : ` by \`${model}\``;
  const mine = held.filter((run) => run.model === model).length;
  const hint = meant === undefined ? "" : ` Did you mean \`${meant}\`, which they have?`;
  const what =
    suite.tasks === "every" && held.length === 0 && model === ""
      ? `no run of \`${suite.title}\``
      : mine === 0
        ? `no run of the task \`${task.id}\`${by}`
        : `fewer runs of the task \`${task.id}\`${by} than planned`;
  return { state: "skipped", cause: "missing", reason: `The results hold ${what}.${hint}` };
}
