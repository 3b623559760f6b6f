/** Logs of agents: one file is one session, which is one run of a task. */
import { basename, dirname } from "node:path";
import {
  type ClientFacts,
  type LoggedSkill,
  type Step,
  hasConversation,
  possibleFacts,
} from "../domain/run.ts";
import { error, notice, warning, onLine, type Problem } from "../domain/problem.ts";
import { stemOf } from "./content.ts";
import {
  knownTaskOfName,
  onlyTask,
  taskOfName,
  taskOfPrompt,
  type KnownTasks,
  type NamedTask,
} from "./layout.ts";
import {
  rowsOfContent,
  unreadWarning,
  type Content,
  type Reader,
  type Reading,
  type Trial,
} from "./reader.ts";
import { once } from "../text/format.ts";
import { type SkillTool, skillCallsOf, skillsNamed } from "./skill-loads.ts";
import { lastMessage, promptOf, stepsOf, type LogEvent } from "./transcript.ts";

/** A session, as its log records it. */
export interface Session extends Pick<Trial, "model" | "failure" | "outage"> {
  /** Messages and calls, without user messages that the agent's program inserted. */
  readonly events: readonly LogEvent[];
  /** The answer; without it, the agent's last message. */
  readonly finalOutput?: string | undefined;
  /** What the rows say of the client; its calls for skills are found by `skillTool`. */
  readonly client?: Omit<ClientFacts, "skillCalls" | "hasUnseenSession"> | undefined;
  /** The skills that were loaded and where they are, where the log says it elsewhere than `client`; the last of a name counts. */
  readonly skillsFrom?: readonly LoggedSkill[] | undefined;
  /** False where another client may have written the rows, and they do not say that skills were offered. */
  readonly saysSkills?: boolean | undefined;
  /** What is missing at the end of an interrupted log. */
  readonly missingEnd?: string | undefined;
  /** What tells apart the sessions that begin in the log, if it records that; with repetitions. */
  readonly sessions?: readonly unknown[] | undefined;
  /** The kind of each row and part that was not read (`unreadOf`), with repetitions. */
  readonly unread: readonly string[];
  /** The agent used sub-agents, and the log has none of their work: what would have it, empty where nothing does. */
  readonly lacksSubAgents?: string | undefined;
  /** The session is a sub-agent's, in a separate file. */
  readonly isSubAgentLog?: boolean | undefined;
}

/** A format of logs: what to write for a new agent (CONTRIBUTING.md). */
export interface SessionFormat {
  /** The format's name in messages: `logs of Claude Code`. */
  readonly format: string;
  /** True for a row that only this format has. A log that is one JSON object is one row. */
  readonly detect: (row: object) => boolean;
  /** Never throws. */
  readonly read: (rows: readonly unknown[]) => Session;
  /** Null where the client has none; absent where the log does not have all ways of loading a skill. */
  readonly skillTool?: SkillTool | null;
  /** A message of the user that begins with `/name` loads that skill. */
  readonly expandsSkills?: true;
  /** What the client keeps itself, which has steps that it does not print. */
  readonly keepsMore?: true;
}

/** The reader of a format of logs. */
export function sessionReader(one: SessionFormat): Reader {
  const { format, detect } = one;
  return { format, detect, isLog: true, read: (content, tasks) => readingOf(content, one, tasks) };
}

const SESSIONS_READ = new WeakMap<SessionFormat, WeakMap<Content, Session>>();

/** The session in a file, read once: its content says whether it is of that format, too. */
export function sessionOf(format: SessionFormat, content: Content): Session {
  const known = once(SESSIONS_READ, format, () => new WeakMap<Content, Session>());
  return once(known, content, () => format.read(rowsOfContent(content)));
}

