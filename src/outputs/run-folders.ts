/**
 * Folders of runs that say what they are: each `run.json` below a folder that `results` names places its log
 * (docs/outputs.md). The log is read as any other.
 */
import { readdirSync } from "node:fs";
import { constants } from "node:os";
import { basename, dirname, join, posix, resolve } from "node:path";
import * as z from "zod/mini";
import {
  CONVERSATION_ENDS,
  type ClientFacts,
  type Conversation,
  type LoggedSkill,
  type TriggerRun,
  hasEvidence,
  hasLoaded,
} from "../domain/run.ts";
import type { OtherEval, Suite } from "../domain/suite.ts";
import { error, isProblem, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { entriesOf, statsOf } from "../files/find.ts";
import { follow, isInside, lookUp, namedByFile, wholeFile, type FoundFile } from "../files/confine.ts";
import { readBytesOrProblem } from "../files/read.ts";
import { readContent } from "./content.ts";
import { textFilesReader } from "./formats/records.ts";
import { listedAlone } from "./list-of-runs.ts";
import { oneTask, tasksOfSuite, type KnownTasks, type Layout } from "./layout.ts";
import {
  isRowsAlone,
  isUnknownLog,
  readerByContent,
  unknownLogProblem,
  type FileRead,
} from "./file-formats.ts";
import type { Content, Reading, Trial } from "./reader.ts";
import { joinedTurns, type FurtherTurn } from "./turns.ts";
import { olderRuns } from "./task-digest.ts";
import { camelKeys, count, jsonOf, listedCode, once, plural, shorten, snakeKeys } from "../text/format.ts";
import { sha256 } from "../text/hash.ts";
import { closest, didYouMean } from "../text/suggest.ts";

/** Characters of a key or a name of a run.json that a message shows. */
const LONGEST_NAME = 60;

/* run.json: what the runner wrote down of one run, beside its log; any harness may write it (docs/outputs.md). */

/** The file's name. */
export const RUN_JSON = "run.json";
/** The name of a run's log, as `run` writes it. */
export const LOG = "log.jsonl";

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

const record = z.object({
  /** The eval file's path from the repository's root, with `/`. */
  eval: someText("the eval file's path from the repository's root"),
  /** The task's id; absent for waza's results, which name their own tasks and trials. */
  task: z.optional(someText("the task's id")),
  /** Of a trigger eval, in place of a task: the query, the skill, and whether it should be loaded. */
  trigger: z.optional(someText("the query")),
  skill: z.optional(someText("the skill's name")),
  shouldTrigger: z.optional(z.boolean("expected true or false")),
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
  /** Of an older version of this; not read. */
  inputSha256: z.optional(z.unknown()),
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

/** What was written of one run. */
export type RunRecord = z.infer<typeof record>;

/** The keys of run.json. */
const KEYS = Object.keys(snakeKeys(record.shape));

/** Reads the content of a run.json (`z.safeDecode`; null counts as absent) and writes it (`z.encode`). */
const runRecord = z.codec(z.record(z.string(), z.unknown(), "expected a JSON object"), record, {
  decode: (file) => camelKeys(withoutNull(file)) as z.input<typeof record>,
  encode: (written) => snakeKeys(written),
});

/** The text of a run.json. */
export function recordText(record: RunRecord): string {
  const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
  return `${JSON.stringify(z.encode(runRecord, present as RunRecord), null, 2)}\n`;
}

/** What a run.json's text says; undefined where it is no record of a run. */
export function readRunJson(text: string): RunRecord | undefined {
  const read = z.safeDecode(runRecord, jsonOf(text) as Record<string, unknown>);
  return read.success ? read.data : undefined;
}

function withoutNull(file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(file).filter(([, value]) => value !== null));
}

interface FoldersContext {
  readonly workspace: string;
  readonly suites: readonly Suite[];
  /** Evals of the repository that are not graded here. */
  readonly others: readonly OtherEval[];
  /** The trigger evals of the repository. */
  readonly triggers?: (() => Promise<readonly Suite[]>) | undefined;
  /** In a workflow, nothing of the checkout counts as a run: a pull request could commit it. */
  readonly isWorkflow: boolean;
}

interface FoldersRead {
  readonly reads: readonly FileRead[];
  /** For each run of an eval that is not graded here, that eval. */
  readonly otherEvals: readonly string[];
  readonly triggers: readonly TriggerRun[];
  /** The real paths of all files that were read. */
  readonly paths: readonly string[];
  readonly problems: readonly Problem[];
}

/** A run.json that was found. */
export interface RunFile extends FoundFile {
  /** The folder of all runs that `results` names. */
  readonly root: string;
}

/** A run.json that could be read. */
interface Manifest extends RunFile {
  /** Its folder, links resolved. */
  readonly folder: string;
  readonly record: RunRecord;
  /** The folder that the agent worked in, links resolved; absent where it is not said or not there. */
  readonly workspaceDir?: string | undefined;
  /** Made of another skill, prompt or files, where that makes it a missing run. */
  readonly isOlder?: true | undefined;
}

/** Reads the runs of these files. */
export async function readRunFolders(
  files: readonly RunFile[],
  context: FoldersContext,
): Promise<FoldersRead> {
  const listed = await listedAlone(files);
  const found = await Promise.all(listed.files.map((one) => manifestOf(one, context)));
  const { manifests, problems } = await withAge(
    found.filter((one): one is Manifest => !isProblem(one)),
    context,
  );
  const twice = sameRunProblems(manifests);
  const read = await Promise.all(manifests.map((one) => readRun(one, context)));
  return {
    reads: read.filter((one) => typeof one === "object" && "format" in one),
    otherEvals: read.filter((one) => typeof one === "string"),
    triggers: read.filter((one) => typeof one === "object" && "query" in one),
    paths: [...files, ...manifests.map(logOf)].flatMap((one) => ("real" in one ? one.real : [])),
    problems: [
      ...listed.problems,
      ...found.filter(isProblem),
      ...problems,
      ...twice,
      ...read.filter(isProblem),
    ],
  };
}

/**
 * Each run.json below a folder; none below another run's folder, or one with a log alone, where an agent writes. Links
 * are not followed.
 */
export function runFilesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const own = ownFile(entries.map(({ name }) => name));
  if (own !== undefined) return own === LOG ? [] : [join(folder, own)];
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => runFilesBelow(join(folder, name)));
}

