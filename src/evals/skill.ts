/** Loads the evals.json of an Agent Skill as a suite: one task per eval, with a grader that lists its statements. */
import { basename, isAbsolute } from "node:path";
import type { Grader, Suite, Task, TaskFile } from "../domain/suite.ts";
import { isError, type Problem, type SourceSpan } from "../domain/problem.ts";
import { type EvalLocation, noteNamed, evalParts } from "./eval-paths.ts";
import { LONGEST_ID } from "./limits.ts";
import { problem } from "./problems.ts";
import { DECISIVE, FIELDS, LABELS, readBoolean } from "./schema.ts";
import { type SkillFile, hasStatements, isFilled, skillFolder, textAt } from "./skill-file.ts";
import { type StatementList, numberedText, readStatements, told } from "./statements.ts";
import { findIn } from "./task-inputs.ts";
import { listProblems } from "./triggers.ts";
import type { Loading } from "./waza-suite.ts";
import { type Path, type YamlSource, describe, dotted, valueAt } from "./yaml.ts";
import { follow, wholeFile } from "../files/confine.ts";
import { count, isObject, listed, listedCode, shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Maximum characters of a line to write, in a message. */
const LONGEST_LINE = 100;
/** Maximum lines to write, in a message. */
const MOST_LINES = 3;

/** Loads a skill's evals: the suite, and its problems. */
export function loadSkill(
  source: YamlSource,
  location: EvalLocation,
  { lists, config, named }: Loading & { readonly lists: SkillFile },
): { suite: Suite; problems: Problem[] } {
  const skill = textAt(source.data, FIELDS.skill);
  const folder = skillFolder(location.folder);
  // The agent works by the files in it.
  noteNamed(folder, location);
  const isOnly = lists.evals.length === 1;
  const read = lists.evals.flatMap(({ path, evals }, index) =>
    // The first list keeps its ids: it is `evals`, where there is one.
    evals.map((one) =>
      readEval(source, one, { location, folder, list: isOnly || index === 0 ? "" : dotted(path) }),
    ),
  );
  const tasks = read.flatMap(({ task }) => task ?? []);
  const wrong = [
    ...listProblems(source, lists),
    ...read.flatMap((one) => one.problems),
    ...unjudgedProblems(read.flatMap((one) => one.unjudged)),
    ...repeatedIds(tasks),
  ];
  const problems = [
    ...source.warnings,
    ...misnamed(source, lists),
    ...wrong,
    ...(wrong.some(isError) ? [] : withoutStatements(tasks)),
    ...emptyStatements(source, lists),
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
function misnamed({ data, spanOfKey }: YamlSource, { evals }: SkillFile): Problem[] {
  const lists = evals.filter(({ path }, index) => {
    const key = path.at(-1);
    if (typeof key !== "string" || FIELDS.evals.some((one) => one === key)) return false;
    return index === 0 || closest(key, FIELDS.evals) !== undefined;
  });
  const isNamed = Array.isArray(data) || textAt(data, FIELDS.skill) !== undefined;
  const near = Object.keys(isNamed ? {} : (data as object)).flatMap((key) => {
    const meant = hasText(data as object, key) ? closest(key, FIELDS.skill) : undefined;
    return meant === undefined ? [] : problem("unreadKey", spanOfKey([key]), key, meant);
  });
  return [...lists.map(({ path }) => problem("otherKey", spanOfKey(path), dotted(path))), ...near];
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

/** A key that is not read as a field, with its text and its place. */
interface OtherKey {
  readonly key: string;
  readonly text: string;
  readonly at: SourceSpan;
}

/** An eval, and its problems. */
interface EvalRead {
  readonly task?: Task | undefined;
  readonly problems: readonly Problem[];
  /** What the judge is told besides statements and expected output. */
  readonly told: readonly OtherKey[];
  /** Keys that may hold the checks of an eval without any. */
  readonly unjudged: readonly OtherKey[];
  /** The places of assertions without a sentence. */
  readonly machineChecks: readonly SourceSpan[];
}

/** Reads an eval of the list `list`, which is named where the file has several; empty for the first. */
function readEval(
  source: YamlSource,
  path: Path,
  {
    location,
    folder,
    list,
  }: { readonly location: EvalLocation; readonly folder: string; readonly list: string },
): EvalRead {
  const entry = valueAt(source.data, path);
  const at = source.spanOf(path);
  const nothing = { told: [], unjudged: [], machineChecks: [] };
  if (!isObject(entry))
    return { ...nothing, problems: [problem("noEval", at, dotted(path), describe(entry))] };
  const problems: Problem[] = [];
  const own = textAt(entry, FIELDS.id) ?? String(Number(path.at(-1)) + 1);
  const id = list === "" ? own : `${list}/${own}`;
  const files = { location, folders: [folder, location.folder, location.root], problems };
  const others = otherKeys(source, path, problems);
  const machineChecks: SourceSpan[] = [];
  const grader = readGrader(source, path, { ...files, machineChecks, others });
  const prompt = textAt(entry, FIELDS.prompt);
  const task: Task = {
    id,
    name: textAt(entry, FIELDS.name) ?? id,
    prompt:
      prompt &&
      [
        prompt,
        ...told(
          entry,
          FIELDS.given.filter((key) => hasText(entry, key)),
        ),
      ].join("\n\n"),
    enabled: true,
    graders: grader ? [grader] : [],
    otherGraders: [],
    files: filesOfEval(source, path, { ...files, id: shorten(id, LONGEST_ID) }),
    golden: goldenOf(source, path, problems),
    at,
  };
  return {
    task,
    problems,
    told: grader ? others : [],
    unjudged: grader
      ? []
      : others.filter(({ key }) => !KNOWN.has(key) && mayHoldChecks(valueAt(entry, [key]))),
    machineChecks,
  };
}

/** The keys of an eval that are none of its fields; those that are nearly one are problems. */
function otherKeys(source: YamlSource, path: Path, problems: Problem[]): OtherKey[] {
  const entry = valueAt(source.data, path) as object;
  const spanOf = (key: string) => source.spanOfKey([...path, key]);
  const used = [FIELDS.prompt, FIELDS.expected].map((keys) => keys.find((key) => hasText(entry, key)));
  const read = new Set<string | undefined>([
    ...FIELDS.id,
    ...FIELDS.name,
    ...FIELDS.files,
    ...FIELDS.statements,
    ...FIELDS.golden,
    ...LABELS,
    ...used,
  ]);
  const others = Object.keys(entry).filter((key) => !read.has(key) && isFilled(valueAt(entry, [key])));
  const foreign = others.filter((key) => !KNOWN.has(key));
  // Without a prompt the agent is asked nothing.
  const decisive = used[0] === undefined ? [...DECISIVE, ...FIELDS.prompt] : DECISIVE;
  const free = [FIELDS.id[0], FIELDS.files[0]].filter((name) => !Object.hasOwn(entry, name));
  const wrong = foreign.flatMap((key) => {
    const meant = closest(key, decisive);
    const slip = meant ?? closest(key, free);
    if (slip !== undefined)
      problems.push(problem(meant === undefined ? "unreadKey" : "misspelledKey", spanOf(key), key, slip));
    return slip === undefined ? [] : key;
  });
  return others
    .filter((key) => !wrong.includes(key))
    .map((key) => ({ key, text: told(entry, [key]).join(), at: spanOf(key) }));
}

function hasText(entry: object, key: string): boolean {
  return textAt(entry, [key]) !== undefined;
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
  source: YamlSource,
  path: Path,
  { folders, location, problems, id }: Omit<StatementList, "machineChecks"> & { readonly id: string },
): TaskFile[] {
  const entries = [valueAt(source.data, [...path, ...FIELDS.files]) ?? []].flat() as unknown[];
  const label = `\`files\` of the eval \`${id}\`:`;
  return entries.flatMap((entry, index): TaskFile[] => {
    const at = source.spanOf([...path, ...FIELDS.files, index]);
    const name = typeof entry === "string" ? entry : textAt(entry, ["path"]);
    if (name === undefined || name === "") {
      problems.push(problem("noPath", at, id));
      return [];
    }
    const content = valueAt(entry, ["content"]);
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
 * The grader of an eval: its statements, else its expected output as the only one. None without either. Keys beside them
 * that may hold checks are a doubt about its verdicts.
 */
function readGrader(
  source: YamlSource,
  path: Path,
  { others, ...list }: StatementList & { readonly others: readonly OtherKey[] },
): Grader | undefined {
  const entry = valueAt(source.data, path);
  const listed = FIELDS.statements.flatMap((key) => readStatements(source, [...path, key], list));
  const [ofStatements] = FIELDS.statements.filter((one) => valueAt(entry, [one]) !== undefined);
  const ofExpected = FIELDS.expected.find((key) => textAt(entry, [key]) !== undefined);
  const reference = ofExpected && textAt(entry, [ofExpected]);
  const key = listed.length > 0 ? ofStatements : ofExpected;
  if (key === undefined) return undefined;
  const at = source.spanOf([...path, key]);
  const statements = listed.length > 0 ? listed : [{ text: reference ?? "", at }];
  const expected = listed.length > 0 ? reference : undefined;
  const unread = others.filter((one) => typeof valueAt(entry, [one.key]) === "object");
  const names = listedCode(unread.map((one) => one.key));
  const unjudged = names === "" ? undefined : `Not all of this eval was judged: ${names} is not read.`;
  const prompt = numberedText(statements, { expected, more: others.map(({ text }) => text) });
  return { name: GRADER, weight: 1, prompt, statements, unjudged, at };
}

/** Whether the eval has to pass: a boolean as in waza's YAML. */
function goldenOf(source: YamlSource, path: Path, problems: Problem[]): true | undefined {
  const where = [...path, ...FIELDS.golden];
  const value = valueAt(source.data, where);
  if (value === undefined || value === null) return undefined;
  const golden = readBoolean(value);
  if (golden === undefined)
    problems.push(problem("noBoolean", source.spanOf(where), dotted(where), describe(value)));
  return golden === true ? true : undefined;
}

/** An error for each key that may hold the checks of evals without any. */
function unjudgedProblems(keys: readonly OtherKey[]): Problem[] {
  return [...Map.groupBy(keys, ({ key }) => key)].map(([key, [first, ...more]]) => {
    const evals = more.length === 0 ? "the eval has" : `${count(more.length + 1, "eval")} have`;
    return problem("unjudged", first?.at, shorten(key, LONGEST_ID), evals, first?.at.path ?? "");
  });
}

/** One notice of what goes to the judge beside statements, with the lines that would have its texts judged. */
function toldProblems(keys: readonly OtherKey[]): Problem[] {
  const [first] = keys;
  if (!first) return [];
  const names = listedCode(keys.map(({ key }) => shorten(key, LONGEST_ID)));
  const texts = keys.filter(({ key, text }) => !NO_CHECKS.has(key) && isSentence(text.slice(key.length + 2)));
  const lines = [...Map.groupBy(texts, ({ key }) => key).values()].map(([one]) =>
    shorten(JSON.stringify(one?.text), LONGEST_LINE),
  );
  return [problem("notJudged", first.at, names, listedCode(lines, MOST_LINES))];
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
function emptyStatements({ data, spanOfKey }: YamlSource, { evals }: SkillFile): Problem[] {
  const empty = evals.flatMap((list) =>
    list.evals.flatMap((path) => {
      const entry = valueAt(data, path);
      const key = FIELDS.statements.find((one) => valueAt(entry, [one]) !== undefined);
      const isOnly =
        key !== undefined && !hasStatements(entry) && textAt(entry, FIELDS.expected) !== undefined;
      return isOnly ? spanOfKey([...path, key]) : [];
    }),
  );
  const lines = listed(empty.map(({ startLine }) => `line ${String(startLine)}`));
  return empty.length === 0 ? [] : [problem("emptyStatements", empty[0], lines)];
}

/** One notice for all assertions without a sentence: `type` with a pattern or a value. */
function leftToMachines(places: readonly SourceSpan[]): Problem[] {
  return places.length === 0 ? [] : [problem("machineChecks", places[0], places.length)];
}
