/**
 * Trigger evals of skills: whether an agent loads the skill for a query, or which of all. They are run as tasks of a suite of their own,
 * and no judge decides them.
 */
import { basename, dirname, join, relative } from "node:path";
import { BARE_TASK, NO_SKILL, type Skill, type Suite, type Task } from "../domain/suite.ts";
import type { Problem } from "../domain/problem.ts";
import { type Entry, eachOf, fieldsOf, keysOf, namesOf } from "./entry.ts";
import { misspelling } from "./unknown-keys.ts";
import { oneProblem, problem } from "./problems.ts";
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
import { skillAbove, skillNamed, skillsIn } from "./skills.ts";
import { lookInto, readSource } from "./source.ts";
import { follow, repositoryRoot, slashes, wholeFile } from "../files/confine.ts";
import { findFiles } from "../files/find.ts";
import { readEach, textOfFile } from "../files/read.ts";
import { jsonOf, listedCode, sumOf } from "../text/format.ts";

/** Runs of a trigger eval, as in skill-creator. */
const TRIGGER_TRIALS = 3;

export interface LoadedTriggers {
  readonly suites: readonly Suite[];
  /** Those of which no skill is here: they are not run. */
  readonly without: readonly Suite[];
  readonly problems: readonly Problem[];
}

/**
 * The trigger evals of a repository: a suite for each file and skill; a query of a skill is run once. For a query that
 * names the skill to load, or none, the agent gets all of them.
 */
export async function loadTriggers(workspace: string): Promise<LoadedTriggers> {
  const files = await triggerFiles(workspace);
  const read = await readEach(files, (file) => triggersOf(file, workspace));
  const skills = read.some(({ triggers }) => triggers.length > 0) ? await skillsIn(workspace) : [];
  const seen = new Set<string>();
  const all = read.flatMap((one) => suitesOf(one, { workspace, seen, skills }));
  const without = all.filter(({ tested, title }) => tested === undefined && title !== NO_SKILL);
  const unknown = without.filter(({ among }) => among);
  return {
    suites: all.filter((suite) => !without.includes(suite)),
    without,
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...without.flatMap((one) =>
        one.among ? [] : problem("triggers-without-skill", one.at, one.skill, one.tasks.length),
      ),
      ...oneProblem(
        "unknown-skills",
        unknown.map(({ at }) => at),
        unknown.map(({ title }) => title),
        sumOf(unknown.map(({ tasks }) => tasks.length)),
      ),
    ],
  };
}

/** The files in which trigger evals are searched for. */
export async function triggerFiles(workspace: string): Promise<readonly string[]> {
  const left = ["!**/.waza-grade/**", "!**/*-workspace/**"];
  return await findFiles(["**/evals/*.json", "**/evals/*/{evals,*trigger*}.json", ...left], workspace);
}

interface TriggersOfFile {
  readonly file: string;
  readonly triggers: readonly Trigger[];
  readonly problems: readonly Problem[];
}

/** The trigger evals of a file; files that hold none, and are not called so, are none of them. */
async function triggersOf(file: string, workspace: string): Promise<TriggersOfFile> {
  const nothing = { file, triggers: [], problems: [] };
  const isOne = (lists: SkillFile) => lists.triggers.length + unclearIn(lists).length > 0;
  const look = await lookInto(file, workspace);
  if (!basename(file).includes("trigger") && !(look && isOne(readLists(look, file)))) return nothing;
  const source = await readSource(file, workspace);
  if (!("root" in source)) return { ...nothing, problems: [source] };
  const lists = readLists(source.root, file);
  const { triggers, evals, unread } = lists;
  if (isOne(lists)) return { file, triggers, problems: [...source.warnings, ...listProblems(lists)] };
  return evals.length + unread.length === 0
    ? nothing
    : { ...nothing, problems: [problem("no-triggers", wholeFile(file, workspace))] };
}

/** The fields of queries that say which skill should be loaded, in no way that is known. */
function unclearIn({ unread }: SkillFile): Entry[] {
  return unread.flatMap(eachOf).flatMap((entry) => whichSkill(entry) ?? []);
}

