/** The read step: evals, the pull request's changes, the agent's results, baseline and labels. */
import { basename, dirname, join, resolve } from "node:path";
import { type OtherEval, type Skill, type Suite, type Task, skillNames } from "../domain/suite.ts";
import { type Row, rowOfQuery } from "../domain/row.ts";
import { follow, isInside, spanOfFile, wholeFile } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { skillsIn } from "../evals/skills.ts";
import { isError, type Problem, warning } from "../domain/problem.ts";
import { loadSuites } from "../evals/load-suites.ts";
import { triggerProblems } from "../decide/triggers.ts";
import { loadTriggers } from "../evals/triggers.ts";
import { type Changes, isUnknown } from "../github/changes.ts";
import { originOf } from "../github/context.ts";
import { type Inputs, keptName } from "../inputs/inputs.ts";
import { readLabels } from "../labels/labels.ts";
import { type OutputsRequest, folderOfPattern } from "../outputs/find-outputs.ts";
import { type RunsPlan, planIn } from "../outputs/list-of-runs.ts";
import { type PluginEvals, readPluginEvals } from "../outputs/plugin-evals.ts";
import { readOutputs } from "../outputs/read-outputs.ts";
import type { Outputs } from "../outputs/reader.ts";
import { choose } from "../plan/left-out.ts";
import { hasWork, plannedTasks, rowsOfPlan } from "../plan/planned.ts";
import { idleEvals } from "../plan/problems.ts";
import { type Baseline, noneKept, readBaseline } from "../results/read-baseline.ts";
import { suiteKey } from "../results/rows.ts";
import { once } from "../text/format.ts";
import type { Dependencies } from "./publish.ts";

/** Everything that was read, with its problems. */
export type Read = Readonly<Awaited<ReturnType<typeof readEverything>>>;

/** Where nothing of agents is read. */
const NOTHING = { files: [], shown: [], triggers: [], paths: [], problems: [] };

/** Reads everything. */
export async function readEverything(dependencies: Dependencies) {
  const { kept, context } = dependencies;
  const plugins = await readPluginEvals(dependencies.inputs);
  const inputs = withRecorded(dependencies.inputs, plugins);
  const { workspace, tasks, labels: labelsFile } = inputs;
  const { changes, skills, triggers } = foundOnce(workspace, dependencies.changes);
  const runsPlan = planOfRuns(inputs, context);
  const evals = plugins?.evals ?? (await loadSuites(inputs.eval ?? runsPlan?.evals, workspace));
  const { suites } = evals;
  const choosing = { tasks, plan: runsPlan, changes: inputs.changedOnly && !runsPlan ? changes : undefined };
  const { whyLeft, ...chosen } = await choose(suites, choosing);
  const baseline = await baselineOf(inputs, kept);
  const asked = async () => await askedTriggers(await triggers(), choosing);
  const before = byKind(baseline.rows);
  const newest = byKind(baseline.newest);
  const otherEvals = async () =>
    await othersOf(suites, inputs, { skills: await skills(), baseline: before.grades });
  const request = { suites, others: otherEvals, triggers, runUrl: originOf(context)?.run?.url };
  // Nothing else is wrong, and something has runs; trigger evals alone have some, too.
  const mayHaveRuns = async () =>
    hasWork({ suites, whyLeft }) ||
    (before.queries.length > 0 && (await asked()).length > 0) ||
    (suites.length === 0 && !evals.problems.some(isError));
  const results = plugins
    ? { ...plugins.results, shown: [] }
    : await readResults(inputs, request, await mayHaveRuns());
  const queries = { runs: results.triggers, baseline: before.queries, newest: newest.queries };
  const labels = labelsFile === undefined ? undefined : await readLabels(labelsFile, workspace);
  const gone = await stillHere(newest.grades, { suites, inputs, skills, changes });
  return {
    suites,
    /** What `waza-grade run` planned; absent for results of other origin. */
    runsPlan,
    /** Why an eval or a task is left out. */
    whyLeft,
    files: results.files,
    /** All that is read of agents, also where nothing of it is graded. */
    results: [...results.files, ...results.shown].map((file) => file.results),
    // An agent without a key ran none.
    ...(await withAsked(queries, {
      triggers,
      skills,
      asked: async () => (runsPlan?.hadNoKey ? [] : await asked()),
    })),
    /** Graded results of an earlier run; empty where there are none. */
    baseline: before.grades,
    /** With keys of the baseline's suites that lost their evals, while the skill or their folder is still here. */
    baselineSource: { ...baseline.source, here: gone.here },
    /** People's verdicts on the grades; absent without the input. */
    labels,
    /** Real paths of all files that were read. */
    paths: [evals, results, baseline, labels ?? NOTHING].flatMap(({ paths }) => paths),
    problems: [
      ...evals.problems,
      ...idleEvals(suites, inputs.eval === undefined ? "default" : "given"),
      ...[chosen, results, baseline, gone].flatMap(({ problems }) => problems),
      ...triggerProblems(results.triggers),
    ],
    /** No run of an agent, which had no key. */
    agentHadNoKey: runsPlan?.hadNoKey === true && results.paths.length === 0,
    /** The input `baseline` names no graded results, or `changed-only` cannot be known: all stops before a judge is paid. */
    isBlocked: baseline.problems.some(isError) || chosen.problems.some(isUnknown),
    /** The inputs, by which results of `claude plugin eval` are graded by the verdicts in them. */
    inputs,
    ofPlugins: plugins !== undefined,
    /** Whether no results could be read, because of an error. */
    withoutResults: results.files.length === 0 && results.problems.some(isError),
  };
}

