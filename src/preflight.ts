/** What is wrong before any judge is asked: a missing key, a missing price, a judge that would judge itself. */
import { resolve } from "node:path";
import type { Problem, ResultsFile, Suite } from "./domain.ts";
import { resolveLinks } from "./files.ts";
import type { RunContext } from "./github.ts";
import type { Inputs } from "./inputs.ts";
import type { Price } from "./judge/prices.ts";
import { routeModel } from "./judge/providers.ts";
import type { Plan } from "./plan.ts";

/** True when a model cannot be asked for want of a key. */
export function keyIsMissing(
  { needsKey, apiKey, offline, dryRun, providers }: Inputs,
  model: string,
): boolean {
  if (offline || dryRun) return false;
  const endpoint = routeModel(providers, model);
  return endpoint ? endpoint.keyMissing === true : needsKey && apiKey === undefined;
}

/** Why a pull request from outside has no key; undefined for events that get secrets. */
export function withoutKeyReason({ withoutSecrets, docs }: RunContext): string | undefined {
  if (withoutSecrets === undefined) return undefined;
  const whose = withoutSecrets === "fork" ? "a fork" : "Dependabot";
  return `There is no \`api-key\`: GitHub gives no secrets to a pull request from ${whose}. To grade it, use the two workflows of \`${docs("permissions-and-forks.md")}\``;
}

/** A key that is missing although the event gets secrets is a configuration problem. */
export function missingKey(
  plan: Plan,
  { inputs, context }: { readonly inputs: Inputs; readonly context: RunContext },
): Problem[] {
  const asked = plan.jobs.filter(({ settled }) => settled === undefined);
  const [first] = asked.filter(({ judgeModel }) => keyIsMissing(inputs, judgeModel));
  if (!first || context.withoutSecrets !== undefined) return [];
  if (routeModel(inputs.providers, first.judgeModel)) {
    const message = `The input \`providers\` has an empty \`api-key\` for the model \`${first.judgeModel}\`.`;
    return [
      {
        level: "error",
        message,
        help: "Check the name of the secret; leave `api-key` out if none is needed.",
      },
    ];
  }
  if (inputs.providers.length > 0) {
    const message = `No rule of the input \`providers\` matches the judge model \`${first.judgeModel}\`, and OpenAI's API, which is asked for it instead, needs an \`api-key\`.`;
    return [
      { level: "error", message, help: "Add a rule for it to `providers`, or set `api-key` or `base-url`." },
    ];
  }
  const help =
    "Set `api-key` to a secret with a key of OpenAI, or `base-url` to an endpoint that needs none.";
  return [{ level: "error", message: "There is no `api-key`, and OpenAI's API needs one.", help }];
}

/** Under `max-cost-usd` a model without a price could spend anything. */
export async function missingPrices(
  { jobs }: Plan,
  { inputs, price }: { readonly inputs: Inputs; readonly price: Price },
): Promise<Problem[]> {
  if (inputs.caps.cost === undefined) return [];
  const models = modelsAsked(jobs);
  const problems: Problem[] = [];
  for (const model of models) {
    const asked = endpointFor(inputs, model);
    if ((await price(asked, { input: 1, output: 1, cached: 0 })) !== undefined) continue;
    const message = `\`max-cost-usd\` is set, and the price of the model \`${asked.model}\` is not known.`;
    const help = `Give it in \`model-prices\`, in US dollars for a million tokens: \`${asked.model}=INPUT/OUTPUT\`.`;
    problems.push({ level: "error", message, help });
  }
  return problems;
}

/** A model that judges its own work is kinder to it. */
export function ownJudge({ jobs }: Plan): Problem[] {
  const same = jobs.find(
    ({ settled, run, judgeModel }) => !settled && run && bareName(run.model) === bareName(judgeModel),
  );
  if (!same) return [];
  const message = `The judge \`${same.judgeModel}\` is the model of the agent itself, and models are kinder to their own work.`;
  return [{ level: "notice", message, help: "Consider another `judge-model`." }];
}

/** Without a provider's prefix, in lower case. */
function bareName(model: string): string {
  return model.replace(/^.*\//, "").toLowerCase();
}

/** Where a model is asked. */
export function endpointFor(
  { providers, baseUrl }: Inputs,
  model: string,
): { readonly model: string; readonly baseUrl: string } {
  const endpoint = routeModel(providers, model);
  return { model: endpoint?.model ?? model, baseUrl: endpoint?.baseUrl ?? baseUrl };
}

/** A rule that no judge model matches sends nothing where its author meant it to go. */
export function idleProviders({ jobs }: Plan, { inputs }: { readonly inputs: Inputs }): Problem[] {
  const models = modelsAsked(jobs);
  if (models.size === 0) return [];
  const used = new Set([...models].map((model) => routeModel(inputs.providers, model)));
  return inputs.providers.flatMap(({ match, endpoint }, index): Problem[] => {
    if (used.has(endpoint)) return [];
    const message = `Rule ${String(index + 1)} of the input \`providers\` (\`${match}\`) is used for no judge model; they are ${[
      ...models,
    ]
      .slice(0, 5)
      .map((model) => `\`${model}\``)
      .join(", ")}.`;
    const help = match.includes("*") ? "Correct it, or remove it." : `Did you mean \`${match}*\`?`;
    return [{ level: "warning", message, help }];
  });
}

/** The files that were read, by their real paths: nothing is written over them. */
export function filesRead(
  workspace: string,
  { suites, results }: { readonly suites: readonly Suite[]; readonly results: readonly ResultsFile[] },
): ReadonlySet<string> {
  const paths = [...suites.map(({ at }) => at.path), ...results.map(({ path }) => path)];
  return new Set(paths.map((path) => resolveLinks(resolve(workspace, path))));
}

/** True for what was read, and for files that only people write: no report of ours is YAML or CSV. */
export function isInput(path: string, read: ReadonlySet<string>): boolean {
  return read.has(resolveLinks(path)) || /\.(?:ya?ml|csv)$/i.test(path);
}

/** A report, or the graded copy, that would be written over what was read. */
export function overwritten(read: ReadonlySet<string>, { inputs }: { readonly inputs: Inputs }): Problem[] {
  const written = [
    { name: "output-file", path: inputs.outputFile },
    ...inputs.reports.map(({ path }) => ({ name: "reports", path })),
  ];
  return written.flatMap(({ name, path }): Problem[] => {
    if (!isInput(path, read)) return [];
    const message = `The input \`${name}\` would write over \`${path}\`, which is an input; it is not written.`;
    return [{ level: "error", message, help: "Name another file, in `runner.temp` for example." }];
  });
}

function modelsAsked(jobs: Plan["jobs"]): Set<string> {
  return new Set(jobs.flatMap(({ settled, judgeModel }) => (settled ? [] : judgeModel)));
}
