/** Whether an agent loaded a skill, by its log: what the run of a trigger eval is about. */
import { claudeCode } from "./formats/claude-code.ts";
import { copilot } from "./formats/copilot.ts";
import { geminiSession, geminiStream } from "./formats/gemini.ts";
import { openCode } from "./formats/opencode.ts";
import type { Step } from "../domain/run.ts";
import { jsonOf } from "../text/format.ts";

/** The tool that loads a skill, and the arguments that may hold the skill's name. */
interface SkillTool {
  readonly tool: string;
  readonly names: readonly string[];
}

const GEMINI: SkillTool = { tool: "activate_skill", names: ["name"] };

/** By the format of the log; Copilot's has a step of its own. */
const SKILL_TOOLS: ReadonlyMap<string, SkillTool | "step"> = new Map<string, SkillTool | "step">([
  [claudeCode.format, { tool: "Skill", names: ["skill", "command"] }],
  [openCode.format, { tool: "skill", names: ["name"] }],
  [geminiStream.format, GEMINI],
  [geminiSession.format, GEMINI],
  [copilot.format, "step"],
]);

/** The skills that were loaded, in order; undefined where the log's format does not say it. */
export function skillsLoaded(format: string, steps: readonly Step[]): readonly string[] | undefined {
  const way = SKILL_TOOLS.get(format);
  if (way === undefined) return undefined;
  return steps.flatMap((step): string[] => {
    if (way === "step") return step.kind === "skill" && step.text !== "" ? [step.text] : [];
    if (step.kind !== "tool" || step.name !== way.tool) return [];
    const named = Object(jsonOf(step.input)) as Readonly<Record<string, unknown>>;
    return way.names.flatMap((name) => (typeof named[name] === "string" ? [named[name]] : []));
  });
}

/** Whether a loaded skill is this one; a plugin's name may come before it (`docs:pdf`). */
export function isSkill(loaded: string, skill: string): boolean {
  return loaded === skill || loaded.endsWith(`:${skill}`);
}
