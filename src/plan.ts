/** Suites and runs to grading jobs: who is graded by whom, with which judge model, and what needs no judge. */
import { listed, shorten } from "./format.ts";
import { closest } from "./suggest.ts";
import type { Grader, GradingJob, Problem, ResultsFile, Run, Suite, Task, Verdict } from "./domain.ts";

/** Used when neither a grader, nor the input, nor `.waza.yaml`, nor the eval file names a judge model. */
export const DEFAULT_JUDGE_MODEL = "gpt-4o-mini";

export interface PlanRequest {
  readonly suites: readonly Suite[];
  readonly results: readonly ResultsFile[];
  /** The `judge-model` input, when set. */
  readonly judgeModel?: string;
  /** Why a model cannot be asked (a pull request from a fork has no key): its grades are skipped with it. */
  readonly withoutKey?: (model: string) => string | undefined;
}

export interface Plan {
  readonly jobs: readonly GradingJob[];
  readonly problems: readonly Problem[];
  /** True when one of the problems makes any judge call a waste. */
  readonly blocked?: boolean;
}

/** True when some enabled task of a readable suite has a prompt grader, so that results are needed at all. */
export function hasWork(suites: readonly Suite[]): boolean {
  return suites.some((suite) => {
    if (suite.broken) return false;
    if (suite.tasks === "every") return suite.graders.length > 0;
    return suite.tasks.some((task) => task.enabled && gradersOf(suite, task).length > 0);
  });
}

/**
 * Jobs in the order of the files: suite, task, results file, run, grader. A task without a run becomes one skipped
 * job per grader. Results whose task or eval nobody loaded are listed, never dropped in silence.
 */
export function planJobs(request: PlanRequest): Plan {
  const jobs = request.suites.filter(({ broken }) => !broken).flatMap((suite) => jobsOfSuite(suite, request));
  return {
    jobs,
    problems: [
      ...nothingGradable(jobs, request),
      ...unmatched(request),
      ...ofSomeModels(jobs),
      ...disabled(request),
      ...ungrounded(jobs),
    ],
  };
}

/** waza runs the eval's graders and the task's; a task's grader replaces the eval's of the same name. */
function gradersOf(suite: Suite, task: Task): readonly Grader[] {
  const replaced = new Set([...task.graders, ...task.otherGraders].map(({ name }) => name));
  return [...suite.graders.filter(({ name }) => !replaced.has(name)), ...task.graders];
}

function jobsOfSuite(suite: Suite, request: PlanRequest): GradingJob[] {
  const files = request.results.filter((file) => belongs(file, suite, request.suites));
  const runsById = Map.groupBy(
    files.flatMap((file) => file.runs.map((run) => ({ file, run }))),
    ({ run }) => run.taskId,
  );
  const left = leftOver(suite, runsById.keys());
  return tasksOf(suite, files).flatMap((task): GradingJob[] => {
    const graders = gradersOf(suite, task);
    const runs = runsById.get(task.id) ?? [];
    const base = (grader: Grader) => ({
      suite,
      task,
      grader,
      judgeModel: grader.model ?? request.judgeModel ?? suite.judgeModel ?? DEFAULT_JUDGE_MODEL,
    });
    if (runs.length === 0) {
      const settled = withoutResults(task, suite, left);
      return graders.map((grader) => ({ ...base(grader), settled }));
    }
    return runs.flatMap(({ file, run }) =>
      graders.map((grader) => {
        const job = base(grader);
        const settled = settledVerdict(grader, run, request.withoutKey?.(job.judgeModel));
        return { ...job, file, run, ...(settled ? { settled } : {}) };
      }),
    );
  });
}

/**
 * Results that carry an `eval_name` belong to the loaded suite of that name; unnamed results, and suites without a
 * name, meet by task id.
 */
function belongs(file: ResultsFile, suite: Suite, suites: readonly Suite[]): boolean {
  if (file.evalName === undefined) return true;
  if (suite.name !== undefined) return suite.name === file.evalName;
  return !suites.some(({ name }) => name === file.evalName);
}

function tasksOf(suite: Suite, files: readonly ResultsFile[]): readonly Task[] {
  if (suite.tasks !== "every") return suite.tasks.filter(({ enabled }) => enabled);
  const byId = new Map<string, Task>();
  for (const run of files.flatMap(({ runs }) => runs)) {
    if (byId.has(run.taskId)) continue;
    const name = run.taskName ?? run.taskId;
    byId.set(run.taskId, { id: run.taskId, name, enabled: true, graders: [], otherGraders: [], files: [] });
  }
  return [...byId.values()];
}

