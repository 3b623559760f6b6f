/** What failed and why: a few grades one by one, many by the reasons that they share. */
import type { Grade, Graded, Report } from "../../domain.ts";
import { count, formatNumber, listed, shorten } from "../../format.ts";
import { SIGNS, stateOf } from "../../states.ts";
import { checksOnce } from "../annotations.ts";
import { markdownProse, markdownText } from "../neutralise.ts";
import { failedGrade, foldedGrade, graderLink } from "./grade.ts";
import { fitting, shownGrades } from "./names.ts";
import type { Shown } from "./names.ts";
import { details, joined, moreText } from "./section.ts";
import type { Page, Section } from "./section.ts";

/** Up to so many failed grades are told one by one. */
const FEW = 10;
/** Up to so many have what was asked and answered in a comment. */
const FEW_IN_COMMENT = 3;
/** Characters of a name, and of a reason among many. */
const NAME = 100;
const REASON = 300;
/** Tasks that are named after a reason that they share. */
const NAMES = 3;

/** The failed grades; more than a few by grader and reason, and folded one by one where there is room. */
export const failedSection: Section = (report, page) => {
  const failed = shownGrades(report).filter(({ grade }) => stateOf(grade) === "failed");
  if (failed.length === 0) return "";
  if (failed.length > FEW) return manyFailed(failed, report, page);
  const answers = page.answers && (page.place !== "comment" || failed.length <= FEW_IN_COMMENT);
  const shown = failed.slice(0, page.most);
  const blocks = shown.map((one) => failedGrade(one, report, { ...page, answers }));
  return joined([...blocks, moreText(failed.length - shown.length, "more failed grade", page)]);
};

function manyFailed(failed: readonly Shown[], report: Report, page: Page): string {
  const key = ({ grade: { job } }: Shown) => JSON.stringify([job.suite.at.path, job.grader.name]);
  const graders = [...Map.groupBy(failed, key).values()].sort((a, b) => b.length - a.length);
  const groups = graders.map((own) => ({ own, reasons: reasonsOf(own) }));
  const all = groups.reduce((sum, { reasons }) => sum + reasons.length, 0);
  const shown = shares(
    groups.map(({ reasons }) => reasons.length),
    page.most,
  );
  const lists = groups.flatMap(({ own, reasons }, index) => {
    const lines = fitting(reasons.slice(0, shown[index]), page.room, (reason) => reasonItem(reason, page));
    return lines.length === 0 ? [] : [joined([graderTitle(own, report), lines.join("\n")])];
  });
  const told = shown.reduce((sum, number) => sum + number, 0);
  const folded = page.each ? failed.slice(0, page.most) : [];
  const each = fitting(folded, page.room, (one) => foldedGrade(one, report, page));
  return joined([
    "### What failed and why",
    ...lists,
    moreText(all - told, "more reason", page),
    each.length > 0
      ? details(
          `${count(folded.length, "failed grade")}, one by one`,
          joined([...each, moreText(failed.length - folded.length, "more failed grade", page)]),
        )
      : "",
  ]);
}

/** How many reasons of each grader are told: one of each in turn, as long as there are any. */
function shares(sizes: readonly number[], most: number): number[] {
  const told = sizes.map(() => 0);
  let left = Math.min(
    most,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  while (left > 0) {
    for (const [index, size] of sizes.entries()) {
      if (left === 0 || (told[index] ?? 0) >= size) continue;
      told[index] = (told[index] ?? 0) + 1;
      left -= 1;
    }
  }
  return told;
}

/** A grader with how many of its grades failed. */
function graderTitle(own: readonly Shown[], report: Report): string {
  const [{ grade }] = own as readonly [Shown];
  const name = markdownText(shorten(grade.job.grader.name, NAME));
  return `${SIGNS.failed} **${name}** — ${count(own.length, "failed grade")} · ${graderLink(grade, report)}`;
}

/** A reason, and the grades that failed for it. */
interface Reason {
  readonly text: string;
  readonly shown: readonly Shown[];
}

/** The reasons of a grader's failed checks, those that most grades share first. */
function reasonsOf(own: readonly Shown[]): Reason[] {
  const groups = new Map<string, Set<Shown>>();
  for (const one of own)
    for (const text of reasonTexts(one.grade)) groups.set(text, (groups.get(text) ?? new Set()).add(one));
  return [...groups]
    .map(([text, shown]) => ({ text, shown: [...shown] }))
    .sort((a, b) => b.shown.length - a.shown.length);
}

function reasonTexts({ verdict }: Grade): readonly string[] {
  const { checks, note } = verdict as Graded;
  if (checks.length === 0) return [note ?? ""];
  return checksOnce(verdict as Graded)
    .filter(({ outcome }) => outcome === "fail")
    .map(({ description = "", reason = "" }) => reason || description);
}

function reasonItem({ text, shown }: Reason, page: Page): string {
  const why = markdownProse(shorten(text, Math.min(REASON, page.reason))) || "no reason is given";
  const [one] = shown.length === 1 ? shown : [];
  if (one) return `- **${markdownText(shorten(one.label, NAME))}**: ${why}`;
  const places = [...Map.groupBy(shown, ({ place }) => place)];
  const names = places.map(
    ([place, { length }]) => `${shorten(place, NAME)}${length > 1 ? ` (${count(length, "run")})` : ""}`,
  );
  if (places.length === 1) return `- **${markdownText(names[0] ?? "")}**: ${why}`;
  const tasks = new Set(shown.map(({ grade }) => grade.job.task.id)).size;
  const what = tasks === shown.length ? "tasks" : "runs";
  return `- **${formatNumber(shown.length)} ${what}**: ${why} <sub>${markdownText(listed(names, NAMES))}</sub>`;
}
