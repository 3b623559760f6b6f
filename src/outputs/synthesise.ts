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

function documentOf(files: readonly TrialsOfFile[], model: string | undefined): WazaResults {
  const tasks = new Map<string, Task>();
  for (const trial of files.flatMap(({ trials }) => trials)) {
    const task = tasks.get(trial.taskId) ?? {
      test_id: trial.taskId,
      display_name: trial.taskName ?? trial.taskId,
      status: "skipped",
      runs: [],
    };
    tasks.set(trial.taskId, task);
    task.runs.push(runOf(trial, freeNumber(trial.number, task.runs)));
  }
  const list = [...tasks.values()];
  return {
    config: {
      runs_per_test: Math.max(1, ...list.map(({ runs }) => runs.length)),
      ...(model === undefined ? {} : { model_id: model }),
    },
    summary: {},
    metrics: {},
    tasks: list,
    metadata: { format: files[0]?.format, files: files.map(({ where }) => where.path) },
  } as WazaResults;
}

function freeNumber(wanted: number | undefined, runs: readonly WazaRun[]): number {
  const taken = new Set(runs.map((run) => run.run_number));
  let number = wanted ?? 1;
  while (taken.has(number)) number += 1;
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
