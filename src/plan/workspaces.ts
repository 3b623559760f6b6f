/** The agent's working folder of each run: by its run.json, else by the input `workspace`. */
import { dirname, relative, resolve, sep } from "node:path";
import type { GradingJob } from "../domain/grade.ts";
import type { Run } from "../domain/run.ts";
import type { Suite } from "../domain/suite.ts";
import { warning, type Problem } from "../domain/problem.ts";
import type { Plan } from "./plan.ts";
import { isInside, isPackages, lookUp, namedByFile, shownCode } from "../files/confine.ts";
import { statsOf } from "../files/find.ts";
import { listedCode, plural } from "../text/format.ts";

/** A path with the placeholders `{eval}`, `{task}` and `{run}`, relative to a base. */
interface FolderPattern {
  readonly pattern: string;
  readonly base: string;
}

interface Workplace {
  readonly folder: string;
  /** Why the folder cannot be read; absent if it can. */
  readonly wrong?: "missing" | "refused" | undefined;
}

/** Gives each job the folder that its run.json names. */
export function ownWorkspaces(jobs: readonly GradingJob[]): GradingJob[] {
  return jobs.map((job) => {
    const folder = job.run?.workspaceDir;
    return folder === undefined || !statsOf(folder)?.isDirectory() ? job : { ...job, workspace: folder };
  });
}

/**
 * Gives each job the folder of its run: the pattern with `{eval}`, `{task}` and `{run}` replaced. The names come from
 * results and evals, so the folder must lie inside the part of the pattern before the first placeholder, links resolved,
 * and names with `..` or an absolute path are refused. A `/` or `:` in a name may be `_` or `-` in the folder's. A problem with one run is a warning, and it is judged
 * without files. A pattern that finds no folder is an error.
 */
export function findWorkspaces(
  jobs: readonly GradingJob[],
  { pattern, base }: FolderPattern,
): Pick<Plan, "jobs" | "problems"> {
  const runs = new Map<Run, Workplace>();
  for (const { run, settled, suite } of jobs) {
    if (run && !settled && !runs.has(run)) runs.set(run, workplaceOf(run, suite, { pattern, base }));
  }
  const placed = jobs.map((job) => {
    const place = job.run && runs.get(job.run);
    return place && !place.wrong ? { ...job, workspace: place.folder } : job;
  });
  const useless = runs.size > 0 && [...runs.values()].every(({ wrong }) => wrong !== undefined);
  const problems = problemsOfFolders([...runs], base);
  return {
    jobs: placed,
    problems: useless ? problems.map((one) => ({ ...one, level: "error" as const })) : problems,
  };
}

function workplaceOf(run: Run, suite: Suite, { pattern, base }: FolderPattern): Workplace {
  const number = String(run.numberInAttempt ?? run.number);
  const places = writtenAs(suite.title).flatMap((title) =>
    writtenAs(run.taskId).map((task) => placeNamed({ eval: title, task, run: number }, { pattern, base })),
  );
  return places.find(({ wrong }) => !wrong) ?? places[0] ?? { folder: base, wrong: "missing" };
}

/** A name in all the spellings that a folder may have. */
function writtenAs(name: string): string[] {
  return [...new Set([name, name.replace(/[/:]/g, "_"), name.replace(/[/:]/g, "-")])];
}

const PLACEHOLDER = /\{(eval|task|run)\}/g;

function placeNamed(names: Readonly<Record<string, string>>, { pattern, base }: FolderPattern): Workplace {
  const path = pattern.replace(PLACEHOLDER, (_, name: string) => names[name] ?? "");
  const folder = resolve(base, path);
  const refused = { folder, wrong: "refused" } as const;
  const first = pattern.search(PLACEHOLDER);
  // Up to the last folder before the placeholder: `/out/ws-{task}` may lead to any folder of /out.
  const fixed = first < 0 ? folder : resolve(base, dirname(`${pattern.slice(0, first)}x`));
  const top = lookUp(fixed, base);
  if (top.refused !== undefined) return refused;
  if (first < 0) return existing(folder, top.real);
  const used = [...pattern.matchAll(PLACEHOLDER)].map(([, name = ""]) => names[name] ?? "");
  const below = isInside(folder, fixed) && folder !== fixed;
  const real = workBelow(folder, top.real);
  return used.every(isSafeName) && below && real !== undefined ? existing(folder, real) : refused;
}

/** A warning for each thing that is or may be wrong with the folders of runs. */
function problemsOfFolders(runs: readonly (readonly [Run, Workplace])[], base: string): Problem[] {
  const there = runs.filter(([, { wrong }]) => !wrong);
  const byFolder = Map.groupBy(there, ([, { folder }]) => folder);
  const kinds = [
    {
      code: "workspace-missing",
      its: runs.filter(([, { wrong }]) => wrong === "missing"),
      text: (first: string, of: string) =>
        `The input \`workspace\` matches no folder (first ${first}) for ${of}.`,
      help: "The judge grades without files: keep the folder the agent worked in, or correct the pattern; its placeholders are `{eval}`, `{task}` and `{run}`.",
    },
    {
      code: "workspace-refused",
      its: runs.filter(([, { wrong }]) => wrong === "refused"),
      text: (_first: string, of: string) =>
        `The input \`workspace\` leads out of its own folder for ${of}: refused, the judge grades without files.`,
      help: "The names that replace placeholders must not contain `..` or be absolute paths. Links must not lead out of the folder before the first placeholder, out of the repository, or into a `.git`.",
    },
    {
      // It has only the last run's files.
      code: "workspace-shared",
      its: [...byFolder.values()].filter((users) => users.length > 1).flat(),
      text: (first: string, of: string) =>
        `The input \`workspace\` names one folder (first ${first}) for several runs: of ${of}, the judge sees the files of the last one.`,
      help: "Give each run its own folder, with a pattern such as `workspaces/{task}/{run}`.",
    },
  ];
  return kinds.flatMap(({ code, its, text, help }) => {
    const [first] = its;
    if (!first) return [];
    const ids = new Set(its.map(([{ taskId }]) => taskId));
    const of = `the ${plural(ids.size, "task", "tasks")} ${listedCode(ids)}`;
    return warning(code, text(shownCode(first[1].folder, base), of), { help });
  });
}

function existing(folder: string, real: string): Workplace {
  return statsOf(real)?.isDirectory() ? { folder: real } : { folder, wrong: "missing" };
}

/** The real path of a name from results, below `top`; undefined if it leads elsewhere or into packages. */
function workBelow(path: string, top: string): string | undefined {
  const found = namedByFile(path, top);
  if ("refused" in found) return undefined;
  return relative(top, found.real).split(sep).some(isPackages) ? undefined : found.real;
}

/** True for a task id that is safe as a relative path; real ids contain `/` and `:`. */
function isSafeName(id: string): boolean {
  const parts = id.split(/[\\/]/);
  return !/^(?:[A-Za-z]:)?[\\/]|^\s*$|\0/.test(id) && !parts.includes("..") && !parts.includes(".");
}
