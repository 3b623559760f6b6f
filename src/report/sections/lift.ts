/** What the skill is worth: with it and without it. Pure. */
import { liftSentence, signed } from "../../compare/lift-sentence.ts";
import type { LiftedStatement, LiftedTask } from "../../compare/lift.ts";
import { count, formatScore, shorten } from "../../text/format.ts";
import { fold, heading, line, list, name } from "../document/tree.ts";
import type { Block, Line } from "../document/tree.ts";
import { moreOf } from "./section.ts";
import type { Section } from "./section.ts";

/** Characters of a statement. */
const STATEMENT = 300;
/** Tasks and statements that are listed. */
const LINES = 50;
const BRIEF_LINES = 5;

/** The sentence, a table of tasks, and the statements that say nothing about the skill; empty without `lift`. */
export const liftSection: Section = ({ lift }, page) => {
  if (!lift) return [];
  const { tasks, idle, harmed } = lift;
  const suites = new Set(tasks.map(({ suite }) => suite)).size > 1;
  const most = page.each ? LINES : BRIEF_LINES;
  const listedTasks = [...tasks].sort((a, b) => gainOf(a) - gainOf(b)).slice(0, most);
  const statements = (title: string, its: readonly LiftedStatement[]) =>
    fold(
      [title],
      list(
        its.map((one): Line => [name(place(one, suites)), ": ", shorten(one.text, STATEMENT)]),
        most,
      ),
    );
  return [
    heading("What the skill is worth"),
    line(liftSentence(lift)),
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
    ...some(harmed, (its) =>
      statements(
        `${count(its.length, "statement")} ${its.length === 1 ? "fails" : "fail"} only with the skill`,
        its,
      ),
    ),
    ...some(idle, (its) =>
      statements(
        `${count(its.length, "statement")} ${its.length === 1 ? "passes" : "pass"} in every run of both: ${its.length === 1 ? "it says" : "they say"} nothing about the skill`,
        its,
      ),
    ),
  ];
};

function some<T>(its: readonly T[], render: (its: readonly T[]) => readonly Block[]): readonly Block[] {
  return its.length === 0 ? [] : render(its);
}

function gainOf(task: LiftedTask): number {
  return task.with.score - task.without.score;
}

function side({ score, runs }: LiftedTask["with"]): string {
  return `${formatScore(score)}${runs === 1 ? "" : ` (${count(runs, "run")})`}`;
}

function place({ suite, task }: Pick<LiftedTask, "suite" | "task">, suites: boolean): string {
  return suites ? `${suite} · ${task}` : task;
}
