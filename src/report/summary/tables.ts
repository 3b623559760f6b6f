/** Per suite, a table of tasks and graders with marks one can scan: what failed first, twenty tasks at most. */
import { allGrades } from "../../all-grades.ts";
import type { Grade, SuiteScore, TaskScore } from "../../domain.ts";
import { count, formatScore, shorten } from "../../format.ts";
import { plainState, SIGNS, stateOf, WORDS } from "../../states.ts";
import type { State } from "../../states.ts";
import { once } from "../../once.ts";
import { markdownCode, markdownText } from "../neutralise.ts";
import { gradeName } from "../../compare/make-record.ts";
import { placeKey } from "../../compare/pairs.ts";
import { runsCell } from "./how-sure.ts";
import { fitting } from "./names.ts";
import { details, joined, moreText } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Tasks of a table that are not folded, and those that are shown at all. */
const ROWS = 20;
const MOST_ROWS = 1_000;
/** Characters of a name: of a grader, a task, a suite. */
const NAME = 100;
/** Runs of a task that get a mark each, side by side. */
const RUNS_SHOWN = 5;

/** The worst first. */
const WORST: readonly State[] = ["failed", "errored", "missing", "skipped", "doubtful", "passed"];

/** What a mark in a cell says, of those whose meaning is not plain: the first of each kind is explained. */
type Legend = Map<string, string>;

/** A table for each suite with grades, those with failures first. */
export const suiteTables: Section = (report, page) => {
  const suites = report.scores.suites.filter(({ tasks }) => tasks.length > 0);
  const several = suites.length > 1;
  const fresh = new Set(report.comparison?.newlyFailing.map(placeKey));
  const tables = worstFirst(suites)
    .slice(0, page.most)
    .map((suite) => {
      const score = suite.score === undefined ? "" : ` · score ${formatScore(suite.score)}`;
      const title = several ? `### ${markdownText(shorten(suite.suite.title, NAME))}${score}` : "";
      return joined([title, suiteTable(suite, page, fresh)]);
    });
  return joined([...tables, moreText(suites.length - tables.length, "more suite", page)]);
};

function suiteTable(suite: SuiteScore, page: Page, fresh: ReadonlySet<string>): string {
  const legend: Legend = new Map();
  const weights = new Map<string, Set<number>>();
  for (const { job } of allGrades(suite))
    weights.set(job.grader.name, (weights.get(job.grader.name) ?? new Set()).add(job.grader.weight));
  const models = [...new Set(suite.tasks.flatMap(({ model }) => model || []))];
  const groups = once(GROUPS, suite, () => worstFirst(groupsOf(suite)));
  const runs = suite.tasks.some((task) => task.runs.length > 1);
  const how = { graders: [...weights.keys()], several: models.length > 1, runs, fresh, legend };
  const tasks = groups.flatMap((group) => group.tasks);
  const shown = tasks.slice(0, page.each ? MOST_ROWS : ROWS);
  const rows = fitting(shown, page.room, (task) => row(task, how));
  const figures = runs ? ["Runs", "Score"] : ["Score"];
  const head = ["Task", ...[...weights].map(graderCell), ...figures].map((cell) => cell || " ");
  if (runs) legend.set("passed", "Runs: those that passed by every grader");
  if (suite.tasks.some(({ score = 1 }) => score < 1))
    legend.set("score", "Score: the share of checks that passed, by weight");
  const ruler = `|:--|${":-:|".repeat(weights.size)}${"--:|".repeat(figures.length)}`;
  const table = (lines: readonly string[]) => [line(head), ruler, ...lines].join("\n");
  const folded = rows.slice(ROWS);
  const left = tasks.length - shown.length;
  return joined([
    models.length > 1 ? modelsTable(groups, models) : "",
    table(rows.slice(0, ROWS)),
    legend.size === 0 ? "" : `<sub>${[...legend.values()].join(" · ")}</sub>`,
    folded.length === 0 ? "" : details(count(folded.length, "more row"), table(folded)),
    left === 0 ? "" : `… and ${count(left, "more row")}`,
  ]);
}

interface TaskGroup {
  readonly tasks: readonly TaskScore[];
}

/** Every page and each of its rungs asks for them. */
const GROUPS = new WeakMap<SuiteScore, readonly TaskGroup[]>();

/** Models of one task stand below each other, to be compared. */
function groupsOf({ tasks }: SuiteScore): TaskGroup[] {
  return [...Map.groupBy(tasks, ({ taskId }) => taskId).values()].map((own) => ({ tasks: own }));
}

