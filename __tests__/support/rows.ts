/** Rows for tests of the comparison, the gate, the agreement and the pages. */
import type { Basis, Grade } from "../../src/domain/grade.ts";
import type { Row, RowState, VerdictRow } from "../../src/domain/row.ts";
import { rowOf } from "../../src/results/rows.ts";
import { GRADER_SPAN } from "./factories.ts";

export const BASIS: Basis = {
  promptSha256: "p1",
  continueSession: false,
  inputsSha256: "i1",
  judgeModel: "judge",
  templateVersion: "2",
};

/** The rows of grades, as the action makes them. */
export function rowsOf(grades: readonly Grade[]): Row[] {
  return grades.map((grade) => rowOf(grade));
}

type More = Partial<Omit<Row, "state">> & { readonly passed?: boolean | undefined };

/** A row with a verdict: passed by default, with one check. */
export function graded({ passed = true, ...more }: More = {}): VerdictRow {
  return {
    suite: "demo",
    task: "t1",
    model: "agent",
    grader: "quality",
    run: 1,
    asked: "",
    answer: "",
    weight: 1,
    at: GRADER_SPAN,
    prompt: "",
    statements: [],
    judgeModel: "judge",
    basis: BASIS,
    checks: [{ outcome: passed ? "pass" : "fail" }],
    requests: 0,
    tokens: { input: 0, output: 0, cached: 0 },
    durationMs: 0,
    ...more,
    state: passed ? "passed" : "failed",
    score: more.score ?? (passed ? 1 : 0),
  };
}

export function ungraded(
  state: Exclude<RowState, "passed" | "failed">,
  more: Omit<More, "passed"> = {},
): Row {
  return { ...graded(more), checks: [], score: undefined, reason: undefined, ...more, state };
}

/** Runs 1, 2, … of one grader, written as `PPF`: passed, passed, failed; `E` errored. */
export function runs(written: string, more: More = {}): Row[] {
  return Array.from(written, (letter, index) =>
    letter === "E"
      ? ungraded("errored", { ...more, run: index + 1 })
      : graded({ ...more, run: index + 1, passed: letter === "P" }),
  );
}

/** One run of each of several tasks, written in the same way: `t1`, `t2`, … */
export function tasks(written: string, more: More = {}): Row[] {
  return Array.from(written, (letter, index) =>
    runs(letter, { ...more, task: `t${String(index + 1)}` }),
  ).flat();
}
