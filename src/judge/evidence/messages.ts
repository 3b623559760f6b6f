/** Builds the judge's messages from the evidence; docs/judging.md shows them verbatim. */
import type { EvidenceSize, SentPart } from "../../domain/grade.ts";
import type { Run, Step } from "../../domain/run.ts";
import type { Grader } from "../../domain/suite.ts";
import { digest, joinPieces, keepEnds, MINIMUM } from "./digest.ts";
import type { Digest, Piece } from "./digest.ts";
import { hashOf } from "../hash.ts";
import type { JudgeMessage } from "../judge.ts";
import { endsWithOutput, replay } from "./replay.ts";
import type { Turn } from "./replay.ts";
import { FILES_RULES, REPLAY_SYSTEM_MESSAGE, SYSTEM_MESSAGE } from "./system-message.ts";

/** To be increased whenever the messages change: recorded verdicts of another version are not reused. */
export const TEMPLATE_VERSION = 3;

/** Approximate characters per token: budgets are configured in tokens and applied in characters. */
export const CHARACTERS_PER_TOKEN = 4;
/** Default characters of evidence, about 60,000 tokens: leaves a 128k-context judge room for its prompt and answer. */
export const EVIDENCE_BUDGET = 60_000 * CHARACTERS_PER_TOKEN;

/** Title of the section for a run that ended in an error or a timeout. */
const ENDED = "how the run ended";

/** Characters of the two markers around a turn of a replayed session. */
const FRAME = 110;

/** The evidence's list of readable files. */
export interface FileList {
  /** Title of the section, with their number. */
  readonly title: string;
  /** Their names, one per line. */
  readonly text: string;
  /** False if there is nothing to read: then the judge has no file tools. */
  readonly readable: boolean;
  /** Whether the agent's workspace is among them: then the conversation need not keep created files. */
  readonly workspace: boolean;
}

export interface EvidenceOptions {
  /** Maximum characters. */
  readonly budget?: number | undefined;
  readonly files?: FileList | undefined;
}

/** The evidence of a run: the messages before the grader's prompt. */
export interface Evidence {
  readonly messages: readonly JudgeMessage[];
  readonly size: EvidenceSize;
  /** The code of its markers: a hash of its content. */
  readonly code: string;
  /** The same part by part, for reports. */
  readonly parts: readonly SentPart[];
}

/** The parts of a grader that are sent to the judge. */
type Instructions = Pick<Grader, "prompt" | "rubric" | "statements">;

/** Precedes the numbered statements of a grader. */
export const STATEMENT_RULES =
  "Judge each of these statements by itself, exactly once: call set_waza_grade_pass or set_waza_grade_fail with its number as statement. A statement that the evidence cannot confirm fails.";

/** The judge's messages for one grade: system, evidence, the rubric if any, then the grader's prompt, verbatim and last. */
export function buildMessages(evidence: Evidence, grader: Instructions): JudgeMessage[] {
  const instructions = instructionsOf(grader).map((content) => ({ role: "user" as const, content }));
  return [...evidence.messages, ...instructions];
}

/** The messages of a grader: its statements, or its rubric, its prompt, or both. */
export function instructionsOf({ rubric, prompt, statements }: Instructions): string[] {
  if (statements) return [`${STATEMENT_RULES}\n\n${prompt}`];
  if (!rubric) return [prompt];
  return prompt.trim() === "" ? [rubric.instructions] : [rubric.instructions, prompt];
}

/**
 * Renders a run's evidence within the budget: task prompt, conversation, final output, names of files. The conversation
 * is shortened before the final output. A prompt or output that is a message of the conversation, byte for byte, is shown
 * once, between its own markers, and the conversation refers to it: an agent's output can imitate the labels of messages.
 * The markers contain a 128-bit hash of all sections: no output can contain it, and the same evidence gives the same
 * message.
 */
export function buildEvidence(run: Run, options: EvidenceOptions = {}): Evidence {
  const { files } = options;
  const { finalOutput, prompt = "" } = run;
  const budget = roomBeside(run, options);
  const taskPrompt = keepEnds(prompt, Math.floor(budget / 8));
  const output = keepEnds(finalOutput, budget - taskPrompt.text.length - MINIMUM - 100);
  const first = sameAs(
    taskPrompt,
    run.steps.find(({ kind }) => kind === "user"),
  );
  const last = sameAs(
    output,
    run.steps.findLast(({ kind }) => kind === "assistant"),
  );
  const steps = run.steps.map((step) => {
    if (step === first) return { ...first, text: "(the task prompt above)" };
    return step === last ? { ...last, text: "(the final output below)" } : step;
  });
  const titled = (title: string, step: Step | undefined) =>
    step ? `${title}: message [${String(run.steps.indexOf(step) + 1)}], word for word` : title;
  const conversation = digest(steps, budget - taskPrompt.text.length - output.text.length, {
    keepCreated: files?.workspace !== true,
  });
  const sections: readonly (readonly string[])[] = [
    [titled("task prompt", first), taskPrompt.text.trim() === "" ? "(not recorded)" : taskPrompt.text],
    [`conversation: ${conversation.title}`, joinPieces(conversation.pieces)],
    [titled("final output", last), output.text.trim() === "" ? "(empty)" : output.text],
    ...(run.ended === undefined ? [] : [[ENDED, run.ended]]),
    ...(files ? [[files.title, files.text]] : []),
  ];
  const code = codeOf(sections.flat());
  const body = sections.map(([title = "", ...text]) => [marker(code, title), ...text].join("\n"));
  const content = [...body, marker(code, "end")].join("\n").toWellFormed();
  const messages = [system(SYSTEM_MESSAGE, files), { role: "user", content } as const];
  const isCut = output.cut || taskPrompt.cut || conversation.elided;
  const parts = [...systemPart(messages), ...sectionParts(sections, conversation)];
  return { messages, code, parts, size: sizeOf(run, [content], isCut) };
}

