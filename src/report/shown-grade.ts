/** A grade as every page shows it: its name, state, symbol, reason and prompt. */
import { meanScore, newlyFailing } from "../decide/compare.ts";
import { type Pair, inBaseline } from "../decide/pairs.ts";
import type { Check } from "../domain/grade.ts";
import { type Row, gradeKey, hasVerdict } from "../domain/row.ts";
import { suiteKey, titleOfTask } from "../results/rows.ts";
import type { Compared, Report } from "./report.ts";
import { once } from "../text/format.ts";
import { NO_DETAIL, STATES, type State, checkText, stateOf } from "../text/states.ts";

export interface ShownGrade {
  readonly grade: Row;
  readonly state: State;
  readonly sign: string;
  /** The task as people know it (`taskTitle`), and the run, model and suite where there are several. */
  readonly label: string;
  /** The same without the run. */
  readonly taskLabel: string;
  /** Grader, task id, and the rest of the label: the same from run to run. */
  readonly name: string;
  /** Why it failed or has no verdict, or what leaves a doubt; empty for a plain pass. */
  readonly reason: string;
  /** The same, with what was checked. */
  readonly reasonWithCheck: string;
  /** Of a failed grade how often it passed before; absent where nothing of a baseline can be compared. */
  readonly before?: string | undefined;
  /** It failed, and its grader passed more often in the baseline. */
  readonly isNew: boolean;
  /** Its grader on both sides; absent where they are not compared. */
  readonly pair?: Pair | undefined;
  /** What the judge called, of several votes each check once. */
  readonly checks: readonly Check[];
  /** The same with each reason that a vote gave; of an errored grade, what was called before the judge was interrupted. */
  readonly reasons: readonly Check[];
}

/** Every grade with the name a reader finds it by: task, and the run or model where there are several. */
export function shownGrades(report: Compared): readonly ShownGrade[] {
  return once(SHOWN, report, () => makeShown(report));
}

/** The grades that decide, then those of advisory graders. */
export function allShown(report: Pick<Report, "scores" | "comparison" | "advisory">): readonly ShownGrade[] {
  return [...shownGrades(report), ...(report.advisory ? shownGrades(report.advisory) : [])];
}

/** Every section of every page asks for them: of 20,000 grades it saves 0.8 s of 3.8 after the last reply (`npm run bench -- large`). */
const SHOWN = new WeakMap<Compared, readonly ShownGrade[]>();

function makeShown({ scores: { suites }, comparison }: Compared): ShownGrade[] {
  const pairs = new Map(
    comparison?.pairs.flatMap((pair) => pair.current.records.map((row) => [gradeKey(row), pair] as const)),
  );
  const fresh = new Set(comparison && newlyFailing(comparison));
  return suites.flatMap(({ tasks, suite }) => {
    const models = new Set(tasks.flatMap(({ model }) => model || [])).size;
    const inSuite = suites.length > 1 ? [suiteKey(suite)] : [];
    return tasks.flatMap((task) => {
      const numbers = Map.groupBy(task.runs, ({ number }) => number);
      const inOrder = task.runs.every(({ number }, index) => number === index + 1);
      const ofAll = inOrder ? ` of ${String(task.runs.length)}` : "";
      const model = models > 1 && task.model !== "" ? [task.model] : [];
      const where = [...inSuite, titleOfTask(task)];
      return task.runs.flatMap((run) => {
        const twice = (numbers.get(run.number)?.length ?? 0) > 1;
        const [{ side, attempt, numberInAttempt }] = run.grades as readonly [Row];
        const isOfSeveral = attempt !== undefined && numberInAttempt !== undefined;
        const which = [
          ...(side === undefined ? [] : ["without the skill"]),
          ...(task.runs.length > 1 ? [`run ${String(run.number)}${ofAll}`] : []),
          ...(isOfSeveral ? [`attempt ${String(attempt)}`] : []),
          ...model,
          ...(twice && run.file !== undefined ? [run.file] : []),
        ];
        const id = [...inSuite, task.taskId, ...which].join(" · ");
        const names = {
          label: [...where, ...which].join(" · "),
          taskLabel: [...where, ...model].join(" · "),
        };
        return run.grades.map((grade) => {
          const failed = grade.state === "failed";
          const pair = pairs.get(gradeKey(grade));
          const before =
            failed && pair ? passedBefore(pair, inBaseline(comparison?.source ?? {})) : undefined;
          return {
            ...shownGrade(grade),
            ...names,
            name: `${grade.grader} · ${id}`,
            before: failed && grade.hasLaterAttempt ? MADE_AGAIN : before,
            isNew: failed && pair !== undefined && fresh.has(pair),
            pair,
          };
        });
      });
    });
  });
}

/** A failed grader's past: `it passed 3 of 3 on main`, or `score 0.75 on main`. */
function passedBefore({ baseline }: Pair, where: string): string {
  if (baseline.passes === 0) return `passed 0 of ${String(baseline.runs)} ${where}`;
  // A score says more than whether it passed where only some checks did.
  if (baseline.grades.some(({ score }) => score > 0 && score < 1))
    return `score ${meanScore(baseline).toFixed(2)} ${where}`;
  return `it passed ${String(baseline.passes)} of ${String(baseline.runs)} ${where}`;
}

const MADE_AGAIN = "made again by a later attempt";

/** What is known of a grade without the others. */
function shownGrade(grade: Row) {
  const state = stateOf(grade);
  return {
    grade,
    state,
    sign: STATES[state].sign,
    ...shownReason(grade),
    checks: hasVerdict(grade)
      ? checksOnce(grade, ({ description, reason = "" }) => description ?? reason)
      : [],
    reasons: checksOnce(grade, checkText),
  };
}

/** The reason of the first failed check, or a fallback. */
function shownReason(row: Row): Pick<ShownGrade, "reason" | "reasonWithCheck"> {
  const { state, checks, note, doubt } = row;
  if (state === "failed") {
    const check = checks.find(({ outcome }) => outcome === "fail");
    const reason = check?.reason ?? check?.description ?? note ?? NO_DETAIL;
    return { reason, reasonWithCheck: check ? checkText(check) : reason };
  }
  const reason = (state === "passed" ? doubt : row.reason) ?? "";
  return { reason, reasonWithCheck: reason };
}

/** The checks of a row; of several votes, each text with its outcome once. */
function checksOnce({ checks, votes }: Row, textOf: (check: Check) => string): readonly Check[] {
  if (!votes) return checks;
  const same = Map.groupBy(checks, (check) => JSON.stringify([check.outcome, textOf(check)]));
  return [...same.values()].flatMap(([first]) => first ?? []);
}

/** Failed checks before passed ones; within each, as the judge called them. */
export function failuresFirst(checks: readonly Check[]): readonly Check[] {
  const isPass = ({ outcome }: Check) => Number(outcome === "pass");
  return checks.toSorted((one, other) => isPass(one) - isPass(other));
}
