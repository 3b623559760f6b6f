/** Loads rubrics: built-in ones by name, files of the repository by path. */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Rubric } from "../../domain/suite.ts";
import { listedCode, shorten } from "../../text/format.ts";
import { readFailure } from "../../files/read.ts";
import { closest } from "../../text/suggest.ts";
import { parseRubric } from "./rubric-file.ts";
import type { RubricFile } from "./rubric-file.ts";
import { findRubricFile, inRepository, markdownFiles } from "./rubric-folders.ts";
import type { RubricFolders } from "./rubric-folders.ts";

/** The built-in rubrics, with waza's names. */
export const BUILT_IN_RUBRICS = [
  "groundedness",
  "helpfulness",
  "instruction-following",
  "refusal-correctness",
  "tool-use-appropriateness",
] as const;

/** Maximum bytes of a rubric, which is sent with every grade. */
const MOST_RUBRIC_BYTES = 256 * 1024;
const SUGGESTIONS = 5;
const QUOTED = 100;

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

/**
 * A built-in rubric with its goldens: beside this file in the sources, beside index.js in the bundle (scripts/build.ts).
 * Throws when this installation lacks its files.
 */
export function readBuiltIn(name: (typeof BUILT_IN_RUBRICS)[number]): RubricFile {
  const rubric = parseRubric(readFileSync(join(import.meta.dirname, "built-in", `${name}.md`), "utf8"));
  if ("wrong" in rubric) throw new Error(`the built-in rubric ${name}: ${rubric.wrong}`);
  return rubric;
}

function builtInRubric(name: (typeof BUILT_IN_RUBRICS)[number]): Rubric {
  return fromFile(readBuiltIn(name), "built-in");
}

function fromFile({ description: _, goldens: _goldens, ...rubric }: RubricFile, source: string): Rubric {
  return { ...rubric, source };
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
  return fromFile(rubric, inRepository(found.file, locations));
}

function unusable(reference: string, why: string): NoRubric {
  return {
    wrong: `the rubric ${quoted(reference)} cannot be used: ${why}.`,
    help: "A rubric file is front matter with `name`, `version`, `scale` and `description` between two lines `---`, then the instructions for the judge.",
  };
}

function notAReference(text: string): NoRubric {
  return {
    wrong: `the rubric ${quoted(text)} is neither the name of a rubric nor a path.`,
    help: `Instructions for the judge go into \`prompt\`. ${builtInNames()}`,
  };
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

function unknownName(name: string, locations: RubricFolders): NoRubric {
  const file = markdownFiles(".", locations).find((one) => basename(one) === `${name}.md`);
  const meant = file === undefined ? closest(name, BUILT_IN_RUBRICS) : `./${file}`;
  return {
    wrong: `there is no built-in rubric ${quoted(name)}.`,
    help: `${didYouMean(meant)}${builtInNames()} For a rubric file, write its path, such as \`./rubric.md\`.`,
  };
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
  const there = listedCode(names, SUGGESTIONS);
  return {
    wrong: `there is no rubric file ${quoted(reference)}; searched from ${searched}.`,
    help: `${didYouMean(meant)}${there && `There is ${there}. `}${builtInNames()}`,
  };
}

function quoted(reference: string): string {
  return `\`${shorten(reference.replace(/\s+/g, " "), QUOTED)}\``;
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? "" : `Did you mean \`${meant}\`? `;
}

function builtInNames(): string {
  return `The built-in rubrics are ${BUILT_IN_RUBRICS.map((name) => `\`${name}\``).join(", ")}.`;
}
