/** Measures a judge on the kit: what it agrees on, how often it contradicts itself or changes its mind, and what it costs. */
import type { Grade, GradingJob, Priced } from "../domain/grade.ts";
import type { Suite } from "../domain/suite.ts";
import { estimate } from "../judge/estimate.ts";
import { gradeJobs, plannedRequests } from "../judge/grade.ts";
import type { Judge } from "../judge/judge.ts";
import type { Price } from "../judge/spend.ts";
import { type Interval, wilson } from "../results/score.ts";
import { count, errorLine, formatAbout, formatDollars, formatNumber, sumOf } from "../text/format.ts";
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

interface Measured {
  /** Runs that the judge decided as they are, of the good and of the bad ones. */
  readonly passed: MeasuredRate;
  readonly failed: MeasuredRate;
  readonly errored: number;
  /** Why the first of those without a verdict has none. */
  readonly why: string | undefined;
  readonly contradictions: number;
  readonly quotes: { readonly all: number; readonly real: number };
  /** Runs whose verdicts differ among three. */
  readonly flips: number;
  readonly runs: number;
  readonly requests: number;
  readonly tokens: number;
  /** US dollars; undefined where a price is not known. */
  readonly dollars: number | undefined;
  readonly seconds: number;
  /** What became of the effort that was asked for, where its API refused it or no reply reports reasoning. */
  readonly effort: string | undefined;
  /** Whether each verdict is right, by run and time; undefined without a verdict. */
  readonly right: readonly (boolean | undefined)[];
}

interface MeasuredRate extends Interval {
  readonly agreed: number;
  readonly of: number;
}

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
      await gradeJobs(jobsOf(runs, asked), {
        judge,
        maxConcurrency,
        timeoutMs,
        redact: (text) => text,
      }),
    );
    if (grades.flat().every((grade) => passedBy(grade) === undefined)) break;
  }
  return measuredFigures(runs, grades, (performance.now() - started) / 1_000);
}

