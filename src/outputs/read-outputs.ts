/** What the agent produced, in any of the formats: finds the files and reads them to runs. */
import type { ResultsFile, Run } from "../domain/run.ts";
import type { Problem, Suite } from "../domain/suite.ts";
import { follow, publishedPath, slashes, spanOfFile } from "../files/confine.ts";
import { findFiles, noMatch } from "../files/find.ts";
import { resultsOf, withoutSkillOf } from "./formats/waza.ts";
import {
  foldersBelow,
  groupOf,
  knownTasks,
  layoutOf,
  leftToOthers,
  namedEvals,
  nearestTask,
} from "./layout.ts";
import type { KnownTasks, Layout } from "./layout.ts";
import { readFiles } from "./read-files.ts";
import type { FileRead } from "./read-files.ts";
import { duplicateTasks, synthesise, unite } from "./runs.ts";
import { count, listed } from "../text/format.ts";
import { notice, warning } from "../text/problem.ts";

const NO_LAYOUT: Layout = { suites: [] };

interface OutputsRequest {
  /** The `results` input. */
  readonly patterns: readonly string[];
  readonly workspace: string;
  /** Files of formats that record no task are matched by name with the tasks of these suites. */
  readonly suites: readonly Suite[];
  /** Evals of the repository that are not graded here. */
  readonly others?: (() => Promise<readonly Suite[]>) | undefined;
  /** A dry run needs no results: a glob may match nothing. */
  readonly dryRun?: boolean | undefined;
}

interface Outputs {
  /** waza's own results first; then documents in waza's format made from other formats. */
  readonly files: LoadedResults[];
  /** The real paths of all files that were read. */
  readonly paths: string[];
  readonly problems: Problem[];
}

/** Results in waza's format: as the stages see them, and the document for the graded copy. */
export interface LoadedResults {
  readonly results: ResultsFile;
  readonly document: unknown;
}

/** Reads every file that the patterns match, and returns the problems of all files together. */
export async function readOutputs(request: OutputsRequest): Promise<Outputs> {
  const { workspace, suites } = request;
  const { files: found, layouts, others, problems: empty } = await findOutputs(request);
  const tasks = knownTasks(suites);
  const context = {
    workspace,
    suites,
    others,
    tasks,
    layoutOf: (file: string) => layouts.get(file) ?? NO_LAYOUT,
  };
  const ofSkillCreator = Map.groupBy(found, (file) => SKILL_WORKSPACE.exec(slashes(file))?.[0]);
  const {
    reads,
    otherEvals,
    problems: wrong,
  } = await readFiles(ofSkillCreator.get(undefined) ?? [], context);
  const problems = [
    ...wrong,
    ...[...ofSkillCreator].flatMap(([folder, files]) =>
      folder === undefined ? [] : skillWorkspaceNotice(folder, { files, workspace }),
    ),
    ...leftToOthers(otherEvals),
  ];
  const waza = reads.flatMap(({ waza: own, where: { path }, layout }) => (own ? { own, path, layout } : []));
  const files = waza.map(({ own: { data, document }, path, layout }, index): LoadedResults => {
    // Documents made from other formats only say how many runs there are, not how many were planned.
    const runsPerTest = data.config?.runs_per_test;
    const results = resultsOf(data, path, index);
    const runs = results.runs.map((run) => ({ ...run, prompt: run.prompt ?? firstPrompt(run) }));
    return { results: placed({ ...results, runs, runsPerTest }, layout), document };
  });
  const trials = reads.flatMap(({ trials = [], ...read }) => (trials.length > 0 ? { ...read, trials } : []));
  const groups = [...Map.groupBy(trials, ({ layout }) => groupOf(layout)).values()];
  for (const group of groups)
    for (const { path, document, sources } of synthesise(group)) {
      const results = resultsOf(document, path, files.length);
      const runs = results.runs.map((run) => ({
        ...run,
        source: sources[run.origin.task]?.[run.origin.run] ?? path,
      }));
      files.push({ results: placed({ ...results, runs }, group[0]?.layout), document });
    }
  for (const { own, path, layout } of waza) {
    const without = withoutSkillOf(own.data, path, files.length);
    if (without) files.push({ results: placed(without, layout), document: own.document });
  }
  const united = unite(files.map(({ results }) => results));
  const unmatchedName = reads.filter((read) => read.unmatchedName !== undefined);
  return {
    files: united.map((results, index) => ({ results, document: files[index]?.document })),
    paths: found.map((file) => follow(file).real),
    problems: [
      ...empty,
      ...problems,
      ...groups.flatMap(duplicateTasks),
      ...unplacedProblems(unmatchedName, tasks),
    ],
  };
}