/** What of trigger evals is not read, and the lists that nothing reads. */
export function listProblems(lists: SkillFile): Problem[] {
  const { triggers, unread } = lists;
  const all = triggers.flatMap(({ entry }) => (hasStatements(entry.value) ? [] : fieldsOf(entry)));
  const fields = [...new Map(all.map((field) => [String(field.key), field])).values()];
  const isPrompt = ({ key }: Entry) => FIELDS.prompt.some((one) => one === key);
  const wrong = new Map(
    fields.map((field) => [field, isPrompt(field) ? undefined : misspelling(field, DECISIVE)]),
  );
  const left = fields.filter((field) => {
    const mayMatter = typeof field.value === "object" || FIELDS.expected.some((one) => one === field.key);
    return mayMatter && !wrong.get(field) && isFilled(field.value) && !LABELS.has(String(field.key));
  });
  const unclear = unclearIn(lists);
  const bare = unread.filter((one) => eachOf(one).every((entry) => whichSkill(entry) === undefined));
  return [
    ...oneProblem("which-skill", keysOf(unclear), namesOf(unclear)),
    ...oneProblem("unread-list", keysOf(bare), listedCode(bare.map(({ name }) => name))),
    ...[...wrong.values()].flatMap((one) => one ?? []),
    ...oneProblem("unread-of-triggers", keysOf(left), namesOf(left)),
  ];
}

/** The skill that the evals.json beside a file names; where neither says one, the only skill that there is. */
function skillBeside(file: string, skill: string | undefined, skills: readonly Skill[]): Skill | undefined {
  const named = skill ?? textAt(jsonOf(textOfFile(join(dirname(file), "evals.json"))), FIELDS.skill);
  return named === undefined && skills.length === 1 ? skills[0] : skillNamed(named, skills);
}

/** A suite for each skill that a file has trigger evals of; `seen` are the queries of all files so far, with their skills. */
function suitesOf(
  { file, triggers }: Pick<TriggersOfFile, "file" | "triggers">,
  {
    workspace,
    seen,
    skills,
  }: { readonly workspace: string; readonly seen: Set<string>; readonly skills: readonly Skill[] },
): Suite[] {
  const root = repositoryRoot(file, workspace);
  const at = wholeFile(file, workspace);
  const folder = skillFolder(dirname(file));
  const ownSkill = (skill: string | undefined) =>
    skillNamed(skill, skills) ?? skillAbove(file, root) ?? skillBeside(file, skill, skills);
  const isOfSkills = triggers.some(({ named }) => named !== undefined);
  // Beside queries that name skills, one that should load nothing may have none of its own.
  const isOfAll = ({ named, skill, shouldTrigger }: Trigger) =>
    named !== undefined || (isOfSkills && !shouldTrigger && !ownSkill(skill));
  const isNew = (key: string) => !seen.has(key) && seen.add(key);
  return [false, true].flatMap((isAmong) => {
    const mine = triggers.filter((one) => isOfAll(one) === isAmong);
    const among = isAmong ? [...new Map(skills.map((one) => [one.name, one])).values()] : undefined;
    const bySkill = Map.groupBy(mine, ({ named, skill }) => (isAmong ? (named ?? NO_SKILL) : skill));
    return [...bySkill].flatMap(([skill, its]): Suite[] => {
      const title = skill ?? basename(follow(folder).real);
      // Runs of one file are known by skill and query.
      const fresh = its.filter(
        ({ query }) =>
          isNew(JSON.stringify([file, title, query])) && isNew(JSON.stringify([title, isAmong, query])),
      );
      if (fresh.length === 0) return [];
      const tested = skill === NO_SKILL ? undefined : isAmong ? skillNamed(skill, skills) : ownSkill(skill);
      return [
        {
          title,
          at,
          graders: [],
          otherGraders: [],
          tasks: fresh.map(taskOf),
          trials: TRIGGER_TRIALS,
          broken: false,
          skill: tested?.name ?? (skill === NO_SKILL ? undefined : skill),
          tested,
          among,
          root,
          parts: [file, folder, ...(among ?? []).map((one) => one.folder)].map((path) =>
            slashes(relative(root, path)),
          ),
        },
      ];
    });
  });
}

function taskOf({ query, shouldTrigger, named }: Trigger): Task {
  const id = `trigger: ${query}`;
  const wants = named === undefined ? shouldTrigger === true : named !== null;
  return { ...BARE_TASK, id, name: id, prompt: query, shouldTrigger: wants };
}
