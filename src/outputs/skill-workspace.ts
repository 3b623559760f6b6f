/**
 * The workspace that Anthropic's skill-creator writes:
 * `<name>-workspace/iteration-N/<eval>/{with_skill,without_skill}/[run-K/]outputs/`, with a log or transcript beside the
 * outputs where there is one, and `eval_metadata.json` in the eval's folder. Its newest iteration is read, alone.
 */
import { basename, join } from "node:path";
import * as z from "zod/mini";
import type { Problem } from "../domain/place.ts";
import { publishedPath, slashes } from "../files/names.ts";
import { once } from "../text/once.ts";
import { lenient } from "../text/optional.ts";
import { notice } from "../text/problem.ts";
import { readContent } from "./content.ts";
import type { Trial } from "./reader.ts";
import { taskOfName } from "./task-names.ts";
import type { KnownTasks } from "./task-names.ts";
import { said } from "./transcript/events.ts";

const RUN = /^(.*\/)iteration-(\d{1,9})\/([^/]+)\/(?:with_skill|without_skill)\/(?:run-(\d{1,9})\/)?(.+)$/s;

/** A run's folder and its files, all absolute. */
export interface SkillRun {
  readonly workspace: string;
  readonly iteration: number;
  readonly evalFolder: string;
  readonly folder: string;
  readonly number?: number | undefined;
  /** What the agent produced, and what tells of its work: JSON lines, or text. */
  readonly outputs: string[];
  readonly logs: string[];
  readonly transcripts: string[];
}

export interface SkillWorkspaces {
  /** Those with outputs, of the newest iteration of each workspace. */
  readonly runs: readonly SkillRun[];
  /** The files that are in none of these workspaces. */
  readonly others: readonly string[];
  readonly problems: Problem[];
}

/** Finds the runs of all workspaces among the files. */
export function skillWorkspaces(files: readonly string[], base: string): SkillWorkspaces {
  const all = runsIn(files).filter(({ outputs }) => outputs.length > 0);
  const newest = new Map<string, number>();
  for (const { workspace, iteration } of all)
    newest.set(workspace, Math.max(iteration, newest.get(workspace) ?? 0));
  const runs = all.filter(({ workspace, iteration }) => iteration === newest.get(workspace));
  const older = new Set(all.filter((run) => !runs.includes(run)).map(({ workspace }) => workspace));
  const inside = [...newest.keys()].map((workspace) => `${workspace}iteration-`);
  return {
    runs,
    others: files.filter((file) => !inside.some((start) => slashes(file).startsWith(start))),
    problems: [...older].map((workspace) => {
      const { path } = publishedPath(workspace, base);
      const message = `\`${path}\`: \`iteration-${String(newest.get(workspace))}\` is read, the newest; older ones are left out.`;
      return notice(message, { at: { path, startLine: 1, endLine: 1, inRepository: false } });
    }),
  };
}

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

const metadata = z.object({
  eval_id: lenient(z.union([z.string(), z.number()])),
  eval_name: lenient(z.string()),
});

/** The task of a run: by `eval_metadata.json`, then by the eval's folder. */
export async function taskOfSkillRun(
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

/** A run without a log: its answer is what it produced, text as it is and other files by their names. */
export async function trialOfOutputs(run: SkillRun, workspace: string, taskId: string): Promise<Trial> {
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
    events: transcripts.map(({ text }) => said("assistant", text)),
    workspaceDir: join(run.folder, "outputs"),
  };
}