/** What measuring a model costs, before it is asked, in a sentence. */
export async function priceOf(
  asked: AskedJudge,
  price: Price,
  pricedAs: (model: string) => Priced,
): Promise<string> {
  const requests = plannedRequests(jobsOf(kitRuns(), asked), { redact: (text) => text });
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

function jobsOf(runs: readonly KitRun[], { model, effort }: AskedJudge): GradingJob[] {
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

function measuredFigures(
  runs: readonly KitRun[],
  grades: readonly (readonly Grade[])[],
  seconds: number,
): Measured {
  const all = grades.flatMap((some) =>
    some.map((grade, at) => ({ grade, truth: runs[at]?.passes === true, verdict: passedBy(grade) })),
  );
  const judged = all.filter(({ verdict }) => verdict !== undefined);
  const rate = (truth: boolean): MeasuredRate => {
    const of = judged.filter((one) => one.truth === truth);
    const agreed = of.filter(({ verdict }) => verdict === truth).length;
    // Three verdicts on one run are no three runs: each run counts by its share of right ones.
    const byRun = [...Map.groupBy(of, ({ grade }) => grade.job.task.id).values()];
    const shares = byRun.map((own) => own.filter(({ verdict }) => verdict === truth).length / own.length);
    return { agreed, of: of.length, ...wilson({ passes: sumOf(shares), runs: byRun.length }) };
  };
  const [passed, failed] = [rate(true), rate(false)];
  const graded = all.flatMap(({ grade: { verdict } }) => (verdict.state === "graded" ? verdict : []));
  const checks = graded.flatMap((verdict) => verdict.checks);
  const quotes = checks.flatMap((check) => check.quotes ?? []);
  const quoted = sumOf(quotes.map((one) => one.all));
  const costs = all.map(({ grade }) => grade.cost);
  return {
    passed,
    failed,
    errored: all.length - judged.length,
    why: whyNoVerdict(all.map(({ grade }) => grade)),
    contradictions: checks.filter(({ contradicted }) => contradicted === true).length,
    quotes: { all: quoted, real: quoted - sumOf(quotes.map(({ missing }) => missing.length)) },
    flips: runs.filter((_, at) => new Set(grades.map((some) => some[at] && passedBy(some[at]))).size > 1)
      .length,
    runs: runs.length,
    requests: sumOf(all.map(({ grade }) => grade.requests)),
    tokens: sumOf(all.map(({ grade: { tokens } }) => tokens.input + tokens.output)),
    dollars: costs.every((one) => one !== undefined) ? sumOf(costs) : undefined,
    seconds,
    effort: unusedEffort(all.map(({ grade }) => grade)),
    right: all.map(({ truth, verdict }) => (verdict === undefined ? undefined : verdict === truth)),
  };
}

/** What is to be said of the effort that was asked for; undefined where it was sent, and reasoning is reported. */
function unusedEffort(grades: readonly Grade[]): string | undefined {
  const judged = grades.flatMap(({ job, verdict }) =>
    verdict.state === "graded" && verdict.judge ? { asked: job.judgeEffort, ...verdict.judge } : [],
  );
  const refused = judged.find(({ asked, sent }) => sent && sent.effort !== asked);
  if (refused) {
    const { effort = "none", refusal } = refused.sent ?? {};
    return `refused by its API: ${effort} was sent${refusal === undefined ? "" : ` (${refusal})`}`;
  }
  const reports = judged.flatMap(({ reportsReasoning }) => reportsReasoning ?? []);
  return reports.length > 0 && !reports.includes(true) ? "asked for; no reasoning is reported" : undefined;
}

/** Why the first grade without a verdict has none; undefined if all have one. */
function whyNoVerdict(grades: readonly Grade[]): string | undefined {
  const [why] = grades.flatMap(({ verdict }) => {
    if (verdict.state === "graded") return [];
    return verdict.state === "errored" ? errorLine(verdict.error) : verdict.reason;
  });
  return why;
}

function passedBy({ verdict }: Grade): boolean | undefined {
  return verdict.state === "graded" ? verdict.passed : undefined;
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

/** Two measurements of the same runs in a sentence: the runs that one decides right more often, and what chance would do. */
export function changesText(before: Measured, after: Measured): string {
  const rightOf = ({ right, runs }: Measured, at: number) =>
    right.filter((one, index) => index % runs === at && one === true).length;
  const changes = Array.from({ length: before.runs }, (_, at) => rightOf(after, at) - rightOf(before, at));
  const better = changes.filter((change) => change > 0).length;
  const worse = changes.filter((change) => change < 0).length;
  const chance = Math.round(100 * byChance(better, worse));
  return `${count(better, "run")} better, ${String(worse)} worse; by chance alone so uneven in ${String(chance)} %.`;
}

/** The probability that a fair coin falls so unevenly or more (the sign test, two-sided). */
function byChance(one: number, other: number): number {
  const all = one + other;
  let [ways, sum] = [1, 0];
  for (let heads = 0; heads <= Math.min(one, other); heads += 1) {
    sum += ways;
    ways = (ways * (all - heads)) / (heads + 1);
  }
  return Math.min(1, (2 * sum) / 2 ** all);
}

/** Whether there are verdicts to measure. */
export function gaveVerdicts({ errored, right }: Measured): boolean {
  return errored < right.length;
}

/** The figures as lines; without any verdict only why. */
export function measuredLines(name: string, measured: Measured): string[] {
  const { passed, failed, quotes, dollars, why } = measured;
  if (why !== undefined && !gaveVerdicts(measured)) return [name, `  ${why}`];
  const percent = (share: number) => String(Math.round(100 * share));
  const rateText = ({ agreed, of, lower, upper }: MeasuredRate) =>
    `${String(agreed)} of ${String(of)}, ${percent(of === 0 ? 0 : agreed / of)} % (95 % by run: ${percent(lower)} to ${percent(upper)})`;
  return [
    name,
    `  agrees on passed    ${rateText(passed)}`,
    `  agrees on failed    ${rateText(failed)}`,
    `  without a verdict   ${String(measured.errored)}${why === undefined ? "" : `, the first: ${why}`}`,
    `  contradictions      ${String(measured.contradictions)}`,
    `  quotes that are real ${String(quotes.real)} of ${String(quotes.all)}`,
    `  flips in three      ${String(measured.flips)} of ${String(measured.runs)} runs`,
    ...(measured.effort === undefined ? [] : [`  effort              ${measured.effort}`]),
    `  requests            ${String(measured.requests)}`,
    `  tokens              ${String(measured.tokens)}`,
    `  dollars             ${dollars === undefined ? "not known" : dollars.toFixed(4)}`,
    `  seconds             ${measured.seconds.toFixed(0)}`,
  ];
}
