/**
 * Reads the output of `opencode run --format json`: each part of the agent's messages as it is finished, without the
 * prompt and the model; and of `opencode export`: one object with a session's messages, prompt and model.
 * https://github.com/sst/opencode, packages/opencode/src/cli/cmd/run.ts and export.ts
 */
import * as z from "zod/mini";
import { lenient, lenientFlag, lenientNumber, lenientText, numberOrZero } from "../../text/optional.ts";
import { isCount, type LoggedSkill } from "../../domain/run.ts";
import { outageOf, rowsAs, unreadKinds, type Outage } from "../reader.ts";
import type { Session, SessionFormat } from "../session.ts";
import { callEvent, resultEvent, messageEvent, type LogEvent } from "../transcript.ts";
import { sumOf, sumsOf } from "../../text/format.ts";

const part = z.object({
  type: lenientText,
  text: lenientText,
  /** OpenCode wrote this text in the user's name. */
  synthetic: lenientFlag,
  tool: lenientText,
  callID: lenientText,
  reason: lenientText,
  /** Of a step's end; input without what came from the cache or was written to it. */
  tokens: lenient(
    z.object({
      input: numberOrZero,
      output: numberOrZero,
      reasoning: numberOrZero,
      cache: lenient(z.object({ read: numberOrZero, write: numberOrZero })),
    }),
  ),
  cost: lenientNumber,
  state: lenient(
    z.object({
      status: lenientText,
      input: z.optional(z.unknown()),
      output: z.optional(z.unknown()),
      error: lenientText,
      metadata: lenient(z.object({ name: lenientText, dir: lenientText, sessionId: lenientText })),
    }),
  ),
});
const problem = lenient(
  z.object({
    name: lenientText,
    data: lenient(z.object({ message: lenientText, statusCode: lenientNumber, isRetryable: lenientFlag })),
  }),
);
const row = z.object({ type: z.string(), sessionID: z.string(), part: lenient(part), error: problem });
const message = z.object({
  info: z.object({ role: z.string(), modelID: lenientText, error: problem }),
  parts: z.array(part),
});
const exported = z.object({ info: z.object({ id: z.string() }), messages: z.array(message) });

type OpenCodeRow = z.infer<typeof row>;
type OpenCodePart = z.infer<typeof part>;

/** Kinds of parts that hold no message and no call. */
const SILENT_PARTS = new Set([
  "step_start",
  "step_finish",
  "reasoning",
  "snapshot",
  "patch",
  "compaction",
  "retry",
]);
const READ = new Set(["text", "tool_use", "tool", "error"]);

/** A call that is pending or running has no outcome. */
const OUTCOMES: ReadonlyMap<string, boolean> = new Map([
  ["completed", true],
  ["error", false],
]);

export const openCode: SessionFormat = {
  format: "logs of OpenCode",
  skillTool: { tool: "skill", names: ["name"] },
  detect: (one) =>
    rowsAs(row, [one]).some(({ part, error }) => part ?? error) || rowsAs(exported, [one]).length > 0,
  read: (all) => {
    const sessions = rowsAs(exported, all);
    if (sessions.length > 0) return sessionOf(sessions);
    const rows = rowsAs(row, all);
    const end = rows.findLast(({ type }) => type === "text" || type === "error");
    const failure = end?.type === "error" ? failureOfOpenCode(end.error ?? {}) : undefined;
    return {
      events: rows.flatMap((one) => eventsOfOpenCode(one.type, one.part)),
      unread: unreadKinds(row, all, (_, { type }) => isKnownKind(type)),
      failure,
      outage: end?.type === "error" ? outageOfOpenCode(end.error) : undefined,
      client: {
        endedBy: failure && end?.error?.name,
        ...usageOfParts(rows.flatMap(({ part }) => part ?? [])),
      },
      skillsFrom: skillsFromOfParts(rows.flatMap(({ part }) => part ?? [])),
      missingEnd: failure || isFinished(rows) ? undefined : "the end of its last step",
      sessions: rows.map(({ sessionID }) => sessionID),
    };
  },
};

function failureOfOpenCode(error: OpenCodeRow["error"]): string | undefined {
  return error && (error.data?.message ?? error.name ?? "error");
}

function outageOfOpenCode(error: OpenCodeRow["error"]): Outage | undefined {
  const { statusCode, isRetryable } = error?.data ?? {};
  return outageOf(statusCode) ?? (isRetryable === true ? "busy" : undefined);
}

/** What all steps used. */
function usageOfParts(parts: readonly OpenCodePart[]): Session["client"] {
  const all = parts.flatMap(({ tokens }) => tokens ?? []);
  const figures = all.map(({ cache, ...own }) => ({ ...own, read: 0, write: 0, ...cache }));
  const used = figures.every((one) => Object.values(one).every(isCount)) ? sumsOf(figures) : undefined;
  const costs = parts.flatMap(({ cost }) => cost ?? []);
  return {
    // A child's session is in a log of its own.
    hasUnseenSession: parts.some(({ state }) => state?.metadata?.sessionId !== undefined) || undefined,
    tokens: used && {
      input: used.input + used.read + used.write,
      output: used.output + used.reasoning,
      cached: used.read,
      written: used.write,
    },
    // Of a model without a price OpenCode says 0.
    cost: costs.every((one) => one >= 0) ? sumOf(costs) || undefined : undefined,
  };
}

function skillsFromOfParts(parts: readonly OpenCodePart[]): LoggedSkill[] {
  return parts.flatMap(({ tool, state }) => {
    const { name, dir } = state?.metadata ?? {};
    return tool === "skill" && name !== undefined ? [{ name, from: dir }] : [];
  });
}

/** Whether the last step has an end, and the agent was not waiting for a tool. */
function isFinished(rows: readonly OpenCodeRow[]): boolean {
  const step = rows.findLast(({ type }) => type.startsWith("step_"));
  return !step || (step.type === "step_finish" && step.part?.reason !== "tool-calls");
}

/** The session of an export. */
function sessionOf(sessions: readonly z.infer<typeof exported>[]): Session {
  const messages = sessions.flatMap((one) => one.messages);
  const agents = messages.filter(({ info }) => info.role === "assistant");
  return {
    events: messages.flatMap(({ info, parts }) =>
      parts.flatMap((one) =>
        eventsOfOpenCode(one.type ?? "", one, info.role === "user" ? "user" : "assistant"),
      ),
    ),
    model: agents.find(({ info }) => info.modelID)?.info.modelID,
    failure: failureOfOpenCode(agents.at(-1)?.info.error),
    sessions,
    client: usageOfParts(messages.flatMap(({ parts }) => parts)),
    skillsFrom: skillsFromOfParts(messages.flatMap(({ parts }) => parts)),
    unread: messages.flatMap(({ parts }) =>
      unreadKinds(part, parts, (_, { type }) => isKnownKind(type ?? "")),
    ),
  };
}

/** The two formats spell kinds with `_` and with `-`. */
function isKnownKind(type: string): boolean {
  return SILENT_PARTS.has(type.replace("-", "_")) || READ.has(type);
}

function eventsOfOpenCode(
  type: string,
  part: OpenCodePart | undefined,
  who: "user" | "assistant" = "assistant",
): LogEvent[] {
  if (type === "text") return part?.synthetic ? [] : [messageEvent(who, part?.text ?? "")];
  if (!type.startsWith("tool") || !part) return [];
  const { callID: id, tool, state } = part;
  return [
    callEvent(id, tool, state?.input),
    resultEvent(id, state?.output ?? state?.error, OUTCOMES.get(state?.status ?? "")),
  ];
}
