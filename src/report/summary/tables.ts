/** Per suite, a table of tasks and graders with marks one can scan. */
import type { Grade, Report, SuiteScore, TaskScore, Verdict } from "../../domain.ts";
import { formatScore, shorten } from "../../format.ts";
import { markdownCode, markdownText } from "../neutralise.ts";

/** Characters of a name: of a grader, a task, a suite. */
const NAME = 300;
/** Runs of a task that get a mark each, side by side. */
const RUNS_SHOWN = 5;

/** A suite's table, or nothing for a suite without grades. */
export function suiteTables({ scores }: Report): string {
  return scores.suites
    .filter(({ tasks }) => tasks.length > 0)
    .map(suiteTable)
    .join("\n\n");
}

function suiteTable(suite: SuiteScore): string {
  const weights = new Map<string, Set<number>>();
  for (const { job } of suite.tasks.flatMap(gradesOf)) {
    weights.set(job.grader.name, (weights.get(job.grader.name) ?? new Set()).add(job.grader.weight));
  }
  const graders = [...weights.keys()];
  const several = new Set(suite.tasks.flatMap(({ model }) => model || [])).size > 1;
  // Models of one task stand below each other, to be compared.
  const tasks = [...Map.groupBy(suite.tasks, ({ taskId }) => taskId).values()].flat();
  const rows = tasks.map((task) => {
    const byGrader = Map.groupBy(gradesOf(task), ({ job }) => job.grader.name);
    const cells = graders.map((name) => cell(byGrader.get(name) ?? []));
    return [several ? modelTaskCell(task) : taskCell(task), ...cells, scoreCell(task)];
  });
  const head = ["Task", ...[...weights].map(graderCell), "Score"];
  const title = `### ${markdownText(shorten(suite.suite.title, NAME))}${suite.score === undefined ? "" : ` · score ${formatScore(suite.score)}`}`;
  const table = [line(head), `|:--|${":-:|".repeat(graders.length)}--:|`, ...rows.map(line)];
  const models = several ? [...modelsTable(suite), ""] : [];
  return [title, "", ...models, ...table, ...legend(suite)].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Models side by side: a task a row, a model a column, and the mean of each below. */
function modelsTable({ tasks }: SuiteScore): string[] {
  const models = [...new Set(tasks.flatMap(({ model }) => model || []))];
  const rows = [...Map.groupBy(tasks, ({ taskId }) => taskId)].map(([, own]) => {
    const cells = models.map((model) => modelCell(own.find((task) => task.model === model)));
    return line([own[0] ? taskCell(own[0]) : "", ...cells]);
  });
  const means = models.map((model) => {
    const scores = tasks.flatMap((task) => (task.model === model ? (task.score ?? []) : []));
    return scores.length === 0 ? "–" : `**${formatScore(scores.reduce((a, b) => a + b) / scores.length)}**`;
  });
  return [
    line(["Task", ...models.map(markdownCode)]),
    `|:--|${"--:|".repeat(models.length)}`,
    ...rows,
    line(["Mean", ...means]),
  ];
}

function modelCell(task: TaskScore | undefined): string {
  if (!task) return "";
  const states = gradesOf(task).map(({ verdict }) => verdict);
  const red = states.some((verdict) => verdict.state === "graded" && !verdict.passed);
  const unknown = states.some(({ state }) => state !== "graded");
  if (task.score === undefined) return unknown ? "⚠️" : "–";
  return `${red ? "❌" : unknown ? "⚠️" : "✅"} ${formatScore(task.score)}`;
}

/** A grader's name, with its weight where that is not 1 for every task. */
function graderCell([name, weights]: readonly [string, ReadonlySet<number>]): string {
  const said = [...weights].some((weight) => weight !== 1) ? `<br>×${[...weights].join(", ×")}` : "";
  return `${markdownText(shorten(name, NAME))}${said}`;
}

function legend({ tasks }: SuiteScore): string[] {
  const several = tasks.some(({ runs }) => runs.length > 1);
  const marks = tasks.every(({ runs }) => runs.length <= RUNS_SHOWN) ? "A mark for each run; " : "";
  const verdicts = tasks.flatMap(gradesOf).map(({ verdict }) => verdict);
  const said = [
    ...(several ? [`${marks}1/2: one of two runs passed`] : []),
    ...(verdicts.some(({ state }) => state === "errored") ? ["⚠️ errored, no verdict"] : []),
    ...skippedLegend(verdicts),
    ...(tasks.some(hasScoredCell) ? ["0.67 beside a mark: two of three checks passed"] : []),
    ...(tasks.flatMap(gradesOf).some(({ job }) => job.grader.weight !== 1)
      ? ["× under a name: its weight"]
      : []),
  ];
  return said.length === 0 ? [] : ["", `<sub>${said.join(" · ")}</sub>`];
}

function skippedLegend(verdicts: readonly Verdict[]): string[] {
  const causes = new Set(
    verdicts.flatMap((verdict) =>
      verdict.state === "skipped" ? (verdict.cause === "missing" ? "missing" : "skipped") : [],
    ),
  );
  return causes.size === 0 ? [] : [`➖ ${[...causes].join(" or ")}`];
}

/** Whether some cell shows a score beside its mark: that of the one run, neither 0 nor 1. */
function hasScoredCell({ runs }: TaskScore): boolean {
  return (
    runs.length === 1 &&
    runs.some(({ grades }) =>
      grades.some(({ verdict }) => verdict.state === "graded" && verdict.score > 0 && verdict.score < 1),
    )
  );
}

/** A task's score, with how much of it is graded where that is not all. */
function scoreCell(task: TaskScore): string {
  if (task.score === undefined) return "–";
  const grades = gradesOf(task);
  const graded = grades.filter(({ verdict }) => verdict.state === "graded").length;
  const partly =
    graded < grades.length ? `<br><sub>${String(graded)} of ${String(grades.length)} graded</sub>` : "";
  return `${formatScore(task.score)}${partly}`;
}

function gradesOf(task: TaskScore): readonly Grade[] {
  return task.runs.flatMap(({ grades }) => grades);
}

function taskCell(task: TaskScore): string {
  const { taskId, taskName } = task;
  const name = taskName === taskId ? "" : `<br>${markdownText(shorten(taskName, NAME))}`;
  return `${markdownCode(taskId)}${name}${goldenMark(task)}`;
}

/** Said of a task that has to pass. */
function goldenMark(task: TaskScore): string {
  return gradesOf(task).some(({ job }) => job.task.golden) ? "<br><sub>golden</sub>" : "";
}

/** A task of one of several models; its name stands in the table of models. */
function modelTaskCell({ taskId, model }: TaskScore): string {
  return `${markdownCode(taskId)}${model === "" ? "" : `<br>${markdownText(shorten(model, NAME))}`}`;
}

function runMark(verdict: Verdict): string {
  if (verdict.state !== "graded") return verdict.state === "errored" ? "⚠️" : "➖";
  return verdict.passed ? "✅" : "❌";
}

/**
 * The runs of a task by one grader: a mark and the score of a single run, a mark for each of a few, and one mark for
 * many. The runs passed are counted among those with a verdict.
 */
function cell(grades: readonly Grade[]): string {
  if (grades.length === 0) return "";
  const states = grades.map(({ verdict }) => verdict);
  const graded = states.filter((verdict) => verdict.state === "graded");
  const passed = graded.filter((verdict) => verdict.passed).length;
  if (grades.length > 1 && grades.length <= RUNS_SHOWN) {
    const all = graded.length === grades.length;
    return `${states.map(runMark).join("")}${all ? ` ${String(passed)}/${String(graded.length)}` : ""}`;
  }
  if (graded.length === 0) return states.some(({ state }) => state === "errored") ? "⚠️" : "➖";
  const mark = passed === graded.length ? "✅" : "❌";
  const missing = graded.length < grades.length ? " ⚠️" : "";
  if (grades.length > 1) return `${mark}${missing} ${String(passed)}/${String(graded.length)}`;
  const score = graded[0]?.score ?? 0;
  return score > 0 && score < 1 ? `${mark} ${formatScore(score)}` : mark;
}
