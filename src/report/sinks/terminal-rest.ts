/** What the terminal says below the failures: advisory graders, the agreement with people's labels, what it all took. */
import type { Report } from "../report.ts";
import { listed } from "../../text/format.ts";
import { agreementSentence } from "../../labels/agreement.ts";
import { votesText } from "../../text/states.ts";
import { andMore } from "../document/tree.ts";
import { tookParts } from "../sections/foot.ts";
import { shownGrades } from "../shown-grade.ts";
import { block, nameOf } from "./drawing.ts";
import type { Drawing } from "./drawing.ts";

/** Failed advisory grades that are told. */
const ADVISORY = 20;

/** How many passed of those with a verdict, and why the others failed; empty without advisory graders. */
export function advisoryPart(report: Report, drawing: Drawing): string {
  if (!report.advisory) return "";
  const { passed, failed, planned } = report.advisory.scores.counts;
  const without = planned - passed - failed;
  const failures = shownGrades(report.advisory).flatMap((shown) =>
    shown.state === "failed"
      ? [`  ${drawing.style("yellow", "✗")} ${nameOf(shown)}\n${block(shown.reason, 6, drawing)}`]
      : [],
  );
  const tally = [
    `${String(passed)} of ${String(passed + failed)} passed`,
    ...(without > 0 ? [`${String(without)} without a verdict`] : []),
  ];
  const more = andMore(failures.length - ADVISORY, "failed grade");
  return [
    `${drawing.style("bold", "Advisory (decide nothing)")}: ${tally.join(", ")}`,
    ...failures.slice(0, ADVISORY),
    ...(more === "" ? [] : [`  ${more}`]),
  ].join("\n");
}

/** Grades that passed though not all votes did; empty where there are none. */
export function splitVotesPart(report: Report, drawing: Drawing): string {
  const split = shownGrades(report).flatMap((shown) => {
    const { verdict } = shown.grade;
    if (verdict.state !== "graded" || !verdict.passed || !verdict.votes) return [];
    const { failed, errored } = verdict.votes;
    return failed + errored > 0 ? [`${nameOf(shown)}: ${votesText(verdict.votes)}`] : [];
  });
  if (split.length === 0) return "";
  return block(`Passed by a majority: ${listed(split)}.`, 0, drawing);
}

/** One sentence; empty without labels. */
export function agreementPart({ agreement }: Pick<Report, "agreement">, drawing: Drawing): string {
  return agreement ? block(agreementSentence(agreement), 0, drawing) : "";
}

/** Time, requests, cost, tokens and recorded verdicts on one line; empty where nothing was to be graded. */
export function tookPart(report: Report, drawing: Drawing): string {
  if (report.scores.counts.planned + (report.advisory?.scores.counts.planned ?? 0) === 0) return "";
  return drawing.style("dim", tookParts(report).join(" · "));
}