/**
 * Finds the run that a file lies in: the outermost run.json of its folders, below the workspace where it
 * lies in it. Undefined for a file of no run. Each folder is looked at once.
 */
export function runFinder(workspace: string): (file: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const above = (folder: string): string | undefined => {
    const parent = dirname(folder);
    if (folder === workspace || folder === parent) return undefined;
    return once(known, folder, () => above(parent) ?? runFileIn(folder));
  };
  return (file) => {
    const found = above(dirname(file));
    return found === undefined || basename(found) === LOG ? undefined : found;
  };
}

/** The path of what makes a folder that of a run. */
function runFileIn(folder: string): string | undefined {
  const own = ownFile(entriesOf(folder).map(({ name }) => name));
  return own === undefined ? undefined : join(folder, own);
}

/**
 * A run.json, also where it is a link or a folder: what lies below is the agent's, and reading it says what is wrong. A log
 * without one is of a run that was killed, of whatever harness: below it there is no run.
 */
function ownFile(names: readonly string[]): string | undefined {
  return [RUN_JSON, LOG].find((one) => names.includes(one));
}

async function manifestOf(
  found: RunFile,
  { workspace, isWorkflow }: FoldersContext,
): Promise<Manifest | Problem> {
  const at: SourceSpan = { ...found.at, generated: true };
  const folder = follow(dirname(found.file)).real;
  if (isWorkflow && isInside(folder, follow(workspace).real))
    // Of its folder, so that many runs are one problem.
    return error("runs-in-checkout", "The runs lie in the checkout, where a pull request can write them.", {
      help: "Keep runs below `runner.temp`, and name that folder in `results`.",
      at: wholeFile(found.root, workspace),
    });
  const bytes = await readBytesOrProblem({ file: found.file, at });
  if (!Buffer.isBuffer(bytes)) return bytes;
  const read = checkedRecord(jsonOf(bytes.toString("utf8")), at);
  if (isProblem(read)) return read;
  const { workspace: named } = read;
  const place = named === undefined ? undefined : namedByFile(resolve(folder, named), folder);
  if (place && "refused" in place)
    return error("workspace-outside", "`workspace` leads out of the run's folder.", { at });
  const isThere = place && statsOf(place.real)?.isDirectory();
  return { ...found, folder, at, record: read, workspaceDir: isThere ? place.real : undefined };
}

const RUN_AGAIN = "Run the agent again.";

/** Where the keys of run.json are. */
const docs = "outputs.md#runs-that-say-what-they-are";

