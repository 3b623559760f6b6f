/** What failed and why: a few grades one by one, many by the reasons that they share. */
import type { Report } from "../report.ts";
import { count, formatNumber, listed, shorten } from "../../text/format.ts";
import { bold, fold, heading, line, link, list, name, small } from "../document/tree.ts";
import type { Block, Line } from "../document/tree.ts";
import { once } from "../../text/once.ts";
import { checkText, NO_DETAIL } from "../../text/states.ts";
import { shownGrades } from "../shown-grade.ts";
import type { ShownGrade } from "../shown-grade.ts";
import { graderLink } from "./about-grade.ts";
import { failedGrade, foldedGrade } from "./grade.ts";
import { moreOf } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Maximum failed grades, and failed checks in all, to list one by one. */
const FEW = 10;
const FEW_CHECKS = 40;
/** Maximum grades with prompt and answer in a comment. */
const FEW_IN_COMMENT = 3;
/** Characters of a reason among many. */
const REASON = 300;
/** Characters of a name with its task, run and model. */
const LABEL = 120;
/** Tasks that are named after a reason that they share. */
const NAMES = 3;

/** The failed grades. A few are listed one by one, grouped by reason; many by grader and reason, then folded one by one if the page has room. */
export const failedSection: Section = (report, page) => {
  const all = shownGrades(report).filter(({ state }) => state === "failed");
  const failed = [...all.filter(({ isNew }) => isNew), ...all.filter(({ isNew }) => !isNew)];
  if (failed.length === 0) return [];
  const isFew = failed.length <= FEW && failed.flatMap(reasonTexts).length <= FEW_CHECKS;
  if (!isFew || page.medium === "file") return manyFailed(failed, report, page);
  const answers = page.answers && (page.medium !== "comment" || failed.length <= FEW_IN_COMMENT);
  const groups = [...Map.groupBy(failed, failureKey).values()];
  const listedGroups = groups.slice(0, page.most);
  const left = groups.slice(page.most).flat().length;
  return [
    ...listedGroups.flatMap(([first, ...others]) => {
      const same: Line = [`${count(others.length, "more grade")} failed for the same reason`];
      const names = others.map(({ name: called }): Line => [name(called)]);
      const sameReason =
        page.medium === "terminal" && others.length > 0
          ? [line(...same, ":"), ...list(names, FEW)]
          : fold(
              same,
              others.flatMap((one) => foldedGrade(one, report, page)),
            );
      const details = first ? failedGrade(first, report, { ...page, answers }) : [];
      return details.map((one) => ({ ...one, below: [...one.below, ...sameReason] }));
    }),
    ...moreOf(left, "failed grade", page),
  ];
};

/**
 * The key that groups grades with the same failure: task, grader and reasons; of agents that never got to work, the
 * reasons alone.
 */
export function failureKey(shown: ShownGrade): string {
  const { suite, task, grader, run } = shown.grade.job;
  const scope = run?.agent === "failed" ? [] : [suite.at.path, task.id, grader.name];
  return JSON.stringify([...scope, reasonTexts(shown)]);
}

function manyFailed(failed: readonly ShownGrade[], report: Report, page: Page): readonly Block[] {
  const key = ({ grade: { job } }: ShownGrade) => JSON.stringify([job.suite.at.path, job.grader.name]);
  const graders = [...Map.groupBy(failed, key).values()].sort(byWeight);
  const reasons = graders.flatMap((own) => reasonsOf(own).map((reason, turn) => ({ own, reason, turn })));
  // Grades' first reasons before their others, and within each, one per grader in turn.
  const byPriority = reasons.toSorted(
    (a, b) => Number(b.reason.isFirst) - Number(a.reason.isFirst) || a.turn - b.turn,
  );
  const selected = new Set(byPriority.slice(0, page.most));
  const listedReasons = reasons.filter((one) => selected.has(one));
  const lists = [...Map.groupBy(listedReasons, ({ own }) => own)].flatMap(([own, entries]) => [
    graderTitle(own, report),
    ...list(entries.map(({ reason }) => reasonItem(reason, page))),
  ]);
  // An HTML file has the grades below their runs already.
  const folded = page.each && page.medium !== "file" ? failed.slice(0, page.most) : [];
  const each = folded.flatMap((one) => foldedGrade(one, report, page));
  const more = moreOf(failed.length - folded.length, "failed grade", page);
  return [
    heading("What failed and why"),
    ...lists,
    ...moreOf(reasons.length - listedReasons.length, "reason", page),
    ...(each.length > 0
      ? fold([`${count(folded.length, "failed grade")}, one by one`], [...each, ...more])
      : []),
  ];
}

