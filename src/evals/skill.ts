/** Loads the evals.json of an Agent Skill as a suite: one task per eval, with a grader that lists its statements. */
import { basename, isAbsolute } from "node:path";
import type { Grader, Suite, Task, TaskFile } from "../domain/suite.ts";
import { isError, type Problem, type SourceSpan } from "../domain/problem.ts";
import { type Entry, describe, fieldsOf, itemsOf, valueAt } from "./entry.ts";
import { type EvalLocation, noteNamed, evalParts } from "./eval-paths.ts";
import { LONGEST_ID } from "./limits.ts";
import { problem } from "./problems.ts";
import { DECISIVE, FIELDS, LABELS, readBoolean } from "./schema.ts";
import { type SkillFile, hasStatements, isFilled, skillFolder, textAt } from "./skill-file.ts";
import { type StatementList, numberedText, readStatements, told } from "./statements.ts";
import { findIn } from "./task-inputs.ts";
import { listProblems } from "./triggers.ts";
import type { Loading } from "./waza-suite.ts";
import type { Source } from "./source.ts";
import { follow, wholeFile } from "../files/confine.ts";
import { count, isObject, listed, listedCode, shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Maximum characters of a line to write, in a message. */
const LONGEST_LINE = 100;
/** Maximum lines to write, in a message. */
const MOST_LINES = 3;

/** Loads a skill's evals: the suite, and its problems. */
export function loadSkill(
  { root, warnings }: Source,
  location: EvalLocation,
  { lists, config, named }: Loading & { readonly lists: SkillFile },
): { suite: Suite; problems: Problem[] } {
  const skill = textAt(root.value, FIELDS.skill);
  const folder = skillFolder(location.folder);
  // The agent works by the files in it.
  noteNamed(folder, location);
  const isOnly = lists.evals.length === 1;
  const read = lists.evals.flatMap(({ list, evals }, index) =>
    // The first list keeps its ids: it is `evals`, where there is one.
    evals.map((one) => readEval(one, { location, folder, list: isOnly || index === 0 ? "" : list.name })),
  );
  const tasks = read.flatMap(({ task }) => task ?? []);
  const wrong = [
    ...listProblems(lists),
    ...read.flatMap((one) => one.problems),
    ...unjudgedProblems(read.flatMap((one) => one.unjudged)),
    ...repeatedIds(tasks),
  ];
  const problems = [
    ...warnings,
    ...misnamed(root, lists),
    ...wrong,
    ...(wrong.some(isError) ? [] : withoutStatements(tasks)),
    ...emptyStatements(lists),
    ...leftToMachines(read.flatMap(({ machineChecks }) => machineChecks)),
    ...toldProblems(read.flatMap((one) => one.told)),
  ];
  const name = skill ?? basename(follow(folder).real);
  const suite: Suite = {
    title: name,
    name,
    at: wholeFile(location.file, location.workspace),
    graders: [],
    otherGraders: [],
    tasks,
    judgeModel: config.judgeModel,
    broken: config.broken || problems.some(isError),
    named,
    skill,
    root: location.root,
    parts: evalParts(location),
  };
  return { suite, problems };
}

/** Lists of evals by another key than theirs, where neither it nor the ids say so, and a key that is nearly `skill_name`. */
function misnamed(root: Entry, { evals }: SkillFile): Problem[] {
  const lists = evals.filter(({ list: { key } }, index) => {
    if (typeof key === "number" || key === "" || FIELDS.evals.some((one) => one === key)) return false;
    return index === 0 || closest(String(key), FIELDS.evals) !== undefined;
  });
  const isNamed = textAt(root.value, FIELDS.skill) !== undefined;
  const near = (isNamed ? [] : fieldsOf(root)).flatMap(({ value, key, keyAt }) => {
    const meant = isText(value) ? closest(String(key), FIELDS.skill) : undefined;
    return meant === undefined ? [] : problem("unreadKey", keyAt, String(key), meant);
  });
  return [...lists.map(({ list }) => problem("otherKey", list.keyAt, list.name)), ...near];
}

/** Every key of an eval that has a meaning here. */
const KNOWN: ReadonlySet<string> = new Set([
  ...DECISIVE,
  ...FIELDS.id,
  ...FIELDS.name,
  ...FIELDS.prompt,
  ...FIELDS.given,
  ...FIELDS.files,
  ...LABELS,
]);

/** A field that is not read, with its text. */
interface OtherField {
  readonly field: Entry;
  readonly text: string;
}

/** An eval, and its problems. */
interface EvalRead {
  readonly task?: Task | undefined;
  readonly problems: readonly Problem[];
  /** What the judge is told besides statements and expected output. */
  readonly told: readonly OtherField[];
  /** Fields that may hold the checks of an eval without any. */
  readonly unjudged: readonly OtherField[];
  /** The places of assertions without a sentence. */
  readonly machineChecks: readonly SourceSpan[];
}

/** Reads an eval of the list `list`, which is named where the file has several; empty for the first. */
function readEval(
  entry: Entry,
  {
    location,
    folder,
    list,
  }: { readonly location: EvalLocation; readonly folder: string; readonly list: string },
): EvalRead {
  const { value, at } = entry;
  const nothing = { told: [], unjudged: [], machineChecks: [] };
  if (!isObject(value)) return { ...nothing, problems: [problem("noEval", at, entry.name, describe(value))] };
  const problems: Problem[] = [];
  const own = textAt(value, FIELDS.id) ?? String(Number(entry.key) + 1);
  const id = list === "" ? own : `${list}/${own}`;
  const files = { location, folders: [folder, location.folder, location.root], problems };
  const others = otherFields(entry, problems);
  const machineChecks: SourceSpan[] = [];
  const grader = readGrader(entry, { ...files, machineChecks, others });
  const prompt = textAt(value, FIELDS.prompt);
  const given = told(
    value,
    FIELDS.given.filter((key) => isText(value[key])),
  );
  const task: Task = {
    id,
    name: textAt(value, FIELDS.name) ?? id,
    prompt: prompt && [prompt, ...given].join("\n\n"),
    enabled: true,
    graders: grader ? [grader] : [],
    otherGraders: [],
    files: filesOfEval(entry.child(...FIELDS.files), { ...files, id: shorten(id, LONGEST_ID) }),
    golden: goldenOf(entry.child(...FIELDS.golden), problems),
    at,
  };
  const mayBeChecks = others.filter(
    ({ field }) => !KNOWN.has(String(field.key)) && mayHoldChecks(field.value),
  );
  return { task, problems, told: grader ? others : [], unjudged: grader ? [] : mayBeChecks, machineChecks };
}

/** The fields of an eval that are not read; those whose key is nearly one that is are problems. */
function otherFields(entry: Entry, problems: Problem[]): OtherField[] {
  const value = entry.value as object;
  const used = [FIELDS.prompt, FIELDS.expected].map((keys) =>
    keys.find((key) => isText(valueAt(value, key))),
  );
  const read = new Set<string | number | undefined>([
    ...FIELDS.id,
    ...FIELDS.name,
    ...FIELDS.files,
    ...FIELDS.statements,
    ...FIELDS.golden,
    ...LABELS,
    ...used,
  ]);
  // Without a prompt the agent is asked nothing.
  const decisive = used[0] === undefined ? [...DECISIVE, ...FIELDS.prompt] : DECISIVE;
  const free = [FIELDS.id[0], FIELDS.files[0]].filter((name) => !Object.hasOwn(value, name));
  return fieldsOf(entry).flatMap((field) => {
    const key = String(field.key);
    if (read.has(key) || !isFilled(field.value)) return [];
    const meant = KNOWN.has(key) ? undefined : closest(key, decisive);
    const slip = meant ?? (KNOWN.has(key) ? undefined : closest(key, free));
    if (slip === undefined) return { field, text: told(value, [key]).join() };
    problems.push(problem(meant === undefined ? "unreadKey" : "misspelledKey", field.keyAt, key, slip));
    return [];
  });
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** Whether a value may be a check or several: a list, a mapping, or a text of more than one word. */
function mayHoldChecks(value: unknown): boolean {
  return typeof value === "object" || isSentence(value);
}

function isSentence(value: unknown): boolean {
  return typeof value === "string" && /\S\s+\S/.test(value);
}

/** The files of an eval: paths from the skill's folder, the file's or the repository's root, or with their content. */
function filesOfEval(
  list: Entry,
  { folders, location, problems, id }: Omit<StatementList, "machineChecks"> & { readonly id: string },
): TaskFile[] {
  const label = `\`files\` of the eval \`${id}\`:`;
  const entries = Array.isArray(list.value)
    ? itemsOf(list)
    : (list.value ?? undefined) === undefined
      ? []
      : [list];
  return entries.flatMap(({ value, at }): TaskFile[] => {
    const name = typeof value === "string" ? value : textAt(value, ["path"]);
    if (name === undefined || name === "") {
      problems.push(problem("noPath", at, id));
      return [];
    }
    const content = valueAt(value, "content");
    if (typeof content === "string") return [{ name, content }];
    if (isAbsolute(name)) {
      problems.push(problem("absolute", at, label, name));
      return [{ name, missing: true }];
    }
    const found = findIn(folders, { name, kind: "any", at, label }, { location, problems });
    return [found === undefined ? { name, missing: true } : { name, path: found }];
  });
}

/** Name of each eval's grader. */
const GRADER = "assertions";

/**
 * The grader of an eval: its statements, else its expected output as the only one. None without either. Fields beside
 * them that may hold checks are a doubt about its verdicts.
 */
function readGrader(
  entry: Entry,
  { others, ...list }: StatementList & { readonly others: readonly OtherField[] },
): Grader | undefined {
  const lists = FIELDS.statements.map((key) => entry.child(key));
  const listed = lists.flatMap((one) => readStatements(one, list));
  const expected = FIELDS.expected.map((key) => entry.child(key)).find(({ value }) => isText(value));
  const reference = expected && String(expected.value).trim();
  const of = listed.length > 0 ? lists.find(({ value }) => value !== undefined) : expected;
  if (of === undefined) return undefined;
  const { at } = of;
  const statements = listed.length > 0 ? listed : [{ text: reference ?? "", at }];
  const unread = others.filter(({ field }) => typeof field.value === "object");
  const names = listedCode(unread.map(({ field }) => String(field.key)));
  const unjudged = names === "" ? undefined : `Not all of this eval was judged: ${names} is not read.`;
  const prompt = numberedText(statements, {
    expected: listed.length > 0 ? reference : undefined,
    more: others.map(({ text }) => text),
  });
  return { name: GRADER, weight: 1, prompt, statements, unjudged, at };
}

/** Whether the eval has to pass: a boolean as in waza's YAML. */
function goldenOf({ value, name, at }: Entry, problems: Problem[]): true | undefined {
  if (value === undefined || value === null) return undefined;
  const golden = readBoolean(value);
  if (golden === undefined) problems.push(problem("noBoolean", at, name, describe(value)));
  return golden === true ? true : undefined;
}

/** An error for each key that may hold the checks of evals without any. */
function unjudgedProblems(fields: readonly OtherField[]): Problem[] {
  return [...Map.groupBy(fields, ({ field }) => String(field.key))].map(([key, [first, ...more]]) => {
    const evals = more.length === 0 ? "the eval has" : `${count(more.length + 1, "eval")} have`;
    const at = first?.field.keyAt;
    return problem("unjudged", at, shorten(key, LONGEST_ID), evals, at?.path ?? "");
  });
}

/** One notice of what goes to the judge beside statements, with the lines that would have its texts judged. */
function toldProblems(fields: readonly OtherField[]): Problem[] {
  const [first] = fields;
  if (!first) return [];
  const byKey = [...Map.groupBy(fields, ({ field }) => String(field.key))];
  const names = listedCode(byKey.map(([key]) => shorten(key, LONGEST_ID)));
  const lines = byKey.flatMap(([key, those]) => {
    const line = those.find(({ text }) => isSentence(text.slice(key.length + 2)));
    return line === undefined || NO_CHECKS.has(key) ? [] : shorten(JSON.stringify(line.text), LONGEST_LINE);
  });
  return [problem("notJudged", first.field.keyAt, names, listedCode(lines, MOST_LINES))];
}

/** What goes to the agent, and what was done before it: no checks. */
const NO_CHECKS: ReadonlySet<string> = new Set([...FIELDS.given, ...FIELDS.prompt, "setup"]);

function repeatedIds(tasks: readonly Task[]): Problem[] {
  return [...Map.groupBy(tasks, ({ id }) => id)].flatMap(([id, [first, ...again]]) =>
    again.map(({ at }) => problem("takenId", at, shorten(id, LONGEST_ID), first?.at?.startLine ?? 1)),
  );
}

/** The problem of evals without statements. */
function withoutStatements(tasks: readonly Task[]): Problem[] {
  const bare = tasks.filter(({ graders }) => graders.length === 0);
  const names = bare.map(({ id, at }) => `\`${shorten(id, LONGEST_ID)}\` (line ${String(at?.startLine)})`);
  return bare.length === 0 ? [] : [problem("nothingToCheck", bare[0]?.at, listed(names))];
}

/** One notice for the evals of which an empty list of statements leaves the expected output to be judged. */
function emptyStatements({ evals }: SkillFile): Problem[] {
  const empty = evals.flatMap((list) =>
    list.evals.flatMap((entry) => {
      const key = FIELDS.statements.find((one) => valueAt(entry.value, one) !== undefined);
      const isOnly =
        key !== undefined &&
        !hasStatements(entry.value) &&
        textAt(entry.value, FIELDS.expected) !== undefined;
      return isOnly ? entry.child(key).keyAt : [];
    }),
  );
  const lines = listed(empty.map(({ startLine }) => `line ${String(startLine)}`));
  return empty.length === 0 ? [] : [problem("emptyStatements", empty[0], lines)];
}

/** One notice for all assertions without a sentence: `type` with a pattern or a value. */
function leftToMachines(places: readonly SourceSpan[]): Problem[] {
  return places.length === 0 ? [] : [problem("machineChecks", places[0], places.length)];
}
