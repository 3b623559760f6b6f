/** What the agent did. */

/** One step of the agent's conversation. */
export type Step =
  | { readonly kind: "user" | "assistant"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly name: string;
      /** The call's arguments as JSON text. */
      readonly input: string;
      readonly result?: string | undefined;
      readonly success?: boolean | undefined;
    }
  | { readonly kind: "skill" | "error"; readonly text: string };

/** A verdict already in the results, from waza or another tool. */
export interface RecordedValidation {
  readonly name: string;
  readonly type: string;
  readonly score: number;
  readonly passed: boolean;
  readonly feedback: string;
}

/** One trial of the agent on one task. */
export interface Run {
  /** Where it was read: index of the results file, of the task in it and of the run in that. */
  readonly origin: { readonly file: number; readonly task: number; readonly run: number };
  readonly taskId: string;
  readonly taskName?: string | undefined;
  /** The results mark its task as golden. */
  readonly golden?: boolean | undefined;
  /** Runs of a task and model have different numbers, also over several attempts. */
  readonly number: number;
  /**
   * The attempt of the job that made it (`github.run_attempt`), as the outermost folder below the fixed part of the
   * `results` pattern says whose name ends in `attempt-<n>`. Absent where no folder does: then there is one attempt, as
   * where a single artifact is extracted without its folder. Runs of several attempts are further runs of their task. One
   * that never got to work gives way to the same run of another attempt, and so does one that is missing.
   */
  readonly attempt?: number | undefined;
  /** The folder that names the attempt, absolute: what `workspace` names beside it is looked for in it. */
  readonly attemptFolder?: string | undefined;
  /** Its number within its attempt: the same run of several attempts has the same. */
  readonly numberInAttempt?: number | undefined;
  /** A later attempt made the same run again, which decides alone under `fail-on: fail` and for golden tasks. */
  readonly hasLaterAttempt?: true | undefined;
  /** The run was made without the skill: it is of no score and decides nothing. */
  readonly side?: "without-skill" | undefined;
  readonly model: string;
  readonly prompt?: string | undefined;
  readonly finalOutput: string;
  readonly steps: readonly Step[];
  /**
   * `finished`: there is something to judge, or nothing says why not. Without anything to judge, `failed` is the agent's
   * doing and counts 0; `grader-failed` is waza's own graders', and nobody's score.
   */
  readonly agent: "finished" | "failed" | "grader-failed";
  readonly errorMessage?: string | undefined;
  /** How a failed run ended, with its message, for the judge. Absent for every other run. */
  readonly ended?: string | undefined;
  /** The file it was read from, if its results were merged from several. */
  readonly source?: string | undefined;
  /** The agent's folder, as the results name it; it may be gone, or lie anywhere. */
  readonly workspaceDir?: string | undefined;
  readonly recorded: readonly RecordedValidation[];
  /** The agent's answer to the same task without the skill (`waza run --baseline`). */
  readonly baselineOutput?: string | undefined;
}

/** Name of a model that the results do not name. */
export const UNKNOWN_MODEL = "unknown model";

/** One file of agent outputs. */
export interface ResultsFile {
  readonly path: string;
  /** The eval these outputs belong to; absent in results that do not say. */
  readonly evalName?: string | undefined;
  readonly model: string;
  /** When the agent ran, as the file says it; absent when it does not. */
  readonly timestamp?: string | undefined;
  /** The path of the eval file that a folder of its path names; absent where none does, or where it says its eval itself. */
  readonly suite?: string | undefined;
  /** Of all its runs (`Run.attempt`, `Run.side`). */
  readonly attempt?: number | undefined;
  readonly side?: "without-skill" | undefined;
  /** Runs of each task that were to be made, where waza's results say so. */
  readonly runsPerTest?: number | undefined;
  readonly runs: readonly Run[];
}
