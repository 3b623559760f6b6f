/**
 * Rubrics: built-in ones by name, files of the repository by path (YAML front matter between two lines `---`, then the
 * judge's instructions).
 */
import { lstatSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { LineCounter } from "yaml";
import * as z from "zod/mini";
import type { Rubric } from "../domain/suite.ts";
import { type EvalLocation, confine } from "./eval-paths.ts";
import { describe, dotted, parseYaml as parseDocuments, plainData, valueAt } from "./yaml.ts";
import { isInside, slashes } from "../files/confine.ts";
import { readFailure } from "../files/read.ts";
import { listedCode, shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";
import { LONGEST_RUBRIC_NAME, MOST_RUBRICS_LISTED, MOST_RUBRIC_BYTES } from "./limits.ts";

/* Finds the rubric files of a grader. */

/** Folders to search for a grader's rubric file, in order, all within the eval's repository. */
export interface RubricFolders {
  readonly folders: readonly string[];
  readonly location: EvalLocation;
}

/** The folder of the grader's task file, if any, that of its eval file, then the repository root. */
export function rubricFolders(location: EvalLocation, taskFile?: string): RubricFolders {
  const own = taskFile === undefined ? [] : [dirname(taskFile)];
  return { folders: [...new Set([...own, location.folder, location.top])], location };
}

/** The built-in rubrics, with waza's names. */
export const BUILT_IN_RUBRICS = [
  "groundedness",
  "helpfulness",
  "instruction-following",
  "refusal-correctness",
  "tool-use-appropriateness",
] as const;

/** Why a rubric cannot be loaded: a clause, and a sentence or two on what to write instead. */
export interface NoRubric {
  readonly wrong: string;
  readonly help: string;
}

/**
 * The rubric of a reference, which is a path if it has a separator, starts with `.` or `~`, or ends in `.md`, and a
 * built-in name otherwise (waza, internal/graders/rubric.go). Files are confined to the repository.
 */
export function loadRubric(reference: string, locations: RubricFolders): Rubric | NoRubric {
  if (reference.includes("\n")) return notAReference(reference);
  if (isPath(reference)) {
    try {
      return loadFile(reference, locations);
    } catch (error) {
      return unusable(reference, readFailure(error));
    }
  }
  const name = BUILT_IN_RUBRICS.find((builtIn) => builtIn === reference);
  return name === undefined ? unknownName(reference, locations) : builtInRubric(name);
}

function notAReference(text: string): NoRubric {
  return {
    wrong: `the rubric ${quoted(text)} is neither the name of a rubric nor a path.`,
    help: `Instructions for the judge go into \`prompt\`. ${builtInNames()}`,
  };
}

function quoted(reference: string): string {
  return `\`${shorten(reference.replace(/\s+/g, " "), LONGEST_RUBRIC_NAME)}\``;
}

function builtInNames(): string {
  return `The built-in rubrics are ${BUILT_IN_RUBRICS.map((name) => `\`${name}\``).join(", ")}.`;
}

function isPath(reference: string): boolean {
  return /[\\/]|^[.~]|\.md$/.test(reference);
}

function loadFile(reference: string, locations: RubricFolders): Rubric | NoRubric {
  const path = reference.replaceAll("\\", "/");
  const found = path.startsWith("~") ? "outside" : findRubricFile(path, locations);
  if (found === "outside") {
    const help = `Keep rubric files inside the repository that holds the eval file; links that lead out of it are refused. ${builtInNames()}`;
    return { wrong: `the rubric ${quoted(reference)} leaves the repository.`, help };
  }
  if (found === "missing") return missingFile(reference, path, locations);
  const text = readRubric(found.file);
  if (typeof text !== "string") return unusable(reference, text.wrong);
  const rubric = parseRubric(text);
  if ("wrong" in rubric) return unusable(reference, rubric.wrong);
  return { ...rubric, source: inRepository(found.file, locations) };
}

/**
 * The first existing rubric file of that path; `outside` if it, or every candidate, lies outside the repository. Throws
 * the file system's error for a path that cannot be looked up.
 */
function findRubricFile(
  path: string,
  { folders, location }: RubricFolders,
): { readonly file: string } | "outside" | "missing" {
  const candidates = folders.map((folder) => resolve(folder, path));
  const possible = candidates.filter(
    (candidate) => isInside(candidate, location.top) || isInside(candidate, location.root),
  );
  for (const candidate of possible) {
    if (confine(candidate, location) === undefined) return "outside";
    if (lstatSync(candidate, { throwIfNoEntry: false })) return { file: candidate };
  }
  return possible.length === 0 ? "outside" : "missing";
}

function missingFile(reference: string, path: string, locations: RubricFolders): NoRubric {
  const beside = markdownFiles(dirname(path), locations);
  const names = beside.length > 0 ? beside : markdownFiles(".", locations);
  const name = basename(path, ".md");
  const meant =
    closest(path.replace(/^\.\//, ""), names) ??
    closest(basename(path), names) ??
    closest(name, BUILT_IN_RUBRICS);
  const searched = locations.folders
    .map((folder) => `\`${inRepository(folder, locations) || "."}\``)
    .join(", ");
  const there = listedCode(names, MOST_RUBRICS_LISTED);
  return {
    wrong: `there is no rubric file ${quoted(reference)}; searched from ${searched}.`,
    help: `${didYouMean(meant)}${there && `There is ${there}. `}${builtInNames()}`,
  };
}

