/** `waza-grade try`: runs tasks once, grades them, and shows the answer, each check, and what changed since the last try. */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Check } from "./domain/grade.ts";
import { EXIT, type ExitStatus } from "./domain/exit-status.ts";
import type { Row } from "./domain/row.ts";
import { loadSuites } from "./evals/load-suites.ts";
import { isError, type Problem } from "./domain/problem.ts";
import { isInside, topOf } from "./files/confine.ts";
import { branchFiles } from "./github/changes.ts";
import { textOfFile } from "./files/read.ts";
import { removeBelow } from "./files/remove.ts";
import { RUNS } from "./inputs/inputs.ts";
import { blockOn, replaceBelow, writeBelow } from "./files/write.ts";
import { IGNORE_ALL, filesBelow } from "./files/skill-files.ts";
import { rowsIn } from "./results/row-file.ts";
import { runFilesBelow } from "./outputs/find-outputs.ts";
import { RUN_JSON, readRunJson } from "./outputs/run-json.ts";
import { CI_RUNS } from "./report/sections/reproduce.ts";
import { logLine } from "./safety/sanitize.ts";
import { isObject, jsonOf, listed, shorten } from "./text/format.ts";
import { type Given, Misuse } from "./cli/flags.ts";
import type { TerminalLog } from "./log/log.ts";

/** Lines of an answer's end that are shown. */
const MOST_LINES = 12;
/** Characters of a reason. */
const LONGEST_REASON = 400;
const MOST_FILES = 12;

const NAME_ONE = "name a task, `waza-grade try <task>`, or call it in the folder of a skill.";

const TRIED = ".waza-grade/try";
/** The outcome of each check that was last tried, beside the runs. */
const LAST = ".waza-grade/tried/outcomes.json";
/** The folder of runs that have no verdict yet. */
const WAITING = ".waza-grade/tried/waiting";

/** What `try` uses of the two commands. */
interface TryWith {
  readonly log: TerminalLog;
  /** What is wrong with the judge's settings, by the inputs of grading. */
  readonly settings: (inputs: Given) => Promise<readonly Problem[]>;
  /** Starts the runs by these inputs. */
  readonly run: (inputs: Given) => Promise<ExitStatus>;
  /** Grades by these inputs; the record goes to `json`. */
  readonly grade: (inputs: Given, log: TerminalLog, json: Writable) => Promise<void>;
}

/** Tries the tasks that are named, else those of the skill in the current folder, else what the branch changed. */
export async function tryTasks(
  given: Given,
  folder: string,
  { log, settings, run, grade }: TryWith,
): Promise<ExitStatus> {
  const root = topOf(folder) ?? folder;
  for (const folder of [RUNS, TRIED, dirname(LAST)]) {
    const blocked = blockOn(root, folder);
    if (blocked !== undefined) throw new Misuse(`${blocked}.`);
  }
  // Both commands name files from where they are called.
  process.chdir(root);
  const which = await whichTasks(given, { root, folder });
  const isKept = given.get("keep")?.toLowerCase() === "true";
  const out = join(root, isKept ? RUNS : TRIED);
  // Before the runs of the last try go, which may say it.
  const agent = agentInputs(given, root);
  const wrong = (await settings(new Map(which))).filter(isError);
  wrong.forEach(log.problem);
  if (wrong.length > 0) return EXIT.misused;
  // Runs of the last try that no judge has graded are paid for, and are kept.
  const isWaiting = textOfFile(join(root, WAITING)) === out;
  if (!isKept && !isWaiting) removeBelow(root, TRIED);
  writeBelow(root, join(dirname(LAST), ".gitignore"), IGNORE_ALL);
  replaceBelow(root, WAITING, out);
  const once: [string, string][] = isKept ? [] : [["trials", "1"]];
  const ran = await run(new Map([...which, ...once, ["again", String(!isWaiting)], ["out", out], ...agent]));
  if (runFilesBelow(out).length === 0) {
    log.line(`No task was tried: ${NAME_ONE}`);
    return ran === EXIT.done ? EXIT.misused : ran;
  }
  const { silent, onlyErrors } = quietOf(log);
  const judged = async (results: string, offline: boolean, to: TerminalLog) =>
    await rowsOf((json) =>
      grade(new Map([...which, ["results", results], ["offline", String(offline)]]), to, json),
    );
  const tried = jsonOf(textOfFile(join(root, LAST)));
  // At first those that are recorded of the runs of the plan; no judge is asked.
  const ofPlan = async () =>
    isKept || !existsSync(join(root, RUNS)) ? [] : await judged(join(root, RUNS), true, silent);
  const last = isObject(tried) ? new Map(Object.entries(tried)) : outcomesOf(await ofPlan());
  const rows = await judged(out, false, onlyErrors);
  for (const line of rows.flatMap((row) => rowLines(row, last))) log.line(line);
  for (const line of filesLeft(out)) log.line(line);
  if (!isGraded(rows)) {
    log.line("Not all is graded: the runs are kept, and the next `waza-grade try` grades them.");
    return rows.length === 0 ? EXIT.misused : EXIT.failed;
  }
  replaceBelow(root, LAST, JSON.stringify(Object.fromEntries([...last, ...outcomesOf(rows)])));
  removeBelow(root, WAITING);
  return rows.every(({ state }) => state === "passed") ? EXIT.done : EXIT.failed;
}

