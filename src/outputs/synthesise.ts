/** Converts trials of other formats to documents in waza's format, to grade and write them like waza's own. */
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

/** A document, its file (or the folder of its files), and the file of each run, by task and run. */
export interface SynthesisedDocument {
  readonly path: string;
  readonly document: WazaResults;
  readonly sources: readonly (readonly string[])[];
}

interface Task {
  readonly test_id: string;
  readonly display_name: string;
  readonly golden: boolean | undefined;
  readonly status: string;
  readonly runs: WazaRun[];
  readonly sources: string[];
}

/**
 * One document per folder, format, eval and model, since a results file of waza has one eval and one model, in the order
 * of the files. A trial without a number gets the next free one of its task and model, across folders.
 */
export function synthesise(files: readonly TrialsOfFile[]): SynthesisedDocument[] {
  const numbers = numbered(files.flatMap(({ trials }) => trials));
  const groups = new Map<string, TrialsOfFile[]>();
  for (const one of files) {
    const byDocument = Map.groupBy(one.trials, ({ evalName, model }) =>
      JSON.stringify([dirname(one.file), one.format, evalName, model]),
    );
    for (const [key, trials] of byDocument) groups.set(key, [...(groups.get(key) ?? []), { ...one, trials }]);
  }
  return [...groups.values()].map((members) => {
    const tasks = tasksOf(members, numbers);
    const sources = tasks.map((task) => task.sources);
    return { path: pathOf(members), document: documentOf(tasks, members), sources };
  });
}

/** Run numbers: a trial's own number is kept, even if two are equal. */
function numbered(trials: readonly Trial[]): ReadonlyMap<Trial, number> {
  const taken = new Map<string, Numbers>();
  const takenBy = ({ taskId, model }: Trial): Numbers => {
    const key = JSON.stringify([taskId, model]);
    const known = taken.get(key) ?? { all: new Set(), next: 1 };
    taken.set(key, known);
    return known;
  };
  for (const trial of trials) if (trial.number !== undefined) takenBy(trial).all.add(trial.number);
  return new Map(trials.map((trial) => [trial, trial.number ?? nextFree(takenBy(trial))]));
}

function nextFree(taken: Numbers): number {
  while (taken.all.has(taken.next)) taken.next += 1;
  taken.all.add(taken.next);
  return taken.next;
}

function pathOf(files: readonly TrialsOfFile[]): string {
  const [first] = files;
  const path = first?.where.path ?? "";
  return files.length === 1 ? path : path.slice(0, path.lastIndexOf("/") + 1) || "./";
}

/** The used run numbers of a task, and where to look for a free one. */
interface Numbers {
  readonly all: Set<number>;
  next: number;
}

function tasksOf(files: readonly TrialsOfFile[], numbers: ReadonlyMap<Trial, number>): readonly Task[] {
  const tasks = new Map<string, Task>();
  for (const { where, trials } of files) {
    for (const trial of trials) {
      const { taskId, taskName = taskId, golden } = trial;
      const task: Task = tasks.get(taskId) ?? {
        test_id: taskId,
        display_name: taskName,
        golden,
        status: "skipped",
        runs: [],
        sources: [],
      };
      tasks.set(taskId, task);
      task.runs.push(runOf(trial, numbers.get(trial) ?? 1));
      task.sources.push(where.path);
    }
  }
  return [...tasks.values()];
}

function documentOf(tasks: readonly Task[], files: readonly TrialsOfFile[]): WazaResults {
  const [first] = files;
  return {
    eval_name: first?.trials[0]?.evalName,
    config: {
      runs_per_test: tasks.reduce((most, { runs }) => Math.max(most, runs.length), 1),
      model_id: first?.trials[0]?.model,
    },
    summary: {},
    metrics: {},
    tasks: tasks.map(({ sources: _, ...task }) => task),
    metadata: { format: first?.format, files: files.map(({ where }) => where.path) },
  } as WazaResults;
}

function runOf(trial: Trial, number: number): WazaRun {
  const started = trial.events.filter(({ type }) => type === "tool.execution_start");
  const tools = started.length > 0 ? started : (trial.toolEvents ?? []);
  return {
    run_number: number,
    attempts: 1,
    prompt: trial.prompt,
    status: trial.failure === undefined ? "skipped" : "error",
    duration_ms: 0,
    validations: trial.validations ?? {},
    session_digest: {
      tool_call_count: tools.length,
      tools_used: [...new Set(tools.flatMap(({ tool_name: name }) => name ?? []))],
      errors: [],
    },
    transcript: [...trial.events],
    tool_events: trial.toolEvents,
    final_output: trial.finalOutput,
    workspace_dir: trial.workspaceDir,
    error_msg: trial.failure,
  } as WazaRun;
}
