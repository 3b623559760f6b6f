/** Reads outputs from a project on disk, for suites with the tasks given, or real files of a format. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ResultsFile, Run, Step } from "../../src/domain/run.ts";
import type { Task } from "../../src/domain/suite.ts";
import { readOutputs } from "../../src/outputs/read-outputs.ts";
import { suiteOf } from "./factories.ts";
import { writeProject } from "./run-action.ts";

const FIXTURES = join(import.meta.dirname, "..", "fixtures", "outputs");

/** Tasks by id, with their prompts; `every` for a suite that names none. */
export type Tasks = Readonly<Record<string, string | undefined>> | "every";

/** Real files of a format, by name. */
export function fixture(format: string): Record<string, string> {
  const folder = join(FIXTURES, format);
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

/** The text of a real file: format/name. */
export function fixtureAt(path: string): string {
  return readFileSync(join(FIXTURES, path), "utf8");
}

/** A step in a line: who said what, or the call with its outcome and result, behind the sub-agent that made it. */
export function stepLine(step: Step): string {
  if (step.kind !== "tool") return `${step.kind}: ${step.text}`;
  const outcome = step.success === undefined ? "" : step.success ? " ok" : " failed";
  const by = step.subAgent === undefined ? "" : `[${step.subAgent}] `;
  return `${by}${step.name} ${step.input} ->${outcome} ${step.result?.trim() ?? "(not recorded)"}`;
}

export async function read(
  files: Readonly<Record<string, unknown>>,
  options: { readonly patterns?: readonly string[]; readonly tasks?: Tasks } = {},
) {
  const { patterns = ["**/*"], tasks = { explain: "What does loop.py do?" } } = options;
  const workspace = writeProject(files);
  const list = tasks === "every" ? tasks : Object.entries(tasks).map(([id, prompt]) => taskOf(id, prompt));
  const { files: loaded, problems } = await readOutputs({
    patterns,
    workspace,
    suites: [suiteOf({ tasks: list })],
  });
  return {
    problems,
    results: loaded.map(({ results }): ResultsFile => results),
    runs: loaded.flatMap(({ results }): readonly Run[] => results.runs),
  };
}

/** An enabled task without graders. */
export function taskOf(id: string, prompt?: string): Task {
  return {
    id,
    name: id,
    enabled: true,
    files: [],
    graders: [],
    otherGraders: [],
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** JSON lines of the values. */
export function jsonLines(...rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** A folder with the run.json of a run that ended well and its log, by their paths. */
export function placedRun(
  folder: string,
  record: Readonly<Record<string, unknown>>,
  log: unknown = "Done.",
): Readonly<Record<string, unknown>> {
  const written = { eval: "evals/eval.yaml", trial: 1, exit: 0, log: "log.jsonl", ...record };
  return { [`${folder}/run.json`]: written, [`${folder}/${written.log}`]: log };
}

/** The files of all of these. */
export function allOf(...parts: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  return Object.assign({}, ...parts) as Record<string, unknown>;
}

/* Rows of a log of Claude Code. */

export const begun = (more: object = {}) => ({
  ...{ type: "system", subtype: "init", session_id: "s", tools: ["Skill"] },
  ...more,
});
export const said = (...content: readonly object[]) => ({
  ...{ type: "assistant", session_id: "s" },
  message: { role: "assistant", model: "m", content },
});
export const saidText = (text: string) => said({ type: "text", text });
/** The agent calls for a skill. */
export const loads = (skill: string) => said({ type: "tool_use", id: "1", name: "Skill", input: { skill } });
/** What the call for a skill gave. */
export const loaded = (content: string, more: object = {}) => ({
  ...{ type: "user", session_id: "s" },
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content, ...more }] },
});
export const ended = (more: object = {}) => ({
  ...{ type: "result", subtype: "success", session_id: "s" },
  ...more,
});
