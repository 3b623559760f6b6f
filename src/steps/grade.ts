/**
 * The grade step: builds the judge from the inputs (endpoints, caps, records, votes) and logs the progress. A dry run
 * asks no judge.
 */
import { setTimeout } from "node:timers/promises";
import type { Grade, GradingJob } from "../domain/grade.ts";
import { hasVerdict, type Row } from "../domain/row.ts";
import { warning, type Problem } from "../domain/problem.ts";
import type { RunContext } from "../github/context.ts";
import { htmlFileOf, secretsOf, type Inputs } from "../inputs/inputs.ts";
import { endpointFor, resolveModel } from "../plan/judges.ts";
import { endpointClients, judgeFetch, type TokenSource } from "../judge/api/client.ts";
import { endDay, listedLike, modelLists, type ModelList, type ModelLists } from "../judge/api/models.ts";
import { recordFinder, recordedJudge } from "../judge/cache.ts";
import { openaiJudge } from "../judge/conversation.ts";
import { estimate } from "../judge/estimate.ts";
import { gradeJobs, plannedRequests, type GradeOptions } from "../judge/grade.ts";
import type { Judge } from "../judge/judge.ts";
import { CHARACTERS_PER_TOKEN } from "../judge/limits.ts";
import { budget, type Price } from "../judge/spend.ts";
import { votingJudge } from "../judge/votes.ts";
import type { Log } from "../log/log.ts";
import type { Plan } from "../plan/plan.ts";
import { assumeRun, unasked } from "../plan/settled.ts";
import { redactor, type Redact } from "../safety/secrets.ts";
import { shownGrades, type ShownGrade } from "../report/shown-grade.ts";
import { rowOf, suiteKey } from "../results/rows.ts";
import { scoreApart } from "../results/score.ts";
import { withoutKeyReason } from "./plan.ts";
import type { Dependencies } from "./publish.ts";
import {
  count,
  formatNumber,
  formatScore,
  formatSeconds,
  listedCode,
  outOf,
  shorten,
} from "../text/format.ts";
import { STATES, countStates, votesText, describeEstimate, errorLine } from "../text/states.ts";

/** Grades the jobs; a dry run only estimates them. */
export async function gradeAll(jobs: readonly GradingJob[], plan: Plan, options: Dependencies) {
  const { inputs, context, judge, log, cancelled } = options;
  const { timeoutMs, maxConcurrency } = inputs;
  const asking: GradeOptions = {
    timeoutMs,
    maxConcurrency,
    maxEvidence: inputs.maxEvidence * CHARACTERS_PER_TOKEN.usual,
    // What no judge may see: the workflow's token, and the keys of endpoints, also its own.
    redact: redactor([inputs.token, inputs.standard.apiKey, ...inputs.providerSecrets]),
    judge,
    cancelled,
    withoutKey: withoutKeyReason(context),
    keepShown: htmlFileOf(inputs) !== undefined,
  };
  if (inputs.dryRun) return await countOnly(jobs, plan, { ...options, asking });
  if (jobs.length > 0) log.line(announcement(jobs, inputs, context));
  const grades = await gradeJobs(jobs, {
    ...asking,
    onGrade: progressLog(jobs, { ...log, redact: redactor(secretsOf(inputs), { shapes: true }) }),
  });
  return { grades, estimated: undefined };
}

/** Every grade as skipped, and the estimate; missing runs are assumed. */
async function countOnly(
  jobs: readonly GradingJob[],
  plan: Plan,
  { inputs, price, log, asking }: Dependencies & { readonly asking: GradeOptions },
) {
  const records = recordsOf(inputs);
  const planned = [...plan.jobs, ...plan.lift].map(assumeRun);
  const estimated = await estimate(plannedRequests(planned, asking), {
    ...inputs,
    pricedAs: (model) => resolveModel(inputs, model),
    price,
    recordOf: records && recordFinder(records),
  });
  const asked = planned.filter(({ settled }) => !settled);
  const without = asked.filter(({ run }) => run?.side !== undefined).length;
  const bare = without === 0 ? "" : `, ${formatNumber(without)} of the grades without the skill`;
  const settled = planned.length - asked.length;
  const said = [
    ...(asked.length > 0 ? [`${describeEstimate(estimated)}${bare}`] : []),
    ...(settled > 0 ? [`${count(settled, "grade needs", "grades need")} no judge`] : []),
  ];
  if (said.length > 0) log.line(`A dry run: ${said.join("; ")}.`);
  return { grades: await gradeJobs(jobs.map(unasked), asking), estimated };
}