/** Suites or tasks by their worst grade; otherwise in the order of the files. */
function worstFirst<T extends TaskGroup>(groups: readonly T[]): T[] {
  const rank = ({ tasks }: TaskGroup) =>
    tasks
      .flatMap(allGrades)
      .reduce((worst, grade) => Math.min(worst, WORST.indexOf(stateOf(grade))), WORST.length);
  return groups
    .map((group) => ({ group, rank: rank(group) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ group }) => group);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

interface RowOptions {
  readonly graders: readonly string[];
  /** Whether several models ran the task. */
  readonly several: boolean;
  /** Whether some task has several runs. */
  readonly runs: boolean;
  /** Which graders of which tasks are newly failing. */
  readonly fresh: ReadonlySet<string>;
  readonly legend: Legend;
}

/** Whether some grade of a task failed. */
export function hasFailed(task: TaskScore): boolean {
  return allGrades(task).some((grade) => stateOf(grade) === "failed");
}

/** A task; all of it bold where something failed. */
function row(task: TaskScore, options: RowOptions): string {
  const { graders, several, runs } = options;
  const byGrader = Map.groupBy(allGrades(task), ({ job }) => job.grader.name);
  const bold = (text: string) => (hasFailed(task) ? `<b>${text}</b>` : text);
  const model = several && task.model !== "" ? `<br>${markdownText(shorten(task.model, NAME))}` : "";
  const golden = allGrades(task).some(({ job }) => job.task.golden) ? " <sub>golden</sub>" : "";
  return line([
    `${bold(markdownText(shorten(task.taskId, NAME)))}${golden}${model}`,
    ...graders.map((name) => {
      const grades = byGrader.get(name) ?? [];
      return `${cell(grades, options.legend)}${freshPart(grades, options)}`;
    }),
    ...(runs ? [runsCell(task)] : []),
    scoreCell(task, bold),
  ]);
}

/** Models side by side: a task a row, a model a column, and the mean of each below. */
function modelsTable(groups: readonly TaskGroup[], models: readonly string[]): string {
  const of =
    (model: string) =>
    ({ model: one }: TaskScore) =>
      one === model;
  const rows = groups.slice(0, ROWS).map(({ tasks }) => {
    const cells = models.map((model) => modelCell(tasks.find(of(model))));
    const name = markdownText(shorten(tasks[0]?.taskId ?? "", NAME));
    return line([tasks.some(hasFailed) ? `<b>${name}</b>` : name, ...cells]);
  });
  const means = models.map((model) => {
    const scores = groups.flatMap(({ tasks }) => tasks.filter(of(model)).flatMap(({ score }) => score ?? []));
    return scores.length === 0 ? "–" : `**${formatScore(scores.reduce((a, b) => a + b) / scores.length)}**`;
  });
  return [
    line(["Task", ...models.map(markdownCode)]),
    `|:--|${"--:|".repeat(models.length)}`,
    ...rows,
    line([groups.length > ROWS ? `Mean of all ${String(groups.length)}` : "Mean", ...means]),
  ].join("\n");
}

function modelCell(task: TaskScore | undefined): string {
  if (!task) return "";
  const states = allGrades(task).map(stateOf);
  const worst = WORST.find((state) => states.includes(state)) ?? "passed";
  const sign = SIGNS[worst === "doubtful" ? "passed" : worst];
  return task.score === undefined ? sign : `${sign} ${formatScore(task.score)}`;
}

/** A grader's name, with its weight where that is not 1 for every task. */
function graderCell([name, weights]: readonly [string, ReadonlySet<number>]): string {
  const said = [...weights].some((weight) => weight !== 1) ? ` ×${[...weights].join(", ×")}` : "";
  return `${markdownText(shorten(name, NAME))}${said}`;
}

/** A task's score, with how much of it is graded where that is not all. */
function scoreCell(task: TaskScore, bold: (text: string) => string): string {
  if (task.score === undefined) return "–";
  const grades = allGrades(task);
  const graded = grades.filter(({ verdict }) => verdict.state === "graded").length;
  const partly =
    graded < grades.length ? `<br><sub>${String(graded)} of ${String(grades.length)} graded</sub>` : "";
  return `${bold(formatScore(task.score))}${partly}`;
}

/**
 * The runs of a task by one grader: a mark and, of a single run, how many of its checks passed; a mark for each of a
 * few; one mark for many. The runs passed are counted among those with a verdict.
 */
function cell(grades: readonly Grade[], legend: Legend): string {
  if (grades.length === 0) return "";
  const states = grades.map(plainState);
  const each = grades.length > 1 && grades.length <= RUNS_SHOWN;
  if (each) legend.set("runs", "A mark for each run");
  for (const state of states) {
    if (state === "errored") legend.set(state, `${SIGNS.errored} errored: no verdict`);
    if (state === "missing" || state === "skipped") legend.set(state, `${SIGNS[state]} ${WORDS[state]}`);
  }
  if (grades.length === 1) return single(grades[0], legend);
  if (each) return states.map((state) => SIGNS[state]).join("");
  const passed = states.filter((state) => state === "passed").length;
  const graded = passed + states.filter((state) => state === "failed").length;
  if (graded === 0) return SIGNS[states.includes("errored") ? "errored" : "skipped"];
  const others =
    graded < grades.length ? ` ${SIGNS[states.includes("errored") ? "errored" : "skipped"]}` : "";
  return `${SIGNS[passed === graded ? "passed" : "failed"]}${others} ${String(passed)} of ${String(graded)} runs`;
}

/** Of a grader that passed more often in the baseline. */
function freshPart([grade]: readonly Grade[], { fresh, legend }: RowOptions): string {
  if (!grade || !fresh.has(placeKey(gradeName(grade.job)))) return "";
  legend.set("new", "<b>new</b>: newly failing");
  return " <b>new</b>";
}

function single(grade: Grade | undefined, legend: Legend): string {
  if (!grade) return "";
  const sign = SIGNS[plainState(grade)];
  const { verdict } = grade;
  // Of several votes the checks are those of all, and say nothing of the score.
  if (verdict.state !== "graded" || verdict.votes) return sign;
  if (verdict.pairs?.every(({ winner }) => winner === "tie")) return `${sign} tie`;
  const passed = verdict.checks.filter(({ outcome }) => outcome === "pass").length;
  if (passed === verdict.checks.length || verdict.checks.length < 2) return sign;
  const share = `${String(passed)}/${String(verdict.checks.length)}`;
  if (!legend.has("checks"))
    legend.set("checks", `${share}: ${String(passed)} of ${count(verdict.checks.length, "check")} passed`);
  return `${sign} ${share}`;
}
