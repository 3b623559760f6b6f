/**
 * Problems with runs (as opposed to grades), reported first: missing runs, dead agents, and what the agents' logs say; and
 * whether graded results may be a baseline. Pure.
 */
import { basename } from "node:path/posix";
import type { Conclusion, Policy, Sentences } from "../domain/grade.ts";
import {
  type Row,
  type RunScore,
  type Scores,
  type SuiteScore,
  type TaskScore,
  isWithoutCheck,
  deathText,
  isDead,
  isOlder,
} from "../domain/row.ts";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import { notice, warning, type Problem, type RunProblem } from "../domain/problem.ts";
import { suiteKey } from "../results/rows.ts";
import { runKey } from "../results/score.ts";
import { count, formatNumber, listed, listedCode, shorten, upperFirst } from "../text/format.ts";
import { type NearIds, alignIds } from "../text/suggest.ts";
import { LONGEST_ERROR, LONGEST_ID, MOST_ERRORS, MOST_NAMED, MOST_TOOLS } from "./limits.ts";

/** Agents that never got to work, and missing runs. The gate's rules decide on them. */
export function runProblems({
  scores,
  policy,
}: {
  readonly scores: Scores;
  readonly policy: Policy;
}): readonly RunProblem[] {
  return [...deadRunProblems(scores), ...missingProblems(scores, policy)];
}

/** One problem for the runs of each kind of death, with their errors and the remedy. */
export function deadRunProblems(scores: Scores): RunProblem[] {
  return deaths(scores).map(({ text, dead, runs, errors, help }): RunProblem => {
    const quoted = errors
      .slice(0, MOST_ERRORS)
      .map(
        ([message, its]) =>
          `${message === "" ? "without an error message" : shorten(message, 4 * LONGEST_ERROR)} (${count(its, "run")})`,
      );
    const more =
      errors.length > MOST_ERRORS ? [`and ${count(errors.length - MOST_ERRORS, "other error")}`] : [];
    return {
      level: "error",
      title: upperFirst(text),
      message: `${upperFirst(text)} in ${formatNumber(dead)} of ${count(runs, "run")}: ${[...quoted, ...more].join("; ")}.`,
      help: `${help} These runs were not judged and count 0, as in waza.`,
    };
  });
}

/** What usually mends runs without work, by what is known of the agent. */
const REMEDIES = [
  [
    "failed",
    "Check the step that runs the agent, and its log: usually the agent is not installed or not signed in there, or its token lacks a permission.",
  ],
  [
    "stopped",
    "What a program prints is its answer only where it ends with 0, in time: look at the logs of these runs, and mend the command or give it more time.",
  ],
] as const;

interface Deaths {
  /** As a part of a sentence. */
  readonly text: string;
  readonly dead: number;
  /** All runs, dead or not. */
  readonly runs: number;
  /** The errors with their number of runs, the most frequent first. */
  readonly errors: readonly (readonly [string, number])[];
  readonly help: string;
}

/** The runs whose agent never got to work, and those in which it ended without an answer. */
function deaths(scores: Scores): Deaths[] {
  const all = allRuns(scores).flatMap(({ grades: [first] }) => (first?.agent === undefined ? [] : first));
  return REMEDIES.flatMap(([agent, help]) => {
    const dead = all.filter((row) => isDead(row) && row.agent === agent);
    const messages = dead.map(({ agentError = "" }) => agentError.replace(/\s+/g, " ").trim());
    const errors = [...Map.groupBy(messages, (message) => message)]
      .map(([message, its]) => [message, its.length] as const)
      .sort(([, one], [, other]) => other - one);
    const text = deathText({ agent });
    return dead.length === 0 ? [] : { text, dead: dead.length, runs: all.length, errors, help };
  });
}

function allRuns({ suites }: Scores): readonly RunScore[] {
  return suites.flatMap(({ tasks }) => tasks.flatMap(({ runs }) => runs));
}

/** One problem for all evals without any run, and one for each eval with some of its runs; none if there is no run at all. */
export function missingProblems({ suites }: Scores, { onMissing }: Policy): RunProblem[] {
  const lacking = suites.filter((suite) => plannedRuns([suite]).missing > 0);
  const present = suites.filter((suite) => {
    const { planned, missing, older } = plannedRuns([suite]);
    return planned > missing - older;
  });
  if (present.length === 0) return [];
  const level = onMissing === "fail" ? "error" : "warning";
  const whole = lacking.filter((suite) => !present.includes(suite));
  const partly = lacking.filter((suite) => present.includes(suite));
  return [...withoutRuns(whole, present), ...partly.map(withFewer)].map((problem) => ({
    ...problem,
    level,
    title: "Missing runs",
  }));
}

interface PlannedRuns {
  readonly planned: number;
  readonly missing: number;
  /** Of the missing ones those that are there, and older than the skill, the prompt or the files are now. */
  readonly older: number;
}

function plannedRuns(suites: readonly SuiteScore[]): PlannedRuns {
  const runs = suites.flatMap(({ tasks }) => tasks.flatMap((task) => task.runs));
  const missing = runs.filter(isMissing);
  return { planned: runs.length, missing: missing.length, older: missing.filter(isOlderRun).length };
}