/** Markdown files of a folder, from each of the locations, as references. */
function markdownFiles(folder: string, { folders, location }: RubricFolders): string[] {
  const found = folders.flatMap((from) => {
    const target = confine(resolve(from, folder), location);
    if (target === undefined) return [];
    const entries = statSync(target, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(target) : [];
    return entries.filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
  });
  return [...new Set(found.map(slashes))].sort();
}

/** A file's published path: relative to the root of its repository, with `/`. */
function inRepository(path: string, { location: { top, root } }: RubricFolders): string {
  return slashes(relative(isInside(path, top) ? top : root, path));
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? "" : `Did you mean \`${meant}\`? `;
}

function readRubric(file: string): string | { readonly wrong: string } {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { wrong: "it is not a file" };
    if (stats.size > MOST_RUBRIC_BYTES)
      return {
        wrong: `it is larger than ${String(MOST_RUBRIC_BYTES / 1024)} KiB, and goes to the judge with every grade`,
      };
    return readFileSync(file, "utf8");
  } catch (error) {
    return { wrong: readFailure(error) };
  }
}

function unusable(reference: string, why: string): NoRubric {
  return {
    wrong: `the rubric ${quoted(reference)} cannot be used: ${why}.`,
    help: "A rubric file is front matter with `name` and `scale` between two lines `---`, then the instructions for the judge.",
  };
}

/** Added to the instructions of a rubric of the scale 1-5. */
export const FULL_MARKS =
  "The scale is 1 to 5. Only 5, full marks, is a pass: call set_waza_grade_pass for a 5 and set_waza_grade_fail for anything less, and begin the reason with the score.";
const SCALES = ["pass-fail", "1-5"] as const;

const filled = (expected: string) =>
  z.string(expected).check(z.refine((value) => value.trim() !== "", expected));

/** What is read of waza's front matter (waza, internal/graders/rubric.go); its other keys are waza's own. */
const frontMatter = z.object(
  {
    name: filled("expected the rubric's name"),
    scale: z.enum(SCALES, "expected `pass-fail` or `1-5`"),
  },
  "expected a mapping with `name` and `scale`",
);

/* A rubric file: YAML front matter between two lines `---`, then the judge's instructions. */

type RubricFile = Omit<Rubric, "source">;

/**
 * Reads the text of a rubric file; returns what is wrong, as a clause, if the front matter is missing, is not YAML or
 * lacks a field, or if there are no instructions.
 */
export function parseRubric(text: string): RubricFile | { readonly wrong: string } {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (lines[first]?.trimEnd() !== "---")
    return { wrong: "it does not begin with front matter, a line `---` before its name and scale" };
  const last = lines.findIndex((line, index) => index > first && line.trimEnd() === "---");
  if (last < 0) return { wrong: "its front matter is not closed by a second line `---`" };
  const data = parseYaml(lines.slice(first + 1, last).join("\n"), first + 2);
  if ("wrong" in data) return data;
  const read = z.safeParse(frontMatter, data.value);
  if (!read.success) return { wrong: describeIssue(read.error.issues[0], data.value) };
  const body = lines
    .slice(last + 1)
    .join("\n")
    .trim();
  if (body === "") return { wrong: "no instructions for the judge follow its front matter" };
  const { name, scale } = read.data;
  return {
    name: name.trim(),
    scale,
    instructions: scale === "1-5" ? `${body}\n\n${FULL_MARKS}` : body,
  };
}

/** Every scalar stays text, as in waza's other files; `firstLine` is the first line of the front matter. */
function parseYaml(
  text: string,
  firstLine: number,
): { readonly value: unknown } | { readonly wrong: string } {
  const lineCounter = new LineCounter();
  const documents = parseDocuments(text, lineCounter);
  const read = "reason" in documents ? documents : plainData(documents[0]);
  if ("data" in read) return { value: read.data };
  const line = lineCounter.linePos(read.offset).line + firstLine - 1;
  return { wrong: `its front matter is not valid YAML, line ${String(line)}: ${lastDot(read.reason)}` };
}

function lastDot(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

function describeIssue(issue: z.core.$ZodIssue | undefined, data: unknown): string {
  const path = issue?.path ?? [];
  const where = path.length > 0 ? ` for \`${dotted(path)}\`` : "";
  const found = path.length > 0 ? `, ${describe(valueAt(data, path) || undefined)}` : "";
  return `in its front matter${where}: ${issue?.message ?? "something is wrong"}${found}${misspelled(data, path)}`;
}

/** The misspelled key beside a missing one, as the end of a clause. */
function misspelled(data: unknown, path: readonly PropertyKey[]): string {
  const key = path.at(-1);
  if (typeof key !== "string" || valueAt(data, path) !== undefined) return "";
  const near = closest(key, Object.keys(valueAt(data, path.slice(0, -1)) ?? {}));
  return near === undefined ? "" : `; \`${near}\` seems to be meant for \`${key}\``;
}

function unknownName(name: string, locations: RubricFolders): NoRubric {
  const file = markdownFiles(".", locations).find((one) => basename(one) === `${name}.md`);
  const meant = file === undefined ? closest(name, BUILT_IN_RUBRICS) : `./${file}`;
  return {
    wrong: `there is no built-in rubric ${quoted(name)}.`,
    help: `${didYouMean(meant)}${builtInNames()} For a rubric file, write its path, such as \`./rubric.md\`.`,
  };
}

function builtInRubric(name: (typeof BUILT_IN_RUBRICS)[number]): Rubric {
  return { ...readBuiltIn(name), source: "built-in" };
}

/**
 * A built-in rubric: beside this file in the sources, beside index.js in the bundle (scripts/build.ts).
 * Throws when this installation lacks its files.
 */
export function readBuiltIn(name: (typeof BUILT_IN_RUBRICS)[number]): RubricFile {
  const rubric = parseRubric(readFileSync(join(import.meta.dirname, "built-in", `${name}.md`), "utf8"));
  if ("wrong" in rubric) throw new Error(`the built-in rubric ${name}: ${rubric.wrong}`);
  return rubric;
}
