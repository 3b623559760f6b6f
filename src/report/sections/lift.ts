/** What each skill is worth, side by side: what passed, and the agent's tokens, cost and time for a run. Pure. */
import {
  type Lift,
  type LiftedSkill,
  type LiftedStatement,
  type SkillSide,
  type Unmeasured,
  type Worth,
  liftTitle,
  worthOf,
} from "../../decide/lift.ts";
import { chanceText } from "../../decide/chance.ts";
import { isOfPluginEval } from "../../domain/row.ts";
import {
  LONGEST_BRIEF,
  MOST_LINES,
  type Block,
  type Line,
  type Page,
  type Section,
  bold,
  fold,
  heading,
  line,
  list,
  moreOf,
  name,
  note,
  several,
  small,
  table,
  title,
} from "../document/tree.ts";
import type { Tally } from "../../results/score.ts";
import {
  count,
  formatCents,
  formatNumber,
  formatSeconds,
  formatShort,
  plural,
  shorten,
} from "../../text/format.ts";
import { STATES } from "../../text/states.ts";

/** Lines of a list on a brief page. */
const MOST_LINES_BRIEF = 5;
/** Ids of tasks that a line names. */
const MOST_IDS = 10;

/** What the skills are worth, what to do, a table of both sides, and why; empty without `lift`. */
export const liftSection: Section = ({ lift, scores }, page) => {
  if (!lift) return [];
  const { skills } = lift;
  const what = scores.grades.some(isOfPluginEval) ? "plugin" : "skill";
  const shown = skills.slice(0, page.most);
  const todo = skills.flatMap((skill) => remedies(skill, page, what));
  return [
    heading(`What the ${what} is worth`),
    // On a terminal the log has it just above.
    ...(page.medium === "terminal" ? [] : [line(bold(`${liftTitle(lift)}.`))]),
    ...shown.slice(0, MOST_LINES_BRIEF).map((skill) => line(...sentence(skill))),
    ...(todo.length === 0 ? [] : [line(bold("What now:"), " ", ...several(todo, MOST_LINES_BRIEF), ".")]),
    skillTable(shown, what),
    ...moreOf(skills.length - shown.length, what, page),
    note(legend(shown)),
    ...reasons(shown, page),
    ...statementFolds(lift, page),
  ];
};

/** `With csv-clean 13 more of 36 statements pass. A difference this large happens by chance in about 1 of 40 comparisons.` */
function sentence({
  suite,
  difference,
  with: withSkill,
  without,
  unmeasured,
  statements,
}: LiftedSkill): Line {
  if (!difference)
    return [
      "With ",
      name(suite),
      ": ",
      bold("its numbers say nothing about it"),
      `: ${unmeasured.map(({ text }) => text).join("; ")}.`,
    ];
  const gain = withSkill.passed - without.passed;
  const noun = nounOf(withSkill.all, statements);
  const moved =
    withSkill.all !== without.all
      ? `${share(withSkill)} pass, without it ${share(without)}`
      : gain === 0
        ? `as many of ${String(withSkill.all)} ${noun} pass as without it`
        : `${String(Math.abs(gain))} ${gain > 0 ? "more" : "fewer"} of ${String(withSkill.all)} ${noun} pass`;
  return [
    "With ",
    name(suite),
    ` ${moved}. ${signed(difference.points) === "0" ? "" : `${chanceText("A difference", difference.p)}.`}`,
  ];
}

/** What is counted: statements, and grades where graders have none. */
function nounOf(amount: number, statements: readonly LiftedStatement[] = []): string {
  return statements.length === 0
    ? plural(amount, "grade", "grades")
    : plural(amount, "statement", "statements");
}

/** What to do about what happened, per skill; more runs where chance may be all that moved it. */
function remedies(skill: LiftedSkill, { medium }: Pick<Page, "medium">, what: "plugin" | "skill"): Line[] {
  const { suite, unmeasured, difference } = skill;
  if (
    difference &&
    signed(difference.points) !== "0" &&
    worthOf(skill) === "makes no difference beyond chance"
  ) {
    const ofRun = medium === "terminal" ? "`run --lift --trials 3`" : "`trials: 3`";
    const trials = what === "plugin" ? "`--runs`" : ofRun;
    return [[name(suite), `: run both sides more often, by ${trials}`]];
  }
  const steps = new Set(unmeasured.map(({ kind }) => REMEDIES[kind]));
  return steps.size === 0 ? [] : [[name(suite), `: ${[...steps].join("; ")}; then run both sides again`]];
}

const REMEDIES: Readonly<Record<Unmeasured["kind"], string>> = {
  "load-failed": "mend what the error of the call names: the agent chose the skill",
  "not-loaded": "let the `description` in its SKILL.md name the tasks, and look that the skill is installed",
  "other-skills": "take the skill of that name out of where the agent finds it, such as its home",
  ended: "raise the agent's limit",
  refused: "allow the agent its tools",
  "no-pair": "look at what was not graded",
};

/** Three rows a skill: with it, without it, and the difference. */
function skillTable(skills: readonly LiftedSkill[], what: "plugin" | "skill"): Block {
  const rows = skills.flatMap((skill): Line[][] => [
    [[bold(name(skill.suite)), ", with"], [bold(share(skill.with))], ...sideCells(skill.with)],
    [["without"], [share(skill.without)], ...sideCells(skill.without)],
    gainRow(skill),
  ]);
  const heads = [[what === "plugin" ? "Plugin" : "Skill"], ["pass"], ["tokens"], ["cost"], ["time"]];
  return table(`Each ${what}, with and without it`, { heads, numbers: 4 }, rows);
}

