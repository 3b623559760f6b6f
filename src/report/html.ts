/**
 * The report as one HTML file that needs no network and no script: every grade with its prompt and all that the
 * judge saw. Its policy allows nothing but its own style and script, by their hashes.
 */
import { createHash } from "node:crypto";
import type { SentPart } from "../domain/grade.ts";
import { type Row, gradeKey, hasVerdict } from "../domain/row.ts";
import { html, htmlLine } from "./document/html.ts";
import { type Line, between, bold, link, note, small } from "./document/tree.ts";
import { SCRIPT, STYLE } from "./html-assets.ts";
import type { Published, Report } from "./report.ts";
import { pageText } from "./sanitize.ts";
import { aboutGrade, earlier, graderUrl, locationOf, wholeGrade } from "./sections/grade.ts";
import { failureKey } from "./sections/grades.ts";
import { footer, headline, titleOf } from "./sections/page-ends.ts";
import { type ShownGrade, allShown } from "./shown-grade.ts";
import { fileSections, wholePage } from "./summary.ts";
import { runKey } from "../results/score.ts";
import { count, formatDollars, formatScore, shorten } from "../text/format.ts";
import { SIGNS, type State, WORDS, plainState } from "../text/states.ts";
import { LONGEST_LINE_REASON, LONGEST_SLUG, MOST_OPEN } from "./limits.ts";

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

type Marked = ShownGrade & Pick<Placed, "marks">;

/** A grade with its anchors on the page. */
export interface Placed extends ShownGrade {
  readonly address: string;
  /** Anchor of the evidence; absent if no judge was asked. */
  readonly evidence?: string | undefined;
  readonly open: boolean;
  /** Newly failing, or of a task that passes only sometimes: what the filters ask for. */
  readonly marks: readonly ("new" | "flaky")[];
}

/** Grades with what the filters look for: whether they are newly failing, or by a grader that passes their task only sometimes. */
function marked(all: readonly ShownGrade[]): Marked[] {
  const sides = Map.groupBy(all, ({ grade }) => gradeKey(grade));
  return [...sides.values()].flatMap((own) => {
    const states = new Set(own.map(({ grade }) => plainState(grade)));
    const flaky: Marked["marks"] = states.has("failed") && states.has("passed") ? ["flaky"] : [];
    return own.map((one): Marked => ({ ...one, marks: one.isNew ? ["new", ...flaky] : flaky }));
  });
}

/** Anchors of grades within the page: unique, and the same in every run. */
export function addresses(grades: readonly Row[]): ReadonlyMap<Row, string> {
  const taken = new Map<string, number>();
  return new Map(
    grades.map((grade) => {
      const address = addressOf(grade);
      const times = (taken.get(address) ?? 0) + 1;
      taken.set(address, times);
      return [grade, times === 1 ? address : `${address}-${String(times)}`];
    }),
  );
}

function addressOf({ suite, task, model, grader, run }: Row): string {
  const parts = [task, grader, String(run)];
  const hash = createHash("sha256").update(JSON.stringify([suite, model, ...parts]));
  const slug = parts.join("-").toLowerCase().slice(0, LONGEST_SLUG);
  return `grade-${slug.replace(/[^a-z0-9]+/g, "-")}-${hash.digest("hex").slice(0, 6)}`;
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
    const apart = those.filter(({ grade }) => grade.advisory === true).length;
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
function* runs(all: readonly Marked[], report: Report, address: ReadonlyMap<Row, string>): Generator<string> {
  const groups = Map.groupBy(all, ({ grade }) => runKey(grade));
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
    const evidence = new Map<Row["sent"], string>();
    const seen = [...byWords.values()].map((same) => {
      evidences += 1;
      const id = `evidence-${String(evidences)}`;
      for (const one of same) evidence.set(one, id);
      return evidenceElement(same[0], id);
    });
    const grades = group.map((one) => {
      const reason = failureKey(one);
      const open = isRed(one) && !reasons.has(reason) && reasons.size < MOST_OPEN;
      if (open) reasons.add(reason);
      const { grade } = one;
      const placed = { address: address.get(grade) ?? "", evidence: evidence.get(grade.sent), open };
      return gradeElement({ ...one, ...placed }, report);
    });
    yield `<section class="run"><h3>${pageText(group[0]?.label ?? "")}</h3>${[...grades, ...seen].join("\n")}</section>\n`;
  }
}

function seenParts(sent: NonNullable<Row["sent"]>): readonly SentPart[] {
  return sent.filter(({ kind }) => kind !== "system");
}

/** The evidence sent to a judge. The system message, equal for every grade, is printed once, below. */
function evidenceElement(sent: Row["sent"] = [], id: string): string {
  const parts = seenParts(sent);
  const characters = parts.reduce((sum, { title, text }) => sum + title.length + text.length, 0);
  return `<details class="evidence"><summary>What the judge saw of this run: ${count(characters, "character")}</summary><div id="${id}" class="body">${parts.map(partElement).join("\n")}</div></details>`;
}

/** A message, a call or a section, in one element of text: a long page opens the sooner. */
function partElement({ kind, title, text }: SentPart): string {
  const words = text === "" ? "" : `\n${pageText(text)}`;
  return `<div class="part ${kind}"><b>${pageText(title)}</b>${words}</div>`;
}

/* One grade of the HTML report: a fold with all that is known of it. */

/** A grade as a <details> block. Its anchors are inside, so that a link opens it. */
export function gradeElement(one: Placed, report: Report): string {
  const { grade, state, sign, address, open, marks } = one;
  const score = hasVerdict(grade) ? formatScore(grade.score) : "";
  const about = between([[score], grade.advisory ? ["advisory"] : [], ...earlier(one)]);
  const title: Line = [`${sign} `, bold({ kind: "name", text: grade.grader }), " ", small(...about)];
  const why = one.reason === "" ? "" : htmlLine([" — ", shorten(one.reason, LONGEST_LINE_REASON)]);
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

function systemMessages(all: readonly ShownGrade[]): string {
  const texts = new Set(
    all.flatMap(({ grade: { sent = [] } }) =>
      sent.flatMap(({ kind, text }) => (kind === "system" ? text : [])),
    ),
  );
  if (texts.size === 0) return "";
  return `<details class="evidence"><summary>System message of every judge</summary><div class="body">${html([...texts].map((text) => ({ kind: "text", text })))}</div></details>`;
}
