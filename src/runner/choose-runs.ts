/**
 * Which runs are made, and what is wrong before any agent is paid: what grading would refuse or leave out is not run. As
 * there, what is wrong with one file or task keeps no other from being run.
 */
import { dirname, join, posix, relative, resolve } from "node:path";
import { AGAIN_LIST } from "../domain/run.ts";
import { gradersOf, type Skill, type Suite, type Task } from "../domain/suite.ts";
import { error, isError, notice, warning, type Problem } from "../domain/problem.ts";
import { loadSuites } from "../evals/load-suites.ts";
import { problem } from "../evals/problems.ts";
import { loadTriggers } from "../evals/triggers.ts";
import { slashes } from "../files/confine.ts";
import { findFiles, statsOf } from "../files/find.ts";
import { saysName, skillsIn } from "../evals/skills.ts";
import type { Changes } from "../github/changes.ts";
import { type ListOfRuns, readList } from "../outputs/list-of-runs.ts";
import { skillDigests, taskDigests, taskOfRun } from "../outputs/task-digest.ts";
import { type WhyLeft, choose, leftOutProblems } from "../plan/left-out.ts";
import { hasWork, plannedSuites } from "../plan/planned.ts";
import { idleEvals, idleGlobs, withoutAnyPrompt } from "../plan/problems.ts";
import { listedCode, mergeProblems, namesIn, shorten } from "../text/format.ts";
import { canResume, skillsFolderOf } from "./agents.ts";
import {
  planRuns,
  planWazaRuns,
  runFolder,
  runsOfShard,
  type PlannedRun,
  type RunsRequest,
} from "../plan/runs.ts";
import type { RunOptions } from "./run-options.ts";
import { lacksSkill, misplacedFile, skillCopies, skillsOf, type SkillCopies } from "./workspace.ts";

export type Chosen = Awaited<ReturnType<typeof chooseRuns>>;

/** What the choice of runs goes by. */
type ChoiceOptions = Pick<RunOptions, "agent" | "resumes" | "tasks" | "changedOnly" | "triggers" | "lift"> &
  Partial<Pick<RunOptions, "model" | "trials" | "evals" | "plan" | "failedIn" | "shard">>;

/** The planned runs, with all problems that are known before one is made: for `run`, and for `init`, which promises them. */
export async function chooseRuns(
  options: ChoiceOptions,
  workspace: string,
  changes?: (root: string) => Promise<Changes>,
) {
  const list = options.plan === undefined ? undefined : await listedRuns(options.plan, options, workspace);
  const { suites, problems: all } = list ?? (await suitesToRun(options, workspace));
  const idle = idleGlobs({ suites, results: [], tasks: options.failedIn ?? options.tasks });
  const choosing = { tasks: options.tasks, changes: options.changedOnly ? changes : undefined };
  const { whyLeft, ...chosen } = await choose(suites, choosing);
  const whole = plannedSuites({ suites, whyLeft });
  const { runs: every, left } = list
    ? { runs: list.runs, left: [] }
    : runsOfSuites(whole, { ...options, whyLeft });
  const problems = [...all, ...withoutFiles(every)];
  const wrong = new Map(
    every.flatMap(({ suite, task }) => {
      const problem = task && (withoutAnyPrompt(suite, task) ?? problemOfTask(task, options));
      return problem ? [[task, problem]] : [];
    }),
  );
  const isFine = ({ task }: PlannedRun) => task === undefined || !(wrong.has(task) || lackedBy(task));
  const planned = runsOfShard(every, options.shard).filter(isFine);
  const copies = skillCopies(suites, workspace);
  const skills = [...new Set(planned.flatMap(skillsOf))];
  const found = [
    ...mergeProblems(problems.filter(isError)),
    ...idle,
    ...left,
    ...wrong.values(),
    ...refusals(every, options),
    ...withoutTasks(suites),
    ...mergeProblems(problems.filter((one) => !isError(one))),
    ...chosen.problems,
    ...leftOutProblems({ suites, whyLeft: (suite) => whyLeft(suite) }, "Not run"),
    ...(await withoutItsSkill(planned, options, workspace)),
    ...(await namedAndNotGiven(planned)),
    ...withoutName(skills, workspace),
    ...(await refusedLinks(skills, copies)),
  ];
  const errors = found.filter(isError);
  const skillDigestOf = skillDigests();
  return {
    /** All evals that were read. */
    suites,
    planned,
    /** The planned runs of all shards. */
    all: every.filter(isFine),
    /** What is not to be run, and why. */
    left: list?.left ?? leftOut(suites, whyLeft, wrong),
    /** The evals that were named; absent for all. */
    evals: (list ?? options).evals,
    /** The commits between which what is not changed is left out. */
    between: (list ?? chosen).between,
    /** What an agent gets of skills. */
    copies,
    /** `task_sha256` of a run, of the checkout as it is before the first agent starts. */
    digestOf: taskDigests(skillDigestOf),
    /** The digest of a suite's skill, then. */
    skillDigestOf,
    /** Nothing is started: the call itself is wrong, or nothing is left to run. */
    isFatal: errors.some(({ at }) => at === undefined) || (every.length === 0 && errors.length > 0),
    problems: [...errors, ...found.filter((one) => !isError(one))],
  };
}

