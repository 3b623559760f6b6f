/** Builds the judge's messages from the evidence; docs/judging.md shows them verbatim. */
import type { SentPart } from "../domain/grade.ts";
import type { Run, Step } from "../domain/run.ts";
import type { Grader } from "../domain/suite.ts";
import { type Digest, digest, keepEnds } from "./digest.ts";
import type { JudgeMessage } from "./judge.ts";
import { systemMessage } from "./message.ts";
import { hashOf } from "../text/hash.ts";
import { EVIDENCE_BUDGET, LEAST_CONVERSATION as MINIMUM } from "./limits.ts";
import { sumOf } from "../text/format.ts";

/** Title of the section for a run that ended in an error or a timeout. */
const ENDED = "how the run ended";

export interface EvidenceOptions {
  /** Maximum characters. */
  readonly budget?: number | undefined;
  readonly files?: FileList | undefined;
  /** Whether it is the agent's session, replayed as turns, for a grader that resumes it. */
  readonly isReplay?: boolean | undefined;
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
export type Evidence = ReturnType<typeof buildEvidence>;

/**
 * Renders a run's evidence within the budget: task prompt, conversation, final output, names of files. The conversation
 * is shortened before the final output. Each step is a section: what an agent wrote like one is none. As a replay, the
 * conversation is the agent's session in turns.
 */
export function buildEvidence(run: Run, options: EvidenceOptions = {}) {
  const { files, isReplay = false, budget: whole = EVIDENCE_BUDGET } = options;
  // The names of files and how the run ended are not shortened.
  const budget = whole - (files?.text.length ?? 0) - (run.ended?.length ?? 0);
  const prompt = keepEnds(run.prompt ?? "", Math.floor(budget / 8));
  const room = budget - prompt.text.length;
  const isInSession = isReplay && endsWithOutput(run, room);
  const output = keepEnds(isInSession ? "" : run.finalOutput, room - MINIMUM - 100);
  const left = room - output.text.length;
  const render = isReplay ? inTurns : inSections;
  const { sections, elided, failedUnseen } = render(run, { prompt, output, left });
  const last = lastParts(run, files);
  const code = codeOf(run, files);
  const sent = isReplay
    ? turnsOf(code, sections, last)
    : [{ role: "user" as const, content: fenced(code, [...sections, ...last]) }];
  const isCut = prompt.cut || output.cut || elided;
  const explained = { isReplay, isCut, hasFiles: files?.readable === true };
  const content = systemMessage(explained);
  const parts: readonly SentPart[] = [{ kind: "system", title: "", text: content }, ...sections, ...last];
  return {
    messages: [{ role: "system" as const, content }, ...sent],
    /** The code of its markers. */
    code,
    /** The same part by part, for reports. */
    parts,
    size: {
      characters: sumOf(sent.map(({ content }) => content.length)),
      toolCalls: run.steps.filter(({ kind }) => kind === "tool").length,
      elided: isCut,
      failedUnseen: failedUnseen || undefined,
      reconstructedSession: isReplay,
    },
  };
}

/** A text as it is shown, and whether that is a part of it. */
type ShownText = ReturnType<typeof keepEnds>;

/** The prompt and the output as they are shown, and the characters that they leave. */
interface Around {
  readonly prompt: ShownText;
  readonly output: ShownText;
  readonly left: number;
}

/**
 * A prompt or output that is a message of the conversation, byte for byte, is shown once, in its own section, and the
 * conversation refers to it.
 */
function inSections(run: Run, { prompt, output, left }: Around): Digest {
  const first = sameStep(
    prompt,
    run.steps.find(({ kind }) => kind === "user"),
  );
  const last = sameStep(
    output,
    run.steps.findLast(({ kind }) => kind === "assistant"),
  );
  const steps = run.steps.map((step) => {
    if (step === first) return { ...first, text: "(the task prompt above)" };
    return step === last ? { ...last, text: "(the final output below)" } : step;
  });
  const titled = (title: string, step: Step | undefined) =>
    step ? `${title}: message [${String(run.steps.indexOf(step) + 1)}], word for word` : title;
  const digested = digest(steps, left);
  return {
    ...digested,
    sections: [
      sectionPart(titled("task prompt", first), textOr(NOT_RECORDED, prompt)),
      sectionPart(`conversation: ${digested.title}`, digested.sections.length === 0 ? NOT_RECORDED : ""),
      ...digested.sections,
      sectionPart(titled("final output", last), textOr("(empty)", output)),
    ],
  };
}

const NOT_RECORDED = "(not recorded)";

/** A text, or the words in place of an empty one. */
function textOr(empty: string, { text }: ShownText): string {
  return text.trim() === "" ? empty : text;
}

/** The message, where it is the text byte for byte, and that is not cut. */
function sameStep(
  { text, cut }: ShownText,
  step: Step | undefined,
): Exclude<Step, { kind: "tool" }> | undefined {
  const isSame = step && step.kind !== "tool" && !cut && step.text === text && text.trim() !== "";
  return isSame ? step : undefined;
}

/** The code of a run's markers: eight digits of a hash of all that it holds, which stand nowhere in it. */
function codeOf({ prompt = "", steps, finalOutput, ended = "" }: Run, files: FileList | undefined): string {
  const texts = steps.flatMap((step) =>
    step.kind === "tool"
      ? [`${step.name}${step.subAgent ?? ""}`, step.input, step.result ?? "", String(step.success)]
      : [step.kind, step.text],
  );
  const all = [prompt, finalOutput, ended, ...texts];
  let hash = hashOf(all);
  const isIn = (text: string) => text.includes(hash.slice(0, 8));
  while (isIn(files?.text ?? "") || all.some(isIn)) hash = hashOf([hash]);
  return hash.slice(0, 8);
}

/** Sections, each below its marker. The next marker ends them, the last is the end. */
export function fenced(
  code: string,
  sections: readonly Pick<SentPart, "title" | "text">[],
  end = true,
): string {
  const shown = end ? [...sections, { title: "end", text: "" }] : sections;
  const lines = shown.map(({ title, text }) => `<<<${code} ${title}>>>${text && `\n${text}`}`);
  return lines.join("\n").toWellFormed();
}

function sectionPart(title: string, text: string): SentPart {
  return { kind: "section", title, text };
}

/** How the run ended, and the names of files. */
function lastParts({ ended }: Run, files: FileList | undefined): SentPart[] {
  return [
    ...(ended === undefined ? [] : [sectionPart(ENDED, ended)]),
    ...(files ? [sectionPart(files.title, files.text)] : []),
  ];
}

/** The parts of a grader that are sent to the judge. */
type Instructions = Pick<Grader, "prompt" | "rubric" | "statements">;

/** The judge's messages for one grade: system, evidence, the rubric if any, then the grader's prompt, verbatim and last. */
export function buildMessages(evidence: Evidence, grader: Instructions): JudgeMessage[] {
  const instructions = instructionsOf(grader).map((content) => ({ role: "user" as const, content }));
  return [...evidence.messages, ...instructions];
}

/** Precedes the numbered statements of a grader. */
const STATEMENT_RULES = "Judge each of these statements by itself, exactly once, by its number.";

/** The messages of a grader: its statements, or its rubric, its prompt, or both. */
export function instructionsOf({ rubric, prompt, statements }: Instructions): string[] {
  if (statements) return [`${STATEMENT_RULES}\n\n${prompt}`];
  if (!rubric) return [prompt];
  return prompt.trim() === "" ? [rubric.instructions] : [rubric.instructions, prompt];
}

/* The agent's session as turns of a conversation, for graders with `continue_session: true`. */

/**
 * The conversation for turns: tool calls and results are plain text in the agent's turns, never tool calls of the judge.
 * The final output follows, unless the agent's messages already end with it in full.
 */
function inTurns({ steps }: Run, { prompt, output, left }: Around): Digest {
  const digested = digest(steps, left);
  const said = digested.sections;
  const isOpened = said[0]?.kind === "user";
  return {
    ...digested,
    sections: [
      sectionPart(`session: ${digested.title}`, ""),
      // Some providers refuse a conversation that starts with the assistant.
      ...(isOpened ? [] : [{ kind: "user" as const, title: "user", text: textOr(NOT_RECORDED, prompt) }]),
      ...said,
      ...(output.text.trim() === ""
        ? []
        : [{ kind: "assistant" as const, title: "agent: final output", text: output.text }]),
    ],
  };
}

/**
 * Whether the agent's messages fit and end with the final output: engines record either all messages of a run or the
 * last, and join them in different ways, so white space does not count.
 */
function endsWithOutput({ steps, finalOutput }: Run, room: number): boolean {
  const messages = steps.map((step) => (step.kind === "assistant" ? step.text : "")).join("");
  return withoutSpace(messages).endsWith(withoutSpace(finalOutput)) && !digest(steps, room).elided;
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

/** The sections as turns, adjacent ones of one role in one message: some providers require alternating roles. */
function turnsOf(code: string, session: readonly SentPart[], last: readonly SentPart[]): JudgeMessage[] {
  const roleOf = (part: SentPart, index: number) =>
    index === 0 || part.kind === "user" ? ("user" as const) : ("assistant" as const);
  const messages: { role: "user" | "assistant"; parts: SentPart[] }[] = [];
  for (const [index, part] of [...session, ...last].entries()) {
    const role = index < session.length ? roleOf(part, index) : "user";
    const open = messages.at(-1);
    if (open?.role === role) open.parts.push(part);
    else messages.push({ role, parts: [part] });
  }
  return messages.map(({ role, parts }, index) => ({
    role,
    content: fenced(code, parts, index === messages.length - 1),
  }));
}
