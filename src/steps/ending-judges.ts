/** Judges that their endpoints shut down soon, by the endpoints' own lists of models. */
import type { GradingJob } from "../domain/grade.ts";
import type { Problem } from "../domain/suite.ts";
import { type Inputs, endpointFor } from "../inputs/inputs.ts";
import { type TokenSource, clientsOf, getter, judgeFetch } from "../judge/api/client.ts";
import { type ModelList, type ModelLists, endOf, instead, modelLists } from "../judge/api/models.ts";
import { warning } from "../text/problem.ts";

/** Makes the lists of models of a run, with connections of their own: grading never waits for them. */
export function makeLists(tokens: TokenSource): ModelLists {
  return modelLists(getter(clientsOf(judgeFetch(1), tokens)));
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
      const day = list && endOf(sent, list);
      return list && job && day !== undefined ? [endingProblem(job, { sent, day, list })] : [];
    }),
  );
  return found.flat();
}

interface Ending {
  readonly sent: string;
  readonly day: string;
  readonly list: ModelList;
}

function endingProblem({ judgeModel, modelBy, grader, suite }: GradingJob, ending: Ending): Problem {
  const { sent, day, list } = ending;
  const [next = "A-MODEL-YOU-HAVE"] = instead(sent, list);
  const own = modelBy === "default" ? " (this action's default)" : "";
  const message = `The judge \`${sent}\`${own} is shut down on ${day}.`;
  if (sent !== judgeModel)
    return warning(message, {
      help: `Set \`model: ${next}\` in the rule of \`providers\` for \`${judgeModel}\`.`,
    });
  if (modelBy === "grader")
    return warning(message, { help: `Set \`model: ${next}\` in the grader.`, at: grader.at });
  if (modelBy === "eval")
    return warning(message, {
      help: `Set \`judge_model: ${next}\` in the eval, or \`judgeModel\` in .waza.yaml.`,
      at: suite.at,
    });
  return warning(message, { help: `Set \`judge-model: ${next}\`.` });
}

/** Milliseconds that the report waits for the endpoints' lists of models. */
const LONGEST_WAIT_MS = 2_000;

/** The problems that are there in time. */
export async function inTime(work: Promise<readonly Problem[]>): Promise<readonly Problem[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Problem[]>((resolve) => {
    timer = setTimeout(() => {
      resolve([]);
    }, LONGEST_WAIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
