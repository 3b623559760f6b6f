/** Everything at the command line that is not grading: an answer in text, and an exit status. */
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
  /** Where the person is. */
  readonly folder: string;
}

export interface Answer {
  readonly text: string;
  /** 0, 1 where it could not be carried out, or 2 where it could not be understood. */
  readonly status: 0 | 1 | 2;
}

/** Carries a command out. */
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

/** How a shell starts this program: by its package's name where it is installed, else by its file. */
export function programIn(root: string): string {
  if (/[\\/]node_modules[\\/]/.test(root)) return "npx waza-grade";
  const file = join(root, "dist/index.js");
  return `node ${/^[\w./\\:@+-]+$/.test(file) ? file : `"${file}"`}`;
}