/**
 * The plan of the runs that `results` names; in a workflow none that lies in the checkout, where a pull request can write
 * it. A stranger's may ask for more, and leaves nothing out, where this workflow's file is not the one that the stranger's
 * runs were made by: on other events who writes the plan could write the workflow.
 */
function planOfRuns(
  { results, workspace, isStep }: Inputs,
  { untrusted, isOnBase }: Dependencies["context"],
): RunsPlan | undefined {
  const top = follow(workspace).real;
  const folders = results
    .filter((pattern) => !pattern.startsWith("!"))
    .map((pattern) => folderOfPattern(pattern, workspace))
    .filter((folder) => folder !== workspace && !(isStep && isInside(follow(folder).real, top)));
  const plan = planIn([...new Set(folders)]);
  if (plan === undefined || (untrusted && isOnBase)) return plan && { ...plan, left: [], evals: undefined };
  const isHere = (pattern: string) => isInside(resolve(workspace, pattern.replace(/^!/, "")), workspace);
  return { ...plan, evals: plan.evals?.filter(isHere) };
}

/** What agents left; where no eval has a prompt grader only what waza recorded is shown, and no problem of it matters. */
async function readResults(
  inputs: Inputs,
  request: Pick<OutputsRequest, "suites" | "others" | "triggers" | "runUrl">,
  isAsked: boolean,
): Promise<Outputs & { readonly shown: Outputs["files"] }> {
  const { suites } = request;
  const isIdle = suites.every((suite) => !suite.broken && !hasWork({ suites: [suite] }));
  if (!isAsked && !(isIdle && suites.length > 0)) return NOTHING;
  const named = { patterns: inputs.results, isWorkflow: inputs.isStep };
  const read = await readOutputs({ ...inputs, ...named, ...request });
  return isAsked ? { ...read, shown: [] } : { ...NOTHING, shown: read.files };
}

/**
 * The inputs; of results of `claude plugin eval` no record is asked for, both arms count where they have both, and the
 * cases are those that it was asked for.
 */
function withRecorded(inputs: Inputs, plugins: PluginEvals | undefined): Inputs {
  if (!plugins) return inputs;
  const lift = plugins.results.files.some(({ results }) => results.side !== undefined);
  const tasks = inputs.tasks.length > 0 ? inputs.tasks : plugins.tasks;
  return { ...inputs, cacheDir: undefined, lift, tasks };
}

/** The grades of a baseline, and the queries of its trigger evals. */
function byKind(rows: readonly Row[]) {
  const { grades = [], queries = [] } = Object.groupBy(rows, ({ query }) => (query ? "queries" : "grades"));
  return { grades, queries };
}

