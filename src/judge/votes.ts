/** Several samples of one verdict, so that it holds still: `judge-votes` and `confirm-on-fail`. */
import { CapReached } from "./budget.ts";
import { scoreChecks } from "./grade-tools.ts";
import { JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeRequest, Meter } from "./judge.ts";

export interface VotePolicy {
  /** Samples of every grade, odd; 1 for no vote. */
  readonly votes: number;
  /** More samples, an even number, of a grade that is red; 0 for none. */
  readonly confirmOnFail: number;
}

interface Ballot {
  readonly answer?: JudgeAnswer;
  readonly error?: JudgeError;
}

/**
 * A judge that is asked several times and goes by the strict majority of all samples; the winning side's calls are all
 * kept, so that the score is taken over them. An errored sample counts for neither side, and without a strict majority
 * the grade is errored. With `confirmOnFail` only a red verdict is asked again.
 */
export function votingJudge(judge: Judge, { votes, confirmOnFail }: VotePolicy): Judge {
  if (votes <= 1 && confirmOnFail === 0) return judge;
  return {
    grade: async (request, meter, signal) => {
      if (votes > 1)
        return counted(await samples(judge, { request, meter, signal, from: 1, many: votes }), votes);
      const first = await judge.grade({ ...request, sample: 1 }, meter, signal);
      if (scoreChecks(first.checks).passed) return first;
      const more = await samples(judge, { request, meter, signal, from: 2, many: confirmOnFail });
      return counted([{ answer: first }, ...more], confirmOnFail + 1);
    },
  };
}

interface Sampling {
  readonly request: JudgeRequest;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  readonly from: number;
  readonly many: number;
}

/** One after the other: the judge's files are read by one sample at a time, and a cap is met in order. */
async function samples(judge: Judge, { request, meter, signal, from, many }: Sampling): Promise<Ballot[]> {
  const ballots: Ballot[] = [];
  for (let sample = from; sample < from + many; sample += 1) {
    try {
      const files = request.files?.again();
      const asked = { ...request, sample, ...(files ? { files } : {}) };
      ballots.push({ answer: await judge.grade(asked, meter, signal) });
    } catch (error) {
      // Samples that are recorded may be a majority without those that were not asked for.
      const capped = error instanceof CapReached && ballots.some(({ answer }) => answer);
      const told = capped ? error.toJudgeError() : error;
      if (!(told instanceof JudgeError)) throw error;
      ballots.push({ error: told });
    }
  }
  return ballots;
}

function counted(ballots: readonly Ballot[], all: number): JudgeAnswer {
  const answers = ballots.flatMap(({ answer }) => answer ?? []);
  const passed = answers.filter(({ checks }) => scoreChecks(checks).passed);
  const failed = answers.filter(({ checks }) => !scoreChecks(checks).passed);
  const votes = { passed: passed.length, failed: failed.length, errored: ballots.length - answers.length };
  const [winner] = [passed, failed].filter((side) => side.length > all / 2);
  const [first] = winner ?? [];
  if (!winner || !first) throw noMajority(votes, ballots);
  const incomplete = winner.find((answer) => answer.incomplete)?.incomplete;
  const changes = new Set(winner.flatMap((answer) => answer.changes ?? []));
  return {
    ...first,
    checks: winner.flatMap(({ checks }) => checks),
    text: winner.map(({ text }) => text).find((text) => text !== "") ?? "",
    ...(changes.size > 0 ? { changes: [...changes] } : {}),
    votes,
    ...(incomplete ? { incomplete } : {}),
    recorded: winner.every(({ recorded }) => recorded),
  };
}

function noMajority(
  { passed, failed, errored }: { passed: number; failed: number; errored: number },
  ballots: readonly Ballot[],
): JudgeError {
  const cause = ballots.find(({ error }) => error)?.error;
  const said = `${String(passed)} passed, ${String(failed)} failed, ${String(errored)} errored`;
  const why = cause ? ` The first error: ${cause.message}` : "";
  const help = cause?.help ?? "Raise `judge-votes`, or make the grader's prompt plainer.";
  return new JudgeError(
    cause?.class ?? "no-majority",
    `The judge's votes have no strict majority: ${said}.${why}`,
    { help },
  );
}
