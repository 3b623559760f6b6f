/**
 * `mode: pairwise` of a prompt grader, as in waza: the judge compares the agent's answers with and without the skill, in
 * both orders, by the tool `set_pairwise_winner`. A winner that changes with the order is a tie.
 */
import * as z from "zod/mini";
import type { Check, Choice, EvidenceSize, PairwiseResult, SentPart } from "../domain/grade.ts";
import type { Run } from "../domain/run.ts";
import type { Grader } from "../domain/suite.ts";
import { objectIn } from "./api/replies.ts";
import type { Reply, Tool, Turn } from "./api/wire.ts";
import { pairInWords } from "./compared-output.ts";
import {
  EVIDENCE_BUDGET,
  PAIR_SYSTEM_MESSAGE,
  codeOf,
  instructionsOf,
  keepEnds,
  marker,
  sectionPart,
  systemPart,
} from "./evidence.ts";
import { readJson, withQuotes } from "./grade-tools.ts";
import { JudgeError } from "./judge.ts";
import type { Judge, JudgeAnswer, JudgeMessage, Redact } from "./judge.ts";
import { shorten } from "../text/format.ts";

const CHOICE_FORM =
  '{"winner": "A", "B" or "tie", "magnitude": "much-better", "slightly-better" or "equal", "reasoning": "why"}';
const REMINDER = `You have not chosen yet: nothing else that you call or write is read. Call set_pairwise_winner once, with winner ("A", "B" or "tie"), magnitude ("much-better", "slightly-better" or "equal") and reasoning. If you cannot call tools, write one JSON object as your whole reply: ${CHOICE_FORM}`;

/**
 * The judge's choice; undefined if it makes none, even after a reminder. `ask` sends the turns and appends the reply to
 * them.
 */
export async function choose(
  ask: () => Promise<Reply>,
  turns: Turn[],
  redact: Redact,
): Promise<Choice | undefined> {
  for (const isReminded of [false, true]) {
    const reply = await ask();
    const choice = choiceOf(reply, redact);
    if (choice) return choice;
    if (reply.unfinished) throw reply.unfinished;
    if (isReminded) break;
    const answered = reply.calls.filter(({ id }) => id !== "");
    for (const { id } of answered) turns.push({ kind: "result", id, content: REMINDER });
    if (answered.length === 0) turns.push({ kind: "message", message: { role: "user", content: REMINDER } });
  }
  return undefined;
}

/** The last valid choice of a reply: a call, or the JSON object of a judge without tools. */
function choiceOf({ calls, text }: Reply, redact: Redact): Choice | undefined {
  const named = calls.filter(({ name }) =>
    name
      .toLowerCase()
      .replace(/[^a-z]/g, "")
      .includes("pairwisewinner"),
  );
  const values = calls.length > 0 ? named.map((call) => call.arguments) : [objectIn(text)];
  return values.flatMap((value) => readChoice(value, redact) ?? []).at(-1);
}

/** Maximum characters of a reasoning. */
const LONGEST = 20_000;

const WINNERS: ReadonlyMap<string, Choice["winner"]> = new Map([
  ["a", "A"],
  ["b", "B"],
  ["tie", "tie"],
]);

const MAGNITUDES = ["much-better", "slightly-better", "equal"] as const;

const choiceSchema = z.object({
  winner: z.string(),
  magnitude: z.catch(z.optional(z.enum(MAGNITUDES)), undefined),
  reasoning: z.catch(z.optional(z.string()), undefined),
});

function readChoice(value: unknown, redact: Redact): Choice | undefined {
  const read = z.safeParse(choiceSchema, typeof value === "string" ? readJson(value) : value);
  const winner = read.success ? WINNERS.get(lettersOf(read.data.winner)) : undefined;
  if (!read.success || winner === undefined) return undefined;
  const { magnitude = winner === "tie" ? "equal" : "slightly-better", reasoning = "" } = read.data;
  return { winner, magnitude, reasoning: shorten(redact(reasoning.trim()), LONGEST) };
}

/** Some judges write `Output B` for B. */
function lettersOf(winner: string): string {
  return winner
    .toLowerCase()
    .replace("output", "")
    .replace(/[^\p{L}]/gu, "");
}

/** A judge that grades a pair by two calls, with the outputs swapped in the second; other requests are passed through. */
export function pairingJudge(judge: Judge): Judge {
  return {
    grade: async (request, meter, signal) => {
      const { swapped, ...one } = request;
      if (!swapped) return await judge.grade(request, meter, signal);
      const first = await judge.grade({ ...one, choosing: true }, meter, signal);
      const second = await judge.grade({ ...one, messages: swapped, choosing: true }, meter, signal);
      const answer = pairAnswer(first, second);
      return {
        ...answer,
        checks: withQuotes(answer.checks, () => one.messages.map(({ content }) => content)),
      };
    },
  };
}

