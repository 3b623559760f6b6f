/** What is wrong with the judges before any is asked: a missing key, a missing price, one that would judge its own work. */
import type { Problem } from "../domain/place.ts";
import { globMatchesModel } from "../text/glob.ts";
import type { RunContext } from "../github/context.ts";
import { askedAs, endpointFor } from "../inputs/inputs.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Price } from "../judge/spend/prices.ts";
import { routeModel } from "../inputs/providers.ts";
import type { Plan } from "../plan/plan.ts";
import { error, notice, warning } from "../text/problem.ts";
import { closest } from "../text/suggest.ts";

/** True when a model cannot be asked because it has no key. */
export function keyIsMissing(inputs: Inputs, model: string): boolean {
  return !inputs.offline && !inputs.dryRun && endpointFor(inputs, model).keyMissing === true;
}

/** Why a pull request from outside has no key; undefined for events that get secrets. */
export function withoutKeyReason({ withoutSecrets, docs }: RunContext): string | undefined {
  if (withoutSecrets === undefined) return undefined;
  const whose = withoutSecrets === "fork" ? "a fork" : "Dependabot";
  return `There is no \`api-key\`: GitHub gives no secrets to a pull request from ${whose}. To grade it, use the two workflows of \`${docs("permissions-and-forks.md")}\``;
}

/** A key that is missing although the event gets secrets is a configuration problem. */
export function missingKey(plan: Plan, inputs: Inputs, context: RunContext): Problem[] {
  const asked = plan.jobs.filter(({ settled }) => settled === undefined);
  const [first] = asked.filter(({ judgeModel }) => keyIsMissing(inputs, judgeModel));
  if (!first || context.withoutSecrets !== undefined) return [];
  const endpoint = endpointFor(inputs, first.judgeModel);
  if (endpoint.identity) {
    const message = "GitHub gives this job no identity token, which `openai-identity` needs.";
    return [error(message, { help: "Add `id-token: write` to the job's `permissions`." })];
  }
  if (endpoint.baseUrl !== inputs.standard.baseUrl) {
    const message = `The input \`providers\` has an empty \`api-key\` for the model \`${first.judgeModel}\`.`;
    return [error(message, { help: "Check the name of the secret; leave `api-key` out if none is needed." })];
  }
  if (endpoint === inputs.standard && inputs.providers.length > 0) {
    const message = `No rule of the input \`providers\` matches the judge model \`${first.judgeModel}\`, and OpenAI's API, which is asked for it instead, needs an \`api-key\`.`;
    return [error(message, { help: "Add a rule for it to `providers`, or set `api-key` or `base-url`." })];
  }
  const help =
    "Set `api-key`, or the environment variable OPENAI_API_KEY, to a key of OpenAI, or `base-url` to an endpoint that needs none.";
  return [error("There is no `api-key`, and OpenAI's API needs one.", { help })];
}

/** Under `max-cost-usd` a model without a price could spend anything. */
export async function missingPrices({ jobs }: Plan, inputs: Inputs, price: Price): Promise<Problem[]> {
  if (inputs.caps.cost === undefined) return [];
  const models = modelsAsked(jobs);
  const problems: Problem[] = [];
  for (const model of models) {
    const asked = askedAs(inputs, model);
    if ((await price(asked, { input: 1, output: 1, cached: 0 })) !== undefined) continue;
    const message = `\`max-cost-usd\` is set, and the price of the model \`${asked.model}\` is not known at \`${asked.baseUrl}\`.`;
    const help = `Give it in \`model-prices\`, in US dollars for a million tokens: \`${asked.model}=INPUT/OUTPUT\`.`;
    problems.push(error(message, { help }));
  }
  return problems;
}

/** Models rate their own work higher (self-preference), so this is a notice. */
export function ownJudge({ jobs }: Plan): Problem[] {
  const same = jobs.find(
    ({ settled, run, judgeModel }) => !settled && run && bareName(run.model) === bareName(judgeModel),
  );
  if (!same) return [];
  const message = `The judge \`${same.judgeModel}\` is the model of the agent itself, and models are kinder to their own work.`;
  return [notice(message, { help: "Consider another `judge-model`." })];
}

/** Without a provider's prefix, in lower case. */
function bareName(model: string): string {
  return model.replace(/^.*\//, "").toLowerCase();
}

/** A judge model that no rule of `providers` matches, though one nearly does: it is probably a mistake. */
export function missedRules({ jobs }: Plan, inputs: Inputs): Problem[] {
  return [...modelsAsked(jobs)].flatMap((model): Problem[] => {
    if (routeModel(inputs.providers, model)) return [];
    const found = inputs.providers.find(({ match }) => meantFor(match, model) !== undefined);
    if (!found) return [];
    const { match } = found;
    const message = `No rule of the input \`providers\` matches the judge model \`${model}\`, which is asked at \`${inputs.standard.baseUrl}\`; the rule \`${match}\` nearly does.`;
    return [warning(message, { help: `Did you mean \`${meantFor(match, model) ?? ""}\`?` })];
  });
}

/** The glob that was likely meant for the model: one with a star more, or the model's own name. */
function meantFor(match: string, model: string): string | undefined {
  const starred = [`${match}*`, `*${match}`, `*${match}*`].find((glob) => globMatchesModel(glob, model));
  return starred ?? (match.includes("*") ? undefined : closest(match, [model]));
}

function modelsAsked(jobs: Plan["jobs"]): Set<string> {
  return new Set(jobs.flatMap(({ settled, judgeModel }) => (settled ? [] : judgeModel)));
}