/** The content of a run.json; an unknown key could be a misspelled one that changes what the run counts for. */
function checkedRecord(data: unknown, at: SourceSpan): RunRecord | Problem {
  const parsed = z.safeDecode(runRecord, data as Record<string, unknown>);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    // As it is in the file.
    const [key = ""] = Object.keys(snakeKeys({ [issue?.path.map(String).join(".") ?? ""]: undefined }));
    const message = `${key === "" ? "" : `\`${key}\`: `}${issue?.message ?? "this is no record of a run"}.`;
    return error("wrong-run-json", message, { docs, at });
  }
  const unknown = Object.keys(data as object).filter((key) => !KEYS.includes(key));
  if (unknown.length === 0) return parsed.data;
  const meant = unknown.flatMap((key) => closest(key, KEYS) ?? []);
  const message = `${plural(unknown.length, "The key is", "The keys are")} not known: ${listedCode(unknown.map((key) => shorten(key, LONGEST_NAME)))}.`;
  const help = didYouMean(meant[0]);
  return error("unknown-run-keys", message, { help, docs, at });
}

/**
 * The runs with whether they are older than skill, prompt and files are now. Where nothing but this checkout is graded,
 * such a run is a missing one; in a workflow, where agent and judge may have other checkouts, a warning counts them.
 */
async function withAge(
  manifests: readonly Manifest[],
  { suites, triggers, isWorkflow }: FoldersContext,
): Promise<{ readonly manifests: readonly Manifest[]; readonly problems: readonly Problem[] }> {
  const ofTriggers = manifests.some(({ record }) => record.trigger !== undefined && record.taskSha256);
  const isOlder = olderRuns([...suites, ...(ofTriggers ? ((await triggers?.()) ?? []) : [])]);
  const marked = await Promise.all(manifests.map(async (one) => ({ one, old: await isOlder(one.record) })));
  const older = marked.flatMap(({ one, old }) => (old ? [one] : []));
  const [first] = older;
  if (!isWorkflow || !first)
    return {
      manifests: marked.map(({ one, old }) => ({ ...one, isOlder: old || undefined })),
      problems: [],
    };
  const names = older.map(({ record }) =>
    shorten(record.task ?? record.trigger ?? record.eval, LONGEST_NAME),
  );
  const message = `${count(older.length, "run")} of ${String(manifests.length)} ${plural(older.length, "was", "were")} made of another skill, prompt or files than this checkout has: ${listedCode(new Set(names))}.`;
  const help = `If they were changed after the agent ran, these runs are of the older ones. ${RUN_AGAIN}`;
  return { manifests, problems: [warning("older-runs", message, { help, at: first.at })] };
}

/** An error for each run that several run.json say to be. */
function sameRunProblems(manifests: readonly Manifest[]): Problem[] {
  const keyOf = ({ record }: Manifest) => {
    const { eval: suite, task, trigger, skill, trial, side, attempt, agent, model } = record;
    return JSON.stringify([suite, task, trigger, skill, trial, side, attempt, agent, model]);
  };
  return [...Map.groupBy(manifests, keyOf).values()].flatMap((same) => {
    const [first] = same;
    if (same.length < 2 || !first) return [];
    const message = `Several files are the same run: ${listedCode(same.map(({ at }) => at.path))}.`;
    return error("same-run-twice", message, {
      help: "Give each run a number of its own (`trial`).",
      at: first.at,
    });
  });
}

/** The run; the run of a trigger eval; the eval's path if that is not graded here; or why there is none. */
async function readRun(
  manifest: Manifest,
  context: FoldersContext,
): Promise<FileRead | TriggerRun | string | Problem> {
  const { record, at } = manifest;
  const isIts = (suite: OtherEval) => suite.at.path === record.eval;
  const suite = record.trigger === undefined ? context.suites.find(isIts) : undefined;
  if (!suite && record.trigger === undefined) {
    if (context.others.some(isIts)) return record.eval;
    const message = `\`eval\` is \`${record.eval}\`, which is no eval of this repository.`;
    return error("run-of-unknown-eval", message, {
      help: "Run the agent again if the eval was renamed.",
      at,
    });
  }
  if (record.state === "started")
    return warning("run-not-ended", "The run was started and never ended, as after a kill: it is missing.", {
      help: RUN_AGAIN,
      at,
    });
  const log = logOf(manifest);
  if ("refused" in log) return error("log-outside", "`log` leads out of the run's folder.", { at });
  const found = lookUp(log.real, context.workspace);
  const bytes = await readBytesOrProblem(found);
  if (!Buffer.isBuffer(bytes)) {
    const why = statsOf(found.real) ? `cannot be read (${bytes.message})` : "is gone";
    return warning("missing-log", `The log \`${record.log}\` ${why}: the run is missing.`, { at });
  }
  if (record.logSha256 !== undefined && record.logSha256 !== sha256(bytes)) return changedLog(at);
  return suite ? await readLog(found, manifest, suite) : await readTrigger(found, manifest);
}

