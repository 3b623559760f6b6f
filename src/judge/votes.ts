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
import { listed } from "../text/format.ts";

interface VotePolicy {
  /** Votes for every grade, odd; 1 for a single verdict. */
  readonly votes: number;
  /** Additional votes for a failed grade, even; 0 for none. */
  readonly confirmOnFail: number;
  /** The model of the additional votes; by default the grade's own judge. */
  readonly confirmModel?: string | undefined;
}

/** One vote: an answer, or why there is none. */
interface Ballot {
  readonly model: string;
  readonly answer?: JudgeAnswer | undefined;
  readonly error?: JudgeError | undefined;
}

/** What is voted on: a statement by its number, or the whole verdict. */
type Unit = number | "whole";
type VoteSide = "passed" | "failed";

/**
 * A judge that goes by strict majorities: of a list of statements each by its own, else of whole verdicts; it stops as
 * soon as all are certain. A vote that errored, or was interrupted after passes only, counts for neither side; without a
 * strict majority the grade is errored. With `confirmOnFail` only a failed verdict (or one in doubt) is voted on again, of
 * a list the failed statements alone, and it holds unless a strict majority of all votes passes.
 */
export function votingJudge(judge: Judge, policy: VotePolicy): Judge {
  const { votes, confirmOnFail, confirmModel } = policy;
  if (votes <= 1 && confirmOnFail === 0) return judge;
  return {
    grade: async (request, meter, signal) => {
      const voting = { judge, request: { ...request, reused: votes > 1 || request.reused }, meter, signal };
      if (votes > 1) return await byMajority(voting, votes);
      const first = await judge.grade({ ...request, vote: 1 }, meter, signal);
      if (!needsConfirming(first, request)) return first;
      const { model } = request;
      const asked = { ...confirmationOf(voting.request, first), model: confirmModel ?? model };
      return await byMajority({ ...voting, request: asked }, confirmOnFail + 1, { answer: first, model });
    },
  };
}

/**
 * Whether `confirm-on-fail` applies to a first verdict: a failure, a doubt of the judge's own, or a run that it saw
 * shortened.
 */
export function needsConfirming(
  { checks, doubt }: Pick<JudgeAnswer, "checks" | "doubt">,
  { isShortened = false }: Pick<JudgeRequest, "isShortened">,
): boolean {
  return !scoreChecks(checks).passed || doubt !== undefined || isShortened;
}

/** The request that confirms a first verdict: of a list it asks for the statements that did not pass without a mark. */
export function confirmationOf(request: JudgeRequest, first: Pick<JudgeAnswer, "checks">): JudgeRequest {
  const isClear = (unit: Unit) =>
    first.checks.some((check) => check.statement === unit && check.outcome === "pass" && !check.contradicted);
  const doubtful = unitsOf(request).flatMap((unit) => (unit === "whole" || isClear(unit) ? [] : unit));
  const { messages, statements = [] } = request;
  const last = messages.at(-1);
  if (!last || doubtful.length === 0 || doubtful.length === statements.length) return request;
  const numbers = listed(doubtful.map(String), Infinity);
  const content = `${last.content}\n\nJudge only statement ${numbers}.`;
  return { ...request, messages: [...messages.slice(0, -1), { ...last, content }], only: doubtful };
}

