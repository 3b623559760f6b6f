/** Why grades failed: each reason once with all that failed for it, then the failed answers whole, folded. Pure. */
import { taskGroups } from "../../decide/compare.ts";
import { inBaseline } from "../../decide/pairs.ts";
import type { Check } from "../../domain/grade.ts";
import { type Row, hasVerdict, isWithoutWork, taskKeyOfAnyModel } from "../../domain/row.ts";
import { runKey } from "../../results/score.ts";
import { count, formatNumber, listed, once, shorten } from "../../text/format.ts";
import { CHECK_SIGNS, NO_DETAIL, votesText } from "../../text/states.ts";
import {
  BREAK,
  LONGEST_NAME,
  type Block,
  type Item,
  type Line,
  type Page,
  type Section,
  between,
  bold,
  fold,
  heading,
  line,
  link,
  list,
  moreOf,
  name,
  small,
} from "../document/tree.ts";
import type { Report } from "../report.ts";
import { type ShownGrade, shownGrades } from "../shown-grade.ts";
import { foundIn, graderLink, gradeBody } from "./grades.ts";

/** Checks with one reason that are named. */
const MOST_CHECK_NAMES = 3;
/** Maximum grades with prompt and answer in a comment. */
const FEW_IN_COMMENT = 3;
/** Tasks that are named after a reason that they share. */
const MOST_TASKS_OF_REASON = 3;

/** A failed check, or a grade that failed without one. */
interface Failure {
  readonly shown: ShownGrade;
  readonly check: Check | undefined;
}

/** Each reason with what failed for it, most tasks first; then the answers. Empty where nothing failed. */
export const whySection: Section = (report, page) => {
  const all = shownGrades(report).filter(({ state }) => state === "failed");
  const { comparison } = report;
  const passedAgain = new Set(
    comparison ? taskGroups(comparison).passedAgain.flat().map(taskKeyOfAnyModel) : [],
  );
  const isOver = ({ grade }: ShownGrade) => passedAgain.has(taskKeyOfAnyModel(grade));
  // Main's failures are not this change's.
  const failed = all
    .filter((one) => !isOver(one))
    .sort((one, other) => Number(other.isNew) - Number(one.isNew));
  const over = all.filter(isOver);
  const reasons = failuresByReason(failed).length;
  const tasks = taskCount(failed);
  const title = reasons === 1 && tasks > 1 ? `Why: one reason in ${allFailed(tasks)}` : "Why";
  return [
    ...(failed.length === 0 ? [] : [heading(title), ...reasonBlocks(failed, report, page)]),
    ...fold(
      [`Why ${count(taskCount(over), "task")} failed at first, and passed again`],
      reasonBlocks(over, report, page),
    ),
  ];
};

function taskCount(failed: readonly ShownGrade[]): number {
  return new Set(failed.map(({ taskLabel }) => taskLabel)).size;
}

function reasonBlocks(failed: readonly ShownGrade[], report: Report, page: Page): readonly Block[] {
  const reasons = failuresByReason(failed);
  const shown = reasons.slice(0, page.most);
  return [
    ...list(shown.map((reason) => reasonItem(reason, { tasks: taskCount(failed), report, page }))),
    ...moreOf(reasons.length - shown.length, "reason", page),
    ...answersFold(failed, report, page),
  ];
}

/** Failures by their reason alone, whichever check of whichever task has it: equal ones are read once. */
function failuresByReason(failed: readonly ShownGrade[]): readonly (readonly Failure[])[] {
  const groups = new Map<string, Failure[]>();
  for (const shown of failed) {
    const checks = shown.checks.filter(({ outcome }) => outcome === "fail");
    for (const check of checks.length === 0 ? [undefined] : checks)
      once(groups, reasonKey(shown, check), (): Failure[] => []).push({ shown, check });
  }
  const sized = [...groups.values()].map((failures) => ({ failures, tasks: taskLabels(failures).length }));
  return sized.sort((one, other) => other.tasks - one.tasks).map(({ failures }) => failures);
}

/** A check without a reason is one of its kind: what was checked, or the grader of one grade. */
function reasonKey({ grade, reason, label }: ShownGrade, check: Check | undefined): string {
  if (check?.reason !== undefined) return check.reason.trim();
  return check?.description ?? (isWithoutWork(grade) ? reason : JSON.stringify([grade.grader, label]));
}

function taskLabels(failures: readonly Failure[]): readonly string[] {
  return [...new Set(failures.map(({ shown }) => shown.taskLabel))];
}

