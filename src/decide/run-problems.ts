/**
 * Problems with runs (as opposed to grades), reported first: missing runs, dead agents, and what the agents' logs say.
 * Pure.
 */
import type { Policy, Sentences } from "../domain/grade.ts";
import { type Row, type Scores, type SuiteScore, deathText, isDead, isOlder } from "../domain/row.ts";
import { notice, warning, type Problem, type RunProblem } from "../domain/problem.ts";
import { suiteKey, titleOfTask } from "../results/rows.ts";
import { onePerRun } from "../results/score.ts";
import { count, listed, outOf, plural, shorten, sumOf, upperFirst } from "../text/format.ts";
import { MOST_NAMED, named, quoted } from "./names.ts";
import type { Decided } from "./what-now.ts";

/** Maximum length of a quoted error message. */
const LONGEST_ERROR = 160;
/** Maximum number of quoted errors. */
const MOST_ERRORS = 3;

/** Agents that never got to work, and missing runs. The gate's rules decide on them. */
export function runProblems({ scores, policy }: Pick<Decided, "scores" | "policy">): readonly RunProblem[] {
  return [...deadRunProblems(scores), ...missingProblems(scores, policy)];
}

/** One problem for the runs of each kind of death, with their errors and the remedy. */
export function deadRunProblems(scores: Scores): RunProblem[] {
  return deaths(scores).map(({ code, text, share, errors, help }): RunProblem => {
    const named = errors.slice(0, MOST_ERRORS).map(([message, its]) => {
      const error = message === "" ? "without an error message" : shorten(message, 4 * LONGEST_ERROR);
      return `${error} (${count(its, "run")})`;
    });
    const others = errors.length - MOST_ERRORS;
    const more = others > 0 ? [`and ${count(others, "other error")}`] : [];
    return {
      level: "error",
      code,
      title: upperFirst(text),
      message: `${upperFirst(text)} in ${share}: ${[...named, ...more].join("; ")}.`,
      help: `${help} These runs were not judged and count 0, as in waza.`,
    };
  });
}

/** What usually mends runs without work, by what is known of the agent. */
const REMEDIES = [
  [
    "failed",
    "agent-failed",
    "Check the step that runs the agent, and its log: usually the agent is not installed or not signed in there, or its token lacks a permission.",
  ],
  [
    "stopped",
    "agent-stopped",
    "Look at the logs of these runs, and mend the command or give it more time: what a program prints is its answer only where it ends with 0, in time.",
  ],
] as const;

/**
 * The runs whose agent never got to work, and those in which it ended without an answer, of all runs; the errors with their
 * number of runs, the most frequent first.
 */
function deaths({ grades }: Scores) {
  const all = onePerRun(grades).filter(({ agent }) => agent !== undefined);
  return REMEDIES.flatMap(([agent, code, help]) => {
    const dead = all.filter((row) => isDead(row) && row.agent === agent);
    const messages = dead.map(({ agentError = "" }) => agentError.replace(/\s+/g, " ").trim());
    const errors = [...Map.groupBy(messages, (message) => message)]
      .map(([message, its]) => [message, its.length] as const)
      .sort(([, one], [, other]) => other - one);
    const share = outOf(dead.length, all.length, "run");
    return dead.length === 0 ? [] : [{ code, text: deathText({ agent }), dead, all, share, errors, help }];
  });
}

/** What to say of agents that never got to work, with the most frequent error; undefined if all did. */
export function deadSentences(scores: Scores): Sentences | undefined {
  const all = deaths(scores);
  if (all.length === 0) return undefined;
  const sentences = all.map(({ text, share, errors: [first, ...more] }) => {
    const error = shorten(first?.[0] ?? "", LONGEST_ERROR);
    const others = more.length > 0 ? `, and ${count(more.length, "other error")}` : "";
    return `${text} in ${share}${error === "" ? "" : ` (${error}${others})`}`;
  });
  const isAll = sumOf(all.map(({ dead }) => dead.length)) === all[0]?.all.length;
  return [sentences.join(", and "), ...(isAll ? ["These runs were not judged"] : [])];
}

