/** Evidence to messages: what the judge is sent, verbatim in docs/judging.md. */
import type { EvidenceSize, ShownPart } from "../../domain/grade.ts";
import type { Run, Step } from "../../domain/run.ts";
import type { Grader } from "../../domain/suite.ts";
import { digest, joinPieces, keepEnds, MINIMUM } from "./digest.ts";
import type { Digest, Piece } from "./digest.ts";
import { hashOf } from "../hash.ts";
import type { JudgeMessage } from "../judge.ts";
import { endsWithOutput, replay } from "./replay.ts";
import type { Turn } from "./replay.ts";
import { FILES_RULES, REPLAY_SYSTEM_MESSAGE, SYSTEM_MESSAGE } from "./system-message.ts";

/** Changes whenever what we send changes: recorded verdicts of another version are not reused. */
export const TEMPLATE_VERSION = 3;

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
  /** The same part by part, for people. */
  readonly parts: readonly ShownPart[];
}

/** The parts of a grader that a judge is sent. */
type Instructions = Pick<Grader, "prompt" | "rubric" | "statements">;

/** Before the numbered statements of a grader. */
export const STATEMENT_RULES =
  "Judge each of these statements by itself, exactly once: call set_waza_grade_pass or set_waza_grade_fail with its number as statement. A statement that the evidence cannot confirm fails.";

/** The judge's messages for one grade: system, evidence, the rubric if any, then the grader's prompt, verbatim and last. */
export function buildMessages(evidence: Evidence, grader: Instructions): JudgeMessage[] {
  const instructions = instructionsOf(grader).map((content) => ({ role: "user" as const, content }));
  return [...evidence.messages, ...instructions];
}

/** The statements of a grader, or its rubric, its prompt, or both, each a message. */
export function instructionsOf({ rubric, prompt, statements }: Instructions): string[] {
  if (statements) return [`${STATEMENT_RULES}\n\n${prompt}`];
  if (!rubric) return [prompt];
  return prompt.trim() === "" ? [rubric.instructions] : [rubric.instructions, prompt];
}

/**
 * Renders a run's evidence within the budget: task prompt, conversation, final output, names of files. The final output
 * is not cut while the conversation still can be. A prompt or an output that is a message of the conversation, byte for
 * byte, is shown once, between its own markers, and the conversation points there: an author of an output can write the
 * labels of messages. The marker between the sections is a hash of what they hold, 128 bits: no author of an output can
 * write it, and the same evidence gives the same message.
 */
export function buildEvidence(run: Run, options: EvidenceOptions = {}): Evidence {
  const { files } = options;
  const { finalOutput, prompt = "" } = run;
  const budget = roomBeside(run, options);
  const asked = keepEnds(prompt, Math.floor(budget / 8));
  const output = keepEnds(finalOutput, budget - asked.text.length - MINIMUM - 100);
  const first = sameAs(
    asked,
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
  const conversation = digest(steps, budget - asked.text.length - output.text.length, {
    keepCreated: files?.workspace !== true,
  });
  const sections: readonly (readonly string[])[] = [
    [titled("task prompt", first), asked.text.trim() === "" ? "(not recorded)" : asked.text],
    [`conversation: ${conversation.title}`, joinPieces(conversation.pieces)],
    [titled("final output", last), output.text.trim() === "" ? "(empty)" : output.text],
    ...(run.ended === undefined ? [] : [[ENDED, run.ended]]),
    ...(files ? [[files.title, files.text]] : []),
  ];
  const code = codeOf(sections.flat());
  const body = sections.map(([title = "", ...text]) => [marker(code, title), ...text].join("\n"));
  const content = [...body, marker(code, "end")].join("\n").toWellFormed();
  const messages = [system(SYSTEM_MESSAGE, files), { role: "user", content } as const];
  const isCut = output.cut || asked.cut || conversation.elided;
  const parts = [...systemPart(messages), ...sectionParts(sections, conversation)];
  return { messages, code, parts, size: sizeOf(run, [content], isCut) };
}

/** The system message as a part for people. */
export function systemPart([first]: readonly JudgeMessage[]): ShownPart[] {
  return [{ kind: "system", title: "", text: first?.content ?? "" }];
}

/** The sections for people; the second is the conversation, of which each step is a part. */
function sectionParts(
  [task = [], [talk = ""] = [], ...others]: readonly (readonly string[])[],
  { pieces }: Digest,
): ShownPart[] {
  return [...[task, [talk]].map(sectionPart), ...pieces.map(piecePart), ...others.map(sectionPart)];
}

/** A section of the evidence as a part for people. */
export function sectionPart([title = "", ...text]: readonly string[]): ShownPart {
  return { kind: "section", title, text: text.join("\n") };
}

/** A step, whose first line is its title; a note of what was left out is a title alone. */
function piecePart({ step, text }: Piece): ShownPart {
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

/** Characters that are left for what may be shortened, beside the names of files and how the run ended. */
function roomBeside({ ended = "" }: Run, { files, budget = EVIDENCE_BUDGET }: EvidenceOptions): number {
  return budget - (files?.text.length ?? 0) - ended.length;
}

/** The code of the markers around these parts. */
export function codeOf(parts: readonly string[]): string {
  return hashOf(parts).slice(0, 32);
}

/** The code of the evidence that a message begins with. */
export function codeIn(message: string): string {
  return /^<<<evidence-([0-9a-f]+) /.exec(message)?.[1] ?? "";
}

/** A text between the marker that opens its section and the one that ends it. */
export function fenced(code: string, title: string, text: string): string {
  return `${marker(code, title)}\n${text}\n${marker(code, "end")}`.toWellFormed();
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
