/** Rubrics: texts for the judge, built in by name or files of the repository by path. */
import { lstatSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Problem } from "../domain/problem.ts";
import type { Rubric } from "../domain/suite.ts";
import type { Entry } from "./entry.ts";
import { type EvalLocation, confine } from "./eval-paths.ts";
import { problem } from "./problems.ts";
import { BUILT_IN_RUBRICS } from "./schema.ts";
import { isInside, slashes } from "../files/confine.ts";
import { readFailure } from "../files/read.ts";
import { listedCode, shorten } from "../text/format.ts";
import { closest } from "../text/suggest.ts";

/** Characters of a rubric's name in a message. */
const LONGEST_RUBRIC_NAME = 100;
/** Maximum bytes of a rubric, which is sent with every grade. */
const MOST_RUBRIC_BYTES = 256 * 1024;

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

/**
 * The rubric of a reference, which is a path if it has a separator, starts with `.` or `~`, or ends in `.md`, and a
 * built-in name otherwise (waza, internal/graders/rubric.go). Files are confined to the repository.
 */
export function loadRubric({ value, at }: Entry, locations: RubricFolders): Rubric | Problem | undefined {
  const reference = typeof value === "string" ? value.trim() : "";
  if (reference === "") return undefined;
  const builtIn = BUILT_IN_RUBRICS.find((name) => name === reference);
  if (builtIn !== undefined) return readBuiltIn(builtIn);
  const shown = shorten(reference.replace(/\s+/g, " "), LONGEST_RUBRIC_NAME);
  if (reference.includes("\n")) return problem("rubric-text", at, shown);
  const meant = closest(basename(reference, ".md"), BUILT_IN_RUBRICS);
  if (!/[\\/]|^[.~]|\.md$/.test(reference)) return problem("rubric-name", at, shown, meant);
  const path = reference.replaceAll("\\", "/");
  try {
    const found = path.startsWith("~") ? "outside" : findRubricFile(path, locations);
    if (found === "outside") return problem("rubric-outside", at, shown);
    const searched = listedCode(locations.folders.map((folder) => inRepository(folder, locations) || "."));
    if (found === "missing") return problem("no-rubric-file", at, shown, searched, meant);
    const read = readSmallText(found.file);
    if ("failure" in read) return problem("rubric-unusable", at, shown, read.failure);
    return { name: inRepository(found.file, locations), isFile: true, instructions: read.text };
  } catch (thrown) {
    return problem("rubric-unusable", at, shown, readFailure(thrown));
  }
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

/** A file's published path: relative to the root of its repository, with `/`. */
function inRepository(path: string, { location: { top, root } }: RubricFolders): string {
  return slashes(relative(isInside(path, top) ? top : root, path));
}

/** The text of a file that goes to the judge with every grade, or why there is none, as a clause. */
export function readSmallText(file: string): { readonly text: string } | { readonly failure: string } {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { failure: "it is not a file" };
    if (stats.size > MOST_RUBRIC_BYTES)
      return {
        failure: `it is larger than ${String(MOST_RUBRIC_BYTES / 1024)} KiB, and goes to the judge with every grade`,
      };
    const text = readFileSync(file, "utf8")
      .replace(/^\uFEFF/, "")
      .trim();
    return text === "" ? { failure: "it is empty" } : { text };
  } catch (thrown) {
    return { failure: readFailure(thrown) };
  }
}

/**
 * A built-in rubric: beside this file in the sources, beside index.js in the bundle (scripts/build.ts).
 * Throws when this installation lacks its files.
 */
function readBuiltIn(name: (typeof BUILT_IN_RUBRICS)[number]): Rubric {
  return {
    name,
    instructions: readFileSync(join(import.meta.dirname, "built-in", `${name}.md`), "utf8").trim(),
  };
}
