/** Commands other than grading: their output and exit status. */
import { join } from "node:path";
import { messageOf } from "../text/errors.ts";
import { logLine } from "../report/sanitize.ts";
import type { Drawing } from "../text/drawing.ts";
import { VERSION } from "../text/version.ts";
import type { Declared } from "./declared-inputs.ts";
import type { Command } from "./flags.ts";
import { helpText, initHelpText } from "./help.ts";
import { initProject } from "./init.ts";
import { ownEvals } from "./own-evals.ts";

export interface Surroundings {
  readonly declared: Declared;
  readonly drawing: Drawing;
  /** The folder that holds dist/. */
  readonly root: string;
  /** The current folder. */
  readonly folder: string;
}

export interface Answer {
  readonly text: string;
  /** 0; 1 when it failed; 2 when the command line is wrong. */
  readonly status: 0 | 1 | 2;
}

export async function answer(
  command: Exclude<Command, { readonly kind: "grade" }>,
  surroundings: Surroundings,
): Promise<Answer> {
  const { declared, drawing } = surroundings;
  switch (command.kind) {
    case "help":
      return { text: helpText(declared, drawing), status: 0 };
    case "version":
      return { text: VERSION, status: 0 };
    case "init":
      return initAnswer(command, surroundings);
    case "init-help":
      return { text: initHelpText(drawing), status: 0 };
    case "misused":
      return { text: drawing.style("red", logLine(command.message)), status: 2 };
  }
}

async function initAnswer(
  { agent, evals }: Command & { readonly kind: "init" },
  { drawing, root, folder }: Surroundings,
): Promise<Answer> {
  try {
    const own = await ownEvals(evals, { folder, agent });
    const templates = join(root, "dist/init");
    return { text: initProject({ agent, folder, templates, own, program: programIn(root) }), status: 0 };
  } catch (error) {
    return { text: drawing.style("red", logLine(`This cannot be written: ${messageOf(error)}.`)), status: 1 };
  }
}

/** The command that starts this program: the package's name when installed, else its file. */
export function programIn(root: string): string {
  if (/[\\/]node_modules[\\/]/.test(root)) return "npx waza-grade";
  const file = join(root, "dist/index.js");
  return `node ${/^[\w./\\:@+-]+$/.test(file) ? file : `"${file}"`}`;
}
