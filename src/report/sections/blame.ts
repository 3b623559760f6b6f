/** Is it this change? One line below the title, from what is recorded of main and of now. Pure. */
import { agentChanges, asksForBlame, blameOf } from "../../decide/blame.ts";
import { inBaseline } from "../../decide/pairs.ts";
import { upperFirst } from "../../text/format.ts";
import { type Line, type Section, bold, docsLink, line } from "../document/tree.ts";
import type { Report } from "../report.ts";

/** Of a page on which nothing is red, only what the agent is now and was before. */
export const blameSection: Section = (report) => {
  const answer = answerOf(report);
  if (answer.length > 0) return [line(bold("Is it this change?"), " ", ...answer)];
  const changes = report.comparison ? agentChanges(report.comparison) : [];
  return changes.length === 0 ? [] : [line(`${upperFirst(changes.join("; "))}.`)];
};

function answerOf(report: Report): Line {
  const { comparison, conclusion, scores, origin } = report;
  if (!asksForBlame(conclusion.rule) || scores.counts.failed === 0) return [];
  // What a push brings is on its branch already.
  if (origin?.branch !== undefined || comparison?.source.isOwn === true) return [];
  if (comparison === undefined) {
    if (origin?.run === undefined) return [];
    const how = docsLink(["With a `baseline`"], "baseline.md", report);
    return ["Not known: nothing is compared. ", ...how, " this page says how main did."];
  }
  const { absent } = comparison.source;
  if (absent === "not-found")
    return [
      "Not known: the default branch has no results yet. ",
      ...docsLink(["A push to it that is graded leaves some"], "baseline.md", report),
      ".",
    ];
  if (absent === "nothing-passes") return [`Nothing passes ${inBaseline(comparison.source)} either.`];
  const text = blameOf(comparison);
  return text === undefined ? [] : [text];
}
