/** What is known before any judge is asked: verdicts, the prompt of each run, and a dry run's assumptions. */
import type { GradingJob, Verdict } from "../domain/grade.ts";
import { type Run, brokenOff, hasConversation, hasEvidence, hasSkill } from "../domain/run.ts";
import { type Suite, type Task, skillNames } from "../domain/suite.ts";
import { notice, warning, type Problem } from "../domain/problem.ts";
import { asSentence, count, listedCode, plural, shorten } from "../text/format.ts";

const NO_OUTPUT = "The run has neither a final output nor a conversation, so there is nothing to judge.";
const LEAVE_IT =
  "Check the step that runs the agent: its output has to have the agent's words, as `final_output` or `transcript` in waza's results, `output` or `messages` in records, or the text of a text file.";

const PRINT_IT =
  "Have the agent print its answer, as text or as a log in a format that is read (docs/outputs.md), or leave it in files.";

/** The verdict of a run that needs no judge or cannot be judged; undefined otherwise. `file` is its published path. */
export function settledVerdict(
  { grader, run, suite }: Pick<GradingJob, "grader" | "suite"> & { readonly run: Run },
  file: string,
  withoutKey: string | undefined,
): Verdict | undefined {
  if (run.isOlder) {
    const reason =
      "The run was made before the skill, the prompt or the task's files were changed: run the agent again.";
    return { state: "skipped", cause: "missing", reason };
  }
  if (withoutKey !== undefined) return { state: "skipped", cause: "no-key", reason: withoutKey };
  const broken = run.conversation && brokenOff(run.conversation);
  const errored = (error: Extract<Verdict, { state: "errored" }>["error"]): Verdict => ({
    state: "errored",
    error,
  });
  if (broken !== undefined) {
    const isAbstained = run.conversation?.ended === "abstained";
    const say = isAbstained ? "say more in the responder's `instructions`, and run again" : "run it again";
    const help = `This is no fault of the agent: ${say}.`;
    return errored({ class: "conversation", message: asSentence(broken), help });
  }
  if (run.agent === "stopped" || run.agent === "failed") {
    const never = "The agent never got to work. Its run ended in an error";
    const what = run.agent === "stopped" ? "The agent ended without an answer" : never;
    const note = `${what}${run.errorMessage ? `: ${run.errorMessage}` : ", without a message"}`;
    return { state: "graded", checks: [], score: 0, passed: false, note };
  }
  if (run.agent === "grader-failed") {
    const message = asSentence(`waza's own graders interrupted this run: ${run.errorMessage ?? ""}`);
    const help = "Run the agent alone, with `waza run --skip-graders`, and let this action grade.";
    return errored({ class: "graders-failed", message, help });
  }
  if (grader.unsupported !== undefined) {
    const message = `\`${grader.unsupported}\` is not supported: remove \`mode\`, or compare runs with \`lift\`.`;
    return errored({ class: "unsupported", message });
  }
  const wrong = wrongSkills(run, suite);
  if (wrong !== undefined) return errored({ class: "wrong-skills", file, ...wrong });
  if (!hasEvidence(run)) {
    const help = run.isSaid ? PRINT_IT : LEAVE_IT;
    return errored({ class: "no-evidence", message: NO_OUTPUT, help, file });
  }
  return undefined;
}

/** Of a run that says whether it had the skill: where the client's own list of its skills says otherwise. */
function wrongSkills(
  { client, isSaid, side }: Run,
  suite: Suite,
): { message: string; help: string } | undefined {
  const names = skillNames(suite);
  const [skill] = names;
  if (skill === undefined || !isSaid || client?.skills === undefined) return undefined;
  const isThere = names.some((name) => hasSkill(client, name));
  if (isThere === (side === undefined)) return undefined;
  return isThere
    ? {
        message: `This is a run without the skill, and its client had \`${skill}\`.`,
        help: "Take away the skill of that name where the agent finds it, usually in the user's home, and run again.",
      }
    : {
        message: `The client did not have the skill \`${skill}\`: its log lists ${listedCode(client.skills.map(({ name }) => shorten(name, 100))) || "none"}.`,
        help: "Put the skill where the agent looks for skills, as `waza-grade run` does, and run again.",
      };
}

/**
 * The run with its prompt: the one its results record, else the task's. Logs and texts named for a task with a prompt
 * record none; where no task has a prompt, the user's first message was read as one.
 */
