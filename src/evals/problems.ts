/** The problems of eval files: what is wrong, and what to change, by code. */
import type { Problem, SourceSpan } from "../domain/problem.ts";
import type { Skill, Task } from "../domain/suite.ts";
import { LONGEST_ID } from "./entry.ts";
import { BUILT_IN_RUBRICS, FIELDS } from "./schema.ts";
import { count, listedCode, plural, shorten } from "../text/format.ts";
import { didYouMean } from "../text/suggest.ts";

/** The problem of this code, with what differs. */
export function problem<Code extends keyof typeof ALL>(
  code: Code,
  at: SourceSpan | undefined,
  ...details: Parameters<(typeof ALL)[Code]>
): Problem {
  const level = code in ERRORS ? "error" : code in WARNINGS ? "warning" : "notice";
  const make = ALL[code] as (...details: unknown[]) => Texts;
  const [message, help] = make(...details);
  return { level, code, message, help: help || undefined, at };
}

/** One problem for all of these places, at the first; none without any. */
export function oneProblem<Code extends keyof typeof ALL>(
  code: Code,
  [first]: readonly (SourceSpan | undefined)[],
  ...details: Parameters<(typeof ALL)[Code]>
): Problem[] {
  return first ? [problem(code, first, ...details)] : [];
}

/** The errors of tasks with the id of an earlier one, which `by` says; `each` is what to give. */
export function takenIds(tasks: readonly Task[], by: (first: Task) => string, each: string): Problem[] {
  return [...Map.groupBy(tasks, ({ id }) => id).values()].flatMap(([first, ...again]) =>
    first
      ? again.map(({ id, at }) => problem("taken-task", at, shorten(id, LONGEST_ID), by(first), each))
      : [],
  );
}

/** What to write where a file is not to be read. */
export function howToLeaveOut(...paths: readonly string[]): string {
  const [these, lines] = paths.length === 1 ? ["the file", "the line"] : ["the files", "the lines"];
  return `To leave ${these} out, add ${lines} ${listedCode(paths.map((path) => `!${path}`))} to \`eval\`.`;
}

/** How evals are named. */
export const NAME_THEM =
  "Set `eval` to your eval file; the default is `**/eval.yaml`, or the name in `.waza.yaml`, and `**/evals/evals.json`.";
const INIT = "`init` writes a first eval.";
export const RUBRICS = `The built-in rubrics are ${listedCode(BUILT_IN_RUBRICS)}.`;
const CHECK_OUT =
  "If the repository is not checked out, add a step with `uses: actions/checkout` before this one.";

type Texts = readonly [message: string, help?: string];
type Makers = Readonly<Record<string, (...details: never[]) => Texts>>;

