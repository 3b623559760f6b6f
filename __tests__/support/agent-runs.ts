/** `waza-grade run` in the test's process, with a stand-in agent. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { textOfFile } from "../../src/files/read.ts";
import { runFilesBelow } from "../../src/outputs/find-outputs.ts";
import { RUN_JSON } from "../../src/outputs/run-json.ts";
import type { RunSurroundings } from "../../src/runner/making.ts";
import { runCommand } from "../../src/runner/run-command.ts";
import { readRunOptions } from "../../src/runner/run-options.ts";
import { problemLine } from "../../src/text/format.ts";
import { temporaryFolder, writeProject } from "./run-action.ts";

const STAND_IN = join(import.meta.dirname, "stand-in-agent.mjs");
export const COMMAND = `exec '${process.execPath}' '${STAND_IN}' "$@"`;
export const GRADERS = "graders: [{type: prompt, name: g, config: {prompt: Is it?}}]";

export type Files = Readonly<Record<string, unknown>>;

export const skillEvals = (assertion: string) =>
  JSON.stringify({ skill_name: "x", evals: [{ id: 1, prompt: "write", assertions: [assertion] }] });

/** An eval whose tasks tell the stand-in what to do, by their ids. */
export function evals(tasks: Readonly<Record<string, string>>, more = ""): Files {
  return {
    "evals/eval.yaml": `name: suite\ntasks: [tasks/*.yaml]\n${more}${GRADERS}\n`,
    ...Object.fromEntries(
      Object.entries(tasks).map(([id, prompt]) => [
        `evals/tasks/${id}.yaml`,
        `id: ${id}\ninputs: {prompt: ${JSON.stringify(prompt)}}\n`,
      ]),
    ),
  };
}

interface Named {
  readonly task: string;
  readonly side?: string;
  readonly trial?: number;
  readonly trials?: number;
  readonly sides?: number;
}

interface Started {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly more?: Partial<RunSurroundings>;
  readonly isStep?: boolean;
  readonly root?: string;
}

export async function run(
  files: Files,
  { inputs = {}, env = {}, more = {}, isStep = false, root }: Started = {},
) {
  const workspace = root ?? writeProject(files);
  const lines: string[] = [];
  const given = Object.entries({ command: COMMAND, ...inputs }).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ]);
  const variables = {
    PATH: process.env.PATH,
    RUNNER_TEMP: temporaryFolder("runner"),
    ...env,
    ...(Object.fromEntries(given) as Record<string, string>),
  };
  for (const name of Object.keys(process.env).filter((one) => one.startsWith("INPUT_")))
    Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, Object.fromEntries(given));
  const { options, problems } = readRunOptions(variables, { workspace, isStep });
  if (problems.length > 0) throw new Error(problems.map((one) => problemLine(one)).join("\n"));
  const status = await runCommand({
    options,
    env: variables,
    workspace,
    changes: () => Promise.resolve({ all: "no event" }),
    withoutSecrets: undefined,
    line: (text) => lines.push(text),
    cancelled: new AbortController().signal,
    pause: () => Promise.resolve(),
    ...more,
  });
  const records = existsSync(options.out)
    ? runFilesBelow(options.out)
        .filter((file) => basename(file) === RUN_JSON)
        .map((file) => ({
          folder: join(file, ".."),
          ...(JSON.parse(readFileSync(file, "utf8")) as Named),
          answer: textOfFile(join(file, "../log.jsonl")) ?? "",
        }))
    : [];
  return { status, lines, text: lines.join("\n"), records, workspace, out: options.out };
}

/** What the stand-in saw of its folder and its environment. */
export function seen(answer: string): { files: string[]; env: Record<string, string>; args: string[] } {
  const rows = answer
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row) as { message: { content: string } });
  return JSON.parse(rows.at(-1)?.message.content ?? "") as ReturnType<typeof seen>;
}
