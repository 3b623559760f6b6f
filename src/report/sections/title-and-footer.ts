/** The beginning and end of a page: title, verdict, whom to blame and what to do, problems, footer. Pure. */
import { liftTitle } from "../../decide/lift.ts";
import { ruleOf, whatNow } from "../../decide/rules.ts";
import { runProblems } from "../../decide/run-problems.ts";
import { type Advice, agentChanges } from "../../decide/what-now.ts";
import { agentUse } from "../../results/score.ts";
import type { Problem } from "../../domain/problem.ts";
import {
  BREAK,
  type Block,
  type Line,
  type Page,
  type Section,
  between,
  bold,
  code,
  codes,
  docsLink,
  fold,
  heading,
  line,
  link,
  list,
  moreOf,
  name,
  note,
  several,
} from "../document/tree.ts";
import type { Report } from "../report.ts";
import { lineUrl } from "./grades.ts";
import {
  VERSION,
  asSentence,
  count,
  formatDollars,
  formatNumber,
  formatSeconds,
  formatShort,
  listed,
  pagesOf,
  shorten,
  upperFirst,
  sumOf,
} from "../../text/format.ts";
import { STATES, countStates, plainState, describeEstimate } from "../../text/states.ts";

/** Maximum characters of a title; what is longer stands whole below it. */
const LONGEST_TITLE = 140;
/** Suites that are named. */
const MOST_SUITES = 2;
/** Characters of a suite's name beside others. */
const LONGEST_SUITE_NAME = 30;
/** Maximum squares in a bar: one line on a phone. */
const MOST_SQUARES = 16;
/** Grades that a bar shows; of more a square is too many of them to say anything. */
const MOST_IN_BAR = 99;
/** Characters of an abbreviated commit SHA. */
const SHORT_SHA = 7;
/** Characters of a message, a path, and of all that the verdict says. */
const LONGEST_MESSAGE = 2_000;

/** The title with its sign. */
export function headline(report: Report): Line {
  return [`${signOf(report)} ${titleOf(report)}`];
}

const SIGNS = { success: "✅", failure: "❌", neutral: "⚪", cancelled: "🚫", pending: "⏳" };

/** The sign of the conclusion; errored judges have their own, since the agent did not fail. */
function signOf({ conclusion, scores: { counts } }: Report): string {
  const noVerdict = counts.planned > 0 && counts.passed + counts.failed === 0;
  const judgeDown = conclusion.rule === "errored" || (noVerdict && conclusion.rule === "passed");
  return judgeDown ? "⚠️" : SIGNS[conclusion.check];
}

/** `pr-describer: 2 of 9 tasks fail: score 0.78, needs 0.80`, as plain text; what is too long ends before a name. */
export function titleOf(report: Report): string {
  const title = shorten(wholeTitle(report), LONGEST_TITLE);
  const isInName = title.split("`").length % 2 === 0;
  return isInName ? `${title.slice(0, title.lastIndexOf("`"))}…` : title;
}

function wholeTitle(report: Report): string {
  const graded = report.scores.suites.filter(({ tasks }) => tasks.length > 0);
  const { sentences, rule } = report.conclusion;
  const red = graded.filter(({ grades }) => grades.some((grade) => plainState(grade) !== "passed"));
  // The sentence counts the tasks of all suites: where some are fine, a name would claim theirs. A mistake in a file, or
  // evals that are gone, are no fault of the suites that were graded.
  const isOfAll = red.length === graded.length || (red.length === 0 && rule !== "regression");
  const named = rule === "configuration" || !isOfAll ? [] : graded;
  const titles = new Set(named.map(({ suite }) => shorten(suite.title, LONGEST_SUITE_NAME)));
  const names = listed([...titles], MOST_SUITES);
  const worth = report.lift ? ` · ${liftTitle(report.lift)}` : "";
  return `${names === "" ? upperFirst(sentences[0]) : `${names}: ${sentences[0]}`}${worth}`;
}

/**
 * What the verdict says beside its title, after a bar of squares; empty without more to say. Configuration problems have
 * their list below.
 */
