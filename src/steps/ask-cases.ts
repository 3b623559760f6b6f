/** The goldens of the rubrics in use, asked before any grade by the same way as grades. */
import type { Grade, GradingJob, Verdict } from "../domain/grade.ts";
import { gradeJobs } from "../judge/grade.ts";
import type { GradeOptions } from "../judge/grade.ts";
import { describeCases, caseJobs, isOpen, settleByCases } from "../plan/rubric-cases.ts";

export interface Checked {
  /** The jobs, settled where their judge may not be asked. */
  readonly jobs: readonly GradingJob[];
  /** What was asked, for what it took. */
  readonly grades: readonly Grade[];
}

/** Asks the goldens of the rubrics that these jobs use; one with a wrong verdict until two of at most three agree. */
export async function askCases(
  jobs: readonly GradingJob[],
  options: GradeOptions & { readonly tell: (line: string) => void },
): Promise<Checked> {
  let asked = caseJobs(jobs);
  if (asked.length === 0) return { jobs, grades: [] };
  const grades: Grade[] = [];
  while (asked.some(isOpen)) {
    const open = asked.filter(isOpen).map(({ job }) => job);
    const made = await gradeJobs(open, options);
    grades.push(...made);
    const verdicts = new Map<GradingJob, Verdict>(made.map(({ job, verdict }) => [job, verdict]));
    asked = asked.map((one) => {
      const verdict = verdicts.get(one.job);
      return verdict ? { ...one, verdicts: [...one.verdicts, verdict] } : one;
    });
  }
  options.tell(describeCases(asked));
  return { jobs: settleByCases(jobs, asked), grades };
}
