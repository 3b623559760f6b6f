/** Problems, and where they are: an `error` is of the configuration and fails the gate; the others are only reported. */

/** A location in a file. `path` is relative to the repository root with `/`; lines and columns count from 1. */
export interface SourceSpan {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn?: number | undefined;
  /** False when the file lies outside the repository, so that nothing can be annotated on it. */
  readonly inRepository: boolean;
  /** Written by a step: it can be annotated, but has no page in the commit. */
  readonly generated?: true | undefined;
}

/** A line of a file. */
export function onLine(file: Omit<SourceSpan, "startLine" | "endLine">, line: number): SourceSpan {
  return { ...file, startLine: line, endLine: line };
}

/** Where the docs say more of a problem, by its code: a page, and a heading on it. */
export const EXPLAINED_IN: ReadonlyMap<string, string> = new Map([
  ["agent-failed", "troubleshooting.md#the-agent-never-got-to-work"],
  ["agent-stopped", "troubleshooting.md#the-agent-never-got-to-work"],
  ["empty-workspace", "command-line.md#from-nothing-to-a-first-pull-request"],
  ["key-of-other-provider", "judges.md"],
  ["log-without-task", "troubleshooting.md#runs-are-missing"],
  ["missing-runs", "troubleshooting.md#runs-are-missing"],
  ["no-api-key", "troubleshooting.md#no-api-key"],
  ["no-baseline", "gate.md#keep-a-baseline"],
  ["no-match", "troubleshooting.md#matches-no-file"],
  ["none-found", "command-line.md#from-nothing-to-a-first-pull-request"],
  ["same-runs", "troubleshooting.md#runs-are-missing"],
  ["unknown-format", "outputs.md#your-agent"],
  ["unknown-log", "outputs.md#your-agent"],
  ["unknown-run-keys", "outputs.md#runs-that-say-what-they-are"],
  ["unread-parts", "outputs.md#files-without-a-runjson"],
  ["unreadable-kept-results", "troubleshooting.md#the-results-of-the-default-branch-could-not-be-read"],
  ["untrusted-verdicts", "permissions-and-forks.md#two-workflows-for-forks"],
  ["wrong-providers", "judges.md#several-providers"],
  ["wrong-record", "outputs.md#records"],
  ["wrong-run-json", "outputs.md#runs-that-say-what-they-are"],
  ["wrong-shape", "outputs.md#wazas-results"],
]);

/** The code of the problem that the agent's job ended before any run: its message is the cause, no configuration's. */
export const AGENT_ENDED = "agent-ended";

/** A problem with the inputs or files. An `error` is a configuration problem and decides the gate. */
export interface Problem {
  readonly level: "error" | "warning" | "notice";
  /** What kind of problem it is, in kebab-case: it stays when the wording changes, and leads to the docs. */
  readonly code: string;
  /** What is wrong, in a sentence that names the bad value; the place is in `at` alone. */
  readonly message: string;
  /** What to change. */
  readonly help?: string | undefined;
  /** A page that shows more, by an address that is ours or GitHub's, with its name; the docs go by the code. */
  readonly page?: { readonly name: string; readonly url: string } | undefined;
  readonly at?: SourceSpan | undefined;
}

/** A problem of the runs, not of the configuration: rules of the gate decide on its cause. */
export interface RunProblem extends Problem {
  /** Heading on a page. */
  readonly title: string;
}

type Details = Omit<Problem, "level" | "code" | "message">;

/** A configuration problem; the message is a sentence that names the bad value. */
export function error(code: string, message: string, details: Details = {}): Problem {
  return { level: "error", code, message, ...details };
}

/** A problem that does not fail the gate. */
export function warning(code: string, message: string, details: Details = {}): Problem {
  return { level: "warning", code, message, ...details };
}

/** A piece of information. */
export function notice(code: string, message: string, details: Details = {}): Problem {
  return { level: "notice", code, message, ...details };
}

/** Whether a result is the problem that there is none. */
export function isProblem(result: unknown): result is Problem {
  return typeof result === "object" && result !== null && "level" in result && "code" in result;
}

export function isError({ level }: Problem): boolean {
  return level === "error";
}
