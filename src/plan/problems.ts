/**
 * Problems of a plan: results that match no task, tasks that are left out, runs of the same identity, runs that several
 * evals claim, and later attempts.
 */
import type { GradingJob } from "../domain/grade.ts";
import { type ResultsFile, type Run, heldRuns } from "../domain/run.ts";
import type { Suite, Task } from "../domain/suite.ts";
import { error, notice, warning, type Problem } from "../domain/problem.ts";
import { spanOfFile } from "../files/confine.ts";
import { missingOfRows, rowsSaid } from "./missing.ts";
import {
  type PlanRequest,
  belongs,
  filesOf,
  hasSides,
  hasWork,
  mentions,
  plannedSuites,
  plannedTasks,
  rowsOfPlan,
  runsById,
  tasksOf,
  whyNotSelected,
} from "./planned.ts";
import { count, listed, listedCode, once, plural, shorten } from "../text/format.ts";
import { alignIds, closest, didYouMean, type NearIds } from "../text/suggest.ts";

/** The problems of a plan, errors first. */
export function problemsOf(
  jobs: readonly GradingJob[],
  request: PlanRequest,
  idle: readonly Problem[],
): Problem[] {
  const nothing = nothingGradable(jobs, request);
  return [
    ...nothing,
    ...idle,
    // The errors of `nothing` already name the tasks or evals that the results have.
    ...(nothing.length > 0 ? [] : unmatched(request)),
    ...idleAdvisory(jobs, request),
    ...withoutLift(request),
  ];
}

/** The code of the problem that no planned run is there. */
export const NO_PLANNED_RUN = "no-planned-run";

const CHECK_THE_RUNS =
  "Check that the agent ran on these tasks before this step, and that `results` matches what it wrote.";

/** An error if no grader has a run: an earlier step failed. */
function nothingGradable(jobs: readonly GradingJob[], request: PlanRequest): Problem[] {
  const { results } = request;
  // Without any job, what keeps them from being made is said.
  if (request.dryRun || jobs.length === 0 || jobs.some(({ run }) => run !== undefined) || !hasWork(request))
    return [];
  if (request.withoutAgent !== undefined) return [];
  const foreign = unmatched(request).filter(({ code }) => code === "unmatched-tasks");
  if (foreign.length > 0 && foreign.length === results.length)
    return foreign.map((one) => ({ ...one, level: "error" }));
  const ids = new Set(jobs.flatMap(({ suite, task }) => (suite.tasks === "every" ? [] : task.id)));
  const near = new Map(
    jobs.flatMap(({ task, missing }): NearIds[] =>
      missing?.meant === undefined ? [] : [[task.id, missing.meant]],
    ),
  );
  const planned = ids.size > 0 ? ` (${listedCode(ids)})` : "";
  const withSkill = results.filter(({ side }) => side === undefined);
  const held = listedCode(withSkill.flatMap(({ runs }) => runs.map(({ taskId }) => shorten(taskId, 100))));
  const message = `The results have no run of a planned task${planned}${held && `; they have ${held}`}.`;
  const isRenamed = near.size > 0 && near.size === ids.size;
  const help = [...alignIds([...near]), ...(isRenamed ? [] : [CHECK_THE_RUNS])].join(" ");
  return [error(isRenamed ? "ids-differ" : NO_PLANNED_RUN, message, { help })];
}

function unmatched({ suites, results }: PlanRequest): Problem[] {
  return results.flatMap((file): Problem[] => {
    const mine = suites.filter((suite) => belongs(file, suite, suites));
    const at = spanOfFile(file.path);
    if (mine.length === 0 && file.evalName !== undefined) {
      const titles = listedCode(suites.map(({ title }) => title));
      const message = `the file has results of the eval \`${file.evalName}\`, which is not among those loaded (${titles}).`;
      const help = "Add that eval file to `eval`, or run the agent again if the eval was renamed.";
      return [warning("unmatched-tasks", message, { help, at })];
    }
    const ids = new Set(file.runs.map(({ taskId }) => taskId));
    for (const suite of mine) {
      if (suite.tasks === "every" || suite.broken) return [];
      for (const { id } of suite.tasks) ids.delete(id);
    }
    if (ids.size === 0) return [];
    const message = `the file has results for unknown tasks, ignored: ${listedCode(ids)}.`;
    return [notice("other-tasks", message, { at })];
  });
}