/** One problem for all evals without any run, and one for each eval with some of its runs; none if there is no run at all. */
export function missingProblems({ suites }: Scores, { onMissing }: Policy): RunProblem[] {
  const lacking = suites.filter(({ grades }) => plannedRuns(grades).missing > 0);
  const whole = lacking.filter(lacksAll);
  // The conclusion says no more than that.
  if (whole.length === suites.length && saidOfMissing(whole).length === 0) return [];
  const partly = lacking.filter((suite) => !whole.includes(suite));
  return [whole, ...partly.map((suite) => [suite])].flatMap((its): RunProblem[] => {
    const [first] = its;
    if (!first) return [];
    const { missing, older } = plannedRuns(its.flatMap(({ grades }) => grades));
    const text = missingSentence({ suites: its });
    return [
      {
        level: onMissing === "fail" ? "error" : "warning",
        code: "missing-runs",
        title: "Missing runs",
        message: `${lacksAll(first) ? "" : `${quoted(suiteKey(first.suite))}: `}${[text, ...saidOfMissing(its)].join("; ")}.`,
        help: [
          ...(older > 0 ? ["`waza-grade run` makes anew what is older than the skill."] : []),
          ...(older < missing ? [CHECK_THE_STEP] : []),
        ].join(" "),
        at: first.suite.at,
      },
    ];
  });
}

/** What is said of missing runs, beside that they are. */
function saidOfMissing(suites: Scores["suites"]): string[] {
  const lacking = suites.flatMap(({ grades }) => grades.filter(({ state }) => state === "missing"));
  const said = lacking.flatMap(({ agent, agentError }) => (agent === undefined ? (agentError ?? []) : []));
  return [...new Set(said)].slice(0, MOST_ERRORS).map((words) => shorten(words, LONGEST_ERROR));
}

const CHECK_THE_STEP =
  "Check the step that runs the agent, and that `results` is the path it writes to: every task has to run, as many times as planned. To grade only some, name them in `tasks` or `eval`.";

/** Of planned runs those that are missing; and of these those that are there, but older than the skill, the prompt or the files. */
function plannedRuns(grades: readonly Row[]) {
  const runs = onePerRun(grades);
  const missing = runs.filter(({ state }) => state === "missing");
  return { planned: runs.length, missing: missing.length, older: missing.filter(isOlder).length };
}

/** Whether a suite has no run at all. */
function lacksAll({ grades }: SuiteScore): boolean {
  const { planned, missing, older } = plannedRuns(grades);
  return missing === planned && older === 0;
}

/** The number of missing runs, and the first tasks without them. */
export function missingSentence({ suites }: Pick<Scores, "suites">): string {
  const { planned, missing, older } = plannedRuns(suites.flatMap(({ grades }) => grades));
  // Where no other runs are missing.
  if (older > 0 && older === missing)
    return `${outOf(older, planned, "run")} ${plural(older, "is", "are")} older than ${OLDER_THAN}: run the agent again`;
  const whole = suites.filter(lacksAll);
  const lacks = [...whole, ...suites.filter((one) => !whole.includes(one))].flatMap((suite) => {
    const where = suites.length > 1 && !whole.includes(suite) ? ` (${quoted(suiteKey(suite.suite))})` : "";
    return lacksOf(suite).map((text) => `${text}${where}`);
  });
  return `${outOf(missing, planned, "planned run")} ${plural(missing, "is", "are")} missing: ${listed(lacks, MOST_NAMED)}`;
}

/** What a run is made of. */
const OLDER_THAN = "SKILL.md (or the task)";

/** The missing runs of each task: `no run of …`, or `only 2 of 3 runs of …`, with the model when there are several; and how many are older. */
function lacksOf(suite: SuiteScore): string[] {
  if (lacksAll(suite)) return [`no run of ${quoted(suiteKey(suite.suite))}`];
  const { older: allOlder } = plannedRuns(suite.grades);
  const several = new Set(suite.tasks.map(({ model }) => model)).size > 1;
  const lacking = suite.tasks.flatMap((task) => {
    const { planned, missing, older } = plannedRuns(task.grades);
    if (missing === older) return [];
    const held = missing === planned ? "no run" : `only ${outOf(planned - missing, planned, "run")}`;
    return `${held} of ${quoted(titleOfTask(task))}${several && task.model !== "" ? ` by ${quoted(task.model)}` : ""}`;
  });
  return [...lacking, ...(allOlder > 0 ? [`${count(allOlder, "run")} older than ${OLDER_THAN}`] : [])];
}

