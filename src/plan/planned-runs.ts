/** Which runs of a task are planned: those the results hold, and those that were to be made and are missing. */
import { UNKNOWN_MODEL } from "../domain/run.ts";
import type { MissingRun } from "../domain/grade.ts";
import type { ResultsFile, Run } from "../domain/run.ts";
import type { Suite } from "../domain/suite.ts";
import { once } from "../text/once.ts";

/** A run with the file that holds it. */
export interface HeldRun {
  readonly file: ResultsFile;
  readonly run: Run;
}

/** Most missing runs of one task that become grades: a file may claim any number. */
const MOST_MISSING = 100;

/** The results files of a suite, and the models that were to run each of its tasks. */
interface Expected {
  readonly files: readonly ResultsFile[];
  /** Empty where no results of waza name any: a task with any run is there then. */
  readonly planned: readonly string[];
  /** Runs of a task without any. */
  readonly trials: number;
  /** Whose a run is of a task without any: the only model that the suite's runs name; empty where there is no run. */
  readonly likely: string;
}

/**
 * The agent's models that waza's results state for a suite; each must have run every task. A file that names the suite
 * counts even if it holds no run of it. Logs, records and texts say nothing of models that were planned.
 */
export function expectedRuns(
  { name, trials = 1 }: Pick<Suite, "name" | "trials">,
  files: readonly ResultsFile[],
  held: readonly HeldRun[],
): Expected {
  const stating = files.filter(({ runsPerTest }) => runsPerTest !== undefined);
  const planned = new Set([
    ...held.filter(({ file }) => stating.includes(file)).map(({ run }) => run.model),
    ...stating
      .filter(({ evalName }) => evalName !== undefined && evalName === name)
      .map(({ model }) => model),
  ]);
  planned.delete(UNKNOWN_MODEL);
  const [only = "", ...more] = new Set(held.map(({ run }) => run.model));
  return {
    files,
    planned: [...planned],
    trials,
    likely: more.length > 0 ? UNKNOWN_MODEL : only,
  };
}

/** The missing runs of a task: where a file holds fewer than it says, or a model has fewer in all files together. */
export function missingRuns(
  all: readonly HeldRun[],
  { files, planned, likely, trials }: Expected,
): MissingRun[] {
  const numbers = freeNumbers(all);
  const held = ofOneAttempt(all);
  const make = (model: string, count: number) =>
    Array.from({ length: Math.min(Math.max(0, count), MOST_MISSING) }, () => ({
      model,
      number: numbers(model),
    }));
  const isUnknown = held.some(({ run }) => run.model === UNKNOWN_MODEL);
  const fewer = [...Map.groupBy(held, ({ file }) => legOf(file)).values()].flatMap((runs) => {
    const [{ run }] = runs as [HeldRun];
    return make(run.model, Math.max(...runs.map((one) => perTask(one.file))) - runs.length);
  });
  if (planned.length === 0 && held.length === 0) return make(likely, trials);
  const ofModels = planned.flatMap((model) => {
    const has = [...held.map(({ run }) => run), ...fewer].filter((run) => run.model === model).length;
    // A run of an unknown model may belong to this one.
    if (has === 0 && isUnknown) return [];
    return make(model, Math.max(1, ...files.filter((file) => file.model === model).map(perTask)) - has);
  });
  return [...fewer, ...ofModels].slice(0, MOST_MISSING);
}

/** The file, or its path without its attempt: what is missing in one attempt gives way to the same run of another. */
function legOf(file: ResultsFile): ResultsFile | string {
  const { path, attempt } = file;
  const folders = path.split("/").filter((name) => !name.endsWith(`attempt-${String(attempt)}`));
  return attempt === undefined ? file : folders.join("/");
}

/** The runs, of which several attempts of the same one count once. */
function ofOneAttempt(held: readonly HeldRun[]): readonly HeldRun[] {
  const keyOf = ({ run }: HeldRun) =>
    run.numberInAttempt === undefined ? run : JSON.stringify([run.model, run.numberInAttempt]);
  return [...Map.groupBy(held, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** How many runs of each task a file was to hold. */
function perTask({ runsPerTest = 1 }: ResultsFile): number {
  return Math.max(1, Math.floor(runsPerTest));
}

/** Gives each model the lowest number that none of its runs has yet. */
function freeNumbers(held: readonly HeldRun[]): (model: string) => number {
  const used = new Map<string, Set<number>>();
  const usedBy = (model: string) => once(used, model, () => new Set<number>());
  for (const { run } of held) usedBy(run.model).add(run.number);
  return (model) => {
    const numbers = usedBy(model);
    let free = 1;
    while (numbers.has(free)) free += 1;
    numbers.add(free);
    return free;
  };
}