export const verdictSection: Section = (report) => {
  const { sentences, rule } = report.conclusion;
  const isCut = wholeTitle(report).length > LONGEST_TITLE;
  const more = rule === "configuration" ? [] : sentences.slice(isCut ? 0 : 1).map(upperFirst);
  const squares = report.estimate || report.conclusion.isOfTriggers ? "" : bar(report);
  const text = shorten(more.map(asSentence).join(" "), LONGEST_MESSAGE);
  return text === "" ? [] : [line(`${squares}${text}`)];
};

/** Of a page on which nothing is red, only what the agent is now and was before. */
export const blameSection: Section = (report) => {
  const blame = ruleOf(report.conclusion.rule).blame?.(report) ?? [];
  const answer = adviceLine("Is it this change?", blame, report);
  if (answer.length > 0) return answer;
  const changes = report.comparison ? agentChanges(report.comparison) : [];
  return changes.length === 0 ? [] : [line(`${upperFirst(changes.join("; "))}.`)];
};

/** What the log says, and what its figures assume; nothing for a run that was no dry one. */
export const estimateSection: Section = ({ estimate }) =>
  estimate
    ? [
        line(
          `${describeEstimate(estimate)}. The first figure assumes one short reply per grade; a judge that reads files needs a few times as much. The maximum assumes that it reads much, needs reminders, and answers at length.`,
        ),
      ]
    : [];

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

/** One square per grade and a space; if they do not fit, squares in proportion, at least one per state. */
function bar({ scores }: Report): string {
  if (scores.grades.length === 0 || scores.grades.length > MOST_IN_BAR) return "";
  const states = countStates(scores.grades);
  const all = scores.grades.length;
  const scale = Math.min(1, MOST_SQUARES / all);
  const sizes = states.map(([state, number]) => ({ state, size: Math.max(1, Math.round(number * scale)) }));
  const excess = sumOf(sizes.map(({ size }) => size)) - Math.min(all, MOST_SQUARES);
  const largest = sizes.reduce((a, b) => (b.size > a.size ? b : a));
  const squares = sizes.map((one) =>
    STATES[one.state].square.repeat(one === largest ? Math.max(1, one.size - excess) : one.size),
  );
  return `${squares.join("")} `;
}

/** The judge models. */
function judges({ scores }: Report): Line {
  const judged = scores.grades.filter(({ settled }) => !settled);
  const names = codes(judged.map(({ judgeModel }) => judgeModel));
  return names.length === 0 ? [] : ["judge ", ...several(names)];
}

/** True if the comparison decided or could not, or nothing was graded, so that the conclusion has its sentences. */
export function isByComparison({ comparison, policy, conclusion: { rule } }: Report): boolean {
  // Beside missing runs a score says little.
  const isDecided = [
    "missing",
    "second-look",
    "regression",
    "accepted",
    "not-compared",
    "passed",
    "nothing-to-do",
    "nothing-graded",
  ].includes(rule);
  return comparison !== undefined && policy.failOn === "regression" && isDecided;
}

/** The footer, in small print. */
export const footer: Section = (report, { published, medium }) => {
  const { origin, redactions, htmlFile } = report;
  const { commit, run } = origin ?? {};
  const check = published.checkRunUrl;
  const about: Line[] = [
    commit ? ["commit ", ...link([code(commit.sha.slice(0, SHORT_SHA))], commit.url)] : [],
    run ? link([`run #${run.number}`], run.url) : [],
    check === undefined ? [] : link(["check run"], check),
    // GitHub lists the artifacts of a run on its page; a path of the runner's leads nowhere there.
    htmlFile === undefined || medium === "file"
      ? []
      : run
        ? link(["report"], `${run.url}#artifacts`)
        : [code(htmlFile)],
    between([judges(report), ...tookParts(report).map((part) => [part])], ", "),
    [`waza-grade ${VERSION}`],
  ];
  const hidden = `🔒 ${count(redactions, "text")} held what looks like a secret, shown as \`[redacted]\``;
  return [note(...between([between(about), agents(report), redactions === 0 ? [] : [hidden]], BREAK))];
};

