/**
 * The results of `claude plugin eval` (code.claude.com/docs/en/plugin-evals; read as Claude Code 2.1.332 writes them): they
 * hold their cases, the runs of both arms and the verdict of each grader.
 */
import { join, relative, resolve } from "node:path";
import { type ResultsFile, type Run, UNKNOWN_MODEL, possibleFacts } from "../domain/run.ts";
import { BARE_TASK, type Grader, type Suite, type Task } from "../domain/suite.ts";
import { error, type Problem, type SourceSpan } from "../domain/problem.ts";
import { PLUGIN_EVAL } from "../domain/row.ts";
import { follow, isInside, lookUp, publishedPath, slashes, spanOfFile } from "../files/confine.ts";
import { findFiles, statsOf } from "../files/find.ts";
import { readEach } from "../files/read.ts";
import { readContent } from "./content.ts";
import { Json } from "../text/json.ts";
import type { LoadedResults, Outputs } from "./reader.ts";
import { shorten } from "../text/format.ts";
import { globOf } from "../text/suggest.ts";

/** Characters of an answer or of a client's words. */
const LONGEST_WORDS = 2_000;

/** The suites of such files, and their runs with the verdicts in them. */
export type PluginEvals = NonNullable<Awaited<ReturnType<typeof readPluginEvals>>>;

/** What a file holds. */
interface Result {
  readonly result: Json;
  readonly at: SourceSpan;
}

/** The files of a plugin, of several models or cases, are of one eval. */
interface Plugin {
  readonly name: string;
  readonly its: readonly Result[];
  /** The name of a case, or its folder where several have that name. */
  readonly idOf: (evalCase: Json) => string;
}

interface Request {
  readonly results: readonly string[];
  readonly workspace: string;
  /** A step of a workflow: what lies in the checkout could be a pull request's own. */
  readonly isStep: boolean;
  /** Verdicts in results are trusted. */
  readonly offline: boolean;
}

/**
 * Reads the results of `claude plugin eval` that `results` names, also by their folder; undefined where it names none, and
 * where nothing says to trust them: their verdicts are taken as they are.
 */
export async function readPluginEvals({ results, workspace, isStep, offline }: Request) {
  if (!offline) return undefined;
  const isFolder = (pattern: string) => statsOf(resolve(workspace, pattern))?.isDirectory();
  const patterns = results.map((pattern) => (isFolder(pattern) ? `${pattern}/*.json` : pattern));
  const named = await findFiles(patterns, workspace);
  const pluginFiles = await readEach(named, async (file) => {
    const found = lookUp(file, workspace);
    const content = await readContent(found, false);
    if (!("data" in content)) return [];
    const result = new Json(content.data);
    return isPluginEval(result) ? [{ found, result, at: content.at }] : [];
  });
  const all = pluginFiles.flat();
  if (all.length === 0) return undefined;
  const read: Outputs = { files: [], triggers: [], paths: [], problems: [] };
  if (all.length < named.length) read.problems.push(MIXED);
  const trusted = all.filter(({ found, at }) => {
    const isOfPullRequest = isStep && isInside(found.real, follow(workspace).real);
    if (isOfPullRequest) read.problems.push(IN_CHECKOUT(at));
    return !isOfPullRequest;
  });
  for (const { found, result, at } of trusted) {
    if (result.all("cases").length === 0) read.problems.push(NO_CASE(at));
    if (result.flag("partial")) read.problems.push(partial(result));
    read.paths.push(found.real);
  }
  const plugins = [...Map.groupBy(trusted, pluginName)].map(([name, its]) => ({
    name,
    its,
    idOf: caseNames(its),
  }));
  for (const plugin of plugins)
    for (const file of plugin.its)
      for (const arm of ["with", "without"] as const)
        read.files.push(...runsOf(file, { arm, plugin, index: read.files.length }));
  const suites = plugins.map((plugin) => suiteOf(plugin, workspace));
  return {
    evals: { suites, paths: [], problems: [], unread: [] },
    results: read,
    /** The cases that were asked for, as globs over tasks; empty for all. */
    tasks: chosenCases(plugins),
  };
}

function pluginName({ result }: Pick<Result, "result">): string {
  const [plugin] = result.all("suite", "plugins");
  return plugin?.text("name") ?? "plugin";
}

function caseNames(its: readonly Result[]): Plugin["idOf"] {
  const nameOfCase = (one: Json) => one.text("name") ?? "";
  const dirOf = (one: Json) => slashes(one.text("dir") ?? "");
  const named = Map.groupBy(
    its.flatMap(({ result }) => result.all("cases")),
    nameOfCase,
  );
  const repeated = new Set(
    [...named].flatMap(([name, all]) => (new Set(all.map(dirOf)).size > 1 ? name : [])),
  );
  return (one) => (repeated.has(nameOfCase(one)) ? dirOf : nameOfCase)(one);
}