/** A grader with how many of its grades failed. */
function graderTitle(own: readonly ShownGrade[], report: Report): Block {
  const [{ grade, sign }] = own as readonly [ShownGrade];
  const failed = count(own.length, "failed grade");
  return line(`${sign} `, bold(name(grade.job.grader.name)), ` — ${failed} · `, ...graderLink(grade, report));
}

/** A reason, and the grades that failed for it. */
interface Reason {
  readonly text: string;
  /** Whether it is the first reason of at least one grade. */
  readonly isFirst: boolean;
  readonly grades: readonly ShownGrade[];
}

/** Newly failing first, then by number of grades. */
function byWeight(a: readonly ShownGrade[], b: readonly ShownGrade[]): number {
  const fresh = (own: readonly ShownGrade[]) => Number(own.some(({ isNew }) => isNew));
  return fresh(b) - fresh(a) || b.length - a.length;
}

/** The reasons of a grader's failed checks, with the grades that share each. */
function reasonsOf(own: readonly ShownGrade[]): Reason[] {
  const groups = new Map<string, Set<ShownGrade>>();
  for (const one of own)
    for (const text of reasonTexts(one)) once(groups, text, () => new Set<ShownGrade>()).add(one);
  const firsts = new Set(own.map((one) => reasonTexts(one)[0]));
  return [...groups]
    .map(([text, shown]) => ({ text, isFirst: firsts.has(text), grades: [...shown] }))
    .sort((a, b) => byWeight(a.grades, b.grades));
}

function reasonTexts({ checks, grade: { verdict } }: ShownGrade): readonly string[] {
  const failed = checks.filter(({ outcome }) => outcome === "fail");
  return failed.length === 0 ? [("note" in verdict && verdict.note) || ""] : failed.map(checkText);
}

function reasonItem({ text, grades: shown }: Reason, page: Page): Line {
  // A terminal has no link to the whole reason.
  const most = page.medium === "terminal" ? page.reason : Math.min(REASON, page.reason);
  const why = shorten(text, most).trim() || NO_DETAIL;
  const fresh = shown.filter(({ isNew }) => isNew).length;
  const many = fresh === shown.length ? "" : `${formatNumber(fresh)} `;
  const reason = [": ", why, ...(fresh > 0 ? [" ", small(`${many}newly failing`)] : [])];
  const [first] = shown as readonly [ShownGrade];
  const address = page.addressOf?.(first.grade);
  const linked = (title: string) => link([bold(name(title, LABEL))], address && `#${address}`);
  if (shown.length === 1) return [...linked(first.label), ...reason];
  const places = [...Map.groupBy(shown, ({ taskLabel }) => taskLabel)];
  const names = places.map(
    ([taskLabel, { length }]) =>
      `${shorten(taskLabel, 100)}${length > 1 ? ` (${count(length, "run")})` : ""}`,
  );
  if (places.length === 1) return [...linked(names[0] ?? ""), ...reason];
  const tasks = new Set(shown.map(({ grade }) => grade.job.task.id)).size;
  const what = tasks === shown.length ? "tasks" : "runs";
  const where = listed(names, NAMES);
  return [
    ...linked(`${formatNumber(shown.length)} ${what}`),
    ...reason,
    " ",
    small(name(where, where.length)),
  ];
}
