// What the bench's judge means of each task, and how it is told what to do. Shared by the judge and who checks it.
import { createHash } from "node:crypto";

export interface JudgeSettings {
  readonly latencyMs: number;
  /** How it reports: as waza-grade, autoevals or promptfoo asks. */
  readonly answer: "tool" | "choice" | "json";
  /** Shares of requests by what they get instead of an answer: `429`, `500`, `reset`, `hang`. */
  readonly faults?: Readonly<Record<string, number>>;
  readonly seed?: number;
  /** Share of the tasks that fail; FAILS unless told. */
  readonly fails?: number;
  /** A file for the bodies as they came, one a line. */
  readonly bodies?: string;
}

export type JudgeOrder =
  { readonly order: "settings"; readonly settings: JudgeSettings } | { readonly order: "report" };

export interface JudgeReport {
  requests: number;
  /** Moment of the first request, in milliseconds of the epoch. */
  first: number;
  mostAtOnce: number;
  /** How often each task was asked. */
  asked: Record<string, number>;
  faults: Record<string, number>;
  /** Requests in which no task could be found. */
  unmarked: number;
  cpuSeconds: number;
}

/** A number from 0 to 1 that depends on the text alone. */
export function chance(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}

const FAILS = 0.25;

/** The verdict the judge means for a task; the reason names the task. */
export function meant(
  task: string,
  fails = FAILS,
): { readonly outcome: "pass" | "fail"; readonly reason: string } {
  return {
    outcome: chance(`meant/${task}`) < fails ? "fail" : "pass",
    reason: `What was done for ${task} is why`,
  };
}

/** How the judge describes its one check of a task. */
export function described(task: string): string {
  return `Task ${task} holds`;
}