/** The runs that a list plans for this agent and model, and all evals that it was made of. */
async function listedRuns(file: string, options: ChoiceOptions, workspace: string) {
  const list = readList(file);
  const { evals, changes: between, left = [], runs: all = [] } = list ?? {};
  const rows = all.filter(({ agent, model }) => agent === options.agent && model === options.model);
  const kinds = [...new Set(rows.map(({ trigger }) => trigger !== undefined))];
  const sources = await Promise.all(
    kinds.map(async (triggers) => await suitesToRun({ ...options, evals, triggers }, workspace)),
  );
  const suites = sources.flatMap((one) => one.suites);
  const found = rows.map((row) => ({ row, ...taskOfRun(suites, row) }));
  const runs = found.flatMap(({ row, suite, task }): PlannedRun[] => {
    if (!suite) return [];
    const { trial = 1, side, again } = row;
    const same = found.filter((other) => other.suite === suite && other.task === task);
    const trials = task ? Math.max(...same.map((one) => one.row.trial ?? 1)) : (suite.trials ?? 1);
    const sides = same.some((one) => one.row.side) ? 2 : 1;
    const run = { suite, task, trial, side, again, trials, sides } as const;
    return [{ ...run, folder: runFolder(run, row) }];
  });
  const gone = found.flatMap(({ row, suite }) =>
    suite ? [] : `${row.eval}: ${row.task ?? row.trigger ?? ""}`,
  );
  const named = `\`${slashes(relative(workspace, file))}\``;
  const wrong =
    list === undefined
      ? `${named} is ${statsOf(file) ? "no list of runs" : "not there"}: name \`runs.json\`, or the \`${AGAIN_LIST}\` that grading writes where more runs could make it red.`
      : rows.length === 0 && all.length > 0
        ? `${named} plans no run of this agent and model.`
        : gone.length > 0
          ? `${named} plans what no eval has: ${listedCode(gone)}.`
          : undefined;
  const problems = sources.flatMap((one) => one.problems);
  return {
    suites,
    runs,
    left,
    evals,
    between,
    problems: wrong === undefined ? problems : [error("wrong-list", wrong), ...problems],
  };
}

/** What is not to be run, and why. */
function leftOut(
  suites: readonly Suite[],
  whyLeft: WhyLeft,
  wrong: ReadonlyMap<Task | undefined, Problem>,
): ListOfRuns["left"] {
  return suites.flatMap((suite): ListOfRuns["left"] => {
    const path = suite.at.path;
    const whole = whyLeft(suite);
    if (whole !== undefined) return [{ eval: path, why: whole }];
    return (suite.tasks === "every" ? [] : suite.tasks).flatMap((task): ListOfRuns["left"] => {
      const why = whyLeft(suite, task) ?? wrong.get(task)?.message ?? lackedBy(task);
      return why === undefined ? [] : [{ eval: path, task: task.id, why }];
    });
  });
}

/** The evals to run, and what is said of them: where there are any, only errors and files that are not read; grading says the rest. */
async function suitesToRun(
  { triggers, evals }: ChoiceOptions,
  workspace: string,
): Promise<{ readonly suites: readonly Suite[]; readonly problems: readonly Problem[] }> {
  if (triggers) {
    const { suites, problems } = await loadTriggers(workspace);
    const none = suites.length > 0 ? [] : [problem("no-triggers-found", undefined)];
    return { suites, problems: [...problems, ...none] };
  }
  const { suites, problems, unread } = await loadSuites(evals, workspace);
  const said = problems.filter((one) => isError(one) || one.code === "other-skill");
  return { suites, problems: suites.length > 0 ? [...said, ...unread] : problems };
}

