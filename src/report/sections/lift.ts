/** What the skill is worth: with it and without it. Pure. */
import { liftSentence, signed } from "../../compare/lift-sentence.ts";
import type { LiftedStatement, LiftedTask } from "../../compare/lift.ts";
import { count, formatScore, shorten } from "../../text/format.ts";
import { fold, heading, line, list, name, small } from "../document/tree.ts";
import type { Block, Line } from "../document/tree.ts";
import { moreOf } from "./section.ts";
import type { Section } from "./section.ts";

/** Maximum length of a statement. */
const STATEMENT = 300;
/** Maximum tasks and statements to list. */
const LINES = 50;
const BRIEF_LINES = 5;

/** The sentence, a table of tasks, and the statements that the skill changes, or that measure nothing; empty without `lift`. */
export const liftSection: Section = ({ lift }, page) => {
  if (!lift) return [];
  const { tasks, earned, idle, harmed } = lift;
  const suites = new Set(tasks.map(({ suite }) => suite)).size > 1;
  const most = page.each ? LINES : BRIEF_LINES;
  const listedTasks = [...tasks].sort((a, b) => gainOf(a) - gainOf(b)).slice(0, most);
  const statementFold = (statements: readonly LiftedStatement[], one: string, several: string): Block[] => {
    if (statements.length === 0) return [];
    const lines = statements.map((it): Line => [
      name(place(it, suites)),
      ": ",
      shorten(it.text, STATEMENT),
      ...(it.reason === undefined ? [] : [" ", small(shorten(it.reason, STATEMENT))]),
    ]);
    const title = `${count(statements.length, "statement")} ${statements.length === 1 ? one : several}`;
    // A terminal has no folds to open.
    return page.medium === "terminal"
      ? [line(`${title}:`), ...list(lines, most)]
      : fold([title], list(lines, most));
  };
  return [
    heading("What the skill is worth"),
    // On a terminal the log has the sentence just above.
    ...(page.medium === "terminal" ? [] : [line(liftSentence(lift))]),
    {
      kind: "table",
      heads: [["Task"], ["With"], ["Without"], ["Points"]],
      align: ["left", "right", "right", "right"],
      rows: listedTasks.map((task): Line[] => [
        [name(place(task, suites))],
        [side(task.with)],
        [side(task.without)],
        [signed(100 * gainOf(task))],
      ]),
    },
    ...moreOf(tasks.length - listedTasks.length, "task", page),
    ...statementFold(earned, "passes only with the skill", "pass only with the skill"),
    ...statementFold(harmed, "fails only with the skill", "fail only with the skill"),
    ...statementFold(
      idle,
      "passes in every run of both, so it does not measure the skill",
      "pass in every run of both, so they do not measure the skill",
    ),
  ];
};

function gainOf(task: LiftedTask): number {
  return task.with.score - task.without.score;
}

function side({ score, runs }: LiftedTask["with"]): string {
  return `${formatScore(score)}${runs === 1 ? "" : ` (${count(runs, "run")})`}`;
}

function place({ suite, task }: Pick<LiftedTask, "suite" | "task">, suites: boolean): string {
  return suites ? `${suite} · ${task}` : task;
}
