/**
 * Trigger evals of skills: whether an agent loads the skill for a query. They are run as tasks of a suite of their own,
 * and no judge decides them.
 */
import { basename, dirname, relative } from "node:path";
import type { Suite, Task } from "../domain/suite.ts";
import type { Problem } from "../domain/problem.ts";
import { fieldsOf, placelessEntry } from "./entry.ts";
import { MOST_EVAL_BYTES } from "./limits.ts";
import { problem } from "./problems.ts";
import { DECISIVE, FIELDS, LABELS } from "./schema.ts";
import {
  type SkillFile,
  type Trigger,
  hasStatements,
  isFilled,
  readLists,
  skillFolder,
} from "./skill-file.ts";
import { withTested } from "./skills.ts";
import { readSource } from "./source.ts";
import { follow, repositoryRoot, slashes, wholeFile } from "../files/confine.ts";
import { findFiles } from "../files/find.ts";
import { readEach, readText } from "../files/read.ts";
import { jsonOf, listedCode } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Runs of a trigger eval, as in skill-creator. */
const TRIGGER_TRIALS = 3;

/** The trigger evals of a repository: a suite for each file and skill; a query of a skill is run once. */
export async function loadTriggers(
  workspace: string,
): Promise<{ readonly suites: readonly Suite[]; readonly problems: readonly Problem[] }> {
  const files = await triggerFiles(workspace);
  const read = await readEach(files, (file) => triggersOf(file, workspace));
  const seen = new Set<string>();
  const suites = read.flatMap(({ triggers }, index) =>
    suitesOf(files[index] ?? "", triggers, { workspace, seen }),
  );
  const tested = await withTested(suites, workspace);
  return {
    suites: tested.map((suite) => ({ ...suite, skill: suite.tested?.name ?? suite.skill })),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** The files in which trigger evals are searched for. */
export async function triggerFiles(workspace: string): Promise<readonly string[]> {
  const left = ["!**/.waza-grade/**", "!**/*-workspace/**"];
  return await findFiles(["**/evals/*.json", "**/evals/*/{evals,*trigger*}.json", ...left], workspace);
}

/** The trigger evals of a file; files that hold none, and are not called so, are none of them. */
async function triggersOf(
  file: string,
  workspace: string,
): Promise<{ readonly triggers: readonly Trigger[]; readonly problems: readonly Problem[] }> {
  const nothing = { triggers: [], problems: [] };
  const at = wholeFile(file, workspace);
  const text = await readText(file, MOST_EVAL_BYTES);
  const data = "text" in text ? placelessEntry(jsonOf(text.text), at) : undefined;
  const isCalledSo = basename(file).includes("trigger");
  if (!isCalledSo && !(data && readLists(data, file).triggers.length > 0)) return nothing;
  const source = await readSource(file, workspace);
  if (!("root" in source)) return { triggers: [], problems: [source] };
  const lists = readLists(source.root, file);
  const { triggers, evals, unread } = lists;
  if (triggers.length > 0) return { triggers, problems: [...source.warnings, ...listProblems(lists)] };
  return evals.length + unread.length === 0
    ? nothing
    : { triggers: [], problems: [problem("noTriggers", at)] };
}

/** What of trigger evals is not read, and the lists that nothing reads. */
export function listProblems({ triggers, unread, unreadTriggers }: SkillFile): Problem[] {
  const all = triggers.flatMap(({ entry }) => (hasStatements(entry.value) ? [] : fieldsOf(entry)));
  const fields = [...new Map(all.map((field) => [String(field.key), field])).values()];
  const wrong = fields.flatMap((field) => {
    const key = String(field.key);
    const meant = FIELDS.prompt.some((one) => one === key) ? undefined : closest(key, DECISIVE);
    return meant === undefined || meant === key ? [] : { field, meant };
  });
  const left = fields.filter((field) => {
    const mayMatter = typeof field.value === "object" || FIELDS.expected.some((one) => one === field.key);
    const isWrong = wrong.some((one) => one.field === field);
    return mayMatter && !isWrong && isFilled(field.value) && !LABELS.has(String(field.key));
  });
  const names = listedCode(left.map(({ key }) => String(key)));
  return [
    ...unread.map(({ keyAt, name }) => problem("unreadList", keyAt, name)),
    ...unreadTriggers.map(({ at, name }) => problem("unreadTrigger", at, name)),
    ...wrong.map(({ field, meant }) => problem("misspelledKey", field.keyAt, String(field.key), meant)),
    ...(left[0] ? [problem("unreadOfTriggers", left[0].keyAt, names)] : []),
  ];
}

/** A suite for each skill that a file has trigger evals of; `seen` are the queries of all files so far, with their skills. */
function suitesOf(
  file: string,
  triggers: readonly Trigger[],
  { workspace, seen }: { readonly workspace: string; readonly seen: Set<string> },
): Suite[] {
  const root = repositoryRoot(file, workspace);
  const folder = skillFolder(dirname(file));
  const own = basename(follow(folder).real);
  const bySkill = Map.groupBy(triggers, ({ skill = own }) => skill);
  return [...bySkill].flatMap(([skill, mine]): Suite[] => {
    const fresh = mine.filter(({ query }) => {
      const key = JSON.stringify([skill, query]);
      return !seen.has(key) && seen.add(key);
    });
    if (fresh.length === 0) return [];
    return [
      {
        title: skill,
        at: wholeFile(file, workspace),
        graders: [],
        otherGraders: [],
        tasks: fresh.map(taskOf),
        trials: TRIGGER_TRIALS,
        broken: false,
        skill,
        root,
        parts: [file, folder].map((path) => slashes(relative(root, path))),
      },
    ];
  });
}

function taskOf({ query, shouldTrigger }: Trigger): Task {
  const id = `trigger: ${query}`;
  return {
    id,
    name: id,
    prompt: query,
    enabled: true,
    shouldTrigger,
    graders: [],
    otherGraders: [],
    files: [],
  };
}
