/** The planned runs of a task: those in the results, and those that are missing from them. */
import { UNKNOWN_MODEL } from "../domain/run.ts";
import type { MissingRun } from "../domain/grade.ts";
import type { HeldRun, ResultsFile } from "../domain/run.ts";
import type { Suite } from "../domain/suite.ts";
import { once } from "../text/once.ts";

/** Maximum missing runs of a task to list: a file may claim any number. */
const MOST_MISSING = 100;

/** The results files of a suite, and the models that should have run each of its tasks. */
interface Expected {
  readonly files: readonly ResultsFile[];
  /** Empty if no waza results name a model: then any run makes a task complete. */
  readonly planned: readonly string[];
  /** The number of missing runs of a task without any. */
  readonly trials: number;
  /** The model of those runs: the only one that the suite's runs name; empty without runs. */
  readonly likely: string;
}

/**
 * The agent's models that waza's results state for a suite; each must have run every task. A file that names the suite
 * counts even without a run of it. Logs, records and texts do not state planned models.
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

/** The missing runs of a task: a file has fewer than it states, or a model has fewer in all files together. */
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

/** The file with the attempt cut from its path: a run missing in one attempt may be in another. */
function legOf(file: ResultsFile): ResultsFile | string {
  const { path, attempt } = file;
  const folders = path.split("/").filter((name) => !name.endsWith(`attempt-${String(attempt)}`));
  return attempt === undefined ? file : folders.join("/");
}

/** The runs, each once if several attempts made it. */
function ofOneAttempt(held: readonly HeldRun[]): readonly HeldRun[] {
  const keyOf = ({ run }: HeldRun) =>
    run.numberInAttempt === undefined ? run : JSON.stringify([run.model, run.numberInAttempt]);
  return [...Map.groupBy(held, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** The number of runs per task that a file states. */
function perTask({ runsPerTest = 1 }: ResultsFile): number {
  return Math.max(1, Math.floor(runsPerTest));
}

/** Assigns the lowest run number that a model has not used. */
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
