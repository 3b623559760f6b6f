/** What a log says happened, event by event, in any format; and the steps of the conversation: its calls with their results. */
import type { Step } from "../domain/run.ts";

/** A message, a loaded skill or an error; a call of a tool; or a result, of the call with its id. */
export type LogEvent =
  | { readonly kind: "user" | "assistant" | "skill" | "error"; readonly text: string }
  | CallEvent
  | ResultEvent;

interface CallEvent {
  readonly kind: "call";
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** The arguments as JSON text. */
  readonly input: string;
  /** The sub-agent that made the call, as the log names it; absent for the agent itself. */
  readonly subAgent?: string | undefined;
}

interface ResultEvent extends Pick<CallEvent, "id" | "name"> {
  readonly kind: "result";
  readonly result?: string | undefined;
  readonly success?: boolean | undefined;
}

/**
 * Joins each result to its call: by id and order; one without an id to the first call without a result since the last
 * words. A result without a call becomes a call of an unnamed tool. The same id with the same arguments is one call.
 */
export function stepsOf(all: readonly LogEvent[]): Step[] {
  const events = withoutRepeats(all);
  const results = resultsOfCalls(events);
  const joined = new Set(results.values());
  return events.flatMap((event): Step[] => {
    if ("text" in event) {
      const isSilent = (event.kind === "user" || event.kind === "assistant") && event.text.trim() === "";
      return isSilent ? [] : [event];
    }
    if (event.kind === "result" && joined.has(event)) return [];
    const { result, success } = event.kind === "result" ? event : { ...results.get(event) };
    const { name = "(unnamed)" } = event;
    const { input, subAgent } = event.kind === "call" ? event : { input: "" };
    return [{ kind: "tool", name, input, result, success, ...(subAgent !== undefined && { subAgent }) }];
  });
}

function resultsOfCalls(events: readonly LogEvent[]): ReadonlyMap<CallEvent, ResultEvent> {
  const results = new Map<CallEvent, ResultEvent>();
  const withId = Map.groupBy(events.filter((event) => event.kind === "result").reverse(), ({ id }) => id);
  let open: CallEvent[] = [];
  let answered = 0;
  for (const event of events) {
    if (event.kind === "call") {
      const result = event.id === undefined ? undefined : withId.get(event.id)?.pop();
      if (result) results.set(event, result);
      else open.push(event);
    } else if (event.kind === "user" || event.kind === "assistant") [open, answered] = [[], 0];
    else if (event.kind === "result" && event.id === undefined) {
      const call = open[answered];
      answered += 1;
      if (call) results.set(call, event);
    }
  }
  return results;
}

/**
 * Of calls with one id that say the same before their result, white space aside, the first; of one with and one without arguments, the one
 * with. A result that is said again counts where a call with its id has none yet.
 */
function withoutRepeats(events: readonly LogEvent[]): readonly LogEvent[] {
  const places = new Map<string, number>();
  const awaited = new Map<string, number>();
  const kept: LogEvent[] = [];
  for (const event of events) {
    if ("text" in event || event.id === undefined) {
      kept.push(event);
      continue;
    }
    const { id } = event;
    const left = awaited.get(id) ?? 0;
    if (event.kind === "result") {
      const said = JSON.stringify([id, "result", event.result]);
      if (left < 1 && places.has(said)) continue;
      places.set(said, kept.length);
      awaited.set(id, left - 1);
    } else {
      const call = JSON.stringify([id, event.name]);
      const said = `${call}${event.input === "{}" ? "" : event.input.replaceAll(/\s/g, "")}`;
      if (left > 0 && (places.has(said) || (said === call && places.has(`${call}?`)))) continue;
      const silent = left > 0 ? places.get(call) : undefined;
      places.set(said, silent ?? kept.length).set(`${call}?`, kept.length);
      if (silent !== undefined) {
        places.delete(call);
        kept[silent] = event;
        continue;
      }
      awaited.set(id, left + 1);
    }
    kept.push(event);
  }
  return kept;
}

/** A message of the user or the agent. */
export function messageEvent(who: "user" | "assistant", text: string): LogEvent {
  return { kind: who, text };
}

/** Adds a piece of a message to the last event, where that is a message of the same voice; else as an event. */
export function addPiece(events: LogEvent[], piece: LogEvent): void {
  const last = events.at(-1);
  if (last && "text" in last && "text" in piece && last.kind === piece.kind)
    events[events.length - 1] = { ...last, text: last.text + piece.text };
  else events.push(piece);
}

/** A tool call; its result has the same id. */
export function callEvent(id: string | undefined, name: string | undefined, input: unknown): LogEvent {
  return { kind: "call", id: id || undefined, name: name || undefined, input: jsonText(input ?? {}) };
}

/** The result of a call. */
export function resultEvent(id: string | undefined, content: unknown, success?: boolean): LogEvent {
  const result = content === undefined || content === null ? undefined : jsonText(content);
  return { kind: "result", id: id || undefined, result, success };
}

/** A value as JSON, a text as it is; empty for none. */
export function jsonText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The agent's last message that is not blank; empty if there is none. */
export function lastMessage(events: readonly LogEvent[]): string {
  const last = events.findLast((event) => event.kind === "assistant" && event.text.trim() !== "");
  return last && "text" in last ? last.text : "";
}

/** The user's message before any other event. */
export function promptOf(events: readonly LogEvent[]): string | undefined {
  const isBlank = (event: LogEvent) => "text" in event && event.text.trim() === "";
  const first = events.find((event) => !isBlank(event));
  return first?.kind === "user" ? first.text : undefined;
}