function logOf({ folder, record }: Manifest): ReturnType<typeof namedByFile> {
  return namedByFile(resolve(folder, record.log), folder);
}

/** The run of a trigger eval: whether its log says that the skill was loaded. */
async function readTrigger(log: FoundFile, { record, isOlder }: Manifest): Promise<TriggerRun> {
  const { trigger: query = "", skill = "", shouldTrigger = true } = record;
  const { reading } = await readAny(log, oneTask(""), record);
  const [trial] = reading.trials ?? [];
  const { timedOut = false } = record;
  const loaded = hasLoaded(trial?.client ?? {}, skill);
  const stopped = trial?.client?.endedBy ?? trial?.failure ?? programFailure(record, trial !== undefined);
  // One that had all its time for it did not load the skill; one that was cut off might have.
  const ended = loaded || timedOut ? undefined : stopped;
  const usedItsTime = (timedOut && loaded === false) || undefined;
  return {
    skill,
    query,
    shouldTrigger,
    loaded: ended === undefined ? loaded : undefined,
    ended,
    usedItsTime,
    isOlder,
  };
}

/** A log, with its format. */
interface LogRead {
  readonly format: string;
  readonly reading: Reading;
}

/** The log of a run; of one of several turns, those of all as one conversation. */
export async function readTurns(
  log: FoundFile,
  tasks: KnownTasks,
  { record, folder }: Pick<Manifest, "record" | "folder">,
): Promise<LogRead | Problem> {
  const first = await readAny(log, tasks, record);
  const [trial] = first.reading.trials ?? [];
  if (!record.turns || !trial) return first;
  const turns: FurtherTurn[] = [];
  const problems = [...first.reading.problems];
  for (const { prompt, by, log: name, sha256: hash } of record.turns) {
    const place = namedByFile(resolve(folder, name), folder);
    if ("refused" in place)
      return error("log-outside", `\`${name}\` leads out of the run's folder.`, { at: log.at });
    const at = { ...log.at, path: posix.join(posix.dirname(log.at.path), basename(name)) };
    const found = { file: place.real, real: place.real, at };
    const bytes = await readBytesOrProblem(found);
    if (!Buffer.isBuffer(bytes) || (hash !== undefined && sha256(bytes) !== hash)) return changedLog(log.at);
    const { reading } = await readAny(found, oneTask(trial.taskId), record);
    turns.push({ prompt, by, trial: reading.trials?.[0] });
    problems.push(...reading.problems);
  }
  return { ...first, reading: { ...first.reading, trials: [joinedTurns(trial, turns)], problems } };
}

function changedLog(at: SourceSpan): Problem {
  return error("changed-log", "The log is not the one that was written when the run ended.", {
    help: "Something changed it afterwards: run the agent again.",
    at,
  });
}

async function readLog(log: FoundFile, manifest: Manifest, suite: Suite): Promise<FileRead | Problem> {
  const { record, at } = manifest;
  const layout: Layout = { suites: [suite], isSaid: true, attempt: record.attempt, side: record.side };
  const read = await readTurns(log, knownTo(record, suite), manifest);
  if (isProblem(read)) return read;
  const { format, reading } = read;
  const problems = [...reading.problems, ...missingFiles(manifest)];
  // Runs of one folder become one document.
  const common = { file: join(manifest.root, basename(log.file)), layout, at, format, problems };
  if (record.task === undefined) {
    if (manifest.isOlder)
      return warning(
        "older-results",
        "The results were made before the skill, a prompt or a file was changed: they are missing.",
        {
          help: RUN_AGAIN,
          at,
        },
      );
    if (reading.waza) return { ...common, waza: reading.waza };
    return error(
      "results-without-task",
      "`task` is missing: only the results of waza name their own tasks.",
      {
        at,
      },
    );
  }
  const { trials = [] } = reading;
  if (reading.waza || trials.length > 1)
    return error("several-runs-in-log", "The log holds several runs.", {
      help: "Write a log for each run, or leave out `task` if the results are waza's.",
      at,
    });
  const [trial] = trials;
  return { ...common, trials: [placedTrial(trial, manifest)] };
}

/** The tasks that a run may be of. */
function knownTo({ task }: RunRecord, suite: Suite): KnownTasks {
  const known = tasksOfSuite(suite);
  return task === undefined ? known : oneTask(task, known.prompts.get(task));
}

