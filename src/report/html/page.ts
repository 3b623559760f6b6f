/**
 * The report as one HTML file that needs no network and no script: every grade with what was asked and all that the
 * judge saw. Its policy allows nothing but its own style and script, by their hashes.
 */
import { createHash } from "node:crypto";
import type { Comparison } from "../../compare/compare.ts";
import { comparisonSentence } from "../../compare/comparison-sentence.ts";
import type { Grade, Report, ShownMessage } from "../../domain.ts";
import { count, formatScore, problemLine } from "../../format.ts";
import { runProblems } from "../../gate/run-problems.ts";
import { once } from "../../once.ts";
import { SIGNS, stateOf, WORDS } from "../../states.ts";
import type { State } from "../../states.ts";
import { VERSION } from "../../version.ts";
import { pageText } from "../neutralise.ts";
import type { Published } from "../sink.ts";
import { arrowOf } from "../summary/comparison.ts";
import { tookParts } from "../summary/foot.ts";
import { bar, signOf } from "../summary/head.ts";
import { shownGrades } from "../summary/names.ts";
import type { Shown } from "../summary/names.ts";
import { titleOf } from "../title.ts";
import { agreementElement } from "./agreement.ts";
import { addresses, block, element, link, prose } from "./elements.ts";
import { gradeElement } from "./grade.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import { suiteTables } from "./tables.ts";

/** Failed grades that are open to begin with. */
const OPEN = 20;

/** The file in pieces. */
export function* renderHtml(report: Report, published: Published): Generator<string> {
  const advisory = report.advisory ? shownGrades({ ...report, scores: report.advisory.scores }) : [];
  const all = [...shownGrades(report), ...advisory];
  const address = addresses(all.map(({ grade }) => grade));
  yield `${headOf(report)}<body><header>${introduction(report, published)}${filters(all)}</header><main>`;
  yield problems(report);
  yield suiteTables(report, address);
  yield agreementElement(report);
  yield* runs(all, report, address);
  yield systemMessages(all);
  yield `</main><footer>${footOf(report, published)}</footer><script>${SCRIPT}</script></body></html>\n`;
}

function headOf(report: Report): string {
  const sources = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${sources.join("; ")}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${pageText(titleOf(report).replaceAll("`", ""))}</title><style>${STYLE}</style></head>`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function introduction(report: Report, published: Published): string {
  const { comparison } = report;
  return [
    `<h1>${signOf(report)} ${prose(titleOf(report))}</h1>`,
    report.scores.counts.planned === 0 ? "" : `<p class="bar">${bar(report)}</p>`,
    comparison ? element("p", comparisonText(comparison)) : "",
    `<p class="meta">${originParts(report, published).join(" · ")}</p>`,
  ].join("\n");
}

function comparisonText(comparison: Comparison): string {
  return `${arrowOf(comparison)}${comparisonSentence(comparison)}`;
}

function originParts({ origin }: Report, { checkRunUrl }: Published): string[] {
  return [
    ...(origin?.commit ? [`commit ${link(origin.commit.sha.slice(0, 7), origin.commit.url)}`] : []),
    ...(origin?.run ? [link(`run #${origin.run.number}`, origin.run.url)] : []),
    ...(checkRunUrl === undefined ? [] : [link("check run", checkRunUrl)]),
  ];
}

/** A box for each state, advisory grades counted apart, which the style alone obeys, and the search, which the script shows. */
function filters(all: readonly Shown[]): string {
  const states = Object.keys(SIGNS) as State[];
  const boxes = states.flatMap((state) => {
    const those = all.filter(({ grade }) => stateOf(grade) === state);
    if (those.length === 0) return [];
    const apart = those.filter(({ grade }) => grade.job.advisory === true).length;
    const number = those.length - apart;
    const also = apart === 0 ? "" : ` + ${String(apart)} advisory`;
    return [
      `<label><input type="checkbox" id="show-${state}" checked> ${SIGNS[state]} ${String(number)} ${WORDS[state]}${also}</label>`,
    ];
  });
  if (boxes.length === 0) return "";
  return `<div class="filters" role="group" aria-label="Filters">${boxes.join("\n")}
<input type="search" id="search" placeholder="Search ( / )" aria-label="Search grades and evidence" hidden>
<output id="found"></output><small id="keys" hidden><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>Enter</kbd> opens · <kbd>/</kbd> searches · <kbd>Esc</kbd> clears</small></div>`;
}

