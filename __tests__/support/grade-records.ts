/** Grade records for tests of the comparison, the gate and the agreement. */
import type { Basis, GradedRecord, GradeRecord, UngradedRecord } from "../../src/domain/grade.ts";
import type { Named } from "../../src/labels/agreement.ts";

export const BASIS: Basis = {
  promptSha256: "p1",
  continueSession: false,
  inputsSha256: "i1",
  judgeModel: "judge",
  templateVersion: "2",
};

/** A graded record: passed by default. */
export function graded(more: Partial<Omit<GradedRecord, "state">> = {}): Named<GradedRecord> {
  const { passed = true, grader = "quality", task = "t1", run = 1 } = more;
  return {
    name: `${grader} · ${task} · run ${String(run)}`,
    suite: "demo",
    task: "t1",
    model: "agent",
    grader: "quality",
    run: 1,
    basis: BASIS,
    state: "graded",
    passed,
    score: passed ? 1 : 0,
    ...more,
  };
}

export function ungraded(
  state: UngradedRecord["state"],
  more: Partial<UngradedRecord> = {},
): Named<UngradedRecord> {
  const { suite, task, model, grader, run, basis, name } = graded({ ...more, reason: undefined });
  return { name, suite, task, model, grader, run, basis, ...more, state };
}

/** Runs 1, 2, … of one grader, written as `PPF`: passed, passed, failed; `E` errored. */
export function runs(written: string, more: Partial<Omit<GradedRecord, "state">> = {}): GradeRecord[] {
  return Array.from(written, (letter, index) =>
    letter === "E"
      ? ungraded("errored", { ...more, run: index + 1 })
      : graded({ ...more, run: index + 1, passed: letter === "P" }),
  );
}

/** One run of each of several tasks, written in the same way: `t1`, `t2`, … */
export function tasks(written: string, more: Partial<Omit<GradedRecord, "state">> = {}): GradeRecord[] {
  return Array.from(written, (letter, index) =>
    runs(letter, { ...more, task: `t${String(index + 1)}` }),
  ).flat();
}