function isMissing({ grades: [first] }: RunScore): boolean {
  return first?.state === "missing";
}

function isOlderRun({ grades: [first] }: RunScore): boolean {
  return first !== undefined && isOlder(first);
}

type MissingText = Pick<Problem, "message" | "help" | "at">;

function withoutRuns(suites: readonly SuiteScore[], present: readonly SuiteScore[]): MissingText[] {
  const [first] = suites;
  if (!first) return [];
  const titles = listed(suites.map((suite) => `\`${titleOf(suite)}\``));
  const { missing } = plannedRuns(suites);
  const message = `The results have no run of the ${suites.length === 1 ? "eval" : "evals"} ${titles}: ${count(missing, "planned run")} ${missing === 1 ? "is" : "are"} missing.`;
  const help = `Run the agent on ${suites.length === 1 ? "it" : "them"} before this step, and set \`results\` to the path it writes to; or ${evalLine(suites, present)}.`;
  return [{ message, help, at: first.suite.at }];
}

function titleOf({ suite }: SuiteScore): string {
  return shorten(suiteKey(suite), LONGEST_ID);
}

/** How to set `eval` so that evals without runs are not planned: by file name, if the names differ. */
function evalLine(missing: readonly SuiteScore[], present: readonly SuiteScore[]): string {
  const ofSkills = "evals/evals.json";
  const names = (suites: readonly SuiteScore[]) =>
    new Set(suites.map(({ suite: { at } }) => (at.path.endsWith(ofSkills) ? ofSkills : basename(at.path))));
  const [name = "", ...others] = names(present);
  if (others.length === 0 && !names(missing).has(name))
    return `leave ${missing.length === 1 ? "it" : "them"} out with \`eval: "**/${name}"\``;
  const files = listedCode(present.map(({ suite }) => suite.at.path));
  return `list in \`eval\` only the evals that have results, one per line: ${files}`;
}

const CHECK_THE_STEP =
  "Check the step that runs the agent: it has to run every task, as many times as planned. To grade only some tasks, list them in `tasks`.";

function withFewer(suite: SuiteScore): MissingText {
  const lacks = lacksOf(suite);
  const texts = lacks.map(({ text }) => text);
  const message = `\`${titleOf(suite)}\`: ${missingPart(plannedRuns([suite]))}: the results have ${listed(texts)}.`;
  const slips = lacks.flatMap(({ near }) => (near ? [near] : []));
  const older = lacks.filter(({ isOlder }) => isOlder);
  const help = [
    ...(older.length > 0 ? [RUN_AGAIN] : []),
    ...alignIds(slips),
    ...(slips.length + older.length < lacks.length ? [CHECK_THE_STEP] : []),
  ].join(" ");
  return { message, help, at: suite.suite.at };
}

const RUN_AGAIN = "Run the agent again: `waza-grade run` makes anew what is older than the skill.";

interface Lack {
  readonly text: string;
  /** The runs are there, and older than what they are of. */
  readonly isOlder?: true | undefined;
  /** The task's id, and the similar id in the results. */
  readonly near?: NearIds | undefined;
  /** The whole suite lacks runs. */
  readonly whole?: true | undefined;
}

/** The missing runs of each task: `no run of …`, or `only 2 of 3 runs of …`; with the model when there are several. */
function lacksOf(suite: SuiteScore): Lack[] {
  const { planned, missing, older } = plannedRuns([suite]);
  if (missing === 0) return [];
  if (missing === planned && older === 0) return [{ text: `no run of \`${titleOf(suite)}\``, whole: true }];
  const several = new Set(suite.tasks.map(({ model }) => model)).size > 1;
  return suite.tasks.flatMap((task): Lack[] => {
    const { runs, taskId, model } = task;
    const gone = runs.filter(isMissing).length;
    const old = runs.filter(isOlderRun).length;
    if (gone === 0) return [];
    const held =
      gone === runs.length ? "no run" : `only ${String(runs.length - gone)} of ${count(runs.length, "run")}`;
    const by =
      several && model !== "" && model !== UNKNOWN_MODEL ? ` by \`${shorten(model, LONGEST_ID)}\`` : "";
    const of = `of \`${shorten(taskId, LONGEST_ID)}\`${by}`;
    return [
      ...(gone > old ? [{ text: `${held} ${of}`, near: nearOf(task) }] : []),
      ...(old > 0
        ? [
            {
              text: `${count(old, "run")} ${of} made before the skill or the task was changed`,
              isOlder: true as const,
            },
          ]
        : []),
    ];
  });
}

function nearOf({ runs, taskId }: TaskScore): NearIds | undefined {
  const meant = runs.flatMap(({ grades }) => grades.flatMap(({ meant }) => meant ?? []))[0];
  return meant === undefined ? undefined : [taskId, meant];
}

/** `3 of 8 planned runs are missing`. */
function missingPart({ planned, missing }: PlannedRuns): string {
  return `${formatNumber(missing)} of ${count(planned, "planned run")} ${missing === 1 ? "is" : "are"} missing`;
}

