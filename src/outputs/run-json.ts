/**
 * `run.json`: what the runner wrote down of one run, beside its log, and what it says of how the run ended; any harness may
 * write it (docs/outputs.md).
 */
import { constants } from "node:os";
import * as z from "zod/mini";
import { CONVERSATION_ENDS } from "../domain/run.ts";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import { textOfFile } from "../files/read.ts";
import { camelKeys, jsonOf, listedCode, plural, shorten, snakeKeys } from "../text/format.ts";
import { closest, didYouMean } from "../text/suggest.ts";

/** Characters of a key or a name of a run.json that a message shows. */
export const LONGEST_NAME = 60;

/** The file's name. */
export const RUN_JSON = "run.json";
/** The name of a run's log, as `run` writes it. */
export const LOG = "log.jsonl";
/** The name of the session that the client kept itself. */
export const SESSION = "session.jsonl";

const someText = (what: string) => z.string(`expected ${what}`).check(z.minLength(1, `expected ${what}`));
const fromOne = (what: string) => z.int(`expected ${what}`).check(z.positive(`expected ${what}`));
const PATH = "a path relative to run.json, in its folder";

/** The side of a run: absent with the skill. */
const side = z.literal("without-skill", "expected `without-skill`, or no `side` for a run with the skill");

const used = z.int("expected a number of tokens").check(z.nonnegative("expected a number of tokens"));

/** `cached` tokens are among those of `input`. */
const tokens = z.object(
  { input: used, output: used, cached: z._default(used, 0) },
  "expected `input` and `output`",
);

const turn = z.object(
  {
    prompt: z.string("expected what the user said"),
    /** Whether the eval has it, or a model wrote it that plays the user. */
    by: z._default(z.enum(["script", "model"], "expected `script` or `model`"), "script"),
    log: someText(PATH),
    sha256: z.optional(z.string("expected the log's SHA-256 in hexadecimal")),
  },
  "expected `prompt` and `log`",
);

/** A turn after the first. */
export type Turn = z.infer<typeof turn>;

const recordShape = z.object({
  /** The eval file's path from the repository's root, with `/`. */
  eval: someText("the eval file's path from the repository's root"),
  /** The task's id; absent for waza's results, which name their own tasks and trials. */
  task: z.optional(someText("the task's id")),
  /** Of a trigger eval, in place of a task: the query, the skill (absent for none of all), and whether it should be loaded. */
  trigger: z.optional(someText("the query")),
  skill: z.optional(someText("the skill's name")),
  shouldTrigger: z.optional(z.boolean("expected true or false")),
  /** How many skills the agent of a trigger eval had to choose from; absent where it got this skill alone. */
  skills: z.optional(fromOne("a whole number from 1")),
  /** Number of the run among the task's, from 1. */
  trial: z.optional(fromOne("a whole number from 1")),
  side: z.optional(side),
  /** `GITHUB_RUN_ATTEMPT`; absent outside GitHub. */
  attempt: z.optional(fromOne("a whole number from 1")),
  /** The agent's name in our table, or `command`. */
  agent: z.optional(z.string("expected the agent's name")),
  agentVersion: z.optional(z.string("expected the agent's version")),
  /** The model asked for; absent for the agent's default. */
  model: z.optional(z.string("expected the agent's model")),
  /** Written when the agent is started, and gone when it has ended: a run that was killed keeps it. */
  state: z.optional(z.literal("started", "expected `started`, or no `state` for a run that ended")),
  /** Why the run failed, however its program ended: what it did to its own folder. */
  error: z.optional(z.string("expected why the run failed")),
  /** Time in ISO 8601. */
  started: z.optional(z.string("expected a time in ISO 8601")),
  durationMs: z.optional(z.number("expected milliseconds")),
  /** The agent's exit status, as a shell gives it: 128 and the signal's number when one ended it; absent when we did. */
  exit: z.optional(z.int("expected the agent's exit status")),
  timedOut: z.optional(z.boolean("expected true or false")),
  /** Path of the log, relative to run.json; of the first turn, where there are several. */
  log: someText(PATH),
  /** Path of the session that the client kept of all turns, relative to run.json; the steps are read from it. */
  session: z.optional(someText(PATH)),
  sessionSha256: z.optional(z.string("expected the session's SHA-256 in hexadecimal")),
  /** Why that session is not read, where it is not as its client left it. */
  sessionUnused: z.optional(z.string("expected why the session is not read")),
  /** The turns after the first: what the user said, and the log. */
  turns: z.optional(z.array(turn, "expected a list of turns")),
  /** How the conversation of several turns ended, and why. */
  turnsEnded: z.optional(z.enum(CONVERSATION_ENDS, `expected ${listedCode(CONVERSATION_ENDS)}`)),
  turnsReason: z.optional(z.string("expected why the conversation ended")),
  /** SHA-256 of the log when the run ended. */
  logSha256: z.optional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, "expected the log's SHA-256 in hexadecimal")),
  ),
  /** Hash of the skill, the prompts and the files (`task-digest.ts`): with another one, a run is of an older skill. */
  taskSha256: z.optional(z.string("expected a hash")),
  /** The command, and the arguments of the agent, without secrets. */
  command: z.optional(z.string("expected the command")),
  arguments: z.optional(z.array(z.string("expected an argument"), "expected a list of arguments")),
  /** Path of the folder the agent worked in, relative to run.json. */
  workspace: z.optional(someText(PATH)),
  /** Where that folder was while the agent worked: a skill from anywhere else is not the one that is tested. */
  workedIn: z.optional(someText("a path")),
  /** The agent left other files than it was given: its answer, where it printed none and its program ended with 0. */
  leftFiles: z.optional(z.boolean("expected true or false")),
  /** Files that the task names and that were not there. */
  missingFiles: z.optional(z.array(z.string("expected a path"), "expected a list of paths")),
  /** What was renamed in `workspace`, since an artifact could not hold its name: the new paths. */
  renamed: z.optional(z.array(z.string("expected a path"), "expected a list of paths")),
  /** False of a run with the skill for which there was none. */
  skillFound: z.optional(z.literal(false, "expected false, or no `skill_found`")),
  /** How often the agent was started until it got to work; absent for once. */
  tries: z.optional(fromOne("a whole number from 1")),
  /** Tokens and cost of the agent, where the log does not say them. */
  tokens: z.optional(tokens),
  costUsd: z.optional(z.number("expected US dollars").check(z.nonnegative("expected US dollars"))),
  /** How many runs of each task and side were planned. */
  trials: z.optional(fromOne("a whole number from 1")),
  /** How many sides were planned: 1 with the skill, 2 also without it. */
  sides: z.optional(z.literal([1, 2], "expected 1, or 2 with runs without the skill")),
});

