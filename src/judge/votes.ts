/** Several votes for one verdict, to make it stable: `judge-votes` and `confirm-on-fail`. */
import type { Check, Votes } from "../domain/grade.ts";
import { CapReached } from "./spend.ts";
import { scoreChecks } from "./grade-tools.ts";
import {
  type Judge,
  type JudgeAnswer,
  JudgeError,
  type JudgeRequest,
  type Meter,
  joinAnswers,
} from "./judge.ts";

interface VotePolicy {
  /** Votes for every grade, odd; 1 for a single verdict. */
  readonly votes: number;
  /** Additional votes for a failed grade, even; 0 for none. */
  readonly confirmOnFail: number;
  /** The model of the additional votes; by default the grade's own judge. */
  readonly confirmModel?: string | undefined;
}

/** The outcome of one vote. */
type Ballot = { readonly model: string } & (
  | { readonly side: "passed" | "failed"; readonly answer: JudgeAnswer }
  | { readonly side: "errored"; readonly error: JudgeError }
);

/**
 * A judge that goes by the strict majority of all votes; it stops as soon as the majority is certain. All checks of the
 * winning side are kept, and the score is taken over them. A vote that errored, or was interrupted after passes only,
 * counts for neither side; without a strict majority the grade is errored. With `confirmOnFail` only a failed verdict (or
 * one with fewer checks than the judge counted) is voted on again, and it holds unless a strict majority of all votes passes.
 */
export function votingJudge(judge: Judge, policy: VotePolicy): Judge {
  const { votes, confirmOnFail, confirmModel } = policy;
  if (votes <= 1 && confirmOnFail === 0) return judge;
  return {
    grade: async (request, meter, signal) => {
      const voting = { judge, request: { ...request, reused: votes > 1 || request.reused }, meter, signal };
      if (votes > 1) return await byMajority(voting, votes);
      const first = await judge.grade({ ...request, vote: 1 }, meter, signal);
      if (!needsConfirming(first)) return first;
      const confirming = confirmModel === undefined ? voting : withModel(confirmModel, voting);
      const ballot = ballotOf(first, request.model);
      return await confirmed(confirming, ballot, confirmOnFail + 1);
    },
  };
}

/**
 * Whether `confirm-on-fail` applies to a first verdict: a failure, fewer checks than the judge counted, or a call that
 * may be meant as a failure.
 */
export function needsConfirming({
  checks,
  short,
  lost,
}: Pick<JudgeAnswer, "checks" | "short" | "lost">): boolean {
  return !scoreChecks(checks).passed || short !== undefined || lost !== undefined;
}

interface Voting {
  readonly judge: Judge;
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

/** Votes in sequence, so that caps are reached in order. */
async function byMajority(voting: Voting, all: number): Promise<JudgeAnswer> {
  const ballots: Ballot[] = [];
  const isOpen = () => {
    const left = all - ballots.length;
    const most = Math.max(of("passed", ballots).length, of("failed", ballots).length);
    return left > 0 && most <= all / 2 && most + left > all / 2;
  };
  while (isOpen()) ballots.push(await castVote(voting, ballots));
  const [winner] = [of("passed", ballots), of("failed", ballots)].filter((side) => side.length > all / 2);
  if (!winner) throw noMajority(ballots);
  return majorityAnswer(winner, ballots);
}

/** Adds votes to a first verdict while a majority of passes is still possible. Without it, any failure decides. */
async function confirmed(voting: Voting, first: Ballot, all: number): Promise<JudgeAnswer> {
  const ballots: Ballot[] = [first];
  const passed = () => of("passed", ballots);
  const isOpen = () => {
    const left = all - ballots.length;
    return passed().length <= all / 2 && passed().length + left > all / 2;
  };
  while (isOpen()) ballots.push(await castVote(voting, ballots));
  const failed = of("failed", ballots);
  return majorityAnswer(passed().length > all / 2 || failed.length === 0 ? passed() : failed, ballots);
}

async function castVote(
  { judge, request, meter, signal }: Voting,
  before: readonly Ballot[],
): Promise<Ballot> {
  try {
    const files = request.files?.again();
    const next = { ...request, vote: before.length + 1, files };
    return ballotOf(await judge.grade(next, meter, signal), next.model);
  } catch (error) {
    // Recorded votes may be a majority without the missing ones.
    const capped = error instanceof CapReached && before.some(({ side }) => side !== "errored");
    const judgeError = capped ? error.toJudgeError() : error;
    if (!(judgeError instanceof JudgeError)) throw error;
    return { side: "errored", error: judgeError, model: request.model };
  }
}

function ballotOf(answer: JudgeAnswer, model: string): Ballot {
  return { side: scoreChecks(answer.checks).passed ? "passed" : "failed", answer, model };
}

/** The same votes by another model, with its name at its checks. */
function withModel(model: string, { judge, request, ...others }: Voting): Voting {
  if (model === request.model) return { judge, request, ...others };
  const named: Judge = {
    grade: async (...args) => {
      const answer = await judge.grade(...args);
      return { ...answer, checks: answer.checks.map((check) => ({ ...check, judge: model })) };
    },
  };
  return { ...others, judge: named, request: { ...request, model } };
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
function majorityAnswer(winner: readonly JudgeAnswer[], ballots: readonly Ballot[]): JudgeAnswer {
  const [first] = winner as readonly [JudgeAnswer];
  return {
    ...first,
    ...joinAnswers(winner),
    checks: winner.flatMap(({ checks }) => checks).sort(inOrder),
    text: winner.map(({ text }) => text).find((text) => text !== "") ?? "",
    votes: votesOf(ballots),
    short: winner.find(({ short }) => short)?.short,
    lost: winner.find(({ lost }) => lost)?.lost,
    incomplete: winner.find(({ incomplete }) => incomplete)?.incomplete,
    recorded: winner.every(({ recorded }) => recorded),
  };
}

/** Orders checks by their statements; without statements the order is unchanged. */
function inOrder({ statement: one = 0 }: Check, { statement: other = 0 }: Check): number {
  return one - other;
}

function noMajority(ballots: readonly Ballot[]): JudgeError {
  const { passed, failed, errored } = votesOf(ballots);
  const cause = ballots.find((ballot) => ballot.side === "errored")?.error;
  const counts = `${String(passed)} passed, ${String(failed)} failed, ${String(errored)} errored`;
  const why = cause ? ` The first error: ${cause.message}` : "";
  const help = cause?.help ?? "Raise `judge-votes`, or make the grader's prompt plainer.";
  return new JudgeError(
    cause?.class ?? "no-majority",
    `The judge's votes have no strict majority: ${counts}.${why}`,
    { help, keyRequired: ballots.every((ballot) => ballot.side === "errored" && ballot.error.keyRequired) },
  );
}
