/** The command `judge`: how often a judge is right on the kit of runs. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { DEFAULT_JUDGE, effortOf } from "../domain/defaults.ts";
import { isError } from "../domain/problem.ts";
import {
  changesText,
  gaveVerdicts,
  measuredLines,
  measureJudge,
  priceOf,
  withMessage,
} from "../kit/measure.ts";
import type { Log } from "../log/log.ts";
import { keyIsMissing, resolveModel } from "../plan/judges.ts";
import type { Dependencies } from "./publish.ts";

interface Measuring extends Pick<Dependencies, "inputs" | "inputProblems" | "judge" | "price"> {
  /** A file with another system message, to compare with. */
  readonly message?: string | undefined;
  readonly log: Pick<Log, "line" | "problem">;
}

/** Measures the judge; false if it cannot. */
export async function measure({
  inputs,
  inputProblems,
  message: file,
  judge,
  price,
  log,
}: Measuring): Promise<boolean> {
  for (const problem of inputProblems) log.problem(problem);
  if (inputProblems.some(isError)) return false;
  const model = inputs.judgeModel ?? DEFAULT_JUDGE.model;
  const effort = inputs.judgeEffort ?? effortOf(model);
  if (keyIsMissing(inputs, model)) {
    const cost = await priceOf({ model, effort }, price, (name) => resolveModel(inputs, name));
    log.line(`Without a key nothing is asked. ${cost}`);
    return true;
  }
  const how = { model, effort, maxConcurrency: inputs.maxConcurrency, timeoutMs: inputs.timeoutMs };
  const before = await measureJudge({ ...how, judge });
  for (const line of measuredLines(effort === undefined ? model : `${model}, effort ${effort}`, before))
    log.line(line);
  if (file === undefined || !gaveVerdicts(before)) return gaveVerdicts(before);
  const message = await readFile(resolve(inputs.workspace, file), "utf8");
  const after = await measureJudge({ ...how, judge: withMessage(judge, message.trim()) });
  for (const line of measuredLines(`${model}, with ${file}`, after)) log.line(line);
  if (gaveVerdicts(after)) log.line(changesText(before, after));
  return gaveVerdicts(after);
}