/** Where verdicts are recorded, and what else they depend on: a model of the same name elsewhere is another judge. */
function recordsOf(inputs: Inputs) {
  const { cacheDir: folder } = inputs;
  const variant = (name: string) => {
    const { baseUrl, model, azure } = endpointFor(inputs, name);
    return JSON.stringify([baseUrl, model, azure?.deployment]);
  };
  return folder === undefined ? undefined : { folder, variant };
}

/** The log's first line: the number of grades, the judges and the reported commit. */
function announcement(jobs: readonly GradingJob[], inputs: Inputs, { base, sha }: RunContext): string {
  const judged = jobs.filter(({ settled }) => !settled);
  const judges = [...Map.groupBy(judged, ({ judgeModel }) => resolveModel(inputs, judgeModel).baseUrl)].map(
    ([at, asked]) => {
      const models = asked.map(({ judgeModel }) => judgeModel);
      return `${listedCode(models, 3)} at ${at}`;
    },
  );
  const { confirmModel } = inputs;
  const second =
    confirmModel === undefined
      ? ""
      : `, failures by \`${confirmModel}\` at ${resolveModel(inputs, confirmModel).baseUrl}`;
  const most = count(inputs.maxConcurrency, "request");
  const judge = inputs.offline
    ? "recorded verdicts only"
    : judges.length === 0
      ? "no judge to ask"
      : `judge ${judges.join(", ")}${second}, at most ${most} at once`;
  const into = base === undefined ? "" : `, a change to ${base}`;
  const on = sha === undefined ? "" : `; reported on ${sha.slice(0, 7)}${into}`;
  const withRun = jobs.filter(({ run }) => run);
  const runs = new Set(withRun.map(({ run }) => run)).size;
  const missing = jobs.length - withRun.length;
  const without = missing === 0 ? "" : `, ${formatNumber(missing)} without a run`;
  const advisoryCount = jobs.filter(({ advisory }) => advisory).length;
  const apart = advisoryCount === 0 ? "" : ` (${formatNumber(advisoryCount)} advisory)`;
  return `${count(withRun.length, "grade")}${apart} of ${count(runs, "run")}${without}; ${judge}${on}`;
}

/** Milliseconds between two lines that say how far it is, and between two that take the place of one another. */
const INTERVAL_MS = 15_000;

const STATUS_MS = 100;

/**
 * Makes the listener of `gradeJobs`. Every suite is a group once its last grade is made; in between, a line every 15
 * seconds counts and tells how long it may still take, from the pace of the grades that a judge was asked for; where the
 * log has a status, each grade renews it instead. `now` is in milliseconds.
 */
export function progressLog(
  jobs: readonly GradingJob[],
  log: Pick<Log, "line" | "group" | "status"> & { readonly redact: Redact },
  now: () => number = () => performance.now(),
): (grade: Grade) => void {
  const left = Map.groupBy(jobs, ({ suite }) => suite);
  const rows = new Map<GradingJob, Row>();
  const judged = jobs.filter(({ settled }) => !settled).length;
  const started = now();
  let last = started;
  let done = 0;
  return (grade) => {
    rows.set(grade.job, rowOf(grade));
    const { suite } = grade.job;
    left.get(suite)?.pop();
    if (left.get(suite)?.length === 0) {
      const mine = jobs.flatMap((job) => (job.suite === suite ? (rows.get(job) ?? []) : []));
      const { scores, advisory, without } = scoreApart([suite], mine);
      const finishedSuites = [scores, advisory, without].flatMap((some) =>
        some ? shownGrades({ scores: some }) : [],
      );
      log.group(
        `${suiteKey(suite)}, ${count(mine.length, "grade")}: ${stateCounts(mine)}`,
        finishedSuites.map((one) => gradeLine(one, log.redact)),
      );
    }
    if (!grade.job.settled) done += 1;
    const time = now();
    const isTime = time - last >= (log.status ? STATUS_MS : INTERVAL_MS);
    if (!isTime || done === 0 || done === judged) return;
    last = time;
    const remaining = ((time - started) / done) * (judged - done);
    const tell = log.status ?? log.line;
    tell(
      `${outOf(rows.size, jobs.length, "grade")}: ${stateCounts([...rows.values()])}; about ${formatSeconds(Math.max(1_000, remaining))} left`,
    );
  };
}

/** How many grades there are of each state; advisory ones are counted apart, since they are in no score. */
function stateCounts(grades: readonly Row[]): string {
  const without = grades.filter(({ side }) => side !== undefined).length;
  const decisive = grades.filter(({ advisory, side }) => !advisory && side === undefined);
  const advisory = grades.length - decisive.length - without;
  return [
    ...countStates(decisive).map(([state, number]) => `${String(number)} ${STATES[state].word}`),
    ...(advisory > 0 ? [`${String(advisory)} advisory`] : []),
    ...(without > 0 ? [`${String(without)} without the skill`] : []),
  ].join(", ");
}

