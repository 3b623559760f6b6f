/** Loads the evals.json of an Agent Skill as a suite: one task per eval, with a grader that lists its statements. */
import { basename, dirname, isAbsolute } from "node:path";
import type { Grader, Statement, Suite, Task, TaskFile } from "../domain/suite.ts";
import { error, isError, notice, warning, type Problem, type SourceSpan } from "../domain/problem.ts";
import { type EvalLocation, noteNamed, partsOf } from "./eval-paths.ts";
import { EVAL_LABELS, FIELDS, STATEMENT_LABELS } from "./other-formats.ts";
import { readBoolean } from "./schema.ts";
import { findIn } from "./task-inputs.ts";
import type { Loading } from "./waza-suite.ts";
import { type Path, type YamlSource, describe, dotted, valueAt } from "./yaml.ts";
import { follow, wholeFile } from "../files/confine.ts";
import { listed, listedCode, shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";
import { LONGEST_ID } from "./limits.ts";

/** Loads a skill's evals: the suite, and its problems. */
export function loadSkill(
  source: YamlSource,
  location: EvalLocation,
  { config, named }: Loading,
): { suite: Suite; problems: Problem[] } {
  const { evals, path } = evalsIn(source.data, location.file) ?? { evals: [], path: [] };
  const skill = textAt(source.data, FIELDS.skill);
  const folder = skillFolder(location);
  // The agent works by the files in it.
  noteNamed(folder, location);
  const read = evals.map((_, index) => readEval(source, [...path, index], { location, folder }));
  const tasks = read.flatMap(({ task }) => task ?? []);
  const wrong = [...severalLists(source), ...read.flatMap((one) => one.problems), ...repeatedIds(tasks)];
  const problems = [
    ...source.warnings,
    ...wrong,
    ...(wrong.some(isError) ? [] : withoutStatements(tasks)),
    ...leftToMachines(read.flatMap(({ machineChecks }) => machineChecks)),
    ...ignoredKeys(source, new Set(read.flatMap(({ unknown }) => unknown))),
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
    parts: partsOf(location),
  };
  return { suite, problems };
}

/** The list of evals in a file, with its path; undefined in other formats. */
export function evalsIn(data: unknown, file: string): { evals: readonly unknown[]; path: Path } | undefined {
  const isCalledSo = basename(file) === "evals.json";
  const keys = FIELDS.evals.filter((key) => key === "evals" || isCalledSo);
  const key = keys.find((one) => Array.isArray(valueAt(data, [one])));
  if (key !== undefined) return { evals: valueAt(data, [key]) as unknown[], path: [key] };
  // A bare list may also be waza's graders.
  return isCalledSo && Array.isArray(data) ? { evals: data as unknown[], path: [] } : undefined;
}

/** The text of the first of these keys that has one. */
function textAt(entry: unknown, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = valueAt(entry, [key]);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}

/** The folder of SKILL.md: the parent of `evals/`. */
function skillFolder({ folder }: EvalLocation): string {
  return basename(folder) === "evals" ? dirname(folder) : folder;
}

/** Keys that decide what is checked: with one misspelled, an eval would be green without its statements. */
const DECISIVE = [...FIELDS.statements, ...FIELDS.expected, ...FIELDS.golden];

interface Surroundings {
  readonly location: EvalLocation;
  readonly folder: string;
}

/** An eval, and its problems. */
interface Read {
  readonly task?: Task | undefined;
  readonly problems: readonly Problem[];
  /** Unknown keys. */
  readonly unknown: readonly string[];
  /** The places of assertions without a sentence. */
  readonly machineChecks: readonly SourceSpan[];
}

function readEval(source: YamlSource, path: Path, { location, folder }: Surroundings): Read {
  const entry = valueAt(source.data, path);
  const at = source.spanOf(path);
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    const help = "Write each eval as a mapping with `id`, `prompt` and `assertions`.";
    const message = `\`${dotted(path)}\`: expected an eval, ${describe(entry)}.`;
    return { problems: [error(message, { help, at })], unknown: [], machineChecks: [] };
  }
  const problems: Problem[] = [];
  const id = textAt(entry, FIELDS.id) ?? String(Number(path.at(-1)) + 1);
  const known = new Set<string>([...Object.values(FIELDS).flat(), ...EVAL_LABELS]);
  const others = Object.keys(entry).filter((key) => !known.has(key));
  const prompt = textAt(entry, FIELDS.prompt);
  // Without a prompt the agent is asked nothing.
  const decisive = prompt === undefined ? [...DECISIVE, ...FIELDS.prompt] : DECISIVE;
  const wrong = meantBy(others, decisive);
  const unknown = others.filter((key) => !wrong.has(key));
  const unread = unknown.filter((key) => mayHoldChecks(valueAt(entry, [key])));
  const { grader, machineChecks } = readGrader(source, path, { unread, problems });
  const task: Task = {
    id,
    name: textAt(entry, FIELDS.name) ?? id,
    prompt,
    enabled: true,
    graders: grader ? [grader] : [],
    otherGraders: [],
    files: readFiles(source, path, { folder, location, problems, id: shorten(id, LONGEST_ID) }),
    golden: goldenOf(source, path, problems),
    at,
  };
  const spanOf = (key: string) => source.spanOf([...path, key]);
  for (const [key, meant] of wrong) {
    const message = `\`${key}\` is not a key of an eval; \`${meant}\` seems to be meant.`;
    problems.push(error(message, { help: `Write \`${meant}\` there.`, at: spanOf(key) }));
  }
  const free = [FIELDS.id, FIELDS.files].flatMap(([name]) => (Object.hasOwn(entry, name) ? [] : name));
  const slips = meantBy(unknown, free);
  for (const [key, meant] of slips)
    problems.push(
      warning(`\`${key}\` is not read.`, { help: `Did you mean \`${meant}\`?`, at: spanOf(key) }),
    );
  // Where they are no doubt about a verdict, they are errors.
  const isDoubt = grader?.unjudged !== undefined;
  const ignored = unknown.filter((key) => !slips.has(key) && (isDoubt || !unread.includes(key)));
  return { task, problems, unknown: ignored, machineChecks };
}