interface Voting {
  readonly judge: Judge;
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

function unitsOf({ statements }: JudgeRequest): readonly Unit[] {
  return statements && statements.length > 0 ? statements.map((_, index) => index + 1) : ["whole"];
}

/** The side of a vote on a unit; undefined if it says nothing of it. A vote without any check failed all. */
function sideOfVote(
  { answer }: { readonly answer?: Pick<JudgeAnswer, "checks"> | undefined },
  unit: Unit,
): VoteSide | undefined {
  if (!answer) return undefined;
  const { checks } = answer;
  if (unit === "whole" || checks.length === 0) return scoreChecks(checks).passed ? "passed" : "failed";
  const check = checks.find(({ statement }) => statement === unit);
  return check && (check.outcome === "pass" ? "passed" : "failed");
}

function countsOf(ballots: readonly Ballot[], unit: Unit): Omit<Votes, "judges"> {
  const votesFor = (side: VoteSide) => ballots.filter((ballot) => sideOfVote(ballot, unit) === side).length;
  return {
    passed: votesFor("passed"),
    failed: votesFor("failed"),
    errored: ballots.filter(({ error }) => error).length,
  };
}

/**
 * Votes in sequence, so that caps are reached in order, while a strict majority is open. Of those that confirm a first
 * verdict a majority of passes is open, and without it any failure decides.
 */
async function byMajority(voting: Voting, all: number, first?: Ballot): Promise<JudgeAnswer> {
  const units = unitsOf(voting.request);
  const { only: votedOn = units } = voting.request;
  const ballots = first ? [first] : [];
  const isOpen = (unit: Unit) => {
    const { passed, failed } = countsOf(ballots, unit);
    const most = first ? passed : Math.max(passed, failed);
    return most <= all / 2 && most + all - ballots.length > all / 2;
  };
  while (votedOn.some(isOpen)) ballots.push(await castVote(voting, ballots));
  return settled({ units, votedOn }, ballots, (unit) => {
    if (!votedOn.some((asked) => asked === unit)) return "passed";
    const { passed, failed } = countsOf(ballots, unit);
    if (passed > all / 2 || (first && failed === 0 && passed > 0)) return "passed";
    return failed > (first ? 0 : all / 2) ? "failed" : undefined;
  });
}

async function castVote(
  { judge, request, meter, signal }: Voting,
  before: readonly Ballot[],
): Promise<Ballot> {
  const { model } = request;
  try {
    const files = request.files?.again();
    const answer = await judge.grade({ ...request, vote: before.length + 1, files }, meter, signal);
    if (before.every((ballot) => ballot.model === model)) return { model, answer };
    // The checks of another model than the first have its name.
    return {
      model,
      answer: { ...answer, checks: answer.checks.map((check) => ({ ...check, judge: model })) },
    };
  } catch (error) {
    // Recorded votes may be a majority without the missing ones.
    const capped = error instanceof CapReached && before.some(({ answer }) => answer);
    const judgeError = capped ? error.toJudgeError() : error;
    if (!(judgeError instanceof JudgeError)) throw error;
    return { model, error: judgeError };
  }
}

/**
 * The votes as one answer, by the side of each unit. A unit without one makes the grade errored, but where another has
 * failed: that failure stands, and the grade is incomplete.
 */
function settled(
  { units, votedOn }: { readonly units: readonly Unit[]; readonly votedOn: readonly Unit[] },
  ballots: readonly Ballot[],
  decide: (unit: Unit) => VoteSide | undefined,
): JudgeAnswer {
  const sides = new Map(units.map((unit) => [unit, decide(unit)]));
  const failed = units.filter((unit) => sides.get(unit) === "failed");
  const open = units.find((unit) => sides.get(unit) === undefined);
  const missing = open === undefined ? undefined : noMajority(ballots, open);
  if (missing && failed.length === 0) throw missing;
  const count = (unit: Unit, side: VoteSide) => countsOf(ballots, unit)[side];
  const [decisive = "whole"] =
    failed.length > 0
      ? failed.toSorted((before, after) => count(after, "failed") - count(before, "failed"))
      : votedOn.toSorted((before, after) => count(before, "passed") - count(after, "passed"));
  const winner = answersOf(ballots, decisive, sides.get(decisive));
  const [first] = winner;
  if (!first) throw noMajority(ballots, decisive);
  const ofWhole = decisive === "whole" ? winner.find(({ incomplete }) => incomplete)?.incomplete : undefined;
  return {
    ...first,
    ...joinAnswers(winner),
    checks: units.flatMap((unit) => checksOfUnit(unit, answersOf(ballots, unit, sides.get(unit)))),
    text: winner.map(({ text }) => text).find((text) => text !== "") ?? "",
    votes: votesOf(ballots, decisive),
    doubt: winner.find(({ doubt }) => doubt)?.doubt,
    incomplete: missing?.toGradeError() ?? ofWhole,
    recorded: winner.every(({ recorded }) => recorded),
  };
}

/** The answers on one side of a unit. */
function answersOf(ballots: readonly Ballot[], unit: Unit, side: VoteSide | undefined): JudgeAnswer[] {
  return ballots.flatMap((ballot) =>
    ballot.answer && side !== undefined && sideOfVote(ballot, unit) === side ? ballot.answer : [],
  );
}

/** The checks of a unit's side: all of a whole verdict; of a statement the first, so that each counts once. */
function checksOfUnit(unit: Unit, answers: readonly JudgeAnswer[]): readonly Check[] {
  const checks = answers.flatMap((answer) => answer.checks);
  return unit === "whole" ? checks : checks.filter(({ statement }) => statement === unit).slice(0, 1);
}

/** The counts on one unit: of a list the statement that decided by the fewest votes. */
function votesOf(ballots: readonly Ballot[], unit: Unit): Votes {
  const byModel = [...Map.groupBy(ballots, ({ model }) => model)];
  const judges = byModel.map(([model, votes]) => ({ model, ...countsOf(votes, unit) }));
  return { ...countsOf(ballots, unit), judges: judges.length > 1 ? judges : undefined };
}

function noMajority(ballots: readonly Ballot[], unit: Unit): JudgeError {
  const { passed, failed, errored } = countsOf(ballots, unit);
  const cause = ballots.find(({ error }) => error)?.error;
  const counts = `${String(passed)} passed, ${String(failed)} failed, ${String(errored)} errored`;
  const on = unit === "whole" ? "" : ` on statement ${String(unit)}`;
  const why = cause ? ` The first error: ${cause.message}` : "";
  const help = cause?.help ?? "Raise `judge-votes`, or make the grader's prompt plainer.";
  return new JudgeError(
    cause?.class ?? "no-majority",
    `The judge's votes have no strict majority${on}: ${counts}.${why}`,
    { help, keyRequired: ballots.every(({ error }) => error?.keyRequired === true) },
  );
}
