/** Evidence to messages: what the judge is sent, verbatim in docs/judging.md. */
import type { EvidenceSize } from "../../domain/grade.ts";
import type { Run } from "../../domain/run.ts";
import type { Grader } from "../../domain/suite.ts";
import { digest, joinPieces, keepEnds, MINIMUM } from "./digest.ts";
import { hashOf } from "../hash.ts";
import type { JudgeMessage } from "../judge.ts";
import { endsWithOutput, replay } from "./replay.ts";
import type { Turn } from "./replay.ts";
import { FILES_RULES, REPLAY_SYSTEM_MESSAGE, SYSTEM_MESSAGE } from "./system-message.ts";

/** Changes whenever what we send changes: recorded verdicts of another version are not reused. */
export const TEMPLATE_VERSION = 2;

/** Characters a token stands for, in round figures: budgets are given in tokens and kept in characters. */
export const CHARACTERS_PER_TOKEN = 4;
/** Characters of evidence, about 60,000 tokens: leaves a 128k-context judge room for its prompt and answer. */
export const EVIDENCE_BUDGET = 60_000 * CHARACTERS_PER_TOKEN;

/** Heads the section of a run that ended in an error or a timeout: its status and message. */
const ENDED = "how the run ended";

/** Characters of the two markers around one turn of a replayed session. */
const FRAME = 110;

/** The files beside the run, as the evidence lists them. */
export interface FileList {
  /** Heads the section: how many there are. */
  readonly title: string;
  /** Their names, one a line. */
  readonly text: string;
  /** False when there is nothing to read, so that the judge has no tools for it. */
  readonly readable: boolean;
  /** True when the agent's workspace is among them: the conversation need not keep what it holds. */
  readonly workspace: boolean;
}

export interface EvidenceOptions {
  /** Characters the evidence may take. */
  readonly budget?: number | undefined;
  readonly files?: FileList | undefined;
}

/** What is shown of a run: the messages before the grader's prompt, and how much that is. */
export interface Evidence {
  readonly messages: readonly JudgeMessage[];
  readonly size: EvidenceSize;
  /** The code of its markers: a hash of what it holds. */
  readonly code: string;
}

/** The judge's messages for one grade: system, evidence, the rubric if any, then the grader's prompt, verbatim and last. */
export function buildMessages(evidence: Evidence, grader: Pick<Grader, "prompt" | "rubric">): JudgeMessage[] {
  const instructions = instructionsOf(grader).map((content) => ({ role: "user" as const, content }));
  return [...evidence.messages, ...instructions];
}

/** What a judge is told to grade by: the rubric, the prompt, or both, each a message of its own. */
export function instructionsOf({ rubric, prompt }: Pick<Grader, "prompt" | "rubric">): string[] {
  if (!rubric) return [prompt];
  return prompt.trim() === "" ? [rubric.instructions] : [rubric.instructions, prompt];
}

/**
 * Renders a run's evidence within the budget: task prompt, conversation, final output, names of files. The final output
 * is not cut while the conversation still can be. The marker between the sections is a hash of what they hold, 128
 * bits: no author of an output can write it, and the same evidence gives the same message.
 */
export function buildEvidence(run: Run, options: EvidenceOptions = {}): Evidence {
  const { files } = options;
  const budget = roomBeside(run, options);
  const asked = keepEnds(run.prompt ?? "", Math.floor(budget / 8));
  const output = keepEnds(run.finalOutput, budget - asked.text.length - MINIMUM - 100);
  const left = budget - output.text.length - asked.text.length;
  const conversation = digest(run.steps, left, { keepCreated: files?.workspace !== true });
  const sections = [
    ["task prompt", asked.text.trim() === "" ? "(not recorded)" : asked.text],
    [`conversation: ${conversation.title}`, joinPieces(conversation.pieces)],
    ["final output", output.text.trim() === "" ? "(empty)" : output.text],
    ...(run.ended === undefined ? [] : [[ENDED, run.ended] as const]),
    ...(files ? [[files.title, files.text] as const] : []),
  ] as const;
  const code = codeOf(sections.flat());
  const mark = (title: string) => marker(code, title);
  const body = sections.map(([title, text]) => `${mark(title)}\n${text}`);
  const content = [...body, mark("end")].join("\n").toWellFormed();
  const messages = [system(SYSTEM_MESSAGE, files), { role: "user", content } as const];
  return { messages, code, size: sizeOf(run, [content], output.cut || asked.cut || conversation.elided) };
}

/**
 * Renders a run's conversation as turns, for a grader that resumes the agent's session: user and assistant messages of
 * plain text, tool calls and results written out in the agent's turns, never as calls of the judge's own. The final
 * output follows where the agent's messages do not end in it, or could not be shown whole.
 */
export function buildReplay(run: Run, options: EvidenceOptions = {}): Evidence {
  const { files } = options;
  const budget = roomBeside(run, options);
  const asked = keepEnds(run.prompt ?? "", Math.floor(budget / 8));
  const how = { keepCreated: files?.workspace !== true, frame: FRAME };
  const whole = digest(run.steps, budget - asked.text.length, how);
  const said = !whole.elided && endsWithOutput(run.steps, run.finalOutput);
  const output = keepEnds(run.finalOutput, budget - asked.text.length - MINIMUM - 100);
  const left = budget - asked.text.length - output.text.length;
  const conversation = said ? whole : digest(run.steps, left, how);
  const turns = replay(conversation.pieces, {
    prompt: asked.text,
    finalOutput: said ? undefined : output.text,
  });
  const { messages, code } = merged([
    ...turns,
    ...(run.ended === undefined ? [] : [{ role: "user" as const, title: ENDED, text: run.ended }]),
    ...(files ? [{ role: "user" as const, title: files.title, text: files.text }] : []),
  ]);
  const texts = messages.map(({ content }) => content);
  return {
    messages: [system(REPLAY_SYSTEM_MESSAGE, files), ...messages],
    code,
    size: {
      ...sizeOf(run, texts, asked.cut || (!said && (output.cut || conversation.elided))),
      replayed: true,
    },
  };
}

/** Each turn fenced, and the turns of one role in a row as one message: some providers take only turns that alternate. */
function merged(turns: readonly Turn[]): Pick<Evidence, "messages" | "code"> {
  const code = codeOf(turns.flatMap(({ role, title, text }) => [role, title, text]));
  const messages: JudgeMessage[] = [];
  for (const { role, title, text } of turns) {
    const content = `${marker(code, title)}\n${text}\n${marker(code, "end")}`.toWellFormed();
    const last = messages.at(-1);
    if (last?.role === role) messages[messages.length - 1] = { role, content: `${last.content}\n${content}` };
    else messages.push({ role, content });
  }
  return { messages, code };
}

function system(text: string, files: FileList | undefined): JudgeMessage {
  return { role: "system", content: files?.readable ? `${text}${FILES_RULES}` : text };
}

/** Characters that are left for what may be shortened, beside the names of files and how the run ended. */
function roomBeside({ ended = "" }: Run, { files, budget = EVIDENCE_BUDGET }: EvidenceOptions): number {
  return budget - (files?.text.length ?? 0) - ended.length;
}

/** The code of the markers around these parts. */
export function codeOf(parts: readonly string[]): string {
  return hashOf(parts).slice(0, 32);
}

/** A line that opens a section of the evidence. */
export function marker(code: string, title: string): string {
  return `<<<evidence-${code} ${title}>>>`;
}

function sizeOf(run: Run, texts: readonly string[], elided: boolean): EvidenceSize {
  return {
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    toolCalls: run.steps.filter(({ kind }) => kind === "tool").length,
    elided,
  };
}
