/** Runs the bundle as a person does: with flags, in a folder, and without anything of a runner in the environment. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { temporaryFolder } from "./run-action.ts";

/** The action and the command. */
export const BUNDLE = join(import.meta.dirname, "..", "..", "dist", "index.js");

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** The system's temporary folder, as the command saw it. */
  readonly temp: string;
}

/** Waits until the command is over; its output is no terminal. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  entry = BUNDLE,
): Promise<CommandResult> {
  const temp = temporaryFolder("temp");
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: temp, TMPDIR: temp, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err, temp };
}
