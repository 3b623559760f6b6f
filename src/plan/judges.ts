/** The judges of a plan: at which endpoint each model is asked, and what is wrong with them before one is asked. */
import type { GradingJob, Priced } from "../domain/grade.ts";
import { error, warning, type Problem } from "../domain/problem.ts";
import type { RunContext } from "../github/context.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { routeModel } from "../inputs/providers.ts";
import type { Endpoint } from "../judge/api/wire.ts";
import type { Price } from "../judge/spend.ts";
import { listedCode, plural } from "../text/format.ts";
import { globMatchesModel } from "../text/suggest.ts";
import type { Plan } from "./plan.ts";

/** What is wrong with the judges of a plan. */
export async function judgeProblemsOf(
  { jobs, models }: Pick<Plan, "jobs"> & { readonly models: Iterable<string> },
  {
    inputs,
    context,
    price,
  }: { readonly inputs: Inputs; readonly context: RunContext; readonly price: Price },
): Promise<readonly Problem[]> {
  return [
    ...missingKey(models, inputs, context),
    ...(await missingPrices(jobs, inputs, price)),
    ...missedRules({ jobs }, inputs),
  ];
}

/** A model's name at its endpoint, and the endpoint's address. */
export function resolveModel(inputs: Inputs, name: string): Priced {
  const { model = name, baseUrl } = endpointFor(inputs, name);
  return { model, baseUrl };
}

/** The endpoint of a model. */
export function endpointFor({ providers, standard }: Inputs, model: string): Endpoint {
  return routeModel(providers, model) ?? standard;
}

/** True when a model cannot be asked because it has no key. */
export function keyIsMissing(inputs: Inputs, model: string): boolean {
  return !inputs.offline && !inputs.dryRun && endpointFor(inputs, model).keyMissing === true;
}

/** A job with what its verdict rests on by the inputs alone. */
export function withBasis(job: GradingJob, inputs: Inputs): GradingJob {
  const { votes, confirmOnFail, confirmModel } = inputs;
  const by = confirmModel === undefined ? "" : ` by ${resolveModel(inputs, confirmModel).model}`;
  const voting =
    confirmOnFail > 0 ? `confirm-on-fail: ${String(confirmOnFail)}${by}` : `judge-votes: ${String(votes)}`;
  return { ...job, basis: { sentModel: resolveModel(inputs, job.judgeModel).model, voting } };
}

/** These judge models, and the one that is asked about their failures. */
export function withConfirming(models: ReadonlySet<string>, { confirmModel }: Inputs): Set<string> {
  return new Set([...models, ...(models.size === 0 || confirmModel === undefined ? [] : [confirmModel])]);
}

/** Judge models that are to be asked. */
export function modelsAsked({ jobs }: Pick<Plan, "jobs">, inputs: Inputs): Set<string> {
  return withConfirming(
    new Set(jobs.flatMap(({ settled, judgeModel }) => (settled ? [] : judgeModel))),
    inputs,
  );
}

/** A key that is missing for one of the models although the event gets secrets is a configuration problem. */
function missingKey(models: Iterable<string>, inputs: Inputs, context: RunContext): Problem[] {
  const [model] = [...models].filter((one) => keyIsMissing(inputs, one));
  if (model === undefined || context.withoutSecrets !== undefined) return [];
  const endpoint = endpointFor(inputs, model);
  if (endpoint.identity) {
    const message = "GitHub gives this job no identity token, which `openai-identity` needs.";
    return [error("no-id-token", message, { help: "Add `id-token: write` to the job's `permissions`." })];
  }
  if (endpoint.baseUrl !== inputs.standard.baseUrl) {
    const message = `The input \`providers\` has an empty \`api-key\` for the model \`${model}\`.`;
    const help = "Check the name of the secret; leave `api-key` out if none is needed.";
    return [error("empty-provider-key", message, { help })];
  }
  if (endpoint === inputs.standard && inputs.providers.length > 0) {
    const message = `No rule of the input \`providers\` matches the judge model \`${model}\`, and OpenAI's API, which is asked for it instead, needs an \`api-key\`.`;
    const help = "Add a rule for it to `providers`, or set `api-key` or `base-url`.";
    return [error("no-provider", message, { help })];
  }
  const key = inputs.isStep ? "`api-key`" : "the environment variable OPENAI_API_KEY";
  const { variable, baseUrl } = endpoint.otherKey ?? {};
  const help =
    variable === undefined || baseUrl === undefined
      ? `Set ${key} to a key of OpenAI, or \`base-url\` to an endpoint that needs none.`
      : `To judge with the key that is in ${variable}: \`export OPENAI_API_KEY="$${variable}"\`, and add \`--base-url ${baseUrl}\`, with \`--judge-model\` one of its models.`;
  return [error("no-api-key", "There is no `api-key`, and OpenAI's API needs one.", { help })];
}

/** Under `max-cost-usd` a model without a price could spend anything. */
async function missingPrices(jobs: Plan["jobs"], inputs: Inputs, price: Price): Promise<Problem[]> {
  if (inputs.caps.cost === undefined) return [];
  const models = modelsAsked({ jobs }, inputs);
  const problems: Problem[] = [];
  for (const model of models) {
    const sent = resolveModel(inputs, model);
    if ((await price(sent, { input: 1, output: 1, cached: 0 })) !== undefined) continue;
    const message = `\`max-cost-usd\` is set, and the price of the model \`${sent.model}\` is not known at \`${sent.baseUrl}\`.`;
    const help = `Give it in \`model-prices\`, in US dollars for a million tokens: \`${sent.model}=INPUT/OUTPUT\`.`;
    problems.push(error("no-price", message, { help }));
  }
  return problems;
}

/** Most models that a sentence names. */
const NAMED = 5;

/** Rules of `providers` that match no judge model of the run: probably a mistake. */
export function missedRules({ jobs }: Pick<Plan, "jobs">, inputs: Inputs): Problem[] {
  const { providers } = inputs;
  const models = [...withConfirming(new Set(jobs.map(({ judgeModel }) => judgeModel)), inputs)];
  if (models.length === 0) return [];
  return providers.flatMap(({ match }): Problem[] => {
    if (models.some((model) => globMatchesModel(match, model))) return [];
    const message = `The rule \`${match}\` of the input \`providers\` matches no judge model of this run; there ${plural(models.length, "is", "are")} ${listedCode(models, NAMED)}.`;
    const help = "Correct `match` (a glob: only `*` and `?` are special), or remove the rule.";
    return [warning("unmatched-providers", message, { help })];
  });
}