function withoutResults(task: Task, suite: Suite, ids: LeftOver): Verdict {
  if (ids.none) return skipped(`The results hold no run of any task of \`${suite.title}\`.`);
  const meant = closest(task.id, ids.unclaimed);
  const hint = meant === undefined ? "" : ` Did you mean \`${meant}\`, which they do hold?`;
  return skipped(`The results hold no run of the task \`${task.id}\`.${hint}`);
}

/** Ids of the results that no task of the suite claims: a misspelled task may be meant by one of the first of them. */
interface LeftOver {
  readonly none: boolean;
  readonly unclaimed: readonly string[];
}

function leftOver(suite: Suite, ids: Iterable<string>): LeftOver {
  const claimed = new Set(suite.tasks === "every" ? [] : suite.tasks.map(({ id }) => id));
  const all = [...ids];
  return { none: all.length === 0, unclaimed: all.filter((id) => !claimed.has(id)).slice(0, 100) };
}

function skipped(reason: string): Verdict {
  return { state: "skipped", cause: "no-results", reason };
}

/** What is known of a grade before any judge is asked. */
function settledVerdict(grader: Grader, run: Run, withoutKey: string | undefined): Verdict | undefined {
  if (withoutKey !== undefined) return { state: "skipped", cause: "no-key", reason: withoutKey };
  if (run.agent === "failed") {
    const said = run.errorMessage ? `: ${run.errorMessage}` : ", without a message";
    const note = `The agent never got to work. Its run ended in an error${said}`;
    return { state: "graded", checks: [], score: 0, passed: false, note };
  }
  if (run.agent === "grader-failed") {
    return errored("graders-failed", `waza's own graders broke off this run: ${run.errorMessage ?? ""}`, {
      help: "Run the agent alone, with `waza run --skip-graders`, and let this action grade.",
    });
  }
  if (grader.unsupported !== undefined) {
    return errored(
      "unsupported",
      `The grader asks for \`${grader.unsupported}\`, which is not supported yet.`,
      {
        help: "Remove the option: a later version will support it.",
      },
    );
  }
  if (run.finalOutput.trim() === "" && !hasConversation(run)) {
    return errored(
      "no-evidence",
      "The run holds neither a final output nor a conversation, so there is nothing to judge.",
      {
        help: "Check the step that runs the agent: it has to leave what the agent said, as `final_output` or `transcript` in waza's results, `output` or `messages` in records, text in a text file.",
      },
    );
  }
  return hasConversation(run) ? undefined : needsConversation(grader);
}

function hasConversation({ steps }: Run): boolean {
  return steps.some(({ kind }) => kind === "assistant" || kind === "tool");
}

/** How a conversation comes into the results. */
const RECORD_IT =
  "Record it: `waza run --skip-graders -o results.json` writes each run's `transcript` and `tool_events`, records have `messages`; keep them.";

function needsConversation({ continueSession, rubric }: Grader): Verdict | undefined {
  if (continueSession) {
    return errored(
      "no-evidence",
      "The grader has `continue_session: true`, and the run holds no conversation of the agent to resume.",
      { help: `${RECORD_IT} Or set \`continue_session: false\`, so that the final output alone is judged.` },
    );
  }
  if (rubric?.source !== "built-in" || rubric.name !== "tool-use-appropriateness") return undefined;
  const message =
    "The rubric `tool-use-appropriateness` judges the agent's tool calls, and the run holds no conversation.";
  return errored("no-evidence", message, { help: RECORD_IT });
}

/** What a claim is grounded in stands in the conversation, unless the task itself or its files bring it along. */
function ungrounded(jobs: readonly GradingJob[]): Problem[] {
  const doubtful = jobs.filter(
    ({ grader: { rubric }, run, settled, task }) =>
      rubric?.source === "built-in" &&
      rubric.name === "groundedness" &&
      run &&
      !settled &&
      !hasConversation(run) &&
      (task.files ?? []).length === 0 &&
      task.contextDir === undefined,
  );
  const [first] = doubtful;
  if (!first) return [];
  const ids = [...new Set(doubtful.map(({ task }) => `\`${task.id}\``))];
  return [
    {
      level: "warning",
      message: `The rubric \`groundedness\` has only the task's prompt to hold the answer against, for want of a conversation: ${listed(ids)}.`,
      help: RECORD_IT,
      at: first.grader.at,
    },
  ];
}

