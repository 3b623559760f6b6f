/** Builds the messages for comparing two outputs of one task, in both orders. */
import type { EvidenceSize, SentPart } from "../../domain/grade.ts";
import type { Run } from "../../domain/run.ts";
import type { Grader } from "../../domain/suite.ts";
import type { JudgeMessage } from "../judge.ts";
import { keepEnds } from "./digest.ts";
import { codeOf, EVIDENCE_BUDGET, instructionsOf, marker, sectionPart, systemPart } from "./messages.ts";
import { PAIR_SYSTEM_MESSAGE } from "./system-message.ts";

/** The messages of both calls. */
export interface PairMessages {
  /** A is the baseline's output. */
  readonly messages: readonly JudgeMessage[];
  /** A is the output of the run itself. */
  readonly swapped: readonly JudgeMessage[];
  /** The first call part by part, for reports. */
  readonly parts: readonly SentPart[];
  readonly size: EvidenceSize;
}

export interface PairOptions {
  readonly grader: Pick<Grader, "prompt" | "rubric">;
  /** The agent's answer without the skill. */
  readonly baseline: string;
  /** Maximum characters of evidence. */
  readonly budget?: number | undefined;
}

/** Builds both calls: task prompt and the two final outputs, each limited to half of the remaining budget. */
export function buildPair(run: Run, options: PairOptions): PairMessages {
  const { grader, baseline, budget = EVIDENCE_BUDGET } = options;
  const prompt = keepEnds(run.prompt ?? "", Math.floor(budget / 8));
  const room = Math.floor((budget - prompt.text.length) / 2);
  const [without, skill] = [keepEnds(baseline, room), keepEnds(run.finalOutput, room)];
  const instructions = instructionsOf(grader).map((content) => ({ role: "user" as const, content }));
  const messagesFor = (a: string, b: string): JudgeMessage[] => [
    { role: "system", content: PAIR_SYSTEM_MESSAGE },
    { role: "user", content: evidenceOf(prompt.text, a, b) },
    ...instructions,
  ];
  const messages = messagesFor(without.text, skill.text);
  return {
    messages,
    parts: [...systemPart(messages), ...sectionsOf(prompt.text, without.text, skill.text).map(sectionPart)],
    swapped: messagesFor(skill.text, without.text),
    size: {
      characters: messages[1]?.content.length ?? 0,
      toolCalls: 0,
      elided: prompt.cut || without.cut || skill.cut,
      reconstructedSession: false,
    },
  };
}

function sectionsOf(prompt: string, a: string, b: string): (readonly [string, string])[] {
  return [
    ["task prompt", prompt.trim() === "" ? "(not recorded)" : prompt],
    ["output A", a.trim() === "" ? "(empty)" : a],
    ["output B", b.trim() === "" ? "(empty)" : b],
  ];
}

function evidenceOf(prompt: string, a: string, b: string): string {
  const sections = sectionsOf(prompt, a, b);
  const code = codeOf(sections.flat());
  const body = sections.map(([title, text]) => `${marker(code, title)}\n${text}`);
  return [...body, marker(code, "end")].join("\n").toWellFormed();
}