/** A workspace of Anthropic's skill-creator: `<name>-workspace/iteration-N/…`. */
const SKILL_WORKSPACE = /^.*?-workspace\/(?=iteration-\d{1,9}\/)/s;

function skillWorkspaceNotice(
  folder: string,
  { files, workspace }: { readonly files: readonly string[]; readonly workspace: string },
): Problem {
  const message = `This is a workspace of skill-creator, which graded it already: ${count(files.length, "file")} of it ${files.length === 1 ? "is" : "are"} left out.`;
  return notice(message, { at: spanOfFile(publishedPath(folder, workspace).path) });
}

const REMEDY = "Run the agent first, and make sure it writes to the path in `results`.";

interface FoundOutputs {
  readonly files: readonly string[];
  readonly layouts: ReadonlyMap<string, Layout>;
  /** Evals of the repository that are not graded here; none if no file's folders could name one. */
  readonly others: readonly Suite[];
  readonly problems: Problem[];
}

/** The files that the patterns match, with the layout of each. A pattern without a match is a problem. */
async function findOutputs(request: OutputsRequest): Promise<FoundOutputs> {
  const { patterns, workspace, suites, dryRun } = request;
  const folders = new Map<string, readonly string[]>();
  const problems: Problem[] = [];
  for (const pattern of patterns.filter((one) => !one.startsWith("!"))) {
    const files = await findFiles([pattern], workspace);
    for (const file of files)
      if (!folders.has(file)) folders.set(file, foldersBelow(file, pattern, workspace));
    const what = "The `results` glob";
    if (files.length === 0 && !dryRun)
      problems.push(await noMatch({ what, pattern, cwd: workspace, workspace, remedy: REMEDY }));
  }
  // To find the other evals takes a search of the repository.
  const mayNameEvals = [...folders.values()].some(({ length }) => length > 0);
  const others = mayNameEvals ? ((await request.others?.()) ?? []) : [];
  const evals = { graded: new Set(suites), named: namedEvals(suites, others) };
  const layouts = new Map([...folders].map(([file, own]) => [file, layoutOf(own, evals)]));
  return { files: await findFiles(patterns, workspace), layouts, others, problems };
}

/** The first user message, for results of waza without a prompt. */
function firstPrompt({ steps }: Run): string | undefined {
  const message = steps.find(({ kind }) => kind === "user");
  return message && "text" in message ? message.text : undefined;
}

/** The results with the layout of their folders. A results file that names another eval than its folder keeps it. */
function placed(results: ResultsFile, layout: Layout | undefined): ResultsFile {
  const { suites = [], attempt, attemptFolder } = layout ?? {};
  const side = results.side ?? layout?.side;
  const runs = results.runs.map((run) => ({ ...run, attempt, attemptFolder, side }));
  const { evalName } = results;
  const suite = suites.find(({ name }) => evalName === undefined || name === evalName)?.at.path;
  return { ...results, runs, suite, attempt, side };
}

/** One warning per format for the files without a task: neither their format, name nor prompt names one. */
function unplacedProblems(files: readonly FileRead[], tasks: KnownTasks): Problem[] {
  return [...new Set(files.map(({ format }) => format))].map((format): Problem => {
    const mine = files.filter((one) => one.format === format);
    const names = mine.map(({ where, unmatchedName = "" }) => {
      const meant = nearestTask(unmatchedName, tasks);
      return `\`${where.path}\`${meant === undefined ? "" : ` (did you mean \`${meant}\`?)`}`;
    });
    return warning(`No task was found for these ${format}, left out: ${listed(names)}.`, {
      help: "Name each file `<task-id>` or `<task-id>.<trial>`, with `_` or `-` where the id has `/` or `:`; or leave it out of `results` with a pattern that starts with `!`.",
      at: spanOfFile(mine[0]?.where ?? ""),
    });
  });
}
