/** `offline` without `cache-dir`: the verdicts in the results, of this action or of waza. Pure. */
import * as z from "zod/mini";
import type { Basis, Check, Graded, GradingJob, Verdict } from "../domain/grade.ts";
import { error, notice, type Problem } from "../domain/problem.ts";
import { type Row, hasVerdict, isWithoutWork } from "../domain/row.ts";
import { NO_CALL, scoreChecks } from "../judge/grade-tools.ts";
import { rowsIn } from "./row-file.ts";
import { basisOf, suiteKey } from "./rows.ts";
import { lenient, lenientText } from "../text/optional.ts";

/** An entry of `runs[].validations` by waza's prompt graders. */
const validation = z.object({
  type: z.literal("prompt"),
  score: z.number().check(z.minimum(0), z.maximum(1)),
  passed: z.boolean(),
  feedback: lenientText,
  /** Of another program: which model was asked, why there is no verdict, why the run says nothing. */
  judge: lenientText,
  error: lenientText,
  missing: lenientText,
  details: lenient(z.object({ response: lenientText, passes: lenientText, failures: lenientText })),
});

/** The parts of a results file that hold verdicts. */
const document = z.object({
  /** The program that gave them; waza where it is not said. */
  by: lenientText,
  config: lenient(z.object({ judge_model: lenientText })),
  tasks: z.array(
    z.object({
      runs: lenient(z.array(z.object({ validations: lenient(z.record(z.string(), z.unknown())) }))),
    }),
  ),
});

type WazaDocument = z.infer<typeof document>;

interface RecordedVerdict {
  readonly verdict: Verdict;
  readonly judgeModel?: string | undefined;
  readonly basis?: Partial<Basis> | undefined;
}

/**
 * The jobs, each settled by the verdict in its results file; one without is errored. Jobs of missing runs, of an agent that
 * never got to work, and of unsupported graders are settled already. `documents` are the results files, by their index.
 */
export function asRecorded(jobs: readonly GradingJob[], documents: readonly unknown[]): GradingJob[] {
  const files = documents.map((data) => ({
    rows: rowsIn(data),
    results: z.safeParse(document, data).data,
  }));
  return jobs.map((job) => {
    const file = files[job.run?.origin.file ?? -1];
    if (!file || isWithoutWork({ agent: job.run?.agent }) || job.grader.unsupported !== undefined) return job;
    const { verdict, judgeModel, basis } =
      ofRows(job, file.rows) ?? ofValidations(job, file.results) ?? noneOf(job);
    const planned = { ...job, judgeModel: judgeModel ?? "", settled: verdict, basis };
    // A run that says nothing is none.
    return verdict.state === "skipped" && job.run
      ? {
          ...planned,
          run: undefined,
          missing: { number: job.run.number, model: job.run.model, reason: verdict.reason },
        }
      : planned;
  });
}

/** Notice that the verdicts are recorded ones, if there are any. */
export function asRecordedNotice(jobs: readonly GradingJob[]): Problem[] {
  if (!jobs.some(({ settled }) => settled?.state === "graded" && settled.recorded)) return [];
  return [
    notice("recorded-verdicts", "Verdicts recorded in the results; no judge was asked.", {
      help: "This is `offline` without `cache-dir`, which trusts the verdicts in `results`: use it only for results of a job that you trust.",
    }),
  ];
}

/** Why verdicts that untrusted code may have written are not published. */
export const NOT_UNTRUSTED: Problem = error(
  "untrusted-verdicts",
  "Verdicts in `results` or `cache-dir` are trusted (`offline`, `claude plugin eval`), and on this event code from a fork or from Dependabot could have written them: nothing was graded.",
  {
    help: "Unset `offline` for pull requests from forks and of Dependabot, and for events that do not name the commit they are about, such as `issue_comment`, so that a judge is asked.",
  },
);

/** waza's own judge is named only where waza ran the agent. */
function noneOf({ file }: GradingJob): RecordedVerdict {
  const ofWaza =
    file?.format === undefined
      ? "Let waza's own judge grade (`waza run` without `--skip-graders`); or set"
      : "Set";
  const help = `${ofWaza} \`cache-dir\` to a folder of recorded verdicts, or unset \`offline\`, so that a judge is asked.`;
  return { verdict: notRecorded("The results have no verdict of this grader.", help) };
}

const OTHER_PROMPT: RecordedVerdict = {
  verdict: notRecorded(
    "The verdict in the results was made with another prompt or rubric than this grader's.",
    "Use the evals of the commit at which the results were graded; or unset `offline`, so that a judge is asked.",
  ),
};