/** What failed, where, and why. */
function reasonItem(
  failures: readonly Failure[],
  { tasks, report, page }: { readonly tasks: number; readonly report: Report; readonly page: Page },
): Item {
  const [{ shown, check }] = failures as readonly [Failure];
  const { grade } = shown;
  const isOne = failures.length === 1;
  const address = page.addressOf?.(grade);
  const place = address === undefined ? graderLink(grade, report) : link(["below"], `#${address}`);
  const newly = taskLabels(failures.filter((one) => one.shown.isNew)).length;
  const isPartlyNew = newly > 0 && newly < taskLabels(failures).length;
  const ofMain = `${formatNumber(newly)} of them always passed ${inBaseline(report.comparison?.source ?? {})}`;
  const reason = check ? (check.reason ?? (check.description === undefined ? NO_DETAIL : "")) : shown.reason;
  const votes = isOne && grade.votes ? [votesText(grade.votes)] : [];
  const about = between([whatFailed(failures, page), whereFailed(failures, tasks), votes, place]);
  const why = [reason === "" ? [] : [shorten(reason, page.reason)], check && isOne ? foundIn(check) : []];
  return {
    line: [
      `${CHECK_SIGNS.fail} `,
      ...between([[...about, ...(isPartlyNew ? [" ", small(ofMain)] : [])], ...why], BREAK),
    ],
    below: isOne && page.medium === "terminal" ? passedOf(grade) : [],
  };
}

/** The names of the checks with one reason. */
function whatFailed(failures: readonly Failure[], { medium, reason }: Page): Line {
  const names = [...new Set(failures.map(checkName))];
  if (names.length > MOST_CHECK_NAMES) {
    const isList = failures.every(({ shown }) => shown.grade.statements.length > 0);
    return [bold(`${formatNumber(names.length)} ${isList ? "statements" : "checks"}`)];
  }
  // A terminal has no other place for the whole.
  const longest = medium === "terminal" ? reason : LONGEST_NAME;
  return between(
    names.map((one) => [bold(name(one, longest))]),
    names.length > 2 ? ", " : " and ",
  );
}

/** The task with its runs, or how many tasks and the first of them. */
function whereFailed(failures: readonly Failure[], tasks: number): Line {
  const places = taskLabels(failures);
  const [only = ""] = places;
  const runs = new Set(failures.map(({ shown }) => runKey(shown.grade))).size;
  if (places.length === 1) return [name(`${only}${runs > 1 ? ` (${count(runs, "run")})` : ""}`)];
  if (places.length === tasks) return [allFailed(tasks)];
  const first = listed(
    places.map((one) => shorten(one, LONGEST_NAME)),
    MOST_TASKS_OF_REASON,
  );
  return [name(`${count(places.length, "task")}: ${first}`, Infinity)];
}

function allFailed(tasks: number): string {
  return tasks === 2 ? "both tasks that failed" : `all ${formatNumber(tasks)} tasks that failed`;
}

/** The words of a statement, what was checked, or the grader's name. */
function checkName({ shown: { grade }, check }: Failure): string {
  const { description } = check ?? {};
  return grade.statements.length > 0 && description !== undefined
    ? description
    : [grade.grader, description].filter(Boolean).join(": ");
}

/** On a terminal nothing can be opened, to see what passed. */
function passedOf(grade: Row): Block[] {
  const passed = grade.checks.filter(({ outcome }) => outcome === "pass");
  const names = passed.flatMap(({ description }) => description ?? []);
  return names.length === 0 ? [] : [line(`${CHECK_SIGNS.pass} `, name(names.join(" · "), Infinity))];
}

/** Every failed grade whole: a few in a fold each, many in one. */
function answersFold(failed: readonly ShownGrade[], report: Report, page: Page): readonly Block[] {
  // A file has every grade below.
  if (page.medium === "file" || page.medium === "terminal" || !page.answers) return [];
  if (page.medium === "comment" && failed.length > FEW_IN_COMMENT) return [];
  const titleOf = ({ grade, label }: ShownGrade): Line => [
    `${CHECK_SIGNS.fail} `,
    ...between([[bold(name(label))], grade.statements.length > 0 ? [] : [name(grade.grader)]]),
  ];
  const graded = failed.filter(({ grade }) => hasVerdict(grade));
  if (graded.length <= FEW_IN_COMMENT)
    return graded.flatMap((one) =>
      fold([...titleOf(one), ": prompt, answer, and every check"], gradeBody(one, report, page)),
    );
  const some = graded.slice(0, page.most);
  return fold(
    [`The ${formatNumber(graded.length)} failed answers, each with what the judge said`],
    [
      ...some.flatMap((one) => fold(titleOf(one), gradeBody(one, report, page))),
      ...moreOf(graded.length - some.length, "failed grade", page),
    ],
  );
}
