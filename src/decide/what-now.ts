/** What to do next, and whether this change is to blame, by what is known once a run is decided: lines of pages. Pure. */
import {
  type Comparison,
  failedBeside,
  goneSuites,
  newlyFailing,
  runsPassed,
  taskGroups,
} from "./compare.ts";
import { deadTasks } from "./chance.ts";
import { examplesOf, named, quoted } from "./names.ts";
import { inBaseline, nameOf, newBaseline } from "./pairs.ts";
import { type Triggers, queriesOf } from "./triggers.ts";
import { ACCEPT_LABEL } from "../domain/defaults.ts";
import type { Conclusion, Policy } from "../domain/grade.ts";
import { type Row, type Scores, type VerdictRow, isChecked, isOfPluginEval, taskKey } from "../domain/row.ts";
import { AGAIN_LIST } from "../domain/run.ts";
import { taskTitle } from "../results/rows.ts";
import { count, plural, shorten } from "../text/format.ts";

/** A sentence; `page` of the docs is where `text` leads, and `more` comes after it. */
export interface Advice {
  readonly text: string;
  readonly page?: string;
  readonly more?: string;
}

/** A run that is decided, as its report has it. */
export interface Decided {
  readonly conclusion: Pick<Conclusion, "rule" | "isOfTriggers">;
  readonly scores: Scores;
  readonly policy: Policy;
  readonly comparison?: Comparison | undefined;
  readonly triggers?: Triggers | undefined;
  /** What fell, and is accepted. */
  readonly accepted: readonly unknown[];
  /** The list of what is asked again. */
  readonly again?: string | undefined;
  /** Absent outside GitHub, its run at the command line. */
  readonly origin?: { readonly run?: object | undefined; readonly branch?: string | undefined } | undefined;
}

/** Where graders failed, and nothing else is to be said. */
export function mend(decided: Decided): readonly Advice[] {
  const { conclusion, policy } = decided;
  const isByGrade = conclusion.rule === "failed-grade" && policy.minScore !== undefined;
  const byScore = isByGrade ? [{ text: "To let the score alone decide, set `fail-on: score`." }] : [];
  return [...fix(decided), ...byScore];
}

/** Where people and judge disagree. */
export const SETTLE: readonly Advice[] = [
  { text: "Where people and judge disagree, below, settle it in the criterion, or choose another judge." },
  { text: "How", page: "judges.md#is-the-judge-right", more: "." },
];

/** Where what dropped runs again. */
export const WAIT: readonly Advice[] = [
  { text: "Nothing: the result of all runs takes the place of this page." },
];

export function afterGolden(decided: Decided): readonly Advice[] {
  if (failedOf(decided).length === 0)
    return [{ text: "Put it back, or retire it in a pull request of its own." }];
  return [...mend(decided), { text: "Is it meant? Change the golden task in a pull request of its own." }];
}

export function afterAccepted({ comparison, accepted }: Decided): readonly Advice[] {
  const when = accepted.length > 0 ? "" : "once it is merged, ";
  const main = nameOf(comparison?.source ?? {});
  return [{ text: `Nothing: ${when}older results of ${main} count no more for what fell.` }];
}

export function afterRegression(decided: Decided): readonly Advice[] {
  const { comparison, scores } = decided;
  if (!comparison || comparison.source.absent !== undefined) return mend(decided);
  const isGone = goneSuites(comparison).length > 0 || scores.counts.planned === 0;
  const renamed = comparison.added.length > 0 ? " Are they renamed? Then keep their prompts." : "";
  const how = `Put the evals back.${renamed} Are they retired? Then remove their skill, too, or ${newBaseline(comparison.source)}.`;
  const back = isGone ? [{ text: how }] : [];
  return [...(isGone && failedOf(decided).length === 0 ? [] : fix(decided)), ...back, isMeant(decided)];
}

/** What is wrong is the agent, or the judge where one judged; on GitHub a push starts it again. */
function fix(decided: Decided): readonly Advice[] {
  const described = describeTriggers(decided);
  if (described) return [described];
  const agent = { text: decided.origin?.run === undefined ? "Fix it." : "Fix it and push." };
  return failedOf(decided).length > 0 ? [agent, judgeWrong(decided)] : [agent];
}

/** Where skills are loaded or not by their description, and that decided. */
function describeTriggers({ conclusion, triggers }: Decided): Advice | undefined {
  if (conclusion.isOfTriggers !== true) return undefined;
  const queries = queriesOf(triggers);
  const wrong = queries.filter(({ isRight }) => isRight === false);
  const skills = new Set(wrong.map(({ suite }) => suite));
  if (skills.size === 0)
    return queries.some(({ absent }) => absent === "gone") ? { text: "Put the queries back." } : undefined;
  return {
    text: `Let the \`description\` in SKILL.md of ${named(skills)} say when to load it and when not, and push.`,
  };
}

