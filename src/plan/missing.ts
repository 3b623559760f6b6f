/** Which runs of a task are missing, and the verdict of one. */
import type { MissingRun, Verdict } from "../domain/grade.ts";
import { UNKNOWN_MODEL, type HeldRun, type ResultsFile } from "../domain/run.ts";
import type { ListedRun } from "../outputs/list-of-runs.ts";
import type { Suite } from "../domain/suite.ts";

/** Maximum missing runs of a task to list: a file may claim any number. */
const MOST_MISSING = 100;

/**
 * Makes the function that finds the missing runs of a task where nothing says which runs were planned but waza's results: a
 * file has fewer than it states, or a model has fewer in all files together. Each model that they state for the suite, also
 * one of which there is no run, must have run every task; logs, records and texts state none.
 */
export function missingByResults(
  { name, trials = 1 }: Pick<Suite, "name" | "trials">,
  files: readonly ResultsFile[],
  ofSuite: readonly HeldRun[],
): (heldByTask: readonly HeldRun[]) => MissingRun[] {
  const stating = files.filter(({ runsPerTest }) => runsPerTest !== undefined);
  const planned = new Set([
    ...ofSuite.filter(({ file }) => stating.includes(file)).map(({ run }) => run.model),
    ...stating
      .filter(({ evalName }) => evalName !== undefined && evalName === name)
      .map(({ model }) => model),
  ]);
  planned.delete(UNKNOWN_MODEL);
  const [only = "", ...more] = new Set(ofSuite.map(({ run }) => run.model));
  return (heldByTask) => {
    const numbers = freeNumbers(heldByTask);
    const held = ofOneAttempt(heldByTask);
    const make = (model: string, count: number) =>
      Array.from({ length: Math.min(Math.max(0, count), MOST_MISSING) }, () => ({
        model,
        number: numbers(model),
      }));
    const isUnknown = held.some(({ run }) => run.model === UNKNOWN_MODEL);
    const fewer = [...Map.groupBy(held, ({ file }) => legOf(file)).values()].flatMap((runs) => {
      const [{ run }] = runs as [HeldRun];
      const most = runs.reduce((number, one) => Math.max(number, perTask(one.file)), 0);
      return make(run.model, most - runs.length);
    });
    // Where no model is stated any run makes a task complete, and one without any is by the only model of the suite.
    if (planned.size === 0)
      return held.length === 0 ? make(more.length > 0 ? UNKNOWN_MODEL : only, trials) : fewer;
    const ofModels = [...planned].flatMap((model) => {
      const has = [...held.map(({ run }) => run), ...fewer].filter((run) => run.model === model).length;
      // A run of an unknown model may belong to this one.
      if (has === 0 && isUnknown) return [];
      return make(model, Math.max(1, ...files.filter((file) => file.model === model).map(perTask)) - has);
    });
    return [...fewer, ...ofModels].slice(0, MOST_MISSING);
  };
}

/** The runs that each run.json says were planned, of a suite: any harness may write them, without a list. */
export function rowsSaid(held: readonly HeldRun[]): readonly ListedRun[] {
  return held.flatMap(({ run }) =>
    Array.from({ length: run.ofTrials ?? 0 }, (_, index) => ({
      folder: "",
      eval: "",
      task: run.taskId,
      trial: index + 1,
      agent: run.askedAgent,
      model: run.asked,
      side: run.side,
    })),
  );
}

/** The planned runs of a task that are not there; of a task that no row names as few as of any other, by each agent and model. */
export function missingOfRows(
  { id, held }: { readonly id: string; readonly held: readonly HeldRun[] },
  rows: readonly ListedRun[],
): MissingRun[] {
  const trialOf = ({ run }: HeldRun) => run.numberInAttempt ?? run.number;
  const there = new Set(held.map((one) => keyOfTrial(one.run.askedAgent, one.run.asked, trialOf(one))));
  const numbers = freeNumbers(held);
  const byAgent = Map.groupBy(rows, ({ agent, model }) => keyOfTrial(agent, model));
  return [...byAgent.values()]
    .flatMap((ofAgent) => {
      const { agent, model = "" } = ofAgent[0] ?? {};
      const byTask = Map.groupBy(ofAgent, ({ task = "" }) => task);
      const ofTask = byTask.get(id);
      // A list says all models of a task.
      if (!ofTask && rows.some(({ task, folder }) => task === id && folder !== "")) return [];
      const [fewest = []] = [...byTask.values()].sort((one, other) => one.length - other.length);
      const trials = new Set((ofTask ?? fewest).map(({ trial = 1 }) => trial));
      return [...trials]
        .filter((trial) => !there.has(keyOfTrial(agent, model, trial)))
        .map((trial) => ({ model, number: numbers(model, trial) }));
    })
    .slice(0, MOST_MISSING);
}

function keyOfTrial(...parts: readonly (string | number | undefined)[]): string {
  return JSON.stringify(parts.map((part) => part ?? ""));
}

/** Assigns the lowest run number that a model has not used, from the given one. */
function freeNumbers(held: readonly HeldRun[]): (model: string, from?: number) => number {
  const used = new Set(held.map(({ run }) => keyOfTrial(run.model, run.number)));
  return (model, from = 1) => {
    let free = from;
    while (used.has(keyOfTrial(model, free))) free += 1;
    used.add(keyOfTrial(model, free));
    return free;
  };
}

/** The runs, each once if several attempts made it. */
function ofOneAttempt(held: readonly HeldRun[]): readonly HeldRun[] {
  const keyOf = ({ run }: HeldRun) =>
    run.numberInAttempt === undefined ? run : JSON.stringify([run.model, run.numberInAttempt]);
  return [...Map.groupBy(held, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** A run that is missing in the file of one attempt may be in that of another. */
function legOf(file: ResultsFile): ResultsFile | string {
  const { attempt, evalName, suite, model } = file;
  return attempt === undefined ? file : JSON.stringify([evalName, suite, model]);
}

/** The number of runs per task that a file states. */
function perTask({ runsPerTest = 1 }: ResultsFile): number {
  return Math.max(1, Math.floor(runsPerTest));
}

/** The verdict of a missing run: which one it is, the grade's own name says. */
export function missingVerdict({ meant }: Pick<MissingRun, "meant">): Verdict {
  const hint = meant === undefined ? "" : ` Did you mean \`${meant}\`, which they have?`;
  return { state: "skipped", cause: "missing", reason: `The results lack this planned run.${hint}` };
}
