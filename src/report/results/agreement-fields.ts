/** The agreement with people's labels as the results file has it, under `waza_grade.agreement`. Pure. */
import type { GradeRecord } from "../../domain/record.ts";
import type { Agreement, AgreementFigures } from "../../labels/agreement.ts";
import type { Labelled } from "../../labels/label-match.ts";

export function agreementFields(agreement: Agreement): Record<string, unknown> {
  const { graders, disagreements, uncounted } = agreement;
  return {
    agreement: agreement.agreement ?? null,
    ...figures(agreement),
    graders: graders.map((one) => ({
      suite: one.suite,
      grader: one.grader,
      ...(one.advisory ? { advisory: true } : {}),
      ...figures(one),
    })),
    disagreements: disagreements.map(labelled),
    uncounted: uncounted.map(labelled),
  };
}

function figures({ table, tpr, tnr, kappa }: AgreementFigures): Record<string, unknown> {
  return {
    true_pass: table.truePass,
    false_pass: table.falsePass,
    false_fail: table.falseFail,
    true_fail: table.trueFail,
    tpr: tpr ?? null,
    tnr: tnr ?? null,
    kappa: kappa ?? null,
  };
}

function labelled({ label, grade }: Labelled<GradeRecord>): Record<string, unknown> {
  const { suite, model, task, run, grader, state, reason } = grade;
  return {
    suite,
    model: model === "" ? null : model,
    task_id: task,
    run_number: run,
    grader,
    state,
    passed: grade.state === "graded" ? grade.passed : null,
    reason,
    label: { passed: label.passed, note: label.note },
  };
}
