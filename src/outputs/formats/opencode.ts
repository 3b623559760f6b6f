/**
 * Reads the output of `opencode run --format json`: each part of the agent's messages as it is finished, without the
 * prompt and the model; and of `opencode export`: one object with a session's messages, prompt and model.
 * https://github.com/sst/opencode, packages/opencode/src/cli/cmd/run.ts and export.ts
 */
import * as z from "zod/mini";
import { lenient, lenientFlag, lenientNumber, lenientText, numberOrZero } from "../../text/optional.ts";
import { isCount, type LoggedSkill } from "../../domain/run.ts";
import { outageOf, rowsAs, unreadKinds } from "../reader.ts";
import type { Session, SessionFormat } from "../session.ts";
import { callEvent, resultEvent, messageEvent, type LogEvent } from "../transcript.ts";
import { sumOf, sumsOf } from "../../text/format.ts";

const openCodePart = z.object({
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
const openCodeError = lenient(
  z.object({
    name: lenientText,
    data: lenient(z.object({ message: lenientText, statusCode: lenientNumber, isRetryable: lenientFlag })),
  }),
);
const openCodeRow = z.object({
  type: z.string(),
  sessionID: z.string(),
  part: lenient(openCodePart),
  error: openCodeError,
});
const exported = z.object({
  info: z.object({ id: z.string() }),
  messages: z.array(
    z.object({
      info: z.object({ role: z.string(), modelID: lenientText, error: openCodeError }),
      parts: z.array(openCodePart),
    }),
  ),
});

type OpenCodeRow = z.infer<typeof openCodeRow>;
type OpenCodePart = z.infer<typeof openCodePart>;

/** Kinds of rows and parts that are read, or hold no message and no call. */
const KNOWN =
  /^(?:text|tool(?:_use)?|error|step[_-](?:start|finish)|reasoning|snapshot|patch|compaction|retry)$/;

/** A call that is pending or running has no outcome. */
const OUTCOMES: ReadonlyMap<string, boolean> = new Map([
  ["completed", true],
  ["error", false],
]);

export const openCode: SessionFormat = {
  format: "logs of OpenCode",
  skillTool: { tool: "skill", names: ["name"] },
  detect: (one) =>
    rowsAs(openCodeRow, [one]).some(({ part, error }) => part ?? error) || rowsAs(exported, [one]).length > 0,
  read: (all) => {
    const sessions = rowsAs(exported, all);
    if (sessions.length > 0) return sessionOf(sessions);
    const rows = rowsAs(openCodeRow, all);
    const parts = rows.flatMap(({ part }) => part ?? []);
    const end = rows.findLast(({ type }) => type === "text" || type === "error");
    const error = end?.type === "error" ? (end.error ?? {}) : undefined;
    const { statusCode, isRetryable } = error?.data ?? {};
    const step = rows.findLast(({ type }) => type.startsWith("step_"));
    // Else the agent was waiting for a tool.
    const isFinished = !step || (step.type === "step_finish" && step.part?.reason !== "tool-calls");
    return {
      events: rows.flatMap((one) => eventsOfOpenCode(one.type, one.part)),
      unread: unreadKinds(openCodeRow, all, (_, { type }) => KNOWN.test(type)),
      failure: failureOfOpenCode(error),
      outage: outageOf(statusCode) ?? (isRetryable === true ? "busy" : undefined),
      client: { endedBy: error?.name, ...usageOfParts(parts) },
      skillsFrom: skillsFromOfParts(parts),
      missingEnd: error || isFinished ? undefined : "the end of its last step",
      sessions: rows.map(({ sessionID }) => sessionID),
    };
  },
};

function failureOfOpenCode(error: OpenCodeRow["error"]): string | undefined {
  return error && (error.data?.message ?? error.name ?? "error");
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

/** The session of an export. */
function sessionOf(sessions: readonly z.infer<typeof exported>[]): Session {
  const messages = sessions.flatMap((one) => one.messages);
  const all = messages.flatMap(({ parts }) => parts);
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
    client: usageOfParts(all),
    skillsFrom: skillsFromOfParts(all),
    unread: unreadKinds(openCodePart, all, (_, { type = "" }) => KNOWN.test(type)),
  };
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