/** Characters of a check in the line on the judge. */
const LONGEST_CHECK = 120;

/** What overrules a judge that is wrong, the lasting remedy first; how to measure it is behind the question. */
function judgeWrong(decided: Decided): Advice {
  const question = { text: "Is the judge wrong?", page: "judges.md#is-the-judge-right" };
  const first = failedOf(decided).find(isChecked);
  if (first === undefined) return question;
  if (isOfPluginEval(first))
    return { text: `Is the grader wrong? Change ${quoted(first.grader)} in its case.` };
  const check = first.checks.find(({ outcome }) => outcome === "fail");
  const words = check?.description ?? check?.reason;
  const where = check?.statement === undefined ? "the prompt" : `statement ${String(check.statement)}`;
  const about = words === undefined ? "" : ` about “${shorten(words, LONGEST_CHECK)}”`;
  return {
    ...question,
    more: ` Say in ${where} of ${quoted(first.grader)} what decides${about}, make that grader \`advisory\`, or let a second judge confirm (\`confirm-model\`).`,
  };
}

/** How a drop that is meant gets past a required check. */
function isMeant({ comparison, origin }: Decided): Advice {
  const { source } = comparison ?? {};
  if (origin?.run === undefined) {
    const how = `grade ${nameOf(source ?? {})} with \`--accepted\` once it is merged`;
    return { text: `Is it meant? Then ${how}`, page: "gate.md#keep-a-baseline", more: "." };
  }
  const its = source?.isOwn === true || origin.branch !== undefined ? "its pull request " : "";
  return {
    text: `Is it meant? Someone with write access gives ${its}the label \`${ACCEPT_LABEL}\` and re-runs the failed jobs`,
    page: "gate.md#a-drop-that-is-meant",
    more: ".",
  };
}

export function afterNotCompared({ comparison, scores, origin }: Decided): readonly Advice[] {
  const next = { text: "Nothing: what comes after this push is compared with it." };
  if (comparison?.source.absent === "not-found") {
    if (origin?.branch !== undefined) return [next];
    return [
      {
        text: "The next push to the default branch is graded, and later pull requests are compared with that.",
      },
      ...(scores.counts.failed > 0 ? [{ text: "What fails here fails there too, if it is merged." }] : []),
    ];
  }
  if (comparison === undefined || comparison.source.absent !== undefined) return [];
  if (comparison.source.isOwn === true) return [next];
  const main = nameOf(comparison.source);
  const after = `after the next push to ${main}`;
  if (comparison.notComparable.every(({ excused }) => excused === undefined))
    return [{ text: `Nothing has to be done: it is compared ${after}.` }];
  return [
    {
      text: `Have the kept answers of ${main} judged in this way, too`,
      page: "gate.md#when-the-prompt-or-the-judge-changed",
      more: ".",
    },
    { text: `Or merge: ${after} pages compare again.` },
  ];
}

/** A green page on which something failed, or passed with a doubt. */
export function undecided(decided: Decided): readonly Advice[] {
  const { comparison, scores, policy } = decided;
  const failed = failedOf(decided);
  if (failed.length === 0) {
    const hasDoubt = scores.grades.some(({ state, doubt }) => state === "passed" && doubt !== undefined);
    return hasDoubt ? [{ text: "Read the passes with a doubt, below." }] : [];
  }
  if (policy.failOn === "fail" && failed.every(({ hasLaterAttempt }) => hasLaterAttempt)) return [];
  if (policy.failOn !== "regression" || !comparison) return [judgeWrong(decided)];
  const main = nameOf(comparison.source);
  if (newlyFailing(comparison).length > 0)
    return [
      { text: "Read the reasons: chance may explain it, or this change." },
      ...notDead(comparison),
      ...againAtDesk(decided),
      judgeWrong(decided),
    ];
  if (failedBeside(comparison).fresh.length > 0)
    return [
      { text: `Nothing has to be done: what ${main} does not have yet counts once it does.` },
      judgeWrong(decided),
    ];
  return [{ text: "Nothing has to be done here." }];
}

/** Why a task that passes no check now is not dead. */
function notDead({ pairs, test }: Comparison): readonly Advice[] {
  const keys = new Set(deadTasks(test.strata).map(taskKey));
  const tasks = examplesOf(pairs.filter((pair) => keys.has(taskKey(pair)))).map(taskTitle);
  if (tasks.length === 0) return [];
  const pass = plural(tasks.length, "passes", "pass");
  return [{ text: `${named(tasks)} ${pass} no check: dead once more runs show that it is not chance.` }];
}

