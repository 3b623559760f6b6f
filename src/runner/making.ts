/** What runs are made with, and what each comes to. */
import type { ClientFacts, Conversation } from "../domain/run.ts";
import type { Changes } from "../github/changes.ts";
import type { RunRecord, Turn } from "../outputs/run-json.ts";
import type { taskDigests } from "../outputs/task-digest.ts";
import type { PlannedRun } from "../plan/runs.ts";
import type { Redactor } from "../safety/secrets.ts";
import type { Chosen } from "./choose-runs.ts";
import type { RunOptions } from "./run-options.ts";
import type { Spending } from "./spending.ts";
import type { Death } from "./work.ts";

/** The judge where it is known, as for `try`; its address. */
export interface PricedJudge {
  readonly judgeModel?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** What the command needs from outside. */
export interface RunSurroundings {
  readonly options: RunOptions;
  readonly env: NodeJS.ProcessEnv;
  /** The top of the checkout, or the current folder. */
  readonly workspace: string;
  readonly changes: (root: string) => Promise<Changes>;
  /** Who opened the pull request, where that gets no secrets. */
  readonly withoutSecrets: "fork" | "dependabot" | undefined;
  /** Sets an output of the step. */
  readonly output?: ((name: string, value: string) => void) | undefined;
  readonly line: (text: string) => void;
  /** Replaces the line of progress on a terminal. */
  readonly status?: ((text: string) => void) | undefined;
  readonly cancelled: AbortSignal;
  /** The judge of these runs, where it is known. */
  readonly judge?: PricedJudge | undefined;
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
  readonly gentleMs?: number | undefined;
  readonly leastBytes?: number | undefined;
}

/** The hash of skill, prompt and files, with the command and the arguments beside it, without secrets. */
export type AgentGiven = Pick<RunRecord, "taskSha256" | "command" | "arguments">;

/** A call of `run`, with what it is to make. */
export interface Call extends RunSurroundings {
  readonly chosen: Chosen;
  /** What an agent is given in a run. */
  readonly givenIn: (run: Parameters<ReturnType<typeof taskDigests>>[0]) => Promise<AgentGiven>;
  readonly planned: readonly GivenRun[];
  /** Those of them that are there already. */
  readonly kept: ReadonlyMap<PlannedRun, MadeRun>;
  /** Takes secrets out of all that is written. */
  readonly redact: Redactor;
}

/** How runs are made; `options.out`, the folder of all runs, has no link in its path. */
export interface Making extends Call {
  readonly agentVersion: string | undefined;
  /** The folder in which agents work, outside of the checkout. */
  readonly temp: string;
  readonly spending: Spending;
  /** Who says what the user says after the first turn. */
  readonly speaker: (run: PlannedRun) => Speaker;
  readonly progress: Progress;
}

/** What was said, turn by turn: the user's words before each answer, those of the first turn left out. */
export interface SoFar {
  readonly prompts: readonly string[];
  readonly answers: readonly string[];
}

/** What the user says next, or how the conversation ended. */
export type Next = Pick<Turn, "prompt" | "by"> | Pick<Conversation, "ended" | "reason">;

/** Says what the user says next. Never throws. */
export type Speaker = (said: SoFar) => Promise<Next>;

/** A run with what its agent is given. */
export interface GivenRun extends PlannedRun {
  readonly given: AgentGiven;
}

export interface MadeRun extends Omit<Death, "error"> {
  readonly run: PlannedRun;
  readonly record: RunRecord;
  /** Hash of what it left; absent where there is too much. */
  readonly workSha256?: string | undefined;
  /** It was there already. */
  readonly isOld?: true;
  /** The agent did something: a message, a tool call, an answer; and did not harm its own run. */
  readonly worked: boolean;
  /** What its log says of the client. */
  readonly client?: ClientFacts | undefined;
}

/** What all runs came to. */
export interface MadeRuns {
  readonly made: readonly MadeRun[];
  /** Runs that were not started or not ended: interrupted, or stopped. */
  readonly left: number;
  /** Why no other run would get further. */
  readonly stopped:
    false | "hopeless" | "unread" | "full" | "capped" | Exclude<MadeRun["outage"], "busy" | undefined>;
}

/** What hears how runs go. */
export interface Progress {
  /** A run is started; returns what hears how many calls its log has. */
  readonly begin: (run: PlannedRun) => (calls: number) => void;
  readonly end: (made: MadeRun) => void;
  /** All have ended. */
  readonly stop: () => void;
}
