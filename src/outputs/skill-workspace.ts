/**
 * Workspaces of Anthropic's skill-creator:
 * `<name>-workspace/iteration-N/<eval>/{with_skill,without_skill}/[run-K/]outputs/`, often with a log or transcript beside
 * the outputs, and `eval_metadata.json` in the eval's folder. Only the newest iteration is read.
 */
import { basename, join, resolve } from "node:path";
import * as z from "zod/mini";
import type { Problem, Suite } from "../domain/suite.ts";
import { publishedPath, slashes, spanOfFile } from "../files/confine.ts";
import { readContent } from "./content.ts";
import { isNameOf, taskOfName, tasksOfSuite } from "./layout.ts";
import type { KnownTasks } from "./layout.ts";
import { readFile } from "./read-files.ts";
import type { FileRead, ReadContext } from "./read-files.ts";
import type { Trial } from "./reader.ts";
import { messageEvent } from "./transcript.ts";
import { once } from "../text/format.ts";
import { lenient } from "../text/optional.ts";
import { notice, warning } from "../text/problem.ts";

interface SkillWorkspaces {
  /** Runs of the newest iteration of each workspace, if they have outputs, a log or a transcript. */
  readonly runs: readonly SkillRun[];
  /** Files outside these workspaces. */
  readonly others: readonly string[];
  readonly problems: Problem[];
}

/** A run's folder and its files, all absolute. */
interface SkillRun extends SkillEval {
  readonly folder: string;
  readonly number?: number | undefined;
  /** What the agent produced. */
  readonly outputs: string[];
  /** JSON lines. */
  readonly logs: string[];
  /** Text. */
  readonly transcripts: string[];
}

/** An eval's folder in a workspace, absolute. */
interface SkillEval {
  readonly workspace: string;
  readonly iteration: number;
  readonly evalFolder: string;
}

/** Finds the runs of all workspaces among the files. */
export function skillWorkspaces(files: readonly string[], base: string): SkillWorkspaces {
  const all = runsIn(files);
  const evals = evalsIn(files);
  const newest = new Map<string, number>();
  for (const { workspace, iteration } of [...all, ...evals])
    newest.set(workspace, Math.max(iteration, newest.get(workspace) ?? 0));
  const isNewest = ({ workspace, iteration }: SkillEval) => iteration === newest.get(workspace);
  const hasFiles = ({ outputs, logs, transcripts }: SkillRun) =>
    outputs.length + logs.length + transcripts.length > 0;
  const runs = all.filter((run) => isNewest(run) && hasFiles(run));
  const empty = evals.filter(
    (one) => isNewest(one) && !runs.some(({ folder }) => folder.startsWith(`${one.evalFolder}/with_skill/`)),
  );
  const older = new Set([...all, ...evals].filter((run) => !isNewest(run)).map(({ workspace }) => workspace));
  const inside = [...newest.keys()].map((workspace) => `${workspace}iteration-`);
  return {
    runs,
    others: files.filter((file) => !inside.some((start) => slashes(file).startsWith(start))),
    problems: [
      ...[...older].map((workspace) => {
        const { path } = publishedPath(workspace, base);
        const message = `\`iteration-${String(newest.get(workspace))}\` is read, the newest; older ones are ignored.`;
        return notice(message, { at: spanOfFile(path) });
      }),
      ...empty.map(({ evalFolder }) => {
        const { path } = publishedPath(evalFolder, base);
        const message = `the folder has no files in \`with_skill/outputs/\`, so its eval has no run.`;
        return warning(message, {
          help: "Run the agent on it again, or correct the folders' names.",
          at: spanOfFile(path),
        });
      }),
    ],
  };
}

/** The outermost iteration: what an agent writes below it is its own. */
const RUN = /^(.*?\/)iteration-(\d{1,9})\/([^/]+)\/(?:with_skill|without_skill)\/(?:run-(\d{1,9})\/)?(.+)$/s;

function runsIn(files: readonly string[]): SkillRun[] {
  const runs = new Map<string, SkillRun>();
  for (const file of files.map(slashes)) {
    const [, workspace = "", iteration = "", evalName = "", number, rest = ""] = RUN.exec(file) ?? [];
    if (rest === "") continue;
    const folder = file.slice(0, -rest.length);
    const run = once(runs, folder, () => ({
      workspace,
      iteration: Number(iteration),
      evalFolder: `${workspace}iteration-${iteration}/${evalName}`,
      folder,
      number: number === undefined ? undefined : Number(number),
      outputs: [],
      logs: [],
      transcripts: [],
    }));
    if (/(?:^|\/)transcript\.(?:md|txt)$/.test(rest)) run.transcripts.push(file);
    else if (rest.startsWith("outputs/")) run.outputs.push(file);
    else if (rest.endsWith(".jsonl")) run.logs.push(file);
  }
  return [...runs.values()];
}

/** The file that names an eval; its runs may have left nothing. */
const METADATA = /^(.*?\/)iteration-(\d{1,9})\/([^/]+)\/eval_metadata\.json$/s;

function evalsIn(files: readonly string[]): SkillEval[] {
  const outside = files.map(slashes).filter((file) => !RUN.test(file));
  return outside.flatMap((file) => {
    const [, workspace = "", iteration = "", name] = METADATA.exec(file) ?? [];
    if (name === undefined) return [];
    return {
      workspace,
      iteration: Number(iteration),
      evalFolder: `${workspace}iteration-${iteration}/${name}`,
    };
  });
}

/* Reads a run in a workspace of skill-creator. */

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
