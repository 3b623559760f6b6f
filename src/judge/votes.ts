/** Several samples of one verdict, so that it holds still: `judge-votes` and `confirm-on-fail`. */
import type { Check, Votes } from "../domain/grade.ts";
import { CapReached } from "./spend/budget.ts";
import { scoreChecks } from "./grade-tools.ts";
import { JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest, Meter } from "./judge.ts";

export interface VotePolicy {
  /** Samples of every grade, odd; 1 for no vote. */
  readonly votes: number;
  /** More samples, an even number, of a grade that is red; 0 for none. */
  readonly confirmOnFail: number;
  /** The model that gives them; without it, the grade's own judge. */
  readonly confirmModel?: string | undefined;
}

/** What one sample came to. */
type Ballot = { readonly model: string } & (
  | { readonly side: "passed" | "failed"; readonly answer: JudgeAnswer }
  | { readonly side: "errored"; readonly error: JudgeError }
);

/**
 * A judge that is asked several times and goes by the strict majority of all samples; asking stops when it is certain.
 * The winning side's checks are all kept, so that the score is taken over them. A sample that errored, or broke off
 * with passes alone, counts for neither side, and without a strict majority the grade is errored. With `confirmOnFail`
 * only a red verdict (and one with fewer checks than announced) is asked again, and it stands unless a strict majority of all samples passes.
 */
export function votingJudge(judge: Judge, policy: VotePolicy): Judge {
  const { votes, confirmOnFail, confirmModel } = policy;
  if (votes <= 1 && confirmOnFail === 0) return judge;
  return {
    grade: async (request, meter, signal) => {
      const asking = { judge, request: { ...request, reused: votes > 1 || request.reused }, meter, signal };
      if (votes > 1) return await byMajority(asking, votes);
      const first = await judge.grade({ ...request, vote: 1 }, meter, signal);
      if (!needsConfirming(first)) return first;
      const confirming = confirmModel === undefined ? asking : askedOf(confirmModel, asking);
      const ballot = ballotOf(first, request.model);
      return await confirmed(confirming, ballot, confirmOnFail + 1);
    },
  };
}

/** True of a first verdict that `confirm-on-fail` asks again: a failure, or fewer checks than the judge announced. */
export function needsConfirming({ checks, short }: Pick<JudgeAnswer, "checks" | "short">): boolean {
  return !scoreChecks(checks).passed || short !== undefined;
}

interface Sampling {
  readonly judge: Judge;
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

/** Samples one after the other: the judge's files are read by one at a time, and a cap is met in order. */
async function byMajority(asking: Sampling, all: number): Promise<JudgeAnswer> {
  const ballots: Ballot[] = [];
  const isOpen = () => {
    const left = all - ballots.length;
    const most = Math.max(of("passed", ballots).length, of("failed", ballots).length);
    return left > 0 && most <= all / 2 && most + left > all / 2;
  };
  while (isOpen()) ballots.push(await sample(asking, ballots));
  const [winner] = [of("passed", ballots), of("failed", ballots)].filter((side) => side.length > all / 2);
  if (!winner) throw noMajority(ballots);
  return counted(winner, ballots);
}

/** The first verdict, and more votes while they could still make a majority of passes. Any failure outweighs less. */
async function confirmed(asking: Sampling, first: Ballot, all: number): Promise<JudgeAnswer> {
  const ballots: Ballot[] = [first];
  const passed = () => of("passed", ballots);
  const isOpen = () => {
    const left = all - ballots.length;
    return passed().length <= all / 2 && passed().length + left > all / 2;
  };
  while (isOpen()) ballots.push(await sample(asking, ballots));
  const failed = of("failed", ballots);
  return counted(passed().length > all / 2 || failed.length === 0 ? passed() : failed, ballots);
}

async function sample(
  { judge, request, meter, signal }: Sampling,
  before: readonly Ballot[],
): Promise<Ballot> {
  try {
    const files = request.files?.again();
    const asked = { ...request, vote: before.length + 1, files };
    return ballotOf(await judge.grade(asked, meter, signal), asked.model);
  } catch (error) {
    // Samples that are recorded may be a majority without those that were not asked for.
    const capped = error instanceof CapReached && before.some(({ side }) => side !== "errored");
    const told = capped ? error.toJudgeError() : error;
    if (!(told instanceof JudgeError)) throw error;
    return { side: "errored", error: told, model: request.model };
  }
}

function ballotOf(answer: JudgeAnswer, model: string): Ballot {
  return { side: scoreChecks(answer.checks).passed ? "passed" : "failed", answer, model };
}

/** The same asking of another model, with its name at the checks that it reports. */
function askedOf(model: string, { judge, request, ...asking }: Sampling): Sampling {
  if (model === request.model) return { judge, request, ...asking };
  const named: Judge = {
    grade: async (...args) => {
      const answer = await judge.grade(...args);
      return { ...answer, checks: answer.checks.map((check) => ({ ...check, judge: model })) };
    },
  };
  return { ...asking, judge: named, request: { ...request, model } };
}

function of(side: "passed" | "failed", ballots: readonly Ballot[]): JudgeAnswer[] {
  return ballots.flatMap((ballot) => ("answer" in ballot && ballot.side === side ? ballot.answer : []));
}

function votesOf(ballots: readonly Ballot[]): Votes {
  const byModel = [...Map.groupBy(ballots, ({ model }) => model)];
  const judges = byModel.map(([model, own]) => ({ model, ...sidesOf(own) }));
  return { ...sidesOf(ballots), judges: judges.length > 1 ? judges : undefined };
}

function sidesOf(ballots: readonly Ballot[]): Votes {
  const count = (side: Ballot["side"]) => ballots.filter((ballot) => ballot.side === side).length;
  return { passed: count("passed"), failed: count("failed"), errored: count("errored") };
}

/** The winning side as one answer. */
function counted(winner: readonly JudgeAnswer[], ballots: readonly Ballot[]): JudgeAnswer {
  const [first] = winner as readonly [JudgeAnswer];
  const incomplete = winner.find((answer) => answer.incomplete)?.incomplete;
  const changes = new Set(winner.flatMap((answer) => answer.changes ?? []));
  return {
    ...first,
    checks: winner.flatMap(({ checks }) => checks).sort(inOrder),
    pairs: first.pairs && winner.flatMap(({ pairs }) => pairs ?? []),
    text: winner.map(({ text }) => text).find((text) => text !== "") ?? "",
    changes: changes.size > 0 ? [...changes] : undefined,
    votes: votesOf(ballots),
    short: winner.find(({ short }) => short)?.short,
    incomplete,
    recorded: winner.every(({ recorded }) => recorded),
  };
}

/** Checks of statements in the statements' order, all others as they were reported. */
function inOrder({ statement: one = 0 }: Check, { statement: other = 0 }: Check): number {
  return one - other;
}

function noMajority(ballots: readonly Ballot[]): JudgeError {
  const { passed, failed, errored } = votesOf(ballots);
  const cause = ballots.find((ballot) => ballot.side === "errored")?.error;
  const said = `${String(passed)} passed, ${String(failed)} failed, ${String(errored)} errored`;
  const why = cause ? ` The first error: ${cause.message}` : "";
  const help = cause?.help ?? "Raise `judge-votes`, or make the grader's prompt plainer.";
  return new JudgeError(
    cause?.class ?? "no-majority",
    `The judge's votes have no strict majority: ${said}.${why}`,
    { help },
  );
}