/** At the command line, where no check can wait: how what dropped runs again. */
function againAtDesk({ again, origin }: Decided): readonly Advice[] {
  if (origin?.run !== undefined || again === undefined) return [];
  return [
    {
      text: `More runs tell: grade with \`--output-file record.json\`, then run what \`${AGAIN_LIST}\` beside it asks for, by \`waza-grade run --plan ${AGAIN_LIST}\` with the same agent, and grade again.`,
    },
  ];
}

function failedOf({ scores: { grades } }: Decided): readonly Row[] {
  return grades.filter(({ state }) => state === "failed");
}

/* Whether this change is to blame for what failed, by what is recorded of both sides. */

/** What main did with what fails here, and what differs from it beside this change. */
export function blame(decided: Decided): readonly Advice[] {
  const { comparison, scores, origin } = decided;
  if (scores.counts.failed === 0) return [];
  // What a push brings is on its branch already.
  if (origin?.branch !== undefined || comparison?.source.isOwn === true) return [];
  if (comparison === undefined) {
    const how = {
      text: "With a `baseline`",
      page: "gate.md#keep-a-baseline",
      more: " this page says how main did.",
    };
    return origin?.run === undefined ? [] : [{ text: "Not known: nothing is compared." }, how];
  }
  const { absent } = comparison.source;
  if (absent === "not-found")
    return [
      { text: "Not known: the default branch has no results yet." },
      { text: "A push to it that is graded leaves some", page: "gate.md#keep-a-baseline", more: "." },
    ];
  if (absent === "nothing-passes")
    return [{ text: `Nothing passes ${inBaseline(comparison.source)} either.` }];
  return blameOf(comparison).map((text) => ({ text }));
}

/** Empty where no task that fails is compared: the sentences of the conclusion say why. */
export function blameOf(comparison: Comparison): readonly string[] {
  const { dead, newly, before } = taskGroups(comparison);
  const all = dead.length + newly.length + before.length;
  if (all === 0) return [];
  const main = nameOf(comparison.source);
  if (before.length === all) {
    const isNever = before.every((own) => runsPassed(own, "baseline").passes === 0);
    const them = plural(all, "it", "them");
    return [isNever ? `No: ${main} fails ${them}, too.` : `Not known: ${main} fails ${them} at times, too.`];
  }
  const changes = agentChanges(comparison);
  const what =
    changes.length > 0
      ? `Not known: ${changes.join("; ")}.`
      : `Nothing else that is recorded has changed: ${sameBesides(comparison)}.`;
  const also = `${count(before.length, "other task")} failed ${inBaseline(comparison.source)}, too.`;
  return before.length === 0 ? [what] : [what, also];
}

/** `the agent's client was 2.1.190 on main and is 2.1.197 now`, for each name that differs. */
export function agentChanges(comparison: Comparison): readonly string[] {
  return agentNames(comparison).flatMap(({ what, before, now }) => {
    if (before === "" || now === "" || before === now) return [];
    return [`the agent's ${what} was ${before} ${inBaseline(comparison.source)} and is ${now} now`];
  });
}

/** `judge, evals and the agent's model and client are those of main`; of evals that differ, those that are compared. */
function sameBesides(comparison: Comparison): string {
  const names = agentNames(comparison).map(({ what, before, now }) => ({ what, isKnown: before && now }));
  const known = names.flatMap(({ what, isKnown }) => (isKnown ? [what] : []));
  const unknown = names.flatMap(({ what, isKnown }) => (isKnown ? [] : [what]));
  const those = `are those of ${nameOf(comparison.source)}`;
  const isOther = [...comparison.added, ...comparison.removed, ...comparison.notComparable].length > 0;
  const evals = isOther ? "the evals that are compared" : "evals";
  const same =
    known.length === 0
      ? `judge and ${evals} ${those}`
      : `judge, ${evals} and the agent's ${known.join(" and ")} ${those}`;
  const rest = plural(unknown.length, "is", "are");
  return unknown.length === 0 ? same : `${same}; the agent's ${unknown.join(" and ")} ${rest} not recorded`;
}

/** The agent's model and client on both sides; empty where no grade of a side names one. */
function agentNames({ pairs }: Comparison) {
  const namesOf = (side: "baseline" | "current", nameIn: (row: VerdictRow) => string | undefined) => {
    const names = new Set(pairs.flatMap((pair) => pair[side].grades.flatMap((row) => nameIn(row) || [])));
    return named([...names].sort());
  };
  const sides = (what: string, nameIn: (row: VerdictRow) => string | undefined) => {
    return { what, before: namesOf("baseline", nameIn), now: namesOf("current", nameIn) };
  };
  return [sides("model", ({ model }) => model), sides("client", ({ client }) => client?.version)];
}
