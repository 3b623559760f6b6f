/** Locations in files, and problems there. */

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

/** A problem with the inputs or files. An `error` is a configuration problem and decides the gate. */
export interface Problem {
  readonly level: "error" | "warning" | "notice";
  /** What is wrong, in a sentence that names the bad value. */
  readonly message: string;
  /** What to change. */
  readonly help?: string | undefined;
  readonly at?: SourceSpan | undefined;
  /** The message without its location: equal ones of several files are reported as one (text/merge-problems.ts). */
  readonly withoutLocation?: string | undefined;
}

/** A problem of the runs, not of the configuration: rules of the gate decide on its cause. */
export interface RunProblem extends Problem {
  /** Heading on a page. */
  readonly title: string;
}
