/** The evals that a repository has already, and an agent's workflow written for them. */
import { posix } from "node:path";
import type { Suite } from "../domain/suite.ts";
import { isError } from "../text/problem.ts";
import { loadSuites } from "../waza/load-suite.ts";
import type { Agent } from "./flags.ts";

/** The eval that init writes where there is none. */
export const FIRST = "evals/first/eval.yaml";

/** What of them stands in a workflow. */
export interface OwnEvals {
  readonly paths: readonly string[];
  /** The task files, as the words of a shell's `for`; for waza, which finds them itself, empty. */
  readonly tasks: string;
  /** What names them at the command line; empty where they are found by themselves. */
  readonly flags: string;
  /** Judge models that their graders name themselves. */
  readonly judgeModels: readonly string[];
}

/**
 * The evals of a folder that `named` matches, without it all there are; undefined where there is none but the one that
 * init writes. Throws where a name cannot be written into a workflow, and where an agent's log could not tell its task.
 */
export async function ownEvals(
  named: readonly string[] | undefined,
  { folder, agent }: { readonly folder: string; readonly agent: Agent },
): Promise<OwnEvals | undefined> {
  const { suites, problems } = await loadSuites(named, folder);
  const wrong = named && suites.length === 0 ? problems.find(isError) : undefined;
  if (wrong) throw new Error(wrong.message.replace(/\.$/, ""));
  const paths = suites.map(({ at }) => at.path);
  if (paths.every((path) => path === FIRST)) return undefined;
  const tasks = agent === "waza" ? "" : taskFiles(suites).join(" ");
  const graders = suites.flatMap((suite) => [
    ...suite.graders,
    ...(suite.tasks === "every" ? [] : suite.tasks.flatMap((task) => task.graders)),
  ]);
  const judgeModels = [...new Set(graders.flatMap(({ model }) => model ?? []))];
  return { paths, tasks, judgeModels, flags: (named ?? []).map((one) => `--eval ${inShell(one)}`).join(" ") };
}

/** Where an agent's task files lie: `folder/*.yaml`, or each of them where the eval lies beside them. */
function taskFiles(suites: readonly Suite[]): string[] {
  const evals = new Map<string, string>();
  const files = suites.flatMap(({ tasks, at, broken }) => {
    if (tasks === "every" || tasks.length === 0)
      throw new Error(
        broken
          ? `${at.path} has an error, which \`npx waza-grade --dry-run\` tells`
          : `${at.path} names no tasks: name other evals by --eval`,
      );
    return tasks.map((task) => {
      const other = evals.get(task.id);
      if (other !== undefined && other !== at.path)
        throw new Error(
          `${other} and ${at.path} both have a task \`${task.id}\`, and a log of an agent says no more than that: name one of them by --eval`,
        );
      evals.set(task.id, at.path);
      if (task.at === undefined)
        throw new Error(
          `${at.path} has its tasks in a table, which only waza runs: take --agent waza, or name other evals by --eval`,
        );
      const folder = posix.dirname(task.at.path);
      const isBeside = suites.some(({ at: { path } }) => posix.dirname(path) === folder);
      return isBeside ? inShell(task.at.path) : `${inShell(`${folder}/`)}*${posix.extname(task.at.path)}`;
    });
  });
  return [...new Set(files)];
}

/** A path as a shell and YAML take it; throws for what either would take for something else. */
function inShell(path: string): string {
  if (/^[\w./@+-]+$/.test(path)) return path;
  if (/^[\p{L}\p{N}\p{M} ._/@+,=()!*{}[\]?-]+$/u.test(path)) return `'${path}'`;
  throw new Error(`the name \`${path}\` would mean something else to a shell: rename it`);
}

/** The lines of a template that are about the first eval's prompts, and what stands there for evals of all shapes. */
const PROMPTS = /^ +for prompt in .*\n.*\n.*\n.*\n/m;
const TASKS = `          for file in $TASKS; do # GitHub's own runners have yq
            task=$(yq -e .id "$file" | tr /: __)
            text=$(cd "$(dirname "$file")" && yq -e '.inputs.prompt // load_str(.inputs.prompt_file)' "\${file##*/}")
            mkdir -p "$OUT/work/$task" # empty: copy the skill and the files of the task into it
`;

/** The template of an agent, which is about the first eval, for these. */
export function workflowFor(template: string, { paths, tasks }: OwnEvals): string {
  const each = paths.map((path, index) => {
    const file = paths.length === 1 ? "results" : `results-${String(index + 1)}`;
    return `          waza run ${inShell(path)} --skip-graders -o "$OUT/${file}.json" || echo "waza failed on ${path}"\n`;
  });
  const named =
    paths.length === 1 ? ` ${paths[0] ?? ""}` : ` |${paths.map((path) => `\n            ${path}`).join("")}`;
  return template
    .replace(" of evals/first,", " of your evals,")
    .replace(PROMPTS, () => TASKS.replace("$TASKS", () => tasks))
    .replace(/^ +waza run .*\n/m, () => each.join(""))
    .replace(/^( +eval:) .*$/m, (_, key: string) => `${key}${named}`);
}