/** What to say of agents that never got to work, with the most frequent error; undefined if all did. */
export function deadSentences(scores: Scores): Sentences | undefined {
  const all = deaths(scores);
  const runs = all[0]?.runs;
  if (runs === undefined) return undefined;
  const sentences = all.map(({ text, dead, errors }) => {
    const first = errors[0]?.[0] ?? "";
    const more = errors.length > 1 ? `, and ${count(errors.length - 1, "other error")}` : "";
    const reason = first === "" ? "" : ` (${shorten(first, LONGEST_ERROR)}${more})`;
    return `${text} in ${formatNumber(dead)} of ${count(runs, "run")}${reason}`;
  });
  const sentence = sentences.join(", and ");
  const sum = all.reduce((total, { dead }) => total + dead, 0);
  return sum === runs ? [sentence, "These runs were not judged"] : [sentence];
}

/** The number of missing runs, and the first tasks without them. */
export function missingSentence({ suites }: Scores): string {
  const several = suites.length > 1;
  const lacks = suites
    .flatMap((suite) =>
      lacksOf(suite).map(({ text, whole }) => ({
        whole: whole === true,
        text: several && !whole ? `${text} (\`${titleOf(suite)}\`)` : text,
      })),
    )
    .sort((a, b) => Number(b.whole) - Number(a.whole))
    .map(({ text }) => text);
  return `${missingPart(plannedRuns(suites))}: ${listed(lacks, MOST_NAMED)}`;
}

/* What the agents' logs say of their runs, which the verdicts alone do not show. */

/** Runs in which the skill was not loaded, tools were refused, a limit ended the agent, or it was started again. */
export function agentProblems(grades: readonly Row[]): Problem[] {
  const runs = [...Map.groupBy(grades, runKey).values()].flatMap(([first]) => first ?? []);
  return [...Map.groupBy(runs, ({ suite }) => suite)].flatMap(([suite, its]) =>
    [notLoaded(its), refused(its), endedEarly(its), startedAgain(its)].flatMap((one) =>
      one ? [{ ...one, message: `\`${shorten(suite, LONGEST_ID)}\`: ${one.message}` }] : [],
    ),
  );
}

function notLoaded(runs: readonly Row[]): Problem | undefined {
  const known = runs.filter(({ side, client }) => side === undefined && client?.loaded !== undefined);
  const without = known.filter(({ client }) => client?.loaded === false);
  if (without.length === 0) return undefined;
  const help =
    without.length === known.length
      ? "Is the skill installed where the agent looks for skills? If it is, let the `description` in its SKILL.md name the tasks."
      : "Let the `description` in its SKILL.md name the tasks: an agent decides by it alone.";
  const of = formatNumber(without.length);
  return warning(`the skill was not loaded in ${of} of ${count(known.length, "run")} with it.`, { help });
}

function refused(runs: readonly Row[]): Problem | undefined {
  const its = runs.filter(({ client }) => (client?.refused ?? 0) > 0);
  const calls = its.reduce((sum, { client }) => sum + (client?.refused ?? 0), 0);
  if (calls === 0) return undefined;
  const tools = new Set(its.flatMap(({ client }) => client?.refusedTools ?? []));
  const named = [...tools].map((tool) => `\`${shorten(tool, LONGEST_ID)}\``);
  const message = `${count(calls, "tool call")} ${calls === 1 ? "was" : "were"} refused, in ${formatNumber(its.length)} of ${count(runs.length, "run")}: ${listed(named, MOST_TOOLS)}.`;
  return warning(message, {
    help: "Allow the agent these tools where it is started, or expect it to work without them.",
  });
}

function endedEarly(runs: readonly Row[]): Problem | undefined {
  const its = runs.flatMap(({ client }) => client?.endedBy ?? []);
  if (its.length === 0) return undefined;
  const words = listed(
    [...new Set(its)].map((word) => `\`${shorten(word, LONGEST_ID)}\``),
    MOST_TOOLS,
  );
  const message = `ended: ${words}, ${formatNumber(its.length)} of ${count(runs.length, "run")}.`;
  return warning(message, { help: "These runs are judged as far as they got: raise the agent's limit." });
}

function startedAgain(runs: readonly Row[]): Problem | undefined {
  const its = runs.flatMap(({ tries = 1 }) => (tries > 1 ? [tries] : []));
  if (its.length === 0) return undefined;
  const most = its.reduce((one, other) => Math.max(one, other));
  const message = `the agent got to work only at a later try in ${formatNumber(its.length)} of ${count(runs.length, "run")}: ${count(most, "try", "tries")} at most.`;
  return notice(message);
}

/** Whether every planned grade has checks of a judge, and some check passed; the conclusion may be failure. */
export function isBaselineWorthy({
  scores: { counts, grades },
  conclusion: { rule },
}: {
  readonly scores: Scores;
  readonly conclusion: Conclusion;
}): boolean {
  if (["configuration", "cancelled", "dry-run"].includes(rule)) return false;
  const passes = grades.some(({ score = 0 }) => score > 0);
  const isComplete = passes && counts.passed + counts.failed === counts.planned;
  return isComplete && !grades.some(isWithoutCheck);
}