function errored(
  errorClass: "graders-failed" | "unsupported" | "no-evidence",
  message: string,
  more: { help: string },
): Verdict {
  return { state: "errored", error: { class: errorClass, message, ...more } };
}

/** Graders, but not one run to grade: a step before ours went wrong. */
function nothingGradable(jobs: readonly GradingJob[], { suites, results }: PlanRequest): Problem[] {
  if (jobs.some(({ run }) => run !== undefined) || !hasWork(suites)) return [];
  const ids = [...new Set(jobs.map(({ task }) => `\`${task.id}\``))];
  const others = new Set(
    results.flatMap((file) =>
      suites.some((suite) => belongs(file, suite, suites)) ? [] : `\`${shorten(file.evalName ?? "", 100)}\``,
    ),
  );
  if (others.size > 0 && results.every((file) => !suites.some((suite) => belongs(file, suite, suites)))) {
    const loaded = listed(suites.map(({ title }) => `\`${title}\``));
    const message = `The results are of the eval ${listed([...others])}, which is not among those loaded (${loaded}).`;
    const help = "Run the agent again if the eval was renamed, or name that eval's file in `eval`.";
    return [{ level: "error", message, help }];
  }
  return [
    {
      level: "error",
      message: `The results hold no run of any task that was to be graded${ids.length > 0 ? ` (${listed(ids)})` : ""}${heldInstead(results)}.`,
      help: "Check that the step before this one ran the agent on these tasks, and that `results` names what it wrote.",
    },
  ];
}

function heldInstead(results: readonly ResultsFile[]): string {
  const held = new Set(
    results.flatMap(({ runs }) => runs.map(({ taskId }) => `\`${shorten(taskId, 100)}\``)),
  );
  return held.size === 0 ? "" : `; they hold ${listed([...held])}`;
}

/** A model that did not run all the tasks that others did: its mean is not to be held against theirs. */
function ofSomeModels(jobs: readonly GradingJob[]): Problem[] {
  const suites = Map.groupBy(
    jobs.filter(({ run }) => run !== undefined && run.model !== ""),
    ({ suite }) => suite,
  );
  return [...suites].flatMap(([suite, mine]): Problem[] => {
    const models = Map.groupBy(mine, ({ run }) => run?.model ?? "");
    const tasks = [...new Set(mine.map(({ task }) => task.id))];
    const missing = [...models].flatMap(([model, its]) => {
      const ran = new Set(its.map(({ task }) => task.id));
      return tasks.filter((id) => !ran.has(id)).map((id) => `\`${id}\` by \`${model}\``);
    });
    if (missing.length === 0) return [];
    const message = `\`${suite.title}\`: the results hold no run of ${listed(missing)}, though of other models.`;
    const help = "Check the step that runs the agent; scores of models that ran other tasks do not compare.";
    return [{ level: "warning", message, help, at: suite.at }];
  });
}

/** What was left out on purpose leaves a trace. */
function disabled({ suites }: PlanRequest): Problem[] {
  return suites.flatMap((suite): Problem[] => {
    const off = suite.tasks === "every" ? [] : suite.tasks.filter(({ enabled }) => !enabled);
    if (off.length === 0) return [];
    const message = `\`${suite.title}\`: disabled, so not graded: ${listed(off.map(({ id }) => `\`${id}\``))}.`;
    return [{ level: "notice", message, at: suite.at }];
  });
}

function unmatched({ suites, results }: PlanRequest): Problem[] {
  return results.flatMap((file): Problem[] => {
    const mine = suites.filter((suite) => belongs(file, suite, suites));
    const at = { path: file.path, startLine: 1, endLine: 1, inRepository: false };
    if (mine.length === 0 && file.evalName !== undefined) {
      const names = listed(suites.map(({ title }) => `\`${title}\``));
      const message = `\`${file.path}\` holds results of the eval \`${file.evalName}\`, which is not among those loaded (${names}).`;
      return [
        {
          level: "warning",
          message,
          help: "Add that eval file to `eval`, or run the agent again if the eval was renamed.",
          at,
        },
      ];
    }
    const ids = new Set(file.runs.map(({ taskId }) => taskId));
    for (const suite of mine) {
      if (suite.tasks === "every" || suite.broken) return [];
      for (const { id } of suite.tasks) ids.delete(id);
    }
    if (ids.size === 0) return [];
    const message = `\`${file.path}\` holds results of tasks that no loaded eval names, left out: ${listed([...ids].map((id) => `\`${id}\``))}.`;
    return [{ level: "notice", message, at }];
  });
}