/** The trigger evals that are here, and what their runs are compared by; none is looked for where there is no run, now or before. */
async function withAsked(
  queries: Readonly<Record<"runs" | "baseline" | "newest", readonly Row[]>>,
  find: Record<"triggers" | "asked", () => Promise<readonly Suite[]>> & {
    readonly skills: () => Promise<readonly Skill[]>;
  },
) {
  const hasRuns = queries.runs.length + queries.baseline.length > 0;
  const triggerEvals = hasRuns ? await find.triggers() : [];
  return {
    triggerEvals,
    queries: {
      ...queries,
      all: queriesOf(triggerEvals),
      // `tasks` and `changed-only` leave out some.
      asked: hasRuns ? queriesOf(await find.asked()) : [],
      /** The names of the skills that are here. */
      skills: hasRuns ? (await find.skills()).flatMap(namesOfSkill) : [],
    },
  };
}

/** What several places ask for, each searched or fetched once, and only if one asks. */
function foundOnce(workspace: string, changesBelow: Dependencies["changes"]) {
  const changed = new Map<string, Promise<Changes>>();
  let skills: ReturnType<typeof skillsIn> | undefined;
  let triggers: ReturnType<typeof loadTriggers> | undefined;
  return {
    changes: async (root: string) => await once(changed, root, () => changesBelow(root)),
    skills: async () => await (skills ??= skillsIn(workspace)),
    triggers: async () => (await (triggers ??= loadTriggers(workspace))).suites,
  };
}

/**
 * Keys of the baseline's suites without evals now, of which the skill or the folder of the evals is still there: their
 * evals were deleted, moved, disabled or made something else. Where git cannot say whether a skill was renamed, that is a
 * warning.
 */
async function stillHere(
  rows: readonly Row[],
  {
    suites,
    inputs,
    skills: find,
    changes,
  }: { readonly suites: readonly Suite[]; readonly inputs: Inputs } & Pick<
    ReturnType<typeof foundOnce>,
    "skills" | "changes"
  >,
): Promise<{ readonly here: ReadonlySet<string>; readonly problems: readonly Problem[] }> {
  const { workspace, eval: named } = inputs;
  // Nothing is gone because of a problem.
  const asking = suites.filter((suite) => suite.broken || hasWork({ suites: [suite] }));
  const here = new Set(asking.map(suiteKey));
  const gone = new Map(rows.flatMap((row) => (here.has(row.suite) ? [] : [[row.suite, row]])));
  const skills = gone.size > 0 ? await find() : [];
  const names = new Set(skills.flatMap(namesOfSkill).map((name) => name.toLowerCase()));
  const isNamed = (skill = "") => names.has(skill.toLowerCase());
  const changed = gone.size > 0 ? await changes(workspace) : undefined;
  const renamed = changed && "renamed" in changed ? changed.renamed : undefined;
  const newNames = renamed && "names" in renamed ? renamed.names : undefined;
  // Paths are those of a repository, which may lie below the workspace.
  const roots = new Set([workspace, ...suites.flatMap(({ root }) => root ?? [])]);
  const statsIn = (path: string) =>
    [...roots].flatMap((root) => {
      const real = resolve(root, path);
      return isInside(real, root) ? (statsOf(real) ?? []) : [];
    });
  const isHere = ({ skill, at, evalFile = at.path }: Row) => {
    const isOf = (suite: Suite) => suite.at.path === evalFile;
    // The input `eval` may leave it out; a `.waza.yaml` may not.
    if (statsIn(evalFile).some((stats) => stats.isFile()))
      return !asking.some(isOf) && (named === undefined || suites.some(isOf));
    const folder = dirname(evalFile);
    const above = basename(folder) === "evals" ? dirname(folder) : folder;
    const files = ["SKILL.md", "skill.md"].map((file) => join(above, file));
    const places = [
      ...files,
      ...(folder === "." ? [] : [folder]),
      ...files.flatMap((file) => newNames?.get(file) ?? []),
    ];
    return places.some((path) => statsIn(path).length > 0) || isNamed(skill);
  };
  const stays = new Set([...gone].flatMap(([suite, row]) => (isHere(row) ? suite : [])));
  if (stays.size === gone.size || !renamed || !("unknown" in renamed)) return { here: stays, problems: [] };
  const what = `Evals of the baseline are gone, and git could not say whether their skill was renamed: ${renamed.unknown}.`;
  const help = 'Check out with `filter: "blob:limit=64k"`, or without `filter`.';
  return { here: stays, problems: [warning("renames-unknown", what, { help })] };
}

