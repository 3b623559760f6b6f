/**
 * Loads the evals.json of Agent Skills: a suite for each skill that it is of, with one task per eval, whose grader lists its
 * statements.
 */
import { basename, isAbsolute, join } from "node:path";
import {
  BARE_TASK,
  type Grader,
  type Statement,
  type Suite,
  type Task,
  type TaskFile,
} from "../domain/suite.ts";
import { isError, type Problem } from "../domain/problem.ts";
import { type Entry, LONGEST_ID, eachOf, fieldsOf, keysOf, namesOf, valueAt } from "./entry.ts";
import { type EvalLocation, noteNamed, evalParts, findIn } from "./eval-paths.ts";
import { oneProblem, problem, takenIds } from "./problems.ts";
import { misspelling } from "./unknown-keys.ts";
import { DECISIVE, FIELDS, KNOWN, LABELS, SKILL_EVAL, readBoolean, readWith } from "./schema.ts";
import { type SkillFile, isFilled, isShouldTrigger, onlyLetters, skillFolder, textAt } from "./skill-file.ts";
import { type StatementList, numberedText, readStatements, fieldText } from "./statements.ts";
import { listProblems } from "./triggers.ts";
import { turnsIn, turnsOfEval } from "./task-inputs.ts";
import type { Source } from "./source.ts";
import type { LoadedSuites, Loading } from "./waza-suite.ts";
import { follow, wholeFile } from "../files/confine.ts";
import { isObject, listed, listedCode, shorten } from "../text/format.ts";

/** What is read of a file's evals, and what of them is not. */
interface SkillReading extends StatementList {
  /** Statements of every eval, and those without a sentence. */
  readonly shared: readonly Statement[];
  readonly sharedChecks: readonly Entry[];
  /** Names of the evals for which no agent should load the skill. */
  readonly controls: ReadonlySet<string>;
  /** What goes to the judge besides statements and expected output. */
  readonly beside: Entry[];
  /** Fields that may hold the checks of an eval without any. */
  readonly unjudged: Entry[];
  /** Lists that are read as statements, since their evals have nothing else. */
  readonly asStatements: Entry[];
}

/** Loads a file of skills' evals: its suites, its problems, and the fields that may hold the checks of evals without any. */
export function loadSkill(
  { root, warnings }: Source,
  location: EvalLocation,
  { lists, config, named }: Loading & { readonly lists: SkillFile },
): LoadedSuites {
  const skill = textAt(root.value, FIELDS.skill);
  const folder = skillFolder(location.folder);
  // The agent works by the files in it.
  noteNamed(folder, location);
  const beside = ["", "files", "fixtures"].map((name) => join(location.folder, name));
  const folders = [folder, ...beside, location.root];
  const list: StatementList = { location, folders, problems: listProblems(lists), machineChecks: [] };
  const top = topLists(root, lists);
  const shared = top.shared.flatMap((one) => readStatements(one, list));
  const reading: SkillReading = {
    ...list,
    shared,
    sharedChecks: [...list.machineChecks],
    controls: new Set(lists.triggers.flatMap((one) => (one.shouldTrigger === false ? one.entry.name : []))),
    beside: [],
    unjudged: [],
    asStatements: [],
  };
  const read = lists.evals.flatMap(({ list: { name }, evals }, index) =>
    evals.flatMap((entry) => {
      // The first list keeps its ids: it is `evals`, where there is one.
      const task = readEval(entry, index === 0 ? "" : `${name}/`, reading);
      return task ? [{ task, skill: textAt(entry.value, FIELDS.skill) ?? skill }] : [];
    }),
  );
  const tasks = read.map(({ task }) => task);
  const line = ({ at }: Task) => `the eval in line ${String(at?.startLine)}`;
  const wrong = [...reading.problems, ...takenIds(tasks, line, "eval a unique id")];
  const isWrong = reading.unjudged.length > 0 || wrong.some(isError);
  const problems = [
    ...warnings,
    ...misnamed(root),
    ...wrong,
    ...(isWrong ? [] : withoutStatements(tasks)),
    ...notices(reading, top.unread),
  ];
  const bySkill = Map.groupBy(read, (one) => one.skill);
  if (bySkill.size === 0) bySkill.set(skill, []);
  const suites = [...bySkill].map(([skill, its]): Suite => ({
    title: skill ?? basename(follow(folder).real),
    name: skill ?? basename(follow(folder).real),
    at: wholeFile(location.file, location.workspace),
    graders: [],
    otherGraders: [],
    tasks: its.map(({ task }) => task),
    judgeModel: config.judgeModel,
    broken: config.broken || isWrong,
    named,
    skill,
    root: location.root,
    parts: evalParts(location),
  }));
  return { suites, problems, unjudged: reading.unjudged };
}

