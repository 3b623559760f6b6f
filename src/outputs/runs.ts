/**
 * Runs from what was read: results files of the runs in other formats, duplicates left out, and the runs of several attempts
 * numbered.
 */
import { dirname } from "node:path";
import {
  type HeldRun,
  type ResultsFile,
  type Run,
  UNKNOWN_MODEL,
  brokenOff,
  hasEvidence,
  heldRuns,
} from "../domain/run.ts";
import { notice, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { agentOutcome } from "./formats/waza.ts";
import type { FileRead, Trial } from "./reader.ts";
import { listed } from "../text/format.ts";

/** A trial and its file. */
export interface HeldTrial {
  readonly file: Pick<FileRead, "format" | "file" | "at">;
  readonly trial: Trial;
}

/**
 * One results file per folder, format and model, as waza writes them, in the order of the files; `first` is the index
 * of the first. A trial without a number gets the next free one of its task and model, across folders.
 */
export function resultsOfTrials(held: readonly HeldTrial[], first: number): ResultsFile[] {
  const numbers = runNumbers(held.map(({ trial }) => trial));
  const groups = Map.groupBy(held, ({ file, trial: { model } }) =>
    JSON.stringify([dirname(file.file), file.format, model]),
  );
  return [...groups.values()].map((members, index): ResultsFile => {
    const [member] = members;
    return {
      path: pathOf(members),
      model: member?.trial.model ?? UNKNOWN_MODEL,
      format: member?.file.format,
      runs: runsOfTrials(members, numbers, first + index),
    };
  });
}

/** Run numbers, by task and model: a trial's own number is kept, even if two are equal; else it gets the next free one. */
function runNumbers(trials: readonly Trial[]): ReadonlyMap<Trial, number> {
  const groups = Map.groupBy(trials, ({ taskId, model }) => JSON.stringify([taskId, model]));
  const numbered = [...groups.values()].flatMap((same) => {
    const taken = new Set(same.map(({ number }) => number));
    let next = 1;
    return same.map((trial): [Trial, number] => {
      while (taken.has(next)) next += 1;
      const { number = next } = trial;
      taken.add(number);
      return [trial, number];
    });
  });
  return new Map(numbered);
}

/** The runs, task by task in the order in which the files name them; how the agent ended by the rule for waza's results. */
function runsOfTrials(held: readonly HeldTrial[], numbers: ReadonlyMap<Trial, number>, file: number): Run[] {
  const byTask = [...Map.groupBy(held, ({ trial }) => trial.taskId).values()];
  return byTask.flatMap((ofTask, task) => {
    const { taskId, taskName = taskId } = ofTask[0]?.trial ?? {};
    return ofTask.map(({ file: { at }, trial }, run): Run => {
      const { evalPath, failure, isStopped, outage, model = UNKNOWN_MODEL, ...same } = trial;
      const status = failure === undefined ? undefined : "error";
      const { agent, ended } = agentOutcome({ ...trial, status, message: failure });
      return {
        ...same,
        origin: { file, task, run },
        taskName,
        number: numbers.get(trial) ?? 1,
        model,
        recorded: [],
        agent: agent === "failed" && isStopped ? "stopped" : agent,
        ended,
        errorMessage: failure || undefined,
        source: at.path,
      };
    });
  });
}

/** The file, or the innermost folder of all. */
function pathOf(held: readonly HeldTrial[]): string {
  const paths = [...new Set(held.map(({ file }) => file.at.path))];
  if (paths.length === 1) return paths.join("");
  const [first = [], ...others] = paths.map((one) => one.split("/").slice(0, -1));
  const end = first.findIndex((part, index) => others.some((other) => other[index] !== part));
  const shared = end < 0 ? first : first.slice(0, end);
  return shared.map((part) => `${part}/`).join("") || "./";
}

/**
 * Renumbers the runs of several attempts, so that no two share a number, and drops runs without any work if the same run
 * of another attempt has some or is newer. Without a second attempt nothing changes.
 */
export function unite(files: readonly ResultsFile[]): readonly ResultsFile[] {
  const held = heldRuns(files);
  if (new Set(held.map(({ run }) => run.attempt)).size < 2) return files;
  const groupBy = (all: readonly HeldRun[], key: "number" | "model") =>
    Map.groupBy(all, ({ file, run }) =>
      JSON.stringify([file.evalName, file.suite, run.side, run.taskId, run[key]]),
    );
  const kept = new Set([...groupBy(held, "number").values()].flatMap(withoutDead));
  const left = held.filter(({ run }) => kept.has(run));
  const numbered = new Map([...groupBy(left, "model").values()].flatMap(numberedOn));
  return files.map((file) => ({ ...file, runs: file.runs.flatMap((run) => numbered.get(run) ?? []) }));
}

/** Of the same run in several attempts, those with work, per model; else the newest. */
function withoutDead(same: readonly HeldRun[]): Run[] {
  const runs = same.map(({ run }) => run);
  const newest = runs.reduce((last, { attempt = 0 }) => Math.max(last, attempt), 0);
  return runs.filter((run) => {
    // A run without any work may lack its model.
    const isOfModel = ({ model }: Run) => model === run.model || [model, run.model].includes(UNKNOWN_MODEL);
    const others = runs.filter((other) => other.attempt !== run.attempt && isOfModel(other));
    return hasWorked(run) || (!others.some(hasWorked) && (run.attempt ?? 0) === newest);
  });
}

function hasWorked(run: Run): boolean {
  const isBroken = run.conversation !== undefined && brokenOff(run.conversation) !== undefined;
  return run.agent === "finished" && hasEvidence(run) && !isBroken;
}

/** The runs of a task and model: those of an attempt come after those of the attempts before it. */
function numberedOn(held: readonly HeldRun[]): [Run, Run][] {
  const byAttempt = [...Map.groupBy(held, ({ run }) => run.attempt ?? 0)].sort(([a], [b]) => a - b);
  const newest = new Map(byAttempt.flatMap(([attempt, its]) => its.map(({ run }) => [run.number, attempt])));
  let before = 0;
  return byAttempt.flatMap(([attempt, its]) => {
    const shift = attempt === 0 ? 0 : before;
    // Runs without an attempt count as those of the first.
    if (attempt > 0) before = its.reduce((most, { run }) => Math.max(most, run.number + shift), before);
    return its.map(({ run }): [Run, Run] => [
      run,
      {
        ...run,
        number: run.number + shift,
        numberInAttempt: run.number,
        hasLaterAttempt: (newest.get(run.number) ?? 0) > attempt ? true : undefined,
      },
    ]);
  });
}

/** One notice for all copies, each with what it is a copy of. */
export function copiesNotice(
  copies: readonly (readonly [{ at: SourceSpan }, { at: SourceSpan }])[],
): Problem[] {
  const [first] = copies;
  if (!first) return [];
  const names = copies.map(([copy, original]) => `\`${copy.at.path}\` (as \`${original.at.path}\`)`);
  const message = `Identical files, read once: ${listed(names)}.`;
  return [notice("identical-files", message, { at: first[0].at })];
}

/** A warning for unnumbered runs of one task in two formats: likely one run, which would be graded twice. */
export function duplicateTasks(held: readonly HeldTrial[]): Problem[] {
  const unnumbered = held.filter(({ trial }) => trial.number === undefined);
  const byTask = Map.groupBy(unnumbered, ({ trial: { taskId } }) => taskId);
  const pairs = [...byTask.values()].flatMap(([first, ...others]) => {
    const other = others.find(({ file }) => file.format !== first?.file.format);
    return first && other ? [[first.file.at, other.file.at] as const] : [];
  });
  const [pair] = pairs;
  if (!pair) return [];
  const names = pairs.map(([one, other]) => `\`${one.path}\` and \`${other.path}\``);
  const message = `Two files describe the same task; both are graded: ${listed(names)}.`;
  const help = "If they are of one run, leave one format out of `results`.";
  return [warning("task-in-two-formats", message, { help, at: pair[0] })];
}