/** Whether a value is a list or a mapping with something in it. */
function mayHoldChecks(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

interface FileContext extends Surroundings {
  readonly problems: Problem[];
  readonly id: string;
}

/** The files of an eval: paths from the skill's folder, the file's or the repository's root, or with their content. */
function readFiles(
  source: YamlSource,
  path: Path,
  { folder, location, problems, id }: FileContext,
): TaskFile[] {
  const entries = [valueAt(source.data, [...path, ...FIELDS.files]) ?? []].flat() as unknown[];
  return entries.flatMap((entry, index): TaskFile[] => {
    const at = source.spanOf([...path, ...FIELDS.files, index]);
    const name = typeof entry === "string" ? entry : textAt(entry, ["path"]);
    if (name === undefined || name === "") {
      const message = `\`files\` of the eval \`${id}\` has an entry that is not a path; it is ignored.`;
      problems.push(warning(message, { help: "Write each file as its path.", at }));
      return [];
    }
    const content = valueAt(entry, ["content"]);
    if (typeof content === "string") return [{ name, content }];
    const label = `\`files\` of the eval \`${id}\`:`;
    if (isAbsolute(name)) {
      problems.push(
        warning(`${label} \`${name}\` is an absolute path, so the judge does not see it.`, { at }),
      );
      return [{ name, missing: true }];
    }
    const folders = [folder, location.folder, location.root];
    const found = findIn(folders, { name, kind: "any", at, label }, { location, problems });
    return [found === undefined ? { name, missing: true } : { name, path: found }];
  });
}

/** Name of each eval's grader. */
const GRADER = "assertions";

interface GraderContext {
  /** Unknown keys that may hold checks. */
  readonly unread: readonly string[];
  readonly problems: Problem[];
}

/**
 * The grader of an eval: its statements, else its expected output as the only one. None without either; keys that may
 * hold its checks are then errors, and beside statements a doubt about its verdicts.
 */
function readGrader(
  source: YamlSource,
  path: Path,
  { unread, problems }: GraderContext,
): { readonly grader?: Grader; readonly machineChecks: readonly SourceSpan[] } {
  const entry = valueAt(source.data, path);
  const machineChecks: SourceSpan[] = [];
  const list = { problems, machineChecks };
  const statements = FIELDS.statements.flatMap((key) => readStatements(source, [...path, key], list));
  const expected = FIELDS.expected.find((key) => textAt(entry, [key]) !== undefined);
  const reference = expected === undefined ? undefined : textAt(entry, [expected]);
  const [key] = FIELDS.statements.filter((one) => valueAt(entry, [one]) !== undefined);
  const base = { name: GRADER, weight: 1 };
  if (statements.length > 0) {
    const at = source.spanOf(key === undefined ? path : [...path, key]);
    const unjudged =
      unread.length > 0 ? `Not all of this eval was judged: ${listedCode(unread)} is not read.` : undefined;
    return {
      grader: { ...base, prompt: numbered(statements, reference), statements, unjudged, at },
      machineChecks,
    };
  }
  problems.push(...unread.map((one) => notRead(one, source.spanOfKey([...path, one]))));
  if (reference === undefined || expected === undefined) return { machineChecks };
  const at = source.spanOf([...path, expected]);
  const only = [{ text: reference, at }];
  return { grader: { ...base, prompt: numbered(only), statements: only, at }, machineChecks };
}

function notRead(key: string, at: SourceSpan): Problem {
  const message = `\`${shorten(key, LONGEST_ID)}\` is not read, and the eval has no statements.`;
  const help = "Write its checks as a list under `assertions`; what is no check, under `metadata`.";
  return error(message, { help, at });
}

interface StatementList {
  readonly problems: Problem[];
  /** Assertions without a sentence, which a judge cannot decide. */
  readonly machineChecks: SourceSpan[];
}

/** The statements of a list; an entry that is neither text nor a mapping with text is an error at its line. */
function readStatements(
  source: YamlSource,
  path: Path,
  { problems, machineChecks }: StatementList,
): Statement[] {
  const list = valueAt(source.data, path);
  if (list === undefined) return [];
  const entries = Array.isArray(list) ? list.map((_, index) => [...path, index]) : [path];
  return entries.flatMap((where): Statement[] => {
    const entry = valueAt(source.data, where);
    const at = source.spanOf(where);
    const text = typeof entry === "string" ? entry.trim() : statementText(entry);
    if (text !== undefined && !isNoSentence(text)) return [{ text, at }];
    if (typeof entry !== "object" || entry === null) {
      const message = `\`${dotted(where)}\` is no statement: ${text ? `\`${shorten(text, LONGEST_ID)}\`` : "it is empty"}. It is ignored.`;
      problems.push(warning(message, { help: "Write a sentence, or remove the entry.", at }));
    } else if (textAt(entry, ["type"]) === undefined) problems.push(notAStatement(entry, where, at));
    else machineChecks.push(at);
    return [];
  });
}

/** An empty text, a number, or true or false. */
function isNoSentence(text: string): boolean {
  return Number.isFinite(Number(text)) || readBoolean(text) !== undefined;
}

/**
 * The text of a statement that is a mapping: its subject and all its texts, `dimension: pass_if`, and in parentheses what
 * else it says, since any key may turn the sentence: `a password (type: not_contains)`.
 */
function statementText(entry: unknown): string | undefined {
  if (typeof entry !== "object" || entry === null || textAt(entry, FIELDS.text) === undefined)
    return undefined;
  const keys = [...FIELDS.about, ...FIELDS.text];
  const texts = keys.flatMap((key) => textAt(entry, [key]) ?? []);
  const others = Object.entries(entry as Readonly<Record<string, unknown>>).flatMap(([key, value]) => {
    const isText = typeof value === "string";
    const isRead = isText && keys.some((one) => one === key);
    if (isRead || STATEMENT_LABELS.has(key) || value === null || (isText && value.trim() === "")) return [];
    return `${key}: ${isText ? value.trim() : JSON.stringify(value)}`;
  });
  return [[...new Set(texts)].join(": "), ...(others.length > 0 ? [`(${others.join(", ")})`] : [])].join(" ");
}

function notAStatement(entry: object, path: Path, at: SourceSpan): Problem {
  const keys = Array.isArray(entry) ? [] : Object.keys(entry).filter((key) => !STATEMENT_LABELS.has(key));
  const found = keys.length === 0 ? "" : ` It has ${listedCode(keys)}.`;
  return error(`\`${dotted(path)}\`: expected a statement.${found}`, {
    help: `Write a text, or a mapping with one of ${listedCode(FIELDS.text)}.`,
    at,
  });
}

/* The statements of an eval as the prompt of its grader. */

/** Statements numbered from 1, with the expected output below them. */
export function numbered(statements: readonly Pick<Statement, "text">[], reference?: string): string {
  const lines = statements.map(
    ({ text }, index) => `${String(index + 1)}. ${text.replaceAll("\n", "\n   ")}`,
  );
  const expected = reference === undefined ? [] : ["", "The expected output, for reference:", reference];
  return [...lines, ...expected].join("\n");
}

/** Whether the eval has to pass: a boolean as in waza's YAML. */
function goldenOf(source: YamlSource, path: Path, problems: Problem[]): true | undefined {
  const [key] = FIELDS.golden;
  const value = valueAt(source.data, [...path, key]);
  if (value === undefined || value === null) return undefined;
  const golden = readBoolean(value);
  if (golden !== undefined) return golden || undefined;
  const at = source.spanOf([...path, key]);
  const message = `\`${dotted([...path, key])}\`: expected true or false, ${describe(value)}.`;
  problems.push(error(message, { help: "Write `true` or `false` there.", at }));
  return undefined;
}

/** The keys that are nearly one of these names, with that name. */
function meantBy(keys: readonly string[], names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    keys.flatMap((key): [string, string][] => {
      const meant = closest(key, names);
      return meant === undefined ? [] : [[key, meant]];
    }),
  );
}

function severalLists(source: YamlSource): Problem[] {
  const [, second] = FIELDS.evals.filter((key) => Array.isArray(valueAt(source.data, [key])));
  if (second === undefined) return [];
  const at = source.spanOf([second]);
  const message = `\`${second}\` is a second list of evals.`;
  return [error(message, { help: "Put all evals into one list.", at })];
}

function repeatedIds(tasks: readonly Task[]): Problem[] {
  return [...Map.groupBy(tasks, ({ id }) => id)].flatMap(([id, [first, ...again]]) =>
    again.flatMap(({ at }) => {
      if (!at) return [];
      const message = `the eval \`${shorten(id, LONGEST_ID)}\` has the id of the one in line ${String(first?.at?.startLine)}.`;
      return [error(message, { help: "Runs are matched by id: give each eval a unique id.", at })];
    }),
  );
}

/** The problem of evals without statements. */
function withoutStatements(tasks: readonly Task[]): Problem[] {
  const bare = tasks.filter(({ graders }) => graders.length === 0);
  const [first] = bare;
  if (!first) return [];
  const names = bare.map(({ id, at }) => `\`${shorten(id, LONGEST_ID)}\` (line ${String(at?.startLine)})`);
  const message = `nothing to check, so not graded: ${listed(names)}.`;
  return [notice(message, { help: "Add `assertions`, a list of statements.", at: first.at })];
}

/** One notice for all assertions without a sentence: `type` with a pattern or a value. */
function leftToMachines(places: readonly SourceSpan[]): Problem[] {
  const [at] = places;
  if (!at) return [];
  const what = places.length === 1 ? "machine check is" : "machine checks are";
  const message = `${String(places.length)} ${what} left to your own runner: \`type\` without a sentence.`;
  return [
    notice(message, { help: `To have one judged, write it as a sentence in \`${FIELDS.text[0]}\`.`, at }),
  ];
}

/** One notice for all unknown keys of a file: some may have been meant as statements. */
function ignoredKeys(source: YamlSource, keys: ReadonlySet<string>): Problem[] {
  if (keys.size === 0) return [];
  const at = source.spanOf([]);
  const names = listedCode([...keys].map((key) => shorten(key, LONGEST_ID)));
  const message = `unknown keys of evals are ignored: ${names}.`;
  return [notice(message, { at: { ...at, endLine: at.startLine } })];
}
