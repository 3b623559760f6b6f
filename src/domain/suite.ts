/** The contents of eval files: suites, tasks, graders, rubrics, with their locations. */
import * as z from "zod/mini";
import { type Shaped, mark } from "../text/optional.ts";
import type { Problem, SourceSpan } from "./problem.ts";

/** Instructions for the judge that several graders can share: built in, or a text file of the repository. */
export const rubricShape = z.object({
  /** A built-in one's name, or the file's path in the repository. */
  name: z.string(),
  isFile: mark,
  /** Sent to the judge before the grader's prompt. */
  instructions: z.string(),
});

export type Rubric = Shaped<typeof rubricShape>;

/** One line of a skill's list, judged by itself; its number is its position in the list, from 1. */
export interface Statement {
  readonly text: string;
  readonly at: SourceSpan;
}

/** A `type: prompt` entry of an eval or task file. */
export interface Grader {
  readonly name: string;
  readonly weight: number;
  /** Instructions for the judge, verbatim; empty with a rubric alone. For a skill's eval, the numbered statements and the expected output. */
  readonly prompt: string;
  readonly rubric?: Rubric | undefined;
  /** Each statement gets a verdict, by its number. */
  readonly statements?: readonly Statement[] | undefined;
  readonly model?: string | undefined;
  /** The judge resumes the agent's session: its conversation is replayed before the prompt. */
  readonly continueSession?: true | undefined;
  /** The API's `reasoning_effort`. */
  readonly effort?: string | undefined;
  /** What of its eval is not judged; a doubt about each of its verdicts. */
  readonly unjudged?: string | undefined;
  /** Decides nothing, by the eval itself. */
  readonly advisory?: true | undefined;
  /** The name of an unsupported option; such a grader is errored. */
  readonly unsupported?: string | undefined;
  readonly at: SourceSpan;
}

/** A file that the task names: its text, where it lies (absolute, inside the repository, links resolved), or why it is not there. */
export type TaskFile = { readonly name: string } & (
  { readonly content: string } | { readonly path: string } | { readonly missing: Problem }
);

/** What the user says next, once the agent has ended its turn. */
export interface FollowUp {
  readonly prompt: string;
  /** Sent only where the agent's answer asks: it holds a question mark. */
  readonly ifAsked?: true | undefined;
}

/** The turns after the first: texts of the eval, one after the other; or those of a model that plays the user. */
export type FurtherTurns =
  | { readonly by: "script"; readonly turns: readonly FollowUp[] }
  | {
      readonly by: "model";
      readonly instructions: string;
      /** The most turns that it may make. */
      readonly most: number;
      /** Absent for the judge's. */
      readonly model?: string | undefined;
    };

/** A task of the agent. `graders` are the task's own, without the suite's. */
export interface Task {
  readonly id: string;
  readonly name: string;
  readonly prompt?: string | undefined;
  readonly further?: FurtherTurns | undefined;
  readonly enabled: boolean;
  readonly graders: readonly Grader[];
  /** Names of graders of other types, which only waza runs. */
  readonly otherGraders: readonly string[];
  /** Files the agent was given; `name` as in the task. */
  readonly files: readonly TaskFile[];
  /** The folder the task gave: `inputs.context.fixture`, else `context_dir`; absolute, inside the repository, links resolved. */
  readonly contextDir?: string | undefined;
  /** Of a trigger eval: whether the agent should load the skill; of one without a skill, false for none of all. */
  readonly shouldTrigger?: boolean | undefined;
  /** A judged task for which an agent should not load the skill: `should_trigger: false` in a skill's evals. */
  readonly isControl?: boolean | undefined;
  /** The task has to pass, no matter the score. */
  readonly golden?: boolean | undefined;
  /** Absent for a row of a table, and for a task that only results name. */
  readonly at?: SourceSpan | undefined;
}

/** What a task has that is neither graded nor given files. */
export const BARE_TASK = { enabled: true, graders: [], otherGraders: [], files: [] } as const;

