/** The goldens of the rubrics in use: which are asked of which judge, and what their verdicts mean for the grades. Pure. */
import type { Errored, Graded, GradingJob, Verdict } from "../domain/grade.ts";
import type { Problem } from "../domain/place.ts";
import type { Rubric, RubricCase } from "../domain/suite.ts";
import { count, listed, shorten } from "../text/format.ts";
import { notice } from "../text/problem.ts";
import { caseRun } from "./case-run.ts";

/** A golden as a job of one judge, with the verdicts that it got so far. */
export interface AskedCase {
  readonly rubricCase: RubricCase;
  readonly job: WithRubric;
  readonly verdicts: readonly Verdict[];
}

/** Characters of a golden's or rubric's name, and of what the judge said of one. */
const NAME = 100;
const REASON = 400;
/** Missed goldens of a rubric that are named. */
const NAMED = 3;
/** Times that a golden is asked at most: once, and twice more where the first verdict is wrong. */
export const CASE_TIMES = 3;

/** A job for each golden of each rubric that a judge is to be asked with, once for each of its judges. */
export function caseJobs(jobs: readonly GradingJob[]): AskedCase[] {
  const inUse = Map.groupBy(jobs.filter(isAskedWithRubric), applierOf);
  const firsts = [...inUse.values()].flatMap((its) => its.slice(0, 1));
  return firsts.flatMap((first) =>
    first.grader.rubric.goldens.map((rubricCase) => ({
      rubricCase,
      job: jobOf(rubricCase, first),
      verdicts: [],
    })),
  );
}

/** True where it has to be asked, or asked again: a wrong first verdict is outvoted only by two others. */
export function isOpen({ rubricCase, verdicts }: AskedCase): boolean {
  const [first] = verdicts;
  if (!first) return true;
  const { right, wrong } = votesOf(rubricCase, verdicts);
  return isWrong(rubricCase, first) && Math.max(right, wrong) < 2 && verdicts.length < CASE_TIMES;
}

/** The jobs, those errored (or skipped, because of a cap) whose judge missed a golden of their rubric or gave no verdict on it. */
export function settleByCases(
  jobs: readonly GradingJob[],
  asked: readonly AskedCase[],
): readonly GradingJob[] {
  const byApplier = Map.groupBy(asked, ({ job }) => applierOf(job));
  const verdicts = new Map([...byApplier].map(([applier, its]) => [applier, verdictBy(its)]));
  return jobs.map((job) => {
    const settled = isAskedWithRubric(job) ? verdicts.get(applierOf(job)) : undefined;
    return settled ? { ...job, settled } : job;
  });
}

/** How many goldens were asked, and how that went, as a line of the log. */
export function describeCases(asked: readonly AskedCase[]): string {
  const rubrics = new Set(asked.map(({ job }) => applierOf(job))).size;
  const missed = asked.filter(isMissed).length;
  const without = asked.filter((one) => ungraded(one) !== undefined).length;
  const wrong = [
    ...(missed > 0 ? [`${String(missed)} missed`] : []),
    ...(without > 0 ? [`${String(without)} without a verdict`] : []),
  ];
  const how = wrong.length === 0 ? "all with the right verdict" : wrong.join(", ");
  return `Before any grade, ${count(asked.length, "golden")} of ${count(rubrics, "rubric")}: ${how}`;
}

/** Says where nothing tells whether the judge is right: nobody is asked, rubrics in use without goldens, or no rubric at all. */
export function withoutCases(jobs: readonly GradingJob[], offline: boolean): Problem[] {
  if (offline)
    return [
      notice(
        "`offline` is set: the goldens of rubrics were not asked, since records say nothing of today's judge.",
      ),
    ];
  const rubrics = jobs.filter(isAskedWithRubric).map(({ grader }) => grader.rubric);
  if (jobs.some(({ settled }) => !settled) && rubrics.length === 0)
    return [notice("`rubric-goldens` is set, and no grader that is asked for has a `rubric`.")];
  const bare = new Set(rubrics.filter(({ goldens }) => goldens.length === 0).map(nameOf));
  if (bare.size === 0) return [];
  const message = `\`rubric-goldens\` is set, and there are no goldens of ${bare.size === 1 ? "the rubric" : "the rubrics"} ${listed([...bare])}.`;
  return [notice(message, { help: "Add `goldens` to the front matter, passes and fails." })];
}

