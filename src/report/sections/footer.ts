/** The footer of a page: commit, links, duration and cost, agents, redactions. */
import type { Report } from "../report.ts";
import { count, formatDollars, formatNumber } from "../../text/format.ts";
import { VERSION } from "../../text/version.ts";
import { between, BREAK, code, link, note, several } from "../document/tree.ts";
import type { Line } from "../document/tree.ts";
import type { Section } from "./section.ts";

/** Maximum results files and agent models to name. */
const FILES = 3;
/** Characters of an abbreviated commit SHA. */
const SHORT_SHA = 7;

/** The footer, in small print. */
export const footer: Section = (report, { published, medium }) => {
  const { origin, redactions, htmlFile } = report;
  const { commit, run } = origin ?? {};
  const check = published.checkRunUrl;
  const of: Line[] = [
    commit ? ["commit ", ...link([code(commit.sha.slice(0, SHORT_SHA))], commit.url)] : [],
    run ? link([`run #${run.number}`], run.url) : [],
    check === undefined ? [] : link(["check run"], check),
    // GitHub lists the artifacts of a run on its page.
    htmlFile === undefined || medium === "file" ? [] : link([code(htmlFile)], run && `${run.url}#artifacts`),
    ...tookParts(report).map((part) => [part]),
    [`waza-grade ${VERSION}`],
  ];
  const hidden = `🔒 ${count(redactions, "text")} held what looks like a secret, shown as \`[redacted]\``;
  const parts = [between(of), agents(report), quotes(report), redactions === 0 ? [] : [hidden]];
  return [note(...between(parts, BREAK))];
};

/** The agents of all results files, when they ran, and the files, in one line. */
function agents({ results }: Report): Line {
  if (results.length === 0) return [];
  const codes = (texts: readonly string[]) =>
    several(
      [...new Set(texts)].map((text) => [code(text)]),
      FILES,
    );
  const times = results
    .flatMap(({ timestamp }) => (timestamp === undefined ? [] : formatTime(timestamp)))
    .sort();
  const [first, last] = [times[0], times.at(-1)];
  const when = first === undefined ? "" : `, run on ${first}${first === last ? "" : ` to ${String(last)}`}`;
  const models = codes(results.map(({ model }) => model));
  return ["agent ", ...models, `${when} (`, ...codes(results.map(({ path }) => path)), ")"];
}

/** How many quotes of each judge are in the evidence. */
function quotes({ scores: { counts } }: Report): Line {
  return between(
    counts.quotes.map(({ model, all, found }) => [
      code(model),
      `: ${formatNumber(found)} of ${count(all, "quote")} in the evidence`,
    ]),
  );
}

/** Duration, requests, cost, tokens and recorded verdicts, as plain text; without what is zero. */
export function tookParts({ time, scores: { counts } }: Pick<Report, "time" | "scores">): string[] {
  const { judgeCalls, cost = 0, tokens, recorded } = counts;
  return [
    duration(time.finished - time.started),
    count(judgeCalls, "request"),
    ...(cost > 0 ? [formatDollars(cost)] : []),
    ...(tokens.input + tokens.output > 0
      ? [`${count(tokens.input, "token")} in, ${formatNumber(tokens.output)} out`]
      : []),
    ...(tokens.cached > 0
      ? [`${String(Math.round((100 * tokens.cached) / tokens.input))} % of input from the provider's cache`]
      : []),
    ...(recorded > 0 ? [count(recorded, "verdict from the record", "verdicts from the record")] : []),
  ];
}

function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${String(Math.round(seconds / 60))} min`;
}

/** A timestamp to the minute in UTC; one that is not a date is unchanged. */
function formatTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp.slice(0, 40);
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
