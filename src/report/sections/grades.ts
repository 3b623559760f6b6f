/** Lists of grades: what failed and why, what has no verdict, what passed, and verdicts that others recorded. */
import type { GradeError } from "../../domain/grade.ts";
import {
  type Block,
  type Line,
  type Page,
  type Section,
  bold,
  code,
  entry,
  fold,
  heading,
  line,
  link,
  list,
  moreOf,
  name,
  several,
  small,
} from "../document/tree.ts";
import type { Report } from "../report.ts";
import { failedGrade, foldedGrade, graderLink, graderUrl } from "./grade.ts";
import { type ShownGrade, shownGrades } from "../shown-grade.ts";
import { count, filePart, formatNumber, formatScore, listed, once, shorten } from "../../text/format.ts";
import { runKey } from "../../results/score.ts";
import { CHECK_SIGNS, NO_DETAIL, SIGNS, checkText, judgesDiffer, votesText } from "../../text/states.ts";
import {
  FEW_CHECKS,
  FEW_GRADES,
  FEW_GROUPS,
  FEW_IN_COMMENT,
  LONGEST_FEEDBACK,
  LONGEST_GROUP_LABEL,
  LONGEST_GROUP_REASON,
  MOST_GROUP_NAMES,
  MOST_TASKS_OF_REASON,
} from "../limits.ts";

/** Passed grades with a warning, one line each; the grade's block, which is collapsed, has it too. */
export const doubtsSection: Section = (report, page) => {
  const lines = shownGrades(report).flatMap(({ grade, label, state, sign }): Line[] => {
    if (state !== "doubtful") return [];
    const { incomplete, doubt, checks } = grade;
    const doubts: Line = [
      ...(incomplete
        ? [
            `the judge was interrupted after ${count(checks.length, "check")}, there may be more (`,
            bold(incomplete.class),
            `: ${shorten(incomplete.message, LONGEST_GROUP_REASON)})`,
          ]
        : []),
      incomplete && doubt !== undefined ? "; " : "",
      shorten(doubt ?? "", LONGEST_GROUP_REASON),
    ];
    const grader = link([name(grade.grader)], graderUrl(grade, report));
    return [[`${sign} `, bold(...grader), " · ", name(label), " — ", ...doubts]];
  });
  // Left out where even the reasons of failed grades are shortened.
  if (lines.length === 0 || page.reason < LONGEST_GROUP_REASON) return [];
  return [heading("Passed, with a doubt"), ...list(lines, MOST_GROUP_NAMES)];
};

/** Grades that passed though not all votes did. */
export const majoritySection: Section = (report) => {
  const split = shownGrades(report).flatMap(({ name: called, grade: { state, votes } }) => {
    if (state !== "passed" || !votes) return [];
    return votes.failed + votes.errored > 0 ? [`${called}: ${votesText(votes)}`] : [];
  });
  return split.length === 0 ? [] : [line(`Passed by a majority: `, name(listed(split), Infinity), ".")];
};

/** How often the judge of `confirm-model` differed from the grader's own, by grader. */
export const opinionsSection: Section = (report) => {
  const confirmed = report.scores.grades.flatMap(({ grader, votes }) =>
    votes?.judges ? [{ name: grader, votes }] : [],
  );
  if (confirmed.length === 0) return [];
  const differing = (some: typeof confirmed) => some.filter(({ votes }) => judgesDiffer(votes)).length;
  const byGrader = [...Map.groupBy(confirmed, (one) => one.name)].map(([grader, own]): Line => [
    name(grader),
    ` ${String(differing(own))} of ${String(own.length)}`,
  ]);
  const models = new Set(
    confirmed.flatMap(({ votes }) => votes.judges?.slice(1).map(({ model }) => model) ?? []),
  );
  return [
    line(
      "Second opinion by ",
      ...several(
        [...models].map((model) => [code(model)]),
        MOST_GROUP_NAMES,
      ),
      `: it differed on ${String(differing(confirmed))} of ${count(confirmed.length, "grade")} (`,
      ...several(byGrader, MOST_GROUP_NAMES),
      ").",
    ),
  ];
};

