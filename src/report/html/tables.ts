/** Per suite, a table of tasks and graders whose marks lead to their grades. */
import { allGrades } from "../../all-grades.ts";
import type { Grade, Report, SuiteScore } from "../../domain.ts";
import { formatScore } from "../../format.ts";
import { SIGNS, stateOf, WORDS } from "../../states.ts";
import { pageText } from "../neutralise.ts";
import { hasFailed } from "../summary/tables.ts";
import { element } from "./elements.ts";

/** The tables of all suites with grades; after them those of advisory graders, which have no score. */
export function suiteTables({ scores, advisory }: Report, address: ReadonlyMap<Grade, string>): string {
  const others = advisory?.scores.suites ?? [];
  return [
    ...scores.suites.map((suite) => suiteTable(suite, false, address)),
    ...others.map((suite) => suiteTable(suite, true, address)),
  ].join("\n");
}

function suiteTable(suite: SuiteScore, isAdvisory: boolean, address: ReadonlyMap<Grade, string>): string {
  if (suite.tasks.length === 0) return "";
  const weights = new Map(allGrades(suite).map(({ job }) => [job.grader.name, job.grader.weight]));
  const heads = [...weights].map(([name, weight]) => `${name}${weight === 1 ? "" : ` ×${String(weight)}`}`);
  const several = new Set(suite.tasks.map(({ model }) => model)).size > 1;
  const inOrder = [...suite.tasks.filter(hasFailed), ...suite.tasks.filter((task) => !hasFailed(task))];
  const rows = inOrder.map((task) => {
    const cells = [...weights.keys()].map((name) => {
      const own = allGrades(task).filter(({ job }) => job.grader.name === name);
      return `<td>${own.map((grade) => mark(grade, address)).join("")}</td>`;
    });
    const score = task.score === undefined ? "–" : formatScore(task.score);
    const model = several ? ` ${element("small", task.model)}` : "";
    return `<tr${hasFailed(task) ? ' class="red"' : ""}><th scope="row">${pageText(task.taskId)}${model}</th>${cells.join("")}${isAdvisory ? "" : `<td>${score}</td>`}</tr>`;
  });
  const score = suite.score === undefined ? "" : ` · score ${formatScore(suite.score)}`;
  const columns = ["Task", ...heads, ...(isAdvisory ? [] : ["Score"])];
  return `<h2>${pageText(`${suite.suite.title}${isAdvisory ? " · advisory" : score}`)}</h2>
<div class="table"><table><thead><tr>${columns.map((head) => `<th scope="col">${pageText(head)}</th>`).join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
}

function mark(grade: Grade, address: ReadonlyMap<Grade, string>): string {
  const state = stateOf(grade);
  return `<a href="#${address.get(grade) ?? ""}" title="${WORDS[state]}">${SIGNS[state]}</a>`;
}
