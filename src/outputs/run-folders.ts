/**
 * Folders of runs that say what they are: each `run.json` below a folder that `results` names places its log
 * (docs/outputs.md). The log is read as any other.
 */
import { basename, dirname, join, resolve } from "node:path";
import { type Row, USED_ITS_TIME, rowOfQuery } from "../domain/row.ts";
import { failedLoad, hasConversation, hasLoaded } from "../domain/run.ts";
import { type OtherEval, type Skill, type Suite, skillsGiven } from "../domain/suite.ts";
import { error, isProblem, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { statsOf } from "../files/find.ts";
import { follow, isInside, namedByFile, spanOfFile, wholeFile, type FoundFile } from "../files/confine.ts";
import { readBytesOrProblem } from "../files/read.ts";
import type { OutputsRequest } from "./find-outputs.ts";
import { listedAlone, type RunFile } from "./list-of-runs.ts";
import { oneTask, tasksOfSuite, type Layout } from "./layout.ts";
import type { FileRead, Trial } from "./reader.ts";
import { LONGEST_NAME, checkedRecord, programFailure, type RunRecord } from "./run-json.ts";
import { fileOfRun, readWhole, recordedTrial } from "./run-log.ts";
import { olderRuns } from "./task-digest.ts";
import { count, jsonOf, listedCode, plural, shorten } from "../text/format.ts";

/** With the evals of the repository that are not graded here. */
type FoldersContext = Omit<OutputsRequest, "others"> & { readonly otherEvals: readonly OtherEval[] };

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

/** Reads the runs of these files; `paths` are the real paths of all that were read. */
export async function readRunFolders(files: readonly RunFile[], context: FoldersContext) {
  const listed = await listedAlone(files);
  const found = await Promise.all(listed.files.map((one) => manifestOf(one, context)));
  const { manifests, problems } = await withAge(
    found.filter((one): one is Manifest => !isProblem(one)),
    context,
  );
  const twice = sameRunProblems(manifests);
  const read = await Promise.all(manifests.map((one) => readRun(one, context)));
  const reads = read.filter((one) => typeof one === "object" && "format" in one);
  return {
    reads,
    otherEvals: read.filter((one) => typeof one === "string"),
    triggers: read.filter((one) => typeof one === "object" && "grader" in one),
    paths: [
      ...files.map(({ real }) => real),
      ...manifests.map(({ folder, record }) => follow(resolve(folder, record.log)).real),
    ],
    problems: [
      ...listed.problems,
      ...found.filter(isProblem),
      ...problems,
      ...twice,
      ...read.filter(isProblem),
      ...reads.flatMap((one) => one.problems),
    ],
  };
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
  { suites, triggers, otherEvals }: FoldersContext,
): Promise<FileRead | Row | string | Problem> {
  const { record, at } = manifest;
  const isOfTriggers = record.trigger !== undefined;
  const isIts = (suite: OtherEval) => suite.at.path === record.eval;
  const suite = isOfTriggers ? undefined : suites.find(isIts);
  if (!suite && !isOfTriggers) {
    if (otherEvals.some(isIts)) return record.eval;
    const message = `\`eval\` is \`${record.eval}\`, which is no eval of this repository.`;
    const help = "Run the agent again if the eval was renamed.";
    return error("run-of-unknown-eval", message, { help, at });
  }
  if (record.state === "started") {
    const message = "The run was started and never ended, as after a kill: it is missing.";
    return warning("run-not-ended", message, { help: RUN_AGAIN, at });
  }
  const log = await fileOfRun({ name: record.log, hash: record.logSha256 }, manifest);
  if (isProblem(log)) return log;
  return suite
    ? await readLog(log, manifest, suite)
    : await readTrigger(log, manifest, (await triggers?.()) ?? []);
}

/** The run of a query of a trigger eval: which skills its log says that were loaded. */
async function readTrigger(
  log: FoundFile,
  manifest: Manifest,
  suites: readonly Suite[],
): Promise<Row | Problem> {
  const { record, isOlder } = manifest;
  const { eval: path, trigger: query = "", skill, shouldTrigger: wants = true, skills: among } = record;
  const at = spanOfFile({ path, inRepository: true });
  const row = rowOfQuery({ skill, query, wants, skills: among, at });
  if (isOlder) return { ...row, agent: "finished" };
  const its = suites.find((suite) => suite.skill === skill && !suite.among === !among);
  const skills = its ? skillsGiven(its) : [];
  const read = await readWhole(log, oneTask("", [query], skills), manifest);
  if (isProblem(read)) return read;
  const [trial] = read.trials ?? [];
  const { isLoaded, otherLoads, failed } = loadsIn(trial, skill, its && skills);
  const ended = isLoaded ? undefined : unheard(trial, record);
  if (ended === undefined && failed === undefined && isLoaded !== undefined)
    return {
      ...decided(row, isLoaded, otherLoads),
      ended: record.timedOut && !isLoaded ? USED_ITS_TIME : undefined,
    };
  const message = ended ?? failed ?? "The log does not say which skills were loaded.";
  return { ...row, state: "errored", ended, error: { class: "no-evidence", message }, reason: message };
}

/**
 * Whether the log says that the skill was loaded, and which others of these were; of none of all, whether any was. Why it was
 * not, where the agent called it: that is no fault of its description.
 */
function loadsIn(
  { client = {} }: Pick<Trial, "client"> = {},
  skill: string | undefined,
  skills: readonly Pick<Skill, "name">[] | undefined,
) {
  const called = (client.skillCalls ?? []).map(({ name }) => name);
  const names = skills?.map(({ name }) => name) ?? called;
  const otherLoads = names.filter((name) => name !== skill && hasLoaded(client, name));
  // A log that names no skill either says that none was loaded, or does not say it.
  const isLoaded = otherLoads.length > 0 && skill === undefined ? true : hasLoaded(client, skill ?? "");
  const call = isLoaded ? undefined : failedLoad(client, skill === undefined ? called : [skill]);
  const failed =
    call &&
    `The agent called the skill \`${call.name}\`, and it could not be loaded: ${call.error ?? "an error"}`;
  return { isLoaded, otherLoads, failed };
}

/** Why a run without a load says nothing of the description: it was cut off, or the agent did nothing. */
function unheard(trial: Trial | undefined, record: RunRecord): string | undefined {
  const stopped = trial?.client?.endedBy ?? trial?.failure ?? programFailure(record, trial !== undefined);
  if (trial && !hasConversation(trial)) return stopped ?? "The agent neither said nor called anything.";
  // One that had all its time for it did not load the skill.
  return record.timedOut ? undefined : stopped;
}

function decided(row: Row, loaded: boolean, otherLoads: readonly string[]): Row {
  const { wants = true, skills } = row.query ?? {};
  const isRight = loaded === wants;
  return {
    ...row,
    ...(isRight ? { state: "passed", score: 1 } : { state: "failed", score: 0 }),
    checks: [{ outcome: isRight ? "pass" : "fail", description: row.grader }],
    query: { wants, loaded, skills, others: skills === undefined ? undefined : otherLoads },
  };
}

async function readLog(log: FoundFile, manifest: Manifest, suite: Suite): Promise<FileRead | Problem> {
  const { record, at, isOlder, workspaceDir } = manifest;
  const layout: Layout = { suites: [suite], isSaid: true, attempt: record.attempt, side: record.side };
  const known = tasksOfSuite(suite);
  const { task, missingFiles = [] } = record;
  const tasks = task === undefined ? known : oneTask(task, known.prompts.get(task), known.skills);
  const read = await readWhole(log, tasks, manifest);
  if (isProblem(read)) return read;
  const { format, waza, trials = [] } = read;
  const problems = [...read.problems];
  if (missingFiles.length > 0) {
    const message = `The agent worked on \`${task ?? ""}\` without files that the task names: ${listedCode(missingFiles)}.`;
    problems.push(warning("missing-files", message, { at }));
  }
  // Runs of one folder become one document.
  const common = { file: join(manifest.root, basename(log.file)), layout, at, format, problems };
  if (task === undefined) {
    const older = "The results were made before the skill, a prompt or a file was changed: they are missing.";
    if (isOlder) return warning("older-results", older, { help: RUN_AGAIN, at });
    if (waza) return { ...common, waza };
    const message = "`task` is missing: only the results of waza name their own tasks.";
    return error("results-without-task", message, { at });
  }
  if (waza || trials.length > 1) {
    const help = "Write a log for each run, or leave out `task` if the results are waza's.";
    return error("several-runs-in-log", "The log holds several runs.", { help, at });
  }
  const trial = recordedTrial(trials[0], record);
  const leftFiles = workspaceDir === undefined ? undefined : trial.leftFiles;
  return { ...common, trials: [{ ...trial, workspaceDir, leftFiles, isOlder }] };
}
