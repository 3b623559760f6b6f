/** What the agent produced, in any of the formats: files to runs. */
import { basename, resolve } from "node:path";
import { listed, listedCode } from "../text/format.ts";
import { follow } from "../files/confine.ts";
import type { Problem } from "../domain/place.ts";
import type { ResultsFile, Run } from "../domain/run.ts";
import type { Suite } from "../domain/suite.ts";
import { findFiles } from "../files/find.ts";
import { publishedPath } from "../files/names.ts";
import { noMatch } from "../files/no-match.ts";
import { unite } from "./attempts.ts";
import { readContent } from "./content.ts";
import { copiesNotice, copiesOf, toldTwice } from "./copies.ts";
import { lookAlike, readerOf, unrecognised, wazaResultsIn } from "./detect.ts";
import { skillWorkspaces, taskOfSkillRun, trialOfOutputs } from "./skill-workspace.ts";
import type { SkillRun } from "./skill-workspace.ts";
import { layoutOf } from "./layout.ts";
import type { Layout } from "./layout.ts";
import type { Reader, Reading, Where } from "./reader.ts";
import { synthesise } from "./synthesise.ts";
import { isWritten, knownTasks, nearestTask } from "./task-names.ts";
import type { KnownTasks } from "./task-names.ts";
import { isNamedJson, textFilesReader } from "./formats/text-files.ts";
import { resultsOf, wazaResultsReader, withoutSkillOf } from "./formats/waza-results.ts";
import { once } from "../text/once.ts";
import { error, warning } from "../text/problem.ts";

const REMEDY = "Run the agent first, and have it write what `results` names.";

/** Results in waza's format, as the stages see them and as they were, for the graded copy. */
export interface LoadedResults {
  readonly results: ResultsFile;
  readonly document: unknown;
}

export interface OutputsRequest {
  /** The `results` input. */
  readonly patterns: readonly string[];
  readonly workspace: string;
  /** Whose tasks name the files of formats that do not name them. */
  readonly suites: readonly Suite[];
  /** A dry run needs no results: a glob that matches nothing is fine. */
  readonly dryRun?: boolean | undefined;
}

interface FileRead extends Reading {
  readonly file: string;
  readonly layout: Layout;
  readonly where: Where;
  readonly format: string;
  /** Of waza's results that are named for a task: the file as the answer to that task. */
  readonly answer?: FileRead | undefined;
}

export interface Outputs {
  /** waza's own results first, each as it is; then what other formats hold, as documents in waza's format. */
  readonly files: LoadedResults[];
  /** The real paths of all files that were read. */
  readonly paths: string[];
  readonly problems: Problem[];
}

