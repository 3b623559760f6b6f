/** What the agent did. */
import * as z from "zod/mini";
import { type Shaped, lenientNumber } from "../text/optional.ts";

/** One step of the agent's conversation. */
export type Step =
  | { readonly kind: "assistant"; readonly text: string }
  /** `by`: a model that plays the user. */
  | { readonly kind: "user"; readonly text: string; readonly by?: "model" | undefined }
  | {
      readonly kind: "tool";
      readonly name: string;
      /** The call's arguments as JSON text. */
      readonly input: string;
      readonly result?: string | undefined;
      readonly success?: boolean | undefined;
      /** The sub-agent that made the call, as the log names it; absent for the agent itself. */
      readonly subAgent?: string | undefined;
    }
  | { readonly kind: "skill" | "error"; readonly text: string };

export const tokensShape = z.object({
  /** With those of `cached` and `written`. */
  input: z.number(),
  output: z.number(),
  /** Input tokens from the provider's prompt cache; 0 when it does not report them. */
  cached: z.number(),
  /** Input tokens written to that cache, which some providers charge more for; absent when not reported. */
  written: lenientNumber,
});

/** Tokens that a model used. */
export type TokenUse = Shaped<typeof tokensShape>;

/** A skill as the log of a client names it. */
export interface LoggedSkill {
  readonly name: string;
  /** The folder or file that the client has it from, where the log says so. */
  readonly from?: string | undefined;
}

/** A call of the agent for a skill. */
export interface SkillCall extends LoggedSkill {
  /** False where its result is an error; absent without a result. */
  readonly success?: boolean | undefined;
  /** What came back, where it is an error. */
  readonly error?: string | undefined;
  /** Loaded without the client's tool: from the skill's file, or since the user named it. */
  readonly by?: "file" | "prompt" | undefined;
}

/** What the log of a run says of the client, beside the conversation. A field is absent where the log does not say it. */
export interface ClientFacts {
  /** The skills that the client offered to the agent. */
  readonly skills?: readonly LoggedSkill[] | undefined;
  /** The agent's calls for skills, in order; absent where the log does not say which were loaded. */
  readonly skillCalls?: readonly SkillCall[] | undefined;
  /** A session that the log names and does not hold may have loaded more. */
  readonly hasUnseenSession?: boolean | undefined;
  /** The tool of each call that was refused for want of a permission. */
  readonly refused?: readonly string[] | undefined;
  /** The client's own word for an end that the agent did not choose: `error_max_turns`. */
  readonly endedBy?: string | undefined;
  readonly tokens?: TokenUse | undefined;
  /** Tokens and cost are those of the session up to here, not of its last turn. */
  readonly isOfSession?: true | undefined;
  /** US dollars. */
  readonly cost?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly version?: string | undefined;
  /** The agent got no skill on the side that should have it, since none was found. */
  readonly lackedSkill?: true | undefined;
  /** The session's id. */
  readonly session?: string | undefined;
}

/**
 * How a conversation of several turns ended. `completed`: all texts were sent; `stopped`: the user had no more to say;
 * `exhausted`: the responder had said as much as it may. Without a verdict: `abstained`, the responder could not go on by
 * its instructions; `failed`, a turn ended by its client, its provider or the time limit, or the responder did not answer.
 */
export const CONVERSATION_ENDS = ["completed", "stopped", "exhausted", "abstained", "failed"] as const;

export interface Conversation {
  /** With the first. */
  readonly turns: number;
  readonly ended: (typeof CONVERSATION_ENDS)[number];
  readonly reason?: string | undefined;
}

/** Why a conversation says nothing of the agent; undefined of one that does. */
export function brokenOff({ ended, turns, reason = "" }: Conversation): string | undefined {
  if (ended === "abstained") return `The responder abstained after turn ${String(turns)}: ${reason}`;
  return ended === "failed" ? `The conversation ended in turn ${String(turns)}: ${reason}` : undefined;
}

/** The facts without figures that cannot be (a negative number of tokens), which some clients write. */
export function possibleFacts({ tokens, cost, durationMs, ...facts }: ClientFacts): ClientFacts {
  const isAmount = (value = 0) => Number.isFinite(value) && value >= 0;
  return {
    ...facts,
    tokens: tokens && Object.values(tokens).every(isCount) ? tokens : undefined,
    cost: isAmount(cost) ? cost : undefined,
    durationMs: isAmount(durationMs) ? durationMs : undefined,
  };
}

/** Whether a figure can be a number of tokens; an absent one can. */
export function isCount(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 0);
}

/** A verdict in the results, by waza's own graders or another tool. */
export interface RecordedValidation {
  readonly name: string;
  readonly type: string;
  readonly score: number;
  readonly passed: boolean;
  readonly feedback: string;
}

/**
 * How the agent's part of a run ended. `finished`: has something to judge, or no error in the results. `failed`: the agent
 * ended in an error with nothing to judge; scores 0. `stopped`: so too, and all that is known is how its program ended.
 * `grader-failed`: waza's own graders interrupted the run with nothing to judge; no score.
 */
export const AGENT_ENDS = ["finished", "failed", "stopped", "grader-failed"] as const;

