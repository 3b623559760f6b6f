/** Locations in files, and problems there. */

/** A location in a file. `path` is relative to the repository root with `/`; lines and columns count from 1. */
export interface SourceSpan {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly startColumn?: number | undefined;
  /** False when the file lies outside the repository, so that nothing can be annotated on it. */
  readonly inRepository: boolean;
  /** Written by a step: it can be annotated, but the commit has no page of it. */
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
  /** Of a notice that several files may have: its text without the place. Those with one text are told once (text/merge-problems.ts). */
  readonly withoutLocation?: string | undefined;
}

/** A problem of the runs, which is no configuration problem: the gate has rules of its own for what it is about. */
export interface RunProblem extends Problem {
  /** What a page calls it. */
  readonly title: string;
}
