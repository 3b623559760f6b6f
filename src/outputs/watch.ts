/** What is heard of a log while it is written, row by row: its calls, its cost, and whether no more of it is needed. */
import { type SkillCall, hasConversation, isSkill } from "../domain/run.ts";
import type { Skill } from "../domain/suite.ts";
import { SESSIONS } from "./file-formats.ts";
import type { Session, SessionFormat } from "./session.ts";
import { foldersOf, namesFile, skillCallsOf } from "./skill-loads.ts";
import { stepsOf, type LogEvent } from "./transcript.ts";
import { jsonOf } from "../text/format.ts";

/** Maximum calls that may yet load a skill: a later row has the result. */
const MOST_OPEN_CALLS = 100;

/** What was heard up to a row. */
interface HeardRow {
  readonly calls: number;
  /** What the rows say of the cost, and with what only the end of a session says. */
  readonly cost: { readonly rows: number; readonly all: number };
  /** The agent need not go on: its key was refused, or the skill of a trigger eval was loaded. */
  readonly isEnough: boolean;
}

/**
 * Hears a log. It is enough at the third row in which the client says that its key was refused before the agent has done
 * anything (a first refusal may make it renew a token); of a trigger eval once one of its skills was loaded, of several the
 * wanted one, where there is one: by a call with a result that is no error, or one that shows the skill's file.
 */
export function watchLog(trigger?: {
  readonly skills: readonly Skill[];
  readonly wanted?: string | undefined;
}): (line: string) => HeardRow {
  const read = rowWatch();
  const calls = new Set<string>();
  let [rows, ofSession, refusals, hasWorked] = [0, 0, 0, false];
  let open: readonly LogEvent[] = [];
  const isLoaded = ({ events }: Session, tool: SessionFormat["skillTool"]) => {
    if (!trigger) return false;
    const { skills, wanted } = trigger;
    const isEnd = (load: SkillCall) =>
      load.success === true && (wanted === undefined || isSkill(load, wanted));
    const mayLoad = (event: LogEvent) =>
      event.kind === "call" &&
      (event.name === tool?.tool || skills.some((skill) => namesFile(event.input, foldersOf(skill))));
    const loads = skillCallsOf(stepsOf([...open, ...events]), { tool, skills });
    open = [...open, ...events.filter(mayLoad)].slice(-MOST_OPEN_CALLS);
    return loads?.some(isEnd) ?? false;
  };
  return (line) => {
    const { session, tool } = read(line) ?? {};
    const { cost = 0, isOfSession } = session?.client ?? {};
    if (isOfSession) ofSession = Math.max(ofSession, cost);
    else rows += cost;
    const { events = [], outage } = session ?? {};
    for (const event of events) if ("id" in event && event.id) calls.add(event.id);
    hasWorked ||= hasConversation({ steps: stepsOf(events) });
    if (outage === "refused" && !hasWorked) refusals += 1;
    const isEnough = refusals >= 3 || (session !== undefined && isLoaded(session, tool));
    return { calls: calls.size, cost: { rows, all: rows + ofSession }, isEnough };
  };
}

/** Reads the rows of a log one by one, each in the format that the first row with one has. */
export function rowWatch() {
  let format: SessionFormat | undefined;
  return (line: string) => {
    const row = jsonOf(line);
    if (typeof row !== "object" || row === null) return undefined;
    format ??= SESSIONS.find(({ detect }) => detect(row));
    return format && { session: format.read([row]), tool: format.skillTool };
  };
}