/**
 * The lists at the top of a file that are no evals: statements of every eval, where the key holds a word for statements,
 * and others, which nothing reads.
 */
function topLists(root: Entry, { evals, triggers, unread }: SkillFile) {
  const entries = [...evals.map(({ list }) => list), ...triggers.map(({ entry }) => entry), ...unread];
  const lists = fieldsOf(root).filter(
    ({ value, name, key }) =>
      Array.isArray(value) &&
      isFilled(value) &&
      !LABELS.has(String(key)) &&
      !entries.some((one) => one.name === name || one.name.startsWith(`${name}[`)),
  );
  const isOfStatements = ({ key }: Entry) =>
    FIELDS.statements.some((word) => onlyLetters(String(key)).includes(onlyLetters(word)));
  return { shared: lists.filter(isOfStatements), unread: lists.filter((list) => !isOfStatements(list)) };
}

/** A key that is nearly `skill_name`. */
function misnamed(root: Entry): Problem[] {
  const isNamed = textAt(root.value, FIELDS.skill) !== undefined;
  const texts = isNamed ? [] : fieldsOf(root).filter(({ value }) => isText(value));
  return texts.flatMap((field) => misspelling(field, [], FIELDS.skill) ?? []);
}

/** Reads an eval; `prefix` begins its id, where its list is not the file's first. */
function readEval(entry: Entry, prefix: string, reading: SkillReading): Task | undefined {
  const { value, at } = entry;
  const { problems } = reading;
  const read = readWith(entry, SKILL_EVAL);
  problems.push(...read.problems);
  if (!isObject(value)) return undefined;
  const id = `${prefix}${textAt(value, FIELDS.id) ?? String(Number(entry.key) + 1)}`;
  const grader = readGrader(entry, reading);
  const prompt = textAt(value, FIELDS.prompt);
  const given = FIELDS.given.map((key) => entry.child(key)).filter((field) => isText(field.value));
  return {
    id,
    name: textAt(value, FIELDS.name) ?? id,
    prompt: prompt && [prompt, ...given.map(fieldText)].join("\n\n"),
    further: turnsOfEval(entry, problems),
    ...BARE_TASK,
    graders: grader ? [grader] : [],
    files: filesOfEval(entry.child(...FIELDS.files), shorten(id, LONGEST_ID), reading),
    golden: read.data?.golden === true ? true : undefined,
    isControl: reading.controls.has(entry.name) || undefined,
    at,
  };
}

