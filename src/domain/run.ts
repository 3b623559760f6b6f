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
  /** Indexes of its results file, of its task in that file, and of the run in that task. */
  readonly origin: { readonly file: number; readonly task: number; readonly run: number };
  readonly taskId: string;
  readonly taskName?: string | undefined;
  /** Whether the results mark its task as golden. */
  readonly golden?: boolean | undefined;
  /** Unique among the runs of a task and model, also across attempts. */
  readonly number: number;
  /**
   * The attempt of the job that made it (`github.run_attempt`): the number of the outermost folder `…attempt-<n>` below
   * the fixed part of the `results` pattern. Absent without such a folder, as when a single artifact is extracted. Each
   * attempt adds runs to a task. A run that is missing or never got to work is replaced by the same run of another
   * attempt.
   */
  readonly attempt?: number | undefined;
  /** The absolute path of the attempt's folder. A path in `workspace` is looked up in it, too. */
  readonly attemptFolder?: string | undefined;
  /** Its number within its attempt; the same run of another attempt has the same number. */
  readonly numberInAttempt?: number | undefined;
  /** Whether a later attempt repeated this run: then only the later one counts for `fail-on: fail` and golden tasks. */
  readonly hasLaterAttempt?: true | undefined;
  /** Set for a run without the skill: it has no score and decides nothing. */
  readonly side?: "without-skill" | undefined;
  readonly model: string;
  readonly prompt?: string | undefined;
  readonly finalOutput: string;
  readonly steps: readonly Step[];
  /**
   * `finished`: there is something to judge, or the results name no cause. The others have nothing to judge: `failed`
   * through the agent, which scores 0, and `grader-failed` through waza's own graders, which has no score.
   */
  readonly agent: "finished" | "failed" | "grader-failed";
  readonly errorMessage?: string | undefined;
  /** How a failed run ended, with its message, for the judge; absent for other runs. */
  readonly ended?: string | undefined;
  /** The file it was read from, if the results are merged from several. */
  readonly source?: string | undefined;
  /** The agent's folder as the results name it: an untrusted path that need not exist. */
  readonly workspaceDir?: string | undefined;
  readonly recorded: readonly RecordedValidation[];
  /** The agent's answer to the same task without the skill (`waza run --baseline`). */
  readonly baselineOutput?: string | undefined;
}

/** Stands for a model that the results do not name. */
export const UNKNOWN_MODEL = "unknown model";

/** One file of agent outputs. */
export interface ResultsFile {
  readonly path: string;
  /** The name of the eval of these outputs; absent if the results have none. */
  readonly evalName?: string | undefined;
  readonly model: string;
  /** Time of the agent's run as the file has it; absent if it has none. */
  readonly timestamp?: string | undefined;
  /** The eval file that a folder in its path names; absent without one, or if the file has `evalName`. */
  readonly suite?: string | undefined;
  /** The same for all its runs (`Run.attempt`, `Run.side`). */
  readonly attempt?: number | undefined;
  readonly side?: "without-skill" | undefined;
  /** Planned runs of each task; only in waza's results. */
  readonly runsPerTest?: number | undefined;
  readonly runs: readonly Run[];
}
