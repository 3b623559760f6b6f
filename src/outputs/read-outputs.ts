/** What the agent produced, in any of the formats: finds the files and reads them to runs. */
import type { ResultsFile } from "../domain/run.ts";
import type { Suite } from "../domain/suite.ts";
import { error, warning, type Problem } from "../domain/problem.ts";
import { resultsFileOf } from "./formats/waza.ts";
import { type KnownTasks, type Layout, groupOf, knownTasks, leftToOthers } from "./layout.ts";
import { type OutputsRequest, findOutputs } from "./find-outputs.ts";
import { readFoundFiles } from "./file-formats.ts";
import type { FileRead, LoadedResults, Outputs, Trial } from "./reader.ts";
import { readRunFolders } from "./run-folders.ts";
import { type HeldTrial, duplicateTasks, resultsOfTrials, unite } from "./runs.ts";
import { listed } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Reads every file that the patterns match, and returns the problems of all files together. */
export async function readOutputs(request: OutputsRequest): Promise<Outputs> {
  const { suites } = request;
  const found = await findOutputs(request);
  const plain = await readFoundFiles(found.files, found.layouts, request);
  const ofRuns = await readRunFolders(found.runFiles, { ...request, otherEvals: found.otherEvals });
  const reads = [...plain.reads, ...ofRuns.reads];
  const files: LoadedResults[] = [];
  const addWaza = (side?: "without-skill") => {
    for (const { waza, at, layout } of reads) {
      if (!waza) continue;
      const results = placed(resultsFileOf(waza, at.path, { file: files.length, side }), layout);
      const document = results.side === undefined ? waza.value : undefined;
      if (!side || results.runs.length > 0) files.push({ results, document });
    }
  };
  addWaza();
  const trials = reads.flatMap(({ trials = [], layout, ...file }) =>
    trials.map((trial) => ({ file, trial, layout: layoutOf(trial, layout, suites) })),
  );
  const groups = Map.groupBy(trials, ({ layout }) => layout && groupOf(layout));
  const ofNoEval = groups.get(undefined) ?? [];
  groups.delete(undefined);
  for (const group of groups.values())
    for (const results of resultsOfTrials(group, files.length))
      files.push({ results: placed(results, group[0]?.layout) });
  addWaza("without-skill");
  const united = unite(files.map(({ results }) => results));
  return {
    files: files.map((file, index) => ({ ...file, results: united[index] ?? file.results })),
    triggers: ofRuns.triggers,
    paths: [...found.files.map(({ real }) => real), ...ofRuns.paths],
    problems: [
      ...found.problems,
      ...plain.problems,
      ...unknownEvals(ofNoEval),
      ...ofRuns.problems,
      ...leftToOthers([...plain.otherEvals, ...ofRuns.otherEvals]),
      ...[...groups.values()].flatMap(duplicateTasks),
      ...unplacedProblems(reads, knownTasks(suites)),
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

/** Where a trial belongs: by its record, which may say its eval and side, else as its file; undefined of an eval that is not graded. */
function layoutOf({ evalPath, side }: Trial, layout: Layout, suites: readonly Suite[]): Layout | undefined {
  if (layout.isSaid || (evalPath ?? side) === undefined) return layout;
  const said = evalPath === undefined ? layout.suites : suites.filter(({ at }) => at.path === evalPath);
  return evalPath !== undefined && said.length === 0 ? undefined : { ...layout, suites: said, side };
}

/** An error for each eval that records of a file say, and that is not graded here. */
function unknownEvals(trials: readonly HeldTrial[]): Problem[] {
  const evals = Map.groupBy(trials, ({ file, trial }) => JSON.stringify([file.at.path, trial.evalPath]));
  return [...evals.values()].flatMap(([first]) => {
    const message = `\`eval\` is \`${first?.trial.evalPath ?? ""}\`, which is not graded here.`;
    return error("record-of-other-eval", message, { at: first?.file.at });
  });
}

/** One warning per format for the files without a task: neither their format, name nor prompt names one. */
function unplacedProblems(files: readonly FileRead[], { prompts }: KnownTasks): Problem[] {
  const unplaced = files.filter(({ unmatchedName }) => unmatchedName !== undefined);
  return [...Map.groupBy(unplaced, ({ format }) => format)].map(([format, mine]): Problem => {
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