function share({ passed, all }: SkillSide): string {
  return all === 0 ? "–" : `${String(passed)}/${String(all)}`;
}

/** The agent's figures of a run; a log may lack a part of the first two. */
const FIGURES: readonly {
  readonly figureOf: (side: SkillSide) => number | undefined;
  readonly format: (figure: number) => string;
  readonly isAtLeast: (side: SkillSide) => boolean;
}[] = [
  { figureOf: ({ tokens }) => tokens, format: formatShort, isAtLeast: ({ isAtLeast }) => isAtLeast },
  { figureOf: ({ costUsd }) => costUsd, format: formatCents, isAtLeast: ({ isAtLeast }) => isAtLeast },
  { figureOf: ({ durationMs }) => durationMs, format: formatSeconds, isAtLeast: () => false },
];

function sideCells(side: SkillSide): Line[] {
  return FIGURES.map(({ figureOf, format, isAtLeast }) => {
    const figure = figureOf(side);
    return [figure === undefined ? "–" : `${isAtLeast(side) ? "≥ " : ""}${format(figure)}`];
  });
}

function gainRow(skill: LiftedSkill): Line[] {
  const { with: withSkill, without, difference } = skill;
  const head = `${SIGN_OF[worthOf(skill)]} gain`;
  if (!difference) return [[head], ["?"], ["–"], ["–"], ["–"]];
  const gains = FIGURES.map(({ figureOf, format, isAtLeast }): Line => {
    const [now, before] = [figureOf(withSkill), figureOf(without)];
    if (now === undefined || before === undefined || isAtLeast(withSkill) || isAtLeast(without)) return ["–"];
    return [`${now > before ? "+" : now < before ? "−" : ""}${format(Math.abs(now - before))}`];
  });
  const passed =
    withSkill.all === without.all
      ? signed(withSkill.passed - without.passed)
      : `${signed(difference.points)} points`;
  return [[head], [bold(passed)], ...gains];
}

const SIGN_OF: Readonly<Record<Worth, string>> = {
  helps: STATES.passed.sign,
  harms: STATES.failed.sign,
  "makes no difference beyond chance": STATES.skipped.sign,
  "is not measured": STATES.doubtful.sign,
};

/** What the columns count, by the first skill that has something to count. */
function legend(skills: readonly LiftedSkill[]): string {
  const counted = skills.find(({ with: { all } }) => all > 0);
  const { with: withSkill, statements } = counted ?? {};
  const example =
    withSkill === undefined
      ? ""
      : `${share(withSkill)}: ${String(withSkill.passed)} of ${String(withSkill.all)} ${nounOf(withSkill.all, statements)} passed, in all runs${statements?.length === 0 ? "" : " (a grader without statements counts as one)"}. `;
  const unknown = skills.some(({ difference }) => !difference) ? "; ?: not measured" : "";
  return `${example}Tokens, cost, time: of the agent, a run, where its log says them; gain: with less without${unknown}.`;
}

/** What happened to the runs of each skill that is not measured. */
function reasons(skills: readonly LiftedSkill[], page: Page): Block[] {
  const lines = skills.flatMap(({ suite, difference, unmeasured }) =>
    (difference ? [] : unmeasured).map(({ text, tasks }): Line => [
      `${STATES.doubtful.sign} `,
      bold(name(suite)),
      ` · ${text}`,
      ...(tasks.length === 0
        ? []
        : [
            plural(tasks.length, ": task ", ": tasks "),
            ...several(
              tasks.map((task) => [name(task)]),
              MOST_IDS,
            ),
          ]),
    ]),
  );
  return lines.length === 0 ? [] : [title("Why"), ...list(lines, page.each ? MOST_LINES : MOST_LINES_BRIEF)];
}

/** Statements that pass in every run with the skill and fail in one without it; that fail only with it; that always pass. */
function statementFolds({ skills }: Lift, page: Page): Block[] {
  const suites = skills.length > 1;
  const all = skills.filter(({ unmeasured }) => unmeasured.length === 0).flatMap((one) => one.statements);
  const isSafe = ({ passes, runs }: Tally) => passes === runs;
  const earned = all.filter((one) => isSafe(one.with) && !isSafe(one.without));
  const harmed = all.filter((one) => !isSafe(one.with) && isSafe(one.without));
  const idle = all.filter((one) => isSafe(one.with) && isSafe(one.without));
  const folded = (head: string, statements: readonly LiftedStatement[]): Block[] => {
    const lines = statements.map((it): Line => [
      name(suites ? `${it.suite} · ${it.task}` : it.task),
      ": ",
      shorten(it.text, LONGEST_BRIEF),
      ...(it.reason === undefined ? [] : [" ", small(shorten(it.reason, LONGEST_BRIEF))]),
    ]);
    const items = list(lines, page.each ? MOST_LINES : MOST_LINES_BRIEF);
    const counted = `${head}: ${count(lines.length, "statement")}`;
    // A terminal has no folds to open.
    return page.medium === "terminal" && items.length > 0
      ? [line(counted), ...items]
      : fold([counted], items);
  };
  return [
    ...folded("Passed only with the skill", earned),
    ...folded("Failed only with the skill", harmed),
    ...folded("Passed in every run of both, which does not measure the skill", idle),
  ];
}

/** A whole number with its sign. */
function signed(points: number): string {
  const whole = Math.round(points);
  return whole === 0 ? "0" : `${whole > 0 ? "+" : "−"}${formatNumber(Math.abs(whole))}`;
}
