/**
 * The report as one HTML file that needs no network and no script: every grade with its prompt and all that the
 * judge saw. Its policy allows nothing but its own style and script, by their hashes.
 */
import { createHash } from "node:crypto";
import { gradeName } from "../../records/make-record.ts";
import { gradeKey } from "../../records/grade-key.ts";
import type { Report } from "../report.ts";
import type { Grade, SentPart } from "../../domain/grade.ts";
import { count } from "../../text/format.ts";
import { plainState, SIGNS, WORDS } from "../../text/states.ts";
import type { State } from "../../text/states.ts";
import { html, htmlLine } from "../document/html.ts";
import { pageText } from "../sanitize.ts";
import { failureKey } from "../sections/failures.ts";
import { footer } from "../sections/footer.ts";
import { headline } from "../sections/header.ts";
import { allShown } from "../shown-grade.ts";
import type { ShownGrade } from "../shown-grade.ts";
import type { Published } from "../publisher.ts";
import { fileSections, wholePage } from "../summary.ts";
import { titleOf } from "../title.ts";
import { addresses } from "./addresses.ts";
import { gradeElement } from "./grade.ts";
import type { Placed } from "./grade.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/** Maximum failed grades expanded at first; of those with the same reason only the first. */
const OPEN = 20;

type Marked = ShownGrade & Pick<Placed, "marks">;

/** The file in pieces. */
export function* renderHtml(report: Report, published: Published): Generator<string> {
  const all = marked(allShown(report));
  const address = addresses(all.map(({ grade }) => grade));
  const page = wholePage(published, (grade) => address.get(grade) ?? "");
  const { head, sections } = fileSections(report, page);
  yield `${headOf(report)}<body><header><h1>${htmlLine(headline(report))}</h1>${html(head)}</header><main>`;
  yield html(sections);
  yield filters(all);
  yield* runs(all, report, address);
  yield systemMessages(all);
  yield `</main><footer>${html(footer(report, page))}</footer><script>${SCRIPT}</script></body></html>\n`;
}

/** Grades with what the filters look for: whether they are newly failing, or by a grader that passes their task only sometimes. */
function marked(all: readonly ShownGrade[]): Marked[] {
  const sides = Map.groupBy(all, ({ grade }) => gradeKey(gradeName(grade.job)));
  return [...sides.values()].flatMap((own) => {
    const states = new Set(own.map(({ grade }) => plainState(grade)));
    const flaky: Marked["marks"] = states.has("failed") && states.has("passed") ? ["flaky"] : [];
    return own.map((one): Marked => ({ ...one, marks: one.isNew ? ["new", ...flaky] : flaky }));
  });
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

/** A box for each state, advisory grades counted apart, which the style alone obeys, and the search, which the script shows. */
function filters(all: readonly Marked[]): string {
  const states = Object.keys(SIGNS) as State[];
  const boxes = states.flatMap((state) => {
    const those = all.filter((one) => one.state === state);
    if (those.length === 0) return [];
    const apart = those.filter(({ grade }) => grade.job.advisory === true).length;
    const number = those.length - apart;
    const also = apart === 0 ? "" : ` + ${String(apart)} advisory`;
    return [
      `<label><input type="checkbox" id="show-${state}" checked> ${SIGNS[state]} ${String(number)} ${WORDS[state]}${also}</label>`,
    ];
  });
  if (boxes.length === 0) return "";
  const only = Object.entries({ new: "newly failing", flaky: "flaky" }).flatMap(([mark, words]) => {
    const number = all.filter(({ marks }) => marks.some((one) => one === mark)).length;
    return number === 0
      ? []
      : [
          `<label><input type="checkbox" id="only-${mark}"> only ${words} (${count(number, "grade")})</label>`,
        ];
  });
  return `<h2 id="grades">Every grade</h2><div class="filters" role="group" aria-label="Filters">${[...boxes, ...only].join("\n")}
<input type="search" id="search" placeholder="Search ( / )" aria-label="Search grades and evidence" hidden>
<output id="found"></output><small id="keys" hidden><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>Enter</kbd> opens · <kbd>/</kbd> searches · <kbd>Esc</kbd> clears</small></div>`;
}

/** Grades by run, what failed first; below them, once, what their judges saw of it. */
function* runs(
  all: readonly Marked[],
  report: Report,
  address: ReadonlyMap<Grade, string>,
): Generator<string> {
  const groups = Map.groupBy(all, ({ grade }) => grade.job.run ?? grade.job.missing);
  const isRed = ({ state }: ShownGrade) => state === "failed";
  const redFirst = <T>(some: Iterable<T>, red: (one: T) => boolean) =>
    [...some].sort((a, b) => Number(red(b)) - Number(red(a)));
  const inOrder = redFirst(groups.values(), (group) => group.some(isRed)).map((group) =>
    redFirst(group, isRed),
  );
  let evidences = 0;
  const reasons = new Set<string>();
  for (const group of inOrder) {
    // Grouped by content: advisory graders and other judges may have had the same.
    const sent = new Set(group.flatMap(({ grade }) => (grade.sent ? [grade.sent] : [])));
    const byWords = Map.groupBy(sent, (one) => JSON.stringify(seenParts(one)));
    const evidence = new Map<Grade["sent"], string>();
    const seen = [...byWords.values()].map((same) => {
      evidences += 1;
      const id = `evidence-${String(evidences)}`;
      for (const one of same) evidence.set(one, id);
      return evidenceElement(same[0], id);
    });
    const grades = group.map((one) => {
      const reason = failureKey(one);
      const open = isRed(one) && !reasons.has(reason) && reasons.size < OPEN;
      if (open) reasons.add(reason);
      const { grade } = one;
      const placed = { address: address.get(grade) ?? "", evidence: evidence.get(grade.sent), open };
      return gradeElement({ ...one, ...placed }, report);
    });
    yield `<section class="run"><h3>${pageText(group[0]?.label ?? "")}</h3>${[...grades, ...seen].join("\n")}</section>\n`;
  }
}

/** The evidence sent to a judge. The system message, equal for every grade, is printed once, below. */
function evidenceElement(sent: Grade["sent"] = [], id: string): string {
  const parts = seenParts(sent);
  const characters = parts.reduce((sum, { title, text }) => sum + title.length + text.length, 0);
  return `<details class="evidence"><summary>What the judge saw of this run: ${count(characters, "character")}</summary><div id="${id}" class="body">${parts.map(partElement).join("\n")}</div></details>`;
}

/** A message, a call or a section, in one element of text: a long page opens the sooner. */
function partElement({ kind, title, text }: SentPart): string {
  const words = text === "" ? "" : `\n${pageText(text)}`;
  return `<div class="part ${kind}"><b>${pageText(title)}</b>${words}</div>`;
}

function seenParts(sent: NonNullable<Grade["sent"]>): readonly SentPart[] {
  return sent.filter(({ kind }) => kind !== "system");
}

function systemMessages(all: readonly ShownGrade[]): string {
  const texts = new Set(
    all.flatMap(({ grade: { sent = [] } }) =>
      sent.flatMap(({ kind, text }) => (kind === "system" ? text : [])),
    ),
  );
  if (texts.size === 0) return "";
  return `<details class="evidence"><summary>System message of every judge</summary><div class="body">${html([...texts].map((text) => ({ kind: "text", text })))}</div></details>`;
}
