/** The first screen of the summary: did it pass, what is the score, what did it cost, can it be trusted. */
import type { Report } from "../domain.ts";
import { count, formatScore, shorten } from "../format.ts";
import { markdownCode, markdownProse } from "./neutralise.ts";

/** Files and judges named in the head of a page. */
const NAMES = 10;

const SIGNS = { success: "✅", failure: "❌", neutral: "⚪", cancelled: "🚫" };

/** The verdict in a sentence; a judge without a verdict has a sign of its own, since it is not the agent's failure. */
export function headline({ conclusion, scores }: Report): string {
  const { counts } = scores;
  const noVerdict = counts.planned > 0 && counts.passed + counts.failed === 0;
  const judgeDown = conclusion.rule === "errored" || (noVerdict && conclusion.rule === "passed");
  return `## ${judgeDown ? "⚠️" : SIGNS[conclusion.check]} ${markdownProse(shorten(conclusion.sentence, 500))}`;
}

/** One row of figures; a report without grades has none. */
export function factsTable({ scores, policy }: Report): string {
  const { counts } = scores;
  if (counts.planned === 0) return "";
  const minimum = policy.minScore === undefined ? "" : `<br>minimum ${formatScore(policy.minScore)}`;
  const score = scores.score === undefined ? "none" : `**${formatScore(scores.score)}**`;
  const cells: [string, string][] = [
    ["Score", `${score}${minimum}`],
    [
      "Grades",
      tally([
        ["✅", counts.passed, "passed"],
        ["❌", counts.failed, "failed"],
        ["⚠️", counts.errored, "errored"],
        ["➖", counts.skipped, "skipped"],
      ]),
    ],
    [
      "Checks",
      tally([
        ["✅", counts.checksPassed, "passed"],
        ["❌", counts.checksFailed, "failed"],
      ]),
    ],
    ["Graded", `${String(counts.passed + counts.failed)} of ${String(counts.planned)}`],
    ["Judge", judgeCost(counts)],
  ];
  return [
    `| ${cells.map(([name]) => name).join(" | ")} |`,
    `|${":--|".repeat(cells.length)}`,
    `| ${cells.map(([, value]) => value).join(" | ")} |`,
  ].join("\n");
}

/** A zero is not worth a reader's eye. */
function tally(parts: readonly [string, number, string][]): string {
  const said = parts
    .filter(([, number]) => number > 0)
    .map(([sign, number, word]) => `${sign} ${String(number)} ${word}`);
  return said.length === 0 ? "none" : said.join("<br>");
}

function judgeCost(counts: Report["scores"]["counts"]): string {
  const { judgeCalls, tokens, recorded } = counts;
  const lines = [count(judgeCalls, "request")];
  if (tokens.input + tokens.output > 0)
    lines.push(`${count(tokens.input, "token")} in, ${count(tokens.output, "token")} out`);
  if (recorded > 0) lines.push(count(recorded, "verdict from the record", "verdicts from the record"));
  return lines.join("<br>");
}

/** Which agent was graded, when it ran, and by which judges. */
export function sourcesLine({ results, scores, redactions }: Report): string {
  const hidden =
    redactions === 0
      ? ""
      : `🔒 ${count(redactions, "text")} held what looks like a secret, shown as \`[redacted]\``;
  if (results.length === 0) return hidden;
  const grades = scores.suites.flatMap(({ tasks }) =>
    tasks.flatMap(({ runs }) => runs.flatMap((run) => run.grades)),
  );
  const judges = [...new Set(grades.filter(({ job }) => !job.settled).map(({ job }) => job.judgeModel))];
  const files = results.slice(0, NAMES).map(({ path, model, timestamp }) => {
    const when = timestamp === undefined ? "" : `, run on ${formatTime(timestamp)}`;
    return `${markdownCode(model)}${when} (${markdownCode(path)})`;
  });
  if (results.length > NAMES) files.push(`${String(results.length - NAMES)} more files`);
  const shown = judges.slice(0, NAMES).map(markdownCode).join(", ");
  const more = judges.length > NAMES ? ` and ${String(judges.length - NAMES)} more` : "";
  const judged = judges.length === 0 ? "" : `<br>Judge: ${shown}${more}`;
  return `Agent: ${files.join("; ")}${judged}${hidden === "" ? "" : `<br>${hidden}`}`;
}

/** A timestamp to the minute in UTC; one that is not a date is shown as it stands. */
function formatTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return markdownProse(timestamp.slice(0, 40));
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