function problems(report: Report): string {
  const items = [...runProblems(report), ...report.problems].map((problem) => {
    const sign =
      problem.level === "error" ? SIGNS.failed : problem.level === "warning" ? SIGNS.doubtful : "ℹ️";
    return `<li>${sign} ${prose(problemLine(problem))}</li>`;
  });
  return items.length === 0 ? "" : `<h2>Problems</h2><ul class="checks">${items.join("\n")}</ul>`;
}

/** Grades by run, those of a run with failures first; below them, once, what their judges saw of it. */
function* runs(
  all: readonly Shown[],
  report: Report,
  address: ReadonlyMap<Grade, string>,
): Generator<string> {
  const groups = [...Map.groupBy(all, ({ grade }) => grade.job.run ?? grade.job.missing).values()];
  const isRed = ({ grade }: Shown) => stateOf(grade) === "failed";
  const inOrder = [
    ...groups.filter((group) => group.some(isRed)),
    ...groups.filter((group) => !group.some(isRed)),
  ];
  let evidences = 0;
  let open = 0;
  for (const group of inOrder) {
    // By what it says: advisory graders and other judges may have been shown the same.
    const ids = new Map<string, string>();
    const evidence = new Map<Grade["shown"], string>();
    const seen: string[] = [];
    for (const { grade } of group) {
      if (!grade.shown || evidence.has(grade.shown)) continue;
      const id = once(ids, JSON.stringify(seenMessages(grade.shown)), () => {
        evidences += 1;
        seen.push(evidenceElement(grade.shown, `evidence-${String(evidences)}`));
        return `evidence-${String(evidences)}`;
      });
      evidence.set(grade.shown, id);
    }
    const grades = group.map((one) => {
      if (isRed(one)) open += 1;
      return gradeElement(
        {
          ...one,
          address: address.get(one.grade) ?? "",
          evidence: evidence.get(one.grade.shown),
          open: isRed(one) && open <= OPEN,
        },
        report,
      );
    });
    yield `<section class="run"><h2>${pageText(group[0]?.label ?? "")}</h2>${[...grades, ...seen].join("\n")}</section>\n`;
  }
}

/** The messages before the grader's instructions but the first, which is the same for every grade and told once. */
function evidenceElement(shown: Grade["shown"] = [], id: string): string {
  const messages = seenMessages(shown);
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  const several = messages.length > 1;
  const parts = messages.map(({ role, content }) => `${several ? element("h4", role) : ""}${block(content)}`);
  return `<details class="evidence"><summary>What the judge saw of this run: ${count(characters, "character")}</summary><div id="${id}" class="body">${parts.join("\n")}</div></details>`;
}

function seenMessages(shown: NonNullable<Grade["shown"]>): readonly ShownMessage[] {
  return shown.filter(({ role }) => role !== "system");
}

function systemMessages(all: readonly Shown[]): string {
  const texts = new Set(
    all.flatMap(({ grade: { shown = [] } }) =>
      shown.flatMap(({ role, content }) => (role === "system" ? content : [])),
    ),
  );
  if (texts.size === 0) return "";
  return `<details class="evidence"><summary>What every judge is told first</summary><div class="body">${[...texts].map(block).join("\n")}</div></details>`;
}

function footOf(report: Report, published: Published): string {
  const { results, redactions, scores } = report;
  const took = [...tookParts(report), `waza-grade ${VERSION}`].map(pageText);
  const score = scores.score === undefined ? [] : [`score ${formatScore(scores.score, 4)}`];
  const agents = results.map(
    ({ path, model, timestamp }) =>
      `agent ${model}${timestamp === undefined ? "" : `, run on ${timestamp}`} (${path})`,
  );
  const hidden = `${count(redactions, "text")} held what looks like a secret, shown as [redacted]`;
  const lines = [...agents, ...(redactions === 0 ? [] : [hidden])].map(pageText);
  return [[...originParts(report, published), ...score, ...took].join(" · "), ...lines]
    .map((line) => `<p class="meta">${line}</p>`)
    .join("\n");
}
