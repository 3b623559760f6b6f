/** The log of an Actions step: lines, groups and workflow commands for GitHub's runner. */
import * as core from "@actions/core";
import { logLine } from "../report/sanitize.ts";
import { redactor } from "../report/redact.ts";
import type { Redact } from "../report/redact.ts";
import { bugText, verdictText } from "./log.ts";
import type { RunLog } from "./log.ts";

/** Makes the log. Variables that a runner normally sets are reported if missing. */
export function runnerLog(env: NodeJS.ProcessEnv): RunLog {
  let redact: Redact = (text) => text;
  const safe = (text: string) => logLine(redact(text));
  const notice = (message: string) => {
    core.notice(safe(message));
  };
  for (const missing of missingVariables(env)) notice(missing);
  return {
    notice,
    warn: (message) => {
      core.warning(safe(message));
    },
    line: (text) => {
      core.info(safe(text));
    },
    problem: (level, text) => {
      core.info(safe(`${level}: ${text}`));
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
    conclude: (conclusion) => {
      if (conclusion.conclusion === "failure") core.setFailed(safe(verdictText(conclusion)));
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