/**
 * Both calls as one answer, with a check for the winner, so that it is counted and shown like any other. Without any
 * choice there is no check (0.0, failed: the contract; waza counts silence as a tie); half a pair is no verdict.
 */
function pairAnswer(first: JudgeAnswer, second: JudgeAnswer): JudgeAnswer {
  const pair = first.choice && second.choice && pairOf(first.choice, second.choice);
  if (!pair && (first.choice ?? second.choice)) throw halfPair(first.choice ? "second" : "first");
  const changes = new Set([...(first.changes ?? []), ...(second.changes ?? [])]);
  return {
    ...first,
    choice: undefined,
    pairs: pair && [pair],
    checks: pair ? [checkOf(pair)] : [],
    text: [first.text, second.text].filter((text) => text !== "").join("\n\n"),
    changes: changes.size > 0 ? [...changes] : undefined,
    withoutTools: first.withoutTools ?? second.withoutTools,
    seemsCut: first.seemsCut ?? second.seemsCut,
    recorded: first.recorded === true && second.recorded === true ? true : undefined,
  };
}

/** A is the baseline in the first call, and the run with the skill in the second. */
export function pairOf(first: Choice, second: Choice): PairwiseResult {
  const choices = [first, second] as const;
  const winners = [winnerOf(first, ["baseline", "skill"]), winnerOf(second, ["skill", "baseline"])] as const;
  const [winner] = winners;
  if (winner === winners[1]) {
    const magnitude = winner === "tie" ? "equal" : first.magnitude;
    return { winner, magnitude, reasoning: first.reasoning, consistent: true, choices };
  }
  const reasoning = `Position-inconsistent: pass1=${winners[0]}, pass2=${winners[1]}`;
  return { winner: "tie", magnitude: "equal", reasoning, consistent: false, choices };
}

function winnerOf(
  { winner }: Choice,
  [a, b]: readonly ["baseline", "skill"] | readonly ["skill", "baseline"],
): PairwiseResult["winner"] {
  return winner === "tie" ? "tie" : winner === "A" ? a : b;
}

function halfPair(order: string): JudgeError {
  return new JudgeError(
    "invalid-reply",
    `The judge chose between the two outputs in one order only: in the ${order} one it made no choice, also after a reminder.`,
    { help: "Use a judge model that accepts tools." },
  );
}

function checkOf(pair: PairwiseResult): Check {
  const outcome = pair.winner === "baseline" ? "fail" : "pass";
  return { outcome, description: pairInWords(pair), reason: pair.reasoning || undefined };
}

interface PairOptions {
  readonly grader: Pick<Grader, "prompt" | "rubric">;
  /** The agent's answer without the skill. */
  readonly baseline: string;
  /** Maximum characters of evidence. */
  readonly budget?: number | undefined;
}

/* Builds the messages for comparing two outputs of one task, in both orders. */

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

function evidenceOf(prompt: string, a: string, b: string): string {
  const sections = sectionsOf(prompt, a, b);
  const code = codeOf(sections.flat());
  const body = sections.map(([title, text]) => `${marker(code, title)}\n${text}`);
  return [...body, marker(code, "end")].join("\n").toWellFormed();
}

function sectionsOf(prompt: string, a: string, b: string): (readonly [string, string])[] {
  return [
    ["task prompt", prompt.trim() === "" ? "(not recorded)" : prompt],
    ["output A", a.trim() === "" ? "(empty)" : a],
    ["output B", b.trim() === "" ? "(empty)" : b],
  ];
}

/** The only tool of a comparing judge. */
export const CHOICE_TOOL: Tool = {
  type: "function",
  function: {
    name: "set_pairwise_winner",
    description: "Report which of the two outputs is better. Call it exactly once.",
    parameters: {
      type: "object",
      properties: {
        winner: { type: "string", enum: ["A", "B", "tie"], description: "The better output." },
        magnitude: { type: "string", enum: MAGNITUDES, description: "How much better it is." },
        reasoning: { type: "string", description: "What in the outputs decided it, in a few sentences." },
      },
      required: ["winner", "magnitude", "reasoning"],
    },
  },
};

/** Appended to the system message for a server without tools. */
export const CHOICE_JSON = `

This API has no tools. Instead of calling set_pairwise_winner, write your whole answer as one JSON object and nothing else:
${CHOICE_FORM}`;
