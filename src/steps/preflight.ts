/** Checks before any judge is asked: a missing key, a missing price, a judge that would judge its own work. */
import { dirname, sep } from "node:path";
import { A_LINK, follow, isGit, namedByInput } from "../files/confine.ts";
import type { Problem } from "../domain/place.ts";
import { statsOf } from "../files/find.ts";
import { shownPath } from "../files/names.ts";
import { obstacleTo } from "../files/write.ts";
import { globMatchesModel } from "../text/glob.ts";
import type { RunContext } from "../github/context.ts";
import { askedAs, endpointFor } from "../inputs/inputs.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Price } from "../judge/spend/prices.ts";
import { routeModel } from "../inputs/providers.ts";
import type { Plan } from "../plan/plan.ts";
import { error, notice, warning } from "../text/problem.ts";
import { closest } from "../text/suggest.ts";

export interface PreflightOptions {
  readonly inputs: Inputs;
  readonly context: RunContext;
  readonly price: Price;
  /** The files of `output-file`, one for each results file. */
  readonly written: readonly string[];
  /** Real paths of what was read. */
  readonly read: readonly string[];
}

export interface Preflight {
  readonly problems: readonly Problem[];
  /** Files that are not written, by the names the inputs give them, and why. */
  readonly unwritten: ReadonlyMap<string, Problem>;
}

/** Everything that is wrong before any judge is asked. */
export async function preflight(
  plan: Plan,
  { inputs, context, price, written, read }: PreflightOptions,
): Promise<Preflight> {
  const { outputFile, reports, workspace } = inputs;
  const files = [
    ...written.map((path): Written => ({ input: "output-file", named: outputFile ?? path, path })),
    ...reports.map(({ format, path }): Written => ({
      input: "reports",
      named: path,
      path,
      toFillIn: format === "labels",
    })),
  ];
  const unwritten = unwritable(files, new Set(read), workspace);
  return {
    problems: [
      ...missingKey(plan, inputs, context),
      ...(await missingPrices(plan, inputs, price)),
      ...unwritten.values(),
      ...ownJudge(plan),
      ...missedRules(plan, inputs),
    ],
    unwritten,
  };
}

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
function missingKey(plan: Plan, inputs: Inputs, context: RunContext): Problem[] {
  const asked = plan.jobs.filter(({ settled }) => settled === undefined);
  const [first] = asked.filter(({ judgeModel }) => keyIsMissing(inputs, judgeModel));
  if (!first || context.withoutSecrets !== undefined) return [];
  const endpoint = endpointFor(inputs, first.judgeModel);
  if (endpoint.identity) {
    const message = "GitHub gives this job no identity token, which `openai-identity` needs.";
    return [error(message, { help: "Add `id-token: write` to the job's `permissions`." })];
  }
  if (endpoint !== inputs.standard) {
    const message = `The input \`providers\` has an empty \`api-key\` for the model \`${first.judgeModel}\`.`;
    return [error(message, { help: "Check the name of the secret; leave `api-key` out if none is needed." })];
  }
  if (inputs.providers.length > 0) {
    const message = `No rule of the input \`providers\` matches the judge model \`${first.judgeModel}\`, and OpenAI's API, which is asked for it instead, needs an \`api-key\`.`;
    return [error(message, { help: "Add a rule for it to `providers`, or set `api-key` or `base-url`." })];
  }
  const help =
    "Set `api-key`, or the environment variable OPENAI_API_KEY, to a key of OpenAI, or `base-url` to an endpoint that needs none.";
  return [error("There is no `api-key`, and OpenAI's API needs one.", { help })];
}

/** Under `max-cost-usd` a model without a price could spend anything. */
async function missingPrices({ jobs }: Plan, inputs: Inputs, price: Price): Promise<Problem[]> {
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
function ownJudge({ jobs }: Plan): Problem[] {
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
function missedRules({ jobs }: Plan, inputs: Inputs): Problem[] {
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

/** A file that is to be written: which input names it, and the path that the input gives. */
interface Written {
  readonly input: "output-file" | "reports";
  /** A table for people to fill in: once it is there, it is theirs. */
  readonly toFillIn?: boolean | undefined;
  readonly named: string;
  /** Where it is written: of several graded copies, each is numbered. */
  readonly path: string;
}

/**
 * Why files are not written, by the paths that inputs give: over what was `read` (real paths), over files that
 * people write (YAML, and CSV unless it is a table to fill in that is not there yet), over each other, into `.git`, or where a link of the repository leads
 * away.
 */
function unwritable(
  written: readonly Written[],
  read: ReadonlySet<string>,
  workspace: string,
): ReadonlyMap<string, Problem> {
  const copies = new Set(written.flatMap(({ input, path }) => (input === "output-file" ? path : [])));
  const wrong = written.flatMap(({ input, named, path, toFillIn = false }): [string, Problem][] => {
    const file = `The input \`${input}\` would write ${shownCode(path, workspace)}`;
    const isPeoples = toFillIn ? /\.ya?ml$/i.test(path) : /\.(?:ya?ml|csv)$/i.test(path);
    const isInput = isPeoples || (statsOf(path) && read.has(follow(path).real));
    const folder = namedByInput(dirname(path), workspace);
    const obstacle = obstacleTo("file", path);
    const reasons = [
      isInput
        ? `The input \`${input}\` would write over ${shownCode(path, workspace)}, which is an input`
        : undefined,
      toFillIn && statsOf(path)?.isFile()
        ? `${file}, which is there already and may hold people's labels`
        : undefined,
      "refused" in folder ? `${file}, in a folder reached by ${A_LINK[folder.refused]}` : undefined,
      obstacle &&
        `${file}${obstacle.at === path ? "" : `, below ${shownCode(obstacle.at, workspace)}`}, which is ${obstacle.what}`,
      path.split(sep).some(isGit) ? `${file}, which is git's own` : undefined,
      input === "reports" && copies.has(path)
        ? `${file}, which a graded copy of \`output-file\` is written to`
        : undefined,
    ];
    const why = reasons.find((reason) => reason !== undefined);
    const help = "Name another file.";
    return why === undefined ? [] : [[named, error(`${why}; it is not written.`, { help })]];
  });
  return new Map(wrong);
}

function shownCode(path: string, workspace: string): string {
  return `\`${shownPath(path, workspace)}\``;
}

function modelsAsked(jobs: Plan["jobs"]): Set<string> {
  return new Set(jobs.flatMap(({ settled, judgeModel }) => (settled ? [] : judgeModel)));
}
