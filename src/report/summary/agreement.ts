/** Is the judge right? Its verdicts against people's labels. Pure. */
import type { GradeRecord } from "../../compare/grade-record.ts";
import type { Report } from "../../domain.ts";
import { count, formatScore, shorten } from "../../format.ts";
import { hasLabels } from "../../labels/agreement.ts";
import type { AgreementFigures, GraderAgreement, Rate } from "../../labels/agreement.ts";
import type { Labelled } from "../../labels/label-match.ts";
import type { Page } from "./section.ts";
import { markdownCode, markdownProse, markdownText } from "../neutralise.ts";

const NAME = 300;
/** Disagreements that a page tells. */
const DISAGREEMENTS = 100;
/** Graders with a row of their own. */
const GRADERS = 50;

/** A row for all and for each grader, then where judge and person differ, and labels of grades without a verdict; empty without labels. */
export function agreementSection(
  { agreement }: Pick<Report, "agreement">,
  page: Pick<Page, "most" | "reason">,
): string {
  if (!agreement || !hasLabels(agreement)) return "";
  const { graders, disagreements, uncounted } = agreement;
  const suites = new Set(graders.map(({ suite }) => suite)).size > 1;
  const nameOf = ({ suite, grader, advisory }: GraderAgreement) =>
    `${markdownText(shorten(suites ? `${grader} · ${suite}` : grader, NAME))}${advisory ? " (advisory, not in all)" : ""}`;
  const rows = [
    row("**all**", agreement),
    ...graders.slice(0, GRADERS).map((one) => row(nameOf(one), one)),
    ...(graders.length > GRADERS ? [`| … and ${String(graders.length - GRADERS)} more | | | | | | | |`] : []),
  ];
  const longest = page.reason;
  const most = Math.min(page.most, DISAGREEMENTS);
  const differing = disagreements.map((one) => disagreement(one, suites, longest));
  return [
    "### Is the judge right?",
    table(rows),
    `<sub>${AGREEMENT_LEGEND}</sub>`,
    list(`**${count(disagreements.length, "disagreement")}**`, differing, most),
    list(
      `**${count(uncounted.length, "label")} of grades without a judge's verdict**, not counted`,
      uncounted.map((one) => uncountedLine(one, suites, longest)),
      most,
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What the figures are called, for every page. */
export const AGREEMENT_HEADS = [
  "Grader",
  "both pass",
  "judge pass, person fail",
  "judge fail, person pass",
  "both fail",
  "TPR",
  "TNR",
  "κ",
];
export const AGREEMENT_LEGEND =
  "TPR: of what people passed, what the judge passed; TNR: of what people failed, what it failed; each with its 95 % interval (Wilson), from 5 labels of that verdict on. κ: agreement beyond chance.";

function table(rows: readonly string[]): string {
  return [`| ${AGREEMENT_HEADS.join(" | ")} |`, "|:--|--:|--:|--:|--:|:--|:--|--:|", ...rows].join("\n");
}

function row(name: string, figures: AgreementFigures): string {
  const bold = (cell: string) => cell.replace(/^(\S+)(?= \(\d+ of)/, "**$1**");
  return `| ${[name, ...figureCells(figures).map(bold)].join(" | ")} |`;
}

/** The figures as texts, in the order of their heads, without the grader's. */
export function figureCells({ table: four, tpr, tnr, kappa }: AgreementFigures): string[] {
  return [
    ...[four.truePass, four.falsePass, four.falseFail, four.trueFail].map(String),
    rateText(tpr, four.truePass + four.falseFail),
    rateText(tnr, four.trueFail + four.falsePass),
    kappa === undefined ? "–" : kappa.toFixed(2),
  ];
}

function rateText(rate: Rate | undefined, labels: number): string {
  if (!rate) return `– (${count(labels, "label")})`;
  const { value, agreed, lower, upper } = rate;
  return `${formatScore(value)} (${String(agreed)} of ${String(labels)}; ${lower.toFixed(2)} to ${upper.toFixed(2)})`;
}

function disagreement(one: Labelled<GradeRecord>, suites: boolean, longest: number): string {
  const { label, grade } = one;
  const [judge, person] = label.passed ? ["❌ failed", "✅ passed"] : ["✅ passed", "❌ failed"];
  return `${place(grade, suites)}<br>the judge: ${judge}${because(grade.reason, longest)}<br>the person: ${person}${because(label.note, longest)}`;
}

function uncountedLine({ label, grade }: Labelled<GradeRecord>, suites: boolean, longest: number): string {
  const state = grade.state === "graded" ? "the agent never got to work" : grade.state;
  const person = label.passed ? "✅ passed" : "❌ failed";
  return `${place(grade, suites)} · ${state}${because(grade.reason, longest)}<br>the person: ${person}${because(label.note, longest)}`;
}

function place({ suite, grader, task, model, run }: GradeRecord, suites: boolean): string {
  const where = [...(suites ? [suite] : []), ...(model === "" ? [] : [model])];
  const more = where.map((part) => ` · ${markdownText(shorten(part, NAME))}`).join("");
  return `**${markdownText(shorten(grader, NAME))}** · ${markdownCode(task)} · run ${String(run)}${more}`;
}

function because(text: string | undefined, longest: number): string {
  return text === undefined || text === "" ? "" : `: ${markdownProse(shorten(text, longest))}`;
}

/** Bold title, then lines; more than `most` are counted. */
function list(title: string, lines: readonly string[], most: number): string {
  if (lines.length === 0) return "";
  const more = lines.length > most ? [`… and ${String(lines.length - most)} more`] : [];
  return `${title}\n\n${[...lines.slice(0, most), ...more].map((line) => `- ${line}`).join("\n")}`;
}