/** The files of these runs that are not there: without them a task would be paid for in vain. */
function withoutFiles(runs: readonly PlannedRun[]): Problem[] {
  const files = new Set(runs.flatMap(({ task }) => task?.files ?? []));
  return [...files].flatMap((file) => {
    if (!("missing" in file) || isError(file.missing)) return [];
    const message = `${file.missing.message} So its task is not run.`;
    return [{ ...file.missing, level: "error", message }];
  });
}

/** The files that a task names and that are not there, in a sentence. */
function lackedBy({ files }: Task): string | undefined {
  const names = files.flatMap((file) => ("missing" in file ? file.name : []));
  return names.length === 0 ? undefined : `its files are not there: ${listedCode(names)}.`;
}

/** The runs of these evals; `left` is what no judge looks at, and so is not run. */
function runsOfSuites(
  suites: readonly Suite[],
  options: ChoiceOptions & Pick<RunsRequest, "whyLeft">,
): { readonly runs: readonly PlannedRun[]; readonly left: readonly Problem[] } {
  if (options.triggers) return { runs: planRuns({ ...options, suites }), left: [] };
  const judged = suites.filter((suite) => hasWork({ suites: [suite] }));
  const idle = idleEvals(suites, options.evals === undefined ? "default" : "given");
  const request = { ...options, suites: judged };
  if (options.agent === "waza") {
    const ofWaza = judged.filter(({ at }) => !at.path.endsWith(".json"));
    return { runs: planWazaRuns({ ...request, suites: ofWaza }), left: idle };
  }
  return {
    runs: planRuns(request).filter(({ suite, task }) => !task || gradersOf(suite, task).length > 0),
    left: [...idle, ...judged.flatMap(withoutGrader)],
  };
}

/** One notice for an eval with tasks that no judge looks at. */
function withoutGrader(suite: Suite): Problem[] {
  const tasks = suite.tasks === "every" ? [] : suite.tasks;
  const unjudged = tasks.filter((task) => task.enabled && gradersOf(suite, task).length === 0);
  if (unjudged.length === 0) return [];
  const ids = listedCode(unjudged.map(({ id }) => id));
  const message = `no prompt grader (in a skill's evals, no \`assertions\`), so not run: ${ids}.`;
  return [notice("tasks-without-grader", message, { at: suite.at })];
}

/** Why a task is not run: its further turns cannot be made, or it has a file that would replace its skill or what an agent is set up by. */
function problemOfTask(task: Task, { agent, resumes }: ChoiceOptions): Problem | undefined {
  const { id, at, further } = task;
  if (further && !canResume(agent, resumes)) {
    const who = agent === "command" ? "the `command`" : agent;
    const message = `the task \`${id}\` has further turns, and ${who} is not known to take one, so it is not run.`;
    const help =
      agent === "command"
        ? "If it can go on with a session, set `resumes`: it is called again for each turn."
        : undefined;
    return error("no-further-turn", message, { help, at });
  }
  const file = misplacedFile(task, skillsFolderOf(agent));
  if (file === undefined) return undefined;
  const message = `the task \`${id}\` puts \`${file}\` where agents keep their skills and settings, so it is not run.`;
  const help = "Give the file another path: the agent gets the skill by itself.";
  return error("task-file-misplaced", message, { help, at });
}

/** A warning for each skill with links that the agent cannot follow. */
async function refusedLinks(skills: readonly Skill[], copies: SkillCopies): Promise<Problem[]> {
  const lists = await Promise.all(skills.map(async (skill) => ({ skill, ...(await copies(skill)) })));
  return lists.flatMap(({ skill, refused }) => {
    if (refused.length === 0) return [];
    const message = `The skill \`${skill.name}\` has links that lead out of the checkout or nowhere, so the agent lacks them: ${listedCode(refused)}.`;
    return [warning("refused-links", message, { help: "Replace each by the file that it means." })];
  });
}

/**
 * A warning for each eval that names a skill, or is run without it as well, where that skill is not there; and a notice
 * for one that names none, in a repository that has some.
 */
async function withoutItsSkill(
  planned: readonly PlannedRun[],
  { agent }: ChoiceOptions,
  workspace: string,
): Promise<Problem[]> {
  if (agent === "waza") return [];
  const bare = planned.filter(
    ({ suite, task }) => task?.shouldTrigger === undefined && suite.tested === undefined,
  );
  const isMeant = new Set(bare.filter((run) => lacksSkill(run, agent)).map(({ suite }) => suite));
  const suites = [...new Set(bare.map(({ suite }) => suite))];
  const others = suites.some((suite) => !isMeant.has(suite)) ? await skillsIn(workspace) : [];
  return suites.flatMap((suite) => {
    const { skill, at } = suite;
    if (!isMeant.has(suite)) return others.length > 0 ? [problem("names-no-skill", at, others.length)] : [];
    const which = skill === undefined ? "" : ` \`${skill}\``;
    return warning("skill-not-found", `the skill${which} of this eval was not found: the agent gets none.`, {
      help: "It is a folder with a SKILL.md, at or above the eval, or of that name.",
      at,
    });
  });
}