/** Duration, requests, recorded verdicts, cost and tokens, as plain text; without what is zero. */
export function tookParts({ time, scores: { counts } }: Pick<Report, "time" | "scores">): string[] {
  const { judgeCalls, recorded, cost = 0, tokens } = counts;
  return [
    formatSeconds(time.finished - time.started),
    count(judgeCalls, "request"),
    ...(recorded > 0 ? [`${count(recorded, "verdict")} from the record`] : []),
    ...(cost > 0 ? [formatDollars(cost)] : []),
    ...(tokens.input + tokens.output > 0
      ? [`${count(tokens.input, "token")} in, ${formatNumber(tokens.output)} out`]
      : []),
    ...(tokens.cached > 0
      ? [`${String(Math.round((100 * tokens.cached) / tokens.input))} % of input from the provider's cache`]
      : []),
  ];
}

/** What the agent took, as plain text: cost, tokens, time for a run; without what no log says. */
export function agentParts({ scores, advisory, without }: Report): string[] {
  const all = [scores, advisory?.scores, without].flatMap((some) => some?.grades ?? []);
  const { runs, tokens, costUsd, durationMs, isAtLeast } = agentUse(all);
  const least = isAtLeast ? "at least " : "";
  return [
    ...(costUsd > 0 ? [`${least}${formatDollars(costUsd)}`] : []),
    ...(tokens > 0 ? [`${least}${formatShort(tokens)} tokens`] : []),
    ...(durationMs > 0 ? [`${formatSeconds(durationMs / runs)} a run`] : []),
  ];
}

/** The agents of all results files, what they took, and when they ran, in one line. */
function agents(report: Report): Line {
  const { results } = report;
  if (results.length === 0) return [];
  const times = results
    .flatMap(({ timestamp }) => (timestamp === undefined ? [] : formatTime(timestamp)))
    .sort();
  const [first, last] = [times[0], times.at(-1)];
  const when = first === undefined ? "" : `, run on ${first}${first === last ? "" : ` to ${String(last)}`}`;
  const models = several(codes(results.map(({ model }) => model)));
  const took = agentParts(report).map((part, index) => `${index === 0 ? ": " : " · "}${part}`);
  return ["agent ", ...models, ...took, when];
}

/** A timestamp to the minute in UTC; one that is not a date is unchanged. */
function formatTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp.slice(0, 40);
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const PROBLEMS_SIGNS = { error: STATES.failed.sign, warning: STATES.doubtful.sign, notice: "ℹ️" };

/** Problems of the runs, with a heading. */
export const runProblemsSection: Section = (report, page) =>
  [...Map.groupBy(runProblems(report), ({ title }) => title)].flatMap(([title, problems]) => [
    heading(title),
    ...items(problems, report, page),
  ]);

function items(problems: readonly Problem[], report: Report, page: Page): Block[] {
  const items = problems.slice(0, page.most).map((problem) => problemLines(problem, report));
  return [...list(items), ...moreOf(problems.length - items.length, "problem", page)];
}

function problemLines(problem: Problem, report: Report): Line {
  const help = problem.help === undefined ? [] : [shorten(problem.help, LONGEST_MESSAGE)];
  const pages = pagesOf(problem, report.docs).map(({ name, url }) => link([name], url));
  const below = between([help, ...pages], " ");
  const where = place(problem, report);
  const message = shorten(problem.message, LONGEST_MESSAGE);
  return [
    `${PROBLEMS_SIGNS[problem.level]} `,
    ...(where.length === 0 ? [upperFirst(message)] : [...where, ": ", message]),
    ...(below.length === 0 ? [] : [BREAK, ...below]),
  ];
}

function place({ at }: Problem, report: Report): Line {
  if (!at || at.path === "") return [];
  const column = at.startColumn === undefined ? "" : `:${String(at.startColumn)}`;
  return link([name(at.path, LONGEST_MESSAGE), `:${String(at.startLine)}${column}`], lineUrl(at, report));
}

/** Notices, folded: worth knowing, nothing to do. */
export const noticesSection: Section = (report, page) => {
  const notices = report.problems.filter(({ level }) => level === "notice");
  return page.passed ? fold([count(notices.length, "notice")], items(notices, report, page)) : [];
};

/** Errors, each with its place and its remedy: they decide, so they come before any grade. */
export const problemsSection = section("Problems to solve first", "error");
/** Warnings, in the same way. */
export const warningsSection = section("Warnings", "warning");

function section(title: string, level: Problem["level"]): Section {
  return (report, page) => {
    const problems = report.problems.filter((problem) => problem.level === level);
    return problems.length === 0 ? [] : [heading(title), ...items(problems, report, page)];
  };
}