/** The globs of `--case`, which has our stars: a case that it leaves out is not gone. Empty where files are of all cases. */
function chosenCases(plugins: readonly Plugin[]): readonly string[] {
  const globs = plugins.flatMap(({ name, its }) => {
    const filters = its.map(({ result }) => result.text("suite", "caseFilter") ?? "*");
    const chosen = filters.includes("*") ? ["*"] : filters;
    return chosen.map((glob) => `${globOf(name)}/${glob.replaceAll("\\", "\\\\")}`);
  });
  return globs.every((glob) => glob.endsWith("/*")) ? [] : globs;
}

/** Whether a file is such results. */
export function isPluginEval(file: Json): boolean {
  return (
    file.number("schemaVersion") === 1 && file.text("claudeVersion") !== undefined && file.isList("cases")
  );
}

const MIXED = error("mixed-results", "`results` names results of `claude plugin eval` and other files.", {
  help: "Grade the other files in a step of their own: what they are of is another eval.",
});

const NO_CASE = (at: SourceSpan) =>
  error("no-cases", "`claude plugin eval` ran no case.", {
    help: "It prints what is wrong with a case to standard error.",
    at,
  });

const IN_CHECKOUT = (at: SourceSpan) =>
  error("untrusted-verdicts", "these verdicts lie in the checkout, where a pull request can commit them.", {
    help: 'Write them outside of it: `claude plugin eval --json "$RUNNER_TEMP/plugin-evals.json"`.',
    at,
  });

function partial(result: Json): Problem {
  const reason = result.text("partialReason") ?? "it does not say why";
  const what = `\`claude plugin eval\` of \`${pluginName({ result })}\` stopped before its end (${reason}).`;
  return error("partial-results", what, {
    help: "What it did not run is missing: run it again. These results are no baseline.",
  });
}

function suiteOf({ name, its, idOf }: Plugin, workspace: string): Suite {
  const cases = its.flatMap(({ result, at }) => {
    const root = result.text("suite", "root") ?? workspace;
    return result.all("cases").map((evalCase) => ({ evalCase, at, root }));
  });
  const tasks = [...Map.groupBy(cases, ({ evalCase }) => idOf(evalCase))].map(([id, all]): Task => {
    const [{ evalCase, at, root }] = all as [(typeof all)[number]];
    const placed = (file: string) => placeOf(join(evalCase.text("dir") ?? "", file), root, workspace);
    const place = placed("prompt.md") ?? placed("case.yaml");
    const named = all.flatMap((held) => held.evalCase.all("graders"));
    const graders = [...new Map(named.map((grader) => [grader.text("name"), grader])).values()];
    const decides = graders.some((grader) => !isIndicator(grader));
    return {
      ...BARE_TASK,
      id,
      name: evalCase.text("name") ?? id,
      prompt: evalCase.text("promptMarkdown"),
      graders: graders.map((grader): Grader => {
        const [file, weight] = [grader.text("name") ?? "", grader.number("weight") ?? 1];
        return {
          name: file,
          weight: weight > 0 ? weight : 1,
          prompt: grader.text("graderMarkdown") ?? described(grader),
          advisory: decides && isIndicator(grader) ? true : undefined,
          at: placed(`graders/${file}.md`) ?? place ?? at,
        };
      }),
      at: place,
    };
  });
  const [first] = its as [Result];
  return {
    ...{ title: name, name, at: tasks.find((task) => task.at)?.at ?? first.at },
    ...{ graders: [], otherGraders: [], tasks, broken: false, root: workspace },
  };
}

/** A file of a case, in the checkout; the run may have been on another machine. */
function placeOf(path: string, root: string, workspace: string): SourceSpan | undefined {
  const below = isInside(root, workspace) ? [join(relative(workspace, root), path), path] : [path];
  const file = below
    .map((one) => join(workspace, one))
    .find((one) => isInside(one, workspace) && statsOf(one)?.isFile());
  return file === undefined ? undefined : spanOfFile(publishedPath(file, workspace));
}

/**
 * Whether a grader is out of the score by Claude Code's own rule for two arms. By the definition, not by `scored`, which
 * depends on the arms of the very run: else a run with one arm could not be compared with one of two.
 */
function isIndicator(grader: Json): boolean {
  const config = grader.at("config");
  if (config.text("arm") === "both") return false;
  const isOfSkill = grader.text("type") === "tool_used" && config.text("tool") === "Skill";
  return isOfSkill || config.text("arm") === "with-only" || config.text("target") === "mock_calls";
}

