/** The log: its interface, and the logs of an Actions step and of a terminal. Implementations sanitize and redact. */
import * as core from "@actions/core";
import { clearLine, cursorTo } from "node:readline";
import { styleText } from "node:util";
import { EXIT } from "../domain/exit-status.ts";
import type { Conclusion } from "../domain/grade.ts";
import type { Problem } from "../domain/problem.ts";
import { redactor, type Redact } from "../safety/secrets.ts";
import { logLine, withoutCommands } from "../safety/sanitize.ts";
import { asSentence, docsAddress, problemLine, shorten } from "../text/format.ts";

/** The log of a whole run, including its conclusion. */
export interface RunLog extends Log {
  readonly notice: (message: string) => void;
  /** Sets an output of the step; absent at the command line. */
  readonly output?: (name: string, value: string) => void;
  /** Redacts these from now on. */
  readonly setSecrets: (secrets: readonly (string | undefined)[]) => void;
  /** The conclusion: the last line and the exit status, which is 1 also where named files are `unwritten`. */
  readonly conclude: (conclusion: Conclusion, unwritten?: readonly string[]) => void;
  /** An unexpected error, with its stack; the exit status is 1. */
  readonly bug: (error: unknown) => void;
}

/** The log for the steps of a run. */
export interface Log {
  readonly line: (text: string) => void;
  /** A group of lines under a title. */
  readonly group: (title: string, lines: readonly string[]) => void;
  /** Replaces the progress line; absent if output cannot be overwritten. */
  readonly status?: ((text: string) => void) | undefined;
  /** A problem with the input. */
  readonly problem: (problem: Problem) => void;
  readonly warn: (message: string) => void;
}

/** Makes the log. Variables that a runner normally sets are reported if missing. */
export function runnerLog(env: NodeJS.ProcessEnv): RunLog {
  let redact: Redact = (text) => text;
  const docs = docsAddress(env);
  const safe = (text: string) => logLine(redact(text));
  const notice = (message: string) => {
    core.notice(safe(message));
  };
  for (const missing of missingVariables(env)) notice(missing);
  return {
    notice,
    output: core.setOutput,
    warn: (message) => {
      core.warning(safe(message));
    },
    line: (text) => {
      core.info(safe(text));
    },
    problem: (problem) => {
      core.info(safe(`${problem.level}: ${problemLine(problem, docs)}`));
    },
    group: (title, lines) => {
      core.startGroup(safe(title));
      // In one write, since writes are synchronous.
      core.info(lines.map(safe).join("\n"));
      core.endGroup();
    },
    setSecrets: (secrets) => {
      for (const secret of secrets) if (secret) core.setSecret(secret);
      redact = redactor(secrets, { shapes: true });
    },
    conclude: (conclusion, unwritten = []) => {
      if (conclusion.conclusion === "failure" || unwritten.length > 0)
        core.setFailed(safe(withUnwritten(conclusionText(conclusion), unwritten)));
      else core.info(safe(conclusion.sentence));
    },
    bug: (error) => {
      core.setFailed(safe(bugText(error)));
    },
  };
}

/** Messages for missing variables, without which reports go elsewhere or are not published. */
function missingVariables(env: NodeJS.ProcessEnv): string[] {
  return [
    ...(env.GITHUB_STEP_SUMMARY ? [] : ["No job summary: GITHUB_STEP_SUMMARY is not set."]),
    ...(env.RUNNER_TEMP
      ? []
      : ["RUNNER_TEMP is not set: files without a configured path go to the system's temporary folder."]),
  ];
}

/** The conclusion with its cause. */
function conclusionText({ sentence, cause }: Conclusion): string {
  return cause === undefined ? sentence : `${asSentence(sentence)} ${cause}`;
}

/** The verdict, and which files that were asked for are not there. */
function withUnwritten(text: string, unwritten: readonly string[]): string {
  if (unwritten.length === 0) return text;
  return `${asSentence(text)} Not written: ${unwritten.map((file) => `\`${file}\``).join(", ")}.`;
}

/** What a system call refuses for want of a right or of room: no mistake of ours (errno(3)). */
const REFUSED = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"]);

/** The message for an unexpected error: a refusal of the system by its own words, else a bug with its stack. */
function bugText(error: unknown): string {
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code !== undefined && message !== undefined && REFUSED.has(code))
    return `The system refused it: ${message}.`;
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `A bug in waza-grade: ${what}`;
}

/* The log at the command line: plain or coloured lines, and a progress line. */

/** Width of the progress line where the terminal reports none: a narrow one, since a wrapped line cannot be erased. */
const COLUMNS = 80;
const COLOURS = { error: "red", warning: "yellow", notice: "cyan" } as const;

export interface TerminalLog extends RunLog {
  readonly out: NodeJS.WriteStream;
  /** Writes a text that is already sanitized, including styles. */
  readonly write: (text: string) => void;
}

/** Makes the log: lines on `out`, the progress line on `progress` if it is a terminal. Colours follow NO_COLOR, FORCE_COLOR and `out`, by `styleText`. */
export function terminalLog({
  out,
  progress,
}: {
  readonly out: NodeJS.WriteStream;
  readonly progress: NodeJS.WriteStream;
}): TerminalLog {
  let redact: Redact = (text) => text;
  let showsStatus = false;
  const safe = (text: string) => logLine(redact(text));
  const write = (text: string) => {
    if (showsStatus) eraseLine(progress);
    showsStatus = false;
    out.write(`${withoutCommands(text)}\n`);
  };
  const entry = (level: Problem["level"], text: string) => {
    write(`${styleText(COLOURS[level], `${level}:`, { stream: out })} ${safe(text)}`);
  };
  const status = (text: string) => {
    if (showsStatus) eraseLine(progress);
    progress.write(shorten(safe(text), (progress.columns || COLUMNS) - 1));
    showsStatus = true;
  };
  const fail = (text: string) => {
    write(styleText(["bold", "red"], safe(text), { stream: out }));
    process.exitCode = EXIT.failed;
  };
  return {
    out,
    write,
    problem: (problem) => {
      entry(problem.level, problemLine(problem));
    },
    // A dumb terminal cannot erase a line.
    status: progress.isTTY && process.env.TERM !== "dumb" ? status : undefined,
    line: (text) => {
      write(safe(text));
    },
    // Only the title: failures and their reasons follow at the end.
    group: (title) => {
      write(styleText("bold", safe(title), { stream: out }));
    },
    notice: (message) => {
      entry("notice", message);
    },
    warn: (message) => {
      entry("warning", message);
    },
    setSecrets: (secrets) => {
      redact = redactor(secrets, { shapes: true });
    },
    conclude: (conclusion, unwritten = []) => {
      // The cause has been printed above.
      if (conclusion.conclusion === "failure" || unwritten.length > 0)
        fail(withUnwritten(conclusion.sentence, unwritten));
      else write(styleText(["bold", "green"], safe(conclusion.sentence), { stream: out }));
    },
    bug: (error) => {
      fail(bugText(error));
    },
  };
}

function eraseLine(stream: NodeJS.WriteStream): void {
  clearLine(stream, 0);
  cursorTo(stream, 0);
}
