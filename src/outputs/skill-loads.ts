/** Which skills an agent loaded, by the steps of its log: with the client's tool, from the skill's file, or since the user named it. */
import { basename, join } from "node:path";
import type { ClientFacts, LoggedSkill, SkillCall, Step } from "../domain/run.ts";
import type { Skill } from "../domain/suite.ts";
import { textOfFile } from "../files/read.ts";
import { jsonOf, once } from "../text/format.ts";

const FILE = "SKILL.md";

/** The client's tool that loads a skill, and the arguments that may hold its name. */
export interface SkillTool {
  readonly tool: string;
  readonly names: readonly string[];
}

interface Loading {
  /** Null of a client without such a tool; undefined where its log does not have all ways of loading. */
  readonly tool: SkillTool | null | undefined;
  /** Where the client says that the skills are; the last of a name counts. */
  readonly from?: readonly LoggedSkill[] | undefined;
  /** Those of the repository, of whose files a line is known. */
  readonly skills?: readonly Skill[] | undefined;
}

/** The skills that were called for or loaded, in each way; undefined where the log does not say which were. */
export function skillCallsOf(
  steps: readonly Step[],
  { tool, from = [], skills = [] }: Loading,
): readonly SkillCall[] | undefined {
  const withoutTool = [...skillsShown(steps), ...skills.flatMap((skill) => readsOf(steps, skill))];
  if (tool === undefined && withoutTool.length === 0) return undefined;
  const calls = tool ? callsOf(steps, tool) : [];
  const isCalled = ({ name }: SkillCall) => calls.some((one) => one.name === name && one.success !== false);
  const folders = new Map(from.flatMap((one) => (one.from ? [[one.name, one.from]] : [])));
  return [...calls, ...withoutTool.filter((call) => !isCalled(call))].map((one) => ({
    ...one,
    from: one.from ?? folders.get(one.name),
  }));
}

function callsOf(steps: readonly Step[], { tool, names }: SkillTool): SkillCall[] {
  return steps.flatMap((step): SkillCall[] => {
    if (step.kind !== "tool" || step.name !== tool) return [];
    const named = Object(jsonOf(step.input)) as Readonly<Record<string, unknown>>;
    const name = names.map((key) => named[key]).find((value) => typeof value === "string");
    const error = step.success === false ? step.result : undefined;
    return name === undefined ? [] : [{ name, success: step.success, error }];
  });
}

/** Skills that the client gave to the agent: since the user named them, behind `/` or `$`, or because it called for them. */
function skillsShown(steps: readonly Step[]): SkillCall[] {
  let said = "";
  return steps.flatMap((step): SkillCall[] => {
    if (step.kind === "user") said = step.text;
    if (step.kind !== "skill" || step.text === "") return [];
    const isNamed = ["/", "$"].some((mark) => said.includes(`${mark}${step.text}`));
    return [{ name: step.text, success: true, by: isNamed ? "prompt" : undefined }];
  });
}

/** The skills that the client has, and that what the user said begins with: `/name`. */
export function skillsNamed(
  said: readonly string[],
  { skills = [] }: Pick<ClientFacts, "skills">,
): SkillCall[] {
  return said.flatMap((words) => {
    const [, named] = /^\s*\/(\S+)/.exec(words) ?? [];
    return skills.flatMap(({ name }): SkillCall[] =>
      name === named ? [{ name, success: true, by: "prompt" }] : [],
    );
  });
}

/** Calls of any tool that name a skill's file, and whose result has a line of its text that the call has not. */
function readsOf(steps: readonly Step[], skill: Skill): SkillCall[] {
  const folders = foldersOf(skill);
  return steps.flatMap((step): SkillCall[] => {
    if (step.kind !== "tool" || !namesFile(step.input, folders)) return [];
    const { input, result = "" } = step;
    const isShown = linesOf(skill).some((line) => result.includes(line) && !input.includes(line));
    return isShown ? [{ name: skill.name, success: true, by: "file" }] : [];
  });
}

/** The names that a skill's folder may have: the runner's, and the repository's. */
export function foldersOf({ name, folder }: Skill): readonly string[] {
  return [name, basename(folder)];
}

/** Whether a call names the SKILL.md and its folder. */
export function namesFile(input: string, folders: readonly string[]): boolean {
  if (!input.includes(FILE)) return false;
  const names = new Set(input.split(/\\[nrt]|[\s"'`/\\;&|()<>=,:]+/));
  return names.has(FILE) && folders.some((folder) => names.has(folder));
}

const LINES = new WeakMap<Skill, readonly string[]>();

/** The lines of a skill's text, without the front matter, that are long enough to tell it from others. */
function linesOf(skill: Skill): readonly string[] {
  return once(LINES, skill, () => {
    const text = textOfFile(join(skill.folder, FILE)) ?? "";
    const body = text.replace(/^\uFEFF?---\r?\n[^]*?\n---\r?\n/, "");
    const lines = body.split("\n").map((line) => line.trim());
    return lines.filter((line) => line.length >= SHORTEST_LINE);
  });
}

/** Minimum length of a line that tells a skill: shorter ones (`---`, "Example:") stand in other files, too. */
const SHORTEST_LINE = 8;