/** The system message as a part for reports. */
export function systemPart([first]: readonly JudgeMessage[]): SentPart[] {
  return [{ kind: "system", title: "", text: first?.content ?? "" }];
}

/** The sections as parts for reports; the second is the conversation, with a part for each step. */
function sectionParts(
  [task = [], [talk = ""] = [], ...others]: readonly (readonly string[])[],
  { pieces }: Digest,
): SentPart[] {
  return [...[task, [talk]].map(sectionPart), ...pieces.map(piecePart), ...others.map(sectionPart)];
}

/** A section as a part for reports. */
export function sectionPart([title = "", ...text]: readonly string[]): SentPart {
  return { kind: "section", title, text: text.join("\n") };
}

/** A step with its first line as title; a note about left-out steps has only a title. */
function piecePart({ step, text }: Piece): SentPart {
  const [title = ""] = text.split("\n", 1);
  return {
    kind: step?.kind ?? "section",
    title: title.replace(/:$/, ""),
    text: text.slice(title.length + 1),
  };
}

/** The message, where it is the text byte for byte, and that is not cut. */
function sameAs(
  { text, cut }: { readonly text: string; readonly cut: boolean },
  step: Step | undefined,
): Exclude<Step, { kind: "tool" }> | undefined {
  const isSame = step && step.kind !== "tool" && !cut && step.text === text && text.trim() !== "";
  return isSame ? step : undefined;
}

/**
 * Renders a run's conversation as turns, for a grader that resumes the agent's session. Tool calls and results are plain
 * text in the agent's turns, never tool calls of the judge. The final output follows, unless the agent's messages already
 * end with it in full.
 */
export function buildReplay(run: Run, options: EvidenceOptions = {}): Evidence {
  const { files } = options;
  const budget = roomBeside(run, options);
  const taskPrompt = keepEnds(run.prompt ?? "", Math.floor(budget / 8));
  const how = { keepCreated: files?.workspace !== true, frame: FRAME };
  const whole = digest(run.steps, budget - taskPrompt.text.length, how);
  const includesOutput = !whole.elided && endsWithOutput(run.steps, run.finalOutput);
  const output = keepEnds(run.finalOutput, budget - taskPrompt.text.length - MINIMUM - 100);
  const left = budget - taskPrompt.text.length - output.text.length;
  const conversation = includesOutput ? whole : digest(run.steps, left, how);
  const turns = replay(conversation.pieces, {
    prompt: taskPrompt.text,
    finalOutput: includesOutput ? undefined : output.text,
  });
  const all: Turn[] = [
    ...turns,
    ...(run.ended === undefined ? [] : [{ role: "user" as const, title: ENDED, text: run.ended }]),
    ...(files ? [{ role: "user" as const, title: files.title, text: files.text }] : []),
  ];
  const { messages: session, code } = merged(all);
  const texts = session.map(({ content }) => content);
  const messages = [system(REPLAY_SYSTEM_MESSAGE, files), ...session];
  return {
    messages,
    code,
    parts: [...systemPart(messages), ...all.map(({ role, title, text }) => ({ kind: role, title, text }))],
    size: {
      ...sizeOf(run, texts, taskPrompt.cut || (!includesOutput && (output.cut || conversation.elided))),
      reconstructedSession: true,
    },
  };
}

/** Fences each turn, and merges adjacent turns of one role: some providers require alternating roles. */
function merged(turns: readonly Turn[]): Pick<Evidence, "messages" | "code"> {
  const code = codeOf(turns.flatMap(({ role, title, text }) => [role, title, text]));
  const messages: JudgeMessage[] = [];
  for (const { role, title, text } of turns) {
    const content = fenced(code, title, text);
    const last = messages.at(-1);
    if (last?.role === role) messages[messages.length - 1] = { role, content: `${last.content}\n${content}` };
    else messages.push({ role, content });
  }
  return { messages, code };
}

function system(text: string, files: FileList | undefined): JudgeMessage {
  return { role: "system", content: files?.readable ? `${text}${FILES_RULES}` : text };
}

/** Characters left for what can be shortened, without the names of files and how the run ended. */
function roomBeside({ ended = "" }: Run, { files, budget = EVIDENCE_BUDGET }: EvidenceOptions): number {
  return budget - (files?.text.length ?? 0) - ended.length;
}

/** The code of the markers around these parts. */
export function codeOf(parts: readonly string[]): string {
  return hashOf(parts).slice(0, 32);
}

/** The code of the marker at the beginning of a message. */
export function codeIn(message: string): string {
  return /^<<<evidence-([0-9a-f]+) /.exec(message)?.[1] ?? "";
}

/** A text between the opening and the end marker of its section. */
export function fenced(code: string, title: string, text: string): string {
  return `${marker(code, title)}\n${text}\n${marker(code, "end")}`.toWellFormed();
}

/** The line that opens a section of the evidence. */
export function marker(code: string, title: string): string {
  return `<<<evidence-${code} ${title}>>>`;
}

function sizeOf(run: Run, texts: readonly string[], elided: boolean): EvidenceSize {
  return {
    characters: texts.reduce((sum, text) => sum + text.length, 0),
    toolCalls: run.steps.filter(({ kind }) => kind === "tool").length,
    elided,
    reconstructedSession: false,
  };
}
