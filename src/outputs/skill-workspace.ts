/**
 * Workspaces of Anthropic's skill-creator:
 * `<name>-workspace/iteration-N/<eval>/{with_skill,without_skill}/[run-K/]outputs/`, often with a log or transcript beside
 * the outputs, and `eval_metadata.json` in the eval's folder. Only the newest iteration is read.
 */
import type { Problem } from "../domain/location.ts";
import { publishedPath, slashes, spanOfFile } from "../files/names.ts";
import { once } from "../text/once.ts";
import { notice, warning } from "../text/problem.ts";

/** The outermost iteration: what an agent writes below it is its own. */
const RUN = /^(.*?\/)iteration-(\d{1,9})\/([^/]+)\/(?:with_skill|without_skill)\/(?:run-(\d{1,9})\/)?(.+)$/s;

/** The file that names an eval; its runs may have left nothing. */
const METADATA = /^(.*?\/)iteration-(\d{1,9})\/([^/]+)\/eval_metadata\.json$/s;

/** An eval's folder in a workspace, absolute. */
interface SkillEval {
  readonly workspace: string;
  readonly iteration: number;
  readonly evalFolder: string;
}

/** A run's folder and its files, all absolute. */
export interface SkillRun extends SkillEval {
  readonly folder: string;
  readonly number?: number | undefined;
  /** What the agent produced. */
  readonly outputs: string[];
  /** JSON lines. */
  readonly logs: string[];
  /** Text. */
  readonly transcripts: string[];
}

export interface SkillWorkspaces {
  /** Runs of the newest iteration of each workspace, if they have outputs, a log or a transcript. */
  readonly runs: readonly SkillRun[];
  /** Files outside these workspaces. */
  readonly others: readonly string[];
  readonly problems: Problem[];
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
        const message = `\`${path}\`: \`iteration-${String(newest.get(workspace))}\` is read, the newest; older ones are ignored.`;
        return notice(message, { at: spanOfFile(path) });
      }),
      ...empty.map(({ evalFolder }) => {
        const { path } = publishedPath(evalFolder, base);
        const message = `\`${path}\` has no files in \`with_skill/outputs/\`, so its eval has no run.`;
        return warning(message, {
          help: "Run the agent on it again, or correct the folders' names.",
          at: spanOfFile(path),
        });
      }),
    ],
  };
}

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