const ERRORS = {
  /* Which files are evals. */
  "no-evals": () => [
    "No eval was found: none of the files that the input `eval` matches (without it, every `eval.yaml` and `evals/evals.json`) is one.",
    "Point `eval` at a waza eval file, or at the `evals.json` of a skill.",
  ],
  "none-found": (withoutGit: string) => [
    "No eval was found: no `**/eval.yaml` and no `**/evals/evals.json`.",
    `${withoutGit && `Searched in \`${withoutGit}\` and below: start it in the repository's root. ${CHECK_OUT} `}${NAME_THEM} ${INIT}`,
  ],
  "empty-workspace": (workspace: string) => [
    `There is no eval file to read: the workspace ${workspace} is empty.`,
    `Start it in the repository's root; in a workflow, after a step with \`uses: actions/checkout\`. ${INIT}`,
  ],
  /* waza's eval and task files. */
  "leaves-repository": (what: string) => [
    `${what} leaves the repository.`,
    "Use a path inside the repository of the eval file; `.git` and links that lead outside are refused.",
  ],
  "unusable-file": (what: string, why: string) => [`${what} cannot be used: ${why}.`],
  "unreasonable-glob": (pattern: string) => [
    `the tasks glob \`${pattern}\` is too long, or has too many stars, braces or patterns in brackets.`,
    "Use at most three `*` between two slashes, three `**` and three `{a,b}`, and no `!(…)` or similar.",
  ],
  "all-excluded": () => [
    "`tasks` excludes every task file it names.",
    "Add a glob that includes, or remove one that starts with `!`.",
  ],
  // A broken export or a range past the end must not turn the gate green.
  "no-rows": (rows: number) => [
    `the file gives no task: it has ${String(rows)} rows below its header.`,
    "Check what writes it, and `range`.",
  ],
  ungraded: (key: string, what: string) => [
    `\`${key}\` is not read, and nothing grades the ${what}.`,
    "Checks for a judge go under `graders`, each with `type: prompt` and its `prompt` under `config`.",
  ],
  "taken-task": (id: string, by: string, each: string) => [
    `the task id \`${id}\` is taken by ${by}.`,
    `Results are matched by id: give each ${each}.`,
  ],
  /* Rubrics. */
  "rubric-name": (shown: string, meant = "") => [
    `the rubric \`${shown}\` is neither the name of a rubric nor a path.`,
    `${meant && `${meant} `}${RUBRICS} For a rubric file, write its path, such as \`./rubric.md\`; instructions for the judge go into \`prompt\`.`,
  ],
  /* The turns of a user. */
  "responder-beside": () => [
    "`responder` excludes follow-ups.",
    "Keep one of them: texts that are always the same, or a model that plays the user.",
  ],
  /* The evals.json of a skill. */
  "misspelled-key": (key: string, meant: string) => [
    `\`${key}\` is not a key of an eval; \`${meant}\` seems to be meant.`,
    `Write \`${meant}\` there.`,
  ],
  unjudged: (keys: string, paths: readonly string[]) => [
    `Evals of ${count(paths.length, "file")} have no statements, and what may be their checks is not read: ${keys}.`,
    `Write the checks as a list under \`assertions\`; what is no check, under \`metadata\`. ${howToLeaveOut(...paths)}`,
  ],
  "unread-list": (paths: string) => [
    `Not read, since prompts in it have neither statements nor \`should_trigger\`: ${paths}.`,
    "Give each prompt `assertions` or `should_trigger`, or put what is no eval under `metadata`.",
  ],
  "no-triggers-found": () => [
    "No trigger evals of a skill that is here were found: lists of `query` and `should_trigger` in the JSON files of `evals/`.",
  ],
  "no-statement": (path: string, keys: string) => [
    `\`${path}\`: expected a statement.${keys && ` It has ${keys}.`}`,
    `Write a text, or a mapping with one of ${listedCode(FIELDS.text)}.`,
  ],
} satisfies Makers;

const WARNINGS = {
  /* Which files are evals. */
  "misnamed-skill": () => [
    "the file is not read as a skill, which agents know by the name `SKILL.md`.",
    "Rename it.",
  ],
  /* waza's eval and task files. */
  "several-documents": (number: number) => [
    `the file has ${String(number)} YAML documents; only the first is read, as in waza.`,
    "Split the file: one document per file.",
  ],
  "cut-text": (key: string, whole: string) => [
    `\`${key}\` ends before \` #\`, which begins a comment.`,
    `If the rest belongs to the text, put it in quotes: \`${whole}\`.`,
  ],
  // waza silently uses the rows that exist.
  "rows-missing": (last: number, rows: number) => [
    `\`range\` ends at row ${String(last)}, and the file has ${String(rows)} below its header.`,
    "Only the rows that exist are taken.",
  ],
  "unknown-effort": (key: string, value: string, known: string) => [
    `\`${key}\` is \`${value}\`, which is not a level; it is ignored.`,
    `Use ${known}.`,
  ],
  "same-grader": (name: string) => [
    `two graders in this list are named \`${name}\`; the later one is used, as in waza.`,
    "Give each grader a unique name.",
  ],
  /* The evals.json of a skill. */
  "unread-key": (key: string, meant: string) => [`\`${key}\` is not read.`, didYouMean(meant)],
  "unread-turn": (names: string) => [`Not read of a turn: ${names}.`],
  "no-path": (id: string) => [
    `\`files\` of the eval \`${id}\` has an entry that is not a path; it is ignored.`,
    "Write each file as its path.",
  ],
  absolute: (label: string, name: string) => [`${label} \`${name}\` is an absolute path, which is not read.`],
  "no-sentence": (path: string, what: string) => [
    `\`${path}\` is no statement: ${what}. It is ignored.`,
    "Write a sentence, or remove the entry.",
  ],
  "triggers-without-skill": (skill: string | undefined, queries: number) => [
    `${count(queries, "trigger query", "trigger queries")} not run: ${skill === undefined ? "no skill is at or above the file" : `the skill \`${skill}\` was not found`}.`,
    "Name the skill as `skill_name`, in the file or in the `evals.json` beside it, or move the file to `evals/` beside its SKILL.md.",
  ],
  "unknown-skills": (skills: readonly string[], queries: number) => [
    `${count(queries, "trigger query", "trigger queries")} not run: the repository has no ${plural(skills.length, "skill", "skills")} ${listedCode(skills)}.`,
    "Write the `name` of a SKILL.md, or null where none should be loaded.",
  ],
  "which-skill": (keys: string) => [
    `Trigger queries not run: of ${keys} the value is neither a skill's name, null, true nor false.`,
    "Write under `expected_skill` the name of one skill, or null; or under `should_trigger` true or false.",
  ],
  "no-triggers": () => [
    "the file is called trigger evals, and none is read: no entry has `should_trigger`.",
    "Write a list of `query` and `should_trigger`, true or false, or `expected_skill`.",
  ],
} satisfies Makers;