const OTHER_EFFORT: RecordedVerdict = {
  verdict: notRecorded(
    "The verdict in the results was made without the reasoning effort that is asked for.",
    "Unset `offline`, so that a judge is asked.",
  ),
};

function notRecorded(message: string, help?: string): Verdict {
  return { state: "errored", error: { class: "not-recorded", message, help } };
}

/** The grade by an earlier run of this action, of the job's suite if it names one. */
function ofRows(job: GradingJob, rows: readonly Row[]): RecordedVerdict | undefined {
  const own = suiteKey(job.suite);
  const row = rows.find(
    ({ suite, task, run, grader }) =>
      (suite || own) === own && task === job.task.id && run === job.run?.number && grader === job.grader.name,
  );
  if (!row) return undefined;
  if (!hasVerdict(row)) {
    const why = row.error?.message ?? row.reason ?? row.state;
    return { verdict: notRecorded(`It was recorded without a verdict: ${why}`) };
  }
  const { judgeModel, basis = { templateVersion: "not recorded" } } = row;
  const now = basisOf(job);
  const isSame = (part: "promptSha256" | "rubricSha256") => row.basis?.[part] === now[part];
  if (row.basis && !(isSame("promptSha256") && isSame("rubricSha256"))) return OTHER_PROMPT;
  const { sentEffort = job.judgeEffort } = row.basis ?? {};
  if (job.judgeEffort !== undefined && sentEffort !== job.judgeEffort) return OTHER_EFFORT;
  return { verdict: verdictOfRow(row), judgeModel: judgeModel || undefined, basis };
}

/** A row's verdict. Its score is computed again from the checks. */
function verdictOfRow({ checks, incomplete, note, doubt, votes, evidence }: Row): Verdict {
  const { score, passed } = scoreChecks(checks);
  // Passes of an interrupted judge are no verdict.
  const verdict = { checks, score, passed: passed && !incomplete };
  return graded({ ...verdict, note, doubt, incomplete, votes, evidence });
}

/** The verdict of waza's own prompt grader. */
function ofValidations(
  { grader, run }: GradingJob,
  results: WazaDocument | undefined,
): RecordedVerdict | undefined {
  if (!run || !results) return undefined;
  const { validations } = results.tasks[run.origin.task]?.runs?.[run.origin.run] ?? {};
  const read = z.safeParse(validation, validations?.[grader.name]);
  if (!read.success) return undefined;
  const { error, missing, judge = results.config?.judge_model } = read.data;
  if (missing !== undefined) return { verdict: { state: "skipped", cause: "missing", reason: missing } };
  if (error !== undefined)
    return { verdict: notRecorded(error, "This is no fault of the agent: run its evals again.") };
  // waza's judge has another system message.
  const basis = { templateVersion: results.by ?? "waza" };
  return { verdict: recordedVerdict(read.data), judgeModel: judge, basis };
}

function recordedVerdict({ score, feedback, details, ...read }: z.infer<typeof validation>): Verdict {
  const passed = read.passed && score > 0;
  const checks = [...checksIn(details?.passes, "pass"), ...checksIn(details?.failures, "fail")];
  const passes = checks.filter(({ outcome }) => outcome === "pass").length;
  // A description may hold the separator, and a silent judge leaves no list: then the score is more reliable.
  const isList = checks.length > 0 && Math.abs(passes / checks.length - score) < 1e-6;
  const text = score === 0 && feedback === ALL_PASSED ? `${NO_CALL}.` : feedback;
  const verdict = { passed, score, response: details?.response };
  return graded(isList ? { ...verdict, checks } : { ...verdict, checks: [], note: text || undefined });
}

function graded(verdict: Omit<Graded, "state" | "recorded">): Graded {
  return { state: "graded", recorded: true, ...verdict };
}

/** waza writes this also for a judge without any call. */
export const ALL_PASSED = "All prompts passed";

/** `pass: <description>: <reason>`, joined by `;`. */
function checksIn(joined: string | undefined, outcome: Check["outcome"]): Check[] {
  const mark = `${outcome}: `;
  return (joined ?? "")
    .split(`;${mark}`)
    .map((line, index) => (index === 0 && line.startsWith(mark) ? line.slice(mark.length) : line))
    .filter((line) => line !== "")
    .map((line) => {
      const [description = "", ...reason] = line.split(": ");
      return { outcome, description: description || undefined, reason: reason.join(": ") || undefined };
    });
}
