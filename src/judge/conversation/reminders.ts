/** Reminders for a judge that finishes too early. */
import { listed } from "../../text/format.ts";
import { JSON_REMINDER, jsonForm } from "../api/json-verdict.ts";
import type { ParsedReply } from "./parse-reply.ts";
import { shortReport } from "./remaining.ts";
import { missingStatements } from "./state.ts";
import type { Conversation } from "./state.ts";

const NOT_YET =
  "Not finished: the files you asked for are shown only now. Report what they tell, then call finish_grading.";

const REPORT =
  "Report what is left now: call set_waza_grade_pass or set_waza_grade_fail once for each check, then finish_grading.";

/** The reminder for a judge that finishes too early, each part once per grade; undefined if nothing is missing. */
export function reminder(conversation: Conversation): string | undefined {
  const { reminders, checks, request, currentProfile, unrecorded = "", withoutTools } = conversation;
  const missing = checks.length > 0 ? missingStatements(conversation) : [];
  const short = shortReport(conversation);
  const isFirst = (key: string, isDue: boolean) => {
    if (!isDue || reminders.has(key)) return false;
    reminders.add(key);
    return true;
  };
  const nothing = isFirst("nothing", checks.length === 0);
  const lost = isFirst("unrecorded", unrecorded !== "");
  const statements = isFirst("statements", missing.length > 0);
  const left = isFirst("count", short !== undefined) && short ? short.announced - short.reported : 0;
  const form = jsonForm(request.statements !== undefined);
  if (nothing && currentProfile?.tools === false) return `${JSON_REMINDER} ${form}`;
  // From now on a reply in JSON is accepted, too.
  if (nothing) conversation.takesJson = true;
  const numbers = listed(missing.map(String), Infinity);
  const parts = [
    nothing && "You have not reported anything yet, and what you write is not read.",
    lost && unrecorded,
    (nothing || lost) && REPORT,
    left > 0 && `You said that ${String(left)} more are to be reported: report them, or call finish_grading.`,
    statements && `There is no verdict yet on statement ${numbers}: report it now.`,
    nothing && `If you cannot call tools, write one JSON object as your whole reply: ${form}`,
    statements && withoutTools && `Write one JSON object as your whole reply: ${form}`,
  ];
  return parts.filter((part) => part !== false).join(" ") || undefined;
}

/** Answers the calls of a reply, so that the judge continues; without calls, the reminder is a message. */
export function answerCalls(
  { turns }: Conversation,
  { calls, answers }: ParsedReply,
  missing: string | undefined,
): void {
  for (const [index, { id }] of calls.entries())
    if (id !== "") turns.push({ kind: "result", id, content: answers[index] ?? missing ?? NOT_YET });
  // Some servers accept no user message after a result: a finish is answered with the reminder.
  const isAnswered = calls.some(({ id }, index) => id !== "" && answers[index] === undefined);
  if (missing !== undefined && !isAnswered)
    turns.push({ kind: "message", message: { role: "user", content: missing } });
}