/** Passed grades, folded twice: the list, and each grade in it. */
export const passedSection: Section = (report, page) => {
  // A file has each below its run.
  if (!page.passed || page.medium === "file") return [];
  const passed = shownGrades(report).filter(({ state }) => state === "passed" || state === "doubtful");
  const listedGrades = passed.slice(0, page.most);
  return fold(
    [count(passed.length, "passed grade")],
    [
      ...listedGrades.flatMap((one) => foldedGrade(one, report, page)),
      ...moreOf(passed.length - listedGrades.length, "passed grade", page),
    ],
  );
};

/** The failed grades. A few are listed one by one, grouped by reason; many by grader and reason, then folded one by one if the page has room. */
export const failedSection: Section = (report, page) => {
  const all = shownGrades(report).filter(({ state }) => state === "failed");
  const failed = [...all.filter(({ isNew }) => isNew), ...all.filter(({ isNew }) => !isNew)];
  if (failed.length === 0) return [];
  const isFew = failed.length <= FEW_GRADES && failed.flatMap(reasonTexts).length <= FEW_CHECKS;
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
          ? [line(...same, ":"), ...list(names, FEW_GRADES)]
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

function reasonTexts({ checks, grade: { note } }: ShownGrade): readonly string[] {
  const failed = checks.filter(({ outcome }) => outcome === "fail");
  return failed.length === 0 ? [note ?? ""] : failed.map(checkText);
}

function manyFailed(failed: readonly ShownGrade[], report: Report, page: Page): readonly Block[] {
  const key = ({ grade: { suite, grader } }: ShownGrade) => JSON.stringify([suite, grader]);
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

/** Newly failing first, then by number of grades. */
function byWeight(a: readonly ShownGrade[], b: readonly ShownGrade[]): number {
  const fresh = (own: readonly ShownGrade[]) => Number(own.some(({ isNew }) => isNew));
  return fresh(b) - fresh(a) || b.length - a.length;
}

/** A reason, and the grades that failed for it. */
interface Reason {
  readonly text: string;
  /** Whether it is the first reason of at least one grade. */
  readonly isFirst: boolean;
  readonly grades: readonly ShownGrade[];
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

/** A grader with how many of its grades failed. */
function graderTitle(own: readonly ShownGrade[], report: Report): Block {
  const [{ grade, sign }] = own as readonly [ShownGrade];
  const failed = count(own.length, "failed grade");
  return line(`${sign} `, bold(name(grade.grader)), ` — ${failed} · `, ...graderLink(grade, report));
}

function reasonItem({ text, grades: shown }: Reason, page: Page): Line {
  // A terminal has no link to the whole reason.
  const most = page.medium === "terminal" ? page.reason : Math.min(LONGEST_GROUP_REASON, page.reason);
  const why = shorten(text, most).trim() || NO_DETAIL;
  const fresh = shown.filter(({ isNew }) => isNew).length;
  const many = fresh === shown.length ? "" : `${formatNumber(fresh)} `;
  const reason = [": ", why, ...(fresh > 0 ? [" ", small(`${many}newly failing`)] : [])];
  const [first] = shown as readonly [ShownGrade];
  const address = page.addressOf?.(first.grade);
  const linked = (title: string) => link([bold(name(title, LONGEST_GROUP_LABEL))], address && `#${address}`);
  if (shown.length === 1) return [...linked(first.label), ...reason];
  const places = [...Map.groupBy(shown, ({ taskLabel }) => taskLabel)];
  const names = places.map(
    ([taskLabel, { length }]) =>
      `${shorten(taskLabel, 100)}${length > 1 ? ` (${count(length, "run")})` : ""}`,
  );
  if (places.length === 1) return [...linked(names[0] ?? ""), ...reason];
  const tasks = new Set(shown.map(({ grade }) => grade.task)).size;
  const what = tasks === shown.length ? "tasks" : "runs";
  const where = listed(names, MOST_TASKS_OF_REASON);
  return [
    ...linked(`${formatNumber(shown.length)} ${what}`),
    ...reason,
    " ",
    small(name(where, where.length)),
  ];
}

/**
 * The key that groups grades with the same failure: task, grader and reasons; of agents that never got to work, the
 * reasons alone.
 */
export function failureKey(shown: ShownGrade): string {
  const { suite, task, grader, agent } = shown.grade;
  const scope = agent === "failed" ? [] : [suite, task, grader];
  return JSON.stringify([...scope, reasonTexts(shown)]);
}

/** A cause, and the names of the grades that it left without a verdict. */
interface Cause {
  readonly text: Line;
  readonly name: string;
}

/** Errored grades by what went wrong, with what to do about it. */
export const erroredSection: Section = (report, page) => {
  const causes = shownGrades(report).flatMap((shown): Cause[] => {
    const { checks, error } = shown.grade;
    if (!error) return [];
    const before = checks.length === 0 ? "" : ` (after ${count(checks.length, "passed check")}, not counted)`;
    return [{ text: errorText(error, page), name: `${shown.name}${filePart(error)}${before}` }];
  });
  return grouped(
    { title: "Errored: no verdict, and left out of the score", sign: SIGNS.errored },
    causes,
    page,
  );
};

function errorText(error: GradeError, { reason }: Page): Line {
  const help = error.help === undefined ? [] : [" ", bold("What to do:"), ` ${error.help}`];
  return [bold(error.class), `: ${shorten(error.message, reason)}`, ...help];
}

/** The causes that most grades share first. */
function grouped(
  { title, sign }: { readonly title: string; readonly sign: string },
  causes: readonly Cause[],
  page: Page,
): readonly Block[] {
  if (causes.length === 0) return [];
  const groups = [...Map.groupBy(causes, ({ text }) => JSON.stringify(text)).values()];
  const listedGroups = groups.sort((one, other) => other.length - one.length).slice(0, page.most);
  return [
    heading(title),
    ...listedGroups.flatMap((own) => {
      const names = list(
        own.map((one): Line => [name(one.name)]),
        MOST_GROUP_NAMES,
      );
      const many =
        own.length <= FEW_GROUPS || page.medium === "terminal"
          ? names
          : fold([count(own.length, "grade")], names);
      return [entry([`${sign} `, ...(own[0]?.text ?? [])], many)];
    }),
    ...moreOf(groups.length - listedGroups.length, "cause", page),
  ];
}

/** Skipped grades by reason; those of missing runs have a section of their own, and a dry run skips all. */
export const skippedSection: Section = (report, page) => {
  // The comment on a fork's pull request has only the reason why it is not graded.
  const isBrief = !page.passed && !page.each;
  const causes = shownGrades(report).flatMap((shown): Cause[] => {
    const { state } = shown.grade;
    if (state !== "no-key" && (state !== "capped" || isBrief)) return [];
    const reason = shorten(shown.reason, page.reason);
    // The words are ours alone, and so is the address in them.
    const parts = state === "no-key" ? reason.split(/`(https?:[^`]+)`/) : [reason];
    const text = parts.flatMap((part, index) => (index % 2 === 0 ? [part] : link([code(part)], part)));
    return [{ text, name: shown.name }];
  });
  return grouped({ title: "Skipped", sign: SIGNS.skipped }, causes, page);
};

/** Verdicts recorded in the results by other tools, which are no part of the score. */
export const recordedSection: Section = (report, page) => {
  if (!page.passed) return [];
  const byRun = Map.groupBy(shownGrades(report), ({ grade }) => runKey(grade));
  const rows = [...byRun.values()].flatMap((shown) => {
    const ours = new Set(shown.map(({ grade }) => grade.grader));
    const others = shown[0]?.grade.others?.filter((validation) => !ours.has(validation.name)) ?? [];
    return others.map((validation): Line[] => [
      [name(shown[0]?.label ?? "")],
      [name(validation.name)],
      [`${CHECK_SIGNS[validation.passed ? "pass" : "fail"]} ${formatScore(validation.score)}`],
      [shorten(validation.feedback, LONGEST_FEEDBACK)],
      validation.type === "" ? [] : [code(validation.type)],
    ]);
  });
  if (rows.length === 0) return [];
  const heads = ["Task", "Grader", "Recorded", "Feedback", "Type"];
  return fold(
    [
      `${count(rows.length, "validation recorded by waza", "validations recorded by waza")}, not in the score`,
    ],
    [
      line("Verdicts of other types of graders, recorded in the results. They are not in the score."),
      {
        kind: "table",
        heads: heads.map((head) => [head]),
        align: heads.map(() => "left"),
        rows: rows.slice(0, page.most),
      },
      ...moreOf(rows.length - page.most, "validation", page),
    ],
  );
};
