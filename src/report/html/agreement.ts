/** The judge against people's labels: the figures, and where they differ. */
import type { GradeRecord } from "../../compare/grade-record.ts";
import type { Report } from "../../domain.ts";
import { count, shorten } from "../../format.ts";
import { hasLabels } from "../../labels/agreement.ts";
import type { GraderAgreement } from "../../labels/agreement.ts";
import type { Labelled } from "../../labels/label-match.ts";
import { SIGNS } from "../../states.ts";
import { pageText } from "../neutralise.ts";
import { AGREEMENT_HEADS, AGREEMENT_LEGEND, figureCells } from "../summary/agreement.ts";
import { element, prose } from "./elements.ts";

const REASON = 2_000;

/** A row for all and for each grader, then every disagreement, and labels of grades without a verdict; empty without labels. */
export function agreementElement({ agreement }: Pick<Report, "agreement">): string {
  if (!agreement || !hasLabels(agreement)) return "";
  const { graders, disagreements, uncounted } = agreement;
  const suites = new Set(graders.map(({ suite }) => suite)).size > 1;
  const nameOf = ({ suite, grader, advisory }: GraderAgreement) =>
    `${suites ? `${grader} · ${suite}` : grader}${advisory ? " (advisory, not in all)" : ""}`;
  const rows = [
    row("all", figureCells(agreement)),
    ...graders.map((one) => row(nameOf(one), figureCells(one))),
  ];
  return `<h2>Is the judge right?</h2>
<div class="table"><table><thead><tr>${AGREEMENT_HEADS.map((head) => `<th scope="col">${pageText(head)}</th>`).join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>
${element("p", AGREEMENT_LEGEND, "meta")}
${list(count(disagreements.length, "disagreement"), disagreements)}
${list(`${count(uncounted.length, "label")} of grades without a judge's verdict, not counted`, uncounted)}`;
}

function row(name: string, cells: readonly string[]): string {
  return `<tr><th scope="row">${pageText(name)}</th>${cells.map((cell) => `<td>${pageText(cell)}</td>`).join("")}</tr>`;
}

function list(title: string, some: readonly Labelled<GradeRecord>[]): string {
  if (some.length === 0) return "";
  return `${element("h4", title)}<ul class="checks">${some.map(item).join("\n")}</ul>`;
}

function item({ label, grade }: Labelled<GradeRecord>): string {
  const { suite, grader, task, model, run, reason, state } = grade;
  const place = [grader, task, `run ${String(run)}`, suite, model].filter((part) => part !== "").join(" · ");
  const judge = state !== "graded" || grade.settled === true ? "no verdict" : verdict(grade.passed);
  return `<li>${element("b", place)}<br>${said("the judge", judge, reason)}<br>${said("the person", verdict(label.passed), label.note)}</li>`;
}

function said(who: string, what: string, why: string | undefined): string {
  return prose(`${who}: ${what}${why ? `: ${shorten(why, REASON)}` : ""}`);
}

function verdict(passed: boolean): string {
  return passed ? `${SIGNS.passed} passed` : `${SIGNS.failed} failed`;
}
