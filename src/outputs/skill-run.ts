/** Reads a run in a workspace of skill-creator. */
import { basename, join, resolve } from "node:path";
import * as z from "zod/mini";
import type { Suite } from "../domain/suite.ts";
import { publishedPath } from "../files/names.ts";
import { lenient } from "../text/optional.ts";
import { readContent } from "./content.ts";
import { readFile } from "./read-file.ts";
import type { FileRead } from "./read-file.ts";
import type { ReadContext } from "./read-files.ts";
import type { Trial } from "./reader.ts";
import type { SkillRun } from "./skill-workspace.ts";
import { isNameOf, taskOfName, tasksOfSuite } from "./task-names.ts";
import type { KnownTasks } from "./task-names.ts";
import { messageEvent } from "./transcript/events.ts";

/** The format's name in messages. */
export const SKILL_RUNS = "runs of skill-creator";

/** The run's log if there is one, else what it produced. */
export async function readSkillRun(run: SkillRun, context: ReadContext): Promise<FileRead> {
  const { workspace, suites, others, tasks, layoutOf } = context;
  const [first = run.folder] = [...run.outputs, ...run.logs, ...run.transcripts];
  const layout = layoutOf(resolve(first));
  const isOwner = ({ title }: Suite) => isNameOf(`${title}-workspace`, basename(run.workspace));
  const suite = suites.find(isOwner) ?? layout.suites[0];
  const otherEval = suite ? undefined : (others.find(isOwner)?.at.path ?? layout.otherEval);
  const narrowed = suite ? tasksOfSuite(suite) : tasks;
  const taskId = await taskOf(run, workspace, narrowed);
  const read: FileRead = {
    // Runs of one iteration are written as one document.
    file: run.evalFolder,
    layout: { ...layout, suites: suite ? [suite] : [], otherEval },
    where: { ...publishedPath(run.folder, workspace), generated: true },
    format: SKILL_RUNS,
    problems: [],
  };
  if (taskId === undefined) return { ...read, unmatchedName: basename(run.evalFolder) };
  const [log] = run.logs;
  const only = { prompts: new Map([[taskId, narrowed.prompts.get(taskId) ?? []]]), open: false };
  const logged = log === undefined ? undefined : await readFile(log, { workspace, tasks: only, layout });
  const trial = await trialOfOutputs(run, workspace, taskId);
  if (!logged || !("format" in logged) || !logged.trials?.length) return { ...read, trials: [trial] };
  const { number, workspaceDir } = trial;
  const { format, problems, trials } = logged;
  return { ...read, format, problems, trials: trials.map((one) => ({ ...one, number, workspaceDir })) };
}

const metadata = z.object({
  eval_id: lenient(z.union([z.string(), z.number()])),
  eval_name: lenient(z.string()),
});

/** The task by `eval_metadata.json`, then by the eval's folder. */
async function taskOf(
  { evalFolder }: SkillRun,
  workspace: string,
  tasks: KnownTasks,
): Promise<string | undefined> {
  const content = await readContent(join(evalFolder, "eval_metadata.json"), workspace, false);
  const { eval_id: id, eval_name: name } =
    z.safeParse(metadata, "file" in content ? content.data : undefined).data ?? {};
  const folder = basename(evalFolder);
  const names = [id, name, folder.replace(/^eval-/, ""), folder].flatMap((one) => one ?? []);
  return names.map((one) => taskOfName(String(one), { ...tasks, open: false })?.taskId).find(Boolean);
}

/** A run without a log. The answer is its output files: text as it is, other files by name. */
async function trialOfOutputs(run: SkillRun, workspace: string, taskId: string): Promise<Trial> {
  const texts = async (files: readonly string[]) =>
    await Promise.all(
      files.map(async (file) => {
        const content = await readContent(file, workspace, true);
        const name = file.slice(run.folder.length);
        return { name, text: "file" in content ? content.text : "(not shown: no text)" };
      }),
    );
  const produced = await texts(run.outputs);
  const transcripts = await texts(run.transcripts);
  return {
    taskId,
    number: run.number,
    finalOutput: produced.map(({ name, text }) => `${name}:\n\n${text}`).join("\n\n"),
    events: transcripts.map(({ text }) => messageEvent("assistant", text)),
    workspaceDir: join(run.folder, "outputs"),
  };
}
