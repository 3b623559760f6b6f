/**
 * `task_sha256` of run.json: a hash of what a run is of, its skill, prompt and files alone. The runner writes it, and
 * grading compares it with that of the checkout: with another one, the run is of an older skill.
 */
import { type Skill, type Suite, type Task, skillsGiven } from "../domain/suite.ts";
import { digestsOf, taskFileDigests } from "../files/digest.ts";
import { skillFiles } from "../files/skill-files.ts";
import type { RunRecord } from "./run-json.ts";
import { once } from "../text/format.ts";
import { hashOf } from "../text/hash.ts";

/** What a run is of. */
interface DigestedTask {
  readonly suite: Suite;
  /** Absent for a run of a whole eval. */
  readonly task?: Task | undefined;
  readonly side?: "without-skill" | undefined;
}

/** Makes the function that gives the digest of the skills that an agent gets for a suite, empty without one; each is read once. */
export function skillDigests(): (suite: Suite) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return async (suite) => {
    const digestOf = (skill: Skill) =>
      once(known, JSON.stringify([suite.at.path, skill]), () => digestOfSkill(skill, suite));
    const all = await Promise.all(skillsGiven(suite).map(digestOf));
    return all.length > 1 ? hashOf(all) : (all[0] ?? "");
  };
}

/** Makes the function that gives `task_sha256`; each file is read once. */
export function taskDigests(ofSkill = skillDigests()): (of: DigestedTask) => Promise<string> {
  const ofFiles = taskFileDigests();
  const ofTask = async (task: Task) => {
    const { prompt = "", further } = task;
    const said = further === undefined ? prompt : hashOf([prompt, JSON.stringify(further)]);
    return hashOf([said, ...(await ofFiles(task))]);
  };
  return async ({ suite, task, side }) => {
    const tasks = task ? [task] : suite.tasks === "every" ? [] : suite.tasks;
    const skill = side === undefined ? await ofSkill(suite) : "";
    return hashOf([skill, ...(await Promise.all(tasks.map(ofTask)))]);
  };
}

/** What a run.json says of the task that the run is of. */
type OfTask = Pick<RunRecord, "eval" | "task" | "trigger" | "skill" | "side" | "taskSha256">;

/** What a run is of, by these evals; undefined where they do not have it. */
export function taskOfRun(
  suites: readonly Suite[],
  { eval: path, task: id, trigger, skill, side }: OfTask,
): DigestedTask | undefined {
  // A skill's evals.json may have the same prompt as a judged task, and a trigger eval queries of several skills.
  const isIts = (one: Suite) =>
    trigger === undefined ? !isOfTriggers(one) : isOfTriggers(one) && one.skill === skill;
  const isTask = (one: Task) => (trigger === undefined ? one.id === id : one.prompt === trigger);
  // An evals.json may be of several skills, a suite each.
  const found = suites
    .filter((one) => one.at.path === path && isIts(one))
    .map((suite) => ({ suite, task: suite.tasks === "every" ? undefined : suite.tasks.find(isTask), side }));
  const isOfEval = id === undefined && trigger === undefined;
  return found.find(({ task }) => task) ?? (isOfEval ? found[0] : undefined);
}

function isOfTriggers({ tasks }: Suite): boolean {
  return tasks !== "every" && tasks.some(({ shouldTrigger }) => shouldTrigger !== undefined);
}

/** Makes the function that says of a run whether its skill, prompt and files are others now; false where that is not known. */
export function olderRuns(suites: readonly Suite[]): (of: OfTask) => Promise<boolean> {
  const digestOf = taskDigests();
  return async (run) => {
    const of = taskOfRun(suites, run);
    return of !== undefined && run.taskSha256 !== undefined && (await digestOf(of)) !== run.taskSha256;
  };
}

/** The skill's files, without those that say what is judged. */
async function digestOfSkill({ name, folder }: Skill, suite: Suite): Promise<string> {
  const { files } = await skillFiles(folder, suite.root ?? folder, [suite]);
  return hashOf([name, ...(await digestsOf(files))]);
}