/** Why a task is not run, and so not graded. */
export function withoutAnyPrompt(
  suite: Suite,
  { id, prompt, at }: Pick<Task, "id" | "prompt" | "at">,
): Problem | undefined {
  if (prompt?.trim()) return undefined;
  return error("task-without-prompt", `the task \`${id}\` has no prompt, so it is not run.`, {
    at: at ?? suite.at,
  });
}

/** A notice for an `advisory` glob that matches no grader. */
function idleAdvisory(jobs: readonly GradingJob[], { advisory = [] }: PlanRequest): Problem[] {
  if (jobs.length === 0) return [];
  const names = new Set(jobs.map(({ grader }) => grader.name));
  const graders = jobs.map(({ grader, suite }) => ({ name: grader.name, suite: suite.title }));
  const idle = advisory.filter((glob) => !graders.some((grader) => mentions(glob, grader)));
  return idle.map((glob) => {
    const help = didYouMean(closest(glob.replace(/^!/, ""), names));
    return notice(
      "idle-advisory",
      `The input \`advisory\` has \`${glob}\`, which matches no prompt grader.`,
      { help },
    );
  });
}

/** An error if `lift` has no runs without the skill; a notice of such runs if `lift` is not set. */
function withoutLift(request: PlanRequest): Problem[] {
  const { results, lift, runsPlan } = request;
  const runs = results.flatMap((file) => (file.side === "without-skill" ? file.runs : []));
  if (lacksLift({ results, lift, runsPlan }))
    return [
      error("no-runs-without-skill", "`lift` is set, and no run says that it is without the skill.", {
        help: "Make those runs with `waza-grade run --lift`, or say `side` in their run.json or records.",
      }),
    ];
  if (lift) return missingSides(request);
  if (runs.length === 0) return [];
  const message = `${count(runs.length, "run")} without the skill ${plural(runs.length, "is", "are")} not graded.`;
  return [notice("lift-not-set", message, { help: "Set `lift: true` to see what the skill is worth." })];
}

/** A warning for runs without the skill that run.json say were planned: a shard that was killed is no smaller suite. */
function missingSides(request: PlanRequest): Problem[] {
  const missing = plannedSuites(request).flatMap((suite) => {
    const files = filesOf(suite, request);
    const bare = filesOf(suite, request, "without-skill");
    const held = heldRuns([...files, ...bare]);
    const byId = runsById(bare);
    const { runsPlan } = request;
    const rows = runsPlan
      ? rowsOfPlan(runsPlan, suite).filter(({ side }) => side !== undefined)
      : rowsSaid(held.filter(({ run }) => run.ofSides === 2));
    if (rows.length === 0) return [];
    return plannedTasks(suite, files, request).flatMap(({ id }) =>
      missingOfRows({ id, held: byId.get(id) ?? [] }, rows).map(() => id),
    );
  });
  if (missing.length === 0) return [];
  const message = `${count(missing.length, "planned run")} without the skill ${plural(missing.length, "is", "are")} missing, of ${listedCode([...new Set(missing)])}.`;
  return [
    warning("missing-side-runs", message, {
      help: "Check the job that ran them: `lift` counts only tasks with runs of both sides.",
    }),
  ];
}

/** True if `lift` asks for runs without the skill, and there are none: a broken skill would pass for one that is worth nothing. */
export function lacksLift({
  results,
  lift,
  runsPlan,
}: Pick<PlanRequest, "results" | "lift" | "runsPlan">): boolean {
  // Planned ones are missing by themselves.
  if (runsPlan && hasSides(runsPlan)) return false;
  const isBare = ({ side, runs }: ResultsFile) => side === "without-skill" && runs.length > 0;
  return lift === true && results.length > 0 && !results.some(isBare);
}

