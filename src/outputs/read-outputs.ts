/** What the agent produced, in any of the formats: finds the files and reads them to runs. */
import type { ResultsFile } from "../domain/run.ts";
import type { Suite } from "../domain/suite.ts";
import { error, warning, type Problem } from "../domain/problem.ts";
import { resultsFileOf, withoutSkillOf } from "./formats/waza.ts";
import { type KnownTasks, type Layout, groupOf, knownTasks, leftToOthers } from "./layout.ts";
import { type OutputsRequest, findOutputs } from "./find-outputs.ts";
import { readFoundFiles } from "./file-formats.ts";
import type { FileRead, LoadedResults, Outputs } from "./reader.ts";
import { readRunFolders } from "./run-folders.ts";
import { duplicateTasks, resultsOfTrials, unite } from "./runs.ts";
import { listed } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Reads every file that the patterns match, and returns the problems of all files together. */
export async function readOutputs(request: OutputsRequest): Promise<Outputs> {
  const { suites } = request;
  const found = await findOutputs(request);
  const plain = await readFoundFiles(found.files, found.layouts, request);
  const ofRuns = await readRunFolders(found.runFiles, { ...request, others: found.others });
  const records = plain.reads.map((read) => placedRecords(read, suites));
  const reads = [...records.flatMap((one) => one.reads), ...ofRuns.reads];
  const waza = reads.flatMap(({ waza: own, at: { path }, layout }) => (own ? { own, path, layout } : []));
  const files = waza.map(({ own: { data, document }, path, layout }, index): LoadedResults => {
    const runsPerTest = data.config?.runs_per_test;
    const read = placed({ ...resultsFileOf(data, path, index), runsPerTest }, layout);
    return { results: read, document: read.side === undefined ? document : undefined };
  });
  const trials = reads.flatMap(({ trials = [], ...read }) => (trials.length > 0 ? { ...read, trials } : []));
  const groups = [...Map.groupBy(trials, ({ layout }) => groupOf(layout)).values()];
  for (const group of groups)
    for (const results of resultsOfTrials(group, files.length))
      files.push({ results: placed(results, group[0]?.layout) });
  for (const { own, path, layout } of waza) {
    const without = withoutSkillOf(own.data, path, files.length);
    if (without) files.push({ results: placed(without, layout) });
  }
  const united = unite(files.map(({ results }) => results));
  const unmatchedName = reads.filter((read) => read.unmatchedName !== undefined);
  return {
    files: files.map((file, index) => ({ ...file, results: united[index] ?? file.results })),
    triggers: ofRuns.triggers,
    paths: [...found.files.map(({ real }) => real), ...ofRuns.paths],
    problems: [
      ...found.problems,
      ...plain.problems,
      ...records.flatMap((one) => one.problems),
      ...ofRuns.problems,
      ...leftToOthers([...plain.otherEvals, ...ofRuns.otherEvals]),
      ...groups.flatMap(duplicateTasks),
      ...unplacedProblems(unmatchedName, knownTasks(suites)),
    ],
  };
}

/** The results with the layout of their folders. A results file that names another eval than its folder keeps it. */
function placed(results: ResultsFile, layout: Layout | undefined): ResultsFile {
  const { suites = [], attempt, isSaid } = layout ?? {};
  const side = results.side ?? layout?.side;
  const runs = results.runs.map((run) => ({ ...run, attempt, side, isSaid }));
  const { evalName } = results;
  const [said] = isSaid ? suites : [];
  const suite = said ?? suites.find(({ name }) => evalName === undefined || name === evalName);
  return { ...results, runs, suite: suite?.at.path, attempt, side };
}

/** A file of records by what they say of their eval and side; other files stay as they are. */
function placedRecords(
  read: FileRead,
  suites: readonly Suite[],
): { readonly reads: readonly FileRead[]; readonly problems: readonly Problem[] } {
  const { trials = [], layout, at } = read;
  if (!trials.some(({ evalPath, side }) => evalPath ?? side)) return { reads: [read], problems: [] };
  const unknown = new Set<string>();
  const groups = Map.groupBy(trials, ({ evalPath, side }) => JSON.stringify([evalPath, side]));
  const reads = [...groups.values()].flatMap((its) => {
    const { evalPath, side } = its[0] ?? {};
    if (evalPath === undefined) return { ...read, trials: its, layout: { ...layout, side } };
    const said = suites.filter((suite) => suite.at.path === evalPath);
    if (said.length === 0) unknown.add(evalPath);
    return said.length === 0 ? [] : { ...read, trials: its, layout: { ...layout, suites: said, side } };
  });
  const problems = [...unknown].map((path) =>
    error("record-of-other-eval", `\`eval\` is \`${path}\`, which is not graded here.`, { at }),
  );
  return { reads, problems };
}

/** One warning per format for the files without a task: neither their format, name nor prompt names one. */
function unplacedProblems(files: readonly FileRead[], { prompts }: KnownTasks): Problem[] {
  return [...Map.groupBy(files, ({ format }) => format)].map(([format, mine]): Problem => {
    const names = mine.map(({ at, unmatchedName = "" }) => {
      const meant = closest(unmatchedName.replace(/\.\d+$/, ""), prompts.keys());
      return `\`${at.path}\`${meant === undefined ? "" : ` (did you mean \`${meant}\`?)`}`;
    });
    return warning("log-without-task", `No task was found for these ${format}, left out: ${listed(names)}.`, {
      help: "Name each file `<task-id>` or `<task-id>.<trial>`, with `_` or `-` where the id has `/` or `:`; or leave it out of `results` with a pattern that starts with `!`.",
      at: mine[0]?.at,
    });
  });
}
