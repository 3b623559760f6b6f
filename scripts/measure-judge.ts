/** Measures a judge on the kit: what it agrees on, how often it contradicts itself or changes its mind, and what it costs. */
import type { Grade, GradingJob } from "../src/domain/grade.ts";
import type { Suite } from "../src/domain/suite.ts";
import { estimate } from "../src/judge/estimate.ts";
import { gradeJobs, plannedRequests } from "../src/judge/grade.ts";
import type { Judge } from "../src/judge/judge.ts";
import type { Price } from "../src/judge/spend.ts";
import { kappa, wilson } from "../src/results/score.ts";
import type { Interval } from "../src/results/score.ts";
import { kitRuns } from "./judge-kit.ts";
import type { KitRun } from "./judge-kit.ts";

const AT = { path: "scripts/judge-kit.ts", startLine: 1, endLine: 1, inRepository: true };
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
const TIMEOUT_MS = 180_000;

export interface Measured {
  /** Runs that the judge decided as they are, of the good and of the bad ones. */
  readonly passed: Rate;
  readonly failed: Rate;
  readonly kappa: number | undefined;
  readonly errored: number;
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
  /** Whether each verdict is right, by run and time; undefined without a verdict. */
  readonly right: readonly (boolean | undefined)[];
}

interface Rate extends Interval {
  readonly agreed: number;
  readonly of: number;
}

interface How {
  readonly judge: Judge;
  readonly model: string;
  readonly maxConcurrency: number;
}

/** Grades the kit three times. */
export async function measureJudge({ judge, model, maxConcurrency }: How): Promise<Measured> {
  const runs = kitRuns();
  const started = performance.now();
  const grades: Grade[][] = [];
  for (let time = 0; time < TIMES; time += 1)
    grades.push(
      await gradeJobs(jobsOf(runs, model), {
        judge,
        maxConcurrency,
        timeoutMs: TIMEOUT_MS,
        redact: (text) => text,
      }),
    );
  return figuresOf(runs, grades, (performance.now() - started) / 1_000);
}

/** What measuring a model costs, before it is asked; dollars are undefined without a price. */
export async function priceOf(model: string, price: Price, baseUrl: string) {
  const requests = plannedRequests(jobsOf(kitRuns(), model), {
    redact: (text) => text,
    timeoutMs: TIMEOUT_MS,
  });
  const once = await estimate(requests, {
    votes: 1,
    confirmOnFail: 0,
    pricedAs: (name) => ({ model: name, baseUrl }),
    price,
    caps: {},
    offline: false,
  });
  return {
    requests: once.requests[0] * TIMES,
    tokens: once.tokens[0] * TIMES,
    dollars: once.cost && once.cost[0] * TIMES,
  };
}

function jobsOf(runs: readonly KitRun[], model: string): GradingJob[] {
  return runs.map(({ id, grader, run, prompt }) => {
    const isList = typeof grader !== "string";
    const statements = isList ? grader.map((text) => ({ text, at: AT })) : undefined;
    const text = isList ? grader.map((one, at) => `${String(at + 1)}. ${one}`).join("\n") : grader;
    return {
      suite: SUITE,
      task: { id, name: id, prompt },
      grader: { name: "kit", weight: 1, prompt: text, statements, at: AT },
      judgeModel: model,
      run,
    };
  });
}

function figuresOf(
  runs: readonly KitRun[],
  grades: readonly (readonly Grade[])[],
  seconds: number,
): Measured {
  const all = grades.flatMap((some) =>
    some.map((grade, at) => ({ grade, truth: runs[at]?.passes === true, verdict: verdictOf(grade) })),
  );
  const judged = all.filter(({ verdict }) => verdict !== undefined);
  const rate = (truth: boolean): Rate => {
    const of = judged.filter((one) => one.truth === truth);
    const agreed = of.filter(({ verdict }) => verdict === truth).length;
    return { agreed, of: of.length, ...wilson({ passes: agreed, runs: of.length }) };
  };
  const [passed, failed] = [rate(true), rate(false)];
  const checks = all.flatMap(({ grade: { verdict } }) => (verdict.state === "graded" ? verdict.checks : []));
  const quotes = checks.flatMap((check) => check.quotes ?? []);
  const quoted = quotes.reduce((sum, one) => sum + one.all, 0);
  const costs = all.map(({ grade }) => grade.cost);
  const add = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);
  return {
    passed,
    failed,
    kappa: kappa({
      truePass: passed.agreed,
      falseFail: passed.of - passed.agreed,
      trueFail: failed.agreed,
      falsePass: failed.of - failed.agreed,
    }),
    errored: all.length - judged.length,
    contradictions: checks.filter(({ contradicted }) => contradicted === true).length,
    quotes: { all: quoted, real: quoted - add(quotes.map(({ missing }) => missing.length)) },
    flips: runs.filter((_, at) => new Set(grades.map((some) => some[at] && verdictOf(some[at]))).size > 1)
      .length,
    runs: runs.length,
    requests: add(all.map(({ grade }) => grade.requests)),
    tokens: add(all.map(({ grade: { tokens } }) => tokens.input + tokens.output)),
    dollars: costs.every((one) => one !== undefined) ? add(costs) : undefined,
    seconds,
    right: all.map(({ truth, verdict }) => (verdict === undefined ? undefined : verdict === truth)),
  };
}

function verdictOf({ verdict }: Grade): boolean | undefined {
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

/** Verdicts that two measurements decide differently: of the same runs, in the same order. */
export function changesOf(
  before: Measured,
  after: Measured,
): { readonly better: number; readonly worse: number } {
  const pairs = before.right.map((one, at) => [one, after.right[at]] as const);
  return {
    better: pairs.filter(([one, other]) => one === false && other === true).length,
    worse: pairs.filter(([one, other]) => one === true && other === false).length,
  };
}

/** The figures as lines. */
export function linesOf(name: string, measured: Measured): string[] {
  const { passed, failed, quotes, dollars } = measured;
  const percent = (share: number) => String(Math.round(100 * share));
  const rateText = ({ agreed, of, lower, upper }: Rate) =>
    `${String(agreed)} of ${String(of)}, ${percent(of === 0 ? 0 : agreed / of)} % (${percent(lower)} to ${percent(upper)})`;
  return [
    name,
    `  agrees on passed    ${rateText(passed)}`,
    `  agrees on failed    ${rateText(failed)}`,
    `  κ                   ${measured.kappa === undefined ? "none" : measured.kappa.toFixed(2)}`,
    `  without a verdict   ${String(measured.errored)}`,
    `  contradictions      ${String(measured.contradictions)}`,
    `  quotes that are real ${String(quotes.real)} of ${String(quotes.all)}`,
    `  flips in three      ${String(measured.flips)} of ${String(measured.runs)} runs`,
    `  requests            ${String(measured.requests)}`,
    `  tokens              ${String(measured.tokens)}`,
    `  dollars             ${dollars === undefined ? "not known" : dollars.toFixed(4)}`,
    `  seconds             ${measured.seconds.toFixed(0)}`,
  ];
}
