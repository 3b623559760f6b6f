/** What became worse and better than the baseline: a line for the first screen, and a section. Pure. */
import type { Comparison } from "../../compare/compare.ts";
import { comparisonSentence } from "../../compare/comparison-sentence.ts";
import type { Pair, Place, Side } from "../../compare/pairs.ts";
import type { Report } from "../../domain.ts";
import { count, shorten } from "../../format.ts";
import { htmlText, markdownProse, markdownText } from "../neutralise.ts";
import { details } from "./section.ts";
import type { Page } from "./section.ts";

/** Characters of a name, of a reason, and of an answer. */
const NAME = 300;
const REASON = 600;
const BRIEF_REASON = 140;
const ANSWER = 400;
/** Lines of a list. */
const LINES = 50;
const BRIEF_LINES = 5;

/** One line: how far the pass rate moved, and what that means; empty where nothing was to be compared. */
export function comparisonLine({ comparison }: Pick<Report, "comparison">): string {
  return comparison ? `${arrowOf(comparison)}${markdownProse(comparisonSentence(comparison))}` : "";
}

/** `▼ `; empty where nothing moved. */
export function arrowOf({ verdict, drop }: Comparison): string {
  if (verdict === "none" || drop === 0) return "";
  return drop > 0 ? "▼ " : "▲ ";
}

/**
 * What is newly failing, newly passing, still failing, not comparable, new and removed; where there is less room, a line
 * for each newly failing grader instead of both sides, and none for what did not change.
 */
export function comparisonSection(
  { comparison }: Pick<Report, "comparison">,
  { each }: Pick<Page, "each">,
): string {
  if (!comparison?.hasBaseline) return "";
  const brief = !each;
  const { newlyFailing, newlyPassing, stillFailing, notComparable, added, removed } = told(comparison);
  const most = brief ? BRIEF_LINES : LINES;
  // Where there is little room, why it fails is told once, above.
  const changed = (pair: Pair) => `${label(pair)} · ${nOfK(pair)}${brief ? "" : whyNow(pair)}`;
  const parts = [
    brief
      ? list(
          "Newly failing",
          newlyFailing.map((pair) => `❌ ${changed(pair)}`),
          most,
        )
      : blocks(newlyFailing),
    list(
      "Newly passing",
      newlyPassing.map((pair) => `✅ ${changed(pair)}`),
      most,
    ),
    ...(brief
      ? []
      : [
          fold("still failing", stillFailing.map(changed)),
          fold(
            "not comparable",
            notComparable.map((one) => `${label(one)} · ${markdownProse(one.reason)}`),
          ),
          fold("new", added.map(label)),
          fold("removed", removed.map(label)),
        ]),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : ["### Against the baseline", ...parts].join("\n\n");
}

/** The lists of a comparison; a model is named where there are several. */
function told(comparison: Comparison): Comparison {
  const { pairs, newlyFailing, newlyPassing, stillFailing, notComparable, added, removed } = comparison;
  const all = [...pairs, ...notComparable, ...added, ...removed];
  if (new Set(all.map(({ model }) => model)).size > 1) return comparison;
  const unnamed = <T extends Place>(places: readonly T[]) => places.map((place) => ({ ...place, model: "" }));
  return {
    ...comparison,
    newlyFailing: unnamed(newlyFailing),
    newlyPassing: unnamed(newlyPassing),
    stillFailing: unnamed(stillFailing),
    notComparable: unnamed(notComparable),
    added: unnamed(added),
    removed: unnamed(removed),
  };
}

/** Each newly failing grader with both sides; the first is open. */
function blocks(pairs: readonly Pair[]): string {
  if (pairs.length === 0) return "";
  const shown = pairs.slice(0, LINES).map((pair, index) => block(pair, index === 0));
  const more =
    pairs.length > LINES ? [`… and ${count(pairs.length - LINES, "more newly failing grader")}`] : [];
  return ["**Newly failing**", ...shown, ...more].join("\n\n");
}

function block(pair: Pair, open: boolean): string {
  const title = `❌ <b>${htmlText(shorten(pair.grader, NAME))}</b> · ${htmlText(shorten(placeName(pair), NAME))} · ${nOfK(pair)}`;
  const row = (name: string, cell: (side: Side) => string) =>
    `| ${name} | ${cell(pair.baseline) || "–"} | ${cell(pair.current) || "–"} |`;
  const table = [
    "| What | in the baseline | now |",
    "|:--|:--|:--|",
    row("passed", ({ passes, runs }) => `${String(passes)} of ${String(runs)}`),
    row("the judge", ({ shown }) => verdictText(shown.passed, shown.reason)),
    row("the answer", ({ shown }) => linesText(shorten(shown.answer ?? "", ANSWER))),
  ];
  return details(title, table.join("\n"), open);
}

/** A text of lines in a table. */
function linesText(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map(markdownProse).join("<br>");
}

function verdictText(passed: boolean, reason = ""): string {
  return `${passed ? "✅" : "❌"} ${linesText(shorten(reason, REASON))}`.trim();
}

/** Bold title, then lines; more than `most` are counted. */
function list(title: string, lines: readonly string[], most: number): string {
  return lines.length === 0 ? "" : `**${title}**\n\n${bullets(lines, most)}`;
}

function fold(what: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const summary = `${count(lines.length, "grader")} ${what}`;
  return details(summary, bullets(lines, LINES));
}

function bullets(lines: readonly string[], most: number): string {
  const more = lines.length > most ? [`… and ${String(lines.length - most)} more`] : [];
  return [...lines.slice(0, most), ...more].map((line) => `- ${line}`).join("\n");
}

function label(place: Place): string {
  return `**${markdownText(shorten(place.grader, NAME))}** · ${markdownText(shorten(placeName(place), NAME))}`;
}

function placeName({ task, model, golden }: Place): string {
  return [task, model, golden ? "golden" : ""].filter((part) => part !== "").join(" · ");
}

/** `3 of 3 → 1 of 3`. */
function nOfK({ baseline, current }: Pair): string {
  const side = ({ passes, runs }: Side) => `${String(passes)} of ${String(runs)}`;
  const less = current.passes > 0 && current.passes * baseline.runs < baseline.passes * current.runs;
  return `${side(baseline)} → ${side(current)} passed${less ? " (passes less often)" : ""}`;
}

function whyNow({ current: { shown } }: Pair): string {
  return shown.reason === undefined ? "" : ` — ${markdownProse(shorten(shown.reason, BRIEF_REASON))}`;
}