export function withPrompt(run: Run, task: Pick<Task, "prompt">): Run {
  const prompt = run.prompt ?? task.prompt;
  return prompt === run.prompt ? run : { ...run, prompt };
}

/**
 * What is judged otherwise than it may be meant: one problem of each kind for a suite, at its first task; in a dry run also
 * of runs that are yet to be made.
 */
export function runWarnings(jobs: readonly GradingJob[], isDry = false): Problem[] {
  const judged = jobs.filter(({ run, settled }) => run && !settled);
  const ahead = jobs.filter(({ missing, suite }) => isDry && missing && suite.tasks !== "every");
  const kinds = [
    {
      code: "responder-exhausted",
      its: jobs.filter(({ run }) => run?.conversation?.ended === "exhausted"),
      message: (ids: string) =>
        `The responder had more to say than \`max_followups\` allows: ${ids}. These conversations are judged as they ended.`,
      help: "Raise it if the agent did not ask too much.",
    },
    {
      code: "other-prompts",
      its: jobs.filter(({ task, run }) => run && isOtherPrompt(run.prompt, task.prompt)),
      message: (ids: string) =>
        `The prompt in the results is not the one in the task file: ${ids}. The judge gets the one in the results.`,
      help: "If you changed the prompt, run the agent again.",
    },
    {
      code: "no-agent-prompt",
      its: [...judged, ...ahead].filter(({ run, task }) => !hasWords(run ? run.prompt : task.prompt)),
      message: (ids: string) =>
        `The judge does not know the agent's prompt, which neither the eval nor the results have: ${ids}.`,
      help: 'Give the task the agent\'s prompt: in a task file as `prompt:` below `inputs:`, in an `evals.json` as `"prompt"`; without task files, as `prompt` of a record.',
    },
    {
      code: "no-conversation",
      its: judged.filter(({ run, grader }) => run && !hasConversation(run) && grader.continueSession),
      message: (ids: string) =>
        `Graders with \`continue_session: true\` judge only the final output, because these runs have no conversation: ${ids}.`,
      help: "Record it: set `results` to the agent's log, not only its answer; `waza run --skip-graders -o results.json` writes each run's `transcript` and `tool_events`, records have `messages`.",
    },
  ];
  return kinds.flatMap(({ code, its, message, help }) =>
    [...Map.groupBy(its, ({ suite }) => suite)].map(([suite, mine]) => {
      const ids = listedCode(new Set(mine.map(({ task }) => task.id)));
      const say = suite.tasks === "every" ? notice : warning;
      return say(code, message(ids), { help, at: mine[0]?.task.at ?? suite.at });
    }),
  );
}

/** waza fills in templates (`{{…}}`): a prompt with one is a pattern of the prompt sent. */
function isOtherPrompt(recorded = "", current = ""): boolean {
  return (
    hasWords(recorded) && hasWords(current) && !current.includes("{{") && recorded.trim() !== current.trim()
  );
}

function hasWords(text = ""): boolean {
  return text.trim() !== "";
}

/** The job, settled without a judge. */
export function unasked(job: GradingJob): GradingJob {
  const reason = "A dry run asks no judge.";
  return job.settled && !job.missing
    ? job
    : { ...job, settled: { state: "skipped", cause: "dry-run", reason } };
}

/** The job with an empty run if it has none, so that its requests can be counted. */
export function assumeRun(job: GradingJob): GradingJob {
  const { task, missing, settled: _, ...rest } = job;
  if (!missing || job.grader.unsupported !== undefined) return job;
  const run: Run = {
    origin: { file: -1, task: -1, run: -1 },
    taskId: task.id,
    number: missing.number,
    side: missing.side,
    model: missing.model,
    prompt: task.prompt,
    finalOutput: "",
    steps: [],
    agent: "finished",
    recorded: [],
  };
  return { ...rest, task, run };
}

/** The notice of how many runs are assumed, and what the count leaves out. */
export function assumedNotice(jobs: readonly GradingJob[]): Problem[] {
  const missing = new Set(jobs.flatMap((job) => job.missing ?? []));
  if (missing.size === 0) return [];
  const message = `${count(missing.size, "planned run")} ${plural(missing.size, "is", "are")} not in the results: estimated from the task's prompt alone.`;
  const help = "The agent's output will take more tokens than this estimate says.";
  return [notice("runs-assumed", message, { help })];
}
