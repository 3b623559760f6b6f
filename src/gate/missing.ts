/** Missing runs, and the problems that report them. */
import { basename } from "node:path/posix";
import { UNKNOWN_MODEL } from "../domain/run.ts";
import type { Policy } from "../domain/conclusion.ts";
import type { Problem, RunProblem } from "../domain/location.ts";
import type { RunScore, Scores, SuiteScore, TaskScore } from "../domain/scores.ts";
import { suiteKey } from "../records/make-record.ts";
import { count, formatNumber, listed, listedCode, shorten } from "../text/format.ts";
import { alignIds } from "../text/suggest.ts";
import type { NearIds } from "../text/suggest.ts";

/** Maximum length of an id in a message. */
const NAME = 100;
/** Maximum tasks named in a title. */
const NAMED = 3;

interface PlannedRuns {
  readonly planned: number;
  readonly missing: number;
}

function plannedRuns(suites: readonly SuiteScore[]): PlannedRuns {
  const runs = suites.flatMap(({ tasks }) => tasks.flatMap((task) => task.runs));
  return { planned: runs.length, missing: runs.filter(isMissing).length };
}

export function isMissing({ grades }: RunScore): boolean {
  return grades[0]?.verdict.state === "skipped" && grades[0].verdict.cause === "missing";
}

/** `3 of 8 planned runs are missing`. */
function missingPart({ planned, missing }: PlannedRuns): string {
  return `${formatNumber(missing)} of ${count(planned, "planned run")} ${missing === 1 ? "is" : "are"} missing`;
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
  return `${missingPart(plannedRuns(suites))}: ${listed(lacks, NAMED)}`;
}

/** One problem for all evals without any run, and one for each eval with some of its runs; none if there is no run at all. */
export function missingProblems({ suites }: Scores, { onMissing }: Policy): RunProblem[] {
  const lacking = suites.filter((suite) => plannedRuns([suite]).missing > 0);
  const present = suites.filter((suite) => plannedRuns([suite]).planned > plannedRuns([suite]).missing);
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
  const help = [...alignIds(slips), ...(slips.length < lacks.length ? [CHECK_THE_STEP] : [])].join(" ");
  return { message, help, at: suite.suite.at };
}

interface Lack {
  readonly text: string;
  /** The task's id, and the similar id in the results. */
  readonly near?: NearIds | undefined;
  /** The whole suite lacks runs. */
  readonly whole?: true | undefined;
}

/** The missing runs of each task: `no run of …`, or `only 2 of 3 runs of …`; with the model when there are several. */
function lacksOf(suite: SuiteScore): Lack[] {
  const { planned, missing } = plannedRuns([suite]);
  if (missing === 0) return [];
  if (missing === planned) return [{ text: `no run of \`${titleOf(suite)}\``, whole: true }];
  const several = new Set(suite.tasks.map(({ model }) => model)).size > 1;
  return suite.tasks.flatMap((task): Lack[] => {
    const { runs, taskId, model } = task;
    const gone = runs.filter(isMissing).length;
    if (gone === 0) return [];
    const held =
      gone === runs.length ? "no run" : `only ${String(runs.length - gone)} of ${count(runs.length, "run")}`;
    const by = several && model !== "" && model !== UNKNOWN_MODEL ? ` by \`${shorten(model, NAME)}\`` : "";
    return [{ text: `${held} of \`${shorten(taskId, NAME)}\`${by}`, near: nearOf(task) }];
  });
}

function nearOf({ runs, taskId }: TaskScore): NearIds | undefined {
  const meant = runs.flatMap(({ grades }) => grades.flatMap(({ job }) => job.missing?.meant ?? []))[0];
  return meant === undefined ? undefined : [taskId, meant];
}

function titleOf({ suite }: SuiteScore): string {
  return shorten(suiteKey(suite), NAME);
}