/** A warning for the skills whose SKILL.md has no name: most agents do not load such a skill. */
function withoutName(skills: readonly Skill[], workspace: string): Problem[] {
  const unnamed = skills
    .filter((skill) => !saysName(skill))
    .map(({ folder }) => slashes(relative(workspace, join(folder, "SKILL.md"))));
  if (unnamed.length === 0) return [];
  return [
    warning(
      "skill-without-name",
      `no \`name\` that an agent could load the skill by: ${listedCode(unnamed)}.`,
      {
        help: "Begin the file with front matter: a line `---`, then `name:` and `description:`, then `---`.",
      },
    ),
  ];
}

/** Evals of which none has a task are of logs that are there, and make no run. */
function withoutTasks(suites: readonly Suite[]): Problem[] {
  if (suites.length === 0 || !suites.every(({ tasks, broken }) => tasks === "every" && !broken)) return [];
  const help = "Name the logs that they grade: `waza-grade --results logs`. Or write tasks.";
  return [error("no-tasks", `no tasks to run: ${listedCode(suites.map(({ title }) => title))}.`, { help })];
}

/** Why nothing is started. */
function refusals(planned: readonly PlannedRun[], options: ChoiceOptions): Problem[] {
  const { agent, evals, tasks, failedIn, trials, lift, changedOnly, triggers } = options;
  const choices = {
    eval: evals,
    tasks: tasks[0],
    "failed-in": failedIn,
    trials,
    lift,
    "changed-only": changedOnly,
    triggers,
  };
  const given = Object.entries(choices).flatMap(([name, value]) => (value ? name : []));
  if (options.plan !== undefined && given.length > 0)
    return [error("plan-and-choice", `\`plan\` says which runs are made: leave out ${listedCode(given)}.`)];
  const isQuery = triggers || planned.some(({ task }) => task?.shouldTrigger !== undefined);
  if (!isQuery || agent !== "waza") return [];
  const message = `The log of ${agent} does not say which skills were loaded, so trigger evals cannot be run with it.`;
  return [error("skills-not-logged", message)];
}

/* Files of an eval's folder that a prompt names and that its agent does not get. */

/** Characters of a task's id in a message. */
const LONGEST_ID = 60;

/** One notice for each eval with prompts that name such a file, by a name with a dot in it; a query gets no files. */
async function namedAndNotGiven(planned: readonly PlannedRun[]): Promise<Problem[]> {
  const tasks = new Map(
    [...Map.groupBy(planned, ({ suite }) => suite)].map(([suite, its]) => [
      suite,
      new Set(its.flatMap(({ task }) => (task && task.shouldTrigger === undefined ? task : []))),
    ]),
  );
  const all = [...tasks].map(async ([suite, its]): Promise<Problem[]> => {
    const named = [...its].map((task) => ({ task, words: wordsOf(task) }));
    if (named.every(({ words }) => words.size === 0)) return [];
    const folder = dirname(resolve(suite.root ?? ".", suite.at.path));
    const files = await findFiles(["**/*.*"], folder);
    const paths = files.map((file) => slashes(relative(folder, file)));
    const lacking = named.flatMap(({ task, words }) => {
      const own = paths.filter((path) => words.has(posix.basename(path)));
      return own.length === 0 ? [] : [`${shorten(task.id, LONGEST_ID)}: ${own.join(", ")}`];
    });
    if (lacking.length === 0) return [];
    const message = `prompts name files of the eval's folder that their agents do not get: ${listedCode(lacking)}.`;
    const help = "Name them in `files` of the eval, if the agent is to work on them.";
    return [notice("file-not-given", message, { help, at: suite.at })];
  });
  return (await Promise.all(all)).flat();
}

/** What may be names of files in a prompt, but for those that the task gives; a folder of its own may give any. */
function wordsOf({ prompt = "", files, contextDir }: Task): ReadonlySet<string> {
  const given = new Set(files.map(({ name }) => posix.basename(slashes(name))));
  return new Set(contextDir === undefined ? [...namesIn(prompt)].filter((name) => !given.has(name)) : []);
}
