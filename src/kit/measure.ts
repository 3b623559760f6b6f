/** Measures a judge on the kit: what it agrees on, how often it contradicts itself or changes its mind, and what it costs. */
import type { Grade, GradingJob, Priced } from "../domain/grade.ts";
import type { Suite } from "../domain/suite.ts";
import { estimate } from "../judge/estimate.ts";
import { gradeJobs, plannedRequests } from "../judge/grade.ts";
import type { Judge } from "../judge/judge.ts";
import type { Price } from "../judge/spend.ts";
import { judgeProblems } from "../decide/judge-problems.ts";
import { type Row, hasVerdict } from "../domain/row.ts";
import { rowOf } from "../results/rows.ts";
import { scoreGrades, wilson } from "../results/score.ts";
import { formatAbout, formatDollars, formatNumber, shorten, sumOf } from "../text/format.ts";
import { errorLine } from "../text/states.ts";
import { type KitRun, kitRuns } from "./runs.ts";

const AT = { path: "src/kit/runs.ts", startLine: 1, endLine: 1, inRepository: true };
const SUITE: Suite = {
  title: "kit",
  name: "kit",
  at: AT,
  graders: [],
  otherGraders: [],
  tasks: [],
  broken: false,
};
/** How often each run is graded: a verdict that differs among them has flipped. */
const TIMES = 3;
/** Characters of evidence: one kind of run is longer, so that the judge has to look in the files. */
const MOST_EVIDENCE = 20_000;
/** Characters of a reason. */
const LONGEST_REASON = 160;
/** Of the normal distribution: 95 % of it, two-sided, and 80 %. */
const [Z_95, Z_80] = [1.96, 0.84];

type Measured = ReturnType<typeof measuredFigures>;

/** The judge's model, and the effort it is asked for. */
interface AskedJudge {
  readonly model: string;
  readonly effort?: string | undefined;
}

interface How extends AskedJudge {
  readonly judge: Judge;
  readonly maxConcurrency: number;
  readonly timeoutMs: number;
}

/** Grades the kit three times; only once if that gives no verdict at all. */
export async function measureJudge({ judge, maxConcurrency, timeoutMs, ...asked }: How): Promise<Measured> {
  const runs = kitRuns();
  const started = performance.now();
  const grades: Grade[][] = [];
  for (let time = 0; time < TIMES; time += 1) {
    grades.push(
      await gradeJobs(jobsOfKit(runs, asked), {
        judge,
        maxConcurrency,
        timeoutMs,
        maxEvidence: MOST_EVIDENCE,
        redact: (text) => text,
      }),
    );
    if (grades.flat().every(({ verdict }) => verdict.state !== "graded")) break;
  }
  return measuredFigures(runs, grades, (performance.now() - started) / 1_000);
}

/** What measuring a model costs, before it is asked, in a sentence. */
export async function priceOf(
  asked: AskedJudge,
  price: Price,
  pricedAs: (model: string) => Priced,
): Promise<string> {
  const requests = plannedRequests(jobsOfKit(kitRuns(), asked), {
    maxEvidence: MOST_EVIDENCE,
    redact: (text) => text,
  });
  const once = await estimate(requests, {
    votes: 1,
    confirmOnFail: 0,
    pricedAs,
    price,
    caps: {},
    offline: false,
  });
  const all = ([low, high]: readonly [number, number]) => [low * TIMES, high * TIMES] as const;
  const dollars = once.cost ? formatAbout(all(once.cost), formatDollars) : "an unknown price";
  return `It would take ${formatAbout(all(once.requests), formatNumber)} requests, ${formatAbout(all(once.tokens), formatNumber)} tokens, ${dollars}.`;
}

function jobsOfKit(runs: readonly KitRun[], { model, effort }: AskedJudge): GradingJob[] {
  return runs.map(({ id, grader, run, prompt }) => {
    const isList = typeof grader !== "string";
    const statements = isList ? grader.map((text) => ({ text, at: AT })) : undefined;
    const text = isList ? grader.map((one, at) => `${String(at + 1)}. ${one}`).join("\n") : grader;
    return {
      suite: SUITE,
      task: { id, name: id, prompt },
      grader: { name: "kit", weight: 1, prompt: text, statements, at: AT },
      judgeModel: model,
      judgeEffort: effort,
      run,
    };
  });
}

function measuredFigures(runs: readonly KitRun[], grades: readonly (readonly Grade[])[], seconds: number) {
  const rows = grades.map((some) => some.map((grade) => rowOf(grade)));
  const all = rows.flatMap((some) =>
    some.map((row, at): MeasuredRow => ({
      row,
      kind: runs[at]?.kind ?? "",
      truth: runs[at]?.passes === true,
      verdict: passedBy(row),
    })),
  );
  const judged = all.filter(({ verdict }) => verdict !== undefined);
  const { counts } = scoreGrades([SUITE], rows.flat());
  const checks = judged.flatMap(({ row }) => row.checks);
  const quotes = checks.flatMap((check) => check.quotes ?? []);
  const quoted = sumOf(quotes.map((one) => one.all));
  const first = rows.flat().find((row) => !hasVerdict(row));
  // Runs that the judge decided as they are, of the good or of the bad ones.
  const rate = (truth: boolean) => {
    const labelled = judged.filter((one) => one.truth === truth);
    const isRight = ({ verdict }: (typeof labelled)[number]) => verdict === truth;
    // What a judge is blind to it misses in every run of the kind: each kind counts once, by its share of right verdicts.
    const byKind = [...Map.groupBy(labelled, ({ kind }) => kind).values()];
    const right = sumOf(byKind.map((own) => own.filter(isRight).length / own.length));
    const interval = wilson({ passes: right, runs: byKind.length });
    const share = byKind.length === 0 ? 0 : right / byKind.length;
    return { agreed: labelled.filter(isRight).length, of: labelled.length, share, ...interval };
  };
  const [passed, failed] = [rate(true), rate(false)];
  return {
    passed,
    failed,
    errored: all.length - judged.length,
    // Why the first of those without a verdict has none.
    why: first?.error ? errorLine(first.error) : first?.reason,
    contradictions: checks.filter(({ contradicted }) => contradicted === true).length,
    quotes: { all: quoted, real: quoted - sumOf(quotes.map(({ missing }) => missing.length)) },
    // Runs of which the three verdicts differ.
    flips: runs.filter((_, at) => new Set(rows.map((some) => some[at]?.state)).size > 1).length,
    // Of each run whether most of its verdicts are right.
    right: runs.map(
      ({ passes }, at) =>
        rows.filter((some) => some[at] && passedBy(some[at]) === passes).length > rows.length / 2,
    ),
    requests: counts.judgeCalls,
    tokens: counts.tokens.input + counts.tokens.output,
    dollars: counts.cost,
    seconds,
    problems: judgeProblems(rows.flat()).map(({ message }) => message),
    asked: all.length,
    missed: missedOf(judged),
  };
}