/** A run is of a task, of a query of a trigger eval, or of a whole eval. */
function isOfOne({ task, trigger, skill, shouldTrigger, skills }: Partial<RunRecord>): boolean {
  if (trigger === undefined) return [skill, shouldTrigger, skills].every((one) => one === undefined);
  return task === undefined && shouldTrigger !== undefined && (skill ?? skills) !== undefined;
}

/** What was written of one run. */
export type RunRecord = z.infer<typeof recordShape>;

/** The keys of run.json. */
const KEYS = Object.keys(snakeKeys(recordShape.shape));

/** Reads the content of a run.json (`z.safeDecode`; null counts as absent) and writes it (`z.encode`). */
const runRecord = z.codec(z.record(z.string(), z.unknown(), "expected a JSON object"), recordShape, {
  decode: (file) => {
    const given = Object.entries(file).filter(([, value]) => value !== null);
    return camelKeys(Object.fromEntries(given)) as z.input<typeof recordShape>;
  },
  encode: snakeKeys,
});

/** The text of a run.json. */
export function recordText(record: RunRecord): string {
  return `${JSON.stringify(z.encode(runRecord, record), null, 2)}\n`;
}

/** What a run.json says; undefined where there is none that is a record of a run. */
export function readRunJson(file: string): RunRecord | undefined {
  return z.safeDecode(runRecord, jsonOf(textOfFile(file)) as Record<string, unknown>).data;
}

/** The content of a run.json; an unknown key could be a misspelled one that changes what the run counts for. */
export function checkedRecord(data: unknown, at: SourceSpan): RunRecord | Problem {
  const parsed = z.safeDecode(runRecord, data as Record<string, unknown>);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    // As it is in the file.
    const [key = ""] = Object.keys(snakeKeys({ [issue?.path.map(String).join(".") ?? ""]: undefined }));
    const message = `${key === "" ? "" : `\`${key}\`: `}${issue?.message ?? "this is no record of a run"}.`;
    return error("wrong-run-json", message, { at });
  }
  if (!isOfOne(parsed.data)) {
    const message =
      "`trigger` comes with `should_trigger` and `skill` or `skills`, without `task`; without `trigger` none of them does.";
    return error("wrong-run-json", message, { at });
  }
  const unknown = Object.keys(data as object).filter((key) => !KEYS.includes(key));
  if (unknown.length === 0) return parsed.data;
  const meant = unknown.flatMap((key) => closest(key, KEYS) ?? []);
  const message = `${plural(unknown.length, "The key is", "The keys are")} not known: ${listedCode(unknown.map((key) => shorten(key, LONGEST_NAME)))}.`;
  const help = didYouMean(meant[0]);
  return error("unknown-run-keys", message, { help, at });
}

/** Whether the program is known to have ended by itself, in time and well. */
export function hasEndedWell({ exit, timedOut, error }: RunRecord): boolean {
  return exit === 0 && !timedOut && error === undefined;
}

/** How the agent's program ended, when not by itself or not with 0; unknown for one that left work and no status. */
export function programFailure(record: RunRecord, isWork: boolean): string | undefined {
  const { error: why, timedOut, durationMs, exit } = record;
  if (why !== undefined) return why;
  if (timedOut)
    return `it was ended at the time limit${durationMs === undefined ? "" : `, after ${String(Math.round(durationMs / 1_000))} s`}`;
  if (exit === undefined) return isWork ? undefined : "its run.json has no `exit`";
  if (exit === 0) return undefined;
  // The signal that an exit status of a shell means: of the first fifteen, since agents have uses for higher ones.
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === exit - 128) ?? [];
  return signal === undefined || exit - 128 > constants.signals.SIGTERM
    ? `its program ended with ${String(exit)}`
    : `its program was killed (${signal})`;
}