/** Errors for `tasks` globs that match nothing or exclude everything: a typo must not narrow the grading. */
export function idleGlobs(request: PlanRequest): Problem[] {
  const { suites, tasks: globs = [] } = request;
  const known = suites.map((suite) => tasksOf(suite, filesOf(suite, request)));
  // With an unreadable file or missing results, the task names are incomplete.
  const open = suites.some((suite, index) => suite.broken || known[index]?.some(({ id }) => id === "*"));
  if (open) return [];
  const tasks = suites.flatMap(({ title, key }, index) =>
    (known[index] ?? []).map(({ id, name }) => ({ id, name, suite: title, key })),
  );
  const idle = globs
    .filter((glob) => !tasks.some((task) => mentions(glob, task)))
    .map((glob) => ofEval(glob, suites) ?? idleGlob(glob, tasks));
  if (idle.length > 0) return idle;
  const whyLeft = (suite: Suite, task?: Task) => task && whyNotSelected(globs, suite, task);
  if (!hasWork({ suites }) || hasWork({ suites, whyLeft })) return [];
  const help = "Use tasks that are enabled and have a prompt grader.";
  return [error("nothing-to-grade", "The input `tasks` leaves nothing to grade.", { help })];
}

/** The name of an eval, where its tasks are meant. */
function ofEval(glob: string, suites: readonly Suite[]): Problem | undefined {
  const meant = suites.find(({ title, skill }) => [title, skill].includes(glob));
  if (meant === undefined) return undefined;
  return error("eval-as-task", `The input \`tasks\` has \`${glob}\`, which is an eval and no task.`, {
    help: `Write \`${meant.title}/*\` for all of its tasks.`,
  });
}

function idleGlob(
  glob: string,
  tasks: readonly (Pick<Task, "id" | "name"> & { readonly suite: string })[],
): Problem {
  const bare = glob.replace(/^!/, "");
  const meant = closest(bare, new Set(tasks.flatMap(({ id, name }) => [id, name])));
  const meantSuite = tasks.filter(({ suite }) => bare.startsWith(`${suite}/`));
  const ids = (meantSuite.length > 0 ? meantSuite : tasks).map(({ id, suite }) =>
    shorten(`${suite}/${id}`, 100),
  );
  const parts = bare.split(",").map((part) => part.trim());
  if (parts.length > 1 && parts.every((part) => tasks.some((task) => mentions(part, task)))) {
    const flags = parts.map((part) => `--tasks ${part}`).join(" ");
    const message = `The input \`tasks\` has several tasks in one entry: \`${glob}\`.`;
    return error("idle-tasks", message, { help: `Write one a line; at the command line \`${flags}\`.` });
  }
  const there = ids.length === 0 || meant !== undefined ? "" : ` There is ${listedCode(ids)}.`;
  return error("idle-tasks", `The input \`tasks\` has \`${glob}\`, which matches no task.`, {
    help: `${didYouMean(meant) ?? "Correct it, or remove it:"} \`tasks\` takes ids or names of tasks, one per line, not files.${there}`,
  });
}

/**
 * Evals with nothing to grade. It is a configuration problem if the input `eval` names the file itself, or if all files
 * that its globs match are empty: an empty eval must not be green.
 */
export function idleEvals(suites: readonly Suite[], evals: "given" | "default"): Problem[] {
  const whole = suites.filter(({ broken }) => !broken);
  const idle = whole.filter((suite) => !hasWork({ suites: [suite] }));
  const all = evals === "given" && idle.length === suites.length;
  return idle.map((suite) => ({
    level: all || suite.named ? "error" : "notice",
    code: "eval-without-graders",
    message:
      "nothing in it is graded, since it has no prompt grader of an enabled task (in a skill's evals, no `assertions`).",
    help: "Add one to it or to one of its tasks, or leave it out of `eval`.",
    at: suite.at,
  }));
}

type Planned = Pick<GradingJob, "file"> & { readonly run: Run };

/**
 * Leaves out the jobs of a second run with the same suite, task, model and number: a verdict could not be matched to
 * either. Each pair of files with such runs is one error that names both.
 */
export function withoutSameRuns(jobs: readonly GradingJob[]): { jobs: GradingJob[]; problems: Problem[] } {
  const suites = new Map<object, Map<string, Planned>>();
  const second = new Set<Run>();
  const pairs = new Map<string, { first: Planned; later: Planned; runs: Set<string> }>();
  for (const { suite, task, run, file } of jobs) {
    if (!run) continue;
    const known = once(suites, suite, () => new Map<string, Planned>());
    const key = JSON.stringify([task.id, run.model, run.number, run.side]);
    const later = { run, file };
    const first = once(known, key, () => later);
    if (first.run === run) continue;
    second.add(run);
    const files = JSON.stringify([runSource(first), runSource(later)]);
    const pair = once(pairs, files, () => ({ first, later, runs: new Set<string>() }));
    pair.runs.add(`run ${String(run.number)} of \`${task.id}\` by \`${run.model}\``);
  }
  return {
    jobs: jobs.filter(({ run }) => !run || !second.has(run)),
    problems: [...pairs.values()].map(({ first, later, runs }) => problemOf(first, later, [...runs])),
  };
}