/** The trigger evals that are to be run; of a list those that it plans, which may be none. */
async function askedTriggers(
  all: readonly Suite[],
  choosing: Parameters<typeof choose>[1],
): Promise<readonly Suite[]> {
  const { plan } = choosing;
  const { whyLeft } = await choose(all, choosing);
  return all.flatMap((suite) => {
    const isAsked = (task: Task) => plan === undefined || rowsOfPlan(plan, suite, task).length > 0;
    const tasks = whyLeft(suite) === undefined ? plannedTasks(suite, [], { whyLeft }).filter(isAsked) : [];
    return tasks.length === 0 ? [] : { ...suite, tasks };
  });
}

/** The queries of trigger evals. */
function queriesOf(suites: readonly Suite[]): readonly Row[] {
  return suites.flatMap(({ skill, tasks, at, among }) =>
    (tasks === "every" ? [] : tasks).map(({ prompt: query = "", shouldTrigger: wants = true }) =>
      rowOfQuery({ skill, query, wants, skills: among?.length, at }),
    ),
  );
}

/** The names of a skill: its own, and its folder's. */
function namesOfSkill({ name, folder }: Skill): readonly string[] {
  return [name, basename(folder)];
}

/** The files that `baseline` names, and the results that it has fetched. A dry run compares nothing, and fetches none. */
async function baselineOf(inputs: Inputs, kept: Dependencies["kept"]): Promise<Baseline> {
  const decides = inputs.policy.failOn === "regression";
  const names =
    inputs.dryRun || !inputs.isStep ? [] : inputs.baseline.flatMap((entry) => keptName(entry) ?? []);
  const fetched = await Promise.all(names.map(async (name) => ({ name, got: await kept(name) })));
  const files = fetched.flatMap(({ got }) => ("files" in got ? got.files : []));
  const patterns = inputs.baseline.filter((entry) => keptName(entry) === undefined);
  const read = await readBaseline([...patterns, ...files], inputs.workspace, {
    decides,
    mayBeMissing: inputs.isStep,
    outputFile: inputs.outputFile,
  });
  const problems = fetched.flatMap(({ name, got }) => {
    if (!("files" in got)) return got;
    return got.files.length > 0 ? [] : noneKept(name, { ...got, decides });
  });
  return { ...read, problems: [...problems, ...read.problems] };
}

/**
 * What folders of outputs may be named for and is not graded here, so that no file in them is taken for another's: the
 * evals that the input `eval` leaves out, skills without evals, and suites of the baseline that are gone.
 */
async function othersOf(
  suites: readonly Suite[],
  { eval: input, workspace }: Inputs,
  { skills, baseline }: { readonly skills: readonly Skill[]; readonly baseline: readonly Row[] },
): Promise<OtherEval[]> {
  const graded = new Set(suites.map(({ at }) => at.path));
  const all = input === undefined ? [] : (await loadSuites(undefined, workspace)).suites;
  const names = new Set(suites.flatMap((suite) => [suite.title, suite.key, ...skillNames(suite)]));
  const further = [
    ...skills.flatMap((skill) =>
      namesOfSkill(skill).map((title) => ({
        title,
        at: wholeFile(join(skill.folder, "SKILL.md"), workspace),
      })),
    ),
    ...baseline.map(({ suite: title }) => ({ title, at: spanOfFile(`${title} of the baseline`) })),
  ].filter(({ title }) => !names.has(title));
  return [
    ...all.filter(({ at }) => !graded.has(at.path)),
    ...new Map(further.map((one) => [one.title, one])).values(),
  ];
}
