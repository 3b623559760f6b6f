/** Files that the agent created, by its tool calls. */
import type { Step } from "../../domain/run.ts";

/** Argument names for the path and the full text of a created file (Copilot, Claude Code and others). */
const PATHS = ["path", "file_path", "filePath", "filename"];
const TEXTS = ["file_text", "content", "contents", "text"];

/**
 * A predicate for steps that are the last to create their path: a call that did not fail, with a path and the file's full
 * text among its arguments.
 */
export function isLastCreate(steps: readonly Step[]): (index: number) => boolean {
  const last = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    const path = createdPath(step);
    if (path !== undefined) last.set(path, index);
  }
  const indices = new Set(last.values());
  return (index) => indices.has(index);
}

function createdPath(step: Step): string | undefined {
  if (step.kind !== "tool" || step.success === false) return undefined;
  if (!TEXTS.some((key) => step.input.includes(`"${key}"`))) return undefined;
  try {
    const args = JSON.parse(step.input) as Record<string, unknown> | null;
    const path = PATHS.map((key) => args?.[key]).find((value) => typeof value === "string");
    const whole = TEXTS.some((key) => typeof args?.[key] === "string");
    return whole && typeof path === "string" ? path : undefined;
  } catch {
    return undefined;
  }
}
