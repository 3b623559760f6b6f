/**
 * Trigger evals of skills: whether an agent loads the skill for a query. They are run as tasks of a suite of their own,
 * and no judge decides them.
 */
import { basename, dirname, relative, resolve } from "node:path";
import { BARE_TASK, type Skill, type Suite, type Task } from "../domain/suite.ts";
import type { Problem } from "../domain/problem.ts";
import { fieldsOf, itemsOf, namesOf, placelessEntry } from "./entry.ts";
import { problem } from "./problems.ts";
import { DECISIVE, FIELDS, LABELS } from "./schema.ts";
import {
  type SkillFile,
  type Trigger,
  hasStatements,
  isFilled,
  readLists,
  whichSkill,
  skillFolder,
  textAt,
} from "./skill-file.ts";
import { skillNamed, skillsIn, withTested } from "./skills.ts";
import { MOST_EVAL_BYTES, readSource } from "./source.ts";
import { follow, repositoryRoot, slashes, wholeFile } from "../files/confine.ts";
import { findFiles } from "../files/find.ts";
import { readEach, readText, textOfFile } from "../files/read.ts";
import { jsonOf, listedCode } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Runs of a trigger eval, as in skill-creator. */
const TRIGGER_TRIALS = 3;

interface LoadedTriggers {
  readonly suites: readonly Suite[];
  /** Those of which no skill is here: they are not run. */
  readonly without: readonly Suite[];
  readonly problems: readonly Problem[];
}

/** The trigger evals of a repository: a suite for each file and skill; a query of a skill is run once. */
export async function loadTriggers(workspace: string): Promise<LoadedTriggers> {
  const files = await triggerFiles(workspace);
  const read = await readEach(files, (file) => triggersOf(file, workspace));
  const seen = new Set<string>();
  const suites = read.flatMap(({ triggers }, index) =>
    suitesOf(files[index] ?? "", triggers, { workspace, seen }),
  );
  const skills = suites.length === 0 ? [] : await skillsIn(workspace);
  const tested = (await withTested(suites, workspace)).map((suite): Suite => {
    const skill = skillNamed(suite.skill, skills) ?? suite.tested ?? skillBeside(suite, skills);
    return { ...suite, tested: skill, skill: skill?.name ?? suite.skill };
  });
  const without = tested.filter((suite) => suite.tested === undefined);
  return {
    suites: tested.filter((suite) => suite.tested !== undefined),
    without,
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...without.map(({ at, skill, tasks }) => problem("triggers-without-skill", at, skill, tasks.length)),
    ],
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
  const [which, ...more] = unread.flatMap(itemsOf).flatMap((entry) => whichSkill(entry) ?? []);
  if (which)
    return {
      triggers: [],
      problems: [problem("which-skill", which.keyAt, namesOf([which]), more.length + 1)],
    };
  return evals.length + unread.length === 0
    ? nothing
    : { triggers: [], problems: [problem("no-triggers", at)] };
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
    ...unread.map(({ keyAt, name }) => problem("unread-list", keyAt, name)),
    ...unreadTriggers.map(({ at, name }) => problem("unread-trigger", at, name)),
    ...wrong.map(({ field, meant }) => problem("misspelled-key", field.keyAt, String(field.key), meant)),
    ...(left[0] ? [problem("unread-of-triggers", left[0].keyAt, names)] : []),
  ];
}

/** The skill that the evals.json beside a file names; where neither says one, the only skill that there is. */
function skillBeside({ at, root = "", skill }: Suite, skills: readonly Skill[]): Skill | undefined {
  const beside = resolve(root, dirname(at.path), ...["evals.json"]);
  const named = skill ?? textAt(jsonOf(textOfFile(beside)), FIELDS.skill);
  return named === undefined && skills.length === 1 ? skills[0] : skillNamed(named, skills);
}

/** A suite for each skill that a file has trigger evals of; `seen` are the queries of all files so far, with their skills. */
function suitesOf(
  file: string,
  triggers: readonly Trigger[],
  { workspace, seen }: { readonly workspace: string; readonly seen: Set<string> },
): Suite[] {
  const root = repositoryRoot(file, workspace);
  const folder = skillFolder(dirname(file));
  const bySkill = Map.groupBy(triggers, ({ skill }) => skill);
  return [...bySkill].flatMap(([skill, mine]): Suite[] => {
    const title = skill ?? basename(follow(folder).real);
    const fresh = mine.filter(({ query }) => {
      const key = JSON.stringify([title, query]);
      return !seen.has(key) && seen.add(key);
    });
    if (fresh.length === 0) return [];
    return [
      {
        title,
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
  return { ...BARE_TASK, id, name: id, prompt: query, shouldTrigger };
}