/** The fields of an eval that are not read; those whose key is nearly one that is are problems. */
function otherFields(entry: Entry, problems: Problem[]): Entry[] {
  const value = entry.value as object;
  const used = [FIELDS.prompt, FIELDS.expected].map((keys) =>
    keys.find((key) => isText(valueAt(value, key))),
  );
  const read = new Set<string | number | undefined>([
    ...FIELDS.id,
    ...FIELDS.name,
    turnsIn(entry)?.key as string | undefined,
    ...FIELDS.files,
    ...FIELDS.statements,
    ...FIELDS.golden,
    ...FIELDS.skill,
    ...LABELS,
    ...used,
  ]);
  // Without a prompt the agent is asked nothing.
  const decisive = used[0] === undefined ? [...DECISIVE, ...FIELDS.prompt] : DECISIVE;
  const free = [FIELDS.id[0], FIELDS.files[0], "should_trigger"].filter(
    (name) => !Object.hasOwn(value, name),
  );
  return fieldsOf(entry).flatMap((field) => {
    const key = String(field.key);
    const isControl = isShouldTrigger(key) && readBoolean(field.value) !== undefined;
    if (read.has(key) || !isFilled(field.value) || isControl) return [];
    const wrong = KNOWN.has(key) ? undefined : misspelling(field, decisive, free);
    if (!wrong) return field;
    problems.push(wrong);
    return [];
  });
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** Whether a value may be a check or several: a list, a mapping, or a text of more than one word. */
function mayHoldChecks(value: unknown): boolean {
  return typeof value === "object" || (typeof value === "string" && /\S\s+\S/.test(value));
}

/** The files of an eval: paths from the folders of the list, or with their content. */
function filesOfEval(list: Entry, id: string, { folders, location, problems }: StatementList): TaskFile[] {
  const label = `\`files\` of the eval \`${id}\`:`;
  const lost: Problem[] = [];
  const files = (list.value === null ? [] : eachOf(list)).flatMap(({ value, at }): TaskFile[] => {
    const name = typeof value === "string" ? value : textAt(value, ["path"]);
    if (name === undefined || name === "") {
      problems.push(problem("no-path", at, id));
      return [];
    }
    const content = valueAt(value, "content");
    if (typeof content === "string") return [{ name, content }];
    if (isAbsolute(name)) {
      const missing = problem("absolute", at, label, name);
      lost.push(missing);
      return [{ name, missing }];
    }
    return [findIn(folders, { name, kind: "any", at, label }, { location, problems: lost })];
  });
  const [first, ...more] = lost;
  if (!first || more.length === 0 || lost.some(isError)) {
    problems.push(...lost);
    return files;
  }
  const names = files.flatMap((file) => ("missing" in file ? file.name : []));
  const missing = { ...first, message: `${label} not there: ${listedCode(names)}.` };
  problems.push(missing);
  return files.map((file) => ("missing" in file ? { name: file.name, missing } : file));
}

/** Name of each eval's grader. */
const GRADER = "assertions";

/**
 * The grader of an eval: the statements of all evals, then its own. None without any. Fields beside them that may hold
 * checks are a doubt about its verdicts.
 */
function readGrader(entry: Entry, reading: SkillReading): Grader | undefined {
  const fields = otherFields(entry, reading.problems);
  const before = reading.machineChecks.length;
  const mayBeChecks = fields.filter(({ key, value }) => !KNOWN.has(String(key)) && mayHoldChecks(value));
  const { stated, from, expected } = statementsOf(entry, mayBeChecks, reading);
  if (from === undefined) reading.unjudged.push(...mayBeChecks);
  const statements = [...reading.shared, ...stated];
  const [first] = statements;
  if (!first) return undefined;
  const beside = fields.filter((field) => field !== from);
  reading.beside.push(...beside);
  const machineChecks = [...reading.sharedChecks, ...reading.machineChecks.slice(before)];
  const unread = [...machineChecks, ...beside.filter(({ value }) => typeof value === "object")];
  const prompt = numberedText(statements, { expected, more: beside.map(fieldText) });
  const at = (from ?? first).at;
  return { name: GRADER, weight: 1, prompt, statements, unjudged: unjudgedChecks(unread), at };
}

/** The doubt about an eval with checks for another program: statements without a sentence, and fields that are not read. */
function unjudgedChecks(unread: readonly Entry[]): string | undefined {
  if (unread.length === 0) return undefined;
  // Of an item, its list: `assertions` of `evals[0].assertions[4]`.
  const keys = unread.map(({ key, name }) =>
    typeof key === "number" ? name.replace(/^.*\.|\[\d+\]$/g, "") : String(key),
  );
  return `Not all of this eval was judged; left to another program: ${listedCode([...new Set(keys)])}.`;
}

/**
 * The statements of an eval, where they are, and the expected output beside them: its lists, else its expected output as
 * the only one, else the only list of texts that it has, with its key, which may turn them: `must_not: name the price`.
 */
function statementsOf(entry: Entry, mayBeChecks: readonly Entry[], reading: SkillReading) {
  const lists = FIELDS.statements.map((key) => entry.child(key));
  const stated = lists.flatMap((list) => readStatements(list, reading));
  const output = FIELDS.expected.map((key) => entry.child(key)).find(({ value }) => isText(value));
  const expected = output && String(output.value).trim();
  if (stated.length > 0) return { stated, from: lists.find(({ value }) => value !== undefined), expected };
  if (output && expected) return { stated: [{ text: expected, at: output.at }], from: output };
  const [only, ...more] = mayBeChecks;
  const isOfTexts = more.length === 0 && Array.isArray(only?.value) && only.value.every(isText);
  if (!only || !isOfTexts) return { stated: [] };
  reading.asStatements.push(only);
  const keyed = readStatements(only, reading).map(({ text, at }) => ({
    text: `${String(only.key)}: ${text}`,
    at,
  }));
  return { stated: keyed, from: only };
}

/** One notice of each: checks without a sentence, what goes to the judge beside statements, and lists that are read as some or not. */
function notices({ machineChecks, beside, asStatements }: SkillReading, unread: readonly Entry[]): Problem[] {
  const places = machineChecks.map(({ at }) => at);
  return [
    ...oneProblem("machine-checks", places, machineChecks.length),
    ...oneProblem("not-judged", keysOf(beside), namesOf(beside)),
    ...oneProblem("read-as-statements", keysOf(asStatements), namesOf(asStatements)),
    ...oneProblem("unread-top", keysOf(unread), namesOf(unread)),
  ];
}

/** The problem of evals without statements. */
function withoutStatements(tasks: readonly Task[]): Problem[] {
  const bare = tasks.filter(({ graders }) => graders.length === 0);
  const names = bare.map(({ id, at }) => `\`${shorten(id, LONGEST_ID)}\` (line ${String(at?.startLine)})`);
  return oneProblem(
    "nothing-to-check",
    bare.map(({ at }) => at),
    listed(names),
  );
}
