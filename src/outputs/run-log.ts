/** What a run left, by its log, in any format, and its run.json: the logs of several turns are one conversation. */
import { posix, resolve } from "node:path";
import { type ClientFacts, type LoggedSkill, type Step, type TokenUse, hasEvidence } from "../domain/run.ts";
import { error, isProblem, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { isInside, namedByFile, slashes, type FoundFile } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { readBytesOrProblem } from "../files/read.ts";
import { readContent } from "./content.ts";
import { SESSIONS, isRowsAlone, readerByContent } from "./file-formats.ts";
import { textFilesReader } from "./formats/records.ts";
import { oneTask, type KnownTasks } from "./layout.ts";
import { keysText, type Content, type FileRead, type Reading, type Trial } from "./reader.ts";
import { hasEndedWell, programFailure, type RunRecord, type Turn } from "./run-json.ts";
import { isObject } from "../text/format.ts";
import { sha256 } from "../text/hash.ts";

/** A log, with its format. */
type LogRead = Reading & Pick<FileRead, "format">;

interface Recorded {
  readonly record: RunRecord;
  readonly folder: string;
}

/**
 * What a run left: how it ended, its cost and what was refused by the rows that its client printed; where `run` kept the
 * client's own session, tokens that were not printed, and of clients that print less than they keep the steps.
 */
export async function readWhole(
  log: FoundFile,
  tasks: KnownTasks,
  ran: Recorded,
): Promise<LogRead | Problem> {
  const read = await readTurns(log, tasks, ran);
  const { session: name, sessionSha256: hash, sessionUnused: why } = ran.record;
  if (isProblem(read)) return read;
  if (why !== undefined) {
    const message = `The session that the client kept is not read: ${why}.`;
    const unused = warning("session-unused", message, { help: "What it printed is the log.", at: log.at });
    return { ...read, problems: [...read.problems, unused] };
  }
  if (name === undefined) return read;
  const found = await fileOfRun({ name, hash }, { ...ran, at: log.at });
  if (isProblem(found)) return found;
  const [trial] = read.trials ?? [];
  if (!trial) return read;
  const known = oneTask(trial.taskId, tasks.prompts.get(trial.taskId), tasks.skills);
  const kept = await readAny(found, known, ran.record);
  const [session] = kept.trials ?? [];
  const problems = kept.problems.filter(({ code }) => !read.problems.some((one) => one.code === code));
  const isWhole = SESSIONS.some(({ format, keepsMore }) => format === kept.format && keepsMore);
  const joined = session && (isWhole ? withSession(trial, session, ran.record) : withTokens(trial, session));
  return { ...read, trials: [joined ?? trial], problems: [...read.problems, ...(isWhole ? problems : [])] };
}

function withTokens({ client, ...printed }: Trial, session: Trial): Trial {
  return { ...printed, client: { ...client, tokens: client?.tokens ?? session.client?.tokens } };
}

/** The printed rows' end with the session's steps. */
function withSession(printed: Trial, session: Trial, { turns = [] }: RunRecord): Trial {
  const byModel = new Set(turns.flatMap(({ prompt, by }) => (by === "model" ? [prompt.trim()] : [])));
  const said = (step: Step): Step =>
    step.kind === "user" && byModel.has(step.text.trim()) ? { ...step, by: "model" } : step;
  const facts = Object.entries(printed.client ?? {}).filter(([, value]) => value !== undefined);
  const { skillCalls: printedCalls = [], ...known } = Object.fromEntries(facts) as ClientFacts;
  const fromOf = (name: string) => printedCalls.find((one) => one.name === name)?.from;
  const skillCalls = session.client?.skillCalls?.map((one) => ({
    ...one,
    from: one.from ?? fromOf(one.name),
  }));
  return {
    ...printed,
    steps: [...session.steps.map(said), ...callsUnderWay(printed.steps, session.steps)],
    finalOutput: printed.finalOutput || session.finalOutput,
    model: session.model ?? printed.model,
    failure: printed.failure ?? session.failure,
    client: { ...session.client, ...known, skillCalls: skillCalls ?? printed.client?.skillCalls },
  };
}

/** Printed calls without an outcome that the session lacks: of a client that was killed it may have no call under way. */
function callsUnderWay(printed: readonly Step[], kept: readonly Step[]): readonly Step[] {
  if (kept.some(isOpen)) return [];
  const keyOf = (step: Step) => (step.kind === "tool" ? `${step.name} ${step.input}` : "");
  const known = new Set(kept.map(keyOf));
  return printed.filter((step) => isOpen(step) && !known.has(keyOf(step)));
}

/** Whether a call has no outcome. */
function isOpen(step: Step): boolean {
  return step.kind === "tool" && step.result === undefined && step.success === undefined;
}

/** A file of a run, as it was when the run ended; or why the run is missing or not read. `at` is its run.json's. */
export async function fileOfRun(
  { name, hash }: { readonly name: string; readonly hash?: string | undefined },
  { folder, at: runJson }: { readonly folder: string; readonly at: SourceSpan },
): Promise<FoundFile | Problem> {
  const place = namedByFile(resolve(folder, name), folder);
  if ("refused" in place)
    return error("log-outside", `\`${name}\` leads out of the run's folder.`, { at: runJson });
  const { real } = place;
  const at = { ...runJson, path: posix.join(posix.dirname(runJson.path), slashes(name)) };
  const bytes = await readBytesOrProblem({ file: real, at });
  if (!Buffer.isBuffer(bytes)) {
    const why = statsOf(real) ? `cannot be read (${bytes.message})` : "is gone";
    return warning("missing-log", `The log \`${name}\` ${why}: the run is missing.`, { at: runJson });
  }
  if (hash === undefined || sha256(bytes) === hash) return { file: real, real, at };
  return error("changed-log", `\`${name}\` is not as it was when the run ended.`, {
    help: "Something changed it afterwards: run the agent again.",
    at: runJson,
  });
}

/** The log of a run; of one of several turns, those of all as one conversation. */
async function readTurns(
  log: FoundFile,
  tasks: KnownTasks,
  { record, folder }: Recorded,
): Promise<LogRead | Problem> {
  const first = await readAny(log, tasks, record);
  const [trial] = first.trials ?? [];
  if (!record.turns || !trial) return first;
  const problems = [...first.problems];
  let all = trial;
  for (const turn of record.turns) {
    const found = await fileOfRun({ name: turn.log, hash: turn.sha256 }, { folder, at: log.at });
    if (isProblem(found)) return found;
    const read = await readAny(found, oneTask(trial.taskId, [turn.prompt], tasks.skills), record);
    all = withTurn(all, turn, read.trials?.[0]);
    problems.push(...read.problems);
  }
  return { ...first, trials: [all], problems };
}

/**
 * The log in the format that its content has. Other text is the agent's answer if its program is known to have ended well:
 * else it could be a part of one, or the program's own complaint. What a `command` printed beside rows may be its answer, too.
 */
async function readAny(log: FoundFile, tasks: KnownTasks, record: RunRecord): Promise<LogRead> {
  const content = await readContent(log, true);
  if (isProblem(content)) return { format: textFilesReader.format, problems: [] };
  const isLog = content.data !== undefined && (record.agent !== "command" || isRowsAlone(content));
  const reader = isLog ? readerByContent(content) : undefined;
  const { format } = reader ?? textFilesReader;
  if (reader && (reader.isLog || !content.broken?.length))
    return { format, ...(await reader.read(content, tasks)) };
  if (!reader && isUnknownLog(content)) return { format, problems: [unknownLogProblem(content)] };
  if (!hasEndedWell(record)) return { format, problems: [] };
  return { format, trials: [{ taskId: "", finalOutput: content.text, steps: [] }], problems: [] };
}

/** Whether a file is the log of a program that no reader knows: two rows of JSON or more. */
function isUnknownLog({ data, text, broken = [] }: Content): boolean {
  const isLines = Array.isArray(data) && data.length > 1 && broken.length === 0 && /^\s*\{/.test(text);
  return isLines && data.every(isObject);
}

function unknownLogProblem(content: Content): Problem {
  const [row] = content.data as readonly unknown[];
  const message = `the log is rows of JSON in no known format, and no answer: the first has ${keysText(row)}.`;
  const help =
    "Convert it to a list of messages or to ATIF. If these lines are the answer itself, leave them in a file of the folder that the agent works in, or write a record.";
  return error("unknown-log", message, { help, at: content.at });
}

/** A trial with what its run.json says of the run; one that left nothing has an empty answer. */
export function recordedTrial(trial: Trial | undefined, record: RunRecord): Trial {
  const { task = "", trial: number = 1, trials: ofTrials, sides: ofSides } = record;
  const { agent: askedAgent, model: asked, leftFiles, started, tries } = record;
  const { turns = [], turnsEnded, turnsReason: reason } = record;
  const ended = programFailure(record, trial !== undefined && hasEvidence(trial));
  const failure = trial?.failure ?? ended;
  return {
    finalOutput: "",
    steps: [],
    ...trial,
    taskId: task,
    number,
    model: trial?.model ?? asked,
    started,
    askedAgent,
    asked,
    ofTrials,
    ofSides,
    tries,
    // What is left is no answer of a program that failed, or of an agent whose log says that it did.
    leftFiles: leftFiles && trial?.failure === undefined && hasEndedWell(record) ? true : undefined,
    failure,
    isStopped: (failure !== undefined && trial?.failure === undefined) || undefined,
    client: clientFacts(trial?.client, record),
    conversation: turnsEnded && { turns: turns.length + 1, ended: turnsEnded, reason },
  };
}

/**
 * What the log says of the client; else what its run.json does. The time is the whole run's. With the skill, one that the
 * client had from elsewhere than the run's folder counts as none.
 */
function clientFacts(
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

/* The logs of a run's turns as one conversation, with what the user said between them: answer and failure are the last one's. */

/** `trial` is what the turn's log says; absent where that says nothing. */
function withTurn(before: Trial, { prompt, by }: Turn, trial: Trial | undefined): Trial {
  const said: Step = { kind: "user", text: prompt, by: by === "model" ? by : undefined };
  // Some logs have the answer beside their steps alone.
  const isThere = before.finalOutput.trim() === "" || before.steps.at(-1)?.kind === "assistant";
  const answer: Step[] = isThere ? [] : [{ kind: "assistant", text: before.finalOutput }];
  // Some clients repeat what the user said.
  const { steps = [] } = trial ?? {};
  const [first] = steps;
  const isRepeated = first?.kind === "user" && first.text.trim() === prompt.trim();
  return {
    ...before,
    steps: [...before.steps, ...answer, said, ...steps.slice(isRepeated ? 1 : 0)],
    finalOutput: trial?.finalOutput ?? "",
    failure: trial?.failure,
    outage: trial?.outage,
    client: joinedFacts(before.client, trial?.client),
  };
}

/** What two turns say of the client. Figures of the whole session stand for those before them; others are added. */
function joinedFacts(earlier: ClientFacts = {}, next: ClientFacts = {}): ClientFacts {
  const isAll = next.isOfSession === true;
  const calls = [...(earlier.skillCalls ?? []), ...(next.skillCalls ?? [])];
  return {
    ...earlier,
    ...next,
    skills: earlier.skills ?? next.skills,
    // What one turn does not say is not known of both.
    skillCalls: calls.length > 0 || (earlier.skillCalls && next.skillCalls) ? calls : undefined,
    hasUnseenSession: earlier.hasUnseenSession ?? next.hasUnseenSession,
    refused: earlier.refused ? [...earlier.refused, ...(next.refused ?? [])] : next.refused,
    tokens: isAll && next.tokens ? next.tokens : addedTokens(earlier.tokens, next.tokens),
    cost: isAll && next.cost !== undefined ? next.cost : added(earlier.cost, next.cost),
  };
}

function added(one: number | undefined, next: number | undefined): number | undefined {
  return one === undefined ? next : one + (next ?? 0);
}

function addedTokens(earlier: TokenUse | undefined, next: TokenUse | undefined): TokenUse | undefined {
  if (!earlier || !next) return earlier ?? next;
  return {
    input: earlier.input + next.input,
    output: earlier.output + next.output,
    cached: earlier.cached + next.cached,
    written: added(earlier.written, next.written),
  };
}