/** Characters of a reason: what is cut is without secrets before. */
const LONGEST = 200;

/** One line of a suite's group: which grade, what it is, and why where that is not well. */
function gradeLine({ grade, name, sign, state, reasonWithCheck }: ShownGrade, redact: Redact): string {
  const { advisory, error, checks, votes: counted } = grade;
  const line = `${sign} ${name}${advisory ? " · advisory" : ""}: `;
  if (state === "missing") return `${line}missing`;
  if (error) return `${line}${errorLine(error)}`;
  if (!hasVerdict(grade)) return `${line}skipped: ${reasonWithCheck}`;
  const votes = counted ? `, ${votesText(counted)}` : "";
  const score = `${formatScore(grade.score)} (${count(checks.length, "check")}${votes})`;
  const why = `${state === "doubtful" ? ", with a doubt" : ""}${reasonWithCheck === "" ? "" : `: ${shorten(redact(reasonWithCheck), LONGEST)}`}`;
  return `${line}${score}${why}`;
}

interface JudgeParts {
  readonly tokens: TokenSource;
  readonly lists: ModelLists;
  readonly price: Price;
  /** Redacts quotes in errors, and counts them. */
  readonly redact: (text: string) => string;
  /** The same for records, which are not published. */
  readonly redactRecords: (text: string) => string;
  readonly log: Pick<Log, "line" | "warn">;
}

/** Makes the judge: records are looked up for each sample, and votes are taken over all of them. */
export function makeJudge(inputs: Inputs, parts: JudgeParts): Judge {
  const { maxConcurrency, caps, offline } = inputs;
  const { redactRecords: redact, log } = parts;
  const endpointOf = (model: string) => endpointFor(inputs, model);
  const direct = openaiJudge({ ...parts, endpointOf, budget: budget(caps), maxConcurrency });
  const records = recordsOf(inputs);
  const judge = records
    ? recordedJudge(offline ? undefined : direct, { ...records, redact, warn: log.warn })
    : direct;
  return votingJudge(judge, inputs);
}

/* Judges that their endpoints shut down soon, by the endpoints' own lists of models. */

/** Makes the lists of models of a run, with connections of their own: grading never waits for them. */
export function makeLists(tokens: TokenSource): ModelLists {
  return modelLists(endpointClients(judgeFetch(1), tokens).get);
}

/**
 * A warning for each judge of these jobs that its endpoint shuts down within sixty days, with the line that mends it.
 * Endpoints without a key that they need are not asked.
 */
export async function endingJudges(
  jobs: readonly GradingJob[],
  inputs: Inputs,
  lists: ModelLists,
): Promise<Problem[]> {
  if (inputs.offline) return [];
  const judged = jobs.filter(({ settled }) => !settled);
  const byModel = [...Map.groupBy(judged, ({ judgeModel }) => judgeModel)];
  const found = await Promise.all(
    byModel.map(async ([model, [job]]): Promise<Problem[]> => {
      const endpoint = endpointFor(inputs, model);
      const list = endpoint.keyMissing ? undefined : await lists(endpoint);
      const sent = endpoint.model ?? model;
      const day = list && endDay(sent, list);
      return list && job && day !== undefined ? [endingProblem(job, { sent, day, list })] : [];
    }),
  );
  return found.flat();
}

function endingProblem(
  { judgeModel, modelBy, grader, suite }: GradingJob,
  { sent, day, list }: { readonly sent: string; readonly day: string; readonly list: ModelList },
): Problem {
  const own = modelBy === "default" ? " (this action's default)" : "";
  const message = `The judge \`${sent}\`${own} is shut down on ${day}.`;
  const [where, at] =
    sent !== judgeModel
      ? [`Set another \`model\` in the rule of \`providers\` for \`${judgeModel}\``]
      : modelBy === "grader"
        ? ["Set another `model` in the grader", grader.at]
        : modelBy === "eval"
          ? ["Set another `judge_model` in the eval, or `judgeModel` in .waza.yaml", suite.at]
          : ["Set another `judge-model`"];
  return warning("model-ends", message, { help: `${where}: ${listedLike(sent, list)}.`, at });
}

/** Milliseconds that the report waits for the endpoints' lists of models. */
const LONGEST_WAIT_MS = 2_000;

/** The problems that are there in time. */
export async function inTime(work: Promise<readonly Problem[]>): Promise<readonly Problem[]> {
  return await Promise.race([work, setTimeout(LONGEST_WAIT_MS, [], { ref: false })]);
}
