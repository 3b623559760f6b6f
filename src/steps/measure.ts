/** The command `judge`: how often a judge is right, on the kit of runs or by people's labels of a graded run. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { DEFAULT_JUDGE, effortOf } from "../domain/grade.ts";
import { error, isError, type Problem } from "../domain/problem.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Judge } from "../judge/judge.ts";
import type { Price } from "../judge/spend.ts";
import { changesText, isJudged, measuredLines, measureJudge, priceOf, withMessage } from "../kit/measure.ts";
import { agreementSentence, agreementWith } from "../labels/agreement.ts";
import { readLabels } from "../labels/labels.ts";
import { recordedLabelProblems } from "../labels/recorded.ts";
import type { Log } from "../log/log.ts";
import { keyIsMissing, resolveModel } from "../plan/judges.ts";
import { readRows } from "../results/row-file.ts";
import { jsonOf, messageOf } from "../text/format.ts";

interface Measuring {
  readonly inputs: Inputs;
  readonly inputProblems: readonly Problem[];
  /** A file with another system message, to compare with. */
  readonly message?: string | undefined;
  readonly judge: Judge;
  readonly price: Price;
  readonly log: Pick<Log, "line" | "problem">;
}

/** Measures the judge, or compares labels where they are given; false if it cannot. */
export async function measure({ inputs, inputProblems, ...measuring }: Measuring): Promise<boolean> {
  const { log } = measuring;
  for (const problem of inputProblems) log.problem(problem);
  if (inputProblems.some(isError)) return false;
  return inputs.labels === undefined
    ? await measureOnKit(inputs, measuring)
    : await compareLabels(inputs, inputs.labels, log);
}

async function measureOnKit(
  inputs: Inputs,
  { message: file, judge, price, log }: Omit<Measuring, "inputs" | "inputProblems">,
): Promise<boolean> {
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
  if (file === undefined || !isJudged(before)) return isJudged(before);
  const message = await readFile(resolve(inputs.workspace, file), "utf8");
  const after = await measureJudge({ ...how, judge: withMessage(judge, message.trim()) });
  for (const line of measuredLines(`${model}, with ${file}`, after)) log.line(line);
  if (isJudged(after)) log.line(changesText(before, after));
  return isJudged(after);
}

/** Compares people's labels with the verdicts of a record; false, without figures, where a label is of another answer. */
async function compareLabels(
  { workspace, results: [file = ""] }: Inputs,
  labelsFile: string,
  log: Measuring["log"],
): Promise<boolean> {
  const rows = await rowsOf(resolve(workspace, file), file);
  const labels = await readLabels(labelsFile, workspace);
  const problems = "rows" in rows ? recordedLabelProblems(labels, rows.rows) : [rows];
  for (const problem of problems) log.problem(problem);
  if (!("rows" in rows) || problems.some(isError)) return false;
  log.line(agreementSentence(agreementWith(labels, rows.rows)));
  return true;
}

async function rowsOf(path: string, file: string) {
  const help = "Name the file of `output-file` with `--results`.";
  try {
    const read = readRows(jsonOf(await readFile(path, "utf8")), file);
    return read ?? error("not-a-record", `\`${file}\` is no record of graded results.`, { help });
  } catch (failure) {
    return error("unreadable-record", `\`${file}\` cannot be read: ${messageOf(failure)}.`, { help });
  }
}
