/** Grades and jobs to records. Pure. */
import { UNKNOWN_MODEL } from "../domain/run.ts";
import type { Run } from "../domain/run.ts";
import { isWithoutCheck } from "../domain/grade.ts";
import type { Check, Grade, GradingJob } from "../domain/grade.ts";
import type { Suite } from "../domain/suite.ts";
import { shorten } from "../text/format.ts";
import { checkText, NO_DETAIL } from "../text/states.ts";
import { once } from "../text/once.ts";
import { TEMPLATE_VERSION } from "../judge/evidence/messages.ts";
import { hashOf } from "../judge/hash.ts";
import { comparedOutput } from "../judge/evidence/compared-output.ts";
import type { Basis, GradeName, GradeRecord } from "../domain/record.ts";

/** Characters of a reason that a record keeps: what a page can show. */
const SHOWN = 2_000;
/** Characters of an answer: pages show a part, around where two differ. */
const ANSWER = 30_000;

/** Identity of a suite in records. */
export function suiteKey({ key, title }: Suite): string {
  return key ?? title;
}

/** Which grade a job makes: known before any judge is asked. */
export function gradeName({ suite, task, grader, run, missing, file }: GradingJob): GradeName {
  const model = run?.model ?? missing?.model ?? "";
  return {
    suite: suiteKey(suite),
    task: task.id,
    model: model === UNKNOWN_MODEL ? "" : model,
    grader: grader.name,
    run: run?.number ?? missing?.number ?? 0,
    file: file?.path,
  };
}

/** What the verdict of a job rests on, apart from the agent's work. */
export function basisOf(job: GradingJob): Basis {
  const { suite, task, grader, judgeModel, run, filesHash } = job;
  return {
    prompt: hashOf([grader.prompt]),
    rubric: grader.rubric && hashOf([grader.rubric.instructions]),
    mode: modeOf(job),
    continueSession: grader.continueSession === true,
    inputs: hashOf([run?.prompt ?? task.prompt ?? "", filesHash ?? ""]),
    judgeModel,
    effort: grader.effort ?? suite.judgeEffort,
    template: String(TEMPLATE_VERSION),
    ...job.basis,
  };
}

/** How it is judged: a grader that compares grades a run alone that has nothing to be compared with. */
function modeOf(job: GradingJob): string {
  return comparedOutput(job) === undefined ? "independent" : "pairwise";
}

/** True where no judge was ever asked, since the agent never got to work: a verdict that stood in the results has one. */
export function isWithoutJudge({ job, verdict }: Pick<Grade, "job" | "verdict">): boolean {
  return job.settled !== undefined && !(verdict.state === "graded" && verdict.recorded === true);
}

/** A grade as a record, with what the judge said and how the agent's answer begins. */
export function gradeRecord(grade: Grade): GradeRecord {
  const { job, verdict } = grade;
  const common = {
    ...gradeName(job),
    weight: job.grader.weight,
    golden: job.task.golden === true ? true : undefined,
    advisory: job.advisory,
    basis: basisOf(job),
    answer: answerOf(job.run?.finalOutput),
    evidence: job.run && evidenceHash(job.run),
  };
  if (verdict.state === "graded") {
    const { state, passed, score, checks, note } = verdict;
    const reason = reasonOf(checks, passed, note);
    const { servedBy } = verdict.judge ?? {};
    const settled = isWithoutJudge(grade) ? true : undefined;
    const withoutCheck = isWithoutCheck(verdict) ? true : undefined;
    return { ...common, state, passed, score, settled, withoutCheck, reason, servedBy };
  }
  if (verdict.state === "errored")
    return { ...common, state: "errored", reason: beginning(verdict.error.message) };
  const { cause, reason } = verdict;
  return { ...common, state: cause === "missing" ? cause : "skipped", reason: beginning(reason) };
}

/** Every grader of a run asks for it, twice. */
const EVIDENCE = new WeakMap<Run, string>();

/** The same for runs that a judge cannot tell apart by what the results say of them. */
function evidenceHash(run: Run): string {
  const { prompt, finalOutput, steps, ended } = run;
  return once(EVIDENCE, run, () => hashOf([prompt ?? "", finalOutput, JSON.stringify(steps), ended ?? ""]));
}

/** What the judge said of a grade: of a failed one why it failed, of another why it passed; its note without checks. */
export function reasonOf(
  checks: readonly Check[],
  passed: boolean,
  note: string | null | undefined,
): string | undefined {
  const wanted = passed ? "pass" : "fail";
  const texts = checks.filter(({ outcome }) => outcome === wanted).map(checkText);
  return beginning(texts.filter((text) => text !== NO_DETAIL).join("\n") || note || undefined);
}

/** As much of an answer as a record keeps; undefined for none. */
export function answerOf(text: string | undefined): string | undefined {
  return text ? shorten(text, ANSWER) : undefined;
}

/** As much of a text as a record keeps; undefined for none. */
export function beginning(text: string | null | undefined): string | undefined {
  return text ? shorten(text, SHOWN) : undefined;
}