/**
 * The log in the format that its content has. Other text is the agent's answer if its program is known to have ended well:
 * else it could be a part of one, or the program's own complaint. What a `command` printed beside rows may be its answer, too.
 */
async function readAny(log: FoundFile, tasks: KnownTasks, record: RunRecord): Promise<LogRead> {
  const content = await readContent(log, false);
  const isAnswer = record.agent === "command" && !isProblem(content) && !isRowsAlone(content);
  const reader = isProblem(content) || isAnswer ? undefined : readerByContent(content);
  if (reader && !isProblem(content) && (reader.isLog || !content.broken?.length))
    return { format: reader.format, reading: await reader.read(content, tasks) };
  const { format } = reader ?? textFilesReader;
  if (!isProblem(content) && !reader && isUnknownLog(content))
    return { format, reading: { problems: [unknownLogProblem(content)] } };
  const text = await readContent(log, true);
  if (isProblem(text) || !hasEndedWell(record)) return { format, reading: { problems: [] } };
  return { format, reading: { trials: [trialOfText(text)], problems: [] } };
}

function trialOfText({ text }: Content): Trial {
  return { taskId: "", finalOutput: text, steps: [] };
}

/** A trial as its run.json says; a run that left nothing has an empty answer. */
function placedTrial(trial: Trial | undefined, { record, workspaceDir, isOlder }: Manifest): Trial {
  const { task = "", trial: number = 1, trials: ofTrials, sides: ofSides } = record;
  const { agent: askedAgent, model: asked } = record;
  const ended = programFailure(record, trial !== undefined && hasEvidence(trial));
  const isStopped = trial?.failure === undefined && ended !== undefined;
  return {
    finalOutput: "",
    steps: [],
    ...trial,
    taskId: task,
    number,
    model: trial?.model ?? asked,
    started: record.started,
    askedAgent,
    asked,
    ofTrials,
    ofSides,
    workspaceDir,
    leftFiles: workspaceDir === undefined ? undefined : leftFilesOf(record, trial?.failure),
    failure: trial?.failure ?? ended,
    isStopped: isStopped || undefined,
    client: clientFacts(trial?.client, record),
    conversation: conversationOf(record),
    tries: record.tries,
    isOlder,
  };
}

/** How a conversation of several turns ended; undefined of a run of one. */
export function conversationOf({ turns = [], turnsEnded, turnsReason }: RunRecord): Conversation | undefined {
  if (turnsEnded === undefined) return undefined;
  return { turns: turns.length + 1, ended: turnsEnded, reason: turnsReason };
}

/**
 * What the log says of the client; else what its run.json does. The time is the whole run's. With the skill, one that the
 * client had from elsewhere than the run's folder counts as none.
 */
export function clientFacts(
  client: ClientFacts | undefined,
  { tokens, costUsd, durationMs, agentVersion, side, workedIn, skillFound }: RunRecord,
): ClientFacts {
  const isOwn = ({ from }: LoggedSkill) =>
    side !== undefined || from === undefined || workedIn === undefined || isInside(from, workedIn);
  return {
    ...client,
    skills: client?.skills?.filter(isOwn),
    skillCalls: client?.skillCalls?.map((one) => (isOwn(one) ? one : { ...one, success: false })),
    tokens: client?.tokens ?? tokens,
    cost: client?.cost ?? costUsd,
    durationMs: durationMs ?? client?.durationMs,
    version: client?.version ?? agentVersion,
    lackedSkill: skillFound === false || undefined,
  };
}

/** Whether what the agent left is its answer: its program ended well, and its log says of no failure. */
export function leftFilesOf(record: RunRecord, failure: string | undefined): true | undefined {
  return record.leftFiles && failure === undefined && hasEndedWell(record) ? true : undefined;
}

/** Whether the program is known to have ended by itself, in time and well. */
function hasEndedWell({ exit, timedOut, error }: RunRecord): boolean {
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
  const signal = signalOf(exit);
  return signal === undefined
    ? `its program ended with ${String(exit)}`
    : `its program was killed (${signal})`;
}

/** The signal that an exit status of a shell means: of the first fifteen, since agents have uses for higher ones. */
function signalOf(exit: number): string | undefined {
  const number = exit - 128;
  if (number > constants.signals.SIGTERM) return undefined;
  return Object.entries(constants.signals).find(([, its]) => its === number)?.[0];
}

function missingFiles({ record: { task = "", missingFiles: missing = [] }, at }: Manifest): Problem[] {
  if (missing.length === 0) return [];
  const message = `The agent worked on \`${task}\` without files that the task names: ${listedCode(missing)}.`;
  return [warning("missing-files", message, { at })];
}