/** Reads every file that the patterns match; problems of all files come back together. */
export async function readOutputs(request: OutputsRequest): Promise<Outputs> {
  const { workspace, suites } = request;
  const { found, layouts, problems: empty } = await findOutputs(request);
  const tasks = knownTasks(suites);
  const skills = skillWorkspaces(found, workspace);
  const plain = await readFiles(skills.others, { workspace, tasks, layouts });
  const ofSkills = await Promise.all(
    skills.runs.map((run) => readSkillRun(run, { workspace, tasks, layouts }, suites)),
  );
  const reads = [...plain.reads, ...ofSkills];
  const problems = [...plain.problems, ...skills.problems, ...ofSkills.flatMap((read) => read.problems)];
  const waza = reads.flatMap(({ waza: own, where, layout }) =>
    own ? { own, path: where.path, layout } : [],
  );
  const files = waza.map(({ own: { data, document }, path, layout }, index): LoadedResults => {
    // What we make of other formats says how many runs there are, not how many there were to be.
    const runsPerTest = data.config?.runs_per_test ?? undefined;
    const results = resultsOf(data, path, index);
    const runs = results.runs.map((run) => ({ ...run, prompt: run.prompt ?? firstAsked(run) }));
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
    if (without) files.push({ results: { ...placed(without, layout), ...without }, document: own.document });
  }
  const united = unite(files.map(({ results }) => results));
  const unplaced = reads.filter((read) => read.unplaced !== undefined);
  return {
    files: united.map((results, index) => ({ results, document: files[index]?.document })),
    paths: found.map((file) => follow(file).real),
    problems: [...empty, ...problems, ...groups.flatMap(toldTwice), ...unplacedProblems(unplaced, tasks)],
  };
}

/** The results with what the folders say of all their runs; results that name their eval are of no other. */
function placed(results: ResultsFile, layout: Layout | undefined): ResultsFile {
  const { suites = [], attempt, attemptFolder, side } = layout ?? {};
  const runs = results.runs.map((run) => ({ ...run, attempt, attemptFolder, side }));
  const suite = results.evalName === undefined ? suites[0]?.at.path : undefined;
  return { ...results, runs, suite, attempt, side };
}

/** Files of one group are of the same eval, attempt and side: equal bytes are one run, and run numbers are counted together. */
function groupOf({ suites, attempt, side }: Layout): string {
  return JSON.stringify([suites.map(({ at }) => at.path), attempt, side]);
}

interface Found {
  readonly found: readonly string[];
  readonly layouts: ReadonlyMap<string, Layout>;
  readonly problems: Problem[];
}

/** The files that the patterns match, with what their folders say; a pattern without a match is a problem, save before a run. */
async function findOutputs({ patterns, workspace, suites, dryRun }: OutputsRequest): Promise<Found> {
  const layouts = new Map<string, Layout>();
  const problems: Problem[] = [];
  for (const pattern of patterns.filter((one) => !one.startsWith("!"))) {
    const files = await findFiles([pattern], workspace);
    for (const file of files)
      if (!layouts.has(file)) layouts.set(file, layoutOf(file, pattern, { workspace, suites }));
    const what = "The `results` glob";
    if (files.length === 0 && !dryRun)
      problems.push(await noMatch({ what, pattern, cwd: workspace, workspace, remedy: REMEDY }));
  }
  return { found: await findFiles(patterns, workspace), layouts, problems };
}

/** What a user first said: what was asked, where waza's results do not say it. */
function firstAsked({ steps }: Run): string | undefined {
  const said = steps.find(({ kind }) => kind === "user");
  return said && "text" in said ? said.text : undefined;
}

interface FilesRead {
  readonly reads: readonly FileRead[];
  readonly problems: Problem[];
}

interface Reads {
  readonly workspace: string;
  readonly tasks: KnownTasks;
  readonly layouts: ReadonlyMap<string, Layout>;
}

const NO_LAYOUT: Layout = { suites: [] };

/** A run in a workspace of skill-creator: its log where there is one, else what it produced. */
async function readSkillRun(
  run: SkillRun,
  { workspace, tasks, layouts }: Reads,
  suites: readonly Suite[],
): Promise<FileRead> {
  const [first = run.folder] = run.outputs;
  const layout = layouts.get(resolve(first)) ?? NO_LAYOUT;
  const own = suites.filter(({ title }) => isWritten(`${title}-workspace`, basename(run.workspace)));
  const [suite = layout.suites[0]] = own;
  const narrowed = suite ? knownTasks([suite]) : tasks;
  const taskId = await taskOfSkillRun(run, workspace, narrowed);
  const read: FileRead = {
    // Runs of one iteration are written as one document.
    file: run.evalFolder,
    layout: { ...layout, suites: suite ? [suite] : [] },
    where: { ...publishedPath(run.folder, workspace), generated: true },
    format: "runs of skill-creator",
    problems: [],
  };
  if (taskId === undefined) return { ...read, unplaced: basename(run.evalFolder) };
  const [log] = run.logs;
  const only = { prompts: new Map([[taskId, narrowed.prompts.get(taskId) ?? []]]), open: false };
  const logged = log === undefined ? undefined : await readFile(log, { workspace, tasks: only, layout });
  const trial = await trialOfOutputs(run, workspace, taskId);
  const { number, workspaceDir } = trial;
  if (!logged || !("format" in logged) || !logged.trials?.length) return { ...read, trials: [trial] };
  return { ...read, ...pick(logged), trials: logged.trials.map((one) => ({ ...one, number, workspaceDir })) };
}

function pick({ format, problems }: FileRead): Pick<FileRead, "format" | "problems"> {
  return { format, problems };
}

async function readFiles(found: readonly string[], { workspace, tasks, layouts }: Reads): Promise<FilesRead> {
  const layoutOf = (file: string) => layouts.get(file) ?? NO_LAYOUT;
  const copies = await copiesOf(found, workspace, (file) => groupOf(layoutOf(file)));
  const reads = new Map<string, FileRead>();
  const again: [FileRead, FileRead][] = [];
  const narrowed = new Map<Suite, KnownTasks>();
  const problems: Problem[] = [];
  const all: (FileRead | Problem)[] = [];
  for (const file of found) {
    const layout = layoutOf(file);
    const [suite, ...others] = layout.suites;
    if (suite && others.length > 0) problems.push(ofSeveral(file, workspace, layout.suites));
    const known = suite ? once(narrowed, suite, () => knownTasks([suite])) : tasks;
    all.push(await readFile(file, { workspace, tasks: known, layout }));
  }
  for (const read of withAnswers(all)) {
    if (!("format" in read)) {
      problems.push(read);
      continue;
    }
    const { file } = read;
    const original = reads.get(copies.get(file) ?? "");
    if (original && sameRuns(read, original)) {
      again.push([read, original]);
      continue;
    }
    reads.set(file, read);
    problems.push(...read.problems);
  }
  return { reads: [...reads.values()], problems: [...problems, ...copiesNotice(again)] };
}

/**
 * Waza's results may be named for a task where all files are waza's results. Beside answers and logs such a file is an
 * answer: an agent that writes its own could else write other tasks' runs.
 */
function withAnswers(all: readonly (FileRead | Problem)[]): readonly (FileRead | Problem)[] {
  const reads = all.filter((one) => "format" in one);
  if (!reads.some(({ trials, unplaced }) => trials ?? unplaced)) return all;
  return all.map((one) => ("format" in one ? (one.answer ?? one) : one));
}

/** A copy under another name may be another task's answer, or another trial's: the same words, and not the same run. */
function sameRuns(one: FileRead, other: FileRead): boolean {
  const runs = ({ trials = [] }: FileRead) =>
    JSON.stringify(trials.map(({ taskId, number }) => [taskId, number]));
  return runs(one) === runs(other);
}

/** A folder is called as several evals, whose paths do not tell which. */
function ofSeveral(file: string, workspace: string, suites: readonly Suite[]): Problem {
  const { path } = publishedPath(file, workspace);
  const message = `\`${path}\` lies in a folder that names several evals: ${listedCode(suites.map(({ at }) => at.path))}.`;
  const help = "Put the files of each eval into folders that are called as its path, too.";
  return error(message, { help, at: { path, startLine: 1, endLine: 1, inRepository: false } });
}

interface OneFile {
  readonly workspace: string;
  readonly tasks: KnownTasks;
  readonly layout: Layout;
}

async function readFile(file: string, { workspace, tasks, layout }: OneFile): Promise<FileRead | Problem> {
  const content = await readContent(file, workspace, isNamedJson(file, tasks));
  if (!("file" in content)) return content;
  const reader = readerOf(content, tasks);
  const [broken] = content.broken ?? [];
  if (broken && reader !== textFilesReader && !reader?.isLog) return broken.problem;
  if (!reader) return unrecognised(content);
  const as = async ({ format, read }: Reader): Promise<FileRead> => ({
    ...(await read(content, tasks)),
    file,
    layout,
    where: content.where,
    format,
  });
  const read = await as(reader);
  // A file named for a task is never left out for what it looks like, or an agent could have its answer overlooked.
  const isLeftOut = read.trials === undefined && isNamedJson(file, tasks);
  const text = isLeftOut ? await as(textFilesReader) : read;
  if (text.format !== textFilesReader.format || text.trials === undefined) return text;
  const answer = { ...text, problems: lookAlike(content) };
  const results = await wazaResultsIn(content, tasks);
  return results
    ? { ...results, file, layout, where: content.where, format: wazaResultsReader.format, answer }
    : answer;
}

/** Files of formats that do not name their task, and whose name and prompt name none either: one warning a format. */
function unplacedProblems(files: readonly FileRead[], tasks: KnownTasks): Problem[] {
  return [...new Set(files.map(({ format }) => format))].map((format): Problem => {
    const mine = files.filter((one) => one.format === format);
    const names = mine.map(({ where, unplaced = "" }) => {
      const meant = nearestTask(unplaced, tasks);
      return `\`${where.path}\`${meant === undefined ? "" : ` (did you mean \`${meant}\`?)`}`;
    });
    return warning(`No task was found for these ${format}, left out: ${listed(names)}.`, {
      help: "Name each file `<task-id>` or `<task-id>.<trial>`, with `_` or `-` where the id has `/` or `:`; or leave it out of `results` with a pattern that starts with `!`.",
      at: { path: "", inRepository: false, ...mine[0]?.where, startLine: 1, endLine: 1 },
    });
  });
}