function runSource({ run, file }: Planned): string {
  return run.source ?? file?.path ?? "";
}

function problemOf(first: Planned, later: Planned, runs: readonly string[]): Problem {
  const [source, file] = [runSource(first), runSource(later)];
  const where = source === file ? `\`${source}\` has` : `\`${source}\` and \`${file}\` have`;
  const message = `${where} different runs with the same task, model and number; only the first is graded: ${listed(runs)}.`;
  const at = spanOfFile(file);
  return error("same-runs", message, { help: `${howToTellApart(later)} ${LEAVE_OUT}`, at });
}

const LEAVE_OUT = "If one is older, or has the same runs, leave it out of `results`.";

/** What to write so that two runs are not taken for one, where they are written. */
function howToTellApart({ run, file }: Planned): string {
  if (run.isSaid)
    return "Run each agent with a `model`, which its run.json then names, or with an `out` of its own that is graded by itself; in a run.json of your own, set `model` or `trial`.";
  if (file?.format === undefined)
    return "Number them. In one `waza run`, the eval's `trials_per_task` does it; in the results of a second one, change `run_number`, for example with `jq '.tasks[].runs[].run_number += 10'`.";
  if (file.format === "records") return "Set `model` in the records, or `trial` to a number of its own.";
  return "Name the files `<task-id>.<trial>`.";
}

const APART =
  "Give each eval its own `name`, and put its files below a folder with that name (`logs/<eval>/<task-id>.jsonl` for `results: logs/**/*.jsonl`), or grade each eval in a separate step, with its `eval` and `results`.";

type Claim = GradingJob & Planned;

/**
 * Leaves out the jobs of runs that several evals claim, with one problem for all. Evals that list the same task file share
 * its runs, and one without tasks takes all.
 */
export function withoutSharedRuns(jobs: readonly GradingJob[]): { jobs: GradingJob[]; problems: Problem[] } {
  const claims = new Map<string, Claim[]>();
  // Each eval has its own copy of a run, with the prompt of its task.
  for (const job of jobs) if (isClaim(job)) once(claims, JSON.stringify(job.run.origin), () => []).push(job);
  const shared = [...claims.values()].filter(isClaimedTwice);
  const [first] = shared;
  if (!first) return { jobs: [...jobs], problems: [] };
  const named = shared.map((its) => {
    const evals = listedCode(its.map(({ suite }) => suite.key ?? suite.title));
    const [{ run, file }] = its as [Claim];
    return `\`${run.source ?? file?.path ?? ""}\` (the task \`${shorten(run.taskId, 100)}\` of ${evals})`;
  });
  const at = spanOfFile(first[0]?.run.source ?? "");
  const message = `Several evals have a task with the same id, and nothing says which of them these runs belong to: ${listed(named)}.`;
  const left = new Set<GradingJob>(shared.flat());
  return {
    jobs: jobs.filter((job) => !left.has(job)),
    problems: [error("shared-runs", message, { help: APART, at })],
  };
}

function isClaim(job: GradingJob): job is Claim {
  return job.run !== undefined && job.suite.tasks !== "every";
}

function isClaimedTwice(jobs: readonly GradingJob[]): boolean {
  const suites = new Set(jobs.map(({ suite }) => suite));
  const files = new Set(jobs.map(({ task, suite }) => task.at?.path ?? suite));
  return suites.size > 1 && files.size > 1;
}

/** An error if files are of attempts after `newest`, the current one; 0 outside GitHub, where it is unknown. */
export function laterAttempts(files: readonly { readonly results: ResultsFile }[], newest = 0): Problem[] {
  const later = files.filter(({ results: { attempt = 0 } }) => newest > 0 && attempt > newest);
  const [first] = later;
  if (!first) return [];
  const message = `Results of later attempts than this workflow has had (the latest is ${String(newest)}): ${listedCode(later.map(({ results }) => results.path))}.`;
  const help =
    "`attempt` in run.json is the `github.run_attempt` of the job that ran the agent: keep the agent from writing there.";
  return [error("later-attempts", message, { help, at: spanOfFile(first.results.path) })];
}
