/** Existing evals of a repository, and the workflow for them. */
import { posix } from "node:path";
import type { Suite } from "../domain/suite.ts";
import { isError } from "../text/problem.ts";
import { loadSuites } from "../skills/load-suites.ts";
import type { Agent } from "./flags.ts";

/** The eval that `init` writes. */
export const FIRST = "evals/first/eval.yaml";

/** What the workflow needs to know of the evals. */
export interface OwnEvals {
  readonly paths: readonly string[];
  /** Command that lists waza's eval files; undefined without any. */
  readonly waza?: string | undefined;
  /** The same for evals.json. */
  readonly skills?: string | undefined;
  /** Lines of the input `eval`; empty when the action finds the evals without it. */
  readonly inputs: readonly string[];
  /** Flags that name them at the command line. */
  readonly flags: string;
  /** Judge models that graders name. */
  readonly judgeModels: readonly string[];
}

/**
 * The evals of a folder that match `named`, or all of them; undefined when there is only the one that `init` writes.
 * Throws when a name cannot be written into a workflow, and when the agent cannot run an eval.
 */
export async function ownEvals(
  named: readonly string[] | undefined,
  { folder, agent }: { readonly folder: string; readonly agent: Agent },
): Promise<OwnEvals | undefined> {
  const loaded = await loadSuites(named, folder);
  const wrong = named && loaded.suites.length === 0 ? loaded.problems.find(isError) : undefined;
  if (wrong) throw new Error(wrong.message.replace(/\.$/, ""));
  const suites = agent === "waza" ? loaded.suites.filter((suite) => !isJson(suite)) : loaded.suites;
  if (suites.length < loaded.suites.length && suites.length === 0)
    throw new Error("waza does not run evals.json: choose another agent with --agent");
  const paths = suites.map(({ at }) => at.path);
  if (paths.every((path) => path === FIRST)) return undefined;
  if (agent !== "waza") refuseUnrunnable(suites);
  const [json, yaml] = [suites.filter(isJson), suites.filter((suite) => !isJson(suite))];
  const graders = suites.flatMap((suite) => [
    ...suite.graders,
    ...(suite.tasks === "every" ? [] : suite.tasks.flatMap((task) => task.graders)),
  ]);
  return {
    paths,
    judgeModels: [...new Set(graders.flatMap(({ model }) => model ?? []))],
    waza: yaml.length === 0 ? undefined : lister(yaml, named !== undefined),
    skills: json.length === 0 ? undefined : lister(json, named !== undefined),
    inputs: named ? paths : suites.length < loaded.suites.length ? ["**/eval.yaml"] : [],
    flags: (named ?? []).map((one) => `--eval ${inShell(one)}`).join(" "),
  };
}

/** True for the evals.json of a skill. */
function isJson({ at }: Suite): boolean {
  return at.path.endsWith(".json");
}

function refuseUnrunnable(suites: readonly Suite[]): void {
  for (const { tasks, at, broken } of suites) {
    if (tasks === "every" || tasks.length === 0)
      throw new Error(
        broken
          ? `${at.path} has an error, which a run with --dry-run reports`
          : `${at.path} has no tasks: choose other evals with --eval`,
      );
    if (tasks.some((task) => task.at === undefined))
      throw new Error(
        `${at.path} has its tasks in a table, which only waza runs: use --agent waza, or choose other evals with --eval`,
      );
  }
  const titles = Map.groupBy(suites, ({ title }) => title);
  for (const [title, [first, second]] of titles)
    if (first && second)
      throw new Error(
        `${first.at.path} and ${second.at.path} have the same name ${title}, and logs are matched by this name: rename one, or choose one by --eval`,
      );
}

/** A shell command that prints the path of each eval file: the named ones, or all with these file names, later ones too. */
function lister(suites: readonly Suite[], isNamed: boolean): string {
  const paths = suites.map(({ at }) => at.path);
  if (isNamed) return `printf '%s\\n' ${paths.map(inShell).join(" ")}`;
  const names = new Set(
    paths.map((path) => (path.endsWith(".json") ? "*/evals/" : "") + posix.basename(path)),
  );
  const tests = [...names].map((name) => (name.includes("/") ? `-path '${name}'` : `-name ${inShell(name)}`));
  const any = tests.length === 1 ? tests[0] : `'(' ${tests.join(" -o ")} ')'`;
  return `find . ${any ?? ""} -not -path '*/node_modules/*'`;
}

/** A path for shell and YAML; throws when either would misread it. */
function inShell(path: string): string {
  if (/^[\w./@+-]+$/.test(path)) return path;
  if (/^[\p{L}\p{N}\p{M} ._/@+,=()!*{}[\]?-]+$/u.test(path)) return `'${path}'`;
  throw new Error(`the name \`${path}\` has a special meaning in a shell: rename it`);
}

/** The loop over waza's evals in a template. */
const WAZA = /^ {10}find \. -name eval\.yaml .*(\|[^]*?^ {10}done\n)/m;

/** The loop over evals.json, with jq, which runners have. */
const SKILLS = ` | while read -r file; do
            folder=$(cd "$(dirname "$file")/.." && pwd)
            name=$(jq -r 'objects | .skill_name // .skill // empty' "$file" | tr /: __) && name=\${name:-\${folder##*/}}
            jq -c '(.evals? // .test_cases? // .cases? // .) | to_entries[] | .value + {id: (.value.id // .value.eval_id // .key + 1)}
              | select(.assertions // .expectations // .expected_behavior // .rubric // .expected_output // .ground_truth)' \\
              "$file" | while read -r eval; do
              id=$(jq -r .id <<< "$eval" | tr /: __) && work=$OUT/work/$name/$id && mkdir -p "$work"
              jq -r '[.files] | flatten[] | strings' <<< "$eval" | while read -r path; do
                base=$folder && [ -e "$base/$path" ] || base=$folder/evals
                tar -C "$base" -cf - -- "$path" | tar -C "$work" -xf -
              done
              text=$(jq -r '.prompt // .question // .query // .input // .task' <<< "$eval")
              run
            done
          done
`;

/** An agent's template, changed to loop over these evals. */
export function workflowFor(template: string, { waza, skills, inputs }: OwnEvals): string {
  const named = inputs.map((path) => `            ${path}\n`).join("");
  return template
    .replace(WAZA, (_, body: string) =>
      [waza && `          ${waza} ${body}`, skills && `          ${skills}${SKILLS}`]
        .filter(Boolean)
        .join(""),
    )
    .replace(/^ {10}results: /m, (line) => (named === "" ? line : `          eval: |\n${named}${line}`));
}