/** Whether a judge gave a verdict on all of it. */
function isGraded(rows: readonly Row[]): boolean {
  return rows.length > 0 && rows.every(({ state }) => state === "passed" || state === "failed");
}

/** The inputs that say which tasks are meant, of running and of grading alike. */
async function whichTasks(
  given: Given,
  { root, folder }: { readonly root: string; readonly folder: string },
): Promise<[string, string][]> {
  const names = given.get("tasks");
  const tasks: [string, string][] = names === undefined ? [] : [["tasks", names]];
  // `skill/task` says by itself which skill is meant.
  if (names !== undefined && (folder === root || names.includes("/"))) return tasks;
  if (folder === root) {
    const changed = await branchFiles(root);
    if ("unknown" in changed) throw new Misuse(`${changed.unknown}: ${NAME_ONE}`);
    return [["changed-only", "true"]];
  }
  const { suites } = await loadSuites(undefined, root);
  const here = suites.filter(
    ({ tested }) => tested && (folder === tested.folder || isInside(folder, tested.folder)),
  );
  if (here.length > 0) return [["eval", here.map(({ at }) => at.path).join("\n")], ...tasks];
  if (names !== undefined) return tasks;
  throw new Misuse("No skill with evals is in this folder: name a task, `waza-grade try <task>`.");
}

/** The agent that is named, else that of the newest run, with its model; of CI's runs, which others made, the agent alone. */
function agentInputs(given: Given, root: string): [string, string][] {
  const named = ["agent", "command", "model"].flatMap((name): [string, string][] => {
    const value = given.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  if (given.has("agent") || given.has("command")) return named;
  const local = newestRun([RUNS, TRIED].map((one) => join(root, one)));
  const { agent, model } = local ?? { ...newestRun([join(root, CI_RUNS)]), model: undefined };
  if (agent === undefined || agent === "command")
    throw new Misuse("Name the agent: `waza-grade try --agent claude-code`, or its `--command`.");
  return [["agent", agent], ...(model === undefined ? [] : [["model", model] as [string, string]]), ...named];
}

/** Undefined without any. */
function newestRun(folders: readonly string[]): ReturnType<typeof readRunJson> {
  const files = folders.flatMap(runFilesBelow);
  const [newest] = files.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  return newest === undefined ? undefined : readRunJson(newest);
}

/** Logs that say nothing but their progress, and what is wrong: of old runs nothing is, since they only say what was before. */
function quietOf(log: TerminalLog): { readonly silent: TerminalLog; readonly onlyErrors: TerminalLog } {
  const none = () => undefined;
  const quiet = { ...log, line: none, group: none, notice: none, write: none, conclude: none };
  const problem: TerminalLog["problem"] = (one) => {
    if (one.level === "error") log.problem(one);
  };
  return { silent: { ...quiet, problem: none, warn: none }, onlyErrors: { ...quiet, problem } };
}

/** The rows of the record that grading writes. */
async function rowsOf(write: (json: Writable) => Promise<void>): Promise<readonly Row[]> {
  const json = new PassThrough();
  const record = text(json);
  await write(json);
  json.end();
  return rowsIn(jsonOf(await record));
}

function outcomesOf(rows: readonly Row[]): Map<string, unknown> {
  return new Map(
    rows.flatMap((row) => row.checks.map((check) => [keyOfCheck(row, check), check.outcome] as const)),
  );
}

function keyOfCheck({ suite, task, side, grader }: Row, { statement, description }: Check): string {
  return JSON.stringify([suite, task, side, grader, statement ?? description]);
}

/** A grade: the end of the answer, and each check with its reason and what it was before. */
function rowLines(row: Row, last: ReadonlyMap<string, unknown>): string[] {
  const { suite, task, grader, state, score, answer, checks, error, note } = row;
  const why = error?.message ?? (checks.length === 0 ? note : undefined);
  const share = score === undefined ? "" : ` · ${score.toFixed(2)}`;
  return [
    "",
    ...answer
      .trimEnd()
      .split("\n")
      .slice(-MOST_LINES)
      .map((line) => `  │ ${line}`),
    `${state === "passed" ? "✓" : "✗"} ${suite}/${task} · ${grader}: ${state}${share}`,
    ...(why === undefined ? [] : [`    ${why}`]),
    ...checks.flatMap((check) => {
      const { outcome, description = "check", reason } = check;
      const was = last.get(keyOfCheck(row, check));
      const change = was === outcome ? undefined : CHANGES.get(was);
      return [
        `  ${outcome === "pass" ? "✓" : "✗"} ${description}${change ?? ""}`,
        ...(reason === undefined ? [] : [`      ${shorten(reason, LONGEST_REASON)}`]),
      ];
    }),
  ].map(logLine);
}

/** By what it was before. */
const CHANGES: ReadonlyMap<unknown, string> = new Map([
  ["fail", "  (failed before: now passes)"],
  ["pass", "  (passed before: now fails)"],
]);

/** The files that were there when each agent had ended: those that it was given, too. */
function filesLeft(out: string): string[] {
  return runFilesBelow(out).flatMap((file) => {
    if (!file.endsWith(RUN_JSON)) return [];
    const work = join(dirname(file), "work");
    const names = existsSync(work) ? filesBelow(work) : [];
    return names.length === 0
      ? []
      : [`Files at the end in ${work}: ${listed(names.map(logLine), MOST_FILES)}`];
  });
}
