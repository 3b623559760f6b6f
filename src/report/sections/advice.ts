/** The lines below a title: is it this change, and what to do now. Pure. */
import { agentChanges, blame } from "../../decide/blame.ts";
import { whatNow } from "../../decide/rules.ts";
import type { Advice } from "../../decide/what-now.ts";
import { upperFirst } from "../../text/format.ts";
import { type Section, bold, docsLink, line } from "../document/tree.ts";
import type { Report } from "../report.ts";

/** Of a page on which nothing is red, only what the agent is now and was before. */
export const blameSection: Section = (report) => {
  const answer = adviceLine("Is it this change?", blame(report), report);
  if (answer.length > 0) return answer;
  const changes = report.comparison ? agentChanges(report.comparison) : [];
  return changes.length === 0 ? [] : [line(`${upperFirst(changes.join("; "))}.`)];
};

/** In one line; errored pages have their own remedies. */
export const whatNowSection: Section = (report) => adviceLine("What now:", whatNow(report), report);

function adviceLine(title: string, advice: readonly Advice[], report: Report) {
  const parts = advice.flatMap(({ text, page, more }) => [
    " ",
    ...(page === undefined ? [text] : docsLink([text], page, report)),
    ...(more === undefined ? [] : [more]),
  ]);
  return parts.length === 0 ? [] : [line(bold(title), ...parts)];
}
