/** Builds the judge's messages from the evidence; docs/judging.md shows them verbatim. */
import type { EvidenceSize, SentPart } from "../domain/grade.ts";
import type { Run, Step } from "../domain/run.ts";
import type { Grader } from "../domain/suite.ts";
import { type Digest, type Piece, digest, joinPieces, keepEnds } from "./digest.ts";
import type { JudgeMessage } from "./judge.ts";
import { type Explained, systemMessage } from "./message.ts";
import { hashOf } from "../text/hash.ts";
import { EVIDENCE_BUDGET, LEAST_CONVERSATION as MINIMUM } from "./limits.ts";
import { sumOf } from "../text/format.ts";

/** Characters of the two markers around a turn of a replayed session. */
const TURN_MARKERS_ROOM = 110;

/** Title of the section for a run that ended in an error or a timeout. */
const ENDED = "how the run ended";

export interface EvidenceOptions {
  /** Maximum characters. */
  readonly budget?: number | undefined;
  readonly files?: FileList | undefined;
  /** Whether the graders list statements, which the system message explains. */
  readonly ofStatements?: boolean | undefined;
}

/** The evidence's list of readable files. */
export interface FileList {
  /** Title of the section, with their number. */
  readonly title: string;
  /** Their names, one per line. */
  readonly text: string;
  /** False if there is nothing to read: then the judge has no file tools. */
  readonly readable: boolean;
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

/**
 * Renders a run's evidence within the budget: task prompt, conversation, final output, names of files. The conversation
 * is shortened before the final output. A prompt or output that is a message of the conversation, byte for byte, is shown
 * once, between its own markers, and the conversation refers to it: an agent's output can imitate the labels of messages.
 * The markers contain a 128-bit hash of all sections: no output can contain it, and the same evidence gives the same
 * message.
 */
export function buildEvidence(run: Run, options: EvidenceOptions = {}): Evidence {
  const { files, ofStatements } = options;
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
  const conversation = digest(steps, budget - taskPrompt.text.length - output.text.length);
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
  const isCut = output.cut || taskPrompt.cut || conversation.elided;
  const messages = [system({ ofStatements, isCut }, files), { role: "user", content } as const];
  const parts = [...systemPart(messages), ...sectionParts(sections, conversation)];
  return {
    messages,
    code,
    parts,
    size: evidenceSize(run, [content], { isCut, failedUnseen: conversation.failedUnseen }),
  };
}

/** Characters left for what can be shortened, without the names of files and how the run ended. */
function roomBeside({ ended = "" }: Run, { files, budget = EVIDENCE_BUDGET }: EvidenceOptions): number {
  return budget - (files?.text.length ?? 0) - ended.length;
}

/** The message, where it is the text byte for byte, and that is not cut. */
function sameAs(
  { text, cut }: { readonly text: string; readonly cut: boolean },
  step: Step | undefined,
): Exclude<Step, { kind: "tool" }> | undefined {
  const isSame = step && step.kind !== "tool" && !cut && step.text === text && text.trim() !== "";
  return isSame ? step : undefined;
}

/** The code of the markers around these parts. */
function codeOf(parts: readonly string[]): string {
  return hashOf(parts).slice(0, 32);
}

/** The line that opens a section of the evidence. */
function marker(code: string, title: string): string {
  return `<<<evidence-${code} ${title}>>>`;
}

function system(explained: Explained, files: FileList | undefined): JudgeMessage {
  return { role: "system", content: systemMessage({ ...explained, hasFiles: files?.readable === true }) };
}

/** The system message as a part for reports. */
function systemPart([first]: readonly JudgeMessage[]): SentPart[] {
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
function sectionPart([title = "", ...text]: readonly string[]): SentPart {
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

function evidenceSize(
  run: Run,
  texts: readonly string[],
  { isCut, failedUnseen }: { readonly isCut: boolean; readonly failedUnseen: number },
): EvidenceSize {
  return {
    characters: sumOf(texts.map((text) => text.length)),
    toolCalls: run.steps.filter(({ kind }) => kind === "tool").length,
    elided: isCut,
    failedUnseen: failedUnseen || undefined,
    reconstructedSession: false,
  };
}

/** The parts of a grader that are sent to the judge. */
type Instructions = Pick<Grader, "prompt" | "rubric" | "statements">;

/** The judge's messages for one grade: system, evidence, the rubric if any, then the grader's prompt, verbatim and last. */
export function buildMessages(evidence: Evidence, grader: Instructions): JudgeMessage[] {
  const instructions = instructionsOf(grader).map((content) => ({ role: "user" as const, content }));
  return [...evidence.messages, ...instructions];
}

/** Precedes the numbered statements of a grader. */
const STATEMENT_RULES =
  "Judge each of these statements by itself, exactly once. A statement that the evidence cannot confirm fails.";

/** The messages of a grader: its statements, or its rubric, its prompt, or both. */
export function instructionsOf({ rubric, prompt, statements }: Instructions): string[] {
  if (statements) return [`${STATEMENT_RULES}\n\n${prompt}`];
  if (!rubric) return [prompt];
  return prompt.trim() === "" ? [rubric.instructions] : [rubric.instructions, prompt];
}

/* The agent's session as turns of a conversation, for graders with `continue_session: true`. */

/** A part of a turn: its role, its title, and the text to fence. */
interface SessionTurn {
  readonly role: "user" | "assistant";
  readonly title: string;
  readonly text: string;
}

/**
 * Renders a run's conversation as turns, for a grader that resumes the agent's session. Tool calls and results are plain
 * text in the agent's turns, never tool calls of the judge. The final output follows, unless the agent's messages already
 * end with it in full.
 */
export function buildReplay(run: Run, options: EvidenceOptions = {}): Evidence {
  const { files, ofStatements } = options;
  const budget = roomBeside(run, options);
  const taskPrompt = keepEnds(run.prompt ?? "", Math.floor(budget / 8));
  const whole = digest(run.steps, budget - taskPrompt.text.length, TURN_MARKERS_ROOM);
  const includesOutput = !whole.elided && endsWithOutput(run.steps, run.finalOutput);
  const output = keepEnds(run.finalOutput, budget - taskPrompt.text.length - MINIMUM - 100);
  const left = budget - taskPrompt.text.length - output.text.length;
  const conversation = includesOutput ? whole : digest(run.steps, left, TURN_MARKERS_ROOM);
  const turns = replay(conversation.pieces, {
    prompt: taskPrompt.text,
    finalOutput: includesOutput ? undefined : output.text,
  });
  const all: SessionTurn[] = [
    ...turns,
    ...(run.ended === undefined ? [] : [{ role: "user" as const, title: ENDED, text: run.ended }]),
    ...(files ? [{ role: "user" as const, title: files.title, text: files.text }] : []),
  ];
  const { messages: session, code } = merged(all);
  const texts = session.map(({ content }) => content);
  const isCut = taskPrompt.cut || (!includesOutput && (output.cut || conversation.elided));
  const messages = [system({ ofStatements, isReplay: true, isCut }, files), ...session];
  return {
    messages,
    code,
    parts: [...systemPart(messages), ...all.map(({ role, title, text }) => ({ kind: role, title, text }))],
    size: {
      ...evidenceSize(run, texts, { isCut, failedUnseen: conversation.failedUnseen }),
      reconstructedSession: true,
    },
  };
}

/**
 * Whether the agent's messages end with the final output: engines record either all messages of a run or the last, and
 * join them in different ways, so white space does not count.
 */
function endsWithOutput(steps: readonly Step[], finalOutput: string): boolean {
  const messages = steps.map((step) => (step.kind === "assistant" ? step.text : "")).join("");
  return withoutSpace(messages).endsWith(withoutSpace(finalOutput));
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

/**
 * Turns of a session. It starts with the user's prompt, even if the transcript does not, and ends with `finalOutput` if
 * given.
 */
function replay(
  pieces: readonly Piece[],
  { prompt, finalOutput }: { readonly prompt: string; readonly finalOutput?: string | undefined },
): SessionTurn[] {
  const turns = pieces.map(turnOf);
  // Some providers refuse a conversation that starts with the assistant.
  if (turns[0]?.role !== "user") {
    turns.unshift({ role: "user", title: "user", text: prompt.trim() === "" ? "(not recorded)" : prompt });
  }
  if (finalOutput !== undefined && finalOutput.trim() !== "") {
    turns.push({ role: "assistant", title: "agent: final output", text: finalOutput });
  }
  return turns;
}

/** A piece as a turn. Its first line, a numbered label, becomes the title. */
function turnOf({ step, text }: Piece): SessionTurn {
  if (!step) return { role: "assistant", title: "left out", text };
  const body = text.slice(text.indexOf("\n") + 1);
  if (step.kind === "user") return { role: "user", title: "user", text: body };
  return { role: "assistant", title: turnTitle(step, text), text: body };
}

function turnTitle(step: Exclude<Step, { kind: "user" }>, text: string): string {
  if (step.kind === "assistant") return "agent";
  if (step.kind !== "tool") return step.kind === "skill" ? "agent: skill invoked" : "agent: session error";
  const label = text.slice(0, text.indexOf("\n")).replace(/^\[\d+\] /, "");
  return `agent: ${label.replace(/[<>\r\n]/g, " ")}`;
}

/** Fences each turn, and merges adjacent turns of one role: some providers require alternating roles. */
function merged(turns: readonly SessionTurn[]): Pick<Evidence, "messages" | "code"> {
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

/** A text between the opening and the end marker of its section. */
export function fenced(code: string, title: string, text: string): string {
  return `${marker(code, title)}\n${text}\n${marker(code, "end")}`.toWellFormed();
}

/** The code of the marker at the beginning of a message. */
export function codeIn(message: string): string {
  return /^<<<evidence-([0-9a-f]+) /.exec(message)?.[1] ?? "";
}