const NOTICES = {
  /* Which files are evals. */
  fixtures: (number: number) => [
    `${String(number)} evals.json below another \`evals/\` or in a \`…-workspace/\` ${plural(number, "is", "are")} no evals of this repository, and left out.`,
    "To grade one, name it in `eval`.",
  ],
  "not-found": (paths: string, pattern: string) => [
    `These files seem to hold evals and are not read: ${paths}.`,
    `Evals are read from \`eval.yaml\`, or what \`files.evalFile\` of .waza.yaml names, and, beside a SKILL.md, \`evals/evals.json\`, trigger evals from any JSON file there; other files where \`eval\` names every eval file, one per line: \`--eval '${pattern}'\`.`,
  ],
  "unread-tasks": (paths: string) => [
    `These files hold tasks, and no \`tasks\` of an eval takes them: ${paths}.`,
    "Add a glob for them; the usual one is `tasks/*.yaml`, from the eval's folder.",
  ],
  "plugin-evals": (folders: readonly string[]) => [
    `${count(folders.length, "case")} of Claude Code's own evals (\`claude plugin eval\`) ${plural(folders.length, "is", "are")} there: ${listedCode(folders)}.`,
    "What they come to is graded: `claude plugin eval --json FILE`, then `results: FILE` with `offline: true`, in a step of their own. `waza-grade init` writes that workflow.",
  ],
  "only-triggers": (queries: string) => [
    `There are trigger evals alone (${queries}), which no judge decides: nothing is graded.`,
    "`waza-grade run --triggers` runs them, and grading shows what came of it.",
  ],
  "no-strict-json": () => [
    "the file has comments or trailing commas, which JSON has not; it is read without them.",
    "Other programs may refuse it.",
  ],
  /* The evals.json of a skill. */
  "other-skill": (skill: string, tested: Skill) => [
    `the evals are of the skill \`${skill}\`, and the nearest SKILL.md, with which they are run, is of \`${tested.name}\`.`,
    "Write the same name in both, or move the evals beside their skill.",
  ],
  "names-no-skill": (skills: number) => [
    `this eval names no skill, and none is at or above it, so its agent gets none of the ${count(skills, "skill")} of the repository.`,
    `Name it: \`skill\` in an eval.yaml, \`${FIELDS.skill[0]}\` in an evals.json or \`skill\` in one of its evals.`,
  ],
  "read-as-statements": (keys: string) => [
    `read as statements, as their evals have nothing else to judge: ${keys}.`,
    `The key of statements is \`${FIELDS.statements[0]}\`.`,
  ],
  "unread-top": (keys: string) => [
    `lists that are not read: ${keys}.`,
    `Statements of every eval go under \`shared_${FIELDS.statements[0]}\`.`,
  ],
  "machine-checks": (number: number) => [
    `${String(number)} machine ${plural(number, "check is", "checks are")} left to your own runner: \`type\` without a sentence.`,
    `To have one judged, write it as a sentence in \`${FIELDS.text[0]}\`.`,
  ],
  "nothing-to-check": (evals: string) => [
    `nothing to check, so not graded: ${evals}.`,
    "Add `assertions`, a list of statements.",
  ],
  "not-judged": (keys: string) => [
    `What else evals say goes to the judge, and is not judged: ${keys}.`,
    "To have it judged, write it as sentences under `assertions`.",
  ],
  "unread-of-triggers": (keys: string) => [
    `Trigger evals ask only whether the skill is loaded; not read of them: ${keys}.`,
  ],
} satisfies Makers;

const ALL = { ...ERRORS, ...WARNINGS, ...NOTICES };
