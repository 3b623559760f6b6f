/** run.json: what the runner wrote down of one run, beside its log; any harness may write it (docs/outputs.md). */
import * as z from "zod/mini";
import { camelKeys, snakeKeys } from "../text/format.ts";

/** The file's name. */
export const RUN_JSON = "run.json";

const text = (what: string) => z.string(`expected ${what}`).check(z.minLength(1, `expected ${what}`));
const count = (what: string) => z.int(`expected ${what}`).check(z.positive(`expected ${what}`));
const PATH = "a path relative to run.json, in its folder";

/** The side of a run: absent with the skill. */
const side = z.literal("without-skill", "expected `without-skill`, or no `side` for a run with the skill");

const record = z.object({
  /** The eval file's path from the repository's root, with `/`. */
  eval: text("the eval file's path from the repository's root"),
  /** The task's id; absent for waza's results, which name their own tasks and trials. */
  task: z.optional(text("the task's id")),
  /** Of a trigger eval, in place of a task: the query, the skill, and whether it should be loaded. */
  trigger: z.optional(text("the query")),
  skill: z.optional(text("the skill's name")),
  shouldTrigger: z.optional(z.boolean("expected true or false")),
  /** Number of the run among the task's, from 1. */
  trial: z.optional(count("a whole number from 1")),
  side: z.optional(side),
  /** `GITHUB_RUN_ATTEMPT`; absent outside GitHub. */
  attempt: z.optional(count("a whole number from 1")),
  /** The agent's name in our table, or `command`. */
  agent: z.optional(z.string("expected the agent's name")),
  agentVersion: z.optional(z.string("expected the agent's version")),
  /** The model asked for; absent for the agent's default. */
  model: z.optional(z.string("expected the agent's model")),
  /** Time in ISO 8601. */
  started: z.optional(z.string("expected a time in ISO 8601")),
  durationMs: z.optional(z.number("expected milliseconds")),
  /** The agent's exit status; absent when a signal ended it. */
  exit: z.optional(z.int("expected the agent's exit status")),
  timedOut: z.optional(z.boolean("expected true or false")),
  /** Path of the log, relative to run.json. */
  log: text(PATH),
  /** SHA-256 of the log when the run ended. */
  logSha256: z.optional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, "expected the log's SHA-256 in hexadecimal")),
  ),
  /** Hash of what the agent was given: prompt, files, skills and arguments. A run is kept while it is the same. */
  inputSha256: z.optional(z.string("expected a hash")),
  /** Path of the folder the agent worked in, relative to run.json. */
  workspace: z.optional(text(PATH)),
  /** Files that the task names and that were not there. */
  missingFiles: z.optional(z.array(z.string("expected a path"), "expected a list of paths")),
  /** How many runs of each task and side were planned. */
  trials: z.optional(count("a whole number from 1")),
  /** How many sides were planned: 1 with the skill, 2 also without it. */
  sides: z.optional(z.literal([1, 2], "expected 1, or 2 with runs without the skill")),
});

/** What was written of one run. */
export type RunRecord = z.infer<typeof record>;

/** Reads the content of a run.json (`z.safeDecode`; null counts as absent) and writes it (`z.encode`). */
export const runRecord = z.codec(z.record(z.string(), z.unknown(), "expected a JSON object"), record, {
  decode: (file) => camelKeys(withoutNull(file)) as z.input<typeof record>,
  encode: (written) => snakeKeys(written),
});

function withoutNull(file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(file).filter(([, value]) => value !== null));
}