/** One trial of the agent on one task. */
export interface Run {
  /** Indexes of the results file, of the task in it, and of the run in the task. */
  readonly origin: { readonly file: number; readonly task: number; readonly run: number };
  readonly taskId: string;
  readonly taskName?: string | undefined;
  /** Whether the results mark its task as golden. */
  readonly golden?: boolean | undefined;
  /** Unique among the runs of a task and model, also across attempts. */
  readonly number: number;
  /**
   * The job's attempt (`github.run_attempt`), of a run.json. The runs of all attempts count; a run that is missing or
   * never got to work is replaced by the same run of another attempt.
   */
  readonly attempt?: number | undefined;
  /** Number within the attempt; the same run of another attempt has the same number. */
  readonly numberInAttempt?: number | undefined;
  /** Whether a later attempt repeats this run; only the later one then counts for `fail-on: fail` and golden tasks. */
  readonly hasLaterAttempt?: true | undefined;
  /** Set for a run without the skill: it has no score and decides nothing. */
  readonly side?: "without-skill" | undefined;
  readonly model: string;
  readonly prompt?: string | undefined;
  readonly finalOutput: string;
  readonly steps: readonly Step[];
  /** Of a run.json with turns after the first. */
  readonly conversation?: Conversation | undefined;
  readonly agent: (typeof AGENT_ENDS)[number];
  readonly errorMessage?: string | undefined;
  /** Status and message of a run that ended in an error, for the judge; absent for other runs. */
  readonly ended?: string | undefined;
  /** Path of the run's own file; absent for waza's results. */
  readonly source?: string | undefined;
  /** The folder that the agent worked in, of a run.json: absolute, links resolved, in the folder of the run. */
  readonly workspaceDir?: string | undefined;
  /** Its answer is what it left in that folder, of a run.json. */
  readonly leftFiles?: true | undefined;
  /** When it was started, not parsed, of a run.json. */
  readonly started?: string | undefined;
  /** Which agent was asked, of a run.json: its name in our table, or `command`. */
  readonly askedAgent?: string | undefined;
  /** The model that the agent was asked to use, of a run.json. */
  readonly asked?: string | undefined;
  /** How many runs of its task, side and asked model were planned, of a run.json. */
  readonly ofTrials?: number | undefined;
  /** How many sides of its task were planned, of a run.json: 2 with runs without the skill. */
  readonly ofSides?: 1 | 2 | undefined;
  readonly recorded: readonly RecordedValidation[];
  /** What its log, or its run.json, says of the client. */
  readonly client?: ClientFacts | undefined;
  /** How often it was started until it got to work, of a run.json; absent for once. */
  readonly tries?: number | undefined;
  /** Made before the skill, the prompt or the task's files were changed, where that makes it a missing run. */
  readonly isOlder?: true | undefined;
  /** A run.json says what it is, and so whether the skill was given to the agent. */
  readonly isSaid?: true | undefined;
}

/** Placeholder for a model that the results do not name. */
export const UNKNOWN_MODEL = "unknown model";

/** Outputs of one eval and model: a results file of waza, or the files of one format in one folder. */
export interface ResultsFile {
  readonly path: string;
  /** Name of the eval; absent if the results have none. */
  readonly evalName?: string | undefined;
  readonly model: string;
  /** Name of the format that it was read from; absent for waza's results. */
  readonly format?: string | undefined;
  /** Time of the agent's run, not parsed; absent if the file has none. */
  readonly timestamp?: string | undefined;
  /** Path of the eval file that a folder of `path` names; absent without one, or if the file has `evalName`. */
  readonly suite?: string | undefined;
  /** `attempt` and `side` of all its runs. */
  readonly attempt?: number | undefined;
  readonly side?: "without-skill" | undefined;
  /** Number of planned runs per task; only in waza's results. */
  readonly runsPerTest?: number | undefined;
  readonly runs: readonly Run[];
}

/** A run and its results file. */
export interface HeldRun {
  readonly file: ResultsFile;
  readonly run: Run;
}

/** The runs of these files, each with its file. */
export function heldRuns(files: readonly ResultsFile[]): HeldRun[] {
  return files.flatMap((file) => file.runs.map((run) => ({ file, run })));
}

/** Whether the run has a conversation to judge: a message or a tool call of the agent. */
export function hasConversation({ steps }: Pick<Run, "steps">): boolean {
  return steps.some(({ kind }) => kind === "assistant" || kind === "tool");
}

/** Whether the run has something to judge, however it ended. */
export function hasEvidence(run: Pick<Run, "finalOutput" | "steps" | "leftFiles">): boolean {
  return run.finalOutput.trim() !== "" || hasConversation(run) || run.leftFiles === true;
}

/** Whether a name in a log is this skill's; a plugin's name may come before it (`docs:pdf`). */
export function isSkill({ name }: LoggedSkill, skill: string): boolean {
  return name === skill || name.endsWith(`:${skill}`);
}

/** Whether the client offered a skill to the agent; undefined where the log does not list its skills. */
export function hasSkill({ skills }: ClientFacts, skill: string): boolean | undefined {
  return skills?.some((one) => isSkill(one, skill));
}

/**
 * Whether a skill was loaded: by a call for it that has no result yet, or one that is no error. Undefined where the log
 * does not say which were loaded.
 */
export function hasLoaded({ skillCalls, hasUnseenSession }: ClientFacts, skill: string): boolean | undefined {
  const isSeen = skillCalls?.some((one) => one.success !== false && isSkill(one, skill));
  return isSeen || !hasUnseenSession ? isSeen : undefined;
}

/** The call for one of these skills that failed, where none of them was loaded; the first with an error, if one has it. */
export function failedLoad(
  { skillCalls = [] }: ClientFacts,
  names: readonly string[],
): SkillCall | undefined {
  const calls = skillCalls.filter((call) => names.some((name) => isSkill(call, name)));
  if (calls.some(({ success }) => success !== false)) return undefined;
  return calls.find((call) => call.error !== undefined) ?? calls[0];
}

/** The name of the list of what is asked again, which grading writes. */
export const AGAIN_LIST = "runs-again.json";
