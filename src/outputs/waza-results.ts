/** Reader of waza's results.json: files to runs. */
import * as z from "zod/mini";
import type { Problem, ResultsFile, Run } from "../domain.ts";
import { findFiles, noMatch, publishedPath } from "../files.ts";
import { lineOfKey, readJson } from "./json-source.ts";
import { KNOWN_KEYS, wazaResults } from "./schema.ts";
import type { WazaResults, WazaRun } from "./schema.ts";
import { stepsOf } from "./transcript.ts";

/** What result files are called when they are not where they are expected. */
const ALIKE = ["**/*result*.json", "**/*outcome*.json", "**/results/**/*.json", "!**/package*.json"];

/** A results file, as the stages see it and as it was, for the graded copy. */
export interface LoadedResults {
  readonly results: ResultsFile;
  readonly document: unknown;
}

/** Reads every results file the patterns match; problems of all files come back together. */
export async function readResults(
  patterns: readonly string[],
  workspace: string,
): Promise<{ files: LoadedResults[]; problems: Problem[] }> {
  const found = await findFiles(patterns, workspace);
  const positive = patterns.filter((pattern) => !pattern.startsWith("!"));
  const empty: string[] = [];
  for (const pattern of positive) {
    if ((await findFiles([pattern], workspace)).length === 0) empty.push(pattern);
  }
  const problems = await Promise.all(
    empty.map((pattern) => noMatch({ what: "The `results` glob", pattern, cwd: workspace, alike: ALIKE })),
  );
  const files: LoadedResults[] = [];
  for (const file of found) {
    const read = await readResultsFile(file, files.length, workspace);
    problems.push(...read.problems);
    if (read.loaded) files.push(read.loaded);
  }
  return { files, problems };
}

async function readResultsFile(
  file: string,
  index: number,
  workspace: string,
): Promise<{ loaded?: LoadedResults; problems: Problem[] }> {
  const json = await readJson(file, workspace);
  if (!("data" in json)) return { problems: [json] };
  const where = publishedPath(file, workspace);
  const parsed = z.safeParse(wazaResults, json.data);
  if (!parsed.success) return { problems: [shapeProblem(parsed.error, json.text, where)] };
  const results: ResultsFile = {
    path: where.path,
    model: parsed.data.config?.model_id || "unknown model",
    runs: runsOf(parsed.data, index),
    ...(parsed.data.eval_name ? { evalName: parsed.data.eval_name } : {}),
    ...(parsed.data.timestamp ? { timestamp: parsed.data.timestamp } : {}),
  };
  const unknown = unknownKeys(json.data as Record<string, unknown>);
  return { loaded: { results, document: json.data }, problems: unknownNotice(unknown, json.text, where) };
}

function shapeProblem(
  error: z.core.$ZodError,
  text: string,
  where: ReturnType<typeof publishedPath>,
): Problem {
  const issue = error.issues[0];
  const path = issue?.path ?? [];
  const key = path.findLast((part) => typeof part === "string");
  const line = typeof key === "string" ? lineOfKey(text, key) : 1;
  const name = path.length > 0 ? ` at \`${path.map(String).join(".")}\`` : "";
  return {
    level: "error",
    message: `\`${where.path}\` is not a results file of waza${name}: ${issue?.message ?? "unreadable"}.`,
    help: "Write it with `waza run <eval.yaml> --skip-graders -o results.json`.",
    at: { ...where, startLine: line, endLine: line },
  };
}

function runsOf(data: WazaResults, file: number): Run[] {
  return data.tasks.flatMap((task, taskIndex) =>
    (task.runs ?? []).map((run, runIndex) => ({
      origin: { file, task: taskIndex, run: runIndex },
      taskId: task.test_id,
      number: run.run_number ?? runIndex + 1,
      model: data.config?.model_id || "unknown model",
      finalOutput: run.final_output ?? "",
      steps: stepsOf(run),
      recorded: recordedOf(run),
      agent: agentOutcome(run),
      ...(task.display_name ? { taskName: task.display_name } : {}),
      ...(run.prompt ? { prompt: run.prompt } : {}),
      ...(run.error_msg ? { errorMessage: run.error_msg } : {}),
    })),
  );
}

/**
 * waza marks a run `error` when the agent failed, but also when its own graders did (`running graders: …`) and
 * when a checkpoint's did (an output, and no message): only the first is the agent's doing.
 */
function agentOutcome(run: WazaRun): Run["agent"] {
  if (run.error_msg?.startsWith("running graders:")) return "grader-failed";
  if (run.status !== "error") return "finished";
  const worked = run.final_output?.trim() && !run.error_msg;
  return worked ? "finished" : "failed";
}

function recordedOf(run: WazaRun): Run["recorded"] {
  return Object.entries(run.validations ?? {}).map(([key, value]) => ({
    name: value.identifier || key,
    type: value.type ?? "",
    score: value.score ?? 0,
    passed: value.passed ?? false,
    feedback: value.feedback ?? "",
  }));
}

function unknownKeys(data: Record<string, unknown>): string[] {
  const unknown = new Set<string>();
  const compare = (value: unknown, known: ReadonlySet<string>) => {
    for (const key of Object.keys(value as object)) if (!known.has(key)) unknown.add(key);
  };
  compare(data, KNOWN_KEYS.file);
  for (const task of data.tasks as Record<string, unknown>[]) {
    compare(task, KNOWN_KEYS.task);
    for (const run of (task.runs ?? []) as object[]) compare(run, KNOWN_KEYS.run);
  }
  return [...unknown];
}

function unknownNotice(
  keys: readonly string[],
  text: string,
  where: ReturnType<typeof publishedPath>,
): Problem[] {
  const [first] = keys;
  if (first === undefined) return [];
  const list = keys.slice(0, 20).map((key) => `\`${key}\` (line ${String(lineOfKey(text, key))})`);
  const line = lineOfKey(text, first);
  const message = `\`${where.path}\`: not part of the format, kept but not read: ${list.join(", ")}.`;
  return [{ level: "notice", message, at: { ...where, startLine: line, endLine: line } }];
}
