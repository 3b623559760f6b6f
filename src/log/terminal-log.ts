/** The log at the command line: plain lines, in colour where the terminal shows colours, and one line of progress. */
import { clearLine, cursorTo } from "node:readline";
import { styleText } from "node:util";
import type { Problem } from "../domain/place.ts";
import { shorten } from "../text/format.ts";
import { logLine, withoutCommands } from "../report/neutralise.ts";
import { redactor } from "../report/redact.ts";
import type { Redact } from "../report/redact.ts";
import { bugText, verdictText } from "./log.ts";
import type { RunLog } from "./log.ts";

/** Of a terminal that does not say how many it has. */
const COLUMNS = 80;
const COLOURS = { error: "red", warning: "yellow", notice: "cyan" } as const;

/** Where it is written: what stays to `out`, how far it is to `progress` as long as that is a terminal. */
export interface TerminalStreams {
  readonly out: NodeJS.WriteStream;
  readonly progress: NodeJS.WriteStream;
}

export interface TerminalLog extends RunLog {
  /** Where it writes to. */
  readonly out: NodeJS.WriteStream;
  /** Writes a text of several lines that is harmless to a terminal already, styles and all. */
  readonly write: (text: string) => void;
}

/** Makes the log. Colours follow NO_COLOR, FORCE_COLOR and whether `out` is a terminal, as `styleText` reads them. */
export function terminalLog({ out, progress }: TerminalStreams): TerminalLog {
  let redacted: Redact = (text) => text;
  let showsStatus = false;
  // A reader that has left, as `head` does, changes nothing of the verdict.
  out.on("error", () => undefined);
  const said = (text: string) => logLine(redacted(text));
  const write = (text: string) => {
    if (showsStatus) eraseLine(progress);
    showsStatus = false;
    out.write(`${withoutCommands(text)}\n`);
  };
  const problem = (level: Problem["level"], text: string) => {
    write(`${styleText(COLOURS[level], `${level}:`, { stream: out })} ${said(text)}`);
  };
  const status = (text: string) => {
    if (showsStatus) eraseLine(progress);
    progress.write(shorten(said(text), (progress.columns || COLUMNS) - 1));
    showsStatus = true;
  };
  const fail = (text: string) => {
    write(styleText(["bold", "red"], said(text), { stream: out }));
    process.exitCode = 1;
  };
  return {
    out,
    write,
    problem,
    // A terminal that is dumb cannot take back what it shows.
    status: progress.isTTY && process.env.TERM !== "dumb" ? status : undefined,
    line: (text) => {
      write(said(text));
    },
    // The title counts; what failed, and why, is told at the end.
    group: (title) => {
      write(styleText("bold", said(title), { stream: out }));
    },
    notice: (message) => {
      problem("notice", message);
    },
    warn: (message) => {
      problem("warning", message);
    },
    conceal: (secrets) => {
      redacted = redactor(secrets, { shapes: true });
    },
    conclude: (conclusion) => {
      // The cause stands above.
      if (conclusion.conclusion === "failure") fail(verdictText({ ...conclusion, cause: undefined }));
      else write(styleText(["bold", "green"], said(conclusion.sentence), { stream: out }));
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