type WithRubric = GradingJob & { readonly grader: { readonly rubric: Rubric } };

function isAskedWithRubric(job: GradingJob): job is WithRubric {
  return job.settled === undefined && job.grader.rubric !== undefined;
}

/** What tells apart who applies which rubric: the judge, how much it reasons, the rubric's file and text. */
function applierOf({ judgeModel, grader, suite }: WithRubric): string {
  const { source, instructions } = grader.rubric;
  return JSON.stringify([judgeModel, grader.effort ?? suite.judgeEffort ?? "", source, instructions]);
}

function jobOf(rubricCase: RubricCase, { suite, judgeModel, grader }: WithRubric): WithRubric {
  const { rubric, effort, at } = grader;
  return {
    suite,
    judgeModel,
    task: { id: rubricCase.name, name: rubricCase.name },
    grader: { name: rubric.name, weight: 1, prompt: "", rubric, effort, at },
    run: caseRun(rubricCase),
    unrecorded: true,
  };
}

function isWrong({ expected }: RubricCase, verdict: Verdict): boolean {
  return verdict.state === "graded" && verdict.passed !== (expected === "pass");
}

function votesOf(rubricCase: RubricCase, verdicts: readonly Verdict[]) {
  const graded = verdicts.filter(({ state }) => state === "graded");
  const wrong = graded.filter((verdict) => isWrong(rubricCase, verdict)).length;
  return { wrong, right: graded.length - wrong };
}

function isMissed({ rubricCase, verdicts }: AskedCase): boolean {
  return votesOf(rubricCase, verdicts).wrong >= 2;
}

/** What kept the judge from a verdict; undefined where there is one, by a majority where the first was wrong. */
function ungraded(asked: AskedCase): Exclude<Verdict, Graded> | undefined {
  const { rubricCase, verdicts } = asked;
  const [first] = verdicts;
  const settled = isMissed(asked) || votesOf(rubricCase, verdicts).right >= 2;
  if (settled || (first?.state === "graded" && !isWrong(rubricCase, first))) return undefined;
  return verdicts.find((verdict) => verdict.state !== "graded");
}

/** What the grades by one rubric and judge come to before they are asked for; undefined when the judge may be asked. */
function verdictBy(asked: readonly AskedCase[]): Verdict | undefined {
  const missed = asked.filter(isMissed);
  if (missed.length > 0) return missedVerdict(missed, asked.length);
  const [without] = asked.flatMap((one) => ungraded(one) ?? []);
  return without?.state === "errored" ? { state: "errored", error: without.error } : without;
}

function missedVerdict(missed: readonly AskedCase[], all: number): Errored {
  const [first] = missed as readonly [AskedCase];
  const { job, rubricCase, verdicts } = first;
  const said = verdicts.find((verdict) => isWrong(rubricCase, verdict)) as Graded;
  const others = missed.slice(1).map((one) => `\`${shorten(one.rubricCase.name, NAME)}\``);
  const also = others.length === 0 ? "" : ` Missed too: ${listed(others, NAMED - 1)}.`;
  const which = `${String(missed.length)} of ${count(all, "golden")} of the rubric ${nameOf(job.grader.rubric)}`;
  const done = rubricCase.expected === "pass" ? "has to pass, and it failed" : "has to fail, and it passed";
  return {
    state: "errored",
    error: {
      class: "judge-missed-golden",
      message: `The judge \`${job.judgeModel}\` missed ${which}: \`${shorten(rubricCase.name, NAME)}\` ${done}${reasonOf(said)}.${also}`,
      help: remedyFor(job.grader.rubric),
    },
  };
}

/** What is built in is not the user's to change. */
function remedyFor({ source }: Rubric): string {
  const another = "Ask another judge: set another model for graders with this rubric";
  return source === "built-in"
    ? `${another}.`
    : `${another}; or, if the judge is right, correct the golden or the rubric's instructions.`;
}

function reasonOf({ checks, note }: Graded): string {
  const check = checks.find(({ outcome }) => outcome === "fail") ?? checks[0];
  const reason = check?.reason ?? check?.description ?? note;
  return reason === undefined ? "" : ` (the judge: "${shorten(reason.replace(/\s+/g, " ").trim(), REASON)}")`;
}

function nameOf({ name, version }: Rubric): string {
  return `\`${shorten(name, NAME)} ${shorten(version, NAME)}\``;
}