/* What the agents' logs say of their runs, which the verdicts alone do not show. */

/** Runs in which the skill was not loaded, tools were refused, or a limit ended the agent. */
export function agentProblems(grades: readonly Row[]): Problem[] {
  const bySuite = Map.groupBy(onePerRun(grades), ({ suite }) => suite);
  return [...bySuite].flatMap(([suite, runs]) =>
    mishapsOf(runs).flatMap(([code, its, text, help]) => {
      if (its.length === 0) return [];
      const message = `${quoted(suite)}: ${text}.`;
      return help === undefined ? notice(code, message) : warning(code, message, { help });
    }),
  );
}

/** What happened in which runs, and without help there is nothing to do. */
function mishapsOf(
  runs: readonly Row[],
): (readonly [code: string, its: readonly Row[], text: string, help?: string])[] {
  // What the logs say of the skill: not loaded, or loaded where it should not be.
  const withSkill = runs.filter(({ side }) => side === undefined);
  const isKnown = ({ client }: Row) => client?.loaded !== undefined;
  const known = withSkill.filter((row) => isKnown(row) && !row.control);
  const controls = withSkill.filter((row) => isKnown(row) && row.control);
  const unknown = withSkill.filter(
    (row) =>
      !isKnown(row) && row.skill !== undefined && row.agent === "finished" && row.client?.offered !== false,
  );
  const loadErrors = known.filter(({ client }) => client?.loadError !== undefined);
  const notLoaded = known.filter(({ client }) => client?.loaded === false && client.loadError === undefined);
  const loaded = controls.filter(({ client }) => client?.loaded);
  const isInstalled =
    notLoaded.length === known.length
      ? "Is the skill installed where the agent looks for skills? If it is, let"
      : "Let";
  const refused = runs.filter(({ client }) => (client?.refused ?? 0) > 0);
  const calls = sumOf(refused.map(({ client }) => client?.refused ?? 0));
  const ended = runs.filter(({ client }) => client?.endedBy !== undefined);
  return [
    [
      "skill-not-loaded",
      notLoaded,
      `the skill was not loaded in ${runsOf(notLoaded, known)} with it`,
      `${isInstalled} the \`description\` in its SKILL.md name the tasks: an agent decides by it alone.`,
    ],
    [
      "skill-failed-to-load",
      loadErrors,
      `the agent called for the skill, and that failed, in ${runsOf(loadErrors, known)}: ${loggedWords(loadErrors, "loadError")}`,
      "Mend what the error names: the agent chose the skill.",
    ],
    [
      "skill-load-unknown",
      // Where both sides are compared, it is a question that the logs leave open.
      withSkill.length < runs.length ? unknown : [],
      `whether the skill was loaded is not known in ${runsOf(unknown, withSkill)} with it: the client's log does not say it`,
    ],
    [
      "control-loaded-skill",
      loaded,
      `the skill was loaded in ${runsOf(loaded, controls)} that should not load it (\`should_trigger: false\`)`,
    ],
    [
      "refused-tools",
      refused,
      `${count(calls, "tool call was", "tool calls were")} refused, in ${runsOf(refused, runs)}: ${loggedWords(refused, "refusedTools")}`,
      "Allow the agent these tools where it is started, or expect it to work without them.",
    ],
    [
      "ended-by-limit",
      ended,
      `ended: ${loggedWords(ended, "endedBy")}, ${runsOf(ended, runs)}`,
      "These runs are judged as far as they got: raise the agent's limit.",
    ],
  ];
}

function runsOf(its: readonly Row[], all: readonly Row[]): string {
  return outOf(its.length, all.length, "run");
}

/** The words of the logs of these runs, each once. */
function loggedWords(its: readonly Row[], of: "refusedTools" | "endedBy" | "loadError"): string {
  return named(new Set(its.flatMap(({ client }) => client?.[of] ?? [])));
}
