/** Trials of other formats as documents in waza's, so that they are graded, and written, like waza's own. */
import { dirname } from "node:path";
import type { Trial, Where } from "./reader.ts";
import type { WazaResults, WazaRun } from "./schema.ts";

/** The trials of one file. */
export interface TrialsOfFile {
  readonly format: string;
  /** Absolute. */
  readonly file: string;
  readonly where: Where;
  readonly trials: readonly Trial[];
}

/** A document with what to call it: its file, or the folder of its files. */
export interface MadeDocument {
  readonly path: string;
  readonly document: WazaResults;
}

interface Task {
  readonly test_id: string;
  readonly display_name: string;
  readonly status: string;
  readonly runs: WazaRun[];
}

/**
 * One document per folder, format and model, since a results file of waza has one model. The order of the files is
 * kept; a run number that is taken already becomes the next free one, so that no two files' runs are taken for one.
 */
export function synthesise(files: readonly TrialsOfFile[]): MadeDocument[] {
  const groups = new Map<string, { files: TrialsOfFile[]; model: string | undefined }>();
  for (const one of files) {
    for (const model of new Set(one.trials.map((trial) => trial.model))) {
      const key = JSON.stringify([dirname(one.file), one.format, model]);
      const group = groups.get(key) ?? { files: [], model };
      groups.set(key, group);
      group.files.push({ ...one, trials: one.trials.filter((trial) => trial.model === model) });
    }
  }
  return [...groups.values()].map(({ files: members, model }) => ({
    path: pathOf(members),
    document: documentOf(members, model),
  }));
}

function pathOf(files: readonly TrialsOfFile[]): string {
  const [first] = files;
  const path = first?.where.path ?? "";
  return files.length === 1 ? path : path.replace(/[^/]*$/, "") || "./";
}

/** Run numbers of a task that are taken, and where the search for a free one goes on. */
interface Numbers {
  readonly all: Set<number>;
  next: number;
}

function documentOf(files: readonly TrialsOfFile[], model: string | undefined): WazaResults {
  const tasks = new Map<string, Task>();
  const numbers = new Map<string, Numbers>();
  for (const trial of files.flatMap(({ trials }) => trials)) {
    const task = tasks.get(trial.taskId) ?? {
      test_id: trial.taskId,
      display_name: trial.taskName ?? trial.taskId,
      status: "skipped",
      runs: [],
    };
    tasks.set(trial.taskId, task);
    const taken: Numbers = numbers.get(trial.taskId) ?? { all: new Set(), next: 1 };
    numbers.set(trial.taskId, taken);
    task.runs.push(runOf(trial, freeNumber(trial.number, taken)));
  }
  const list = [...tasks.values()];
  return {
    config: {
      runs_per_test: list.reduce((most, { runs }) => Math.max(most, runs.length), 1),
      ...(model === undefined ? {} : { model_id: model }),
    },
    summary: {},
    metrics: {},
    tasks: list,
    metadata: { format: files[0]?.format, files: files.map(({ where }) => where.path) },
  } as WazaResults;
}

/** The number that was asked for when it is free, else the next free one after it. */
function freeNumber(wanted: number | undefined, taken: Numbers): number {
  let number = wanted ?? taken.next;
  if (taken.all.has(number)) {
    taken.next = Math.max(taken.next, number + 1);
    while (taken.all.has(taken.next)) taken.next += 1;
    number = taken.next;
  }
  taken.all.add(number);
  return number;
}

function runOf(trial: Trial, number: number): WazaRun {
  const tools = trial.events.filter(({ type }) => type === "tool.execution_start");
  return {
    run_number: number,
    attempts: 1,
    ...(trial.prompt === undefined ? {} : { prompt: trial.prompt }),
    status: trial.failure === undefined ? "skipped" : "error",
    duration_ms: 0,
    validations: {},
    session_digest: {
      tool_call_count: tools.length,
      tools_used: [...new Set(tools.flatMap(({ tool_name: name }) => name ?? []))],
      errors: [],
    },
    transcript: [...trial.events],
    final_output: trial.finalOutput,
    ...(trial.failure === undefined ? {} : { error_msg: trial.failure }),
  } as WazaRun;
}