/** A skill of the repository. */
export interface Skill {
  /** The `name` of its SKILL.md, else its folder's. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
}

/** One eval file with its tasks and graders. */
export interface Suite {
  /** The eval's `name`, which results carry as `eval_name`; absent when the file gives none. */
  readonly name?: string | undefined;
  /** The suite's title on pages: its name, else its file. */
  readonly title: string;
  /** Distinguishes suites of the same title; absent when the title is unique. */
  readonly key?: string | undefined;
  readonly at: SourceSpan;
  /** The judge of graders that name none: `.waza.yaml`'s, else the eval's own. */
  readonly judgeModel?: string | undefined;
  /** The eval's own `judge_reasoning_effort`, for graders that name none. */
  readonly judgeEffort?: string | undefined;
  readonly graders: readonly Grader[];
  /** Names of graders of other types, which only waza runs. */
  readonly otherGraders: readonly string[];
  /** `every` when the file names no tasks and none lie beside it: each task of the results is graded. */
  readonly tasks: readonly Task[] | "every";
  /** Runs of each task that waza makes; the results say how many they hold. */
  readonly trials?: number | undefined;
  /** True when one of its files has an error: no judge call is made for it. */
  readonly broken: boolean;
  /** The input `eval` names this very file, not by a wildcard. */
  readonly named?: boolean | undefined;
  /** The name of the tested skill. */
  readonly skill?: string | undefined;
  /** The tested skill, where it was found: the nearest at or above the eval, else the one of that name. */
  readonly tested?: Skill | undefined;
  /** Of trigger evals that name skills: all of the repository, which their agent gets. */
  readonly among?: readonly Skill[] | undefined;
  /** The CSV file of its tasks, relative to `root` with `/`. */
  readonly table?: string | undefined;
  /** The root of its repository, absolute. */
  readonly root?: string | undefined;
  /** Its own file and the files and folders that it and its tasks name, relative to `root` with `/`. */
  readonly parts?: readonly string[] | undefined;
}

/** The name of a project's defaults, which may name the judge. */
export const PROJECT_CONFIG = ".waza.yaml";

/** What outputs may be named for and is not graded here: another eval, a skill, a suite of the baseline. */
export type OtherEval = Pick<Suite, "title" | "at">;

/** The title of trigger evals for which none of all skills should be loaded. */
export const NO_SKILL = "no skill";

/** The skills that an agent gets: the tested one, or all among which it chooses. */
export function skillsGiven({ tested, among }: Pick<Suite, "tested" | "among">): readonly Skill[] {
  return among ?? (tested ? [tested] : []);
}

/** The names by which a client may call the skill that a suite tests; empty where it tests none. */
export function skillNames({ tested, skill }: Suite): readonly string[] {
  const folder = tested?.folder.split(/[\\/]/).at(-1);
  return [...new Set([tested?.name, skill, folder].flatMap((name) => name || []))];
}

/**
 * The files that say what is judged, and by which model, relative to the repository's root: the eval, its tasks, their
 * table, rubrics, and each `.waza.yaml` that could be its own, there or not.
 */
export function evalFilesOf(suite: Suite): readonly string[] {
  const tasks = suite.tasks === "every" ? [] : suite.tasks.flatMap(({ at }) => at?.path ?? []);
  const folders = suite.at.path.split("/").slice(0, -1);
  const configs = ["", ...folders].map((_, depth) => [...folders.slice(0, depth), PROJECT_CONFIG].join("/"));
  const table = suite.table === undefined ? [] : [suite.table];
  return [...new Set([suite.at.path, ...tasks, ...table, ...rubricFilesOf(suite), ...configs])];
}

/** The rubric files of a suite's graders, relative to the repository's root. */
export function rubricFilesOf({ graders, tasks }: Suite): readonly string[] {
  const all = [...graders, ...(tasks === "every" ? [] : tasks.flatMap((task) => task.graders))];
  return all.flatMap(({ rubric }) => (rubric?.isFile ? rubric.name : []));
}

/** waza runs the eval's graders and the task's; a task's grader replaces the eval's of the same name. */
export function gradersOf(suite: Suite, task: Task): readonly Grader[] {
  const replaced = new Set([...task.graders.map(({ name }) => name), ...task.otherGraders]);
  return [...suite.graders.filter(({ name }) => !replaced.has(name)), ...task.graders];
}
