/** Logs of agents: one file tells of one session, which is one run of the task that its name or its prompt says. */
import { basename, dirname } from "node:path";
import type { Problem } from "../domain/place.ts";
import { error, notice, warning } from "../text/problem.ts";
import { stemOf } from "./content.ts";
import { partsLeftOut, problemAt, rowsOf } from "./reader.ts";
import type { Content, Reader, Reading, Where } from "./reader.ts";
import type { TranscriptEvent } from "./schema.ts";
import { onlyTask, taskOfName, taskOfPrompt } from "./task-names.ts";
import type { KnownTasks, Named } from "./task-names.ts";
import { lastSaid, promptOf } from "./transcript/events.ts";

/** What a log says of its session. */
export interface Session {
  /** What was said and done, without what the agent's program put into the user's mouth. */
  readonly events: readonly TranscriptEvent[];
  /** What the user asked; taken from the events when the log does not say it elsewhere. */
  readonly prompt?: string | undefined;
  readonly model?: string | undefined;
  /** The last thing the agent said when the log has no answer of its own. */
  readonly finalOutput?: string | undefined;
  /** Why the agent failed; absent when it did not. */
  readonly failure?: string | undefined;
  /** The log ends before the session did: what is missing at its end. */
  readonly cutOff?: string | undefined;
  /** How many sessions begin in the log, where it says so. */
  readonly begun?: number | undefined;
  /** The kinds of all rows and parts that were not read (`unreadKinds`), repeated as they are. */
  readonly unread: readonly string[];
  /** It used sub-agents, and holds nothing of what they did. */
  readonly lacksSubAgents?: boolean | undefined;
  /** The session is a sub-agent's, in a file of its own. */
  readonly isSubAgents?: boolean | undefined;
}

/** One format of such logs: what to write for an agent that is not known yet (CONTRIBUTING.md). */
export interface SessionFormat {
  /** What people call the logs: `logs of Claude Code`. */
  readonly format: string;
  /** True for a row that only this format has. A log that is one JSON object is one row. */
  readonly detect: (row: object) => boolean;
  /** Never throws, whatever the rows are. */
  readonly read: (rows: readonly unknown[]) => Session;
}

/** The reader of a format of logs. */
export function sessionReader({ format, detect, read }: SessionFormat): Reader {
  return {
    format,
    detect,
    isLog: true,
    read: (content, tasks) => readingOf(content, read(rowsOf(content)), tasks),
  };
}

function readingOf(content: Content, session: Session, tasks: KnownTasks): Reading {
  const { where } = content;
  if (session.isSubAgents) return { problems: [subAgents(where)] };
  const { events, model, failure, prompt = promptOf(events) } = session;
  const named = taskOfLog(content, prompt, tasks);
  if (!named) return { unplaced: stemOf(content.file), problems: [] };
  // What a file is named for was asked in the task's own words: what the file says may be the agent's.
  const { isByName, ...trial } = named;
  const [asked = prompt, ...others] = (isByName ? tasks.prompts.get(named.taskId) : undefined) ?? [];
  const answer = failure === undefined ? session.finalOutput : undefined;
  const finalOutput = answer?.trim() ? answer : lastSaid(events);
  return {
    trials: [
      { ...trial, finalOutput, events, model, prompt: others.length > 0 ? undefined : asked, failure },
    ],
    problems: [
      ...damage(content),
      ...partsLeftOut(where, session.unread),
      ...withoutSubAgents(where, session),
      ...cutOff(where, session),
      ...severalSessions(where, session),
    ],
  };
}

/** The task of a log; `isByName` where the file's name or its folder's says it. */
type NamedLog = Named & { readonly isByName?: true };

/** By the file's name, then by the folder's (an artifact's), then by the prompt, then because there is only one task. */
function taskOfLog({ file }: Content, prompt: string | undefined, tasks: KnownTasks): NamedLog | undefined {
  const closed = { ...tasks, open: false };
  const named = taskOfName(stemOf(file), closed) ?? taskOfName(basename(dirname(file)), closed);
  if (named) return { ...named, isByName: true };
  const taskId = taskOfPrompt(prompt, tasks) ?? onlyTask(tasks);
  return taskId === undefined ? taskOfName(stemOf(file), tasks) : { taskId };
}

/** What is printed before the session begins is nobody's loss; other lines that are not JSON are told. */
function damage({ broken = [], where }: Content): Problem[] {
  const told = broken.filter(({ before }) => !before);
  const [first] = told;
  if (!first) return [];
  const { startLine: line = 1 } = first.problem.at ?? {};
  const more = told.length > 1 ? `, and ${String(told.length - 1)} more like it` : "";
  const message = `\`${where.path}\`: line ${String(line)} is not JSON${more}; it is left out, and the rest is graded.`;
  return [problemAt(where, line, warning(message, { help: first.problem.help }))];
}

function cutOff(where: Where, { cutOff: missing }: Session): Problem[] {
  if (missing === undefined) return [];
  const message = `\`${where.path}\` ends without ${missing}: the session was cut off, and is graded as far as it goes.`;
  return [
    problemAt(where, 1, warning(message, { help: "Check what runs the agent, for a time limit say." })),
  ];
}

/** A log carries one run: what was appended to it would hide the session before. */
function severalSessions(where: Where, { begun = 1 }: Session): Problem[] {
  if (begun < 2) return [];
  const message = `\`${where.path}\` holds ${String(begun)} sessions, and a log is one run.`;
  const help = "Write each session to a file of its own: `>` instead of `>>`.";
  return [problemAt(where, 1, error(message, { help }))];
}

function subAgents(where: Where): Problem {
  const message = `\`${where.path}\` is the session of a sub-agent, left out: a run is the session of the agent itself.`;
  return problemAt(where, 1, notice(message));
}

function withoutSubAgents(where: Where, { lacksSubAgents }: Session): Problem[] {
  if (!lacksSubAgents) return [];
  const alike =
    "used sub-agents and holds nothing of what they did: the judge sees what they were asked and what they reported.";
  const help = "`claude -p --output-format stream-json --verbose` prints the calls of sub-agents, too.";
  return [problemAt(where, 1, warning(`\`${where.path}\` ${alike}`, { alike, help }))];
}