function readingOf(content: Content, format: SessionFormat, tasks: KnownTasks): Reading {
  const session = sessionOf(format, content);
  if (session.isSubAgentLog) {
    const message =
      "the file is the session of a sub-agent; it is ignored, since a run is the session of the agent itself.";
    return { problems: [notice("sub-agent-session", message, { at: content.at })] };
  }
  const { events, model, failure, outage } = session;
  const prompt = promptOf(events);
  const named = taskOfLog(content.file, prompt, tasks);
  if (!named) return { unmatchedName: stemOf(content.file), problems: [] };
  const { prompts: [first = prompt, ...otherPrompts] = [], ...trial } = named;
  const answer = failure === undefined ? session.finalOutput : undefined;
  const finalOutput = answer?.trim() ? answer : lastMessage(events);
  const steps = stepsOf(events);
  const said = first ?? tasks.prompts.get(named.taskId)?.[0];
  const client = clientOf(session, steps, { ...format, said, skills: tasks.skills });
  return {
    trials: [
      {
        ...trial,
        finalOutput,
        steps,
        model,
        prompt: otherPrompts.length > 0 ? undefined : first,
        failure,
        outage,
        client,
      },
    ],
    problems: problemsOfLog(content, session),
  };
}

/** What the log says of the client, and which skills were loaded; some clients do not print what the user said. */
function clientOf(
  { client = {}, skillsFrom, saysSkills, lacksSubAgents }: Session,
  steps: readonly Step[],
  how: SessionFormat & Pick<KnownTasks, "skills"> & { readonly said: string | undefined },
): ClientFacts {
  const { skillTool, expandsSkills, said: asked, skills } = how;
  const called = skillCallsOf(steps, { tool: skillTool, from: skillsFrom ?? client.skills, skills });
  const printed = steps.flatMap((step) => (step.kind === "user" ? [step.text] : []));
  const said = printed.length > 0 || asked === undefined ? printed : [asked];
  // A command that the client does not know ends without a word of the agent.
  const isExpanded = expandsSkills && hasConversation({ steps });
  const calls = called && [...called, ...(isExpanded ? skillsNamed(said, client) : [])];
  const isSaid = saysSkills !== false || calls?.length;
  const hasUnseenSession = lacksSubAgents === undefined ? undefined : true;
  return possibleFacts({ ...client, hasUnseenSession, skillCalls: isSaid ? calls : undefined });
}

/**
 * The task of a log: by the file's name, the folder's (an artifact's), the prompt, or because there is only one. Of one by
 * name with the task's prompts: the log's own may be written by the agent.
 */
function taskOfLog(
  file: string,
  prompt: string | undefined,
  tasks: KnownTasks,
): (NamedTask & { readonly prompts?: readonly string[] | undefined }) | undefined {
  const stem = stemOf(file);
  const byName = knownTaskOfName(stem, tasks) ?? knownTaskOfName(basename(dirname(file)), tasks);
  if (byName) return { ...byName, prompts: tasks.prompts.get(byName.taskId) };
  const taskId = taskOfPrompt(prompt, tasks) ?? onlyTask(tasks);
  return taskId === undefined ? taskOfName(stem, tasks) : { taskId };
}

/** What is wrong with a log, or missing from it. Lines that are not JSON before the session starts are ignored. */
function problemsOfLog({ broken = [], at }: Content, session: Session): Problem[] {
  const problems: Problem[] = [];
  const [first, ...moreLines] = broken.filter(({ before }) => !before);
  if (first) {
    const more = moreLines.length > 0 ? `, and ${String(moreLines.length)} more like it` : "";
    const message = `the line is not JSON${more}; it is ignored, and the rest is graded.`;
    problems.push(
      warning("broken-line", message, {
        help: first.problem.help,
        at: onLine(at, first.problem.at?.startLine ?? 1),
      }),
    );
  }
  problems.push(...unreadWarning(at, session.unread));
  if (session.lacksSubAgents !== undefined) {
    const message =
      "the agent used sub-agents, and the log has none of their steps: the judge sees only their prompts and reports.";
    const help = session.lacksSubAgents || undefined;
    problems.push(warning("sub-agents-not-logged", message, { help, at }));
  }
  if (session.missingEnd !== undefined) {
    const message = `the file ends without ${session.missingEnd}: the session was interrupted; what it has is graded.`;
    const help = "Check the step that runs the agent, for example its time limit.";
    problems.push(warning("interrupted-session", message, { help, at }));
  }
  // A log is one run: a second session would hide the first.
  const { size } = new Set(session.sessions);
  if (size > 1) {
    const message = `the file holds ${String(size)} sessions, but a log is one run.`;
    const help = "Write each session to a separate file: `>` instead of `>>`.";
    problems.push(error("several-sessions", message, { help, at }));
  }
  return problems;
}