/** What a grader without a model decides: `regex: pattern "Oslo", target "last_message"`. */
function described(grader: Json): string {
  const config = Object.entries(Object(grader.at("config").value) as object);
  return `${grader.text("type") ?? ""}: ${config.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")}`;
}

/** The runs of an arm as a results file of waza's, with the verdicts in them; none without a run. */
function runsOf(
  { result, at }: Result,
  { arm, plugin, index }: { arm: "with" | "without"; plugin: Plugin; index: number },
): LoadedResults[] {
  const cases = result.all("cases").map((evalCase) => ({ evalCase, runs: evalCase.all("arms", arm) }));
  if (cases.every(({ runs }) => runs.length === 0)) return [];
  const side = arm === "without" ? ("without-skill" as const) : undefined;
  const model = result.text("suite", "modelOverride") ?? UNKNOWN_MODEL;
  const results: ResultsFile = {
    ...{ path: at.path, model, side, evalName: plugin.name, timestamp: result.text("startedAt") },
    // A whole file has all that were to be made: a case may ask for more runs than another.
    runsPerTest: result.flag("partial") ? Math.max(...cases.map(({ runs }) => runs.length)) : undefined,
    runs: cases.flatMap(({ evalCase, runs }, task) =>
      runs.map((run, number): Run => {
        const failure = run.text("error");
        return {
          origin: { file: index, task, run: number },
          ...{ taskId: plugin.idOf(evalCase), number: number + 1, side, model },
          prompt: evalCase.text("promptMarkdown"),
          ...{ finalOutput: answerOf(run, evalCase), steps: [], recorded: [], agent: "finished" },
          ended: failure === undefined ? undefined : `error: ${shorten(failure, LONGEST_WORDS)}`,
          client: possibleFacts({
            cost: run.number("costUsd"),
            durationMs: 1000 * (run.number("durationSeconds") ?? 0),
            version: result.text("claudeVersion"),
          }),
        };
      }),
    ),
  };
  const judge = result.text("suite", "judgeModel");
  const tasks = cases.map(({ evalCase, runs }) => ({
    runs: runs.map((run) => ({ validations: validationsOf(run, evalCase, judge) })),
  }));
  return [{ results, verdicts: { by: PLUGIN_EVAL, tasks } }];
}

/** The last message: a result keeps it only as what a judge was shown. */
function answerOf(run: Json, evalCase: Json): string {
  const shown = evalCase.all("graders").filter((grader) => grader.text("config", "focus") === "last_message");
  const names = new Set(shown.flatMap((grader) => grader.text("name") ?? []));
  const [answer] = run.all("graders").filter((grader) => names.has(grader.text("name") ?? ""));
  return answer?.text("evidence") ?? "";
}

/** The verdicts of a run by the names of its graders. */
function validationsOf(run: Json, evalCase: Json, judge: string | undefined): Record<string, unknown> {
  const [aborted, failure] = [run.at("aborted"), run.text("error")];
  const isPassed = (grader: Json) => Number(grader.flag("passed") === true);
  // Of two of one name a failure counts.
  const sorted = run.all("graders").toSorted((first, second) => isPassed(second) - isPassed(first));
  const made = new Map(sorted.map((grader) => [grader.text("name"), grader]));
  const verdictOf = (grader: Json) => {
    const said = made.get(grader.text("name"));
    const asked = ["llm", "baseline"].includes(grader.text("type") ?? "") ? judge : undefined;
    const by = { type: "prompt", judge: asked };
    const failed = (text: string, why?: { readonly error?: unknown; readonly missing?: unknown }) => {
      return { ...by, score: 0, passed: false, details: { failures: `fail: : ${text}` }, ...why };
    };
    if (aborted.isObject()) {
      const mock = ["server", "tool"].map((key) => aborted.text(key) ?? "").join("/");
      return failed(`the mock ${mock} ended the run: ${aborted.text("reason") ?? ""}`);
    }
    // Without a trace no run was begun: the case's own fault.
    if (made.size === 0 && run.text("tracePath") === "") return failed("", { error: failure });
    if (failure === "interrupted" || (made.size === 0 && failure !== undefined))
      return failed("", { missing: failure });
    if (!said) return undefined;
    const text = said.text("explanation") ?? "";
    if (said.flag("passed")) return { ...by, score: 1, passed: true, details: { passes: `pass: : ${text}` } };
    return failed(text, { error: NO_VERDICT.test(text) ? text : undefined });
  };
  return Object.fromEntries(
    evalCase.all("graders").map((grader) => [grader.text("name") ?? "", verdictOf(grader)]),
  );
}

/** No verdict: the judge did not answer or was not asked, or the grader itself is wrong. Of any other `grader threw` the agent is the cause: no such file. */
const NO_VERDICT =
  /^(?:grader threw: (?:judge call failed|Invalid regular expression)|skipped: |failed to read baseline)/;
