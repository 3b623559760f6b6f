/** The log at the command line: plain or coloured lines, and a progress line. */
import { clearLine, cursorTo } from "node:readline";
import { styleText } from "node:util";
import type { Problem } from "../domain/suite.ts";
import { shorten } from "../text/format.ts";
import { logLine, withoutCommands } from "../report/sanitize.ts";
import { type Redact, redactor } from "../report/redact.ts";
import { type RunLog, bugText } from "./log.ts";

/** Width of the progress line where the terminal reports none: a narrow one, since a wrapped line cannot be erased. */
const COLUMNS = 80;
const COLOURS = { error: "red", warning: "yellow", notice: "cyan" } as const;

/** Output streams: `out` for lines, `progress` for the progress line if it is a terminal. */
interface TerminalStreams {
  readonly out: NodeJS.WriteStream;
  readonly progress: NodeJS.WriteStream;
}

export interface TerminalLog extends RunLog {
  readonly out: NodeJS.WriteStream;
  /** Writes a text that is already sanitized, including styles. */
  readonly write: (text: string) => void;
}

/** Makes the log. Colours follow NO_COLOR, FORCE_COLOR and `out`, by `styleText`. */
export function terminalLog({ out, progress }: TerminalStreams): TerminalLog {
  let redact: Redact = (text) => text;
  let showsStatus = false;
  const safe = (text: string) => logLine(redact(text));
  const write = (text: string) => {
    if (showsStatus) eraseLine(progress);
    showsStatus = false;
    out.write(`${withoutCommands(text)}\n`);
  };
  const problem = (level: Problem["level"], text: string) => {
    write(`${styleText(COLOURS[level], `${level}:`, { stream: out })} ${safe(text)}`);
  };
  const status = (text: string) => {
    if (showsStatus) eraseLine(progress);
    progress.write(shorten(safe(text), (progress.columns || COLUMNS) - 1));
    showsStatus = true;
  };
  const fail = (text: string) => {
    write(styleText(["bold", "red"], safe(text), { stream: out }));
    process.exitCode = 1;
  };
  return {
    out,
    write,
    problem,
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
      problem("notice", message);
    },
    warn: (message) => {
      problem("warning", message);
    },
    setSecrets: (secrets) => {
      redact = redactor(secrets, { shapes: true });
    },
    conclude: (conclusion) => {
      // The cause has been printed above.
      if (conclusion.conclusion === "failure") fail(conclusion.sentence);
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
