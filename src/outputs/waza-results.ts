/** Reader of waza's results.json: files to runs. */
import * as z from "zod/mini";
import type { Problem, ResultsFile, Run, SourceSpan } from "../domain.ts";
import { findFiles, leavesRepository, noMatch, publishedPath, wholeFile } from "../files.ts";
import { linesOf, readJson } from "./json-source.ts";
import { KNOWN_KEYS, wazaResults } from "./schema.ts";
import type { WazaResults, WazaRun } from "./schema.ts";
import { stepsOf } from "./transcript.ts";

/** What result files are called when they are not where they are expected. */
const ALIKE = ["**/*result*.json", "**/*outcome*.json", "**/results/**/*.json", "!**/package*.json"];

const REMEDY =
  "Name in `results` what a step before this one writes, with `waza run <eval.yaml> --skip-graders -o results.json`.";

type Where = Pick<SourceSpan, "path" | "inRepository" | "generated">;

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
    empty.map((pattern) =>
      noMatch({ what: "The `results` glob", pattern, cwd: workspace, alike: ALIKE, remedy: REMEDY }),
    ),
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
  if (leavesRepository(file, workspace)) {
    const at = wholeFile(file, workspace);
    const message = `\`${at.path}\` is a link that leads out of its repository.`;
    return { problems: [{ level: "error", message, help: "Name the file itself in `results`.", at }] };
  }
  const json = await readJson(file, workspace);
  if (!("data" in json)) return { problems: [json] };
  const where = { ...publishedPath(file, workspace), generated: true as const };
  const parsed = z.safeParse(wazaResults, json.data);
  if (!parsed.success) return { problems: [await shapeProblem(parsed.error, json.text, where)] };
  const results: ResultsFile = {
    path: where.path,
    model: parsed.data.config?.model_id || "unknown model",
    runs: runsOf(parsed.data, index),
    ...(parsed.data.eval_name ? { evalName: parsed.data.eval_name } : {}),
    ...(parsed.data.timestamp ? { timestamp: parsed.data.timestamp } : {}),
  };
  const unknown = unknownKeys(json.data as Record<string, unknown>);
  return {
    loaded: { results, document: json.data },
    problems: await unknownNotice(unknown, json.text, where),
  };
}

async function shapeProblem(error: z.core.$ZodError, text: string, where: Where): Promise<Problem> {
  const issue = error.issues[0];
  const path = issue?.path ?? [];
  const [line = 1] = await linesOf(text, [path]);
  const name = path.length > 0 ? ` at \`${path.map(String).join(".")}\`` : "";
  return {
    level: "error",
    message: `\`${where.path}\` is not a results file of waza${name}: ${issue?.message ?? "unreadable"}.`,
    help: "Write it with `waza run <eval.yaml> --skip-graders -o results.json`.",
    at: { ...where, startLine: line, endLine: line },
  };
}

function runsOf(data: WazaResults, file: number): Run[] {
  return (data.tasks ?? []).flatMap((task, taskIndex) =>
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
  if (run.status !== "error") return "finished";
  if (run.error_msg?.startsWith("running graders:")) return "grader-failed";
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

/** Each unknown key once, by the path where it first stands. */
function unknownKeys(data: Record<string, unknown>): (readonly PropertyKey[])[] {
  const unknown = new Map<string, readonly PropertyKey[]>();
  const compare = (value: object, known: ReadonlySet<string>, path: readonly PropertyKey[]) => {
    for (const key of Object.keys(value))
      if (!known.has(key) && !unknown.has(key)) unknown.set(key, [...path, key]);
  };
  compare(data, KNOWN_KEYS.file, []);
  for (const [index, task] of ((data.tasks ?? []) as Record<string, unknown>[]).entries()) {
    compare(task, KNOWN_KEYS.task, ["tasks", index]);
    for (const [number, run] of ((task.runs ?? []) as object[]).entries()) {
      compare(run, KNOWN_KEYS.run, ["tasks", index, "runs", number]);
    }
  }
  return [...unknown.values()].slice(0, 20);
}

async function unknownNotice(
  paths: readonly (readonly PropertyKey[])[],
  text: string,
  where: Where,
): Promise<Problem[]> {
  if (paths.length === 0) return [];
  const lines = await linesOf(text, paths);
  const list = paths.map((path, index) => `\`${String(path.at(-1))}\` (line ${String(lines[index])})`);
  const message = `\`${where.path}\`: not part of the format, kept but not read: ${list.join(", ")}.`;
  const [line = 1] = lines;
  return [{ level: "notice", message, at: { ...where, startLine: line, endLine: line } }];
}