interface MeasuredRow {
  readonly row: Row;
  readonly kind: string;
  readonly truth: boolean;
  readonly verdict: boolean | undefined;
}

/** The wrong verdicts by kind of run, with the runs without the kind, `settings.yaml, bad`, and the first one's reason. */
function missedOf(judged: readonly MeasuredRow[]) {
  return [...Map.groupBy(judged, ({ kind }) => kind)].flatMap(([kind, rows]) => {
    const wrong = rows.filter(({ truth, verdict }) => verdict !== truth).map(({ row }) => row);
    const names = wrong.map(({ task }) => task.slice(kind.length + 2));
    const [reason] = wrong.flatMap((row) => row.reason ?? []);
    const text = reason && shorten(reason.replace(/\s+/g, " "), LONGEST_REASON);
    const missed = { kind, wrong: wrong.length, of: rows.length, runs: [...new Set(names)], reason: text };
    return wrong.length === 0 ? [] : missed;
  });
}

function passedBy(row: Row): boolean | undefined {
  return hasVerdict(row) ? row.state === "passed" : undefined;
}

/** The same judge with another system message. */
export function withMessage(judge: Judge, message: string): Judge {
  return {
    grade: (request, meter, signal) => {
      const [first, ...rest] = request.messages;
      const messages = first ? [{ ...first, content: message }, ...rest] : rest;
      return judge.grade({ ...request, messages }, meter, signal);
    },
  };
}

/** What two measurements of the same runs say of the difference, and what it would take to be sure of it. */
export function changesText(before: Measured, after: Measured): string {
  const kinds = String(new Set(kitRuns().map(({ kind }) => kind)).size);
  const sentences = (["passed", "failed"] as const).map((side) => {
    const [first, second] = [before[side].share, after[side].share];
    const shares = `Agrees on ${side}: ${percent(first)} %, then ${percent(second)} %`;
    return first === second
      ? `${shares}.`
      : `${shares}; to tell these apart takes about ${kindsFor(first, second)} kinds of runs, and the kit has ${kinds}.`;
  });
  const alone = (one: Measured, other: Measured) =>
    String(one.right.filter((isRight, at) => isRight && !other.right[at]).length);
  return `${sentences.join(" ")} Run by run: ${alone(before, after)} right before alone, ${alone(after, before)} after alone.`;
}

/** Kinds of runs with which two rates differ at 5 %, with a power of 80 %. */
function kindsFor(before: number, after: number): string {
  const mean = (before + after) / 2;
  const spread =
    Z_95 * Math.sqrt(2 * mean * (1 - mean)) + Z_80 * Math.sqrt(before * (1 - before) + after * (1 - after));
  return formatNumber(Math.ceil((spread / (before - after)) ** 2));
}

function percent(share: number): string {
  return String(Math.round(100 * share));
}

/** Whether there are verdicts to measure. */
export function gaveVerdicts({ errored, asked }: Measured): boolean {
  return errored < asked;
}

/** The figures as lines; without any verdict only why. */
export function measuredLines(name: string, measured: Measured): string[] {
  const { passed, failed, quotes, dollars, why } = measured;
  if (why !== undefined && !gaveVerdicts(measured)) return [name, `  ${why}`];
  const rateText = ({ agreed, of, lower, upper }: Measured["passed"]) =>
    `${String(agreed)} of ${String(of)}, ${percent(of === 0 ? 0 : agreed / of)} % (95 % by kind: ${percent(lower)} to ${percent(upper)})`;
  return [
    name,
    `  agrees on passed    ${rateText(passed)}`,
    `  agrees on failed    ${rateText(failed)}`,
    ...measured.missed.map(
      ({ kind, wrong, of, runs, reason }) =>
        `    missed: ${kind}: ${String(wrong)} of ${String(of)} (${runs.join("; ")})${reason === undefined ? "" : `: ${reason}`}`,
    ),
    `  without a verdict   ${String(measured.errored)}${why === undefined ? "" : `, the first: ${why}`}`,
    `  contradictions      ${String(measured.contradictions)}`,
    `  quotes that are real ${String(quotes.real)} of ${String(quotes.all)}`,
    `  flips in three      ${String(measured.flips)} of ${String(measured.right.length)} runs`,
    `  requests            ${String(measured.requests)}`,
    `  tokens              ${String(measured.tokens)}`,
    `  dollars             ${dollars === undefined ? "not known" : dollars.toFixed(4)}`,
    `  seconds             ${measured.seconds.toFixed(0)}`,
    ...measured.problems.map((one) => `  ${one}`),
  ];
}
