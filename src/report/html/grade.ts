/** One grade of the HTML report: a fold with all that is known of it. */
import type { Report } from "../report.ts";
import { count, formatDollars, formatScore, shorten } from "../../text/format.ts";
import { WORDS } from "../../text/states.ts";
import { html, htmlLine } from "../document/html.ts";
import { between, bold, link, note, small } from "../document/tree.ts";
import type { Line } from "../document/tree.ts";
import { aboutGrade, graderUrl, locationOf } from "../sections/about-grade.ts";
import { earlier, wholeGrade } from "../sections/grade.ts";
import type { ShownGrade } from "../shown-grade.ts";

/** Characters of the reason in a grade's line. */
const LINE_REASON = 200;

/** A grade with its anchors on the page. */
export interface Placed extends ShownGrade {
  readonly address: string;
  /** Anchor of the evidence; absent if no judge was asked. */
  readonly evidence?: string | undefined;
  readonly open: boolean;
  /** Newly failing, or of a task that passes only sometimes: what the filters ask for. */
  readonly marks: readonly ("new" | "flaky")[];
}

/** A grade as a <details> block. Its anchors are inside, so that a link opens it. */
export function gradeElement(one: Placed, report: Report): string {
  const { grade, state, sign, address, open, marks } = one;
  const { job, verdict } = grade;
  const score = verdict.state === "graded" ? formatScore(verdict.score) : "";
  const about = between([[score], job.advisory ? ["advisory"] : [], ...earlier(one)]);
  const title: Line = [`${sign} `, bold({ kind: "name", text: job.grader.name }), " ", small(...about)];
  const why = one.reason === "" ? "" : htmlLine([" — ", shorten(one.reason, LINE_REASON)]);
  return `<details class="${["grade", state, ...marks].join(" ")}"${open ? " open" : ""}><summary title="${WORDS[state]}">${htmlLine(title)}<span class="why">${why}</span></summary>
<div id="${address}" class="body">${html([...wholeGrade(one), note(...footerOf(one, report))])}</div></details>`;
}

function footerOf({ grade, evidence, address }: Placed, report: Report): Line {
  const { requests, tokens, cost = 0, durationMs } = grade;
  const { path, startLine } = locationOf(grade);
  return between([
    link([{ kind: "name", text: `${path}:${String(startLine)}` }], graderUrl(grade, report)),
    ...aboutGrade(grade),
    ...(requests > 0 ? [[`${count(requests, "request")} in ${(durationMs / 1_000).toFixed(1)} s`]] : []),
    ...(tokens.input > 0
      ? [[`${count(tokens.input, "token")} in, ${count(tokens.output, "token")} out`]]
      : []),
    ...(cost > 0 ? [[formatDollars(cost)]] : []),
    ...(evidence === undefined ? [] : [link(["what the judge saw"], `#${evidence}`)]),
    link(["link to this grade"], `#${address}`),
  ]);
}
