/** The log of a step: lines, folds and workflow commands, which GitHub's runner reads. */
import * as core from "@actions/core";
import { logLine } from "../report/neutralise.ts";
import { redactor } from "../report/redact.ts";
import type { Redact } from "../report/redact.ts";
import { bugText, verdictText } from "./log.ts";
import type { RunLog } from "./log.ts";

/** Makes the log. What a runner always sets and this one does not is told at once. */
export function runnerLog(env: NodeJS.ProcessEnv): RunLog {
  let redacted: Redact = (text) => text;
  const said = (text: string) => logLine(redacted(text));
  const notice = (message: string) => {
    core.notice(said(message));
  };
  for (const missing of missingVariables(env)) notice(missing);
  return {
    notice,
    warn: (message) => {
      core.warning(said(message));
    },
    line: (text) => {
      core.info(said(text));
    },
    problem: (level, text) => {
      core.info(said(`${level}: ${text}`));
    },
    group: (title, lines) => {
      core.startGroup(said(title));
      // In one write, since each is waited for.
      core.info(lines.map(said).join("\n"));
      core.endGroup();
    },
    conceal: (secrets) => {
      for (const secret of secrets) if (secret) core.setSecret(secret);
      redacted = redactor(secrets, { shapes: true });
    },
    conclude: (conclusion) => {
      if (conclusion.conclusion === "failure") core.setFailed(said(verdictText(conclusion)));
      else core.info(said(conclusion.sentence));
    },
    bug: (error) => {
      core.setFailed(said(bugText(error)));
    },
  };
}

/** Without these, something is published elsewhere or not at all. */
function missingVariables(env: NodeJS.ProcessEnv): string[] {
  return [
    ...(env.GITHUB_STEP_SUMMARY ? [] : ["No job summary: GITHUB_STEP_SUMMARY is not set."]),
    ...(env.RUNNER_TEMP
      ? []
      : ["RUNNER_TEMP is not set: files without a path of their own go to the system's temporary folder."]),
  ];
}
